//! How a time is written: days and minutes for people, RFC 3339 with milliseconds in JSON.
//!
//! Files keep the forms of their own formats.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::fact::Span;

/// A day in `zone`, for people: `2026-11-28`.
pub fn day(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string()
}

/// A time to the minute, for people: `2026-11-28 17:06 UTC`.
pub fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A time in JSON: `2026-11-28T17:06:45.212Z`.
pub fn json(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// From when until when, for people, in days of `zone`: `2020-01-01 to 2024-01-01`, `since 2028-01-01`,
/// `until 2024-01-01`. `None` where neither end is known.
pub fn span(span: Span, zone: &TimeZone) -> Option<String> {
    let day = |at| day(at, zone);
    match (span.from, span.to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("since {}", day(from))),
        (None, Some(to)) => Some(format!("until {}", day(to))),
        (Some(from), Some(to)) => Some(format!("{} to {}", day(from), day(to))),
    }
}

/// The same as it is at `now`: `ended 2024-01-01` where it is over, `from 2028-01-01` where it has not begun.
pub fn span_at(now: Timestamp, of: Span, zone: &TimeZone) -> Option<String> {
    let day = |at| day(at, zone);
    match (of.from, of.to) {
        (_, Some(to)) if to <= now => Some(format!("ended {}", day(to))),
        (Some(from), None) if from > now => Some(format!("from {}", day(from))),
        (Some(from), Some(to)) if from > now => Some(format!("from {} to {}", day(from), day(to))),
        _ => span(of, zone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_one_form_for_people_and_one_in_json() {
        let at = |text: &str| text.parse::<Timestamp>().expect("a time");
        let moment = at("2026-11-28T17:06:45.2129Z");
        assert_eq!(minute(moment), "2026-11-28 17:06 UTC");
        assert_eq!(day(moment, &TimeZone::UTC), "2026-11-28");
        assert_eq!(json(moment), "2026-11-28T17:06:45.212Z");
        assert_eq!(json(at("2026-11-28T17:06:45Z")), "2026-11-28T17:06:45.000Z");
    }

    #[test]
    fn a_span_names_the_ends_that_are_known() {
        let at = |text: &str| text.parse::<Timestamp>().ok();
        let (early, late) = (at("2020-01-01T00:00:00Z"), at("2024-01-01T00:00:00Z"));
        let told = |from, to| span(Span { from, to }, &TimeZone::UTC).unwrap_or_default();
        assert_eq!(told(early, late), "2020-01-01 to 2024-01-01");
        assert_eq!(told(late, None), "since 2024-01-01");
        assert_eq!(told(None, late), "until 2024-01-01");
        assert_eq!(told(None, None), "");
    }

    #[test]
    fn a_span_that_is_over_or_has_not_begun_says_so() {
        let at = |text: &str| text.parse::<Timestamp>().expect("a time");
        let (early, late) = (at("2020-01-01T00:00:00Z"), at("2024-01-01T00:00:00Z"));
        let told = |now: &str, from, to| span_at(at(now), Span { from, to }, &TimeZone::UTC);
        let (before, within, after) =
            ("2019-01-01T00:00:00Z", "2022-01-01T00:00:00Z", "2024-01-01T00:00:00Z");
        assert_eq!(told(after, Some(early), Some(late)).as_deref(), Some("ended 2024-01-01"));
        assert_eq!(told(within, Some(early), Some(late)).as_deref(), Some("2020-01-01 to 2024-01-01"));
        assert_eq!(told(before, Some(early), Some(late)).as_deref(), Some("from 2020-01-01 to 2024-01-01"));
        assert_eq!(told(before, Some(early), None).as_deref(), Some("from 2020-01-01"));
        assert_eq!(told(within, Some(early), None).as_deref(), Some("since 2020-01-01"));
    }
}
