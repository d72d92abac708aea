//! The base of all areas of an agent: files, index, storage, clock, and visibility by scope.
//!
//! Invariants: nothing here uses an area; no lock is held while files are read, ranked or verified. Reading order:
//! this file, [`store`] (storage beside the files), [`mod@sync`] (updating the index) with [`listed`], [`contents`],
//! [`indexable_text`] and [`repeats`]; [`policy`] (the write policy); [`mask`] (masking for models) with
//! [`scan_version`], [`named`] and [`known_secrets`]; [`forgotten`] (erased texts); [`record`] (the audit log);
//! [`project`], [`spool`]; and helpers: [`error`], [`notice`], [`place_names`], [`moment`], [`mod@fit`],
//! [`policy_digest`], [`analysers`], [`memory_fence`], [`key`], [`inert`], [`open_end`], [`template_text`],
//! [`model_answer`].

mod analysers;
mod contents;
pub mod error;
pub mod fit;
pub mod forgotten;
pub(crate) mod indexable_text;
pub(crate) mod inert;
pub(crate) mod key;
pub(crate) mod known_secrets;
mod listed;
pub mod mask;
pub(crate) mod memory_fence;
pub(crate) mod model_answer;
pub mod moment;
pub(crate) mod named;
pub mod notice;
pub(crate) mod open_end;
pub mod place_names;
mod policy;
pub mod policy_digest;
pub mod project;
pub mod record;
mod repeats;
pub mod requests;
pub(crate) mod scan_version;
pub(crate) mod searched;
pub mod spool;
pub mod store;
pub mod sync;
pub(crate) mod template_text;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use inwit_gate::Rule;
use inwit_model::ports::Content;
use inwit_model::watch::Watch;
use inwit_model::{
    AgentId, Clock, Code, Entropy, FileClass, FileKind, Files, Hint, Host, Profile, SafeName, Scope,
    WriteMode,
};
use inwit_store::Index;
use inwit_store::memory::{EdgesOf, Memory};
use inwit_workspace::{ScopedReader as _, View, Workspace, WriteLock};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::core::analysers::{Analysers, Recall};
use crate::core::contents::Contents;
use crate::core::forgotten::TombstoneMatcher;
use crate::core::known_secrets::KnownSecrets;
use crate::core::listed::LastListed;
use crate::core::mask::ScanCache;
use crate::core::named::NamedSecrets;
use crate::core::spool::Spool;
use crate::core::store::{Spare, Store};
use crate::core::sync::{SyncReport, sync};
use crate::{EngineError, Notice};

/// The base of all areas of an agent.
pub struct Core {
    pub(crate) workspace: Workspace,
    pub(crate) profile: Profile,
    pub(crate) host: Host,
    pub(crate) zone: TimeZone,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) contents: Contents,
    pub(crate) noticed: ScanCache,
    pub(crate) named: NamedSecrets,
    /// For an agent of the past: the texts that were erased since, which its history may still have.
    pub(crate) erased: OnceLock<TombstoneMatcher>,
    pub(crate) listed: LastListed,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) id: AgentId,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lock: Arc<dyn WriteLock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) tighter: BTreeMap<FileClass, WriteMode>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) spool: Option<Box<dyn Spool>>,
    pub(crate) secrets: Option<Box<dyn KnownSecrets>>,
    /// Extracts the edges of facts.
    pub(crate) edges_of: EdgesOf,
    /// The belief time of rows, for an agent of the past.
    pub(crate) believed_at: Option<Timestamp>,
    /// Replaced by an in-memory index if it cannot be written.
    pub(crate) index: RwLock<Arc<dyn Index>>,
    pub(crate) analysers: Analysers,
    pub(crate) spare: Spare,
}

impl Core {
    /// The profile of its home.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The agent's id.
    pub fn id(&self) -> &AgentId {
        &self.id
    }

    /// The files that `scope` may see.
    pub fn view(&self, scope: &Scope) -> View {
        self.workspace.view(scope.clone())
    }

    /// Today, as the agent's file names count it (X22).
    pub fn today(&self) -> Date {
        self.clock.now().to_zoned(self.day_zone()).date()
    }

    /// The current index.
    pub(crate) fn index(&self) -> Arc<dyn Index> {
        Arc::clone(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// An analyser for a query.
    pub(crate) fn recall(&self) -> Recall<'_> {
        self.analysers.take()
    }

    /// Runs `work` on an index that is up to date with `view`. A damaged index is rebuilt, and one that cannot be
    /// written is replaced in memory: the answer still comes, with a notice (D11).
    pub(crate) fn on_fresh_index<T>(
        &self,
        view: &View,
        watch: &mut Watch<'_>,
        work: &mut dyn FnMut(&dyn Index, SyncReport) -> Result<T, EngineError>,
    ) -> Result<(T, Vec<Notice>), EngineError> {
        let mut attempt = |index: &dyn Index| -> Result<T, EngineError> {
            let report = sync(view, index, self, watch)?;
            work(index, report)
        };
        let index = self.index();
        let failed = match attempt(index.as_ref()) {
            Err(error) if error.code == Code::IndexUnavailable => error,
            done => return Ok((done?, Vec::new())),
        };
        if index.clear().is_ok() {
            match attempt(index.as_ref()) {
                Err(error) if error.code == Code::IndexUnavailable => {}
                done => return Ok((done?, vec![rebuilt(&failed)])),
            }
        }
        let spare = self.give_way(&index)?;
        Ok((attempt(spare.as_ref())?, vec![in_memory(&failed)]))
    }

    /// The in-memory replacement of the `failed` index, unless another thread replaced it first.
    fn give_way(&self, failed: &Arc<dyn Index>) -> Result<Arc<dyn Index>, EngineError> {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&index, failed) {
            failed.discard();
            *index = Arc::from((self.spare)()?);
        }
        Ok(Arc::clone(&index))
    }

    /// The time zone of dates.
    pub fn day_zone(&self) -> TimeZone {
        if self.profile.utc_days { TimeZone::UTC } else { self.zone.clone() }
    }

    /// A well-known file such as `SOUL.md`; `None` if it does not exist.
    pub(crate) fn well_known_file(&self, kind: FileKind) -> Result<Option<(SafeName, Content)>, EngineError> {
        let Ok(name) = SafeName::parse(kind.spec().path) else { return Ok(None) };
        Ok(self.content(&name)?.map(|content| (name, content)))
    }

    /// The current content of a file, `None` if it does not exist. Names of waiting fact changes are never files.
    pub(crate) fn content(&self, name: &SafeName) -> Result<Option<Content>, EngineError> {
        if inwit_gate::is_fact_name(name) {
            return Ok(None);
        }
        match self.workspace.private().read(name) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.code == Code::FileMissing => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The storage beside the files, opened on first use.
    pub(crate) fn memory(&self) -> Result<Arc<dyn Memory>, EngineError> {
        let memory = self.store.open()?;
        memory.find_edges_by(&self.edges_of);
        Ok(memory)
    }

    /// The same if it exists, for read-only operations.
    pub(crate) fn memory_if_made(&self) -> Result<Option<Arc<dyn Memory>>, EngineError> {
        if self.store.is_made() { self.memory().map(Some) } else { Ok(None) }
    }
}

fn rebuilt(failed: &EngineError) -> Notice {
    let message = format!("The index did not answer ({}), so it was rebuilt from the notes.", bare(failed));
    Notice::new(
        "index_rebuilt",
        message,
        "Nothing is lost: the index contains nothing that the files do not.",
    )
}

fn in_memory(failed: &EngineError) -> Notice {
    let message = format!("The index cannot be stored ({}), so it is kept in memory for now.", bare(failed));
    Notice::new("index_in_memory", message, Hint::MakeRoom)
}

/// An error message as part of another sentence.
fn bare(error: &EngineError) -> &str {
    error.message.trim_end_matches('.')
}

pub(crate) fn parse_name(name: &str) -> Result<SafeName, EngineError> {
    SafeName::parse(name).map_err(|error| EngineError::new(Code::NameRefused, error.to_string()))
}
