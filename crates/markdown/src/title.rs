//! Finds link titles that are never closed, before the library looks for their end.
//!
//! After `](destination ` the library reads a title up to its closing quote, over the rest of the
//! file if need be, and at each line end walks the paragraph's nodes again: a single `[a](b 'c` made
//! a megabyte take half a minute. A quote whose partner is more lines away than any title is long opens
//! nothing a person meant, so it is masked by other punctuation. We never read titles, so nothing
//! else changes.

use std::ops::Range;

use crate::limit::{LINK_TITLE_LINES_MAX, LINK_TITLE_UNGUARDED_BYTES_MAX};

/// Places of quotes and parentheses after `start` that could open a title and close too far away.
pub(crate) fn far_titles(text: &str, start: usize) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[start..];
    let mut far = Vec::new();
    if bytes.len() <= LINK_TITLE_UNGUARDED_BYTES_MAX || !text[start..].contains("](") {
        return far;
    }
    // Backwards, since a masked quote is no partner to the ones before it.
    let mut line = 0;
    let mut partners: [Option<usize>; 3] = [None; 3];
    for (at, &byte) in bytes.iter().enumerate().rev() {
        let kind = match KINDS[usize::from(byte)] {
            0 => continue,
            LINE_END => {
                line += 1;
                continue;
            }
            kind => usize::from(kind - 1),
        };
        let previous = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let opens = byte != b')' && matches!(previous, b' ' | b'\t' | b'\n' | b'>');
        let near = partners[kind].unwrap_or(0) + LINK_TITLE_LINES_MAX >= line;
        if opens && !near {
            far.push(start + at..start + at + 1);
        } else if previous != b'\\' {
            partners[kind] = Some(line);
        }
    }
    far.reverse();
    far
}

const LINE_END: u8 = 4;

/// For each byte: 1 to 3 where it opens or closes a title of that kind, else 4 for a line end or 0.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    kinds[b'\'' as usize] = 1;
    kinds[b'"' as usize] = 2;
    kinds[b'(' as usize] = 3;
    kinds[b')' as usize] = 3;
    kinds[b'\n' as usize] = LINE_END;
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;

    fn far(text: &str) -> Vec<usize> {
        far_titles(text, 0).into_iter().map(|place| place.start).collect()
    }

    #[test]
    fn only_an_opener_without_a_near_partner_is_far() {
        let lines = "x\n".repeat(LINK_TITLE_UNGUARDED_BYTES_MAX);
        assert_eq!(far(&format!("[a](b 'c{lines}")), [6]);
        assert_eq!(far(&format!("[a](b\n\"c{lines}")), [6]);
        assert_eq!(far(&format!("[a](<b>(c{lines})")), [7]);
        assert_eq!(far(&format!("[a](b 'c{lines}\\'{lines}'")), [6]);
        assert_eq!(far(&format!("[a](b 'c' d){lines}")), Vec::<usize>::new());
        assert_eq!(far(&format!("[a](b 'c](d 'e{lines}")), [6, 12]);
        assert_eq!(far(&format!("it's [a](b){lines}")), Vec::<usize>::new());
        assert_eq!(far(&format!("no link 'c{lines}")), Vec::<usize>::new());
    }
}
