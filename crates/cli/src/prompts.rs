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

/// Begins the file of a turn that is over, in which something was private: its host may report its end once more.
const TAKEN: &str = "taken\n";

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

    /// Keeps the prompt of a turn that begins. One whose turn never ended gives way, but for the fact that it was private:
    /// the reply may answer both.
    pub fn keep(&self, session: &SessionId, heard: &HeardPrompt) {
        let is_private =
            heard.had_private || self.read(session).is_some_and(|text| text.starts_with(PRIVATE));
        if heard.text.len() > PROMPT_BYTES_MAX {
            let _ = fs::remove_file(self.file(session));
        } else {
            self.write(session, if is_private { PRIVATE } else { OPEN }, &heard.text);
        }
    }

    /// The prompt of a turn that is over. A private one is known until the next prompt, without its words.
    pub fn take(&self, session: &SessionId) -> Option<HeardPrompt> {
        let text = self.read(session)?;
        if let Some(open) = text.strip_prefix(OPEN) {
            let _ = fs::remove_file(self.file(session));
            return Some(HeardPrompt { text: open.to_owned(), had_private: false });
        }
        let text = text.strip_prefix(PRIVATE).or_else(|| text.strip_prefix(TAKEN))?.to_owned();
        self.write(session, TAKEN, "");
        Some(HeardPrompt { text, had_private: true })
    }

    /// The words of the prompt whose turn is not over. It stays.
    pub fn words(&self, session: &SessionId) -> Option<String> {
        let text = self.read(session)?;
        let words = text.strip_prefix(OPEN).or_else(|| text.strip_prefix(PRIVATE))?;
        Some(words.to_owned()).filter(|words| !words.is_empty())
    }

    fn read(&self, session: &SessionId) -> Option<String> {
        let file = inwit_workspace::plain::open(&self.file(session)).ok().flatten()?;
        let mut text = String::new();
        file.take((PROMPT_BYTES_MAX + PRIVATE.len()) as u64).read_to_string(&mut text).ok()?;
        Some(text)
    }

    fn write(&self, session: &SessionId, mark: &str, text: &str) {
        let write = || -> std::io::Result<()> {
            own::make_folder(&self.0)?;
            self.sweep();
            let mut draft = own::draft_in(&self.0)?;
            draft.write_all(mark.as_bytes())?;
            draft.write_all(text.as_bytes())?;
            draft.persist(self.file(session)).map(drop).map_err(|error| error.error)
        };
        if write().is_err() {
            let _ = fs::remove_file(self.file(session));
        }
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
        let open = HeardPrompt { text: "open\nwhich?".to_owned(), had_private: false };
        prompts.keep(&id, &HeardPrompt::default());
        prompts.keep(&id, &open);
        assert_eq!(prompts.take(&id), Some(open));
        assert_eq!(prompts.take(&id), None, "once");
    }

    /// A host may send a second prompt before the turn ends, and may report the end of a turn twice.
    #[test]
    fn a_private_prompt_is_known_until_the_next_turn() {
        let home = tempfile::tempdir().expect("a folder");
        let prompts = Prompts::of(home.path());
        let id = SessionId::parse("s1").expect("an id");
        let heard = |text: &str, had_private| HeardPrompt { text: text.to_owned(), had_private };
        prompts.keep(&id, &heard("my pin is", true));
        prompts.keep(&id, &heard("go on", false));
        assert_eq!(prompts.take(&id), Some(heard("go on", true)));
        assert_eq!(prompts.take(&id), Some(heard("", true)), "the end of the same turn once more");
        prompts.keep(&id, &heard("which?", false));
        assert_eq!(prompts.take(&id), Some(heard("which?", false)));
    }
}
