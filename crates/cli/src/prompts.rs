//! Prompts of turns that are not over: a small file for each session of a host, taken when its turn is.
//!
//! A host writes its own log late, so that the turn before would be kept twice and this one not at all. What is private
//! never stands here. Invariant: what cannot be read or written only means that the host's log is believed.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_engine::hook::HeardPrompt;
use inwit_model::{SessionId, Sha256};

use crate::own;

/// Longest prompt that is kept, in bytes; of a longer one the host's log tells.
const PROMPT_BYTES_MAX: usize = 1024 * 1024;

/// How long a prompt is kept whose turn never ended, in hours.
const KEPT_HOURS_MAX: u64 = 24;

/// Hex digits of a session's hash in the name of its file.
const NAME_DIGITS: usize = 16;

/// Begins the file of a prompt in which something was private.
const PRIVATE: &str = "private\n";

/// Begins the file of any other.
const OPEN: &str = "open\n";

/// The folder of one home.
pub struct Prompts(PathBuf);

impl Prompts {
    /// In this home; nothing is made yet.
    pub fn of(home: &Path) -> Self {
        Self(home.join("prompts"))
    }

    fn file(&self, session: &SessionId) -> PathBuf {
        self.0.join(Sha256::of(session.as_str().as_bytes()).short(NAME_DIGITS))
    }

    /// Keeps the prompt of a turn that begins, in place of one whose turn never ended.
    pub fn keep(&self, session: &SessionId, heard: &HeardPrompt) {
        let write = || -> std::io::Result<()> {
            own::make_folder(&self.0)?;
            self.sweep();
            let mut draft = own::draft_in(&self.0)?;
            draft.write_all(if heard.had_private { PRIVATE } else { OPEN }.as_bytes())?;
            draft.write_all(heard.text.as_bytes())?;
            draft.persist(self.file(session)).map(drop).map_err(|error| error.error)
        };
        if heard.text.len() > PROMPT_BYTES_MAX || write().is_err() {
            let _ = fs::remove_file(self.file(session));
        }
    }

    /// The prompt of a turn that is over.
    pub fn take(&self, session: &SessionId) -> Option<HeardPrompt> {
        let path = self.file(session);
        let file = inwit_workspace::plain::open(&path).ok().flatten()?;
        let mut text = String::new();
        let read = file.take((PROMPT_BYTES_MAX + PRIVATE.len()) as u64).read_to_string(&mut text);
        let _ = fs::remove_file(&path);
        read.ok()?;
        let had_private = text.starts_with(PRIVATE);
        let text = text.strip_prefix(if had_private { PRIVATE } else { OPEN })?.to_owned();
        Some(HeardPrompt { text, had_private })
    }

    /// Takes away what was left of sessions that were killed.
    fn sweep(&self) {
        let most = Duration::from_secs(KEPT_HOURS_MAX * 60 * 60);
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let age =
                entry.metadata().and_then(|found| found.modified()).ok().and_then(|at| at.elapsed().ok());
            if age.is_some_and(|age| age > most) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_kept_until_its_turn_is_over() {
        let home = tempfile::tempdir().expect("a folder");
        let prompts = Prompts::of(home.path());
        let id = SessionId::parse("s1").expect("an id");
        assert_eq!(prompts.take(&id), None);
        for heard in [
            HeardPrompt { text: "open\nwhich?".to_owned(), had_private: false },
            HeardPrompt { text: "which?".to_owned(), had_private: true },
        ] {
            prompts.keep(&id, &HeardPrompt::default());
            prompts.keep(&id, &heard);
            assert_eq!(prompts.take(&id), Some(heard));
            assert_eq!(prompts.take(&id), None, "once");
        }
    }
}
