//! Generated pages, written from the tables of the program.
//!
//! A row is written once, where the program reads it. Invariant: the same tree gives the same bytes on every machine:
//! no clock, no environment, no terminal width.

mod checks;
mod cli;
mod conformance;
mod errors;
mod files;
mod hooks;
mod http;
mod limits;
mod markdown;
mod mcp_tools;
mod profiles;
mod schema;
mod scopes;
mod settings;

use std::io::Write as _;
use std::path::Path;

use crate::tree::Tree;
use crate::ui;

/// The folder that holds generated pages and nothing else.
pub const REFERENCE: &str = "docs/reference/";

/// One generated page.
#[derive(Debug)]
pub struct Page {
    /// Its place in the repository.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// Every generated page of `tree`.
pub fn pages(tree: &Tree) -> Vec<Page> {
    let reference = |name: &str, text: String| Page { path: format!("{REFERENCE}{name}"), text };
    vec![
        reference("cli.md", cli::page()),
        reference("settings.md", settings::page()),
        reference("settings.schema.json", schema::page()),
        reference("errors.md", errors::page()),
        reference("mcp-tools.md", mcp_tools::page()),
        reference("http.md", http::page()),
        reference("checks.md", checks::page()),
        reference("files.md", files::page()),
        reference("hooks.md", hooks::page()),
        reference("profiles.md", profiles::page()),
        reference("scopes.md", scopes::page()),
        reference("limits.md", limits::page(tree)),
        Page { path: "docs/conformance.md".into(), text: conformance::page(tree) },
    ]
}

/// Writes the pages that changed, and says which.
pub fn write(root: &Path) -> Result<bool, String> {
    let tree = Tree::read(root)?;
    for page in pages(&tree) {
        if tree.text(&page.path) == Some(&page.text) {
            continue;
        }
        let path = root.join(&page.path);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(root)).map_err(failed)?;
        let mut file = std::fs::File::create(&path).map_err(failed)?;
        file.write_all(page.text.as_bytes()).map_err(failed)?;
        ui::line(&format!("wrote {}", page.path));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::planted;

    #[test]
    fn pages_are_the_same_each_time_and_end_in_one_line_end() {
        let (_folder, tree) = planted(&[("crates/a/src/lib.rs", "//! A.\n")]);
        let (once, twice) = (pages(&tree), pages(&tree));
        for (page, again) in once.iter().zip(&twice) {
            assert_eq!(page.text, again.text, "{}", page.path);
            assert!(page.text.ends_with('\n') && !page.text.ends_with("\n\n"), "{}", page.path);
            assert!(page.text.lines().all(|line| line == line.trim_end()), "{}", page.path);
        }
    }
}
