//! Resolves one time, for an explicit bound or a query of the past.
//!
//! Time words in a query may have several readings, which all count. Here there is one: the latest that has begun,
//! else the nearest. The value may repeat its bound's word (`until May` for an end); a word for another bound is
//! invalid, since it would open an unintended range. Invariant: the result has the ends that its bound needs.

use jiff::civil::{Date, DateTime};

use super::calendar::{Unit, moved};
use super::grammar::{self, Word};
use super::lexicon::{Lexicon, Role};
use super::{Interval, READ, Reading, read_question};
use crate::analyse::is_spaceless;
use crate::fold::Folded;

/// The kind of bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A start; may repeat "since".
    Since,
    /// An end; may repeat "until".
    Until,
    /// A centre; may repeat "around".
    Around,
    /// The end of a past state; may repeat "as of" or "until".
    AsOf,
}

impl Side {
    /// Additional words of the bound, as prefixes of a value.
    fn own_words(self) -> &'static [&'static str] {
        match self {
            Self::Around => &[
                "around", "about", "near", "roughly", "approximately", "circa", "ca", "alrededor de",
                "alrededor del", "en torno a", "en torno al", "cerca de", "cerca del", "rund um", "etwa",
                "ungefahr", "autour de", "autour du", "aux alentours de", "aux alentours du",
            ],
            Self::AsOf => &["as of", "as at", "as on", "stand"],
            Self::Since | Self::Until => &[],
        }
    }

    fn has_ends(self, interval: &Interval) -> bool {
        match self {
            Self::Since => interval.since.is_some(),
            Self::Until | Self::AsOf => interval.until.is_some(),
            Self::Around => interval.since.is_some() && interval.until.is_some(),
        }
    }

    /// The interval of a reading: from or to one day, if the reading is around one.
    fn counted(self, reading: Reading) -> Interval {
        match reading.day {
            Some(day) if self != Self::Around => Interval::day(day),
            _ => reading.interval,
        }
    }
}

/// Parses a date, a timestamp (its day), or an expression in any supported language. `None` for anything else: an
/// impossible date, extra text, or a word for another bound.
pub fn meant(text: &str, side: Side, today: Date) -> Option<Interval> {
    stamped(text.trim()).map(Interval::day).or_else(|| said(text, side, today))
}

/// Longest time expression, in bytes: the grammar tries each word as a start.
pub const TIME_BYTES_MAX: usize = 512;

/// The same for words and dates only: an hour is not supported here and might change the meaning.
pub fn said(text: &str, side: Side, today: Date) -> Option<Interval> {
    if text.len() > TIME_BYTES_MAX {
        return None;
    }
    if is_now(text) {
        return Some(Interval::day(today));
    }
    let folded = Folded::of(text).text;
    let text = without_own_word(folded.trim(), side);
    let plain = whole(text, today);
    let closed = plain.filter(|reading| is_closed(&reading.interval)).map(|reading| side.counted(reading));
    let read =
        closed.or_else(|| bounded(text, side, today)).or_else(|| bounded_in_chinese(text, side, today));
    // "seit zwei Wochen" has no complete time after its first word.
    read.or(plain.map(|reading| reading.interval)).filter(|interval| side.has_ends(interval))
}

/// Whether `text` means now, a word with other uses in queries.
pub fn is_now(text: &str) -> bool {
    const NOW: [&str; 5] = ["now", "ahora", "jetzt", "maintenant", "现在"];
    let text = text.trim().to_lowercase();
    NOW.contains(&&*text)
}

/// Whether `text` is a time, with any bound.
pub fn is_time(text: &str, today: Date) -> bool {
    [Side::Since, Side::Until].iter().any(|&side| meant(text, side, today).is_some())
}

/// The day of a date or timestamp as written, in any zone.
fn stamped(text: &str) -> Option<Date> {
    let of = |time: Result<DateTime, jiff::Error>| time.ok().map(DateTime::date);
    let written = text.trim_end_matches(['Z', 'z']);
    of(text.parse()).or_else(|| of(written.parse()).filter(|_| text.contains(':')))
}

fn is_closed(interval: &Interval) -> bool {
    interval.since.is_some() && interval.until.is_some()
}

fn without_own_word(text: &str, side: Side) -> &str {
    let words = grammar::words(text);
    let behind = |phrase: &&str| {
        let len = phrase.split(' ').count();
        let is_said = words.len() > len && phrase.split(' ').eq(words[..len].iter().map(|word| &*word.text));
        is_said.then(|| &text[words[len - 1].range.end..])
    };
    // The longer of two: "alrededor del" before "alrededor de".
    let spaced = side.own_words().iter().filter_map(behind).min_by_key(|rest| rest.len());
    let text = spaced.filter(|_| !text.starts_with(is_spaceless)).unwrap_or(text);
    if side != Side::Around {
        return text;
    }
    let text = ["大约", "大概", "约"].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    ["左右", "前后", "附近"].iter().find_map(|word| text.strip_suffix(word)).unwrap_or(text)
}

/// Words before an ambiguous month: "may" is a verb, "on May" is not. One for each language.
const LEADS: [&str; 5] = ["on", "am", "durante", "durant", "em"];

/// The single reading of a text that is only a time.
fn whole(text: &str, today: Date) -> Option<Reading> {
    let led = || LEADS.iter().find_map(|lead| alone(&format!("{lead} {text}"), today));
    alone(text, today).or_else(led)
}

fn alone(text: &str, today: Date) -> Option<Reading> {
    let folded = Folded::of(text);
    let when = read_question(&folded, &[], today);
    let [place] = when.places.as_slice() else { return None };
    let (before, behind) = (folded.text.get(..place.start)?, folded.text.get(place.end..)?);
    let leads = grammar::words(before);
    let is_whole = !behind.contains(char::is_alphanumeric)
        && !before.contains(is_spaceless)
        && leads.iter().all(|word| READ.iter().any(|&language| word.is_lead(language)));
    one(&when.readings, today).filter(|_| is_whole)
}

/// The single reading; of two that begin on one day the shorter.
fn one(readings: &[Reading], today: Date) -> Option<Reading> {
    let begin = |reading: &Reading| reading.interval.since.or(reading.interval.until);
    let length = |reading: &Reading| reading.interval.days().unwrap_or(i32::MAX);
    let (begun, coming): (Vec<Reading>, Vec<Reading>) =
        readings.iter().partition(|reading| begin(reading).is_none_or(|day| day <= today));
    let latest = begun.into_iter().max_by_key(|reading| (begin(reading), -length(reading)));
    latest.or_else(|| coming.into_iter().min_by_key(|reading| (begin(reading), length(reading))))
}

/// "until May": a bound word and a time.
fn bounded(text: &str, side: Side, today: Date) -> Option<Interval> {
    let words = grammar::words(text);
    let first: &Word =
        words.first().filter(|first| !text[..first.range.start].contains(char::is_alphanumeric))?;
    let read = |(role, next): (Role, usize)| {
        let start = words.get(next)?.range.start;
        let reading = whole(&text[start..], today)
            .filter(|_| !text[first.range.start..start].contains(is_spaceless))?;
        bound(role, side.counted(reading)).filter(|interval| side.has_ends(interval))
    };
    READ.iter().find_map(|&language| {
        grammar::roles(&words, 0, Lexicon::of(language), language).into_iter().find_map(read)
    })
}

/// The same with the word before or after: "直到五月", "五月之前".
fn bounded_in_chinese(text: &str, side: Side, today: Date) -> Option<Interval> {
    const BEFORE: [(&[&str], Role); 2] =
        [(&["自从", "从", "自"], Role::Since), (&["截止到", "截至", "直到", "到"], Role::Until)];
    const BEHIND: [(&[&str], Role); 4] = [
        (&["以来", "起", "开始", "至今", "到现在"], Role::Since),
        (&["为止"], Role::Until),
        (&["之前", "以前"], Role::Before),
        (&["之后", "以后"], Role::After),
    ];
    let led = BEFORE.iter().find_map(|(words, role)| Some((*role, behind(text, words)?)));
    let rest = led.map_or(text, |(_, rest)| rest);
    let closed = BEHIND.iter().find_map(|(words, role)| Some((*role, before(rest, words)?)));
    let role = led.or(closed)?.0;
    let reading = whole(closed.map_or(rest, |(_, rest)| rest), today)?;
    bound(role, side.counted(reading)).filter(|interval| side.has_ends(interval))
}

fn behind<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| text.strip_prefix(word))
}

fn before<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| text.strip_suffix(word))
}

/// Applies a bound word to a time; `None` if it bounds nothing, or the time has a bound.
fn bound(role: Role, interval: Interval) -> Option<Interval> {
    let (since, until) = (interval.since?, interval.until?);
    let (since, until) = match role {
        Role::Since | Role::From => (Some(since), None),
        Role::Until | Role::To => (None, Some(until)),
        Role::Before => (None, Some(moved(since, Unit::Day, -1))),
        Role::After => (Some(moved(until, Unit::Day, 1)), None),
        _ => return None,
    };
    Some(Interval { since, until })
}

#[cfg(test)]
mod tests;
