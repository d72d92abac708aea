//! Retries with exponential backoff.
//!
//! A busy or restarting provider is retried after a doubling pause with jitter. Invariant: the number of attempts and
//! every pause are bounded; a longer `Retry-After` is returned as an error.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, Instant};

/// Tries of one request, the first one counted.
pub const TRIES_MAX: u32 = 3;

/// Pause before the second try, in milliseconds; it doubles with each further one.
pub const PAUSE_FIRST_MS: u64 = 250;

/// Longest pause of our own choice, in milliseconds.
pub const PAUSE_MS_MAX: u64 = 4_000;

/// Longest pause that a provider may ask for with `Retry-After`, in seconds.
pub const RETRY_AFTER_SECONDS_MAX: u64 = 20;

/// Time and chance, as far as asking again needs them (D10).
pub trait Pace: Send + Sync {
    /// Time since some moment; it never goes back.
    fn elapsed(&self) -> Duration;

    /// Lets `pause` go by.
    fn wait(&self, pause: Duration);

    /// Some number that others do not draw at the same moment. It guards nothing.
    fn chance(&self) -> u64;
}

/// The system's.
#[derive(Debug)]
pub struct SystemPace(Instant);

impl Default for SystemPace {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Pace for SystemPace {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait(&self, pause: Duration) {
        std::thread::sleep(pause);
    }

    fn chance(&self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}

/// How long to pause after `tries` tries that failed, where the provider asked for `asked`. `None`: not
/// again.
pub fn pause(tries: u32, asked: Option<Duration>, chance: u64) -> Option<Duration> {
    if tries >= TRIES_MAX {
        return None;
    }
    match asked {
        Some(asked) if asked > Duration::from_secs(RETRY_AFTER_SECONDS_MAX) => None,
        Some(asked) => Some(asked),
        None => {
            let full = PAUSE_FIRST_MS.saturating_mul(1 << tries.saturating_sub(1).min(16)).min(PAUSE_MS_MAX);
            // From a half to the whole.
            Some(Duration::from_millis(full / 2 + chance % (full / 2 + 1)))
        }
    }
}

/// The seconds of a `Retry-After`. Its other form, a date, needs a wall clock and counts as not said.
pub fn asked(header: Option<&str>) -> Option<Duration> {
    header?.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_within_bounds_and_end() {
        let ms = |tries, chance| pause(tries, None, chance).map(|pause| pause.as_millis());
        assert_eq!(
            [ms(1, 0), ms(1, 125), ms(1, u64::MAX)].map(|ms| ms.is_some_and(|ms| (125..=250).contains(&ms))),
            [true; 3]
        );
        assert_eq!((ms(2, 0), ms(2, 250)), (Some(250), Some(500)));
        assert_eq!(ms(TRIES_MAX, 0), None);
    }

    #[test]
    fn a_provider_is_heard_within_reason() {
        assert_eq!(pause(1, asked(Some(" 7 ")), 9), Some(Duration::from_secs(7)));
        assert_eq!(pause(1, asked(Some("0")), 9), Some(Duration::ZERO));
        assert_eq!(pause(1, asked(Some("21")), 9), None, "longer than anybody should wait");
        for unread in ["", "-1", "soon", "Sat, 21 Nov 2026 12:00:00 GMT", "99999999999999999999"] {
            assert_eq!(asked(Some(unread)), None, "{unread}");
        }
    }
}
