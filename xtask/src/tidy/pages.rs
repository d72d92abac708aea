//! Generated pages say what the tables say: made again in memory and compared, byte for byte.

use super::Finding;
use crate::docs;
use crate::tree::Tree;

/// Finds pages that are missing, stale, or not generated.
pub fn check(tree: &Tree) -> Result<Vec<Finding>, String> {
    Ok(compare(tree, &docs::pages(tree)))
}

fn compare(tree: &Tree, pages: &[docs::Page]) -> Vec<Finding> {
    let stale = pages.iter().filter_map(|page| {
        let says = match tree.text(&page.path) {
            Some(text) if text == page.text => return None,
            Some(text) => {
                let at = text.lines().zip(page.text.lines()).take_while(|(old, new)| old == new).count();
                let row = page.text.lines().nth(at).unwrap_or("(shorter)");
                return Some(Finding::line(
                    &page.path,
                    at + 1,
                    format!("Stale: run `make docs`. It should say: {row}"),
                ));
            }
            None => "Missing: run `make docs`.",
        };
        Some(Finding::file(&page.path, says))
    });
    let known = |path: &str| pages.iter().any(|page| page.path == path);
    let orphans = tree.files().filter(|(path, _)| path.starts_with(docs::REFERENCE) && !known(path));
    let orphans = orphans.map(|(path, _)| Finding::file(path, "No table makes this page; take it out."));
    stale.chain(orphans).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn stale_missing_and_orphaned_pages_are_found() {
        let page = |name: &str, text: &str| docs::Page {
            path: format!("{}{name}", docs::REFERENCE),
            text: text.into(),
        };
        let pages = [page("cli.md", "a\nnew row\n"), page("errors.md", "a\n"), page("files.md", "a\n")];
        let (_folder, tree) = planted(&[
            ("docs/reference/cli.md", "a\nb\n"),
            ("docs/reference/files.md", "a\n"),
            ("docs/reference/old.md", "a\n"),
        ]);
        let findings = compare(&tree, &pages);
        let at: Vec<&str> = findings.iter().map(|finding| finding.at.as_str()).collect();
        assert_eq!(at, ["docs/reference/cli.md:2", "docs/reference/errors.md", "docs/reference/old.md"]);
        assert!(findings[0].says.ends_with("new row"));
    }
}
