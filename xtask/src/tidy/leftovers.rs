//! Nothing half-made is kept: no placeholder, no skipped test, no print for debugging.
//!
//! Lints see most of these; this rule sees them also behind `cfg` and in files no build reads.

use super::Finding;
use crate::tree::Tree;

/// What may not stand in code, and what to do instead. Written in pieces, or this file would be found.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("todo", "!("), "Finish it, or leave the door away."),
    (concat!("unimplemented", "!("), "Finish it, or leave the door away."),
    (concat!("dbg", "!("), "Take the print out."),
    (concat!("#[ign", "ore"), "Assert what happens now, with a comment on what would be right."),
];

/// Finds leftovers in sources, comments apart.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (path, text) in tree.sources() {
        for (at, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let hits = FORBIDDEN.iter().filter(|(word, _)| code.contains(word));
            findings.extend(hits.map(|(word, instead)| {
                Finding::line(
                    path,
                    at + 1,
                    format!("`{}` may not stay. {instead}", word.trim_end_matches('(')),
                )
            }));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn each_leftover_is_found_in_code_and_not_in_comments() {
        for (word, _) in FORBIDDEN {
            let code = format!("//! Why.\n\n// {word}\nfn f() {{ {word} }}\n");
            let (_folder, tree) = planted(&[("crates/a/src/lib.rs", &code)]);
            let findings = check(&tree).expect("checked");
            assert_eq!(findings.len(), 1, "{word}");
            assert_eq!(findings[0].at, "crates/a/src/lib.rs:4");
        }
    }
}
