//! Accepts only a JSON object for a struct.
//!
//! A derived deserialiser also accepts an array of field values in order, so a mistake of a host could assign values
//! to wrong fields. Invariant: only an object is accepted.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// A value that is an object and nothing else.
#[derive(Debug, Clone, Default, schemars::JsonSchema)]
#[schemars(transparent)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(OfFields(PhantomData)).map(Self)
    }
}

struct OfFields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OfFields<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EndV1, StartV1, TurnV1};

    fn refused<T: serde::de::DeserializeOwned + fmt::Debug>(text: &str) {
        let error = serde_json::from_str::<Object<T>>(text).expect_err("refused").to_string();
        assert!(error.contains("expected an object"), "{text}: {error}");
    }

    #[test]
    fn a_list_is_read_as_no_object_at_any_depth() {
        refused::<EndV1>(r#"["s"]"#);
        refused::<StartV1>(r#"["s", null, "main", null, null, []]"#);
        refused::<StartV1>("[]");
        refused::<TurnV1>(r#"{"session": "s", "user": ["ana", "hi", true]}"#);
        refused::<TurnV1>(r#"{"session": "s", "tools": [["web", "page"]]}"#);
        refused::<TurnV1>(r#"{"session": "s", "writes": [["journal", "x"]]}"#);
    }

    #[test]
    fn objects_are_read_as_before_and_what_is_misspelt_or_said_twice_is_told() {
        let text = r#"{"session": "s", "user": {"text": "hi"}, "tools": [{"name": "web"}],
                       "writes": [{"kind": "journal", "text": "x"}]}"#;
        let turn = serde_json::from_str::<Object<TurnV1>>(text).expect("read").0;
        assert_eq!((turn.tools.len(), turn.writes.len(), turn.user.0.text.as_str()), (1, 1, "hi"));
        for (text, why) in [
            (r#"{"session": "s", "user": {"txt": "hi"}}"#, "unknown field `txt`"),
            (r#"{"session": "s", "session": "t"}"#, "duplicate field `session`"),
            (r#"{"session": "s", "writes": [{"kind": "burn", "text": "x"}]}"#, "unknown variant `burn`"),
        ] {
            let error = serde_json::from_str::<Object<TurnV1>>(text).expect_err("refused").to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
