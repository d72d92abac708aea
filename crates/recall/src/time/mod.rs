//! Time: from what a text says of it to intervals of days.
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

/// Days from `since` to `until`, both included; an end that is not there is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The first day.
    pub since: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
}

impl Interval {
    /// From one day to another, in whatever order they are named.
    pub fn between(one: Date, other: Date) -> Self {
        Self { since: Some(one.min(other)), until: Some(one.max(other)) }
    }

    /// A single day.
    pub fn day(day: Date) -> Self {
        Self::between(day, day)
    }

    /// Whether `day` lies inside.
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

    /// How many days it has; `None` where an end is open.
    pub fn days(&self) -> Option<i32> {
        let (since, until) = self.since.zip(self.until)?;
        Some(since.until(until).ok()?.get_days().saturating_add(1))
    }
}

/// How exactly a reading names its days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// To the day.
    Day,
    /// To the week.
    Week,
    /// To the month, or a season.
    Month,
    /// To the year, or from or up to some day.
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

/// One thing that an expression may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The days.
    pub interval: Interval,
    /// How exactly they are named.
    pub grain: Grain,
    /// The day that stands for them where one is asked for: "two months ago" is that day, give or take.
    pub day: Option<Date>,
}

impl Reading {
    /// A reading whose grain is that of its length.
    pub fn of(interval: Interval) -> Self {
        Self::with(interval, Grain::of(&interval))
    }

    /// A reading that names its days as `grain` says.
    pub fn with(interval: Interval, grain: Grain) -> Self {
        Self { interval, grain, day: None }
    }
}

/// A month, or a day of it, in whatever year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Yearly {
    /// 1 to 12.
    pub month: i8,
    /// The day of that month, if named.
    pub day: Option<i8>,
}

/// When: what the expressions of a text mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// What they may mean; a day that any of them holds is meant.
    pub readings: Vec<Reading>,
    /// Months named without a year: besides the nearest, which are among the readings, any year's may be meant.
    pub yearly: Vec<Yearly>,
    /// Where the expressions are, in order.
    pub places: Vec<Range<usize>>,
    /// Names within the places that a note may hold as words: those of holidays.
    pub names: Vec<Range<usize>>,
    /// Distances from events that only the notes can date.
    pub offsets: Vec<Offset>,
    /// Which of several is asked for, and the words that say so.
    pub order: Option<(Order, Range<usize>)>,
}

/// So long before or after an event: "three days after the dentist".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offset {
    /// Where the words of the event are.
    pub event: Range<usize>,
    /// What is counted in.
    pub unit: Unit,
    /// How many; negative before the event.
    pub count: i32,
}

impl When {
    /// Whether nothing was said of time.
    pub fn is_empty(&self) -> bool {
        self.readings.is_empty() && self.yearly.is_empty()
    }

    /// What is no word to look up: the places without the names that a note may hold, and the words of order.
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

/// The languages whose expressions are read, besides Chinese.
const READ: [Language; 5] =
    [Language::English, Language::Spanish, Language::German, Language::French, Language::Portuguese];

/// Reads every expression of time in `text`, which is in one of `languages`; in any, where that is empty or none
/// of them is read here. Without `today`, only what is by itself is understood.
pub fn read(text: &Folded, languages: &[Language], today: Option<Date>) -> When {
    read_as(text, languages, today, Asked::No)
}

/// The same of a question: holidays and distances from events are read too.
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

/// Whether the text is a question. A note that names a holiday seldom is of that day.
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
    // What was read as Chinese is not read again: its digits are words of any language.
    let mut rest = text.text.clone();
    when.places.iter().for_each(|place| rest.replace_range(place.clone(), &" ".repeat(place.len())));
    let words = grammar::words(&rest);
    let of = |languages: &[Language]| -> Vec<When> {
        let found = languages.iter().map(|&language| grammar::read(&words, language, today, asked));
        found.filter(|when| !when.places.is_empty()).collect()
    };
    let mut found = of(&wanted);
    if found.is_empty() && when.places.is_empty() {
        // Words that are a time from the first to the last need nothing else to tell their language: "hier soir".
        let is_whole = |when: &When| !text.without(&when.places).contains(char::is_alphanumeric);
        found = of(&READ);
        found.retain(is_whole);
    }
    // What most of the words speak for; where languages read the same words differently, both readings are.
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

/// How many bytes the expressions take.
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
