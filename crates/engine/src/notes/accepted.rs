//! What the owner accepted, and what is still masked.
//!
//! Invariant: accepting is the owner's, and the record names the file and the hash of what it held.

use inwit_gate::{Finding, HumanConsent};
use inwit_model::SafeName;
use inwit_store::memory::AuditDetail;
use inwit_workspace::ScopedReader as _;

use crate::{EngineError, Notes};

impl Notes {
    /// What is masked in `name` now, by class and line. Errors: those of reading.
    pub fn masked_in(&self, name: &SafeName) -> Result<Vec<Finding>, EngineError> {
        Ok(self.core.unvouched(name, &self.core.workspace.private().read(name)?.bytes))
    }

    /// What the owner's files hold that would be masked, had somebody not accepted it, by file. Errors: those of listing.
    pub fn accepted(&self) -> Result<Vec<(SafeName, Finding)>, EngineError> {
        let view = self.core.workspace.private();
        let mut accepted = Vec::new();
        for entry in view.list()?.entries {
            let Ok(content) = view.read(&entry.name) else { continue };
            // In the order in which they were noticed.
            let mut masked = self.core.unvouched(&entry.name, &content.bytes).into_iter().peekable();
            let noticed = self.core.noticed.of(&content.bytes).into_iter();
            let shown = noticed.filter(|finding| masked.next_if_eq(finding).is_none());
            accepted.extend(shown.map(|finding| (entry.name.clone(), finding)));
        }
        Ok(accepted)
    }

    /// The owner says that what is masked in `name` may be shown: what it was, class and line. Errors: those
    /// of reading, `audit_unwritable`.
    pub fn accept(&self, _owner: &HumanConsent, name: &SafeName) -> Result<Vec<Finding>, EngineError> {
        let content = self.core.workspace.private().read(name)?;
        let found = self.core.unvouched(name, &content.bytes);
        if found.is_empty() {
            return Ok(found);
        }
        let detail = AuditDetail::default().with("sha256", content.sha256).with("count", found.len());
        self.core.record("accept", name.as_str(), detail)?;
        self.core.memory()?.mark_all(&self.core.vouchers(name, &content.bytes, &found))?;
        // They were read masked. Should this fail, they are found by the words they were read with until the file
        // changes.
        let _ = self.read_anew(name);
        Ok(found)
    }
}
