//! A finding of a check in the result of a change.
//!
//! A finding has a class and a place, never the text: it is stored, logged and shown.

use std::ops::Range;

/// The check that found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// A key, a token, an address, a personal identification number.
    Secret,
    /// An invisible or look-alike character.
    Hidden,
    /// A phrase that tries to steer the agent.
    Injection,
    /// A sentence that would change the agent's behaviour.
    Behaviour,
    /// Markdown that would swallow the following text.
    Form,
    /// The bytes are not valid text.
    Encoding,
    /// A section of another writer would change.
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

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Reported only.
    Note,
    /// Needs a person's review.
    Ask,
    /// May not be written.
    Stop,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its check.
    pub check: Check,
    /// Its severity, before the author is considered.
    pub weight: Weight,
    /// Its class in the check's table, such as `github_pat`.
    pub class: String,
    /// Byte range in the result.
    pub span: Range<usize>,
    /// Line of its start, from 1; 0 for the file name.
    pub line: usize,
}
