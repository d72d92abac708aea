//! Secret values that a turn named once, masked in what is kept later.
//!
//! A mask sees a value by the words beside it; a later turn says the bare value. Invariants: hashes are learned from private
//! turns and asked for private texts alone, so nobody in a room can test a guess with them; a text that already stands in a
//! file is not changed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use inwit_gate::secrets::SecretHashes;
use inwit_gate::{Author, Change};
use inwit_model::{Actor, Code, Op, Scope};

use crate::{Core, EngineError, Notice};

/// Where the hashes of a home lie.
pub trait KnownSecrets: Send + Sync {
    /// The hashes; none where they cannot be read.
    fn load(&self) -> SecretHashes;

    /// Adds the values that `texts` name. Error: they cannot be written.
    fn learn(&self, texts: &[&str]) -> Result<(), EngineError>;
}

impl Core {
    /// The hashes for texts of `scope`: none outside of private sessions.
    pub(crate) fn known_secrets(&self, scope: &Scope) -> Option<SecretHashes> {
        self.secrets.as_ref().filter(|_| *scope == Scope::Main).map(|secrets| secrets.load())
    }

    /// Learns the values that `texts`, which were said in `scope`, name.
    pub(crate) fn learn_secrets(&self, scope: &Scope, texts: &[&str]) -> Option<Notice> {
        let secrets = self.secrets.as_ref().filter(|_| *scope == Scope::Main)?;
        let error = secrets.learn(texts).err()?;
        let message = format!("Secret values of this turn will not be recognised later: {}", error.message);
        Some(Notice::new("secrets_not_learned", message, error.code))
    }

    /// `text` that `author` wants kept in `scope`, without known values. What the owner writes stays.
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

    /// What an agent says in `scope` about its own writing, without known values.
    pub fn agents_words<'t>(&self, scope: &Scope, text: &'t str) -> Cow<'t, str> {
        self.without_known_secrets(Author::AGENT, scope, text)
    }

    /// Refuses a new file of an agent whose name holds a known value: a name is shown wherever the file is, and cannot be
    /// masked as a line is. Error: `secret_refused`, which does not repeat the value.
    pub(crate) fn names_no_known_secret(&self, change: &Change, scope: &Scope) -> Result<(), EngineError> {
        let known = self.known_secrets(scope).filter(|_| is_masked(change.author));
        if known.is_none_or(|known| !in_parts(change.target.as_str(), &|part| !known.find(part).is_empty())) {
            return Ok(());
        }
        let message =
            "The name of the new file contains a value that was named as a secret, so nothing was written.";
        Err(EngineError::new(Code::SecretRefused, message))
    }

    /// `change`, asked in `scope`, without known values in the lines that it adds to `before`.
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

/// Most parts of a folder or a file name that are looked at.
const NAME_PARTS_MAX: usize = 24;

/// Whether `is_known` holds for a run of the parts between the marks of one of the names in `path`: a value has marks of
/// its own, so its beginning is unknown.
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

/// Whether what `author` writes is masked: not what the owner writes, and no dream, which may tell a room what it wrote.
fn is_masked(author: Author) -> bool {
    author.actor() == Actor::Agent
}
