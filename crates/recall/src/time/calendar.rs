//! Days, weeks, months, seasons and years as intervals.
//!
//! All arithmetic stops at the ends of the calendar instead of failing.

use jiff::Span;
use jiff::civil::{Date, Weekday, date};

use super::{Grain, Interval, Reading};

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A day.
    Day,
    /// Monday to Sunday.
    Week,
    /// Friday evening to Sunday: Saturday and Sunday.
    Weekend,
    /// A month.
    Month,
    /// Three months.
    Quarter,
    /// A year.
    Year,
}

/// Largest distance in units, to stay within the calendar.
pub const UNITS_MAX: i32 = 20_000;

/// `day`, moved by `count` units.
pub fn moved(day: Date, unit: Unit, count: i32) -> Date {
    let count = i64::from(count.clamp(-UNITS_MAX, UNITS_MAX));
    let span = match unit {
        Unit::Day => Span::new().try_days(count),
        Unit::Week | Unit::Weekend => Span::new().try_weeks(count),
        Unit::Month => Span::new().try_months(count),
        Unit::Quarter => Span::new().try_months(count * 3),
        Unit::Year => Span::new().try_years(count),
    };
    span.ok().and_then(|span| day.checked_add(span).ok()).unwrap_or(if count < 0 {
        Date::MIN
    } else {
        Date::MAX
    })
}

/// The unit that contains `day`; for a weekend, that of its week.
pub fn around(day: Date, unit: Unit) -> Interval {
    match unit {
        Unit::Day => Interval::day(day),
        Unit::Week => {
            let monday = monday(day);
            Interval::between(monday, moved(monday, Unit::Day, 6))
        }
        Unit::Weekend => {
            let monday = monday(day);
            Interval::between(moved(monday, Unit::Day, 5), moved(monday, Unit::Day, 6))
        }
        Unit::Month => month(day.year(), day.month()),
        Unit::Quarter => quarter(day.year(), (day.month() - 1) / 3 + 1),
        Unit::Year => year(day.year()),
    }
}

fn monday(day: Date) -> Date {
    moved(day, Unit::Day, -i32::from(day.weekday().to_monday_zero_offset()))
}

/// The day of `weekday` in the week of `day`.
pub fn in_week(day: Date, weekday: Weekday) -> Date {
    moved(monday(day), Unit::Day, i32::from(weekday.to_monday_zero_offset()))
}

/// A month; `month` is clamped to 1–12.
pub fn month(year: i16, month: i8) -> Interval {
    let first = Date::new(year, month.clamp(1, 12), 1).unwrap_or(date(year.clamp(1, 9999), 1, 1));
    Interval::between(first, first.last_of_month())
}

/// The third of a month that is early, middle or late: 0, 1, 2.
pub fn third(month: Interval, part: usize) -> Interval {
    const ENDS: [i32; 2] = [9, 19];
    let (Some(first), Some(last)) = (month.since, month.until) else { return month };
    match part {
        0 => Interval::between(first, moved(first, Unit::Day, ENDS[0])),
        1 => Interval::between(moved(first, Unit::Day, ENDS[0] + 1), moved(first, Unit::Day, ENDS[1])),
        _ => Interval::between(moved(first, Unit::Day, ENDS[1]), last),
    }
}

/// A quarter, 1 to 4.
pub fn quarter(year: i16, quarter: i8) -> Interval {
    let last = quarter.clamp(1, 4) * 3;
    month(year, last - 2).hull(&month(year, last))
}

/// A half of a year, 1 or 2.
pub fn half(year: i16, half: i8) -> Interval {
    quarter(year, half * 2 - 1).hull(&quarter(year, half * 2))
}

/// A year.
pub fn year(year: i16) -> Interval {
    month(year, 1).hull(&month(year, 12))
}

/// A season that begins in `year`, 0 for spring. Meteorological and astronomical seasons are both covered. Northern
/// hemisphere.
pub fn season(year: i16, season: usize) -> Interval {
    const LAST_DAY: [(i8, i8); 4] = [(6, 20), (9, 22), (12, 20), (3, 20)];
    let first = month(year, [3, 6, 9, 12][season % 4]);
    let (last_month, last_day) = LAST_DAY[season % 4];
    let last = Date::new(if season % 4 == 3 { year.saturating_add(1) } else { year }, last_month, last_day);
    last.map_or(first, |last| first.hull(&Interval::day(last)))
}

/// The possible days `count` and a half units away, since a half is imprecise. `sign` is -1 for the past. `None` if
/// the unit cannot be halved.
pub fn away_by_half(today: Date, unit: Unit, count: i32, sign: i32) -> Option<(Date, Vec<Reading>)> {
    let (half, count_of, steps) = match unit {
        Unit::Year => (Unit::Month, 6, [(45, Grain::Month), (90, Grain::Year)]),
        Unit::Month => (Unit::Day, 15, [(7, Grain::Week), (15, Grain::Month)]),
        Unit::Week => (Unit::Day, 3, [(3, Grain::Week); 2]),
        Unit::Day | Unit::Weekend | Unit::Quarter => return None,
    };
    let target = moved(moved(today, unit, sign * count), half, sign * count_of);
    let mut readings = steps.map(|(days, grain)| {
        let interval = Interval::between(moved(target, Unit::Day, -days), moved(target, Unit::Day, days));
        Reading { interval, grain, day: None }
    });
    readings.sort_by_key(|reading| reading.grain);
    let mut readings = readings.to_vec();
    readings.dedup();
    Some((target, readings))
}

/// The possible days for so many minutes ago, likelier first: the time of day is unknown here.
pub fn minutes_ago(today: Date, minutes: i32) -> Vec<Reading> {
    const DAY_MINUTES: i32 = 24 * 60;
    /// A shorter distance means the same day in usage.
    const SAME_DAY_MINUTES: i32 = 6 * 60;
    let days = [minutes / DAY_MINUTES, minutes.saturating_add(DAY_MINUTES - SAME_DAY_MINUTES) / DAY_MINUTES];
    let mut readings = days.map(|days| Reading::of(Interval::day(moved(today, Unit::Day, -days)))).to_vec();
    readings.dedup();
    readings
}

/// The first, second or last (-1) week of a month: seven days from its start or end.
pub fn week_of_month(month: Interval, week: i32) -> Option<Interval> {
    const DAYS: i32 = 7;
    let (first, last) = month.since.zip(month.until)?;
    let first = match week {
        -1 => moved(last, Unit::Day, 1 - DAYS),
        1..=4 => moved(first, Unit::Day, (week - 1) * DAYS),
        _ => return None,
    };
    Some(Interval::between(first, moved(first, Unit::Day, DAYS - 1)))
}

/// The first to fifth weekday of a month; -1 is the last. `None` if there is no fifth.
pub fn nth_weekday(month: Interval, count: i32, weekday: Weekday) -> Option<Date> {
    const DAYS: i32 = 7;
    let (first, last) = month.since.zip(month.until)?;
    let behind = |from: Weekday, to: Weekday| {
        i32::from((to.to_monday_zero_offset() - from.to_monday_zero_offset()).rem_euclid(7))
    };
    let day = match count {
        -1 => moved(last, Unit::Day, -behind(weekday, last.weekday())),
        1..=5 => moved(first, Unit::Day, behind(first.weekday(), weekday) + (count - 1) * DAYS),
        _ => return None,
    };
    month.holds(day).then_some(day)
}

/// The first, second or last (-1) weekend of a month, counted by Saturdays.
pub fn nth_weekend(month: Interval, count: i32) -> Option<Interval> {
    let saturday = nth_weekday(month, count, Weekday::Saturday)?;
    Some(Interval::between(saturday, moved(saturday, Unit::Day, 1)))
}

/// The first or the second half of a month: to the 15th, and from the 16th.
pub fn half_month(month: Interval, half: i32) -> Option<Interval> {
    const FIRST_DAYS: i32 = 15;
    let (first, last) = month.since.zip(month.until)?;
    let middle = moved(first, Unit::Day, FIRST_DAYS);
    match half {
        1 => Some(Interval::between(first, moved(middle, Unit::Day, -1))),
        2 | -1 => Some(Interval::between(middle, last)),
        _ => None,
    }
}

/// Readings of "`count` units ago": the unit at that distance, and the day at exactly that distance.
pub fn away(today: Date, unit: Unit, count: i32) -> Vec<Reading> {
    let target = moved(today, unit, count);
    let around_it = around(target, unit);
    let near = |grain: Grain, days: i32| {
        let near = Interval::between(moved(target, Unit::Day, -days), moved(target, Unit::Day, days));
        Reading { day: Some(target), ..Reading::with(near, grain) }
    };
    let whole = |grain| Reading::with(around_it, grain);
    match unit {
        Unit::Day | Unit::Weekend => vec![Reading::of(around_it)],
        Unit::Week => vec![near(Grain::Day, 0), near(Grain::Week, 3), whole(Grain::Week)],
        Unit::Month => vec![near(Grain::Week, 7), near(Grain::Month, 15), whole(Grain::Month)],
        Unit::Quarter => vec![near(Grain::Month, 45), whole(Grain::Month)],
        Unit::Year => vec![near(Grain::Month, 45), whole(Grain::Year)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_whole() {
        let day = date(2026, 11, 21);
        let shown = |interval: Interval| {
            format!("{}..{}", interval.since.expect("bounded"), interval.until.expect("bounded"))
        };
        for (unit, expected) in [
            (Unit::Day, "2026-11-21..2026-11-21"),
            (Unit::Week, "2026-11-16..2026-11-22"),
            (Unit::Weekend, "2026-11-21..2026-11-22"),
            (Unit::Month, "2026-11-01..2026-11-30"),
            (Unit::Quarter, "2026-10-01..2026-12-31"),
            (Unit::Year, "2026-01-01..2026-12-31"),
        ] {
            assert_eq!(shown(around(day, unit)), expected);
        }
        assert_eq!(shown(season(2025, 3)), "2025-12-01..2026-03-20");
        assert_eq!(shown(third(month(2024, 2), 2)), "2024-02-20..2024-02-29");
        assert_eq!(shown(half(2026, 2)), "2026-07-01..2026-12-31");
    }

    proptest! {
        #[test]
        fn a_day_lies_in_its_week_month_quarter_and_year(days in -700_000i32..2_900_000, count in -30_000i32..30_000) {
            let day = moved(moved(date(1970, 1, 1), Unit::Day, days % 20_000), Unit::Year, days / 20_000);
            let [one, week, month, quarter, year] =
                [Unit::Day, Unit::Week, Unit::Month, Unit::Quarter, Unit::Year].map(|unit| around(day, unit));
            for (outer, inner) in [(week, one), (month, one), (quarter, month), (year, quarter)] {
                prop_assert_eq!(outer.hull(&inner), outer, "{:?} lies in it", inner);
            }
            for unit in [Unit::Day, Unit::Week, Unit::Weekend, Unit::Month, Unit::Quarter, Unit::Year] {
                for reading in away(day, unit, count) {
                    prop_assert!(reading.interval.since <= reading.interval.until);
                }
            }
        }
    }
}
