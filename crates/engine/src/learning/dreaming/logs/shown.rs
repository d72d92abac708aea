//! What the model reads of the selected logs and of MEMORY.md.
//!
//! Invariant: secrets, injection phrases and erased texts are masked with the whole file in view, line by line, so
//! that the line numbers of a citation hold.

use inwit_gate::secrets::redact_for_model;
use inwit_model::{SafeName, Scope};
use inwit_store::memory::Memory;

use super::unread::Unread;
use crate::core::forgotten::TombstoneMatcher;
use crate::learning::dream::logs::support::{EvidenceLine, EvidenceLog};
use crate::learning::dream::logs::tail::tail_start;
use crate::learning::dream::logs::{LogLine, LogText};
use crate::notes::trust;
use crate::{EngineError, Learning};

/// Replacement for a line with an erased text.
const ERASED: &str = "[erased]";

/// One log as it is sent.
pub(super) struct ShownLog {
    pub(super) text: LogText,
    pub(super) evidence: EvidenceLog,
    /// First and last unread line that did not fit, from 1: a later pass reads them.
    pub(super) cut: Option<(u32, u32)>,
    /// A line whose head is not shown, because it is longer than a call may have.
    pub(super) too_long: Option<u32>,
    /// The first byte that the call consumes.
    pub(super) start: usize,
}

impl Learning {
    /// The last unread part of `log`, at most `bytes_max` of it.
    pub(super) fn shown_log(
        &self,
        memory: Option<&dyn Memory>,
        log: &Unread,
        bytes_max: u64,
    ) -> Result<ShownLog, EngineError> {
        let bytes = &*log.content.bytes;
        let buried = memory.map(TombstoneMatcher::of).transpose()?.flatten();
        let page = self.core.page(&Scope::Main, &log.name, bytes);
        let taints = trust::taints(&log.name, &String::from_utf8_lossy(bytes), &*self.notes.marks());
        // A line that was read before its end was written is read again as a whole.
        let begin_of_line =
            |at: usize| bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let next = log.next();
        let unread = begin_of_line(next.start);
        let from = unread + tail_start(&bytes[unread..next.end], bytes_max);
        let (mut lines, mut evidence, mut cut) = (Vec::new(), Vec::new(), None::<(u32, u32)>);
        let (mut start, mut number, mut too_long) = (0, 0_u32, None);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let end = start + line.len();
            number += 1;
            let span = start.max(from)..end;
            let is_unread = log.gaps.iter().any(|gap| start < gap.end && gap.start < end);
            let is_whole = span.start == start;
            start = end;
            if span.start >= end {
                if is_unread {
                    cut = Some((cut.map_or(number, |(first, _)| first), number));
                }
                continue;
            }
            if end > next.end {
                break;
            }
            if !is_whole {
                too_long = Some(number);
            }
            let piece = page.piece(span, &mut Vec::new());
            let piece = redact_for_model(&inwit_markdown::shown(&piece));
            let text = piece.split(['\n', '\r']).map(str::trim_end).collect::<Vec<_>>().join(" ");
            let text = text.trim_end().to_owned();
            let is_erased = buried.as_ref().is_some_and(|buried| buried.found_in(&text).is_some());
            let text = if is_erased { ERASED.to_owned() } else { text };
            let taint = taints.get(&(number as usize - 1)).copied();
            lines.push(LogLine { number, text: text.clone(), is_tainted: taint.is_some() });
            evidence.push(EvidenceLine { number, text, taint });
        }
        let day = log.date.map(|date| date.to_string()).unwrap_or_default();
        Ok(ShownLog {
            text: LogText { path: log.name.clone(), lines, is_cut: from > unread },
            evidence: EvidenceLog { path: log.name.clone(), day, lines: evidence },
            cut,
            too_long,
            start: begin_of_line(from).max(next.start),
        })
    }

    /// The tail of MEMORY.md, and whether its head was cut.
    pub(super) fn shown_memory(
        &self,
        name: &SafeName,
        bytes_max: u64,
    ) -> Result<(String, bool), EngineError> {
        let Some(content) = self.core.content(name)? else { return Ok((String::new(), false)) };
        let bytes = &*content.bytes;
        let from = tail_start(bytes, bytes_max);
        let page = self.core.page(&Scope::Main, name, bytes);
        let piece = page.piece(from..bytes.len(), &mut Vec::new());
        Ok((redact_for_model(&inwit_markdown::shown(&piece)), from > 0))
    }
}
