//! inwit's own files: the user's config file and the files of the home.
//!
//! The home is private: its folders and files are created for the owner only. A file is replaced atomically, so a
//! reader sees the old one or the new one. Invariant: reading never blocks and is limited to small files; a pipe or a
//! device in place of a file is refused.

use std::fs::{DirBuilder, DirEntry, File, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::Duration;

use inwit_model::{Clock as _, Code, Hint};
use inwit_workspace::file_lock::lock_within;
use inwit_workspace::plain;
use inwit_workspace::stopwatch::RealStopwatch;
use jiff::{SignedDuration, Timestamp};

use crate::clock::SystemClock;
use crate::error::HomeError;
use crate::limit::{FORGOTTEN_BYTES_MAX, OWN_FILE_BYTES_MAX};

/// Creates a folder and its missing parents, for the owner only.
pub fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Pause between two attempts to take a lock, in milliseconds.
const LOCK_PAUSE_MS: u64 = 1;

/// Opens or creates the file at `path`, in an existing folder, and locks it, waiting at most `wait`; the lock lasts
/// as long as the file. Errors: `WouldBlock` if it is held; otherwise those of the disk.
pub fn lock(path: &Path, wait: Duration) -> Result<File, TryLockError> {
    let file = plain::in_place(path, |open| open.write(true).truncate(false));
    let file = file.map_err(TryLockError::Error)?;
    lock_within(&file, wait, Duration::from_millis(LOCK_PAUSE_MS), &RealStopwatch)?;
    Ok(file)
}

/// Reads a small text, `None` if it does not exist. A link is followed, because some users keep config files
/// elsewhere.
pub fn read(path: &Path) -> Result<Option<String>, HomeError> {
    let refused = |why: &str| {
        HomeError::new(Code::SettingBad, format!("{} cannot be read: {why}.", path.display()))
            .hint(Hint::ReplaceFile)
    };
    let file = match plain::open(path) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(error) => return Err(refused(&words(&error))),
    };
    let mut bytes = Vec::new();
    let read = file.take(OWN_FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| refused(&words(&error)))?;
    if bytes.len() as u64 > OWN_FILE_BYTES_MAX {
        return Err(refused("it has more than 256 KiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| refused("it is not UTF-8"))
}

/// Reads a file of hashes of erased texts, `None` if it does not exist. Error: why it cannot be read, as text.
pub fn read_forgotten(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let file = match plain::open(path) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(words(&error)),
    };
    let mut bytes = Vec::new();
    file.take(FORGOTTEN_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| words(&error))?;
    fits_forgotten(&bytes)?;
    Ok(Some(bytes))
}

/// Writes a file of hashes of erased texts; a link in its place is replaced. `too_large`: the error for a file that
/// could not be read back.
pub fn write_forgotten(
    path: &Path,
    bytes: &[u8],
    too_large: impl FnOnce(&str) -> HomeError,
) -> Result<(), HomeError> {
    fits_forgotten(bytes).map_err(|why| too_large(&why))?;
    replace(path, bytes).map_err(|error| failed(path, &error))
}

fn fits_forgotten(bytes: &[u8]) -> Result<(), String> {
    let fits = bytes.len() as u64 <= FORGOTTEN_BYTES_MAX;
    fits.then_some(()).ok_or_else(|| format!("it has more than {} MiB", FORGOTTEN_BYTES_MAX >> 20))
}

/// Replaces or creates a small file, synced when it returns. Of a link, its target is replaced.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), HomeError> {
    let target = path.canonicalize();
    let target = target.as_deref().unwrap_or(path);
    replace(target, bytes).map_err(|error| failed(path, &error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    // The new file has mode 0600.
    let mut file = draft_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// The names in `folder`, as far as it can be listed.
pub fn entries(folder: &Path) -> Vec<DirEntry> {
    let mut entries: Vec<DirEntry> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(DirEntry::file_name);
    entries
}

/// Removes a file; a missing file is not an error.
pub fn unless_gone(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Prefix of a draft's name, by which leftovers of killed processes are recognised.
const DRAFT_PREFIX: &str = ".inwit-draft-";

/// Age from which a draft counts as abandoned; these files are small, so writing takes little time.
const DRAFT_AGE_MAX: SignedDuration = SignedDuration::from_mins(1);

/// A new file in `folder` that will replace another one. Leftovers of killed processes are removed first.
pub fn draft_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    for entry in entries(folder) {
        let is_draft = entry.file_name().as_encoded_bytes().starts_with(DRAFT_PREFIX.as_bytes());
        let modified = entry.metadata().and_then(|about| about.modified());
        let modified = modified.ok().and_then(|at| Timestamp::try_from(at).ok());
        if is_draft && modified.is_some_and(|at| SystemClock.now().duration_since(at) > DRAFT_AGE_MAX) {
            // Another process may have been faster.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    tempfile::Builder::new().prefix(DRAFT_PREFIX).tempfile_in(folder)
}

/// Removes files in `folder` not written for longer than `age`, as far as possible.
pub(crate) fn remove_older(folder: &Path, age: Duration) {
    for entry in entries(folder) {
        let modified = entry.metadata().and_then(|about| about.modified());
        if modified.is_ok_and(|at| at.elapsed().is_ok_and(|old| old > age)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Removes every draft in `folder`, of any age; a draft is a regular file. Call it only while no other process writes
/// there. Errors: those of the disk.
pub fn sweep_drafts(folder: &Path) -> Result<(), HomeError> {
    for entry in entries(folder) {
        let is_draft = entry.file_name().as_encoded_bytes().starts_with(DRAFT_PREFIX.as_bytes());
        if is_draft && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            std::fs::remove_file(entry.path()).map_err(|error| failed(&entry.path(), &error))?;
        }
    }
    Ok(())
}

/// The error for writing `path`. It has the system's message, without paths of drafts.
pub fn failed(path: &Path, error: &io::Error) -> HomeError {
    let code = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::DiskFull,
        ErrorKind::ReadOnlyFilesystem => Code::DiskReadOnly,
        _ => Code::WriteFailed,
    };
    HomeError::new(code, format!("{} cannot be written: {}.", path.display(), words(error)))
}

/// The reason, without a path.
pub(crate) fn words(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "the permissions do not allow it".into(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk or the quota is full".into(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        ErrorKind::InvalidInput => "it is not a regular file".into(),
        ErrorKind::NotFound => "its folder does not exist".into(),
        kind => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().expect("there").permissions().mode() & 0o777
    }

    #[test]
    fn folders_and_files_of_the_home_are_for_the_owner_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("home/agents/main/agent.toml");
        write(&file, b"x").expect("written");
        let modes = ["home", "home/agents", "home/agents/main", "home/agents/main/agent.toml"]
            .map(|path| mode(&folder.path().join(path)));
        assert_eq!(modes, [0o700, 0o700, 0o700, 0o600]);
    }

    #[test]
    fn hashes_of_forgotten_texts_are_written_behind_no_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let [link, outside] = ["link", "outside"].map(|name| folder.path().join(name));
        write(&outside, b"mine").expect("written");
        std::os::unix::fs::symlink(&outside, &link).expect("a link");
        write_forgotten(&link, b"x", |why| panic!("{why}")).expect("written");
        assert_eq!(std::fs::read(&outside).expect("there"), b"mine");
        assert_eq!(read_forgotten(&link), Ok(Some(b"x".to_vec())));
    }

    #[test]
    fn a_draft_that_a_killed_process_left_goes_with_the_next_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let [killed, writing] = [".inwit-draft-a", ".inwit-draft-b"].map(|name| folder.path().join(name));
        for (draft, minutes) in [(&killed, 2), (&writing, 0)] {
            let file = File::create(draft).expect("made");
            let at = SystemClock.now() - SignedDuration::from_mins(minutes);
            file.set_modified(at.into()).expect("set");
        }
        write(&folder.path().join("agent.toml"), b"x").expect("written");
        assert_eq!((killed.exists(), writing.exists()), (false, true));
    }

    #[test]
    fn a_link_stays_a_link_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("dotfiles.toml"), folder.path().join("config.toml"));
        write(&real, b"old").expect("written");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        write(&link, b"new").expect("written");
        assert!(link.symlink_metadata().expect("there").is_symlink());
        assert_eq!(read(&real).expect("read").as_deref(), Some("new"));
        assert_eq!(read(&link).expect("read").as_deref(), Some("new"));
    }

    /// Regression: through a link in a folder of the home, a file elsewhere was created or appended to.
    #[test]
    fn no_file_of_a_home_is_written_behind_a_link() {
        use inwit_model::SessionId;

        use crate::shown::ShownLines;

        let folder = tempfile::tempdir().expect("a folder");
        let (home, outside) = (folder.path().join("home"), folder.path().join("outside"));
        make_folder(&home.join("shown")).expect("made");
        let link = |at: &Path| std::os::unix::fs::symlink(&outside, at).expect("a link");
        link(&home.join("lock"));
        assert!(lock(&home.join("lock"), Duration::ZERO).is_err() && !outside.exists());
        let session = SessionId::parse("s1").expect("an id");
        let file = home.join("shown").join(inwit_model::Sha256::of(b"s1").short(16));
        link(&file);
        ShownLines::of(&home).add(&session, &[7]);
        assert!(file.is_symlink() && !outside.exists());
        std::fs::remove_file(&file).expect("removed");
        ShownLines::of(&home).add(&session, &[7]);
        assert!(file.is_file(), "the link was in the place of the session's file");
    }

    #[test]
    fn what_is_no_small_text_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        write(&at("big"), &vec![b'#'; 256 * 1024 + 1]).expect("written");
        write(&at("odd"), b"\xff").expect("written");
        let why = |path: &Path| read(path).expect_err("refused").message;
        assert!(why(Path::new("/dev/zero")).ends_with("it is not a regular file."));
        assert!(why(folder.path()).ends_with("it is not a regular file."));
        assert!(why(&at("big")).contains("256 KiB"));
        assert!(why(&at("odd")).contains("UTF-8"));
        assert_eq!(read(&at("none")).expect("read"), None);
    }

    #[test]
    fn a_failure_says_why_and_names_the_file_that_was_meant() {
        let told = |kind: ErrorKind| {
            let error =
                failed(Path::new("/h/agent.toml"), &io::Error::new(kind, "at path /h/.inwit-draft-AbC"));
            (error.code, error.message)
        };
        assert_eq!(told(ErrorKind::StorageFull).0, Code::DiskFull);
        assert_eq!(told(ErrorKind::QuotaExceeded).0, Code::DiskFull);
        assert_eq!(told(ErrorKind::ReadOnlyFilesystem).0, Code::DiskReadOnly);
        let (code, message) = told(ErrorKind::PermissionDenied);
        assert_eq!(code, Code::WriteFailed);
        assert_eq!(message, "/h/agent.toml cannot be written: the permissions do not allow it.");
    }
}
