//! No name leads out of the workspace, wherever it comes in (I6).
//!
//! Every payload goes through every entry that takes a name, an id or a day: reading and writing verbs of
//! the engine, history, transcripts, rooms, and the command line. Beside the workspace lie canaries:
//! their text may stand in no answer, and the tree outside of the agent's home must be the same
//! afterwards, byte for byte.

use std::ffi::OsStr;
use std::path::Path;

use inwit_engine::Agent;
use inwit_engine::notes::get::Lines;
use inwit_engine::notes::remember::Entry;
use inwit_engine::sessions::session::{Message, Start, Turn, Wish};
use inwit_engine::{EngineError, WriteContext};
use inwit_gate::Author;
use inwit_model::{AgentId, Code, RoomId, SafeName, Scope, SessionId};
use inwit_testkit::{Tree, fixture};
use inwit_workspace::history::Rev;
use rustix::fs::{CWD, Mode, mknodat};

use crate::child::inwit;
use crate::{Home, Place, Plan, Report};

mod payloads;

/// Stands in every file outside of the workspace.
const CANARY: &str = "canary-that-nobody-may-read";

const LIVED_IN: &str = "
//- SOUL.md
I am Ada.
//- MEMORY.md
- Likes rye bread.
//- notes/plan.md
- Buy flour.
";

/// Commands that take a name, an id or a day; `@` is the payload.
const COMMANDS: &[&[&str]] = &[
    &["get", "--", "@"],
    &["status", "--agent=@"],
    &["status", "--workspace=@"],
    &["search", "bread", "--room=@"],
    &["prompt", "--room=@"],
    &["transcript", "show", "--", "@"],
];

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::new("personal", LIVED_IN);
    let place = &home.place;
    lay_traps(place);
    let outside = place.root().join("outside/canary.md");
    let payloads = payloads::payloads(&outside.display().to_string());
    let before = seen_outside(place);
    let agent = place.open().agent;
    let (mut entries, mut accepted) = (0, 0);
    for (kind, payload) in &payloads {
        for (entry, answer) in engine(&agent, payload) {
            entries += 1;
            accepted += u32::from(answer.is_ok());
            let said = answer.unwrap_or_else(|error| error.message);
            report.holds(!said.contains(CANARY), || format!("{kind} {payload:?} by {entry} reads outside"));
        }
        // A real folder elsewhere, such as the one of all temporary files, is the person's to name and takes long to read.
        let is_elsewhere = is_folder_elsewhere(place, payload);
        let tried =
            |words: &&&[&str]| !(is_elsewhere && words.contains(&"--workspace=@") || payload.is_empty());
        for words in COMMANDS.iter().filter(tried) {
            entries += 1;
            let typed: Vec<String> = words.iter().map(|word| word.replace('@', payload)).collect();
            let typed: Vec<&OsStr> = typed.iter().map(OsStr::new).collect();
            let output = inwit(&plan.program, place, &typed);
            let said = [output.stdout, output.stderr].concat();
            let reads = String::from_utf8_lossy(&said).contains(CANARY);
            // A folder that a person names with --workspace is theirs to read.
            let named = words.contains(&"--workspace=@");
            report.holds(!reads || named, || format!("{kind} {payload:?} by {words:?} reads outside"));
            report.holds(output.status.code().is_some(), || {
                format!("{kind} {payload:?} ended {words:?} by a signal")
            });
        }
        let after = seen_outside(place);
        report.holds(after == before, || format!("{kind} {payload:?} changed what lies outside"));
    }
    report.figure("names", payloads.len());
    report.figure("tries", entries);
    report.figure("engine operations that returned no error", accepted);
    report.figure("escapes", report.violations.len());
    report
}

/// Whether a payload is the path of a folder that is not the campaign's own.
fn is_folder_elsewhere(place: &Place, payload: &str) -> bool {
    let real = place.root().join(payload).canonicalize();
    let root = place.root().canonicalize();
    real.is_ok_and(|real| real.is_dir() && root.is_ok_and(|root| !real.starts_with(root)))
}

/// Canaries outside, and links, loops and pipes inside.
fn lay_traps(place: &Place) {
    let canary = format!("{CANARY}\n");
    for file in
        ["outside/canary.md", "inwit/agents/main/workspace_evil/x.md", ".ssh/id_rsa", "x.md", "MEMORY.md"]
    {
        fixture::put(place.root(), file, canary.as_bytes());
    }
    fixture::put(&place.root().join("inwit/agents/main"), "MEMORY.md", canary.as_bytes());
    let workspace = place.workspace();
    std::fs::create_dir_all(workspace.join("links")).expect("made");
    std::fs::create_dir_all(workspace.join("notes/folder.md")).expect("made");
    let link = |to: &Path, from: &str| std::os::unix::fs::symlink(to, workspace.join(from)).expect("linked");
    link(&place.root().join("outside/canary.md"), "links/passwd.md");
    link(&place.root().join("outside/new.md"), "links/dangling.md");
    link(&place.root().join("outside"), "linked");
    link(Path::new("notes"), "notes-link");
    link(Path::new("loop.md"), "links/loop.md");
    link(Path::new(".."), "links/up");
    link(&place.root().join("outside/canary.md"), "notes/canary.md");
    link(&place.root().join("outside"), "memory");
    link(&place.root().join("outside/canary.md"), "USER.md");
    let pipe = workspace.join("notes/pipe.md");
    mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
}

/// Everything outside of the agent's home: bytes and names.
fn seen_outside(place: &Place) -> Vec<(String, String)> {
    let folders = ["outside", "inwit/agents/main/workspace_evil", ".ssh"];
    let mut seen = Vec::new();
    for folder in folders {
        let tree = Tree::of(&place.root().join(folder));
        seen.extend(
            tree.bytes().into_iter().map(|(path, hash)| (format!("{folder}/{path}"), hash.to_owned())),
        );
    }
    let above = std::fs::read_dir(place.root()).expect("a folder").flatten();
    let ours = ["inwit", "state", "config"];
    let names = above.map(|entry| entry.file_name().to_string_lossy().into_owned());
    seen.extend(names.filter(|name| !ours.contains(&name.as_str())).map(|name| (name, String::new())));
    let agents = std::fs::read_dir(place.root().join("inwit/agents")).expect("a folder").flatten();
    // A folder that is named gets a home of its own, by its hash.
    let names = agents.map(|entry| entry.file_name().to_string_lossy().into_owned());
    seen.extend(names.filter(|name| !name.starts_with("ws-")).map(|name| (name, "agent".to_owned())));
    seen.sort();
    seen
}

type Answer = Result<String, EngineError>;

/// The payload through every entry of the engine.
fn engine(agent: &Agent, payload: &str) -> Vec<(&'static str, Answer)> {
    let owner = || WriteContext::of(Author::owner(&inwit_testkit::owner()));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let refused = |why: String| EngineError::new(Code::NameRefused, why);
    let name = || SafeName::parse(payload).map_err(|error| refused(error.to_string()));
    let mut answers: Vec<(&'static str, Answer)> = Vec::new();
    for scope in [Scope::Main, Scope::Shared] {
        let got = agent.notes.get(&scope, payload, Lines::default());
        answers.push(("get", got.map(|excerpt| text(excerpt.content))));
    }
    let entry = Entry { text: "by a payload", section: "Facts" };
    let remembered = agent.notes.remember(Some(payload), &entry, &owner());
    answers.push(("remember", remembered.map(|done| format!("{done:?}"))));
    answers.push(("put", talked(agent, Scope::Main, payload, payload)));
    answers.push((
        "history show",
        name().and_then(|name| agent.history.history_show(&Rev::Tip, &name)).map(text),
    ));
    answers.push((
        "blame",
        name().and_then(|name| agent.history.blame(&name, None)).map(|lines| format!("{lines:?}")),
    ));
    if let Ok(room) = RoomId::parse(payload) {
        answers.push(("a room", talked(agent, Scope::Room(room), payload, "notes/by-a-room.md")));
    }
    if let Ok(session) = SessionId::parse(payload) {
        let begun = agent.sessions.session_prompt(&session);
        answers.push(("a session", begun.map(|began| began.prefix.into_string())));
    }
    let id = AgentId::parse(payload).map(|id| id.to_string()).map_err(|error| refused(error.to_string()));
    answers.push(("an agent", id));
    answers
}

/// A short conversation in which the agent wishes to put a file; everything is called after the payload.
fn talked(agent: &Agent, scope: Scope, called: &str, file: &str) -> Answer {
    let alone = Start {
        session: SessionId::parse(called).ok(),
        surface: called.to_owned(),
        scope,
        room: Some(called.to_owned()),
        user: Some(called.to_owned()),
        agents: Vec::new(),
        project: None,
    };
    // A name that is no agent begins nothing, and the talk is had without it.
    let began = agent.sessions.session_start(&Start { agents: vec![called.to_owned()], ..alone.clone() });
    let session = match began {
        Err(error) if error.code == Code::AgentUnknown => agent.sessions.session_start(&alone),
        began => began,
    };
    let session = session.expect("a session begins whatever it is called").session.start.id;
    let base = agent.notes.get(&Scope::Main, file, Lines::default()).ok().map(|read| read.sha256);
    let wish =
        Wish::Put { file: file.to_owned(), content: "by a payload\n".into(), base, reason: String::new() };
    let turn = Turn {
        reads_unseen: false,
        user: Message { name: Some(called.to_owned()), text: "hello".into(), is_owner: Some(true) },
        reply: "hello".into(),
        tools: Vec::new(),
        wishes: vec![wish, Wish::Journal { text: "a payload was here".into() }],
    };
    let turned = agent.sessions.session_turn(&session, &turn)?;
    agent.sessions.session_end(&session)?;
    turned.wished.into_iter().next().transpose().map(|done| format!("{done:?}"))
}
