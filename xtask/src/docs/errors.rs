//! `errors.md`: every code with its exit and HTTP status.

use inwit_cli::hints;
use inwit_model::code::CODES;

use super::markdown::{code, head, table};

const ABOUT: &str = "
Codes are stable, so scripts can rely on them. With `--json`, stderr has the code in `{\"error\": …}`. The exit status groups
codes: 1 error, 2 usage, 3 not found, 4 conflict, 5 refused by the gate, 6 locked. The HTTP status is reserved for a future
server.

";

/// The page.
pub fn page() -> String {
    let mut text =
        head("Errors", "`CODES` in `crates/model/src/code.rs` and the words in `crates/cli/src/hints.rs`");
    text.push_str(ABOUT);
    let rows = CODES.iter().map(|row| {
        vec![
            code(row.name),
            row.exit.to_string(),
            row.http.to_string(),
            hints::said(row.code.into()).to_owned(),
        ]
    });
    text.push_str(&table(&["code", "exit", "HTTP", "what you can do"], rows));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_row() {
        let text = page();
        assert!(CODES.iter().all(|row| text.contains(&format!("| `{}` | {} |", row.name, row.exit))));
    }
}
