//! Facts that stand beside an answer of the notes, though nobody asked for facts.
//!
//! Any word finds a fact; that alone would put a fact beside every answer. So only those stand there that hold half of
//! what the question says, as words of the notes are counted: without words that carry no content, and by their stems.
//! No model is asked: the notes asked it
//! already, and near in meaning is too far here. Invariant: as every answer for a model, by what is shown of a fact.

use inwit_model::Scope;
use inwit_model::fact::When;
use inwit_recall::Question;

use super::look::FactAnswer;
use super::seen::ShownFact;
use crate::{EngineError, Facts};

/// Most facts beside an answer of the notes.
pub const FACTS_BESIDE_MAX: usize = 5;

/// Facts that are looked at for those.
const LOOKED_AT: usize = 50;

impl Facts {
    /// The facts for `scope` that hold half of the question's words, as a model sees them, best first, at most
    /// [`FACTS_BESIDE_MAX`].
    pub fn facts_near(
        &self,
        scope: &Scope,
        query: &str,
        when: &When,
    ) -> Result<FactAnswer<ShownFact>, EngineError> {
        let mut answer = self.answered_masked(scope, query, when, LOOKED_AT, false)?;
        if answer.facts.is_empty() {
            return Ok(answer);
        }
        let today = self.core.today();
        let analyser = &mut self.core.recall().analyser;
        let question = Question::new(query, today, analyser)?;
        let asked: Vec<_> = question.terms.iter().chain(&question.time_terms).collect();
        answer.facts.retain(|fact| {
            let said = analyser.terms(&format!("{}: {}", fact.category, fact.content)).counts;
            let holds = |term: &str| said.iter().any(|(said, _)| said == term);
            let held = asked.iter().filter(|term| {
                holds(&term.term) || term.joined.iter().chain(&term.spelled).any(|term| holds(term))
            });
            held.count() * 2 >= asked.len().max(1)
        });
        answer.more = answer.facts.len() > FACTS_BESIDE_MAX;
        answer.facts.truncate(FACTS_BESIDE_MAX);
        Ok(answer)
    }
}
