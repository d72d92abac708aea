//! The repository as text: every file that belongs to it, read once.
//!
//! The folder is walked, so that no `git` is needed and files not added yet are checked too. Names in `.gitignore`
//! are skipped. Invariant: paths are relative, with `/`, sorted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All files of a repository.
#[derive(Debug)]
pub struct Tree {
    /// Its folder.
    pub root: PathBuf,
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads everything below `root`. Bytes that are no UTF-8 are replaced: rules read, they do not write.
    pub fn read(root: &Path) -> Result<Self, String> {
        let ignored = Ignored::read(root);
        let mut files = BTreeMap::new();
        walk(root, "", &ignored, &mut files).map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Self { root: root.to_owned(), files })
    }

    /// Path and text of every file.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Path and text of every Rust source.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs"))
    }

    /// The text of one file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }
}

fn walk(
    folder: &Path,
    prefix: &str,
    ignored: &Ignored,
    files: &mut BTreeMap<String, String>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if name == ".git" || ignored.has(&path, &name) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), ignored, files)?;
        } else if kind.is_file() {
            files.insert(path, String::from_utf8_lossy(&std::fs::read(entry.path())?).into_owned());
        }
    }
    Ok(())
}

/// The three forms of `.gitignore` that this repository uses: `/name` at the root, `name` and `*.ending`.
struct Ignored(Vec<String>);

impl Ignored {
    fn read(root: &Path) -> Self {
        let text = std::fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
        let rows = text.lines().map(str::trim).filter(|row| !row.is_empty() && !row.starts_with('#'));
        Self(rows.map(str::to_owned).collect())
    }

    fn has(&self, path: &str, name: &str) -> bool {
        self.0.iter().any(|row| {
            let row = row.trim_end_matches('/');
            match (row.strip_prefix('/'), row.strip_prefix('*')) {
                (Some(at_root), _) => path == at_root,
                (_, Some(ending)) => name.ends_with(ending),
                _ => name == row,
            }
        })
    }
}

/// A tree in a temporary folder, for the tests of the rules.
#[cfg(test)]
pub fn planted(files: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        let mut file = std::fs::File::create(path).expect("made");
        std::io::Write::write_all(&mut file, text.as_bytes()).expect("written");
    }
    let tree = Tree::read(folder.path()).expect("read");
    (folder, tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gitignore_names_is_not_part_of_the_tree() {
        let (_folder, tree) = planted(&[
            (".gitignore", "/target\n*.swp\n.DS_Store\n"),
            ("target/debug/a.rs", ""),
            ("docs/target/b.md", ""),
            ("docs/.DS_Store", ""),
            ("docs/.b.swp", ""),
            (".git/config", ""),
            (".ci/run", ""),
        ]);
        let paths: Vec<&str> = tree.files().map(|(path, _)| path).collect();
        assert_eq!(paths, [".ci/run", ".gitignore", "docs/target/b.md"]);
    }
}
