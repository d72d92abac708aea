//! Holidays by name, with words for the year.
//!
//! Invariant: a holiday means a day only in queries; in a note it is a word.

use std::ops::Range;

use super::{Reader, TimeMatch};
use crate::time::feast::Feast;
use crate::time::lexicon::Role;
use crate::time::{Asked, Grain, Interval, Reading};

impl Reader<'_> {
    fn feast(&self, at: usize) -> Option<(Feast, usize)> {
        self.take(at, |role| if let Role::Feast(feast) = role { Some(feast) } else { None })
    }

    /// "at Easter", "last Christmas", "Navidad pasada", "Thanksgiving 2025".
    pub(super) fn holiday(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        if self.asked == Asked::No {
            return None;
        }
        let today = self.today?;
        let related = |steps, feast: Feast| {
            let days = self.relative_yearly(steps, &|year| feast.in_year(year).map(Interval::day))?;
            let of = |reading: &Reading| match (reading.grain, reading.interval.since) {
                (Grain::Day, Some(day)) => feast.readings(day),
                _ => vec![*reading],
            };
            Some(days.iter().flat_map(of).collect::<Vec<Reading>>())
        };
        if let Some((steps, next)) = self.relative(at) {
            let (feast, next) = self.feast(next)?;
            return Some(TimeMatch { readings: related(steps, feast)?, yearly: Vec::new(), next });
        }
        let (feast, next) = self.feast(at)?;
        if let Some((steps, next)) = self.relative(next).filter(|_| self.has_adjectives_behind()) {
            return Some(TimeMatch { readings: related(steps, feast)?, yearly: Vec::new(), next });
        }
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        let mut readings = match year {
            Some(year) => feast.readings(feast.in_year(year)?),
            None => feast.nearest(today),
        };
        // "Christmas lights" means a season, not a day.
        if !self.is_led(at) && next < self.words.len() {
            readings.iter_mut().for_each(|reading| reading.grain = reading.grain.max(Grain::Month));
        }
        Some(TimeMatch { readings, yearly: Vec::new(), next })
    }

    /// The names of holidays among the words from `at` to `next`, except those that a distance is counted from.
    pub(super) fn names(&self, at: usize, next: usize) -> Option<Range<usize>> {
        let counts = |at: usize| {
            let role = |role| matches!(role, Role::Before | Role::After | Role::Offset(_)).then_some(());
            self.take(at, role).is_some()
        };
        if self.asked == Asked::No || (at..next).any(counts) {
            return None;
        }
        let (start, end) = (at..next).find_map(|at| Some((at, self.feast(at)?.1)))?;
        Some(self.words[start].range.start..self.words[end.min(next) - 1].range.end)
    }
}
