//! An erasure request: which texts, and whether the history is rewritten for each.
//!
//! Rewriting the history is requested per text: it changes commit ids, breaks undo and is irreversible. Invariant:
//! every text is either rewritten or kept, never both.

use std::collections::BTreeSet;

use super::Matcher;

/// The texts to erase.
#[derive(Debug, Clone)]
pub struct ErasureRequest {
    pub(super) wording: Matcher,
    pub(super) rewritten: Option<Matcher>,
    pub(super) kept: Option<Matcher>,
}

impl ErasureRequest {
    /// A request for `wording`, with or without rewriting the history.
    pub fn of(wording: Matcher, rewrites: bool) -> Self {
        let all = Some(wording.clone());
        let (rewritten, kept) = if rewrites { (all, None) } else { (None, all) };
        Self { wording, rewritten, kept }
    }

    /// An empty request, to complete an interrupted erasure whose texts no longer occur.
    pub fn nothing() -> Self {
        Self { wording: Matcher::nothing(), rewritten: None, kept: None }
    }

    /// A request for texts confirmed by tombstones. `None` if there are none.
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

    /// The same with cut copies of its texts, for their tombstones.
    pub(super) fn with_copies(self, copies: &BTreeSet<String>) -> Self {
        let knowing = |wording: Matcher| wording.with_copies(copies);
        Self {
            wording: knowing(self.wording),
            rewritten: self.rewritten.map(knowing),
            kept: self.kept.map(knowing),
        }
    }

    /// All texts.
    pub fn wording(&self) -> &Matcher {
        &self.wording
    }

    /// The texts that are also removed from the history.
    pub fn rewritten(&self) -> Option<&Matcher> {
        self.rewritten.as_ref()
    }
}
