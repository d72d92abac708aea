//! Expressions of time in Chinese, which writes them without spaces.
//!
//! Reads folded text, so traditional characters and full-width digits equal their common forms. At each position,
//! more specific rules are tried first.

mod relative;
mod word;

use jiff::civil::Date;

use super::calendar::{self, Unit, moved, nth_weekday, nth_weekend};
use super::feast::{self, Feast};
use super::{Asked, Interval, Offset, Reading, When, Yearly};
use crate::analyse::is_spaceless;
use relative::{YEARS, amount, counted, relative_day, relative_month, relative_year, same_day, week};
use word::{after, blank, digit, number, quarter, season, small, weekday};

/// Context of an expression.
#[derive(Clone, Copy)]
struct Now {
    today: Option<Date>,
    asked: Asked,
}

/// Reads every expression of `text` (folded).
pub(super) fn read(text: &str, today: Option<Date>, asked: Asked) -> When {
    let now = Now { today, asked };
    let mut when = When::default();
    if text.is_ascii() {
        return when;
    }
    let mut rest = text;
    let mut clause = 0;
    while let Some(c) = rest.chars().next() {
        let start = text.len() - rest.len();
        if let Some((offset, behind)) = offset(&text[clause..start], rest, now) {
            let end = text.len() - behind.len();
            let event = clause..clause + offset.event.end;
            (clause, rest) = (end, behind);
            when.places.push(start..end);
            when.offsets.push(Offset { event, ..offset });
            continue;
        }
        match expression(rest, now) {
            Some(found) if !found.readings.is_empty() && found.rest.len() < rest.len() => {
                clause = text.len() - found.rest.len();
                let is_counted = found.is_counted;
                let name = holiday(rest, now).filter(|_| !is_counted).map(|(_, name)| name);
                when.names.extend(name.map(|name| start + name.start..start + name.end));
                when.places.push(start..text.len() - found.rest.len());
                when.readings.extend(found.readings);
                when.yearly.extend(found.yearly);
                rest = found.rest;
            }
            _ => {
                rest = skip(rest, c);
                if "，。？！；：、,.?!;:\n".contains(c) {
                    clause = text.len() - rest.len();
                }
            }
        }
    }
    when
}

/// Moves past a character, or past a whole number, so that no date begins inside one.
fn skip(rest: &str, c: char) -> &str {
    if c.is_ascii_digit() {
        return rest.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    &rest[c.len_utf8()..]
}

/// The meaning of an expression, and the text after it.
struct ChineseMatch<'t> {
    readings: Vec<Reading>,
    yearly: Vec<Yearly>,
    rest: &'t str,
    /// Its distance is counted from an event.
    is_counted: bool,
}

impl<'t> ChineseMatch<'t> {
    fn one(interval: Interval, rest: &'t str) -> Self {
        Self { readings: vec![Reading::of(interval)], yearly: Vec::new(), rest, is_counted: false }
    }

    fn day(day: Date, rest: &'t str) -> Self {
        Self::one(Interval::day(day), rest)
    }

    fn hull(&self) -> Option<Interval> {
        self.readings.iter().map(|reading| reading.interval).reduce(|one, other| one.hull(&other))
    }

    /// The latest reading that has begun.
    fn begun(&self, now: Now) -> Option<Interval> {
        let Some(today) = now.today else { return self.hull() };
        let has_begun = |reading: &&Reading| reading.interval.since.is_some_and(|since| since <= today);
        if self.readings.iter().all(|reading| has_begun(&reading)) {
            return self.hull();
        }
        let begun = self.readings.iter().filter(has_begun);
        let latest = begun.max_by_key(|reading| reading.interval.since);
        latest.map(|reading| reading.interval).or_else(|| self.hull())
    }
}

/// A holiday with its year, "去年中秋", "2025年端午节", and the position of its name.
fn holiday(text: &str, now: Now) -> Option<(ChineseMatch<'_>, std::ops::Range<usize>)> {
    let today = now.today.filter(|_| now.asked == Asked::Yes)?;
    let year = year_digits(text).and_then(|(year, rest)| Some((year, after(blank(rest), &["年"])?)));
    let related = || {
        let (years, rest) = YEARS.iter().find_map(|(words, years)| Some((*years, after(text, words)?)))?;
        Some((moved(today, Unit::Year, years).year(), rest))
    };
    let (year, rest) = year.or_else(related).map_or((None, text), |(year, rest)| (Some(year), rest));
    let rest = rest.strip_prefix('的').unwrap_or(rest);
    let named = |(name, feast): &(&str, Feast)| rest.starts_with(name).then_some((name.len(), *feast));
    let (len, feast) = feast::named("zh").iter().filter_map(named).max_by_key(|(len, _)| *len)?;
    let readings = match year {
        Some(year) => feast.readings(feast.in_year(year)?),
        None => feast.nearest(today),
    };
    let start = text.len() - rest.len();
    let found = ChineseMatch { readings, yearly: Vec::new(), rest: &rest[len..], is_counted: false };
    Some((found, start..start + len))
}

/// "搬家两天后", "婚礼的前一天": a time before or after the event that `before` names.
fn offset<'t>(before: &str, text: &'t str, now: Now) -> Option<(Offset, &'t str)> {
    now.today.filter(|_| now.asked == Asked::Yes)?;
    let event = before.trim().trim_end_matches('的');
    if event.chars().take(EVENT_CHARS_MAX).filter(|c| is_spaceless(*c)).count() < EVENT_CHARS_MIN {
        return None;
    }
    let (unit, count, rest) = later(text).or_else(|| shifted(text, event.len() < before.trim_end().len()))?;
    let start = before.len() - before.trim_start().len();
    Some((Offset { event: start..start + event.len(), unit, count }, rest))
}

/// Fewest characters of an event's name, and the most that are examined.
const EVENT_CHARS_MIN: usize = 2;
const EVENT_CHARS_MAX: usize = 64;

/// "两天后", "一周之后".
fn later(text: &str) -> Option<(Unit, i32, &str)> {
    let ((least, most), unit, rest) = amount(text)?;
    let rest = after(rest, &["之后", "以后", "后"]).filter(|_| least == most)?;
    Some((unit, most, rest))
}

/// "前一天", "后两天", "次日"; a count above one only if `is_led` by an unambiguous word, because "前三天" means the last three
/// days.
fn shifted(text: &str, is_led: bool) -> Option<(Unit, i32, &str)> {
    const DAYS: [(&[&str], i32); 2] = [(&["第二天", "次日", "翌日", "隔天"], 1), (&["前夜", "前夕"], -1)];
    if let Some((days, rest)) = DAYS.iter().find_map(|(words, days)| Some((*days, after(text, words)?))) {
        return Some((Unit::Day, days, rest));
    }
    let (sign, rest) = match after(text, &["之前", "前"]) {
        Some(rest) => (-1, rest),
        None => (1, after(text, &["之后", "后"])?),
    };
    let ((least, most), unit, rest) = amount(rest)?;
    (least == most && (is_led || most == 1)).then_some((unit, sign * most, rest))
}

/// A point, a span between two points, or an open span.
fn expression(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    if let Some(rest) = after(text, &["从", "自从", "自", "在", "由"])
        && let Some(found) = bounded(blank(rest), now)
    {
        return Some(found);
    }
    if let Some(rest) = after(text, &["自从", "从", "自"]) {
        // "从五月起", "自去年以来"
        let found = point(blank(rest), now)?;
        let rest = after(found.rest, &["以来", "起", "开始", "以后", "之后", "至今", "到现在"])
            .unwrap_or(found.rest);
        return opened(Interval { since: found.hull()?.since, until: None }, rest);
    }
    if let Some(rest) = after(text, &["到", "截至", "截止到", "直到"])
        && let Some(found) = point(blank(rest), now)
    {
        let rest = after(found.rest, &["为止", "之前", "以前"]).unwrap_or(found.rest);
        return opened(Interval { since: None, until: found.begun(now)?.until }, rest);
    }
    if let Some(found) = bounded(text, now) {
        return Some(found);
    }
    let found = point(text, now)?;
    let behind = found.rest.strip_prefix('的').unwrap_or(found.rest);
    if let Some((unit, count, rest)) = later(behind).or_else(|| shifted(behind, true)) {
        let finest = found.readings.iter().map(|reading| reading.grain).min();
        let of = |reading: &Reading| {
            let edge = if count < 0 { reading.interval.since? } else { reading.interval.until? };
            Some(Reading::of(Interval::day(moved(edge, unit, count))))
        };
        let readings = found.readings.iter().filter(|reading| Some(reading.grain) == finest).filter_map(of);
        return Some(ChineseMatch {
            readings: readings.collect(),
            yearly: Vec::new(),
            rest,
            is_counted: true,
        });
    }
    let (hull, begun) = (found.hull()?, found.begun(now)?);
    let step = |day: Date, count| moved(day, Unit::Day, count);
    let behind = blank(found.rest);
    if let Some(rest) = after(behind, &["以来", "起", "至今", "到现在"]) {
        return opened(Interval { since: hull.since, until: None }, rest);
    }
    if let Some(rest) = after(behind, &["之前", "以前"]) {
        return opened(Interval { since: None, until: begun.since.map(|day| step(day, -1)) }, rest);
    }
    if let Some(rest) = after(behind, &["之后", "以后"]) {
        return opened(Interval { since: begun.until.map(|day| step(day, 1)), until: None }, rest);
    }
    Some(found)
}

fn opened(interval: Interval, rest: &str) -> Option<ChineseMatch<'_>> {
    Some(ChineseMatch {
        readings: vec![Reading::with(interval, super::Grain::Year)],
        yearly: Vec::new(),
        rest,
        is_counted: false,
    })
}

/// "五月到七月", "3号到7号", "周一和周三之间".
fn bounded(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    let first = point(text, now)?;
    let behind = blank(first.rest);
    let (rest, is_pair) = match after(behind, &["到", "至", "-", "~", "—"]) {
        Some(rest) => (rest, false),
        None => (after(behind, &["和", "与", "跟"])?, true),
    };
    let rest = blank(rest);
    // The second omits parts that the first has: "五月3号到7号", "2026年5月到7月".
    let begin = first.hull()?.since?;
    let second =
        day_of(rest, begin).or_else(|| month_of(rest, begin, &first)).or_else(|| point(rest, now))?;
    let tail = after(blank(second.rest), &["之间", "期间"]);
    if is_pair && tail.is_none() {
        return None;
    }
    let rest = tail.unwrap_or(second.rest);
    let mut readings: Vec<Reading> = Vec::new();
    if !first.yearly.is_empty() && !second.yearly.is_empty() {
        for (one, other) in first.readings.iter().zip(&second.readings) {
            readings.extend(ordered(one.interval.since?, other.interval.until?));
        }
    } else {
        readings.extend(ordered(begin, second.hull()?.until?));
    }
    Some(ChineseMatch { readings, yearly: Vec::new(), rest, is_counted: false })
}

fn ordered(since: Date, until: Date) -> Option<Reading> {
    let since = if since > until { moved(since, Unit::Year, -1) } else { since };
    Some(Reading::of(Interval::between(since, until)))
}

/// A day without a month; it takes the month of `begin`.
fn day_of(text: &str, begin: Date) -> Option<ChineseMatch<'_>> {
    let (day, rest) = number(text)?;
    let rest = after(blank(rest), &["日", "号"])?;
    Some(ChineseMatch::day(Date::new(begin.year(), begin.month(), small(day)?).ok()?, rest))
}

/// A month without a year; it takes the year of the first.
fn month_of<'t>(text: &'t str, begin: Date, first: &ChineseMatch<'_>) -> Option<ChineseMatch<'t>> {
    if !first.yearly.is_empty() {
        return None;
    }
    in_year(text, begin.year()).filter(|found| !found.rest.starts_with('年'))
}

fn point(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    holiday(text, now)
        .map(|(found, _)| found)
        .or_else(|| same_day(text, now))
        .or_else(|| absolute(text))
        .or_else(|| relative_day(text, now))
        .or_else(|| counted(text, now))
        .or_else(|| relative_year(text, now))
        .or_else(|| relative_month(text, now))
        .or_else(|| week(text, now))
        .or_else(|| without_year(text, now))
}

/// `2026年5月3日`, `2026年春天`, `2026年`, and `2026-05-03`, which is language-independent.
fn absolute(text: &str) -> Option<ChineseMatch<'_>> {
    let (year, rest) = year_digits(text)?;
    let rest = after(blank(rest), &["年"])?;
    Some(in_year(blank(rest), year).unwrap_or_else(|| ChineseMatch::one(calendar::year(year), rest)))
}

/// Four digits, Arabic or Chinese: `2026`, `二〇二六`.
fn year_digits(text: &str) -> Option<(i16, &str)> {
    let mut year: i16 = 0;
    let mut rest = text;
    for _ in 0..4 {
        let c = rest.chars().next()?;
        year = year * 10 + i16::try_from(digit(c)?).ok()?;
        rest = &rest[c.len_utf8()..];
    }
    (1900..2100).contains(&year).then_some((year, rest))
}

/// A part of a year: a month with or without a day, a season, a quarter, a half, an end.
fn in_year(text: &str, year: i16) -> Option<ChineseMatch<'_>> {
    let text = text.strip_prefix('的').unwrap_or(text);
    if let Some((month, rest)) =
        number(text).and_then(|(month, rest)| Some((month, after(blank(rest), &["月份", "月"])?)))
    {
        return in_month(rest, calendar_month(year, month)?);
    }
    if let Some((season, rest)) = season(text) {
        let mut readings = vec![Reading::of(calendar::season(year, season))];
        if season == 3 {
            readings.extend(year.checked_sub(1).map(|year| Reading::of(calendar::season(year, season))));
        }
        return Some(ChineseMatch { readings, yearly: Vec::new(), rest, is_counted: false });
    }
    if let Some((quarter, rest)) = quarter(text) {
        return Some(ChineseMatch::one(calendar::quarter(year, quarter), rest));
    }
    for (word, months) in [
        ("上半年", (1, 6)),
        ("下半年", (7, 12)),
        ("年初", (1, 3)),
        ("年底", (10, 12)),
        ("年末", (10, 12)),
        ("年中", (5, 8)),
    ] {
        let rest = after(text, &[word, word.strip_prefix('年').unwrap_or(word)]);
        if let Some(rest) = rest {
            return Some(ChineseMatch::one(
                calendar::month(year, months.0).hull(&calendar::month(year, months.1)),
                rest,
            ));
        }
    }
    None
}

fn calendar_month(year: i16, month: i32) -> Option<Interval> {
    let month = small(month).filter(|month| (1..=12).contains(month))?;
    Some(calendar::month(year, month))
}

/// Text after a month: its day, its beginning or its end, or nothing.
fn in_month(text: &str, month: Interval) -> Option<ChineseMatch<'_>> {
    let first = month.since?;
    if let Some(found) = day_of(blank(text), first) {
        return Some(found);
    }
    for (half, word) in [(1, "上半月"), (2, "下半月")] {
        let behind = text.strip_prefix('的').unwrap_or(text);
        if let Some(rest) = behind.strip_prefix(word) {
            return Some(ChineseMatch::one(calendar::half_month(month, half)?, rest));
        }
    }
    for (part, words) in [(0, &["上旬", "初"]), (1, &["中旬", "中"]), (2, &["下旬", "底"])] {
        if let Some(rest) = after(text, words) {
            let readings = vec![Reading::of(calendar::third(month, part)), Reading::of(month)];
            return Some(ChineseMatch { readings, yearly: Vec::new(), rest, is_counted: false });
        }
    }
    if let Some((week, rest)) = week_number(text) {
        // "第二个星期二", "最后一个周末"
        let weekday = |rest: &str| {
            let day = rest.chars().next().filter(|c| *c != '末')?;
            nth_weekday(month, week, weekday(day)?).map(Interval::day)
        };
        let weekend = || rest.strip_prefix('末').and_then(|_| nth_weekend(month, week));
        if let Some(inner) = weekday(rest).or_else(weekend) {
            let readings = vec![Reading::of(inner), Reading::of(month)];
            let next = rest.chars().next().map_or(0, char::len_utf8);
            return Some(ChineseMatch {
                readings,
                yearly: Vec::new(),
                rest: &rest[next..],
                is_counted: false,
            });
        }
        let inner = calendar::week_of_month(month, week)?;
        return Some(ChineseMatch {
            readings: vec![Reading::of(inner), Reading::of(month)],
            yearly: Vec::new(),
            rest,
            is_counted: false,
        });
    }
    Some(ChineseMatch::one(month, text))
}

/// "第一周", "的第二个星期", "最后一周", which is -1.
fn week_number(text: &str) -> Option<(i32, &str)> {
    let text = text.strip_prefix('的').unwrap_or(text);
    let (week, rest) = match after(text, &["最后一"]) {
        Some(rest) => (-1, rest),
        None => number(after(text, &["第"])?).filter(|(week, _)| (1..=5).contains(week))?,
    };
    Some((week, after(rest, &["个星期", "星期", "个礼拜", "礼拜", "个周", "周"])?))
}

/// "五月", "5月3日", "夏天", "第三季度": the nearest before and after.
fn without_year(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    const YEARS_AROUND: i16 = 8;
    let today = now.today?;
    // "中", "底" and similar are parts of a year only after a year.
    if text.starts_with(['初', '中', '底', '末']) {
        return None;
    }
    let of = |year: i16| in_year(text, year);
    let probe = (0..=YEARS_AROUND).find_map(|step| of(today.year().checked_sub(step)?))?;
    let rest = probe.rest;
    let is_day = |found: &ChineseMatch<'_>| {
        found.readings.first().is_some_and(|reading| reading.interval.days() == Some(1))
    };
    let begun = |found: &ChineseMatch<'_>| {
        found.hull().and_then(|hull| hull.since).is_some_and(|since| since <= today)
    };
    let last = (0..=YEARS_AROUND).filter_map(|step| of(today.year().checked_sub(step)?)).find(begun);
    let next =
        (0..=YEARS_AROUND).filter_map(|step| of(today.year().checked_add(step)?)).find(|found| !begun(found));
    let mut yearly = Vec::new();
    if let Some((month, after_month)) =
        number(text).and_then(|(month, rest)| Some((small(month)?, after(rest, &["月份", "月"])?)))
    {
        let day =
            if is_day(&probe) { number(blank(after_month)).and_then(|(day, _)| small(day)) } else { None };
        yearly.push(Yearly { month, day });
    }
    let readings = last.into_iter().chain(next).filter_map(|found| found.readings.first().copied()).collect();
    Some(ChineseMatch { readings, yearly, rest, is_counted: false })
}
