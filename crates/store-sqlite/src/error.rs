//! From SQLite's words to ours: damaged, unwritable or busy.

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

/// The damage of a blob that does not decode.
pub fn damaged(what: &str) -> IndexError {
    IndexError::Damaged(format!("{what} does not decode"))
}
