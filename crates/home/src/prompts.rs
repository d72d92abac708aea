//! The last prompt of each host session, in a small file; its text until its turn ends.
//!
//! A host writes its own log late, so reading only the log would record the previous turn twice and the current one
//! not at all. Hooks may run twice for one event, so the id of a prompt and the hash of its reply stay until the next
//! prompt. Private text is never stored here. Invariant: if a file cannot be read or written, the host's log is used
//! instead.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_engine::core::spool::{EndedPrompt, HeardPrompt};
use inwit_model::{Entropy as _, SessionId, Sha256};

use crate::entropy::SystemEntropy;
use crate::own;

/// Longest stored prompt, in bytes; a longer one is read from the host's log.
const PROMPT_BYTES_MAX: usize = 1024 * 1024;

/// How long the prompt of a turn that never ended is kept, in hours.
const KEPT_HOURS_MAX: u64 = 24;

/// Hex digits of a session's hash in the name of its file.
const NAME_DIGITS: usize = 16;

/// Longest first line of a file, in bytes.
const HEAD_BYTES_MAX: usize = 128;

/// Hex digits of a reply's hash.
const REPLY_DIGITS: usize = 24;

/// State of a prompt's turn: the first word of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The turn is running.
    Open,
    /// It is running, and part of the prompt was private.
    Private,
    /// It has ended. Its host may report that again.
    Over,
    /// It has ended, and part of the prompt was private.
    PrivateOver,
}

impl State {
    const ALL: [Self; 4] = [Self::Open, Self::Private, Self::Over, Self::PrivateOver];

    fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Private => "private",
            Self::Over => "over",
            Self::PrivateOver => "private-over",
        }
    }

    fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::PrivateOver)
    }
}

/// A file: a line with the state, the id of the prompt and the hash of the last reply, then the text.
struct PromptFile {
    state: State,
    id: String,
    reply: String,
    text: String,
}

impl PromptFile {
    fn parse(text: &str) -> Option<Self> {
        let (head, text) = text.split_once('\n')?;
        let mut parts = head.split(' ').map(str::to_owned);
        let (state, id, reply) = (parts.next()?, parts.next()?, parts.next()?);
        let state = State::ALL.into_iter().find(|known| known.word() == state)?;
        Some(Self { state, id, reply, text: text.to_owned() })
    }
}

/// The folder of one home.
pub struct Prompts(PathBuf);

impl Prompts {
    /// In this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self(home.join("prompts"))
    }

    fn file(&self, session: &SessionId) -> PathBuf {
        self.0.join(Sha256::of(session.as_str().as_bytes()).short(NAME_DIGITS))
    }

    /// Stores the prompt of a new turn. The same prompt again, before its turn ends, is the same turn. A new prompt
    /// replaces one whose turn never ended, but keeps the mark of private text, because the reply may answer both.
    pub fn keep(&self, session: &SessionId, heard: &HeardPrompt) {
        let open = self.read(session).filter(|file| !file.state.is_over());
        let is_private = heard.had_private || open.as_ref().is_some_and(|open| open.state == State::Private);
        if heard.text.len() > PROMPT_BYTES_MAX {
            let _ = fs::remove_file(self.file(session));
            if is_private {
                let (reply, text) = (String::new(), String::new());
                self.write(session, &PromptFile { state: State::Private, id: new_id(), reply, text });
            }
            return;
        }
        let id = open.filter(|open| open.text == heard.text).map_or_else(new_id, |open| open.id);
        let state = if is_private { State::Private } else { State::Open };
        self.write(session, &PromptFile { state, id, reply: String::new(), text: heard.text.clone() });
    }

    /// The prompt of a turn that ended with this reply. Its text is returned once; the mark of private text stays
    /// until the next prompt.
    pub fn take(&self, session: &SessionId, reply: &str) -> Option<EndedPrompt> {
        let file = self.read(session)?;
        let reply = Sha256::of(format!("{}\n{reply}", file.id).as_bytes()).short(REPLY_DIGITS);
        let had_private = matches!(file.state, State::Private | State::PrivateOver);
        let is_repeat = file.state.is_over() && file.reply == reply;
        if !is_repeat {
            let state = if had_private { State::PrivateOver } else { State::Over };
            self.write(session, &PromptFile { state, id: file.id.clone(), reply, text: String::new() });
        }
        let heard = (file.state != State::Over).then_some(HeardPrompt { text: file.text, had_private });
        Some(EndedPrompt { id: file.id, heard, is_repeat })
    }

    /// The text of the prompt whose turn is running. It is not removed.
    pub fn words(&self, session: &SessionId) -> Option<String> {
        let file = self.read(session).filter(|file| !file.state.is_over())?;
        Some(file.text).filter(|words| !words.is_empty())
    }

    fn read(&self, session: &SessionId) -> Option<PromptFile> {
        let file = inwit_workspace::plain::open(&self.file(session)).ok().flatten()?;
        let mut text = String::new();
        file.take((PROMPT_BYTES_MAX + HEAD_BYTES_MAX) as u64).read_to_string(&mut text).ok()?;
        PromptFile::parse(&text)
    }

    fn write(&self, session: &SessionId, file: &PromptFile) {
        let write = || -> std::io::Result<()> {
            own::make_folder(&self.0)?;
            // Leftovers of killed sessions.
            own::remove_older(&self.0, Duration::from_secs(KEPT_HOURS_MAX * 60 * 60));
            let mut draft = own::draft_in(&self.0)?;
            writeln!(draft, "{} {} {}", file.state.word(), file.id, file.reply)?;
            draft.write_all(file.text.as_bytes())?;
            draft.persist(self.file(session)).map(drop).map_err(|error| error.error)
        };
        if write().is_err() {
            let _ = fs::remove_file(self.file(session));
        }
    }
}

fn new_id() -> String {
    SystemEntropy.sixteen().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use inwit_model::Clock as _;

    use super::*;
    use crate::clock::SystemClock;

    fn heard(text: &str, had_private: bool) -> HeardPrompt {
        HeardPrompt { text: text.to_owned(), had_private }
    }

    #[test]
    fn a_prompt_is_kept_until_its_turn_is_over() {
        let home = tempfile::tempdir().expect("a folder");
        let prompts = Prompts::of(home.path());
        let id = SessionId::parse("s1").expect("an id");
        assert_eq!(prompts.take(&id, ""), None);
        let open = heard("open\nwhich?", false);
        prompts.keep(&id, &HeardPrompt::default());
        prompts.keep(&id, &open);
        let first = prompts.take(&id, "Rye.").expect("a prompt");
        assert_eq!((first.heard, first.is_repeat), (Some(open), false));
        let file = fs::read_to_string(prompts.file(&id)).expect("a file");
        assert!(!file.contains("which"), "its words are gone: {file}");
    }

    /// Each hook may run twice, and a host that continues working reports a second end.
    #[test]
    fn an_end_that_is_reported_again_is_a_repeat_until_the_next_prompt() {
        let home = tempfile::tempdir().expect("a folder");
        let prompts = Prompts::of(home.path());
        let id = SessionId::parse("s1").expect("an id");
        let take = |reply| prompts.take(&id, reply).expect("a prompt");
        (0..2).for_each(|_| prompts.keep(&id, &heard("go on", false)));
        let first = take("Done.");
        for (reply, is_repeat) in [("Done.", true), ("More.", false), ("More.", true)] {
            let again = take(reply);
            assert_eq!((&again.id, again.heard, again.is_repeat), (&first.id, None, is_repeat), "{reply}");
        }
        prompts.keep(&id, &heard("go on", false));
        let next = take("More.");
        assert!(next.id != first.id && !next.is_repeat && next.heard.is_some());
    }

    /// A host may send a second prompt before the turn ends, and may report the end of a turn twice.
    #[test]
    fn a_private_prompt_is_known_until_the_next_turn() {
        let home = tempfile::tempdir().expect("a folder");
        let prompts = Prompts::of(home.path());
        let id = SessionId::parse("s1").expect("an id");
        let take = |reply| prompts.take(&id, reply).and_then(|ended| ended.heard);
        prompts.keep(&id, &heard("my pin is", true));
        prompts.keep(&id, &heard("go on", false));
        assert_eq!(take(""), Some(heard("go on", true)));
        assert_eq!(take("Done."), Some(heard("", true)), "the end of the same turn once more");
        prompts.keep(&id, &heard("which?", false));
        assert_eq!(take(""), Some(heard("which?", false)));
    }

    /// The text of a user whose host was killed stays for a day; a prompt that is too long is not stored.
    #[test]
    fn no_prompt_is_kept_for_ever_and_none_that_is_too_long() {
        let home = tempfile::tempdir().expect("a folder");
        let prompts = Prompts::of(home.path());
        let [left, long] = ["left", "long"].map(|id| SessionId::parse(id).expect("an id"));
        prompts.keep(&left, &heard("which?", false));
        let file = fs::File::options().append(true).open(prompts.file(&left)).expect("a file");
        let now = std::time::SystemTime::from(SystemClock.now());
        let hours = |hours| now - Duration::from_secs(hours * 60 * 60);
        file.set_modified(hours(KEPT_HOURS_MAX - 1)).expect("set");
        prompts.keep(&long, &heard("first", false));
        assert_eq!(prompts.words(&left).as_deref(), Some("which?"));
        file.set_modified(hours(KEPT_HOURS_MAX + 1)).expect("set");
        prompts.keep(&long, &heard("second", false));
        assert!(!prompts.file(&left).exists());
        prompts.keep(&long, &heard(&"x".repeat(PROMPT_BYTES_MAX + 1), false));
        assert!(!prompts.file(&long).exists(), "the host's log has it");
        prompts.keep(&long, &heard("a private one", true));
        prompts.keep(&long, &heard(&"x".repeat(PROMPT_BYTES_MAX + 1), false));
        let ended = prompts.take(&long, "a reply").expect("known");
        assert!(ended.heard.is_some_and(|heard| heard.had_private && heard.text.is_empty()));
    }
}
