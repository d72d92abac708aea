//! Validates a caller's input for a fact: category, metadata, times and profile key.
//!
//! Invariant: nothing here reads or writes; invalid input is an error with its code.

use inwit_model::fact::{Category, ProfileKey, Span};
use inwit_model::{Actor, Code, FactSource};
use jiff::Timestamp;

use crate::core::mask::grave;
use crate::{EngineError, WriteContext};

/// Whether a category, alone or together with the text after it, has an injection phrase or hidden characters.
pub(super) fn is_grave_with(category: &Category, words: &str) -> bool {
    !grave(category.as_str()).is_empty() || grave(&format!("{category}: {words}")).len() > grave(words).len()
}

/// A period in whole milliseconds, as stored. The last representable day may be its end ("forever"), but not its
/// start. Error: `time_bad`.
pub(super) fn told(valid: Span) -> Result<Span, EngineError> {
    let valid = valid.in_millis();
    match valid.from {
        Some(from) if from.as_second() >= Timestamp::MAX.as_second() => {
            let message = "The start of the fact is too late to be represented.";
            Err(EngineError::new(Code::TimeBad, message))
        }
        _ => Ok(valid),
    }
}

/// Metadata as stored: the given bytes. If a caller other than the owner claims a person as the source in it, that
/// value is corrected, since other tools trust it (D9).
pub(super) fn object(text: &str, behalf: &WriteContext) -> Result<String, EngineError> {
    let mut value = is_object(text)?;
    // Of a duplicate key we read the last value, and other tools the first.
    if behalf.author.actor() != Actor::Owner && sources(text) > 1 {
        let message = "The metadata contains `source` more than once.";
        return Err(EngineError::new(Code::UsageBad, message));
    }
    let claims =
        value.get("source").and_then(serde_json::Value::as_str) == Some(FactSource::UserManual.word());
    if behalf.author.actor() == Actor::Owner || !claims {
        return Ok(text.to_owned());
    }
    value.insert("source".to_owned(), FactSource::AgentRecorded.word().into());
    Ok(serde_json::Value::Object(value).to_string())
}

/// How often the keys of the JSON object `text` name `source`, values excluded.
pub(super) fn sources(text: &str) -> usize {
    let (mut depth, mut at, mut said) = (0_usize, 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                let is_name = text.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(':'));
                let word = text.get(start..=at).and_then(|word| serde_json::from_str::<String>(word).ok());
                said += usize::from(depth == 1 && is_name && word.as_deref() == Some("source"));
            }
            _ => {}
        }
        at += 1;
    }
    said
}

/// A JSON object. Error: `usage_bad`.
pub(super) fn is_object(text: &str) -> Result<serde_json::Map<String, serde_json::Value>, EngineError> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(EngineError::new(Code::UsageBad, "The metadata is not a JSON object.")),
        // Invalid JSON: the error names kind and position, and quotes none of it.
        Err(error) => {
            let message = format!("The metadata is not valid JSON: {error}.");
            Err(EngineError::new(Code::UsageBad, message))
        }
    }
}

pub(super) fn category(text: &str) -> Result<Category, EngineError> {
    Category::parse(text).map_err(|error| {
        let shown = inwit_model::name::shown(text);
        EngineError::new(Code::UsageBad, format!("`{shown}` is not a valid category: {error}."))
    })
}

pub(super) fn profile_key(text: &str) -> Result<ProfileKey, EngineError> {
    ProfileKey::parse(text).map_err(|error| {
        let shown = inwit_model::name::shown(text);
        EngineError::new(Code::UsageBad, format!("`{shown}` is not a valid key: {error}."))
    })
}
