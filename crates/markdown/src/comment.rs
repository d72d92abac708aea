//! HTML comments, and the metadata of agents in them.
//!
//! OpenClaw and similar systems keep metadata in HTML comments on an entry's line. They stay there byte for byte;
//! only displayed text omits them, if they are for programs.

use std::ops::Range;

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";

/// The spans of the carriers in `text` that say nothing to a reader, in order.
pub(crate) fn carrier_spans(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    comments(text)
        .filter(|(_, inner)| matches!(read_carrier(&text[inner.clone()]), Some(found) if found.is_hidden()))
        .map(|(span, _)| span)
}

/// The carrier that `comment` holds, given its inner text (`document.text(&comment.inner)`).
pub fn carrier(inner: &str) -> Option<Carrier<'_>> {
    read_carrier(inner)
}

/// The carriers in `text`, in order.
pub fn carriers(text: &str) -> impl Iterator<Item = Carrier<'_>> {
    comments(text).filter_map(|(_, inner)| read_carrier(&text[inner]))
}

/// `<!-- … -->`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Bytes of the whole comment.
    pub span: Range<usize>,
    /// Bytes between the marks.
    pub inner: Range<usize>,
    /// Whether it is top-level on separate lines, and so part of no entry.
    pub alone: bool,
}

/// What a known comment carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Carrier<'a> {
    /// `trigger: a, b`: words that call the entry up.
    Trigger(Vec<&'a str>),
    /// `importance: 1..10`
    Importance(u8),
    /// `project: host/owner/repo; …`
    Project(Vec<&'a str>),
    /// `observed: DATE | status: active|superseded`
    Observed {
        /// The date as written.
        date: &'a str,
        /// Whether it still holds; `None` where nothing is said.
        status: Option<Status>,
    },
    /// `openclaw-memory-promotion:KEY`
    Promotion(&'a str),
    /// `openclaw:dreaming:…`, a mark of a managed block.
    Dreaming(&'a str),
}

/// Whether an observation still holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It holds.
    Active,
    /// A newer one took its place.
    Superseded,
}

impl Carrier<'_> {
    fn is_hidden(&self) -> bool {
        !matches!(self, Self::Observed { .. })
    }
}

/// Every closed comment of `text`, whole and inner.
pub(crate) fn comments(text: &str) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(OPEN)?;
        let inner = start + OPEN.len();
        let length = text[inner..].find(CLOSE)?;
        at = inner + length + CLOSE.len();
        Some((start..at, inner..inner + length))
    })
}

/// The offset of a comment in `text` that is never closed.
pub(crate) fn unclosed(text: &str) -> Option<usize> {
    let closed = comments(text).last().map_or(0, |(span, _)| span.end);
    text[closed..].find(OPEN).map(|at| closed + at)
}

fn read_carrier(inner: &str) -> Option<Carrier<'_>> {
    let (key, value) = inner.split_once(':')?;
    let value = value.trim();
    match key.trim() {
        "trigger" => Some(Carrier::Trigger(list(value, ','))),
        "importance" => {
            value.parse().ok().filter(|importance| (1..=10).contains(importance)).map(Carrier::Importance)
        }
        "project" => Some(Carrier::Project(list(value, ';'))),
        "observed" => Some(observed(value)),
        "openclaw-memory-promotion" => Some(Carrier::Promotion(value)),
        "openclaw" => value.strip_prefix("dreaming:").map(Carrier::Dreaming),
        _ => None,
    }
}

fn list(value: &str, separator: char) -> Vec<&str> {
    value.split(separator).map(str::trim).filter(|item| !item.is_empty()).collect()
}

fn observed(value: &str) -> Carrier<'_> {
    let mut parts = value.split('|').map(str::trim);
    let date = parts.next().unwrap_or_default();
    let status = parts.find_map(|part| match part.strip_prefix("status:")?.trim() {
        "active" => Some(Status::Active),
        "superseded" => Some(Status::Superseded),
        _ => None,
    });
    Carrier::Observed { date, status }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_carrier_is_recognised() {
        assert_eq!(carrier(" trigger: a, b c,, "), Some(Carrier::Trigger(vec!["a", "b c"])));
        assert_eq!(carrier(" importance: 10 "), Some(Carrier::Importance(10)));
        assert_eq!(carrier("project: h/o/r; x"), Some(Carrier::Project(vec!["h/o/r", "x"])));
        assert_eq!(
            carrier(" observed: 2026-11-21 | status: superseded "),
            Some(Carrier::Observed { date: "2026-11-21", status: Some(Status::Superseded) })
        );
        assert_eq!(carrier(" observed: 2026-11 "), Some(Carrier::Observed { date: "2026-11", status: None }));
        assert_eq!(carrier(" openclaw-memory-promotion:a:b "), Some(Carrier::Promotion("a:b")));
        assert_eq!(carrier(" openclaw:dreaming:light:start "), Some(Carrier::Dreaming("light:start")));
    }

    #[test]
    fn other_comments_carry_nothing() {
        for inner in [
            "", " a person's note ", " importance: 11 ", " importance: high ", " TODO: x ",
            " openclaw:other ",
        ] {
            assert_eq!(carrier(inner), None, "{inner}");
        }
    }

    #[test]
    fn an_unclosed_comment_is_found_behind_closed_ones() {
        assert_eq!(unclosed("<!-- a --> <!-- b"), Some(11));
        assert_eq!(unclosed("<!-- a -->"), None);
    }
}
