//! A password column of an SQL statement: `INSERT INTO users (name, password) VALUES ('ana', '…'), ('bo', '…')`.
//!
//! Invariants: the column list is within [`LIST_BYTES_MAX`] around the label; the rows are read up to the first text that
//! is no row, at most [`COLUMNS_MAX`] times for a statement, so the work is linear in the text.

use std::ops::Range;

use super::columns::cell_holds;
use super::{Label, end_of, window};

/// Most bytes of a column list before its label and after it, and of one row.
const LIST_BYTES_MAX: usize = 512;
const ROW_BYTES_MAX: usize = 2_048;

/// Most columns of one statement that name a secret.
const COLUMNS_MAX: usize = 16;

/// The statement that was read last: the start of its rows, and how many of its columns were read.
#[derive(Default)]
pub struct Statement {
    rows: usize,
    columns: usize,
}

impl Statement {
    /// Whether another column of the statement with these rows is read.
    fn takes(&mut self, rows: usize) -> bool {
        if rows != self.rows {
            *self = Self { rows, columns: 0 };
        }
        self.columns += 1;
        self.columns <= COLUMNS_MAX
    }
}

/// The values in the column that `label` names.
pub fn inserted(
    text: &str,
    label: &Label,
    name_end: usize,
    statement: &mut Statement,
    found: &mut Vec<Range<usize>>,
) {
    let Some((column, mut at)) = column(text, label, name_end).filter(|(_, rows)| statement.takes(*rows))
    else {
        return;
    };
    while let Some(open) = text[at..].find(|c: char| !c.is_whitespace()).map(|blanks| at + blanks)
        && text[open..].starts_with('(')
        && let Some((values, end)) = values(text, open + 1)
    {
        found.extend(
            values.into_iter().nth(column).filter(|value| cell_holds(text, label, &text[value.clone()])),
        );
        let Some(rest) = text[end..].trim_start().strip_prefix(',') else { return };
        at = text.len() - rest.len();
    }
}

/// The number of the column that `label` names, and the end of `VALUES`.
fn column(text: &str, label: &Label, name_end: usize) -> Option<(usize, usize)> {
    let behind = window(text, name_end, text.floor_char_boundary(name_end + LIST_BYTES_MAX));
    let (rest_of_list, values) = behind.split_once(')')?;
    let values = values.trim_start();
    let is_values = values.get(.."values".len()).is_some_and(|word| word.eq_ignore_ascii_case("values"));
    let before = end_of(&text[..label.span.start], LIST_BYTES_MAX);
    let list = &before[before.rfind('(')? + 1..];
    let is_list = |text: &str| !text.contains([';', '=']);
    let end = values.as_ptr() as usize - text.as_ptr() as usize + "values".len();
    (is_values && is_list(list) && is_list(rest_of_list)).then(|| (list.matches(',').count(), end))
}

/// The values of the row that begins at `at`, strings without their quotes, and the end of the row.
fn values(text: &str, at: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let bytes = text.as_bytes();
    let (mut values, mut start, mut quote, mut is_escaped) = (Vec::new(), at, None, false);
    for (place, byte) in bytes.iter().enumerate().skip(at).take(ROW_BYTES_MAX) {
        match (quote, byte) {
            _ if std::mem::take(&mut is_escaped) => {}
            (Some(_), b'\\') => is_escaped = true,
            (Some(open), byte) if open == byte => quote = None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b',' | b')') => {
                let value = text[start..place].trim().trim_matches(['\'', '"']);
                let from = value.as_ptr() as usize - text.as_ptr() as usize;
                values.push(from..from + value.len());
                start = place + 1;
                if *byte == b')' {
                    return Some((values, place + 1));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[test]
    fn a_value_is_found_in_its_column_of_every_row() {
        for (statement, expected) in [
            ("INSERT INTO users (name, password) VALUES ('ana','Igece441741');", vec!["Igece441741"]),
            (
                "insert into u (id, `password`, mail)\nvalues\n (1, 'Igece441741', 'a, b'),\n (2, 'brume8841', 'c')",
                vec!["Igece441741", "brume8841"],
            ),
            ("INSERT INTO users (name, password) VALUES (:name, :password)", vec![]),
            (r"INSERT INTO users (name, password) VALUES ('D\'Arc, J', 'Igece441741');", vec!["Igece441741"]),
            ("f(name, password) values are checked ('ana', 'Igece441741')", vec![]),
        ] {
            let found: Vec<&str> = find(statement).into_iter().map(|span| &statement[span]).collect();
            assert_eq!(found, expected, "{statement}");
        }
    }
}
