//! Dates named in a passage's heading or text.
//!
//! A passage has one day: that of its heading, otherwise that of its file. Other days, months and years that it names
//! are index terms prefixed with [`DATE_MARK`], so a passage may have many.

use std::collections::HashSet;
use std::sync::LazyLock;

use jiff::civil::Date;

use super::calendar::{self, Unit, moved};
use super::{Interval, When};
use crate::analyse::has_plain_word;
use crate::fold::Folded;
use crate::language::Language;
use crate::words::{MONTHS, TIME_WORDS, TIME_WORDS_SPACELESS};

/// Prefix of dates in the index: `@2026-11-21`, `@2026-11`, `@2026`; alone in every passage with a date.
pub const DATE_MARK: char = '@';

/// Longest period indexed by day; a longer one is indexed by month.
const DAYS_TOLD_MAX: i32 = 7;

/// Longest period indexed by month; a longer one is indexed by year.
const MONTH_DAYS_TOLD_MAX: i32 = 200;

/// Most years of one period that are searched or indexed; an open end is counted from the other.
const YEARS_MAX: i16 = 60;

/// The date terms of `text`, except its own `day`.
pub fn told(text: &str, languages: &[Language], day: Option<Date>) -> Vec<String> {
    let when = super::read(&Folded::of(text), languages, day);
    told_terms(&when, day)
}

fn told_terms(when: &When, day: Option<Date>) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for reading in &when.readings {
        let (Some(since), Some(until)) = (reading.interval.since, reading.interval.until) else { continue };
        let days = reading.interval.days().unwrap_or(i32::MAX);
        if (days == 1 && Some(since) == day) || until.year() - since.year() > YEARS_MAX {
            continue;
        }
        let mut first = since;
        while first <= until {
            if days <= DAYS_TOLD_MAX {
                terms.push(day_term(first));
            }
            if days <= MONTH_DAYS_TOLD_MAX {
                terms.push(month_term(first));
            }
            terms.push(year_term(first.year()));
            let next = if days <= DAYS_TOLD_MAX {
                moved(first, Unit::Day, 1)
            } else if days <= MONTH_DAYS_TOLD_MAX {
                moved(first, Unit::Month, 1).first_of_month()
            } else {
                moved(first, Unit::Year, 1).first_of_year()
            };
            if next <= first {
                break;
            }
            first = next;
        }
    }
    if !terms.is_empty() {
        terms.push(DATE_MARK.to_string());
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The terms that cover exactly the days of `interval`: whole years, whole months, and days.
pub fn terms_within(interval: &Interval) -> Vec<String> {
    let (since, until) = match (interval.since, interval.until) {
        (Some(since), Some(until)) => (since, until),
        (Some(since), None) => (since, moved(since, Unit::Year, i32::from(YEARS_MAX))),
        (None, Some(until)) => (moved(until, Unit::Year, -i32::from(YEARS_MAX)), until),
        (None, None) => return Vec::new(),
    };
    let mut terms = Vec::new();
    let mut at = since;
    while at <= until {
        let year = calendar::year(at.year()).until.filter(|last| at.day_of_year() == 1 && *last <= until);
        let month =
            calendar::month(at.year(), at.month()).until.filter(|last| at.day() == 1 && *last <= until);
        let last = if let Some(last) = year {
            terms.push(year_term(at.year()));
            last
        } else if let Some(last) = month {
            terms.push(month_term(at));
            last
        } else {
            terms.push(day_term(at));
            at
        };
        let next = moved(last, Unit::Day, 1);
        if next <= at || terms.len() > TERMS_WITHIN_MAX {
            break;
        }
        at = next;
    }
    terms
}

/// Sixty years, their months at both ends, and the days of two months.
const TERMS_WITHIN_MAX: usize = 60 + 22 + 62;

fn day_term(day: Date) -> String {
    format!("{DATE_MARK}{day}")
}

fn month_term(day: Date) -> String {
    format!("{DATE_MARK}{:04}-{:02}", day.year(), day.month())
}

fn year_term(year: i16) -> String {
    format!("{DATE_MARK}{year:04}")
}

/// Whether `text` may contain dates: a cheap check before parsing.
pub fn may_tell(text: &str, tells_time: bool) -> bool {
    const HAN: [&str; 8] = ["年", "月", "天", "周", "週", "星期", "禮拜", "礼拜"];
    tells_time || (!text.is_ascii() && HAN.iter().any(|unit| text.contains(unit)))
}

/// The first complete date in a heading: `2026-11-21`, `21 November, 2026`, `November 21, 2026`, `21 de noviembre de
/// 2026`, `2026年11月21日`.
pub fn date_in(text: &str) -> Option<Date> {
    iso_date(text).or_else(|| chinese_date(text)).or_else(|| worded_date(text))
}

fn iso_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    let starts = (0..bytes.len().saturating_sub(9)).filter(|&at| {
        let free = at == 0 || !bytes[at - 1].is_ascii_digit();
        let is_formed = bytes[at].is_ascii_digit() && bytes[at + 4] == b'-' && bytes[at + 7] == b'-';
        is_formed && free && bytes.get(at + 10).is_none_or(|after| !after.is_ascii_digit())
    });
    starts
        .filter_map(|at| text.get(at..at + 10))
        .find_map(|ten| ten.parse().ok().filter(|date: &Date| date.year() > 0))
}

fn chinese_date(text: &str) -> Option<Date> {
    let (year, rest) = text.split_once('年')?;
    let (month, rest) = rest.split_once('月')?;
    let (day, _) = rest.split_once(['日', '号'])?;
    Date::new(
        last_number(year)?.try_into().ok()?,
        last_number(month)?.try_into().ok()?,
        last_number(day)?.try_into().ok()?,
    )
    .ok()
}

fn last_number(text: &str) -> Option<i32> {
    let start = text
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    text[start..].parse().ok()
}

fn worded_date(text: &str) -> Option<Date> {
    // Most texts have no year, which is detected without copying their words.
    let year = pieces(text).find_map(year_number)?;
    let words: Vec<String> = pieces(text).map(str::to_lowercase).collect();
    let at = words.iter().position(|word| month_number(word).is_some())?;
    let month = month_number(&words[at])?;
    let around = |range: std::ops::Range<usize>| words.get(range).unwrap_or_default().iter();
    let near = || around(at.saturating_sub(2)..at).rev().chain(around(at + 1..(at + 2).min(words.len())));
    let day = near().find_map(|word| day_number(word))?;
    Date::new(year, month, day).ok()
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn month_number(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|names| names.split(' ').any(|name| name == word))?;
    i8::try_from(at + 1).ok()
}

fn day_number(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let fits = digits.len() <= 2 && matches!(suffix, "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|day| fits && (1..=31).contains(day))
}

fn year_number(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| (1900..2100).contains(year) && word.len() == 4)
}

/// Whether a query asks for a time: "when", "how long", "what year", "cuándo", "什么时候".
pub fn asks_when(question: &str, words: &[String]) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let units = ["date", "year", "month", "day", "week"];
    matches!(word(0), "when" | "cuando" | "wann" | "quand")
        || (word(0) == "how" && word(1) == "long")
        || (matches!(word(0), "what" | "which" | "in")
            && words.iter().skip(1).take(3).any(|word| units.contains(&word.as_str())))
        || ["什么时候", "哪天", "几号", "哪年", "何时", "いつ", "언제"]
            .iter()
            .any(|mark| question.contains(mark))
}

/// Whether a passage names a time, by the words of its text `said`.
pub fn tells_time(text: &str, said: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| TIME_WORDS.split_whitespace().collect());
    let named = |word: &str| NAMES.contains(word) || year_number(word).is_some();
    has_plain_word(said, named)
        || (!text.is_ascii() && TIME_WORDS_SPACELESS.iter().any(|time| text.contains(time)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn headings_are_dated_in_the_forms_people_write() {
        let day = Some(date(2026, 11, 21));
        for text in [
            "2026-11-21",
            "notes of 2026-11-21, late",
            "session 3 — 1:56 pm on 21 November, 2026",
            "November 21, 2026",
            "21 de noviembre de 2026",
            "Samstag, 21. November 2026",
            "2026年11月21日 周六",
        ] {
            assert_eq!(date_in(text), day, "{text}");
        }
        for text in ["2026-13-21", "12026-11-210", "November", "21 November", "年月日", "5年1月"] {
            assert_eq!(date_in(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_told_is_found_by_every_stretch_that_holds_it() {
        let day = Some(date(2026, 11, 21));
        let english = [Language::English];
        let told = |text: &str| told(text, &english, day);
        assert_eq!(told("the dentist is on 3 May 2027"), ["@", "@2027", "@2027-05", "@2027-05-03"]);
        assert_eq!(told("bought yesterday"), ["@", "@2026", "@2026-11", "@2026-11-20"]);
        assert_eq!(told("we lived there in 2019"), ["@", "@2019"]);
        assert_eq!(told("nothing of today"), Vec::<String>::new());
        let within = |since, until| terms_within(&Interval::between(since, until));
        assert_eq!(within(date(2026, 5, 3), date(2026, 5, 3)), ["@2026-05-03"]);
        assert_eq!(within(date(2026, 5, 1), date(2026, 5, 31)), ["@2026-05"]);
        assert_eq!(within(date(2025, 12, 31), date(2027, 1, 1)), ["@2025-12-31", "@2026", "@2027-01-01"]);
    }

    #[test]
    fn questions_for_a_time_are_known() {
        let when = |question: &str| {
            asks_when(question, &pieces(question).map(str::to_lowercase).collect::<Vec<_>>())
        };
        assert!(
            when("When did she move?")
                && when("how long was it")
                && when("In which month")
                && when("她什么时候搬家")
        );
        assert!(!when("Why did she move?"));
    }
}
