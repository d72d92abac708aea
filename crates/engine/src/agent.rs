//! An opened agent: its files, its index, its profile. Every verb is a method on it.
//!
//! An agent is made by the composition root from ports. It is `Send + Sync` and its verbs take `&self`.
//! Invariant: no lock is held while files are read, ranked or verified.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use inwit_gate::Rule;
use inwit_model::fact::When;
use inwit_model::{
    AgentId, Clock, Code, DreamEngine, Entropy, Files, Hint, Host, Lane, Profile, Scope, Ward,
};
use inwit_recall::Weights;
use inwit_store::memory::EdgesOf;
use inwit_store::{Index, IndexError, Memory, MemoryError};
use inwit_workspace::transcripts::redact::Redaction;
use inwit_workspace::{OwnLock, View, Workspace, WriteLock};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::analysers::{Analysers, Recall};
use crate::as_of::PastHome;
use crate::contents::Contents;
use crate::doctor::back::Renewal;
use crate::dreaming::DreamDoor;
use crate::hook::Spool;
use crate::known_secrets::KnownSecrets;
use crate::listed::LastListed;
use crate::mask::Noticed;
use crate::meaning::{FillDoor, Meaning};
use crate::named::NamedSecrets;
use crate::past::HistoryHome;
use crate::search::ahead::ReadAhead;
use crate::sync::{SyncReport, sync};
use crate::{EngineError, Notice};

/// What an agent is made of.
pub struct Parts {
    /// Its files.
    pub files: Arc<dyn Files>,
    /// Its index, which may be lost at any time.
    pub index: Box<dyn Index>,
    /// Makes an empty index in memory, should the other one fail for good.
    pub spare: Spare,
    /// How its home behaves.
    pub profile: Profile,
    /// What its host says of it outside the files.
    pub host: Host,
    /// The zone that names its days.
    pub zone: TimeZone,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// What it keeps beside its files, and how it writes them.
    pub keeping: Keeping,
}

/// What an agent needs in order to write.
pub struct Keeping {
    /// Its id.
    pub id: AgentId,
    /// Opens what is kept beside the files.
    pub store: Arc<dyn Store>,
    /// Keeps other writers out.
    pub lock: Arc<dyn WriteLock>,
    /// Chance, for ids.
    pub entropy: Arc<dyn Entropy>,
    /// What the owner asks for beyond the profile's write policy.
    pub tighter: BTreeMap<Ward, Lane>,
    /// Rules of the owner's own.
    pub rules: Vec<Rule>,
    /// Where its history is, `None` where it keeps none.
    pub history: Option<HistoryHome>,
    /// Where what is derived from its history is, `None` where no question is about the past.
    pub past: Option<PastHome>,
    /// Where its transcripts are, `None` where it keeps none.
    pub transcripts: Option<TranscriptHome>,
    /// Takes the turn to fill vectors, `None` where no other process can see them.
    pub fill_door: Option<FillDoor>,
    /// Takes the lock of a dream, `None` where no other process can see the workspace.
    pub dream_door: Option<DreamDoor>,
    /// Which engines dream by themselves: what they have not dreamed of is not pruned (X59).
    pub dream_engines: Vec<DreamEngine>,
    /// Whether searches are remembered, so that dreams can tell what matters.
    pub records_recall: bool,
    /// Where searches are noted that may wait for nothing, `None` where no host asks in passing.
    pub spool: Option<Box<dyn Spool>>,
    /// Where secret values are known by their hash, `None` where none are.
    pub secrets: Option<Box<dyn KnownSecrets>>,
    /// Searches by meaning, `None` where words alone answer.
    pub meaning: Option<Meaning>,
    /// What counts how much when passages are ranked.
    pub weights: Weights,
}

impl Keeping {
    /// What an agent keeps that nobody else sees: no history, no transcripts, a lock of this process.
    pub fn alone(memory: Arc<dyn Memory>, entropy: Arc<dyn Entropy>) -> Self {
        Self {
            id: AgentId::main(),
            store: Arc::new(Opened(memory)),
            lock: Arc::new(OwnLock::default()),
            entropy,
            tighter: BTreeMap::new(),
            rules: Vec::new(),
            history: None,
            past: None,
            transcripts: None,
            fill_door: None,
            dream_door: None,
            dream_engines: Vec::new(),
            records_recall: false,
            spool: None,
            secrets: None,
            meaning: None,
            weights: Weights::default(),
        }
    }
}

/// What is open already.
struct Opened(Arc<dyn Memory>);

impl Store for Opened {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        Ok(Arc::clone(&self.0))
    }

    fn is_made(&self) -> bool {
        true
    }
}

/// The way to what an agent keeps.
pub trait Store: Send + Sync {
    /// Opens it, making it where it is not; the same one each time.
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError>;

    /// Whether it was made before, so that verbs that only look need not make it.
    fn is_made(&self) -> bool;

    /// The way out of damage; `None` where no copies are kept.
    fn renewal(&self) -> Option<&dyn Renewal> {
        None
    }
}

/// Where transcripts are kept.
#[derive(Clone)]
pub struct TranscriptHome {
    /// The folder.
    pub folder: PathBuf,
    /// What is taken out before they are written.
    pub redaction: Option<Redaction>,
    /// When an append stops waiting for another process; `None`: after the usual time.
    pub wait_until: Option<Instant>,
}

/// Makes an empty index that needs no disk.
pub type Spare = Box<dyn Fn() -> Result<Box<dyn Index>, IndexError> + Send + Sync>;

/// An opened agent.
pub struct Agent {
    pub(crate) workspace: Workspace,
    pub(crate) profile: Profile,
    pub(crate) host: Host,
    pub(crate) zone: TimeZone,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) contents: Contents,
    pub(crate) noticed: Noticed,
    pub(crate) named: NamedSecrets,
    pub(crate) listed: LastListed,
    pub(crate) read_ahead: ReadAhead,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) id: AgentId,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lock: Arc<dyn WriteLock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) tighter: BTreeMap<Ward, Lane>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) history: Option<HistoryHome>,
    pub(crate) past: Option<Arc<PastHome>>,
    pub(crate) transcripts: Option<TranscriptHome>,
    pub(crate) fill_door: Option<FillDoor>,
    pub(crate) dream_door: Option<DreamDoor>,
    pub(crate) dream_engines: Vec<DreamEngine>,
    pub(crate) records_recall: bool,
    pub(crate) spool: Option<Box<dyn Spool>>,
    pub(crate) secrets: Option<Box<dyn KnownSecrets>>,
    pub(crate) meaning: Option<Meaning>,
    pub(crate) weights: Weights,
    /// The same models, for facts: what is laid out for passages is not for them.
    pub(crate) fact_meaning: Option<Meaning>,
    /// How the edges of facts are found.
    pub(crate) edges_of: EdgesOf,
    /// The moment of what it knows besides its files, for an agent of the past.
    pub(crate) believed_at: Option<Timestamp>,
    /// The moments of the facts in its prompts: those that hold at its own, as they were believed then.
    pub(crate) facts_at: When,
    /// When it last looked for what was forgotten long ago, in minutes since 1970.
    pub(crate) expiry_looked: AtomicI64,
    /// Another one takes its place where it cannot be kept.
    index: RwLock<Arc<dyn Index>>,
    analysers: Analysers,
    spare: Spare,
}

impl Agent {
    /// Opens an agent. Touches nothing yet.
    pub fn new(parts: Parts) -> Self {
        let keeping = parts.keeping;
        Self {
            files: Arc::clone(&parts.files),
            id: keeping.id,
            store: keeping.store,
            lock: keeping.lock,
            entropy: keeping.entropy,
            tighter: keeping.tighter,
            rules: keeping.rules,
            history: keeping.history,
            past: keeping.past.map(Arc::new),
            transcripts: keeping.transcripts,
            fill_door: keeping.fill_door,
            dream_door: keeping.dream_door,
            dream_engines: keeping.dream_engines,
            records_recall: keeping.records_recall,
            spool: keeping.spool,
            secrets: keeping.secrets,
            fact_meaning: keeping.meaning.as_ref().map(Meaning::apart),
            meaning: keeping.meaning,
            weights: keeping.weights,
            edges_of: crate::facts::finder(parts.profile.domain),
            workspace: Workspace::new(parts.files),
            profile: parts.profile,
            host: parts.host,
            zone: parts.zone,
            clock: parts.clock,
            contents: Contents::default(),
            noticed: Noticed::default(),
            named: NamedSecrets::default(),
            listed: LastListed::default(),
            read_ahead: ReadAhead::default(),
            expiry_looked: AtomicI64::new(i64::MIN),
            spare: parts.spare,
            believed_at: None,
            facts_at: When::default(),
            index: RwLock::new(Arc::from(parts.index)),
            analysers: Analysers::default(),
        }
    }

    /// The same agent over other `files`, by another clock. It writes nothing and remembers nothing: what it
    /// knows besides its files comes from `store`.
    pub(crate) fn over(
        &self,
        files: Arc<dyn Files>,
        index: Box<dyn Index>,
        spare: Spare,
        clock: Arc<dyn Clock>,
        store: Arc<dyn Store>,
    ) -> Self {
        let believed_at = Some(clock.now());
        let then = Self::new(Parts {
            files,
            index,
            spare,
            profile: self.profile.clone(),
            host: self.host.clone(),
            zone: self.zone.clone(),
            clock,
            keeping: Keeping {
                id: self.id.clone(),
                store,
                lock: Arc::new(OwnLock::default()),
                entropy: Arc::clone(&self.entropy),
                tighter: self.tighter.clone(),
                rules: self.rules.clone(),
                history: None,
                past: None,
                transcripts: None,
                fill_door: None,
                dream_door: None,
                dream_engines: Vec::new(),
                records_recall: false,
                spool: None,
                secrets: None,
                meaning: self.meaning.as_ref().map(Meaning::apart),
                weights: self.weights,
            },
        });
        Self { believed_at, facts_at: When { as_of: believed_at, believed_at }, ..then }
    }

    /// How its home behaves.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What `scope` may see.
    pub fn view(&self, scope: &Scope) -> View {
        self.workspace.view(scope.clone())
    }

    /// Today, as the agent's file names count it (X22).
    pub fn today(&self) -> Date {
        let zone = if self.profile.utc_days { TimeZone::UTC } else { self.zone.clone() };
        self.clock.now().to_zoned(zone).date()
    }

    /// The index as it is now.
    pub(crate) fn index(&self) -> Arc<dyn Index> {
        Arc::clone(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// An analyser for a question.
    pub(crate) fn recall(&self) -> Recall<'_> {
        self.analysers.take()
    }

    /// Does `work` on an index that is up to date with `view`. A damaged index is built anew, one that
    /// cannot be written gives way to one in memory: the answer still comes, with a notice (D11).
    pub(crate) fn on_fresh_index<T>(
        &self,
        view: &View,
        watch: &mut dyn FnMut(usize, usize),
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

    /// The index in memory that takes the place of `failed`, unless another thread was faster.
    fn give_way(&self, failed: &Arc<dyn Index>) -> Result<Arc<dyn Index>, EngineError> {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&index, failed) {
            failed.discard();
            *index = Arc::from((self.spare)()?);
        }
        Ok(Arc::clone(&index))
    }
}

fn rebuilt(failed: &EngineError) -> Notice {
    let message =
        format!("The index did not answer ({}), so it was built anew from the notes.", bare(failed));
    Notice::new("index_rebuilt", message, "Nothing is lost: the index holds nothing that the files do not.")
}

fn in_memory(failed: &EngineError) -> Notice {
    let message = format!("The index cannot be kept ({}), so it lives in memory for now.", bare(failed));
    Notice::new("index_in_memory", message, Hint::MakeRoom)
}

/// A sentence as a part of another one.
fn bare(error: &EngineError) -> &str {
    error.message.trim_end_matches('.')
}
