//! Consolidation: compares pending facts with others, and retires duplicates and contradictions (M39–M45).
//!
//! It runs at the end of a session and by a command, never while a user waits. First a plain rule without a model: of
//! two facts with the same text the older stays. Then a judge, if one is configured. Invariants: nothing is deleted,
//! and every decision is a row; the gate protects facts, and a model's answer that violates it is logged as blocked;
//! no lock is held during a model call. If the model fails, facts wait for the next pass; a fact valid from a later
//! day waits for that day. A dry run decides exactly as a real pass. Reading order: this file, [`judge`] (question
//! and answer of a model), [`older`] (the facts to compare), [`subject`] (what they are about), [`unwritten`]
//! (decisions of a pass that are not applied).

pub mod judge;
mod older;
mod subject;
mod unwritten;

use inwit_gate::{Author, FactChange, FactDeed, FactVerdict, Settlement, judge_settlement};
use inwit_model::consolidation::GUIDANCE_CHARS_MAX;
use inwit_model::{Code, Completer, Consolidation, Domain, FactId, FactStatus, SettlementDecision};
use inwit_store::Memory;
use inwit_store::memory::Fact;
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use inwit_store::memory::Settled;

use crate::{EngineError, Facts, Notice};
use older::Older;
use subject::Subjects;
use unwritten::Unwritten;

/// Most facts of one pass; the rest waits for the next one.
pub const PASS_FACTS_MAX: usize = 200;

/// Most questions to a judge in one pass: each may take seconds and cost money.
pub const PASS_QUESTIONS_MAX: usize = 20;

/// Code of the notice that the judge does not answer.
pub const JUDGE_SILENT: &str = "judge_silent";

/// Code of the notice that the judge refuses one question.
pub const JUDGE_REFUSES: &str = "judge_refuses";

/// Most facts that one fact is compared with.
pub const OTHERS_MAX: usize = 8;

/// The judge of contradictions.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The model.
    pub completer: &'a dyn Completer,
    /// Guidance of the owner, at most [`GUIDANCE_CHARS_MAX`] characters; it overrides no rule (M42).
    pub guidance: &'a str,
}

/// Options of a pass.
#[derive(Clone, Copy)]
pub struct Pass<'a> {
    /// The mode.
    pub mode: Consolidation,
    /// The judge; `None` finds only duplicates.
    pub judge: Option<Judge<'a>>,
    /// Writes nothing, not even decisions.
    pub dry_run: bool,
}

impl Pass<'_> {
    /// Whether its decisions are applied.
    fn does(&self) -> bool {
        !self.dry_run && self.mode == Consolidation::On
    }
}

/// One decision of a pass.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The pending fact, before the decision.
    pub fact: Fact,
    /// The fact it was compared with.
    pub other: Option<Fact>,
    /// The decision.
    pub settlement: Settlement,
}

/// The result of a pass.
#[derive(Debug, Clone, Default)]
pub struct PassReport {
    /// The decisions, oldest fact first.
    pub decided: Vec<Decided>,
    /// Facts that are still pending.
    pub waiting: u64,
    /// How many of those begin on a later day: the judge is asked on that day.
    pub not_yet: u64,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

impl PassReport {
    /// Number of retired facts.
    pub fn retired(&self) -> usize {
        self.decided
            .iter()
            .filter(|decided| decided.settlement.retires() && !decided.settlement.is_shadow)
            .count()
    }
}

impl Facts {
    /// Consolidates pending facts. Errors: `usage_bad` for too long guidance, `memory_unavailable`.
    pub fn consolidate(&self, pass: &Pass<'_>) -> Result<PassReport, EngineError> {
        judge::fits(pass.judge.map_or("", |judge| judge.guidance))?;
        let Some(memory) = self.core.memory_if_made()? else { return Ok(PassReport::default()) };
        let memory = memory.as_ref();
        let mut report = PassReport::default();
        if pass.mode != Consolidation::Off {
            let is_shadow = pass.mode == Consolidation::Shadow;
            let now = self.core.clock.now();
            let waiting = memory.pending_facts(is_shadow, now, PASS_FACTS_MAX)?;
            let mut questions = Questions {
                judge: pass.judge,
                left: PASS_QUESTIONS_MAX,
                is_open: true,
                now,
                zone: self.core.day_zone(),
                domain: self.core.profile.domain,
                waiting: &waiting,
                older: None,
                unwritten: Unwritten::default(),
            };
            for fact in &waiting {
                self.look_at(memory, &fact.id, pass, &mut questions, &mut report)?;
            }
        }
        report.waiting = memory.pending_count()?;
        report.not_yet = memory.pending_ahead(self.core.clock.now())?;
        Ok(report)
    }

    /// Number of pending facts.
    pub fn facts_waiting(&self) -> Result<u64, EngineError> {
        self.core.memory_if_made()?.map_or(Ok(0), |memory| Ok(memory.pending_count()?))
    }

    /// The last decisions, the newest first.
    pub fn settlements(&self, limit: usize) -> Result<Vec<Settled>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.settlements(limit)?),
            None => Ok(Vec::new()),
        }
    }

    /// Decides about one fact, and applies the decision.
    fn look_at(
        &self,
        memory: &dyn Memory,
        id: &FactId,
        pass: &Pass<'_>,
        questions: &mut Questions<'_>,
        report: &mut PassReport,
    ) -> Result<(), EngineError> {
        // An earlier decision of this pass may have retired it.
        let waits = |fact: &Fact| waits(fact) && !questions.unwritten.retires(&fact.id);
        let Some(fact) = memory.fact(id)?.filter(waits) else { return Ok(()) };
        let decided = match duplicate(memory, &fact, &questions.unwritten)? {
            Some(other) => {
                Some(of_two(&fact, Some(other), SettlementDecision::RetireNew, "It has the same text."))
            }
            None => questions.ask(memory, &fact, report)?,
        };
        let Some(mut decided) = decided else { return Ok(()) };
        let (new, other) = (fact.standing(), decided.other.as_ref().map(Fact::standing));
        if let Some(rule) = decided.settlement.forbidden_by(&new, other.as_ref(), questions.now) {
            decided.settlement.decision = SettlementDecision::Blocked;
            decided.settlement.invariant = Some(rule);
        }
        decided.settlement.is_shadow = pass.mode == Consolidation::Shadow;
        if !pass.dry_run && !self.carry_out(memory, &decided)? {
            return Ok(());
        }
        if !pass.does() {
            questions.unwritten.note(&decided.settlement);
        }
        report.decided.push(decided);
        Ok(())
    }

    /// Whether it was written; a fact that changed concurrently waits for the next pass.
    fn carry_out(&self, memory: &dyn Memory, decided: &Decided) -> Result<bool, EngineError> {
        let (new, other) = (decided.fact.standing(), decided.other.as_ref().map(Fact::standing));
        let deed = FactDeed::Settle(Box::new(decided.settlement.clone()));
        let change = FactChange::new(deed, Author::ENGINE, None);
        let now = self.core.clock.now();
        let approved = match judge_settlement(&self.core.policy(), &new, other.as_ref(), change, now) {
            FactVerdict::Approved(approved) => approved,
            FactVerdict::Pending(_) => return Ok(false),
            FactVerdict::Refused(refusal) => return Err(refusal.into()),
        };
        match memory.write_fact(&approved, &decided.fact.id, now) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.code, Code::Stale | Code::FactUnknown) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// The questions of one pass.
struct Questions<'a> {
    judge: Option<Judge<'a>>,
    left: usize,
    is_open: bool,
    /// Start of the pass.
    now: Timestamp,
    /// Time zone of the dates in questions.
    zone: TimeZone,
    domain: Domain,
    waiting: &'a [Fact],
    /// Loaded for the first question.
    older: Option<Older>,
    /// Decisions that are not applied.
    unwritten: Unwritten,
}

impl Questions<'_> {
    /// The judge's decision about a fact; without a judge it stays. `None`: no decision is possible now.
    fn ask(
        &mut self,
        memory: &dyn Memory,
        fact: &Fact,
        report: &mut PassReport,
    ) -> Result<Option<Decided>, EngineError> {
        let Some(judge) = self.judge else {
            return Ok(Some(of_two(
                fact,
                None,
                SettlementDecision::Keep,
                "No other fact has the same text.",
            )));
        };
        // A fact that is not yet valid replaces nothing: it is judged on its day.
        if fact.standing().begins_after(self.now) {
            return Ok(None);
        }
        let mut older = match self.older.take() {
            Some(older) => older,
            None => Older::of(memory, self.waiting, Subjects::new(self.domain))?,
        };
        let others = older.about(memory, fact, &self.unwritten);
        self.older = Some(older);
        let others = others?;
        if others.is_empty() {
            return Ok(Some(of_two(
                fact,
                None,
                SettlementDecision::Keep,
                "No older fact has the same subject.",
            )));
        }
        if !self.is_open || self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let heard = match judge::ask(judge, fact, &others, &self.zone) {
            Ok(heard) => heard,
            // A refused question does not stop the other facts.
            Err(error) if error.code == Code::ModelRefused => {
                let message = format!("The judge model refused fact {}: {}", fact.number, error.message);
                report.notices.push(Notice::new(JUDGE_REFUSES, message, error.code));
                judge::unheard("The judge model refused the question.")
            }
            Err(error) => {
                // A judge that does not answer is not asked again in this pass.
                self.is_open = false;
                let message =
                    format!("Facts stay pending, because the judge model did not answer: {}", error.message);
                report.notices.push(Notice::new(JUDGE_SILENT, message, error.code));
                return Ok(None);
            }
        };
        let other = heard.other.and_then(|at| others.into_iter().nth(at));
        let mut decided = of_two(fact, other, heard.decision, &heard.reason);
        decided.settlement.model = Some(inwit_model::name::shown(judge.completer.model()));
        decided.settlement.invariant = heard.invariant;
        Ok(Some(decided))
    }
}

fn of_two(fact: &Fact, other: Option<Fact>, decision: SettlementDecision, reason: &str) -> Decided {
    let settlement = Settlement {
        id: fact.id.clone(),
        base: fact.text.sha256(),
        other: other.as_ref().map(|other| (other.id.clone(), other.text.sha256())),
        decision,
        reason: reason.to_owned(),
        model: None,
        invariant: None,
        is_shadow: false,
    };
    Decided { fact: fact.clone(), other, settlement }
}

fn waits(fact: &Fact) -> bool {
    fact.status == FactStatus::Pending && fact.forgotten.is_none()
}

/// Whether `fact` may be compared with `other`: it is current, also in this pass, and a different one.
fn stands(other: &Fact, fact: &Fact, unwritten: &Unwritten) -> bool {
    let is_retired = other.status == FactStatus::Retired || unwritten.retires(&other.id);
    other.id != fact.id && !is_retired && other.forgotten.is_none()
}

/// The fact that makes `fact` a duplicate: the oldest earlier one with the same text and period. A person's own
/// counts even if it is newer.
fn duplicate(memory: &dyn Memory, fact: &Fact, unwritten: &Unwritten) -> Result<Option<Fact>, EngineError> {
    if fact.text.plain().is_empty() {
        return Ok(None);
    }
    let mut found = memory.facts_worded(&fact.text)?;
    found.retain(|other| {
        let is_first = other.changed < fact.changed || other.standing().is_the_persons();
        stands(other, fact, unwritten) && is_first && other.text.valid == fact.text.valid
    });
    Ok(found.into_iter().min_by_key(|other| other.changed))
}
