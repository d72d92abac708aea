//! Hidden files of writes, and names of conflict copies.
//!
//! A hidden file may have the only copy of an edit. So it ends only by proof that its bytes are elsewhere, or by a
//! conflict name that people and sync tools recognise. Invariant: nothing here replaces a file.

use std::sync::Arc;

use inwit_model::limit::{NAME_PART_BYTES_MAX, WORKSPACE_DEPTH_MAX};
use inwit_model::place::is_foreign_folder;
use inwit_model::ports::Clear;
use inwit_model::{Code, FileError, SafeName, name};
use jiff::Timestamp;

use super::FsFiles;
use super::spot::Spot;
use super::stage::{HIDDEN_PREFIX, HIDDEN_SUFFIX};
use crate::fault::{Fault, exists};
use crate::syscalls::{Kind, Syscalls};

/// Most names of one second that are tried beside a file.
const BESIDE_NAMES_MAX: u32 = 1_000;

/// Age at which a hidden file of a writer without a guard (seeding, an import) is a dead one's, in seconds.
const DEAD_SECONDS: i64 = 60 * 60;

/// What the hidden file of a dream lock is called after.
const LOCK: &str = "lock-";

/// What stands between the name of an archived file and its time.
const PAST: &str = ".done.";

/// What every mark of a guarded write begins with.
const GUARDED: &str = "rcpt-";

/// Gives the hidden file `temp` a name that says "conflict", and answers its path.
pub(super) fn keep<S: Syscalls>(spot: &Spot<'_, S>, temp: &[u8], at: Timestamp) -> Result<String, FileError> {
    let last = String::from_utf8_lossy(&spot.last).into_owned();
    let (stem, ending) =
        last.rsplit_once('.').map_or((last.as_str(), ""), |(stem, _)| (stem, &last[stem.len()..]));
    for beside in beside(stem, ".conflict-", ending, at) {
        match spot.files.syscalls.publish(&spot.dir, temp, beside.as_bytes()) {
            Ok(()) => {
                let folder = spot.name.folder();
                let joint = if folder.is_empty() { "" } else { "/" };
                return Ok(name::shown(&format!("{folder}{joint}{beside}")));
            }
            Err(Fault::Exists) => {}
            Err(fault) => return Err(fault.making(spot.name)),
        }
    }
    Err(exists(spot.name))
}

/// A free name of the past.
pub(super) fn past_name<S: Syscalls>(spot: &Spot<'_, S>, at: Timestamp) -> Result<Vec<u8>, FileError> {
    let last = String::from_utf8_lossy(&spot.last).into_owned();
    for beside in beside(&last, PAST, "", at) {
        match spot.files.syscalls.stat(&spot.dir, beside.as_bytes()) {
            Err(Fault::Missing) => return Ok(beside.into_bytes()),
            Ok(_) => {}
            Err(fault) => return Err(fault.making(spot.name)),
        }
    }
    Err(exists(spot.name))
}

/// `<stem><word><UTC><ending>`, then the same with `-2`, `-3`, …
fn beside(stem: &str, word: &str, ending: &str, at: Timestamp) -> impl Iterator<Item = String> {
    const TAIL_BYTES: usize = 64;
    let room = NAME_PART_BYTES_MAX.saturating_sub(TAIL_BYTES + ending.len());
    let stem: String =
        stem.char_indices().take_while(|(at, c)| at + c.len_utf8() <= room).map(|(_, c)| c).collect();
    let head = format!("{stem}{word}{}", at.strftime("%Y%m%dT%H%M%SZ"));
    let ending = ending.to_owned();
    (1..=BESIDE_NAMES_MAX).map(move |number| match number {
        1 => format!("{head}{ending}"),
        number => format!("{head}-{number}{ending}"),
    })
}

/// See `Files::sync`.
pub(super) fn sync<S: Syscalls>(files: &FsFiles<S>, name: &SafeName) -> Result<(), FileError> {
    let Some(spot) = Spot::beside(files, name)? else { return Ok(()) };
    match files.syscalls.open_read(&spot.dir, &spot.last) {
        Ok(file) => files.syscalls.sync(&file).map_err(|fault| fault.making(name))?,
        Err(Fault::Missing) => {}
        Err(fault) => return Err(fault.reading(name)),
    }
    spot.sync()?;
    // The writer may have died before the folders above, which it made, were synced.
    let mut folder = name.folder();
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let above = files.seek(folder, |path| files.folder(path));
        above.and_then(|dir| files.syscalls.sync_dir(&dir)).map_err(|fault| fault.making(name))?;
    }
    Ok(())
}

/// The name of a hidden or archived file, which comes from a database: one part of a path, in a form that we give. So a
/// foreign database can name no file of the owner's. Error: `name_refused`.
fn part<'a>(name: &SafeName, aside: &'a str) -> Result<&'a [u8], FileError> {
    let is_hidden = aside.starts_with(HIDDEN_PREFIX) && aside.ends_with(HIDDEN_SUFFIX);
    let is_past = aside.contains(PAST) && !aside.ends_with(".md");
    if (is_hidden || is_past) && !aside.contains(['/', '\0']) {
        return Ok(aside.as_bytes());
    }
    let message = format!(
        "The hidden file `{}` of `{name}` is refused: inwit creates no such name.",
        name::shown(aside)
    );
    Err(FileError { code: Code::NameRefused, message })
}

/// See `Files::aside`.
pub(super) fn read<S: Syscalls>(
    files: &FsFiles<S>,
    name: &SafeName,
    aside: &str,
) -> Result<Option<Arc<[u8]>>, FileError> {
    let aside = part(name, aside)?;
    let Some(spot) = Spot::beside(files, name)? else { return Ok(None) };
    Ok(spot.read(aside)?.map(|(bytes, _)| Arc::from(bytes)))
}

/// See `Files::clear`.
pub(super) fn clear<S: Syscalls>(
    files: &FsFiles<S>,
    name: &SafeName,
    aside: &str,
    how: Clear,
) -> Result<Option<String>, FileError> {
    let aside = part(name, aside)?;
    let Some(spot) = Spot::beside(files, name)? else { return Ok(None) };
    // What made the hidden file superfluous must last before it goes.
    spot.sync()?;
    let kept = match how {
        Clear::Remove => match files.syscalls.unlink(&spot.dir, aside) {
            Ok(()) | Err(Fault::Missing) => None,
            Err(fault) => return Err(fault.making(name)),
        },
        Clear::Keep(at) => Some(keep(&spot, aside, at)?),
        Clear::Restore(at) => match files.syscalls.publish(&spot.dir, aside, &spot.last) {
            Ok(()) => None,
            Err(Fault::Exists) => Some(keep(&spot, aside, at)?),
            Err(fault) => return Err(fault.making(name)),
        },
    };
    spot.sync()?;
    Ok(kept)
}

/// See `Files::sweep`.
pub(super) fn sweep<S: Syscalls>(
    files: &FsFiles<S>,
    at: Timestamp,
    spared: &[String],
) -> Result<usize, FileError> {
    let mut swept = 0;
    walk(files, &mut |_, dir, called| {
        if is_dead(files, dir, called, at) && !spared.iter().any(|spared| spared == called) {
            swept += usize::from(files.syscalls.unlink(dir, called.as_bytes()).is_ok());
        }
    })?;
    Ok(swept)
}

/// The hidden files that writes staged, as they may be shown.
pub(super) fn staged<S: Syscalls>(files: &FsFiles<S>) -> Result<Vec<String>, FileError> {
    let mut found = Vec::new();
    walk(files, &mut |folder, _, called| {
        if mark_of(called).is_some() {
            let joint = if folder.is_empty() { "" } else { "/" };
            found.push(name::shown(&format!("{}{joint}{called}", String::from_utf8_lossy(folder))));
        }
    })?;
    found.sort_unstable();
    Ok(found)
}

/// Is shown a folder's path, the folder, and a name in it.
type See<'s, S> = dyn FnMut(&[u8], &<S as Syscalls>::Dir, &str) + 's;

/// Shows every name in every folder of ours to `see`, with the folder's path. Error: `workspace_unreadable`.
fn walk<S: Syscalls>(files: &FsFiles<S>, see: &mut See<'_, S>) -> Result<(), FileError> {
    let mut folders: Vec<(Vec<u8>, usize)> = vec![(Vec::new(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let listed =
            files.folder(&folder).and_then(|dir| files.syscalls.list(&dir).map(|found| (dir, found)));
        let (dir, found) = match listed {
            Ok(listed) => listed,
            Err(_) if depth == 0 => return Err(unlisted()),
            // The listing reports unreadable folders.
            Err(_) => continue,
        };
        for one in found {
            let Ok(called) = std::str::from_utf8(&one.name) else { continue };
            see(&folder, &dir, called);
            if one.kind == Kind::Folder
                && depth < WORKSPACE_DEPTH_MAX
                && !called.starts_with('.')
                && !is_foreign_folder(called)
            {
                let joint: &[u8] = if depth == 0 { b"" } else { b"/" };
                folders.push(([&folder, joint, &one.name].concat(), depth + 1));
            }
        }
    }
    Ok(())
}

/// What a hidden file of ours is marked with.
fn mark_of(called: &str) -> Option<&str> {
    called.strip_prefix(HIDDEN_PREFIX).and_then(|rest| rest.strip_suffix(HIDDEN_SUFFIX))
}

/// Whether `called` is a hidden file of a dead writer of ours.
fn is_dead<S: Syscalls>(files: &FsFiles<S>, dir: &S::Dir, called: &str, at: Timestamp) -> bool {
    let Some(mark) = mark_of(called) else { return false };
    // The caller holds the guard, so no guarded write is running.
    if mark.starts_with(GUARDED) {
        return true;
    }
    // A state file's or a dream lock's: written without the guard, so only its age decides.
    let numbered = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit());
    let is_unguarded = numbered || mark.starts_with(LOCK);
    let changed = files.syscalls.stat(dir, called.as_bytes()).map(|status| status.changed_ns);
    is_unguarded && changed.is_ok_and(|changed| changed / 1_000_000_000 + DEAD_SECONDS < at.as_second())
}

fn unlisted() -> FileError {
    FileError { code: Code::WorkspaceUnreadable, message: "the workspace folder cannot be listed.".into() }
}

#[cfg(test)]
mod tests {
    use inwit_model::Files as _;

    use super::*;

    /// The name comes from memory.db, which may be from an untrusted backup.
    #[test]
    fn a_hidden_file_is_one_name_in_the_folder_of_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(at("notes/memory")).expect("made");
        for path in ["outside", "notes/MEMORY.md", "notes/TOOLS.md", "notes/memory/x"] {
            std::fs::File::create(at(path)).expect("made");
        }
        let files = FsFiles::open(&at("notes")).expect("opened");
        let name = SafeName::parse("MEMORY.md").expect("a name");
        for odd in [
            "../outside", "memory/x", "./MEMORY.md", "..", ".", "", "/etc/passwd", "MEMORY.md", "TOOLS.md",
            "x.done.md",
        ] {
            for how in
                [Clear::Remove, Clear::Keep(Timestamp::UNIX_EPOCH), Clear::Restore(Timestamp::UNIX_EPOCH)]
            {
                let refused = files.clear(&name, odd, how).expect_err("refused");
                assert_eq!(refused.code, Code::NameRefused, "{odd}");
            }
            assert_eq!(files.aside(&name, odd).expect_err("refused").code, Code::NameRefused, "{odd}");
        }
        assert!(
            ["outside", "notes/MEMORY.md", "notes/TOOLS.md", "notes/memory/x"]
                .iter()
                .all(|path| at(path).exists())
        );
    }
}
