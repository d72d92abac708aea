//! Connections for reading while another thread writes.
//!
//! A single-threaded command reads through its writing connection. With several threads, reads use separate
//! connections, which do not wait for writers in WAL mode. Invariant: they use the file that the memory was opened
//! with.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use super::database::{Wait, settle_down};
use super::fault::TxnResult;
use crate::pool::{Lease, Pool};

/// Most connections that read; so many threads read at the same time, and others wait.
const READERS_MAX: usize = 4;

/// See the module.
pub struct Readers {
    path: PathBuf,
    file: (u64, u64),
    wait: Wait,
    pool: Arc<Pool<Connection>>,
}

impl Readers {
    /// Readers of the memory that `db` is; `None` where it has no file.
    pub fn of(db: &Connection, wait: Wait) -> Option<Self> {
        let path = PathBuf::from(db.path().filter(|path| !path.is_empty())?);
        let file = file_at(&path)?;
        Some(Self { path, file, wait, pool: Pool::of(Vec::new(), READERS_MAX) })
    }

    /// A connection that is free, or another one. `None`: another file lies at the path by now. Errors: those of opening.
    pub fn take(&self) -> TxnResult<Option<Lease<Connection>>> {
        let mut reader = self.pool.take(|| self.another().map(Some))?;
        if file_at(&self.path) != Some(self.file) {
            return Ok(None);
        }
        if self.wait != Wait::Each {
            self.wait.apply(&mut reader)?;
        }
        Ok(Some(reader))
    }

    fn another(&self) -> TxnResult<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(&self.path, flags)?;
        settle_down(&mut db, self.wait)?;
        db.execute_batch("PRAGMA query_only=ON")?;
        Ok(db)
    }
}

/// Device and inode of the file at `path`.
pub fn file_at(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}
