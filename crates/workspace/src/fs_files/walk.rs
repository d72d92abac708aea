//! Lists a workspace: every folder is opened from its parent's handle, every file is asked once.
//!
//! The kind of a name comes with the name where the file system tells it, so only Markdown costs a
//! second call. Invariant: the result depends on what the folders hold, never on the order in which
//! the disk tells it.

use inwit_model::limit::WORKSPACE_DEPTH_MAX;
use inwit_model::place::is_foreign_folder;
use inwit_model::ports::{Entry, Folder, Listing, SkipReason};
use inwit_model::{Code, FileError, SafeName};

use super::{FsFiles, stamp};
use crate::fault::Fault;
use crate::sieve::{self, Verdict};
use crate::syscalls::{Found, Kind, Syscalls};

/// Lists `folders`, at most `files_max` files.
pub(super) fn list<S: Syscalls>(
    files: &FsFiles<S>,
    folders: &[Folder],
    files_max: usize,
) -> Result<Listing, FileError> {
    let mut walk = Walk { files, files_max, entries: Vec::new(), listing: Listing::default() };
    for folder in sieve::without_overlap(folders) {
        walk.begin(folder)?;
    }
    Ok(walk.end())
}

struct Walk<'a, S: Syscalls> {
    files: &'a FsFiles<S>,
    files_max: usize,
    /// Files that are listed, and whether the disk spells the name as we do.
    entries: Vec<(Entry, bool)>,
    listing: Listing,
}

impl<S: Syscalls> Walk<'_, S> {
    fn begin(&mut self, folder: &Folder) -> Result<(), FileError> {
        let depth = if folder.path.is_empty() { 0 } else { folder.path.split('/').count() };
        if depth > 0 && SafeName::parse(&folder.path).is_err() {
            return Ok(());
        }
        let path =
            self.files.seek(&folder.path, |path| self.files.folder(path).map(|dir| (dir, path.to_vec())));
        match path {
            Ok((dir, mut path)) => match self.files.syscalls.list(&dir) {
                Ok(found) => self.folder(&dir, found, &mut path, folder.deep, depth),
                Err(_) if depth > 0 => self.skip(folder.path.as_bytes(), SkipReason::Unreadable),
                Err(_) => return Err(unreadable_root()),
            },
            Err(_) if depth == 0 => return Err(unreadable_root()),
            Err(Fault::Missing | Fault::NotFolder) => {}
            Err(Fault::Link) => self.skip(folder.path.as_bytes(), SkipReason::Link),
            Err(_) => self.skip(folder.path.as_bytes(), SkipReason::Unreadable),
        }
        Ok(())
    }

    fn folder(&mut self, dir: &S::Dir, mut found: Vec<Found>, path: &mut Vec<u8>, deep: bool, depth: usize) {
        found.retain(|one| !sieve::is_hidden(&one.name));
        found.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let length = path.len();
        for one in found {
            if self.entries.len() + self.listing.skipped.len() >= self.files_max {
                return self.stop(&path[..length]);
            }
            if length > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(&one.name);
            self.one(dir, &one, path, deep, depth);
            path.truncate(length);
        }
    }

    fn one(&mut self, dir: &S::Dir, found: &Found, path: &mut Vec<u8>, deep: bool, depth: usize) {
        let kind = match found.kind {
            Kind::Unknown => {
                self.files.syscalls.stat(dir, &found.name).map_or(Kind::Unknown, |status| status.kind)
            }
            kind => kind,
        };
        let told = sieve::looks_like_markdown(path);
        match kind {
            Kind::File => self.file(dir, found, path),
            Kind::Folder if deep => self.inner_folder(dir, found, path, depth + 1),
            // A link is worth a word where somebody may expect notes behind it.
            Kind::Link
                if sieve::is_note(path) || deep && self.files.syscalls.leads_to_folder(dir, &found.name) =>
            {
                self.skip(path, SkipReason::Link)
            }
            Kind::Special if told => self.skip(path, SkipReason::Special),
            Kind::Unknown if told => self.skip(path, SkipReason::Unreadable),
            _ => {}
        }
    }

    fn file(&mut self, dir: &S::Dir, found: &Found, path: &[u8]) {
        let name = match sieve::judge(path) {
            Verdict::List(name) => name,
            Verdict::Skip(reason) => return self.skip(path, reason),
            Verdict::Ignore => return,
        };
        match self.files.syscalls.stat(dir, &found.name) {
            Ok(status) if status.kind == Kind::File => {
                let exact = name.as_str().as_bytes() == path;
                self.entries.push((Entry { name, stamp: stamp(&status) }, exact));
            }
            Ok(_) | Err(Fault::Missing) => {}
            Err(_) => self.skip(path, SkipReason::Unreadable),
        }
    }

    fn inner_folder(&mut self, dir: &S::Dir, found: &Found, path: &mut Vec<u8>, depth: usize) {
        if std::str::from_utf8(&found.name).is_ok_and(is_foreign_folder) {
            return;
        }
        if SafeName::from_disk(path).is_err() {
            return self.skip(path, SkipReason::OddName);
        }
        if depth > WORKSPACE_DEPTH_MAX {
            return self.skip(path, SkipReason::TooDeep);
        }
        let opened = self.files.syscalls.open_dir(dir, &found.name);
        match opened.and_then(|inner| self.files.syscalls.list(&inner).map(|found| (inner, found))) {
            Ok((inner, found)) => self.folder(&inner, found, path, true, depth),
            Err(Fault::Missing) => {}
            Err(Fault::Link) => self.skip(path, SkipReason::Link),
            Err(_) => self.skip(path, SkipReason::Unreadable),
        }
    }

    fn skip(&mut self, path: &[u8], reason: SkipReason) {
        self.listing.skipped.push(sieve::skipped(path, reason));
    }

    fn stop(&mut self, folder: &[u8]) {
        if self.listing.skipped.last().is_none_or(|last| last.reason != SkipReason::TooMany) {
            let shown: &[u8] = if folder.is_empty() { b"." } else { folder };
            self.skip(shown, SkipReason::TooMany);
        }
    }

    /// Of two spellings of one name, the composed one is the file.
    fn end(mut self) -> Listing {
        self.entries.sort_by(|(a, exact_a), (b, exact_b)| (&a.name, !exact_a).cmp(&(&b.name, !exact_b)));
        for (entry, _) in self.entries {
            if self.listing.entries.last().is_some_and(|last| last.name == entry.name) {
                self.listing
                    .skipped
                    .push(sieve::skipped(entry.name.as_str().as_bytes(), SkipReason::OddName));
            } else {
                self.listing.entries.push(entry);
            }
        }
        sieve::in_order(self.listing)
    }
}

fn unreadable_root() -> FileError {
    FileError { code: Code::WorkspaceUnreadable, message: "the workspace folder cannot be listed.".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_with_too_many_files_says_where_it_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FsFiles::open(folder.path()).expect("open");
        for name in ["a.md", "b.md", "memory/c.md", "memory/d.md"] {
            use inwit_model::Files;
            files.create(&SafeName::parse(name).expect("a name"), b"x").expect("made");
        }
        let everything = [Folder { path: String::new(), deep: true }];
        let listing = list(&files, &everything, 3).expect("a listing");
        assert_eq!(listing.entries.len(), 3);
        assert_eq!(listing.skipped.len(), 1);
        assert_eq!(
            (listing.skipped[0].shown.as_str(), listing.skipped[0].reason),
            ("memory", SkipReason::TooMany)
        );
        assert_eq!(list(&files, &everything, 5).expect("a listing").skipped, []);
    }
}
