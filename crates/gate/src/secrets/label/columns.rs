//! The values below a header that names a secret: cells of a table, or fields between commas, semicolons, tabs.
//!
//! Invariant: no more than [`ROWS_MAX`] rows below a header are read, none longer than [`LINE_BYTES_MAX`].

use std::ops::Range;

use super::words::Kind;
use super::{Label, Strength, pair};

/// Most rows of a table or of comma-separated values below a header that names a secret, and bytes of one.
const ROWS_MAX: usize = 50;
const LINE_BYTES_MAX: usize = 600;

/// The cells of the column whose header holds `label`. Up to where the line is no header, whatever label is in it.
pub fn columns(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) -> usize {
    let bytes = text.as_bytes();
    let before = bytes[..label.span.start].iter().rev().take(LINE_BYTES_MAX);
    let line_start = label.span.start - before.take_while(|byte| **byte != b'\n').count();
    let behind = bytes[name_end..].iter().take(LINE_BYTES_MAX).take_while(|byte| **byte != b'\n').count();
    let line_end = name_end + behind;
    if line_end - line_start > LINE_BYTES_MAX || bytes.get(line_end).is_some_and(|byte| *byte != b'\n') {
        return line_end;
    }
    let header = &text[line_start..line_end];
    // Of fields without a frame, names stand in the header and nothing else.
    let is_names = !header.contains(['<', '&', '(', '{', '=', ':']);
    let marks = [('|', 1), (';', 2), ('\t', 2), (',', 2)];
    let is_mark =
        |(mark, least): &(char, usize)| (*mark == '|' || is_names) && header.matches(*mark).count() >= *least;
    let Some((mark, _)) = marks.into_iter().find(is_mark) else { return line_end };
    // A row whose neighbour above has the same cells is no header.
    let above = bytes[..line_start.saturating_sub(1)].iter().rev().take(LINE_BYTES_MAX);
    let marks_above = above.take_while(|byte| **byte != b'\n').filter(|byte| **byte == mark as u8).count();
    if marks_above >= header.matches(mark).count() {
        return line_end;
    }
    let column = text[line_start..label.span.start].matches(mark).count();
    let mut at = line_end + 1;
    for _ in 0..ROWS_MAX {
        let Some(rest) = text.get(at..) else { break };
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
            let strength = Strength { is_password: label.kind == Kind::Password, is_sure: mark == '|' };
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
