//! Months, seasons, quarters and years, and their beginnings, middles and ends.
//!
//! Invariant: the word of a period is a time only with evidence beside it.

use super::{Reader, TimeMatch};
use crate::time::calendar::{self, Unit};
use crate::time::lexicon::Role;
use crate::time::{Grain, Reading};

impl Reader<'_> {
    /// "early in May", "Ende letzten Monats", "fin mai".
    pub(super) fn part(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        let (part, next) =
            self.take(at, |role| if let Role::Part(part) = role { Some(part) } else { None })?;
        // "au début du mois de mai", "Anfang des Monats Mai"
        let unit = |at: usize| self.unit(at).filter(|(unit, _)| *unit == Unit::Month);
        let named = self.leads(next).find_map(unit).map(|(_, next)| next);
        let places = self.leads(next).chain(named.into_iter().flat_map(|next| self.leads(next)));
        let whole = places.into_iter().find_map(|next| {
            let inner = [self.month_told(next, year), self.relative_unit(next), self.year(next)];
            inner.into_iter().flatten().find(|found| !found.readings.is_empty())
        })?;
        let mut readings: Vec<Reading> = Vec::new();
        for reading in &whole.readings {
            let inner = match (reading.interval.since, reading.grain) {
                (Some(first), Grain::Year) => {
                    let months = [(1, 4), (5, 8), (9, 12)][part.min(2)];
                    calendar::month(first.year(), months.0).hull(&calendar::month(first.year(), months.1))
                }
                (_, Grain::Month) => calendar::third(reading.interval, part),
                _ => reading.interval,
            };
            readings.push(Reading::of(inner));
            readings.push(Reading::with(reading.interval, reading.grain.max(Grain::Month)));
        }
        Some(TimeMatch { readings, yearly: whole.yearly, next: whole.next })
    }

    /// "the first week of May", "letzte Woche im Mai", "la dernière semaine de mai 2026".
    pub(super) fn week_of_month(&self, at: usize) -> Option<TimeMatch> {
        let (week, next) = self.take(at, |role| match role {
            Role::Ordinal(week) => Some(week),
            Role::Relative(-1) => Some(-1),
            _ => None,
        })?;
        let (Unit::Week, next) = self.unit(next)? else { return None };
        let month = self.leads(next).skip(1).find_map(|next| self.month_told(next, None))?;
        let mut readings: Vec<Reading> = Vec::new();
        for reading in &month.readings {
            readings.push(Reading::of(calendar::week_of_month(reading.interval, week)?));
            readings.push(Reading {
                interval: reading.interval,
                grain: reading.grain.max(Grain::Month),
                day: None,
            });
        }
        Some(TimeMatch { readings, yearly: month.yearly, next: month.next })
    }

    /// A month, if its context shows that it is one.
    pub(super) fn month(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        // "last May"
        if let Some((steps, next)) = self.relative(at) {
            let (month, _, next) = self.month_name(next)?;
            let readings = self.relative_yearly(steps, &|year| Some(calendar::month(year, month)))?;
            return Some(TimeMatch { readings, yearly: Vec::new(), next });
        }
        let (_, weak, next) = self.month_name(at)?;
        let told = self.month_told(at, year)?;
        (!weak || told.next > next || self.is_led_closely(at) || year.is_some()).then_some(told)
    }

    /// A month with the year after it, or "pasado".
    pub(super) fn month_told(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        let (month, _, next) = self.month_name(at)?;
        let behind = self.relative(next).filter(|_| self.has_adjectives_behind());
        if let Some((steps, after)) = behind {
            let readings = self.relative_yearly(steps, &|year| Some(calendar::month(year, month)))?;
            return Some(TimeMatch { readings, yearly: Vec::new(), next: after });
        }
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        self.of_month(month, None, year, next)
    }

    /// A season with a preposition, a modifier or a year: "in summer", "letzten Sommer", "été 2026".
    pub(super) fn season(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        let name = |at: usize| {
            self.take(at, |role| match role {
                Role::Season(season) | Role::WeakSeason(season) => Some(season),
                _ => None,
            })
        };
        let of = |season: usize| move |year: i16| Some(calendar::season(year, season));
        if let Some((steps, next)) = self.relative(at) {
            let (season, next) = name(next)?;
            return Some(TimeMatch {
                readings: self.relative_yearly(steps, &of(season))?,
                yearly: Vec::new(),
                next,
            });
        }
        let (season, next) = name(at)?;
        let behind = self.relative(next).filter(|_| self.has_adjectives_behind());
        if let Some((steps, next)) = behind {
            return Some(TimeMatch {
                readings: self.relative_yearly(steps, &of(season))?,
                yearly: Vec::new(),
                next,
            });
        }
        if let Some((year, next)) = self.year_behind(next) {
            let mut readings = vec![Reading::of(calendar::season(year, season))];
            if season == 3 {
                // "Winter" of a year may begin or end in that year.
                readings.extend(year.checked_sub(1).map(|year| Reading::of(calendar::season(year, season))));
            }
            return Some(TimeMatch { readings, yearly: Vec::new(), next });
        }
        if let Some(year) = year {
            return Some(TimeMatch::one(calendar::season(year, season), next));
        }
        if !self.is_led(at) {
            return None;
        }
        Some(TimeMatch { readings: self.nearest(self.today?, &of(season)), yearly: Vec::new(), next })
    }

    /// "third quarter of 2026", "Q3 2026", "T3".
    pub(super) fn quarter(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        let text = self.text(at);
        let short = text
            .strip_prefix(['q', 't'])
            .and_then(|digit| digit.parse::<i8>().ok())
            .map(|number| (number, at + 1));
        let long = || {
            let (number, next) =
                self.take(at, |role| if let Role::Ordinal(number) = role { Some(number) } else { None })?;
            let (Unit::Quarter, next) = self.unit(next)? else { return None };
            Some((i8::try_from(number).ok()?, next))
        };
        let (number, next) = short.or_else(long).filter(|(number, _)| (1..=4).contains(number))?;
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        match year {
            Some(year) => Some(TimeMatch::one(calendar::quarter(year, number), next)),
            None => {
                let readings = self.nearest(self.today?, &|year| Some(calendar::quarter(year, number)));
                Some(TimeMatch { readings, yearly: Vec::new(), next })
            }
        }
    }

    /// "2026", "el año 2026", "2026 Q3".
    pub(super) fn year(&self, at: usize) -> Option<TimeMatch> {
        let start = match self.unit(at) {
            Some((Unit::Year, next)) => next,
            _ => at,
        };
        let (year, next) = self.year_number(start)?;
        if let Some(quarter) = self.quarter(next, Some(year)).filter(|found| found.next == next + 1) {
            return Some(quarter);
        }
        Some(TimeMatch::one(calendar::year(year), next))
    }
}
