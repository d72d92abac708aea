//! Prices of tokens, as the user sets them.
//!
//! Invariant: a cost is known only if every kind of token that was counted has a price; inwit knows no prices itself.

use inwit_model::Usage;

/// A price in millionths of a US dollar per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price(u64);

/// Digits behind the point of a price.
const DIGITS: usize = 6;

/// Largest price, in US dollars per million tokens.
const DOLLARS_MAX: u64 = 1_000_000;

impl Price {
    /// The same as an amount, in billionths of a US dollar.
    pub fn nanos(self) -> u64 {
        self.0.saturating_mul(1_000)
    }

    /// Reads US dollars per million tokens, such as `3` or `0.075`.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(rest) || rest.len() > DIGITS {
            return None;
        }
        let dollars: u64 = whole.parse().ok().filter(|dollars| *dollars <= DOLLARS_MAX)?;
        let micros: u64 = format!("{rest:0<DIGITS$}").parse().ok()?;
        Some(Self(dollars * 1_000_000 + micros))
    }
}

/// The prices of each kind of token, as far as they are set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prices {
    /// Tokens of questions that are not cached.
    pub input: Option<Price>,
    /// Tokens that are read from the provider's cache.
    pub cache_read: Option<Price>,
    /// Tokens that are written to the provider's cache.
    pub cache_write: Option<Price>,
    /// Tokens of answers.
    pub output: Option<Price>,
}

impl Prices {
    /// The cost in billionths of a US dollar, rounded up; `None` if a price is missing.
    pub fn cost(&self, usage: &Usage) -> Option<u64> {
        let fresh = usage.input.saturating_sub(usage.cache_read).saturating_sub(usage.cache_write);
        let parts = [
            (fresh, self.input),
            (usage.cache_read, self.cache_read),
            (usage.cache_write, self.cache_write),
            (usage.output, self.output),
        ];
        let mut picos = 0_u128;
        for (tokens, price) in parts.into_iter().filter(|(tokens, _)| *tokens > 0) {
            picos += u128::from(tokens) * u128::from(price?.0);
        }
        u64::try_from(picos.div_ceil(1_000)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_a_decimal_number() {
        assert_eq!(Price::parse("3"), Some(Price(3_000_000)));
        assert_eq!(Price::parse("0.075"), Some(Price(75_000)));
        assert_eq!(Price::parse("0.000001"), Some(Price(1)));
        for bad in ["", ".5", "1.", "-1", "1e3", "0.0000001", "1000001", "1,5", "free"] {
            assert_eq!(Price::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_cost_is_known_only_if_each_counted_kind_has_a_price() {
        let price = Price::parse;
        let usage = Usage { input: 1_000, cache_read: 600, cache_write: 0, output: 100 };
        let prices =
            Prices { input: price("3"), cache_read: price("0.3"), cache_write: None, output: price("15") };
        assert_eq!(prices.cost(&usage), Some(1_200_000 + 180_000 + 1_500_000));
        assert_eq!(Prices { cache_read: None, ..prices }.cost(&usage), None);
        assert_eq!(Prices::default().cost(&usage), None);
        assert_eq!(Prices::default().cost(&Usage::default()), Some(0));
        assert_eq!(prices.cost(&Usage { input: u64::MAX, ..usage }), None, "beyond all numbers");
    }
}
