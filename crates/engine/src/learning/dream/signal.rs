//! What the recall events of one passage say about it.
//!
//! Counts stay counts here: later rules ask for distinct questions and distinct days, and a measure
//! made of both could not answer. Invariant: signals depend on the events and the moment alone, not on
//! the order in which the events come.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// One time a passage was recalled.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallEvent<'a> {
    /// The question.
    pub query: &'a str,
    /// How well it fitted: 1 for the first hit, 1/2 for the second, …
    pub score: f64,
    /// When.
    pub at: Timestamp,
}

/// What all events of one passage come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals {
    /// How often it was recalled.
    pub hits: u32,
    /// Mean score of the events, 0 to 1.
    pub relevance: f64,
    /// Days since the last event, fractions included; never below 0.
    pub days_since_last: f64,
    /// Distinct questions: blanks and case apart.
    pub queries: u32,
    /// Distinct days, UTC.
    pub days: u32,
}

/// Seconds of a day.
const DAY_SECONDS: f64 = 86_400.0;

/// The signals of one passage at `now`. `None` without events. A score that is no number counts as 0, an
/// event of the future as one of now.
pub fn signals(events: &[RecallEvent<'_>], now: Timestamp) -> Option<Signals> {
    let last = events.iter().map(|event| event.at).max()?;
    let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
    let mut scores: Vec<f64> =
        events.iter().map(|event| if event.score.is_finite() { event.score } else { 0.0 }).collect();
    // Sums of floats depend on their order; the events' order should not show.
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

    /// One question on two days is one question: diversity is never taken for it.
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
