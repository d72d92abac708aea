//! Files of a workspace that are not Markdown, reported so that an import is not mistaken for a backup.
//!
//! Invariant: hidden files are not listed, no link is followed, and the walk has the limits of a listing.

use inwit_model::limit::{WORKSPACE_DEPTH_MAX, WORKSPACE_FILES_MAX};
use inwit_model::place::is_foreign_folder;
use inwit_model::{Code, FileError, name};

use super::FsFiles;
use crate::sieve;
use crate::syscalls::{Kind, Syscalls};

/// Regular files that are no Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Others {
    /// The first of them by name, as they may be shown.
    pub shown: Vec<String>,
    /// How many there are beyond those.
    pub more: usize,
    /// Whether the walk ended before everything was seen.
    pub is_partial: bool,
}

impl<S: Syscalls> FsFiles<S> {
    /// Names at most `shown_max` regular files that are no Markdown. Error: `workspace_unreadable`.
    pub fn others(&self, shown_max: usize) -> Result<Others, FileError> {
        let mut paths: Vec<Vec<u8>> = Vec::new();
        let mut is_partial = false;
        let mut folders: Vec<(Vec<u8>, usize)> = vec![(Vec::new(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let found = match self.folder(&folder).and_then(|dir| self.syscalls.list(&dir)) {
                Ok(found) => found,
                Err(_) if depth == 0 => return Err(unlisted()),
                // The listing reports unreadable folders.
                Err(_) => continue,
            };
            for one in found.into_iter().filter(|one| !sieve::is_hidden(&one.name)) {
                let mut path = folder.clone();
                if depth > 0 {
                    path.push(b'/');
                }
                path.extend_from_slice(&one.name);
                let kind = match one.kind {
                    Kind::Unknown => self.status(&path).map_or(Kind::Unknown, |status| status.kind),
                    kind => kind,
                };
                let is_foreign = || std::str::from_utf8(&one.name).is_ok_and(is_foreign_folder);
                match kind {
                    Kind::File if !self.extensions.hold(&path) => paths.push(path),
                    Kind::Folder if depth < WORKSPACE_DEPTH_MAX && !is_foreign() => {
                        folders.push((path, depth + 1));
                    }
                    _ => {}
                }
            }
            if paths.len() + folders.len() > WORKSPACE_FILES_MAX {
                is_partial = true;
                break;
            }
        }
        paths.sort_unstable();
        let more = paths.len().saturating_sub(shown_max);
        paths.truncate(shown_max);
        let shown = paths.iter().map(|path| name::shown(&String::from_utf8_lossy(path))).collect();
        Ok(Others { shown, more, is_partial })
    }
}

fn unlisted() -> FileError {
    FileError { code: Code::WorkspaceUnreadable, message: "the workspace folder cannot be listed.".into() }
}
