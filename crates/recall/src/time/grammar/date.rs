//! Days and months by name and number, and the year that they mean without one.
//!
//! Invariant: without a year and a direction a day or month is the nearest one before and the nearest one after.

use jiff::civil::Date;

use super::{Reader, Steps, TimeMatch};
use crate::language::Language;
use crate::time::calendar::{self, Unit, moved};
use crate::time::lexicon::Role;
use crate::time::{Grain, Interval, Reading, Yearly};

impl Reader<'_> {
    pub(super) fn day_of_month(&self, at: usize) -> Option<(i8, usize)> {
        let text = self.text(at);
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let suffix = &text[digits.len()..];
        if digits.len() <= 2
            && matches!(suffix, "" | "st" | "nd" | "rd" | "th" | "er" | "o")
            && let Some(day) = digits.parse().ok().filter(|day| (1..=31).contains(day))
        {
            return Some((day, at + 1));
        }
        let (day, next) =
            self.take(at, |role| if let Role::Ordinal(day) = role { Some(day) } else { None })?;
        Some((i8::try_from(day).ok()?, next))
    }

    /// The day of a month as a cardinal: "veintidós de julio", "le vingt-deux". English uses ordinals.
    fn day_as_cardinal(&self, at: usize) -> Option<(i8, usize)> {
        const DAYS: std::ops::RangeInclusive<i32> = 2..=31;
        if matches!(self.language, Language::English | Language::German) {
            return None;
        }
        let (day, next) = self.take(at, |role| match role {
            Role::Number(day, most) if day == most && DAYS.contains(&day) => Some(day),
            Role::Number(1, 1) if self.text(at) == "uno" => Some(1),
            _ => None,
        })?;
        Some((i8::try_from(day).ok()?, next))
    }

    /// A month by name, and whether the name is weak (also another word).
    pub(super) fn month_name(&self, at: usize) -> Option<(i8, bool, usize)> {
        let ((month, weak), next) = self.take(at, |role| match role {
            Role::Month(month) => Some((month, false)),
            Role::WeakMonth(month) => Some((month, true)),
            _ => None,
        })?;
        Some((month, weak, next))
    }

    pub(super) fn year_number(&self, at: usize) -> Option<(i16, usize)> {
        let text = self.text(at);
        let year = text.parse().ok().filter(|year| is_year(*year) && text.len() == 4)?;
        Some((year, at + 1))
    }

    /// A year after a month or a day: "2026", "of last year", "del año pasado", "im Jahr 2026".
    pub(super) fn year_behind(&self, at: usize) -> Option<(i16, usize)> {
        self.leads(at).find_map(|at| {
            if let Some(year) = self.year_number(at) {
                return Some(year);
            }
            if let Some((Unit::Year, next)) = self.unit(at)
                && let Some(year) = self.year_number(next)
            {
                return Some(year);
            }
            match self.unit_steps(at)? {
                (Unit::Year, steps, next) => Some((moved(self.today?, Unit::Year, steps).year(), next)),
                _ => None,
            }
        })
    }

    /// "21 November 2026", "November 21st", "el 3 de mayo del año pasado", with an optional weekday before it.
    pub(super) fn day_month(&self, at: usize, year: Option<i16>) -> Option<(TimeMatch, Date)> {
        let (day, month, next) = self.day_then_month(at).or_else(|| self.month_then_day(at))?;
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        let found = self.of_month(month, Some(day), year, next)?;
        let first = found.readings.first()?.interval.since?;
        Some((found, first))
    }

    pub(super) fn day_then_month(&self, at: usize) -> Option<(i8, i8, usize)> {
        let (day, next) = self.day_of_month(at).or_else(|| self.day_as_cardinal(at))?;
        self.leads(next).find_map(|next| self.month_name(next).map(|(month, _, next)| (day, month, next)))
    }

    pub(super) fn month_then_day(&self, at: usize) -> Option<(i8, i8, usize)> {
        let (month, _, next) = self.month_name(at)?;
        if self.language != Language::English {
            return None;
        }
        self.leads(next)
            .take(2)
            .find_map(|next| self.day_of_month(next).map(|(day, next)| (day, month, next)))
    }

    /// A month or a day of it, in `year` or in the nearest years.
    pub(super) fn of_month(
        &self,
        month: i8,
        day: Option<i8>,
        year: Option<i16>,
        next: usize,
    ) -> Option<TimeMatch> {
        let interval = |year: i16| match day {
            None => Some(calendar::month(year, month)),
            Some(day) => Date::new(year, month, day).ok().map(Interval::day),
        };
        if let Some(year) = year {
            return Some(TimeMatch::one(interval(year)?, next));
        }
        let yearly = vec![Yearly { month, day }];
        let Some(today) = self.today else { return Some(TimeMatch { readings: Vec::new(), yearly, next }) };
        let readings = self.nearest(today, &|year| interval(year));
        (!readings.is_empty()).then_some(TimeMatch { readings, yearly, next })
    }

    /// The last one that has begun by `today`, and the first one that has not.
    pub(super) fn nearest(&self, today: Date, of: &dyn Fn(i16) -> Option<Interval>) -> Vec<Reading> {
        const YEARS_AROUND: i16 = 8;
        let has_begun = |interval: &Interval| interval.since.is_some_and(|since| since <= today);
        let year = today.year();
        let years = |from: i16| (0..=YEARS_AROUND).map(move |step| (from, step));
        let last = years(year).filter_map(|(year, step)| of(year.checked_sub(step)?)).find(has_begun);
        let next = years(year)
            .filter_map(|(year, step)| of(year.checked_add(step)?))
            .find(|interval| !has_begun(interval));
        last.into_iter().chain(next).map(Reading::of).collect()
    }

    /// "last": the nearest before, and the one of last year; "next" likewise; "this": this year's.
    pub(super) fn relative_yearly(
        &self,
        steps: Steps,
        of: &dyn Fn(i16) -> Option<Interval>,
    ) -> Option<Vec<Reading>> {
        let today = self.today?;
        let year = i16::try_from(i32::from(today.year()) + steps).ok()?;
        let by_year = of(year).map(Reading::of);
        let nearest = self.nearest(today, of);
        let ended = |reading: &&Reading| reading.interval.until.is_some_and(|until| until < today);
        let near = match steps {
            -1 => nearest.iter().find(ended).copied(),
            1 => nearest.iter().rev().find(|reading| !ended(reading)).copied(),
            _ => None,
        };
        Some(match near {
            Some(near) if Some(near) != by_year => {
                let other =
                    by_year.map(|reading| Reading { grain: Grain::Year.max(reading.grain), ..reading });
                [Some(near), other].into_iter().flatten().collect()
            }
            _ => by_year.into_iter().collect(),
        })
    }
}

pub(super) fn is_year(year: i16) -> bool {
    (1900..2100).contains(&year)
}
