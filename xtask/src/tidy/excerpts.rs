//! The examples in CONTRIBUTING.md occur in the sources that they show, so they compile.
//!
//! A line that ends in a path of a source and a colon stands above each block of Rust. Lines of the block stand in that source in
//! the same order; where the block has a line `…`, the source may have others between.

use super::Finding;
use crate::tree::Tree;

const PAGE: &str = "CONTRIBUTING.md";

/// What stands for lines that are left out.
const LEFT_OUT: &str = "…";

/// Finds examples that their source does not have.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let Some(page) = tree.text(PAGE) else { return Ok(Vec::new()) };
    let lines: Vec<&str> = page.lines().collect();
    let mut findings = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| **line == "```rust") {
        let Some(path) = lines[..at].iter().rev().find(|line| !line.is_empty()).and_then(|line| path(line))
        else {
            continue;
        };
        let block: Vec<&str> = lines[at + 1..].iter().copied().take_while(|line| *line != "```").collect();
        match tree.text(path) {
            None => findings.push(Finding::line(PAGE, at + 1, format!("There is no `{path}`."))),
            Some(source) if !holds(source, &block) => {
                findings.push(Finding::line(PAGE, at + 1, format!("`{path}` has other lines.")));
            }
            Some(_) => {}
        }
    }
    Ok(findings)
}

/// The source that a line names at its end: "… `crates/home/src/doctor.rs`:".
fn path(line: &str) -> Option<&str> {
    let path = line.strip_suffix("`:")?.rsplit('`').next()?;
    path.ends_with(".rs").then_some(path)
}

fn holds(source: &str, block: &[&str]) -> bool {
    let source: Vec<&str> = source.lines().map(str::trim).collect();
    let mut from = 0;
    for run in block.split(|line| line.trim() == LEFT_OUT).filter(|run| !run.is_empty()) {
        let run: Vec<&str> = run.iter().map(|line| line.trim()).collect();
        let Some(at) = source[from..].windows(run.len()).position(|window| window == run) else {
            return false;
        };
        from += at + run.len();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    fn found(block: &str) -> usize {
        let page = format!("Some prose, from `crates/a/src/lib.rs`:\n\n```rust\n{block}\n```\n");
        let (_folder, tree) =
            planted(&[("crates/a/src/lib.rs", "fn a() {\n    one();\n    two();\n}\n"), (PAGE, &page)]);
        check(&tree).expect("held").len()
    }

    #[test]
    fn an_example_stands_in_its_source_but_for_what_it_leaves_out() {
        for same in ["fn a() {\n    one();", "fn a() {\n    …\n}", "two();\n}"] {
            assert_eq!(found(same), 0, "{same}");
        }
        for other in ["fn b() {", "one();\n}", "two();\n…\none();"] {
            assert_eq!(found(other), 1, "{other}");
        }
    }

    #[test]
    fn a_source_that_is_not_there_is_found_and_other_blocks_are_not_looked_at() {
        let (_folder, tree) =
            planted(&[(PAGE, "In `crates/b.rs`:\n\n```rust\na\n```\n\nElse:\n\n```rust\nb\n```\n")]);
        assert_eq!(check(&tree).expect("held"), [Finding::line(PAGE, 3, "There is no `crates/b.rs`.")]);
    }
}
