//! Validated paths of a backup.
//!
//! Backup and restore share these rules: a restore accepts exactly what [`super::make`] writes. Invariant: a
//! [`BackupPath`] stays below the folder it is joined to, and is no hook, alternate or configuration of a git
//! repository.

use std::fmt;
use std::path::{Path, PathBuf};

use inwit_model::SessionId;
use inwit_model::invisible::is_invisible;
use inwit_model::limit::NAME_PART_BYTES_MAX;
use inwit_model::name::shown;
use inwit_workspace::dream_lock::RECORD_NAME;
use inwit_workspace::history;
use serde::{Deserialize, Serialize};

use super::{HOME, WORKSPACE};
use crate::limit::BACKUP_PATH_BYTES_MAX;

/// The folder of the history within a home.
const HISTORY: &str = "history.git";

/// The folder of a repository within a workspace.
const GIT: &str = ".git";

/// The folder that a path of a backup belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The agent's home.
    Home,
    /// The workspace.
    Workspace,
}

impl Side {
    /// The folder of a history on this side.
    pub fn history(self) -> &'static str {
        match self {
            Self::Home => HISTORY,
            Self::Workspace => GIT,
        }
    }
}

/// A path of a backup, relative to it: `home/…` or `workspace/…`, parts separated by `/`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BackupPath {
    side: Side,
    /// Without the first part; empty for the workspace itself.
    below: String,
}

impl BackupPath {
    /// The agent's own settings.
    pub fn agent_file() -> Self {
        Self { side: Side::Home, below: "agent.toml".to_owned() }
    }

    /// The path of `below` on one side. Error: the broken rule, as the end of a sentence.
    pub fn new(side: Side, below: &str) -> Result<Self, &'static str> {
        if below.len() > BACKUP_PATH_BYTES_MAX {
            return Err("it is longer than 4,096 bytes");
        }
        if let Some(why) = below.split('/').find_map(part_fault) {
            return Err(why);
        }
        match side {
            Side::Home if !is_of_home(below) => {
                return Err("a backup may not contain this file of an agent's home");
            }
            Side::Workspace => workspace_fault(below).map_or(Ok(()), Err)?,
            Side::Home => {}
        }
        Ok(Self { side, below: below.to_owned() })
    }

    /// Parses a path of a file.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        match text.split_once('/') {
            Some((HOME, below)) => Self::new(Side::Home, below),
            Some((WORKSPACE, below)) => Self::new(Side::Workspace, below),
            _ => Err("it is outside the backup"),
        }
    }

    /// Its side.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The path below the folder of its side.
    pub fn below(&self) -> &str {
        &self.below
    }

    /// Its place in `home` or `workspace`.
    pub fn in_place(&self, home: &Path, workspace: &Path) -> PathBuf {
        match self.side {
            Side::Home => home.join(&self.below),
            Side::Workspace => workspace.join(&self.below),
        }
    }

    /// Its parent folders on its side, outermost first.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.below.match_indices('/').map(|(at, _)| &self.below[..at])
    }

    /// Its path in a history on the side `to`; `None` if it is not part of a history.
    pub fn of_history(&self, to: Side) -> Option<Self> {
        let entry = self.below.strip_prefix(self.side.history())?.strip_prefix('/')?;
        Some(Self { side: to, below: format!("{}/{entry}", to.history()) })
    }

    /// Whether it is the configuration of a history.
    pub fn is_history_config(&self) -> bool {
        self.below.strip_prefix(self.side.history()) == Some("/config")
    }

    /// Whether it belongs to a repository in the workspace.
    pub fn is_workspace_history(&self) -> bool {
        self.side == Side::Workspace && self.below.split('/').next().is_some_and(is_git)
    }
}

impl fmt::Display for BackupPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Home => HOME,
            Side::Workspace => WORKSPACE,
        };
        write!(out, "{side}/{}", self.below)
    }
}

impl From<BackupPath> for String {
    fn from(path: BackupPath) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for BackupPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).map_err(|why| format!("`{}` is refused: {why}", shown(&text)))
    }
}

fn part_fault(part: &str) -> Option<&'static str> {
    match part {
        "" => Some("it contains an empty part"),
        "." | ".." => Some("it is outside the backup"),
        _ if part.len() > NAME_PART_BYTES_MAX => Some("a part is longer than 255 bytes"),
        _ if part.chars().any(char::is_control) => Some("it contains a control character"),
        _ => None,
    }
}

/// The home files that cannot be rebuilt.
fn is_of_home(below: &str) -> bool {
    match below.split_once('/') {
        None => ["agent.toml", "memory.db"].contains(&below),
        Some((HISTORY, entry)) => history::is_own_entry(entry),
        Some(("transcripts", file)) => {
            file.strip_suffix(".jsonl").is_some_and(|id| SessionId::parse(id).is_ok())
        }
        Some(_) => false,
    }
}

fn workspace_fault(below: &str) -> Option<&'static str> {
    if let Some((GIT, entry)) = below.split_once('/')
        && history::is_own_entry(entry)
    {
        return None;
    }
    if below.split('/').any(is_git) {
        return Some("a backup may not contain a repository");
    }
    let is_lock = |part: &str| part.starts_with(RECORD_NAME);
    below.split('/').any(is_lock).then_some("a backup may not contain the lock of a dream")
}

/// Whether some file system treats `name` as `.git`.
pub fn is_git(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    let plain = plain.trim_end_matches(['.', ' ']);
    plain.eq_ignore_ascii_case(GIT) || plain.eq_ignore_ascii_case("git~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_backup_holds_is_accepted_and_written_as_it_was() {
        for path in [
            "home/agent.toml",
            "home/memory.db",
            "home/transcripts/0190b6f4-7e1c-7cc3-8a54-0d1f5f0a9b1e.jsonl",
            "home/history.git/HEAD",
            "home/history.git/config",
            "home/history.git/inwit.lock",
            "home/history.git/refs/heads/main",
            "home/history.git/objects/pack/pack-551088e8ce046c3bfc1f200d4a736ce2ed24b720.idx",
            "home/history.git/objects/55/1088e8ce046c3bfc1f200d4a736ce2ed24b720",
            "workspace/MEMORY.md",
            "workspace/.soul-state.json",
            "workspace/.git/refs/heads/main",
            "workspace/.github/x",
            "workspace/node_modules/x.js",
            "workspace/❤\u{fe0f} and \\ and : of Ana.md",
        ] {
            assert_eq!(BackupPath::parse(path).map(String::from), Ok(path.to_owned()));
        }
    }

    #[test]
    fn what_leads_out_or_makes_programs_run_is_refused() {
        let long = format!("workspace/{}", "x".repeat(256));
        let deep = format!("workspace/{}", "x/".repeat(3_000));
        for path in [
            "",
            "home",
            "home/",
            "workspace",
            "workspace/",
            "/etc/passwd",
            "workspace//etc/passwd",
            "workspace/../x",
            "workspace/a/../../x",
            "workspace/./x",
            "workspace/a//b",
            "workspace/a/",
            "home/../x",
            "../home/agent.toml",
            "Home/agent.toml",
            "workspace/a\0b",
            "workspace/a\nb",
            "workspace/\u{1b}[2J",
            &long,
            &deep,
            "home/config.toml",
            "home/index.db",
            "home/memory.db-wal",
            "home/backups/memory-1.db",
            "home/.restoring.json",
            "home/workspace/MEMORY.md",
            "home/transcripts/../agent.toml",
            "home/transcripts/a b.jsonl",
            "home/transcripts/s-1.txt",
            "home/transcripts/x/s-1.jsonl",
            "home/history.git/hooks/post-commit",
            "home/history.git/objects/info/alternates",
            "home/history.git/config.worktree",
            "home/history.git/commondir",
            "home/history.git/info/attributes",
            "home/history.git/refs/heads/../../hooks/x",
            "home/history.git/refs/heads/main.lock",
            "home/history.git/refs",
            "workspace/.git/hooks/pre-commit",
            "workspace/.git",
            "workspace/.GIT/config",
            "workspace/sub/.git/config",
            "workspace/.g\u{200c}it/config",
            "workspace/git~1/config",
            "workspace/.git./config",
            "workspace/.dreaming.lock",
            "workspace/x/.dreaming.lock.1",
        ] {
            assert!(BackupPath::parse(path).is_err(), "{path:?}");
        }
    }
}
