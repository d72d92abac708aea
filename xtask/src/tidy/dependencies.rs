//! Every library we take in has a line that says what for.
//!
//! The page is a list on purpose: adding a dependency means reading the reasons of the others.

use std::collections::BTreeSet;

use super::Finding;
use crate::metadata::{self, Package};
use crate::tree::Tree;

const PAGE: &str = "docs/decisions/0003-dependencies.md";

/// Finds libraries without a row, and rows without a library.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let packages = metadata::packages(&tree.root)?;
    Ok(judge(&packages, tree.text(PAGE).unwrap_or_default()))
}

fn judge(packages: &[Package], page: &str) -> Vec<Finding> {
    let all = packages.iter().flat_map(|package| package.normal.iter().chain(&package.dev));
    let used: BTreeSet<&str> = all.map(String::as_str).filter(|name| !metadata::is_ours(name)).collect();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let told: BTreeSet<&str> = rows.map(|(name, _)| name).collect();
    let silent = used.difference(&told).map(|name| format!("`{name}` has no row that says what it is for."));
    let gone = told.difference(&used).map(|name| format!("`{name}` is not used any more."));
    silent.chain(gone).map(|says| Finding::file(PAGE, says)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_a_reason_and_a_reason_without_a_library_are_found() {
        let package = Package {
            name: "cli".into(),
            manifest: "crates/cli/Cargo.toml".into(),
            normal: vec!["clap".into(), "inwit-model".into()],
            dev: vec!["tempfile".into()],
        };
        let findings =
            judge(&[package], "| library | for |\n|---|---|\n| `clap` | flags |\n| `rand` | dice |\n");
        let says: Vec<&str> = findings.iter().map(|finding| finding.says.as_str()).collect();
        assert_eq!(says, ["`tempfile` has no row that says what it is for.", "`rand` is not used any more."]);
    }
}
