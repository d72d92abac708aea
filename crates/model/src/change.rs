//! What is written, by whom, and how far its content can be trusted.
//!
//! The gate, the workspace and the log share these types. Invariant: a taint only grows; nothing read later can lower
//! it (D9).

use std::sync::Arc;

use jiff::Timestamp;

use crate::id::{ProposalId, ReceiptId, SessionId};
use crate::words::words;
use crate::{SafeName, Sha256};

/// Reason of a receipt that records a file's content just before it was changed.
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
        /// A program that bypassed inwit, such as an editor or a sync tool. Recorded, never judged.
        External = "external",
    }
}

words! {
    /// Where a text comes from, most trusted first. Text made from several sources has the least trusted of them.
    Taint {
        /// The owner's own words.
        Owner = "owner",
        /// Written by the agent from trusted text.
        Agent = "agent",
        /// Another participant in a room.
        Member = "member",
        /// A tool's result, or an unattended session.
        Tool = "tool",
        /// A web page.
        Web = "web",
        /// An imported folder or bundle.
        Import = "import",
    }
}

impl Taint {
    /// The taint of text made from both.
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }

    /// Whether a person must approve it before it is used (D9).
    pub fn is_tainted(&self) -> bool {
        *self >= Self::Member
    }
}

words! {
    /// How an agent's write is handled (X37).
    WriteMode {
        /// Applied without approval.
        Direct = "direct",
        /// Applied after a person approves it.
        Approve = "approve",
        /// Refused: only a person writes here.
        HumanOnly = "human_only",
    }
}

words! {
    /// A file category: one row of a write policy.
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
        /// HEARTBEAT.md; the engine owns its generated sections.
        Heartbeat = "heartbeat",
        /// MEMORY.md, and files below memory/ in no other category.
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
        /// Facts and the user profile: rows, not files.
        Facts = "facts",
    }
}

/// One operation on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Replaces the whole content, whether or not the file exists.
    Put(Arc<[u8]>),
    /// Appends these bytes; creates a missing file.
    Append(Arc<[u8]>),
    /// Removes the file; its content stays in the history.
    Remove,
    /// Renames the file to `<name>.done.<UTC>`, as for BOOTSTRAP.md (W71).
    Archive,
}

words! {
    /// The kind of an [`Op`], as stored.
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
    /// The kind of this operation.
    pub fn deed(&self) -> Deed {
        match self {
            Self::Put(_) => Deed::Put,
            Self::Append(_) => Deed::Append,
            Self::Remove => Deed::Remove,
            Self::Archive => Deed::Archive,
        }
    }

    /// The bytes that it writes; empty for removals and renames.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Put(bytes) | Self::Append(bytes) => bytes,
            Self::Remove | Self::Archive => &[],
        }
    }

    /// The content afterwards, `None` if the file is removed: what is judged, hashed and written.
    pub fn result(&self, current: Option<&[u8]>) -> Option<Arc<[u8]>> {
        match self.fitted(current) {
            Self::Put(bytes) => Some(bytes),
            Self::Append(bytes) => Some([current.unwrap_or_default(), &bytes].concat().into()),
            Self::Remove | Self::Archive => None,
        }
    }

    /// The same operation with the exact bytes to write after `current`: an appended text begins on a new line and
    /// ends with a line end. Text that already fits is unchanged.
    pub fn fitted(&self, current: Option<&[u8]>) -> Self {
        match self {
            Self::Append(bytes) => Self::Append(as_lines(current.unwrap_or_default(), bytes)),
            op => op.clone(),
        }
    }
}

/// `bytes` as whole lines after `before`, with its line ending. Applying it twice changes nothing.
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

/// One change of one file, recorded before it is carried out (D2).
///
/// After a crash the workspace compares the file with it, so it holds everything that recovery needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The receipt that the writer will get.
    pub receipt: ReceiptId,
    /// When the change was requested.
    pub at: Timestamp,
    /// The file.
    pub name: SafeName,
    /// The operation.
    pub op: Op,
    /// The content before; `None` if the file did not exist. The log keeps these bytes as an external edit if they
    /// differ from the result of the file's last receipt.
    pub before: Option<Arc<[u8]>>,
    /// Sha256 of the content before.
    pub base: Option<Sha256>,
    /// When the file got its content before the change, from its file stamp; `None` if unknown. It dates an external
    /// edit.
    pub stood_since: Option<Timestamp>,
    /// Sha256 of the content afterwards, `None` if the file is removed.
    pub result: Option<Sha256>,
    /// The hidden file beside the target, which recovery removes; for an archive, its archived name; empty where
    /// storage has no files.
    pub temp: String,
    /// Who writes.
    pub actor: Actor,
    /// The taint of the content.
    pub taint: Taint,
    /// The session, if any.
    pub session: Option<SessionId>,
    /// The proposal that it carries out, if any.
    pub proposal: Option<ProposalId>,
    /// The receipt that it undoes, if any.
    pub undoes: Option<ReceiptId>,
    /// The writer's reason.
    pub reason: String,
}

/// How a recorded intent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The file has the intended content.
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
