//! Converts SQLite errors: damaged, unwritable or busy.
//!
//! Inside, `?` accepts SQLite's errors and our own; a port returns only [`IndexError`].

use inwit_store::IndexError;
use rusqlite::ErrorCode;

/// Sorts an error of SQLite into the three kinds a caller can act on.
pub fn index_error(error: rusqlite::Error) -> IndexError {
    let message = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => IndexError::Busy(message),
        Some(
            ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied,
        ) => IndexError::Unwritable(message),
        Some(ErrorCode::SystemIoFailure) => IndexError::Unwritable(message),
        _ => IndexError::Damaged(message),
    }
}

/// What ends work on a derived database.
#[derive(Debug)]
pub struct DbError(IndexError);

/// The outcome of such work.
pub type DbResult<T> = Result<T, DbError>;

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> Self {
        Self(index_error(error))
    }
}

impl From<IndexError> for DbError {
    fn from(error: IndexError) -> Self {
        Self(error)
    }
}

impl From<DbError> for IndexError {
    fn from(error: DbError) -> Self {
        error.0
    }
}

/// Does the `work` of a method of a port, and says its error as the port does.
pub fn sorted<T>(work: impl FnOnce() -> DbResult<T>) -> Result<T, IndexError> {
    Ok(work()?)
}

/// The damage of a blob that does not decode.
pub fn damaged(what: &str) -> DbError {
    DbError(IndexError::Damaged(format!("{what} cannot be decoded")))
}
