//! `conformance.md`: every requirement with the tests that claim it, and those that none claims yet.
//!
//! A claim is the comment `/// Proves W53, N11.` above a test. Invariant: every requirement stands on
//! the page exactly once, so what is missing can be read off it.

use std::collections::BTreeMap;

use super::markdown::{code, head, table};
use crate::requirement::{self, LETTERS};
use crate::rust;
use crate::tree::Tree;

const ABOUT: &str = "
inwit implements requirements of five systems. Each requirement has an id. A test cites the ids that it proves in the comment
above it, and `cargo xtask tidy` verifies this page. Ids without a test are listed at the end. A requirement with several parts has a row for each, such as N29a and N29b.
";

/// The page.
pub fn page(tree: &Tree) -> String {
    let proofs = proofs(tree);
    let mut text = head("Conformance", "`/// Proves …` above tests and `xtask/requirements.tsv`");
    text.push_str(ABOUT);
    text.push_str("\n| ids | come from | rows | claimed |\n|---|---|---|---|\n");
    for (letter, from, last) in LETTERS {
        let rows: Vec<_> = requirement::all().filter(|row| row.id.starts_with(*letter)).collect();
        let claimed = rows.iter().filter(|row| proofs.contains_key(row.id)).count();
        text.push_str(&format!("| {letter}1–{letter}{last} | {from} | {} | {claimed} |\n", rows.len()));
    }
    text.push_str("\n## Proven\n\n");
    let proven = requirement::all().filter_map(|row| Some((row, proofs.get(row.id)?)));
    let proven = proven.map(|(row, tests)| vec![row.id.to_owned(), row.about.to_owned(), tests.join("<br>")]);
    text.push_str(&table(&["id", "what", "test"], proven));
    text.push_str("\n## Not proven yet\n\n");
    let open = requirement::all().filter(|row| !proofs.contains_key(row.id));
    text.push_str(&table(&["id", "what"], open.map(|row| vec![row.id.to_owned(), row.about.to_owned()])));
    text
}

/// For each id, links to its tests.
fn proofs(tree: &Tree) -> BTreeMap<String, Vec<String>> {
    let mut proofs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in tree.sources() {
        for claim in rust::claims(text) {
            let link = format!("[{}](../{path})", code(&claim.test));
            for id in claim.ids.into_iter().filter(|id| requirement::exists(id)) {
                proofs.entry(id).or_default().push(link.clone());
            }
        }
    }
    proofs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn every_requirement_stands_there_once_proven_or_not() {
        let text = "//! Why.\n/// Proves I6, W1.\n#[test]\nfn it_holds() {}\n";
        let (_folder, tree) = planted(&[("crates/a/src/lib.rs", text)]);
        let page = page(&tree);
        for row in requirement::all() {
            assert_eq!(page.matches(&format!("| {} | {} |", row.id, row.about)).count(), 1, "{}", row.id);
        }
        let (proven, open) = page.split_once("## Not proven yet").expect("two sections");
        assert!(proven.contains("| I6 | ") && proven.contains("[`it_holds`](../crates/a/src/lib.rs)"));
        assert!(open.contains("| W2 | ") && !open.contains("| W1 | "));
    }

    #[test]
    fn rows_are_counted_with_their_parts_and_a_part_is_claimed_alone() {
        let text = "//! Why.\n/// Proves N1, N29c.\n#[test]\nfn it_holds() {}\n";
        let (_folder, tree) = planted(&[("crates/a/src/lib.rs", text)]);
        let page = page(&tree);
        let rows = requirement::all().filter(|row| row.id.starts_with('N')).count();
        assert!(
            page.contains(&format!("| N1–N29 | nexo-rs: identity and workspace | {rows} | 2 |\n")),
            "{page}"
        );
        assert!(rows > 29);
        let (proven, open) = page.split_once("## Not proven yet").expect("two sections");
        assert!(proven.contains("| N29c | ") && open.contains("| N29a | "));
    }
}
