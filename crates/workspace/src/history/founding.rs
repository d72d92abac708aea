//! Creates the repository, and distinguishes ours from a foreign one.
//!
//! A foreign `.git` can name programs in its config, so it is never opened. Ours has a file with disk numbers of its
//! place, which an archive cannot reproduce. A moved or copied one is still ours if its config is exactly the one we
//! wrote. Invariant: a repository appears complete under its name, or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::commit::{Author, Commit, import};
use super::error::HistoryError;
use super::lock::Lock;
use super::{Git, LOCK, scratch};
use crate::limit::HISTORY_READ_SECONDS_MAX;
use crate::plain;

/// The file that marks a repository as ours.
const MARK: &str = "inwit";

/// The first line of the mark.
const MARK_LINE: &str = "This repository was made by inwit. It holds the history of a workspace.";

/// The subject of the first commit.
const FOUNDING: &str = "workspace init";

/// Who makes the first commit.
const FOUNDER: &str = "inwit";

/// Whether a history of ours is at `git_dir`. Errors: something else is, or the disk fails.
pub(super) fn stands(git_dir: &Path) -> Result<bool, HistoryError> {
    let shown = || git_dir.display().to_string();
    let meta = match git_dir.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(HistoryError::io(shown())(error)),
    };
    let foreign = || HistoryError::NotOurs { path: git_dir.to_owned() };
    // A link, a file that says `gitdir: …` and one named `commondir` lead elsewhere.
    if !meta.is_dir() || git_dir.join("commondir").symlink_metadata().is_ok() {
        return Err(foreign());
    }
    let mark = small(&git_dir.join(MARK)).unwrap_or_default();
    let made_here = mark == mark_of(&meta);
    let unchanged = || small(&git_dir.join("config")).is_some_and(|text| text == own_config(git_dir));
    if !mark.starts_with(MARK_LINE) || !made_here && !unchanged() {
        return Err(foreign());
    }
    refuse_special(git_dir).map(|()| true)
}

/// Returns an error if something in the history at `git_dir` is neither a file nor a folder: git would read and write behind a
/// link, and wait without end for a pipe. Error: `home_linked`, `history_failed`.
pub fn refuse_special(git_dir: &Path) -> Result<(), HistoryError> {
    // A file that disappears belongs to a flush. git reports what else is wrong with a folder.
    let Ok(entries) = fs::read_dir(git_dir) else { return Ok(()) };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => refuse_special(&entry.path())?,
            Ok(kind) if !kind.is_file() => {
                return Err(HistoryError::Special { path: entry.path(), is_link: kind.is_symlink() });
            }
            _ => {}
        }
    }
    Ok(())
}

/// A file that a stranger may have made: no pipe is waited for, and nothing of size is read.
fn small(path: &Path) -> Option<String> {
    const BYTES_MAX: u64 = 4 * 1024;
    let file = plain::open(path).ok().flatten()?;
    let mut text = String::new();
    file.take(BYTES_MAX).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Creates the repository with its first commit, unless another process just did.
pub(super) fn found(git: &Git, at: Timestamp, author: &Author) -> Result<(), HistoryError> {
    let place = git.git_dir();
    let shown = || place.display().to_string();
    let parent = place.parent().ok_or_else(|| HistoryError::NotOurs { path: place.to_owned() })?;
    let _lock = Lock::folder(parent, git.lock_wait())?;
    if stands(place)? {
        return Ok(());
    }
    let draft = draft(place)?;
    let made = furnish(&git.at(&draft), place)
        .and_then(|()| begin(&git.at(&draft), at, author))
        .and_then(|()| publish(&draft, place, parent).map_err(HistoryError::io(shown())));
    if made.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    made
}

/// An empty folder for creating a repository; the caller holds the lock of the parent folder.
///
/// Its name is new each time: the git of an inwit that was killed may live on, and take away or
/// write what stood under the name that it was given.
pub(super) fn draft(place: &Path) -> Result<PathBuf, HistoryError> {
    // What such a git still fills goes when the next one is made.
    let _ = clear_drafts(place);
    let parent = place.parent().ok_or_else(|| HistoryError::NotOurs { path: place.to_owned() })?;
    let mut prefix = draft_prefix(place);
    prefix.push(".");
    let made = tempfile::Builder::new()
        .prefix(&prefix)
        .permissions(fs::Permissions::from_mode(0o700))
        .tempdir_in(parent)
        .map_err(HistoryError::writing(place))?;
    Ok(made.keep())
}

/// Takes away every draft that a crash left beside `place`, and what killed readers left.
pub(super) fn clear_drafts(place: &Path) -> io::Result<()> {
    let prefix = draft_prefix(place);
    let mut done = Ok(());
    for entry in fs::read_dir(place.parent().unwrap_or(place))? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) {
            done = clear(&entry.path()).and(done);
        }
    }
    scratch::clear(place).and(done)
}

/// Most times a draft is taken away.
const CLEAR_TRIES_MAX: u32 = 100;

/// Takes away a draft. A git that outlived its inwit may be writing its last files there.
pub(super) fn clear(draft: &Path) -> io::Result<()> {
    for _ in 1..CLEAR_TRIES_MAX {
        match fs::remove_dir_all(draft) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            done => return done,
        }
    }
    fs::remove_dir_all(draft)
}

/// How the name of each draft beside `place` begins.
fn draft_prefix(place: &Path) -> OsString {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(".inwit-draft");
    name
}

/// Makes an empty repository that will stand at `place`.
pub(super) fn furnish(git: &Git, place: &Path) -> Result<(), HistoryError> {
    let within = Duration::from_secs(HISTORY_READ_SECONDS_MAX);
    // An empty template: no hooks, no excludes, no attributes.
    let run = git.run(&["init", "--quiet", "--template="], None, None, within)?;
    if !run.good {
        return Err(HistoryError::Failed { said: run.said });
    }
    let draft = git.git_dir();
    let shown = || draft.display().to_string();
    let meta = draft.metadata().map_err(HistoryError::io(shown()))?;
    let files = [("config", own_config(place)), (MARK, mark_of(&meta))];
    for (name, text) in files {
        put(&draft.join(name), text.as_bytes()).map_err(HistoryError::io(shown()))?;
    }
    Ok(())
}

/// Makes the first commit.
pub(super) fn begin(git: &Git, at: Timestamp, author: &Author) -> Result<(), HistoryError> {
    let first = Commit {
        subject: FOUNDING.to_owned(),
        body: String::new(),
        at,
        actor: FOUNDER.to_owned(),
        trailers: Vec::new(),
        changes: Vec::new(),
    };
    let mut lock = Lock::file(&git.git_dir().join(LOCK), git.lock_wait())?;
    import(git, None, &[first], author, &mut lock)?.map(|_| ()).map_err(|said| HistoryError::Failed { said })
}

/// Whether `text` is a configuration that inwit writes, wherever the repository lies.
pub fn is_own_config(text: &[u8]) -> bool {
    ["x", ".git"].iter().any(|place| text == own_config(Path::new(place)).as_bytes())
}

/// Whether a repository of inwit may hold a file at `path`, relative to it. Excluded are hooks, alternates, other
/// work trees and whatever else makes git run a program or read another folder.
pub fn is_own_entry(path: &str) -> bool {
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits
            && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let is_plain = |part: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock") && part.bytes().all(fits)
    };
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [file] => ["HEAD", "config", MARK, LOCK, "packed-refs", "description"].contains(file),
        ["info", file] => *file == "refs",
        ["refs", names @ ..] => !names.is_empty() && names.iter().all(|name| is_plain(name)),
        ["objects", "info", file] => ["packs", "commit-graph"].contains(file),
        ["objects", "info", "commit-graphs", file] => is_plain(file),
        ["objects", "pack", file] => {
            const ENDINGS: [&str; 6] = ["pack", "idx", "rev", "bitmap", "keep", "mtimes"];
            let name = file.strip_prefix("pack-").and_then(|rest| rest.split_once('.'));
            name.is_some_and(|(digits, ending)| is_hex(digits, 40) && ENDINGS.contains(&ending))
        }
        ["objects", first, rest] => is_hex(first, 2) && is_hex(rest, 38),
        _ => false,
    }
}

/// The configuration of the repository at `place`. A `.git` has a work tree for other programs; inwit uses each as
/// a bare repository.
pub fn own_config(place: &Path) -> String {
    let bare = place.file_name().is_none_or(|name| name != ".git");
    format!("[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = {bare}\n[gc]\n\tauto = 0\n")
}

fn mark_of(meta: &fs::Metadata) -> String {
    format!("{MARK_LINE}\nmade at {}:{}\n", meta.dev(), meta.ino())
}

pub(super) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    // One that git made just now has the mode of the person's umask.
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    file.write_all(bytes)
}

/// Puts all of `draft` on the disk and gives it its name.
fn publish(draft: &Path, place: &Path, parent: &Path) -> io::Result<()> {
    sync(draft)?;
    fs::rename(draft, place)?;
    File::open(parent)?.sync_all()
}

/// Puts all of a folder on the disk.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    File::open(folder)?.sync_all()
}
