//! Conversion of model values to and from rows.
//!
//! Invariant: an invalid stored value is reported as damage, never guessed.

use inwit_model::{SafeName, Sha256};
use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};

use super::fault::{Fault, TxnResult};

/// A hash as 32 bytes.
pub struct Hash(pub Sha256);

impl ToSql for Hash {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(&self.0.0)))
    }
}

impl FromSql for Hash {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes: [u8; 32] = value.as_blob()?.try_into().map_err(|_| FromSqlError::InvalidType)?;
        Ok(Self(Sha256(bytes)))
    }
}

/// A moment as microseconds.
pub struct Moment(pub Timestamp);

impl ToSql for Moment {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.as_microsecond().into())
    }
}

impl FromSql for Moment {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let us = value.as_i64()?;
        Timestamp::from_microsecond(us).map(Self).map_err(|_| FromSqlError::OutOfRange(us))
    }
}

/// A hash in a column.
pub fn hash(row: &Row<'_>, column: &str) -> TxnResult<Sha256> {
    Ok(row.get::<_, Hash>(column)?.0)
}

/// A hash in a column that may be empty.
pub fn some_hash(row: &Row<'_>, column: &str) -> TxnResult<Option<Sha256>> {
    Ok(row.get::<_, Option<Hash>>(column)?.map(|hash| hash.0))
}

/// A moment in a column.
pub fn moment(row: &Row<'_>, column: &str) -> TxnResult<Timestamp> {
    Ok(row.get::<_, Moment>(column)?.0)
}

/// A moment in a column that may be empty.
pub fn some_moment(row: &Row<'_>, column: &str) -> TxnResult<Option<Timestamp>> {
    Ok(row.get::<_, Option<Moment>>(column)?.map(|moment| moment.0))
}

/// A count in a column.
pub fn count(row: &Row<'_>, column: &str) -> TxnResult<u64> {
    u64::try_from(row.get::<_, i64>(column)?).map_err(|_| Fault::damaged("a count"))
}

/// A count that is to be written; those of files and rows fit.
pub fn counted(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The name of a file in a column.
pub fn name(row: &Row<'_>, column: &str) -> TxnResult<SafeName> {
    SafeName::parse(&row.get::<_, String>(column)?).map_err(|_| Fault::damaged("the name of a file"))
}

/// A word or id in a column.
pub fn word<T>(row: &Row<'_>, column: &str, parse: impl Fn(&str) -> Option<T>) -> TxnResult<T> {
    parse(&row.get::<_, String>(column)?).ok_or_else(|| Fault::damaged(&format!("a value of `{column}`")))
}

/// A word or id in a column that may be empty.
pub fn some_word<T>(row: &Row<'_>, column: &str, parse: impl Fn(&str) -> Option<T>) -> TxnResult<Option<T>> {
    match row.get::<_, Option<String>>(column)? {
        None => Ok(None),
        Some(text) => parse(&text).map(Some).ok_or_else(|| Fault::damaged(&format!("a value of `{column}`"))),
    }
}
