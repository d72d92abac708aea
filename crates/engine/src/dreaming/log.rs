//! A daily log as a dream reads it: its passages, each with where it stands and whose words it is.
//!
//! Invariant: a passage is known by the hash of what it says, so one that was edited is another one.

use std::collections::HashMap;
use std::ops::Range;

use inwit_gate::secrets;
use inwit_markdown::parse;
use inwit_model::ports::Content;
use inwit_model::{SafeName, Scope, Sha256, Taint};
use inwit_store::memory::{Memory, PassageKey, Votes};

use crate::dream::Source;
use crate::dream::bullet::unmarked;
use crate::hook::lines_of;
use crate::{Agent, EngineError, journal, trust};

/// One log.
pub(super) struct Log {
    passages: HashMap<Sha256, Passage>,
    /// The class of the first secret anywhere in it.
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

/// A passage in a live log.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) key: PassageKey,
    pub(super) source: Source,
    /// As it was written, its list mark too.
    pub(super) text: String,
    pub(super) taint: Taint,
    /// What agents said of it, where their word alone made it a graduate.
    pub(super) called: Option<Votes>,
    /// Whether it is no more than the name lines of an entry, which are inwit's own.
    pub(super) is_names: bool,
    /// Whether it is no more than what the user asked, ordered or pasted, without a statement that holds on.
    pub(super) is_asked: bool,
    /// Whether something in it is masked as a secret where the log is shown. A bullet joins its lines, which hides the
    /// shape of one from the gate, so it is asked of the log.
    pub(super) has_secret: bool,
}

impl Found {
    /// What it says, without its list mark.
    pub(super) fn words(&self) -> &str {
        unmarked(&self.text)
    }

    /// First and last line.
    pub(super) fn lines(&self) -> (u32, u32) {
        (self.source.first_line, self.source.last_line)
    }
}

impl Agent {
    /// Reads the passages of a log, each with the taint of its entry.
    pub(super) fn log_of(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        content: &Content,
    ) -> Result<Log, EngineError> {
        let bytes = &*content.bytes;
        let page = self.page(&Scope::Main, name, bytes);
        let document = parse(bytes);
        let first_of = |entry: &journal::entry::WrittenEntry| {
            let mut starts = document.passages.iter().map(|passage| passage.span.start);
            starts.find(|start| entry.span.contains(start))
        };
        let entries = journal::entries(bytes);
        let asked = |span: &Range<usize>, text: &str| {
            let entry = entries.iter().find(|entry| entry.span.contains(&span.start));
            entry.is_some_and(|entry| {
                let lines = lines_of(text, Some(&entry.agents), 0, &mut self.recall().analyser);
                !lines.is_empty() && lines.iter().all(|line| !line.is_answer())
            })
        };
        let first_of_entries: Vec<usize> = entries.iter().filter_map(first_of).collect();
        let mut tainted = Vec::new();
        for part in trust::parts(bytes) {
            let text = String::from_utf8_lossy(&bytes[part.clone()]);
            // What cannot be looked up is nobody's word.
            let taint = memory.taint_of_any(&mut trust::hashes(&text)).unwrap_or(Some(Taint::Tool));
            if let Some(taint) = taint {
                tainted.push((part, taint));
            }
        }
        let passages = document.passages.iter().map(|passage| {
            let text = document.text(&passage.span).into_owned();
            let line = |at: usize| 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u32;
            let lines = (line(passage.span.start), line(passage.span.end.saturating_sub(1)));
            let within = |(span, _): &&(Range<usize>, Taint)| span.contains(&passage.span.start);
            let taint = tainted.iter().find(within).map_or(Taint::Agent, |(_, taint)| *taint);
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

impl Log {
    /// The passage that recall knows by `key`, where it still stands.
    pub(super) fn passage(&self, key: &PassageKey) -> Option<Found> {
        self.passages.get(&key.text).map(|passage| found(key.clone(), passage))
    }

    /// The passage that a citation names.
    pub(super) fn cited(&self, source: &Source) -> Option<Found> {
        let lines = (source.first_line, source.last_line);
        let (text, passage) = self.passages.iter().find(|(_, passage)| passage.lines == lines)?;
        Some(found(key_of(&source.path, *text), passage))
    }
}

fn key_of(path: &SafeName, text: Sha256) -> PassageKey {
    PassageKey { path: path.clone(), text }
}

fn found(key: PassageKey, passage: &Passage) -> Found {
    let (first_line, last_line) = passage.lines;
    let source = Source { path: key.path.clone(), first_line, last_line };
    Found {
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
