//! Dates that a text tells of, and dates that a question asks for.
//!
//! No clock: only what is written. "Last Friday" needs a today and is not read here.

use jiff::civil::Date;

use crate::words::{MONTHS, TIME_WORDS, TIME_WORDS_SPACELESS};

/// A date as far as a question names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedDate {
    /// The year, if named.
    pub year: Option<i16>,
    /// The month, if named.
    pub month: Option<i8>,
    /// The day of that month, if named.
    pub day: Option<i8>,
}

impl AskedDate {
    /// Whether `date` lies in the month and year asked for.
    pub fn covers(&self, date: Date) -> bool {
        self.year.is_none_or(|year| year == date.year())
            && self.month.is_none_or(|month| month == date.month())
    }

    /// Whether `date` is the very day asked for.
    pub fn is_day(&self, date: Date) -> bool {
        self.month.is_some() && self.day == Some(date.day()) && self.covers(date)
    }
}

/// The first whole date in a heading: `2026-11-21`, `21 November, 2026`, `November 21, 2026`,
/// `21 de noviembre de 2026`, `2026年11月21日`.
pub fn date_in(text: &str) -> Option<Date> {
    iso_date(text).or_else(|| chinese_date(text)).or_else(|| worded_date(text))
}

fn iso_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    let starts = (0..bytes.len().saturating_sub(9)).filter(|&at| {
        let free = at == 0 || !bytes[at - 1].is_ascii_digit();
        free && bytes.get(at + 10).is_none_or(|after| !after.is_ascii_digit())
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
    let words: Vec<String> = words_of(text);
    let at = words.iter().position(|word| month_number(word).is_some())?;
    let month = month_number(&words[at])?;
    let around = |range: std::ops::Range<usize>| words.get(range).unwrap_or_default().iter();
    let near = || around(at.saturating_sub(2)..at).rev().chain(around(at + 1..(at + 2).min(words.len())));
    let day = near().find_map(|word| day_number(word))?;
    let year = words.iter().find_map(|word| year_number(word))?;
    Date::new(year, month, day).ok()
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The date that a question names, from its words in order (lower-case, without marks).
pub fn asked_date(words: &[String]) -> Option<AskedDate> {
    let year = words.iter().find_map(|word| year_number(word));
    let mut month = None;
    let mut day = None;
    for (at, word) in words.iter().enumerate() {
        let Some(number) = month_number(word) else { continue };
        let before = &words[at.saturating_sub(2)..at];
        let after = words.get(at + 1);
        let near = || before.iter().chain(after);
        if is_ambiguous_month(word)
            && !near().any(|word| day_number(word).is_some() || year_number(word).is_some())
        {
            let led = before.last().is_some_and(|word| {
                ["in", "last", "of", "since", "until", "by", "during"].contains(&word.as_str())
            });
            if !led {
                continue;
            }
        }
        month = Some(number);
        day = near().find_map(|word| day_number(word));
        break;
    }
    (year.is_some() || month.is_some()).then_some(AskedDate { year, month, day })
}

/// Words that are a month and something else as well.
fn is_ambiguous_month(word: &str) -> bool {
    matches!(word, "may" | "mar" | "march" | "mai" | "sep" | "dec" | "jan")
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

/// Whether a question wants a time: "when", "how long", "what year", "cuándo", "什么时候".
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

/// Whether a passage names a time, from its words.
pub fn tells_time(text: &str, words: &[String]) -> bool {
    let named =
        |word: &String| TIME_WORDS.split_whitespace().any(|time| time == word) || year_number(word).is_some();
    words.iter().any(named)
        || (!text.is_ascii() && TIME_WORDS_SPACELESS.iter().any(|time| text.contains(time)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn asked(question: &str) -> Option<AskedDate> {
        asked_date(&words_of(question))
    }

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
    fn a_question_names_a_date_as_far_as_it_does() {
        let only = |year, month, day| Some(AskedDate { year, month, day });
        assert_eq!(asked("what happened in May 2023?"), only(Some(2023), Some(5), None));
        assert_eq!(asked("on July 3rd"), only(None, Some(7), Some(3)));
        assert_eq!(asked("in 2022"), only(Some(2022), None, None));
        assert_eq!(asked("may I ask"), None);
        assert_eq!(asked("what did he do last may"), only(None, Some(5), None));
        assert_eq!(asked("which bread"), None);
    }

    #[test]
    fn questions_for_a_time_are_known() {
        let when = |question: &str| asks_when(question, &words_of(question));
        assert!(
            when("When did she move?")
                && when("how long was it")
                && when("In which month")
                && when("她什么时候搬家")
        );
        assert!(!when("Why did she move?"));
    }
}
