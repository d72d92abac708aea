//! Log, diff and past contents.
//!
//! These operations read git and the waiting receipts ([`crate::history::history_view`]), so they are always current,
//! and they make no commit.

use std::path::PathBuf;
use std::time::Duration;

use inwit_model::change::FOUND_REASON;
use inwit_model::{Actor, Code, HistoryPlace, SafeName};
use inwit_store::memory::Receipt;
use inwit_workspace::history::{self, History as Repository};
pub use inwit_workspace::history::{LogFilter, Logged, Rev};
use jiff::Timestamp;

pub use crate::history::flush::Flushed;
pub use crate::history::origin::Origin;
use crate::{EngineError, History};

/// Most commits that are searched for the one before a change.
const CHANGE_LOOKS_AT_MAX: usize = 10_000;

/// Commits beyond those that are listed which are put into order with them.
const FOUND_LATE_MAX: usize = 100;

/// Where an agent's history is kept.
#[derive(Debug, Clone)]
pub struct HistoryHome {
    /// The git directory.
    pub git_dir: PathBuf,
    /// The kind of location.
    pub place: HistoryPlace,
    /// Longest wait for another writing process, if not the default. Receipts then wait for a later command.
    pub lock_wait: Option<Duration>,
}

impl HistoryHome {
    /// `history` with this agent's author and wait.
    pub(crate) fn applied_to(&self, history: Repository) -> Repository {
        let history = match self.lock_wait {
            Some(wait) => history.waiting(wait),
            None => history,
        };
        match self.place {
            HistoryPlace::Workspace => history
                .signed_by(history::Author::Fixed { name: "agent".into(), email: "agent@localhost".into() }),
            HistoryPlace::Beside | HistoryPlace::Off => history,
        }
    }
}

/// Code of the notice about changes missing from an answer on a read-only disk.
pub const HISTORY_BEHIND: &str = "history_behind";

impl History {
    /// The log, newest first. Errors: `git_missing`, `history_failed`.
    pub fn history_log(&self, filter: &LogFilter) -> Result<Vec<Logged>, EngineError> {
        match self.history_view(None)? {
            Some(history) => {
                let wanted =
                    LogFilter { limit: filter.limit.saturating_add(FOUND_LATE_MAX), ..filter.clone() };
                let mut log = by_time(history.log(&wanted)?);
                log.truncate(filter.limit);
                Ok(log)
            }
            None => Ok(Vec::new()),
        }
    }

    /// The states before and after the last change of a file, or of the workspace; `None` if there is none. Errors:
    /// as [`history_log`](Self::history_log), and `not_recorded` for an unknown file.
    pub fn last_change(&self, name: Option<&SafeName>) -> Result<Option<(Rev, Rev)>, EngineError> {
        let unknown = || match name {
            Some(name) => Err(EngineError::new(Code::NotRecorded, format!("`{name}` is not recorded."))),
            None => Ok(None),
        };
        let Some(history) = self.history_view(None)? else { return unknown() };
        let newest = LogFilter { name: name.cloned(), ..LogFilter::newest(1) };
        let Some(change) = history.log(&newest)?.pop() else { return unknown() };
        let all = history.log(&LogFilter::newest(CHANGE_LOOKS_AT_MAX))?;
        let before = all.iter().skip_while(|commit| commit.oid != change.oid).nth(1);
        Ok(before.map(|before| (before.oid.into(), change.oid.into())))
    }

    /// The unified diff of two states. Errors: `revision_unknown`, `not_recorded` for a file unknown up to `to`.
    pub fn history_diff(&self, from: &Rev, to: &Rev, name: Option<&SafeName>) -> Result<String, EngineError> {
        let history = self.history_view(None)?.ok_or_else(|| unrecorded(from))?;
        if let Some(name) = name
            && !history.is_recorded(to, name)?
            && !history.is_recorded(from, name)?
        {
            return Err(not_recorded(name, to));
        }
        Ok(history.diff(from, to, name)?)
    }

    /// A past file. Errors: `revision_unknown`, `file_missing` if it was removed, `not_recorded` if it is unknown.
    pub fn history_show(&self, at: &Rev, name: &SafeName) -> Result<Vec<u8>, EngineError> {
        let history = self.history_view(None)?.ok_or_else(|| unrecorded(at))?;
        match history.show(at, name)? {
            Some(bytes) => Ok(bytes),
            None if history.is_recorded(at, name)? => {
                let message = format!("`{name}` was removed before {at}.");
                Err(EngineError::new(Code::FileMissing, message))
            }
            None => Err(not_recorded(name, at)),
        }
    }

    /// The history, created if necessary with the time `founded_at`. Errors: `git_missing`, `history_unavailable` if it is off.
    pub(crate) fn history(&self, founded_at: Timestamp) -> Result<Repository, EngineError> {
        let home = self.home.as_ref().ok_or_else(off)?;
        let place = &home.git_dir;
        Ok(home.applied_to(match home.lock_wait {
            Some(wait) => Repository::open_or_init_within(place, founded_at, wait)?,
            None => Repository::open_or_init(place, founded_at)?,
        }))
    }

    /// The existing history; reading creates none. Errors: as [`history`](Self::history).
    pub(crate) fn recorded(&self) -> Result<Option<Repository>, EngineError> {
        match &self.home {
            Some(home) => Ok(Repository::open(&home.git_dir)?.map(|history| home.applied_to(history))),
            None => Err(off()),
        }
    }

    /// The history, if it and `git` exist. Error: `history_foreign`.
    pub(crate) fn history_kept(&self) -> Result<Option<Repository>, EngineError> {
        match &self.home {
            Some(_) if Repository::available() => self.recorded(),
            _ => Ok(None),
        }
    }

    pub(crate) fn history_or_none(&self, founded_at: Timestamp) -> Result<Option<Repository>, EngineError> {
        if self.home.is_none() || !Repository::available() {
            return Ok(None);
        }
        self.history(founded_at).map(Some)
    }
}

/// Commits, newest first: an edit made without inwit is committed with the change that finds it, and may be older than what
/// was committed in between. Other commits keep their order, also where a clock was set back.
fn by_time(mut log: Vec<Logged>) -> Vec<Logged> {
    let external = Actor::External.to_string();
    let is_found = |commit: &Logged| commit.actor == external || commit.body == FOUND_REASON;
    for first in (0..log.len()).rev() {
        let mut at = if is_found(&log[first]) { first } else { continue };
        // The commit of nothing that a history begins with stays the oldest.
        while log.get(at + 1).is_some_and(|older| older.at > log[at].at && !older.names.is_empty()) {
            log.swap(at, at + 1);
            at += 1;
        }
    }
    log
}

fn off() -> EngineError {
    let message = "This agent keeps no history: `history.location` is off.";
    EngineError::new(Code::HistoryUnavailable, message)
}

pub(crate) fn unrecorded(at: &Rev) -> EngineError {
    let message = format!("Nothing is recorded yet, so there is no state `{at}`.");
    EngineError::new(Code::RevisionUnknown, message)
}

pub(crate) fn not_recorded(name: &SafeName, at: &Rev) -> EngineError {
    EngineError::new(Code::NotRecorded, format!("`{name}` is not recorded at {at}."))
}

pub(crate) fn lost(what: &str, receipt: &Receipt) -> EngineError {
    let message = format!("The content {what} {} is neither stored nor in the history.", receipt.id);
    EngineError::new(Code::BytesLost, message)
}

impl From<history::HistoryError> for EngineError {
    fn from(error: history::HistoryError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}
