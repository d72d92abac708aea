//! Observed preferences: counted, proposed, and a fact once the owner approves (M8, M22).
//!
//! Invariants: no count activates one; a stated fact is unchanged by a preference with the same text, and is not
//! removed with it (M11).

use inwit_gate::{
    Author, FactChange, FactDeed, FactText, FactVerdict, HumanConsent, LearningDeed, PreferenceStep,
    judge_fact,
};
use inwit_model::fact::{Category, fact_line};
use inwit_model::learning::{PreferenceState, PreferenceText};
use inwit_model::{Code, FactId, FactSource, PreferenceId, Scope, SessionId};
use inwit_store::memory::{FactWritten, Preference};

use super::{Learnt, hide_secrets, is_named, unknown};
use crate::{EngineError, Learning, WriteContext};

/// Category of the fact of a preference.
const CATEGORY: &str = "preference";

impl Learning {
    /// Counts an observation of a preference; without a session the day counts as one. After three in two sessions it
    /// is proposed. Errors: refusals of the gate.
    pub fn preference_see(
        &self,
        text: &PreferenceText,
        session: Option<SessionId>,
        behalf: &WriteContext,
    ) -> Result<Learnt<Preference>, EngineError> {
        let text = PreferenceText { statement: fact_line(&text.statement), ..text.clone() };
        let day = || SessionId::parse(&format!("day-{}", self.core.today())).ok();
        let session = session.or_else(day);
        let id = PreferenceId::new(self.core.clock.now(), self.core.entropy.ten());
        self.learn(LearningDeed::See(id, text, session), behalf)?.preference()
    }

    /// Preferences for `scope`, last observed first, without accepted secrets; other scopes than the owner's have
    /// none.
    pub fn preferences(
        &self,
        scope: &Scope,
        state: Option<PreferenceState>,
    ) -> Result<Vec<Preference>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => {
                let mut preferences = memory.preferences(state)?;
                preferences.iter_mut().for_each(|preference| hide_secrets(&mut preference.text.statement));
                Ok(preferences)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// One preference as stored, by number or id. Error: `learning_unknown`.
    pub fn preference(&self, part: &str) -> Result<Preference, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Err(unknown("preference", part)) };
        let all = memory.preferences(None)?;
        let found =
            all.into_iter().find(|preference| is_named(part, preference.number, preference.id.as_str()));
        found.ok_or_else(|| unknown("preference", part))
    }

    /// Activates a preference by consent of `person`: it becomes a fact with source `learned_preference`. An equal
    /// fact is unchanged. Errors: `learning_unknown`, and refusals of the gate.
    pub fn preference_activate(
        &self,
        part: &str,
        person: &HumanConsent,
    ) -> Result<Learnt<Preference>, EngineError> {
        let preference = self.preference(part)?;
        if self.holds(&preference)? {
            return Ok(Learnt { what: preference, is_new: false, findings: Vec::new(), notices: Vec::new() });
        }
        let fact = self.promoted(&preference, person)?;
        let behalf = WriteContext::of(Author::owner(person));
        let step = LearningDeed::StepPreference(preference.id, PreferenceStep::Activate(fact));
        self.learn(step, &behalf)?.preference()
    }

    /// Rejects a preference. Errors: `learning_unknown`, `step_refused` for an active one.
    pub fn preference_reject(
        &self,
        part: &str,
        behalf: &WriteContext,
    ) -> Result<Learnt<Preference>, EngineError> {
        let id = self.preference(part)?.id;
        self.learn(LearningDeed::StepPreference(id, PreferenceStep::Reject), behalf)?.preference()
    }

    /// Archives an active preference: its fact is forgotten, unless it was stated. Errors: `learning_unknown`,
    /// `step_refused` for one that is not active.
    pub fn preference_archive(
        &self,
        part: &str,
        behalf: &WriteContext,
    ) -> Result<Learnt<Preference>, EngineError> {
        let preference = self.preference(part)?;
        let step = LearningDeed::StepPreference(preference.id.clone(), PreferenceStep::Archive);
        let approved = self.judge_learnt(step, behalf)?;
        // The fact first: after an interruption the call can be repeated, and no archived preference stays in effect.
        let others = self.preferences(&Scope::Main, Some(PreferenceState::Active))?;
        let is_anothers =
            others.iter().any(|other| other.id != preference.id && other.fact == preference.fact);
        if let Some(id) = preference.fact.as_ref().filter(|_| !is_anothers) {
            self.forget_promoted(id, behalf)?;
        }
        self.write_learnt(&approved)?.preference()
    }

    /// Whether it is active and its fact exists, possibly corrected.
    fn holds(&self, preference: &Preference) -> Result<bool, EngineError> {
        let Some(id) = preference.fact.as_ref().filter(|_| preference.state == PreferenceState::Active)
        else {
            return Ok(false);
        };
        Ok(self.core.memory()?.fact(id)?.is_some_and(|fact| fact.forgotten.is_none()))
    }

    fn promoted(&self, preference: &Preference, person: &HumanConsent) -> Result<FactId, EngineError> {
        let category =
            Category::parse(CATEGORY).map_err(|error| EngineError::new(Code::UsageBad, error.to_string()))?;
        let text = FactText::new(category, &preference.text.statement);
        let memory = self.core.memory()?;
        let now = self.core.clock.now();
        match judge_fact(&self.core.policy(), None, FactChange::promoted(text, person)) {
            FactVerdict::Approved(approved) => {
                match memory.write_fact(&approved, &FactId::new(now, self.core.entropy.ten()), now)? {
                    FactWritten::Fact(fact) | FactWritten::Unchanged(fact) => Ok(fact.id),
                    _ => Err(EngineError::new(Code::WriteFailed, "memory.db returned an unexpected answer.")),
                }
            }
            FactVerdict::Refused(refusal) => Err(refusal.into()),
            FactVerdict::Pending(_) => {
                Err(EngineError::new(Code::PolicyRefused, "A person must see this text first."))
            }
        }
    }

    /// Forgets the fact of a preference, if it exists and was not stated.
    fn forget_promoted(&self, id: &FactId, behalf: &WriteContext) -> Result<(), EngineError> {
        let Some(fact) = self.core.memory()?.fact(id)? else { return Ok(()) };
        if fact.source != FactSource::LearnedPreference || fact.forgotten.is_some() {
            return Ok(());
        }
        let deed = FactDeed::Forget { id: fact.id.clone(), base: fact.text.sha256() };
        self.facts.write_fact(deed, None, behalf).map(drop)
    }
}
