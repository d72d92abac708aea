//! Opens a derived database: pragmas, version, and recreation if it is damaged or of another version. There are four
//! kinds, `index.db`, `transcripts.db`, `embeddings.db` and `past.db`; each is a [`Schema`].
//!
//! WAL with `synchronous=NORMAL`: a power failure may lose the last change of the index, never its consistency, and
//! the next update repeats it (D14).

use std::fs::TryLockError;
use std::path::Path;
use std::time::{Duration, Instant};

use inwit_store::IndexError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::busy::while_busy;
use crate::error::index_error;

/// What a derived database is made of.
pub struct Schema {
    /// Another version is dropped and recreated.
    version: i64,
    /// A file of a newer version is left as it is.
    keeps_newer: bool,
    /// The statements that make an empty one.
    script: &'static str,
}

/// `index.db`. The version is raised with every change of the script, the codec or the analyser.
pub const PASSAGES: Schema = Schema { version: 14, keeps_newer: false, script: include_str!("derived.sql") };

/// `transcripts.db`.
pub const TRANSCRIPTS: Schema =
    Schema { version: 1, keeps_newer: false, script: include_str!("transcripts.sql") };

/// `embeddings.db`.
pub const EMBEDDINGS: Schema =
    Schema { version: 1, keeps_newer: true, script: include_str!("embeddings.sql") };

/// `past.db`. The version is raised with every change of the script, the steps or the cut of passages.
pub const PAST: Schema = Schema { version: 6, keeps_newer: false, script: include_str!("past.sql") };

/// Oldest SQLite that keeps committed WAL writes with several processes (D14).
pub const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// How long a writer waits for another one, in milliseconds.
const BUSY_TIMEOUT_MS: u64 = 10_000;

/// The same for an opener that must not wait (D17).
pub const PASSING_TIMEOUT_MS: u64 = 10;

/// How a connection treats others and the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It waits its turn, and writes the log back when that has grown.
    Patient,
    /// Neither waits for other processes nor syncs: others write the log back. A power failure may lose its changes,
    /// which the next update repeats; the file itself is never affected.
    Passing,
    /// As [`Patient`](Self::Patient), but each statement waits for another process no longer than this.
    Within(Duration),
}

impl Manner {
    fn timeout(self) -> Duration {
        match self {
            Self::Patient => Duration::from_millis(BUSY_TIMEOUT_MS),
            Self::Passing => Duration::from_millis(PASSING_TIMEOUT_MS),
            Self::Within(wait) => wait,
        }
    }
}

/// How opening went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenOutcome {
    /// The index was there.
    Whole,
    /// There was none.
    Fresh,
    /// There was one of another version; it was dropped.
    OtherVersion,
    /// There was one, damaged; it was dropped.
    Damaged,
}

/// Opens or makes the index at `path`. Turning on the write-ahead log of a new file does not wait for
/// its turn as other writes do, so an open that meets another one is tried again until the time is up.
pub fn open(path: &Path, schema: &Schema, manner: Manner) -> Result<(Connection, OpenOutcome), IndexError> {
    patiently(manner, || open_once(path, schema, manner))
}

/// Tries `attempt` again as long as `manner` waits for another process.
fn patiently<T>(manner: Manner, attempt: impl FnMut() -> Result<T, IndexError>) -> Result<T, IndexError> {
    let begun = Instant::now();
    let is_over = || begun.elapsed() >= manner.timeout();
    while_busy(is_over, |error| matches!(error, IndexError::Busy(_)), attempt)
}

fn open_once(path: &Path, schema: &Schema, manner: Manner) -> Result<(Connection, OpenOutcome), IndexError> {
    match try_open(path, schema, manner)? {
        Some((connection, State::Ours)) => Ok((connection, OpenOutcome::Whole)),
        Some((connection, State::Empty)) => Ok((prepared(connection, schema)?, OpenOutcome::Fresh)),
        Some((connection, State::OtherVersion)) => {
            drop(connection);
            replaced(path, schema, OpenOutcome::OtherVersion, manner)
        }
        None => replaced(path, schema, OpenOutcome::Damaged, manner),
    }
}

/// Drops and recreates the index, unless another process was faster.
fn replaced(
    path: &Path,
    schema: &Schema,
    why: OpenOutcome,
    manner: Manner,
) -> Result<(Connection, OpenOutcome), IndexError> {
    let _turn = turn(path, manner)?;
    match try_open(path, schema, manner)? {
        Some((connection, State::Ours)) => Ok((connection, OpenOutcome::Whole)),
        _ => anew_in_turn(path, schema, why, manner),
    }
}

/// Opens an index that lives in memory only.
pub fn open_in_memory(schema: &Schema) -> Result<Connection, IndexError> {
    prepared(Connection::open_in_memory().map_err(index_error)?, schema)
}

/// Drops the file at `path` with what belongs to it, and makes an empty index there.
pub fn anew(path: &Path, schema: &Schema, why: OpenOutcome) -> Result<(Connection, OpenOutcome), IndexError> {
    let _turn = turn(path, Manner::Patient)?;
    anew_in_turn(path, schema, why, Manner::Patient)
}

/// Empties the database of `connection` at `path` with `statements`; a damaged one is recreated.
pub fn emptied(
    connection: &mut Connection,
    path: Option<&Path>,
    schema: &Schema,
    statements: &str,
) -> Result<(), IndexError> {
    let emptied = connection.execute_batch(&format!("BEGIN IMMEDIATE; {statements} COMMIT;"));
    match (emptied.map_err(index_error), path) {
        (Err(IndexError::Damaged(_)), Some(path)) => {
            // Statements and the old connection go first: the file is about to be another one.
            *connection = open_in_memory(schema)?;
            *connection = anew(path, schema, OpenOutcome::Damaged)?.0;
            Ok(())
        }
        (Err(error), _) => {
            let _ = connection.execute_batch("ROLLBACK");
            Err(error)
        }
        (Ok(()), _) => Ok(()),
    }
}

/// The lock for replacing the file, so that two processes never do so concurrently.
fn turn(path: &Path, manner: Manner) -> Result<std::fs::File, IndexError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let lock = path.with_extension("lock");
    let unwritable = |error: std::io::Error| IndexError::Unwritable(error.to_string());
    // Opening a pipe blocks until it has a reader.
    if lock.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(IndexError::Unwritable(format!("{} is not a regular file", lock.display())));
    }
    let file = std::fs::OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(lock);
    let file = file.map_err(unwritable)?;
    if manner == Manner::Patient {
        file.lock().map_err(unwritable)?;
        return Ok(file);
    }
    patiently(manner, || {
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                IndexError::Busy("another process is rebuilding the index".to_owned())
            }
            TryLockError::Error(error) => unwritable(error),
        })
    })?;
    Ok(file)
}

fn anew_in_turn(
    path: &Path,
    schema: &Schema,
    why: OpenOutcome,
    manner: Manner,
) -> Result<(Connection, OpenOutcome), IndexError> {
    remove(path)?;
    let (connection, _) = try_open(path, schema, manner)?
        .ok_or_else(|| IndexError::Unwritable("a new index is damaged".into()))?;
    Ok((prepared(connection, schema)?, why))
}

/// Removes the index at `path`, unless another process is replacing it.
pub fn remove_in_turn(path: &Path) -> Result<(), IndexError> {
    let _turn = turn(path, Manner::Patient)?;
    remove(path)
}

/// Removes the index at `path` and what SQLite keeps beside it.
fn remove(path: &Path) -> Result<(), IndexError> {
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(IndexError::Unwritable(error.to_string()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a database is to us.
enum State {
    /// An index of this version.
    Ours,
    /// Nothing was ever written, or another process is about to.
    Empty,
    /// An index of another version, or another database.
    OtherVersion,
}

/// The index has the text of notes, so its mode is private; SQLite gives the files beside it the same mode.
fn make_private(path: &Path) -> Result<(), IndexError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(IndexError::Unwritable(error.to_string()))
        }
        _ => Ok(()),
    }
}

/// Opens the database; `None` when it is damaged.
/// `None`: it is damaged, or a link: what an index holds must not lie where no erasure looks.
fn try_open(path: &Path, schema: &Schema, manner: Manner) -> Result<Option<(Connection, State)>, IndexError> {
    if path.is_symlink() {
        return Ok(None);
    }
    match connect(path, schema, manner) {
        Ok(opened) => Ok(Some(opened)),
        Err(IndexError::Damaged(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn connect(path: &Path, schema: &Schema, manner: Manner) -> Result<(Connection, State), IndexError> {
    make_private(path)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(index_error)?;
    connection.busy_timeout(manner.timeout()).map_err(index_error)?;
    if manner == Manner::Passing {
        // First of all: turning on the log of a new file would wait for the disk.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .and_then(|_| connection.execute_batch("PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=0;"))
            .map_err(index_error)?;
    }
    let synchronous = if manner == Manner::Passing { "OFF" } else { "NORMAL" };
    connection
        .execute_batch(&format!(
            "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA journal_mode=WAL;
             PRAGMA synchronous={synchronous}; PRAGMA cache_size=-8000; PRAGMA temp_store=MEMORY;"
        ))
        .map_err(index_error)?;
    // One statement, so one state of the file: another process may be preparing it.
    let (version, tables): (i64, i64) = connection
        .query_row(
            "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .map_err(index_error)?;
    let state = match (version, tables) {
        (version, _) if version == schema.version => State::Ours,
        (0, 0) => State::Empty,
        (version, _) if schema.keeps_newer && version > schema.version => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            return Err(IndexError::Newer(name.into_owned()));
        }
        _ => State::OtherVersion,
    };
    Ok((connection, state))
}

fn prepared(connection: Connection, schema: &Schema) -> Result<Connection, IndexError> {
    let Schema { version: ours, script, .. } = schema;
    // Two processes may prepare it concurrently: the second one finds it done.
    let script = format!("BEGIN IMMEDIATE; {script} PRAGMA user_version={ours}; COMMIT;");
    if let Err(error) = connection.execute_batch(&script) {
        let _ = connection.execute_batch("ROLLBACK");
        let version: i64 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(index_error)?;
        if version != *ours {
            return Err(index_error(error));
        }
    }
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sqlite_inside_keeps_what_it_committed() {
        assert!(rusqlite::version_number() >= SQLITE_VERSION_MIN, "{}", rusqlite::version());
    }

    #[test]
    fn nobody_else_may_read_the_index() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        let connection = open(&path, &PASSAGES, Manner::Patient).unwrap().0;
        connection.execute_batch("INSERT INTO sets (key) VALUES ('main')").unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(
                entry.metadata().unwrap().permissions().mode() & 0o777,
                0o600,
                "{:?}",
                entry.file_name()
            );
        }
    }

    /// An erasure looks below the home alone.
    #[test]
    fn an_index_behind_a_link_is_built_anew_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (folder.path().join("index.db"), folder.path().join("elsewhere.db"));
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert_eq!(open(&path, &PASSAGES, Manner::Patient).unwrap().1, OpenOutcome::Damaged);
        assert!(path.is_file() && !path.is_symlink() && !elsewhere.exists());
    }

    #[test]
    fn a_damaged_or_foreign_index_is_built_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        assert_eq!(open(&path, &PASSAGES, Manner::Patient).unwrap().1, OpenOutcome::Fresh);
        assert_eq!(open(&path, &PASSAGES, Manner::Patient).unwrap().1, OpenOutcome::Whole);
        open(&path, &PASSAGES, Manner::Patient).unwrap().0.execute_batch("PRAGMA user_version=99").unwrap();
        assert_eq!(open(&path, &PASSAGES, Manner::Patient).unwrap().1, OpenOutcome::OtherVersion);
        #[expect(clippy::disallowed_methods, reason = "the test damages a file")]
        std::fs::write(&path, b"this is no database, it is a sentence that is long enough").unwrap();
        assert_eq!(open(&path, &PASSAGES, Manner::Patient).unwrap().1, OpenOutcome::Damaged);
        assert_eq!(open(&path, &PASSAGES, Manner::Patient).unwrap().1, OpenOutcome::Whole);
    }
}
