//! Public JSON shapes are defined only in `wire`, in one style.
//!
//! A second interface must find every answer in `wire`, or it would copy from the first. Other crates write internal
//! files, which are rows here. Invariant: a row for a file that serialises nothing is a finding.

use super::Finding;
use crate::tokens::{self, Token};
use crate::tree::Tree;

/// Files outside of `wire` whose shapes are written, and what they are.
const FILES_OF_OURS: &[(&str, &str)] = &[
    ("crates/bench-suites/src/compare.rs", "figures of benchmarks, also kept as a file"),
    ("crates/bench-suites/src/machine.rs", "part of a manifest"),
    ("crates/bench-suites/src/extract/report.rs", "figures of a benchmark, also kept as a file"),
    ("crates/bench-suites/src/manifest.rs", "the manifest of a benchmark"),
    ("crates/bench-suites/src/week/report.rs", "figures of a benchmark, also kept as a file"),
    ("crates/cli/src/setup/receipt.rs", "what setup put into a host's files"),
    ("crates/cli/src/setup/splice.rs", "part of that receipt"),
    ("crates/home/src/access.rs", "the access tokens of a home, as hashes"),
    ("crates/home/src/backup/manifest.rs", "the manifest of a backup"),
    ("crates/home/src/backup/path.rs", "part of that manifest"),
    ("crates/home/src/backup/swap.rs", "the plan of an exchange of folders"),
    ("crates/home/src/forgetting/register.rs", "what was forgotten, as salted hashes"),
    ("crates/home/src/forgetting/unfinished.rs", "a deed that has not ended"),
    ("crates/home/src/held_turns.rs", "a turn that waits for its reply"),
    ("crates/home/src/pending_message.rs", "a message of a conversation that has no reply yet"),
    ("crates/home/src/host_sessions/state.rs", "how far a host's log was read"),
    ("crates/home/src/llm/usage.rs", "counts of calls of language models"),
    ("crates/home/src/spool.rs", "a turn that waits to be taken in"),
    ("crates/workspace/src/dream_lock/record.rs", "the lock of a dream, in the shape of Minara"),
    ("crates/workspace/src/transcripts/line.rs", "a line of a transcript"),
];

/// Files of `wire` in whose shapes another system's names stand.
const SHAPES_OF_OTHERS: &[(&str, &str)] = &[
    ("crates/wire/src/foreign_api.rs", "files as Minara and MindRoom name them"),
    ("crates/wire/src/memory_stores.rs", "memories as Anthropic's API names them"),
    ("crates/wire/src/hook.rs", "calls of hosts"),
    ("crates/wire/src/prompt.rs", "prompts of providers"),
    ("crates/wire/src/self_report.rs", "tools of nexo"),
    ("crates/wire/src/tools/minara_facts.rs", "facts as Minara names them"),
    ("crates/wire/src/tools/foreign.rs", "memory tools of nexo and Hermes"),
];

const WIRE: &str = "crates/wire/src/";

/// With what shapes of ours begin whose names become camelCase by themselves.
const OURS: &str = "shape! {";

/// With what shapes of others begin: names stand in JSON as they stand there.
const THEIRS: &str = "theirs! {";

/// Where interfaces answer: there no JSON is made by hand either.
const ANSWERED_IN: &[&str] =
    &["crates/cli/src/commands/", "crates/mcp/src/call.rs", "crates/mcp/src/verbs/", "crates/http/src/"];

/// Finds shapes that are written elsewhere, and names of ours in another style than camelCase.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let sources = tree.sources().filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/"));
    for (path, text) in sources {
        if path.starts_with(WIRE) {
            if !has_row(SHAPES_OF_OTHERS, path) {
                findings.extend(names(path, text));
            }
            continue;
        }
        if ANSWERED_IN.iter().any(|place| path.starts_with(place)) {
            findings.extend(
                made_by_hand(text).into_iter().map(|at| {
                    Finding::line(path, at, "An answer is made by hand; it needs a shape in `wire`.")
                }),
            );
        }
        if !has_row(FILES_OF_OURS, path) {
            let lines = text.lines().zip(1..).filter(|(line, _)| is_written(line));
            findings.extend(lines.map(|(_, at)| {
                Finding::line(path, at, "An answer has its shape in `wire`; a file of ours needs a row here.")
            }));
        }
    }
    let writes = |path: &str| tree.text(path).is_some_and(|text| text.lines().any(is_written));
    let all = FILES_OF_OURS.iter().chain(SHAPES_OF_OTHERS);
    let gone = all.filter(|(path, _)| has_crate(tree, path) && !writes(path));
    findings.extend(gone.map(|(path, _)| Finding::file(path, "It has a row here and writes nothing.")));
    Ok(findings)
}

fn has_row(rows: &[(&str, &str)], path: &str) -> bool {
    rows.iter().any(|(row, _)| *row == path)
}

/// Whether the crate of `path` is there at all; trees of tests hold single crates.
fn has_crate(tree: &Tree, path: &str) -> bool {
    let Some((name, _)) = path.split_once("/src/") else { return false };
    tree.text(&format!("{name}/Cargo.toml")).is_some()
}

fn is_written(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_derived = line.contains("derive(") && words.any(|word| word == "Serialize");
    let is_said = is_derived || line.contains("Serialize for ") || [OURS, THEIRS].contains(&line);
    !line.trim_start().starts_with("//") && is_said
}

/// The lines before the tests on which JSON is written as `json!`.
fn made_by_hand(text: &str) -> Vec<usize> {
    let tokens = tokens::of(text);
    let is_call = |three: &&[Token<'_>]| {
        three[0].is("json") && three[1].is("!") && ["(", "{", "["].iter().any(|open| three[2].is(open))
    };
    tokens::product(&tokens).windows(3).filter(is_call).map(|three| three[0].line).collect()
}

/// Fields of written shapes that would stand in JSON with an underscore.
fn names(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (mut is_shape, mut is_camel, mut is_named) = (false, false, false);
    // The line that ends the shape in whose fields we are.
    let mut end: Option<String> = None;
    for (whole, at) in text.lines().zip(1..) {
        let line = whole.trim();
        if [OURS, THEIRS].contains(&whole) {
            (is_camel, is_named, end) = (whole == OURS, false, Some("}".to_owned()));
        } else if line.starts_with("#[derive(") && end.is_none() {
            (is_shape, is_camel, is_named) = (is_written(line), false, false);
        } else if end.as_deref() == Some(whole) {
            (is_shape, end) = (false, None);
        } else if is_shape && ["struct ", "enum "].iter().any(|kind| unveiled(line).starts_with(kind)) {
            end = line.ends_with('{').then(|| whole.replace(line, "}"));
        } else if line.contains("rename_all = \"camelCase\"") {
            is_camel = true;
        } else if line.starts_with("#[serde(") {
            is_named |= ["rename = ", "flatten", "skip)"].iter().any(|said| line.contains(said));
        } else if let Some((name, _)) = unveiled(line).split_once(": ") {
            let name = name.strip_suffix('?').unwrap_or(name);
            let is_field = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if end.is_some() && is_field && name.contains('_') && !is_camel && !is_named {
                let says =
                    format!("`{name}` stands in JSON like this; make it a `shape!`, or say `rename_all`.");
                findings.push(Finding::line(path, at, says));
            }
            is_named = false;
        }
    }
    findings
}

/// A line without who may see what it declares.
fn unveiled(line: &str) -> &str {
    let rest = line.strip_prefix("pub").unwrap_or(line);
    let rest = rest.strip_prefix('(').and_then(|inner| inner.split_once(") ")).map_or(rest, |(_, rest)| rest);
    rest.trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let (_folder, tree) = planted(files);
        check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect()
    }

    #[test]
    fn a_shape_outside_of_wire_is_found_unless_it_is_a_file_of_ours() {
        let shape = "//! Why.\n\n#[derive(Debug, Serialize)]\nstruct ToldV1 {\n    files: usize,\n}\n";
        let own = "//! Why.\n\nimpl serde::Serialize for Told {}\n";
        let reader =
            "//! Why.\n\n// derive(Serialize)\n#[derive(Deserialize)]\nfn say(told: &impl Serialize) {}\n";
        let at = found(&[
            ("crates/cli/src/commands/told.rs", shape),
            ("crates/cli/src/setup/splice.rs", shape),
            ("crates/home/src/told.rs", own),
            ("crates/mcp/src/told.rs", reader),
            ("crates/cli/tests/it/told.rs", shape),
            ("crates/wire/src/told.rs", shape),
        ]);
        assert_eq!(at, ["crates/cli/src/commands/told.rs:3", "crates/home/src/told.rs:3"]);
    }

    #[test]
    fn a_name_with_an_underscore_needs_a_rule_or_another_system() {
        let bad = "#[derive(Debug, Clone, Serialize)]\npub struct ToldV1 {\n    /// Doc.\n    pub left_out: usize,\n}\n";
        let good = bad.replace("pub struct", "#[serde(rename_all = \"camelCase\")]\npub struct");
        let one = bad.replace("    pub", "    #[serde(rename = \"leftOut\")]\n    pub");
        let read = bad.replace("Serialize", "Deserialize");
        let text = format!("//! Why.\n\n{good}\n{bad}\n{one}\n{read}");
        let at = found(&[("crates/wire/src/told.rs", &text), ("crates/wire/src/self_report.rs", bad)]);
        assert_eq!(at, ["crates/wire/src/told.rs:13"]);
    }

    #[test]
    fn a_form_of_others_stands_where_their_names_are_and_nowhere_else() {
        let theirs = "//! Why.\n\ntheirs! {\n    #[derive(Default)]\n    pub struct ToldV1 {\n        /// Doc.\n        pub left_out?: usize,\n        #[serde(rename = \"soFar\")]\n        pub so_far: usize,\n    }\n}\n\nfn say(so_far: usize) {\n    Told {\n        left_out: 0,\n    }\n}\n";
        let ours = theirs.replace("theirs!", "shape!");
        let at = found(&[
            ("crates/wire/Cargo.toml", ""),
            ("crates/wire/src/foreign_api.rs", theirs),
            ("crates/wire/src/memory_stores.rs", theirs),
            ("crates/wire/src/hook.rs", theirs),
            ("crates/wire/src/prompt.rs", theirs),
            ("crates/wire/src/self_report.rs", theirs),
            ("crates/wire/src/tools/foreign.rs", theirs),
            ("crates/wire/src/tools/minara_facts.rs", "//! Why.\n"),
            ("crates/wire/src/told.rs", theirs),
            ("crates/wire/src/same.rs", &ours),
        ]);
        assert_eq!(at, ["crates/wire/src/told.rs:7", "crates/wire/src/tools/minara_facts.rs"]);
    }

    #[test]
    fn a_private_field_stands_in_json_as_well_and_what_follows_a_shape_does_not() {
        let shape = "#[derive(Debug, Serialize)]\nstruct ToldV1 {\n    left_out: usize,\n    pub(crate) so_far: usize,\n\
                     \x20   #[serde(skip)]\n    #[serde(default)]\n    not_said: usize,\n}\n";
        let after = "impl ToldV1 {\n    fn new(so_far: usize) -> Self {\n        Self {\n            left_out: 0,\n        }\n    }\n}\n";
        let unit = "#[derive(Debug, Serialize)]\npub struct IdV1(String);\n\nfn say() {\n    Told {\n        left_out: 0,\n    }\n}\n";
        let at = found(&[("crates/wire/src/told.rs", &format!("{shape}{after}{unit}"))]);
        assert_eq!(at, ["crates/wire/src/told.rs:3", "crates/wire/src/told.rs:4"]);
    }

    #[test]
    fn json_that_an_interface_makes_by_hand_is_found_before_its_tests() {
        let made = "//! Not json!(1).\n\nfn say() {\n    json!({ \"ok\": true })\n}\n\nfn same(json: bool) -> bool {\n    json != true\n}\n";
        let tested = "//! Why.\n\n#[cfg(test)]\nmod tests {\n    const T: u8 = json!(1);\n}\n";
        let at = found(&[
            ("crates/cli/src/commands/told.rs", made),
            ("crates/cli/src/setup/told.rs", made),
            ("crates/mcp/src/call.rs", tested),
            ("crates/mcp/src/verbs/told.rs", made),
        ]);
        assert_eq!(at, ["crates/cli/src/commands/told.rs:4", "crates/mcp/src/verbs/told.rs:4"]);
    }

    #[test]
    fn a_row_of_a_file_that_writes_nothing_is_found() {
        let at = found(&[("crates/cli/Cargo.toml", ""), ("crates/cli/src/setup/splice.rs", "//! Why.\n")]);
        assert_eq!(at, ["crates/cli/src/setup/receipt.rs", "crates/cli/src/setup/splice.rs"]);
    }
}
