//! The message of a conversation that has no reply yet, in the file of its live session.
//!
//! A process may be killed while the model answers. Invariants: the message is on the disk before the model is asked, without
//! its private parts; it is recorded once, and not if its turn was recorded.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use inwit_engine::EngineError;
use inwit_engine::sessions::hook::fence;
use inwit_engine::sessions::session::{Message, Turn, Turned};
use inwit_model::SessionId;
use inwit_workspace::plain;
use serde::{Deserialize, Serialize};

use crate::open::OpenAgent;

/// Largest file, in bytes: the longest message, with escapes.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A message before its reply.
#[derive(Debug, Serialize, Deserialize)]
pub struct PendingMessage {
    /// Number of turns of the session before it.
    turns: u64,
    text: String,
    is_owner: Option<bool>,
}

impl PendingMessage {
    /// The message `text` of the session `id`. Errors: those of reading the session.
    pub fn of(
        opened: &OpenAgent,
        id: &SessionId,
        text: &str,
        is_owner: Option<bool>,
    ) -> Result<Self, EngineError> {
        let turns = opened.agent.sessions.session_turns(id)?;
        Ok(Self { turns, text: fence::public(text).text, is_owner })
    }

    /// Writes it, synced.
    pub(crate) fn write(&self, file: &File) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        file.set_len(0)?;
        file.write_all_at(&bytes, 0)?;
        file.sync_data()
    }

    /// Reads one. `None` if there is none, or half of one.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let file = plain::open(path).ok().flatten()?;
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Records it as a turn without a reply. `None` if its turn was recorded. Errors: those of recording.
    pub(crate) fn record(&self, opened: &OpenAgent, id: &SessionId) -> Result<Option<Turned>, EngineError> {
        let sessions = &opened.agent.sessions;
        if self.text.trim().is_empty() || sessions.session_turns(id)? != self.turns {
            return Ok(None);
        }
        let user = Message { text: self.text.clone(), is_owner: self.is_owner, ..Message::default() };
        sessions.session_turn(id, &Turn { user, ..Turn::default() }).map(Some)
    }

    /// Its beginning, for a notice.
    pub(crate) fn shown(&self) -> String {
        const CHARS_MAX: usize = 200;
        let line = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut = if line.chars().count() > CHARS_MAX { "…" } else { "" };
        format!("{}{cut}", line.chars().take(CHARS_MAX).collect::<String>())
    }
}
