//! The version of the Markdown parser.
//!
//! Derived data can be cached beside a content hash while the version is the same. Invariant: the version is a hash
//! of the sources, so every change of a rule changes it.

/// The number of the reading that [`parse()`](crate::parse()) and [`shown`](crate::shown) give: another one
/// where any source of this crate is another one.
pub const READ_BY: u64 = number(SOURCES);

const SOURCES: &[(&str, &[u8])] = &[
    ("assemble.rs", include_bytes!("assemble.rs")),
    ("comment.rs", include_bytes!("comment.rs")),
    ("compose.rs", include_bytes!("compose.rs")),
    ("cut.rs", include_bytes!("cut.rs")),
    ("diagnostic.rs", include_bytes!("diagnostic.rs")),
    ("document.rs", include_bytes!("document.rs")),
    ("edit.rs", include_bytes!("edit.rs")),
    ("entity.rs", include_bytes!("entity.rs")),
    ("front_matter.rs", include_bytes!("front_matter.rs")),
    ("guard.rs", include_bytes!("guard.rs")),
    ("label.rs", include_bytes!("label.rs")),
    ("lib.rs", include_bytes!("lib.rs")),
    ("limit.rs", include_bytes!("limit.rs")),
    ("link.rs", include_bytes!("link.rs")),
    ("parse.rs", include_bytes!("parse.rs")),
    ("passage.rs", include_bytes!("passage.rs")),
    ("reading.rs", include_bytes!("reading.rs")),
    ("rendered.rs", include_bytes!("rendered.rs")),
    ("split.rs", include_bytes!("split.rs")),
    ("styled.rs", include_bytes!("styled.rs")),
    ("title.rs", include_bytes!("title.rs")),
    ("view.rs", include_bytes!("view.rs")),
    ("walk.rs", include_bytes!("walk.rs")),
];

/// The number of `sources`, by their bytes (FNV-1a over eight at a time: the compiler works it out, and half a megabyte is
/// much for it).
pub const fn number(sources: &[(&str, &[u8])]) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let (mut hash, mut source) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while source < sources.len() {
        let mut bytes = sources[source].1;
        while let [a, b, c, d, e, f, g, h, rest @ ..] = bytes {
            hash = (hash ^ u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h])).wrapping_mul(PRIME);
            // A product carries nothing down, and the last byte of eight is as important as the first.
            hash ^= hash >> 32;
            bytes = rest;
        }
        while let [byte, rest @ ..] = bytes {
            hash = (hash ^ *byte as u64).wrapping_mul(PRIME);
            bytes = rest;
        }
        source += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_source_of_the_crate_counts() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let entries = std::fs::read_dir(root).expect("the sources");
        let sources: BTreeSet<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        let counted: BTreeSet<String> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(counted, sources);
    }

    #[test]
    fn a_changed_byte_is_another_reading() {
        let of = |bytes: &'static [u8]| number(&[("a.rs", b"one"), ("b.rs", bytes)]);
        assert_ne!(of(b"two"), of(b"twp"));
    }
}
