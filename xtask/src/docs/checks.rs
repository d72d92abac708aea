//! `checks.md`: the checks of `inwit doctor`, with hints.

use inwit_cli::hints;
use inwit_engine::doctor::CHECKS;

use super::markdown::{code, head, table};

const ABOUT: &str = "
`inwit doctor` looks and changes nothing. An *error* means that something does not work, and gives exit status 1; a
*warning* that something will not work soon, or works otherwise than it seems; a *note* is good to know.

";

/// The page.
pub fn page() -> String {
    let mut text = head(
        "Checks",
        "`CHECKS` in `crates/engine/src/doctor.rs` and the words in `crates/cli/src/hints.rs`",
    );
    text.push_str(ABOUT);
    let rows = CHECKS.iter().map(|row| {
        vec![
            code(row.name),
            row.severity.word().to_owned(),
            row.about.to_owned(),
            hints::said(row.hint).to_owned(),
        ]
    });
    text.push_str(&table(&["check", "severity", "what is looked at", "what you can do"], rows));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_row() {
        let text = page();
        assert!(CHECKS.iter().all(|row| text.contains(&format!("| `{}` |", row.name))));
    }
}
