//! Who did what, and whether that record still stands as it was written.
//!
//! Changes of files and decisions about proposals record themselves; a privileged verb that changes
//! something else calls [`Core::record`](crate::Core::record) first. Invariant: a verb whose row cannot be written does not
//! go on.

use inwit_model::{Actor, Code, Hint};
pub use inwit_store::memory::{AuditDetail, AuditHead, AuditRow};
use inwit_store::memory::{AuditEntry, AuditState, Memory};

use crate::{Core, EngineError, Notice};

impl Core {
    /// Writes down that the owner does `verb` to `target`. Errors: `audit_unwritable`; then the verb must
    /// not go on.
    pub fn record(&self, verb: &str, target: &str, detail: AuditDetail) -> Result<AuditHead, EngineError> {
        Ok(self.memory()?.audit(&self.entry(verb, target, detail))?)
    }

    /// What [`record`](Self::record) writes, for a deed that is written together with its row.
    pub(crate) fn entry(&self, verb: &str, target: &str, detail: AuditDetail) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: Actor::Owner,
            verb: verb.to_owned(),
            target: target.to_owned(),
            detail,
        }
    }

    /// Rows of the record, newest first.
    pub fn audit_rows(&self, limit: usize) -> Result<Vec<AuditRow>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => Ok(memory.audit_rows(limit)?),
            None => Ok(Vec::new()),
        }
    }

    /// What was done to by one of `verbs`, each target once, the newest first.
    pub fn audit_targets(&self, verbs: &[&str]) -> Result<Vec<String>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => Ok(memory.audit_targets(verbs)?),
            None => Ok(Vec::new()),
        }
    }

    /// What does not hold in the record; `None`: it holds.
    pub fn record_fault(&self) -> Result<Option<Notice>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => record_fault(memory.as_ref()),
            None => Ok(None),
        }
    }

    /// Reads the whole record and holds it against itself; `None` where nothing was ever recorded.
    /// Errors: `audit_broken`, with the first row that does not hold.
    pub fn audit_verify(&self) -> Result<Option<AuditHead>, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(None) };
        match memory.audit_verify()? {
            AuditState::Whole(head) => Ok(Some(head)),
            AuditState::BrokenAt { seq, message } => {
                let message = format!("The audit log is broken at row {seq}: {message}");
                Err(EngineError::new(Code::AuditBroken, message))
            }
        }
    }
}

/// What does not hold in the record of `memory`, which may be a copy; `None`: it holds. Errors: those of reading.
pub fn record_fault(memory: &dyn Memory) -> Result<Option<Notice>, EngineError> {
    let AuditState::BrokenAt { message, .. } = memory.audit_verify()? else { return Ok(None) };
    let hint = Hint::VerifyAudit;
    Ok(Some(Notice::new("record_broken", format!("The audit log is broken: {message}"), hint)))
}
