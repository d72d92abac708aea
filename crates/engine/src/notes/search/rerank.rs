//! Reranking: a model reads the query together with each of the first results, and its scores order them.
//!
//! The results are ranked once for the model and once with its scores, since no lock may be held while it reads. Texts
//! are masked as they are shown. A query for a time or an expression keeps its order: the model sees no dates, and an
//! expression names its matches. Invariants: results are those of the ranking, in another order; without scores, in the
//! same order; a failure of the model is a notice.

use std::collections::HashMap;

use inwit_model::watch::unwatched;
use inwit_model::{Hint, Scope};
use inwit_recall::{Question, SearchOutcome};
use inwit_store::{IndexError, SetKey};
use inwit_workspace::View;

use super::Search;
use crate::core::sync::PATH_JOINT;
use crate::notes::masked_snapshot::MaskedSnapshot;
use crate::notes::meaning::EmbeddedQuestion;
use crate::{EngineError, Notes, Notice};

/// Number of results that a reranker reads, from the first one on.
pub const RERANK_MAX: usize = 30;

/// Code of the notice that results are not reranked.
pub const RERANKER_UNUSED: &str = "reranker_unused";

/// What models computed for a query before it is ranked.
#[derive(Default)]
pub(super) struct ModelAnswers {
    /// Its vectors.
    pub(super) asked: Vec<EmbeddedQuestion>,
    /// Scores of a reranker by the text that it read; `None` without one.
    rescored: Option<HashMap<String, f32>>,
}

impl ModelAnswers {
    /// With vectors alone.
    pub(super) fn of(asked: Vec<EmbeddedQuestion>) -> Self {
        Self { asked, rescored: None }
    }

    /// How many results are ranked for `limit` of them.
    pub(super) fn candidates(&self, limit: usize) -> usize {
        if self.rescored.is_some() { limit.max(RERANK_MAX) } else { limit }
    }

    /// Orders the first results by their scores, and keeps `limit`. Equal scores keep their order, and results without
    /// a score follow.
    pub(super) fn reorder(
        &self,
        found: &mut SearchOutcome,
        veil: &mut MaskedSnapshot<'_>,
        limit: usize,
    ) -> Result<(), IndexError> {
        let Some(scores) = &self.rescored else { return Ok(()) };
        let (mut scored, mut rest) = (Vec::new(), Vec::new());
        for (at, ranked) in std::mem::take(&mut found.ranked).into_iter().enumerate() {
            let text = if at < RERANK_MAX { text(veil, ranked.position)? } else { String::new() };
            match scores.get(&text).filter(|_| at < RERANK_MAX) {
                Some(score) => scored.push((*score, ranked)),
                None => rest.push(ranked),
            }
        }
        // A stable sort.
        scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let floor = rest.iter().map(|ranked| ranked.parts.sum()).fold(0.0, f32::max);
        for (score, ranked) in &mut scored {
            ranked.parts.rerank = floor + share(*score) - ranked.parts.sum();
        }
        found.ranked = scored.into_iter().map(|(_, ranked)| ranked).chain(rest).take(limit).collect();
        Ok(())
    }
}

/// A score as a share of 1, in the same order: the logistic function, by which such models are trained.
fn share(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

impl Notes {
    /// Opens the reranker, if there is one. Errors: `model_missing`, `model_damaged`, `model_unsupported`.
    pub(crate) fn look_at_reranker(&self) -> Result<(), EngineError> {
        let looked = self.reranker.as_ref().map_or(Ok(()), |reranker| reranker.look());
        looked.map_err(|error| EngineError::new(error.code, error.message))
    }

    /// Lets the reranker, if there is one, read the first results. Errors: as [`search`](Self::search).
    pub(super) fn rescore(
        &self,
        view: &View,
        search: &Search<'_>,
        question: &Question,
        models: &mut ModelAnswers,
    ) -> Result<Vec<Notice>, EngineError> {
        let Some(reranker) = self.reranker.as_deref().filter(|_| is_reranked(question)) else {
            return Ok(Vec::new());
        };
        let set = SetKey::of(search.scope);
        let ranked = self.core.on_fresh_index(view, &mut unwatched, &mut |index, _| {
            let snapshot = index.snapshot(&set)?;
            let snapshot = snapshot.as_ref();
            let mut veil = MaskedSnapshot::over(self, search.scope, snapshot);
            let mut said = self.ratings_in(&set);
            let (found, meant) =
                self.candidates(snapshot, search, question, models, RERANK_MAX, &mut said, &mut veil)?;
            let first = found.ranked.iter().take(RERANK_MAX);
            let texts = first.map(|ranked| text(&mut veil, ranked.position));
            Ok((texts.collect::<Result<Vec<String>, _>>()?, meant.notices))
        });
        let ((texts, mut notices), repaired) = ranked?;
        if !search.scope.is_shared() {
            notices.extend(repaired);
        }
        let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
        if passages.len() < 2 {
            return Ok(notices);
        }
        match reranker.scores(search.query, &passages) {
            Ok(scores) if scores.len() == texts.len() && scores.iter().all(|score| !score.is_nan()) => {
                models.rescored = Some(texts.into_iter().zip(scores).collect());
            }
            Ok(_) => notices.push(unused(search.scope, "The model returned no score for some results.")),
            Err(error) => notices.push(unused(search.scope, &error.message)),
        }
        Ok(notices)
    }
}

/// Whether results of `question` are read by a reranker.
fn is_reranked(question: &Question) -> bool {
    let when = &question.when;
    let is_of_time = !when.readings.is_empty() || when.order.is_some() || question.event.is_some();
    question.only.is_none() && !question.terms.is_empty() && !is_of_time
}

/// What the model reads of a passage: its heading and its text, masked as they are shown.
fn text(veil: &mut MaskedSnapshot<'_>, position: u32) -> Result<String, IndexError> {
    let shown = veil.shown(position)?.into_owned();
    let shown = inwit_recall::meaning::text(&shown);
    let heading = veil.heading(position)?;
    let title = heading.rsplit(PATH_JOINT).next().unwrap_or_default();
    Ok(if title.is_empty() { shown.into_owned() } else { format!("{title}: {shown}") })
}

/// A reason could reveal a path of the owner, so other scopes do not get it.
fn unused(scope: &Scope, why: &str) -> Notice {
    let why = if *scope == Scope::Main { why } else { "The model is not available." };
    Notice::new(RERANKER_UNUSED, format!("The results are not reranked: {why}"), Hint::CheckReranker)
}
