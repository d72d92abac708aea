//! By what a finding is known again that somebody let through: the hash of its file, its class and its lines.
//!
//! Invariant: the same words in other lines, or in another file, are not let through.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use inwit_gate::{Approved, Change, Check, Finding};
use inwit_model::{Actor, SafeName, Sha256, Taint};
use inwit_store::memory::Mark;

use super::text::{is_grave, replaced};
use crate::{Agent, EngineError};

impl Agent {
    /// What is noticed in a file and was never let through; its spans are of `bytes`. Where that cannot be
    /// looked up, nothing was (D11).
    pub(crate) fn unvouched(&self, name: &SafeName, bytes: &[u8]) -> Vec<Finding> {
        let mut found = self.noticed.of(bytes);
        if found.is_empty() {
            return found;
        }
        if let Ok(Some(memory)) = self.memory_if_made() {
            let lines = LineStarts::of(bytes);
            let mut known: HashMap<(String, Range<usize>), bool> = HashMap::new();
            found.retain(|finding| {
                let place = (finding.class.clone(), lines.around(&finding.span));
                !*known.entry(place).or_insert_with_key(|(class, lines)| {
                    matches!(memory.taint_of(&key(name, class, &bytes[lines.clone()])), Ok(Some(_)))
                })
            });
        }
        found
    }

    /// What is noticed in a file and was let through wherever it stands in it.
    pub(super) fn settled(&self, name: &SafeName, bytes: &[u8]) -> HashSet<(String, String)> {
        let open = self.unvouched(name, bytes);
        let mut settled: HashSet<_> =
            self.noticed.of(bytes).iter().map(|finding| alike(finding, bytes)).collect();
        for finding in &open {
            settled.remove(&alike(finding, bytes));
        }
        settled
    }

    /// `words` of a row that waits and is vouched for under `name`, without what nobody let through, and the classes of
    /// that. Secrets are somebody else's.
    pub(crate) fn masked_row(&self, name: &SafeName, words: &str) -> (String, BTreeSet<String>) {
        let mut found = self.unvouched(name, words.as_bytes());
        found.retain(|finding| finding.check != Check::Secret);
        let classes = found.iter().map(|finding| finding.class.clone()).collect();
        (replaced(words.as_bytes(), 0..words.len(), found.iter().collect()), classes)
    }

    /// Remembers what the gate let through of a row without a hash of its own, as [`vouch`](Self::vouch) does of files.
    pub(crate) fn vouch_row(
        &self,
        name: &SafeName,
        words: &str,
        findings: &[Finding],
    ) -> Result<(), EngineError> {
        let marks = self.vouchers(name, words.as_bytes(), findings);
        if marks.is_empty() { Ok(()) } else { Ok(self.memory()?.mark_ahead(&marks)?) }
    }

    /// Remembers what the gate let through, so that it is shown, and in which project. Before the write: what is vouched
    /// for and not written does no harm. The engine vouches for nothing: its forms hold names and words of others.
    pub(crate) fn vouch(
        &self,
        approved: &Approved<Change>,
        current: Option<&[u8]>,
    ) -> Result<(), EngineError> {
        let change = approved.change();
        if change.author.actor() == Actor::Engine {
            return Ok(());
        }
        let Some(result) = change.op.result(current) else { return Ok(()) };
        let mut let_through = approved.findings().to_vec();
        let is_added = current.is_some_and(|old| old.ends_with(b"\n") && result.starts_with(old));
        if let Some(old) = current.filter(|_| !is_added) {
            // What was let through before stays so, though the line around it is another one now.
            let settled = self.settled(&change.target, old);
            if !settled.is_empty() {
                let stands = self.noticed.of(&result).into_iter();
                let_through.extend(stands.filter(|finding| settled.contains(&alike(finding, &result))));
            }
        }
        let mut marks = self.vouchers(&change.target, &result, &let_through);
        marks.extend(self.project_marks(change, current, &result));
        if marks.is_empty() { Ok(()) } else { Ok(self.memory()?.mark_ahead(&marks)?) }
    }

    /// Whether somebody accepted what is known by `voucher`. Where that cannot be looked up, nobody did (D11).
    pub(crate) fn is_accepted(&self, voucher: Sha256) -> bool {
        matches!(self.memory_if_made(), Ok(Some(memory)) if matches!(memory.taint_of(&voucher), Ok(Some(_))))
    }

    /// A mark for each class in each line, however often it stands there.
    pub(super) fn vouchers(&self, name: &SafeName, bytes: &[u8], findings: &[Finding]) -> Vec<Mark> {
        let at = self.clock.now();
        let vouchers = Vouchers::of(name, bytes);
        let grave = findings.iter().filter(|finding| is_grave(finding) && finding.span.end <= bytes.len());
        let entries: HashSet<Sha256> = grave.map(|finding| vouchers.around(finding)).collect();
        let mark = |entry| Mark { entry, taint: Taint::Owner, session: None, project: None, at };
        entries.into_iter().map(mark).collect()
    }

    /// By what anything that is noticed in a file may have been let through.
    pub(crate) fn possible_vouchers(&self, name: &SafeName, bytes: &[u8]) -> impl Iterator<Item = Sha256> {
        self.vouchers(name, bytes, &self.noticed.of(bytes)).into_iter().map(|mark| mark.entry)
    }
}

/// By what something that may stand in these `lines` of a file is known again.
fn key(name: &SafeName, class: &str, lines: &[u8]) -> Sha256 {
    let text = String::from_utf8_lossy(lines);
    let text = inwit_markdown::shown(&text);
    let lines: Vec<&str> = text.lines().map(|line| line.trim_matches([' ', '\t', '\r'])).collect();
    Sha256::of(format!("vouched lines {name}\n{class}\n{}", lines.join("\n")).as_bytes())
}

/// By what the findings of one file are known again.
pub(crate) struct Vouchers<'b> {
    name: &'b SafeName,
    bytes: &'b [u8],
    lines: LineStarts,
}

impl<'b> Vouchers<'b> {
    pub(crate) fn of(name: &'b SafeName, bytes: &'b [u8]) -> Self {
        Self { name, bytes, lines: LineStarts::of(bytes) }
    }

    pub(crate) fn around(&self, finding: &Finding) -> Sha256 {
        key(self.name, &finding.class, &self.bytes[self.lines.around(&finding.span)])
    }
}

/// By what a finding is like another one, wherever it stands: its class, and its words as they are shown.
pub(super) fn alike(finding: &Finding, bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(&bytes[finding.span.clone()]);
    let shown = inwit_markdown::shown(&text);
    (finding.class.clone(), shown.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
}

/// Where the lines of a text begin, so that a finding's lines need no look at the whole text.
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

    /// The whole lines in which `span` stands.
    fn around(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.starts.partition_point(|start| *start <= span.start).saturating_sub(1);
        let next = self.starts.partition_point(|start| *start < span.end.max(span.start + 1));
        self.starts[first]..self.starts.get(next).copied().unwrap_or(self.end)
    }
}
