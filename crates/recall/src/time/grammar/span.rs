//! Stretches of time: from one point to another, and on one side of a point.
//!
//! Their ends are points ([`super::point`]). Invariant: a stretch is told only where what closes it is there.

use jiff::civil::Date;

use super::{Reader, TimeMatch};
use crate::time::calendar::{Unit, away_by_half, moved};
use crate::time::lexicon::Role;
use crate::time::{Grain, Interval, Reading};

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

    /// Two points with `close` between them; the first may lack what the second says.
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
                // A part of a month has a reading for the whole of it, too.
                let is_part = second.readings.len() > 2;
                let year = (second.yearly.is_empty() || is_part).then(|| end.until.map(Date::year)).flatten();
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
                        readings.push(Reading::of(ordered(since, until, turn)));
                    }
                } else {
                    readings.push(Reading::of(ordered(first.hull()?.since?, end.until?, Unit::Year)));
                }
                return Some(TimeMatch { readings, yearly: Vec::new(), next: second.next });
            }
        }
        None
    }

    /// "since X", "until X", "before X", "after X", "for two weeks" of languages that say since.
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
        let hull = found.hull()?;
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
        let (count, unit, next) = match self.counted(at) {
            Some(((_, most), unit, next)) => (most, unit, next),
            None => self.unit(at).map(|(unit, next)| (1, unit, next))?,
        };
        let (sign, next) = self.take(next, |role| match role {
            Role::Before => Some(-1),
            Role::After => Some(1),
            _ => None,
        })?;
        let point = self.leads(next).find_map(|next| self.point(next))?;
        let hull = point.hull()?;
        let edge = if sign < 0 { hull.since? } else { hull.until? };
        let interval = Interval::between(moved(edge, Unit::Day, sign), moved(edge, unit, sign * count));
        Some(TimeMatch::one(interval, point.next))
    }
}

/// Ends that came in the wrong order go over the turn of a week or a year.
pub(super) fn ordered(since: Date, until: Date, turn: Unit) -> Interval {
    Interval::between(if since > until { moved(since, turn, -1) } else { since }, until)
}

pub(super) fn opened(interval: Interval, next: usize) -> TimeMatch {
    TimeMatch { readings: vec![Reading::with(interval, Grain::Year)], yearly: Vec::new(), next }
}
