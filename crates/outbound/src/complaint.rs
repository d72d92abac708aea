//! The error text in a provider's answer.
//!
//! Invariant: any bytes give a text or `None`.

use serde_json::Value;

/// The message of an error answer: `{"error": "…"}` or `{"error": {"message": "…"}}`, also as the first element of an
/// array.
pub fn complaint(answer: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let error = answer.get(0).unwrap_or(&answer).get("error")?;
    error.as_str().or_else(|| error.get("message")?.as_str()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_texts_of_all_forms_are_found() {
        let of = |text: &str| complaint(text.as_bytes());
        assert_eq!(of(r#"{"error":{"message":"no such model","code":7}}"#).as_deref(), Some("no such model"));
        assert_eq!(of(r#"[{"error":{"message":"no such model"}}]"#).as_deref(), Some("no such model"));
        assert_eq!(of(r#"{"error":"model not found"}"#).as_deref(), Some("model not found"));
        assert_eq!([of("oops"), of("{}"), of(r#"{"error":7}"#), of("[]")], [None, None, None, None]);
    }
}
