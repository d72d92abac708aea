//! The checks on the bytes a change would leave, as one list of findings.
//!
//! Invariant: a finding that stood in the file before is not among them, so an old fault never locks a
//! file.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use inwit_markdown::{DiagnosticKind, Section, is_without_diagnostics, parse};

use crate::finding::{Check, Finding, Weight};
use crate::secrets::Tier;
use crate::{hidden, injection, secrets};

/// What `after` holds that `before` did not, in the order of the text.
pub fn added(before: &[u8], after: &[u8]) -> Vec<Finding> {
    if before == after {
        return Vec::new();
    }
    let mut found = all(after);
    if found.is_empty() {
        return found;
    }
    let mut known: HashMap<(Check, String, &[u8]), usize> = HashMap::new();
    all(before).iter().for_each(|old| *known.entry(known_by(before, old)).or_default() += 1);
    found.retain(|new| match known.get_mut(&known_by(after, new)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    found
}

/// By what a finding is known again wherever it stands.
fn known_by<'t>(bytes: &'t [u8], finding: &Finding) -> (Check, String, &'t [u8]) {
    (finding.check, finding.class.clone(), &bytes[finding.span.clone()])
}

/// Everything that can be noticed in a text, in its order.
fn all(bytes: &[u8]) -> Vec<Finding> {
    let mut found = form(bytes);
    // Bytes that are no text are found by their encoding; the rest of them is still looked at.
    found.extend(said(bytes));
    found.extend(in_text(bytes, &|text| {
        let hits = injection::behavioural(text).into_iter();
        hits.map(|hit| (Check::Behaviour, Weight::Note, hit.id, hit.span)).collect()
    }));
    found.sort_by_key(|finding| (finding.span.start, finding.check));
    found
}

/// What the scanners notice in a text that stands, in its order: secrets, characters that are not seen,
/// phrases that steer; not what a new text is told of besides. Between bytes that are no text, every piece
/// of text is looked at.
pub fn noticed(bytes: &[u8]) -> Vec<Finding> {
    let mut found = said(bytes);
    found.sort_by_key(|finding| (finding.span.start, finding.check));
    found
}

fn said(bytes: &[u8]) -> Vec<Finding> {
    in_text(bytes, &|text| {
        let weight = |tier| match tier {
            Tier::Block | Tier::Quarantine => Weight::Stop,
            Tier::Warn | Tier::Tag => Weight::Note,
        };
        let secrets = secrets::scan(text).into_iter();
        let secrets = secrets.map(|hit| (Check::Secret, weight(hit.tier), hit.class, hit.span));
        let hidden = hidden::scan(text).into_iter().map(|hit| {
            let span = hit.at..hit.at + hit.char.len_utf8();
            (Check::Hidden, weight(hit.tier), hit.kind.word(), span)
        });
        let steering = injection::scan(text).into_iter();
        let steering = steering.map(|hit| (Check::Injection, Weight::Ask, hit.id, hit.span));
        secrets.chain(hidden).chain(steering).collect()
    })
}

/// What a scanner says of a piece of text: check, weight, class, and where in the piece.
type Said = (Check, Weight, &'static str, Range<usize>);

/// What `scan` finds in every piece of `bytes` that is text.
fn in_text(bytes: &[u8], scan: &dyn Fn(&str) -> Vec<Said>) -> Vec<Finding> {
    let (mut found, mut at, lines) = (Vec::new(), 0, Lines::of(bytes));
    for chunk in bytes.utf8_chunks() {
        found.extend(scan(chunk.valid()).into_iter().map(|(check, weight, class, span)| Finding {
            check,
            weight,
            class: class.to_owned(),
            line: lines.at(at + span.start),
            span: at + span.start..at + span.end,
        }));
        at += chunk.valid().len() + chunk.invalid().len();
    }
    found
}

/// Encoding and Markdown form (R70).
fn form(bytes: &[u8]) -> Vec<Finding> {
    if is_without_diagnostics(bytes) {
        return Vec::new();
    }
    let lines = Lines::of(bytes);
    let finding = |check, weight, class: &str, span: &Range<usize>| Finding {
        check,
        weight,
        class: class.to_owned(),
        line: lines.at(span.start),
        span: span.clone(),
    };
    let of = |kind: &DiagnosticKind| match kind {
        DiagnosticKind::Utf16 => (Check::Encoding, Weight::Stop, "utf_16"),
        DiagnosticKind::InvalidUtf8 { .. } => (Check::Encoding, Weight::Stop, "invalid_utf_8"),
        DiagnosticKind::Nul { .. } => (Check::Encoding, Weight::Stop, "nul"),
        DiagnosticKind::MixedEol => (Check::Form, Weight::Note, "mixed_line_ends"),
        DiagnosticKind::FrontMatterUnclosed => (Check::Form, Weight::Note, "front_matter_unclosed"),
        DiagnosticKind::FrontMatterTooLarge { .. } => (Check::Form, Weight::Note, "front_matter_too_large"),
        DiagnosticKind::TooDeep { .. } => (Check::Form, Weight::Note, "too_deep"),
        DiagnosticKind::FenceUnclosed => (Check::Form, Weight::Note, "fence_unclosed"),
        DiagnosticKind::CommentUnclosed => (Check::Form, Weight::Note, "comment_unclosed"),
    };
    let diagnostics = parse(bytes).diagnostics;
    diagnostics
        .iter()
        .map(|diagnostic| {
            let (check, weight, class) = of(&diagnostic.kind);
            finding(check, weight, class, &diagnostic.span)
        })
        .collect()
}

/// The owner's part of a heartbeat: every `## Schedule`, from its heading to the next one of its level,
/// byte for byte (W33). One without a word in it is as good as none.
pub(crate) fn schedule(bytes: &[u8]) -> Vec<&[u8]> {
    let sections = parse(bytes).sections;
    let ends = |at: usize| {
        sections[at + 1..].iter().find(|next| next.level == 2).map_or(bytes.len(), |next| next.span.start)
    };
    let owned = sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.level == 2 && section.title.trim().eq_ignore_ascii_case("schedule"));
    let parts = owned.map(|(at, section)| (section, &bytes[section.span.start..ends(at)]));
    let says = |section: &Section, part: &[u8]| !part[section.heading.len()..].trim_ascii().is_empty();
    parts.filter(|(section, part)| says(section, part)).map(|(_, part)| part).collect()
}

/// The numbers of the lines of a text, counted once when first asked for.
struct Lines<'t> {
    bytes: &'t [u8],
    ends: OnceCell<Vec<usize>>,
}

impl<'t> Lines<'t> {
    fn of(bytes: &'t [u8]) -> Self {
        Self { bytes, ends: OnceCell::new() }
    }

    /// The line, from 1, in which byte `at` stands.
    fn at(&self, at: usize) -> usize {
        let ends = self.ends.get_or_init(|| {
            self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect()
        });
        1 + ends.partition_point(|end| *end < at)
    }
}
