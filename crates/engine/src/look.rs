//! Which look found nothing to mask in a file.
//!
//! A look is what the gate notices, how Markdown is read and shown, and what of it is masked. That a file is
//! clean can be remembered beside its hash, as long as the same look would find the same. Invariant: the
//! number is that of the sources which decide, so no change of one can forget to raise it.

use inwit_gate::NOTICED_BY;
use inwit_markdown::reading::{READ_BY, number};

/// The number of this look where it found a file clean. Odd, so never 0.
pub(crate) const CLEAN_BY: u64 = number(SOURCES) | 1;

/// The number of this look where it found something. Even.
pub(crate) const UNCLEAN_BY: u64 = CLEAN_BY - 1;

const SOURCES: &[(&str, &[u8])] = &[
    ("what is noticed", &NOTICED_BY.to_le_bytes()),
    ("what is read", &READ_BY.to_le_bytes()),
    ("mask.rs", include_bytes!("mask.rs")),
    // What an index keeps of a passage: its place, heading and text.
    ("sync.rs", include_bytes!("sync.rs")),
];

/// Whether a file was looked at by this look.
pub(crate) fn is_ours(clean_by: u64) -> bool {
    matches!(clean_by, CLEAN_BY | UNCLEAN_BY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_decides_counts() {
        assert!(is_ours(CLEAN_BY) && is_ours(UNCLEAN_BY) && !is_ours(0));
        assert_ne!(CLEAN_BY, UNCLEAN_BY);
        for at in 0..SOURCES.len() {
            let mut other = SOURCES.to_vec();
            other[at].1 = b"another one";
            assert_ne!(number(&other) | 1, CLEAN_BY, "{}", SOURCES[at].0);
        }
    }
}
