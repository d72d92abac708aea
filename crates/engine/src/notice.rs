//! Something the reader should know that did not stop the verb (D11).

use inwit_model::ports::{SkipReason, Skipped};
use inwit_model::{FileError, SafeName};

/// A code, a sentence and a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable name, for programs.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What can be done about it.
    pub hint: &'static str,
}

impl Notice {
    /// A notice.
    pub fn new(code: &'static str, message: impl Into<String>, hint: &'static str) -> Self {
        Self { code, message: message.into(), hint }
    }
}

/// What a look at the files could not see. It comes from the listener's own view, so it tells nothing
/// of files that the listener may not see.
pub(crate) fn left_out(unread: &[(SafeName, FileError)], skipped: &[Skipped]) -> Vec<Notice> {
    let unseen = skipped.iter().filter(|skipped| {
        matches!(skipped.reason, SkipReason::Unreadable | SkipReason::TooMany | SkipReason::TooDeep)
    });
    let names: Vec<&str> = unread
        .iter()
        .map(|(name, _)| name.as_str())
        .chain(unseen.map(|skipped| skipped.shown.as_str()))
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    const NAMED_MAX: usize = 3;
    let named = names[..names.len().min(NAMED_MAX)].join(", ");
    let more = names.len().saturating_sub(NAMED_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("Not everything could be read: {named}{more}.");
    vec![Notice::new("files_unread", message, "`inwit doctor` lists every file and folder with its reason.")]
}
