//! Secret values that a turn named once, masked in later texts.
//!
//! A mask recognises a value by its label; later turns repeat it without one. Invariants: hashes are learned from
//! private turns and applied to private texts only, so nobody in a room can test a guess; text already in a file is
//! not changed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use inwit_gate::secrets::SecretHashes;
use inwit_gate::{Author, Change};
use inwit_model::{Actor, Code, Op, Scope};

use crate::{Core, EngineError, Notice};

/// Storage of the hashes of a home.
pub trait KnownSecrets: Send + Sync {
    /// The hashes; empty if they cannot be read.
    fn load(&self) -> SecretHashes;

    /// Adds the values named in `texts`. Error: they cannot be written.
    fn learn(&self, texts: &[&str]) -> Result<(), EngineError>;
}

impl Core {
    /// The hashes for texts of `scope`: none outside private sessions.
    pub(crate) fn known_secrets(&self, scope: &Scope) -> Option<SecretHashes> {
        self.secrets.as_ref().filter(|_| *scope == Scope::Main).map(|secrets| secrets.load())
    }

    /// Learns the values named in `texts` of `scope`.
    pub(crate) fn learn_secrets(&self, scope: &Scope, texts: &[&str]) -> Option<Notice> {
        let secrets = self.secrets.as_ref().filter(|_| *scope == Scope::Main)?;
        let error = secrets.learn(texts).err()?;
        let message = format!("Secret values of this turn will not be recognised later: {}", error.message);
        Some(Notice::new("secrets_not_learned", message, error.code))
    }

    /// `text` of `author` for `scope`, without known values. The owner's text is unchanged.
    pub(crate) fn without_known_secrets<'t>(
        &self,
        author: Author,
        scope: &Scope,
        text: &'t str,
    ) -> Cow<'t, str> {
        if !is_masked(author) {
            return Cow::Borrowed(text);
        }
        match self.known_secrets(scope) {
            Some(known) if !known.find(text).is_empty() => Cow::Owned(known.redact(text.to_owned())),
            _ => Cow::Borrowed(text),
        }
    }

    /// An agent's reason or comment in `scope`, without known values.
    pub fn agents_words<'t>(&self, scope: &Scope, text: &'t str) -> Cow<'t, str> {
        self.without_known_secrets(Author::AGENT, scope, text)
    }

    /// Refuses an agent's new file whose name contains a known value: names are shown everywhere and cannot be
    /// masked. Error: `secret_refused`, without the value.
    pub(crate) fn names_no_known_secret(&self, change: &Change, scope: &Scope) -> Result<(), EngineError> {
        let known = self.known_secrets(scope).filter(|_| is_masked(change.author));
        if known.is_none_or(|known| !in_parts(change.target.as_str(), &|part| !known.find(part).is_empty())) {
            return Ok(());
        }
        let message =
            "The name of the new file contains a value that was named as a secret, so nothing was written.";
        Err(EngineError::new(Code::SecretRefused, message))
    }

    /// `change`, requested in `scope`, without known values in the lines that it adds to `before`.
    pub(crate) fn change_without_known_secrets(
        &self,
        mut change: Change,
        before: Option<&[u8]>,
        scope: &Scope,
    ) -> Change {
        let (Op::Put(bytes) | Op::Append(bytes)) = &mut change.op else { return change };
        let known = self.known_secrets(scope).filter(|_| is_masked(change.author));
        let (Some(known), Ok(text)) = (known, std::str::from_utf8(bytes)) else { return change };
        if known.find(text).is_empty() {
            return change;
        }
        let before = before.map(String::from_utf8_lossy).unwrap_or_default();
        let standing: HashSet<&str> = before.split_inclusive('\n').collect();
        let lines = text.split_inclusive('\n');
        let lines =
            lines.map(
                |line| {
                    if standing.contains(line) { line.to_owned() } else { known.redact(line.to_owned()) }
                },
            );
        *bytes = Arc::from(lines.collect::<String>().into_bytes());
        change
    }
}

/// Most parts of a folder or file name that are checked.
const NAME_PARTS_MAX: usize = 24;

/// Whether `is_known` holds for a run of name parts in `path`: values contain separators too, so their start is
/// unknown.
fn in_parts(path: &str, is_known: &dyn Fn(&str) -> bool) -> bool {
    let is_mark = |c: char| matches!(c, '-' | '_' | '.' | ' ');
    path.split('/').any(|name| {
        let ends = name.match_indices(is_mark).map(|(at, _)| at).chain([name.len()]);
        let ends: Vec<usize> = ends.take(NAME_PARTS_MAX).collect();
        let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
        starts
            .zip(0..ends.len())
            .any(|(start, first)| ends[first..].iter().any(|end| name.get(start..*end).is_some_and(is_known)))
    })
}

/// Whether text of `author` is masked: not the owner's, and not a dream's, which may repeat its text in a room.
fn is_masked(author: Author) -> bool {
    author.actor() == Actor::Agent
}
