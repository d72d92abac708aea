//! Every page of docs/guides, docs/formats and docs/reference is in docs/SUMMARY.md, the table of contents of the book.

use super::Finding;
use crate::tree::Tree;

/// The table of contents. Its links are relative to `docs/`.
const SUMMARY: &str = "docs/SUMMARY.md";

/// The folders whose pages must be listed.
const FOLDERS: [&str; 3] = ["docs/guides/", "docs/formats/", "docs/reference/"];

/// Finds pages that are not listed, and listed pages that do not exist.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    let links: Vec<String> = tree.text(SUMMARY).unwrap_or_default().lines().filter_map(link).collect();
    let is_page =
        |path: &str| path.ends_with(".md") && FOLDERS.iter().any(|folder| path.starts_with(*folder));
    let mut findings = Vec::new();
    for (path, _) in tree.files() {
        if is_page(path) && !links.iter().any(|link| link == path) {
            findings.push(Finding::file(path, format!("Add this page to {SUMMARY}.")));
        }
    }
    for link in &links {
        if tree.text(link).is_none() {
            findings.push(Finding::file(SUMMARY, format!("`{link}` does not exist.")));
        }
    }
    Ok(findings)
}

/// The page that a line links to: `- [Title](guides/a.md)` gives `docs/guides/a.md`.
fn link(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("](")?;
    let (target, _) = rest.split_once(')')?;
    Some(format!("docs/{target}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn pages_that_are_not_listed_and_links_to_missing_pages_are_found() {
        let (_folder, tree) = planted(&[
            (SUMMARY, "# Summary\n\n- [A](guides/a.md)\n- [Gone](formats/gone.md)\n"),
            ("docs/guides/a.md", ""),
            ("docs/guides/b.md", ""),
            ("docs/reference/data.json", ""),
            ("docs/decisions/c.md", ""),
        ]);
        let findings = check(&tree).expect("checked");
        let wanted = [
            Finding::file("docs/guides/b.md", "Add this page to docs/SUMMARY.md."),
            Finding::file(SUMMARY, "`docs/formats/gone.md` does not exist."),
        ];
        assert_eq!(findings, wanted);
    }
}
