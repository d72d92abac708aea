//! A monotonic clock, for deadlines and observation (D10).
//!
//! A wall clock may jump; this one does not, and continues across processes of one boot. Invariant: this crate only
//! waits through [`Stopwatch::wait`], so tests never wait.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A clock without a date.
pub trait Stopwatch: Send + Sync {
    /// Time since an origin that is the same for all processes of one boot.
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
