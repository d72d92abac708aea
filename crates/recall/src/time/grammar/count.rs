//! Counted time: three weeks ago, in two days, the last few months.
//!
//! Invariant: counts are not clamped; a time beyond the calendar is not read.

use jiff::civil::Date;

use super::{Reader, TimeMatch};
use crate::time::calendar::{UNITS_MAX, Unit, around, away, away_by_half, minutes_ago, moved};
use crate::time::lexicon::Role;
use crate::time::{Interval, Reading};

impl Reader<'_> {
    /// A number and a unit: "two weeks", "ein paar Tage", "a fortnight".
    pub(super) fn counted(&self, at: usize) -> Option<((i32, i32), Unit, usize)> {
        let (count, next) = self.number(at)?;
        if let Some((days, next)) =
            self.take(next, |role| if let Role::Days(days) = role { Some(days) } else { None })
        {
            return Some(((count.0 * days, count.1 * days), Unit::Day, next));
        }
        let (unit, next) = self.unit(next)?;
        Some((count, if unit == Unit::Weekend { Unit::Week } else { unit }, next))
    }

    pub(super) fn number(&self, at: usize) -> Option<((i32, i32), usize)> {
        let text = self.text(at);
        if !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some((text.parse().ok().map(|count: i32| (count, count))?, at + 1));
        }
        self.take(at, |role| if let Role::Number(least, most) = role { Some((least, most)) } else { None })
    }

    pub(super) fn unit(&self, at: usize) -> Option<(Unit, usize)> {
        self.take(at, |role| if let Role::Unit(unit) = role { Some(unit) } else { None })
    }

    /// "two weeks ago", "hace dos semanas", "vor zwei Wochen", "il y a deux semaines".
    pub(super) fn ago(&self, at: usize) -> Option<TimeMatch> {
        if let Some((day, next)) = self.days_ago(at)
            && let Some(next) = self.leads(next).find_map(|next| self.is(next, Role::Exact))
        {
            return Some(TimeMatch::day(day, next));
        }
        let before = self.is(at, Role::AgoBefore);
        let closed = |next: usize| if before.is_some() { Some(next) } else { self.is(next, Role::Ago) };
        let start = before.unwrap_or(at);
        let found = |readings, next| Some(TimeMatch { readings, yearly: Vec::new(), next });
        if let Some((count, unit, next)) = self.halved(start)
            && let Some(next) = closed(next)
        {
            return found(away_by_half(self.today?, unit, count, -1)?.1, next);
        }
        if let Some((minutes, next)) = self.minutes(start)
            && let Some(next) = closed(next)
        {
            return found(minutes_ago(self.today?, minutes), next);
        }
        let ((least, most), unit, next) = self.counted(start)?;
        found(self.vague(unit, -most, -least)?, closed(next)?)
    }

    /// "exactly six months ago", "heute vor einem Jahr", "há exatamente um ano"; the same words after the distance
    /// are read in [`Self::ago`].
    pub(super) fn ago_exactly(&self, at: usize) -> Option<TimeMatch> {
        let (day, next) = match self.is(at, Role::AgoBefore) {
            Some(next) => self.count_ago(self.is(next, Role::Exact)?)?,
            None => {
                let next = self.is(at, Role::Exact)?;
                self.leads(next).find_map(|next| self.days_ago(next))?
            }
        };
        Some(TimeMatch::day(day, next))
    }

    /// The day of "a year ago", and the word after.
    fn days_ago(&self, at: usize) -> Option<(Date, usize)> {
        match self.is(at, Role::AgoBefore) {
            Some(next) => self.count_ago(self.is(next, Role::Exact).unwrap_or(next)),
            None => {
                let (day, next) = self.count_ago(at)?;
                Some((day, self.is(next, Role::Ago)?))
            }
        }
    }

    fn count_ago(&self, at: usize) -> Option<(Date, usize)> {
        let ((least, most), unit, next) = self.counted(at)?;
        (least == most).then_some((moved(self.today?, unit, -most), next))
    }

    /// A number and a half, and a unit: "a year and a half", "two and a half years", "anderthalb Jahre".
    pub(super) fn halved(&self, at: usize) -> Option<(i32, Unit, usize)> {
        if let Some((count, next)) = self.half(at) {
            let (unit, next) = self.unit(next)?;
            return Some((count, unit, next));
        }
        let ((count, _), next) = self.number(at).filter(|((least, most), _)| least == most)?;
        if let Some(next) = self.is(next, Role::AndHalf) {
            let (unit, next) = self.unit(next)?;
            return Some((count, unit, next));
        }
        let (unit, next) = self.unit(next)?;
        Some((count, unit, self.is(next, Role::AndHalf)?))
    }

    fn half(&self, at: usize) -> Option<(i32, usize)> {
        self.take(at, |role| if let Role::Halved(count) = role { Some(count) } else { None })
    }

    /// "an hour", "ten minutes", "an hour and a half", in minutes; the largest value of a vague number.
    fn minutes(&self, at: usize) -> Option<(i32, usize)> {
        let of = |at: usize| {
            self.take(at, |role| if let Role::Minutes(minutes) = role { Some(minutes) } else { None })
        };
        if let Some((count, next)) = self.half(at) {
            let (minutes, next) = of(next)?;
            return Some((count * minutes + minutes / 2, next));
        }
        let ((_, most), next) = self.number(at)?;
        let (halves, next) = self.is(next, Role::AndHalf).map_or((0, next), |next| (1, next));
        let (minutes, next) = of(next)?;
        let (more, next) = self.is(next, Role::AndHalf).map_or((0, next), |next| (1, next));
        Some((most * minutes + (halves | more) * minutes / 2, next))
    }

    /// "in two weeks".
    pub(super) fn ahead(&self, at: usize) -> Option<TimeMatch> {
        let ((least, most), unit, next) = self.counted(self.is(at, Role::Ahead)?)?;
        if self.is(next, Role::Ago).is_some() {
            return None;
        }
        Some(TimeMatch { readings: self.vague(unit, least, most)?, yearly: Vec::new(), next })
    }

    pub(super) fn vague(&self, unit: Unit, from: i32, to: i32) -> Option<Vec<Reading>> {
        let today = self.today?;
        if from == to {
            return Some(away(today, unit, from));
        }
        let ends = [from, to].map(|count| around(moved(today, unit, count), unit));
        Some(vec![Reading::of(ends[0].hull(&ends[1]))])
    }

    /// "the last three weeks", "les trois derniers mois", "the next few days".
    pub(super) fn last_few(&self, at: usize) -> Option<TimeMatch> {
        let direction = |at: usize| {
            self.is(at, Role::Past)
                .map(|next| (-1, next))
                .or_else(|| self.is(at, Role::Coming).map(|next| (1, next)))
        };
        let (sign, count, unit, next) = if let Some((sign, next)) = direction(at) {
            let ((_, most), unit, next) = self.counted(next)?;
            (sign, most, unit, next)
        } else {
            let ((_, most), next) = self.number(at)?;
            let (sign, next) = direction(next)?;
            let (unit, next) = self.unit(next)?;
            (sign, most, unit, next)
        };
        let today = self.today?;
        Some(TimeMatch::one(Interval::between(today, moved(today, unit, sign * count)), next))
    }
}

const _: () = assert!(UNITS_MAX > 999, "a number of three digits is never clamped");
