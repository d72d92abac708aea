//! Attributes an outcome to the methods of a decision.
//!
//! Invariants: every method of a decision gets one use, whatever its weight; the shares of profit or loss add up to
//! the total.

use inwit_model::MethodId;

/// The share of `pnl` for each of `methods`, by its weight above 0, in order; `None` if it is unknown.
pub fn parts(methods: &[(MethodId, f64)], pnl: Option<f64>) -> Vec<f64> {
    let whole: f64 = methods.iter().map(|(_, weight)| weight).sum();
    let part = |weight: f64| if whole > 0.0 { pnl.unwrap_or(0.0) * (weight / whole) } else { 0.0 };
    methods.iter().map(|(_, weight)| part(*weight)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn method(number: u8) -> MethodId {
        MethodId::parse(&format!("meth-00000000-0000-7000-8000-0000000000{number:02}")).expect("an id")
    }

    #[test]
    fn weights_split_what_was_won_and_not_the_count() {
        assert_eq!(parts(&[(method(1), 3.0), (method(2), 1.0)], Some(100.0)), [75.0, 25.0]);
        assert_eq!(
            parts(&[(method(1), 3.0), (method(2), 1.0)], None),
            [0.0, 0.0],
            "one use each, and no money"
        );
        assert!(parts(&[], Some(9.0)).is_empty());
    }

    proptest! {
        #[test]
        fn the_parts_add_up(weights in prop::collection::vec(0.001f64..1000.0, 1..20), pnl in -1e6f64..1e6) {
            let methods: Vec<_> = weights.iter().zip(0..).map(|(weight, at)| (method(at), *weight)).collect();
            let told = parts(&methods, Some(pnl));
            prop_assert_eq!(told.len(), methods.len());
            let whole: f64 = told.iter().sum();
            prop_assert!((whole - pnl).abs() <= 1e-9 * pnl.abs().max(1.0), "{} is not {}", whole, pnl);
            prop_assert!(told.iter().all(|part| part * pnl >= 0.0), "all on one side");
        }
    }
}
