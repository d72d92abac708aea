//! Masks a text.
//!
//! Invariants: a mask keeps the lines of a text; where a mask joins two halves, the text is scanned again.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use inwit_gate::secrets::redact_for_model;
use inwit_gate::{Check, Finding, MASK_BEGIN, Weight, noticed};
use inwit_model::invisible::revealed;

use super::model_text::ModelText;
use crate::NamedValues;

/// Most rounds of masking; after that the whole text is masked.
const MASK_ROUNDS_MAX: usize = 4;

/// Most findings that masking may bring out in a text below [`LONG_BYTES_MIN`]; with more the whole text is masked.
const JOINED_MAX: usize = 4;

/// Smallest text in bytes that is rescanned only around its masks.
const LONG_BYTES_MIN: usize = 256 << 10;

/// Bytes rescanned on both sides of a mask, plus its line: labels and seed phrases reach less far.
const AROUND_BYTES: usize = 2 << 10;

/// Whether the gate would refuse it or require approval, and a model may not read it. Public addresses stay readable.
pub(crate) fn is_grave(finding: &Finding) -> bool {
    let is_public = finding.check == Check::Secret && inwit_gate::secrets::is_public(&finding.class);
    finding.weight >= Weight::Ask && finding.check != Check::Encoding && !is_public
}

/// `span` of `bytes` with the findings `found` in it replaced.
pub(crate) fn replaced(bytes: &[u8], span: Range<usize>, found: Vec<&Finding>) -> String {
    replaced_at(bytes, span, found, &mut Vec::new())
}

/// The same, with the positions of the replacements.
fn replaced_at(
    bytes: &[u8],
    span: Range<usize>,
    found: Vec<&Finding>,
    places: &mut Vec<Range<usize>>,
) -> String {
    let text = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]);
    let (mut out, mut done) = (String::with_capacity(span.len()), span.start);
    for finding in found {
        let (start, end) = (finding.span.start.max(done), finding.span.end.min(span.end));
        if end <= done {
            continue;
        }
        out.push_str(&text(done..start));
        let is_under_another = start > finding.span.start && done > span.start;
        let place = out.len();
        out.push_str(&mask(finding, &text(start..end), is_under_another));
        places.push(place..out.len());
        done = end;
    }
    out.push_str(&text(done..span.end));
    out
}

/// A row's text, in no file and never accepted, without injection phrases.
pub(crate) fn without_steering(text: &str) -> Cow<'_, str> {
    let noticed = noticed(text.as_bytes());
    let steering: Vec<&Finding> =
        noticed.iter().filter(|finding| finding.check == Check::Injection).collect();
    if steering.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(replaced(text.as_bytes(), 0..text.len(), steering))
}

/// Grave findings in a row's text.
pub(crate) fn grave(text: &str) -> Vec<Finding> {
    grave_in(text.as_bytes())
}

pub(super) fn grave_in(bytes: &[u8]) -> Vec<Finding> {
    let mut found = noticed(bytes);
    found.retain(is_grave);
    found
}

/// A row's text without grave findings for which `is_masked` holds.
pub(crate) fn masked_where(text: &str, is_masked: impl FnMut(&Finding) -> bool) -> Cow<'_, str> {
    let mut found = grave(text);
    found.retain(is_masked);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(replaced(text.as_bytes(), 0..text.len(), found.iter().collect()))
}

/// `words` of a row, without values that files name and without grave findings for which `is_masked` holds; the
/// classes of both are added to `classes`. Remaining secrets are removed without a notice.
pub(crate) fn masked_row(
    words: &str,
    named: &NamedValues,
    mut is_masked: impl FnMut(&Finding) -> bool,
    classes: &mut BTreeSet<String>,
) -> ModelText {
    let words = named.masked_of(words, classes);
    let shown = masked_where(&words, |finding| {
        let is_masked = is_masked(finding);
        if is_masked {
            classes.insert(finding.class.clone());
        }
        is_masked
    });
    ModelText::looked_at(redact_for_model(&shown))
}

/// A text in no file and never accepted, without grave findings, and their classes.
pub(crate) fn masked_foreign(text: &str) -> (ModelText, BTreeSet<String>) {
    let mut classes = BTreeSet::new();
    let mut look = |text: &str| {
        let found = grave(text);
        classes.extend(found.iter().map(|finding| finding.class.clone()));
        found
    };
    let found = look(text);
    let shown = if found.is_empty() { text.to_owned() } else { until_nothing_is_found(text, found, look) };
    (ModelText::looked_at(shown), classes)
}

/// `text` without the findings `found`, and without what `look` finds afterwards, since masking may join two halves.
/// After some rounds, or with many such findings, the whole text is masked.
pub(super) fn until_nothing_is_found(
    text: &str,
    mut found: Vec<Finding>,
    mut look: impl FnMut(&str) -> Vec<Finding>,
) -> String {
    let mut shown = text.to_owned();
    for _ in 0..MASK_ROUNDS_MAX {
        let mut places = Vec::new();
        shown = replaced_at(shown.as_bytes(), 0..shown.len(), found.iter().collect(), &mut places);
        found = look_around(&shown, &places, &mut look);
        if found.is_empty() {
            return shown;
        }
        if found.len() > JOINED_MAX && text.len() < LONG_BYTES_MIN {
            break;
        }
    }
    let lines = "\n".repeat(shown.matches('\n').count());
    format!("{}{lines}", mask_of(&found[0].class))
}

/// Findings of `look` in a scanned text after masking at `places`. Far from them they are unchanged.
fn look_around(
    text: &str,
    places: &[Range<usize>],
    look: &mut impl FnMut(&str) -> Vec<Finding>,
) -> Vec<Finding> {
    let windows = windows(text, places);
    if text.len() < LONG_BYTES_MIN || windows.iter().map(Range::len).sum::<usize>() > text.len() / 2 {
        return look(text);
    }
    let mut found = Vec::new();
    for window in windows {
        found.extend(look(&text[window.clone()]).into_iter().map(|finding| {
            let span = window.start + finding.span.start..window.start + finding.span.end;
            Finding { span, ..finding }
        }));
    }
    found
}

/// The lines within [`AROUND_BYTES`] of each place, in order, merged where they meet.
fn windows(text: &str, places: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    for place in places {
        let start = text.floor_char_boundary(place.start.saturating_sub(AROUND_BYTES));
        let end = text.ceil_char_boundary((place.end + AROUND_BYTES).min(text.len()));
        // A longer line is cut.
        let before = text.floor_char_boundary(start.saturating_sub(AROUND_BYTES));
        let behind = text.floor_char_boundary((end + AROUND_BYTES).min(text.len()));
        let start = text[before..start].rfind('\n').map_or(start, |at| before + at + 1);
        let end = text[end..behind].find('\n').map_or(end, |at| end + at + 1);
        match windows.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => windows.push(start..end),
        }
    }
    windows
}

/// The mask for a finding. It keeps the number of lines, so that line numbers stay right. If two classes find the
/// same text, the first one names it.
fn mask(finding: &Finding, text: &str, is_under_another: bool) -> String {
    let lines = "\n".repeat(text.matches('\n').count());
    match finding.check {
        _ if is_under_another => lines,
        Check::Hidden if !text.contains('\n') => revealed(text),
        _ => format!("{}{lines}", mask_of(&finding.class)),
    }
}

/// The mask of a `class`.
pub(crate) fn mask_of(class: &str) -> String {
    format!("{MASK_BEGIN}{class}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also if the last finding is an invisible character, which is shown by its code point.
    #[test]
    fn what_is_not_settled_after_some_rounds_is_masked_as_a_whole() {
        let text = "key\u{202e}tail\nnext";
        let hidden = noticed("\u{202e}".as_bytes());
        let always = |_: &str| vec![Finding { span: 0..1, ..hidden[0].clone() }];
        assert_eq!(until_nothing_is_found(text, always(text), always), "[masked: bidi]\n");
    }

    /// Regression: a file of 8 MiB with many findings was scanned four times.
    #[test]
    fn of_a_long_text_only_what_stands_around_a_mask_is_looked_at_again() {
        let filler = "- Ana likes rye bread.\n".repeat(LONG_BYTES_MIN / 20);
        let text = format!("key x1\n{filler}key x2 and more\n{filler}{}key x3", "z".repeat(LONG_BYTES_MIN));
        let finding = noticed("\u{202e}".as_bytes()).remove(0);
        // Something is found after `key `, and then after its mask.
        let looked = std::cell::Cell::new(0);
        let look = |text: &str| {
            looked.set(looked.get() + text.len());
            let places = ["key x", "] "].into_iter().flat_map(|mark| {
                text.match_indices(mark).map(|(at, mark)| at + mark.len()).collect::<Vec<_>>()
            });
            let finding = |at| Finding {
                class: "other".into(),
                check: Check::Secret,
                span: at..at + 1,
                ..finding.clone()
            };
            places
                .filter(|at| *at < text.len() && !text[*at..].starts_with('['))
                .map(finding)
                .collect::<Vec<_>>()
        };
        let found = look(&text);
        assert_eq!((found.len(), looked.take()), (3, text.len()));
        let shown = until_nothing_is_found(&text, found, look);
        let mask = mask_of("other");
        assert!(shown.starts_with(&format!("key x{mask}\n- Ana")), "{}", &shown[..80]);
        assert!(
            shown.contains(&format!("\nkey x{mask} {mask}nd more\n"))
                && shown.ends_with(&format!("zkey x{mask}"))
        );
        assert!(looked.get() < 50 * AROUND_BYTES, "{}", looked.get());
    }
}
