//! Reports file lengths, without a limit: a long table in one file is fine.

use std::fmt;

use crate::rust;
use crate::tree::Tree;

/// The lengths of all sources of crates, their test modules cut off.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    files: usize,
    median: usize,
    p90: usize,
    longest: usize,
    longest_path: String,
}

/// Measures the tree.
pub fn of(tree: &Tree) -> Lengths {
    let sources = tree.sources().filter(|(path, _)| path.contains("/src/"));
    let mut rows: Vec<(usize, &str)> =
        sources.map(|(path, text)| (rust::lines_without_tests(text), path)).collect();
    rows.sort_unstable();
    let Some((longest, path)) = rows.last() else { return Lengths::default() };
    let share = |percent: usize| rows[(rows.len() - 1) * percent / 100].0;
    let longest_path = (*path).to_owned();
    Lengths { files: rows.len(), median: share(50), p90: share(90), longest: *longest, longest_path }
}

impl fmt::Display for Lengths {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, median, p90, longest, longest_path } = self;
        write!(
            out,
            "lengths: {files} files, median {median} lines, p90 {p90}, longest {longest} ({longest_path})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn lengths_count_what_stands_before_the_tests() {
        let (_folder, tree) = planted(&[
            ("crates/a/src/lib.rs", "//! A.\n\n#[cfg(test)]\nmod tests {\n}\n"),
            ("crates/a/src/b.rs", "//! B.\nfn b() {}\nfn c() {}\n"),
            ("crates/a/tests/it/main.rs", "//! Not counted.\n"),
        ]);
        let told = "lengths: 2 files, median 2 lines, p90 2, longest 3 (crates/a/src/b.rs)";
        assert_eq!(of(&tree).to_string(), told);
    }
}
