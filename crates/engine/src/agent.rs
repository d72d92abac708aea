//! An opened agent: a core and its areas, and what it is made of.
//!
//! An agent is made by the composition root from ports. It is `Send + Sync`, and the operations of its areas take `&self`.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use inwit_gate::Rule;
use inwit_model::fact::When;
use inwit_model::{AgentId, Clock, DreamEngine, Entropy, FileClass, Files, Host, Profile, WriteMode};
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

/// What an agent is made of.
pub struct AgentPorts {
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
    pub keeping: AgentDeps,
}

/// What an agent needs in order to write.
pub struct AgentDeps {
    /// Its id.
    pub id: AgentId,
    /// Opens what is kept beside the files.
    pub store: Arc<dyn Store>,
    /// Keeps other writers out.
    pub lock: Arc<dyn WriteLock>,
    /// Chance, for ids.
    pub entropy: Arc<dyn Entropy>,
    /// What the owner asks for beyond the profile's write policy.
    pub tighter: BTreeMap<FileClass, WriteMode>,
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

impl AgentDeps {
    /// What an agent keeps that nobody else sees: no history, no transcripts, a lock of this process.
    pub fn alone(memory: Arc<dyn Memory>, entropy: Arc<dyn Entropy>) -> Self {
        Self::alone_over(Arc::new(OpenMemory(memory)), entropy)
    }

    /// The same over a `store` that is opened when it is needed.
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
            weights: Weights::default(),
        }
    }
}

/// An opened agent: a core, and its areas, each knowing those before it.
#[non_exhaustive]
pub struct Agent {
    /// What every area stands on.
    pub core: Arc<Core>,
    /// What was written, by whom, and how it was before.
    pub history: Arc<History>,
    /// Its files; all writes go through it.
    pub notes: Arc<Notes>,
    /// Rows beside the files.
    pub facts: Arc<Facts>,
    /// What it learns by itself.
    pub learning: Arc<Learning>,
    /// Its conversations.
    pub sessions: Arc<Sessions>,
}

impl Agent {
    /// Opens an agent. Touches nothing yet.
    pub fn new(parts: AgentPorts) -> Self {
        Self::at(parts, None)
    }

    /// The same as it was believed at a moment; `None`: now.
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
            &history, keeping.meaning, keeping.weights, keeping.fill_door, keeping.records_recall,
        ));
        let facts = Arc::new(Facts::new(&notes, fact_meaning));
        let learning = Arc::new(Learning::new(&facts, keeping.dream_door, keeping.dream_engines));
        let facts_at = When { as_of: believed_at, believed_at };
        let sessions = Arc::new(Sessions::new(&learning, keeping.transcripts, facts_at));
        Self { core, history, notes, facts, learning, sessions }
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
                    weights: self.notes.weights,
                    ..AgentDeps::alone_over(store, Arc::clone(&self.core.entropy))
                },
            },
            believed_at,
        )
    }
}
