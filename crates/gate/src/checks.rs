//! The checks on the result of a change, as one list of findings.
//!
//! Each scanner reads the text as stored and as shown to a model ([`inwit_markdown::rendered`]); a finding in the
//! rendering has the span of its stored bytes. Invariants: a finding that the file had before is not reported for a
//! change, so old findings never block a file; a list has at most [`FINDINGS_MAX`] findings and covers everything
//! found.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use inwit_markdown::rendered;
use inwit_markdown::{DiagnosticKind, Section, is_without_diagnostics, outline};
use inwit_model::{SafeName, Sha256};

use crate::finding::{Check, Finding, Weight};
use crate::secrets::{SecretHit, Tier};
use crate::{hidden, injection, secrets};

/// Findings in `after` that `before` did not have, in text order. A secret is recognised wherever it is, and
/// unchanged lines never add one, whatever their context. A phrase is recognised by its whole lines, since a
/// quotation without its `>` becomes an instruction.
pub fn added(before: &[u8], after: &[u8]) -> Vec<Finding> {
    if before == after {
        return Vec::new();
    }
    let found = all(after);
    if found.is_empty() {
        return found;
    }
    let mut known: HashMap<Mark, usize> = HashMap::new();
    for mark in marks(before, &all(before)) {
        *known.entry(mark).or_default() += 1;
    }
    let mut take = |mark: &Mark| match known.get_mut(mark) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    };
    let stood = StoodBefore::of(before, after, &found);
    let of_before: Vec<bool> = found.iter().map(|finding| stood.holds(finding)).collect();
    let marks = marks(after, &found);
    // A value that a new line repeats counts for the new line.
    marks.iter().zip(&of_before).filter(|(_, of_before)| **of_before).for_each(|(mark, _)| _ = take(mark));
    let mut each = marks.iter().zip(of_before);
    found
        .into_iter()
        .filter(|_| each.next().is_some_and(|(mark, of_before)| !of_before && !take(mark)))
        .collect()
}

/// The lines with secrets that the text had before.
struct StoodBefore<'a> {
    after: &'a [u8],
    /// For each line with a secret: its starts in `after`, and how many of them existed before: the first ones.
    lines: HashMap<&'a [u8], (Vec<usize>, usize)>,
}

impl<'a> StoodBefore<'a> {
    fn of(before: &'a [u8], after: &'a [u8], found: &[Finding]) -> Self {
        let mut lines: HashMap<&[u8], (Vec<usize>, usize)> = HashMap::new();
        let mut end = 0;
        for finding in found.iter().filter(|finding| finding.check == Check::Secret) {
            let whole = whole_lines(after, &finding.span);
            if whole.end <= end {
                continue;
            }
            let mut start = whole.start.max(end);
            for line in after[start..whole.end].split(|byte| *byte == b'\n') {
                lines.entry(line).or_default().0.push(start);
                start += line.len() + 1;
            }
            end = start;
        }
        if !lines.is_empty() {
            for line in before.split(|byte| *byte == b'\n') {
                if let Some((_, stood)) = lines.get_mut(line) {
                    *stood += 1;
                }
            }
        }
        Self { after, lines }
    }

    /// Whether `finding` is a secret in unchanged lines only.
    fn holds(&self, finding: &Finding) -> bool {
        if finding.check != Check::Secret {
            return false;
        }
        let whole = whole_lines(self.after, &finding.span);
        let mut start = whole.start;
        self.after[whole].split(|byte| *byte == b'\n').all(|line| {
            let at = start;
            start += line.len() + 1;
            let known = self.lines.get(line);
            known.is_some_and(|(places, stood)| places.partition_point(|place| *place < at) < *stood)
        })
    }
}

/// Prefix of a mask, which models see in place of a value.
pub const MASK_BEGIN: &str = "[masked: ";

/// Whether `after` has more masks than `before` and lacks one of its lines. Text that is only appended may quote a mask.
pub fn puts_masks_over(before: &[u8], after: &[u8]) -> bool {
    // A language model sees the second form.
    let count = |bytes, mark: &str| memchr::memmem::find_iter(bytes, mark).count();
    let masks = |bytes| count(bytes, MASK_BEGIN) + count(bytes, secrets::REDACTION_BEGIN);
    if masks(after) <= masks(before) {
        return false;
    }
    let is_end = |byte: &u8| *byte == b'\n';
    let mut left: HashMap<&[u8], usize> = HashMap::new();
    after.split(is_end).for_each(|line| *left.entry(line).or_default() += 1);
    !before.split(is_end).all(|line| match left.get_mut(line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    })
}

/// Identity of a finding: its check, its class, and the hash of the compared bytes.
type Mark = (Check, String, Sha256);

fn marks(bytes: &[u8], found: &[Finding]) -> Vec<Mark> {
    // A long line may have many findings; it is hashed once.
    let mut hashed: HashMap<Range<usize>, Sha256> = HashMap::new();
    let mark = |finding: &Finding| {
        let hash = match finding.check {
            Check::Injection | Check::Behaviour => {
                let lines = whole_lines(bytes, &finding.span);
                *hashed.entry(lines.clone()).or_insert_with(|| {
                    let text = String::from_utf8_lossy(&bytes[lines]);
                    Sha256::of(rendered::shown(&text).trim_end().as_bytes())
                })
            }
            _ => Sha256::of(&bytes[finding.span.clone()]),
        };
        (finding.check, finding.class.clone(), hash)
    };
    found.iter().map(mark).collect()
}

/// `span`, extended to whole lines.
fn whole_lines(bytes: &[u8], span: &Range<usize>) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &bytes[span.end..]).map_or(bytes.len(), |len| span.end + len);
    start..end
}

/// Findings in a file name, which models see beside its text: on line 0. The name is also read with `-` and `_` as
/// blanks.
pub fn in_name(name: &SafeName) -> Vec<Finding> {
    let name = name.as_str().strip_suffix(".md").unwrap_or(name.as_str());
    let words = name.replace(['/', '-', '_', '.'], " ");
    let steering = injection::scan(&words).into_iter().map(|hit| (Check::Injection, Weight::Ask, hit.id));
    let behaviour =
        injection::behavioural(&words).into_iter().map(|hit| (Check::Behaviour, Weight::Note, hit.id));
    let plain = scan_all(name).into_iter().map(|(check, weight, class, _)| (check, weight, class));
    let found = plain.chain(steering).chain(behaviour).map(|(check, weight, class)| Finding {
        check,
        weight,
        class: class.to_owned(),
        line: 0,
        span: 0..0,
    });
    in_order(found.collect())
}

/// All findings in a text, in order.
fn all(bytes: &[u8]) -> Vec<Finding> {
    let mut found = form(bytes);
    found.extend(in_text(bytes, &scan_all));
    found.extend(in_titles(bytes));
    found.extend(in_text(bytes, &|text| {
        let hits = injection::behavioural(text).into_iter();
        hits.map(|hit| (Check::Behaviour, Weight::Note, hit.id, hit.span)).collect()
    }));
    in_order(found)
}

/// What the scanners find in a stored text, in order: secrets that a model may not read, invisible characters,
/// injection phrases. Personal data, form and behaviour are checked in changes only.
pub fn noticed(bytes: &[u8]) -> Vec<Finding> {
    in_order(in_text(bytes, &|text| scan(text, secrets::scan_from(text, Tier::Doubt))))
}

/// Most findings in one text. The last one extends over the rest of the text.
pub const FINDINGS_MAX: usize = 10_000;

/// The class of the finding for everything after [`FINDINGS_MAX`].
const TOO_MANY: &str = "too_many_findings";

fn in_order(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by(|a, b| {
        let key = |finding: &Finding| (finding.span.start, finding.check, finding.span.end);
        key(a).cmp(&key(b)).then_with(|| a.class.cmp(&b.class))
    });
    found.dedup();
    if found.len() > FINDINGS_MAX {
        let rest = found.split_off(FINDINGS_MAX - 1);
        let end = rest.iter().map(|finding| finding.span.end).max();
        // Hidden characters become code points, and the text between them is scanned for secrets and phrases.
        let is_read = |finding: &&Finding| matches!(finding.check, Check::Secret | Check::Injection);
        let worst = rest.iter().max_by_key(|finding| finding.weight);
        let read = rest.iter().filter(is_read).max_by_key(|finding| finding.weight).or(worst);
        if let (Some(worst), Some(read), Some(end)) = (worst, read, end) {
            let (start, line) = (rest[0].span.start, rest[0].line);
            let (check, weight) = (read.check, worst.weight);
            found.push(Finding { check, weight, class: TOO_MANY.to_owned(), line, span: start..end });
        }
    }
    found
}

/// All scanner hits in a text.
fn scan_all(text: &str) -> Vec<ScannerHit> {
    scan(text, secrets::scan(text))
}

/// The given `secrets` together with the other scanner hits.
fn scan(text: &str, secrets: Vec<SecretHit>) -> Vec<ScannerHit> {
    let weight = |tier| match tier {
        Tier::Block | Tier::Quarantine => Weight::Stop,
        Tier::Doubt => Weight::Ask,
        Tier::Warn | Tier::Tag => Weight::Note,
    };
    let mut secrets: Vec<ScannerHit> =
        secrets.into_iter().map(|hit| (Check::Secret, weight(hit.tier), hit.class, hit.span)).collect();
    let elsewhere = known_elsewhere(text, &secrets);
    secrets.extend(elsewhere);
    let hidden = hidden::scan(text).into_iter();
    let hidden = hidden.map(|run| (Check::Hidden, weight(run.tier), run.kind.word(), run.span));
    let steering = injection::scan(text).into_iter();
    let steering = steering.map(|hit| (Check::Injection, Weight::Ask, hit.id, hit.span));
    secrets.into_iter().chain(hidden).chain(steering).collect()
}

/// Byte lengths of values that are searched for elsewhere in the text.
const KNOWN_BYTES: Range<usize> = 8..513;

/// Most bytes of all values of one text that are searched for elsewhere in it.
const KNOWN_TOTAL_BYTES_MAX: usize = 256 * 1024;

/// Other occurrences of values that a text labels as secrets. Only the text itself decides, so a reader who cannot
/// see a value learns nothing about it.
fn known_elsewhere(text: &str, secrets: &[ScannerHit]) -> Vec<ScannerHit> {
    let mut known: BTreeMap<&str, (Weight, &'static str)> = BTreeMap::new();
    let mut bytes = 0;
    for (_, weight, class, span) in secrets.iter().filter(|(_, weight, ..)| *weight >= Weight::Ask) {
        let values = secrets::values_of(text, span).into_iter();
        for value in values.filter(|value| KNOWN_BYTES.contains(&value.len())) {
            if bytes + value.len() <= KNOWN_TOTAL_BYTES_MAX && !known.contains_key(&text[value.clone()]) {
                bytes += value.len();
                known.insert(&text[value], (*weight, class));
            }
        }
    }
    if known.is_empty() {
        return Vec::new();
    }
    // Of overlapping matches the first and longest: values of one repeated character would match without end.
    let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(known.keys());
    let Ok(automaton) = automaton else { return Vec::new() };
    let found = automaton.find_iter(text).filter_map(|place| {
        let span = place.span().range();
        let at = secrets.partition_point(|(.., other)| other.start <= span.start);
        let is_known = secrets[..at].iter().rev().take(8).any(|(.., other)| other.end >= span.end);
        let (weight, class) = *known.get(&text[span.clone()])?;
        (!is_known).then_some((Check::Secret, weight, class, span))
    });
    found.collect()
}

/// A scanner hit: check, weight, class and byte range.
type ScannerHit = (Check, Weight, &'static str, Range<usize>);

/// Hits of `scan` in `bytes`, as stored and as rendered.
fn in_text(bytes: &[u8], scan: &dyn Fn(&str) -> Vec<ScannerHit>) -> Vec<Finding> {
    let (lines, decoded) = (Lines::of(bytes), rendered::decoded(bytes));
    let text = match &decoded {
        Some(decoded) => decoded.text.as_str(),
        None => std::str::from_utf8(bytes).unwrap_or_default(),
    };
    let stored = |span: &Range<usize>| decoded.as_ref().map_or_else(|| span.clone(), |map| map.source(span));
    let finding = |(check, weight, class, span): ScannerHit| {
        let span = stored(&span);
        Finding { check, weight, class: class.to_owned(), line: lines.at(span.start), span }
    };
    let mut found: Vec<Finding> = scan(text).into_iter().map(finding).collect();
    if let Some(shown) = rendered::rendered(text) {
        let mapped = |(check, weight, class, span): ScannerHit| (check, weight, class, shown.source(&span));
        found.extend(scan(&shown.text).into_iter().map(|hit| finding(mapped(hit))));
    }
    found
}

/// Hits in headings after resolving marks, links and character references, as in the heading path of a search result.
/// The span is the whole heading.
fn in_titles(bytes: &[u8]) -> Vec<Finding> {
    let (document, lines) = (outline(bytes), Lines::of(bytes));
    let mut found = Vec::new();
    for section in &document.sections {
        let heading = String::from_utf8_lossy(&bytes[section.heading.clone()]);
        if heading.contains(section.title.as_str()) {
            continue;
        }
        let (line, span) = (lines.at(section.heading.start), section.heading.clone());
        let hits = scan_all(&section.title).into_iter();
        found.extend(hits.map(|(check, weight, class, _)| Finding {
            check,
            weight,
            class: class.to_owned(),
            line,
            span: span.clone(),
        }));
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
        DiagnosticKind::TooManyMarks => (Check::Form, Weight::Note, "too_many_marks"),
        DiagnosticKind::FenceUnclosed => (Check::Form, Weight::Note, "fence_unclosed"),
        DiagnosticKind::CommentUnclosed => (Check::Form, Weight::Note, "comment_unclosed"),
    };
    let diagnostics = outline(bytes).diagnostics;
    diagnostics
        .iter()
        .map(|diagnostic| {
            let (check, weight, class) = of(&diagnostic.kind);
            finding(check, weight, class, &diagnostic.span)
        })
        .collect()
}

/// The owner's part of a heartbeat: every `## Schedule` section, byte for byte (W33). A section without words is
/// ignored.
pub(crate) fn schedule(bytes: &[u8]) -> Vec<&[u8]> {
    let sections = outline(bytes).sections;
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

/// Line numbers of a text, computed on first use.
struct Lines<'t> {
    bytes: &'t [u8],
    ends: OnceCell<Vec<usize>>,
}

impl<'t> Lines<'t> {
    fn of(bytes: &'t [u8]) -> Self {
        Self { bytes, ends: OnceCell::new() }
    }

    /// The line, from 1, of byte `at`.
    fn at(&self, at: usize) -> usize {
        let ends = self.ends.get_or_init(|| {
            self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect()
        });
        1 + ends.partition_point(|end| *end < at)
    }
}
