//! The first commits of a history: the workspace as it was found.
//!
//! Without them the history could not distinguish a missing file from one that it never saw, and unchanged files
//! could not be restored. Seeds are attributed to the engine, other files to their unknown writers. Invariant: an
//! interrupted beginning continues with the missing files, and ends with the first receipt.

use std::collections::HashSet;
use std::sync::Arc;

use inwit_model::plural::counted;
use inwit_model::{Actor, Entry, FileKind, SafeName};
use inwit_store::memory::{Memory, ReceiptFilter};
use inwit_workspace::history::{Commit, Rev, Turn};
use inwit_workspace::{ScopedReader as _, template};
use jiff::Timestamp;

use crate::history::found::changed;
use crate::{EngineError, History};

/// Most bytes of one such commit, which is held in memory.
const BEGINNING_COMMIT_BYTES_MAX: usize = 64 * 1024 * 1024;

impl History {
    /// Commits every file without a waiting receipt that was not changed after `at`, if the history has nothing but a
    /// beginning. Returns the number of commits. Errors: `workspace_unreadable`, `locked`, `history_failed`.
    pub(crate) fn record_beginning(
        &self,
        turn: &mut Turn<'_>,
        memory: &dyn Memory,
        at: Timestamp,
    ) -> Result<usize, EngineError> {
        let history = turn.history();
        if !history.is_beginning()? {
            return Ok(0);
        }
        let view = self.core.workspace.private();
        let listing = view.list()?;
        // Read after the listing: an earlier write has a receipt by now, possibly an open one.
        let all = memory.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
        let told = all.into_iter().filter(|receipt| receipt.commit.is_none()).map(|receipt| receipt.name);
        let known: HashSet<SafeName> = told.chain(history.names(&Rev::Tip)?).collect();
        let now = self.core.clock.now();
        let stood = |entry: &&Entry| !known.contains(&entry.name) && changed(entry.stamp, now) <= at;
        let (mut seeds, mut found) = (Part::of(Actor::Engine), Part::of(Actor::External));
        let mut commits = 0;
        for entry in listing.entries.iter().filter(stood) {
            match view.read(&entry.name) {
                // A write after the listing has a receipt.
                Ok(content) if content.stamp != entry.stamp => {}
                Ok(content) if is_seed(&entry.name, &content.bytes) => {
                    seeds.add(&entry.name, content.bytes);
                }
                Ok(content) => found.add(&entry.name, content.bytes),
                Err(error) => found.unread.push(format!("not recorded: {} ({error})", entry.name)),
            }
            if found.bytes > BEGINNING_COMMIT_BYTES_MAX {
                let full = std::mem::replace(&mut found, Part::of(Actor::External));
                commits += turn.commit(&[full.commit(at)])?.len();
            }
        }
        let rest: Vec<Commit> =
            [seeds, found].into_iter().filter(|part| !part.is_empty()).map(|part| part.commit(at)).collect();
        Ok(commits + turn.commit(&rest)?.len())
    }
}

/// Whether the file is a seed of `inwit init`, unchanged.
pub(crate) fn is_seed(name: &SafeName, bytes: &[u8]) -> bool {
    FileKind::at(name.as_str()).is_some_and(|kind| template::is_untouched(kind, bytes))
}

/// One commit of the beginning.
struct Part {
    actor: Actor,
    changes: Vec<(SafeName, Option<Arc<[u8]>>)>,
    unread: Vec<String>,
    bytes: usize,
}

impl Part {
    fn of(actor: Actor) -> Self {
        Self { actor, changes: Vec::new(), unread: Vec::new(), bytes: 0 }
    }

    fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.unread.is_empty()
    }

    fn add(&mut self, name: &SafeName, bytes: Arc<[u8]>) {
        self.bytes += bytes.len();
        self.changes.push((name.clone(), Some(bytes)));
    }

    fn commit(self, at: Timestamp) -> Commit {
        let files = counted(self.changes.len(), "file");
        let subject = match self.actor {
            Actor::Engine => format!("{files} of init"),
            _ => format!("first record of {files}"),
        };
        Commit {
            subject,
            body: self.unread.join("\n"),
            at,
            actor: self.actor.to_string(),
            trailers: Vec::new(),
            changes: self.changes,
        }
    }
}
