//! A daily log as input of a dream: its passages with place and taint.
//!
//! Invariant: a passage is identified by the hash of its text, so an edited one is another one.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use inwit_gate::secrets;
use inwit_markdown::{PassageKind, parse};
use inwit_model::ports::Content;
use inwit_model::{Place, SafeName, Scope, Sha256, Taint};
use inwit_store::memory::{Memory, PassageKey, Votes};

use super::clock::without_clock;
use crate::core::mask::LineStarts;
use crate::learning::dream::Source;
use crate::learning::dream::bullet::unmarked;
use crate::notes::journal;
use crate::notes::journal::entry::WrittenEntry;
use crate::notes::line::lines_of;
use crate::notes::trust;
use crate::{EngineError, Learning};

/// One log.
pub(super) struct Log {
    passages: HashMap<Sha256, Passage>,
    /// Class of the first secret in the file.
    pub(super) secret: Option<&'static str>,
    /// The file's modification time, milliseconds since 1970.
    pub(super) modified_ms: i64,
}

struct Passage {
    text: String,
    lines: (u32, u32),
    taint: Taint,
    is_names: bool,
    is_asked: bool,
    has_secret: bool,
}

/// A passage in a current log.
#[derive(Debug, Clone)]
pub(super) struct LogPassage {
    pub(super) key: PassageKey,
    pub(super) source: Source,
    /// Its text with the list mark.
    pub(super) text: String,
    pub(super) taint: Taint,
    /// Agents' ratings, if they alone made it a graduate.
    pub(super) called: Option<Votes>,
    /// Whether it has only label lines of an entry, which inwit wrote.
    pub(super) is_names: bool,
    /// Whether it has only requests or pasted text of the user, without a lasting statement.
    pub(super) is_asked: bool,
    /// Whether part of it is masked as a secret in the log. A bullet joins lines, which can hide a secret's shape
    /// from the gate, so the log is checked.
    pub(super) has_secret: bool,
}

impl LogPassage {
    /// Its text without the list mark.
    pub(super) fn words(&self) -> &str {
        unmarked(&self.text)
    }

    /// What is promoted: a clock time at its beginning becomes the day of its log, since a time without a day means
    /// nothing in MEMORY.md.
    pub(super) fn fact(&self) -> Cow<'_, str> {
        let day = Place::of(&self.key.path).and_then(|place| place.date());
        match (day, without_clock(self.words())) {
            (Some(day), Some(rest)) => Cow::Owned(format!("{day}: {rest}")),
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// Its words without the clock time at the beginning.
    pub(super) fn without_time(&self) -> &str {
        without_clock(self.words()).unwrap_or(self.words())
    }

    /// First and last line.
    pub(super) fn lines(&self) -> (u32, u32) {
        (self.source.first_line, self.source.last_line)
    }
}

impl Learning {
    /// The passages of a log, each with the taint of its entry.
    pub(super) fn log_of(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        content: &Content,
    ) -> Result<Log, EngineError> {
        let bytes = &*content.bytes;
        let page = self.core.page(&Scope::Main, name, bytes);
        let document = parse(bytes);
        let entries = journal::entries(bytes);
        let asked = |span: &Range<usize>, text: &str| {
            let entry = holding(&entries, |entry| &entry.span, span.start);
            entry.is_some_and(|entry| {
                let lines = lines_of(text, Some(&entry.agents), 0, &mut self.core.recall().analyser);
                !lines.is_empty() && lines.iter().all(|line| !line.is_answer())
            })
        };
        let first_of_entries = firsts(document.passages.iter().map(|passage| passage.span.start), &entries);
        let mut tainted = Vec::new();
        for part in trust::parts(bytes) {
            let text = String::from_utf8_lossy(&bytes[part.clone()]);
            // If the lookup fails, the text counts as untrusted.
            let taint = memory.taint_of_any(&mut trust::hashes(&text)).unwrap_or(Some(Taint::Tool));
            if let Some(taint) = taint {
                tainted.push((part, taint));
            }
        }
        let starts = LineStarts::of(bytes);
        let written = document.passages.iter().filter(|passage| passage.kind != PassageKind::FrontMatter);
        let passages = written.map(|passage| {
            let text = document.text(&passage.span).into_owned();
            let lines =
                (starts.line_of(passage.span.start), starts.line_of(passage.span.end.saturating_sub(1)));
            let taint = holding(&tainted, |(part, _)| part, passage.span.start);
            let taint = taint.map_or(Taint::Agent, |(_, taint)| *taint);
            let is_names = first_of_entries.contains(&passage.span.start) && journal::is_names(&text);
            let is_asked = asked(&passage.span, &text);
            let hash = Sha256::of(text.as_bytes());
            let text = inwit_markdown::shown(&text).trim().to_owned();
            let has_secret = page.holds_secret(&passage.span);
            (hash, Passage { text, lines, taint, is_names, is_asked, has_secret })
        });
        let secret = secrets::seed_hit(&String::from_utf8_lossy(bytes)).map(|hit| hit.class);
        Ok(Log {
            passages: passages.collect(),
            secret,
            modified_ms: content.modified_ns.div_euclid(1_000_000),
        })
    }
}

/// The one of `parts` that contains `at`, by binary search: they are sorted and disjoint.
fn holding<T>(parts: &[T], span: impl Fn(&T) -> &Range<usize>, at: usize) -> Option<&T> {
    let behind = parts.partition_point(|part| span(part).start <= at);
    parts[..behind].last().filter(|part| span(part).contains(&at))
}

/// The first of the sorted `starts` in each entry.
fn firsts(starts: impl Iterator<Item = usize>, entries: &[WrittenEntry]) -> HashSet<usize> {
    let mut firsts = HashSet::new();
    let mut last: Option<usize> = None;
    for start in starts {
        let entry = holding(entries, |entry| &entry.span, start).map(|entry| entry.span.start);
        if entry.is_some() && entry != last {
            firsts.insert(start);
        }
        last = entry.or(last);
    }
    firsts
}

impl Log {
    /// The passage of a recall `key`, if it still exists.
    pub(super) fn passage(&self, key: &PassageKey) -> Option<LogPassage> {
        self.passages.get(&key.text).map(|passage| found(key.clone(), passage))
    }

    /// The passage of a citation.
    pub(super) fn cited(&self, source: &Source) -> Option<LogPassage> {
        let lines = (source.first_line, source.last_line);
        let (text, passage) = self.passages.iter().find(|(_, passage)| passage.lines == lines)?;
        Some(found(key_of(&source.path, *text), passage))
    }
}

fn key_of(path: &SafeName, text: Sha256) -> PassageKey {
    PassageKey { path: path.clone(), text }
}

fn found(key: PassageKey, passage: &Passage) -> LogPassage {
    let (first_line, last_line) = passage.lines;
    let source = Source { path: key.path.clone(), first_line, last_line };
    LogPassage {
        key,
        source,
        text: passage.text.clone(),
        taint: passage.taint,
        is_names: passage.is_names,
        is_asked: passage.is_asked,
        has_secret: passage.has_secret,
        called: None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Regression: a dream needed 15 seconds for a log of 8 MiB, since each passage was searched from the start.
        /// The binary search equals a linear search.
        #[test]
        fn the_part_that_holds_a_place_is_the_only_one_that_does(
            sizes in prop::collection::vec((0_usize..4, 0_usize..5), 0..8),
            at in 0_usize..40,
        ) {
            let mut end = 0;
            let part = |(gap, size)| {
                let start = end + gap;
                end = start + size;
                start..end
            };
            let parts: Vec<Range<usize>> = sizes.into_iter().map(part).collect();
            prop_assert_eq!(holding(&parts, |part| part, at), parts.iter().find(|part| part.contains(&at)));
        }
    }
}
