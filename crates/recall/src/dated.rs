//! Boosts and filters passages by the time in a query.
//!
//! A passage has a date from its heading, its file or its text. Invariant: passages of another time lose nothing;
//! only explicit bounds exclude passages.

use std::collections::{HashMap, HashSet};

use inwit_store::{Corpus, IndexError, Snapshot};
use jiff::civil::Date;

use crate::lexical::Scores;
use crate::question::Question;
use crate::time::order::Order;
use crate::time::passage::{DATE_MARK, terms_within};
use crate::time::{Grain, Interval, Reading, When, Yearly};
use crate::weight::Weights;

/// Smallest share of the best word score for the first or latest passage of its kind. It is above what score
/// propagation gives.
const ALIKE_SHARE_MIN: f32 = 0.75;

/// Number of passages boosted, the first most.
const ORDERED_MAX: usize = 5;

/// Passages that match the time of a query.
#[derive(Debug, Default)]
pub struct Dated {
    gains: HashMap<u32, f32>,
    within: Option<Within>,
    /// The boosts are for the named days in another year.
    pub is_of_another_year: bool,
}

/// Explicit bounds, and the passages whose text names a day in them.
#[derive(Debug)]
struct Within {
    interval: Interval,
    told: HashSet<u32>,
    dated: HashSet<u32>,
}

impl Dated {
    /// Computed in one pass over the passages if the query names a time.
    pub fn of(snapshot: &dyn Snapshot, question: &Question, weights: &Weights) -> Result<Self, IndexError> {
        let mut dated = Self::default();
        let when = &question.when;
        let corpus = snapshot.corpus();
        if !when.is_empty() {
            dated.gain_by(&Named::of(when), snapshot, weights)?;
            // A query of only a time must not return another time.
            if dated.is_empty() && !question.terms.is_empty() {
                dated.of_another_year(corpus, question, weights);
            }
        }
        if let Some(interval) = question.days {
            let told = told(snapshot, &interval)?.into_iter().collect();
            let dated_at_all = snapshot.postings(&DATE_MARK.to_string())?;
            let dated_at_all = dated_at_all.iter().map(|posting| posting.position).collect();
            dated.within = Some(Within { interval, told, dated: dated_at_all });
        }
        Ok(dated)
    }

    /// Boosts for the `named` times: each day of the notes is compared once, each term looked up once.
    fn gain_by(
        &mut self,
        named: &Named,
        snapshot: &dyn Snapshot,
        weights: &Weights,
    ) -> Result<(), IndexError> {
        let mut of_days: HashMap<Date, f32> = HashMap::new();
        for (position, date) in snapshot.corpus().dates.iter().enumerate() {
            let Some(date) = *date else { continue };
            let gain = *of_days.entry(date).or_insert_with(|| named.gain_of_day(date, weights));
            self.raise(position as u32, gain);
        }
        for (term, grain) in named.terms() {
            for posting in snapshot.postings(&term)?.iter() {
                self.raise(posting.position, asked(grain, weights));
            }
        }
        Ok(())
    }

    /// If no note is from the year in the query, it is treated as a mistake: the same days in other years are boosted
    /// among the matches, and the user is notified.
    fn of_another_year(&mut self, corpus: &Corpus, question: &Question, weights: &Weights) {
        let written = |year: i16| question.time_words.iter().any(|word| word.contains(&year.to_string()));
        let known: HashSet<i16> = corpus.dates.iter().flatten().map(|date| date.year()).collect();
        let slips = question.when.readings.iter().filter(|reading| {
            let years = [reading.interval.since, reading.interval.until];
            years.iter().all(|day| day.is_some_and(|day| written(day.year()) && !known.contains(&day.year())))
        });
        for reading in slips {
            let of_reading = |date: Date| {
                let years = [reading.interval.since, reading.interval.until].into_iter().flatten();
                let mut moved = years.filter_map(|day| date.with().year(day.year()).build().ok());
                moved.any(|date| reading.interval.holds(date))
            };
            let gain = if reading.grain == Grain::Day { weights.week_asked } else { weights.year_asked };
            for (position, date) in corpus.dates.iter().enumerate() {
                if date.is_some_and(of_reading) {
                    self.raise(position as u32, gain);
                }
            }
        }
        self.is_of_another_year = !self.gains.is_empty();
    }

    fn raise(&mut self, position: u32, gain: f32) {
        if gain > 0.0 {
            let here = self.gains.entry(position).or_default();
            *here = here.max(gain);
        }
    }

    /// Boosts the first or latest of the best matching passages: in the named time if any, and never of a future day.
    pub fn favour(
        &mut self,
        order: Order,
        question: &Question,
        corpus: &Corpus,
        scores: &Scores,
        weights: &Weights,
    ) {
        let best = scores.touched.iter().map(|&at| scores.sum[at as usize]).fold(0.0, f32::max);
        let is_named = |at: u32| self.is_empty() || self.gain(at) > 0.0;
        let alike =
            scores.touched.iter().copied().filter(|&at| {
                scores.sum[at as usize] >= best * ALIKE_SHARE_MIN && best > 0.0 && is_named(at)
            });
        let day = |at: u32| corpus.dates[at as usize].filter(|day| *day <= question.today);
        let mut found: Vec<(Date, u32)> = alike.filter_map(|at| Some((day(at)?, at))).collect();
        found.sort_unstable();
        if order == Order::Latest {
            found.reverse();
        }
        found.truncate(ORDERED_MAX);
        for (place, (_, at)) in found.into_iter().enumerate() {
            let share = 1.0 - place as f32 / ORDERED_MAX as f32;
            *self.gains.entry(at).or_default() += weights.year_asked * share;
        }
    }

    /// Whether no passage matches the time.
    pub fn is_empty(&self) -> bool {
        self.gains.is_empty() || self.is_of_another_year
    }

    /// The boost of a passage.
    pub fn gain(&self, position: u32) -> f32 {
        self.gains.get(&position).copied().unwrap_or(0.0)
    }

    /// Passages of the named time with a boost of at least `least`, unordered.
    pub fn meant(&self, least: f32) -> impl Iterator<Item = u32> {
        self.gains.iter().filter(move |(_, gain)| **gain >= least).map(|(position, _)| *position)
    }

    /// Filters `positions` by explicit bounds; returns the number excluded because their date is unknown.
    pub fn keep_within(&self, corpus: &Corpus, positions: &mut Vec<u32>) -> usize {
        let Some(within) = &self.within else { return 0 };
        let mut undated = 0;
        positions.retain(|position| {
            let date = corpus.dates[*position as usize];
            undated += usize::from(date.is_none() && !within.dated.contains(position));
            date.is_some_and(|date| within.interval.holds(date)) || within.told.contains(position)
        });
        undated
    }
}

/// The times in a query, each once: a query of 99 KB may name ten thousand.
struct Named {
    readings: Vec<Reading>,
    yearly: Vec<Yearly>,
}

impl Named {
    fn of(when: &When) -> Self {
        let (mut readings, mut yearly) = (when.readings.clone(), when.yearly.clone());
        readings.sort_by_key(|reading| (reading.interval.since, reading.interval.until, reading.grain));
        readings.dedup_by_key(|reading| (reading.interval, reading.grain));
        yearly.sort_by_key(|yearly| (yearly.month, yearly.day));
        yearly.dedup();
        Self { readings, yearly }
    }

    fn gain_of_day(&self, date: Date, weights: &Weights) -> f32 {
        let readings = self.readings.iter().filter(|reading| reading.interval.holds(date));
        let gain = readings.map(|reading| asked(reading.grain, weights));
        let yearly = self.yearly.iter().filter_map(|yearly| of_any_year(*yearly, date, weights));
        gain.chain(yearly).fold(0.0, f32::max)
    }

    /// Index terms for these days. A term may belong to a reading by day and one by year.
    fn terms(&self) -> HashSet<(String, Grain)> {
        let of = |reading: &Reading| {
            let grain = reading.grain;
            terms_within(&reading.interval).into_iter().map(move |term| (term, grain))
        };
        self.readings.iter().flat_map(of).collect()
    }
}

/// The boost of a passage within a reading of this grain.
fn asked(grain: Grain, weights: &Weights) -> f32 {
    match grain {
        Grain::Day => weights.day_asked,
        Grain::Week => weights.week_asked,
        Grain::Month => weights.month_asked,
        Grain::Year => weights.year_asked,
    }
}

/// A month without a year may be of any year; so may a day of it, and then its month is near.
fn of_any_year(yearly: Yearly, date: Date, weights: &Weights) -> Option<f32> {
    if yearly.month != date.month() {
        return None;
    }
    Some(if yearly.day == Some(date.day()) { weights.week_asked } else { weights.year_asked })
}

/// Passages whose text names a day in `interval`.
fn told(snapshot: &dyn Snapshot, interval: &Interval) -> Result<Vec<u32>, IndexError> {
    let mut positions = Vec::new();
    for term in terms_within(interval) {
        positions.extend(snapshot.postings(&term)?.iter().map(|posting| posting.position));
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Analyser;

    /// Regression: 99 KB of these words over 20,000 entries took 6 to 10 seconds: each was compared with every passage.
    #[test]
    fn a_time_that_is_named_again_and_again_is_looked_up_once() {
        let named = |text: &str| {
            let today = jiff::civil::date(2026, 11, 27);
            Named::of(&Question::new(text, today, &mut Analyser::default()).expect("asked").when)
        };
        let (once, often) = (named("since may "), named(&"since may ".repeat(2_000)));
        assert!(!once.readings.is_empty());
        assert_eq!(often.readings, once.readings);
        assert_eq!(often.terms(), once.terms());
        let (once, often) = (named("bread in may"), named(&"bread in may, ".repeat(2_000)));
        assert!(!once.yearly.is_empty());
        assert_eq!((often.readings, often.yearly), (once.readings, once.yearly));
    }
}
