//! Cursors: how many results were returned, and for which query.
//!
//! A cursor contains nothing secret. Invariant: a cursor of another query is refused.

use inwit_model::{Code, Sha256};
use inwit_wire::{ErrorV1, ToolErrorV1};

/// Most results that are skipped.
const GIVEN_MAX: usize = 1_000_000;

/// Hex digits of the query's hash.
const DIGITS: usize = 12;

/// The cursor after `given` results of `question`.
pub fn behind(given: usize, question: &str) -> String {
    format!("{given}.{}", Sha256::of(question.as_bytes()).short(DIGITS))
}

/// The number of results already returned for `question`; 0 without a cursor. Error: `usage_bad`.
pub fn given(cursor: Option<&str>, question: &str) -> Result<usize, ToolErrorV1> {
    let Some(cursor) = cursor else { return Ok(0) };
    let hash = Sha256::of(question.as_bytes()).short(DIGITS);
    let given =
        cursor.split_once('.').filter(|(_, of)| *of == hash).and_then(|(given, _)| given.parse().ok());
    given.filter(|given| *given <= GIVEN_MAX).ok_or_else(|| {
        let message = "The cursor belongs to another question. Repeat the other parameters unchanged.";
        ToolErrorV1::from(ErrorV1 {
            hint: "Call again without a cursor to start from the beginning.".into(),
            ..ErrorV1::new(Code::UsageBad, message)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_goes_on_with_its_own_question_only() {
        let cursor = behind(10, "which bread");
        assert_eq!(given(Some(&cursor), "which bread").ok(), Some(10));
        assert_eq!(given(None, "which bread").ok(), Some(0));
        for (cursor, question) in
            [(cursor.as_str(), "which cake"), ("10", "which bread"), ("", ""), ("-1.x", "x")]
        {
            assert_eq!(given(Some(cursor), question).map_err(|error| error.error.code), Err("usage_bad"));
        }
    }
}
