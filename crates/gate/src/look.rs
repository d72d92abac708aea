//! The version of the scan.
//!
//! A clean result is cached beside a file's hash while the scan version is the same. Invariant: the version is a hash
//! of the sources that decide what is found, so a changed pattern always changes it.

use inwit_markdown::reading::number;

/// Version of the [`noticed`](crate::noticed) scan: it changes with every pattern, check or folding. Never 0.
pub const NOTICED_BY: u64 = number(SOURCES) | 1;

/// The table of invisible characters, from another crate.
const INVISIBLE: &str = "model: invisible.rs";

const SOURCES: &[(&str, &[u8])] = &[
    (INVISIBLE, inwit_model::invisible::SOURCE),
    ("checks.rs", include_bytes!("checks.rs")),
    ("finding.rs", include_bytes!("finding.rs")),
    ("hidden.rs", include_bytes!("hidden.rs")),
    ("injection.rs", include_bytes!("injection.rs")),
    ("injection/phrase.rs", include_bytes!("injection/phrase.rs")),
    ("literals.rs", include_bytes!("literals.rs")),
    ("secrets.rs", include_bytes!("secrets.rs")),
    ("secrets/check.rs", include_bytes!("secrets/check.rs")),
    ("secrets/check/address.rs", include_bytes!("secrets/check/address.rs")),
    ("secrets/check/beside.rs", include_bytes!("secrets/check/beside.rs")),
    ("secrets/check/chosen.rs", include_bytes!("secrets/check/chosen.rs")),
    ("secrets/check/code.rs", include_bytes!("secrets/check/code.rs")),
    ("secrets/check/coin.rs", include_bytes!("secrets/check/coin.rs")),
    ("secrets/check/field.rs", include_bytes!("secrets/check/field.rs")),
    ("secrets/check/person.rs", include_bytes!("secrets/check/person.rs")),
    ("secrets/check/person/contact.rs", include_bytes!("secrets/check/person/contact.rs")),
    ("secrets/check/prefixed.rs", include_bytes!("secrets/check/prefixed.rs")),
    ("secrets/check/spelled.rs", include_bytes!("secrets/check/spelled.rs")),
    ("secrets/check/strength.rs", include_bytes!("secrets/check/strength.rs")),
    ("secrets/check/vendor.rs", include_bytes!("secrets/check/vendor.rs")),
    ("secrets/check/wild.rs", include_bytes!("secrets/check/wild.rs")),
    ("secrets/command.rs", include_bytes!("secrets/command.rs")),
    ("secrets/command/statement.rs", include_bytes!("secrets/command/statement.rs")),
    ("secrets/fold.rs", include_bytes!("secrets/fold.rs")),
    ("secrets/fold/alike.rs", include_bytes!("secrets/fold/alike.rs")),
    ("secrets/fold/link.rs", include_bytes!("secrets/fold/link.rs")),
    ("secrets/fold/dump.rs", include_bytes!("secrets/fold/dump.rs")),
    ("secrets/fold/encoded.rs", include_bytes!("secrets/fold/encoded.rs")),
    ("secrets/fold/unseen.rs", include_bytes!("secrets/fold/unseen.rs")),
    ("secrets/fold/wrapped.rs", include_bytes!("secrets/fold/wrapped.rs")),
    ("secrets/hashes.rs", include_bytes!("secrets/hashes.rs")),
    ("secrets/label.rs", include_bytes!("secrets/label.rs")),
    ("secrets/label/back.rs", include_bytes!("secrets/label/back.rs")),
    ("secrets/label/codes.rs", include_bytes!("secrets/label/codes.rs")),
    ("secrets/label/columns.rs", include_bytes!("secrets/label/columns.rs")),
    ("secrets/label/declared.rs", include_bytes!("secrets/label/declared.rs")),
    ("secrets/label/field.rs", include_bytes!("secrets/label/field.rs")),
    ("secrets/label/insert_statement.rs", include_bytes!("secrets/label/insert_statement.rs")),
    ("secrets/label/joint.rs", include_bytes!("secrets/label/joint.rs")),
    ("secrets/label/letters.rs", include_bytes!("secrets/label/letters.rs")),
    ("secrets/label/line.rs", include_bytes!("secrets/label/line.rs")),
    ("secrets/label/name.rs", include_bytes!("secrets/label/name.rs")),
    ("secrets/label/pair.rs", include_bytes!("secrets/label/pair.rs")),
    ("secrets/label/phrase.rs", include_bytes!("secrets/label/phrase.rs")),
    ("secrets/label/reader.rs", include_bytes!("secrets/label/reader.rs")),
    ("secrets/label/record.rs", include_bytes!("secrets/label/record.rs")),
    ("secrets/label/section.rs", include_bytes!("secrets/label/section.rs")),
    ("secrets/label/section/entry.rs", include_bytes!("secrets/label/section/entry.rs")),
    ("secrets/label/section/object.rs", include_bytes!("secrets/label/section/object.rs")),
    ("secrets/label/sentence.rs", include_bytes!("secrets/label/sentence.rs")),
    ("secrets/label/talk.rs", include_bytes!("secrets/label/talk.rs")),
    ("secrets/label/turns.rs", include_bytes!("secrets/label/turns.rs")),
    ("secrets/label/words.rs", include_bytes!("secrets/label/words.rs")),
    ("secrets/mnemonic.rs", include_bytes!("secrets/mnemonic.rs")),
    ("secrets/parts.rs", include_bytes!("secrets/parts.rs")),
    ("secrets/repeated.rs", include_bytes!("secrets/repeated.rs")),
    ("secrets/seek.rs", include_bytes!("secrets/seek.rs")),
    ("secrets/table.rs", include_bytes!("secrets/table.rs")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn every_source_of_a_scanner_counts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![root.join("secrets"), root.join("injection")];
        let mut sources: Vec<PathBuf> =
            ["checks.rs", "finding.rs", "hidden.rs", "injection.rs", "literals.rs", "secrets.rs"]
                .map(|name| root.join(name))
                .into();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder of the crate") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("tests.rs") {
                    sources.push(path);
                }
            }
        }
        let sources: BTreeSet<&Path> =
            sources.iter().map(|path| path.strip_prefix(&root).expect("of the crate")).collect();
        let counted: BTreeSet<&Path> = SOURCES.iter().map(|(name, _)| Path::new(name)).collect();
        let elsewhere = Path::new(INVISIBLE);
        assert!(counted.contains(elsewhere), "what cannot be seen is decided by that table");
        assert_eq!(&counted - &BTreeSet::from([elsewhere]), sources);
    }

    /// Results are cached by version, so a changed row must change the version.
    #[test]
    fn another_table_of_invisible_characters_is_another_look() {
        let mut changed = inwit_model::invisible::SOURCE.to_vec();
        changed.push(b' ');
        let sources = |table: &[u8]| {
            let with =
                SOURCES.iter().map(|(name, bytes)| (*name, if *name == INVISIBLE { table } else { *bytes }));
            number(&with.collect::<Vec<_>>()) | 1
        };
        assert_eq!(sources(inwit_model::invisible::SOURCE), NOTICED_BY);
        assert_ne!(sources(&changed), NOTICED_BY);
    }

    #[test]
    fn a_look_has_a_number() {
        assert_ne!(NOTICED_BY, 0);
    }
}
