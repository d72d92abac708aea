//! A line of a label and its value with a blank between them: `password q7Jd]82k` of msmtprc and `.netrc`.
//!
//! Invariant: the value ends the line, and the label begins it or follows a name and its value.

use std::ops::Range;

use super::super::check::spelled::are_drawn_groups;
use super::super::check::strength::Strength;
use super::words::Kind;
use super::{Label, end_of, is_four_by_four, is_name_of_code, window};

/// Most bytes of the value, and of the line before the label.
const VALUE_BYTES_MAX: usize = 80;

/// The value after `label`, which ends at `name_end`.
pub fn word(text: &str, label: &Label, name_end: usize) -> Option<Range<usize>> {
    if label.kind != Kind::Password || name_end != label.span.end {
        return None;
    }
    let before = end_of(&text[..label.span.start], VALUE_BYTES_MAX);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let near = window(text, name_end, name_end + VALUE_BYTES_MAX);
    let line = &near[..near.find('\n').unwrap_or(near.len())];
    let value = line.strip_prefix([' ', '\t'])?.trim();
    let start = value.as_ptr() as usize - text.as_ptr() as usize;
    if !before.trim().is_empty() || line.len() == VALUE_BYTES_MAX {
        return None;
    }
    let is_groups = is_four_by_four(text, start, false) && are_drawn_groups(value);
    let is_marked = value.bytes().any(|byte| !byte.is_ascii_alphanumeric() && !b"-_.,:".contains(&byte));
    let is_word = || {
        !value.contains(char::is_whitespace)
            && is_marked
            && !is_name_of_code(value)
            && !value.starts_with(['=', ':', '(', '-', '<', '"', '\'', '`', '|', '[', '{'])
            && (Strength { is_password: true, is_sure: true }).holds(value)
    };
    (is_groups || is_word()).then_some(start..start + value.len())
}
