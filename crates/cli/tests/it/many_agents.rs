//! Many agents in one process: each is open once, and those that nobody holds give way to others.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};

use inwit_cli::person;
use inwit_engine::notes::remember::Entry;
use inwit_engine::{Bounds, Search};
use inwit_home::clock::SystemClock;
use inwit_home::limit::AGENT_DESCRIPTORS;
use inwit_home::{AgentPlace, Engine, EngineLimits, OpenAgent, Opening};
use inwit_model::{Code, Scope};
use inwit_settings::{Layers, Settings};

/// A server of agents that are called by numbers.
struct Server {
    folder: tempfile::TempDir,
    settings: Settings,
    engine: Engine,
}

impl Server {
    /// One that may keep so many agents open.
    fn keeping(agents: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().display().to_string();
        let look = |name: &str| ["HOME", "INWIT_HOME"].contains(&name).then(|| home.clone());
        let settings = Settings::read(Layers::default(), &look, Vec::new()).expect("settings");
        let descriptors = agents * AGENT_DESCRIPTORS;
        Self {
            folder,
            settings,
            engine: Engine::new(EngineLimits { descriptors, ..EngineLimits::default() }),
        }
    }

    fn home(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("agents/agent-{number}"))
    }

    fn open(&self, number: usize) -> Arc<OpenAgent> {
        let place = AgentPlace {
            id: format!("agent-{number}"),
            home: self.home(number),
            workspace: self.home(number).join("workspace"),
        };
        fs::create_dir_all(&place.workspace).expect("a workspace");
        let config = self.settings.agent_config("test").expect("a configuration");
        let opened = self.engine.open(place, config, Opening::Whole, Arc::new(SystemClock));
        opened.unwrap_or_else(|error| panic!("{}", error.message))
    }
}

fn remember(opened: &OpenAgent, text: &str) {
    let told = opened.agent.notes.remember(None, &Entry { text, section: "Facts" }, &person::owners(false));
    told.unwrap_or_else(|error| panic!("{}", error.message));
}

fn finds(opened: &OpenAgent, query: &str) -> usize {
    let bounds = Bounds::default();
    let ask = Search { query, scope: &Scope::Main, limit: 10, budget_chars: None, bounds };
    opened.agent.notes.search(&ask).unwrap_or_else(|error| panic!("{}", error.message)).hits.len()
}

fn copies(home: &Path) -> usize {
    fs::read_dir(home.join("backups")).map_or(0, Iterator::count)
}

#[test]
fn an_agent_that_many_ask_for_at_once_is_opened_once() {
    let server = Server::keeping(4);
    let gate = Barrier::new(8);
    let opened: Vec<Arc<OpenAgent>> = std::thread::scope(|scope| {
        let ask = |_| {
            scope.spawn(|| {
                gate.wait();
                server.open(1)
            })
        };
        let asked: Vec<_> = (0..8).map(ask).collect();
        asked.into_iter().map(|one| one.join().expect("opened")).collect()
    });
    assert!(opened.iter().all(|one| Arc::ptr_eq(one, &opened[0])));
    assert_eq!(server.engine.open_count(), 1);
}

#[test]
fn the_agent_that_was_used_longest_ago_gives_way_and_one_that_is_held_stays() {
    let server = Server::keeping(2);
    let [first, second] = [0, 1].map(|number| Arc::downgrade(&server.open(number)));
    server.open(0);
    server.open(2);
    assert!(first.upgrade().is_some() && second.upgrade().is_none(), "the first was used again");
    let held = server.open(0);
    (1..4).for_each(|number| drop(server.open(number)));
    assert_eq!(server.engine.open_count(), 2);
    assert!(Arc::ptr_eq(&held, &server.open(0)));
    let agent = Arc::clone(&server.open(3).agent);
    drop(held);
    server.open(4);
    server.open(5);
    assert!(Arc::ptr_eq(&agent, &server.open(3).agent), "an agent is held, too, where its files are not");
}

/// Also where no more agents are held than may be open.
#[test]
fn an_agent_that_was_closed_has_lost_nothing() {
    let server = Server::keeping(1);
    for number in 0..4 {
        remember(&server.open(number), &format!("The oven of bakery {number} is repaired in spring."));
    }
    assert_eq!(server.engine.open_count(), 1);
    let made: Vec<usize> = (0..4).map(|number| copies(&server.home(number))).collect();
    assert_eq!(made, [1, 1, 1, 0], "closing makes the copy that is due");
    for number in 0..4 {
        assert_eq!(finds(&server.open(number), "When is the oven repaired?"), 1, "agent {number}");
    }
}

/// Reading is no reason for a copy: it would commit what was changed by hand, too.
#[test]
fn what_is_due_is_done_for_agents_that_have_written_alone() {
    let mut server = Server::keeping(2);
    remember(&server.open(0), "The oven is repaired in spring.");
    assert_eq!(server.engine.tend(), []);
    assert_eq!(copies(&server.home(0)), 1);
    fs::remove_dir_all(server.home(0).join("backups")).expect("removed");
    server.engine = Engine::new(EngineLimits::default());
    assert_eq!(finds(&server.open(0), "When is the oven repaired?"), 1);
    remember(&server.open(1), "The oven is repaired in spring.");
    assert_eq!(server.engine.tend(), []);
    assert_eq!([0, 1].map(|number| copies(&server.home(number))), [0, 1]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_agent_takes_no_more_open_files_than_it_counts_for() {
    let server = Server::keeping(8);
    let count = || fs::read_dir("/proc/self/fd").expect("a list").count();
    let before = count();
    for number in 0..8 {
        let opened = server.open(number);
        opened.files.watch();
        remember(&opened, "The oven is repaired in spring.");
        std::thread::scope(|scope| {
            (0..2).for_each(|_| drop(scope.spawn(|| finds(&opened, "When is the oven repaired?"))));
        });
    }
    // What works in the background closes its own files when it ends.
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(120);
    let mut each = usize::MAX;
    while each > AGENT_DESCRIPTORS && std::time::Instant::now() < patience {
        each = (count() - before).div_ceil(8);
        std::thread::yield_now();
    }
    let open: Vec<String> = fs::read_dir("/proc/self/fd")
        .expect("a list")
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        .map(|path| path.display().to_string())
        .collect();
    assert!(each <= AGENT_DESCRIPTORS, "{each}: {open:#?}");
}

#[test]
fn an_agent_that_cannot_be_opened_is_tried_again() {
    let server = Server::keeping(2);
    let home = server.home(0);
    fs::create_dir_all(&home).expect("a home");
    let place = AgentPlace { id: "agent-0".into(), workspace: home.join("workspace"), home };
    let config = server.settings.agent_config("test").expect("a configuration");
    let failed = server.engine.open(place, config, Opening::Whole, Arc::new(SystemClock));
    assert!(failed.is_err_and(|error| error.code.spec().name == "workspace_missing"));
    assert_eq!(server.engine.open_count(), 0);
    assert_eq!(finds(&server.open(0), "oven"), 0);
}

/// A server that has not used `memory.db` yet does not keep a restore out: what it writes afterwards would go to the folder that
/// gave way.
#[test]
fn an_agent_whose_workspace_was_exchanged_writes_nothing() {
    let server = Server::keeping(1);
    let opened = server.open(0);
    let workspace = server.home(0).join("workspace");
    fs::rename(&workspace, server.home(0).join("workspace.before")).expect("moved");
    fs::create_dir(&workspace).expect("another one");
    let entry = Entry { text: "The oven is repaired.", section: "Facts" };
    let error = opened.agent.notes.remember(None, &entry, &person::owners(false)).expect_err("refused");
    assert_eq!(error.code, Code::WorkspaceMissing, "{}", error.message);
    assert!(error.message.contains("was replaced after it was opened"), "{}", error.message);
    assert_eq!(fs::read_dir(server.home(0).join("workspace.before")).expect("there").count(), 0);
}
