//! Counted parts of a month or a year: the second Tuesday of March, the last weekend of May, the first half of 2025.
//!
//! Invariant: a part that the month lacks is not read.

use jiff::civil::Weekday;

use super::{Reader, TimeMatch};
use crate::time::calendar::{self, Unit, half_month, nth_weekday, nth_weekend};
use crate::time::lexicon::{Lexicon, Role};
use crate::time::{Grain, Interval, Reading};

/// The counted part of a month.
#[derive(Clone, Copy)]
enum Counted {
    Weekday(Weekday),
    Weekend,
    Half,
}

impl Counted {
    fn of(self, month: Interval, count: i32) -> Option<Interval> {
        match self {
            Self::Weekday(weekday) => nth_weekday(month, count, weekday).map(Interval::day),
            Self::Weekend => nth_weekend(month, count),
            Self::Half => half_month(month, count),
        }
    }
}

impl Reader<'_> {
    /// "second", "2nd", "last".
    fn place_in_order(&self, at: usize) -> Option<(i32, usize)> {
        let named = self.take(at, |role| match role {
            Role::Ordinal(count) => Some(count),
            Role::Relative(-1) => Some(-1),
            _ => None,
        });
        let numbered = || self.day_of_month(at).map(|(count, next)| (i32::from(count), next));
        named.or_else(numbered).filter(|(count, _)| (-1..=5).contains(count))
    }

    /// "the second Tuesday of March", "el último martes de noviembre", "am zweiten Novemberwochenende",
    /// "segunda quinzena de agosto".
    pub(super) fn nth_of_month(&self, at: usize) -> Option<TimeMatch> {
        const FORTNIGHT: [i32; 2] = [14, 15];
        let (count, next) = self.place_in_order(at)?;
        let counted = self.take(next, |role| match role {
            Role::Weekday(day) | Role::WeakWeekday(day) => {
                Weekday::from_monday_zero_offset(day).ok().map(Counted::Weekday)
            }
            Role::Unit(Unit::Weekend) => Some(Counted::Weekend),
            Role::Half => Some(Counted::Half),
            Role::Days(days) if FORTNIGHT.contains(&days) => Some(Counted::Half),
            _ => None,
        });
        let (counted, month) = match counted {
            Some((counted, next)) => {
                let month = |next| self.month_told(next, None).or_else(|| self.related_month(next));
                (counted, self.leads(next).find_map(month)?)
            }
            None => self.compound_month(next)?,
        };
        let mut readings: Vec<Reading> = Vec::new();
        for reading in &month.readings {
            readings.extend(counted.of(reading.interval, count).map(Reading::of));
            readings.push(Reading::with(reading.interval, reading.grain.max(Grain::Month)));
        }
        Some(TimeMatch { readings, yearly: month.yearly, next: month.next })
    }

    fn related_month(&self, at: usize) -> Option<TimeMatch> {
        let (Unit::Month, ..) = self.unit_steps(at)? else { return None };
        self.relative_unit(at)
    }

    /// "Novemberwochenende", "Augusthälfte".
    fn compound_month(&self, at: usize) -> Option<(Counted, TimeMatch)> {
        const TAILS: [(&str, Counted); 4] = [
            ("wochenende", Counted::Weekend),
            ("wochenendes", Counted::Weekend),
            ("halfte", Counted::Half),
            ("haelfte", Counted::Half),
        ];
        let text = self.text(at);
        let (name, counted) =
            TAILS.iter().find_map(|(tail, counted)| Some((text.strip_suffix(tail)?, *counted)))?;
        let month = Lexicon::of(self.language).phrases(name).iter().find_map(|(rest, role)| match role {
            Role::Month(month) if rest.is_empty() => Some(*month),
            _ => None,
        })?;
        let (year, next) = self.year_behind(at + 1).map_or((None, at + 1), |(year, next)| (Some(year), next));
        Some((counted, self.of_month(month, None, year, next)?))
    }

    /// "the first half of 2025", "zweites Halbjahr", "H1 2025", "segundo semestre del año pasado".
    pub(super) fn half_of(&self, at: usize) -> Option<TimeMatch> {
        let short = self.text(at).strip_prefix('h').and_then(|digit| digit.parse::<i32>().ok());
        let (half, next, needs_year) = match short {
            Some(half) => (half, at + 1, true),
            None => {
                let (half, next) = self.place_in_order(at)?;
                match self.is(next, Role::HalfYear) {
                    Some(next) => (half, next, false),
                    None => (half, self.is(next, Role::Half)?, true),
                }
            }
        };
        let half = match half {
            1 => 1,
            2 | -1 => 2,
            _ => return None,
        };
        if let Some((year, next)) = self.year_behind(next) {
            return Some(TimeMatch::one(calendar::half(year, half), next));
        }
        // "the first half of the year"
        let of_year =
            self.leads(next).find_map(|next| self.unit(next).filter(|(unit, _)| *unit == Unit::Year));
        let next = match (of_year, needs_year) {
            (Some((_, next)), _) => next,
            (None, false) => next,
            (None, true) => return None,
        };
        let readings = self.nearest(self.today?, &|year| Some(calendar::half(year, half)));
        Some(TimeMatch { readings, yearly: Vec::new(), next })
    }
}
