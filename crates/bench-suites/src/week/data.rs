//! A generated week: its sessions in order of time, and the probes that follow.
//!
//! `sessions.jsonl` holds one session a line, each file of probes one probe a line; docs/guides/benchmark.md describes
//! the fields. Invariant: a line that cannot be read is an error that names it.

use std::path::Path;

use inwit_home::HomeError;
use jiff::civil::DateTime;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::source;

/// The sessions of a week and its probes.
#[derive(Debug, Clone)]
pub struct Week {
    /// In order of their start.
    pub sessions: Vec<Session>,
    /// In the order of the file.
    pub probes: Vec<Probe>,
}

/// One conversation in one project.
#[derive(Debug, Clone, Deserialize)]
pub struct Session {
    /// Its id, such as `c07`.
    pub id: String,
    /// The folder in which the host runs.
    pub project: String,
    /// When it begins, in UTC.
    #[serde(deserialize_with = "moment")]
    pub start: DateTime,
    /// Its turns.
    pub turns: Vec<Turn>,
    /// Strings of decisions and results; one of them identifies the session.
    pub gist: Vec<String>,
    /// Statements that the agent asked to store.
    #[serde(default)]
    pub keeps: Vec<Keep>,
}

/// A prompt and the answer to it.
#[derive(Debug, Clone, Deserialize)]
pub struct Turn {
    /// What the user typed.
    pub user: String,
    /// What the agent answered.
    pub agent: String,
    /// Tools that it called before the answer.
    #[serde(default)]
    pub tools: Vec<ToolCall>,
    /// Minutes from the prompt to the answer.
    #[serde(default = "two")]
    pub minutes: i64,
}

/// A call of a host's tool, with what it printed.
#[derive(Debug, Clone, Deserialize)]
pub struct ToolCall {
    /// Such as `Bash`.
    pub name: String,
    /// What it was called with.
    pub input: String,
    /// What it printed.
    pub output: String,
}

/// A statement that the agent asked its memory to store.
#[derive(Debug, Clone, Deserialize)]
pub struct Keep {
    /// The turn, from 1.
    pub turn: usize,
    /// The statement.
    pub text: String,
}

/// A prompt of a new session after the week.
#[derive(Debug, Clone, Deserialize)]
pub struct Probe {
    /// Its id, such as `A07`.
    pub id: String,
    /// The folder in which it is asked.
    pub project: String,
    /// What the user types.
    pub prompt: String,
    /// Its kind, such as `paraphrase`; `none` if nothing in the week helps.
    pub kind: String,
    /// Alternatives that answer it; all strings of one alternative must be shown.
    #[serde(default)]
    pub evidence: Vec<Vec<String>>,
    /// Outdated strings.
    #[serde(default)]
    pub stale: Vec<String>,
}

impl Probe {
    /// Whether anything in the week helps.
    pub fn has_evidence(&self) -> bool {
        !self.evidence.is_empty()
    }
}

fn two() -> i64 {
    2
}

/// Reads the sessions in `folder`, and the probes of the files `probes` in it. Errors: those of reading, and
/// `usage_bad` for a line of another form.
pub fn read(folder: &Path, probes: &[&str]) -> Result<Week, HomeError> {
    let sessions = lines(&folder.join("sessions.jsonl"))?;
    let mut asked = Vec::new();
    for file in probes {
        asked.extend(lines(&folder.join(file))?);
    }
    Ok(Week { sessions, probes: asked })
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, HomeError> {
    let text = std::fs::read_to_string(path).map_err(|error| source::bad(path, &error.to_string()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| source::bad(path, &format!("line {}: {error}", at + 1)))
    });
    parsed.collect()
}

fn moment<'de, D: serde::Deserializer<'de>>(from: D) -> Result<DateTime, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(serde::de::Error::custom)
}
