//! The state of one host session: its transcript, and which turns are recorded.
//!
//! Invariants: it has only hashes with a separate salt, no text; everything before `offset` in the transcript is
//! recorded or older than the session; `kept` is in order of the turns' ends.

use inwit_engine::core::project::ProjectFolder;
use inwit_model::{Entropy as _, ProjectName, SessionId, Sha256};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::entropy::SystemEntropy;
use crate::limit::HOST_TURNS_NOTED_MAX;

/// Fewest bytes of a reply that identifies a turn with a different prompt.
const REPLY_BYTES_MIN: usize = 24;

/// Largest difference between the reported and the written time of a prompt, in milliseconds.
const PROMPT_APART_MS_MAX: u64 = 5_000;

/// Hex digits of a hash.
const HASH_DIGITS: usize = 24;

/// One session, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostSession {
    /// Number of writes of the file.
    pub version: u64,
    /// The host's id of the session.
    pub host: String,
    /// Its working folder: path and name.
    pub folder: Option<(String, String)>,
    /// Its transcript.
    pub path: String,
    /// Offset of the first turn that may be unrecorded.
    pub offset: u64,
    /// Whether `offset` is inside a too long line.
    pub is_in_line: bool,
    /// Whether a line had a known format.
    pub is_known: bool,
    /// Turns before this time belong to another session; milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Salt of the hashes.
    pub salt: String,
    /// Recorded turns after `offset`.
    pub kept: Vec<TurnMark>,
    /// The turn before `offset`, if its end was unknown when it was taken.
    pub open: Option<TurnMark>,
    /// A prompt came after `open`.
    pub is_open_over: bool,
    /// Reply of the last turn before `offset` that a hook recorded: it may follow a prompt added to that turn.
    pub reply_before: String,
    /// An unanswered prompt before `offset` was private, so the next reply may answer it too.
    pub is_before_private: bool,
    /// Whether a prompt came whose turn has not ended.
    pub has_prompt: bool,
    /// The host reported the end of the session.
    pub is_ended: bool,
    /// Transcript size at which all turns were recorded.
    pub settled_bytes: Option<u64>,
    /// Why the transcript could not be read last time.
    pub failure: Option<String>,
    /// Number of consecutive failures.
    pub tries: u32,
    /// Time of its last prompt, in milliseconds since 1970.
    pub prompt_ms: Option<i64>,
    /// Time of its last hook, in milliseconds since 1970.
    pub noted_ms: i64,
}

/// The identity of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnMark {
    /// Hash of the prompt; empty if there is none.
    pub prompt: String,
    /// Hashes of the texts typed first and during the agent's work, if several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// Hash of the reply; empty if there is none.
    pub reply: String,
    /// Whether the reply is long enough to identify the turn.
    pub is_long: bool,
    /// Whether a command or notice of the host may have started it.
    pub is_command: bool,
    /// Whether part of its prompt was private.
    pub is_private: bool,
    /// Whether only its prompt is recorded.
    pub is_prompt_only: bool,
    /// Time of its prompt, in milliseconds since 1970.
    pub began_ms: Option<i64>,
    /// Its key or spool name, so that it is noted once; empty if it has none.
    pub held_as: String,
}

impl TurnMark {
    /// Whether both have the same prompt, or one has a part of the other: a hook may report each typed text or only
    /// the first.
    pub fn is_asked_alike(&self, other: &Self) -> bool {
        let is_in = |one: &Self, other: &Self| {
            !one.prompt.is_empty() && (one.prompt == other.prompt || other.parts.contains(&one.prompt))
        };
        is_in(self, other) || is_in(other, self)
    }

    /// Whether both have the same reply and start time: hosts may write a prompt in another form than they report it.
    pub fn is_answered_alike(&self, other: &Self) -> bool {
        let apart = self.began_ms.zip(other.began_ms).map(|(one, other)| one.abs_diff(other));
        !self.reply.is_empty()
            && self.reply == other.reply
            && apart.is_some_and(|ms| ms <= PROMPT_APART_MS_MAX)
    }
}

impl HostSession {
    /// A new session.
    pub fn new(host: &SessionId, path: &str, now: Timestamp) -> Self {
        let salt: String = SystemEntropy.sixteen().iter().map(|byte| format!("{byte:02x}")).collect();
        let noted_ms = now.as_millisecond();
        Self { host: host.to_string(), path: path.to_owned(), salt, noted_ms, ..Self::default() }
    }

    /// The mark of a turn, from its text without private parts.
    pub fn mark(&self, user: &str, reply: &str) -> TurnMark {
        TurnMark {
            prompt: self.hash(user),
            reply: self.hash(reply),
            is_long: reply.len() >= REPLY_BYTES_MIN,
            is_command: user.is_empty() || user.starts_with('/'),
            ..TurnMark::default()
        }
    }

    fn hash(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        Sha256::of(format!("{}\n{text}", self.salt).as_bytes()).short(HASH_DIGITS)
    }

    /// Notes a recorded turn. Beyond the limit the oldest is dropped.
    pub fn note_kept(&mut self, user: &str, reply: &str, held_as: &str) {
        let is_same = |kept: &TurnMark| !held_as.is_empty() && kept.held_as == held_as;
        if self.kept.iter().any(is_same) {
            return;
        }
        let mark =
            TurnMark { held_as: held_as.to_owned(), began_ms: self.prompt_ms, ..self.mark(user, reply) };
        self.kept.push(mark);
        let over = self.kept.len().saturating_sub(HOST_TURNS_NOTED_MAX);
        self.kept.drain(..over);
        self.has_prompt = false;
        self.settled_bytes = None;
    }

    /// Its working folder.
    pub fn project_folder(&self) -> Option<ProjectFolder> {
        let (path, name) = self.folder.clone()?;
        Some(ProjectFolder { path, name: ProjectName::parse(&name).ok()? })
    }
}
