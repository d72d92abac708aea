//! Assertions about a disk after a crash or a fault.

use std::collections::BTreeMap;

use super::{CrashDisk, Witness};

/// A disk after a crash or a fault.
pub struct After {
    disk: CrashDisk,
    acknowledged: Vec<(String, Vec<u8>)>,
    before: BTreeMap<String, Vec<u8>>,
    tree: BTreeMap<String, Vec<u8>>,
    edits: usize,
    /// How to reproduce it.
    case: String,
}

impl After {
    pub(super) fn new(
        disk: CrashDisk,
        run: &CrashDisk,
        before: BTreeMap<String, Vec<u8>>,
        case: String,
    ) -> Self {
        let (acknowledged, tree) = (run.acknowledged(), disk.tree());
        Self { disk, acknowledged, before, tree, edits: run.edits(), case }
    }

    /// The current disk; after a crash it is on again.
    pub fn disk(&self) -> &CrashDisk {
        &self.disk
    }

    /// How to reproduce it, for messages.
    pub fn case(&self) -> &str {
        &self.case
    }

    /// The last acknowledged content of `name`, `None` if there is none.
    pub fn acknowledged(&self, name: &str) -> Option<&[u8]> {
        self.acknowledged.iter().rev().find(|(told, _)| told == name).map(|(_, bytes)| bytes.as_slice())
    }

    /// Number of edits before the end.
    pub fn edits(&self) -> usize {
        self.edits
    }

    /// The content of the disk before the operation.
    pub fn before(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.before
    }

    /// Opens the files again.
    #[track_caller]
    pub fn reopened(&self) -> Witness {
        self.disk.files().unwrap_or_else(|error| panic!("{}: {error}", self.case))
    }

    /// Each of these exists completely or not at all.
    #[track_caller]
    pub fn whole_or_absent<'w>(&self, wanted: impl IntoIterator<Item = (&'w str, &'w [u8])>) -> &Self {
        for (name, bytes) in wanted {
            let half = self.tree.get(name).filter(|held| held.as_slice() != bytes);
            assert!(half.is_none(), "{}: `{name}` is neither whole nor absent: {half:?}", self.case);
        }
        self
    }

    /// Earlier files exist byte for byte.
    #[track_caller]
    pub fn nothing_changed(&self) -> &Self {
        for (name, bytes) in &self.before {
            assert_eq!(self.tree.get(name), Some(bytes), "{}: `{name}` changed", self.case);
        }
        self
    }

    /// Acknowledged content exists.
    #[track_caller]
    pub fn keeps_what_was_acknowledged(&self) -> &Self {
        for (name, bytes) in &self.acknowledged {
            assert_eq!(self.tree.get(name), Some(bytes), "{}: `{name}` was acknowledged", self.case);
        }
        self
    }

    /// No files exist except earlier ones, `wanted`, and hidden temporary files.
    #[track_caller]
    pub fn no_stranger_but_temporary(&self, wanted: &[&str]) -> &Self {
        self.no_stranger(wanted, is_temporary)
    }

    /// No files exist except earlier ones and `wanted`; no temporary files either.
    #[track_caller]
    pub fn no_temporary_file(&self, wanted: &[&str]) -> &Self {
        self.no_stranger(wanted, |_| false)
    }

    #[track_caller]
    fn no_stranger(&self, wanted: &[&str], allowed: fn(&str) -> bool) -> &Self {
        for name in self.tree.keys() {
            let known = self.before.contains_key(name) || wanted.contains(&name.as_str()) || allowed(name);
            assert!(known, "{}: `{name}` should not be there", self.case);
        }
        self
    }
}

fn is_temporary(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.starts_with(".~inwit-") && file.ends_with(".tmp")
}
