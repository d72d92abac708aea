//! Workspaces as strings, and three sample folders of common kinds.
//!
//! A line `//- memory/2026-11-21.md` starts a file. After the name, `crlf` ends every line with CR LF and `bom` adds
//! a UTF-8 byte order mark. Invariant: fixtures on disk are copied before use, so a test cannot change the next one.

use std::io::Write;
use std::path::{Path, PathBuf};

use inwit_workspace::MemFiles;
use tempfile::TempDir;

/// One file of a workspace written as a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixtureFile {
    /// Its workspace-relative name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The files in `text`, in order.
#[track_caller]
pub fn files(text: &str) -> Vec<FixtureFile> {
    let mut files: Vec<(FixtureFile, bool)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(heading) => files.push(begun(heading.trim_end())),
            None => match files.last_mut() {
                Some((file, crlf)) => {
                    let ended = line.strip_suffix('\n');
                    file.bytes.extend_from_slice(ended.unwrap_or(line).as_bytes());
                    if ended.is_some() {
                        file.bytes.extend_from_slice(if *crlf { b"\r\n" } else { b"\n" });
                    }
                }
                None => assert!(line.trim().is_empty(), "`{line}` stands before the first `//- ` line"),
            },
        }
    }
    files.into_iter().map(|(file, _)| file).collect()
}

/// Parses `name options…`; a name may contain spaces, so options are taken from the end.
fn begun(heading: &str) -> (FixtureFile, bool) {
    let (mut name, mut crlf, mut bytes) = (heading, false, Vec::new());
    loop {
        if let Some(rest) = name.strip_suffix(" crlf") {
            (name, crlf) = (rest, true);
        } else if let Some(rest) = name.strip_suffix(" bom") {
            (name, bytes) = (rest, b"\xef\xbb\xbf".to_vec());
        } else {
            return (FixtureFile { name: name.trim().to_owned(), bytes }, crlf);
        }
    }
}

/// The workspace of `text` in memory.
#[track_caller]
pub fn mem(text: &str) -> MemFiles {
    let held = MemFiles::new();
    files(text).iter().for_each(|file| held.put(&crate::name(&file.name), &file.bytes));
    held
}

/// The workspace of `text` in a folder that is deleted when the value is dropped.
#[track_caller]
pub fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    lay_out(text, folder.path());
    folder
}

/// Writes the workspace of `text` into `folder`, replacing existing files.
#[track_caller]
pub fn lay_out(text: &str, folder: &Path) {
    files(text).iter().for_each(|file| put(folder, &file.name, &file.bytes));
}

/// Writes one file as another program would, and creates its folders.
#[track_caller]
pub fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder above it")).expect("folders");
    std::fs::File::create(path).and_then(|mut file| file.write_all(bytes)).expect("written");
}

/// A copy of an OpenClaw workspace: `2026-03`, `2026-09` or `crowded`.
#[track_caller]
pub fn openclaw(generation: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/openclaw-{generation}"));
    copy(&source, folder.path());
    folder
}

/// Path of the sample agent `name`. It is read in place; copy it before writing.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Copies everything below `from` to `to`.
#[track_caller]
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().expect("a kind").is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).expect("copied");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, Vec<u8>)> {
        files(text).into_iter().map(|file| (file.name, file.bytes)).collect()
    }

    #[test]
    fn a_string_is_a_workspace() {
        assert_eq!(
            told("\n//- SOUL.md\nI am Ada.\n\n//- memory/a b.md crlf bom\n- x\n- y\n//- empty.md\n"),
            [
                ("SOUL.md".to_owned(), b"I am Ada.\n\n".to_vec()),
                ("memory/a b.md".to_owned(), b"\xef\xbb\xbf- x\r\n- y\r\n".to_vec()),
                ("empty.md".to_owned(), Vec::new()),
            ]
        );
        assert_eq!(told("//- a.md\nno line end"), [("a.md".to_owned(), b"no line end".to_vec())]);
    }

    #[test]
    fn the_three_fixtures_are_copied_whole() {
        for generation in ["2026-03", "2026-09", "crowded"] {
            let source =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/openclaw-{generation}"));
            let (copy, original) = (openclaw(generation), crate::Tree::of(&source));
            assert_eq!(crate::Tree::of(copy.path()).bytes(), original.bytes(), "{generation}");
            assert!(original.bytes().contains_key("SOUL.md"), "{generation}");
        }
    }
}
