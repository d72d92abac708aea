//! Joins the rows of a table for a session context or a prompt: the column heads once, then each row.
//!
//! A log stores a row as `worker: Staging 1, Production 2`, so that it is found alone. Several such rows repeat their
//! heads. Invariants: keys and values keep their order; a line exceeds [`CHARS_MAX`] only if one row does.

/// Longest line of joined rows, in characters.
const CHARS_MAX: usize = 250;

/// One line to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownLine {
    /// Its text.
    pub text: String,
    /// Number of table rows in it; 1 for any other line.
    pub rows: u32,
}

/// A row as stored in a log: `key: head value, head value`.
struct Row<'t> {
    key: &'t str,
    cells: Vec<&'t str>,
}

/// Each of `lines` as one line.
pub(crate) fn separate_lines(lines: &[&str]) -> Vec<ShownLine> {
    lines.iter().map(|line| ShownLine { text: (*line).to_owned(), rows: 1 }).collect()
}

/// `lines` with the rows of each table joined.
pub(crate) fn joined_rows(lines: &[&str]) -> Vec<ShownLine> {
    let mut told = Vec::new();
    let mut rest = lines;
    while let Some((first, behind)) = rest.split_first() {
        let Some(table) = Table::at_start(rest) else {
            told.push(ShownLine { text: (*first).to_owned(), rows: 1 });
            rest = behind;
            continue;
        };
        rest = &rest[table.rows.len()..];
        table.tell(&mut told);
    }
    told
}

/// Rows with the same columns.
struct Table<'t> {
    heads: Vec<&'t str>,
    rows: Vec<Row<'t>>,
}

impl<'t> Table<'t> {
    /// The table at the start of `lines`: at least two rows whose cells begin with the same words.
    fn at_start(lines: &[&'t str]) -> Option<Self> {
        let mut rows: Vec<Row<'t>> = Vec::new();
        let mut heads: Vec<&'t str> = Vec::new();
        for line in lines {
            let Some(row) = Row::of(line) else { break };
            let shared: Vec<&str> = match rows.first() {
                None => row.cells.iter().map(|cell| shared_words(cell, cell)).collect(),
                Some(first) if first.cells.len() == row.cells.len() => {
                    heads.iter().zip(&row.cells).map(|(head, cell)| shared_words(head, cell)).collect()
                }
                Some(_) => break,
            };
            if shared.iter().any(|head| head.is_empty()) {
                break;
            }
            heads = shared;
            rows.push(row);
        }
        // Sentences may begin alike too: with one column, only numbers make a table.
        let has_figure = |row: &Row<'_>| row.cells[0].contains(|c: char| c.is_ascii_digit());
        let is_table = rows.len() > 1 && (heads.len() > 1 || rows.iter().all(has_figure));
        is_table.then_some(Self { heads, rows })
    }

    fn tell(&self, told: &mut Vec<ShownLine>) {
        let heads = self.heads.join(", ");
        let mut line = ShownLine { text: String::new(), rows: 0 };
        for row in &self.rows {
            let values: Vec<&str> =
                row.cells.iter().zip(&self.heads).map(|(cell, head)| cell[head.len()..].trim()).collect();
            let row = format!("{}: {}", row.key, values.join(", "));
            if line.rows > 0 && line.text.chars().count() + 2 + row.chars().count() > CHARS_MAX {
                told.push(std::mem::replace(&mut line, ShownLine { text: String::new(), rows: 0 }));
            }
            line.text =
                if line.rows == 0 { format!("{heads}: {row}") } else { format!("{}; {row}", line.text) };
            line.rows += 1;
        }
        told.push(line);
    }
}

impl<'t> Row<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let (key, cells) = line.split_once(": ")?;
        let cells: Vec<&str> = cells.split(", ").collect();
        // A row contains row separators.
        let is_plain = |words: &str| !words.contains([';', ':']);
        let is_row =
            !key.is_empty() && is_plain(key) && cells.iter().all(|cell| cell.contains(' ') && is_plain(cell));
        is_row.then_some(Self { key, cells })
    }
}

/// The words at the start of both `head` and `cell`; the last word of a cell is its value.
fn shared_words<'t>(head: &'t str, cell: &str) -> &'t str {
    let but_last = cell.rsplit_once(' ').map_or("", |(before, _)| before);
    let shared = head.split(' ').zip(but_last.split(' ')).take_while(|(one, other)| one == other);
    let end: usize = shared.map(|(word, _)| word.len() + 1).sum();
    &head[..end.saturating_sub(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[&str]) -> Vec<String> {
        joined_rows(lines).into_iter().map(|told| told.text).collect()
    }

    #[test]
    fn the_heads_of_a_table_are_told_once() {
        let lines = [
            "From the two overlays, as of today:",
            "api pods: Staging 1, Production 5",
            "worker memory: Staging 192Mi, Production 384Mi",
            "web pods: Staging 1, Production 3",
            "Plans may stay on spot.",
        ];
        let joined = "Staging, Production: api pods: 1, 5; worker memory: 192Mi, 384Mi; web pods: 1, 3";
        assert_eq!(texts(&lines), [lines[0], joined, lines[4]]);
        assert_eq!(joined_rows(&lines)[1].rows, 3);
    }

    #[test]
    fn rows_of_other_columns_stay_apart() {
        let lines = ["gas: Monthly 96", "Wed: Plan long lunch", "a row: alone", "rent: Monthly"];
        assert_eq!(texts(&lines), lines);
        let lines =
            ["staging: do not deploy", "production: do deploy now", "Ana: likes rye", "Ben: likes spelt"];
        assert_eq!(texts(&lines), lines, "sentences");
        let lines =
            ["Ana; Bob: May yes; no, Town Lima", "Carl: May no, Town Quito", "Eve: May 1: 2, Town Rome"];
        assert_eq!(texts(&lines), lines, "cells with the signs that part rows");
    }

    #[test]
    fn a_column_of_one_value_keeps_it() {
        let lines = ["unit: Where here, Count 61", "shared: Where here, Count 148"];
        assert_eq!(texts(&lines), ["Where, Count: unit: here, 61; shared: here, 148"]);
    }

    #[test]
    fn a_long_table_is_told_in_several_lines_with_its_heads() {
        let rows: Vec<String> = (10..60).map(|at| format!("row {at}: Value {at} of 9")).collect();
        let told = joined_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(told.len() > 1);
        assert_eq!(told.iter().map(|one| one.rows).sum::<u32>(), 50);
        assert!(told.iter().all(|one| one.text.starts_with("Value: row ")), "{told:?}");
        assert!(told.iter().all(|one| one.text.chars().count() <= CHARS_MAX));
    }
}
