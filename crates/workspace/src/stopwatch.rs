//! Time that only goes forward, for deadlines and for watching (D10).
//!
//! A wall clock jumps; what is measured here does not, and goes on counting when the process ends, so a
//! later process of the same machine can say how long something stood unchanged. Invariant: nobody in
//! this crate waits but through [`Stopwatch::wait`], so a test waits for nothing.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A clock without a date.
pub trait Stopwatch: Send + Sync {
    /// Time since some moment that is the same for every process until the machine starts anew.
    fn elapsed(&self) -> Duration;

    /// Lets `pause` go by.
    fn wait(&self, pause: Duration);
}

/// The system's: time since the machine started, without the time it slept.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealStopwatch;

impl Stopwatch for RealStopwatch {
    fn elapsed(&self) -> Duration {
        let now = clock_gettime(ClockId::Monotonic);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or(0))
    }

    fn wait(&self, pause: Duration) {
        std::thread::sleep(pause);
    }
}
