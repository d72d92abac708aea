//! Proof that a person is present.
//!
//! No text can prove this: not a chat, a tool argument or a stored row. It is created at the owner's own terminal,
//! from a token with the right to approve, and for one proposal only by repeating digits of its confirmation code. Invariant: no constructor takes a name or
//! a role.

use inwit_model::Sha256;

/// Fewest digits of a confirmation code that confirm it.
pub const CONFIRM_DIGITS_MIN: usize = 8;

/// A person who is present.
#[derive(Debug)]
pub struct HumanConsent {
    seal: Option<Sha256>,
}

impl HumanConsent {
    /// The owner at their own terminal. Only the composition root of an interface that only the owner reaches may
    /// call this; the lint table lists it.
    pub fn at_own_terminal() -> Self {
        Self { seal: None }
    }

    /// A person who typed digits of the shown `seal`. `None` if there are fewer than [`CONFIRM_DIGITS_MIN`], or they
    /// differ.
    pub fn confirming(seal: Sha256, typed: &str) -> Option<Self> {
        let typed = typed.trim().to_ascii_lowercase();
        let enough = typed.len() >= CONFIRM_DIGITS_MIN && seal.to_string().starts_with(&typed);
        enough.then_some(Self { seal: Some(seal) })
    }

    /// The owner, proven by a token with the right to approve; only [`TokenHolder`](crate::TokenHolder) calls this.
    pub(crate) fn with_token() -> Self {
        Self { seal: None }
    }

    /// Whether this person confirmed `seal`.
    pub(crate) fn saw(&self, seal: &Sha256) -> bool {
        self.seal.as_ref() == Some(seal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confirmation_is_of_one_thing_and_needs_eight_digits() {
        let seal = Sha256::of(b"shown");
        let digits = seal.short(8);
        assert!(HumanConsent::confirming(seal, &digits).is_some_and(|person| person.saw(&seal)));
        assert!(HumanConsent::confirming(seal, &digits[..7]).is_none());
        assert!(HumanConsent::confirming(seal, "").is_none());
        assert!(HumanConsent::confirming(Sha256::of(b"other"), &digits).is_none());
        assert!(!crate::testing::person().saw(&seal));
    }
}
