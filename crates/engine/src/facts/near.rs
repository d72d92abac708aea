//! Facts shown together with search results of notes.
//!
//! A single common word would match a fact in every search. So only facts with half of the query's content words, by
//! stem, are shown. No model is called: the notes search did, and similar meaning alone is too weak here. Invariant:
//! facts match by their masked text, as in every answer for a model.

use inwit_model::Scope;
use inwit_model::fact::When;
use inwit_recall::Question;

use super::look::FactAnswer;
use super::seen::ShownFact;
use crate::{EngineError, Facts};

/// Most facts beside results of notes.
pub const FACTS_BESIDE_MAX: usize = 5;

/// Candidates for those.
const LOOKED_AT: usize = 50;

impl Facts {
    /// The facts for `scope` with half of the query's words, masked, best first, at most [`FACTS_BESIDE_MAX`].
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
