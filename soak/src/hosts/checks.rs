//! What must hold after a run and at the end, judged by requests and files.
//!
//! Invariant: a check that found nothing to judge is a violation, or nobody would notice a campaign that went blind.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use serde_json::Value;

use super::script::{NEVER_TYPED, TYPED, Turn, names_of_the_other};
use super::stub::Recorded;
use super::user::User;

/// What a hook says that met the lock of another process.
const LOCKS: [&str; 2] = ["memory.db is locked by", "another process is writing to this workspace"];

/// Violations and figures so far.
#[derive(Debug, Default)]
pub struct Outcome {
    broken: Vec<String>,
    figures: Vec<(String, String)>,
}

impl Outcome {
    /// A violation unless `held`.
    pub fn holds(&mut self, held: bool, what: impl FnOnce() -> String) {
        if !held {
            self.broken.push(what());
        }
    }

    /// A figure, in the order of the row.
    pub fn figure(&mut self, what: &str, figure: impl Display) {
        self.figures.push((what.to_owned(), figure.to_string()));
    }

    /// The violations, one sentence each.
    pub fn broken(&self) -> &[String] {
        &self.broken
    }

    /// The figures: name and value.
    pub fn figures(&self) -> &[(String, String)] {
        &self.figures
    }
}

/// What the requests of one turn hold: its evidence, added by inwit or said earlier in the same session, and no name of the
/// other project.
pub fn context(outcome: &mut Outcome, turn: &Turn, recorded: &[Recorded]) {
    let of_turn: Vec<&Recorded> =
        recorded.iter().filter(|request| request.prompt.as_ref() == Some(&turn.prompt)).collect();
    outcome.holds(!of_turn.is_empty(), || format!("no request has `{}`", turn.prompt));
    for name in names_of_the_other(turn.project) {
        let leaked = of_turn.iter().any(|request| request.context.contains(name));
        outcome.holds(!leaked, || format!("`{}` came with `{name}` of the other project", turn.prompt));
    }
    if let Some(evidence) = turn.evidence {
        let reached = |request: &&Recorded| match turn.call {
            Some(_) => request.returned.iter().any(|text| text.contains(evidence)),
            None => {
                let said = || request.typed_before.iter().any(|text| text.contains(evidence));
                request.context.contains(evidence) || said()
            }
        };
        outcome.holds(of_turn.iter().any(reached), || format!("`{}` came without `{evidence}`", turn.prompt));
    }
}

/// How often a prompt with its reply stands in the transcripts and in the daily logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Prompts in transcripts.
    pub prompts: usize,
    /// Replies in transcripts.
    pub replies: usize,
    /// Prompts in daily logs.
    pub logged: usize,
}

impl Kept {
    /// Each once.
    pub const ONCE: Self = Self { prompts: 1, replies: 1, logged: 1 };
}

/// Everything that inwit kept of what was said.
pub struct Logs {
    entries: BTreeMap<(String, String), usize>,
    daily: Vec<String>,
}

impl Logs {
    /// Reads the transcripts and daily logs of an agent's home.
    ///
    /// # Panics
    /// When a transcript cannot be read.
    #[track_caller]
    pub fn read(agent: &Path) -> Self {
        let mut entries = BTreeMap::new();
        for line in texts(&agent.join("transcripts")).iter().flat_map(|text| text.lines()) {
            let entry: Value = serde_json::from_str(line).expect("a line of a transcript");
            if let (Some(role), Some(content)) = (entry["role"].as_str(), entry["content"].as_str()) {
                *entries.entry((role.to_owned(), content.to_owned())).or_default() += 1;
            }
        }
        let daily = texts(&agent.join("workspace/memory"));
        Self { entries, daily: daily.iter().flat_map(|text| text.lines()).map(str::to_owned).collect() }
    }

    /// How often this turn stands in them.
    pub fn kept(&self, turn: &Turn) -> Kept {
        let count =
            |role: &str, text: &str| self.entries.get(&(role.to_owned(), text.to_owned())).map_or(0, |n| *n);
        let line = format!("- user: {}", turn.prompt);
        Kept {
            prompts: count("user", &turn.prompt),
            replies: count("assistant", &turn.reply),
            logged: self.daily.iter().filter(|found| **found == line).count(),
        }
    }
}

/// The texts of the files in a folder.
fn texts(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|path| path.is_file()).filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// What was asked to be kept: the typed statement is in MEMORY.md, the other one waits.
pub fn remembered(outcome: &mut Outcome, user: &User, recorded: &[Recorded]) {
    let returned = |state: &str| {
        let state = format!("\"outcome\":\"{state}\"");
        recorded.iter().flat_map(|request| &request.returned).filter(|text| text.contains(&state)).count()
    };
    let memory = std::fs::read_to_string(user.agent().join("workspace/MEMORY.md")).unwrap_or_default();
    outcome
        .holds(memory.matches(TYPED).count() == 1, || format!("MEMORY.md has not `{TYPED}` once: {memory}"));
    outcome.holds(!memory.contains(NEVER_TYPED), || format!("MEMORY.md has `{NEVER_TYPED}`"));
    let inbox = user.inwit(&["inbox"]);
    let inbox = String::from_utf8_lossy(&inbox.stdout).into_owned();
    outcome.holds(inbox.contains(NEVER_TYPED), || format!("the inbox has not `{NEVER_TYPED}`: {inbox}"));
    outcome.figure(
        "statements written immediately / waiting",
        format!("{} / {}", returned("applied"), returned("pending")),
    );
}

/// `inwit doctor` ends with 0 and has no finding but the expected ones; no hook has left a line in its log of failures,
/// except that it met a lock, where some runs `met_locks`. What such a hook left undone is judged by the logs.
pub fn health(outcome: &mut Outcome, user: &User, met_locks: bool) {
    let is_lock = |line: &str| met_locks && LOCKS.iter().any(|lock| line.contains(lock));
    let doctor = user.inwit(&["doctor", "--json"]);
    let found: Value = serde_json::from_slice(&doctor.stdout).unwrap_or_default();
    outcome.holds(doctor.status.success(), || format!("doctor ended with {}: {found}", doctor.status));
    outcome.holds(found["findings"].is_array(), || format!("doctor has no findings: {found}"));
    for finding in found["findings"].as_array().into_iter().flatten() {
        let [check, message] = ["check", "message"].map(|field| finding[field].as_str());
        let message = message.unwrap_or_default();
        match check {
            Some("bootstrap") => {}
            Some("hook_failed") if is_lock(message) => {}
            _ => outcome.holds(false, || format!("doctor found {finding}")),
        }
    }
    let log = user.read(".local/state/inwit/hook.log");
    let (locked, failures): (Vec<&str>, Vec<&str>) = log.lines().partition(|line| is_lock(line));
    if met_locks {
        outcome.figure("lines of hooks that met a lock", locked.len());
    }
    outcome.holds(failures.is_empty(), || format!("hooks failed: {}", failures.join(" ")));
}
