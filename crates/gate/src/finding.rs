//! What a check noticed in the bytes a change would leave.
//!
//! A finding names a class and a place, never the text itself: it is kept, logged and shown.

use std::ops::Range;

/// Which check noticed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// A key, a token, an address, a number that names a person.
    Secret,
    /// A character that is not seen, or seen as another.
    Hidden,
    /// A phrase that tries to steer the agent.
    Injection,
    /// A sentence that would change how the agent acts.
    Behaviour,
    /// Markdown that would swallow what follows.
    Form,
    /// The bytes are no text.
    Encoding,
    /// A part that belongs to somebody else would change.
    Foreign,
}

impl Check {
    /// Its word in JSON and on screens.
    pub fn word(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Hidden => "hidden",
            Self::Injection => "injection",
            Self::Behaviour => "behaviour",
            Self::Form => "form",
            Self::Encoding => "encoding",
            Self::Foreign => "foreign",
        }
    }
}

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It is told.
    Note,
    /// A person should look.
    Ask,
    /// It may not be written.
    Stop,
}

/// One thing that was noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// By which check.
    pub check: Check,
    /// How grave it is, before anybody asks who writes.
    pub weight: Weight,
    /// Its class in the check's table, such as `github_pat`.
    pub class: String,
    /// Where in the result it stands, in bytes.
    pub span: Range<usize>,
    /// The line it begins in, from 1; 0 where it stands in the name of the file.
    pub line: usize,
}
