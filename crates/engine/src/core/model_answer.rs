//! The form of a model's answer: what may stand around it, and whether a JSON object names a key twice.

use serde_json::Value;

/// An answer without a preceding reasoning block.
pub(crate) fn without_thought(answer: &str) -> &str {
    let thought = answer.trim_start().strip_prefix("<think>");
    thought.and_then(|rest| rest.split_once("</think>")).map_or(answer, |(_, answer)| answer)
}

/// An answer without the one code fence around it.
pub(crate) fn without_fence(answer: &str) -> &str {
    let answer = answer.trim();
    let inner = answer.strip_prefix("```json").or_else(|| answer.strip_prefix("```"));
    inner.and_then(|rest| rest.strip_suffix("```")).map_or(answer, str::trim)
}

/// Number of key-value pairs in a JSON text: parsers keep only the last of two equal keys.
pub(crate) fn pairs(json: &str) -> usize {
    let (mut count, mut is_inside, mut is_escaped) = (0, false, false);
    for c in json.chars() {
        match (is_inside, c) {
            (true, _) if is_escaped => is_escaped = false,
            (true, '\\') => is_escaped = true,
            (_, '"') => is_inside = !is_inside,
            (false, ':') => count += 1,
            _ => {}
        }
    }
    count
}

/// Number of key-value pairs in a parsed value. It is below [`pairs`] of its text if a key was repeated.
pub(crate) fn pairs_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(pairs_of).sum(),
        Value::Object(fields) => fields.values().map(|field| 1 + pairs_of(field)).sum(),
        _ => 0,
    }
}
