//! Deep sleep of the recall engine: writes the selection and the diary.

use inwit_gate::Author;
use inwit_model::{Code, DreamEngine, FileKind, Op, Sha256, Taint};
use inwit_store::memory::Memory;

use super::gather::Gathered;
use super::promotable::{Promotable, Section};
use super::writing::Written;
use crate::core::parse_name;
use crate::learning::dream::diary::{Promoted, Sweep as Told};
use crate::learning::dream::{Choice, Figures, concept_tags, diary};
use crate::notes::write::WriteContext;
use crate::{EngineError, Learning, Notice};

/// Most tags in the diary.
const TAGS_TOLD_MAX: usize = 10;

impl Learning {
    /// Writes the selection: clean candidates directly, tainted ones as a proposal.
    pub(super) fn sleep_deep(
        &self,
        memory: &dyn Memory,
        fence: u64,
        gathered: &Gathered,
        choice: &Choice,
        still_ours: &dyn Fn() -> Result<(), EngineError>,
    ) -> Result<Written, EngineError> {
        let items: Vec<Promotable> = choice.promoted.iter().map(|at| promotable(gathered, *at)).collect();
        let (tainted, clean): (Vec<&Promotable>, Vec<&Promotable>) =
            items.iter().partition(|item| item.taint.is_tainted());
        let section = Section { fence, engine: DreamEngine::Recall, spans: &[] };
        let mut written = Written::default();
        if !clean.is_empty() {
            written = self.promote(memory, section, &clean, still_ours)?;
        }
        if !tainted.is_empty() {
            self.enter_standing(memory, section, &tainted)?;
            written.pending = self.propose_promotions(memory, section, &tainted)?.or(written.pending);
        }
        Ok(written)
    }

    /// Writes the diary. A diary that cannot be written stops no dream.
    pub(super) fn keep_diary(
        &self,
        gathered: &Gathered,
        choice: &Choice,
        written: &Written,
    ) -> Option<Notice> {
        let judged = gathered.judged(choice, written.word());
        let with = |word: &'static str| judged.iter().filter(move |judged| judged.outcome == word);
        let promoted: Vec<Promoted<'_>> = with("promoted")
            .map(|judged| Promoted {
                text: &judged.text,
                score: judged.score,
                hits: hits_of(gathered, judged.text_sha256),
            })
            .collect();
        let mut reasons = std::collections::BTreeMap::new();
        let told = judged.iter().filter(|judged| !matches!(judged.outcome, "promoted" | "already_promoted"));
        told.for_each(|judged| *reasons.entry(judged.outcome).or_insert(0_u32) += 1);
        let refused: Vec<(&str, u32)> = reasons.into_iter().collect();
        let tags = tags(gathered);
        let tags: Vec<(&str, u32)> = tags.iter().map(|(tag, count)| (tag.as_str(), *count)).collect();
        let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
        let sweep = Told {
            at: self.core.clock.now(),
            light: Some(count(gathered.candidates.len())),
            rem: Some(&tags),
            candidates: count(judged.len()),
            already_promoted: count(with("already_promoted").count()),
            refused: &refused,
            promoted: &promoted,
        };
        let behalf = WriteContext { taint: Some(Taint::Agent), ..WriteContext::of(Author::DREAM) };
        let kept = parse_name(FileKind::Dreams.spec().path).and_then(|name| {
            self.notes.amend(&name, &behalf, &|current| {
                let bytes = diary(current, &sweep).map_err(|error| {
                    EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"))
                })?;
                Ok(bytes.map(|bytes| Op::Put(bytes.into())))
            })
        });
        kept.err().map(|error| Notice::new("diary_not_written", error.message, error.code))
    }
}

fn promotable(gathered: &Gathered, at: usize) -> Promotable {
    let (found, candidate) = (&gathered.found[at], &gathered.candidates[at]);
    let figures =
        Figures { score: candidate.score.total, hits: candidate.signals.hits, days: candidate.signals.days };
    Promotable {
        key: found.key.clone(),
        fact: found.fact().into_owned(),
        sources: vec![found.source.clone()],
        taint: found.taint,
        called: found.called,
        figures: Some(figures),
    }
}

fn hits_of(gathered: &Gathered, text: Sha256) -> u32 {
    let at = gathered.found.iter().position(|found| found.key.text == text);
    at.map_or(0, |at| gathered.candidates[at].signals.hits)
}

/// The tags of the gathered passages, most frequent first.
fn tags(gathered: &Gathered) -> Vec<(String, u32)> {
    let mut counts = std::collections::BTreeMap::new();
    for found in &gathered.found {
        let path = found.key.path.as_str();
        let basename = path.rsplit('/').next().unwrap_or(path);
        concept_tags(basename, &found.text).into_iter().for_each(|tag| *counts.entry(tag).or_insert(0) += 1);
    }
    let mut counts: Vec<(String, u32)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.truncate(TAGS_TOLD_MAX);
    counts
}
