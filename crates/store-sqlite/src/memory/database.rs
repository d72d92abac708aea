//! Opens `memory.db`: checks ownership and version, and migrates.
//!
//! It is primary data, so it is never dropped or recreated: a damaged, foreign, newer or non-regular file is refused
//! with a message, and backups exist (D1). Write-ahead log with `synchronous=FULL`: a commit is synced (D14).
//! Commands are many and short, so the log is checkpointed when it has grown, not at each exit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use inwit_model::Code;
use inwit_store::MemoryError;
use inwit_store::memory::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::{Fault, TxnResult, is_damage};
use super::reading::{self, OpenedMemory};
use super::{facts, holder, intents, schema, soundness, upkeep, values, witness};
use crate::busy::{BUSY_PAUSE_MS, while_busy};

/// Marks the file as ours: `inwt`.
pub const APPLICATION_ID: i64 = 0x696e_7774;

/// Every version, oldest first; the first one makes an empty file version 1.
pub const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_memory.sql"),
    include_str!("../../migrations/0002_turns.sql"),
    include_str!("../../migrations/0003_facts.sql"),
    include_str!("../../migrations/0004_edges.sql"),
    include_str!("../../migrations/0005_settling.sql"),
    include_str!("../../migrations/0006_tombstones.sql"),
    include_str!("../../migrations/0007_feedback.sql"),
    include_str!("../../migrations/0008_tallies.sql"),
    include_str!("../../migrations/0009_axes.sql"),
    include_str!("../../migrations/0010_changes.sql"),
    include_str!("../../migrations/0011_unread.sql"),
    include_str!("../../migrations/0012_words.sql"),
    include_str!("../../migrations/0013_superseded.sql"),
    include_str!("../../migrations/0014_learning.sql"),
    include_str!("../../migrations/0015_session_model.sql"),
    include_str!("../../migrations/0016_audit_context.sql"),
    include_str!("../../migrations/0017_proposal_scope.sql"),
    include_str!("../../migrations/0018_projects.sql"),
    include_str!("../../migrations/0019_marks_project.sql"),
    include_str!("../../migrations/0020_dream_engine.sql"),
    include_str!("../../migrations/0021_reviews.sql"),
    include_str!("../../migrations/0022_audit_trace.sql"),
    include_str!("../../migrations/0023_requests.sql"),
];

/// How long a writer waits for another one, in milliseconds.
pub const BUSY_TIMEOUT_MS: u64 = 5_000;

/// A commit is synced. Checkpoints are delayed until the log has 512 pages of 4 KiB, since most writes change the
/// same few pages: a process with many commits rarely waits, and one that exits checkpoints earlier.
pub const KEPT: &str = "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=512";

/// How a commit is made that waits for no disk. Writing the log back does wait, so it is left to others
/// until the log is twice as long: a process that only records what is recalled has no others.
pub const SOON: &str = "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=1024";

/// Sizes of the log, in bytes, at which the end of a process writes it back: what was asked is answered then, and
/// who comes next reads all of it.
const WAL_BYTES_MAX: u64 = 1 << 20;
const WAL_BYTES_MAX_SOON: u64 = 4 << 20;

/// Statements that are kept prepared.
const STATEMENTS_KEPT: usize = 64;

/// Says where the copy goes that is made before a memory is brought forward.
pub type CopyPlace<'a> = &'a dyn Fn() -> Result<PathBuf, MemoryError>;

/// Opens or makes the memory at `path`, whose folder is there; one of an earlier version is copied first where
/// `copy_to` says, and stays as it is where it cannot be; one that may not be written is opened to be read. Turning on
/// the write-ahead log of a new file does not wait for its turn as other writes do, so an open that meets another one is
/// tried again until the time is up.
pub fn open(path: &Path, copy_to: Option<CopyPlace<'_>>, wait: Wait) -> Result<OpenedMemory, MemoryError> {
    let begun = Instant::now();
    let opened = while_busy(
        || wait.is_over(begun),
        |error: &MemoryError| error.code == Code::Locked,
        || match open_once(path, copy_to, wait) {
            Err(fault) if reading::is_denied(&fault) => reading::open(path).map_err(Fault::told),
            opened => opened.map(OpenedMemory::whole).map_err(Fault::told),
        },
    );
    opened.map_err(|error| named(error, path, wait))
}

/// The error of a wait that was in vain, with the process that holds the lock.
pub fn named(error: MemoryError, path: &Path, wait: Wait) -> MemoryError {
    if error.code != Code::Locked {
        return error;
    }
    let held = match wait {
        Wait::Each => format!("was locked for {} seconds", BUSY_TIMEOUT_MS / 1_000),
        Wait::Until(_) => "is locked".to_owned(),
    };
    MemoryError::new(Code::Locked, format!("memory.db {held} by {}.", holder::sentence(path)))
}

/// A memory that is gone with its connection.
pub fn open_in_memory() -> Result<OpenedMemory, MemoryError> {
    let opened = Connection::open_in_memory().map_err(Fault::from).and_then(|mut db| {
        settle_down(&mut db, Wait::Each)?;
        bring_forward(&mut db, None)?;
        Ok(OpenedMemory::whole(db))
    });
    opened.map_err(Fault::told)
}

fn open_once(path: &Path, copy_to: Option<CopyPlace<'_>>, wait: Wait) -> TxnResult<Connection> {
    // Of a file that is gone or empty nothing is left to compare with.
    let is_begun = path.symlink_metadata().is_ok_and(|meta| meta.len() > 0);
    let seen = if is_begun { witness::read(path) } else { None };
    make_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags)?;
    settle_down(&mut db, wait)?;
    // A foreign file must not be touched, so the log is turned on only in one that is ours.
    let State { behind, logged } = state(&db)?;
    if !logged {
        db.execute_batch("PRAGMA journal_mode=WAL")?;
    }
    if behind {
        let copy = || copy_to.map_or(Ok(()), |copy_to| copy_before(path, copy_to));
        bring_forward(&mut db, Some(&copy))?;
    }
    match seen {
        Some(seen) => witness::confirm(&db, path, seen)?,
        None if !is_begun => _ = std::fs::remove_file(witness::place(path)),
        None => {}
    }
    Ok(db)
}

/// Makes the file private, or checks an existing one. A link could lead out of the home, and a second name would have
/// a separate write-ahead log.
fn make_private(path: &Path) -> TxnResult<()> {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
    let refused = |what: &str| Fault::said(Code::MemoryUnavailable, format!("memory.db {what}."));
    match std::fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => Err(refused("is a link or not a regular file")),
        Ok(found) if found.nlink() > 1 => Err(refused("has a second name (a hard link)")),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
                Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
                    Err(Fault::said(Code::DiskReadOnly, reading::sentence(path)))
                }
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                    Err(refused(&format!("cannot be created: {error}")))
                }
                _ => Ok(()),
            }
        }
        Err(error) => Err(refused(&format!("cannot be inspected: {error}"))),
    }
}

/// What holds for every connection.
pub fn settle_down(db: &mut Connection, wait: Wait) -> TxnResult<()> {
    wait.apply(db)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    for (option, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
        // A statement's plan is made once, and does not change with later parameters.
        (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
    ] {
        db.set_db_config(option, on)?;
    }
    // In KiB: the indexes that a fact is written into at any place stay at hand, so that writing reads nothing.
    db.execute_batch(
        "PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;
         PRAGMA cache_size=-8000",
    )?;
    Ok(db.execute_batch(KEPT)?)
}

/// How long a connection waits for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Each statement waits up to [`BUSY_TIMEOUT_MS`].
    Each,
    /// All statements together wait until then; later ones do not wait.
    Until(Instant),
}

impl Wait {
    /// Lets the statements of `db` wait from now on.
    pub fn apply(self, db: &mut Connection) -> TxnResult<()> {
        match self {
            Self::Each => Ok(db.busy_handler(Some(wait_a_moment))?),
            Self::Until(_) => Ok(db.busy_timeout(self.at_most(Duration::MAX))?),
        }
    }

    /// What is left of `most`.
    pub fn at_most(self, most: Duration) -> Duration {
        match self {
            Self::Each => most,
            Self::Until(until) => until.saturating_duration_since(Instant::now()).min(most),
        }
    }

    fn is_over(self, begun: Instant) -> bool {
        match self {
            Self::Each => begun.elapsed() >= Duration::from_millis(BUSY_TIMEOUT_MS),
            Self::Until(until) => Instant::now() >= until,
        }
    }
}

/// One pause; `false` when it has been long enough.
fn wait_a_moment(pauses: i32) -> bool {
    let waits = u64::try_from(pauses).is_ok_and(|pauses| pauses * BUSY_PAUSE_MS < BUSY_TIMEOUT_MS);
    if waits {
        std::thread::sleep(Duration::from_millis(BUSY_PAUSE_MS));
    }
    waits
}

/// Empties the log when it has grown: opening reads all of it, and a process with one commit never resets it. Does
/// not wait; concurrent readers only delay it.
pub fn write_back(db: &Connection, waited: bool) -> TxnResult<()> {
    let Some(path) = db.path().filter(|path| !path.is_empty()) else { return Ok(()) };
    let bytes = std::fs::metadata(format!("{path}-wal")).map_or(0, |log| log.len());
    let most = if waited { WAL_BYTES_MAX } else { WAL_BYTES_MAX_SOON };
    if bytes > most {
        db.busy_timeout(Duration::ZERO)?;
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    }
    Ok(())
}

/// How long emptying the log waits for who reads, in milliseconds.
const EMPTY_WAIT_MS: u64 = 250;

/// Empties the log, where pages of before stand until it is; `false`: who reads holds it, so the pages stay in it.
pub fn empty_log(db: &mut Connection) -> TxnResult<bool> {
    db.busy_timeout(Duration::from_millis(EMPTY_WAIT_MS))?;
    let emptied = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>("busy"));
    Wait::Each.apply(db)?;
    match emptied {
        Ok(busy) => Ok(busy == 0),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseLocked) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Damage of the memory at `path` that only a copy can repair, in one sentence; `None` if there is none. Orphaned
/// rows and inconsistent indexes do not count: the other rows are intact. Nothing is migrated or changed. Errors: as
/// [`open`], for what is no damage.
pub fn damage(path: &Path) -> Result<Option<String>, MemoryError> {
    if path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let opened = match open_to_look(path) {
        Err(fault) if reading::is_denied(&fault) => reading::open(path).map(|opened| opened.db),
        opened => opened,
    };
    match opened.and_then(|db| soundness::broken(&db)) {
        Ok(broken) => Ok(broken),
        Err(Fault::Sql(error)) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(fault) => Err(named(fault.told(), path, Wait::Each)),
    }
}

/// Opens it without bringing it forward.
pub fn open_to_look(path: &Path) -> TxnResult<Connection> {
    make_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags)?;
    settle_down(&mut db, Wait::Each)?;
    state(&db)?;
    Ok(db)
}

/// Opens the copy at `path` as an immutable file: nothing is created beside it, and its log is not read. Errors:
/// `memory_unavailable`, also for an earlier version, whose rows have another layout.
pub fn open_copy(path: &Path) -> Result<OpenedMemory, MemoryError> {
    let opened = make_private(path).and_then(|()| {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let db = Connection::open_with_flags(reading::immutable(path), flags)?;
        if state(&db)?.behind {
            return Err(Fault::said(Code::MemoryUnavailable, "The copy is from an earlier version."));
        }
        Ok(OpenedMemory::whole(db))
    });
    opened.map_err(Fault::told)
}

/// Checks whether a copy of memory.db can replace the current one: made by inwit, a known version, intact storage, and no
/// open intent that would stop every write. Creates no file beside it. Error: `memory_unavailable` if the copy is invalid.
pub fn verified_copy(path: &Path) -> Result<Backup, MemoryError> {
    let looked = make_private(path).and_then(|()| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags)?;
        state(&db)?;
        if let Some(first) = soundness::broken(&db)? {
            return Err(Fault::said(Code::MemoryUnavailable, format!("It is not intact: {first}.")));
        }
        let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            return Err(Fault::said(Code::MemoryUnavailable, "It is empty."));
        }
        intents::open(&db, &BTreeMap::new())?;
        values::check(&db, version == MIGRATIONS.len() as i64)?;
        facts::check_lengths(&db)?;
        upkeep::size(&db, path)
    });
    looked.map_err(Fault::told)
}

/// Refuses the copy at `path` if something acts in it that is not ours; other faults are reported when it is
/// opened. Error: `memory_foreign`.
pub fn check_copy(path: &Path) -> Result<(), MemoryError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let checked =
        Connection::open_with_flags(path, flags).map_err(Fault::from).and_then(|db| schema::check(&db));
    match checked.map_err(Fault::told) {
        Err(error) if error.code == Code::MemoryForeign => Err(error),
        _ => Ok(()),
    }
}

/// Removes the frozen prefixes from the copy at `path`. Errors: those of SQLite.
pub fn forget_prefixes(path: &Path) -> Result<(), MemoryError> {
    let forget = || -> TxnResult<()> {
        let has_any = {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let db = Connection::open_with_flags(path, flags)?;
            db.query_row("SELECT EXISTS (SELECT 1 FROM prefixes)", [], |row| row.get(0))?
        };
        if has_any {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let db = Connection::open_with_flags(path, flags)?;
            db.execute_batch(
                "PRAGMA secure_delete=ON;
                 BEGIN IMMEDIATE; UPDATE sessions SET prefix = NULL; DELETE FROM prefixes; COMMIT",
            )?;
        }
        Ok(())
    };
    forget().map_err(Fault::told)
}

/// What a file that is ours lacks.
pub struct State {
    /// It is empty, or of an earlier version.
    pub behind: bool,
    /// Its write-ahead log is on; a restored copy comes without.
    logged: bool,
}

/// What it lacks. Error: `memory_unavailable` for one that is not ours, or newer.
pub fn state(db: &Connection) -> TxnResult<State> {
    // One statement, so one state of the file: another process may be at work on it.
    let (version, application, tables, mode): (i64, i64, i64, String) = db.query_row(
        "SELECT (SELECT user_version FROM pragma_user_version),
                (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema),
                (SELECT journal_mode FROM pragma_journal_mode)",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    let refused = |message: String| Err(Fault::said(Code::MemoryUnavailable, message));
    let newest = MIGRATIONS.len() as i64;
    match (application, version, tables) {
        (0, 0, 0) => {}
        (APPLICATION_ID, 1.., _) if version <= newest => {}
        (APPLICATION_ID, 1.., _) => {
            return refused(format!(
                "memory.db has version {version}, but this version of inwit supports versions up to \
                 {newest}. Use the inwit that wrote it."
            ));
        }
        _ => {
            // A repair meets this error too, so it names the solution.
            let place = db.path().unwrap_or("memory.db");
            return refused(format!(
                "memory.db is a database of another program and was not changed. Move {place} away, then \
                 run this again: inwit creates a new memory.db, or restores the newest copy of yours."
            ));
        }
    }
    Ok(State { behind: version < newest, logged: mode == "wal" })
}

/// Keeps a verified copy of the memory at `path`. A separate connection reads it, while the migrating one blocks
/// other writers.
fn copy_before(path: &Path, copy_to: CopyPlace<'_>) -> TxnResult<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(path, flags)?;
    let copied = copy_to().and_then(|place| upkeep::copy_of(&source, &place));
    copied.map(drop).map_err(|error| {
        let why = error.message.trim_end_matches('.');
        let message = format!(
            "memory.db has an earlier version and was not upgraded, because no copy could be made first \
             ({why})."
        );
        Fault::said(error.code, message)
    })
}

/// Takes the memory through every version it has not seen, all or nothing. A memory that was written before is kept
/// as it was by `copy` first.
pub fn bring_forward(db: &mut Connection, copy: Option<&dyn Fn() -> TxnResult<()>>) -> TxnResult<()> {
    let turn = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Of two concurrent processes the second one finds it done.
    let version: i64 =
        turn.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    let seen = usize::try_from(version).unwrap_or(usize::MAX).min(MIGRATIONS.len());
    if let Some(copy) = copy.filter(|_| (1..MIGRATIONS.len()).contains(&seen)) {
        copy()?;
    }
    for script in &MIGRATIONS[seen..] {
        turn.execute_batch(script)?;
    }
    if (1..MIGRATIONS.len()).contains(&seen) {
        // What no statement of SQL can tell of a text.
        super::facts::number_all(&turn)?;
    }
    if seen < MIGRATIONS.len() {
        let newest = MIGRATIONS.len();
        turn.execute_batch(&format!("PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={newest}"))?;
    }
    Ok(turn.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_waits_for_another_one_and_not_for_ever() {
        let pauses_max = i32::try_from(BUSY_TIMEOUT_MS / BUSY_PAUSE_MS).expect("some thousands");
        assert!(wait_a_moment(0) && wait_a_moment(pauses_max - 1));
        assert!(!wait_a_moment(pauses_max));
    }
}
