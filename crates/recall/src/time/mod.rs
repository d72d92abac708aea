//! Parses time expressions in a text into intervals of days.
//!
//! Pure: "last Friday" is parsed relative to a given date, in any zone. A week begins on Monday. Ambiguous words give
//! two readings; nothing is guessed. Reading order: this page (readings), [`calendar`] (days, weeks, months as
//! intervals), [`feast`] (holidays), [`lexicon`] (the words of five languages), [`grammar`] (their combinations),
//! [`chinese`], [`passage`] (dates in a passage), [`bound`] (a single requested time).

pub mod bound;
pub mod calendar;
pub mod chinese;
pub mod feast;
pub mod grammar;
pub mod lexicon;
pub mod order;
pub mod passage;

use std::ops::Range;

use jiff::civil::Date;

use self::calendar::Unit;
use self::order::Order;
use crate::fold::Folded;
use crate::language::Language;

/// Days from `since` to `until`, both included; a missing end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The first day.
    pub since: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
}

impl Interval {
    /// The interval between two days, in any order.
    pub fn between(one: Date, other: Date) -> Self {
        Self { since: Some(one.min(other)), until: Some(one.max(other)) }
    }

    /// A single day.
    pub fn day(day: Date) -> Self {
        Self::between(day, day)
    }

    /// Whether it contains `day`.
    pub fn holds(&self, day: Date) -> bool {
        self.since.is_none_or(|since| since <= day) && self.until.is_none_or(|until| day <= until)
    }

    /// The smallest interval that covers both.
    pub fn hull(&self, other: &Self) -> Self {
        Self {
            since: self.since.zip(other.since).map(|(one, other)| one.min(other)),
            until: self.until.zip(other.until).map(|(one, other)| one.max(other)),
        }
    }

    /// Number of days; `None` if an end is open.
    pub fn days(&self) -> Option<i32> {
        let (since, until) = self.since.zip(self.until)?;
        Some(since.until(until).ok()?.get_days().saturating_add(1))
    }
}

/// The precision of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// To the day.
    Day,
    /// To the week.
    Week,
    /// To the month, or a season.
    Month,
    /// To the year, or open on one side.
    Year,
}

impl Grain {
    /// The grain of an interval by its length.
    pub fn of(interval: &Interval) -> Self {
        const WEEK_DAYS_MAX: i32 = 14;
        const MONTH_DAYS_MAX: i32 = 115;
        match interval.days() {
            Some(..=1) => Self::Day,
            Some(..=WEEK_DAYS_MAX) => Self::Week,
            Some(..=MONTH_DAYS_MAX) => Self::Month,
            _ => Self::Year,
        }
    }
}

/// One reading of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The days.
    pub interval: Interval,
    /// Their precision.
    pub grain: Grain,
    /// A representative day: for "two months ago" the day at that distance.
    pub day: Option<Date>,
}

impl Reading {
    /// A reading with the grain of its length.
    pub fn of(interval: Interval) -> Self {
        Self::with(interval, Grain::of(&interval))
    }

    /// A reading with this `grain`.
    pub fn with(interval: Interval, grain: Grain) -> Self {
        Self { interval, grain, day: None }
    }
}

/// A month, or a day of it, in any year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Yearly {
    /// 1 to 12.
    pub month: i8,
    /// The day of that month, if named.
    pub day: Option<i8>,
}

/// The meaning of the time expressions of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// Their readings; a day in any of them matches.
    pub readings: Vec<Reading>,
    /// Months named without a year: the readings have the nearest years, but any year may be meant.
    pub yearly: Vec<Yearly>,
    /// Byte ranges of the expressions, in order.
    pub places: Vec<Range<usize>>,
    /// Ranges of holiday names within them, which a note may contain as words.
    pub names: Vec<Range<usize>>,
    /// Distances from events that only the notes can date.
    pub offsets: Vec<Offset>,
    /// The requested order (first or latest), and its words.
    pub order: Option<(Order, Range<usize>)>,
}

/// A distance before or after an event: "three days after the dentist".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offset {
    /// Byte range of the event's words.
    pub event: Range<usize>,
    /// The unit.
    pub unit: Unit,
    /// The count; negative before the event.
    pub count: i32,
}

impl When {
    /// Whether the text has no time expression.
    pub fn is_empty(&self) -> bool {
        self.readings.is_empty() && self.yearly.is_empty()
    }

    /// Ranges that are not search terms: the expressions without holiday names, and the words of order.
    pub fn nameless_places(&self) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = self.order.iter().map(|(_, place)| place.clone()).collect();
        for place in &self.places {
            let mut start = place.start;
            let inside = |name: &&Range<usize>| place.start <= name.start && name.end <= place.end;
            for name in self.names.iter().filter(inside).filter(|name| place.start <= name.start) {
                places.push(start..name.start.max(start));
                start = name.end;
            }
            places.push(start..place.end);
        }
        places.retain(|place| !place.is_empty());
        places.sort_by_key(|place| place.start);
        places
    }
}

/// The supported languages besides Chinese.
const READ: [Language; 5] =
    [Language::English, Language::Spanish, Language::German, Language::French, Language::Portuguese];

/// Reads every expression of time in `text`, which is in one of `languages`; in any language if that is empty or has
/// no supported one. Without `today`, only absolute times are understood.
pub fn read(text: &Folded, languages: &[Language], today: Option<Date>) -> When {
    read_as(text, languages, today, Asked::No)
}

/// The same for a query: also reads holidays and distances from events.
pub fn read_question(text: &Folded, languages: &[Language], today: Date) -> When {
    let mut when = read_as(text, languages, Some(today), Asked::Yes);
    let mut wanted: Vec<Language> =
        languages.iter().copied().filter(|language| READ.contains(language)).collect();
    if wanted.is_empty() {
        wanted = READ.to_vec();
    }
    when.order = order::read(&text.text, &grammar::words(&text.text), &wanted, &when.places);
    when
}

/// Whether the text is a query. A note that names a holiday is rarely about that day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Yes,
    No,
}

fn read_as(text: &Folded, languages: &[Language], today: Option<Date>, asked: Asked) -> When {
    let mut when = chinese::read(&text.text, today, asked);
    let mut wanted: Vec<Language> =
        languages.iter().copied().filter(|language| READ.contains(language)).collect();
    if wanted.is_empty() {
        wanted = READ.to_vec();
    }
    // Text read as Chinese is not read again, because its digits are words in any language.
    let mut rest = text.text.clone();
    when.places.iter().for_each(|place| rest.replace_range(place.clone(), &" ".repeat(place.len())));
    let words = grammar::words(&rest);
    let of = |languages: &[Language]| -> Vec<When> {
        let found = languages.iter().map(|&language| grammar::read(&words, language, today, asked));
        found.filter(|when| !when.places.is_empty()).collect()
    };
    let mut found = of(&wanted);
    if found.is_empty() && when.places.is_empty() {
        // If all words form a time, they alone determine the language: "hier soir".
        let is_whole = |when: &When| !text.without(&when.places).contains(char::is_alphanumeric);
        found = of(&READ);
        found.retain(is_whole);
    }
    // The language with the most words; if languages read the same words differently, both readings are kept.
    let most = found.iter().map(said).max().unwrap_or(0);
    found.retain(|when| said(when) == most);
    for mut other in found {
        other.names.drain(..).for_each(|name| push_new(&mut when.names, name));
        other.offsets.drain(..).for_each(|offset| push_new(&mut when.offsets, offset));
        if when.places.iter().any(|place| {
            other.places.iter().any(|theirs| theirs.start < place.end && place.start < theirs.end)
        }) {
            other.readings.into_iter().for_each(|reading| push_new(&mut when.readings, reading));
            other.yearly.into_iter().for_each(|yearly| push_new(&mut when.yearly, yearly));
            continue;
        }
        when.readings.extend(other.readings);
        when.yearly.extend(other.yearly);
        when.places.extend(other.places);
    }
    when.places.sort_by_key(|place| place.start);
    when.names.sort_by_key(|name| name.start);
    when
}

/// Total bytes of the expressions.
fn said(when: &When) -> usize {
    when.places.iter().map(Range::len).sum()
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests;
