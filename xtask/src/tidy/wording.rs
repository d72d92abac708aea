//! Sentences for people and models use the standard words of the field.
//!
//! Judged are string literals with a blank in them, and the guides; names, comments and quoted examples are not.

use super::Finding;
use crate::tokens::{self, Kind};
use crate::tree::Tree;

/// Words that are not used, and what stands in their place.
const WORDS: &[(&str, &str)] = &[
    ("told", "reported, shown or printed"),
    ("tells", "reports, shows or prints"),
    ("mend", "repair"),
    ("mends", "repairs"),
    ("mended", "repaired"),
    ("deed", "operation or change"),
    ("deeds", "operations or changes"),
    ("lend", "add to the score of"),
    ("lends", "adds to the score of"),
    ("anew", "again, or say `rebuild`"),
    ("meanwhile", "concurrently, or say when"),
    ("nobody", "name the case"),
];

/// Crates whose literals no user reads.
const NOT_SHOWN: &[&str] = &["testkit", "bench-suites"];

/// Files whose literals are data, code of another language, or texts for tests, and why.
const DATA: &[(&str, &str)] = &[
    ("crates/recall/src/words.rs", "forms of English verbs"),
    ("crates/store-sqlite/src/lifetimes.rs", "the name of a column, as in the rows below"),
    ("crates/store-sqlite/src/memory/full_text.rs", "the name of a mark in memory.db"),
    ("crates/store-sqlite/src/memory/intents.rs", "deed"),
    ("crates/store-sqlite/src/memory/learning.rs", "told_ms"),
    ("crates/store-sqlite/src/memory/learning/write.rs", "told_ms"),
    ("crates/store-sqlite/src/memory/proposals.rs", "deed"),
    ("crates/store-sqlite/src/memory/receipts.rs", "deed"),
];

/// Pages that are judged line by line.
const PAGES: &[&str] = &["README.md", "SECURITY.md", "docs/guides/", "docs/glossary.md"];

/// Finds sentences with a word of the table.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| is_judged(path)) {
        let tokens = tokens::of(text);
        let literals = tokens::product(&tokens).iter().filter(|token| token.kind == Kind::Text);
        for literal in literals.filter(|literal| literal.text.contains(' ')) {
            findings.extend(of(literal.text).map(|says| Finding::line(path, literal.line, says)));
        }
    }
    for (path, text) in tree.files().filter(|(path, _)| PAGES.iter().any(|page| path.starts_with(page))) {
        let mut is_code = false;
        for (line, number) in text.lines().zip(1..) {
            is_code ^= line.starts_with("```");
            if !is_code {
                findings.extend(of(line).map(|says| Finding::line(path, number, says)));
            }
        }
    }
    Ok(findings)
}

fn is_judged(path: &str) -> bool {
    let Some((name, file)) = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/")) else {
        return false;
    };
    let is_for_tests = ["tests", "proofs", "contract"].iter().any(|part| file.contains(part));
    !NOT_SHOWN.contains(&name) && !is_for_tests && DATA.iter().all(|(row, _)| *row != path)
}

/// What is wrong in `text`. Code between backquotes and values between braces are passed over.
fn of(text: &str) -> impl Iterator<Item = String> + '_ {
    let prose = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let prose: String =
        prose.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
    let words: Vec<String> = prose.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    WORDS
        .iter()
        .filter(move |(word, _)| words.iter().any(|one| one == word))
        .map(|(word, instead)| format!("`{word}` is not a word of ours; use {instead}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn a_sentence_with_a_word_of_the_table_is_found() {
        let (_folder, tree) = planted(&[
            (
                "crates/home/src/one.rs",
                "//! Told.\nconst A: &str = \"The owner is told.\";\nconst B: &str = \"told\";\nconst C: &str = \"see {told} of `deed x`\";\n",
            ),
            ("crates/home/src/tests.rs", "//! Why.\nconst A: &str = \"it is told\";\n"),
            ("docs/guides/one.md", "# One\n\nMend it.\n\n```sh\necho told x\n```\n"),
            ("docs/formats/one.md", "Mend it.\n"),
        ]);
        let at: Vec<String> = check(&tree).expect("checked").into_iter().map(|finding| finding.at).collect();
        assert_eq!(at, ["crates/home/src/one.rs:2", "docs/guides/one.md:3"]);
    }
}
