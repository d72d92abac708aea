//! A disk that stops at the n-th call and loses unsynced data.
//!
//! [`crash_at_each_step`] runs an operation once for every call it makes, cuts the power before that call, and checks
//! many disk states that such a cut may leave. [`fail_at_each_step`] makes that call fail instead, and the disk
//! continues. Invariant: a step number and a seed reproduce a failure; both are in every message.

use std::collections::{BTreeMap, HashSet};

use inwit_workspace::Fault;

use crate::{Chance, fixture};

pub use after::After;
pub use disk::CrashDisk;
pub use log::CrashLog;
pub use witness::Witness;

mod after;
pub mod deed;
mod disk;
mod image;
mod log;
mod node;
mod syscalls;
#[cfg(test)]
mod tests;
mod witness;

/// Default number of disk states per cut.
const SEEDS: u64 = 200;

/// Number of ways in which writes are shortened; each runs for every step.
const WAYS: u64 = 4;

/// Cuts the power before each call that `deed` makes.
pub fn crash_at_each_step<'d, R>(deed: impl Fn(&CrashDisk) -> R + 'd) -> Sweep<'d> {
    Sweep::of(deed, Vec::new())
}

/// Makes each call of `deed` fail: no space, a device error, or a read-only file system. Later calls succeed.
pub fn fail_at_each_step<'d, R>(deed: impl Fn(&CrashDisk) -> R + 'd) -> Sweep<'d> {
    Sweep::of(
        deed,
        vec![
            Fault::Full,
            Fault::Other("input/output error".into()),
            Fault::ReadOnly,
            Fault::Other("too many open files".into()),
        ],
    )
}

/// An operation on a disk, repeated for every way it can fail.
#[must_use = "a sweep runs when `.then(…)` says what must hold"]
pub struct Sweep<'d> {
    deed: Box<dyn Fn(&CrashDisk) + 'd>,
    before: Vec<fixture::FixtureFile>,
    first_seed: u64,
    seeds: u64,
    ways: u64,
    faults: Vec<Fault>,
    plan: Plan,
}

/// The event at each call, counted from 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) stop_at: Option<usize>,
    pub(crate) fail: Option<(usize, Fault)>,
    /// Edits by a program without the guard, each before a call.
    pub(crate) edits: Vec<(usize, Edit)>,
    /// Whether the file system lacks the exchange of names.
    pub(crate) without_exchange: bool,
}

/// An edit of a file, atomic and synced.
#[derive(Debug, Clone)]
pub enum Edit {
    /// Saves by renaming a new file.
    Rename(String, Vec<u8>),
    /// Saves into the existing file.
    InPlace(String, Vec<u8>),
    /// Removes the file.
    Delete(String),
}

impl<'d> Sweep<'d> {
    fn of<R>(deed: impl Fn(&CrashDisk) -> R + 'd, faults: Vec<Fault>) -> Self {
        // Only the resulting disk matters, not the operation's result.
        let deed = Box::new(move |disk: &CrashDisk| {
            let _ = deed(disk);
        });
        Self {
            deed,
            before: Vec::new(),
            first_seed: 0,
            seeds: SEEDS,
            ways: WAYS,
            faults,
            plan: Plan::default(),
        }
    }

    /// The synced content of the disk before the operation.
    #[track_caller]
    pub fn holding(mut self, fixture: &str) -> Self {
        self.before = fixture::files(fixture);
        self
    }

    /// Number of disk states per cut.
    pub fn seeds(mut self, seeds: u64) -> Self {
        self.seeds = seeds;
        self
    }

    /// The first seed; default 0.
    pub fn beginning_at(mut self, seed: u64) -> Self {
        self.first_seed = seed;
        self
    }

    /// Number of ways in which writes are shortened while calls fail.
    pub fn ways(mut self, ways: u64) -> Self {
        self.ways = ways;
        self
    }

    /// The disk cannot exchange two names in one step.
    pub fn without_exchange(mut self) -> Self {
        self.plan.without_exchange = true;
        self
    }

    /// Makes `edit` before call number `at`.
    pub fn edited(mut self, at: usize, edit: &Edit) -> Self {
        self.plan.edits.push((at, edit.clone()));
        self
    }

    /// Runs the operation once, without faults.
    #[track_caller]
    pub fn once(self, check: impl Fn(&After)) {
        let disk = self.run(0, self.plan.clone());
        disk.heal();
        check(&After::new(disk.clone(), &disk, self.before(), format!("{:?}", self.plan)));
    }

    /// Makes `edit` before each call in turn, without other faults; `check` receives each disk. Returns the number of
    /// calls.
    #[track_caller]
    pub fn meeting(mut self, edit: &Edit, check: impl Fn(&After)) -> usize {
        for step in 0.. {
            self.plan.edits = vec![(step, edit.clone())];
            let disk = self.run(0, self.plan.clone());
            let calls = disk.calls();
            if calls <= step {
                return step;
            }
            disk.heal();
            check(&After::new(disk.clone(), &disk, self.before(), format!("edit before call {step}")));
        }
        unreachable!("a deed ends")
    }

    /// Runs everything and passes each disk to `check`; equal states are checked once. Returns the number of calls,
    /// so that a test can verify that something was tested.
    #[track_caller]
    pub fn then(self, check: impl Fn(&After)) -> usize {
        if self.faults.is_empty() { self.crashes(&check) } else { self.failures(&check) }
    }

    fn crashes(&self, check: &impl Fn(&After)) -> usize {
        let mut step = 0;
        loop {
            let mut stopped = false;
            let mut seen = HashSet::new();
            for way in 0..WAYS.min(self.seeds) {
                let disk = self.run(way, Plan { stop_at: Some(step), ..self.plan.clone() });
                stopped = disk.is_stopped();
                for seed in (way..self.seeds).step_by(WAYS as usize) {
                    let seed = self.first_seed.wrapping_add(seed);
                    let image = disk.after_power_loss(&mut Chance::of(seed));
                    // If little was in flight, most seeds leave the same state.
                    if !seen.insert(image.image(&disk)) {
                        continue;
                    }
                    check(&After::new(image, &disk, self.before(), format!("step {step}, seed {seed}")));
                }
            }
            // In the last round the power fails after everything was done, so acknowledged content must exist.
            if !stopped {
                return step;
            }
            step += 1;
        }
    }

    fn failures(&self, check: &impl Fn(&After)) -> usize {
        let mut steps = 0;
        for (fault, way) in self
            .faults
            .iter()
            .flat_map(|fault| (0..self.ways).map(move |way| (fault, self.first_seed.wrapping_add(way))))
        {
            for step in 0.. {
                let disk = self.run(way, Plan { fail: Some((step, fault.clone())), ..self.plan.clone() });
                let calls = disk.calls();
                disk.heal();
                let case = format!("call {step} fails, writes cut in way {way}: {fault:?}");
                check(&After::new(disk.clone(), &disk, self.before(), case));
                if calls <= step {
                    steps = steps.max(step);
                    break;
                }
            }
        }
        steps
    }

    fn run(&self, way: u64, plan: Plan) -> CrashDisk {
        let disk = CrashDisk::holding(&self.before, way, plan);
        (self.deed)(&disk);
        disk
    }

    fn before(&self) -> BTreeMap<String, Vec<u8>> {
        self.before.iter().map(|file| (file.name.clone(), file.bytes.clone())).collect()
    }
}
