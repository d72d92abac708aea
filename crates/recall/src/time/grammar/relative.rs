//! Days, weeks, months and years relative to today: last Friday, this week, next month.
//!
//! Invariant: nothing here is read without today's date.

use jiff::civil::{Date, Weekday};

use super::{Reader, Steps, TimeMatch};
use crate::time::calendar::{Unit, around, in_week, moved};
use crate::time::lexicon::Role;
use crate::time::{Grain, Interval, Reading};

impl Reader<'_> {
    pub(super) fn relative(&self, at: usize) -> Option<(Steps, usize)> {
        self.take(at, |role| if let Role::Relative(steps) = role { Some(steps) } else { None })
    }

    /// "last year", "el año pasado", "the week before last".
    pub(super) fn unit_steps(&self, at: usize) -> Option<(Unit, Steps, usize)> {
        let before = self.relative(at).and_then(|(steps, next)| {
            let (unit, next) = self.unit(next)?;
            Some((unit, steps, next))
        });
        let behind = || {
            let (unit, next) = self.unit(at)?;
            let (steps, next) = self.relative(next)?;
            let is_usual = self.has_adjectives_behind() || steps.abs() == 2;
            is_usual.then_some((unit, steps, next))
        };
        // "el próximo fin de semana", followed by "de este año".
        before.or_else(behind)
    }

    /// A weekday, alone or with a modifier.
    pub(super) fn weekday(&self, at: usize) -> Option<TimeMatch> {
        let name = |at: usize| {
            self.take(at, |role| match role {
                Role::Weekday(day) => Some((day, false)),
                Role::WeakWeekday(day) => Some((day, true)),
                _ => None,
            })
        };
        let today = self.today;
        let weekday = |day: i8| Weekday::from_monday_zero_offset(day).ok();
        // "last Friday", "last week on Friday"
        if let Some((steps, next)) = self.relative(at)
            && let Some(((day, _), next)) = name(next)
        {
            let readings = weekday_readings(today?, weekday(day)?, steps);
            return Some(TimeMatch { readings, yearly: Vec::new(), next: self.day_part(next) });
        }
        if let Some((Unit::Week, steps, next)) = self.unit_steps(at) {
            let named = self.leads(next).find_map(&name);
            if let Some(((day, _), next)) = named {
                let day = in_week(moved(today?, Unit::Week, steps), weekday(day)?);
                return Some(TimeMatch::day(day, self.day_part(next)));
            }
            return None;
        }
        let ((day, weak), next) = name(at)?;
        let day = weekday(day)?;
        let next = self.day_part(next);
        // "Friday, 21 November 2026"
        if let Some((found, _)) = self.leads(next).find_map(|next| self.day_month(next, None)) {
            return Some(found);
        }
        if let Some(found) = self.leads(next).find_map(|next| self.numeric(next)) {
            return Some(found);
        }
        // "Friday of last week"
        for behind in self.leads(next) {
            if let Some((Unit::Week, steps, next)) = self.unit_steps(behind) {
                return Some(TimeMatch::day(in_week(moved(today?, Unit::Week, steps), day), next));
            }
        }
        // "el viernes pasado"
        let behind =
            self.relative(next).filter(|(steps, _)| self.has_adjectives_behind() || steps.abs() == 2);
        if let Some((steps, next)) = behind {
            let readings = weekday_readings(today?, day, steps);
            return Some(TimeMatch { readings, yearly: Vec::new(), next: self.day_part(next) });
        }
        if weak && !self.is_led_closely(at) {
            return None;
        }
        let this = in_week(today?, day);
        let before = if this <= today? { this } else { moved(this, Unit::Week, -1) };
        let after = if this <= today? { moved(this, Unit::Week, 1) } else { this };
        let readings = [before, after].map(|day| Reading::of(Interval::day(day))).to_vec();
        Some(TimeMatch { readings, yearly: Vec::new(), next })
    }

    /// "last week", "el mes pasado", "the week of 3 May".
    pub(super) fn relative_unit(&self, at: usize) -> Option<TimeMatch> {
        if let Some((Unit::Week, next)) = self.unit(at) {
            let day = self.leads(next).skip(1).find_map(|next| self.day_month(next, None));
            if let Some((found, first)) = day {
                return Some(TimeMatch::one(around(first, Unit::Week), found.next));
            }
        }
        let (unit, steps, next) = self.unit_steps(at)?;
        let today = self.today?;
        if unit == Unit::Day && steps == 0 {
            // "this day" and "these days" are not dates.
            return None;
        }
        if unit == Unit::Year {
            // "last year in May"
            let year = moved(today, Unit::Year, steps).year();
            for behind in self.leads(next) {
                let inner = [
                    self.day_month(behind, Some(year)).map(|(found, _)| found),
                    self.part(behind, Some(year)),
                    self.month(behind, Some(year)),
                    self.season(behind, Some(year)),
                    self.quarter(behind, Some(year)),
                ];
                if let Some(found) = inner.into_iter().flatten().find(|found| !found.readings.is_empty()) {
                    return Some(found);
                }
            }
        }
        let whole = match unit {
            Unit::Weekend => around(moved(today, Unit::Week, steps), Unit::Weekend),
            _ => around(moved(today, unit, steps), unit),
        };
        let mut readings = vec![Reading::of(whole)];
        if unit == Unit::Weekend && steps == 1 {
            let coming = around(today, Unit::Weekend);
            readings.extend(coming.until.filter(|until| *until >= today).map(|_| Reading::of(coming)));
        }
        // "The past week" also means the last seven days.
        if self.text(at) == "past" || self.text(at) == "this" && self.text(at + 1) == "past" {
            readings.push(Reading::of(Interval::between(moved(today, unit, -1), today)));
        }
        Some(TimeMatch { readings, yearly: Vec::new(), next })
    }

    /// "at the weekend": the last one and the coming one.
    pub(super) fn weekend(&self, at: usize) -> Option<TimeMatch> {
        let (Unit::Weekend, next) = self.unit(at)? else { return None };
        if !self.is_led(at) {
            return None;
        }
        let today = self.today?;
        let this = around(today, Unit::Weekend);
        let other = if this.since? <= today { 1 } else { -1 };
        let other = around(moved(today, Unit::Week, other), Unit::Weekend);
        Some(TimeMatch { readings: vec![Reading::of(this), Reading::of(other)], yearly: Vec::new(), next })
    }
}

/// "last Friday": the nearest one before today, and that of last week if it differs.
pub(super) fn weekday_readings(today: Date, weekday: Weekday, steps: Steps) -> Vec<Reading> {
    let of_week = in_week(moved(today, Unit::Week, steps), weekday);
    let this = in_week(today, weekday);
    let near = match steps {
        -1 if this < today => this,
        0 | 1 if this > today => this,
        0 => moved(this, Unit::Week, i32::from(this < today)),
        -2 => moved(this, Unit::Week, if this < today { -1 } else { -2 }),
        _ => of_week,
    };
    let mut readings = vec![Reading::of(Interval::day(near))];
    if of_week != near {
        readings.push(Reading::with(Interval::day(of_week), Grain::Week));
    }
    readings
}
