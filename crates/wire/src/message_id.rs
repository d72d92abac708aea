//! The id of a too long JSON-RPC message, so that its caller gets an answer.
//!
//! Only the beginning and the end of the message are kept. Invariant: the id is the member `id` of the outermost
//! object; `None` if the two parts do not show it.

use std::cell::RefCell;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// The id of a message of which `beginning` and `end` are left.
pub fn id_of(beginning: &[u8], end: &[u8]) -> Option<Value> {
    let found = RefCell::new(None);
    // The text breaks off, so the reading fails; what was found before that stays.
    let _ = serde_json::Deserializer::from_slice(beginning).deserialize_map(Outermost(&found));
    found.into_inner().or_else(|| last_member(end))
}

/// The value of `id` where that is the last member. The last bracket closes the outermost object, so a scalar
/// directly before it belongs to it, and so does the key before that.
fn last_member(end: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(end);
    let (before, id) = text.trim_end().strip_suffix('}')?.rsplit_once("\"id\"")?;
    let is_key = before.trim_end().ends_with([',', '{']);
    let id = id.trim_start().strip_prefix(':').filter(|_| is_key)?;
    serde_json::from_str(id).ok()
}

/// Notes the member `id` of an object.
struct Outermost<'f>(&'f RefCell<Option<Value>>);

impl<'de> Visitor<'de> for Outermost<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if name == "id" {
                *self.0.borrow_mut() = Some(members.next_value()?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_id_is_that_of_the_outermost_object() {
        for (beginning, end, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"params":{"text":"aaa"#, r#"aaa"}}"#, Some(json!(7))),
            (r#"{"id":"x","params":{"id":3,"text":"aaa"#, "", Some(json!("x"))),
            (r#"{"params":{"id":3,"text":"aaa"#, r#"aaa"},"id": 8 } "#, Some(json!(8))),
            (r#"{"params":{"id":3,"text":"aaa"#, r#"aaa", "id":8}}"#, None),
            (r#"{"params":{"text":"aaa"#, r#"aaa \"id\":8}"#, None),
            (r#"{"params":{"text":"aaa"#, r#"aaa"}, "other":8}"#, None),
            (r#"["id""#, "", None),
            ("not json", "at all", None),
        ] {
            assert_eq!(id_of(beginning.as_bytes(), end.as_bytes()), id, "{beginning} … {end}");
        }
    }
}
