//! Due work of an agent beside the calls of its process: dreams, facts, the hourly copy.
//!
//! Several processes of one agent may each have a scheduler; the locks of the work decide which one runs it. Invariants:
//! work starts only after some time without calls, and not in quiet hours; the end of the process stops a running call of
//! a language model, and a later check repeats what it stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use inwit_engine::Notice;
use inwit_engine::idle::{Idle, Wakes};
use inwit_model::{Clock, Entropy};

use crate::entropy::SystemEntropy;
use crate::idle::IdleConfig;
use crate::open::OpenAgent;
use crate::upkeep;

/// Pause between two checks, in seconds.
pub const CHECK_SECONDS: u64 = 300;

/// Longest wait for running work at the end of the process, in seconds.
pub const END_SECONDS_MAX: u64 = 5;

/// Most notices that wait to be read.
const NOTICES_MAX: usize = 20;

/// A running scheduler, until it is dropped.
pub struct Scheduler {
    work: Arc<Work>,
    thread: Option<JoinHandle<()>>,
}

struct Work {
    opened: Arc<OpenAgent>,
    clock: Arc<dyn Clock>,
    idle: Arc<Idle>,
    /// Set at the end of the process.
    stop: Arc<AtomicBool>,
    notices: Mutex<Vec<Notice>>,
}

impl Scheduler {
    /// Starts it beside the calls of `idle`. `None` if no thread can be started; then due work runs when a session ends.
    pub fn start(opened: Arc<OpenAgent>, clock: Arc<dyn Clock>, idle: Arc<Idle>) -> Option<Self> {
        let work = Work { opened, clock, idle, stop: Arc::default(), notices: Mutex::default() };
        let work = Arc::new(work);
        let running = Arc::clone(&work);
        let thread = thread::Builder::new().name("scheduler".into()).spawn(move || running.run()).ok()?;
        Some(Self { work, thread: Some(thread) })
    }

    /// The notices since the last call.
    pub fn notices(&self) -> Vec<Notice> {
        std::mem::take(&mut *self.work.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Scheduler {
    /// Stops it, and waits for running work for at most [`END_SECONDS_MAX`].
    fn drop(&mut self) {
        self.work.stop.store(true, Ordering::Relaxed);
        self.work.idle.end();
        let until = Instant::now() + Duration::from_secs(END_SECONDS_MAX);
        let Some(thread) = self.thread.take() else { return };
        while !thread.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Work {
    /// Whether no call runs, the process does not end, and these are not the quiet hours.
    fn may_start(&self) -> bool {
        let config = &self.opened.config;
        !self.stop.load(Ordering::Relaxed)
            && self.idle.is_idle()
            && !config.idle.is_quiet(self.clock.now(), &config.zone)
    }

    fn run(&self) {
        let IdleConfig { after, .. } = self.opened.config.idle;
        // Processes that start together do not work together.
        let mut quiet = after + jitter(after);
        while self.idle.wait(quiet) {
            let new = upkeep::tend_idle(&self.opened, &self.stop, &|| self.may_start());
            if !new.is_empty() {
                let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
                notices.extend(new);
                let excess = notices.len().saturating_sub(NOTICES_MAX);
                notices.drain(..excess);
            }
            let check = Duration::from_secs(CHECK_SECONDS);
            self.idle.pause(check + jitter(check), Wakes::Nothing);
            quiet = after;
        }
    }
}

/// A random time of at most a quarter of `of`.
fn jitter(of: Duration) -> Duration {
    let [byte, ..] = SystemEntropy.sixteen();
    of.mul_f64(f64::from(byte) / 255.0 / 4.0)
}
