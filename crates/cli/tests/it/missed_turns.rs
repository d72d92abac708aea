//! Turns that no hook reported, taken from the host's own transcript by the next hook.
//!
//! A hook was killed, timed out or was never called, and the turn was in no log of inwit although the host had written it
//! down. Each test is a host that calls the hooks as Claude Code does, but for those that are missing.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use inwit_testkit::Cli;
use serde_json::{Value, json};

use crate::user;

/// When the tests play.
const DAY: &str = "2026-11-24T";

/// A person with notes and a patient machine.
fn home() -> Cli {
    let patient = user().env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    at(patient.env("INWIT_WORKSPACE_DIR", "$HOME/work/notes"), "10:00:00")
}

/// The same at another time of the day.
fn at(cli: Cli, time: &str) -> Cli {
    cli.env("INWIT_CLOCK", &format!("{DAY}{time}Z"))
}

/// A session of a host and its transcript.
struct Host {
    id: &'static str,
    path: PathBuf,
}

impl Host {
    fn new(cli: &Cli, id: &'static str) -> Self {
        Self { id, path: cli.home(&format!("{id}.jsonl")) }
    }

    /// Calls a hook.
    #[track_caller]
    fn hook(&self, cli: &Cli, moment: &str, fields: Value) {
        let mut input = json!({"session_id": self.id, "cwd": cli.work("shop"), "transcript_path": self.path});
        input.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
        let run = cli.run_with(["hook", moment], &input.to_string());
        assert_eq!(run.stderr(), "", "a host is not to be talked to");
        let _ = run.exits(0);
    }

    #[track_caller]
    fn start(&self, cli: &Cli, source: &str) {
        self.hook(cli, "session-start", json!({ "source": source }));
    }

    #[track_caller]
    fn prompt(&self, cli: &Cli, words: &str) {
        self.hook(cli, "user-prompt", json!({ "prompt": words }));
    }

    #[track_caller]
    fn stop(&self, cli: &Cli, reply: &str) {
        self.hook(cli, "stop", json!({ "last_assistant_message": reply }));
    }

    #[track_caller]
    fn end(&self, cli: &Cli) {
        self.hook(cli, "session-end", json!({"reason": "clear"}));
    }

    /// Adds bytes to the transcript.
    fn write(&self, text: &str) {
        let mut open = fs::OpenOptions::new();
        let mut file = open.append(true).create(true).open(&self.path).expect("opened");
        file.write_all(text.as_bytes()).expect("written");
        let day: jiff::Timestamp = format!("{DAY}10:00:30Z").parse().expect("a time");
        file.set_modified(day.into()).expect("set");
    }

    fn says(&self, time: &str, words: &str) {
        self.write(&said(time, words));
    }

    fn answers(&self, words: &str) {
        self.write(&answered(words));
    }
}

fn said(time: &str, words: &str) -> String {
    let line = json!({"type": "user", "timestamp": format!("{DAY}{time}Z"), "message": {"role": "user", "content": words}});
    format!("{line}\n")
}

fn answered(words: &str) -> String {
    let parts = json!([{"type": "text", "text": words}]);
    let line = json!({"type": "assistant", "message": {"role": "assistant", "content": parts, "stop_reason": "end_turn"}});
    format!("{line}\n")
}

/// All daily logs.
fn logs(cli: &Cli) -> String {
    let files =
        fs::read_dir(cli.work("notes/memory")).expect("logs").map(|file| file.expect("a file").path());
    files.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).expect("text")).collect()
}

/// Each of the words stands in the logs so often.
#[track_caller]
fn counted(cli: &Cli, words: &[(&str, usize)]) {
    let logs = logs(cli);
    for (text, count) in words {
        assert_eq!(logs.matches(text).count(), *count, "{text}: {logs}");
    }
}

#[test]
fn a_turn_whose_end_was_never_reported_is_kept_once_when_the_next_session_begins() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    for id in ["two", "three"] {
        Host::new(&cli, id).start(&cli, "startup");
        counted(&cli, &[("Where is the peel?", 1), ("Behind the oven.", 1)]);
    }
    cli.run(["doctor"]).hides("hook_failed").hides("transcript_unread");
}

#[test]
fn turns_that_were_all_reported_are_kept_once() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    // The first is written before it is reported, the second late, the third in between.
    host.prompt(&cli, "Where is the peel?");
    host.says("10:00:10", "Where is the peel?");
    host.answers("Behind the oven.");
    host.stop(&cli, "Behind the oven.");
    host.prompt(&cli, "yes");
    host.stop(&cli, "It hangs there now.");
    host.says("10:00:20", "yes");
    host.answers("It hangs there now.");
    host.prompt(&cli, "yes");
    host.says("10:00:30", "yes");
    host.stop(&cli, "The scale is on the shelf.");
    Host::new(&cli, "two").start(&cli, "startup");
    host.answers("The scale is on the shelf.");
    host.end(&cli);
    Host::new(&cli, "three").start(&cli, "startup");
    let once =
        ["Where is the peel?", "Behind the oven.", "It hangs there now.", "The scale is on the shelf."];
    counted(&cli, &once.map(|words| (words, 1)));
}

/// Claude Code reports no end of a turn that the person interrupts.
#[test]
fn a_turn_that_was_interrupted_is_kept_with_the_turn_after_it() {
    let cli = home();
    let host = Host::new(&cli, "one");
    host.start(&cli, "startup");
    host.prompt(&cli, "Move the peel.");
    host.says("10:00:10", "Move the peel.");
    host.answers("It hangs behind the oven.");
    host.says("10:00:15", "[Request interrupted by user]");
    host.prompt(&cli, "Not there, on the shelf.");
    host.says("10:00:20", "Not there, on the shelf.");
    host.answers("Moved to the shelf.");
    host.stop(&cli, "Moved to the shelf.");
    host.end(&cli);
    let once =
        ["Move the peel.", "It hangs behind the oven.", "Not there, on the shelf.", "Moved to the shelf."];
    counted(&cli, &once.map(|words| (words, 1)));
    let logs = logs(&cli);
    assert!(logs.find("Move the peel.") < logs.find("Not there, on the shelf."), "in order: {logs}");
}
