//! The place of the history of a restored agent.
//!
//! A backup has the history where the agent had it; the restored agent may keep its own elsewhere, by profile and
//! place of the workspace. Invariant: the restored agent uses the history of the backup, and no workspace outside the
//! home gets a `.git`.

use inwit_workspace::history;

use super::manifest::Manifest;
use super::path::{BackupPath, Side};

/// Source and target of a backup's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Past {
    /// The side of the history that was in use.
    from: Side,
    /// The side of the restored agent's history.
    to: Side,
}

impl Past {
    /// For the history of `manifest` and an agent with its history on the side `to`.
    pub fn of(manifest: &Manifest, to: Side) -> Self {
        // One in the workspace is in a backup only if it was in use.
        let from = if manifest.has_workspace_history() { Side::Workspace } else { Side::Home };
        Self { from, to }
    }

    /// The side of the restored agent's history.
    pub fn side(self) -> Side {
        self.to
    }

    /// The target of a file or folder of the backup; `None` for an older history, which the one in use replaces.
    pub fn place_of(self, path: &BackupPath) -> Option<BackupPath> {
        match path.of_history(self.to) {
            Some(moved) if path.side() == self.from => Some(moved),
            Some(_) if path.side() == self.to => None,
            _ => Some(path.clone()),
        }
    }

    /// The new content of `to`, if it differs from the backup's: the configuration depends on the work tree.
    pub fn rewritten(self, to: &BackupPath) -> Option<String> {
        let is_moved = self.from != self.to && to.side() == self.to && to.is_history_config();
        is_moved.then(|| history::own_config(to.to_string().trim_end_matches("/config").as_ref()))
    }
}
