//! Clocks that a test sets. They are fixed until changed, so no test depends on the speed of the machine.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use inwit_model::Clock;
use inwit_workspace::Stopwatch;
use jiff::{SignedDuration, Timestamp};

/// A clock that a test sets.
#[derive(Debug)]
pub struct FakeClock {
    now: Mutex<Timestamp>,
}

impl FakeClock {
    /// Starts at `moment`, such as `2026-11-21T14:03:00Z`.
    #[track_caller]
    pub fn at(moment: &str) -> Self {
        Self { now: Mutex::new(parsed(moment)) }
    }

    /// Sets the time to `moment`, forwards or backwards.
    #[track_caller]
    pub fn set(&self, moment: &str) {
        *self.held() = parsed(moment);
    }

    /// Advances by `duration`; a negative one goes back.
    pub fn pass(&self, duration: SignedDuration) {
        let mut now = self.held();
        *now = now.checked_add(duration).expect("a moment that a calendar has");
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Timestamp> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        *self.held()
    }
}

/// A stopwatch on which only waiting takes time.
#[derive(Debug, Default)]
pub struct FakeStopwatch {
    elapsed: Mutex<Duration>,
}

impl FakeStopwatch {
    /// Advances by `duration`.
    pub fn pass(&self, duration: Duration) {
        *self.held() += duration;
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Duration> {
        self.elapsed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stopwatch for FakeStopwatch {
    fn elapsed(&self) -> Duration {
        *self.held()
    }

    fn wait(&self, pause: Duration) {
        self.pass(pause);
    }
}

#[track_caller]
fn parsed(moment: &str) -> Timestamp {
    moment.parse().unwrap_or_else(|error| panic!("`{moment}` is no moment: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_moves_only_when_told() {
        let clock = FakeClock::at("2026-11-21T14:03:00Z");
        assert_eq!(clock.now(), clock.now());
        clock.pass(SignedDuration::from_mins(-3));
        assert_eq!(clock.now().to_string(), "2026-11-21T14:00:00Z");
        clock.set("2038-01-19T03:14:08Z");
        assert_eq!(clock.now().as_second(), 1 << 31);
    }
}
