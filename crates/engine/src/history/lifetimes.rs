//! Updates the lifetimes of passages from the history.
//!
//! Only new commits are read, each resulting file once. For another history, or damaged lifetimes, everything is
//! rebuilt. Invariant: the result is a function of the commits alone (D1), whether built incrementally or at once
//! from `history.git`.

use std::collections::{BTreeSet, HashMap};
use std::panic::resume_unwind;
use std::thread;

use inwit_model::Sha256;
use inwit_model::limit::{FILE_PASSAGES_MAX, FILE_READ_BYTES_MAX};
use inwit_store::{Blob, IndexError, Lifetimes, NewStep, PassageMark, Standing, Step, StepKind};
use inwit_workspace::History as Repository;
use inwit_workspace::history::{Oid, Step as Commit, StepKind as CommitKind};

use crate::EngineError;

/// Commits per batch: an interrupted first build keeps its progress.
const STEPS_AT_A_TIME: usize = 256;

/// Most bytes of files per read, unless one file is larger.
const READ_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Below this many bytes one thread is faster.
const PARALLEL_BYTES_MIN: usize = 256 * 1024;

/// Most threads that split files into passages.
const THREADS_MAX: usize = 8;

/// Retries if another process was faster.
const ATTEMPTS_MAX: usize = 20;

/// Updates `lifetimes` to `history` and returns all steps, and whether they were rebuilt. Errors:
/// `index_unavailable`, `locked`, `history_failed`.
pub(crate) fn grown(
    lifetimes: &mut dyn Lifetimes,
    history: Option<&Repository>,
) -> Result<(Vec<Step>, bool), EngineError> {
    let mut is_anew = false;
    for _ in 0..ATTEMPTS_MAX {
        match grow(lifetimes, history) {
            Ok(Grown::Whole(steps)) => return Ok((steps, is_anew)),
            Ok(Grown::OfAnother) | Err(Failed::Index(IndexError::Damaged(_))) if !is_anew => {
                lifetimes.clear()?;
                is_anew = true;
            }
            Err(Failed::Index(IndexError::Moved)) => {}
            Ok(Grown::OfAnother) => break,
            Err(Failed::Index(error)) => return Err(error.into()),
            Err(Failed::History(error)) => return Err(error),
        }
    }
    Err(IndexError::Moved.into())
}

/// The result of an update.
enum Grown {
    Whole(Vec<Step>),
    /// The stored steps belong to commits that the history does not have.
    OfAnother,
}

enum Failed {
    Index(IndexError),
    History(EngineError),
}

impl From<IndexError> for Failed {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<inwit_workspace::history::HistoryError> for Failed {
    fn from(error: inwit_workspace::history::HistoryError) -> Self {
        Self::History(error.into())
    }
}

fn grow(lifetimes: &mut dyn Lifetimes, history: Option<&Repository>) -> Result<Grown, Failed> {
    let mut steps = lifetimes.steps()?;
    let Some(history) = history else {
        return Ok(if steps.is_empty() { Grown::Whole(steps) } else { Grown::OfAnother });
    };
    let Some(commits) = commits_after(history, steps.last())? else { return Ok(Grown::OfAnother) };
    for part in commits.chunks(STEPS_AT_A_TIME) {
        let new = told(history, part)?;
        lifetimes.grow(steps.len(), &new)?;
        steps.extend(new.into_iter().map(|new| new.step));
    }
    Ok(Grown::Whole(steps))
}

/// The commits of `history` after the step `last`; `None` if that commit does not exist.
fn commits_after(history: &Repository, last: Option<&Step>) -> Result<Option<Vec<Commit>>, Failed> {
    match last.map(|step| Oid::parse(&step.commit)) {
        Some(None) => Ok(None),
        last => Ok(history.steps_after(last.flatten())?),
    }
}

/// The steps of `history` after the step `last`; `None` if that commit does not exist. Error: `history_failed`.
pub(crate) fn steps_of(
    history: &Repository,
    last: Option<&Step>,
) -> Result<Option<Vec<NewStep>>, EngineError> {
    let steps =
        commits_after(history, last).and_then(|commits| commits.map(|new| told(history, &new)).transpose());
    steps.map_err(|failed| match failed {
        Failed::Index(error) => error.into(),
        Failed::History(error) => error,
    })
}

/// The commits with the passages of the resulting files.
fn told(history: &Repository, commits: &[Commit]) -> Result<Vec<NewStep>, Failed> {
    let oids: BTreeSet<Oid> =
        commits.iter().flat_map(|commit| commit.files.iter().filter_map(|(_, oid)| *oid)).collect();
    let oids: Vec<Oid> = oids.into_iter().collect();
    let sizes: HashMap<Oid, u64> = oids.iter().copied().zip(history.sizes(&oids)?).collect();
    let mut passages: HashMap<Oid, BTreeSet<PassageMark>> = HashMap::new();
    let read: Vec<Oid> = oids.into_iter().filter(|oid| sizes[oid] <= FILE_READ_BYTES_MAX).collect();
    let mut rest = read.as_slice();
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take_while(|oid| {
            bytes += sizes[oid];
            bytes <= READ_BYTES_MAX
        });
        let (page, later) = rest.split_at(fits.count().max(1));
        let blobs = history.blobs(page)?;
        passages.extend(page.iter().copied().zip(marked(&blobs)));
        rest = later;
    }
    let steps = commits.iter().map(|commit| {
        let standing = commit.files.iter().map(|(name, oid)| Standing {
            name: name.clone(),
            blob: oid.map(|oid| Blob { oid: oid.to_string(), bytes: sizes[&oid] }),
        });
        let said = |oid: &Option<Oid>| oid.and_then(|oid| passages.get(&oid).cloned()).unwrap_or_default();
        NewStep {
            step: Step {
                commit: commit.oid.to_string(),
                at: commit.at,
                kind: kind(commit.kind),
                files: standing.collect(),
            },
            passages: commit.files.iter().map(|(_, oid)| said(oid)).collect(),
        }
    });
    Ok(steps.collect())
}

fn kind(kind: CommitKind) -> StepKind {
    match kind {
        CommitKind::Begun => StepKind::Begun,
        CommitKind::Found => StepKind::Found,
        CommitKind::Changed => StepKind::Changed,
    }
}

/// The passages of each file, in parallel if worthwhile.
fn marked(blobs: &[Vec<u8>]) -> Vec<BTreeSet<PassageMark>> {
    let bytes: usize = blobs.iter().map(Vec::len).sum();
    let cores = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let threads = if bytes < PARALLEL_BYTES_MIN { 1 } else { cores };
    let cut = |part: &[Vec<u8>]| part.iter().map(|bytes| marks(bytes)).collect::<Vec<_>>();
    let parts = blobs.chunks(blobs.len().div_ceil(threads).max(1));
    thread::scope(|scope| {
        let at_work: Vec<_> = parts.map(|part| scope.spawn(move || cut(part))).collect();
        let done = at_work.into_iter().map(|one| one.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.flatten().collect()
    })
}

/// The passages of a file as in a search; none if it is not searched.
fn marks(bytes: &[u8]) -> BTreeSet<PassageMark> {
    let document = inwit_markdown::parse(bytes);
    if document.passages.len() > FILE_PASSAGES_MAX {
        return BTreeSet::new();
    }
    let all = document.passages.iter().chain(&document.bare);
    // The passage of an empty file has no content.
    let texts = all.map(|passage| document.text(&passage.span)).chain(["".into()]);
    texts.map(|text| PassageMark::of(&Sha256::of(text.as_bytes()))).collect()
}
