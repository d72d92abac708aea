//! Hits: passages with their place, and with neighbours while there is room.
//!
//! Invariants: no passage is in two hits; with a budget, the displayed characters of all hits stay within it.

use std::collections::HashSet;

use inwit_model::{SafeName, Sha256, Taint};
use inwit_recall::{Analyser, Highlighter, ScoreBreakdown, SearchOutcome};
use inwit_store::memory::Tally;
use inwit_store::{Corpus, Follows, IndexError, Snapshot, StoredPassage, TextKey};
use jiff::civil::Date;

use jiff::Timestamp;

use super::ratings::Ratings;
use crate::core::mask::{Masked, ModelText};
use crate::notes::masked_snapshot::MaskedSnapshot;

/// The lifetime of a passage in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// Time of the commit that added it.
    pub from: Timestamp,
    /// Time of the commit that removed it; `None` if it still exists.
    pub until: Option<Timestamp>,
}

/// One hit.
#[derive(Debug, Clone)]
pub struct Hit {
    /// Its file.
    pub name: SafeName,
    /// First line of the text, from 1.
    pub first_line: u32,
    /// Last line, included.
    pub last_line: u32,
    /// First byte of the text in the file.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// The passage, with neighbours if there is a budget; without comments.
    pub text: ModelText,
    /// Heading path.
    pub heading: ModelText,
    /// Its date.
    pub date: Option<Date>,
    /// Sha256 of the file.
    pub sha256: Sha256,
    /// Breakdown of its score.
    pub parts: ScoreBreakdown,
    /// Sha256 of the matching passage without neighbours: the key of dreams.
    pub passage: Sha256,
    /// Sha256 of its masked text: models select the entry by it, without testing guesses of masked text.
    pub known_by: Sha256,
    /// Key of the passage's text in the visible set: the key of feedback.
    pub key: TextKey,
    /// Its rank by score alone, from 1.
    pub place: usize,
    /// Its ratings.
    pub feedback: Option<Tally>,
    /// The taint, if any.
    pub taint: Option<Taint>,
    /// What is masked in it.
    pub masked: Vec<Masked>,
    /// Its lifetime, for queries about the past, if recorded.
    pub seen: Option<Lifetime>,
}

impl Hit {
    /// The part of its text around query words, at most `chars_max` characters, with `…` at cuts.
    pub fn window(&self, highlighter: &Highlighter, chars_max: usize) -> ModelText {
        let text = self.text.as_str();
        if text.char_indices().nth(chars_max).is_none() {
            return self.text.clone();
        }
        let analyser = &mut Analyser::default();
        let mut window = highlighter.window(text, chars_max.saturating_sub(1), analyser);
        if window.start > 0 && window.end < text.len() {
            window = highlighter.window(text, chars_max.saturating_sub(2), analyser);
        }
        let (before, after) = (window.start > 0, window.end < text.len());
        let mark = |is_cut: bool| if is_cut { "…" } else { "" };
        let shown = text[window].trim();
        ModelText::made_of(&[&self.text], format!("{}{shown}{}", mark(before), mark(after)))
    }
}

/// A hit before masking.
pub(super) struct HitDraft {
    pub(super) hit: Hit,
    pub(super) passages: Vec<StoredPassage>,
    /// See [`CorpusFile::clean_by`](inwit_store::CorpusFile::clean_by).
    pub(super) clean_by: u64,
}

/// Adjacent positions shown as one hit.
struct Run {
    first: u32,
    last: u32,
    /// The matching passage.
    answers: u32,
    parts: ScoreBreakdown,
    /// Its rank by score alone.
    place: usize,
}

pub(super) fn hits(
    snapshot: &dyn Snapshot,
    found: &SearchOutcome,
    places: &[usize],
    said: &Ratings,
    budget: Option<usize>,
    veil: &mut MaskedSnapshot<'_>,
) -> Result<(Vec<HitDraft>, usize), IndexError> {
    let corpus = snapshot.corpus();
    let mut over_budget = 0;
    let mut runs: Vec<Run> = found
        .ranked
        .iter()
        .zip(places)
        .map(|(hit, place)| Run {
            first: hit.position,
            last: hit.position,
            answers: hit.position,
            parts: hit.parts,
            place: *place,
        })
        .collect();
    if let Some(budget) = budget {
        let mut left = budget;
        let mut fitting = Vec::new();
        for run in runs {
            let chars = veil.chars_of(run.first)?;
            if chars <= left {
                left -= chars;
                fitting.push(run);
            } else {
                over_budget += 1;
            }
        }
        runs = fitting;
        let mut shown: HashSet<u32> = runs.iter().map(|run| run.first).collect();
        expand(snapshot, &mut runs, [left, EXPANSION_STEPS_MAX], &mut shown, veil)?;
    }
    let hits = runs.iter().map(|run| hit(snapshot, corpus, said, run)).collect::<Result<_, _>>()?;
    Ok((hits, over_budget))
}

/// At most `limit` results of at most `chars` characters each: adjacent passages of one entry are merged, equal
/// passages are shown once, and remaining room goes to neighbours.
pub(super) fn gathered(
    snapshot: &dyn Snapshot,
    found: &SearchOutcome,
    places: &[usize],
    said: &Ratings,
    [limit, chars]: [usize; 2],
    veil: &mut MaskedSnapshot<'_>,
) -> Result<Vec<HitDraft>, IndexError> {
    let corpus = snapshot.corpus();
    let mut runs: Vec<(Run, usize)> = Vec::new();
    let mut texts: HashSet<TextKey> = HashSet::new();
    let mut taken: HashSet<u32> = HashSet::new();
    for (ranked, place) in found.ranked.iter().zip(places) {
        let at = ranked.position;
        let key = corpus.keys.get(at as usize).copied().unwrap_or(TextKey::NOTHING);
        if key != TextKey::NOTHING && !texts.insert(key) {
            taken.insert(at);
            continue;
        }
        let cost = veil.chars_of(at)? + 1;
        let is_beside = |run: &Run| {
            (at == run.last + 1 && continues(corpus, at))
                || (at + 1 == run.first && continues(corpus, run.first))
        };
        if let Some((run, used)) = runs.iter_mut().find(|(run, used)| is_beside(run) && used + cost <= chars)
        {
            (run.first, run.last) = (run.first.min(at), run.last.max(at));
            *used += cost;
        } else if runs.len() < limit {
            let run = Run { first: at, last: at, answers: at, parts: ranked.parts, place: *place };
            runs.push((run, cost));
        }
    }
    taken.extend(runs.iter().flat_map(|(run, _)| run.first..=run.last));
    for (run, used) in &mut runs {
        let room = [chars.saturating_sub(*used), GATHERED_STEPS_MAX];
        expand(snapshot, std::slice::from_mut(run), room, &mut taken, veil)?;
    }
    runs.iter().map(|(run, _)| hit(snapshot, corpus, said, run)).collect()
}

/// Maximum distance of neighbours from a hit.
const EXPANSION_STEPS_MAX: usize = 3;

/// The same for a result that should fill its room.
const GATHERED_STEPS_MAX: usize = 40;

/// Fills the remaining budget, in at most that many steps, with neighbours that are not `shown`: nearest neighbours
/// of all hits first, following before preceding.
fn expand(
    snapshot: &dyn Snapshot,
    runs: &mut [Run],
    [mut left, steps]: [usize; 2],
    shown: &mut HashSet<u32>,
    veil: &mut MaskedSnapshot<'_>,
) -> Result<(), IndexError> {
    let corpus = snapshot.corpus();
    for _ in 0..steps {
        for run in runs.iter_mut() {
            let after =
                (run.last + 1 < corpus.len() as u32 && continues(corpus, run.last + 1)).then(|| run.last + 1);
            let before = (run.first > 0 && continues(corpus, run.first)).then(|| run.first - 1);
            for (position, is_after) in [(after, true), (before, false)] {
                let Some(position) = position.filter(|position| !shown.contains(position)) else { continue };
                let cost = veil.chars_of(position)? + 1;
                if cost > left {
                    continue;
                }
                left -= cost;
                shown.insert(position);
                if is_after { run.last = position } else { run.first = position }
            }
        }
    }
    Ok(())
}

/// Whether `position` continues the one before it, in the same file under the same heading.
fn continues(corpus: &Corpus, position: u32) -> bool {
    corpus.follows[position as usize] == Follows::SameHeading
        && corpus.files[corpus.file_at(position)].first != position
}

fn hit(snapshot: &dyn Snapshot, corpus: &Corpus, said: &Ratings, run: &Run) -> Result<HitDraft, IndexError> {
    let positions: Vec<u32> = (run.first..=run.last).collect();
    let passages = snapshot.passages(&positions)?;
    let (Some(first), Some(last)) = (passages.first(), passages.last()) else {
        return Err(IndexError::Damaged("a passage is missing".into()));
    };
    let passage = Sha256::of(passages[(run.answers - run.first) as usize].text.as_bytes());
    let file = &corpus.files[corpus.file_at(run.first)];
    let key = corpus.keys.get(run.answers as usize).copied().unwrap_or(TextKey::NOTHING);
    let hit = Hit {
        name: file.name.clone(),
        first_line: first.first_line,
        last_line: last.last_line,
        start: first.start,
        end: last.end,
        text: ModelText::default(),
        heading: ModelText::default(),
        date: corpus.dates[run.first as usize],
        sha256: file.sha256,
        parts: run.parts,
        passage,
        known_by: passage,
        key,
        place: run.place,
        feedback: said.of(key).cloned(),
        taint: None,
        masked: Vec::new(),
        seen: None,
    };
    Ok(HitDraft { hit, passages, clean_by: file.clean_by })
}
