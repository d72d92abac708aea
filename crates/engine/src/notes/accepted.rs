//! Findings that the owner accepted, and those that are still masked.
//!
//! Invariant: only the owner accepts, and the audit row names the file and the hash of its content.

use inwit_gate::{Finding, HumanConsent};
use inwit_model::SafeName;
use inwit_store::memory::AuditDetail;
use inwit_workspace::ScopedReader as _;

use crate::{EngineError, Notes};

impl Notes {
    /// Masked findings in `name`, by class and line. Errors: those of reading.
    pub fn masked_in(&self, name: &SafeName) -> Result<Vec<Finding>, EngineError> {
        Ok(self.core.unvouched(name, &self.core.workspace.private().read(name)?.bytes))
    }

    /// Accepted findings in the owner's files, by file. Errors: those of listing.
    pub fn accepted(&self) -> Result<Vec<(SafeName, Finding)>, EngineError> {
        let view = self.core.workspace.private();
        let mut accepted = Vec::new();
        for entry in view.list()?.entries {
            let Ok(content) = view.read(&entry.name) else { continue };
            // In the order of the findings.
            let mut masked = self.core.unvouched(&entry.name, &content.bytes).into_iter().peekable();
            let noticed = self.core.noticed.of(&content.bytes).into_iter();
            let shown = noticed.filter(|finding| masked.next_if_eq(finding).is_none());
            accepted.extend(shown.map(|finding| (entry.name.clone(), finding)));
        }
        Ok(accepted)
    }

    /// Accepts the masked findings in `name`; returns class and line of each. Errors: those of reading,
    /// `audit_unwritable`.
    pub fn accept(&self, _owner: &HumanConsent, name: &SafeName) -> Result<Vec<Finding>, EngineError> {
        let content = self.core.workspace.private().read(name)?;
        let found = self.core.unvouched(name, &content.bytes);
        if found.is_empty() {
            return Ok(found);
        }
        let detail = AuditDetail::default().with("sha256", content.sha256).with("count", found.len());
        self.core.record("accept", name.as_str(), detail)?;
        self.core.memory()?.mark_all(&self.core.vouchers(name, &content.bytes, &found))?;
        // They were indexed masked. If this fails, they are found by the masked text until the file changes.
        let _ = self.read_anew(name);
        Ok(found)
    }
}
