//! The server as a service of the user: under systemd on Linux, under launchd on macOS.
//!
//! Invariants: the unit is a function of [`Service`], so what is shown is what is written; the service may write to the
//! home, the state folder, the workspaces and the folder of its socket, and nowhere else (systemd); a file that differs
//! is replaced only when that was asked for, and a copy stays. Reading order: [`mod@unit`] and [`plist`] (texts),
//! [`manager`] (the programs that start and stop it).

use std::path::{Path, PathBuf};

pub mod manager;
pub mod plist;
pub mod unit;

pub use manager::Manager;

/// What a unit says.
#[derive(Debug, Clone)]
pub struct Service {
    /// The program, an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables that it needs, such as the home.
    pub variables: Vec<(&'static str, String)>,
    /// Folders to which it may write.
    pub writes_to: Vec<PathBuf>,
    /// The file of its log, for a manager that keeps none.
    pub log: PathBuf,
}

impl Service {
    /// Whether it has files where programs keep temporary ones. Then it cannot have temporary files of its own.
    fn is_in_tmp(&self) -> bool {
        let is_there = |path: &Path| path.starts_with("/tmp") || path.starts_with("/var/tmp");
        self.writes_to.iter().any(|path| is_there(path))
    }
}

/// Stands in each unit that we write. A file without it is somebody else's.
pub const MARK: &str = "Written by `inwit service install`";

/// What becomes of the file of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// There is none yet.
    Create,
    /// It has other text.
    Replace,
    /// It has this text already.
    Keep,
}

impl Action {
    /// The action that gives a file with the text `before` the text `after`.
    pub fn of(before: Option<&str>, after: &str) -> Self {
        match before {
            None => Self::Create,
            Some(before) if before == after => Self::Keep,
            Some(_) => Self::Replace,
        }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Keep => "keep",
        }
    }
}
