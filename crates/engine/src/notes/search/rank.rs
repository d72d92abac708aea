//! Ranking: by words, by embeddings if a model is available, and by feedback.
//!
//! Label lines of a log name speakers and are not results, except for an expression. Invariant: no passage, vector or
//! rating of another visible set affects a score.

use std::collections::HashMap;

use inwit_model::limit::RESULTS_MAX;
use inwit_model::{Place, SafeName};
use inwit_recall::{Question, ScoreBreakdown, SearchOutcome, Tuning};
use inwit_store::{Index, IndexError, SetKey, Snapshot, TextKey};

use super::Search;
use super::hits::{HitDraft, gathered, hits};
use super::ratings::Ratings;
use super::rerank::ModelAnswers;
use crate::Notes;
use crate::core::sync::PATH_JOINT;
use crate::notes::diversity::{self, Diversity, Likeness};
use crate::notes::journal;
use crate::notes::masked_snapshot::MaskedSnapshot;
use crate::notes::meaning::Meant;
use crate::{EngineError, Notice};

/// Ranked results, and the snapshot they are from.
pub(super) struct Ranked {
    pub(super) found: SearchOutcome,
    pub(super) hits: Vec<HitDraft>,
    /// Most hits requested.
    pub(super) limit: usize,
    pub(super) over_budget: usize,
    pub(super) model: Option<String>,
    pub(super) diversity: Option<Diversity>,
    pub(super) notices: Vec<Notice>,
}

/// A passage that matches, at any rank.
pub(crate) struct Far {
    /// Breakdown of its score.
    pub(crate) parts: ScoreBreakdown,
    /// Whether it is only a label line.
    pub(crate) only_names: bool,
}

impl Notes {
    /// Ranks the best passages by words, and by embeddings where possible.
    pub(super) fn rank(
        &self,
        index: &dyn Index,
        search: &Search<'_>,
        question: &Question,
        models: &ModelAnswers,
    ) -> Result<Ranked, EngineError> {
        let set = SetKey::of(search.scope);
        let snapshot = index.snapshot(&set)?;
        let snapshot = snapshot.as_ref();
        let mut said = self.ratings_in(&set);
        let limit = search.limit.clamp(1, RESULTS_MAX);
        let is_gathered = search.bounds.result_chars.is_some();
        let wanted = if is_gathered { limit.saturating_mul(GATHERED_FACTOR).min(RESULTS_MAX) } else { limit };
        let candidates = diversity::candidates(question, wanted);
        let mut veil = MaskedSnapshot::over(self, search.scope, snapshot);
        let ranked = models.candidates(candidates);
        let (mut found, mut meant) =
            self.candidates(snapshot, search, question, models, ranked, &mut said, &mut veil)?;
        models.reorder(&mut found, &mut veil, candidates)?;
        let likeness = Likeness { model: meant.model.as_ref(), analyser: &mut self.core.recall().analyser };
        let (places, diversity) =
            self.diversified(snapshot, &mut found, question, likeness, &mut veil, wanted)?;
        let keys = &snapshot.corpus().keys;
        let answers = found.ranked.iter().filter_map(|hit| keys.get(hit.position as usize).copied());
        said.look_up(&answers.collect::<Vec<_>>());
        meant.notices.extend(said.notice().filter(|_| !search.scope.is_shared()));
        let (hits, over_budget) = match search.bounds.result_chars {
            Some(chars) => (gathered(snapshot, &found, &places, &said, [limit, chars], &mut veil)?, 0),
            None => hits(snapshot, &found, &places, &said, search.budget_chars, &mut veil)?,
        };
        let model = meant.model.map(|model| model.name);
        Ok(Ranked { found, hits, limit, over_budget, model, diversity, notices: meant.notices })
    }

    /// The best `limit` passages by words, and by embeddings where possible.
    #[expect(clippy::too_many_arguments, reason = "what a ranking of one snapshot is made of")]
    pub(super) fn candidates(
        &self,
        snapshot: &dyn Snapshot,
        search: &Search<'_>,
        question: &Question,
        models: &ModelAnswers,
        limit: usize,
        said: &mut Ratings,
        veil: &mut MaskedSnapshot<'_>,
    ) -> Result<(SearchOutcome, Meant), IndexError> {
        let meant = self.meant(search.scope, snapshot, &models.asked);
        let mut feedback = |keys: &[TextKey]| said.scores_of(keys);
        let shown = match question.only {
            Some(_) => veil.all()?,
            None => HashMap::new(),
        };
        let mut tuning = Tuning { weights: &self.weights, feedback: &mut feedback, shown: &shown };
        let cosines = meant.cosines.as_deref();
        let found = found(snapshot, question, cosines, &mut tuning, limit, search.bounds.only_memory)?;
        Ok((found, meant))
    }

    /// Scores of the passages at `places` (file and first line), at any rank, in the current index. Errors: as
    /// [`search`](Self::search).
    pub(crate) fn found_far(
        &self,
        search: &Search<'_>,
        places: &[(SafeName, u32)],
    ) -> Result<Vec<Option<Far>>, EngineError> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let (question, _) = self.question(search)?;
        let (asked, _) = self.asked(search.query, search.scope);
        let set = SetKey::of(search.scope);
        let snapshot = self.core.index().snapshot(&set)?;
        let snapshot = snapshot.as_ref();
        let corpus = snapshot.corpus();
        let meant = self.meant(search.scope, snapshot, &asked);
        let mut said = self.ratings_in(&set);
        let mut feedback = |keys: &[TextKey]| said.scores_of(keys);
        let mut tuning = Tuning { weights: &self.weights, feedback: &mut feedback, shown: &HashMap::new() };
        let all = corpus.len().max(1);
        let found = inwit_recall::search(snapshot, &question, meant.cosines.as_deref(), &mut tuning, all)?;
        let parts: HashMap<u32, ScoreBreakdown> =
            found.ranked.iter().map(|hit| (hit.position, hit.parts)).collect();
        let far = places.iter().map(|(name, line)| {
            let Some(file) = corpus.files.iter().find(|file| file.name == *name) else { return Ok(None) };
            let positions: Vec<u32> = (file.first..file.first + file.count).collect();
            let passages = snapshot.passages(&positions)?;
            let at = passages.iter().position(|passage| passage.first_line == *line);
            let Some(position) = at.map(|at| positions[at]) else { return Ok(None) };
            let Some(parts) = parts.get(&position).copied() else { return Ok(None) };
            Ok(Some(Far { parts, only_names: is_name_lines(snapshot, position)? }))
        });
        far.collect()
    }
}

/// Candidates per result when neighbours and repetitions are merged.
const GATHERED_FACTOR: usize = 5;

/// Factor by which candidates grow while label lines displace results.
const NAME_LINES_FACTOR: usize = 4;

/// The best `limit` passages with content. Label lines propagate their words to the text below, but are not results.
fn found(
    snapshot: &dyn Snapshot,
    question: &Question,
    cosines: Option<&[f32]>,
    tuning: &mut Tuning<'_>,
    limit: usize,
    only_memory: bool,
) -> Result<SearchOutcome, IndexError> {
    let mut asked = limit.saturating_mul(2).min(RESULTS_MAX);
    loop {
        let mut found = inwit_recall::search(snapshot, question, cosines, tuning, asked)?;
        let is_all = found.ranked.len() < asked || asked == RESULTS_MAX;
        let mut answers = Vec::with_capacity(limit);
        for ranked in std::mem::take(&mut found.ranked) {
            // An expression may search for names.
            let counts = (question.only.is_some() || !is_name_lines(snapshot, ranked.position)?)
                && (!only_memory || is_memory(snapshot, ranked.position));
            if counts && answers.len() < limit {
                answers.push(ranked);
            }
        }
        if is_all || answers.len() == limit {
            return Ok(SearchOutcome { ranked: answers, ..found });
        }
        asked = asked.saturating_mul(NAME_LINES_FACTOR).min(RESULTS_MAX);
    }
}

fn is_memory(snapshot: &dyn Snapshot, position: u32) -> bool {
    let corpus = snapshot.corpus();
    let name = corpus.files[corpus.file_at(position)].name.as_str();
    matches!(name, "MEMORY.md" | "memory.md" | "USER.md") || name.starts_with("memory/")
}

fn is_name_lines(snapshot: &dyn Snapshot, position: u32) -> Result<bool, IndexError> {
    let corpus = snapshot.corpus();
    let place = Place::of(&corpus.files[corpus.file_at(position)].name);
    if !matches!(place, Some(Place::Journal(_) | Place::RoomMemory { .. })) {
        return Ok(false);
    }
    Ok(snapshot.passages(&[position])?.iter().any(|passage| {
        let title = passage.heading.rsplit(PATH_JOINT).next().unwrap_or_default();
        journal::entry::moment(title).is_some() && journal::is_names(&passage.text)
    }))
}
