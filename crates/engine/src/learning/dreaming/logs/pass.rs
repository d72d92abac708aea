//! The gates of one pass, in their order: lock, state, selection, memory, model, empty answer, secrets, append,
//! watermark. One that stops skips the rest (W36).
//!
//! New logs and logs that an earlier pass left out are asked about in separate calls, so that no call has a hole.
//! Invariant: after the call, the lock is checked before anything is written.

use inwit_gate::secrets;
use inwit_model::ports::StateFile;
use inwit_model::{Code, CompleteError, Completer, DreamEngine, Question, Scope};
use inwit_store::memory::{LogSpan, Memory};
use jiff::SignedDuration;

use super::super::pass::{DreamReport, HeldPass, Judged, PassStart};
use super::super::promotable::{Promotable, Section};
use super::super::schedule::STOPPED;
use super::super::writing::Written;
use super::shown::ShownLog;
use super::unread::{OVER_BUDGET, Unread, UnreadLogs};
use crate::learning::dream::logs::answer::parse;
use crate::learning::dream::logs::curator::{ANSWER_TOKENS_MAX, RULES, data};
use crate::learning::dream::logs::selection::select;
use crate::learning::dream::logs::{Answer, Evidence, LogLimits};
use crate::{EngineError, Learning, Notice};

/// Opens the language model; called at most once a pass, only if there are logs to read.
pub type OpenModel<'m> = dyn Fn() -> Result<Box<dyn Completer>, CompleteError> + 'm;

/// Options of a pass.
#[derive(Clone, Copy)]
pub struct LogsAsk<'a> {
    /// The language model.
    pub model: &'a OpenModel<'a>,
    /// Limits of its input.
    pub limits: LogLimits,
    /// Most promotions of a pass.
    pub promotions_max: usize,
    /// Only reports which logs would be sent.
    pub dry_run: bool,
    /// Longest duration of the pass.
    pub timeout: SignedDuration,
    /// What started it: `manual`, `session_end`, `timer`.
    pub trigger: &'a str,
    /// Path of the workspace, for the audit log.
    pub workspace: &'a str,
    /// This agent in the audit log.
    pub named: &'a str,
}

/// One call: a run of logs without a hole.
struct Run<'u> {
    /// Oldest first.
    logs: Vec<&'u Unread>,
    shown: Vec<ShownLog>,
    over_budget: Vec<&'u Unread>,
}

/// The result of one call.
struct Ran {
    outcome: &'static str,
    judged: Vec<Judged>,
    written: Written,
    error: Option<EngineError>,
    notices: Vec<Notice>,
    /// The newest modification time that was read, if the watermark may advance to it.
    read_ms: Option<f64>,
}

impl Learning {
    /// Runs one pass. A taken lock is a result, not an error (W65), and so is a failed call (`llm_error`). Errors:
    /// `storage_shared`, `lock_unavailable`, `memory_unavailable`, `locked` if the lock was lost during the call, and
    /// those of writing.
    pub fn dream_logs(&self, ask: &LogsAsk<'_>) -> Result<DreamReport, EngineError> {
        self.core.load_named_of_files(&self.core.view(&Scope::Main));
        if ask.dry_run {
            return self.logs_foreseen(ask);
        }
        let start = PassStart { engine: DreamEngine::Logs, trigger: ask.trigger, timeout: ask.timeout };
        self.locked(start, &mut |memory, held| self.logs_pass(memory, held, ask))
    }

    fn logs_foreseen(&self, ask: &LogsAsk<'_>) -> Result<DreamReport, EngineError> {
        let memory = self.core.memory_if_made()?;
        let found = self.unread_logs(memory.as_deref(), &ask.limits)?;
        let mut report = DreamReport::of(DreamEngine::Logs, self.core.clock.now(), "dry_run");
        for run in self.runs(memory.as_deref(), &found, &ask.limits)? {
            report.judged.extend(run.read("would_send"));
            report.judged.extend(run.left());
        }
        report.judged.extend(found.judged);
        report.notices = found.notices;
        Ok(report)
    }

    fn logs_pass(
        &self,
        memory: &dyn Memory,
        held: &HeldPass<'_>,
        ask: &LogsAsk<'_>,
    ) -> Result<DreamReport, EngineError> {
        self.recover_sweeps(memory)?;
        let found = self.unread_logs(Some(memory), &ask.limits)?;
        memory.reopen_logs(&found.reopened)?;
        self.consume(memory, held.fence, &found.elsewhere)?;
        let runs = self.runs(Some(memory), &found, &ask.limits)?;
        let mut report = DreamReport::of(DreamEngine::Logs, self.core.clock.now(), "nothing_to_promote");
        report.notices.extend(found.notices.iter().cloned());
        let mut model = None;
        let mut promotions_max = ask.promotions_max;
        let mut reached = 0;
        for (nth, run) in runs.iter().enumerate() {
            let opened = match &model {
                Some(opened) => opened,
                None => match (ask.model)() {
                    Ok(opened) => model.insert(opened),
                    Err(error) => {
                        report.fail(run.failed(&error));
                        report.judged.extend(run.left());
                        reached = 1;
                        break;
                    }
                },
            };
            let ran = self.logs_run(memory, held, ask, run, &**opened, promotions_max)?;
            let promoted = |judged: &&Judged| matches!(judged.outcome, "promoted" | "pending");
            promotions_max = promotions_max.saturating_sub(ran.judged.iter().filter(promoted).count());
            if let Some(read_ms) = ran.read_ms {
                report.notices.extend(self.advance_watermark(Some(read_ms)));
            }
            let is_over =
                matches!(ran.outcome, "llm_error" | STOPPED | "pii_detected_quarantine" | "refused");
            // The first call decides how the pass ended, unless only a later one had an effect.
            if nth == 0 || report.outcome == "nothing_to_promote" || ran.outcome == "pii_detected_quarantine"
            {
                report.outcome = ran.outcome;
                report.error = ran.error;
            } else if let Some(error) = ran.error {
                report.notices.push(Notice::new("llm_error", error.message, error.code));
            }
            report.judged.extend(ran.judged);
            report.judged.extend(run.left());
            reached = nth + 1;
            report.notices.extend(ran.notices);
            report.receipt = ran.written.receipt.or(report.receipt);
            report.pending = ran.written.pending.or(report.pending);
            if is_over {
                break;
            }
        }
        for run in &runs[reached..] {
            let unread = run.logs.iter().map(|log| log.judged(OVER_BUDGET, "the pass ended before".into()));
            report.judged.extend(unread.chain(run.left()));
        }
        if runs.is_empty() {
            report.notices.extend(self.advance_watermark(None));
        }
        let watermark = self.dreamed_state()?.0.and_then(|state| state.watermark());
        found.note_passed_over(&mut report.judged, watermark);
        report.judged.extend(found.judged);
        report.at = self.core.clock.now();
        Ok(report)
    }

    /// The calls of a pass: new logs, and logs that were left out.
    fn runs<'u>(
        &self,
        memory: Option<&dyn Memory>,
        found: &'u UnreadLogs,
        limits: &LogLimits,
    ) -> Result<Vec<Run<'u>>, EngineError> {
        let mut runs = Vec::new();
        for is_left_over in [false, true] {
            let logs: Vec<&Unread> =
                found.logs.iter().filter(|log| log.is_left_over == is_left_over).collect();
            let candidates: Vec<_> = logs.iter().map(|log| log.candidate()).collect();
            let selection = select(&candidates, limits);
            let logs_of = |ats: &[usize]| ats.iter().map(|at| logs[*at]).collect::<Vec<_>>();
            let (taken, over_budget) = (logs_of(&selection.taken), logs_of(&selection.over_budget));
            if taken.is_empty() {
                continue;
            }
            let shown = taken.iter().map(|log| self.shown_log(memory, log, limits.file_bytes));
            runs.push(Run { shown: shown.collect::<Result<_, _>>()?, logs: taken, over_budget });
        }
        Ok(runs)
    }

    fn logs_run(
        &self,
        memory: &dyn Memory,
        held: &HeldPass<'_>,
        ask: &LogsAsk<'_>,
        run: &Run<'_>,
        model: &dyn Completer,
        promotions_max: usize,
    ) -> Result<Ran, EngineError> {
        let name = self.notes.memory_file()?;
        let (shown_memory, is_cut) = self.shown_memory(&name, ask.limits.file_bytes)?;
        let texts: Vec<_> = run.shown.iter().map(|log| log.text.clone()).collect();
        let text = data(&texts, &shown_memory, is_cut, self.core.today());
        let question = Question { rules: RULES, text: &text, answer_tokens_max: ANSWER_TOKENS_MAX };
        let answered = model.complete(&question);
        // Another pass may have begun while the model answered.
        held.still_ours()?;
        if memory.fence()? != held.fence {
            let message = format!("Dream pass {} was replaced by a later one during the call.", held.fence);
            return Err(EngineError::new(Code::Stale, message));
        }
        let completion = match answered {
            Ok(completion) => completion,
            Err(error) => return Ok(run.failed(&error)),
        };
        if let Some(hit) = secrets::seed_hit(&completion.text) {
            let (mut judged, notice) = self.quarantine_logs(ask, &run.logs, &completion.text, &hit)?;
            let rest = run.logs.iter().filter(|log| judged.iter().all(|judged| judged.path != log.name));
            let rest: Vec<Judged> =
                rest.map(|log| log.judged(OVER_BUDGET, "its pass had a secret".into())).collect();
            judged.extend(rest);
            return Ok(Ran { judged, notices: vec![notice], ..Ran::of("pii_detected_quarantine") });
        }
        let spans: Vec<LogSpan> = run.spans();
        let read_ms = run.logs.iter().map(|log| log.mtime_ms).fold(f64::MIN, f64::max);
        let mut claims = match parse(&completion.text) {
            Answer::Nothing => {
                self.consume(memory, held.fence, &spans)?;
                let judged = run.read("read");
                return Ok(Ran { judged, read_ms: Some(read_ms), ..Ran::of("nothing_to_promote") });
            }
            Answer::Claims(claims) => claims,
        };
        let mut notices = Vec::new();
        if completion.is_cut {
            claims.pop();
            let message = "The model's answer was longer than allowed; its last line was dropped.";
            notices.push(Notice::new("dream_answer_cut", message, Code::ModelAnswerBad));
        }
        if claims.is_empty() {
            let message = format!("The answer of {} has no line that could be kept.", model.model());
            return Ok(run.failed(&CompleteError { code: Code::ModelAnswerBad, message }));
        }
        let evidence = run.shown.iter().map(|log| log.evidence.clone()).collect();
        let evidence = Evidence::of(evidence, &mut self.core.recall().analyser);
        let judged = self.judge_claims(memory, &name, &claims, &evidence, promotions_max)?;
        let section = Section { fence: held.fence, engine: DreamEngine::Logs, spans: &spans };
        let (tainted, clean): (Vec<&Promotable>, Vec<&Promotable>) =
            judged.items.iter().partition(|item| item.taint.is_tainted());
        // Proposed first: after a crash in between, the logs are read again and nothing is lost.
        let pending = match &*tainted {
            [] => None,
            tainted => self.propose_promotions(memory, section, tainted)?,
        };
        let still_ours = || held.still_ours();
        let mut written = match &*clean {
            [] => Written::default(),
            clean => self.promote(memory, section, clean, &still_ours)?,
        };
        let word = if clean.is_empty() { "pending" } else { written.word() };
        if !written.refused && written.receipt.is_none() {
            self.consume(memory, held.fence, &spans)?;
        }
        let outcome = match &written {
            Written { receipt: Some(_), .. } => "appended",
            Written { refused: true, .. } => "refused",
            _ if pending.is_some() || written.pending.is_some() => "pending",
            _ => "nothing_to_promote",
        };
        let is_refused = written.refused;
        written.pending = pending.or(written.pending);
        let of = |item: &Promotable| item.judged(if item.taint.is_tainted() { "pending" } else { word });
        let mut all: Vec<Judged> = judged.items.iter().map(of).collect();
        all.extend(judged.refused);
        all.extend(run.read(if is_refused { OVER_BUDGET } else { "read" }));
        let read_ms = (!is_refused).then_some(read_ms);
        Ok(Ran { judged: all, written, notices, read_ms, ..Ran::of(outcome) })
    }

    /// Sets `last_run_at`, and advances the watermark to `read_ms`. An invalid file is unchanged.
    pub(in super::super) fn advance_watermark(&self, read_ms: Option<f64>) -> Option<Notice> {
        let advance = || -> Result<Option<Notice>, EngineError> {
            let (state, notice) = self.dreamed_state()?;
            if let Some(mut state) = state {
                if let Some(read_ms) = read_ms {
                    state.advance(read_ms);
                }
                let bytes = state.ran_at(self.core.clock.now());
                self.core.files.write_state(StateFile::Dreamed, Some(&bytes))?;
            }
            Ok(notice)
        };
        advance()
            .unwrap_or_else(|error| Some(Notice::new("dreamed_state_not_written", error.message, error.code)))
    }
}

impl Run<'_> {
    /// What the call consumes.
    fn spans(&self) -> Vec<LogSpan> {
        self.logs.iter().zip(&self.shown).map(|(log, shown)| log.span_from(shown.start)).collect()
    }

    /// The logs of the call, and the lines that were cut.
    fn read(&self, outcome: &'static str) -> Vec<Judged> {
        let read = self.logs.iter().zip(&self.shown).map(|(log, shown)| {
            let lines = &shown.text.lines;
            let lines = lines.first().zip(lines.last()).map(|(first, last)| (first.number, last.number));
            let bytes = log.next().end - shown.start;
            Judged { lines, ..log.judged(outcome, format!("bytes={bytes}, mtime={}", log.mtime_ms)) }
        });
        let cut = self.logs.iter().zip(&self.shown).filter_map(|(log, shown)| {
            let (first, last) = shown.cut?;
            let detail =
                format!("lines {first} to {last} exceed dream.max_file_bytes, a later pass reads them");
            Some(Judged { lines: shown.cut, ..log.judged(OVER_BUDGET, detail) })
        });
        let too_long = self.logs.iter().zip(&self.shown).filter_map(|(log, shown)| {
            let line = shown.too_long?;
            let detail = format!("line {line} exceeds dream.max_file_bytes");
            Some(Judged { lines: Some((line, line)), ..log.judged("truncated_head", detail) })
        });
        read.chain(cut).chain(too_long).collect()
    }

    /// The logs that did not fit.
    fn left(&self) -> impl Iterator<Item = Judged> + '_ {
        let detail = |log: &Unread| format!("bytes={}, a later pass reads it", log.unread_bytes());
        self.over_budget.iter().map(move |log| log.judged(OVER_BUDGET, detail(log)))
    }

    fn failed(&self, error: &CompleteError) -> Ran {
        let why = error.code.spec().name;
        let outcome = if error.code == Code::Stopped { STOPPED } else { "llm_error" };
        let judged = self.logs.iter().map(|log| log.judged(outcome, format!("code={why}"))).collect();
        let error = EngineError::new(error.code, error.message.clone());
        Ran { judged, error: Some(error), ..Ran::of(outcome) }
    }
}

impl Ran {
    fn of(outcome: &'static str) -> Self {
        Self {
            outcome,
            judged: Vec::new(),
            written: Written::default(),
            error: None,
            notices: Vec::new(),
            read_ms: None,
        }
    }
}

impl DreamReport {
    fn fail(&mut self, ran: Ran) {
        self.outcome = ran.outcome;
        self.error = ran.error;
        self.judged.extend(ran.judged);
    }
}
