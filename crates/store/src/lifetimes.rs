//! The trait for lifetimes of passages, derived from the commits of a history.
//!
//! Commits are numbered steps, oldest first, each with its changed files. A passage lives in a file from the first
//! step that has it to the first that has not: `[from, until)`. Invariant: it is a function of the steps alone; a
//! [`dump`](Lifetimes::dump) does not depend on how they were added (D1).

use std::collections::BTreeSet;

use inwit_model::{SafeName, Sha256, Stamp};
use jiff::Timestamp;

use crate::IndexError;

/// One commit of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name, in hex digits.
    pub commit: String,
    /// When it happened.
    pub at: Timestamp,
    /// Its kind.
    pub kind: StepKind,
    /// The files it changed, and what they are since.
    pub files: Vec<Standing>,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// The beginning: files as they stood when history was first written.
    Begun,
    /// A file as it was found just before it was changed.
    Found,
    /// A change.
    Changed,
}

/// What a file is since a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The file.
    pub name: SafeName,
    /// What holds its bytes; `None`: it went away.
    pub blob: Option<Blob>,
}

/// Bytes of a file, by the object that holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Its name, in hex digits.
    pub oid: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// A step that is to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStep {
    /// The step.
    pub step: Step,
    /// The passages that each of its files has since, in their order.
    pub passages: Vec<BTreeSet<PassageMark>>,
}

/// Names a text of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PassageMark(pub u64);

impl PassageMark {
    /// The mark of the passage whose text has this hash.
    pub fn of(text: &Sha256) -> Self {
        Self(u64::from_be_bytes(std::array::from_fn(|at| text.0[at])))
    }
}

/// When a passage stood in its file, in numbers of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life {
    /// The first step that has it.
    pub from: usize,
    /// The first that has it no more; `None`: the last one has it.
    pub until: Option<usize>,
}

impl Life {
    /// Whether it stood at `step`.
    pub fn holds(&self, step: usize) -> bool {
        self.from <= step && self.until.is_none_or(|until| step < until)
    }
}

/// A file that was found equal to what history has of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The file.
    pub name: SafeName,
    /// Its stamp then: as long as it stands, the file need not be read again.
    pub stamp: Stamp,
    /// The object it was equal to, in hex digits.
    pub oid: String,
}

/// Lifetimes of passages.
pub trait Lifetimes: Send {
    /// Every step that is known, oldest first.
    fn steps(&mut self) -> Result<Vec<Step>, IndexError>;

    /// Adds `steps` behind the `based_on` that are known, all or none. When another process was faster,
    /// nothing is done and the error is [`IndexError::Moved`].
    fn grow(&mut self, based_on: usize, steps: &[NewStep]) -> Result<(), IndexError>;

    /// The lives of a passage in a file, oldest first.
    fn lives(&mut self, name: &SafeName, passage: PassageMark) -> Result<Vec<Life>, IndexError>;

    /// Files found equal to the history. Not part of a [`dump`](Self::dump), since they concern the present.
    fn compared(&mut self) -> Result<Vec<Compared>, IndexError>;

    /// Remembers that files were found equal, over what was remembered of each.
    fn compare(&mut self, files: &[Compared]) -> Result<(), IndexError>;

    /// Removes everything. A damaged store is discarded and recreated.
    fn clear(&mut self) -> Result<(), IndexError>;

    /// A text that is equal for equal contents (D1). For tests and `doctor`.
    fn dump(&mut self) -> Result<String, IndexError>;
}
