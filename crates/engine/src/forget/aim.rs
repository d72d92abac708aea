//! What is meant when words are forgotten: which they are, and of which the history is rewritten too.
//!
//! That history is rewritten is said of a text, and counts for no other one: it takes the names of commits and what an
//! undo would need away, and cannot be taken back. Invariant: what is rewritten and what is kept are all of the words,
//! and no text is both.

use std::collections::BTreeSet;

use super::Matcher;

/// Words to be forgotten.
#[derive(Debug, Clone)]
pub struct ErasureRequest {
    pub(super) wording: Matcher,
    pub(super) rewritten: Option<Matcher>,
    pub(super) kept: Option<Matcher>,
}

impl ErasureRequest {
    /// `wording`, of which all or nothing is taken out of history.
    pub fn of(wording: Matcher, rewrites: bool) -> Self {
        let all = Some(wording.clone());
        let (rewritten, kept) = if rewrites { (all, None) } else { (None, all) };
        Self { wording, rewritten, kept }
    }

    /// No words: a deed that was cut short is brought to its end where they stand nowhere any more.
    pub fn nothing() -> Self {
        Self { wording: Matcher::nothing(), rewritten: None, kept: None }
    }

    /// Texts that tombstones confirmed. `None`: there are none.
    pub(super) fn confirmed(rewritten: &BTreeSet<String>, kept: &BTreeSet<String>) -> Option<Self> {
        let wording = |texts: BTreeSet<&String>| {
            (!texts.is_empty()).then(|| Matcher::confirmed(texts.into_iter().cloned()))
        };
        Some(Self {
            wording: wording(rewritten.union(kept).collect())?,
            rewritten: wording(rewritten.iter().collect()),
            kept: wording(kept.difference(rewritten).collect()),
        })
    }

    /// The same with cut copies of its texts, which their tombstones know then.
    pub(super) fn with_copies(self, copies: &BTreeSet<String>) -> Self {
        let knowing = |wording: Matcher| wording.with_copies(copies);
        Self {
            wording: knowing(self.wording),
            rewritten: self.rewritten.map(knowing),
            kept: self.kept.map(knowing),
        }
    }

    /// All the words.
    pub fn wording(&self) -> &Matcher {
        &self.wording
    }

    /// Those that are taken out of history too.
    pub fn rewritten(&self) -> Option<&Matcher> {
        self.rewritten.as_ref()
    }
}
