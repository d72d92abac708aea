//! Restores an earlier version of a file.

use inwit_gate::{Author, Change, HumanConsent, hold};
use inwit_model::{Op, SafeName, Scope};
use inwit_workspace::history::Rev;

use crate::history::past::{not_recorded, unrecorded};
use crate::notes::write::Outcome;
use crate::{EngineError, Notes};

impl Notes {
    /// Proposes an earlier version of a file: a person reviews the diff before it is written. A removal is proposed
    /// only if the history has one. Errors: `revision_unknown`, `not_recorded`.
    pub fn restore_file(
        &self,
        at: &Rev,
        name: &SafeName,
        person: &HumanConsent,
    ) -> Result<Outcome, EngineError> {
        let history = self.history.history_view(None)?.ok_or_else(|| unrecorded(at))?;
        let past = history.show(at, name)?;
        if past.is_none() && !history.is_recorded(at, name)? {
            return Err(not_recorded(name, at));
        }
        let current = self.core.content(name)?;
        let op = match past {
            Some(bytes) if current.as_ref().is_some_and(|content| *content.bytes == *bytes) => {
                return Ok(Outcome::Unchanged(name.clone()));
            }
            Some(bytes) => Op::Put(bytes.into()),
            None if current.is_none() => return Ok(Outcome::Unchanged(name.clone())),
            None => Op::Remove,
        };
        let bytes = current.as_ref().map(|content| &*content.bytes);
        if let Op::Put(after) = &op {
            self.core.stays_forgotten(self.core.memory()?.as_ref(), bytes, after)?;
        }
        let base = current.as_ref().map(|content| content.sha256);
        let mut change = Change::new(name.clone(), op, base, Author::owner(person))
            .because(format!("restore its content at {at}"));
        // An old secret may be displayed; the approval decides whether it may be written.
        change.allow_secret = true;
        let held = hold(&self.core.policy(), bytes, change)?;
        self.keep_proposal(held, bytes, &Scope::Main)
    }
}
