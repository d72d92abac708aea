//! Places: the folders of one user, and those of one agent.
//!
//! Invariant: the opener of a home decides its place; nothing here reads the environment.

use std::path::PathBuf;

use inwit_model::name::shown;
use inwit_model::{AgentId, Code, HistoryPlace};
use inwit_workspace::history::refuse_special;

use crate::backup::path::Side;
use crate::error::HomeError;
use crate::own;

/// The folders of one user. All are absolute.
#[derive(Debug, Clone)]
pub struct HomePaths {
    /// The folder of agents and models.
    pub root: PathBuf,
    /// The folder of locks and erasure registers, shared by all homes that use one workspace.
    pub state: PathBuf,
    /// The user's own home folder, `~`.
    pub user_home: PathBuf,
    /// The user's config file, which may not exist.
    pub user_file: PathBuf,
}

impl HomePaths {
    /// The folder of all agents.
    pub fn agents(&self) -> PathBuf {
        self.root.join("agents")
    }

    /// Ids of the agents, sorted; homes of folders without an agent are not included.
    pub fn agent_ids(&self) -> Vec<String> {
        let entries = own::entries(&self.agents()).into_iter();
        let ids = entries
            .filter(|entry| match std::fs::metadata(entry.path().join("agent.toml")) {
                Ok(found) => found.is_file(),
                // An existing agent; its file shows why it cannot be opened.
                Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
            })
            .filter_map(|entry| entry.file_name().into_string().ok());
        ids.filter(|id| AgentId::parse(id).is_ok()).collect()
    }
}

/// Entries of an agent's home that may be symbolic links, because users keep both elsewhere.
const MAY_BE_LINKS: [&str; 2] = ["agent.toml", "workspace"];

/// The place of one agent.
#[derive(Debug, Clone)]
pub struct AgentPlace {
    /// Its id, or `ws-…` for a folder without an agent.
    pub id: String,
    /// Its folder below the home.
    pub home: PathBuf,
    /// Its workspace.
    pub workspace: PathBuf,
}

impl AgentPlace {
    /// Its home, and its workspace if that is elsewhere; a workspace in the home is covered by the home.
    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        let is_apart = !self.is_ours();
        std::iter::once(&self.home).chain(is_apart.then_some(&self.workspace))
    }

    /// Returns an error if a file or folder of the home is a symbolic link: data would be written outside, beyond the
    /// reach of backups and erasures. The home itself may be a link. A pipe in its history is refused too, because
    /// git would block on it. Errors: `home_linked`, `history_failed`.
    pub fn refuse_links(&self) -> Result<(), HomeError> {
        let is_refused = |entry: &std::fs::DirEntry| {
            entry.file_type().is_ok_and(|kind| kind.is_symlink())
                && entry.path() != self.workspace
                && MAY_BE_LINKS.iter().all(|name| entry.file_name() != *name)
        };
        match own::entries(&self.home).iter().find(|entry| is_refused(entry)) {
            None => refuse_special(&self.home.join(Side::Home.history()))
                .map_err(|error| HomeError::new(error.code(), error.to_string())),
            Some(link) => {
                let path = link.path();
                let path = shown(&path.to_string_lossy());
                let message = format!(
                    "{path} is a symbolic link, which inwit does not follow in the home of an agent."
                );
                Err(HomeError::new(Code::HomeLinked, message))
            }
        }
    }

    /// Whether the workspace is in the agent's own home, so that inwit created it.
    pub fn is_ours(&self) -> bool {
        self.workspace.starts_with(&self.home)
    }

    /// The folder of transcripts.
    pub fn transcripts(&self) -> PathBuf {
        self.home.join("transcripts")
    }

    /// The place of the history. A foreign folder never gets a `.git` (D8).
    pub(crate) fn history_side(&self, place: HistoryPlace) -> Side {
        let is_inside = place == HistoryPlace::Workspace && self.is_ours();
        if is_inside { Side::Workspace } else { Side::Home }
    }
}

#[cfg(test)]
impl HomePaths {
    /// All of them below one folder.
    pub(crate) fn below(root: &std::path::Path) -> Self {
        Self {
            root: root.to_owned(),
            state: root.join("state"),
            user_home: root.to_owned(),
            user_file: root.join("config.toml"),
        }
    }
}
