//! What is known of one session of a host: where its transcript lies, and which of its turns are kept.
//!
//! Invariants: no word that was said stands here, only hashes with a salt of their own; everything before `offset` in the
//! transcript is kept or was there before inwit heard of the session; `kept` is in the order in which the turns ended.

use inwit_engine::core::project::ProjectFolder;
use inwit_model::{Entropy as _, ProjectName, SessionId, Sha256};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::entropy::SystemEntropy;
use crate::limit::HOST_TURNS_NOTED_MAX;

/// Fewest bytes of a reply by which a turn is known although its prompt reads otherwise.
const REPLY_BYTES_MIN: usize = 24;

/// How far apart a host may report and write one prompt, in milliseconds.
const PROMPT_APART_MS_MAX: u64 = 5_000;

/// Hex digits of a hash of words.
const HASH_DIGITS: usize = 24;

/// One session, as it stands in its file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostSession {
    /// Counts the writes of the file.
    pub version: u64,
    /// The host's id of the session.
    pub host: String,
    /// The folder it works in: path and name.
    pub folder: Option<(String, String)>,
    /// Its transcript.
    pub path: String,
    /// The first byte of the transcript whose turn may not be kept.
    pub offset: u64,
    /// `offset` is inside of a line that is too long to be read.
    pub is_in_line: bool,
    /// A line of the transcript had a form that is read.
    pub is_known: bool,
    /// Turns that began before this are another session's, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Stands before the words of each hash.
    pub salt: String,
    /// Turns that are kept and stand behind `offset`, or will.
    pub kept: Vec<TurnMark>,
    /// The turn before `offset`, where it was taken before its end was known.
    pub open: Option<TurnMark>,
    /// A prompt came after `open`.
    pub is_open_over: bool,
    /// The reply of the last turn before `offset` that a hook kept: it may stand behind a prompt that joined that turn.
    pub reply_before: String,
    /// A prompt before `offset` was private and no answer came since, so that the next reply may answer it too.
    pub is_before_private: bool,
    /// A prompt was heard, and no end of its turn.
    pub has_prompt: bool,
    /// The host reported the end of the session.
    pub is_ended: bool,
    /// The size of the transcript at which all of its turns were kept.
    pub settled_bytes: Option<u64>,
    /// Why the transcript could not be read last time.
    pub failure: Option<String>,
    /// How often in a row it could not.
    pub tries: u32,
    /// When its last prompt was heard, in milliseconds since 1970.
    pub prompt_ms: Option<i64>,
    /// When a hook of the session was heard last, in milliseconds since 1970.
    pub noted_ms: i64,
}

/// A turn by its words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnMark {
    /// Hash of the prompt; empty where there is none.
    pub prompt: String,
    /// Hashes of what was typed at first and while the agent worked, where that was several texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// Hash of the reply; empty where there is none.
    pub reply: String,
    /// The reply is long enough to know the turn by.
    pub is_long: bool,
    /// A command or a notice of the host began it, or something that may be one.
    pub is_command: bool,
    /// Something in its prompt was private.
    pub is_private: bool,
    /// Its prompt alone is kept: no reply was known.
    pub is_prompt_only: bool,
    /// When its prompt was heard or written, in milliseconds since 1970.
    pub began_ms: Option<i64>,
    /// Its key, or the name under which it is held, so that it is noted once; empty where it has none.
    pub held_as: String,
}

impl TurnMark {
    /// Whether both have the same prompt, or one has a part of the other: a hook may report each text that the person typed
    /// or the first alone.
    pub fn is_asked_alike(&self, other: &Self) -> bool {
        let is_in = |one: &Self, other: &Self| {
            !one.prompt.is_empty() && (one.prompt == other.prompt || other.parts.contains(&one.prompt))
        };
        is_in(self, other) || is_in(other, self)
    }

    /// Whether both have the same reply and began at the same time: hosts may write a prompt otherwise than they report it.
    pub fn is_answered_alike(&self, other: &Self) -> bool {
        let apart = self.began_ms.zip(other.began_ms).map(|(one, other)| one.abs_diff(other));
        !self.reply.is_empty()
            && self.reply == other.reply
            && apart.is_some_and(|ms| ms <= PROMPT_APART_MS_MAX)
    }
}

impl HostSession {
    /// A session that is heard of for the first time.
    pub fn new(host: &SessionId, path: &str, now: Timestamp) -> Self {
        let salt: String = SystemEntropy.sixteen().iter().map(|byte| format!("{byte:02x}")).collect();
        let noted_ms = now.as_millisecond();
        Self { host: host.to_string(), path: path.to_owned(), salt, noted_ms, ..Self::default() }
    }

    /// The mark of a turn with these words, which are without what is private.
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

    /// Notes a turn that is kept, and what it is known by. Of too many, the oldest is forgotten.
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

    /// The folder it works in.
    pub fn project_folder(&self) -> Option<ProjectFolder> {
        let (path, name) = self.folder.clone()?;
        Some(ProjectFolder { path, name: ProjectName::parse(&name).ok()? })
    }
}
