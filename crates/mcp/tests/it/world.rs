//! An agent with clients, in memory.

use std::sync::Arc;

use inwit_engine::self_report::Whereabouts;
use inwit_engine::{Agent, SessionLogs};
use inwit_mcp::{Called, Connection};
use inwit_model::{Files, Scope};
use inwit_testkit::{Chance, FakeClock, NOW, fixture, parts};
use inwit_wire::tools::Set;
use inwit_workspace::{MemFiles, Transcripts};
use serde_json::{Map, Value};

/// A small self.
pub const ADA: &str = "\
//- SOUL.md
I am Ada and I bake.
//- IDENTITY.md
- Name: Ada
- Emoji: 🍞
//- USER.md
# USER

- Name: Bo
//- MEMORY.md
# MEMORY

## Facts

- Likes rye bread.
- The oven is from Lyon. #oven

## People

- Bo bakes on Fridays.
//- memory/2026-11-20.md
# 2026-11-20

- Bought rye flour.
//- memory/2026-11-21.md
# 2026-11-21

- Baked six loaves.
- Sold five loaves.
//- rooms/kitchen.md
# kitchen

## Facts

- The kitchen closes at six.
//- memory/rooms/kitchen/2026-11-21.md
# 2026-11-21

- Cleaned the kitchen oven.
";

/// An agent and its files.
pub struct World {
    /// The client's connection.
    pub connection: Connection,
    /// The files below it.
    pub files: Arc<MemFiles>,
}

/// A client of an agent over `text`.
pub fn world(text: &str, scope: Scope, sets: &[Set]) -> World {
    let files = Arc::new(fixture::mem(text));
    World { connection: connection(Arc::clone(&files) as Arc<dyn Files>, scope, sets), files }
}

/// A client of Ada.
pub fn ada(scope: Scope) -> World {
    world(ADA, scope, &[Set::Default])
}

/// A connection to an agent over `files`.
pub fn connection(files: Arc<dyn Files>, scope: Scope, sets: &[Set]) -> Connection {
    lent(Agent::new(parts(files)), scope, sets)
}

/// A connection to `agent`.
pub fn lent(agent: Agent, scope: Scope, sets: &[Set]) -> Connection {
    let whereabouts = Whereabouts { agent_id: "ada".into(), model: None, workspace_dir: "/srv/ada".into() };
    Connection { sets: sets.to_vec(), logs: Some(no_logs()), ..Connection::new(agent, whereabouts, scope) }
}

/// Transcripts of nothing.
fn no_logs() -> SessionLogs {
    let folder = std::path::Path::new("/nonexistent/transcripts");
    let transcripts = Transcripts::open(folder).expect("opened");
    SessionLogs::new(transcripts, "ada", None, Arc::new(FakeClock::at(NOW)))
}

impl World {
    /// What a tool answers.
    #[track_caller]
    pub fn called(&self, tool: &str, arguments: Value) -> Called {
        self.connection.call(tool, &object(arguments)).expect("the tool is offered")
    }

    /// What a tool answers when it does not fail.
    #[track_caller]
    pub fn answer(&self, tool: &str, arguments: Value) -> Value {
        let called = self.called(tool, arguments);
        assert!(!called.failed, "{}", called.text);
        called.answer
    }

    /// The code of a failure.
    #[track_caller]
    pub fn fails(&self, tool: &str, arguments: Value) -> String {
        let called = self.called(tool, arguments);
        assert!(called.failed, "it did not fail: {}", called.text);
        called.answer["error"]["code"].as_str().expect("a code").to_owned()
    }

    /// A file as it stands.
    #[track_caller]
    pub fn file(&self, name: &str) -> String {
        let content = self.files.read(&inwit_testkit::name(name)).expect("there");
        String::from_utf8(content.bytes.to_vec()).expect("text")
    }
}

/// Arguments.
#[track_caller]
pub fn object(arguments: Value) -> Map<String, Value> {
    arguments.as_object().expect("an object").clone()
}

/// Something that looks like a key, made up anew.
pub fn token() -> String {
    let mut chance = Chance::of(7);
    inwit_testkit::secret::positives("github_pat", 1, &mut chance)[0].value.clone()
}
