//! Something the reader should know that did not stop the verb (D11).

use inwit_model::ports::{SkipReason, Skipped};
use inwit_model::{FileError, Hint, SafeName};

use crate::EngineError;
use crate::core::mask::masked_foreign;

/// A code, a sentence and a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable name, for programs.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What can be done about it.
    pub hint: Hint,
}

impl Notice {
    /// A notice.
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }
}

/// A failure that did not stop the rest: under the name of its code, with the code's own hint.
impl From<EngineError> for Notice {
    fn from(error: EngineError) -> Self {
        Self::new(error.code.spec().name, error.message, error.code)
    }
}

/// The first `most` of some names with `between` each two of them, and how many more there are.
pub(crate) fn named<T: AsRef<str>>(names: &[T], most: usize, between: &str) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len() - first.len() {
        0 => first.join(between),
        more => format!("{} and {more} more", first.join(between)),
    }
}

/// What a look at the files could not see. It comes from the listener's own view, so it tells nothing
/// of files that the listener may not see.
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
    // A name that is refused may hold anything.
    let (shown, _) = masked_foreign(&named(&names, NAMED_MAX, ", "));
    vec![Notice::new("files_unread", format!("Not searched: {shown}."), Hint::ListUnread)]
}
