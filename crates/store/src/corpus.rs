//! The passages of one visible set as columns, in reading order, for ranking.
//!
//! Reading order: files in natural order of their names (`session_2` before `session_10`), passages in file order. A
//! position is an index into that order and valid for one corpus only.

use std::cmp::Ordering;

use inwit_model::{SafeName, Sha256};
use jiff::civil::Date;

use crate::{TextKey, Traits};

/// Columns over all passages of a set.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// Changes with every change of the set.
    pub generation: i64,
    /// The files in reading order.
    pub files: Vec<CorpusFile>,
    /// Terms of each passage, repetitions counted.
    pub lengths: Vec<u32>,
    /// How each passage stands to the one before it.
    pub follows: Vec<Follows>,
    /// Index into `label_names` plus one, or 0 where an entry has no label.
    pub labels: Vec<u32>,
    /// What each passage is like.
    pub traits: Vec<Traits>,
    /// The entry of each passage, numbered from 0 in reading order.
    pub entries: Vec<u32>,
    /// The day each passage tells of.
    pub dates: Vec<Option<Date>>,
    /// Names what a model reads of each passage.
    pub keys: Vec<TextKey>,
    /// Distinct analysed labels.
    pub label_names: Vec<String>,
}

/// How a passage stands to the one before it in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// Nothing connects them: another folder, or a file of another kind of name.
    Apart,
    /// The text goes on under another heading, or in the next file of a series.
    OtherHeading,
    /// The text goes on under the same heading.
    SameHeading,
}

/// One file of a corpus.
#[derive(Debug, Clone)]
pub struct CorpusFile {
    /// The file.
    pub name: SafeName,
    /// The hash of the bytes that were read.
    pub sha256: Sha256,
    /// By which look nothing was noticed in it that a model may not see; another number where something was.
    pub clean_by: u64,
    /// Position of its first passage.
    pub first: u32,
    /// Number of its passages.
    pub count: u32,
}

impl Corpus {
    /// Number of passages.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is no passage at all.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Number of entries.
    pub fn entry_count(&self) -> usize {
        self.entries.last().map_or(0, |last| *last as usize + 1)
    }

    /// Index of the file that holds `position`.
    pub fn file_at(&self, position: u32) -> usize {
        self.files.partition_point(|file| file.first <= position).saturating_sub(1)
    }
}

/// Whether two neighbouring files are parts of one series: same folder, and names that differ in
/// numbers only, as `2026-11-20.md` and `2026-11-21.md` do.
pub fn is_series(left: &SafeName, right: &SafeName) -> bool {
    let shape = |name: &SafeName| -> Vec<u8> {
        let mut shape = Vec::new();
        for byte in name.file().bytes() {
            match (byte.is_ascii_digit(), shape.last()) {
                (true, Some(b'#')) => {}
                (true, _) => shape.push(b'#'),
                (false, _) => shape.push(byte),
            }
        }
        shape
    };
    left.folder() == right.folder() && shape(left) == shape(right)
}

/// Natural order of names: runs of digits compare as numbers, the rest as text; ties by bytes.
pub fn reading_order(left: &SafeName, right: &SafeName) -> Ordering {
    natural(left.as_str().as_bytes(), right.as_str().as_bytes()).then_with(|| left.cmp(right))
}

fn natural(mut left: &[u8], mut right: &[u8]) -> Ordering {
    loop {
        let (Some(&l), Some(&r)) = (left.first(), right.first()) else {
            return left.len().cmp(&right.len());
        };
        if l.is_ascii_digit() && r.is_ascii_digit() {
            let (l_run, l_rest) = digits(left);
            let (r_run, r_rest) = digits(right);
            let order = l_run.len().cmp(&r_run.len()).then_with(|| l_run.cmp(r_run));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (l_rest, r_rest);
        } else if l != r {
            return l.cmp(&r);
        } else {
            (left, right) = (&left[1..], &right[1..]);
        }
    }
}

/// A leading run of digits without its zeros, and what follows.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (run, rest) = text.split_at(end);
    let zeros = run.iter().take_while(|&&byte| byte == b'0').count();
    (&run[zeros..], rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_told_by_its_names() {
        let series = |left: &str, right: &str| {
            is_series(&SafeName::parse(left).expect("a name"), &SafeName::parse(right).expect("a name"))
        };
        assert!(series("memory/2026-11-20.md", "memory/2026-11-21.md"));
        assert!(series("memory/2026-11-20-s_9.md", "memory/2026-11-20-s_10.md"));
        assert!(!series("memory/2026-11-20.md", "memory/2026-11-20-call.md"));
        assert!(!series("memory/topics/1.md", "memory/2.md"));
        assert!(!series("memory/topics/bread.md", "memory/topics/cheese.md"));
    }

    #[test]
    fn files_stand_as_a_person_would_page_through_them() {
        let mut names: Vec<SafeName> =
            ["m/s_10.md", "m/s_2.md", "m/s_2-b.md", "a.md", "m/2026-01-02.md", "m/s_02.md"]
                .map(|name| SafeName::parse(name).expect("a name"))
                .to_vec();
        names.sort_by(reading_order);
        let shown: Vec<&str> = names.iter().map(SafeName::as_str).collect();
        assert_eq!(shown, ["a.md", "m/2026-01-02.md", "m/s_2-b.md", "m/s_02.md", "m/s_2.md", "m/s_10.md"]);
    }
}
