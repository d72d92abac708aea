//! The steps of a history as one scope may see them.
//!
//! The owner sees all steps. Some files in other scopes are recorded, as found, when any file first changes; that
//! time would reveal something about private files. So for other scopes only receipts count. Identity files (SOUL and
//! the like) may never change after the first day: until their first receipt they count as existing in their first
//! recorded form. Invariant: for other scopes nothing depends on a step that changed none of their files, nor on when
//! receipts were committed (D3).

use std::collections::{BTreeMap, BTreeSet};

use inwit_model::{Code, Place, SafeName, Scope};
use inwit_store::{Blob, Life, Step, StepKind};
use inwit_workspace::history::Oid;
use jiff::Timestamp;

use crate::EngineError;
use crate::notes::search::Lifetime;

/// See the module documentation.
pub(crate) struct ScopedHistory {
    scope: Scope,
    steps: Vec<Step>,
    /// The first step that this scope may see.
    begin: Option<usize>,
    /// The time of each step for this scope, never decreasing.
    moments: Vec<Timestamp>,
}

impl ScopedHistory {
    /// The `steps` as `scope` sees them at `now`.
    pub(crate) fn new(scope: Scope, steps: Vec<Step>, now: Timestamp) -> Self {
        let mut course = Self { scope, moments: Vec::new(), steps, begin: None };
        course.begin = (0..course.steps.len()).find(|&at| {
            course.counts(at) && (course.is_owners() || course.steps[at].kind == StepKind::Changed)
        });
        course.moments = course.counted_moments(now);
        course
    }

    /// Clocks may have been changed, and found files have their own stamps. The longest non-decreasing sequence of
    /// steps not after `now` is trusted; every other step is moved between its trusted neighbours, so that one wrong
    /// clock moves no other step.
    fn counted_moments(&self, now: Timestamp) -> Vec<Timestamp> {
        let mut moments: Vec<Timestamp> = self.steps.iter().map(|step| step.at).collect();
        let counted: Vec<usize> = (0..moments.len()).filter(|&at| self.counts(at)).collect();
        let dated = |at: &usize| self.steps[*at].kind == StepKind::Changed && moments[*at] <= now;
        let mut believed = in_order(&moments, counted.iter().copied().filter(dated)).into_iter().peekable();
        let mut latest = Timestamp::MIN;
        for at in counted {
            while believed.next_if(|next| *next < at).is_some() {}
            let next = believed.peek().map_or(Timestamp::MAX, |&next| moments[next]);
            moments[at] = moments[at].max(latest).min(next);
            latest = moments[at];
        }
        moments
    }

    /// The step of that number.
    pub(crate) fn step(&self, at: usize) -> Option<&Step> {
        self.steps.get(at)
    }

    /// The last visible step not later than `moment`; the last of all if that is `None`.
    pub(crate) fn last(&self, moment: Option<Timestamp>) -> Option<usize> {
        let is_over = |at: &usize| moment.is_none_or(|moment| self.moments[*at] <= moment);
        (self.begin?..self.steps.len()).rev().find(|at| self.counts(*at) && is_over(at))
    }

    /// The first known time.
    pub(crate) fn begins(&self) -> Option<Timestamp> {
        self.moment(self.begin?)
    }

    /// The time of a step for this scope.
    pub(crate) fn moment(&self, at: usize) -> Option<Timestamp> {
        self.moments.get(at).copied()
    }

    /// Whether a receipt for `name` exists, as far as this scope may know.
    pub(crate) fn has_receipt(&self, name: &SafeName) -> bool {
        self.first_receipt(name).is_some()
    }

    /// The files after the step `at`, with their objects and sizes. Error: `index_unavailable`, if an object is
    /// missing from the cache.
    pub(crate) fn standing(&self, at: usize) -> Result<Vec<(SafeName, Oid, u64)>, EngineError> {
        let mut files: BTreeMap<&SafeName, &Blob> = BTreeMap::new();
        if !self.is_owners() {
            let names: BTreeSet<&SafeName> =
                self.steps.iter().flat_map(|step| &step.files).map(|standing| &standing.name).collect();
            for name in names {
                let blob = self.origin(name).and_then(|at| self.left(at, name));
                blob.into_iter().for_each(|blob| _ = files.insert(name, blob));
            }
        }
        for number in 0..=at {
            for standing in self.steps[number].files.iter().filter(|own| self.tells(number, &own.name)) {
                match &standing.blob {
                    Some(blob) => _ = files.insert(&standing.name, blob),
                    None => _ = files.remove(&standing.name),
                }
            }
        }
        let odd = || {
            EngineError::new(Code::IndexUnavailable, "The index of the past contains an invalid object id.")
        };
        let standing = files
            .into_iter()
            .map(|(name, blob)| Ok((name.clone(), Oid::parse(&blob.oid).ok_or_else(odd)?, blob.bytes)));
        standing.collect()
    }

    /// The lifetime of a passage of `lives` in `name` around the step `at`; `None` if it is not recorded.
    pub(crate) fn seen(&self, at: usize, name: &SafeName, lives: &[Life]) -> Option<Lifetime> {
        let (from, until) = if self.is_owners() {
            let life = lives.iter().find(|life| life.holds(at))?;
            (life.from, life.until)
        } else {
            self.seen_by_other(at, name, lives)?
        };
        Some(Lifetime { from: self.moment(from)?, until: until.and_then(|until| self.moment(until)) })
    }

    /// The same for a scope that sees only some steps of the file: a passage lives from the first in a row of visible
    /// steps that has it to the next that has not.
    fn seen_by_other(&self, at: usize, name: &SafeName, lives: &[Life]) -> Option<(usize, Option<usize>)> {
        let begin = self.begin?;
        let told = (0..self.steps.len()).filter(|&step| self.tells(step, name) && self.mentions(step, name));
        let states: Vec<(usize, usize)> = self
            .origin(name)
            .map(|origin| (begin, origin))
            .into_iter()
            .chain(told.map(|step| (step.max(begin), step)))
            .collect();
        let has = |state: &(usize, usize)| lives.iter().any(|life| life.holds(state.1));
        let here = states.iter().rposition(|(since, _)| *since <= at).filter(|&here| has(&states[here]))?;
        let first = states[..=here].iter().rev().take_while(|state| has(state)).last()?;
        let end = states[here..].iter().find(|state| !has(state));
        Some((first.0, end.map(|end| end.0)))
    }

    fn is_owners(&self) -> bool {
        self.scope == Scope::Main
    }

    fn sees(&self, name: &SafeName) -> bool {
        self.is_owners() || Place::of(name).is_some_and(|place| self.scope.sees(&place))
    }

    /// Whether the step shows this scope a change of `name`.
    fn tells(&self, at: usize, name: &SafeName) -> bool {
        (self.is_owners() || self.steps[at].kind != StepKind::Begun) && self.sees(name)
    }

    fn counts(&self, at: usize) -> bool {
        self.steps[at].files.iter().any(|standing| self.tells(at, &standing.name))
    }

    fn mentions(&self, at: usize, name: &SafeName) -> bool {
        self.steps[at].files.iter().any(|standing| standing.name == *name)
    }

    fn left(&self, at: usize, name: &SafeName) -> Option<&Blob> {
        self.steps[at].files.iter().rev().find(|standing| standing.name == *name)?.blob.as_ref()
    }

    /// The first step with a receipt that changed `name`.
    fn first_receipt(&self, name: &SafeName) -> Option<usize> {
        (0..self.steps.len()).find(|&at| self.steps[at].kind != StepKind::Begun && self.mentions(at, name))
    }

    /// The step that recorded an identity file; it counts as existing before.
    fn origin(&self, name: &SafeName) -> Option<usize> {
        if !self.sees(name) || !matches!(Place::of(name), Some(Place::File(_))) {
            return None;
        }
        // A file without receipts was recorded when another change began the history; that time is not revealed.
        let first = self.first_receipt(name)?;
        if self.steps[first].kind == StepKind::Found {
            return Some(first);
        }
        // A file unchanged since the beginning is reported only there.
        (0..first).rev().find(|&at| self.mentions(at, name))
    }
}

/// The longest non-decreasing sequence of `steps`; of several, the one with later times.
fn in_order(moments: &[Timestamp], steps: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
    // For each length the step that best starts such a sequence, and for each step its successor.
    let mut begins: Vec<usize> = Vec::new();
    let mut follows: BTreeMap<usize, usize> = BTreeMap::new();
    for step in steps.rev() {
        let length = begins.partition_point(|&begin| moments[begin] >= moments[step]);
        if let Some(&next) = length.checked_sub(1).and_then(|shorter| begins.get(shorter)) {
            follows.insert(step, next);
        }
        match begins.get_mut(length) {
            Some(begin) => *begin = step,
            None => begins.push(step),
        }
    }
    std::iter::successors(begins.last().copied(), |step| follows.get(step).copied()).collect()
}
