//! Values below a header that names a secret: table cells, or fields separated by commas, semicolons or tabs.
//!
//! Invariants: a table is read to its end, and once for each column, at most [`COLUMNS_MAX`] times, so the work is
//! linear in the text; a line longer than [`LINE_BYTES_MAX`] is not part of a table.

use std::ops::Range;

use super::super::check::spelled::is_short_hex;
use super::codes::{is_number, is_number_of};
use super::pair::First;
use super::reader::tag;
use super::words::{Kind, is_password};
use super::{
    Label, Strength, end_of, is_four_by_four, is_made_of_words, is_small_word_with_number,
    is_word_with_number, pair, window,
};

/// Most columns of one table that name a secret.
const COLUMNS_MAX: usize = 16;

/// Most bytes of a line of a table.
const LINE_BYTES_MAX: usize = 600;

/// Bytes of an app password in four groups of four letters.
const GROUPS_BYTES: usize = 4 * 4 + 3;

/// Most bytes of an HTML table.
const HTML_BYTES_MAX: usize = 64 << 10;

/// The table that was read last.
#[derive(Default)]
pub struct Table {
    header: usize,
    columns: usize,
    end: usize,
}

impl Table {
    /// Whether a label in the line at `line` heads a column to read: its line is the header of this table or of a new
    /// one. A line within a table is a row.
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

/// The separator of a table's cells.
#[derive(Clone, Copy)]
enum Mark {
    /// A bar: ASCII, or a box-drawing character.
    Bar(char),
    /// A separator of fields, which may be quoted, as in CSV.
    Field(char),
    /// Two blanks or more.
    Blanks,
}

impl Mark {
    /// The separator of a header line; `None` if it is not a header.
    fn of(header: &str) -> Option<Self> {
        if let Some(bar) = ['|', '│', '┃'].into_iter().find(|bar| header.contains(*bar)) {
            return Some(Self::Bar(bar));
        }
        // Without a frame, the header has only names.
        if header.contains(['<', '&', '(', '{', '=', ':']) {
            return None;
        }
        let has = |mark: &Self| {
            let cells = mark.cells(header);
            let is_sole = || cells.iter().all(|cell| is_name(header[cell.clone()].trim()));
            let is_of_fields = matches!(mark, Self::Field(_));
            cells.len() >= 3 && is_of_fields || cells.len() >= 2 && is_sole()
        };
        let marks = [Self::Field(';'), Self::Field('\t'), Self::Field(','), Self::Blanks];
        marks.into_iter().find(has)
    }

    /// Ranges of the cells of a row.
    fn cells(self, row: &str) -> Vec<Range<usize>> {
        let quotes = self.quotes(row);
        let (mut cells, mut start) = (Vec::new(), 0);
        let mut chars = row.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let ends = match self {
                Self::Bar(bar) => c == bar && !row[..at].ends_with('\\'),
                Self::Field(mark) => c == mark && !quotes.iter().any(|quote| quote.contains(&at)),
                Self::Blanks => c == ' ' && at > start && row[at..].starts_with("  "),
            };
            if ends {
                cells.push(start..at);
                while matches!(self, Self::Blanks) && chars.next_if(|(_, next)| *next == ' ').is_some() {}
                start = chars.peek().map_or(row.len(), |(next, _)| *next);
            }
        }
        cells.push(start..row.len());
        cells
    }

    /// The quoted fields of a text: a quotation mark opens one only at the beginning of a field, and `""` within it
    /// is an escape. An unclosed one is an ordinary character.
    fn quotes(self, text: &str) -> Vec<Range<usize>> {
        let Self::Field(mark) = self else { return Vec::new() };
        let (mut quotes, mut at) = (Vec::new(), 0);
        while let Some(offset) = text[at..].find('"') {
            let open = at + offset;
            at = open + 1;
            let before = text[..open].chars().next_back();
            if before.is_some_and(|before| before != mark && before != '\n') {
                continue;
            }
            while let Some(offset) = text[at..].find('"') {
                at += offset + 1;
                if !text[at..].starts_with('"') {
                    quotes.push(open..at);
                    break;
                }
                at += 1;
            }
        }
        quotes
    }

    /// The row with which `text` begins, up to the end of its line; a quoted field may contain line ends. `None` if
    /// there is none.
    fn row(self, text: &str) -> Option<&str> {
        let window = window(text, 0, text.len().min(LINE_BYTES_MAX + 1));
        let quotes = self.quotes(window);
        let is_end = |at: &usize| !quotes.iter().any(|quote| quote.contains(at));
        let end = window.match_indices('\n').map(|(at, _)| at).find(is_end).unwrap_or(window.len());
        let row = &window[..end];
        let is_frame = row.contains(['-', '=', '─', '━', '═']) && row.chars().all(is_of_frame);
        (row.len() <= LINE_BYTES_MAX && (is_frame || self.cells(row).len() > 1)).then_some(row)
    }
}

/// Whether `c` forms the lines between the rows of a table.
fn is_of_frame(c: char) -> bool {
    matches!(c, '-' | '=' | '+' | '|' | ':' | ' ' | '\r' | '\u{2500}'..='\u{257f}')
}

/// The cells of the column whose header contains `label`. Returns the end of the text in which no line is a header.
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
    let Some(mark) = Mark::of(header) else { return line_end };
    // A row below one with the same cells is not a header.
    let above = end_of(&text[..line_start.saturating_sub(1)], LINE_BYTES_MAX);
    let above = above.rsplit('\n').next().unwrap_or_default();
    if mark.cells(above).len() >= mark.cells(header).len() {
        return line_end;
    }
    if !table.takes(line_start) {
        return line_end;
    }
    let place = label.span.start - line_start;
    let Some(column) = mark.cells(header).iter().position(|cell| cell.contains(&place)) else {
        return line_end;
    };
    let mut at = line_end + 1;
    while let Some(rest) = text.get(at..) {
        table.end = table.end.max(at);
        let Some(row) = mark.row(rest) else { break };
        if let Some(cell) = mark.cells(row).get(column) {
            let cell = &row[cell.clone()];
            let inner = cell.trim_matches([' ', '\t', '`', '*', '"', '\r', '\n']);
            let start = inner.as_ptr() as usize - text.as_ptr() as usize;
            if cell_holds(text, label, inner) {
                found.push(start..start + inner.len());
            } else if label.kind == Kind::Pair {
                found.extend(pair(text, start, start + inner.len(), First::Either));
            } else if matches!(mark, Mark::Bar(_)) {
                // `first, second` and `first<br>second`.
                let words =
                    inner.split([' ', ',', ';', '<', '>']).filter(|word| cell_holds(text, label, word));
                found.extend(words.map(|word| {
                    let start = word.as_ptr() as usize - text.as_ptr() as usize;
                    start..start + word.len()
                }));
            }
        }
        at += row.len() + 1;
    }
    label.span.end
}

/// The cells after the first one of a row, if that names a secret. The header of a table, followed by a ruler line,
/// is excluded.
pub fn row(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let within = |byte: &&u8| **byte != b'\n';
    let before = bytes[..label.span.start].iter().rev().take(LINE_BYTES_MAX).take_while(within).count();
    let first = bytes[label.span.start - before..label.span.start].trim_ascii_start();
    let is_first = first.starts_with(b"|") && !first[1..].contains(&b'|');
    if !is_first || before == LINE_BYTES_MAX {
        return;
    }
    let behind = bytes[name_end..].iter().take(LINE_BYTES_MAX).take_while(within).count();
    let end = name_end + behind;
    if behind == LINE_BYTES_MAX {
        return;
    }
    let below = text.get(end + 1..).unwrap_or_default().trim_start_matches([' ', '|']);
    if below.starts_with("--") || below.starts_with(":-") {
        return;
    }
    let mut start = name_end;
    for (place, cell) in text[name_end..end].split('|').enumerate() {
        let inner = cell.trim_matches([' ', '\t', '`', '*', '"', '\r']);
        let at = start + (inner.as_ptr() as usize - cell.as_ptr() as usize);
        start += cell.len() + 1;
        if place > 0 && cell_holds(text, label, inner) {
            found.push(at..at + inner.len());
        }
    }
}

/// The cells of the HTML table column with the header `label`: `<th>password</th>`.
pub fn cells(text: &str, label: &Label, name_end: usize, table: &mut Table, found: &mut Vec<Range<usize>>) {
    let behind = window(text, name_end, name_end + LINE_BYTES_MAX);
    let Some(behind) = behind.strip_prefix("</th>") else { return };
    // `<th>password</th><td>…</td>` is a row.
    if behind.trim_ascii_start().starts_with("<td") {
        return;
    }
    let before = end_of(&text[..label.span.start], LINE_BYTES_MAX);
    let from = label.span.start - before.len();
    let Some(row) = before.rfind("<tr") else { return };
    let column = before[row..].matches("<th").count();
    if column == 0 || !before.ends_with('>') || !table.takes(from + row) {
        return;
    }
    let rest = window(text, name_end, text.floor_char_boundary(name_end + HTML_BYTES_MAX));
    let rest = &rest[..rest.find("</table").unwrap_or(rest.len())];
    table.end = name_end + rest.len();
    for row in rest.split("<tr").skip(1) {
        let Some((_, mut cell)) = row.split("<td").nth(column).and_then(|cell| cell.split_once('>')) else {
            continue;
        };
        // `<td><code>…</code></td>`.
        while tag(cell.trim_start()) > 0 && !cell.trim_start().starts_with("</") {
            cell = &cell.trim_start()[tag(cell.trim_start())..];
        }
        let inner = cell.split('<').next().unwrap_or(cell).trim();
        let at = inner.as_ptr() as usize - text.as_ptr() as usize;
        if cell_holds(text, label, inner) {
            found.push(at..at + inner.len());
        }
    }
}

/// Whether a cell has a value of the kind that `label` names.
pub fn cell_holds(text: &str, label: &Label, cell: &str) -> bool {
    let is_password_of_network = label.kind == Kind::Password || label.is_of_network(text);
    let strength = Strength { is_password: is_password_of_network, is_sure: true };
    match label.kind {
        Kind::Pair => false,
        // Hardware tables have a column `Pin` with numbers too.
        Kind::Number => {
            let name = &text[label.span.clone()];
            is_number_of(name, cell) && name != "Pin" && name != "pin"
        }
        Kind::Codes => is_number(cell),
        Kind::Password | Kind::Key => {
            let is_plain =
                || is_word_with_number(cell) || is_small_word_with_number(cell) || is_made_of_words(cell);
            strength.holds(cell)
                || strength.is_password && is_short_hex(cell)
                || strength.is_password && cell.len() == GROUPS_BYTES && is_four_by_four(cell, 0, false)
                || is_password(&text[label.span.clone()]) && is_plain()
        }
    }
}

/// Whether a cell is one word, like column names.
fn is_name(cell: &str) -> bool {
    let cell = cell.trim_matches('"');
    !cell.is_empty() && cell.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}
