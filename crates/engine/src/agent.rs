//! An opened agent: a core, its areas, and the ports it is built from.
//!
//! The composition root builds an agent from ports. It is `Send + Sync`, and the operations of its areas take `&self`.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use inwit_gate::Rule;
use inwit_model::fact::When;
use inwit_model::{
    AgentId, Clock, DreamEngine, Entropy, FileClass, Files, Host, Profile, Reranker, WriteMode,
};
use inwit_recall::Weights;
use inwit_store::{Index, Memory};
use inwit_workspace::{OwnLock, Workspace, WriteLock};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::core::known_secrets::KnownSecrets;
use crate::core::spool::Spool;
use crate::core::store::{OpenMemory, Spare, Store};
use crate::history::past::HistoryHome;
use crate::history::past_home::PastHome;
use crate::learning::dreaming::DreamDoor;
use crate::notes::meaning::{FillDoor, Meaning};
use crate::sessions::TranscriptHome;
use crate::{Core, Facts, History, Learning, Notes, Sessions, facts};

/// The ports and values that an agent is built from.
pub struct AgentPorts {
    /// Its files.
    pub files: Arc<dyn Files>,
    /// Its index, which can be rebuilt at any time.
    pub index: Box<dyn Index>,
    /// Creates an empty in-memory index, used if the other one fails.
    pub spare: Spare,
    /// The profile of its home.
    pub profile: Profile,
    /// The host's own texts about it.
    pub host: Host,
    /// The time zone of its dates.
    pub zone: TimeZone,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Its storage beside the files, and how it writes them.
    pub keeping: AgentDeps,
}

/// The dependencies of an agent that writes.
pub struct AgentDeps {
    /// Its id.
    pub id: AgentId,
    /// Opens `memory.db` and other storage beside the files.
    pub store: Arc<dyn Store>,
    /// The lock between writers.
    pub lock: Arc<dyn WriteLock>,
    /// Random bytes for ids.
    pub entropy: Arc<dyn Entropy>,
    /// Stricter write modes that the owner set.
    pub tighter: BTreeMap<FileClass, WriteMode>,
    /// The owner's own rules.
    pub rules: Vec<Rule>,
    /// The history repository, `None` if it has none.
    pub history: Option<HistoryHome>,
    /// The cache of past states, `None` if queries about the past are unsupported.
    pub past: Option<PastHome>,
    /// The transcripts, `None` if it has none.
    pub transcripts: Option<TranscriptHome>,
    /// The lock for filling vectors, `None` if no other process can see them.
    pub fill_door: Option<FillDoor>,
    /// The lock of a dream, `None` if no other process can see the workspace.
    pub dream_door: Option<DreamDoor>,
    /// Engines that dream automatically: logs that they have not read are not pruned (X59).
    pub dream_engines: Vec<DreamEngine>,
    /// Whether searches are recorded, as input for dreams.
    pub records_recall: bool,
    /// Records searches without waiting for the database, `None` if no host searches in hooks.
    pub spool: Option<Box<dyn Spool>>,
    /// Hashes of known secret values, `None` if none are stored.
    pub secrets: Option<Box<dyn KnownSecrets>>,
    /// Search by embeddings, `None` for search by words only.
    pub meaning: Option<Meaning>,
    /// Orders the first results of a search, `None` for the order of the ranking.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Weights of the ranking.
    pub weights: Weights,
}

impl AgentDeps {
    /// Dependencies of an agent in one process: no history, no transcripts, an in-process lock.
    pub fn alone(memory: Arc<dyn Memory>, entropy: Arc<dyn Entropy>) -> Self {
        Self::alone_over(Arc::new(OpenMemory(memory)), entropy)
    }

    /// The same with a `store` that is opened on demand.
    fn alone_over(store: Arc<dyn Store>, entropy: Arc<dyn Entropy>) -> Self {
        Self {
            id: AgentId::main(),
            store,
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
            reranker: None,
            weights: Weights::default(),
        }
    }
}

/// An opened agent: a core and its areas, each of which may use those before it.
#[non_exhaustive]
pub struct Agent {
    /// Shared by all areas.
    pub core: Arc<Core>,
    /// Receipts and past contents.
    pub history: Arc<History>,
    /// The workspace files; all writes go through it.
    pub notes: Arc<Notes>,
    /// Facts and the user profile.
    pub facts: Arc<Facts>,
    /// Methods, feedback and dreams.
    pub learning: Arc<Learning>,
    /// Sessions, prompts and hooks.
    pub sessions: Arc<Sessions>,
}

impl Agent {
    /// Builds an agent, without any IO.
    pub fn new(parts: AgentPorts) -> Self {
        Self::at(parts, None)
    }

    /// The same with facts as believed at a time; `None`: now.
    fn at(parts: AgentPorts, believed_at: Option<Timestamp>) -> Self {
        let keeping = parts.keeping;
        let core = Arc::new(Core {
            edges_of: facts::finder(parts.profile.domain),
            workspace: Workspace::new(Arc::clone(&parts.files)),
            files: parts.files,
            profile: parts.profile,
            host: parts.host,
            zone: parts.zone,
            clock: parts.clock,
            contents: Default::default(),
            noticed: Default::default(),
            named: Default::default(),
            erased: std::sync::OnceLock::new(),
            listed: Default::default(),
            id: keeping.id,
            store: keeping.store,
            lock: keeping.lock,
            entropy: keeping.entropy,
            tighter: keeping.tighter,
            rules: keeping.rules,
            spool: keeping.spool,
            secrets: keeping.secrets,
            believed_at,
            index: RwLock::new(Arc::from(parts.index)),
            analysers: Default::default(),
            spare: parts.spare,
        });
        let fact_meaning = keeping.meaning.as_ref().map(Meaning::apart);
        let history = Arc::new(History::new(&core, keeping.history, keeping.past));
        let notes = Arc::new(Notes::new(
            &history, keeping.meaning, keeping.reranker, keeping.weights, keeping.fill_door,
            keeping.records_recall,
        ));
        let facts = Arc::new(Facts::new(&notes, fact_meaning));
        let learning = Arc::new(Learning::new(&facts, keeping.dream_door, keeping.dream_engines));
        let facts_at = When { as_of: believed_at, believed_at };
        let sessions = Arc::new(Sessions::new(&learning, keeping.transcripts, facts_at));
        Self { core, history, notes, facts, learning, sessions }
    }

    /// The same agent with other `files` and another clock. It writes nothing and records no searches; its rows come
    /// from `store`.
    pub(crate) fn over(
        &self,
        files: Arc<dyn Files>,
        index: Box<dyn Index>,
        spare: Spare,
        clock: Arc<dyn Clock>,
        store: Arc<dyn Store>,
    ) -> Self {
        let believed_at = Some(clock.now());
        Self::at(
            AgentPorts {
                files,
                index,
                spare,
                profile: self.core.profile.clone(),
                host: self.core.host.clone(),
                zone: self.core.zone.clone(),
                clock,
                keeping: AgentDeps {
                    id: self.core.id.clone(),
                    tighter: self.core.tighter.clone(),
                    rules: self.core.rules.clone(),
                    meaning: self.notes.meaning.as_ref().map(Meaning::apart),
                    reranker: self.notes.reranker.clone(),
                    weights: self.notes.weights,
                    ..AgentDeps::alone_over(store, Arc::clone(&self.core.entropy))
                },
            },
            believed_at,
        )
    }
}
