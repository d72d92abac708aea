//! How words of time stand together, in languages that write words apart.
//!
//! One grammar for all four: what one language puts before a noun, another puts behind it, and hardly any order means
//! two things. At each word every rule is tried, and the one that reads the most words wins.
//! A month or a weekday without a year or a direction is the nearest one before and the nearest one after.

use std::ops::Range;

use jiff::civil::{Date, Weekday};

use super::calendar::{self, UNITS_MAX, Unit, around, away, in_week, moved};
use super::lexicon::{Lexicon, Role};
use super::{Grain, Interval, Reading, When, Yearly};
use crate::analyse::is_spaceless;
use crate::language::Language;

/// A word of folded text.
#[derive(Debug, Clone)]
pub struct Word {
    text: String,
    range: Range<usize>,
    /// What stands between it and the word before.
    gap: String,
    /// Whether a full stop stands behind it.
    stopped: bool,
}

/// The words of `text` (folded) in order; scripts without spaces are left out.
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut start = None;
    let mut last_end = 0;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() && !is_spaceless(c);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                words.push(Word {
                    text: text[begin..at].to_lowercase(),
                    range: begin..at,
                    gap: text[last_end..begin].trim().to_owned(),
                    stopped: c == '.',
                });
                (start, last_end) = (None, at);
            }
            _ => {}
        }
    }
    words
}

/// Reads the expressions among `words` as `language` has them.
pub fn read(words: &[Word], language: Language, today: Option<Date>) -> When {
    let lexicon = Lexicon::of(language);
    let roles = (0..words.len()).map(|at| roles(words, at, lexicon, language)).collect();
    let reader = Reader { words, roles, language, today };
    let mut when = When::default();
    let mut at = 0;
    while at < words.len() {
        let Some(found) = reader.expression(at).filter(|found| found.next > at) else {
            at += 1;
            continue;
        };
        when.readings.extend(found.readings);
        when.yearly.extend(found.yearly);
        when.places.push(words[at].range.start..words[found.next - 1].range.end);
        at = found.next;
    }
    when
}

/// What an expression means, and the word behind it.
#[derive(Debug, Clone, Default)]
struct Found {
    readings: Vec<Reading>,
    yearly: Vec<Yearly>,
    next: usize,
}

impl Found {
    fn one(interval: Interval, next: usize) -> Self {
        Self { readings: vec![Reading::of(interval)], yearly: Vec::new(), next }
    }

    fn day(day: Date, next: usize) -> Self {
        Self::one(Interval::day(day), next)
    }

    fn hull(&self) -> Option<Interval> {
        self.readings.iter().map(|reading| reading.interval).reduce(|one, other| one.hull(&other))
    }
}

/// The roles of the phrases that begin at a word, each with the word behind it.
fn roles(words: &[Word], at: usize, lexicon: &Lexicon, language: Language) -> Vec<(Role, usize)> {
    let word = words[at].text.as_str();
    let fits = |rest: &[&str]| {
        rest.iter()
            .enumerate()
            .all(|(step, part)| words.get(at + 1 + step).is_some_and(|word| word.text == *part))
    };
    let phrases = lexicon.phrases(word).iter().filter(|(rest, _)| fits(rest));
    let mut roles: Vec<(Role, usize)> = phrases.map(|(rest, role)| (*role, at + 1 + rest.len())).collect();
    if language == Language::German && roles.is_empty() {
        // "Freitagabend"
        let parts = ["abend", "morgen", "nachmittag", "vormittag", "mittag", "nacht"];
        let day =
            parts.iter().find_map(|part| word.strip_suffix(part)).map_or(&[][..], |day| lexicon.phrases(day));
        roles.extend(
            day.iter().filter(|(_, role)| matches!(role, Role::Weekday(_))).map(|(_, role)| (*role, at + 1)),
        );
    }
    roles
}

struct Reader<'w> {
    words: &'w [Word],
    roles: Vec<Vec<(Role, usize)>>,
    language: Language,
    today: Option<Date>,
}

/// How a relative word counts: "last" is -1.
type Steps = i32;

impl Reader<'_> {
    fn take<T>(&self, at: usize, pick: impl Fn(Role) -> Option<T>) -> Option<(T, usize)> {
        self.roles.get(at)?.iter().find_map(|(role, next)| Some((pick(*role)?, *next)))
    }

    fn is(&self, at: usize, role: Role) -> Option<usize> {
        self.take(at, |found| (found == role).then_some(())).map(|((), next)| next)
    }

    fn gap(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.gap.as_str())
    }

    fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// The places behind none, one, two and three words that may stand inside of an expression.
    fn leads(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut places = vec![at];
        while let Some(next) =
            places.last().and_then(|&last| self.is(last, Role::Lead)).filter(|_| places.len() < 4)
        {
            places.push(next);
        }
        places.into_iter()
    }

    /// Whether the word before may lead in an expression.
    fn is_led(&self, at: usize) -> bool {
        let leads = |role: &Role| {
            matches!(
                role,
                Role::Lead
                    | Role::Since
                    | Role::Until
                    | Role::Before
                    | Role::After
                    | Role::Between
                    | Role::And
                    | Role::From
                    | Role::To
                    | Role::Relative(_)
                    | Role::Part(_)
            )
        };
        at > 0 && self.roles[at - 1].iter().any(|(role, _)| leads(role))
    }

    /// The same for a word that is a name of time only there: "the march" is none.
    fn is_led_closely(&self, at: usize) -> bool {
        const LOOSE: [&str; 8] = ["the", "for", "about", "over", "around", "at", "s", "throughout"];
        self.is_led(at) && !LOOSE.contains(&self.text(at - 1))
    }

    /// Whether the word before makes a habit of it: "every Friday", "los viernes".
    fn is_habit(&self, at: usize) -> bool {
        let is_weekday = || self.take(at, |role| matches!(role, Role::Weekday(_)).then_some(())).is_some();
        let makes = |start: usize| match self.text(start) {
            "los" | "les" => is_weekday(),
            _ => true,
        };
        (at.saturating_sub(3)..at).any(|start| self.is(start, Role::Every) == Some(at) && makes(start))
    }

    fn expression(&self, at: usize) -> Option<Found> {
        let forms =
            [self.point(at, None), self.joined(at), self.opened(at), self.bounded(at), self.beside(at)];
        let mut best: Option<Found> = None;
        for found in forms.into_iter().flatten() {
            if best.as_ref().is_none_or(|best| found.next > best.next) {
                best = Some(found);
            }
        }
        best
    }

    /// "between X and Y", "from X to Y".
    fn bounded(&self, at: usize) -> Option<Found> {
        let (close, start) = if let Some(next) = self.is(at, Role::Between) {
            (Role::And, next)
        } else {
            (Role::To, self.is(at, Role::From).or_else(|| self.is(at, Role::Since))?)
        };
        self.leads(start).find_map(|start| self.span(start, close))
    }

    /// "May to July", "3 to 7 May", "3-7 May".
    fn joined(&self, at: usize) -> Option<Found> {
        self.span(at, Role::To)
    }

    /// Two points with `close` between them; the first may lack what the second says.
    fn span(&self, at: usize, close: Role) -> Option<Found> {
        let first = self.point(at, None);
        let number = self.day_of_month(at);
        let behind = first.as_ref().map(|first| first.next).into_iter().chain(number.map(|(_, next)| next));
        for behind in behind {
            let dash = close == Role::To && matches!(self.gap(behind), "-" | "–" | "—");
            let Some(start) = self.is(behind, close).or(dash.then_some(behind)) else { continue };
            for start in self.leads(start) {
                let Some(second) = self.point(start, None) else { continue };
                let Some(end) = second.hull() else { continue };
                let year = second.yearly.is_empty().then(|| end.until.map(Date::year)).flatten();
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
                        return Some(Found::one(Interval::between(begin, last), second.next));
                    }
                }
                let first = self.point(at, year).filter(|first| first.next == behind)?;
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
                return Some(Found { readings, yearly: Vec::new(), next: second.next });
            }
        }
        None
    }

    /// "since X", "until X", "before X", "after X", "for two weeks" of languages that say since.
    fn opened(&self, at: usize) -> Option<Found> {
        let (role, next) = self.take(at, |role| {
            matches!(role, Role::Since | Role::Until | Role::Before | Role::After).then_some(role)
        })?;
        if role == Role::Before && self.ago(at).is_some() {
            return None;
        }
        if role == Role::Since {
            let counted = self.is(next, Role::AgoBefore).unwrap_or(next);
            let counted = self.leads(counted).find_map(|counted| self.counted(counted));
            if let Some(((_, most), unit, next)) = counted {
                let since = moved(self.today?, unit, -most);
                return Some(opened(Interval { since: Some(since), until: None }, next));
            }
        }
        let found = self.leads(next).find_map(|next| self.point(next, None))?;
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
    fn beside(&self, at: usize) -> Option<Found> {
        let (count, unit, next) = match self.counted(at) {
            Some(((_, most), unit, next)) => (most, unit, next),
            None => self.unit(at).map(|(unit, next)| (1, unit, next))?,
        };
        let (sign, next) = self.take(next, |role| match role {
            Role::Before => Some(-1),
            Role::After => Some(1),
            _ => None,
        })?;
        let point = self.leads(next).find_map(|next| self.point(next, None))?;
        let hull = point.hull()?;
        let edge = if sign < 0 { hull.since? } else { hull.until? };
        let interval = Interval::between(moved(edge, Unit::Day, sign), moved(edge, unit, sign * count));
        Some(Found::one(interval, point.next))
    }

    /// A point or stretch of time that no boundary word belongs to.
    fn point(&self, at: usize, year: Option<i16>) -> Option<Found> {
        if self.is_habit(at) {
            return None;
        }
        let rules: [Option<Found>; 14] = [
            self.numeric(at),
            self.named_day(at),
            self.ago(at),
            self.ahead(at),
            self.last_few(at),
            self.day_month(at, year).map(|(found, _)| found),
            self.weekday(at),
            self.relative_unit(at),
            self.part(at, year),
            self.month(at, year),
            self.season(at, year),
            self.quarter(at, year),
            self.weekend(at),
            self.year(at),
        ];
        let mut best: Option<Found> = None;
        for found in rules.into_iter().flatten() {
            if best.as_ref().is_none_or(|best| found.next > best.next) && !found.readings.is_empty() {
                best = Some(found);
            }
        }
        best
    }

    /// `2026-11-21`, `21.11.2026`, `21/11/2026`, `11/21/2026`, `21.11.`, `2026-11`.
    fn numeric(&self, at: usize) -> Option<Found> {
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
                return (!readings.is_empty()).then_some(Found {
                    readings,
                    yearly: Vec::new(),
                    next: at + 3,
                });
            }
            if joint == "-" && one_len == 4 && two_len == 2 && is_year(one) && (1..=12).contains(&two) {
                return Some(Found::one(calendar::month(one, small(two)?), at + 2));
            }
            let ends = self.words.get(at + 1).is_some_and(|word| word.stopped);
            if joint == "." && ends && one_len <= 2 && two_len <= 2 && (1..=12).contains(&two) {
                return self.of_month(small(two)?, Some(small(one)?), None, at + 2);
            }
        }
        None
    }

    /// "yesterday", with its part of the day.
    fn named_day(&self, at: usize) -> Option<Found> {
        let (days, next) = self.take(at, |role| match role {
            Role::Day(days) => Some(days),
            _ => None,
        })?;
        // "am Morgen", "la mañana": the part of any day.
        let is_part = days == 1
            && at > 0
            && ["am", "guten", "la", "una", "jeden", "fruhen"].contains(&self.text(at - 1));
        if is_part {
            return None;
        }
        let day = moved(self.today?, Unit::Day, days);
        let next = self.day_part(next);
        // "Last night" began yesterday and ended today.
        if self.text(at) == "last" || self.text(at) == "anoche" {
            let next_day = moved(day, Unit::Day, 1);
            let readings = [day, next_day].map(|day| Reading::of(Interval::day(day))).to_vec();
            return Some(Found { readings, yearly: Vec::new(), next });
        }
        Some(Found::day(day, next))
    }

    fn day_part(&self, at: usize) -> usize {
        self.is(at, Role::DayPart).unwrap_or(at)
    }

    /// How many of which unit: "two weeks", "ein paar Tage", "a fortnight".
    fn counted(&self, at: usize) -> Option<((i32, i32), Unit, usize)> {
        let (count, next) = self.number(at)?;
        if let Some((days, next)) =
            self.take(next, |role| if let Role::Days(days) = role { Some(days) } else { None })
        {
            return Some(((count.0 * days, count.1 * days), Unit::Day, next));
        }
        let (unit, next) = self.unit(next)?;
        Some((count, if unit == Unit::Weekend { Unit::Week } else { unit }, next))
    }

    fn number(&self, at: usize) -> Option<((i32, i32), usize)> {
        let text = self.text(at);
        if !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some((text.parse().ok().map(|count: i32| (count, count))?, at + 1));
        }
        self.take(at, |role| if let Role::Number(least, most) = role { Some((least, most)) } else { None })
    }

    fn unit(&self, at: usize) -> Option<(Unit, usize)> {
        self.take(at, |role| if let Role::Unit(unit) = role { Some(unit) } else { None })
    }

    fn relative(&self, at: usize) -> Option<(Steps, usize)> {
        self.take(at, |role| if let Role::Relative(steps) = role { Some(steps) } else { None })
    }

    /// "two weeks ago", "hace dos semanas", "vor zwei Wochen", "il y a deux semaines".
    fn ago(&self, at: usize) -> Option<Found> {
        let before = self.is(at, Role::AgoBefore);
        let ((least, most), unit, next) = self.counted(before.unwrap_or(at))?;
        let next = if before.is_some() { next } else { self.is(next, Role::Ago)? };
        Some(Found { readings: self.vague(unit, -most, -least)?, yearly: Vec::new(), next })
    }

    /// "in two weeks".
    fn ahead(&self, at: usize) -> Option<Found> {
        let ((least, most), unit, next) = self.counted(self.is(at, Role::Ahead)?)?;
        if self.is(next, Role::Ago).is_some() {
            return None;
        }
        Some(Found { readings: self.vague(unit, least, most)?, yearly: Vec::new(), next })
    }

    fn vague(&self, unit: Unit, from: i32, to: i32) -> Option<Vec<Reading>> {
        let today = self.today?;
        if from == to {
            return Some(away(today, unit, from));
        }
        let ends = [from, to].map(|count| around(moved(today, unit, count), unit));
        Some(vec![Reading::of(ends[0].hull(&ends[1]))])
    }

    /// "the last three weeks", "les trois derniers mois", "the next few days".
    fn last_few(&self, at: usize) -> Option<Found> {
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
        Some(Found::one(Interval::between(today, moved(today, unit, sign * count)), next))
    }

    fn day_of_month(&self, at: usize) -> Option<(i8, usize)> {
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

    /// A month by its name, and whether the name is weak.
    fn month_name(&self, at: usize) -> Option<(i8, bool, usize)> {
        let ((month, weak), next) = self.take(at, |role| match role {
            Role::Month(month) => Some((month, false)),
            Role::WeakMonth(month) => Some((month, true)),
            _ => None,
        })?;
        Some((month, weak, next))
    }

    fn year_number(&self, at: usize) -> Option<(i16, usize)> {
        let text = self.text(at);
        let year = text.parse().ok().filter(|year| is_year(*year) && text.len() == 4)?;
        Some((year, at + 1))
    }

    /// A year behind a month or a day: "2026", "of last year", "del año pasado", "im Jahr 2026".
    fn year_behind(&self, at: usize) -> Option<(i16, usize)> {
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

    /// "last year", "el año pasado", "the week before last".
    fn unit_steps(&self, at: usize) -> Option<(Unit, Steps, usize)> {
        let before = self.relative(at).and_then(|(steps, next)| {
            let (unit, next) = self.unit(next)?;
            Some((unit, steps, next))
        });
        let behind = || {
            let (unit, next) = self.unit(at)?;
            let (steps, next) = self.relative(next)?;
            let is_usual = matches!(self.language, Language::Spanish | Language::French) || steps.abs() == 2;
            is_usual.then_some((unit, steps, next))
        };
        // "el próximo fin de semana", and behind both "de este año".
        before.or_else(behind)
    }

    /// "21 November 2026", "November 21st", "el 3 de mayo del año pasado", with the day of the week before it.
    fn day_month(&self, at: usize, year: Option<i16>) -> Option<(Found, Date)> {
        let (day, month, next) = self.day_then_month(at).or_else(|| self.month_then_day(at))?;
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        let found = self.of_month(month, Some(day), year, next)?;
        let first = found.readings.first()?.interval.since?;
        Some((found, first))
    }

    fn day_then_month(&self, at: usize) -> Option<(i8, i8, usize)> {
        let (day, next) = self.day_of_month(at)?;
        self.leads(next).find_map(|next| self.month_name(next).map(|(month, _, next)| (day, month, next)))
    }

    fn month_then_day(&self, at: usize) -> Option<(i8, i8, usize)> {
        let (month, _, next) = self.month_name(at)?;
        if self.language != Language::English {
            return None;
        }
        self.leads(next)
            .take(2)
            .find_map(|next| self.day_of_month(next).map(|(day, next)| (day, month, next)))
    }

    /// A month or a day of it, of `year` or of the nearest.
    fn of_month(&self, month: i8, day: Option<i8>, year: Option<i16>, next: usize) -> Option<Found> {
        let interval = |year: i16| match day {
            None => Some(calendar::month(year, month)),
            Some(day) => Date::new(year, month, day).ok().map(Interval::day),
        };
        if let Some(year) = year {
            return Some(Found::one(interval(year)?, next));
        }
        let yearly = vec![Yearly { month, day }];
        let Some(today) = self.today else { return Some(Found { readings: Vec::new(), yearly, next }) };
        let readings = self.nearest(today, &|year| interval(year));
        (!readings.is_empty()).then_some(Found { readings, yearly, next })
    }

    /// The last one that has begun by `today`, and the first one that has not.
    fn nearest(&self, today: Date, of: &dyn Fn(i16) -> Option<Interval>) -> Vec<Reading> {
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
    fn relative_yearly(&self, steps: Steps, of: &dyn Fn(i16) -> Option<Interval>) -> Option<Vec<Reading>> {
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

    /// A weekday, alone or with what tells which one.
    fn weekday(&self, at: usize) -> Option<Found> {
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
            return Some(Found { readings, yearly: Vec::new(), next: self.day_part(next) });
        }
        if let Some((Unit::Week, steps, next)) = self.unit_steps(at) {
            let named = self.leads(next).find_map(&name);
            if let Some(((day, _), next)) = named {
                let day = in_week(moved(today?, Unit::Week, steps), weekday(day)?);
                return Some(Found::day(day, self.day_part(next)));
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
                return Some(Found::day(in_week(moved(today?, Unit::Week, steps), day), next));
            }
        }
        // "el viernes pasado"
        let behind =
            self.relative(next).filter(|_| matches!(self.language, Language::Spanish | Language::French));
        if let Some((steps, next)) = behind {
            let readings = weekday_readings(today?, day, steps);
            return Some(Found { readings, yearly: Vec::new(), next: self.day_part(next) });
        }
        if weak && !self.is_led_closely(at) {
            return None;
        }
        let this = in_week(today?, day);
        let before = if this <= today? { this } else { moved(this, Unit::Week, -1) };
        let after = if this <= today? { moved(this, Unit::Week, 1) } else { this };
        let readings = [before, after].map(|day| Reading::of(Interval::day(day))).to_vec();
        Some(Found { readings, yearly: Vec::new(), next })
    }

    /// "last week", "el mes pasado", "the week of 3 May".
    fn relative_unit(&self, at: usize) -> Option<Found> {
        if let Some((Unit::Week, next)) = self.unit(at) {
            let day = self.leads(next).skip(1).find_map(|next| self.day_month(next, None));
            if let Some((found, first)) = day {
                return Some(Found::one(around(first, Unit::Week), found.next));
            }
        }
        let (unit, steps, next) = self.unit_steps(at)?;
        let today = self.today?;
        if unit == Unit::Day && steps == 0 {
            // "this day" and "these days" are no date.
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
        // "The past week" is the last seven days as well.
        if self.text(at) == "past" || self.text(at) == "this" && self.text(at + 1) == "past" {
            readings.push(Reading::of(Interval::between(moved(today, unit, -1), today)));
        }
        Some(Found { readings, yearly: Vec::new(), next })
    }

    /// "at the weekend": the last one and the coming one.
    fn weekend(&self, at: usize) -> Option<Found> {
        let (Unit::Weekend, next) = self.unit(at)? else { return None };
        if !self.is_led(at) {
            return None;
        }
        let today = self.today?;
        let this = around(today, Unit::Weekend);
        let other = if this.since? <= today { 1 } else { -1 };
        let other = around(moved(today, Unit::Week, other), Unit::Weekend);
        Some(Found { readings: vec![Reading::of(this), Reading::of(other)], yearly: Vec::new(), next })
    }

    /// "early in May", "Ende letzten Monats", "fin mai".
    fn part(&self, at: usize, year: Option<i16>) -> Option<Found> {
        let (part, next) =
            self.take(at, |role| if let Role::Part(part) = role { Some(part) } else { None })?;
        let whole = self.leads(next).find_map(|next| {
            let inner = [self.month_told(next, year), self.relative_unit(next), self.year(next)];
            inner.into_iter().flatten().find(|found| !found.readings.is_empty())
        })?;
        let mut readings: Vec<Reading> = Vec::new();
        for reading in &whole.readings {
            let inner = match (reading.interval.since, reading.grain) {
                (Some(first), Grain::Year) => {
                    let months = [(1, 4), (5, 8), (9, 12)][part.min(2)];
                    calendar::month(first.year(), months.0).hull(&calendar::month(first.year(), months.1))
                }
                (_, Grain::Month) => calendar::third(reading.interval, part),
                _ => reading.interval,
            };
            readings.push(Reading::of(inner));
            readings.push(Reading { interval: reading.interval, grain: reading.grain.max(Grain::Month) });
        }
        Some(Found { readings, yearly: Vec::new(), next: whole.next })
    }

    /// A month, where something tells that it is one.
    fn month(&self, at: usize, year: Option<i16>) -> Option<Found> {
        // "last May"
        if let Some((steps, next)) = self.relative(at) {
            let (month, _, next) = self.month_name(next)?;
            let readings = self.relative_yearly(steps, &|year| Some(calendar::month(year, month)))?;
            return Some(Found { readings, yearly: Vec::new(), next });
        }
        let (_, weak, next) = self.month_name(at)?;
        let told = self.month_told(at, year)?;
        (!weak || told.next > next || self.is_led_closely(at) || year.is_some()).then_some(told)
    }

    /// A month with the year behind it, or "pasado".
    fn month_told(&self, at: usize, year: Option<i16>) -> Option<Found> {
        let (month, _, next) = self.month_name(at)?;
        let behind =
            self.relative(next).filter(|_| matches!(self.language, Language::Spanish | Language::French));
        if let Some((steps, after)) = behind {
            let readings = self.relative_yearly(steps, &|year| Some(calendar::month(year, month)))?;
            return Some(Found { readings, yearly: Vec::new(), next: after });
        }
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        self.of_month(month, None, year, next)
    }

    /// A season that is led, related or of a year: "in summer", "letzten Sommer", "été 2026".
    fn season(&self, at: usize, year: Option<i16>) -> Option<Found> {
        let name = |at: usize| {
            self.take(at, |role| match role {
                Role::Season(season) | Role::WeakSeason(season) => Some(season),
                _ => None,
            })
        };
        let of = |season: usize| move |year: i16| Some(calendar::season(year, season));
        if let Some((steps, next)) = self.relative(at) {
            let (season, next) = name(next)?;
            return Some(Found {
                readings: self.relative_yearly(steps, &of(season))?,
                yearly: Vec::new(),
                next,
            });
        }
        let (season, next) = name(at)?;
        let behind =
            self.relative(next).filter(|_| matches!(self.language, Language::Spanish | Language::French));
        if let Some((steps, next)) = behind {
            return Some(Found {
                readings: self.relative_yearly(steps, &of(season))?,
                yearly: Vec::new(),
                next,
            });
        }
        if let Some((year, next)) = self.year_behind(next) {
            let mut readings = vec![Reading::of(calendar::season(year, season))];
            if season == 3 {
                // The winter of a year began in it or ended in it.
                readings.extend(year.checked_sub(1).map(|year| Reading::of(calendar::season(year, season))));
            }
            return Some(Found { readings, yearly: Vec::new(), next });
        }
        if let Some(year) = year {
            return Some(Found::one(calendar::season(year, season), next));
        }
        if !self.is_led(at) {
            return None;
        }
        Some(Found { readings: self.nearest(self.today?, &of(season)), yearly: Vec::new(), next })
    }

    /// "third quarter of 2026", "Q3 2026", "T3".
    fn quarter(&self, at: usize, year: Option<i16>) -> Option<Found> {
        let text = self.text(at);
        let short = text
            .strip_prefix(['q', 't'])
            .and_then(|digit| digit.parse::<i8>().ok())
            .map(|number| (number, at + 1));
        let long = || {
            let (number, next) =
                self.take(at, |role| if let Role::Ordinal(number) = role { Some(number) } else { None })?;
            let (Unit::Quarter, next) = self.unit(next)? else { return None };
            Some((i8::try_from(number).ok()?, next))
        };
        let (number, next) = short.or_else(long).filter(|(number, _)| (1..=4).contains(number))?;
        let (year, next) = match self.year_behind(next) {
            Some((year, next)) => (Some(year), next),
            None => (year, next),
        };
        match year {
            Some(year) => Some(Found::one(calendar::quarter(year, number), next)),
            None => {
                let readings = self.nearest(self.today?, &|year| Some(calendar::quarter(year, number)));
                Some(Found { readings, yearly: Vec::new(), next })
            }
        }
    }

    /// "2026", "el año 2026", "2026 Q3".
    fn year(&self, at: usize) -> Option<Found> {
        let start = match self.unit(at) {
            Some((Unit::Year, next)) => next,
            _ => at,
        };
        let (year, next) = self.year_number(start)?;
        if let Some(quarter) = self.quarter(next, Some(year)).filter(|found| found.next == next + 1) {
            return Some(quarter);
        }
        Some(Found::one(calendar::year(year), next))
    }
}

/// "last Friday": the nearest one before today and, where that is another, the one of last week.
fn weekday_readings(today: Date, weekday: Weekday, steps: Steps) -> Vec<Reading> {
    let of_week = in_week(moved(today, Unit::Week, steps), weekday);
    let this = in_week(today, weekday);
    let near = match steps {
        -1 if this < today => this,
        0 | 1 if this > today => this,
        0 => moved(this, Unit::Week, i32::from(this < today)),
        _ => of_week,
    };
    let mut readings = vec![Reading::of(Interval::day(near))];
    if of_week != near {
        readings.push(Reading { interval: Interval::day(of_week), grain: Grain::Week });
    }
    readings
}

/// Ends that came in the wrong order go over the turn of a week or a year.
fn ordered(since: Date, until: Date, turn: Unit) -> Interval {
    Interval::between(if since > until { moved(since, turn, -1) } else { since }, until)
}

fn opened(interval: Interval, next: usize) -> Found {
    Found { readings: vec![Reading { interval, grain: Grain::Year }], yearly: Vec::new(), next }
}

fn is_year(year: i16) -> bool {
    (1900..2100).contains(&year)
}

const _: () = assert!(UNITS_MAX > 999, "a number of three digits is never clamped");
