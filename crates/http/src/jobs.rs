//! Long work: it runs on a thread of its own, and its caller asks for the result.
//!
//! Invariants: a job is of one agent; one that runs is never forgotten; the work itself survives a killed server, so
//! nothing here is stored.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::header;
use inwit_model::{AgentId, Clock, Code, time};
use inwit_wire::{BackupV1, DreamRunV1, ErrorV1, JobV1};
use jiff::Timestamp;

use crate::problem::Problem;

/// Most jobs of one agent that run at the same time.
pub const JOBS_RUNNING_MAX: usize = 2;

/// Most jobs of one agent that are known.
pub const JOBS_KEPT_MAX: usize = 50;

/// When a caller may try again after too many jobs.
const RETRY_SECONDS: &str = "10";

/// The result of a job.
#[derive(Debug, Clone)]
pub(crate) enum Done {
    /// Of a dream.
    Dream(DreamRunV1),
    /// Of a backup.
    Backup(BackupV1),
}

/// The jobs of a server.
#[derive(Default)]
pub(crate) struct Jobs(Mutex<HashMap<AgentId, AgentJobs>>);

/// The jobs of one agent: their numbers show nothing of those of others.
#[derive(Default)]
struct AgentJobs {
    /// The number of the last job.
    last: u64,
    /// Newest first.
    jobs: VecDeque<Job>,
}

struct Job {
    number: u64,
    kind: &'static str,
    started: Timestamp,
    end: Option<(Timestamp, Result<Done, ErrorV1>)>,
}

impl Jobs {
    /// Starts `work` for an agent. Error: `calls_too_many`.
    pub fn start(
        self: &Arc<Self>,
        agent: &AgentId,
        kind: &'static str,
        clock: &Arc<dyn Clock>,
        work: impl FnOnce() -> Result<Done, ErrorV1> + Send + 'static,
    ) -> Result<JobV1, Problem> {
        let busy = || {
            let message = format!("{JOBS_RUNNING_MAX} jobs run already.");
            Problem::new(Code::CallsTooMany, message).with(header::RETRY_AFTER, RETRY_SECONDS)
        };
        let (number, told) = {
            let mut all = self.all();
            let own = all.entry(agent.clone()).or_default();
            if own.jobs.iter().filter(|job| job.end.is_none()).count() >= JOBS_RUNNING_MAX {
                return Err(busy());
            }
            own.last += 1;
            own.jobs.push_front(Job { number: own.last, kind, started: clock.now(), end: None });
            let ended = own.jobs.iter().rposition(|job| job.end.is_some());
            if let Some(oldest) = ended.filter(|_| own.jobs.len() > JOBS_KEPT_MAX) {
                own.jobs.remove(oldest);
            }
            (own.last, JobV1::from(&own.jobs[0]))
        };
        let (jobs, clock, own) = (Arc::clone(self), Arc::clone(clock), agent.clone());
        let run = move || {
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            let failed = |_| {
                Err(ErrorV1::new(
                    Code::WriteFailed,
                    "The job failed with an internal error; its effect is unknown.",
                ))
            };
            jobs.end(&own, number, clock.now(), ended.unwrap_or_else(failed));
        };
        match std::thread::Builder::new().name(format!("job-{kind}")).spawn(run) {
            Ok(_) => Ok(told),
            Err(_) => {
                self.all().entry(agent.clone()).or_default().jobs.retain(|job| job.number != number);
                Err(busy())
            }
        }
    }

    /// The jobs of an agent, newest first.
    pub fn of(&self, agent: &AgentId) -> Vec<JobV1> {
        self.all().get(agent).map_or_else(Vec::new, |own| own.jobs.iter().map(JobV1::from).collect())
    }

    fn end(&self, agent: &AgentId, number: u64, at: Timestamp, done: Result<Done, ErrorV1>) {
        let mut all = self.all();
        let job = all.get_mut(agent).and_then(|own| own.jobs.iter_mut().find(|job| job.number == number));
        if let Some(job) = job {
            job.end = Some((at, done));
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<AgentId, AgentJobs>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<&Job> for JobV1 {
    fn from(job: &Job) -> Self {
        let mut told = Self {
            id: job.number.to_string(),
            kind: job.kind,
            state: "running",
            started_at: time::json(job.started),
            ended_at: None,
            dream: None,
            backup: None,
            error: None,
        };
        if let Some((at, done)) = &job.end {
            told.ended_at = Some(time::json(*at));
            told.state = if done.is_ok() { "done" } else { "failed" };
            match done {
                Ok(Done::Dream(run)) => told.dream = Some(run.clone()),
                Ok(Done::Backup(made)) => told.backup = Some(made.clone()),
                Err(error) => told.error = Some(error.clone()),
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH
        }
    }

    /// A job that fails, by a code or by a panic, is reported, and its place is free again.
    #[test]
    fn a_job_is_reported_until_it_ends_and_its_failure_too() {
        let (jobs, clock) = (Arc::new(Jobs::default()), Arc::new(Still) as Arc<dyn Clock>);
        let (main, other) = (AgentId::main(), AgentId::parse("other").expect("an id"));
        let started: Vec<_> = (0..JOBS_RUNNING_MAX)
            .map(|at| {
                let (go, wait) = mpsc::channel::<()>();
                let work = move || {
                    let _ = wait.recv();
                    assert!(at > 0, "a fault");
                    Err(ErrorV1::new(Code::Locked, "busy."))
                };
                (jobs.start(&main, "dream", &clock, work).expect("started"), go)
            })
            .collect();
        assert!(jobs.of(&main).iter().all(|job| job.state == "running"));
        assert!(jobs.of(&other).is_empty());
        let refused = jobs.start(&main, "dream", &clock, || Err(ErrorV1::new(Code::Locked, "busy.")));
        assert_eq!(refused.expect_err("too many").status().as_u16(), 429);
        drop(started);
        while jobs.of(&main).iter().any(|job| job.state == "running") {
            std::thread::yield_now();
        }
        let codes: Vec<_> = jobs.of(&main).iter().map(|job| job.error.as_ref().map(|why| why.code)).collect();
        assert_eq!(codes, [Some("locked"), Some("write_failed")]);
        let elsewhere = jobs.start(&other, "dream", &clock, || Err(ErrorV1::new(Code::Locked, "busy.")));
        assert_eq!(elsewhere.expect("started").id, "1", "numbers show nothing of other agents");
    }
}
