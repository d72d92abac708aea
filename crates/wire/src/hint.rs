//! A hint as serialised, in the text of the serialising interface.
//!
//! Shapes do not depend on the reader, so they have the id, and the interface sets its [`Voice`] when it serialises.
//! Invariant: without a voice only common texts can be serialised; others are an error.

use std::cell::Cell;

use inwit_model::{Advice, Hint};
use schemars::JsonSchema;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

/// How an interface says a hint.
pub type Voice = fn(Hint) -> &'static str;

thread_local! {
    static VOICE: Cell<Option<Voice>> = const { Cell::new(None) };
}

/// A hint, as an id or in words of one case.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct HintV1(#[schemars(with = "String")] pub Advice);

/// Serialises with the texts of `voice`, which applies to the whole thread until it returns.
pub fn in_voice<T>(voice: Voice, serialise: impl FnOnce() -> T) -> T {
    struct Back(Option<Voice>);
    impl Drop for Back {
        fn drop(&mut self) {
            VOICE.set(self.0);
        }
    }
    let _back = Back(VOICE.replace(Some(voice)));
    serialise()
}

impl Serialize for HintV1 {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let words = match (&self.0, VOICE.get()) {
            (Advice::Said(words), _) => Some(words.as_str()),
            (Advice::Id(hint), Some(voice)) => Some(voice(*hint)),
            (Advice::Id(hint), None) => hint.words(),
        };
        to.serialize_str(words.ok_or_else(|| S::Error::custom("a hint needs the voice of an interface"))?)
    }
}

impl<T: Into<Advice>> From<T> for HintV1 {
    fn from(hint: T) -> Self {
        Self(hint.into())
    }
}

#[cfg(test)]
mod tests {
    use inwit_model::Code;

    use super::*;

    #[test]
    fn a_hint_is_said_in_the_voice_of_who_serialises_it_and_of_nobody_afterwards() {
        let hints = [Hint::Of(Code::NoAgent).into(), Hint::Words("Wait.").into(), HintV1::from("Go.")];
        let told = || serde_json::to_string(&hints).expect("text");
        assert_eq!(in_voice(|_| "Ask.", told), r#"["Ask.","Ask.","Go."]"#);
        assert_eq!(serde_json::to_string(&hints[1..]).expect("words for all"), r#"["Wait.","Go."]"#);
        let unsaid = serde_json::to_string(&hints).expect_err("nobody's words");
        assert!(unsaid.to_string().contains("voice"), "{unsaid}");
        let outer = in_voice(|_| "A.", || in_voice(|_| "B.", told) + &told());
        assert_eq!(outer, r#"["B.","B.","Go."]["A.","A.","Go."]"#);
    }
}
