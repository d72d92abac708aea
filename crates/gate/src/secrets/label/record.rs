//! A secret whose name and value are two fields of one record: `{"name": "DB_PASSWORD", "slotSetting": false,
//! "value": "…"}`, a YAML item with `name:` and `value:`, `variable "db_password" { … default = "…" }` of Terraform.
//!
//! Invariant: at most [`RECORD_BYTES_MAX`] bytes before and after the name are read.

use std::ops::Range;

use super::section::{fields, opening};
use super::{Label, end_of, window};

/// Most bytes of a record before its name and after it, and of a name before its label.
const RECORD_BYTES_MAX: usize = 512;
const NAME_BYTES_MAX: usize = 64;

/// Fields with the name of a record, and those with its value.
const NAMES: &[&str] = &["name", "key", "parameterkey"];
const VALUES: &[&str] = &["value", "default", "defaultvalue", "parametervalue"];

/// The start of the value of the record that `label` names, including its quote.
pub fn value_at(text: &str, label: &Label, name_end: usize) -> Option<usize> {
    let record = match body(text, label, name_end) {
        Some(open) => open..text.floor_char_boundary(open + RECORD_BYTES_MAX),
        None => around(text, label, name_end)?,
    };
    let mut found = None;
    fields(&text[..record.end], record.start, &mut |name, value, depth| {
        // `string  default` of a one-line record.
        let name = name.rsplit(' ').next().unwrap_or_default();
        if depth == 0 && VALUES.iter().any(|known| name.eq_ignore_ascii_case(known)) {
            found.get_or_insert(value.start - usize::from(text[..value.start].ends_with(['"', '\''])));
        }
    });
    found
}

/// The start of a record whose name precedes its brace: `"db_password": {`, `variable "db_password" {`.
fn body(text: &str, label: &Label, name_end: usize) -> Option<usize> {
    let is_block = || {
        let before = &text[..name_start(text, label, '"')?];
        let behind = text[name_end..].strip_prefix("\" {")?;
        before.ends_with("variable \"").then_some(text.len() - behind.len())
    };
    let is_field =
        || opening(text, name_end).filter(|open| text[*open..].starts_with('{')).map(|open| open + 1);
    is_block().or_else(is_field)
}

/// The record around the field in which `label` ends the name.
fn around(text: &str, label: &Label, name_end: usize) -> Option<Range<usize>> {
    let behind = &text[name_end..];
    let start = match behind.chars().next() {
        Some(quote @ ('"' | '\'')) => name_start(text, label, quote)? - 1,
        _ if behind.trim_start_matches([' ', '\r']).starts_with(['\n', ',', '}']) => {
            name_start(text, label, ' ')?
        }
        _ => return None,
    };
    let field = text[..start].trim_end_matches(' ').strip_suffix([':', '='])?;
    let field = field.trim_end_matches([' ', '"', '\'']);
    let name = end_of(field, NAME_BYTES_MAX).rsplit(|c: char| !c.is_ascii_alphanumeric()).next()?;
    if !NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return None;
    }
    let from = text.floor_char_boundary(field.len().saturating_sub(RECORD_BYTES_MAX));
    let start = from + beginning(&text[from..field.len()])?;
    // A YAML item ends at the next one or at an empty line.
    let behind = window(text, name_end, name_end + RECORD_BYTES_MAX);
    let lines = behind.match_indices('\n').map(|(at, _)| at);
    let ends = |at: &usize| {
        let line = behind[at + 1..].trim_start_matches([' ', '\t', '\r']);
        line.is_empty() || line.starts_with(['\n']) || line.starts_with("- ")
    };
    let end = lines.into_iter().find(ends).unwrap_or(behind.len());
    Some(start..name_end + end)
}

/// The start of the name that contains `label`, after a quote or a blank.
fn name_start(text: &str, label: &Label, mark: char) -> Option<usize> {
    let before = end_of(&text[..label.span.start], NAME_BYTES_MAX);
    let at = before.rfind([mark, '\n', '{', '}'])? + 1;
    text[..label.span.start - before.len() + at]
        .ends_with(mark)
        .then_some(label.span.start - before.len() + at)
}

/// The start of the record in which `before` ends: after an unclosed brace, or after a list marker.
fn beginning(before: &str) -> Option<usize> {
    let bytes = before.as_bytes();
    let mut closed = 0;
    for at in (0..bytes.len()).rev() {
        match bytes[at] {
            // A password may contain braces.
            b'}' if bytes
                .get(at + 1)
                .is_none_or(|byte| byte.is_ascii_whitespace() || b",]})".contains(byte)) =>
            {
                closed += 1;
            }
            b'{' if at == 0 || bytes[at - 1].is_ascii_whitespace() || b"[,:=({".contains(&bytes[at - 1]) => {
                if closed == 0 {
                    return Some(at + 1);
                }
                closed -= 1;
            }
            b'-' if closed == 0 && bytes.get(at + 1) == Some(&b' ') => {
                let indent = before[..at].trim_end_matches([' ', '\t']);
                if indent.is_empty() || indent.ends_with('\n') {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
