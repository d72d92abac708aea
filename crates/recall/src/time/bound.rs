//! What is meant where one time is asked for: beside a question, or as the moment that is looked back at.
//!
//! Words in a question may mean several times, and all of them count. Here it is one: the latest that has begun, else
//! the nearest. Who names a bound may say its word again (`until May` for an end); another bound than the one that is
//! asked for is no time there, since it would open a range that nobody meant. Invariant: what is meant has the ends
//! that its side needs.

use jiff::civil::{Date, DateTime};

use super::calendar::{Unit, moved};
use super::grammar::{self, Word};
use super::lexicon::{Lexicon, Role};
use super::{Interval, READ, Reading, read_question};
use crate::analyse::is_spaceless;
use crate::fold::Folded;

/// What a time is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Where something begins: "since" may be said again.
    Since,
    /// Where something ends: "until" may be said again.
    Until,
    /// What is near: "around" may be said again.
    Around,
    /// The end of what is looked back at: "as of" may be said again, and "until".
    AsOf,
}

impl Side {
    /// Words of its own that are no words of time in a question, each as it begins a value.
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

    /// A reading as its days are counted here: from or to one day, where the reading lies around one.
    fn counted(self, reading: Reading) -> Interval {
        match reading.day {
            Some(day) if self != Self::Around => Interval::day(day),
            _ => reading.interval,
        }
    }
}

/// Reads a date, a timestamp, which is the day it names, or an expression in any of the languages. `None`: it is none
/// of these, or names a day that no calendar has, or says something else besides, or a bound on another side.
pub fn meant(text: &str, side: Side, today: Date) -> Option<Interval> {
    stamped(text.trim()).map(Interval::day).or_else(|| said(text, side, today))
}

/// Longest words of time that are read, in bytes: the grammar tries each of them as a beginning.
pub const TIME_BYTES_MAX: usize = 512;

/// The same of words and dates alone: an hour, of which nothing is read here, might change what is meant.
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
    // "seit zwei Wochen" has nothing behind its word that is a time by itself.
    read.or(plain.map(|reading| reading.interval)).filter(|interval| side.has_ends(interval))
}

/// Whether `text` says now, which is a word for much else in a question.
pub fn is_now(text: &str) -> bool {
    const NOW: [&str; 5] = ["now", "ahora", "jetzt", "maintenant", "现在"];
    let text = text.trim().to_lowercase();
    NOW.contains(&&*text)
}

/// Whether `text` is a time, on whatever side it bounds.
pub fn is_time(text: &str, today: Date) -> bool {
    [Side::Since, Side::Until].iter().any(|&side| meant(text, side, today).is_some())
}

/// The day of a date or a timestamp, as it is written there, whatever zone it names.
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

/// Words before a name of time that is none by itself: "may" is a verb, "on May" is not. One for each language.
const LEADS: [&str; 5] = ["on", "am", "durante", "durant", "em"];

/// The one reading that is meant by a text that says a time and nothing else.
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

/// The one reading that is meant; of two that begin on one day the shorter, which says more.
fn one(readings: &[Reading], today: Date) -> Option<Reading> {
    let begin = |reading: &Reading| reading.interval.since.or(reading.interval.until);
    let length = |reading: &Reading| reading.interval.days().unwrap_or(i32::MAX);
    let (begun, coming): (Vec<Reading>, Vec<Reading>) =
        readings.iter().partition(|reading| begin(reading).is_none_or(|day| day <= today));
    let latest = begun.into_iter().max_by_key(|reading| (begin(reading), -length(reading)));
    latest.or_else(|| coming.into_iter().min_by_key(|reading| (begin(reading), length(reading))))
}

/// "until May": a word that bounds, and a time.
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

/// The same where the word stands before or behind: "直到五月", "五月之前".
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

/// What a word that bounds makes of a time; `None` where it bounds nothing, or the time is a bound itself.
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
