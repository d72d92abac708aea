//! Repairs of `doctor` (M65–M69).
//!
//! Each repair is a row of [`FIXES`], in execution order: a damaged memory first, since the others write to it.
//! Invariants: only three repairs remove anything: that of a memory, which restores an older copy and must be
//! requested by name; that of half-done backup copies, whose backup still exists; that of edges from our own text
//! that no fact has, which are found again if one does. Nothing is promoted. One repair calls a language model, and runs
//! only if requested by name. Without `apply` nothing changes, and a second run writes nothing (I5): a text that the
//! model refused is not retried. Every applied repair writes an audit row `doctor.fix.<name>`.

use inwit_model::watch::{Watch, unwatched};
use inwit_model::{Code, CompleteError};
use inwit_store::memory::{IndexState, RowsClash};

use crate::core::record::AuditDetail;
use crate::core::store::BroughtBack;
use crate::facts::EdgesReplay;
use crate::learning::dreaming::OpenModel;
use crate::{Agent, EngineError};

/// One row.
#[derive(Debug)]
pub struct Fix {
    /// Its id.
    pub id: FixId,
    /// Its stable name.
    pub name: &'static str,
    /// What it repairs.
    pub about: &'static str,
    /// It loses later state, so it runs only if requested by name.
    pub is_named: bool,
    /// It asks a language model, so it is not even listed unless requested by name.
    pub asks_model: bool,
}

/// Id of a row of [`FIXES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixId {
    /// A damaged memory.db, from its newest verified copy.
    Memory,
    /// Indexes and full-text tables of memory.db that disagree with their tables.
    Reindex,
    /// Missing vectors.
    Embeddings,
    /// Missing edges, and edges that no fact has any more.
    Edges,
    /// Demotion of active methods with a poor record.
    MethodologyDemotion,
    /// Half-done copies of an interrupted restore.
    Staged,
    /// Missing lessons of decisions whose outcome is known.
    ReflectPending,
}

/// The repairs of `doctor`.
pub const FIXES: &[Fix] = &[
    Fix {
        id: FixId::Memory,
        name: "memory",
        about: "Move a damaged memory.db aside and install its newest verified copy.",
        is_named: true,
        asks_model: false,
    },
    Fix {
        id: FixId::Reindex,
        name: "reindex",
        about: "Rebuild indexes and full texts of memory.db that disagree with their tables.",
        is_named: false,
        asks_model: false,
    },
    Fix {
        id: FixId::Embeddings,
        name: "embeddings",
        about: "Create vectors for passages and facts that have none.",
        is_named: false,
        asks_model: false,
    },
    Fix {
        id: FixId::Edges,
        name: "edges",
        about: "Find the names in facts again: add missing edges, and remove derived edges that no fact \
                supports.",
        is_named: false,
        asks_model: false,
    },
    Fix {
        id: FixId::MethodologyDemotion,
        name: "methodology_demotion",
        about: "Return graduated methods to trial if their record became too poor. No method graduates.",
        is_named: false,
        asks_model: false,
    },
    Fix {
        id: FixId::Staged,
        name: "staged",
        about: "Remove half-written copies of a backup that an interrupted restore left. The backup itself \
                stays.",
        is_named: false,
        asks_model: false,
    },
    Fix {
        id: FixId::ReflectPending,
        name: "reflect_pending",
        about: "Ask the language model for the lesson of decisions whose outcome was recorded without one, 72 \
                hours later. One run asks about at most 20.",
        is_named: false,
        asks_model: true,
    },
];

/// The result of a repair, or of its dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// Which repair.
    pub id: FixId,
    /// Number of faults found.
    pub found: u64,
    /// Number of faults repaired; 0 if nothing was written.
    pub mended: u64,
    /// Number of texts that the model refused.
    pub refused: u64,
    /// The restored copy, of [`FixId::Memory`].
    pub back: Option<Box<BroughtBack>>,
    /// Why some findings cannot be repaired: only the owner can decide which row of [`FixId::Reindex`] is right, or the
    /// model of [`FixId::ReflectPending`] does not answer.
    pub stuck: Option<EngineError>,
}

impl Mended {
    /// An empty result.
    pub(super) fn of(id: FixId) -> Self {
        Self { id, found: 0, mended: 0, refused: 0, back: None, stuck: None }
    }
}

impl FixId {
    /// Its row.
    pub fn spec(self) -> &'static Fix {
        FIXES.iter().find(|fix| fix.id == self).unwrap_or(&FIXES[0])
    }

    /// Its operation name in the audit log.
    pub fn verb(self) -> String {
        format!("doctor.fix.{}", self.spec().name)
    }

    /// The row of this name. Error: `usage_bad`.
    pub fn parse(name: &str) -> Result<Self, EngineError> {
        let known = FIXES.iter().find(|fix| fix.name == name).map(|fix| fix.id);
        known.ok_or_else(|| {
            let names: Vec<&str> = FIXES.iter().map(|fix| fix.name).collect();
            let shown = inwit_model::name::shown(name);
            let message = format!("`{shown}` is not a repair. The repairs are {}.", names.join(", "));
            EngineError::new(Code::UsageBad, message)
        })
    }
}

impl Agent {
    /// Finds faults, and repairs them if `apply` is set. Errors: `audit_unwritable`, then nothing was repaired;
    /// `backup_broken` if no copy can replace a damaged memory; and those of the model.
    pub fn mend(&self, id: FixId, apply: bool, watch: &mut Watch<'_>) -> Result<Mended, EngineError> {
        match id {
            FixId::Memory => self.mend_memory(apply),
            FixId::Reindex => self.mend_indexes(apply),
            FixId::Embeddings => self.mend_embeddings(apply, watch),
            FixId::Edges => self.mend_edges(apply),
            FixId::MethodologyDemotion => self.mend_methods(apply),
            FixId::Staged => self.mend_staged(apply),
            // Without a model they can only be counted.
            FixId::ReflectPending => {
                Ok(Mended { found: self.learning.unreflected()?.len() as u64, ..Mended::of(id) })
            }
        }
    }

    /// Adds missing lessons of decisions by the model that `open` opens, which is called only if there are some. Errors:
    /// `audit_unwritable` and `model_unset`, then nothing was written.
    pub fn mend_reflections(
        &self,
        open: &OpenModel<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<Mended, EngineError> {
        let id = FixId::ReflectPending;
        let cases = self.learning.unreflected()?;
        let mut mended = Mended { found: cases.len() as u64, ..Mended::of(id) };
        if cases.is_empty() {
            return Ok(mended);
        }
        let of_model = |error: CompleteError| EngineError::new(error.code, error.message);
        let model = open().map_err(of_model)?;
        self.record_mend(id, mended.found)?;
        let done = self.learning.reflect(&cases, &*model, watch)?;
        (mended.mended, mended.refused) = (done.written, done.refused);
        mended.stuck = done.error.map(of_model);
        Ok(mended)
    }

    fn mend_embeddings(&self, apply: bool, watch: &mut Watch<'_>) -> Result<Mended, EngineError> {
        let mut mended = Mended::of(FixId::Embeddings);
        if self.notes.meaning_state()?.is_none() {
            return Ok(mended);
        }
        let scopes = self.notes.searched_scopes()?;
        for scope in &scopes {
            mended.found += self.notes.embed_unasked(scope, Some(0), &mut unwatched)?.waiting as u64;
        }
        let of_facts = self.facts.facts_unasked()?;
        mended.found += of_facts;
        if !apply || mended.found == 0 {
            return Ok(mended);
        }
        self.record_mend(mended.id, mended.found)?;
        if of_facts > 0 {
            let report = self.facts.fill_unasked_facts()?;
            mended.mended += report.embedded as u64;
            mended.refused += report.failed as u64;
        }
        for scope in &scopes {
            let report = self.notes.embed_unasked(scope, None, watch)?;
            mended.mended += report.embedded as u64;
            mended.refused += report.failed as u64;
        }
        Ok(mended)
    }

    fn mend_indexes(&self, apply: bool) -> Result<Mended, EngineError> {
        let mut mended = Mended::of(FixId::Reindex);
        let Some(memory) = self.core.memory_if_made()? else { return Ok(mended) };
        let IndexState { stale, clashes } = memory.indexes()?;
        mended.found = (stale.len() + clashes.len()) as u64;
        if !clashes.is_empty() {
            let told: Vec<String> = clashes.iter().map(RowsClash::sentence).collect();
            mended.stuck = Some(EngineError::new(Code::MemoryRowsClash, told.join(" ")));
        }
        if apply && !stale.is_empty() {
            let detail = AuditDetail::default().with("found", stale.len());
            mended.mended = memory.reindex(&self.core.entry(&mended.id.verb(), "agent", detail))?;
        }
        Ok(mended)
    }

    fn mend_edges(&self, apply: bool) -> Result<Mended, EngineError> {
        let wrong = |replay: EdgesReplay| replay.missing + replay.stale;
        let found = wrong(self.facts.replay_edges(false)?);
        let mut mended = Mended { found, ..Mended::of(FixId::Edges) };
        if apply && found > 0 {
            self.record_mend(mended.id, found)?;
            mended.mended = wrong(self.facts.replay_edges(true)?);
        }
        Ok(mended)
    }

    fn mend_methods(&self, apply: bool) -> Result<Mended, EngineError> {
        let id = FixId::MethodologyDemotion;
        let (found, mended) = self.learning.demote_unfit(|found| {
            if apply {
                self.record_mend(id, found)?;
            }
            Ok(apply)
        })?;
        Ok(Mended { found, mended, ..Mended::of(id) })
    }

    /// A running restore holds the guard, so its staged files are not touched.
    fn mend_staged(&self, apply: bool) -> Result<Mended, EngineError> {
        let mut mended = Mended::of(FixId::Staged);
        let Some(renewal) = self.core.store.renewal() else { return Ok(mended) };
        mended.found = renewal.staged().len() as u64;
        if apply && mended.found > 0 {
            self.record_mend(mended.id, mended.found)?;
            let _held = self.core.lock.take()?;
            mended.mended = renewal.take_staged_away()?;
        }
        Ok(mended)
    }

    /// Before the repair: a repair that cannot be recorded is not started (M69).
    fn record_mend(&self, id: FixId, found: u64) -> Result<(), EngineError> {
        self.core.record(&id.verb(), "agent", AuditDetail::default().with("found", found))?;
        Ok(())
    }
}
