//! Identity of an accepted finding: a hash of its file, class and lines.
//!
//! Invariant: the same text in other lines, or in another file, is not accepted.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use inwit_gate::secrets::redact_for_model;
use inwit_gate::{Check, Finding};
use inwit_model::{SafeName, Sha256, Taint};
use inwit_store::memory::Mark;

use super::model_text::ModelText;
use super::text::{is_grave, replaced};
use crate::{Core, EngineError, NamedValues};

impl Core {
    /// Findings of a file that were never accepted; spans are of `bytes`. If the lookup fails, none count as accepted
    /// (D11).
    pub(crate) fn unvouched(&self, name: &SafeName, bytes: &[u8]) -> Vec<Finding> {
        let mut found = self.noticed.of(bytes);
        if found.is_empty() {
            return found;
        }
        if let Ok(Some(memory)) = self.memory_if_made() {
            let mut vouchers = Vouchers::of(name, bytes);
            let mut accepted: HashMap<Sha256, bool> = HashMap::new();
            found.retain(|finding| {
                !*accepted
                    .entry(vouchers.around(finding))
                    .or_insert_with_key(|voucher| matches!(memory.taint_of(voucher), Ok(Some(_))))
            });
        }
        found
    }

    /// Whether any finding of a file was accepted.
    pub(super) fn lets_through(&self, name: &SafeName, text: &str) -> bool {
        self.unvouched(name, text.as_bytes()).len() < self.noticed.of(text.as_bytes()).len()
    }

    /// Findings accepted everywhere in a file.
    pub(crate) fn settled(&self, name: &SafeName, bytes: &[u8]) -> HashSet<(String, String)> {
        let open = self.unvouched(name, bytes);
        let mut settled: HashSet<_> =
            self.noticed.of(bytes).iter().map(|finding| alike(finding, bytes)).collect();
        for finding in &open {
            settled.remove(&alike(finding, bytes));
        }
        settled
    }

    /// `words` of a waiting row accepted under `name`, without other findings and without values that files name, and
    /// their classes. Other secrets are removed without a notice.
    pub(crate) fn masked_row(
        &self,
        name: &SafeName,
        words: &str,
        named: &NamedValues,
    ) -> (ModelText, BTreeSet<String>) {
        let mut found = self.unvouched(name, words.as_bytes());
        found.retain(|finding| finding.check != Check::Secret);
        let mut classes = found.iter().map(|finding| finding.class.clone()).collect();
        let shown = replaced(words.as_bytes(), 0..words.len(), found.iter().collect());
        let shown = redact_for_model(&named.masked_of(&shown, &mut classes));
        (ModelText::looked_at(shown), classes)
    }

    /// Records what the gate accepted in a row without a hash, as writing does for files; no invisible character.
    pub(crate) fn vouch_row(
        &self,
        name: &SafeName,
        words: &str,
        findings: &[Finding],
    ) -> Result<(), EngineError> {
        let seen: Vec<Finding> =
            findings.iter().filter(|finding| finding.check != Check::Hidden).cloned().collect();
        let marks = self.vouchers(name, words.as_bytes(), &seen);
        if marks.is_empty() { Ok(()) } else { Ok(self.memory()?.mark_ahead(&marks)?) }
    }

    /// Whether `voucher` was accepted. If the lookup fails, it was not (D11).
    pub(crate) fn is_accepted(&self, voucher: Sha256) -> bool {
        matches!(self.memory_if_made(), Ok(Some(memory)) if matches!(memory.taint_of(&voucher), Ok(Some(_))))
    }

    /// One voucher for each class in each line, for any number of occurrences.
    pub(crate) fn vouchers(&self, name: &SafeName, bytes: &[u8], findings: &[Finding]) -> Vec<Mark> {
        let at = self.clock.now();
        let mut vouchers = Vouchers::of(name, bytes);
        let grave = findings.iter().filter(|finding| is_grave(finding) && finding.span.end <= bytes.len());
        let entries: HashSet<Sha256> = grave.map(|finding| vouchers.around(finding)).collect();
        let mark = |entry| Mark { entry, taint: Taint::Owner, session: None, project: None, at };
        entries.into_iter().map(mark).collect()
    }

    /// All vouchers that findings of a file could have.
    pub(crate) fn possible_vouchers(&self, name: &SafeName, bytes: &[u8]) -> impl Iterator<Item = Sha256> {
        self.vouchers(name, bytes, &self.noticed.of(bytes)).into_iter().map(|mark| mark.entry)
    }
}

/// The vouchers of one file's findings. A long line may have thousands: each line is rendered once, and hashed once
/// per class.
pub(crate) struct Vouchers<'b> {
    name: &'b SafeName,
    bytes: &'b [u8],
    lines: LineStarts,
    /// The lines of the last finding, in hashed form.
    rendered: Option<(Range<usize>, String)>,
    known: HashMap<Range<usize>, HashMap<String, Sha256>>,
}

impl<'b> Vouchers<'b> {
    pub(crate) fn of(name: &'b SafeName, bytes: &'b [u8]) -> Self {
        Self { name, bytes, lines: LineStarts::of(bytes), rendered: None, known: HashMap::new() }
    }

    /// The voucher of a finding of this class, from its lines.
    pub(crate) fn around(&mut self, finding: &Finding) -> Sha256 {
        let place = self.lines.around(&finding.span);
        let known = self.known.entry(place.clone()).or_default();
        if let Some(voucher) = known.get(&finding.class) {
            return *voucher;
        }
        let lines = match self.rendered.take() {
            Some((rendered, lines)) if rendered == place => lines,
            _ => rendered(&self.bytes[place.clone()]),
        };
        let voucher = key(self.name, &finding.class, &lines);
        known.insert(finding.class.clone(), voucher);
        self.rendered = Some((place, lines));
        voucher
    }
}

/// Lines in the hashed form: as displayed, trimmed.
fn rendered(lines: &[u8]) -> String {
    #[cfg(test)]
    tests::READ_BYTES.with(|read| read.set(read.get() + lines.len()));
    let text = String::from_utf8_lossy(lines);
    let text = inwit_markdown::shown(&text);
    let lines: Vec<&str> = text.lines().map(|line| line.trim_matches([' ', '\t', '\r'])).collect();
    lines.join("\n")
}

/// The key of a possible finding of `class` in these rendered `lines` of a file.
fn key(name: &SafeName, class: &str, lines: &str) -> Sha256 {
    #[cfg(test)]
    tests::READ_BYTES.with(|read| read.set(read.get() + lines.len()));
    Sha256::of(format!("vouched lines {name}\n{class}\n{lines}").as_bytes())
}

/// Key for equal findings: class and displayed text.
pub(crate) fn alike(finding: &Finding, bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(&bytes[finding.span.clone()]);
    let shown = inwit_markdown::shown(&text);
    (finding.class.clone(), shown.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
}

/// Line starts of a text, so that a finding's lines are found without reading it all.
pub(crate) struct LineStarts {
    starts: Vec<usize>,
    end: usize,
}

impl LineStarts {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let feeds = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(feeds.map(|(at, _)| at + 1)).collect();
        Self { starts, end: bytes.len() }
    }

    /// The line of a byte, from 1.
    pub(crate) fn line_of(&self, at: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// The whole lines of `span`.
    fn around(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.starts.partition_point(|start| *start <= span.start).saturating_sub(1);
        let next = self.starts.partition_point(|start| *start < span.end.max(span.start + 1));
        self.starts[first]..self.starts.get(next).copied().unwrap_or(self.end)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use inwit_gate::Weight;

    use super::*;

    thread_local! {
        /// Bytes rendered or hashed for vouchers.
        pub(super) static READ_BYTES: Cell<usize> = const { Cell::new(0) };
    }

    /// Regression: `inwit accept` needed 13 seconds per MiB of a line with 10,000 findings: the line was hashed for each.
    #[test]
    fn a_line_with_many_findings_is_read_once_for_each_class() {
        let text = "password: Rk3xVb7Q,".repeat(500);
        let name = SafeName::parse("MEMORY.md").expect("a name");
        let findings: Vec<Finding> = (0..500)
            .map(|number| Finding {
                check: Check::Secret,
                weight: Weight::Ask,
                class: if number % 2 == 0 { "password" } else { "token" }.into(),
                span: number * 19..number * 19 + 18,
                line: 1,
            })
            .collect();
        let mut vouchers = Vouchers::of(&name, text.as_bytes());
        READ_BYTES.with(|read| read.set(0));
        let found: HashSet<Sha256> = findings.iter().map(|finding| vouchers.around(finding)).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(READ_BYTES.with(Cell::get), 3 * text.len(), "rendered once, hashed for two classes");
    }
}
