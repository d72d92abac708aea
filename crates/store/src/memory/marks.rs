//! Taint marks of journal entries.
//!
//! The entry is an ordinary part of the file; its mark, by hash, makes later prefixes fence it (D9). The mark is
//! written first: one without an entry is harmless.

use inwit_model::{ProjectName, SessionId, Sha256, Taint};
use jiff::Timestamp;

use super::MemoryError;

/// The marks of one agent.
pub trait Marks {
    /// Marks an entry. Marked before, it keeps the lesser trust of the two and has the project of the later one.
    fn mark(&self, mark: &Mark) -> Result<(), MemoryError> {
        self.mark_all(std::slice::from_ref(mark))
    }

    /// The same of several in one piece: all or none, and on the disk.
    fn mark_all(&self, marks: &[Mark]) -> Result<(), MemoryError>;

    /// The same by who writes what is marked next: the marks are on the disk as soon as its intent is, so it
    /// is waited for once.
    fn mark_ahead(&self, marks: &[Mark]) -> Result<(), MemoryError> {
        self.mark_all(marks)
    }

    /// The least trusted of those `entries` that are marked. `None`: none of them ever was. Where nothing at
    /// all is marked, no entry is asked for, so making their hashes costs nothing.
    fn taint_of_any(&self, entries: &mut dyn Iterator<Item = Sha256>) -> Result<Option<Taint>, MemoryError>;

    /// The taint of one entry. `None`: it was never marked.
    fn taint_of(&self, entry: &Sha256) -> Result<Option<Taint>, MemoryError> {
        self.taint_of_any(&mut std::iter::once(*entry))
    }

    /// Every mark, in order of the entries' hashes.
    fn marks(&self) -> Result<Vec<Mark>, MemoryError>;
}

/// One mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The hash of the entry's bytes.
    pub entry: Sha256,
    /// From what it was made.
    pub taint: Taint,
    /// In which session.
    pub session: Option<SessionId>,
    /// In which project it was written, where it is a line of MEMORY.md.
    pub project: Option<ProjectName>,
    /// When, to the microsecond.
    pub at: Timestamp,
}
