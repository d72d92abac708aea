//! The one wall clock of the program.

use std::time::SystemTime;

use inwit_model::Clock;
use jiff::Timestamp;

/// The system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    fn now(&self) -> Timestamp {
        clamped(SystemTime::now())
    }
}

/// The moment of a clock that may be set to anything: beyond the years that a calendar has, the nearest one.
fn clamped(at: SystemTime) -> Timestamp {
    let nearest = || if at < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::try_from(at).unwrap_or_else(|_| nearest())
}

/// A clock that stands still, for the sample agent whose notes end on a certain day.
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_beyond_every_calendar_gives_the_nearest_moment() {
        const YEARS_20_000_SECONDS: u64 = 20_000 * 366 * 86_400;
        let far = Duration::from_secs(YEARS_20_000_SECONDS);
        assert_eq!(clamped(SystemTime::UNIX_EPOCH + far), Timestamp::MAX);
        assert_eq!(clamped(SystemTime::UNIX_EPOCH - far), Timestamp::MIN);
        assert_eq!(clamped(SystemTime::UNIX_EPOCH), Timestamp::UNIX_EPOCH);
    }
}
