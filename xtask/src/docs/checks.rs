//! `checks.md`: the checks of `inwit doctor`, with hints.

use inwit_cli::hints;
use inwit_engine::doctor::CHECKS;

use super::markdown::{code, head, table};

const ABOUT: &str = "
`inwit doctor` is read-only. An *error* means that something does not work; it gives exit status 1. A *warning* means that
something will soon fail, or does not work as it seems. A *note* needs no action now.

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
    text.push_str(&table(&["check", "severity", "what is checked", "what you can do"], rows));
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
