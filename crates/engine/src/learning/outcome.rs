//! Methods, decisions and preferences, and their outcomes (M1, M5, M7).
//!
//! Every writer uses this: judge, then write. [`inwit_learn`] decides the effect of counts, in the same transaction.
//! The data belong to the owner's scope (D3). Invariants: reading never creates a memory; the only fact written here
//! is an activated preference, and never over an existing fact (M11).

mod preferences;
pub mod reflecting;

use std::borrow::Cow;
use std::collections::BTreeSet;

use inwit_gate::{Approved, Author, Check, LearningChange, LearningDeed, MethodStep, judge_learning};
use inwit_model::fact::fact_line;
use inwit_model::learning::{DecisionText, MethodState, MethodText, OutcomeText, Role};
use inwit_model::{Code, DecisionId, Hint, MethodId, Scope};
use inwit_store::Memory;
use inwit_store::memory::{LearningRules, LearningWritten};

pub use inwit_store::memory::{Decided, DecisionFilter, LearningCounts, Method, MethodFilter, Preference};

use crate::core::mask::{ModelText, masked_row, masked_where};
use crate::core::memory_fence::in_fence;
use crate::core::notice::named;
use crate::{EngineError, GateFinding, Learning, NamedValues, Notice, WriteContext};

/// Heading of the methods in a prompt.
pub(crate) const METHODS_HEAD: &str = "Methods";

/// Most decisions of one list.
pub const DECISIONS_MAX: usize = 1_000;

/// Most methods of a prompt, most confident first.
pub const PROMPT_METHODS_MAX: usize = 20;

/// Code of the notice about a demoted method.
const ON_TRIAL: &str = "method_on_trial";

/// Its hint.
const ON_TRIAL_HINT: Hint = Hint::GraduateLater;

/// Code of the notice about unreadable rows.
const UNREAD: &str = "learning_unread";

/// Its hint.
const UNREAD_HINT: &str = "Another program wrote them. Repair the row in memory.db, or remove it there.";

/// Most rows that a notice lists.
const NAMED_MAX: usize = 5;

/// The rules for counts.
const RULES: LearningRules = LearningRules {
    method: inwit_learn::method::after,
    may_graduate: inwit_learn::method::may_graduate,
    parts: inwit_learn::attribution::parts,
    preference: inwit_learn::preference::after,
};

/// A written or existing item.
#[derive(Debug, Clone)]
pub struct Learnt<T> {
    /// Its current state.
    pub what: T,
    /// Whether it was written now.
    pub is_new: bool,
    /// Findings that did not prevent it.
    pub findings: Vec<GateFinding>,
    /// Further notices.
    pub notices: Vec<Notice>,
}

/// A decision to record.
#[derive(Debug, Clone, Default)]
pub struct NewDecision<'a> {
    /// The choice.
    pub statement: &'a str,
    /// Its role; default `main`.
    pub role: Option<&'a str>,
    /// Its subject.
    pub asset: Option<&'a str>,
    /// The methods it is based on, by number or id, each with its weight. `None`: those in prompts now.
    pub methods: Option<&'a [(String, f64)]>,
}

impl Learning {
    /// Adds a method, on trial; an equal one is returned as it is (M8). Errors: refusals of the gate.
    pub fn method_add(
        &self,
        text: &MethodText,
        behalf: &WriteContext,
    ) -> Result<Learnt<Method>, EngineError> {
        let text = MethodText { body: fact_line(&text.body), ..text.clone() };
        let id = MethodId::new(self.core.clock.now(), self.core.entropy.ten());
        self.learn(LearningDeed::AddMethod(id, text), behalf)?.method()
    }

    /// Changes the state of a method. Errors: `learning_unknown`, `record_too_short`, and refusals of the gate.
    pub fn method_step(
        &self,
        part: &str,
        step: MethodStep,
        behalf: &WriteContext,
    ) -> Result<Learnt<Method>, EngineError> {
        let id = self.method(part)?.id;
        self.learn(LearningDeed::StepMethod(id, step), behalf)?.method()
    }

    /// Methods for `scope`, most confident first, without accepted secrets; other scopes than the owner's have none.
    pub fn methods(&self, scope: &Scope, filter: MethodFilter) -> Result<Vec<Method>, EngineError> {
        if *scope != Scope::Main {
            return Ok(Vec::new());
        }
        let mut methods = self.kept_methods(filter)?;
        methods.iter_mut().for_each(|method| hide_secrets(&mut method.text.body));
        Ok(methods)
    }

    /// The notice about unreadable rows, for lists.
    pub fn learning_unread(&self) -> Result<Option<Notice>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let rows = memory.learning_unread()?;
        let message = format!("Left out because it cannot be read: {}.", named(&rows, NAMED_MAX, ", "));
        Ok((!rows.is_empty()).then(|| Notice::new(UNREAD, message, UNREAD_HINT)))
    }

    /// Methods as stored.
    fn kept_methods(&self, filter: MethodFilter) -> Result<Vec<Method>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.methods(filter)?),
            None => Ok(Vec::new()),
        }
    }

    /// One method as stored, by number or id. Error: `learning_unknown`.
    pub fn method(&self, part: &str) -> Result<Method, EngineError> {
        let all = self.kept_methods(MethodFilter::All)?;
        let found = all.into_iter().find(|method| is_named(part, method.number, method.id.as_str()));
        found.ok_or_else(|| unknown("method", part))
    }

    /// The decisions based on a method, latest first, at most `limit`.
    pub fn decisions_on(&self, method: &MethodId, limit: usize) -> Result<Vec<Decided>, EngineError> {
        let mut all = self.decisions(&Scope::Main, DecisionFilter::All, usize::MAX)?;
        all.retain(|decided| decided.text.methods.iter().any(|(id, _)| id == method));
        all.truncate(limit);
        Ok(all)
    }

    /// Adds or updates a role. Errors: refusals of the gate.
    pub fn role_set(&self, role: &Role, behalf: &WriteContext) -> Result<Learnt<Role>, EngineError> {
        self.learn(LearningDeed::SetRole(role.clone()), behalf)?.role()
    }

    /// The roles for `scope`, by name.
    pub fn roles(&self, scope: &Scope) -> Result<Vec<Role>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.roles()?),
            _ => Ok(Vec::new()),
        }
    }

    /// Records a decision based on `methods`.
    pub(crate) fn decide(
        &self,
        decision: &NewDecision<'_>,
        methods: Vec<(MethodId, f64)>,
        behalf: &WriteContext,
    ) -> Result<Learnt<Decided>, EngineError> {
        let role = decision.role.unwrap_or(inwit_model::learning::ROLE_DEFAULT).to_owned();
        let asset = decision.asset.map(str::to_owned);
        let text = DecisionText { statement: fact_line(decision.statement), role, asset, methods };
        let id = DecisionId::new(self.core.clock.now(), self.core.entropy.ten());
        self.learn(LearningDeed::Decide(id, text), behalf)?.decision()
    }

    /// Records the outcome of a decision. Each of its methods gets one use, and an active one with a poor record is
    /// put back on trial (M7). The same outcome again changes nothing. Errors: `learning_unknown`, `outcome_known`,
    /// and refusals of the gate.
    pub fn decision_close(
        &self,
        part: &str,
        outcome: &OutcomeText,
        behalf: &WriteContext,
    ) -> Result<Learnt<Decided>, EngineError> {
        let decided = self.decision(part)?;
        let lesson = outcome.lesson.as_deref().map(fact_line);
        let outcome = OutcomeText { lesson, ..outcome.clone() };
        let shown = self.graduated_methods()?;
        let mut learnt = self.learn(LearningDeed::Close(decided.id, outcome), behalf)?.decision()?;
        let shown: BTreeSet<_> = shown.into_iter().map(|method| method.number).collect();
        for method in self.kept_methods(MethodFilter::Kept)? {
            if method.state == MethodState::Quarantined && shown.contains(&method.number) {
                learnt.notices.push(Notice::new(ON_TRIAL, back_on_trial(&method), ON_TRIAL_HINT));
            }
        }
        Ok(learnt)
    }

    /// Decisions for `scope`, latest first, at most `limit`, without accepted secrets.
    pub fn decisions(
        &self,
        scope: &Scope,
        filter: DecisionFilter,
        limit: usize,
    ) -> Result<Vec<Decided>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => {
                let mut decisions = memory.decisions(filter, limit)?;
                for decided in &mut decisions {
                    hide_secrets(&mut decided.text.statement);
                    decided.text.asset.iter_mut().for_each(hide_secrets);
                    if let Some((outcome, _)) = &mut decided.outcome {
                        hide_secrets(&mut outcome.key);
                        outcome.lesson.iter_mut().for_each(hide_secrets);
                    }
                }
                Ok(decisions)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// One decision by number or id. Error: `learning_unknown`.
    pub fn decision(&self, part: &str) -> Result<Decided, EngineError> {
        let unknown = || unknown("decision", part);
        let Some(memory) = self.core.memory_if_made()? else { return Err(unknown()) };
        let found = match (part.parse(), DecisionId::parse(part)) {
            (Ok(number), _) => memory.decision_numbered(number)?,
            (_, Some(id)) => memory.decision(&id)?,
            _ => None,
        };
        found.ok_or_else(unknown)
    }

    /// Puts active methods with a poor record back on trial (M66), or counts them; returns the number found and the
    /// number changed.
    pub(crate) fn demote_unfit(
        &self,
        apply: impl FnOnce(u64) -> Result<bool, EngineError>,
    ) -> Result<(u64, u64), EngineError> {
        let mut unfit = self.graduated_methods()?;
        unfit.retain(|method| inwit_learn::method::after(method.state, method.record) != method.state);
        let found = unfit.len() as u64;
        if found == 0 || !apply(found)? {
            return Ok((found, 0));
        }
        let behalf = WriteContext::of(Author::ENGINE);
        for method in unfit {
            self.learn(LearningDeed::StepMethod(method.id, MethodStep::Quarantine), &behalf)?;
        }
        Ok((found, found))
    }

    /// Counts of learning data.
    pub(crate) fn learning_counts(&self, memory: &dyn Memory) -> Result<LearningCounts, EngineError> {
        Ok(memory.learning_counts(&RULES, self.core.clock.now())?)
    }

    /// Active methods as stored, most confident first.
    pub(crate) fn graduated_methods(&self) -> Result<Vec<Method>, EngineError> {
        self.kept_methods(MethodFilter::Graduated)
    }

    fn learn(&self, deed: LearningDeed, behalf: &WriteContext) -> Result<Written, EngineError> {
        self.write_learnt(&self.judge_learnt(deed, behalf)?)
    }

    fn judge_learnt(
        &self,
        deed: LearningDeed,
        behalf: &WriteContext,
    ) -> Result<Approved<LearningChange>, EngineError> {
        let change = LearningChange { deed, author: behalf.author, allow_secret: behalf.allow_secret };
        Ok(judge_learning(&self.notes.policy_in(behalf.session.as_ref())?, change)?)
    }

    fn write_learnt(&self, approved: &Approved<LearningChange>) -> Result<Written, EngineError> {
        let written = self.core.memory()?.write_learning(approved, &RULES, self.core.clock.now())?;
        Ok(Written { written, findings: approved.findings().to_vec() })
    }
}

/// The written row, and the findings of the gate.
struct Written {
    written: LearningWritten,
    findings: Vec<GateFinding>,
}

impl Written {
    fn of<T>(
        self,
        part: impl FnOnce(LearningWritten) -> Option<(T, bool)>,
    ) -> Result<Learnt<T>, EngineError> {
        let Self { written, findings } = self;
        let mixed = || EngineError::new(Code::WriteFailed, "memory.db returned an unexpected answer.");
        let (what, is_new) = part(written).ok_or_else(mixed)?;
        Ok(Learnt { what, is_new, findings, notices: Vec::new() })
    }

    fn method(self) -> Result<Learnt<Method>, EngineError> {
        self.of(|written| match written {
            LearningWritten::Method(method, is_new) => Some((*method, is_new)),
            _ => None,
        })
    }

    fn role(self) -> Result<Learnt<Role>, EngineError> {
        self.of(|written| match written {
            LearningWritten::Role(role, is_new) => Some((role, is_new)),
            _ => None,
        })
    }

    fn decision(self) -> Result<Learnt<Decided>, EngineError> {
        self.of(|written| match written {
            LearningWritten::Decision(decided, is_new) => Some((*decided, is_new)),
            _ => None,
        })
    }

    fn preference(self) -> Result<Learnt<Preference>, EngineError> {
        self.of(|written| match written {
            LearningWritten::Preference(preference, is_new) => Some((*preference, is_new)),
            _ => None,
        })
    }
}

/// Removes secrets from shown text, even accepted ones: no list needs them.
fn hide_secrets(words: &mut String) {
    if let Cow::Owned(seen) = masked_where(words, |finding| finding.check == Check::Secret) {
        *words = seen;
    }
}

fn back_on_trial(method: &Method) -> String {
    let (number, record) = (method.number, method.record);
    let state = MethodState::Quarantined;
    format!("Method {number} was right {} times of {} and is {state} again.", record.correct, record.uses)
}

/// Whether `part` identifies this item.
fn is_named(part: &str, number: i64, id: &str) -> bool {
    part == id || part.parse() == Ok(number)
}

fn unknown(what: &str, part: &str) -> EngineError {
    let shown = inwit_model::name::shown(part);
    EngineError::new(Code::LearningUnknown, format!("There is no {what} `{shown}`."))
}

/// A line for a method without secrets, with its record; if another program wrote it, also without injection phrases and hidden
/// characters.
pub(crate) fn method_line(method: &Method, named: &NamedValues) -> (ModelText, String, BTreeSet<String>) {
    let mut classes = BTreeSet::new();
    let words = masked_row(&method.text.body, named, |_| !method.is_as_written, &mut classes);
    let (text, record) = (&method.text, method.record);
    let line = in_fence(&format!("[{}/{}] {words}", text.class, text.kind));
    let record = format!("(right {} of {} times)", record.correct, record.uses);
    let line = ModelText::made_of(&[&words], format!("{line} {record}"));
    (line, format!("method {}", method.number), classes)
}
