//! Undo of a change, and the bytes before it.

use std::collections::HashSet;
use std::sync::Arc;

use inwit_gate::{Author, Change, HumanConsent, ward_of};
use inwit_model::name::shown;
use inwit_model::{Actor, Code, FileKind, Op, ReceiptId};
use inwit_store::memory::{Ended, Memory, Receipt, ReceiptFilter};
use inwit_workspace::diff;
use jiff::Timestamp;

use crate::notes::write::Outcome;
use crate::{EngineError, Notes};

/// Most receipts of a file that are searched for the one to undo.
const UNDO_LOOKS_AT_MAX: usize = 10_000;

/// Receipts that are named where a part of an id means several.
const RECEIPTS_NAMED_MAX: usize = 3;

/// Fewest characters of a receipt's id that name it.
pub const RECEIPT_PART_CHARS_MIN: usize = 4;

/// The reason of a change that takes erased words out of a file.
pub(crate) const ERASURE_REASON: &str = "erase";

/// The same in receipts of earlier versions.
const FORMER_ERASURE_REASON: &str = "forget for good";

/// The change that an undo without a receipt is about.
#[derive(Debug, Clone, Default)]
pub struct LastChange {
    /// The change; `None`: there is none.
    pub receipt: Option<Receipt>,
    /// When the newest erasure happened that was passed over on the way to it.
    pub erased_at: Option<Timestamp>,
}

/// A change that is about to be taken back.
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
    pub fn last_change(&self) -> Result<LastChange, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => self.last_of_ours(memory.as_ref()),
            None => Ok(LastChange::default()),
        }
    }

    /// The last change that was made through inwit by owner or agent and is not taken back. Files that only an import
    /// makes are passed over: the gate lets nobody write them. So are erasures, and in a file below one every change that
    /// the file does not end with: what they left is not there any more.
    fn last_of_ours(&self, memory: &dyn Memory) -> Result<LastChange, EngineError> {
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
        let (mut erased, mut erased_at) = (HashSet::new(), None);
        for receipt in all.iter().filter(ours) {
            if is_erased(receipt) {
                erased.insert(&receipt.name);
                erased_at = erased_at.or(Some(receipt.at));
                continue;
            }
            let ends_with_it = || -> Result<bool, EngineError> {
                let current = self.core.content(&receipt.name)?;
                Ok(current.map(|content| content.sha256) == receipt.result)
            };
            if !erased.contains(&receipt.name) || ends_with_it()? {
                return Ok(LastChange { receipt: Some(receipt.clone()), erased_at });
            }
        }
        Ok(LastChange { receipt: None, erased_at })
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
            (several, last) => {
                let named = having.iter().chain(&last).take(RECEIPTS_NAMED_MAX);
                let named: Vec<&str> = named.map(ReceiptId::as_str).collect();
                let more = if several > named.len() { ", and others" } else { "" };
                let message = format!(
                    "`{}` is a part of {several} receipts: {}{more}; give more of it.",
                    shown(part),
                    named.join(", ")
                );
                Err(EngineError::new(Code::UsageBad, message))
            }
        }
    }

    /// What taking a change back would do: the last one that is not taken back yet, or the one named. The
    /// file must be what that change left, and one that may be written: what only an import makes is its owner's to take
    /// away. Writes nothing. Errors: `receipt_unknown`, `forgotten_text`, `stale`, `import_kept`.
    pub fn plan_undo(&self, receipt: Option<&ReceiptId>) -> Result<Undoing, EngineError> {
        let nothing = || EngineError::new(Code::ReceiptUnknown, "There is no change to undo.");
        let memory = self.core.memory_if_made()?.ok_or_else(nothing)?;
        let receipt = match receipt {
            Some(id) => memory.receipt(id)?.ok_or_else(|| {
                EngineError::new(Code::ReceiptUnknown, format!("There is no receipt {id}."))
            })?,
            None => match self.last_of_ours(memory.as_ref())? {
                LastChange { receipt: Some(receipt), .. } => receipt,
                LastChange { receipt: None, erased_at: None } => return Err(nothing()),
                LastChange { receipt: None, erased_at: Some(_) } => {
                    let message = "The last change was an erasure, which cannot be undone, and there is no change \
                                   before it.";
                    return Err(EngineError::new(Code::ForgottenText, message));
                }
            },
        };
        if is_erased(&receipt) {
            let message =
                format!("{} is an erasure, or its words were erased. It cannot be undone.", receipt.id);
            return Err(EngineError::new(Code::ForgottenText, message));
        }
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
        self.write(change.because(format!("undo {}", receipt.id)))
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

/// Whether it took erased words out, or nothing is left of it since its words were erased.
fn is_erased(receipt: &Receipt) -> bool {
    let is_erasure = receipt.actor == Actor::Owner
        && [ERASURE_REASON, FORMER_ERASURE_REASON].contains(&receipt.reason.as_str());
    is_erasure || (receipt.base == receipt.result && receipt.base.is_some())
}
