//! Which names of a folder are listed, for disk and memory.
//!
//! Invariant: a listed name has a [`Place`]; a relevant omission is reported.

use inwit_model::limit::WORKSPACE_DEPTH_MAX;
use inwit_model::place::{is_foreign_folder, is_markdown_extension, is_text_extension};
use inwit_model::ports::{Entry, Folder, Listing, SkipReason, Skipped};
use inwit_model::{Place, SafeName, Stamp, name};

/// What a listing of `folders` shows of files that lie on no disk.
pub(crate) fn listing<'f>(
    files: impl IntoIterator<Item = (&'f SafeName, Stamp)>,
    folders: &[Folder],
) -> Listing {
    let mut listing = Listing::default();
    let folders = without_overlap(folders);
    for (name, stamp) in files {
        let inside = |folder: &&&Folder| {
            name.folder() == folder.path || folder.deep && is_below(name.as_str(), &folder.path)
        };
        let Some(folder) = folders.iter().find(inside) else { continue };
        let walked = name.folder().strip_prefix(folder.path.as_str()).unwrap_or_default();
        if walked.split('/').any(is_foreign_folder) {
            continue;
        }
        let path = name.as_str().as_bytes();
        if name.parts().count() > WORKSPACE_DEPTH_MAX + 1 {
            listing.skipped.push(skipped(path, SkipReason::TooDeep));
            continue;
        }
        // What was read once as a page is one.
        match judge(path, Extensions::Text) {
            Verdict::List(name) => listing.entries.push(Entry { name, stamp, is_ignored: false }),
            Verdict::Skip(reason) => listing.skipped.push(skipped(path, reason)),
            Verdict::Ignore => {}
        }
    }
    in_order(listing)
}

/// Judges the path of a regular file, relative to the workspace.
pub(crate) fn judge(path: &[u8], extensions: Extensions) -> Verdict {
    if !extensions.hold(path) {
        return Verdict::Ignore;
    }
    let last = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    if name::is_conflict_copy(&String::from_utf8_lossy(last)) {
        return Verdict::Skip(SkipReason::SyncConflict);
    }
    match SafeName::from_disk(path) {
        Ok(name) if Place::of(&name).is_some() => Verdict::List(name),
        _ => Verdict::Skip(SkipReason::OddName),
    }
}

/// What a listing does with a file.
pub(crate) enum Verdict {
    /// It is listed under this name.
    List(SafeName),
    /// It is left out, and said.
    Skip(SkipReason),
    /// It is not Markdown.
    Ignore,
}

/// Which files are pages, by the end of their name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extensions {
    /// `.md` and `.markdown`.
    #[default]
    Markdown,
    /// `.mdx`, `.txt` and `.org` as well.
    Text,
}

impl Extensions {
    /// Whether `path` ends in one of them, in any case.
    pub(crate) fn hold(self, path: &[u8]) -> bool {
        let last = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let dot = last.iter().rposition(|&byte| byte == b'.').filter(|dot| *dot > 0);
        let extension = dot.and_then(|dot| std::str::from_utf8(&last[dot + 1..]).ok());
        extension.is_some_and(match self {
            Self::Markdown => is_markdown_extension,
            Self::Text => is_text_extension,
        })
    }
}

/// Whether a path names a Markdown file outside the folders of tools.
pub(crate) fn is_note(path: &[u8]) -> bool {
    let name = || SafeName::from_disk(path).ok();
    Extensions::Markdown.hold(path) && name().is_none_or(|name| Place::of(&name) != Some(Place::Foreign))
}

/// Whether a name is hidden.
pub(crate) fn is_hidden(part: &[u8]) -> bool {
    part.starts_with(b".")
}

/// A path that was left out, as it may be shown.
pub(crate) fn skipped(path: &[u8], reason: SkipReason) -> Skipped {
    Skipped { shown: name::shown(&String::from_utf8_lossy(path)), reason }
}

/// The folders to walk, without those that another one covers.
pub(crate) fn without_overlap(folders: &[Folder]) -> Vec<&Folder> {
    let mut wanted: Vec<&Folder> = folders.iter().collect();
    wanted.sort_by_key(|folder| (folder.path.as_str(), !folder.deep));
    let mut kept: Vec<&Folder> = Vec::new();
    for folder in wanted {
        let covered =
            |other: &&Folder| other.path == folder.path || other.deep && is_below(&folder.path, &other.path);
        if !kept.iter().any(covered) {
            kept.push(folder);
        }
    }
    kept
}

/// Whether `path` lies somewhere below `folder`.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Puts a listing into its order.
pub(crate) fn in_order(mut listing: Listing) -> Listing {
    listing.entries.sort_by(|a, b| a.name.cmp(&b.name));
    listing.skipped.sort_by(|a, b| (&a.shown, a.reason).cmp(&(&b.shown, b.reason)));
    listing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_walked_once_however_often_it_is_asked_for() {
        let folder = |path: &str, deep| Folder { path: path.into(), deep };
        let asked = [
            folder("memory", true),
            folder("memory/rooms/a", true),
            folder("memory", false),
            folder("mem", false),
        ];
        let kept: Vec<&str> = without_overlap(&asked).iter().map(|folder| folder.path.as_str()).collect();
        assert_eq!(kept, ["mem", "memory"]);
        assert_eq!(without_overlap(&[folder("", true), folder("notes", true)]).len(), 1);
        assert_eq!(without_overlap(&[folder("", false), folder("notes", true)]).len(), 2);
    }
}
