//! Undo of the last change of a fact, from the audit log (what changed) and the stored versions (what it was before).
//!
//! Invariant: an undo is recorded before it changes anything, so the next undo skips it and the change that it undid.

use std::collections::HashSet;

use inwit_model::Actor;
use inwit_model::fact::Category;
use inwit_store::memory::{AuditDetail, AuditRow, Fact};
use inwit_workspace::diff;
use jiff::Timestamp;
use serde_json::Value;

use super::{FactEdit, FactOutcome};
use crate::{EngineError, Facts, WriteContext};

/// Most rows of the audit log that are searched for the last change.
const ROWS_MAX: usize = 10_000;

/// The operation name of an undo in the audit log, and the name of the detail with the number of the undone row.
const VERB: &str = "fact_undo";
const UNDOES: &str = "undoes";

/// The verbs of changes that can be undone.
const CHANGES: [&str; 4] = ["fact_add", "fact_update", "fact_forget", "fact_restore"];

/// The last change of a fact, about to be undone.
#[derive(Debug, Clone)]
pub struct FactUndo {
    /// The operation: `fact_add`, `fact_update`, `fact_forget` or `fact_restore`.
    pub verb: String,
    /// Its time.
    pub at: Timestamp,
    /// The current fact.
    pub fact: Fact,
    /// The row of the change.
    seq: u64,
    reverse: Reverse,
}

/// The reverse operation.
#[derive(Debug, Clone)]
enum Reverse {
    Hide,
    Show,
    Rewrite(Box<Fact>),
}

impl FactUndo {
    /// The effect, as a unified diff.
    pub fn diff(&self) -> String {
        let line =
            |fact: &Fact| format!("[{}] {}\n", fact.text.category.as_str(), fact.text.content).into_bytes();
        let now = Some(line(&self.fact));
        let (before, after) = match &self.reverse {
            Reverse::Hide => (now, None),
            Reverse::Show => (None, now),
            Reverse::Rewrite(version) => (now, Some(line(version))),
        };
        diff::unified(&format!("facts/{}", self.fact.number), before.as_deref(), after.as_deref())
    }
}

impl Facts {
    /// Plans the undo of the last change of a fact: the last one by the owner or an agent that is not undone, of an
    /// existing fact. `None` if there is none. Read-only.
    pub fn plan_fact_undo(&self) -> Result<Option<FactUndo>, EngineError> {
        let rows = self.core.audit_rows(ROWS_MAX)?;
        let undone: HashSet<u64> = rows.iter().filter_map(undone_by).collect();
        let mut lost: HashSet<&str> = HashSet::new();
        for (at, row) in rows.iter().enumerate() {
            let older = rows[at + 1..].iter().find(|older| older.target == row.target);
            let is_undo = older.is_some_and(|older| undone_by(older).is_some());
            let is_ours = [Actor::Owner, Actor::Agent].iter().any(|actor| actor.word() == row.actor);
            let is_change = CHANGES.contains(&row.verb.as_str());
            if !is_ours
                || !is_change
                || is_undo
                || undone.contains(&row.seq)
                || lost.contains(row.target.as_str())
            {
                continue;
            }
            if let Some(undo) = self.undo_of(row)? {
                return Ok(Some(undo));
            }
            // Where the former text was erased, undoing an older change would take the whole fact.
            lost.insert(&row.target);
        }
        Ok(None)
    }

    /// `None` if the row is of no existing fact.
    fn undo_of(&self, row: &AuditRow) -> Result<Option<FactUndo>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let ids = memory.find_facts(&row.target)?;
        let Some(id) = ids.iter().find(|id| id.as_str() == row.target) else { return Ok(None) };
        let Some(fact) = memory.fact(id)? else { return Ok(None) };
        // An addition may have taken over another program's row; then an earlier version exists.
        let before = |version: &Fact| {
            version.believed_to.is_some_and(|to| to.as_millisecond() == row.at.as_millisecond())
        };
        let version = memory.fact_versions(id)?.into_iter().find(before).map(Box::new);
        let reverse = match (row.verb.as_str(), version) {
            ("fact_forget", _) => Reverse::Show,
            ("fact_add" | "fact_update", Some(version)) => Reverse::Rewrite(version),
            ("fact_add" | "fact_restore", _) => Reverse::Hide,
            // Its earlier content was erased.
            _ => return Ok(None),
        };
        Ok(Some(FactUndo { verb: row.verb.clone(), at: row.at, fact, seq: row.seq, reverse }))
    }

    /// Carries out the plan on behalf of the owner. Errors: those of the reverse operation, such as `fact_unknown` if
    /// the fact was purged since.
    pub fn undo_fact(&self, undo: &FactUndo, behalf: &WriteContext) -> Result<FactOutcome, EngineError> {
        let id = undo.fact.id.as_str();
        self.core.record(VERB, id, AuditDetail::default().with(UNDOES, undo.seq))?;
        match &undo.reverse {
            Reverse::Hide => self.fact_forget(id, behalf),
            Reverse::Show => self.fact_restore(id, behalf),
            Reverse::Rewrite(version) => {
                let text = &version.text;
                let edit = FactEdit {
                    text: Some(&text.content),
                    category: Some(text.category.as_str()).filter(|word| Category::parse(word).is_ok()),
                    metadata: Some(text.metadata.clone()),
                    from: Some(text.valid.from),
                    to: Some(text.valid.to),
                };
                self.fact_update(id, &edit, behalf)
            }
        }
    }
}

/// Number of the row that this row's undo refers to.
fn undone_by(row: &AuditRow) -> Option<u64> {
    let detail: Value = if row.verb == VERB { serde_json::from_str(&row.detail).ok()? } else { return None };
    detail[UNDOES].as_str()?.parse().ok()
}
