//! Which look found nothing to mask in a file.
//!
//! A look is what the gate notices, how Markdown is read and shown, and what of it is masked. That a file is
//! clean can be remembered beside its hash, as long as the same look would find the same. Of one that is not, the
//! number tells which secrets were let through when its words were indexed. Invariants: the number is that of the
//! sources which decide, so no change of one can forget to raise it; odd says clean, of any look.

use inwit_gate::NOTICED_BY;
use inwit_markdown::reading::{READ_BY, number};
use inwit_model::Sha256;

/// The bits of a number that tell what a look found; the others name the look.
const FOUND: u64 = 0xff_ffff;

/// The number of this look where it found a file clean. Odd, so never 0.
pub(crate) const CLEAN_BY: u64 = number(SOURCES) & !FOUND | 1;

/// The number of this look where it found something, and no secret that was let through. Even.
pub(crate) const UNCLEAN_BY: u64 = CLEAN_BY - 1;

/// The number of this look where it found secrets that were let through, by what names them all. Even, and neither of
/// the others.
pub(crate) fn let_through(names: Sha256) -> u64 {
    let [a, b, c, ..] = names.0;
    UNCLEAN_BY | (u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]) & !1).max(2)
}

const SOURCES: &[(&str, &[u8])] = &[
    ("what is noticed", &NOTICED_BY.to_le_bytes()),
    ("what is read", &READ_BY.to_le_bytes()),
    ("mask.rs", include_bytes!("mask.rs")),
    ("mask/scan_cache.rs", include_bytes!("mask/scan_cache.rs")),
    ("mask/masked_file.rs", include_bytes!("mask/masked_file.rs")),
    ("mask/text.rs", include_bytes!("mask/text.rs")),
    ("mask/voucher.rs", include_bytes!("mask/voucher.rs")),
    // What an index keeps of a passage: its place, heading and text.
    ("sync.rs", include_bytes!("sync.rs")),
    // What is read of it in its place.
    ("indexable_text.rs", include_bytes!("indexable_text.rs")),
    // Which of its values are kept for other files.
    ("named.rs", include_bytes!("named.rs")),
    // Which files are read without the values that others name.
    ("repeats.rs", include_bytes!("repeats.rs")),
];

/// Whether a file was looked at by this look.
pub(crate) fn is_ours(clean_by: u64) -> bool {
    clean_by == CLEAN_BY || clean_by & !FOUND == UNCLEAN_BY && clean_by.is_multiple_of(2)
}

/// Whether it holds as long as the bytes do: what was let through may be so no more.
pub(crate) fn is_lasting(clean_by: u64) -> bool {
    matches!(clean_by, CLEAN_BY | UNCLEAN_BY)
}

/// Whether some look found the file clean.
pub(crate) fn is_clean(clean_by: u64) -> bool {
    !clean_by.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_decides_counts() {
        assert!(is_ours(CLEAN_BY) && is_ours(UNCLEAN_BY) && !is_ours(0));
        assert_ne!(CLEAN_BY, UNCLEAN_BY);
        for hash in [Sha256([0; 32]), Sha256([1; 32]), Sha256::of(b"a key")] {
            let number = let_through(hash);
            assert!(is_ours(number) && !is_lasting(number) && !is_clean(number), "{number:x}");
        }
        assert!(is_clean(CLEAN_BY) && !is_clean(UNCLEAN_BY) && !is_ours(CLEAN_BY | 2));
        for at in 0..SOURCES.len() {
            let mut other = SOURCES.to_vec();
            other[at].1 = b"another one";
            assert_ne!(number(&other) & !FOUND | 1, CLEAN_BY, "{}", SOURCES[at].0);
        }
    }
}
