//! Consolidation: facts that were recorded are looked at, duplicates and contradictions retired (M39–M45).
//!
//! It runs when nobody waits: at the end of a session, and by a verb. First the plain rule, which needs no model:
//! of two facts with the same words the older one stays. Then a judge, where there is one. Invariants: nothing is
//! taken away, and every decision is a row; what protects facts is in the gate, and an answer of a model that breaks
//! it is logged as blocked; no lock is held while a model thinks. Where it fails, facts wait for the next pass, and a
//! fact that begins to hold on another day waits for that. What is shown is what would be done: a pass that carries
//! nothing out decides as one that does.
//! Reading order: this file, [`judge`] (what a model is asked and how it is heard), [`older`] (about which facts it is
//! asked), [`subject`] (what they are about), [`unwritten`] (what a pass decided and does not do).

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

/// Most facts of one pass; the others wait for the next one.
pub const PASS_FACTS_MAX: usize = 200;

/// Most questions to a judge in one pass: each may take seconds, and somebody pays for it.
pub const PASS_QUESTIONS_MAX: usize = 20;

/// The notice of a judge that does not answer.
pub const JUDGE_SILENT: &str = "judge_silent";

/// The notice of a judge that refuses one question.
pub const JUDGE_REFUSES: &str = "judge_refuses";

/// Most facts that one is held against.
pub const OTHERS_MAX: usize = 8;

/// Who is asked about contradictions.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The model.
    pub completer: &'a dyn Completer,
    /// What the owner wants it to mind, at most [`GUIDANCE_CHARS_MAX`] characters; it overrides no rule (M42).
    pub guidance: &'a str,
}

/// How a pass goes.
#[derive(Clone, Copy)]
pub struct Pass<'a> {
    /// How far.
    pub mode: Consolidation,
    /// Who is asked; `None`: nobody, and only duplicates are found.
    pub judge: Option<Judge<'a>>,
    /// Nothing is written, also no decision.
    pub dry_run: bool,
}

impl Pass<'_> {
    /// Whether facts are retired as it decides.
    fn does(&self) -> bool {
        !self.dry_run && self.mode == Consolidation::On
    }
}

/// One decision of a pass.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The fact that waited, as it was.
    pub fact: Fact,
    /// The one it was held against.
    pub other: Option<Fact>,
    /// What was decided.
    pub settlement: Settlement,
}

/// What a pass did.
#[derive(Debug, Clone, Default)]
pub struct PassReport {
    /// What was decided, the first recorded fact first.
    pub decided: Vec<Decided>,
    /// Facts that wait still.
    pub waiting: u64,
    /// How many of those begin to hold on a later day: no judge is asked about them before.
    pub not_yet: u64,
    /// What the reader should know.
    pub notices: Vec<Notice>,
}

impl PassReport {
    /// How many facts were retired.
    pub fn retired(&self) -> usize {
        self.decided
            .iter()
            .filter(|decided| decided.settlement.retires() && !decided.settlement.is_shadow)
            .count()
    }
}

impl Facts {
    /// Looks at the facts that wait. Errors: `usage_bad` for guidance that is too long, `memory_unavailable`.
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

    /// How many facts wait to be looked at.
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

    /// Decides about one fact, and does it.
    fn look_at(
        &self,
        memory: &dyn Memory,
        id: &FactId,
        pass: &Pass<'_>,
        questions: &mut Questions<'_>,
        report: &mut PassReport,
    ) -> Result<(), EngineError> {
        // An earlier step of this pass may have retired it.
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

    /// Whether it was written; what moved meanwhile waits for the next pass.
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
    /// When the pass began.
    now: Timestamp,
    /// The zone of the days that it is shown.
    zone: TimeZone,
    domain: Domain,
    waiting: &'a [Fact],
    /// Read for the first question.
    older: Option<Older>,
    /// What it decided and does not do.
    unwritten: Unwritten,
}

impl Questions<'_> {
    /// What a judge makes of a fact; without one it stays. `None`: nothing can be decided now.
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
        // What does not hold yet takes the place of nothing: it is asked about on its day.
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
            // That this fact is not judged is no reason for the others to wait.
            Err(error) if error.code == Code::ModelRefused => {
                let message = format!("The judge model refused fact {}: {}", fact.number, error.message);
                report.notices.push(Notice::new(JUDGE_REFUSES, message, error.code));
                judge::unheard("The judge model refused the question.")
            }
            Err(error) => {
                // One that does not answer is not asked again in this pass: the others wait for the next.
                self.is_open = false;
                let message =
                    format!("Facts wait, because the judge model did not answer: {}", error.message);
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

/// Whether a fact may be held against `fact`: it stands, in this pass too, and is another one.
fn stands(other: &Fact, fact: &Fact, unwritten: &Unwritten) -> bool {
    let is_retired = other.status == FactStatus::Retired || unwritten.retires(&other.id);
    other.id != fact.id && !is_retired && other.forgotten.is_none()
}

/// The fact for which `fact` is retired: the oldest one before it that has its words and its time. A person's own
/// is one also where it came later.
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
