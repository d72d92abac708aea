//! A temporary repository of one reader: it borrows the objects of a history, starts at its tip, and takes commits
//! that the history lacks.
//!
//! So readers see waiting receipts with the same code and commit ids as later. Invariants: the history is only read;
//! the folder is locked while its reader exists and removed afterwards, and one left by a killed reader is removed by
//! the next.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::error::HistoryError;
use super::lock::Lock;
use super::{Author, Git, History, MAIN, Oid, founding};

/// The folder of a [`History`] that is read and thrown away; it stands until this is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    base: Option<Oid>,
    _held: Lock,
}

impl Scratch {
    /// Makes one for the history at `git_dir`; where that is not made yet, one that begins at `founded_at`, as the
    /// history would. Errors: `disk_read_only`, where nothing may be written beside the history; those of
    /// [`History::open`]; `history_failed`.
    pub fn make(git_dir: &Path, founded_at: Timestamp) -> Result<(History, Self), HistoryError> {
        let git = Git::find(git_dir).ok_or(HistoryError::NoGit)?;
        let place = git.git_dir().to_owned();
        let author = Author::Actor;
        let of = History { git, author: author.clone() };
        let base = if founding::stands(&place)? { Some(of.tip()?) } else { None };
        let _ = clear(&place);
        let (folder, held) = locked_folder(&place)?;
        let scratch = Self { folder, base, _held: held };
        let git = of.git.at(&scratch.folder).fleeting();
        founding::furnish(&git, &place)?;
        match base {
            Some(tip) => borrow(&scratch.folder, &place, tip).map_err(HistoryError::writing(&place))?,
            None => founding::begin(&git, founded_at, &author)?,
        }
        Ok((History { git, author }, scratch))
    }

    /// The tip at which it begins; `None`: the history was not made yet.
    pub fn base(&self) -> Option<Oid> {
        self.base
    }

    /// Whether one can be made for the history at `git_dir`.
    pub fn may_stand(git_dir: &Path) -> bool {
        let removed = |(folder, _held): (PathBuf, Lock)| fs::remove_dir(folder).is_ok();
        std::path::absolute(git_dir).is_ok_and(|place| locked_folder(&place).is_ok_and(removed))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = founding::clear(&self.folder);
    }
}

/// Takes away what killed readers of the history at `place` left; the folder of a living one is locked.
pub(super) fn clear(place: &Path) -> io::Result<()> {
    let prefix = prefix(place);
    let mut done = Ok(());
    for entry in fs::read_dir(place.parent().unwrap_or(place))? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
            && let Ok(_left) = Lock::folder(&entry.path(), Duration::ZERO)
        {
            done = founding::clear(&entry.path()).and(done);
        }
    }
    done
}

/// A new locked folder, which no other process removed before the lock.
fn locked_folder(place: &Path) -> Result<(PathBuf, Lock), HistoryError> {
    let parent = place.parent().ok_or_else(|| HistoryError::NotOurs { path: place.to_owned() })?;
    // The first history of a home may lie in a folder that is not made yet.
    fs::DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(HistoryError::writing(place))?;
    loop {
        let made = tempfile::Builder::new()
            .prefix(&prefix(place))
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(parent)
            .map_err(HistoryError::writing(place))?;
        let folder = made.keep();
        match Lock::folder(&folder, Duration::ZERO) {
            Ok(held) if held.is_named(&folder)? => return Ok((folder, held)),
            // Another reader took it for one that was left.
            Ok(_) | Err(HistoryError::Busy) => {}
            Err(error) if folder.exists() => return Err(error),
            Err(_) => {}
        }
    }
}

fn prefix(place: &Path) -> OsString {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(".inwit-reader.");
    name
}

/// Lets the repository in `folder` read the objects of the one at `place`, and begin at its `tip`. Both lie in one
/// folder, so the path says nothing but the name of the history.
fn borrow(folder: &Path, place: &Path, tip: Oid) -> io::Result<()> {
    let mut objects = OsString::from("../../");
    objects.push(place.file_name().unwrap_or_default());
    objects.push("/objects\n");
    fs::create_dir_all(folder.join("objects/info"))?;
    founding::put(&folder.join("objects/info/alternates"), objects.as_encoded_bytes())?;
    founding::put(&folder.join(MAIN), format!("{tip}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_whose_folder_is_not_made_yet_has_a_reader_too() {
        if Git::find(Path::new("history.git")).is_none() {
            return;
        }
        let home = tempfile::tempdir().expect("a folder");
        let (history, scratch) =
            Scratch::make(&home.path().join("deep/er/history.git"), Timestamp::UNIX_EPOCH).expect("made");
        assert!(history.tip().is_ok() && scratch.base().is_none());
    }

    #[test]
    fn the_folder_of_a_killed_reader_is_taken_away_and_that_of_a_living_one_stands() {
        let home = tempfile::tempdir().expect("a folder");
        let place = home.path().join("history.git");
        let (left, killed) = locked_folder(&place).expect("a folder");
        drop(killed);
        let (stands, _living) = locked_folder(&place).expect("a folder");
        clear(&place).expect("cleared");
        assert!(!left.exists() && stands.exists());
    }
}
