//! The history of a workspace: past contents and their authors (D8).
//!
//! It is a git repository beside the workspace, so that it can be read without inwit. Reading order: [`git`] (running
//! git), [`founding`] (creating the repository), [`commit`] (writing), [`message`] (commit messages), [`log`],
//! [`content`] (past contents), [`steps`] (commits in order), [`past_files`] (a past workspace), [`scratch`]
//! (temporary commits), [`rewrite`] (erasure), [`blame`], [`extent`] (size of a foreign repository). Invariant: git
//! never accesses the workspace: commits are built from given bytes, and contents are read from objects.
//!
//! ```
//! use inwit_model::SafeName;
//! use inwit_workspace::history::{Commit, History, LogFilter, Rev};
//!
//! if History::available() {
//!     let home = tempfile::tempdir()?;
//!     let at = "2026-11-21T14:03:00Z".parse()?;
//!     let history = History::open_or_init(&home.path().join("history.git"), at)?;
//!     let memory = SafeName::parse("MEMORY.md")?;
//!     history.commit(&[Commit {
//!         subject: "append MEMORY.md".into(),
//!         body: String::new(),
//!         at,
//!         actor: "agent".into(),
//!         trailers: vec![],
//!         changes: vec![(memory.clone(), Some(b"- Likes rye bread.\n".as_slice().into()))],
//!     }])?;
//!     assert_eq!(history.show(&Rev::Tip, &memory)?.as_deref(), Some(b"- Likes rye bread.\n".as_slice()));
//!     assert_eq!(history.log(&LogFilter::newest(10))?[0].actor, "agent");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

mod blame;
mod commit;
mod content;
mod error;
mod extent;
mod founding;
mod git;
mod lock;
mod log;
mod message;
mod oid;
mod pack;
mod past_files;
mod rewrite;
mod scratch;
mod steps;

pub use blame::BlamedLine;
pub use commit::{Author, Commit, Turn};
pub use error::HistoryError;
pub use extent::Oversize;
pub use founding::{is_own_config, is_own_entry, own_config, refuse_special};
pub use log::{LogFilter, Logged};
pub use message::trailer;
pub use oid::{Digits, Oid, Rev};
pub use past_files::PastFiles;
pub use rewrite::{HistoryMatches, Without};
pub use scratch::Scratch;
pub use steps::{Step, StepKind};

use crate::limit::HISTORY_LOCK_SECONDS_MAX;
use git::Git;

/// The one branch that we write.
const MAIN: &str = "refs/heads/main";

/// The file whose lock says who writes.
const LOCK: &str = "inwit.lock";

/// An open history. Cheap to make and to clone; it holds nothing open.
#[derive(Debug, Clone)]
pub struct History {
    git: Git,
    author: Author,
}

impl History {
    /// Whether this machine has a `git`. Looks at folders only; nothing is run.
    pub fn available() -> bool {
        Git::find(Path::new("/")).is_some()
    }

    /// Opens the history at `git_dir`, `None` if it does not exist. Errors: `git_missing`; `history_foreign`, since a
    /// foreign repository is never opened.
    pub fn open(git_dir: &Path) -> Result<Option<Self>, HistoryError> {
        let git = Git::find(git_dir).ok_or(HistoryError::NoGit)?;
        let stands = founding::stands(git.git_dir())?;
        Ok(stands.then_some(Self { git, author: Author::Actor }))
    }

    /// Opens the history at `git_dir`; where there is none, makes it with a first commit at
    /// `founded_at`. The folder above must be there. Errors: as [`Self::open`], and `history_failed`.
    pub fn open_or_init(git_dir: &Path, founded_at: Timestamp) -> Result<Self, HistoryError> {
        Self::open_or_init_within(git_dir, founded_at, Duration::from_secs(HISTORY_LOCK_SECONDS_MAX))
    }

    /// The same, waiting at most `wait` for each lock of another process. Errors: as [`Self::open_or_init`], and `locked`.
    pub fn open_or_init_within(
        git_dir: &Path,
        founded_at: Timestamp,
        wait: Duration,
    ) -> Result<Self, HistoryError> {
        let git = Git::find(git_dir).ok_or(HistoryError::NoGit)?.waiting(wait);
        let author = Author::Actor;
        if !founding::stands(git.git_dir())? {
            founding::found(&git, founded_at, &author)?;
        }
        Ok(Self { git, author })
    }

    /// The same history, which waits at most `wait` for each lock of another process.
    #[must_use]
    pub fn waiting(self, wait: Duration) -> Self {
        Self { git: self.git.waiting(wait), ..self }
    }

    /// The same history, whose further commits git shows under `author`.
    #[must_use]
    pub fn signed_by(self, author: Author) -> Self {
        Self { author, ..self }
    }
}
