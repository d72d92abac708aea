//! The one wall clock of the program.

use std::sync::OnceLock;
use std::time::SystemTime;

use inwit_model::{Clock, Code};
use jiff::{SignedDuration, Timestamp};

use crate::error::HomeError;

/// The variable that sets the start time of the process, for tests and replays such as `inwit bench week`.
pub const VARIABLE: &str = "INWIT_CLOCK";

/// Offset of this process from the system clock.
static AHEAD: OnceLock<SignedDuration> = OnceLock::new();

/// Starts at the time in [`VARIABLE`], if set. Error: `setting_bad`.
pub fn begin(at: Option<&str>) -> Result<(), HomeError> {
    let Some(at) = at.filter(|at| !at.is_empty()) else { return Ok(()) };
    let at: Timestamp = at.parse().map_err(|_| {
        HomeError::new(
            Code::SettingBad,
            format!("{VARIABLE}: cannot parse `{}` as a time.", inwit_model::name::shown(at)),
        )
        .hint("Unset it, or use a time such as 2026-11-21T09:00:00Z.")
    })?;
    AHEAD.get_or_init(|| at.duration_since(SystemClock.now()));
    Ok(())
}

/// The system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    fn now(&self) -> Timestamp {
        let now = clamped(SystemTime::now());
        AHEAD.get().map_or(now, |ahead| now.saturating_add(*ahead).unwrap_or(now))
    }
}

/// The time of any clock value, clamped to the calendar.
fn clamped(at: SystemTime) -> Timestamp {
    let nearest = || if at < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::try_from(at).unwrap_or_else(|_| nearest())
}

/// A fixed clock, for the sample agent.
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
