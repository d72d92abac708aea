//! A circuit breaker for a provider.
//!
//! After some consecutive failures every call fails immediately, so that a search does not wait for a provider that
//! is down. After a pause one call is let through; its result closes or reopens the breaker. The state is per
//! process, since immediate failures are cheap, and only one process fills at a time; only timeouts of queries are
//! shared, by `remote`. Invariant: durations are monotonic; nothing here waits.

use std::time::Duration;

/// Calls that may fail in a row before a provider is left alone.
pub const FAILURES_MAX: u32 = 3;

/// How long it is left alone then, in seconds.
pub const REST_SECONDS: u64 = 30;

/// What is remembered of the calls so far.
#[derive(Debug, Default)]
pub struct Breaker {
    failures: u32,
    rests_until: Option<Duration>,
}

/// How long a provider is still left alone, after how many failures in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resting {
    /// Time that is left.
    pub left: Duration,
    /// Failures in a row.
    pub failures: u32,
}

impl Breaker {
    /// Asks to make a call at `now`.
    pub fn admit(&mut self, now: Duration) -> Result<(), Resting> {
        match self.rests_until {
            Some(until) if now < until => Err(Resting { left: until - now, failures: self.failures }),
            Some(_) => {
                // This call is the probe; others fail until it returns.
                self.rest(now);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// A call worked.
    pub fn worked(&mut self) {
        *self = Self::default();
    }

    /// A call failed at `now`.
    pub fn failed(&mut self, now: Duration) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURES_MAX {
            self.rest(now);
        }
    }

    fn rest(&mut self, now: Duration) {
        self.rests_until = Some(now + Duration::from_secs(REST_SECONDS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Duration = Duration::from_secs;

    #[test]
    fn it_rests_after_failures_in_a_row_and_then_probes_once() {
        let mut breaker = Breaker::default();
        for _ in 1..FAILURES_MAX {
            breaker.failed(AT(0));
        }
        assert_eq!(breaker.admit(AT(0)), Ok(()));
        breaker.failed(AT(1));
        assert_eq!(
            breaker.admit(AT(11)),
            Err(Resting { left: AT(REST_SECONDS - 10), failures: FAILURES_MAX })
        );
        let over = 1 + REST_SECONDS;
        assert_eq!(breaker.admit(AT(over)), Ok(()), "the probe");
        assert!(breaker.admit(AT(over)).is_err(), "one probe, not two");
        breaker.failed(AT(over + 1));
        assert!(breaker.admit(AT(over + REST_SECONDS)).is_err());
        assert_eq!(breaker.admit(AT(over + 1 + REST_SECONDS)), Ok(()));
        breaker.worked();
        assert_eq!(breaker.admit(AT(over + 1 + REST_SECONDS)), Ok(()));
        breaker.failed(AT(100));
        assert_eq!(breaker.admit(AT(100)), Ok(()), "the count begins anew");
    }

    #[test]
    fn failures_that_are_not_in_a_row_do_not_add_up() {
        let mut breaker = Breaker::default();
        for second in 0..10 {
            breaker.failed(AT(second));
            breaker.worked();
        }
        assert_eq!(breaker.admit(AT(10)), Ok(()));
    }
}
