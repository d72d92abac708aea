//! A pass of reviews: the sessions with new turns, oldest first, one request for each range of turns.
//!
//! Invariants: a failed range is repeated after a growing pause, a few times, and then skipped with its reason; a model
//! that cannot be used costs no attempt; a provider that is down ends the pass.

use std::ops::Range;

use inwit_model::{Code, CompleteError, Completer, Question, Scope, SessionId};
use inwit_store::memory::{
    BAD_ANSWER, FAILED, Memory, REVIEWED, ReviewEnd, ReviewNumber, ReviewProgress, ReviewReason, ReviewStart,
    SKIPPED, Session, TIMED_OUT,
};
use jiff::{SignedDuration, Timestamp};

use super::spoken::NewTurns;
use super::{
    ATTEMPTS_MAX, CLAIM_MINUTES, IDLE_MINUTES, REQUESTS_MAX, RETRY_MINUTES, SESSIONS_MAX, WINDOW_DAYS,
};
use crate::core::record::AuditDetail;
use crate::facts::FactFilter;
use crate::learning::dreaming::backoff;
use crate::learning::review::answer::parse;
use crate::learning::review::question::{ANSWER_TOKENS_MAX, KNOWN_BYTES_MAX, KNOWN_MAX, data, rules};
use crate::learning::review::{ReviewAnswer, Wanted};
use crate::{EngineError, Notice, Sessions};

/// Opens the language model for sessions of a scope; called only if there is something to read.
pub type ModelOf<'m> = dyn Fn(&Scope) -> Result<Box<dyn Completer>, CompleteError> + 'm;

/// Options of a pass.
#[derive(Clone, Copy)]
pub struct ReviewAsk<'a> {
    /// The language model.
    pub model: &'a ModelOf<'a>,
    /// What is wanted.
    pub wanted: Wanted,
    /// Only this session, also if it is not idle or was tried lately.
    pub session: Option<&'a SessionId>,
    /// Only reports which turns would be sent.
    pub dry_run: bool,
    /// What started it: `manual`, `session_end`.
    pub trigger: &'a str,
    /// This agent in the audit log.
    pub named: &'a str,
}

/// The result of a pass.
#[derive(Debug, Default)]
pub struct ReviewReport {
    /// The ranges of turns, in order.
    pub ranges: Vec<ReviewedRange>,
    /// Requests that were made.
    pub requests: usize,
    /// Sessions with new turns that wait after a failure, or that another process reads.
    pub held_back: usize,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// One range of turns.
#[derive(Debug)]
pub struct ReviewedRange {
    /// The session.
    pub session: SessionId,
    /// First turn.
    pub first: u64,
    /// Last turn.
    pub last: u64,
    /// One word: `reviewed`, `skipped`, `failed`, `stopped`, `overtaken`, `would_send`.
    pub outcome: &'static str,
    /// What became of each part of the answer.
    pub parts: Vec<ReviewReason>,
    /// Why there is no usable answer.
    pub error: Option<EngineError>,
}

/// What the rest of the pass does after a range.
#[derive(PartialEq, Eq)]
enum After {
    GoesOn,
    NextSession,
    Ends,
}

impl Sessions {
    /// Reviews sessions with new turns. A failed request is a result, not an error. Errors: `session_unknown`,
    /// `audit_unwritable`, `memory_unavailable`, and those of reading.
    pub fn review(&self, ask: &ReviewAsk<'_>) -> Result<ReviewReport, EngineError> {
        let mut report = ReviewReport::default();
        let Some(memory) = self.core.memory_if_made()? else { return Ok(report) };
        let memory = memory.as_ref();
        let (due, held_back) = self.due_sessions(memory, ask.wanted, ask.session)?;
        report.held_back = held_back;
        for (session, mut progress) in due {
            while report.requests < REQUESTS_MAX {
                let Some(new) = self.new_turns(memory, &session, progress.turns)? else { break };
                let after = self.review_range(memory, ask, &session, &progress, &new, &mut report)?;
                progress = ReviewProgress { turns: new.last, ..ReviewProgress::default() };
                match after {
                    After::GoesOn => {}
                    After::NextSession => break,
                    After::Ends => return Ok(report),
                }
            }
        }
        Ok(report)
    }

    /// Sessions with turns that may be read now, oldest first, and how many others have new turns that must wait.
    pub(super) fn due_sessions(
        &self,
        memory: &dyn Memory,
        wanted: Wanted,
        only: Option<&SessionId>,
    ) -> Result<(Vec<(Session, ReviewProgress)>, usize), EngineError> {
        let now = self.core.clock.now();
        let sessions = match only {
            Some(id) => vec![memory.session(id)?.ok_or_else(|| {
                EngineError::new(Code::SessionUnknown, format!("There is no session `{id}`."))
            })?],
            None => memory.sessions(false, SESSIONS_MAX)?,
        };
        let (mut due, mut held_back) = (Vec::new(), 0);
        for session in sessions {
            let Some(last) = session.last_turn else { continue };
            let is_quiet =
                session.ended.is_some() || since(last, now) >= SignedDuration::from_mins(IDLE_MINUTES);
            let is_recent = since(last, now) <= SignedDuration::from_hours(24 * WINDOW_DAYS);
            if !wanted_of(wanted, &session).is_any() || only.is_none() && !(is_quiet && is_recent) {
                continue;
            }
            let progress = memory.review_progress(&session.start.id, &self.live())?;
            let pause = backoff(SignedDuration::from_mins(RETRY_MINUTES), progress.failures);
            let is_paused = progress.last_failed.is_some_and(|at| at <= now && since(at, now) < pause);
            if session.turns <= progress.turns {
                continue;
            }
            if progress.is_running || only.is_none() && is_paused {
                held_back += 1;
            } else {
                due.push((session, progress));
            }
        }
        due.sort_by_key(|(session, _)| session.last_turn);
        Ok((due, held_back))
    }

    /// One range of turns: claim, request, answer, record.
    fn review_range(
        &self,
        memory: &dyn Memory,
        ask: &ReviewAsk<'_>,
        session: &Session,
        progress: &ReviewProgress,
        new: &NewTurns,
        report: &mut ReviewReport,
    ) -> Result<After, EngineError> {
        let wanted = wanted_of(ask.wanted, session);
        let range = |outcome, parts, error| ReviewedRange {
            session: session.start.id.clone(),
            first: new.first,
            last: new.last,
            outcome,
            parts,
            error,
        };
        let is_silent = new.heard.iter().all(|turn| turn.user.trim().is_empty());
        if ask.dry_run {
            if !is_silent {
                report.requests += 1;
                report.ranges.push(range("would_send", Vec::new(), None));
            }
            return Ok(After::GoesOn);
        }
        let model = match (!is_silent).then(|| (ask.model)(&session.start.scope)) {
            None => None,
            Some(Ok(model)) => Some(model),
            Some(Err(error)) => {
                // Another scope may be allowed.
                let after =
                    if error.code == Code::ModelNotAllowed { After::NextSession } else { After::Ends };
                report.ranges.push(range("stopped", Vec::new(), Some(of_model(&error))));
                return Ok(after);
            }
        };
        if report.requests == 0 && model.is_some() {
            self.core.record("review", ask.named, AuditDetail::default().with("trigger", ask.trigger))?;
        }
        let start = ReviewStart {
            session: session.start.id.clone(),
            first: new.first,
            last: new.last,
            trigger: ask.trigger.to_owned(),
            at: self.core.clock.now(),
        };
        // Another process has it.
        let Some(number) = memory.begin_review(&start, &self.live())? else { return Ok(After::NextSession) };
        let Some(model) = model else {
            self.end(memory, number, REVIEWED, &[])?;
            report.ranges.push(range(REVIEWED, Vec::new(), None));
            return Ok(After::GoesOn);
        };
        report.requests += 1;
        let answer = self.ask_model(&*model, wanted, session, new)?;
        if !memory.holds_review(number)? {
            report.ranges.push(range("overtaken", Vec::new(), None));
            return Ok(After::NextSession);
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                let code = error.code.spec().name;
                let (outcome, word, after) = match error.code {
                    Code::ModelAnswerBad | Code::ModelRefused | Code::ModelTimedOut
                        if progress.bad_answers + 1 >= ATTEMPTS_MAX =>
                    {
                        (SKIPPED.to_owned(), SKIPPED, After::NextSession)
                    }
                    // The provider has the question and may charge for it.
                    Code::ModelTimedOut => (TIMED_OUT.to_owned(), FAILED, After::Ends),
                    Code::ModelAnswerBad | Code::ModelRefused => {
                        (BAD_ANSWER.to_owned(), FAILED, After::NextSession)
                    }
                    // A provider may be unreachable for days.
                    Code::ModelUnanswered => (format!("{FAILED}: {code}"), FAILED, After::Ends),
                    // The next attempt waits, as the provider may charge for this one.
                    Code::Stopped => (format!("{FAILED}: {code}"), "stopped", After::Ends),
                    _ => (format!("stopped: {code}"), "stopped", After::Ends),
                };
                let parts = if word == SKIPPED { vec![given_up(code)] } else { Vec::new() };
                self.end(memory, number, &outcome, &parts)?;
                report.ranges.push(range(word, parts, Some(of_model(&error))));
                return Ok(after);
            }
        };
        match self.keep_answer(memory, wanted, session, new, &answer, &mut report.notices) {
            Ok(parts) => {
                self.end(memory, number, REVIEWED, &parts)?;
                report.ranges.push(range(REVIEWED, parts, None));
                Ok(After::GoesOn)
            }
            Err(error) => {
                self.end(memory, number, &format!("{FAILED}: {}", error.code.spec().name), &[])?;
                report.ranges.push(range(FAILED, Vec::new(), Some(error)));
                Ok(After::Ends)
            }
        }
    }

    fn ask_model(
        &self,
        model: &dyn Completer,
        wanted: Wanted,
        session: &Session,
        new: &NewTurns,
    ) -> Result<Result<ReviewAnswer, CompleteError>, EngineError> {
        let known = if wanted.facts { self.known_facts(&session.start.scope)? } else { Vec::new() };
        let (rules, text) = (rules(wanted), data(&new.heard, &known, self.core.today()));
        let question = Question { rules: &rules, text: &text, answer_tokens_max: ANSWER_TOKENS_MAX };
        Ok(model.complete(&question).and_then(|completion| {
            parse(&completion.text).filter(|_| !completion.is_cut).ok_or_else(|| CompleteError {
                code: Code::ModelAnswerBad,
                message: format!(
                    "The answer of {} does not have the form that was asked for.",
                    model.model()
                ),
            })
        }))
    }

    /// Standing facts of the user, last changed first, so that the model does not repeat them.
    fn known_facts(&self, scope: &Scope) -> Result<Vec<String>, EngineError> {
        let filter = FactFilter { limit: KNOWN_MAX, ..FactFilter::default() };
        let (facts, _) = self.learning.facts.facts_masked(scope, &filter)?;
        let mut bytes = 0;
        let fits = |fact: &String| {
            bytes += fact.len();
            bytes <= KNOWN_BYTES_MAX
        };
        Ok(facts.iter().map(|fact| fact.content.to_string()).take_while(fits).collect())
    }

    fn end(
        &self,
        memory: &dyn Memory,
        number: ReviewNumber,
        outcome: &str,
        reasons: &[ReviewReason],
    ) -> Result<(), EngineError> {
        let at = self.core.clock.now();
        let end = ReviewEnd { at, outcome: outcome.to_owned(), reasons: reasons.to_vec() };
        Ok(memory.end_review(number, &end)?)
    }

    /// When an attempt without an end began, if it still runs. One of the future is from before the clock was set back.
    pub(super) fn live(&self) -> Range<Timestamp> {
        let now = self.core.clock.now();
        let claim = SignedDuration::from_mins(CLAIM_MINUTES);
        let margin = SignedDuration::from_mins(1);
        now.checked_sub(claim).unwrap_or(Timestamp::MIN)..now.checked_add(margin).unwrap_or(Timestamp::MAX)
    }
}

/// What a session is read for: nothing, unless it is the owner's or a room's.
pub(super) fn wanted_of(wanted: Wanted, session: &Session) -> Wanted {
    match session.start.scope {
        Scope::Main => wanted,
        Scope::Room(_) => wanted.of_room(),
        _ => Wanted::default(),
    }
}

fn since(at: Timestamp, now: Timestamp) -> SignedDuration {
    now.duration_since(at)
}

fn of_model(error: &CompleteError) -> EngineError {
    EngineError::new(error.code, error.message.clone())
}

/// The record of turns that are not asked about again.
fn given_up(code: &str) -> ReviewReason {
    ReviewReason {
        kind: "answer".to_owned(),
        turn: None,
        text: String::new(),
        outcome: code.to_owned(),
        detail: format!("attempts={ATTEMPTS_MAX}"),
    }
}
