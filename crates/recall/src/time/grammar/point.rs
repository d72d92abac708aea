//! One point of time: a day, a month, or another time that a query can name alone.
//!
//! Invariant: an impossible date is not a point.

use jiff::civil::Date;

use super::date::is_year;
use super::{Reader, TimeMatch};
use crate::time::calendar::{self, Unit, moved};
use crate::time::lexicon::Role;
use crate::time::{Interval, Reading};

impl Reader<'_> {
    /// A point or period without a boundary word.
    pub(super) fn point(&self, at: usize) -> Option<&TimeMatch> {
        self.points.get(at)?.get_or_init(|| self.point_in(at, None)).as_ref()
    }

    /// The same in a `year` known from context.
    pub(super) fn point_in(&self, at: usize, year: Option<i16>) -> Option<TimeMatch> {
        if self.is_habit(at) {
            return None;
        }
        let mut best: Option<TimeMatch> = None;
        let mut offer = |found: Option<TimeMatch>| {
            let is_longer = |found: &TimeMatch| best.as_ref().is_none_or(|best| found.next > best.next);
            if let Some(found) = found.filter(|found| is_longer(found) && !found.readings.is_empty()) {
                best = Some(found);
            }
        };
        offer(self.timestamp(at));
        offer(self.numeric(at));
        offer(self.named_day(at));
        offer(self.ago(at));
        offer(self.ago_exactly(at));
        offer(self.ahead(at));
        offer(self.last_few(at));
        offer(self.day_month(at, year).map(|(found, _)| found));
        offer(self.weekday(at));
        offer(self.relative_unit(at));
        offer(self.part(at, year));
        offer(self.week_of_month(at));
        offer(self.nth_of_month(at));
        offer(self.half_of(at));
        offer(self.holiday(at, year));
        offer(self.month(at, year));
        offer(self.season(at, year));
        offer(self.quarter(at, year));
        offer(self.weekend(at));
        offer(self.year(at));
        best
    }

    /// `2026-11-02T10:00:30.5Z`, `2026-11-02T10:00+02:00`: the day as written, in any zone.
    fn timestamp(&self, at: usize) -> Option<TimeMatch> {
        let is_number =
            |text: &str, len: usize| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        let (day, hour) = self.text(at + 2).split_once('t')?;
        let joined = is_number(self.text(at), 4) && is_number(self.text(at + 1), 2) && is_number(day, 2);
        if !joined || [at + 1, at + 2].iter().any(|&at| !self.is_joined(at, "-")) {
            return None;
        }
        let hours: u8 = hour.parse().ok().filter(|_| is_number(hour, 2))?;
        let text = |at: usize| self.text(at).parse().ok();
        let day = Date::new(text(at)?, i8::try_from(text(at + 1)?).ok()?, day.parse().ok()?).ok()?;
        let is_rest = |at: usize| {
            let digits = self.text(at).strip_suffix('z').unwrap_or(self.text(at));
            let joins = [":", ".", "+", "-"].iter().any(|joint| self.is_joined(at, joint));
            joins && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let next = (at + 3..).find(|&next| !is_rest(next))?;
        (hours < 24).then(|| TimeMatch::day(day, next))
    }

    /// Whether only `joint` is between a word and the one before.
    fn is_joined(&self, at: usize, joint: &str) -> bool {
        let (Some(before), Some(word)) = (self.words.get(at.wrapping_sub(1)), self.words.get(at)) else {
            return false;
        };
        word.gap == joint && word.range.start == before.range.end + joint.len()
    }

    /// `2026-11-21`, `21.11.2026`, `21/11/2026`, `11/21/2026`, `21.11.`, `2026-11`.
    pub(super) fn numeric(&self, at: usize) -> Option<TimeMatch> {
        let digits = |at: usize| -> Option<(i16, usize)> {
            let text = self.text(at);
            let fits = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
            Some((text.parse().ok().filter(|_| fits)?, text.len()))
        };
        let ((one, one_len), (two, two_len)) = (digits(at)?, digits(at + 1)?);
        let joint = self.gap(at + 1);
        let small = |number: i16| i8::try_from(number).ok();
        let three = digits(at + 2).filter(|_| self.gap(at + 2) == joint);
        if joint == "." || joint == "/" || joint == "-" {
            if let Some((three, three_len)) = three {
                let full = |year: i16, len| if len == 2 { year + 2000 } else { year };
                let mut days: Vec<Date> = Vec::new();
                if one_len == 4 {
                    days.extend(Date::new(one, small(two)?, small(three)?).ok());
                } else if three_len == 4 || (three_len == 2 && joint != "-") {
                    days.extend(Date::new(full(three, three_len), small(two)?, small(one)?).ok());
                    if joint == "/" {
                        days.extend(Date::new(full(three, three_len), small(one)?, small(two)?).ok());
                    }
                }
                days.dedup();
                let readings: Vec<Reading> =
                    days.into_iter().map(|day| Reading::of(Interval::day(day))).collect();
                return (!readings.is_empty()).then_some(TimeMatch {
                    readings,
                    yearly: Vec::new(),
                    next: at + 3,
                });
            }
            if joint == "-" && one_len == 4 && two_len == 2 && is_year(one) && (1..=12).contains(&two) {
                return Some(TimeMatch::one(calendar::month(one, small(two)?), at + 2));
            }
            let ends = self.words.get(at + 1).is_some_and(|word| word.stopped);
            if joint == "." && ends && one_len <= 2 && two_len <= 2 && (1..=12).contains(&two) {
                return self.of_month(small(two)?, Some(small(one)?), None, at + 2);
            }
        }
        None
    }

    /// "yesterday", with its part of the day.
    pub(super) fn named_day(&self, at: usize) -> Option<TimeMatch> {
        if let Some(next) = self.is(at, Role::LastNight) {
            let today = self.today?;
            let yesterday = moved(today, Unit::Day, -1);
            let into = Reading { day: Some(yesterday), ..Reading::of(Interval::day(today)) };
            let readings = vec![Reading::of(Interval::day(yesterday)), into];
            return Some(TimeMatch { readings, yearly: Vec::new(), next });
        }
        let (days, next) = self.take(at, |role| match role {
            Role::Day(days) => Some(days),
            _ => None,
        })?;
        // "am Morgen", "la mañana": a part of any day.
        let is_part = days == 1
            && at > 0
            && ["am", "guten", "la", "una", "jeden", "fruhen"].contains(&self.text(at - 1));
        if is_part {
            return None;
        }
        let day = moved(self.today?, Unit::Day, days);
        Some(TimeMatch::day(day, self.day_part(next)))
    }

    pub(super) fn day_part(&self, at: usize) -> usize {
        self.is(at, Role::DayPart).unwrap_or(at)
    }
}
