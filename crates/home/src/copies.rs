//! Verified copies of `memory.db`, in `backups/` of the home: hourly, and before each migration. With the hourly
//! copy, waiting receipts and external changes are committed to the history, since reading commits nothing.
//!
//! The database cannot be rebuilt, so a writing command makes a copy if the newest is an hour old. Invariant: a
//! failed copy is reported and stops no command; the newest [`COPIES_MAX`] are kept, and the newest intact one.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use inwit_engine::history::past::HISTORY_BEHIND;
use inwit_engine::{Agent, EngineError, Notice};
use inwit_model::{Clock as _, Code, Hint};
use inwit_store_sqlite::SqliteMemory;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::clock::SystemClock;
use crate::error::HomeError;
use crate::open::OpenAgent;
use crate::own;

/// Age in seconds from which another copy is made.
pub const COPY_AGE_SECONDS_MIN: i64 = 60 * 60;

/// Number of copies kept.
pub const COPIES_MAX: usize = 24;

/// Name of a copy: `memory-20261121T140300Z.db`.
const NAME: &str = "memory-%Y%m%dT%H%M%SZ.db";

/// Makes a copy if one is due. Failures are the notice.
pub fn keep(opened: &OpenAgent) -> Option<Notice> {
    made(&opened.agent, &opened.chosen.home).unwrap_or_else(|error| {
        let message = format!("The hourly copy of memory.db was not made: {}", error.message);
        Some(Notice::new("copy_not_made", message, error.code))
    })
}

/// The folder of a home's copies.
pub fn folder(home: &Path) -> PathBuf {
    home.join("backups")
}

/// Makes a copy if one is due; returns what is wrong with it.
fn made(agent: &Agent, home: &Path) -> Result<Option<Notice>, HomeError> {
    let Some(changed) = changed(home) else { return Ok(None) };
    let now = SystemClock.now();
    let copies = copies(&folder(home));
    // A copy with a future date is ignored: the clock was set back, and every command would make another one.
    if let Some((newest, path)) = copies.iter().rev().find(|(at, _)| *at <= now) {
        let copied = path.metadata().and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        let age = now.as_second() - newest.as_second();
        if age < COPY_AGE_SECONDS_MIN || changed <= copied {
            return Ok(None);
        }
    }
    let unrecorded = agent.history.record_found().err().and_then(unrecorded);
    let folder = folder(home);
    own::make_folder(&folder).map_err(|error| own::failed(&folder, &error))?;
    let copy = agent.copy_memory(&folder.join(now.strftime(NAME).to_string()))?;
    let is_clean = copy.is_none_or(|copy| copy.is_clean);
    // A damaged copy displaces no intact one.
    let clean = if is_clean { None } else { newest_clean(&copies) };
    let spare = copies.len().saturating_sub(COPIES_MAX - 1);
    for (_, path) in copies.iter().filter(|(_, path)| Some(path) != clean).take(spare) {
        std::fs::remove_file(path).map_err(|error| own::failed(path, &error))?;
    }
    let unclean = (!is_clean).then(|| {
        let message = "The hourly copy of memory.db was made, but memory.db has a fault, and so does the \
                       copy.";
        Notice::new("copy_unclean", message.to_owned(), Hint::SeeWhatIsWrong)
    });
    Ok(unclean.or(unrecorded))
}

/// If another process writes, changes wait for the next hour; other errors are reported.
fn unrecorded(error: EngineError) -> Option<Notice> {
    let message = format!("Changes were not committed to the history: {}", error.message);
    (error.code != Code::Locked).then(|| Notice::new(HISTORY_BEHIND, message, error.code))
}

/// The newest intact copy.
fn newest_clean(copies: &[(Timestamp, PathBuf)]) -> Option<&PathBuf> {
    let is_clean = |path: &Path| SqliteMemory::verified_copy(path).is_ok_and(|copy| copy.is_clean);
    copies.iter().rev().map(|(_, path)| path).find(|path| is_clean(path))
}

/// A unique path for a copy before a migration. Error: as of writing.
pub fn place(home: &Path) -> Result<PathBuf, HomeError> {
    let folder = folder(home);
    own::make_folder(&folder).map_err(|error| own::failed(&folder, &error))?;
    let now = SystemClock.now();
    let named = |seconds: i64| {
        let at = now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(now);
        folder.join(at.strftime(NAME).to_string())
    };
    let free = (0..COPY_AGE_SECONDS_MIN).map(named).find(|path| path.symlink_metadata().is_err());
    Ok(free.unwrap_or_else(|| named(0)))
}

/// When memory.db or its log was last written.
fn changed(home: &Path) -> Option<SystemTime> {
    let at = |name: &str| home.join(name).metadata().and_then(|meta| meta.modified()).ok();
    at("memory.db").map(|memory| memory.max(at("memory.db-wal").unwrap_or(memory)))
}

/// Copies, oldest first, by the time in their names.
pub fn copies(folder: &Path) -> Vec<(Timestamp, PathBuf)> {
    let entries = own::entries(folder).into_iter();
    let moment = |name: &str| {
        let at = DateTime::strptime(NAME, name).ok()?;
        Some(at.to_zoned(TimeZone::UTC).ok()?.timestamp())
    };
    let mut copies: Vec<(Timestamp, PathBuf)> =
        entries.filter_map(|entry| Some((moment(entry.file_name().to_str()?)?, entry.path()))).collect();
    copies.sort();
    copies
}
