//! A snapshot of everything below a folder, so that a test can verify that no byte, mode or time changed. Access
//! times are excluded.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use inwit_model::Sha256;

/// A folder at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    rows: BTreeMap<String, Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    mode: u32,
    inode: u64,
    changed: (i64, i64),
    /// The hash of a file; the target of a link; nothing for a folder.
    content: String,
}

impl Tree {
    /// Scans everything below `folder`.
    #[track_caller]
    pub fn of(folder: &Path) -> Self {
        let mut rows = BTreeMap::new();
        walk(folder, folder, &mut rows);
        Self { rows }
    }

    /// The hash of each file and the target of each link, by path.
    pub fn bytes(&self) -> BTreeMap<&str, &str> {
        let full = self.rows.iter().filter(|(_, row)| !row.content.is_empty());
        full.map(|(path, row)| (path.as_str(), row.content.as_str())).collect()
    }

    /// The same without the paths for which `is_left_out` holds.
    #[must_use]
    pub fn without(mut self, is_left_out: impl Fn(&str) -> bool) -> Self {
        self.rows.retain(|path, _| !is_left_out(path));
        self
    }

    /// The mode, modification time and content of every path, which a copy must preserve.
    pub fn copyable(&self) -> BTreeMap<&str, (u32, (i64, i64), &str)> {
        self.rows
            .iter()
            .map(|(path, row)| (path.as_str(), (row.mode, row.changed, row.content.as_str())))
            .collect()
    }

    /// Every path below the folder, folders included.
    pub fn paths(&self) -> Vec<&str> {
        self.rows.keys().map(String::as_str).filter(|path| !path.is_empty()).collect()
    }
}

fn walk(root: &Path, path: &Path, rows: &mut BTreeMap<String, Row>) {
    let meta = std::fs::symlink_metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let content = if meta.is_symlink() {
        format!("-> {}", std::fs::read_link(path).expect("a link").display())
    } else if meta.is_file() {
        Sha256::of(&std::fs::read(path).expect("readable")).to_string()
    } else {
        String::new()
    };
    let shown = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
    let changed = (meta.mtime(), meta.mtime_nsec());
    rows.insert(shown, Row { mode: meta.mode(), inode: meta.ino(), changed, content });
    if meta.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            walk(root, &entry.expect("an entry").path(), rows);
        }
    }
}
