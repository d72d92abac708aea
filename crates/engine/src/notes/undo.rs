//! Undo of a change, and the bytes before it.

use std::collections::HashSet;
use std::sync::Arc;

use inwit_gate::{Author, Change, HumanConsent, ward_of};
use inwit_model::name::shown;
use inwit_model::{Actor, Code, FileKind, Op, ReceiptId};
use inwit_store::memory::{Ended, Memory, Receipt, ReceiptFilter};
use inwit_workspace::diff;

use crate::notes::write::Outcome;
use crate::{EngineError, Notes};

/// Most receipts of a file that are searched for the one to undo.
const UNDO_LOOKS_AT_MAX: usize = 10_000;

/// Fewest characters of a receipt's id that select it.
pub const RECEIPT_PART_CHARS_MIN: usize = 4;

/// A planned undo.
#[derive(Debug, Clone)]
pub struct Undoing {
    /// The change.
    pub receipt: Receipt,
    /// The current content.
    pub before: Option<Arc<[u8]>>,
    /// The content after the undo, `None` if removed.
    pub after: Option<Arc<[u8]>>,
}

impl Undoing {
    /// The effect, as a unified diff.
    pub fn diff(&self) -> String {
        diff::unified(self.receipt.name.as_str(), self.before.as_deref(), self.after.as_deref())
    }
}

impl Notes {
    /// The last change of a file that [`plan_undo`](Self::plan_undo) would undo.
    pub fn last_change(&self) -> Result<Option<Receipt>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => last_of_ours(memory.as_ref()),
            None => Ok(None),
        }
    }

    /// The receipt whose id has `part`, at least [`RECEIPT_PART_CHARS_MIN`] characters of it. Errors: `receipt_unknown`,
    /// `usage_bad` where several have it.
    pub fn receipt_with(&self, part: &str) -> Result<ReceiptId, EngineError> {
        let unknown =
            || EngineError::new(Code::ReceiptUnknown, format!("There is no receipt `{}`.", shown(part)));
        let memory = self.core.memory_if_made()?.ok_or_else(unknown)?;
        if part.chars().count() < RECEIPT_PART_CHARS_MIN {
            return Err(unknown());
        }
        let filter = ReceiptFilter { limit: UNDO_LOOKS_AT_MAX, ..ReceiptFilter::default() };
        let ids = memory.receipts(&filter)?.into_iter().map(|receipt| receipt.id);
        let mut having: Vec<ReceiptId> = ids.filter(|id| id.as_str().contains(part)).collect();
        match (having.len(), having.pop()) {
            (1, Some(id)) => Ok(id),
            (0, _) | (_, None) => Err(unknown()),
            (several, _) => {
                let message = format!("`{}` is a part of {several} receipts; give more of it.", shown(part));
                Err(EngineError::new(Code::UsageBad, message))
            }
        }
    }

    /// Plans the undo of the last change that is not undone, or of the given one. The file must be the result of that
    /// change, and writable: imported files can only be removed by their owner. Read-only. Errors: `receipt_unknown`,
    /// `stale`, `import_kept`.
    pub fn plan_undo(&self, receipt: Option<&ReceiptId>) -> Result<Undoing, EngineError> {
        let nothing = || EngineError::new(Code::ReceiptUnknown, "There is no change to undo.");
        let memory = self.core.memory_if_made()?.ok_or_else(nothing)?;
        let receipt = match receipt {
            Some(id) => memory.receipt(id)?.ok_or_else(|| {
                EngineError::new(Code::ReceiptUnknown, format!("There is no receipt {id}."))
            })?,
            None => last_of_ours(memory.as_ref())?.ok_or_else(nothing)?,
        };
        if ward_of(&receipt.name).is_err() {
            let message = format!("`{}` was imported, and inwit cannot change it.", receipt.name);
            return Err(EngineError::new(Code::ImportKept, message));
        }
        let current = self.core.content(&receipt.name)?;
        if current.as_ref().map(|content| content.sha256) != receipt.result {
            let message = format!("`{}` was changed again since {}.", receipt.name, receipt.id);
            return Err(EngineError::new(Code::Stale, message));
        }
        let after = match &receipt.base {
            None => None,
            Some(base) => Some(self.history.bytes_of(memory.as_ref(), &receipt, base)?),
        };
        Ok(Undoing { before: current.map(|content| content.bytes), after, receipt })
    }

    /// Carries out the plan. Errors: `stale` if the file changed since, and those of writing.
    pub fn undo(&self, undoing: &Undoing, person: &HumanConsent) -> Result<Outcome, EngineError> {
        let receipt = &undoing.receipt;
        if let Some(after) = &undoing.after {
            self.core.stays_forgotten(self.core.memory()?.as_ref(), undoing.before.as_deref(), after)?;
        }
        let op = undoing.after.as_ref().map_or(Op::Remove, |bytes| Op::Put(Arc::clone(bytes)));
        let mut change = Change::new(receipt.name.clone(), op, receipt.result, Author::owner(person));
        change.undoes = Some(receipt.id.clone());
        // The previous content may be restored.
        change.allow_secret = true;
        if let Some(first) = &receipt.undoes
            && let Some(first) = self.core.memory()?.receipt(first)?
        {
            // Undoing an undo restores text of another author.
            change.words_of = Some(first.actor);
            change.taint = change.taint.join(first.taint);
        }
        self.write(change.because(format!("take back {}", receipt.id)))
    }
}

/// Whether it is an automatic change of inwit, which is not "the last change" to a user.
fn is_of_machine(receipt: &Receipt) -> bool {
    let own = [FileKind::Dreams, FileKind::Heartbeat].map(|kind| kind.spec().path);
    match receipt.actor {
        Actor::Engine => true,
        Actor::Dream => own.contains(&receipt.name.as_str()),
        _ => false,
    }
}

/// The last change by owner or agent that is not undone. Imported files are skipped: the gate lets no one write them.
fn last_of_ours(memory: &dyn Memory) -> Result<Option<Receipt>, EngineError> {
    let all = memory.receipts(&ReceiptFilter { limit: UNDO_LOOKS_AT_MAX, ..ReceiptFilter::default() })?;
    let undone: HashSet<&ReceiptId> = all.iter().filter_map(|receipt| receipt.undoes.as_ref()).collect();
    let ours = |receipt: &&Receipt| {
        receipt.ended != Ended::Void
            && !is_of_machine(receipt)
            && receipt.actor != Actor::External
            && ward_of(&receipt.name).is_ok()
            && receipt.undoes.is_none()
            && !undone.contains(&receipt.id)
    };
    Ok(all.iter().find(ours).cloned())
}
