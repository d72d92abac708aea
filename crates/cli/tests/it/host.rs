//! A host that calls the hooks as Claude Code does and writes a transcript, for tests that leave some of it out.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use inwit_testkit::Cli;
use serde_json::{Value, json};

use crate::user;

/// When the tests play.
pub(crate) const DAY: &str = "2026-11-24T";

/// A person with notes and a patient machine.
pub(crate) fn home() -> Cli {
    let patient = user().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    at(patient.env("INWIT_WORKSPACE_DIR", "$HOME/work/notes"), "10:00:00")
}

/// The same at another time of the day.
pub(crate) fn at(cli: Cli, time: &str) -> Cli {
    cli.env("INWIT_CLOCK", &format!("{DAY}{time}Z"))
}

/// A session of a host and its transcript.
pub(crate) struct Host {
    pub(crate) id: &'static str,
    pub(crate) path: PathBuf,
}

impl Host {
    pub(crate) fn new(cli: &Cli, id: &'static str) -> Self {
        Self { id, path: cli.home(&format!("{id}.jsonl")) }
    }

    /// Calls a hook.
    #[track_caller]
    pub(crate) fn hook(&self, cli: &Cli, moment: &str, fields: Value) {
        let mut input = json!({"session_id": self.id, "cwd": cli.work("shop"), "transcript_path": self.path});
        input.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
        let run = cli.run_with(["hook", moment], &input.to_string());
        assert_eq!(run.stderr(), "", "a host is not to be talked to");
        let _ = run.exits(0);
    }

    #[track_caller]
    pub(crate) fn start(&self, cli: &Cli, source: &str) {
        self.hook(cli, "session-start", json!({ "source": source }));
    }

    #[track_caller]
    pub(crate) fn prompt(&self, cli: &Cli, words: &str) {
        self.hook(cli, "user-prompt", json!({ "prompt": words }));
    }

    #[track_caller]
    pub(crate) fn stop(&self, cli: &Cli, reply: &str) {
        self.hook(cli, "stop", json!({ "last_assistant_message": reply }));
    }

    #[track_caller]
    pub(crate) fn end(&self, cli: &Cli) {
        self.hook(cli, "session-end", json!({"reason": "clear"}));
    }

    /// Adds bytes to the transcript.
    pub(crate) fn write(&self, text: &str) {
        let mut open = fs::OpenOptions::new();
        let mut file = open.append(true).create(true).open(&self.path).expect("opened");
        file.write_all(text.as_bytes()).expect("written");
        let day: jiff::Timestamp = format!("{DAY}10:00:30Z").parse().expect("a time");
        file.set_modified(day.into()).expect("set");
    }

    pub(crate) fn says(&self, time: &str, words: &str) {
        self.write(&said(time, words));
    }

    /// What the person typed while the agent worked.
    pub(crate) fn adds(&self, time: &str, words: &str) {
        let added = json!({"type": "queued_command", "prompt": words, "commandMode": "prompt"});
        let line = json!({"type": "attachment", "timestamp": format!("{DAY}{time}Z"), "attachment": added});
        self.write(&format!("{line}\n"));
    }

    pub(crate) fn answers(&self, words: &str) {
        self.write(&answered(words));
    }
}

pub(crate) fn said(time: &str, words: &str) -> String {
    let line = json!({"type": "user", "timestamp": format!("{DAY}{time}Z"), "message": {"role": "user", "content": words}});
    format!("{line}\n")
}

pub(crate) fn answered(words: &str) -> String {
    let parts = json!([{"type": "text", "text": words}]);
    let line = json!({"type": "assistant", "message": {"role": "assistant", "content": parts, "stop_reason": "end_turn"}});
    format!("{line}\n")
}

/// All daily logs.
pub(crate) fn logs(cli: &Cli) -> String {
    let files =
        fs::read_dir(cli.work("notes/memory")).expect("logs").map(|file| file.expect("a file").path());
    files.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).expect("text")).collect()
}

/// All transcripts of inwit.
pub(crate) fn transcripts(cli: &Cli) -> String {
    let agents = fs::read_dir(cli.home("inwit/agents")).expect("a home").flatten();
    let folders = agents.filter_map(|agent| fs::read_dir(agent.path().join("transcripts")).ok());
    let files = folders.flat_map(|folder| folder.flatten()).map(|file| file.path());
    files.filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Each of the words stands in the logs so often.
#[track_caller]
pub(crate) fn counted(cli: &Cli, words: &[(&str, usize)]) {
    let logs = logs(cli);
    for (text, count) in words {
        assert_eq!(logs.matches(text).count(), *count, "{text}: {logs}");
    }
}

/// So many turns stand in memory.db.
#[track_caller]
pub(crate) fn recorded(cli: &Cli, count: i64) {
    let mut agents =
        fs::read_dir(cli.home("inwit/agents")).expect("a home").map(|one| one.expect("one").path());
    let agent = agents.find(|path| path.join("memory.db").exists()).expect("an agent");
    let db = rusqlite::Connection::open(agent.join("memory.db")).expect("opened");
    let turns = db.query_row("SELECT sum(turns) FROM sessions", [], |row| row.get::<_, i64>(0));
    assert_eq!(turns.expect("a sum"), count);
}

/// A command as Claude Code writes it down.
pub(crate) fn command(name: &str, arguments: &str) -> String {
    format!(
        "<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
    )
}
