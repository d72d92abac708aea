//! Which parts of a `tokenizer.json` are used: those whose work is bounded by the length of a text.
//!
//! The library runs whatever the file names. A replacement of one letter by a million, four times in a row, would take all
//! memory, and a table of characters that claims more than the file has is a panic inside it. Invariant: every step that
//! remains gives at most [`GROWTH_BYTES_MAX`] bytes for a character or for a text, and at most [`GROWING_STEPS_MAX`] do.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// Most bytes that one step puts in place of a match, or before a text.
const GROWTH_BYTES_MAX: usize = 16;

/// Most steps that may lengthen a text. Published models have a table of characters, and one that shortens blanks.
const GROWING_STEPS_MAX: usize = 3;

/// Most steps of one kind of work.
const STEPS_MAX: usize = 16;

/// Steps that take characters away, change each to a bounded form, or only cut.
const NORMALIZERS: [&str; 11] = [
    "Sequence", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Lowercase", "Strip", "StripAccents", "BertNormalizer",
    "ByteLevel",
];
const PRE_TOKENIZERS: [&str; 11] = [
    "Sequence", "BertPreTokenizer", "Whitespace", "WhitespaceSplit", "Metaspace", "Punctuation", "Digits",
    "ByteLevel", "Split", "UnicodeScripts", "CharDelimiterSplit",
];

/// Bytes of the length at the beginning of a table of characters.
const LENGTH_BYTES: usize = 4;

/// Refuses a tokenizer with a step that is not used; the error says which.
pub fn check(tokenizer: &Value) -> Result<(), String> {
    let normalizers = steps(&tokenizer["normalizer"], "normalizers")?;
    let mut growing = 0;
    for step in normalizers {
        growing += usize::from(normalizer(step)?);
    }
    if growing > GROWING_STEPS_MAX {
        return Err(format!(
            "it has {growing} steps that lengthen a text; the maximum is {GROWING_STEPS_MAX}"
        ));
    }
    for step in steps(&tokenizer["pre_tokenizer"], "pretokenizers")? {
        if !PRE_TOKENIZERS.contains(&kind(step)) {
            return Err(format!("its pre-tokenizer `{}` is not supported", kind(step)));
        }
    }
    Ok(())
}

/// Whether a normalizer may lengthen a text. Error: it is not used.
fn normalizer(step: &Value) -> Result<bool, String> {
    let is_short = |field: &str| step[field].as_str().is_some_and(|text| text.len() <= GROWTH_BYTES_MAX);
    match kind(step) {
        "Replace" if is_short("content") => Ok(true),
        "Prepend" if is_short("prepend") => Ok(true),
        "Precompiled" if is_whole(step["precompiled_charsmap"].as_str().unwrap_or_default()) => Ok(true),
        kind if NORMALIZERS.contains(&kind) => Ok(false),
        kind => Err(format!("its normalizer `{kind}` is not supported")),
    }
}

/// Whether a table of characters is as long as its beginning says.
fn is_whole(table: &str) -> bool {
    let bytes = STANDARD.decode(table).unwrap_or_default();
    let Some((length, behind)) = bytes.split_at_checked(LENGTH_BYTES) else { return false };
    let length = length.iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte));
    length <= behind.len()
}

fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

/// The steps of one part, those of a sequence one by one. Error: a sequence within a sequence, or too many.
fn steps<'s>(part: &'s Value, listed: &str) -> Result<Vec<&'s Value>, String> {
    if part.is_null() {
        return Ok(Vec::new());
    }
    if kind(part) != "Sequence" {
        return Ok(vec![part]);
    }
    let steps: Vec<&Value> = part[listed].as_array().into_iter().flatten().collect();
    if steps.len() > STEPS_MAX || steps.iter().any(|step| kind(step) == "Sequence") {
        return Err(format!("its steps are nested, or more than {STEPS_MAX}"));
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_parts_of_published_models_are_used() {
        let table = STANDARD.encode([1, 0, 0, 0, 7]);
        for normalizer in [
            json!(null),
            json!({"type": "BertNormalizer", "lowercase": true}),
            json!({"type": "Sequence", "normalizers": [
                {"type": "Precompiled", "precompiled_charsmap": table},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ]}),
        ] {
            let pre = json!({"type": "Sequence", "pretokenizers": [
                {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁"},
            ]});
            assert_eq!(check(&json!({"normalizer": normalizer, "pre_tokenizer": pre})), Ok(()));
        }
    }

    #[test]
    fn what_lengthens_a_text_without_a_bound_or_is_broken_is_refused() {
        let replace = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "a".repeat(1_000)});
        let short = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
        for normalizer in [
            replace,
            json!({"type": "Sequence", "normalizers": vec![short; GROWING_STEPS_MAX + 1]}),
            json!({"type": "Prepend", "prepend": "a b ".repeat(100)}),
            json!({"type": "Precompiled", "precompiled_charsmap": STANDARD.encode([0xff; 4])}),
            json!({"type": "Precompiled", "precompiled_charsmap": "AA=="}),
            json!({"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": []}]}),
            json!({"type": "New"}),
        ] {
            assert!(check(&json!({ "normalizer": normalizer })).is_err(), "{normalizer}");
        }
        let fixed = json!({"type": "FixedLength", "length": 0});
        assert!(check(&json!({ "pre_tokenizer": fixed })).is_err());
    }
}
