//! Which passages are of the time that a question names, and what they gain by it.
//!
//! A passage is of a day when its heading or its file says so, or when its words do. Invariant: what is of another time
//! loses nothing; only days that were asked for as a bound leave passages out.

use std::collections::{HashMap, HashSet};

use inwit_store::{Corpus, IndexError, Snapshot};
use jiff::civil::Date;

use crate::lexical::Scores;
use crate::question::Question;
use crate::time::order::Order;
use crate::time::passage::{DATE_MARK, terms_within};
use crate::time::{Grain, Interval, Reading, When, Yearly};
use crate::weight::Weights;

/// Least share of the best score by words of a passage that may be the first or the latest of its kind. It is above what
/// score propagation from a neighbour gives.
const ALIKE_SHARE_MIN: f32 = 0.75;

/// How many of them gain, the first the most.
const ORDERED_MAX: usize = 5;

/// The passages of the time that a question names.
#[derive(Debug, Default)]
pub struct Dated {
    gains: HashMap<u32, f32>,
    within: Option<Within>,
    /// The gains are of the days that were named, in a year that was not.
    pub is_of_another_year: bool,
}

/// The days that were asked for as a bound, and the passages whose words tell of one.
#[derive(Debug)]
struct Within {
    interval: Interval,
    told: HashSet<u32>,
    dated: HashSet<u32>,
}

impl Dated {
    /// Looks at every passage once where a time was named, and at none where not.
    pub fn of(snapshot: &dyn Snapshot, question: &Question, weights: &Weights) -> Result<Self, IndexError> {
        let mut dated = Self::default();
        let when = &question.when;
        let corpus = snapshot.corpus();
        if !when.is_empty() {
            dated.gain_by(&Named::of(when), snapshot, weights)?;
            // Who asks for a time alone is not answered with another one.
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

    /// What the passages of the `named` times gain: each day of the notes is compared once, each term looked up once.
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

    /// A year that was written and that no note is of is taken for a slip: among what the words of the question find,
    /// the same days of the years there are gain. Who asked is told.
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

    /// Lets the first or the latest of the passages gain that hold the words of the question as well as the best: of
    /// those of the time named, where one was, and none of a day to come.
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

    /// Whether no passage is of the time named.
    pub fn is_empty(&self) -> bool {
        self.gains.is_empty() || self.is_of_another_year
    }

    /// What the passage gains.
    pub fn gain(&self, position: u32) -> f32 {
        self.gains.get(&position).copied().unwrap_or(0.0)
    }

    /// The passages of the time named that gain at least `least`, in no order.
    pub fn meant(&self, least: f32) -> impl Iterator<Item = u32> {
        self.gains.iter().filter(move |(_, gain)| **gain >= least).map(|(position, _)| *position)
    }

    /// Keeps of `positions` those of the days that were asked for as a bound; returns how many were left out because
    /// no date is known of them.
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

/// The times that a question names, each once: a question of 99 KB may name ten thousand.
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

    /// The terms of the index for these days. A term may be of a reading by the day and of one by the year.
    fn terms(&self) -> HashSet<(String, Grain)> {
        let of = |reading: &Reading| {
            let grain = reading.grain;
            terms_within(&reading.interval).into_iter().map(move |term| (term, grain))
        };
        self.readings.iter().flat_map(of).collect()
    }
}

/// What a passage gains that lies in a reading of this grain.
fn asked(grain: Grain, weights: &Weights) -> f32 {
    match grain {
        Grain::Day => weights.day_asked,
        Grain::Week => weights.week_asked,
        Grain::Month => weights.month_asked,
        Grain::Year => weights.year_asked,
    }
}

/// A month that was named without a year may be that of any; so may a day of it, and then its month is near.
fn of_any_year(yearly: Yearly, date: Date, weights: &Weights) -> Option<f32> {
    if yearly.month != date.month() {
        return None;
    }
    Some(if yearly.day == Some(date.day()) { weights.week_asked } else { weights.year_asked })
}

/// The passages whose words tell of a day within `interval`.
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

    /// 99 KB of these words over 20,000 entries took 6 to 10 seconds: every passage was compared for each of them.
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
