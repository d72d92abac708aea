//! The days of holidays: fixed dates, dates counted from Easter or Advent, weekdays of a month, and days of the Chinese
//! calendar.
//!
//! Names and rules are data (`feasts.txt`). Invariant: a rule gives at most one day for a year.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::Span;
use jiff::civil::{Date, Weekday, date};

use super::calendar::{Unit, month, moved, nth_weekday};
use super::{Grain, Interval, Reading};

/// A holiday of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feast {
    rule: Rule,
    /// Days added to the day of the rule.
    shift: i32,
    /// Days before and after that the name may also mean.
    around: Option<(i32, i32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Fixed(i8, i8),
    Easter,
    Advent,
    Nth(i32, Weekday, i8),
    Lunar(usize, i32),
    Qingming,
    Dongzhi,
}

/// Most years that are searched for a holiday before and after today: the table of the Chinese calendar has few
/// years.
const YEARS_AROUND: i16 = 1;

impl Feast {
    /// Its day in `year`.
    pub fn in_year(self, year: i16) -> Option<Date> {
        let day = match self.rule {
            Rule::Fixed(month, day) => Date::new(year, month, day).ok()?,
            Rule::Easter => easter(year)?,
            Rule::Advent => {
                let christmas = Date::new(year, 12, 25).ok()?;
                let days = i32::from(christmas.weekday().to_monday_one_offset());
                moved(christmas, Unit::Day, -days - 21)
            }
            Rule::Nth(count, weekday, at) => nth_weekday(month(year, at), count, weekday)?,
            Rule::Lunar(month, day) => lunar(year, month, day)?,
            Rule::Qingming => solar_term(year, 4, 48_100)?,
            Rule::Dongzhi => solar_term(year, 12, 219_400)?,
        };
        Some(moved(day, Unit::Day, self.shift))
    }

    /// Its readings without a year: the last one that has begun, and the next one.
    pub fn nearest(self, today: Date) -> Vec<Reading> {
        let year = today.year();
        let years = |step: i16| (0..=YEARS_AROUND).filter_map(move |count| year.checked_add(step * count));
        let last = years(-1).filter_map(|year| self.in_year(year)).find(|day| *day <= today);
        let next = years(1).filter_map(|year| self.in_year(year)).find(|day| *day > today);
        last.into_iter().chain(next).flat_map(|day| self.readings(day)).collect()
    }

    /// Its reading if its day is `day`.
    pub fn readings(self, day: Date) -> Vec<Reading> {
        let mut readings = vec![Reading::of(Interval::day(day))];
        if let Some((before, after)) = self.around {
            let near = Interval::between(moved(day, Unit::Day, before), moved(day, Unit::Day, after));
            readings.push(Reading::with(near, Grain::Week));
        }
        readings
    }
}

/// Easter Sunday of the Gregorian calendar (Meeus, Astronomical Algorithms).
fn easter(year: i16) -> Option<Date> {
    let year_number = i32::from(year);
    let (a, b, c) = (year_number % 19, year_number / 100, year_number % 100);
    let g = (8 * b + 13) / 25;
    let h = (19 * a + b - b / 4 - g + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let sum = h + l - 7 * m + 114;
    Date::new(year, i8::try_from(sum / 31).ok()?, i8::try_from(sum % 31 + 1).ok()?).ok()
}

/// A solar term in this century, by the mean length of the year; `start` is in ten-thousandths of a day.
fn solar_term(year: i16, month: i8, start: i32) -> Option<Date> {
    let of_century = i32::from(year.checked_sub(2000).filter(|year| (0..100).contains(year))?);
    let leaps = if month < 3 { (of_century - 1) / 4 } else { of_century / 4 };
    let day = (of_century * 2_422 + start) / 10_000 - leaps;
    Date::new(year, month, i8::try_from(day).ok()?).ok()
}

/// The first year of [`LUNAR_YEARS`] and the day on which it begins.
const LUNAR_FIRST: (i16, Date) = (1990, date(1990, 1, 27));

/// Chinese years (GB/T 33661): the highest of the lower 16 bits is the first month, 1 where it has 30 days; the lowest
/// four are the month that a leap month follows, whose length is bit 16.
const LUNAR_YEARS: [u32; 60] = [
    0x04af5, 0x04970, 0x064b0, 0x074a3, 0x0ea50, 0x06b58, 0x05ac0, 0x0ab60, 0x096d5, 0x092e0, //
    0x0c960, 0x0d954, 0x0d4a0, 0x0da50, 0x07552, 0x056a0, 0x0abb7, 0x025d0, 0x092d0, 0x0cab5, //
    0x0a950, 0x0b4a0, 0x0baa4, 0x0ad50, 0x055d9, 0x04ba0, 0x0a5b0, 0x15176, 0x052b0, 0x0a930, //
    0x07954, 0x06aa0, 0x0ad50, 0x05b52, 0x04b60, 0x0a6e6, 0x0a4e0, 0x0d260, 0x0ea65, 0x0d530, //
    0x05aa0, 0x076a3, 0x096d0, 0x04afb, 0x04ad0, 0x0a4d0, 0x1d0b6, 0x0d250, 0x0d520, 0x0dd45, //
    0x0b5a0, 0x056d0, 0x055b2, 0x049b0, 0x0a577, 0x0a4b0, 0x0aa50, 0x1b255, 0x06d20, 0x0ada0, //
];

/// The day of a Chinese month and day, in the Chinese year that begins in `year`.
fn lunar(year: i16, month: usize, day: i32) -> Option<Date> {
    const MONTHS: usize = 12;
    let days_of = |info: u32, month: usize| 29 + i32::from(info & (0x10000 >> month) != 0);
    let leap_days = |info: u32| if info & 0xf == 0 { 0 } else { 29 + i32::from(info & 0x10000 != 0) };
    let at = usize::try_from(year.checked_sub(LUNAR_FIRST.0)?).ok()?;
    let info = *LUNAR_YEARS.get(at)?;
    let whole = |info: &u32| (1..=MONTHS).map(|month| days_of(*info, month)).sum::<i32>() + leap_days(*info);
    let mut days: i32 = LUNAR_YEARS[..at].iter().map(whole).sum();
    days += (1..month).map(|month| days_of(info, month)).sum::<i32>();
    let leap = (info & 0xf) as usize;
    if leap != 0 && leap < month {
        days += leap_days(info);
    }
    LUNAR_FIRST.1.checked_add(Span::new().try_days(i64::from(days + day - 1)).ok()?).ok()
}

/// The holidays of every language by name.
type Names = HashMap<&'static str, Vec<(&'static str, Feast)>>;

/// The names of the holidays of a language, by its code, each with its rule.
pub fn named(code: &str) -> &'static [(&'static str, Feast)] {
    static ALL: LazyLock<Names> = LazyLock::new(|| rows().filter_map(Result::ok).fold(Names::new(), collect));
    ALL.get(code).map_or(&[], Vec::as_slice)
}

fn collect(mut all: Names, (code, names, feast): Row) -> Names {
    let names = names.split('|').map(|name| (name.trim(), feast));
    all.entry(code).or_default().extend(names);
    all
}

/// Code of the language, names and rule of a line.
type Row = (&'static str, &'static str, Feast);

/// The lines of the table; an invalid line is returned unchanged.
fn rows() -> impl Iterator<Item = Result<Row, &'static str>> {
    let mut code = "";
    include_str!("feasts.txt").lines().filter_map(move |line| {
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            code = name;
            return None;
        }
        let row = line.split_once('=').and_then(|(rule, names)| Some((code, names, feast(rule.trim())?)));
        Some(row.ok_or(line))
    })
}

/// A rule as the table writes it.
fn feast(text: &str) -> Option<Feast> {
    let (text, near) = text.split_once(" @ ").map_or((text, None), |(rule, near)| (rule, Some(near)));
    let around = match near {
        Some(near) => {
            let (before, after) = near.split_once(' ')?;
            Some((before.parse().ok()?, after.parse().ok()?))
        }
        None => None,
    };
    let words: Vec<&str> = text.split(' ').collect();
    let of = |rule, shift: Option<&&str>| {
        let shift = shift.map_or(Some(0), |shift| shift.parse().ok())?;
        Some(Feast { rule, shift, around })
    };
    let counted = |name: &str| text.strip_prefix(name)?.parse::<i32>().ok();
    if let Some(shift) = counted("easter") {
        return Some(Feast { rule: Rule::Easter, shift, around });
    }
    if let Some(shift) = counted("advent") {
        return Some(Feast { rule: Rule::Advent, shift, around });
    }
    match words.as_slice() {
        ["qingming"] => of(Rule::Qingming, None),
        ["dongzhi"] => of(Rule::Dongzhi, None),
        ["lunar", day, rest @ ..] => {
            let (month, day) = day.split_once('-')?;
            of(Rule::Lunar(month.parse().ok()?, day.parse().ok()?), rest.first())
        }
        [day] => {
            let (month, day) = day.split_once('-')?;
            of(Rule::Fixed(month.parse().ok()?, day.parse().ok()?), None)
        }
        [count, weekday, month, rest @ ..] => {
            const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
            let at = DAYS.iter().position(|day| day == weekday)?;
            let weekday = Weekday::from_monday_zero_offset(i8::try_from(at).ok()?).ok()?;
            of(Rule::Nth(count.parse().ok()?, weekday, month.parse().ok()?), rest.first())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    fn days(code: &str, name: &str, years: &[i16]) -> Vec<String> {
        let feast = named(code).iter().find(|(other, _)| *other == name).map(|(_, feast)| *feast);
        let feast = feast.unwrap_or_else(|| panic!("{name} is in the table"));
        years.iter().map(|&year| feast.in_year(year).expect("a day").to_string()).collect()
    }

    /// Verified against national almanacs.
    #[test]
    fn feasts_fall_on_the_days_of_the_almanac() {
        let rows: &[(&str, &str, &[i16], &[&str])] = &[
            (
                "en",
                "easter",
                &[2024, 2025, 2026, 2038],
                &["2024-03-31", "2025-04-20", "2026-04-05", "2038-04-25"],
            ),
            ("de", "pfingstmontag", &[2025, 2026], &["2025-06-09", "2026-05-25"]),
            ("pt", "terca de carnaval", &[2025, 2026], &["2025-03-04", "2026-02-17"]),
            ("pt", "corpus christi", &[2025], &["2025-06-19"]),
            ("en", "thanksgiving", &[2025, 2026], &["2025-11-27", "2026-11-26"]),
            ("en", "election day", &[2024, 2026], &["2024-11-05", "2026-11-03"]),
            ("en", "memorial day", &[2025], &["2025-05-26"]),
            ("fr", "fete des meres", &[2025], &["2025-05-25"]),
            ("de", "erster advent", &[2022, 2023, 2025], &["2022-11-27", "2023-12-03", "2025-11-30"]),
            ("de", "buss und bettag", &[2025], &["2025-11-19"]),
            (
                "zh",
                "春节",
                &[2000, 2024, 2025, 2026, 2033, 2049],
                &["2000-02-05", "2024-02-10", "2025-01-29", "2026-02-17", "2033-01-31", "2049-02-02"],
            ),
            ("zh", "除夕", &[2026], &["2026-02-16"]),
            ("zh", "端午节", &[2025, 2026], &["2025-05-31", "2026-06-19"]),
            ("zh", "中秋节", &[2023, 2024, 2025], &["2023-09-29", "2024-09-17", "2025-10-06"]),
            ("zh", "重阳节", &[2025], &["2025-10-29"]),
            ("zh", "清明节", &[2024, 2025, 2026], &["2024-04-04", "2025-04-04", "2026-04-05"]),
            ("zh", "冬至", &[2024, 2025], &["2024-12-21", "2025-12-21"]),
        ];
        for (code, name, years, expected) in rows {
            assert_eq!(days(code, name, years), *expected, "{name}");
        }
    }

    #[test]
    fn every_line_of_the_table_is_read_and_every_name_is_folded() {
        let wrong: Vec<&str> = rows().filter_map(Result::err).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        for code in ["en", "es", "de", "fr", "pt", "zh"] {
            assert!(named(code).len() > 30, "{code}");
            for (name, _) in named(code) {
                assert_eq!(fold(name), *name);
                assert_eq!(name.to_lowercase(), *name);
            }
        }
    }
}
