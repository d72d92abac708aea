//! The audit log, and its verification.
//!
//! File changes and decisions about proposals write their own rows; a privileged operation on anything else calls
//! [`Core::record`](crate::Core::record) first. Invariant: an operation whose row cannot be written is not performed.

use inwit_model::{Actor, Code, Hint};
pub use inwit_store::memory::{AuditDetail, AuditHead, AuditRow};
use inwit_store::memory::{AuditEntry, AuditState, Memory};

use crate::{Core, EngineError, Notice};

impl Core {
    /// Records that the owner performs `verb` on `target`. Error: `audit_unwritable`; then the operation must stop.
    pub fn record(&self, verb: &str, target: &str, detail: AuditDetail) -> Result<AuditHead, EngineError> {
        Ok(self.memory()?.audit(&self.entry(verb, target, detail))?)
    }

    /// The row of [`record`](Self::record), for an operation that writes it in the same transaction.
    pub(crate) fn entry(&self, verb: &str, target: &str, detail: AuditDetail) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: Actor::Owner,
            verb: verb.to_owned(),
            target: target.to_owned(),
            detail,
        }
    }

    /// Rows of the audit log, newest first.
    pub fn audit_rows(&self, limit: usize) -> Result<Vec<AuditRow>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => Ok(memory.audit_rows(limit)?),
            None => Ok(Vec::new()),
        }
    }

    /// Rows of the audit log after the row `seq`, oldest first, at most `most`; and the number of the last row.
    pub fn audit_rows_after(&self, seq: u64, most: usize) -> Result<(Vec<AuditRow>, u64), EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok((Vec::new(), 0)) };
        let last = memory.audit_head()?.rows;
        let numbers = (seq.saturating_add(1)..=last).take(most);
        let rows = numbers.map(|seq| memory.audit_row(seq)).collect::<Result<Vec<_>, _>>()?;
        Ok((rows.into_iter().flatten().collect(), last))
    }

    /// Targets of the operations `verbs`, each once, newest first.
    pub fn audit_targets(&self, verbs: &[&str]) -> Result<Vec<String>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => Ok(memory.audit_targets(verbs)?),
            None => Ok(Vec::new()),
        }
    }

    /// What is wrong with the audit log; `None` if it is intact.
    pub fn record_fault(&self) -> Result<Option<Notice>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => record_fault(memory.as_ref()),
            None => Ok(None),
        }
    }

    /// Verifies the whole audit log; `None` if it is empty. Error: `audit_broken`, with the first invalid row.
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

/// What is wrong with the audit log of `memory`, which may be a copy; `None` if it is intact. Errors: those of reading.
pub fn record_fault(memory: &dyn Memory) -> Result<Option<Notice>, EngineError> {
    let AuditState::BrokenAt { message, .. } = memory.audit_verify()? else { return Ok(None) };
    let hint = Hint::VerifyAudit;
    Ok(Some(Notice::new("record_broken", format!("The audit log is broken: {message}"), hint)))
}
