//! `limits.md`: every limit in a `limit.rs`, with its value as written.

use super::markdown::{code, head, table};
use crate::rust;
use crate::tree::Tree;

const ABOUT: &str = "
These limits are fixed. [settings.md](settings.md) lists those that a profile or a setting can change. inwit never truncates
silently: the answer or `inwit doctor` names the limit that applied.
";

/// The page.
pub fn page(tree: &Tree) -> String {
    let mut text = head("Limits", "the constants in `crates/*/src/limit.rs`");
    text.push_str(ABOUT);
    for (path, source) in tree.sources().filter(|(path, _)| path.ends_with("/src/limit.rs")) {
        let name = path.trim_start_matches("crates/").trim_end_matches("/src/limit.rs");
        text.push_str(&format!("\n## {name}\n\n"));
        let rows = rust::constants(source).into_iter();
        let rows = rows.map(|row| vec![code(&row.name), code(&grouped(&row.value)), row.about]);
        text.push_str(&table(&["limit", "value", "what it bounds"], rows));
    }
    text
}

/// `1_200` as people write it.
fn grouped(value: &str) -> String {
    value.replace('_', ",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn a_cap_is_told_with_its_value_and_its_words() {
        let source = "//! Caps.\n\n/// Longest line.\npub const LINE_CHARS_MAX: usize = 1_200;\n";
        let (_folder, tree) = planted(&[("crates/markdown/src/limit.rs", source)]);
        let text = page(&tree);
        assert!(text.contains("## markdown\n"), "{text}");
        assert!(text.contains("| `LINE_CHARS_MAX` | `1,200` | Longest line. |"), "{text}");
    }
}
