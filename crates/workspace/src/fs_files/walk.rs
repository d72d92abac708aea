//! Lists a workspace: folders are opened relative to their parent, files are stamped once.
//!
//! Most file systems return the type with the name, so only Markdown needs a second call, often from a separate
//! thread ([`super::stamps`]). Invariant: the result does not depend on the order in which the disk lists names.

use std::sync::Arc;
use std::thread;

use inwit_model::limit::WORKSPACE_DEPTH_MAX;
use inwit_model::place::is_foreign_folder;
use inwit_model::ports::{Entry, Folder, Listing, SkipReason};
use inwit_model::{Code, FileError, Place, SafeName};

use super::ignored::{self, Ignored};
use super::stamps::{Candidate, Stamps};
use super::{FsFiles, stamp};
use crate::fault::Fault;
use crate::sieve::{self, Verdict};
use crate::syscalls::{DirEntry, Kind, Syscalls};

/// Lists `folders`, at most `files_max` files.
pub(super) fn list<S: Syscalls>(
    files: &FsFiles<S>,
    folders: &[Folder],
    files_max: usize,
) -> Result<Listing, FileError> {
    thread::scope(|scope| {
        let stamps = Stamps::new(&files.syscalls, scope);
        let mut walk =
            Walk { files, files_max, stamps, ignored: Ignored::default(), listing: Listing::default() };
        for folder in sieve::without_overlap(folders) {
            walk.begin(folder)?;
        }
        Ok(walk.end())
    })
}

struct Walk<'scope, 'env, S: Syscalls> {
    files: &'env FsFiles<S>,
    files_max: usize,
    /// Files that are listed where their stamps can be had.
    stamps: Stamps<'scope, 'env, S>,
    /// Rules of the folders that are being walked.
    ignored: Ignored,
    listing: Listing,
}

impl<S: Syscalls> Walk<'_, '_, S> {
    fn begin(&mut self, folder: &Folder) -> Result<(), FileError> {
        let depth = if folder.path.is_empty() { 0 } else { folder.path.split('/').count() };
        if depth > 0 && SafeName::parse(&folder.path).is_err() {
            return Ok(());
        }
        let path =
            self.files.seek(&folder.path, |path| self.files.folder(path).map(|dir| (dir, path.to_vec())));
        match path {
            Ok((dir, mut path)) => match self.files.syscalls.list(&dir) {
                Ok(found) => self.folder(dir, found, &mut path, folder.deep, depth, false),
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

    fn folder(
        &mut self,
        dir: S::Dir,
        mut found: Vec<DirEntry>,
        path: &mut Vec<u8>,
        deep: bool,
        depth: usize,
        is_ignored: bool,
    ) {
        let is_ignored = is_ignored || depth > 0 && ignored::is_of_a_tool(&found);
        let has_rules = !is_ignored && self.ignored.enter(&self.files.syscalls, &dir, &found, path);
        let dir = Arc::new(dir);
        let mut listed = Vec::new();
        found.retain(|one| !sieve::is_hidden(&one.name));
        found.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let length = path.len();
        for one in found {
            if self.stamps.len() + listed.len() + self.listing.skipped.len() >= self.files_max {
                self.stop(&path[..length]);
                break;
            }
            if length > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(&one.name);
            match self.kind(&dir, &one, path, deep) {
                Kind::File => {
                    let is_ignored = is_ignored || self.ignored.is_ignored(path, false);
                    self.file(one, path, &mut listed, is_ignored);
                }
                Kind::Folder => {
                    // Files before it in the order of names are counted before those in it.
                    self.stamps.ask(&dir, std::mem::take(&mut listed));
                    let is_ignored = is_ignored || self.ignored.is_ignored(path, true);
                    self.inner_folder(&dir, &one, path, depth + 1, is_ignored);
                }
                _ => {}
            }
            path.truncate(length);
        }
        self.stamps.ask(&dir, listed);
        if has_rules {
            self.ignored.leave();
        }
    }

    /// The kind of a name, where it is one to look at: a file, or a folder to go into.
    fn kind(&mut self, dir: &S::Dir, found: &DirEntry, path: &[u8], deep: bool) -> Kind {
        let kind = match found.kind {
            Kind::Unknown => {
                self.files.syscalls.stat(dir, &found.name).map_or(Kind::Unknown, |status| status.kind)
            }
            kind => kind,
        };
        let told = self.files.extensions.hold(path);
        match kind {
            Kind::File => return Kind::File,
            Kind::Folder if deep => return Kind::Folder,
            // A link is reported where notes might be behind it.
            Kind::Link
                if sieve::is_note(path) || deep && self.files.syscalls.leads_to_folder(dir, &found.name) =>
            {
                self.skip(path, SkipReason::Link)
            }
            Kind::Special if told => self.skip(path, SkipReason::Special),
            Kind::Unknown if told => self.skip(path, SkipReason::Unreadable),
            _ => {}
        }
        Kind::Unknown
    }

    fn file(&mut self, found: DirEntry, path: &[u8], listed: &mut Vec<Candidate>, is_ignored: bool) {
        match sieve::judge(path, self.files.extensions) {
            Verdict::List(name) => {
                let path = (name.as_str().as_bytes() != path).then(|| path.to_vec());
                let is_ignored = is_ignored && Place::of(&name) == Some(Place::Loose);
                listed.push(Candidate { name, on_disk: found.name, path, is_ignored });
            }
            Verdict::Skip(reason) => self.skip(path, reason),
            Verdict::Ignore => {}
        }
    }

    fn inner_folder(
        &mut self,
        dir: &S::Dir,
        found: &DirEntry,
        path: &mut Vec<u8>,
        depth: usize,
        is_ignored: bool,
    ) {
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
            Ok((inner, found)) => self.folder(inner, found, path, true, depth, is_ignored),
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
        let mut entries: Vec<(Entry, bool)> = Vec::new();
        for (candidate, status) in self.stamps.take() {
            match status {
                Ok(status) if status.kind == Kind::File => {
                    let stamp = stamp(&status);
                    let Candidate { name, path, is_ignored, .. } = candidate;
                    entries.push((Entry { name, stamp, is_ignored }, path.is_none()));
                }
                Ok(_) | Err(Fault::Missing) => {}
                Err(_) => {
                    let path = candidate.path.as_deref().unwrap_or(candidate.name.as_str().as_bytes());
                    self.skip(path, SkipReason::Unreadable);
                }
            }
        }
        entries.sort_by(|(a, exact_a), (b, exact_b)| (&a.name, !exact_a).cmp(&(&b.name, !exact_b)));
        for (entry, _) in entries {
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

    /// Most of their stamps come from a thread of their own.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "lays out many files, of which nothing is kept")]
    fn of_many_files_each_is_listed_once_with_its_stamp() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut names = Vec::new();
        for number in 0..2_400_u64 {
            let name = format!("notes/{:02}/n{number:04}.md", number % 40);
            let path = folder.path().join(&name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, "x".repeat(number as usize % 7)).expect("written");
            names.push((name, number % 7));
        }
        names.sort();
        let files = FsFiles::open(folder.path()).expect("open");
        let everything = [Folder { path: String::new(), deep: true }];
        let listing = list(&files, &everything, names.len()).expect("a listing");
        let found = listing.entries.iter().map(|entry| (entry.name.to_string(), entry.stamp.bytes));
        assert!(found.eq(names.iter().cloned()));
        assert_eq!(listing.skipped, []);
        let cut = list(&files, &everything, 2_000).expect("a listing");
        assert_eq!((cut.entries.len(), cut.skipped.len()), (2_000, 1));
        assert!(cut.entries == listing.entries[..2_000]);
    }
}
