//! Which logs have text that no pass has read.
//!
//! The ledger decides, by the bytes that were consumed: logs over the budget, heads of long logs, logs that grew during a
//! call and logs with a reset modification time are read once. A watermark of another program is respected: logs up to it count as
//! read there, except those that inwit itself left for later. One that was set back opens newer logs again. Invariant: a
//! log that is skipped has a reason.

use std::collections::HashSet;
use std::ops::Range;

use inwit_model::ports::{Content, StateFile};
use inwit_model::{DreamEngine, Place, SafeName, Sha256};
use inwit_store::memory::{LogSpan, Memory, Sweep};
use inwit_workspace::ScopedReader as _;
use jiff::civil::Date;

use super::super::pass::Judged;
use super::consumed::ConsumedLogs;
use crate::core::notice::left_out;
use crate::learning::dream::logs::{LogLimits, UnreadLog};
use crate::learning::dream::state::mtime_ms;
use crate::learning::dream::{DreamedState, Quarantine};
use crate::{EngineError, Learning, Notice};

/// Passes that are searched for the last one of this engine.
const PASSES_MAX: usize = 100;

/// Most logs that are listed as outside of the window.
const OUTSIDE_LISTED_MAX: usize = 1_000;

/// Reason of a log that did not fit.
pub(super) const OVER_BUDGET: &str = "over_budget";

/// End of the reason of a log that was not read although the watermark passed it: another program skips it.
const PASSED_OVER: &str = ", below the watermark";

/// A log with unread text.
pub(super) struct Unread {
    pub(super) name: SafeName,
    pub(super) content: Content,
    pub(super) date: Option<Date>,
    /// What no pass has read of it, in order. A call gets the last of them; a log that was too long for one call has more.
    pub(super) gaps: Vec<Range<usize>>,
    /// Its modification time when it was read, milliseconds since 1970.
    pub(super) mtime_ms: f64,
    /// Whether it is at or below the watermark, because an earlier pass left it out.
    pub(super) is_left_over: bool,
}

/// All logs of a pass.
#[derive(Default)]
pub(super) struct UnreadLogs {
    pub(super) logs: Vec<Unread>,
    /// Logs that are not candidates, and why.
    pub(super) judged: Vec<Judged>,
    /// Spans that another program has read.
    pub(super) elsewhere: Vec<LogSpan>,
    /// Logs that are read again, because the watermark was set back.
    pub(super) reopened: Vec<SafeName>,
    pub(super) notices: Vec<Notice>,
}

impl UnreadLogs {
    /// Marks the reasons of logs that were not read although `watermark` passed them.
    pub(super) fn note_passed_over(&self, judged: &mut [Judged], watermark: Option<f64>) {
        let Some(mark) = watermark else { return };
        let below = self.logs.iter().filter(|log| log.mtime_ms <= mark);
        let below: HashSet<&SafeName> = below.map(|log| &log.name).collect();
        for judged in judged {
            if below.contains(&judged.path) && matches!(judged.outcome, OVER_BUDGET | "llm_error") {
                judged.detail += PASSED_OVER;
            }
        }
    }
}

impl Unread {
    /// What the next call gets of it, before it is cut to the limit.
    pub(super) fn next(&self) -> Range<usize> {
        let end = self.content.bytes.len();
        self.gaps.last().cloned().unwrap_or(end..end)
    }

    /// What is consumed after a call that had it from `start` on. A whole gap joins what was consumed before it.
    pub(super) fn span_from(&self, start: usize) -> LogSpan {
        let earlier = || self.gaps.iter().rev().nth(1).map_or(0, |gap| gap.end);
        let start = if start == self.next().start { earlier() } else { start };
        let end = self.content.bytes.len() as u64;
        LogSpan { path: self.name.clone(), log: self.content.sha256, start: start as u64, end }
    }

    /// All of it.
    pub(super) fn span(&self) -> LogSpan {
        let end = self.content.bytes.len() as u64;
        LogSpan { path: self.name.clone(), log: self.content.sha256, start: 0, end }
    }

    /// Number of its unread bytes.
    pub(super) fn unread_bytes(&self) -> usize {
        self.gaps.iter().map(ExactSizeIterator::len).sum()
    }

    /// Its size for the budget.
    pub(super) fn candidate(&self) -> UnreadLog {
        let bytes = self.next().len() as u64;
        UnreadLog { path: self.name.clone(), mtime_ms: self.mtime_ms, bytes }
    }

    /// The decision about it as a whole.
    pub(super) fn judged(&self, outcome: &'static str, detail: String) -> Judged {
        judged(&self.name, Some(self.content.sha256), outcome, detail)
    }
}

impl Learning {
    /// Reads state, quarantine and logs; without a `memory.db`, no log was read. Writes nothing.
    pub(super) fn unread_logs(
        &self,
        memory: Option<&dyn Memory>,
        limits: &LogLimits,
    ) -> Result<UnreadLogs, EngineError> {
        let mut found = UnreadLogs::default();
        let (quarantine, notice) = self.quarantine()?;
        found.notices.extend(notice);
        let (state, notice) = self.dreamed_state()?;
        found.notices.extend(notice);
        let foreign = state.as_ref().and_then(DreamedState::foreign_watermark);
        let lowered = state.as_ref().and_then(DreamedState::lowered_watermark);
        let watermark = state.as_ref().and_then(DreamedState::watermark);
        let left = memory.map(|memory| self.left_for_later(memory)).transpose()?.unwrap_or_default();
        let listing = self.core.workspace.private().list()?;
        found.notices.extend(left_out(&[], &listing.skipped));
        let names: Vec<SafeName> = listing.entries.into_iter().map(|entry| entry.name).collect();
        let spans = memory.map(|memory| memory.log_spans()).transpose()?.unwrap_or_default();
        let consumed = ConsumedLogs::of(spans, &names);
        let (today, mut outside) = (self.core.today(), 0);
        for name in names {
            let Some(place @ Place::Journal(_)) = Place::of(&name) else { continue };
            let date = place.date();
            if !limits.is_in_window(date, today) {
                if !consumed.knows(&name) && outside < OUTSIDE_LISTED_MAX {
                    outside += 1;
                    found.judged.push(judged(&name, None, "outside_window", String::new()));
                }
                continue;
            }
            let content = match self.core.content(&name) {
                Ok(Some(content)) => content,
                Ok(None) => continue,
                Err(error) => {
                    found.judged.push(judged(&name, None, "unreadable", String::new()));
                    found.notices.push(error.into());
                    continue;
                }
            };
            let mtime_ms = mtime_ms(content.modified_ns);
            let is_again = lowered.is_some_and(|mark| mtime_ms > mark);
            let nothing = ConsumedLogs::default();
            let consumed = if is_again { &nothing } else { &consumed };
            let mut gaps = consumed.gaps(&name, &content.bytes);
            gaps.retain(|gap| !content.bytes[gap.clone()].iter().all(u8::is_ascii_whitespace));
            let is_blank = gaps.is_empty();
            let is_left_over = watermark.is_some_and(|mark| mtime_ms <= mark);
            let log = Unread { name, content, date, gaps, mtime_ms, is_left_over };
            let is_consumed = || memory.map_or(Ok(false), |memory| memory.is_consumed(&log.span()));
            if is_blank || !is_again && is_consumed()? {
                continue;
            }
            if is_again {
                found.reopened.push(log.name.clone());
            }
            if quarantine.holds(log.name.as_str()) {
                found.judged.push(log.judged("quarantined", String::new()));
            } else if foreign.is_some_and(|mark| mtime_ms <= mark) && !left.contains(&log.name) {
                found.elsewhere.push(log.span());
                found.judged.push(log.judged("read_elsewhere", format!("mtime={mtime_ms}")));
            } else {
                found.logs.push(log);
            }
        }
        Ok(found)
    }

    /// Records spans as consumed without a section.
    pub(super) fn consume(
        &self,
        memory: &dyn Memory,
        fence: u64,
        spans: &[LogSpan],
    ) -> Result<(), EngineError> {
        if spans.is_empty() {
            return Ok(());
        }
        let sweep = Sweep {
            fence,
            at: self.core.clock.now(),
            target: self.notes.memory_file()?,
            section: None,
            promotions: Vec::new(),
            spans: spans.to_vec(),
        };
        let number = memory.intend_sweep(&sweep)?;
        Ok(memory.confirm_sweep(number, None)?)
    }

    /// The state file; `None` if it is invalid, with a notice.
    pub(super) fn dreamed_state(&self) -> Result<(Option<DreamedState>, Option<Notice>), EngineError> {
        Ok(match self.core.files.read_state(StateFile::Dreamed)? {
            Some(bytes) => DreamedState::parse(&bytes),
            None => (Some(DreamedState::default()), None),
        })
    }

    pub(in super::super) fn quarantine(&self) -> Result<(Quarantine, Option<Notice>), EngineError> {
        Ok(match self.core.files.read_state(StateFile::Quarantine)? {
            Some(bytes) => Quarantine::parse(&bytes),
            None => (Quarantine::default(), None),
        })
    }

    /// Logs that no other program reads: those that the last pass of this engine passed over, and quarantined ones.
    fn left_for_later(&self, memory: &dyn Memory) -> Result<HashSet<SafeName>, EngineError> {
        let mut passes = memory.dreams(PASSES_MAX)?.into_iter();
        let last = passes.find(|dream| dream.engine == DreamEngine::Logs && dream.end.is_some());
        let Some(last) = last else { return Ok(HashSet::new()) };
        let reasons = memory.dream_reasons(last.number)?.into_iter();
        let left =
            reasons.filter(|reason| reason.outcome == "quarantined" || reason.detail.ends_with(PASSED_OVER));
        Ok(left.map(|reason| reason.path).collect())
    }
}

/// A decision about a whole log.
fn judged(name: &SafeName, hash: Option<Sha256>, outcome: &'static str, detail: String) -> Judged {
    Judged {
        path: name.clone(),
        lines: None,
        text_sha256: hash.unwrap_or_else(|| Sha256::of(name.as_str().as_bytes())),
        text: String::new(),
        outcome,
        score: 0.0,
        detail,
    }
}
