//! Outside of the CLI no sentence names a command: who reads it may be no person at a terminal.
//!
//! A hint is a `Hint`, and each interface has its text. Texts read by a host's agent, or addressed to the owner, are
//! rows here. Invariant: a row for a file without commands is a finding.

use super::Finding;
use crate::tokens::{self, Kind};
use crate::tree::Tree;

/// Crates whose sentences the person reads who runs commands or tests. Those of every other crate a model or a program may read.
const READ_BY_ITS_PERSON: &[&str] = &["cli", "testkit", "bench-suites"];

/// Files whose texts name commands all the same, and why.
const TEXTS: &[(&str, &str)] = &[
    ("crates/engine/src/doctor.rs", "what a check looks at may be a command"),
    ("crates/engine/src/learning/feedback.rs", "which numbers a message means"),
    ("crates/engine/src/sessions/hook/pack.rs", "a session's beginning, for an agent that has a shell"),
    ("crates/engine/src/sessions/hook/told.rs", "the same"),
    ("crates/home/src/backup/newest.rs", "a message that is a hint by itself"),
    ("crates/home/src/spool.rs", "part of a sentence in the log of hooks"),
    ("crates/mcp/src/hints.rs", "the words of hints: what a model can tell its owner"),
    ("crates/mcp/src/prompts.rs", "words of the owner, who says what they alone can do"),
    ("crates/mcp/src/verbs/tell.rs", "what waits for the owner"),
    ("crates/settings/src/edit.rs", "the head of a config file, for the owner who edits it"),
    ("crates/settings/src/table.rs", "what a setting does may be done by a command"),
];

/// The beginning of a command in a sentence.
const COMMAND: &str = "`inwit ";

/// Finds literals that name a command.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let is_judged = |path: &str| {
        let of = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
        of.is_some_and(|(name, _)| !READ_BY_ITS_PERSON.contains(&name))
    };
    for (path, text) in tree.sources().filter(|(path, _)| is_judged(path)) {
        let tokens = tokens::of(text);
        let literals = tokens::product(&tokens).iter().filter(|token| token.kind == Kind::Text);
        let named: Vec<usize> =
            literals.filter(|token| token.text.contains(COMMAND)).map(|token| token.line).collect();
        let has_row = TEXTS.iter().any(|(row, _)| *row == path);
        if has_row && named.is_empty() {
            findings.push(Finding::file(path, "It has a row here and names no command."));
        }
        let says = "A sentence names a command: make it an id in `model::hint`, and give the interfaces words for it.";
        findings.extend(named.iter().filter(|_| !has_row).map(|at| Finding::line(path, *at, says)));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn a_command_in_a_sentence_is_found_outside_of_the_cli_alone() {
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
            ("crates/settings/src/layers.rs", "//! Why.\nconst HINT: &str = \"Run `inwit config`.\";\n"),
            ("crates/home/src/spool.rs", "//! Why.\nconst FULL: &str = \"`inwit dream` empties it\";\n"),
        ]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        let found = [
            "crates/engine/src/learning/feedback.rs", "crates/engine/src/told.rs:2",
            "crates/settings/src/layers.rs:2",
        ];
        assert_eq!(at, found);
    }

    #[test]
    fn a_command_is_found_on_any_line_of_a_literal_and_behind_an_attribute_of_tests() {
        let continued =
            "//! Why.\nconst LONG: &str = \"It is damaged; \\\n    `inwit doctor` says more.\";\n";
        let counted =
            "//! Why.\nfn look() {\n    #[cfg(test)]\n    count();\n    say(\"`inwit status`\");\n}\n";
        let apart = "//! Why.\n#[cfg(test)]\nmod tests;\n\nconst HINT: &str = r\"`inwit inbox`\";\n";
        let inside = "//! Why.\nfn say() {\n    told(1 /* \" */); // \"`inwit doctor`\"\n}\n";
        let (_folder, tree) = planted(&[
            ("crates/home/src/continued.rs", continued),
            ("crates/home/src/counted.rs", counted),
            ("crates/mcp/src/apart.rs", apart),
            ("crates/mcp/src/inside.rs", inside),
        ]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        let found =
            ["crates/home/src/continued.rs:2", "crates/home/src/counted.rs:5", "crates/mcp/src/apart.rs:5"];
        assert_eq!(at, found);
    }
}
