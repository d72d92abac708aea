//! Search of notes: update the index, rank, and return passages with their place.
//!
//! Files may change while they are searched, so what was found is held against them, and where they say something else by
//! now the question is asked again. Invariant: a hit is what its file says, as long as the file is the one that was
//! indexed.
//! Reading order: this file (the question), [`ahead`] (the index is read while the files are checked), [`rank`] (what answers best)
//! with [`ratings`] (feedback), [`hits`] (as passages to be read), [`read`] (compared
//! with the files, and masked), [`answer`], [`rerank`] (by a model that reads the results), [`near_words`] (where nothing answers), [`recalled`] (noted for dreams).

pub(crate) mod ahead;
mod answer;
mod hits;
mod near_words;
mod rank;
mod ratings;
mod read;
mod recalled;
mod rerank;

use inwit_model::plural::counted;
use inwit_model::watch::{Watch, unwatched};
use inwit_model::{Code, Scope};
pub use inwit_recall::ScoreBreakdown;
pub use inwit_recall::lexical::TermFound;
pub use inwit_recall::time::Interval;
use inwit_recall::{Bounds, Expression, ExpressionError, Question};
use inwit_store::SetKey;
use inwit_workspace::View;

use crate::Notes;
use crate::core::mask;
use crate::core::mask::Masked;
use crate::core::notice::left_out;
use crate::core::sync::SyncReport;
use crate::{EngineError, Notice};

pub use answer::{Answer, MORE_HOLD, TimeUnderstood};
pub use hits::{Hit, Lifetime};
pub(crate) use rank::Far;
pub use ratings::feedback_score;
use read::{Read, verify};
use rerank::ModelAnswers;
pub use rerank::{RERANK_MAX, RERANKER_UNUSED};

/// A query.
#[derive(Debug, Clone)]
pub struct Search<'q> {
    /// The text.
    pub query: &'q str,
    /// The scope.
    pub scope: &'q Scope,
    /// Most hits, 1 to [`RESULTS_MAX`](inwit_model::limit::RESULTS_MAX).
    pub limit: usize,
    /// Most characters of text over all hits; remaining room is filled with neighbours.
    pub budget_chars: Option<usize>,
    /// Explicit time bounds.
    pub bounds: Bounds<'q>,
}

impl Notes {
    /// Searches the current notes. Errors: `query_bad`, `time_bad`, `workspace_unreadable`, `index_unavailable`,
    /// `locked`.
    pub fn search(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let answer = self.search_unnoted(search)?;
        Ok(self.remembered(search, answer))
    }

    /// The same without recording it for dreams, for inspecting a search.
    pub(crate) fn search_unnoted(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let (question, unread) = self.question(search)?;
        // An expression matches by characters, so embeddings are not used.
        let (asked, mut unused) = match question.only {
            Some(_) => (Vec::new(), Vec::new()),
            None => self.asked(search.query, search.scope),
        };
        let mut models = ModelAnswers::of(asked);
        unused.extend(self.rescore(&self.core.view(search.scope), search, &question, &mut models)?);
        let mut looks = 1;
        let mut answer = loop {
            let (answer, agrees) = self.look(search, &question, &models)?;
            // If files change faster than they are read, the answer is slightly old.
            if agrees || looks == LOOKS_MAX {
                break answer;
            }
            looks += 1;
        };
        let masked: Vec<Masked> = answer.hits.iter().flat_map(|hit| hit.masked.iter().cloned()).collect();
        answer.notices.extend(mask::notice(&masked));
        // An unreported failure of the vector cache is reported once.
        let is_told = |unused: &Notice| answer.notices.iter().any(|told| told == unused);
        let unused: Vec<Notice> = unused.into_iter().filter(|unused| !is_told(unused)).collect();
        answer.notices.extend(unused);
        answer.notices.extend(unread);
        Ok(answer)
    }

    /// The parsed query, and why it is not a valid expression if it should be one.
    fn question(&self, search: &Search<'_>) -> Result<(Question, Option<Notice>), EngineError> {
        let today = self.core.today();
        let expression = search.bounds.is_expression.then(|| Expression::parse(search.query));
        let analyser = &mut self.core.recall().analyser;
        let (question, unread) = match expression {
            Some(Ok(expression)) => (Question::expressed(expression, today, analyser)?, None),
            Some(Err(why)) => (Question::new(search.query, today, analyser)?, Some(no_expression(&why))),
            None => (Question::new(search.query, today, analyser)?, None),
        };
        Ok((question.within(&search.bounds, today)?, unread))
    }

    /// One attempt: the answer, and whether the files still match. A damaged index is replaced.
    fn look(
        &self,
        search: &Search<'_>,
        question: &Question,
        models: &ModelAnswers,
    ) -> Result<(Answer, bool), EngineError> {
        let view = self.core.view(search.scope);
        let (index, set) = (self.core.index(), SetKey::of(search.scope));
        self.read_ahead.during(index.as_ref(), &set, || self.look_on(&view, search, question, models))
    }

    fn look_on(
        &self,
        view: &View,
        search: &Search<'_>,
        question: &Question,
        models: &ModelAnswers,
    ) -> Result<(Answer, bool), EngineError> {
        let answered = self.core.on_fresh_index(view, &mut unwatched, &mut |index, report| {
            let ranked = self.rank(index, search, question, models)?;
            self.core.files.expect(&ranked.hits.iter().map(|shown| &shown.hit.name).collect::<Vec<_>>());
            let read = verify(view, &ranked.hits)?;
            let mut told = left_out(&report.unread, &report.skipped);
            // If there are results, ignored files need no notice.
            told.extend((ranked.hits.is_empty() && report.ignored > 0).then(|| ignored(report.ignored)));
            Ok((ranked, told, read))
        });
        let ((ranked, mut told, read), mended) = answered?;
        if !search.scope.is_shared() {
            told.extend(mended);
        }
        let agrees = ranked.hits.iter().all(|shown| read.contains_key(&shown.hit.name));
        Ok((self.seen_by_model(search.scope, ranked, &read).answer(question, told), agrees))
    }

    /// The answer without waiting: if another process writes the index, or files keep changing, it is from the last
    /// commit, as far as files still match. Errors: as [`search`](Self::search), except `locked`. Nothing is recorded
    /// yet.
    pub(crate) fn look_in_passing(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let (question, _) = self.question(search)?;
        for _ in 1..LOOKS_MAX {
            match self.look(search, &question, &ModelAnswers::default()) {
                Ok((answer, true)) => return Ok(answer),
                Ok((_, false)) => {}
                Err(error) if error.code == Code::Locked => break,
                Err(error) => return Err(error),
            }
        }
        let view = self.core.view(search.scope);
        self.core.load_named_of_files(&view);
        let mut ranked =
            self.rank(self.core.index().as_ref(), search, &question, &ModelAnswers::default())?;
        let mut read = Read::new();
        ranked.hits.retain(|shown| {
            let found = verify(&view, std::slice::from_ref(shown)).unwrap_or_default();
            let stands = found.contains_key(&shown.hit.name);
            read.extend(found);
            stands
        });
        let behind = Notice::new(
            "index_behind",
            "Another process is updating the index, so this answer is from its last state.",
            "The next search checks again.",
        );
        Ok(self.seen_by_model(search.scope, ranked, &read).answer(&question, vec![behind]))
    }

    /// Updates the index of `scope`, so that the next query is fast; `watch` gets the number of files done and the
    /// total. Errors: as [`search`](Self::search).
    pub fn refresh(&self, scope: &Scope, watch: &mut Watch<'_>) -> Result<Vec<Notice>, EngineError> {
        let ((), notices) = self.core.on_fresh_index(&self.core.view(scope), watch, &mut |_, _| Ok(()))?;
        Ok(notices)
    }

    /// Rebuilds the index of `scope`; `watch` gets the number of files done and the total.
    pub fn rebuild(
        &self,
        scope: &Scope,
        watch: &mut Watch<'_>,
    ) -> Result<(SyncReport, Vec<Notice>), EngineError> {
        // An index that cannot be cleared is replaced below.
        let _ = self.core.index().clear();
        self.core.on_fresh_index(&self.core.view(scope), watch, &mut |_, report| Ok(report))
    }
}

fn ignored(count: usize) -> Notice {
    let message = format!(
        "Not searched: {} that .gitignore or .inwitignore names, or in a venv \
         or cache.",
        counted(count, "file")
    );
    Notice::new("files_ignored", message, "Write `!*.md` into .inwitignore to search them.")
}

fn no_expression(why: &ExpressionError) -> Notice {
    let message = format!("The query is not a valid expression, so its words were searched: {why}.");
    let hint = "Write words, \"a phrase\", slip*, AND, OR, NOT and parentheses.";
    Notice::new("expression_unread", message, hint)
}

/// Attempts of a query while its files change.
const LOOKS_MAX: usize = 3;
