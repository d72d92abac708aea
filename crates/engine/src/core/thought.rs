//! The reasoning block that some models put before their answer.

/// An answer without a preceding reasoning block.
pub(crate) fn without_thought(answer: &str) -> &str {
    let thought = answer.trim_start().strip_prefix("<think>");
    thought.and_then(|rest| rest.split_once("</think>")).map_or(answer, |(_, answer)| answer)
}
