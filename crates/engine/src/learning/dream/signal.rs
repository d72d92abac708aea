//! Aggregates the recall events of one passage.
//!
//! Distinct queries and distinct days are counted separately, since gates test both. Invariant: signals depend only
//! on the events and the time, not on the order of the events.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// One recall of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallEvent<'a> {
    /// The query.
    pub query: &'a str,
    /// Rank score: 1 for the first hit, 1/2 for the second, …
    pub score: f64,
    /// Its time.
    pub at: Timestamp,
}

/// The aggregate of all events of one passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals {
    /// Number of recalls.
    pub hits: u32,
    /// Mean score of the events, 0 to 1.
    pub relevance: f64,
    /// Days since the last event, fractions included; never below 0.
    pub days_since_last: f64,
    /// Distinct queries, ignoring blanks and case.
    pub queries: u32,
    /// Distinct days, UTC.
    pub days: u32,
}

/// Seconds of a day.
const DAY_SECONDS: f64 = 86_400.0;

/// The signals of one passage at `now`. `None` without events. A NaN score counts as 0, a future event as one of now.
pub fn signals(events: &[RecallEvent<'_>], now: Timestamp) -> Option<Signals> {
    let last = events.iter().map(|event| event.at).max()?;
    let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
    let mut scores: Vec<f64> =
        events.iter().map(|event| if event.score.is_finite() { event.score } else { 0.0 }).collect();
    // Float sums depend on order, so events are sorted.
    scores.sort_by(f64::total_cmp);
    let queries: BTreeSet<String> = events.iter().map(|event| question(event.query)).collect();
    let days: BTreeSet<_> = events.iter().map(|event| event.at.to_zoned(TimeZone::UTC).date()).collect();
    let since = now.duration_since(last).as_secs_f64();
    Some(Signals {
        hits: count(events.len()),
        relevance: (scores.iter().sum::<f64>() / events.len() as f64).clamp(0.0, 1.0),
        days_since_last: (since / DAY_SECONDS).max(0.0),
        queries: count(queries.len()),
        days: count(days.len()),
    })
}

fn question(query: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    let folded: String = query.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn event(query: &str, score: f64, time: &str) -> RecallEvent<'static> {
        RecallEvent { query: Box::leak(query.to_owned().into_boxed_str()), score, at: at(time) }
    }

    /// One query on two days is one query.
    /// Proves N29b.
    #[test]
    fn questions_and_days_are_counted_apart() {
        let events = [
            event("Which  bread?", 1.0, "2026-11-19T23:59:00Z"),
            event("which bread?", 0.5, "2026-11-20T00:01:00Z"),
            event("ｗhich bread?", f64::NAN, "2026-11-20T12:00:00Z"),
        ];
        let found = signals(&events, at("2026-11-21T12:00:00Z")).expect("signals");
        assert_eq!((found.hits, found.queries, found.days), (3, 1, 2));
        assert_eq!(found.relevance, 0.5);
        assert_eq!(found.days_since_last, 1.0);
        assert_eq!(signals(&[], at("2026-11-21T12:00:00Z")), None);
    }

    #[test]
    fn an_event_of_the_future_is_one_of_now() {
        let found = signals(&[event("a", 7.0, "2027-01-01T00:00:00Z")], at("2026-11-21T12:00:00Z"));
        let found = found.expect("signals");
        assert_eq!((found.days_since_last, found.relevance), (0.0, 1.0));
    }

    proptest! {
        #[test]
        fn the_order_of_events_does_not_matter(scores in prop::collection::vec(-1.0f64..2.0, 1..20), turn in 0usize..20) {
            let events: Vec<_> = scores.iter().enumerate().map(|(n, score)| RecallEvent {
                query: ["a", "b", "A "][n % 3], score: *score,
                at: Timestamp::from_second(1_795_000_000 + n as i64 * 40_000).expect("a time"),
            }).collect();
            let mut other = events.clone();
            other.rotate_left(turn % events.len());
            let now = at("2026-12-21T12:00:00Z");
            prop_assert_eq!(signals(&events, now), signals(&other, now));
        }
    }
}
