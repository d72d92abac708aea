//! The version of the scan that found a file clean.
//!
//! A scan depends on what the gate finds, how Markdown is parsed and displayed, and what is masked. A clean result is
//! stored beside the file's hash while the version is the same. For other files the number identifies the accepted
//! secrets at indexing time. Invariants: the version is a hash of the deciding sources, so every change of them
//! changes it; odd numbers mean clean, in any version.

use inwit_gate::NOTICED_BY;
use inwit_markdown::reading::{READ_BY, number};
use inwit_model::Sha256;

/// The bits for the result; the others are the version.
const FOUND: u64 = 0xff_ffff;

/// The number for a clean file in this version. Odd, so never 0.
pub(crate) const CLEAN_BY: u64 = number(SOURCES) & !FOUND | 1;

/// The number for a file with findings and no accepted secret. Even.
pub(crate) const UNCLEAN_BY: u64 = CLEAN_BY - 1;

/// The number for a file with accepted secrets, from a hash of them all. Even, and different from the other two.
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
    // What an index stores of a passage: place, heading and text.
    ("sync.rs", include_bytes!("sync.rs")),
    // The text that is indexed in its place.
    ("indexable_text.rs", include_bytes!("indexable_text.rs")),
    // The values that are stored for other files.
    ("named.rs", include_bytes!("named.rs")),
    // Files indexed without values that others name.
    ("repeats.rs", include_bytes!("repeats.rs")),
];

/// Whether the number is of this version.
pub(crate) fn is_ours(clean_by: u64) -> bool {
    clean_by == CLEAN_BY || clean_by & !FOUND == UNCLEAN_BY && clean_by.is_multiple_of(2)
}

/// Whether it stays valid while the bytes do: accepted secrets may change.
pub(crate) fn is_lasting(clean_by: u64) -> bool {
    matches!(clean_by, CLEAN_BY | UNCLEAN_BY)
}

/// Whether some version found the file clean.
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
