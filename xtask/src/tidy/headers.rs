//! A source begins with `//!`: why the file exists and what always holds.

use super::Finding;
use crate::tree::Tree;

/// Finds sources whose first line is no header.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let bare = tree.sources().filter(|(_, text)| !begins_with_a_header(text));
    Ok(bare.map(|(path, _)| Finding::line(path, 1, "Begin with `//!`: why this file exists.")).collect())
}

fn begins_with_a_header(text: &str) -> bool {
    text.strip_prefix("//!")
        .is_some_and(|rest| rest.lines().next().is_some_and(|line| !line.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn a_source_without_a_reason_is_found_wherever_it_lies() {
        let (_folder, tree) = planted(&[
            ("crates/a/src/lib.rs", "//! Reads minds.\n"),
            ("crates/a/src/bare.rs", "use std::fmt;\n//! Too late.\n"),
            ("crates/a/tests/it/main.rs", "//!\nmod x;\n"),
            ("crates/a/build.rs", "fn main() {}\n"),
        ]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        assert_eq!(at, ["crates/a/build.rs:1", "crates/a/src/bare.rs:1", "crates/a/tests/it/main.rs:1"]);
    }
}
