//! Taking words out of what was said.
//!
//! The one exception to "nothing that stands is changed": the owner forgets something for good. The file is made
//! anew beside its place and takes its name, under the lock that appends hold; who appends meanwhile waits, and
//! opens the new one. Invariant: every line stays a line, so what is looked up by its number is found.

use inwit_model::{Code, FileError, SessionId};

use super::disk::{self, HoldError};
use super::{Transcripts, locked};
use crate::history::Without;

impl Transcripts {
    /// Whether the words stand in a session. Errors: `session_not_found`, `file_unreadable`.
    pub fn holds(&self, id: &SessionId, without: &Without<'_>) -> Result<bool, FileError> {
        Ok(without(&self.whole(id)?).is_some())
    }

    /// Takes the words out of a session; `false`: they did not stand there. On the disk when it returns. Errors:
    /// as [`holds`](Self::holds), `locked`, and those of the disk; then the session is as it was.
    pub fn rewrite(&self, id: &SessionId, without: &Without<'_>) -> Result<bool, FileError> {
        let Some(folder) = &self.folder else { return Err(disk::missing(id)) };
        let held = folder.hold(id).map_err(|error| match error {
            HoldError::Locked => locked(id),
            HoldError::Fault(fault) => disk::writing(id, &fault),
        })?;
        let Some(left) = without(&self.whole(id)?) else { return Ok(false) };
        let replaced = || -> std::io::Result<()> {
            use std::io::Write as _;
            let mut file = tempfile::Builder::new().prefix(".forgetting-").tempfile_in(&self.path)?;
            file.write_all(&left)?;
            file.as_file().sync_all()?;
            file.persist(self.path.join(disk::file_name(id))).map_err(|error| error.error)?;
            std::fs::File::open(&self.path)?.sync_all()
        };
        let done = replaced().map_err(|error| disk::writing(id, &error.into()));
        drop(held);
        done.map(|()| true)
    }

    fn whole(&self, id: &SessionId) -> Result<Vec<u8>, FileError> {
        use std::io::Read as _;
        let (mut file, _) = self.opened(id)?;
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| FileError { code: Code::FileUnreadable, ..disk::reading(id, &error.into()) })?;
        Ok(bytes)
    }
}
