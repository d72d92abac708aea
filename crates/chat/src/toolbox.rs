//! The port for tools that read. The caller provides them; this crate adds the ones that write.
//!
//! Invariant: a failed call returns an [`Answer`] too, so the model always gets a result.

use inwit_model::Tool;

/// Tools that change nothing.
pub trait Toolbox {
    /// The tools, in the same order each time.
    fn tools(&self) -> Vec<Tool>;

    /// Calls a tool with a JSON object.
    fn call(&self, name: &str, arguments: &str) -> Answer;
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The answer, as the model reads it.
    pub text: String,
    /// The lines of files in it. The engine compares them with the files, so a result of the agent's own memory adds no
    /// taint; `text` for another tool.
    pub read: String,
    /// The file, if the answer has all its lines.
    pub whole_file: Option<String>,
    /// Whether the call failed.
    pub is_failed: bool,
}

/// Most bytes of an answer that are sent to the model.
pub const ANSWER_BYTES_MAX: usize = 64 * 1024;

impl Answer {
    /// A failure with a sentence for the model.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { text: text.into(), read: String::new(), whole_file: None, is_failed: true }
    }

    /// Whether all of it is sent.
    pub(crate) fn is_shown_whole(&self) -> bool {
        self.text.len() <= ANSWER_BYTES_MAX
    }

    /// The text that is sent, cut to [`ANSWER_BYTES_MAX`].
    pub(crate) fn shown(&self) -> String {
        if self.is_shown_whole() {
            return self.text.clone();
        }
        let end = self.text.floor_char_boundary(ANSWER_BYTES_MAX);
        format!(
            "{}\n\n[Only the first {} KiB of {} KiB. Ask for fewer lines.]",
            &self.text[..end],
            ANSWER_BYTES_MAX >> 10,
            self.text.len() >> 10
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let answer = |bytes: usize| Answer { text: "é".repeat(bytes / 2), ..Answer::failed("") };
        assert_eq!(answer(ANSWER_BYTES_MAX).shown().len(), ANSWER_BYTES_MAX);
        let shown = answer(ANSWER_BYTES_MAX * 2).shown();
        assert!(
            shown.ends_with("[Only the first 64 KiB of 128 KiB. Ask for fewer lines.]"),
            "{}",
            &shown[shown.len() - 80..]
        );
    }
}
