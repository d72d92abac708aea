//! When due work runs beside the calls of a process, as configured.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

/// Default time without calls before due work starts, in seconds.
pub const IDLE_SECONDS_DEFAULT: u64 = 60;

/// When due work runs beside calls.
#[derive(Debug, Clone)]
pub struct IdleConfig {
    /// Time without calls before it starts.
    pub after: Duration,
    /// Hours in which none starts.
    pub quiet_hours: Option<QuietHours>,
}

/// Hours of each day, which may pass midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: Time,
    to: Time,
}

impl QuietHours {
    /// `22:00-07:30`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-')?;
        let time = |text: &str| Time::strptime("%H:%M", text.trim()).ok();
        let (from, to) = (time(from)?, time(to)?);
        (from != to).then_some(Self { from, to })
    }

    fn has(self, time: Time) -> bool {
        let (is_after, is_before) = (time >= self.from, time < self.to);
        if self.from < self.to { is_after && is_before } else { is_after || is_before }
    }
}

impl IdleConfig {
    /// Whether `now` in `zone` is in the quiet hours.
    pub fn is_quiet(&self, now: Timestamp, zone: &TimeZone) -> bool {
        self.quiet_hours.is_some_and(|hours| hours.has(zone.to_datetime(now).time()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_are_of_the_agents_zone_and_may_pass_midnight() {
        let zone = TimeZone::get("Europe/Vienna").expect("a zone");
        let is_quiet = |hours: &str, at: &str| {
            let idle = IdleConfig { after: Duration::ZERO, quiet_hours: QuietHours::parse(hours) };
            idle.is_quiet(at.parse().expect("a time"), &zone)
        };
        // Vienna is an hour ahead in winter.
        for (at, expected) in [
            ("2026-11-29T20:59:00Z", false),
            ("2026-11-29T21:00:00Z", true),
            ("2026-11-30T00:00:00Z", true),
            ("2026-11-30T06:29:00Z", true),
            ("2026-11-30T06:30:00Z", false),
        ] {
            assert_eq!(is_quiet("22:00-07:30", at), expected, "{at}");
        }
        assert!(
            is_quiet("09:00-17:00", "2026-11-30T08:00:00Z")
                && !is_quiet("09:00-17:00", "2026-11-30T16:00:00Z")
        );
        for bad in ["", "22:00", "22:00-22:00", "25:00-07:00", "22-7", "off"] {
            assert_eq!(QuietHours::parse(bad), None, "{bad}");
        }
    }
}
