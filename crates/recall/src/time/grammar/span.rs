//! Spans: from one point to another, or open on one side.
//!
//! Their ends are points ([`super::point`]). Invariant: a span needs its closing word.

use jiff::civil::Date;

use super::{Reader, TimeMatch};
use crate::time::calendar::{Unit, away_by_half, moved};
use crate::time::lexicon::Role;
use crate::time::{Grain, Interval, Offset, Reading};

impl Reader<'_> {
    /// "between X and Y", "from X to Y".
    pub(super) fn bounded(&self, at: usize) -> Option<TimeMatch> {
        let (close, start) = if let Some(next) = self.is(at, Role::Between) {
            (Role::And, next)
        } else {
            (Role::To, self.is(at, Role::From).or_else(|| self.is(at, Role::Since))?)
        };
        self.leads(start).find_map(|start| self.span(start, close))
    }

    /// "May to July", "3 to 7 May", "3-7 May".
    pub(super) fn joined(&self, at: usize) -> Option<TimeMatch> {
        self.span(at, Role::To)
    }

    /// Two points with `close` between them; the first may omit parts that the second has.
    pub(super) fn span(&self, at: usize, close: Role) -> Option<TimeMatch> {
        let first = self.point(at);
        let number = self.day_of_month(at);
        let behind = first.map(|first| first.next).into_iter().chain(number.map(|(_, next)| next));
        for behind in behind {
            let dash = close == Role::To && matches!(self.gap(behind), "-" | "–" | "—");
            let Some(start) = self.is(behind, close).or(dash.then_some(behind)) else { continue };
            for start in self.leads(start) {
                let Some(second) = self.point(start) else { continue };
                let Some(end) = second.hull() else { continue };
                // A part of a month also has a reading for the whole month.
                let is_part = second.readings.len() > 2;
                let last_year = end.until.map(Date::year);
                let is_of_one_year =
                    second.readings.iter().all(|reading| reading.interval.until.map(Date::year) == last_year);
                let year = last_year.filter(|_| is_part || second.yearly.is_empty() && is_of_one_year);
                if let Some((day, next)) = number.filter(|(_, next)| *next == behind) {
                    let Some(last) = second.readings.first().and_then(|reading| reading.interval.until)
                    else {
                        continue;
                    };
                    if next == behind
                        && second
                            .readings
                            .iter()
                            .all(|reading| reading.grain == Grain::Day || reading.grain == Grain::Month)
                        && let Ok(begin) = Date::new(last.year(), last.month(), day)
                    {
                        return Some(TimeMatch::one(Interval::between(begin, last), second.next));
                    }
                }
                let first = self.point_in(at, year).filter(|first| first.next == behind)?;
                let mut readings: Vec<Reading> = Vec::new();
                if first.readings.len() == second.readings.len() {
                    let turn = if first.yearly.is_empty() { Unit::Week } else { Unit::Year };
                    for (one, other) in first.readings.iter().zip(&second.readings) {
                        let (since, until) = (one.interval.since?, other.interval.until?);
                        // Holidays without a year are further apart than weekdays.
                        let is_far = since > moved(until, Unit::Week, 2);
                        readings.push(Reading::of(ordered(
                            since,
                            until,
                            if is_far { Unit::Year } else { turn },
                        )));
                    }
                } else {
                    readings.push(Reading::of(self.between_begun(&first, second)?));
                }
                return Some(TimeMatch { readings, yearly: Vec::new(), next: second.next });
            }
        }
        None
    }

    /// "since X", "until X", "before X", "after X", "for two weeks" in languages that use "since" for it.
    pub(super) fn opened(&self, at: usize) -> Option<TimeMatch> {
        let (role, next) = self.take(at, |role| {
            matches!(role, Role::Since | Role::Until | Role::Before | Role::After).then_some(role)
        })?;
        if role == Role::Before && self.ago(at).is_some() {
            return None;
        }
        if role == Role::Since {
            let counted = self.is(next, Role::AgoBefore).unwrap_or(next);
            if let Some((count, unit, next)) = self.leads(counted).find_map(|counted| self.halved(counted))
                && let Some((since, _)) = away_by_half(self.today?, unit, count, -1)
            {
                let next = self.is(next, Role::Ago).unwrap_or(next);
                return Some(opened(Interval { since: Some(since), until: None }, next));
            }
            let counted = self.leads(counted).find_map(|counted| self.counted(counted));
            if let Some(((_, most), unit, next)) = counted {
                let since = moved(self.today?, unit, -most);
                return Some(opened(Interval { since: Some(since), until: None }, next));
            }
        }
        let found = self.leads(next).find_map(|next| self.point(next))?;
        let hull = match role {
            Role::Since => found.hull()?,
            _ => self.begun(found)?,
        };
        let step = |day: Date, count| moved(day, Unit::Day, count);
        let interval = match role {
            Role::Since => Interval { since: hull.since, until: None },
            Role::Until => Interval { since: None, until: hull.until },
            Role::Before => Interval { since: None, until: hull.since.map(|day| step(day, -1)) },
            _ => Interval { since: hull.until.map(|day| step(day, 1)), until: None },
        };
        Some(opened(interval, found.next))
    }

    /// "the week before 3 May", "zwei Tage nach dem 3. Mai".
    pub(super) fn beside(&self, at: usize) -> Option<TimeMatch> {
        let distance = self.distance(at)?;
        let Distance { unit, count, next, is_counted } = distance;
        let point = self.leads(next).find_map(|next| self.point(next))?;
        let sign = count.signum();
        let finest = point.readings.iter().map(|reading| reading.grain).min()?;
        let mut exact: Vec<Reading> = Vec::new();
        let mut ranges: Vec<Reading> = Vec::new();
        for reading in point.readings.iter().filter(|reading| reading.grain == finest) {
            let interval = reading.interval;
            let edge = if sign < 0 { interval.since? } else { interval.until? };
            let target = moved(edge, unit, count);
            let range = Interval::between(moved(edge, Unit::Day, sign), target);
            if is_counted && range.days() != Some(1) {
                exact.push(Reading::of(Interval::day(target)));
            }
            ranges.push(Reading::of(range));
        }
        exact.extend(ranges);
        Some(TimeMatch { readings: exact, yearly: Vec::new(), next: point.next })
    }

    /// A distance before or after an event: the text up to the end of the clause is not a time, but notes may date
    /// it.
    pub(super) fn offset(&self, at: usize) -> Option<(Offset, usize)> {
        let Distance { unit, count, next, .. } = self.distance(at)?;
        let is_point = self.leads(next).any(|next| self.point(next).is_some());
        // "dos días después fuimos": the text after it is not the event.
        let is_open = ["antes", "despues", "depois"].contains(&self.text(next - 1));
        if is_point || is_open {
            return None;
        }
        let ends = |at: &usize| self.gap(*at).contains(['.', '?', '!', ';', ':', ',']);
        let most = self.words.len().min(next + EVENT_WORDS_MAX);
        let end = (next + 1..most).find(ends).unwrap_or(most);
        let event = self.words.get(next)?.range.start..self.words.get(end - 1)?.range.end;
        Some((Offset { event, unit, count }, next))
    }

    /// "three days after", "the week before", "la veille de".
    fn distance(&self, at: usize) -> Option<Distance> {
        if let Some((count, next)) =
            self.take(at, |role| if let Role::Offset(days) = role { Some(days) } else { None })
        {
            return Some(Distance { unit: Unit::Day, count, next, is_counted: true });
        }
        let (count, unit, next, is_counted) = match self.counted(at) {
            Some(((_, most), unit, next)) => (most, unit, next, true),
            None => self.unit(at).map(|(unit, next)| (1, unit, next, false))?,
        };
        let (sign, next) = self.take(next, |role| match role {
            Role::Before => Some(-1),
            Role::After => Some(1),
            _ => None,
        })?;
        Some(Distance { unit, count: sign * count, next, is_counted })
    }

    /// The latest reading of a point that has begun, otherwise the nearest; all of them if the year is given.
    fn begun(&self, found: &TimeMatch) -> Option<Interval> {
        let Some(today) = self.today else { return found.hull() };
        let since = |reading: &&Reading| reading.interval.since.is_some_and(|since| since <= today);
        if found.readings.iter().all(|reading| since(&reading)) {
            return found.hull();
        }
        let length = |reading: &&Reading| reading.interval.days().unwrap_or(i32::MAX);
        let begun = found.readings.iter().filter(since);
        let latest = begun.max_by_key(|reading| (reading.interval.since, -length(reading)));
        latest.map(|reading| reading.interval).or_else(|| found.hull())
    }

    /// A span between points with unpaired readings: it ends at the latest end that has begun, and starts at the
    /// latest start before it.
    fn between_begun(&self, first: &TimeMatch, second: &TimeMatch) -> Option<Interval> {
        let until = self.begun(second)?.until?;
        let begins = first.readings.iter().filter_map(|reading| reading.interval.since);
        let since = begins.filter(|since| *since <= until).max().or_else(|| first.hull()?.since)?;
        Some(ordered(since, until, Unit::Year))
    }
}

/// Most words of an event without punctuation at its end.
const EVENT_WORDS_MAX: usize = 16;

/// The distance from the following event.
struct Distance {
    unit: Unit,
    count: i32,
    next: usize,
    /// The text counts units, so it means an exact day.
    is_counted: bool,
}

/// Ends in the wrong order cross the end of a week or a year.
pub(super) fn ordered(since: Date, until: Date, turn: Unit) -> Interval {
    Interval::between(if since > until { moved(since, turn, -1) } else { since }, until)
}

pub(super) fn opened(interval: Interval, next: usize) -> TimeMatch {
    TimeMatch { readings: vec![Reading::with(interval, Grain::Year)], yearly: Vec::new(), next }
}
