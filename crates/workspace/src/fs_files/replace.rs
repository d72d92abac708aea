//! Replaces a file's content without overwriting an unread edit.
//!
//! The new content is synced beside the file; then both names are exchanged atomically, and the old content is read.
//! If it was edited in the meantime, the exchange is reverted: editors need no lock (measured: a check before a plain
//! rename lost 72 of 60,000). The old content is removed only after the folder is synced. Where a file system cannot
//! exchange, the file is read again just before a plain rename; an edit within those microseconds is lost. If another
//! process still has the old file open for writing, the exchange is reverted too, since its next write belongs in the
//! file. Invariant: two syncs, the bytes and the folder.

use inwit_model::ports::{FileWrite, Staged, Written};
use inwit_model::{FileError, Sha256};
use jiff::Timestamp;

use super::spot::{Spot, conflict};
use super::{FsFiles, aside, stage};
use crate::fault::Fault;
use crate::syscalls::Syscalls;

/// Lets the file of `write` hold `bytes` instead of what `base` names.
pub(super) fn replace<S: Syscalls>(
    files: &FsFiles<S>,
    write: &FileWrite<'_>,
    base: Sha256,
    bytes: &[u8],
    staged: &mut Staged<'_>,
) -> Result<Written, FileError> {
    let Some(spot) = Spot::find(files, write.name)? else { return Ok(conflict(None)) };
    let (_, status) = match spot.stands_on(base) {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let temp = stage::hidden(write.mark);
    let making = |fault: Fault| fault.making(write.name);
    stage::staged(files, &spot.dir, &temp, bytes, Some(&status)).map_err(making)?;
    let swap = Swap { spot, temp, base, ours: Sha256::of(bytes), at: write.at };
    let named = staged(&String::from_utf8_lossy(&swap.temp)).map_err(Stop::Untouched);
    let done = named.and_then(|()| swap.carry_out());
    match done {
        Ok(End::Settled(written)) => Ok(written),
        Ok(End::Untouched(found)) => {
            swap.forget();
            Ok(conflict(found))
        }
        Err(Stop::Untouched(error)) => {
            swap.forget();
            Err(error)
        }
        // The hidden file may have an external edit: recovery checks it.
        Err(Stop::Open(error)) => Err(error),
    }
}

/// Two names that are to change places.
struct Swap<'f, S: Syscalls> {
    spot: Spot<'f, S>,
    temp: Vec<u8>,
    base: Sha256,
    ours: Sha256,
    at: Timestamp,
}

/// How it ended, when nothing failed.
enum End {
    /// The hidden file is gone.
    Settled(Written),
    /// Nothing was exchanged; the hidden file is ours, and the target holds this.
    Untouched(Option<Sha256>),
}

/// What the hidden file holds after an exchange was taken back.
enum Back {
    /// Our own bytes.
    Ours,
    /// An external save, while the file has another one.
    Theirs,
    /// An external save, and the file is missing.
    Gone,
}

/// Most exchanges against a program that saves continuously.
const BACK_TRIES_MAX: usize = 8;

/// Where it failed.
enum Stop {
    /// Nothing was exchanged; the hidden file is ours.
    Untouched(FileError),
    /// In between.
    Open(FileError),
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Self {
        Self::Untouched(error)
    }
}

impl<S: Syscalls> Swap<'_, S> {
    fn carry_out(&self) -> Result<End, Stop> {
        match self.exchange() {
            Ok(()) => self.verify(),
            Err(Fault::Unsupported) => self.rename(),
            Err(Fault::Missing) => Ok(End::Untouched(None)),
            Err(fault) => Err(Stop::Untouched(fault.making(self.spot.name))),
        }
    }

    fn exchange(&self) -> Result<(), Fault> {
        self.spot.files.syscalls.exchange(&self.spot.dir, &self.temp, &self.spot.last)
    }

    /// Looks at what came out.
    fn verify(&self) -> Result<End, Stop> {
        // No program can open it by name any more, so only one that has it open could still write.
        if self.spot.is_being_written(&self.temp) {
            let kept = self.back().map_err(Stop::Open)?;
            let found = self.spot.hash(&self.spot.last).map_err(Stop::Open)?;
            return Ok(End::Settled(Written::Conflict { found, kept }));
        }
        match self.spot.hash(&self.temp) {
            Ok(Some(out)) if out == self.base => match self.spot.sync() {
                Ok(()) => {
                    self.forget();
                    Ok(End::Settled(Written::Done))
                }
                Err(error) => self.back().map_err(Stop::Open).and(Err(Stop::Open(error))),
            },
            Ok(out) => {
                let kept = self.back().map_err(Stop::Open)?;
                Ok(End::Settled(Written::Conflict { found: out, kept }))
            }
            Err(error) => self.back().map_err(Stop::Open).and(Err(Stop::Open(error))),
        }
    }

    /// Puts back the old content, and returns what had to be kept beside. A program that saved again has its newest
    /// save in the file, and the one before beside it.
    fn back(&self) -> Result<Option<String>, FileError> {
        let spot = &self.spot;
        let kept = match self.settle()? {
            Back::Ours => None,
            // The file went away in the meantime.
            Back::Gone => match spot.files.syscalls.publish(&spot.dir, &self.temp, &spot.last) {
                Ok(()) => None,
                Err(_) => Some(aside::keep(spot, &self.temp, self.at)?),
            },
            Back::Theirs => Some(aside::keep(spot, &self.temp, self.at)?),
        };
        spot.sync()?;
        if kept.is_none() {
            self.forget();
        }
        Ok(kept)
    }

    /// Exchanges until the content taken out is the one put in before, so that no save came in between: any other
    /// content is newer, and goes in next.
    fn settle(&self) -> Result<Back, FileError> {
        let mut in_file = Some(self.ours);
        for _ in 0..BACK_TRIES_MAX {
            // What cannot be read goes back all the same.
            let going_in = self.spot.hash(&self.temp).ok().flatten();
            match self.exchange() {
                Ok(()) => {}
                Err(Fault::Missing) => return Ok(Back::Gone),
                // What came out cannot go back.
                Err(_) => return Ok(Back::Theirs),
            }
            let out = self.spot.hash(&self.temp)?;
            if out == in_file {
                return Ok(if out == Some(self.ours) { Back::Ours } else { Back::Theirs });
            }
            in_file = going_in;
        }
        Ok(Back::Theirs)
    }

    /// The way of file systems that cannot exchange.
    fn rename(&self) -> Result<End, Stop> {
        let spot = &self.spot;
        let is_open = spot.is_being_written(&spot.last);
        let found = spot.read(&spot.last)?;
        let hash = found.as_ref().map(|(bytes, _)| Sha256::of(bytes));
        let stands = match spot.files.syscalls.stat(&spot.dir, &spot.last) {
            Ok(status) => Some(status),
            Err(Fault::Missing) => None,
            Err(fault) => return Err(Stop::Untouched(fault.making(spot.name))),
        };
        if is_open || hash != Some(self.base) || stands != found.map(|(_, status)| status) {
            return Ok(End::Untouched(spot.hash(&spot.last)?));
        }
        let renamed = spot.files.syscalls.rename(&spot.dir, &self.temp, &spot.last);
        renamed.map_err(|fault| fault.making(spot.name))?;
        spot.sync().map_err(Stop::Open)?;
        Ok(End::Settled(Written::Done))
    }

    /// Removes the hidden file. If this fails, recovery reports and removes it.
    fn forget(&self) {
        let _ = self.spot.files.syscalls.unlink(&self.spot.dir, &self.temp);
    }
}
