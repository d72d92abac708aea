//! Entries of the daily logs, day by day.
//!
//! Logs are read outwards from the requested day, and only as many as needed. Invariant: the answer depends on the
//! files of the scope alone, every entry has its place, and findings are masked.

use std::ops::Range;

use inwit_markdown::outline;
use inwit_model::{FileError, Place, SafeName, Scope, Taint};
use inwit_store::reading_order;
use inwit_workspace::ScopedReader as _;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::core::mask::{self, LineStarts, Masked, ModelText};
use crate::core::notice::left_out;
use crate::notes::{journal, trust};
use crate::{EngineError, Notes, Notice};

/// Most days on each side of the requested one.
pub const TIMELINE_DAYS_MAX: u16 = 366;

/// Most entries of one answer.
pub const TIMELINE_ENTRIES_MAX: usize = 1_000;

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// The day, with entries in order of time; `None`: the newest entries, newest first.
    pub around: Option<Date>,
    /// Days on each side of it.
    pub days: u16,
    /// Entries to skip.
    pub skip: usize,
    /// Most entries.
    pub limit: usize,
}

/// The answer.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// Entries: around a day by time, else newest first.
    pub moments: Vec<Moment>,
    /// Whether more follow.
    pub more: bool,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Its date.
    pub date: Date,
    /// Its file.
    pub name: SafeName,
    /// Its first line, from 1.
    pub first_line: u32,
    /// Its last line, included.
    pub last_line: u32,
    /// Heading path.
    pub heading: ModelText,
    /// Its text, without comments.
    pub text: ModelText,
    /// The taint, if any.
    pub taint: Option<Taint>,
}

impl Notes {
    /// Entries of the daily logs that `scope` sees. Error: `workspace_unreadable`.
    pub fn timeline(&self, scope: &Scope, ask: &Ask) -> Result<Timeline, EngineError> {
        let view = self.core.view(scope);
        let mut logs: Vec<(Date, SafeName)> = view
            .list()?
            .entries
            .into_iter()
            .filter_map(|entry| Some((Place::of(&entry.name)?.date()?, entry.name)))
            .filter(|(date, _)| ask.around.is_none_or(|around| is_near(*date, around, ask.days)))
            .collect();
        logs.sort_by(|left, right| left.0.cmp(&right.0).then_with(|| reading_order(&left.1, &right.1)));
        if ask.around.is_none() {
            logs.reverse();
        }
        let wanted = ask.skip + ask.limit.clamp(1, TIMELINE_ENTRIES_MAX);
        let marks = self.marks();
        let (mut moments, mut masked) = (Vec::new(), Vec::new());
        self.core.load_named_of_files(&view);
        let mut unread = Vec::<(SafeName, FileError)>::new();
        for (date, name) in logs {
            if moments.len() > wanted {
                break;
            }
            match view.read(&name) {
                Ok(content) => {
                    let text = String::from_utf8_lossy(&content.bytes);
                    let shown = self.core.masked_for(scope, &name, &text, &mut masked);
                    let tainted = trust::taints(&name, &text, &*marks);
                    let mut told = told(date, &name, shown.as_bytes());
                    if ask.around.is_none() {
                        told.reverse();
                    }
                    for (mut moment, words) in told {
                        if moments.len() > wanted {
                            break;
                        }
                        [moment.heading, moment.text] = words.map(|words| {
                            self.core.rendered(scope, &name, &content.bytes, &words, &mut masked).trimmed()
                        });
                        moment.taint = trust::taint_within(&tainted, moment.first_line, moment.last_line);
                        if !moment.text.is_empty() {
                            moments.push(moment);
                        }
                    }
                }
                Err(error) => unread.push((name, error)),
            }
        }
        let more = moments.len() > wanted;
        moments.truncate(wanted);
        let moments: Vec<Moment> = moments.split_off(ask.skip.min(moments.len()));
        let told = |one: &Masked| {
            moments.iter().any(|moment| {
                let lines = moment.first_line as usize..=moment.last_line as usize;
                one.name == moment.name && lines.contains(&one.line)
            })
        };
        masked.retain(told);
        let mut notices = left_out(&unread, &[]);
        notices.extend(mask::notice(&masked));
        Ok(Timeline { moments, more, notices })
    }
}

fn is_near(date: Date, around: Date, days: u16) -> bool {
    let days = i64::from(days.min(TIMELINE_DAYS_MAX)).days();
    let first = around.checked_sub(days).unwrap_or(Date::MIN);
    let last = around.checked_add(days).unwrap_or(Date::MAX);
    (first..=last).contains(&date)
}

/// The entries of one log, in order, with heading path and text as stored. Label lines are not entries; the speaker
/// is part of the text.
fn told(date: Date, name: &SafeName, bytes: &[u8]) -> Vec<(Moment, [String; 2])> {
    let document = outline(bytes);
    let lines = LineStarts::of(bytes);
    let mut spans: Vec<(Range<usize>, u32)> = Vec::new();
    let mut speaker: Option<(usize, u32)> = None;
    for entry in &document.entries {
        let text = document.text(&entry.span);
        if journal::is_names(&text) {
            continue;
        }
        if journal::is_speaker(&text) {
            speaker = Some((entry.span.start, entry.section));
            continue;
        }
        let (start, section) = (entry.span.start, entry.section);
        match speaker.filter(|(_, of)| *of == section) {
            Some((first, _)) if spans.last().is_some_and(|(last, _)| last.start == first) => {
                if is_indented(bytes, start)
                    && let Some((last, _)) = spans.last_mut()
                {
                    last.end = entry.span.end;
                    continue;
                }
                speaker = None;
                spans.push((entry.span.clone(), section));
            }
            Some((first, _)) => spans.push((first..entry.span.end, section)),
            None => spans.push((entry.span.clone(), section)),
        }
    }
    let moments = spans.into_iter().map(|(span, section)| {
        let moment = Moment {
            date,
            name: name.clone(),
            first_line: lines.line_of(span.start),
            last_line: lines.line_of(span.end.saturating_sub(1)),
            heading: ModelText::default(),
            text: ModelText::default(),
            taint: None,
        };
        let heading = document.heading_path(section as usize).join(" › ");
        (moment, [heading, document.text(&span).into_owned()])
    });
    moments.collect()
}

/// Whether only blanks precede the byte `at` on its line.
fn is_indented(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t'))
        || bytes[..at].last().is_some_and(|byte| matches!(byte, b' ' | b'\t'))
}
