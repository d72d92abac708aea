//! Errors inside a transaction, and their codes outside.
//!
//! Inside, `?` accepts SQLite's errors and our own. Outside there are only our codes; an operation that cannot be
//! recorded returns `audit_unwritable`, or `locked` if it only timed out: then waiting helps.

use inwit_model::Code;
use inwit_store::MemoryError;
use inwit_store::memory::UNRECORDED;
use rusqlite::ErrorCode;

/// Why a transaction ended early.
pub enum Fault {
    /// SQLite could not.
    Sql(rusqlite::Error),
    /// We would not.
    Said(MemoryError),
}

/// The outcome of work inside a transaction.
pub type TxnResult<T> = Result<T, Fault>;

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<MemoryError> for Fault {
    fn from(error: MemoryError) -> Self {
        Self::Said(error)
    }
}

impl Fault {
    /// Refuses with `code` and a sentence.
    pub fn said(code: Code, message: impl Into<String>) -> Self {
        Self::Said(MemoryError::new(code, message))
    }

    /// A row that does not hold what it should.
    pub fn damaged(what: &str) -> Self {
        Self::said(Code::MemoryUnavailable, format!("memory.db contains {what} that cannot be read."))
    }

    /// The error of a method.
    pub fn told(self) -> MemoryError {
        match self {
            Self::Sql(error) => told(&error),
            Self::Said(error) => error,
        }
    }

    /// The error of a method that must leave a row in the audit.
    pub fn told_unrecorded(self) -> MemoryError {
        let told = match self {
            Self::Sql(error) if is_damage(&error) => return told(&error),
            Self::Sql(error) => told(&error),
            // What may not be written cannot be recorded either; every other refusal is about something else.
            Self::Said(error) if error.code != Code::DiskReadOnly => return error,
            Self::Said(error) => error,
        };
        if told.code == Code::Locked {
            return told;
        }
        let why = told.message.trim_end_matches('.');
        MemoryError::new(Code::AuditUnwritable, format!("{UNRECORDED}{why}."))
    }
}

/// What is said of a memory that is not there as it should be.
pub fn refusal(what: &str) -> MemoryError {
    let message = format!("memory.db {what}. It was not changed; a copy in backups/ can replace it.");
    MemoryError::new(Code::MemoryUnavailable, message)
}

/// What is said where an index or a full text stands in the way and every row is whole.
pub fn index_is_stale(what: &str) -> Fault {
    Fault::said(Code::MemoryIndexStale, format!("An index of memory.db {what}; no row is lost."))
}

pub fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// SQLite's error in our words.
pub fn told(error: &rusqlite::Error) -> MemoryError {
    let (code, message) = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            (Code::Locked, "memory.db was locked by another process.".to_owned())
        }
        Some(ErrorCode::DiskFull) => (Code::DiskFull, "memory.db cannot grow: the disk is full.".to_owned()),
        Some(ErrorCode::ReadOnly) => (Code::DiskReadOnly, "memory.db is not writable.".to_owned()),
        Some(ErrorCode::SystemIoFailure) => {
            (Code::WriteFailed, format!("memory.db could not be read or written: {error}."))
        }
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            (Code::MemoryUnreadable, format!("memory.db cannot be opened: {error}."))
        }
        _ if is_damage(error) => return refusal(&format!("is damaged ({error})")),
        _ => (Code::MemoryUnavailable, format!("memory.db returned an unexpected error: {error}.")),
    };
    MemoryError::new(code, message)
}
