//! An agent that writes: its files in memory, its transcripts and history in a folder of the test.

use std::sync::{Arc, Mutex};

use inwit_engine::history::past::HistoryHome;
use inwit_engine::learning::dream::logs::LogLimits;
use inwit_engine::learning::dreaming::LogsAsk;
use inwit_engine::sessions::session::{Message, Read, Start, Turn, Turned, Wish};
use inwit_engine::{
    Agent, AgentDeps, AgentPorts, Bounds, EngineError, KnownSecrets, Outcome, PastHome, PastPorts, Search,
    TranscriptHome,
};
use inwit_gate::secrets::SecretHashes;
use inwit_model::{Clock, Code, CompleteError, DreamEngine, Files, HistoryPlace, Profile, Scope, SessionId};
use inwit_store::IndexError;
use inwit_store_sqlite::{SqliteIndex, SqliteLifetimes};
use inwit_testkit::{FakeClock, Shelf, keeping, parts, past_in_memory};
use jiff::tz::TimeZone;

pub struct World {
    pub agent: Agent,
    pub shelf: Arc<Shelf>,
    pub clock: Arc<FakeClock>,
    pub folder: tempfile::TempDir,
}

/// An agent of `profile` over `shelf`, at noon of 21 November 2026.
pub fn world(profile: Profile, shelf: Shelf) -> World {
    world_with(profile, "", shelf)
}

/// The same for a person, with rules of their own.
pub fn ruled_world(rules: &str, shelf: Shelf) -> World {
    world_with(crate::profile("personal"), rules, shelf)
}

/// The same in a zone of their own.
pub fn world_in(zone: TimeZone, profile: Profile, shelf: Shelf) -> World {
    world_of(zone, profile, "", shelf)
}

/// The same with values of secrets that are known from earlier turns.
pub fn knowing_world(profile: Profile, shelf: Shelf) -> World {
    let secrets: Box<dyn KnownSecrets> = Box::new(Learned(Mutex::new(SecretHashes::new([7; 32]))));
    let keeping = |keeping: AgentDeps| AgentDeps { secrets: Some(secrets), ..keeping };
    world_kept(parts(Arc::new(Shelf::of(""))).zone, profile, keeping, shelf)
}

/// What was learned, in memory.
struct Learned(Mutex<SecretHashes>);

impl KnownSecrets for Learned {
    fn load(&self) -> SecretHashes {
        self.0.lock().expect("no panic").clone()
    }

    fn learn(&self, texts: &[&str]) -> Result<(), EngineError> {
        let mut hashes = self.0.lock().expect("no panic");
        for text in texts {
            hashes.learn(text);
        }
        Ok(())
    }
}

/// Options of a pass of the log engine, without a model.
pub fn logs_ask() -> LogsAsk<'static> {
    LogsAsk {
        model: &|| Err(CompleteError { code: Code::ModelUnset, message: "No model is configured.".into() }),
        limits: LogLimits::default(),
        promotions_max: 20,
        dry_run: false,
        timeout: jiff::SignedDuration::from_mins(30),
        trigger: "manual",
        workspace: "notes/ada",
        named: "main",
    }
}

/// The same with engines that dream by themselves.
pub fn dreaming_world(engines: Vec<DreamEngine>, profile: Profile, shelf: Shelf) -> World {
    let keeping = |keeping: AgentDeps| AgentDeps { dream_engines: engines, ..keeping };
    world_kept(parts(Arc::new(Shelf::of(""))).zone, profile, keeping, shelf)
}

fn world_with(profile: Profile, rules: &str, shelf: Shelf) -> World {
    world_of(parts(Arc::new(Shelf::of(""))).zone, profile, rules, shelf)
}

fn world_of(zone: TimeZone, profile: Profile, rules: &str, shelf: Shelf) -> World {
    let rules = inwit_gate::Rule::parse_all(rules).expect("rules");
    world_kept(zone, profile, |keeping| AgentDeps { rules, ..keeping }, shelf)
}

fn world_kept(
    zone: TimeZone,
    profile: Profile,
    keeping: impl FnOnce(AgentDeps) -> AgentDeps,
    shelf: Shelf,
) -> World {
    let (shelf, clock) = (Arc::new(shelf), Arc::new(FakeClock::at(inwit_testkit::NOW)));
    let folder = tempfile::tempdir().expect("a folder");
    let keeping = keeping(kept_in(folder.path()));
    let agent = Agent::new(AgentPorts {
        profile,
        zone,
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        keeping,
        ..parts(Arc::clone(&shelf) as Arc<dyn Files>)
    });
    World { agent, shelf, clock, folder }
}

/// What an agent keeps, its transcripts and history in `folder`.
fn kept_in(folder: &std::path::Path) -> AgentDeps {
    AgentDeps {
        history: Some(HistoryHome {
            git_dir: folder.join("history.git"),
            place: HistoryPlace::Beside,
            lock_wait: None,
        }),
        past: Some(past_in(folder)),
        transcripts: Some(TranscriptHome {
            folder: folder.join("transcripts"),
            redaction: None,
            wait_until: None,
        }),
        records_recall: true,
        ..keeping()
    }
}

/// What is derived from a history, in `folder`.
pub fn past_in(folder: &std::path::Path) -> PastHome {
    let (lifetimes, index) = (folder.join("past.db"), folder.join("past-index.db"));
    let open = move || -> Result<PastPorts, IndexError> {
        Ok(PastPorts {
            lifetimes: Box::new(SqliteLifetimes::open(&lifetimes)?.0),
            index: Box::new(SqliteIndex::open(&index)?.0),
        })
    };
    PastHome { open: Box::new(open), spare: Box::new(past_in_memory) }
}

/// A clock that stands still, and does something once when it is looked at.
pub struct Meddling {
    clock: FakeClock,
    meddle: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    looks_left: Mutex<Option<usize>>,
}

impl Meddling {
    /// A clock that will do `meddle`.
    pub fn new(meddle: impl FnOnce() + Send + 'static) -> Self {
        Self {
            clock: FakeClock::at(inwit_testkit::NOW),
            meddle: Mutex::new(Some(Box::new(meddle))),
            looks_left: Mutex::default(),
        }
    }

    /// Does it when it was looked at `looks` times more.
    pub fn meddle_after(&self, looks: usize) {
        *self.looks_left.lock().expect("no panic") = Some(looks);
    }

    /// Whether it was done.
    pub fn has_meddled(&self) -> bool {
        self.meddle.lock().expect("no panic").is_none()
    }
}

impl Clock for Meddling {
    fn now(&self) -> jiff::Timestamp {
        let mut looks_left = self.looks_left.lock().expect("no panic");
        let is_time = *looks_left == Some(0);
        *looks_left = looks_left.and_then(|looks| looks.checked_sub(1));
        drop(looks_left);
        if is_time && let Some(meddle) = self.meddle.lock().expect("no panic").take() {
            meddle();
        }
        self.clock.now()
    }
}

impl World {
    /// Another agent over the same files, with a folder and a clock of its own.
    pub fn agent_with(&self, profile: Profile, clock: Arc<dyn Clock>) -> Agent {
        let folder = self.folder.path().join("other");
        std::fs::create_dir(&folder).expect("a folder");
        let files = Arc::clone(&self.shelf) as Arc<dyn Files>;
        Agent::new(AgentPorts { profile, clock, keeping: kept_in(&folder), ..parts(files) })
    }

    /// A session of the owner.
    pub fn starts(&self) -> SessionId {
        self.starts_in(Scope::Main, None)
    }

    /// A session in `scope`.
    pub fn starts_in(&self, scope: Scope, room: Option<&str>) -> SessionId {
        let start = Start {
            session: None,
            surface: "repl".into(),
            scope,
            room: room.map(str::to_owned),
            user: Some("ana".into()),
            agents: Vec::new(),
            project: None,
        };
        self.agent.sessions.session_start(&start).expect("a session").session.start.id
    }

    /// A turn in which nothing was read.
    pub fn says(&self, id: &SessionId, user: &str, reply: &str, wishes: Vec<Wish>) -> Turned {
        let user = Message { text: user.into(), ..Message::default() };
        self.turns(id, Turn { user, reply: reply.into(), wishes, ..Turn::default() })
    }

    /// A turn in which a tool gave `text`.
    pub fn reads(&self, id: &SessionId, text: &str, reply: &str, wishes: Vec<Wish>) -> Turned {
        let tools = vec![Read { tool: "web_fetch".into(), text: text.into() }];
        self.turns(id, Turn { reply: reply.into(), wishes, tools, ..Turn::default() })
    }

    pub fn turns(&self, id: &SessionId, turn: Turn) -> Turned {
        let turn =
            Turn { wishes: turn.wishes.into_iter().map(|wish| self.read_before(wish)).collect(), ..turn };
        let turned = self.agent.sessions.session_turn(id, &turn).expect("a turn");
        assert_eq!(turned.notices, [], "nothing went wrong on the way");
        turned
    }

    /// Who replaces a file has read it before.
    fn read_before(&self, wish: Wish) -> Wish {
        match wish {
            Wish::Put { file, content, base: None, reason } => {
                let read =
                    inwit_model::SafeName::parse(&file).ok().and_then(|name| self.shelf.read(&name).ok());
                Wish::Put { file, content, base: read.map(|content| content.sha256), reason }
            }
            wish => wish,
        }
    }

    /// A file as text, empty when it is not there.
    pub fn text(&self, name: &str) -> String {
        let content = self.shelf.read(&inwit_testkit::name(name));
        content.map_or_else(|_| String::new(), |content| String::from_utf8_lossy(&content.bytes).into_owned())
    }

    /// The names of all files.
    pub fn names(&self) -> Vec<String> {
        let listing =
            inwit_workspace::ScopedReader::list(&self.agent.core.view(&Scope::Main)).expect("a listing");
        listing.entries.iter().map(|entry| entry.name.as_str().to_owned()).collect()
    }

    /// What the transcript of a session holds, in order.
    pub fn said(&self, id: &SessionId) -> Vec<String> {
        let transcripts = inwit_workspace::Transcripts::open(&self.folder.path().join("transcripts"));
        let mut said = Vec::new();
        let read = transcripts.expect("a folder").read(id, 0, &mut |record, _| {
            if let inwit_workspace::transcripts::Record::Said(one) = record {
                said.push(one.content);
            }
            std::ops::ControlFlow::Continue(())
        });
        read.expect("read");
        said
    }

    /// How many hits a search has.
    pub fn searches(&self, query: &str) -> usize {
        let search =
            Search { query, scope: &Scope::Main, limit: 5, budget_chars: None, bounds: Bounds::default() };
        self.agent.notes.search(&search).expect("an answer").hits.len()
    }
}

/// A wish for an entry in MEMORY.md.
pub fn remember(text: &str) -> Wish {
    Wish::Remember { text: text.into(), file: None, section: None, reason: String::new() }
}

/// A wish for a whole file.
pub fn put(file: &str, content: &str) -> Wish {
    Wish::Put { file: file.into(), content: content.into(), base: None, reason: "because".into() }
}

/// One word for what became of a wish.
pub fn word(wished: &inwit_engine::sessions::session::Wished) -> String {
    match wished {
        Ok(Outcome::Applied { .. }) => "applied".into(),
        Ok(Outcome::Unchanged(_)) => "unchanged".into(),
        Ok(Outcome::Pending { why, .. }) => format!("pending:{}", why.word()),
        Err(error) => error.code.spec().name.into(),
    }
}

/// Words for all wishes of a turn.
pub fn words(turned: &Turned) -> Vec<String> {
    turned.wished.iter().map(word).collect()
}
