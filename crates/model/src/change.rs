//! What is to be written, by whom, and from what it was made.
//!
//! Every way of writing speaks these words: the gate judges them, the workspace applies them, the log
//! keeps them. Invariant: a taint only grows; nothing that was read can lower it (D9).

use std::sync::Arc;

use jiff::Timestamp;

use crate::id::{ProposalId, ReceiptId, SessionId};
use crate::words::words;
use crate::{SafeName, Sha256};

/// The reason of a receipt that records what was found in a file just before it was changed.
pub const FOUND_REASON: &str = "found before the next change";

words! {
    /// Who writes.
    Actor {
        /// The person the agent serves, at an interface that only they can reach.
        Owner = "owner",
        /// The agent's model.
        Agent = "agent",
        /// A dream pass.
        Dream = "dream",
        /// inwit itself: heartbeat, journals at turn end, the archive of a finished bootstrap.
        Engine = "engine",
        /// An importer.
        Import = "import",
        /// Somebody who wrote without asking: an editor, a sync tool. Recorded, never judged.
        External = "external",
    }
}

words! {
    /// Where a text comes from, the most trusted first. Text made from several has the last of them.
    Taint {
        /// The owner's own words.
        Owner = "owner",
        /// What the agent thought up from trusted text.
        Agent = "agent",
        /// Somebody else in a room.
        Member = "member",
        /// A tool's result, or a session that nobody watched.
        Tool = "tool",
        /// A page of the web.
        Web = "web",
        /// A folder or bundle from elsewhere.
        Import = "import",
    }
}

impl Taint {
    /// The taint of text made from both.
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }

    /// Whether a person must see it before it is believed (D9).
    pub fn is_tainted(&self) -> bool {
        *self >= Self::Member
    }
}

words! {
    /// What an agent's write needs before it is applied (X37).
    WriteMode {
        /// Nothing.
        Direct = "direct",
        /// A person's approval.
        Approve = "approve",
        /// It is not for agents at all; only a person writes here.
        HumanOnly = "human_only",
    }
}

words! {
    /// The rows of a write policy: what the gate tells apart.
    FileClass {
        /// SOUL.md.
        Soul = "soul",
        /// AGENTS.md.
        Agents = "agents",
        /// IDENTITY.md.
        Identity = "identity",
        /// USER.md.
        User = "user",
        /// TOOLS.md.
        Tools = "tools",
        /// HEARTBEAT.md; its machine sections are the engine's.
        Heartbeat = "heartbeat",
        /// MEMORY.md, and files below memory/ that are nothing else.
        Memory = "memory",
        /// memory/CORE.md.
        Core = "core",
        /// memory/topics/.
        Topics = "topics",
        /// rooms/.
        Rooms = "rooms",
        /// notes/ without a date.
        Notes = "notes",
        /// Daily logs of every layout.
        Journals = "journals",
        /// Facts and what is known of the user: rows, no file.
        Facts = "facts",
    }
}

/// What is done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// The file is to hold these bytes, whether it is there or not.
    Put(Arc<[u8]>),
    /// These bytes are to stand at its end; a missing file is made.
    Append(Arc<[u8]>),
    /// The file is to go away; history keeps what it held.
    Remove,
    /// The file gets a name of the past: `<name>.done.<UTC>`, as BOOTSTRAP.md does (W71).
    Archive,
}

words! {
    /// The kind of an [`Op`], as it is kept.
    Deed {
        /// [`Op::Put`].
        Put = "put",
        /// [`Op::Append`].
        Append = "append",
        /// [`Op::Remove`].
        Remove = "remove",
        /// [`Op::Archive`].
        Archive = "archive",
    }
}

impl Op {
    /// Its kind.
    pub fn deed(&self) -> Deed {
        match self {
            Self::Put(_) => Deed::Put,
            Self::Append(_) => Deed::Append,
            Self::Remove => Deed::Remove,
            Self::Archive => Deed::Archive,
        }
    }

    /// The bytes it brings.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Put(bytes) | Self::Append(bytes) => bytes,
            Self::Remove | Self::Archive => &[],
        }
    }

    /// What the file holds afterwards, `None` when it is gone: what is judged, sealed and written.
    pub fn result(&self, current: Option<&[u8]>) -> Option<Arc<[u8]>> {
        match self.fitted(current) {
            Self::Put(bytes) => Some(bytes),
            Self::Append(bytes) => Some([current.unwrap_or_default(), &bytes].concat().into()),
            Self::Remove | Self::Archive => None,
        }
    }

    /// The same in the very bytes that are written behind `current`: what is appended begins on a line of
    /// its own and ends one. What fits stays as it is.
    pub fn fitted(&self, current: Option<&[u8]>) -> Self {
        match self {
            Self::Append(bytes) => Self::Append(as_lines(current.unwrap_or_default(), bytes)),
            op => op.clone(),
        }
    }
}

/// `bytes` as whole lines behind `before`, whose line ends they take; once they are, they come out as they went in.
fn as_lines(before: &[u8], bytes: &Arc<[u8]>) -> Arc<[u8]> {
    let begins_line = bytes.starts_with(b"\n") || bytes.starts_with(b"\r\n");
    let is_torn = !before.is_empty() && !before.ends_with(b"\n") && !begins_line;
    let last_end = before.iter().rposition(|byte| *byte == b'\n');
    let is_crlf = last_end.is_some_and(|at| before[..at].ends_with(b"\r"));
    let end: &[u8] = if is_crlf { b"\r\n" } else { b"\n" };
    match (bytes.is_empty(), is_torn, bytes.ends_with(b"\n")) {
        (true, ..) | (_, false, true) => Arc::clone(bytes),
        (_, true, true) => [end, &**bytes].concat().into(),
        (_, true, false) => [end, &**bytes, end].concat().into(),
        (_, false, false) => [&**bytes, end].concat().into(),
    }
}

/// What is about to be done to one file, as it is written down before it is done (D2).
///
/// After a crash the workspace compares the file with it, so it holds everything recovery needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The receipt the writer will get.
    pub receipt: ReceiptId,
    /// When.
    pub at: Timestamp,
    /// Which file.
    pub name: SafeName,
    /// What is done.
    pub op: Op,
    /// The file before: `None` where it was not there. The log keeps these bytes as an external edit
    /// when they are not what the last receipt of this file left.
    pub before: Option<Arc<[u8]>>,
    /// The hash of the file before.
    pub base: Option<Sha256>,
    /// Since when the file was what it was before, by its own stamp; `None`: nobody can tell. It dates an
    /// external edit.
    pub stood_since: Option<Timestamp>,
    /// The hash of the file afterwards, `None` when it is gone.
    pub result: Option<Sha256>,
    /// The hidden file that waits beside the target, for recovery to take away; of an archive its name
    /// of the past; empty where files have none.
    pub temp: String,
    /// Who.
    pub actor: Actor,
    /// From what.
    pub taint: Taint,
    /// In which session.
    pub session: Option<SessionId>,
    /// By which proposal.
    pub proposal: Option<ProposalId>,
    /// Which receipt it takes back.
    pub undoes: Option<ReceiptId>,
    /// Why, in the writer's words.
    pub reason: String,
}

/// How a written intent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The file holds what was intended.
    Done,
    /// Nothing was changed.
    Void,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_two_sources_is_trusted_like_the_lesser_one() {
        assert_eq!(Taint::Owner.join(Taint::Web), Taint::Web);
        assert_eq!(Taint::Import.join(Taint::Agent), Taint::Import);
        assert!(!Taint::Agent.is_tainted());
        assert!(Taint::Member.is_tainted());
    }

    #[test]
    fn every_word_is_read_back() {
        assert!(Actor::WORDS.iter().all(|word| Actor::parse(word).is_some_and(|it| it.word() == *word)));
        assert!(Taint::WORDS.iter().all(|word| Taint::parse(word).is_some_and(|it| it.word() == *word)));
        assert!(
            FileClass::WORDS.iter().all(|word| FileClass::parse(word).is_some_and(|it| it.word() == *word))
        );
        assert!(Deed::WORDS.iter().all(|word| Deed::parse(word).is_some_and(|it| it.word() == *word)));
    }

    #[test]
    fn an_append_stands_behind_what_was_there() {
        let append = |bytes: &[u8]| Op::Append(Arc::from(bytes));
        for (before, bytes, after) in [
            (Some(b"a".as_slice()), b"b".as_slice(), b"a\nb\n".as_slice()),
            (Some(b"a\n"), b"b", b"a\nb\n"),
            (Some(b"a"), b"\nb\n", b"a\nb\n"),
            (Some(b"a\r\nb"), b"\r\n\r\nc\r\n", b"a\r\nb\r\n\r\nc\r\n"),
            (Some(b"a\r\nb"), b"c", b"a\r\nb\r\nc\r\n"),
            (Some(b"a\nb"), b"c", b"a\nb\nc\n"),
            (None, b"b", b"b\n"),
            (Some(b"a"), b"", b"a"),
        ] {
            let op = append(bytes);
            assert_eq!(op.result(before).as_deref(), Some(after), "{op:?}");
            let fitted = op.fitted(before);
            assert_eq!(fitted.fitted(before), fitted, "what fits stays");
            assert_eq!([before.unwrap_or_default(), fitted.bytes()].concat(), after);
        }
        assert_eq!(Op::Remove.result(Some(b"a")), None);
    }
}
