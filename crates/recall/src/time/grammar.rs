//! Grammar of time expressions in languages with spaces between words.
//!
//! One grammar covers all languages: modifiers may be before or after a noun, and hardly any order is ambiguous. At
//! each word every rule is tried, and the longest match wins. A month or a weekday without a year or a direction is
//! the nearest one before and the nearest one after.

use std::cell::OnceCell;

use jiff::civil::Date;

use super::lexicon::{Lexicon, Role};
use super::{Asked, Interval, Reading, When, Yearly};
use crate::language::Language;

mod count;
mod date;
mod holiday;
mod nth;
mod period;
mod point;
mod relative;
mod span;
mod word;

pub use word::{Word, words};

/// Reads the expressions of `language` in `words`.
pub(super) fn read(words: &[Word], language: Language, today: Option<Date>, asked: Asked) -> When {
    let lexicon = Lexicon::of(language);
    let roles = (0..words.len()).map(|at| roles(words, at, lexicon, language)).collect();
    let points = vec![OnceCell::new(); words.len()];
    let reader = Reader { words, roles, points, language, today, asked };
    let mut when = When::default();
    let mut at = 0;
    while at < words.len() {
        let found = reader.expression(at).filter(|found| found.next > at);
        let event = (asked == Asked::Yes).then(|| reader.offset(at)).flatten();
        if let Some((offset, next)) =
            event.filter(|(_, next)| found.as_ref().is_none_or(|found| found.next < *next))
        {
            when.offsets.push(offset);
            when.places.push(words[at].range.start..words[next - 1].range.end);
            at = next;
            continue;
        }
        let Some(found) = found else {
            at += 1;
            continue;
        };
        when.names.extend(reader.names(at, found.next));
        when.readings.extend(found.readings);
        when.yearly.extend(found.yearly);
        when.places.push(words[at].range.start..words[found.next - 1].range.end);
        at = found.next;
    }
    when
}

/// The meaning of an expression, and the word after it.
#[derive(Debug, Clone, Default)]
struct TimeMatch {
    readings: Vec<Reading>,
    yearly: Vec<Yearly>,
    next: usize,
}

impl TimeMatch {
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

/// The roles of the phrases that begin at a word, each with the word after it.
pub(super) fn roles(words: &[Word], at: usize, lexicon: &Lexicon, language: Language) -> Vec<(Role, usize)> {
    let word = words[at].text.as_str();
    let fits = |rest: &[&str]| {
        rest.iter()
            .enumerate()
            .all(|(step, part)| words.get(at + 1 + step).is_some_and(|word| word.text == *part))
    };
    let phrases = lexicon.phrases(word).iter().filter(|(rest, _)| fits(rest));
    let mut roles: Vec<(Role, usize)> = phrases.map(|(rest, role)| (*role, at + 1 + rest.len())).collect();
    if language == Language::German
        && roles.is_empty()
        && let Some(base) = word.strip_suffix(['n', 'r', 's', 'm'])
    {
        // "zweiundzwanzigsten": the table has the form with -e.
        let forms = lexicon.phrases(base).iter().filter(|(rest, _)| rest.is_empty());
        roles.extend(
            forms.filter(|(_, role)| matches!(role, Role::Ordinal(_))).map(|(_, role)| (*role, at + 1)),
        );
    }
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
    /// Cache of the point at each word, because several rules begin with the same one.
    points: Vec<OnceCell<Option<TimeMatch>>>,
    language: Language,
    today: Option<Date>,
    asked: Asked,
}

/// The offset of a relative word: "last" is -1.
type Steps = i32;

impl Reader<'_> {
    fn take<T>(&self, at: usize, pick: impl Fn(Role) -> Option<T>) -> Option<(T, usize)> {
        self.roles.get(at)?.iter().find_map(|(role, next)| Some((pick(*role)?, *next)))
    }

    fn is(&self, at: usize, role: Role) -> Option<usize> {
        self.take(at, |found| (found == role).then_some(())).map(|((), next)| next)
    }

    /// Whether "last" may follow its noun.
    fn has_adjectives_behind(&self) -> bool {
        matches!(self.language, Language::Spanish | Language::French | Language::Portuguese)
    }

    fn gap(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.gap.as_str())
    }

    fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// The positions after zero to three words that may be inside an expression.
    fn leads(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut places = vec![at];
        while let Some(next) =
            places.last().and_then(|&last| self.is(last, Role::Lead)).filter(|_| places.len() < 4)
        {
            places.push(next);
        }
        places.into_iter()
    }

    /// Whether the word before may introduce an expression.
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
                    | Role::Offset(_)
            )
        };
        at > 0 && self.roles[at - 1].iter().any(|(role, _)| leads(role))
    }

    /// The same for a word that is a time only there: "the march" is not.
    fn is_led_closely(&self, at: usize) -> bool {
        const LOOSE: [&str; 8] = ["the", "for", "about", "over", "around", "at", "s", "throughout"];
        self.is_led(at) && !LOOSE.contains(&self.text(at - 1))
    }

    /// Whether the word before makes it a repetition: "every Friday", "los viernes".
    fn is_habit(&self, at: usize) -> bool {
        let is_weekday = || self.take(at, |role| matches!(role, Role::Weekday(_)).then_some(())).is_some();
        let makes = |start: usize| match self.text(start) {
            "los" | "les" => is_weekday(),
            _ => true,
        };
        (at.saturating_sub(3)..at).any(|start| self.is(start, Role::Every) == Some(at) && makes(start))
    }

    fn expression(&self, at: usize) -> Option<TimeMatch> {
        let forms =
            [self.point(at).cloned(), self.joined(at), self.opened(at), self.bounded(at), self.beside(at)];
        let mut best: Option<TimeMatch> = None;
        for found in forms.into_iter().flatten() {
            if best.as_ref().is_none_or(|best| found.next > best.next) {
                best = Some(found);
            }
        }
        best
    }
}
