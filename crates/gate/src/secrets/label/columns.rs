//! The values below a header that names a secret: cells of a table, or fields between commas, semicolons, tabs.
//!
//! Invariants: a table is read to its end, and once for each of its columns at most [`COLUMNS_MAX`] times, so the
//! work is linear in the text; no line longer than [`LINE_BYTES_MAX`] is one of a table.

use std::ops::Range;

use super::words::Kind;
use super::{Label, Strength, pair};

/// Most columns of one table that name a secret.
const COLUMNS_MAX: usize = 16;

/// Most bytes of a line of a table.
const LINE_BYTES_MAX: usize = 600;

/// The table that was read last.
#[derive(Default)]
pub struct Table {
    header: usize,
    columns: usize,
    end: usize,
}

impl Table {
    /// Whether a label in the line at `line` heads a column that is to be read: its line is the header of this table, or
    /// begins another one. A line within a table is a row of it.
    fn takes(&mut self, line: usize) -> bool {
        if line != self.header || self.end == 0 {
            if line < self.end {
                return false;
            }
            *self = Self { header: line, columns: 0, end: line };
        }
        self.columns += 1;
        self.columns <= COLUMNS_MAX
    }
}

/// The cells of the column whose header holds `label`. Up to where the line is no header, whatever label is in it.
pub fn columns(
    text: &str,
    label: &Label,
    name_end: usize,
    table: &mut Table,
    found: &mut Vec<Range<usize>>,
) -> usize {
    let bytes = text.as_bytes();
    let within = |byte: &&u8| **byte != b'\n';
    let before = bytes[..label.span.start].iter().rev().take(LINE_BYTES_MAX).take_while(within).count();
    let behind = bytes[name_end..].iter().take(LINE_BYTES_MAX).take_while(within).count();
    let (line_start, line_end) = (label.span.start - before, name_end + behind);
    let is_whole = bytes.get(line_end).is_none_or(|byte| *byte == b'\n');
    if line_end - line_start > LINE_BYTES_MAX || !is_whole || !text.is_char_boundary(line_start) {
        return line_end;
    }
    let header = &text[line_start..line_end];
    // Of fields without a frame, names stand in the header and nothing else.
    let is_names = !header.contains(['<', '&', '(', '{', '=', ':']);
    let is_mark = |mark: &char| {
        let count = header.matches(*mark).count();
        let is_sole = || header.split(*mark).all(|cell| is_name(cell.trim()));
        *mark == '|' && count >= 1 || is_names && (count >= 2 || count == 1 && is_sole())
    };
    let Some(mark) = ['|', ';', '\t', ','].into_iter().find(is_mark) else { return line_end };
    // A row whose neighbour above has the same cells is no header.
    let above = bytes[..line_start.saturating_sub(1)].iter().rev().take(LINE_BYTES_MAX);
    let marks_above = above.take_while(within).filter(|byte| **byte == mark as u8).count();
    if marks_above >= header.matches(mark).count() {
        return line_end;
    }
    if !table.takes(line_start) {
        return line_end;
    }
    let column = text[line_start..label.span.start].matches(mark).count();
    let mut at = line_end + 1;
    while let Some(rest) = text.get(at..) {
        table.end = table.end.max(at);
        let len = rest.bytes().take(LINE_BYTES_MAX + 1).take_while(|byte| *byte != b'\n').count();
        let row = rest.get(..len).filter(|row| row.len() <= LINE_BYTES_MAX && row.contains(mark));
        let Some(row) = row else { break };
        let mut start = at;
        let cell = row.split(mark).enumerate().find_map(|(place, cell)| {
            let here = start;
            start += cell.len() + mark.len_utf8();
            (place == column).then_some((here, cell))
        });
        if let Some((start, cell)) = cell {
            let inner = cell.trim_matches([' ', '\t', '`', '*', '"', '\r']);
            let start = start + (inner.as_ptr() as usize - cell.as_ptr() as usize);
            let strength = Strength { is_password: label.kind == Kind::Password, is_sure: true };
            if label.kind != Kind::Pair && strength.holds(inner) {
                found.push(start..start + inner.len());
            } else if label.kind == Kind::Pair {
                found.extend(pair(text, start, start + inner.len()));
            }
        }
        at += row.len() + 1;
    }
    label.span.end
}

/// Whether a cell is one word, as the names of columns are.
fn is_name(cell: &str) -> bool {
    let cell = cell.trim_matches('"');
    !cell.is_empty() && cell.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}
