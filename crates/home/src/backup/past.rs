//! Where the history of a restored agent comes to.
//!
//! A backup holds the history where the agent had it, and inwit looks for it where the restored agent keeps its own:
//! in the workspace or in the home, by the profile and the place of the workspace. Invariant: what the agent looks at
//! is the history of the backup, and no workspace outside the home gets a `.git`.

use inwit_workspace::history;

use super::manifest::Manifest;
use super::path::{BackupPath, Side};

/// From where to where the history of a backup goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Past {
    /// Where the backup has the one that was in use.
    from: Side,
    /// Where the restored agent looks for it.
    to: Side,
}

impl Past {
    /// The history of `manifest`, for an agent that looks for it on the side `to`.
    pub fn of(manifest: &Manifest, to: Side) -> Self {
        // One in the workspace is in a backup only if it was in use.
        let from = if manifest.has_workspace_history() { Side::Workspace } else { Side::Home };
        Self { from, to }
    }

    /// The side on which the restored agent looks for it.
    pub fn side(self) -> Side {
        self.to
    }

    /// Where a file or folder of the backup is written; `None`: an older history, whose place the one in use takes.
    pub fn place_of(self, path: &BackupPath) -> Option<BackupPath> {
        match path.of_history(self.to) {
            Some(moved) if path.side() == self.from => Some(moved),
            Some(_) if path.side() == self.to => None,
            _ => Some(path.clone()),
        }
    }

    /// The bytes that `to` gets instead of those of the backup: a configuration says whether a work tree lies around it.
    pub fn rewritten(self, to: &BackupPath) -> Option<String> {
        let is_moved = self.from != self.to && to.side() == self.to && to.is_history_config();
        is_moved.then(|| history::own_config(to.to_string().trim_end_matches("/config").as_ref()))
    }
}
