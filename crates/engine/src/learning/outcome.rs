//! Methods, decisions and preferences: what works, as outcomes tell it (M1, M5, M7).
//!
//! Every writer comes this way: judge, then write. What follows from a count is [`inwit_learn`]'s word, carried out in
//! the same transaction. It is the owner's own: no other scope has any of it (D3). Invariants: a memory that was never
//! made is not made by looking; nothing here writes a fact but the owner's word for a preference, and that never over a
//! fact that stands (M11).

mod preferences;

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

/// The heading behind which methods stand.
pub(crate) const METHODS_HEAD: &str = "Methods";

/// Most decisions of one list.
pub const DECISIONS_MAX: usize = 1_000;

/// Most methods of a prompt, the surest first.
pub const PROMPT_METHODS_MAX: usize = 20;

/// The notice of a method that fell back on trial.
const ON_TRIAL: &str = "method_on_trial";

/// What can be done about it.
const ON_TRIAL_HINT: Hint = Hint::GraduateLater;

/// The notice of rows that cannot be read.
const UNREAD: &str = "learning_unread";

/// What can be done about them.
const UNREAD_HINT: &str = "Another program wrote them. Repair the row in memory.db, or remove it there.";

/// Rows that a notice names.
const NAMED_MAX: usize = 5;

/// What follows from what is counted.
const RULES: LearningRules = LearningRules {
    method: inwit_learn::method::after,
    may_graduate: inwit_learn::method::may_graduate,
    parts: inwit_learn::attribution::parts,
    preference: inwit_learn::preference::after,
};

/// Something that was written, or was there already.
#[derive(Debug, Clone)]
pub struct Learnt<T> {
    /// As it is now.
    pub what: T,
    /// Whether anything was written.
    pub is_new: bool,
    /// What was noticed and let pass.
    pub findings: Vec<GateFinding>,
    /// What else should be known.
    pub notices: Vec<Notice>,
}

/// A decision that is to be kept.
#[derive(Debug, Clone, Default)]
pub struct NewDecision<'a> {
    /// What was decided.
    pub statement: &'a str,
    /// In which role; `main` when unsaid.
    pub role: Option<&'a str>,
    /// About what.
    pub asset: Option<&'a str>,
    /// The methods that it rests on, by number or id, each with its weight. `None`: those that prompts show now.
    pub methods: Option<&'a [(String, f64)]>,
}

impl Learning {
    /// Keeps a method, on trial; one that says the same is answered with as it stands (M8). Errors: what the gate
    /// refuses.
    pub fn method_add(
        &self,
        text: &MethodText,
        behalf: &WriteContext,
    ) -> Result<Learnt<Method>, EngineError> {
        let text = MethodText { body: fact_line(&text.body), ..text.clone() };
        let id = MethodId::new(self.core.clock.now(), self.core.entropy.ten());
        self.learn(LearningDeed::AddMethod(id, text), behalf)?.method()
    }

    /// Takes a method a step on its way. Errors: `learning_unknown`, `record_too_short`, and what the gate refuses.
    pub fn method_step(
        &self,
        part: &str,
        step: MethodStep,
        behalf: &WriteContext,
    ) -> Result<Learnt<Method>, EngineError> {
        let id = self.method(part)?.id;
        self.learn(LearningDeed::StepMethod(id, step), behalf)?.method()
    }

    /// Methods for `scope`, the surest first, without secrets that were let stay; none but the owner's own scope has
    /// any.
    pub fn methods(&self, scope: &Scope, filter: MethodFilter) -> Result<Vec<Method>, EngineError> {
        if *scope != Scope::Main {
            return Ok(Vec::new());
        }
        let mut methods = self.kept_methods(filter)?;
        methods.iter_mut().for_each(|method| hide_secrets(&mut method.text.body));
        Ok(methods)
    }

    /// What a reader of lists is told of rows that cannot be read.
    pub fn learning_unread(&self) -> Result<Option<Notice>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let rows = memory.learning_unread()?;
        let message = format!("Left out because it cannot be read: {}.", named(&rows, NAMED_MAX, ", "));
        Ok((!rows.is_empty()).then(|| Notice::new(UNREAD, message, UNREAD_HINT)))
    }

    /// Methods as they stand.
    fn kept_methods(&self, filter: MethodFilter) -> Result<Vec<Method>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.methods(filter)?),
            None => Ok(Vec::new()),
        }
    }

    /// One method as it stands, by its number or its id. Error: `learning_unknown`.
    pub fn method(&self, part: &str) -> Result<Method, EngineError> {
        let all = self.kept_methods(MethodFilter::All)?;
        let found = all.into_iter().find(|method| is_named(part, method.number, method.id.as_str()));
        found.ok_or_else(|| unknown("method", part))
    }

    /// The decisions that rest on a method, the last one first, at most `limit`.
    pub fn decisions_on(&self, method: &MethodId, limit: usize) -> Result<Vec<Decided>, EngineError> {
        let mut all = self.decisions(&Scope::Main, DecisionFilter::All, usize::MAX)?;
        all.retain(|decided| decided.text.methods.iter().any(|(id, _)| id == method));
        all.truncate(limit);
        Ok(all)
    }

    /// Knows a role, or what is new of it. Errors: what the gate refuses.
    pub fn role_set(&self, role: &Role, behalf: &WriteContext) -> Result<Learnt<Role>, EngineError> {
        self.learn(LearningDeed::SetRole(role.clone()), behalf)?.role()
    }

    /// The roles for `scope`, by their names.
    pub fn roles(&self, scope: &Scope) -> Result<Vec<Role>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.roles()?),
            _ => Ok(Vec::new()),
        }
    }

    /// Keeps a decision that rests on `methods`.
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

    /// Tells how a decision ended; each method that it rests on gets one use, and a graduate whose record became too
    /// poor is back on trial (M7). The same outcome again changes nothing. Errors: `learning_unknown`, `outcome_known`,
    /// and what the gate refuses.
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

    /// Decisions for `scope`, the last one first, at most `limit`, without secrets that were let stay.
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

    /// One decision by its number or its id. Error: `learning_unknown`.
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

    /// Puts graduates back on trial whose record became too poor (M66), or counts them; answers with how many there
    /// were, and how many were put back.
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

    /// How much is learnt.
    pub(crate) fn learning_counts(&self, memory: &dyn Memory) -> Result<LearningCounts, EngineError> {
        Ok(memory.learning_counts(&RULES, self.core.clock.now())?)
    }

    /// The methods that graduated, as they stand, the surest first.
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

/// What the memory wrote, and what the gate noticed.
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

/// Takes a secret out of words that are shown: whoever let it stay wanted it kept, and no list needs it.
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

/// Whether somebody means this one by `part`.
fn is_named(part: &str, number: i64, id: &str) -> bool {
    part == id || part.parse() == Ok(number)
}

fn unknown(what: &str, part: &str) -> EngineError {
    let shown = inwit_model::name::shown(part);
    EngineError::new(Code::LearningUnknown, format!("There is no {what} `{shown}`."))
}

/// A line of a method without secrets, with its record; where another hand wrote it, without what steers or hides.
pub(crate) fn method_line(method: &Method, named: &NamedValues) -> (ModelText, String, BTreeSet<String>) {
    let mut classes = BTreeSet::new();
    let words = masked_row(&method.text.body, named, |_| !method.is_as_written, &mut classes);
    let (text, record) = (&method.text, method.record);
    let line = in_fence(&format!("[{}/{}] {words}", text.class, text.kind));
    let record = format!("(right {} of {} times)", record.correct, record.uses);
    let line = ModelText::made_of(&[&words], format!("{line} {record}"));
    (line, format!("method {}", method.number), classes)
}
