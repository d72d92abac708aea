//! Below the interfaces no sentence names a command: who reads it may be no person at a terminal.
//!
//! What can be done is a `Hint`, and each interface says it in words of its own. Texts that a host's agent reads as a whole
//! are rows here. Invariant: a row whose file names no command any more is a finding.

use super::Finding;
use crate::tree::Tree;

/// Crates that no interface is in.
const BELOW: &[&str] = &["crates/model/src/", "crates/engine/src/", "crates/home/src/", "crates/wire/src/"];

/// Files whose texts name commands all the same, and why.
const TEXTS: &[(&str, &str)] = &[
    ("crates/engine/src/doctor.rs", "what a check looks at may be a command"),
    ("crates/engine/src/learning/feedback.rs", "which numbers a message means"),
    ("crates/engine/src/sessions/hook/pack.rs", "a session's beginning, for an agent that has a shell"),
    ("crates/engine/src/sessions/hook/told.rs", "the same"),
    ("crates/home/src/backup/newest.rs", "a message that is a hint by itself"),
    ("crates/home/src/spool.rs", "part of a sentence in the log of hooks"),
];

/// The beginning of a command in a sentence.
const COMMAND: &str = "`inwit ";

/// Finds literals that name a command.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| BELOW.iter().any(|below| path.starts_with(below))) {
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let named: Vec<usize> =
            product.lines().zip(1..).filter(|(line, _)| names_a_command(line)).map(|(_, at)| at).collect();
        let has_row = TEXTS.iter().any(|(row, _)| *row == path);
        if has_row && named.is_empty() {
            findings.push(Finding::file(path, "It has a row here and names no command."));
        }
        let says = "A sentence names a command: make it an id in `model::hint`, and give the interfaces words for it.";
        findings.extend(named.iter().filter(|_| !has_row).map(|at| Finding::line(path, *at, says)));
    }
    Ok(findings)
}

fn names_a_command(line: &str) -> bool {
    let is_code = !line.trim_start().starts_with("//");
    is_code && line.split_once('"').is_some_and(|(_, literal)| literal.contains(COMMAND))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn a_command_in_a_sentence_is_found_below_the_interfaces_alone() {
        let (_folder, tree) = planted(&[
            (
                "crates/engine/src/told.rs",
                "//! Tells of `inwit \"x\"`.\nconst HINT: &str = \"Run `inwit doctor`.\";\n",
            ),
            (
                "crates/home/src/told.rs",
                "//! Why.\n\n#[cfg(test)]\nmod tests { const T: &str = \"`inwit doctor`\"; }\n",
            ),
            ("crates/cli/src/hints.rs", "//! Why.\nconst HINT: &str = \"Run `inwit doctor`.\";\n"),
            ("crates/engine/src/learning/feedback.rs", "//! Why.\n"),
            ("crates/home/src/spool.rs", "//! Why.\nconst FULL: &str = \"`inwit dream` empties it\";\n"),
        ]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        assert_eq!(at, ["crates/engine/src/learning/feedback.rs", "crates/engine/src/told.rs:2"]);
    }
}
