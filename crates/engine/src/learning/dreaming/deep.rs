//! Deep sleep: writes the section in MEMORY.md, its ledger and the diary.

use inwit_gate::Author;
use inwit_model::plural::counted;
use inwit_model::ports::StateFile;
use inwit_model::{Actor, Code, FileKind, Op, ProposalId, Sha256, Taint};
use inwit_store::memory::{How, Memory, Promotion, ProposalFilter, Sweep, SweepNumber, Votes};
use inwit_workspace::Receipt;

use super::gather::Gathered;
use crate::core::key::key_of;
use crate::core::parse_name;
use crate::learning::dream::diary::{Promoted, Sweep as Told};
use crate::learning::dream::{
    Bullet, Choice, DreamHeading, DreamedState, Figures, concept_tags, diary, present, promote,
};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Learning, Notice};

/// Retries of a promotion whose file changed: its ledger entry is written first, without the write guard.
const PROMOTE_TRIES_MAX: usize = 3;

/// Most tags in the diary.
const TAGS_TOLD_MAX: usize = 10;

/// The result of deep sleep.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) receipt: Option<Receipt>,
    pub(super) pending: Option<ProposalId>,
    pub(super) refused: bool,
}

impl Written {
    /// The outcome of the selected untainted candidates.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self { receipt: Some(_), .. } => "promoted",
            Self { refused: true, .. } => "refused_by_gate",
            Self { pending: Some(_), .. } => "pending",
            _ => "already_promoted",
        }
    }
}

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
        let is_tainted = |at: &&usize| gathered.found[**at].taint.is_tainted();
        let clean: Vec<usize> = choice.promoted.iter().filter(|at| !is_tainted(at)).copied().collect();
        let tainted: Vec<usize> = choice.promoted.iter().filter(is_tainted).copied().collect();
        let mut written = Written::default();
        if !clean.is_empty() {
            written = self.promote(memory, fence, gathered, &clean, still_ours)?;
        }
        if !tainted.is_empty() {
            self.enter_standing(memory, fence, gathered, &tainted)?;
            written.pending = self.propose_promotions(memory, gathered, &tainted)?.or(written.pending);
        }
        Ok(written)
    }

    fn promote(
        &self,
        memory: &dyn Memory,
        fence: u64,
        gathered: &Gathered,
        chosen: &[usize],
        still_ours: &dyn Fn() -> Result<(), EngineError>,
    ) -> Result<Written, EngineError> {
        let name = self.notes.memory_file()?;
        for _ in 0..PROMOTE_TRIES_MAX {
            let now = self.core.clock.now();
            let current = self.core.content(&name)?;
            let bytes = current.as_ref().map(|content| &*content.bytes);
            let facts: Vec<_> = chosen.iter().map(|at| gathered.found[*at].fact()).collect();
            let bullets: Vec<Bullet<'_>> =
                std::iter::zip(chosen, &facts).map(|(at, fact)| bullet(gathered, *at, fact, true)).collect();
            let promotion =
                promote(bytes, name.as_str(), DreamHeading::Moment(now), &bullets).map_err(|error| {
                    EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"))
                })?;
            let settled = |ats: &[usize]| ats.iter().map(|at| chosen[*at]).collect::<Vec<_>>();
            self.enter(memory, fence, gathered, &name, &settled(&promotion.present))?;
            let Some(after) = promotion.bytes else { return Ok(Written::default()) };
            still_ours()?;
            let section = Sha256::of(&after[bytes.map_or(0, <[u8]>::len).min(after.len())..]);
            let promoted = settled(&promotion.written);
            let number =
                memory.intend_sweep(&sweep(fence, now, &name, Some(section), gathered, &promoted))?;
            let behalf = WriteContext {
                taint: Some(Taint::Agent),
                reason: format!("dream: {}", counted(promoted.len(), "promotion")),
                ..WriteContext::of(Author::DREAM)
            };
            match self.notes.write(behalf.change(name.clone(), Op::Put(after.into()), current.as_ref())) {
                Ok(outcome) => return settle(memory, number, outcome),
                Err(error) => {
                    memory.drop_sweep(number)?;
                    match error.code {
                        Code::Stale => {}
                        Code::SecretRefused
                        | Code::HiddenRefused
                        | Code::PolicyRefused
                        | Code::RejectedBefore
                        // MEMORY.md is full: the candidates stay in the notes, and a later pass tries again.
                        | Code::FileTooLarge => {
                            return Ok(Written { refused: true, ..Written::default() });
                        }
                        _ => return Err(error),
                    }
                }
            }
        }
        Err(EngineError::new(Code::Stale, format!("`{name}` changed at every attempt to write it.")))
    }

    /// Records in the ledger what the file already has, from any writer; existing entries are unchanged.
    fn enter(
        &self,
        memory: &dyn Memory,
        fence: u64,
        gathered: &Gathered,
        name: &inwit_model::SafeName,
        standing: &[usize],
    ) -> Result<(), EngineError> {
        let mut new = Vec::new();
        for at in standing {
            if !memory.is_promoted(&gathered.found[*at].key.text)? {
                new.push(*at);
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let sweep = sweep(fence, self.core.clock.now(), name, None, gathered, &new);
        let number = memory.intend_sweep(&sweep)?;
        Ok(memory.confirm_sweep(number, None)?)
    }

    /// The same for tainted ones: they were approved, and the process died before the ledger was written.
    fn enter_standing(
        &self,
        memory: &dyn Memory,
        fence: u64,
        gathered: &Gathered,
        chosen: &[usize],
    ) -> Result<(), EngineError> {
        let name = self.notes.memory_file()?;
        let Some(content) = self.core.content(&name)? else { return Ok(()) };
        let stands = |at: &&usize| {
            let found = &gathered.found[**at];
            present(&content.bytes, &found.fact(), std::slice::from_ref(&found.source))
        };
        let standing: Vec<usize> = chosen.iter().filter(stands).copied().collect();
        self.enter(memory, fence, gathered, &name, &standing)
    }

    /// Proposes tainted promotions, without figures, so that the same text is proposed once: not if it waits already
    /// or was rejected, in any combination.
    fn propose_promotions(
        &self,
        memory: &dyn Memory,
        gathered: &Gathered,
        chosen: &[usize],
    ) -> Result<Option<ProposalId>, EngineError> {
        let name = self.notes.memory_file()?;
        self.notes.close_overdue(memory)?;
        let mut asked = memory.proposals(ProposalFilter::All)?;
        asked.retain(|kept| {
            let how = kept.decision.as_ref().map(|decision| decision.how);
            kept.proposal.actor == Actor::Dream && matches!(how, None | Some(How::Rejected))
        });
        let was_asked = |at: &usize| {
            let found = &gathered.found[*at];
            asked.iter().find(|kept| match &kept.proposal.op {
                Op::Put(bytes) | Op::Append(bytes) => {
                    present(bytes, &found.fact(), std::slice::from_ref(&found.source))
                }
                Op::Remove | Op::Archive => false,
            })
        };
        let waiting = chosen.iter().filter_map(&was_asked).find(|kept| kept.decision.is_none());
        let waiting = waiting.map(|kept| kept.proposal.id.clone());
        let fresh: Vec<usize> = chosen.iter().filter(|at| was_asked(at).is_none()).copied().collect();
        if fresh.is_empty() {
            return Ok(waiting);
        }
        let chosen = fresh.as_slice();
        let taint = chosen.iter().map(|at| gathered.found[*at].taint).fold(Taint::Agent, Taint::join);
        let behalf = WriteContext {
            taint: Some(taint),
            reason: reason(chosen.iter().map(|at| gathered.found[*at].called)),
            ..WriteContext::of(Author::DREAM)
        };
        let now = self.core.clock.now();
        let facts: Vec<_> = chosen.iter().map(|at| gathered.found[*at].fact()).collect();
        let outcome = self.notes.amend(&name, &behalf, &|current| {
            let bullets: Vec<Bullet<'_>> =
                std::iter::zip(chosen, &facts).map(|(at, fact)| bullet(gathered, *at, fact, false)).collect();
            let promotion = promote(current, name.as_str(), DreamHeading::Moment(now), &bullets)
                .map_err(|error| EngineError::new(Code::Refused, format!("`{name}`: {error}")))?;
            Ok(promotion.bytes.map(|bytes| Op::Put(bytes.into())))
        });
        match outcome {
            Ok(Outcome::Pending { id, .. }) => Ok(Some(id)),
            Ok(_) => Ok(None),
            Err(error)
                if matches!(
                    error.code,
                    Code::RejectedBefore | Code::ProposalsTooMany | Code::FileTooLarge
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
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

    /// Sets `last_run_at` in `.dreamed-state.json`. An invalid file is unchanged.
    pub(super) fn keep_state(&self) -> Option<Notice> {
        let keep = || -> Result<Option<Notice>, EngineError> {
            let known = self.core.files.read_state(StateFile::Dreamed)?;
            let (state, notice) = match known {
                Some(bytes) => DreamedState::parse(&bytes),
                None => (Some(DreamedState::default()), None),
            };
            if let Some(state) = state {
                self.core
                    .files
                    .write_state(StateFile::Dreamed, Some(&state.ran_at(self.core.clock.now())))?;
            }
            Ok(notice)
        };
        keep()
            .unwrap_or_else(|error| Some(Notice::new("dreamed_state_not_written", error.message, error.code)))
    }
}

fn settle(memory: &dyn Memory, number: SweepNumber, outcome: Outcome) -> Result<Written, EngineError> {
    match outcome {
        Outcome::Applied { receipt, .. } => {
            memory.confirm_sweep(number, Some(&receipt.id))?;
            Ok(Written { receipt: Some(receipt), ..Written::default() })
        }
        Outcome::Pending { id, .. } => {
            memory.drop_sweep(number)?;
            Ok(Written { pending: Some(id), ..Written::default() })
        }
        Outcome::Unchanged(_) => {
            memory.drop_sweep(number)?;
            Ok(Written::default())
        }
    }
}

fn bullet<'g>(gathered: &'g Gathered, at: usize, fact: &'g str, with_figures: bool) -> Bullet<'g> {
    let (found, candidate) = (&gathered.found[at], &gathered.candidates[at]);
    let figures =
        Figures { score: candidate.score.total, hits: candidate.signals.hits, days: candidate.signals.days };
    Bullet {
        text: fact,
        figures: with_figures.then_some(figures),
        sources: std::slice::from_ref(&found.source),
    }
}

fn sweep(
    fence: u64,
    at: jiff::Timestamp,
    name: &inwit_model::SafeName,
    section: Option<Sha256>,
    gathered: &Gathered,
    chosen: &[usize],
) -> Sweep {
    let promotion = |at: &usize| {
        let (found, candidate) = (&gathered.found[*at], &gathered.candidates[*at]);
        Promotion {
            passage: found.key.clone(),
            bullet: bullet_hash(&found.fact()),
            score: candidate.score.total,
            hits: u64::from(candidate.signals.hits),
            days: u64::from(candidate.signals.days),
            phase: "deep".into(),
        }
    };
    Sweep {
        fence,
        at,
        target: name.clone(),
        section,
        promotions: chosen.iter().map(promotion).collect(),
        spans: Vec::new(),
    }
}

/// The ledger key of a bullet: its text, without figures.
pub(crate) fn bullet_hash(text: &str) -> Sha256 {
    Sha256::of(key_of(text).as_bytes())
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

/// The reason of a proposal: some passages were rated useful by agents, the others recalled.
fn reason(called: impl Iterator<Item = Option<Votes>> + Clone) -> String {
    let told = |votes: Votes| format!("an agent rated it useful {} of {} times", votes.useful, votes.all);
    let mut reasons: Vec<String> = called.clone().flatten().map(told).collect();
    if called.clone().any(|votes| votes.is_none()) {
        reasons.push("recalled often, but its text came from others".into());
    }
    reasons.dedup();
    reasons.join("; ")
}
