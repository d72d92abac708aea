//! Reading facts: one, a list, a search, the user profile.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use inwit_model::fact::When;
use inwit_model::{Code, FactId, Hint, Scope};
use inwit_store::memory::{Fact, FactFilter, FactsFound, FoundBy, ProfileEntry};

use inwit_store::memory::facts::{
    FACT_PHRASE_CHARS_MAX, FACT_QUERY_WORDS_MAX, FACT_RANKED_ROWS_MAX, ShownOf,
};

use super::{rank, seen};
use crate::{EngineError, Facts, Notice};

/// Most facts of one list or answer. A list may request one more, to see whether there are more.
pub const FACTS_MAX: usize = 1_000;

/// Most retired facts returned with an answer.
pub const RETIRED_MAX: usize = 20;

/// Candidates per requested fact, before ranking by entities.
const LOOKED_AT_TIMES: usize = 4;

/// Fewest candidates.
const LOOKED_AT_MIN: usize = 50;

/// Results of a fact search: as stored, for the owner, or masked for a model.
#[derive(Debug, Clone)]
pub struct FactAnswer<F = Fact> {
    /// The facts, best first.
    pub facts: Vec<F>,
    /// How they were found; `None` if there are no facts to search.
    pub by: Option<FoundBy>,
    /// Only some words of the query were searched: there were too many.
    pub is_cut: bool,
    /// Only the first characters of the query were searched as a phrase.
    pub is_phrase_cut: bool,
    /// Only some matches were ranked: there were too many.
    pub is_part: bool,
    /// The full-text index failed, so all facts were scanned by characters.
    pub is_by_rows: bool,
    /// Why embeddings were not used, if requested.
    pub unused: Vec<Notice>,
    /// What is masked in facts: their numbers and the classes.
    pub masked: Vec<(i64, BTreeSet<String>)>,
    /// Whether there are more results.
    pub more: bool,
    /// Notice about unreadable rows, which may match too.
    pub unread: Option<Notice>,
}

impl<F> Default for FactAnswer<F> {
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            by: None,
            is_cut: false,
            is_phrase_cut: false,
            is_part: false,
            is_by_rows: false,
            unused: Vec::new(),
            masked: Vec::new(),
            more: false,
            unread: None,
        }
    }
}

impl<F: Borrow<Fact>> FactAnswer<F> {
    /// Notices for the reader.
    pub fn notices(&self) -> Vec<Notice> {
        let looked_up = match (self.is_cut, self.is_phrase_cut) {
            (true, true) => format!(
                "its first {FACT_QUERY_WORDS_MAX} words and its first {FACT_PHRASE_CHARS_MAX} characters"
            ),
            (true, false) => format!("its first {FACT_QUERY_WORDS_MAX} words"),
            (false, _) => format!("its first {FACT_PHRASE_CHARS_MAX} characters"),
        };
        let message = format!("The query is long: only {looked_up} were used.");
        let cut = Notice::new("query_cut", message, "Search with a few words.");
        let message = format!(
            "More than {FACT_RANKED_ROWS_MAX} facts contain such common words. Only those with the rarer \
             words of the query were ranked, or else the latest."
        );
        let part = Notice::new("query_broad", message, "Search with a word that fewer facts contain.");
        let message = "The full-text index of memory.db is damaged, so the facts were searched letter by \
                       letter.";
        let by_rows = Notice::new(Code::MemoryIndexStale.spec().name, message.to_owned(), Hint::ReindexFacts);
        let said =
            [(self.is_cut || self.is_phrase_cut, cut), (self.is_part, part), (self.is_by_rows, by_rows)];
        let said = said.into_iter().filter_map(|(bites, notice)| bites.then_some(notice));
        said.chain(self.unused.iter().cloned())
            .chain(self.masked_notice())
            .chain(self.unread.clone())
            .collect()
    }

    /// Notice about masked text in these facts.
    pub fn masked_notice(&self) -> Option<Notice> {
        let mut known = BTreeSet::new();
        let mut told = self.masked.clone();
        told.retain(|(number, _)| {
            self.facts.iter().any(|fact| fact.borrow().number == *number) && known.insert(*number)
        });
        seen::notice(&told)
    }
}

impl Facts {
    /// One fact by number, id, or unique start or end of its id; forgotten ones included. Errors: `fact_unknown`,
    /// `usage_bad` for an ambiguous part.
    pub fn fact(&self, part: &str) -> Result<Fact, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Err(unknown(part)) };
        let number: Result<i64, _> = part.parse();
        if let Some(unread) = self.unread_fact(part)? {
            return Err(EngineError::new(
                Code::FactUnread,
                format!("memory.db contains {unread}, which cannot be read."),
            ));
        }
        let found = memory.find_facts(part)?;
        let id = match found.as_slice() {
            [] => return Err(unknown(part)),
            // A number takes precedence over ids with these digits.
            [first, ..] if self.is_number(memory.as_ref(), first, number.ok())? => first,
            [one] => one,
            several => {
                let message = format!("`{part}` is part of {} facts; give more of it.", several.len());
                return Err(EngineError::new(Code::UsageBad, message));
            }
        };
        memory.fact(id)?.ok_or_else(|| unknown(part))
    }

    fn is_number(
        &self,
        memory: &dyn inwit_store::Memory,
        id: &FactId,
        number: Option<i64>,
    ) -> Result<bool, EngineError> {
        let Some(number) = number else { return Ok(false) };
        Ok(memory.fact(id)?.is_some_and(|fact| fact.number == number))
    }

    /// Facts for `scope`, last changed first; other scopes than the owner's have none.
    pub fn facts(&self, scope: &Scope, filter: &FactFilter) -> Result<Vec<Fact>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => {
                let limit = filter.limit.min(FACTS_MAX + 1);
                let mut facts = memory.facts(&FactFilter { limit, ..filter.clone() })?;
                // Expired facts are not returned, even if not yet removed (M26).
                let before = self.forgotten_before();
                facts.retain(|fact| fact.forgotten.is_none_or(|at| at >= before));
                Ok(facts)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Facts for `scope` that match `query`, best first: by words and, if facts have vectors, by embeddings; shared
    /// entities rank first (M49). An empty query is an error.
    pub fn search_facts(
        &self,
        scope: &Scope,
        query: &str,
        when: &When,
        limit: usize,
    ) -> Result<FactAnswer, EngineError> {
        self.answered(scope, query, when, limit, None, true, |fact| fact)
    }

    /// The results for a reader who sees the `shown` text of a fact, each converted by `seen`; `by_meaning` adds
    /// embeddings.
    #[expect(clippy::too_many_arguments, reason = "a question, and who asks it")]
    pub(super) fn answered<F: Borrow<Fact>>(
        &self,
        scope: &Scope,
        query: &str,
        when: &When,
        limit: usize,
        shown: Option<&ShownOf<'_>>,
        by_meaning: bool,
        mut seen: impl FnMut(Fact) -> F,
    ) -> Result<FactAnswer<F>, EngineError> {
        let memory = match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => memory,
            _ => return Ok(FactAnswer::default()),
        };
        let limit = limit.min(FACTS_MAX);
        let looked_at = limit.saturating_mul(LOOKED_AT_TIMES).max(LOOKED_AT_MIN);
        let FactsFound { facts, by, is_cut, is_phrase_cut, is_part, is_by_rows } =
            memory.search_facts_shown(query, when, looked_at, shown)?;
        let (near, unused) = match by_meaning {
            true => self.near_facts(memory.as_ref(), query, when, looked_at)?,
            false => (Vec::new(), Vec::new()),
        };
        // Entities of the shown text count.
        let lists = [facts, near].map(|facts| facts.into_iter().map(&mut seen).collect());
        let mut facts = rank::fused(query, lists);
        let more = facts.len() > limit;
        facts.truncate(limit);
        let unread = self.unread_notice(scope)?;
        Ok(FactAnswer {
            facts,
            by: Some(by),
            is_cut,
            is_phrase_cut,
            is_part,
            is_by_rows,
            unused,
            masked: Vec::new(),
            more,
            unread,
        })
    }

    /// Retired facts for `scope` that match `query`, best first, at most [`RETIRED_MAX`].
    pub(super) fn search_retired(
        &self,
        scope: &Scope,
        query: &str,
        shown: Option<&ShownOf<'_>>,
    ) -> Result<Vec<Fact>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.search_retired(query, RETIRED_MAX, shown)?),
            _ => Ok(Vec::new()),
        }
    }

    /// Earlier versions of a fact, oldest first; for the owner only. Errors: as [`fact`](Self::fact).
    pub fn fact_versions(&self, part: &str) -> Result<Vec<Fact>, EngineError> {
        let id = self.fact(part)?.id;
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.fact_versions(&id)?),
            None => Ok(Vec::new()),
        }
    }

    /// The user profile, sorted by key; for the owner's scope only.
    pub fn user_profile(&self, scope: &Scope) -> Result<Vec<ProfileEntry>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.user_profile()?),
            _ => Ok(Vec::new()),
        }
    }
}

pub(super) fn unknown(part: &str) -> EngineError {
    let shown = inwit_model::name::shown(part);
    EngineError::new(Code::FactUnknown, format!("There is no fact `{shown}`."))
}
