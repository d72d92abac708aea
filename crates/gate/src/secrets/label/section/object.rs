//! Fields of an object: `"passwords": {"nas": "…"}` in JSON, `{nas: …}` in YAML, and items of a list: `"passwords":
//! ["…"]`.
//!
//! Invariants: an object is read once to its closing brace, or for [`OBJECT_BYTES_MAX`] if it is not closed; a string
//! ends with its line.

use std::ops::Range;

use super::entry::Section;

/// Most bytes of an object.
const OBJECT_BYTES_MAX: usize = 64 << 10;

/// Most bytes between a field name and its brace.
const GAP_BYTES_MAX: usize = 16;

/// The position of the brace or bracket of the object or list after a name that ends at `at`.
pub fn opening(text: &str, at: usize) -> Option<usize> {
    let near = text.as_bytes()[at..].iter().take(GAP_BYTES_MAX);
    let gap = near.take_while(|byte| b"\"' :=>\r\n\t".contains(byte)).count();
    let is_sign = text[at..at + gap].contains([':', '=']);
    (is_sign && matches!(text.as_bytes().get(at + gap), Some(b'{' | b'['))).then_some(at + gap)
}

/// The values of the object or list that opens at `open`, including nested ones. Returns its end.
pub fn object(section: &Section, open: usize, found: &mut Vec<Range<usize>>) -> usize {
    let text = &section.text[..section.text.floor_char_boundary(open + OBJECT_BYTES_MAX)];
    fields(text, open + 1, &mut |name, value, _| section.field(name, value, found))
}

/// Passes each field of the object that begins at `start`, after its brace: its name, the range of its value, and its
/// nesting depth. A list item has the name of the list, or none. Returns the end of the object.
pub fn fields<'t>(text: &'t str, start: usize, show: &mut dyn FnMut(&'t str, Range<usize>, usize)) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut name) = (start, 0_usize, "");
    while let Some(byte) = bytes.get(at) {
        let part = match byte {
            b'}' | b']' if depth == 0 => break,
            b'"' | b'\'' => string(text, at),
            b'{' | b'[' | b'}' | b']' | b',' | b':' | b'=' | b' ' | b'\t' | b'\r' | b'\n' => {
                match byte {
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                continue;
            }
            _ => word(text, at),
        };
        let quote = usize::from(text[part.end..].starts_with(['"', '\'']));
        at = (part.end + quote).max(text.ceil_char_boundary(at + 1));
        let behind = text[at..].trim_start_matches(' ');
        if behind.starts_with([':', '=']) {
            name = &text[part];
        } else if !part.is_empty() {
            show(name, part, depth);
        }
    }
    at
}

/// The quoted text that begins at `at`.
fn string(text: &str, at: usize) -> Range<usize> {
    let (bytes, start) = (text.as_bytes(), at + 1);
    let mut end = start;
    while bytes.get(end).is_some_and(|byte| *byte != bytes[at] && *byte != b'\n') {
        end += 1 + usize::from(bytes[end] == b'\\');
    }
    start..text.floor_char_boundary(end)
}

/// An unquoted word: up to punctuation of the object or the end of the line.
fn word(text: &str, at: usize) -> Range<usize> {
    let bytes = &text.as_bytes()[at..];
    let ends = |at: usize| {
        let is_colon = bytes[at] == b':' && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        let is_equal = bytes[at] == b'='
            && at > 0
            && (bytes[at - 1] == b' ' || matches!(bytes.get(at + 1), Some(b'"' | b'\'')));
        is_colon || is_equal || b",{}[]\n".contains(&bytes[at])
    };
    let len = (0..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len());
    at..at + text[at..at + len].trim_end().len()
}
