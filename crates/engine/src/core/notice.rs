//! A notice for the reader about a problem that did not stop the operation (D11).

use inwit_model::ports::{SkipReason, Skipped};
use inwit_model::{FileError, Hint, SafeName};

use crate::EngineError;
use crate::core::mask::masked_foreign;

/// A code, a sentence and a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable code, for programs.
    pub code: &'static str,
    /// The message.
    pub message: String,
    /// The hint.
    pub hint: Hint,
}

impl Notice {
    /// A notice.
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }
}

/// An error that did not stop the operation, with the code and hint of the error.
impl From<EngineError> for Notice {
    fn from(error: EngineError) -> Self {
        Self::new(error.code.spec().name, error.message, error.code)
    }
}

/// The first `most` names joined with `between`, and how many more there are.
pub(crate) fn named<T: AsRef<str>>(names: &[T], most: usize, between: &str) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len() - first.len() {
        0 => first.join(between),
        more => format!("{} and {more} more", first.join(between)),
    }
}

/// A notice about files that could not be read or were skipped. It is limited to the reader's view.
pub(crate) fn left_out(unread: &[(SafeName, FileError)], skipped: &[Skipped]) -> Vec<Notice> {
    let unseen = skipped.iter().filter(|skipped| {
        matches!(
            skipped.reason,
            SkipReason::Unreadable | SkipReason::TooMany | SkipReason::TooDeep | SkipReason::OddName
        )
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
    // A refused name may contain anything.
    let (shown, _) = masked_foreign(&named(&names, NAMED_MAX, ", "));
    vec![Notice::new("files_unread", format!("Not searched: {shown}."), Hint::ListUnread)]
}
