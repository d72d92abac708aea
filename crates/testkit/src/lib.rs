//! Support library of inwit's tests.
//!
//! A test states what a reader sees, not how it is computed, so the implementation can change freely. Reading order:
//! [`fixture`] (a workspace is one string), [`story()`] (answers of an agent while its files change), [`cli`] (the
//! whole program in isolation), [`crash`] (a disk that stops at the n-th call), [`hooked`] and [`race`] (concurrent
//! writers). Invariant: nothing here reads the wall clock or contacts another machine; the environment only decides
//! which tests can run; crates depend on it only for tests.
//!
//! ```
//! use inwit_model::Scope;
//! use inwit_testkit::{room, story};
//!
//! story(r#"
//! //- SOUL.md
//! I am Ada and I bake.
//! //- MEMORY.md
//! - Likes rye bread.
//! "#)
//! .at("2026-11-21T14:03:00Z")
//! .search(Scope::Main, "which bread?").finds("rye")
//! .search(room("kitchen"), "which bread?").hides("rye").finds_nothing()
//! .write("MEMORY.md", "- Likes spelt bread.\n")
//! .search(Scope::Main, "which bread?").finds("spelt").hides("rye")
//! .end();
//! ```

pub mod bert;
pub mod chance;
pub mod cli;
pub mod clients;
pub mod clock;
pub mod crash;
pub mod fixture;
pub mod hooked;
pub mod http_client;
pub mod judge;
pub mod meaning;
pub mod model;
pub mod model_server;
pub mod openclaw;
pub mod pace;
pub mod private;
pub mod processes;
pub mod race;
pub mod reranker;
pub mod rivals;
pub mod secret;
pub mod server;
pub mod shape;
pub mod shelf;
pub mod story;
pub mod tree;
pub mod twins;

use std::sync::Arc;

use inwit_engine::{AgentDeps, AgentPorts, Meaning, PastHome, PastPorts};
use inwit_model::{Embedder, Files, RoomId, SafeName, Scope};
use inwit_store::{Embeddings, Index, IndexError};
use inwit_store_sqlite::{SqliteEmbeddings, SqliteIndex, SqliteLifetimes, SqliteMemory};
use jiff::tz::TimeZone;

pub use chance::{Chance, Drawn};
pub use cli::Cli;
pub use clock::{FakeClock, FakeStopwatch};
pub use crash::{CrashDisk, Edit, crash_at_each_step, fail_at_each_step};
pub use hooked::Hooked;
pub use judge::ScriptedJudge;
pub use model::model;
pub use pace::FakePace;
pub use processes::FakeProcesses;
pub use shelf::Shelf;
pub use story::story;
pub use tree::Tree;
pub use twins::Twins;

/// The default time of tests.
pub const NOW: &str = "2026-11-21T12:00:00Z";

/// An agent over `files` at [`NOW`]: profile personal, zone UTC, index in memory. For other ports use
/// `Agent::new(AgentPorts { clock, ..parts(files) })`.
pub fn parts(files: Arc<dyn Files>) -> AgentPorts {
    let in_memory = || SqliteIndex::in_memory().map(|index| Box::new(index) as Box<dyn Index>);
    AgentPorts {
        files,
        index: in_memory().expect("an index in memory"),
        host: inwit_model::Host::default(),
        spare: Box::new(in_memory),
        profile: inwit_workspace::profile::named("personal").expect("compiled in"),
        zone: TimeZone::UTC,
        clock: Arc::new(FakeClock::at(NOW)),
        keeping: keeping(),
    }
}

/// The stores of an agent, in memory: no history, no transcripts, no lock visible to others.
pub fn keeping() -> AgentDeps {
    let alone =
        AgentDeps::alone(Arc::new(SqliteMemory::in_memory().expect("a memory")), Arc::new(Drawn::of(1)));
    AgentDeps {
        past: Some(PastHome { open: Box::new(past_in_memory), spare: Box::new(past_in_memory) }),
        ..alone
    }
}

/// Search by meaning with `embedder`, over a cache in memory.
pub fn meaning(embedder: Arc<dyn Embedder>) -> Meaning {
    let open = || SqliteEmbeddings::in_memory().map(|cache| Box::new(cache) as Box<dyn Embeddings>);
    Meaning::new(vec![embedder], Box::new(open))
}

/// Data derived from a history, in memory.
pub fn past_in_memory() -> Result<PastPorts, IndexError> {
    Ok(PastPorts {
        lifetimes: Box::new(SqliteLifetimes::in_memory()?),
        index: Box::new(SqliteIndex::in_memory()?),
    })
}

/// The owner's consent, for tests that need it.
#[expect(clippy::disallowed_methods, reason = "a test says who is there")]
pub fn owner() -> inwit_gate::HumanConsent {
    inwit_gate::HumanConsent::at_own_terminal()
}

/// How many cases a generated test runs: `few`, or `all` where `INWIT_TEST_FULL` is set.
pub fn cases(few: u64, all: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "whoever runs the tests says how many")]
    let is_full = std::env::var_os("INWIT_TEST_FULL").is_some();
    if is_full { all } else { few }
}

/// Whether this machine has `git`. A CI server must have it; elsewhere the test reports that it was skipped.
pub fn has_git() -> bool {
    is_there(inwit_workspace::History::available(), "git")
}

/// Whether this machine has a `strace` that may trace. A CI server must have it; elsewhere the test reports that it
/// was skipped.
pub fn has_strace() -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "whether a container lets a process be traced is known by trying"
    )]
    let traced = std::process::Command::new("/usr/bin/strace").args(["-o", "/dev/null", "true"]).output();
    is_there(traced.is_ok_and(|output| output.status.success()), "strace")
}

/// Whether this machine has the `sqlite3` shell of its distribution. A CI server must have it; elsewhere the test
/// reports that it was skipped.
pub fn has_sqlite3() -> bool {
    is_there(std::path::Path::new("/usr/bin/sqlite3").exists(), "sqlite3")
}

/// Whether `what` is `there`. A CI server must have it; elsewhere the test reports that it was skipped.
pub fn is_there(there: bool, what: &str) -> bool {
    #[expect(clippy::disallowed_methods, reason = "a server says that it is one")]
    let server = std::env::var("CI").is_ok_and(|word| word == "true" || word == "1");
    assert!(there || !server, "a server must have {what}; .ci/deps installs it");
    if !there {
        #[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
        {
            eprintln!("skipped: this machine has no {what}");
        }
    }
    there
}

/// The scope of a room.
#[track_caller]
pub fn room(id: &str) -> Scope {
    Scope::Room(RoomId::parse(id).expect("a room's id"))
}

/// A name of the workspace.
#[track_caller]
pub fn name(text: &str) -> SafeName {
    SafeName::parse(text).unwrap_or_else(|error| panic!("`{text}` is no safe name: {error}"))
}

/// Panics if a file of `tests/it` has no `mod` line in `main.rs`, so that a test file that is never compiled does not
/// pass. Call as `no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"))`.
#[track_caller]
pub fn no_forgotten_file(crate_folder: &str, main: &str) {
    let here = std::path::Path::new(crate_folder).join("tests/it");
    for entry in std::fs::read_dir(here).expect("tests/it") {
        let file = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        let stem = file.trim_end_matches(".rs");
        assert!(stem == "main" || main.contains(&format!("mod {stem};")), "`{file}` is in no `mod` line");
    }
}
