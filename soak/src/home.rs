//! A real home with one agent, in a folder of its own: opened as the program opens it.
//!
//! Parent and children of a campaign open the same home by its path, each with its own connection, guards
//! and index. Invariant: nothing of the user's own home or environment is read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inwit_engine::sessions::session::Start;
use inwit_engine::{Agent, AgentDeps};
use inwit_home::clock::SystemClock;
use inwit_home::keep::{self, Use};
use inwit_home::open::assemble;
use inwit_home::{AgentConfig, AgentPlace, OpenAgent};
use inwit_model::{Clock, Files, Scope};
use inwit_settings::agent::configured;
use inwit_settings::{Layers, Settings};
use inwit_store::Memory;
use inwit_store_sqlite::{SqliteIndex, SqliteMemory};
use inwit_testkit::fixture;
use inwit_workspace::{FsFiles, Writer};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

/// A home that goes with this value.
pub struct Home {
    _folder: TempDir,
    /// Where it is.
    pub place: Place,
}

/// Where a home is.
#[derive(Debug, Clone)]
pub struct Place {
    root: PathBuf,
}

impl Home {
    /// A home on the disk, with an agent of `profile` whose workspace is `fixture`.
    #[track_caller]
    pub fn new(profile: &str, fixture: &str) -> Self {
        Self::below(None, profile, fixture)
    }

    /// The same in memory where the system has a file system there: for campaigns about races, which want
    /// many writes a second and no durability.
    #[track_caller]
    pub fn fast(profile: &str, fixture: &str) -> Self {
        Self::below(Some(Path::new("/dev/shm")).filter(|shm| shm.is_dir()), profile, fixture)
    }

    #[track_caller]
    fn below(parent: Option<&Path>, profile: &str, fixture: &str) -> Self {
        let mut builder = tempfile::Builder::new();
        builder.prefix("inwit-soak-");
        let folder = parent.map_or_else(|| builder.tempdir(), |parent| builder.tempdir_in(parent));
        let folder = folder.expect("a folder");
        let place = Place { root: folder.path().canonicalize().expect("a path") };
        let settings = format!("profile = \"{profile}\"\ntimezone = \"UTC\"\n");
        fixture::put(&place.agent_home(), "agent.toml", settings.as_bytes());
        std::fs::create_dir_all(place.workspace()).expect("a workspace");
        fixture::lay_out(fixture, &place.workspace());
        Self { _folder: folder, place }
    }
}

impl Place {
    /// The home at `root`, made by somebody else.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The folder that holds everything.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The agent's own folder.
    pub fn agent_home(&self) -> PathBuf {
        self.root.join("inwit/agents/main")
    }

    /// The agent's files.
    pub fn workspace(&self) -> PathBuf {
        self.agent_home().join("workspace")
    }

    /// The variables by which a command finds this home.
    pub fn environment(&self) -> [(&'static str, String); 5] {
        let below = |path: &str| self.root.join(path).display().to_string();
        [
            ("HOME", below("")),
            ("INWIT_HOME", below("inwit")),
            ("XDG_STATE_HOME", below("state")),
            ("XDG_CONFIG_HOME", below("config")),
            ("TZ", "UTC".to_owned()),
        ]
    }

    #[track_caller]
    fn settings(&self) -> Settings {
        let environment = self.environment();
        let look =
            |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, text)| text.clone());
        Settings::read(Layers::default(), &look, Vec::new()).expect("settings")
    }

    /// Opens the agent as the program does.
    #[track_caller]
    pub fn open(&self) -> OpenAgent {
        let (chosen, config) = self.chosen();
        inwit_home::open(chosen, config, Use::Work, Arc::new(SystemClock))
            .unwrap_or_else(|error| panic!("{}: {error:?}", self.root.display()))
    }

    /// The agent by another clock, for campaigns in which days pass.
    #[track_caller]
    pub fn agent_by(&self, clock: Arc<dyn Clock>) -> Agent {
        let files = Arc::new(FsFiles::open(&self.workspace()).expect("a workspace"));
        self.agent_on(files, clock)
    }

    /// The agent on a disk of the caller's, for campaigns in which somebody else is at work between its calls.
    #[track_caller]
    pub fn agent_on(&self, files: Arc<dyn Files>, clock: Arc<dyn Clock>) -> Agent {
        let (chosen, config) = self.chosen();
        let keeping = keep::keeping(&chosen, &config, Use::Work).expect("what is kept");
        assemble(files, Box::new(self.index()), &config, clock, keeping)
    }

    /// The index on the disk.
    #[track_caller]
    pub fn index(&self) -> SqliteIndex {
        SqliteIndex::open(&self.agent_home().join("index.db")).expect("an index").0
    }

    /// What the agent keeps beside its files, in a connection of its own.
    #[track_caller]
    pub fn memory(&self) -> Arc<dyn Memory> {
        Arc::new(SqliteMemory::open(&self.agent_home().join("memory.db")).expect("a memory"))
    }

    /// What writes the agent's files, for recovery. Its clock is a day ahead: a hidden file that no lock
    /// guards is swept when it is old, since its writer might live.
    #[track_caller]
    pub fn writer_of_tomorrow(&self, memory: &Arc<dyn Memory>) -> Writer {
        let (chosen, config) = self.chosen();
        let AgentDeps { lock, entropy, .. } =
            keep::keeping(&chosen, &config, Use::Work).expect("what is kept");
        let files = Arc::new(FsFiles::open(&chosen.workspace).expect("a workspace"));
        Writer { files, log: Arc::clone(memory) as _, lock, clock: Arc::new(Tomorrow), entropy }
    }

    #[track_caller]
    fn chosen(&self) -> (AgentPlace, AgentConfig) {
        configured(self.settings(), "soak").expect("an agent")
    }
}

/// The clock of the next day.
struct Tomorrow;

impl Clock for Tomorrow {
    fn now(&self) -> Timestamp {
        let now = SystemClock.now();
        now.checked_add(SignedDuration::from_hours(24)).unwrap_or(now)
    }
}

/// How a session of the owner at a terminal begins.
pub fn owners_session() -> Start {
    Start {
        session: None,
        surface: "cli".into(),
        scope: Scope::Main,
        room: None,
        user: Some("ana".into()),
        agents: Vec::new(),
        project: None,
    }
}
