//! Sentences that a person typed in each folder: one small file per folder, of times and hashes alone.
//!
//! A hook gets the prompt, and another process gets the agent's request; this file connects them. Invariants: it has
//! hashes only; only the last [`KEPT_MAX`] lines are kept; unreadable lines count as not typed.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use inwit_model::Sha256;
use jiff::Timestamp;

use crate::own;

/// Most sentences that are kept per folder.
const KEPT_MAX: usize = 60;

/// Largest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Hex digits of a folder's hash in the name of its file.
const NAME_DIGITS: usize = 16;

/// The folder of one home.
pub struct TypedSentences(PathBuf);

impl TypedSentences {
    /// In this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self(home.join("typed"))
    }

    fn file(&self, folder: &str) -> PathBuf {
        self.0.join(Sha256::of(folder.as_bytes()).short(NAME_DIGITS))
    }

    fn lines(&self, folder: &str) -> Vec<(i64, Sha256)> {
        let mut text = String::new();
        if let Some(file) = inwit_workspace::plain::open(&self.file(folder)).ok().flatten() {
            let _ = file.take(FILE_BYTES_MAX).read_to_string(&mut text);
        }
        let line = |line: &str| {
            let (at, hash) = line.split_once(' ')?;
            Some((at.parse().ok()?, Sha256::parse(hash)?))
        };
        text.lines().filter_map(line).collect()
    }

    /// Adds sentences typed at `at`.
    pub fn add(&self, folder: &str, sentences: &[Sha256], at: Timestamp) {
        if sentences.is_empty() {
            return;
        }
        let mut lines = self.lines(folder);
        lines.extend(sentences.iter().map(|sentence| (at.as_second(), *sentence)));
        let from = lines.len().saturating_sub(KEPT_MAX);
        let text: String = lines[from..].iter().map(|(at, hash)| format!("{at} {hash}\n")).collect();
        // Not synced: a lost line only means that the owner must approve.
        let _ = self.write(folder, &text);
    }

    fn write(&self, folder: &str, text: &str) -> std::io::Result<()> {
        own::make_folder(&self.0)?;
        let mut draft = own::draft_in(&self.0)?;
        draft.write_all(text.as_bytes())?;
        draft.persist(self.file(folder)).map(drop).map_err(|error| error.error)
    }

    /// The sentences typed since `since`.
    pub fn since(&self, folder: &str, since: Timestamp) -> HashSet<Sha256> {
        let recent = self.lines(folder).into_iter().filter(|(at, _)| *at >= since.as_second());
        recent.map(|(_, hash)| hash).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_in_a_folder_is_known_there_for_a_while() {
        let home = tempfile::tempdir().expect("a folder");
        let typed = TypedSentences::of(home.path());
        let at = |second| Timestamp::from_second(second).expect("a moment");
        let hash = |text: &str| Sha256::of(text.as_bytes());
        typed.add("/srv/shop", &[hash("a")], at(100));
        typed.add("/srv/shop", &[hash("b")], at(200));
        assert_eq!(typed.since("/srv/shop", at(150)), HashSet::from([hash("b")]));
        assert_eq!(typed.since("/srv/shop", at(0)).len(), 2);
        assert!(typed.since("/srv/fleet", at(0)).is_empty());
        (0..100).for_each(|number| typed.add("/srv/shop", &[hash(&number.to_string())], at(300)));
        assert_eq!(typed.since("/srv/shop", at(0)).len(), KEPT_MAX);
    }
}
