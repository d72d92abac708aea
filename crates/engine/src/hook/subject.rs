//! What the items of a list are about: the line that leads to them, or what was asked.
//!
//! `request timeout 30 s` below `The gateway settings:` says nothing without that line, and below another one it is another
//! fact. Invariant: an item has its own subject only where it is short or is written as a sentence.

use std::collections::HashSet;

use inwit_recall::Analyser;
use inwit_recall::question::is_stop_word;

use super::asking;
use super::line::{Line, number_of, terms};
use super::table::ShownLine;
use crate::inert;
use crate::journal::statement;

/// Longest line that leads to items, in characters.
const LEAD_CHARS_MAX: usize = 100;

/// Most terms of an item that needs its lead to be understood.
const TERMS_MAX: usize = 8;

/// Most words of a question by which items without a lead are labelled.
const LABEL_WORDS_MAX: usize = 3;

/// Most words of a line that leads to items by a title alone: `Week A:`.
const TITLE_WORDS_MAX: usize = 3;

/// Most words of a text that are looked at.
const WORDS_MAX: usize = 24;

/// Signs with which a sentence ends.
const STOPS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// What leads to each of `lines`, of which the first `prose` are sentences and the others items: the line that ends in a
/// colon above them, else the last sentence before the list, else a few words of what was `asked`.
pub(super) fn leads(
    lines: &[ShownLine],
    prose: usize,
    asked: &str,
    analyser: &mut Analyser,
) -> Vec<Option<String>> {
    let mut lead: Option<(String, Option<bool>)> = None;
    let mut leads = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.trim();
        let is_sentence = text.ends_with(STOPS);
        let is_opening = statement::is_opening(text);
        if is_opening || at < prose {
            // `Nights:` and `Week A:` below it.
            let outer = lead
                .take()
                .filter(|(lead, form)| form.is_none() && is_opening && statement::is_opening(lead));
            lead =
                Some((outer.map_or_else(|| text.to_owned(), |(outer, _)| format!("{outer} {text}")), None));
            leads.push(None);
            continue;
        }
        // A sentence behind items that are none is no item any more.
        if let Some((_, form)) = &mut lead {
            let first = *form.get_or_insert(is_sentence);
            if is_sentence && !first {
                lead = None;
            }
        }
        let needs = !is_sentence && line.rows == 1 && terms(text, analyser).len() <= TERMS_MAX;
        let told = lead.as_ref().map(|(lead, _)| lead.as_str()).filter(|lead| says_what(lead, analyser));
        let told = told.map(|lead| inert::cut(lead, LEAD_CHARS_MAX)).or_else(|| label(asked, analyser));
        leads.push(told.filter(|_| needs));
    }
    leads
}

/// Whether a line says what stands below it: `Week A:` does, `These are the ones:` does not.
fn says_what(line: &str, analyser: &mut Analyser) -> bool {
    let is_title = statement::is_opening(line) && line.split_whitespace().count() <= TITLE_WORDS_MAX;
    is_title || words_of_content(line, analyser).next().is_some()
}

/// The first words of content of a question.
fn label(asked: &str, analyser: &mut Analyser) -> Option<String> {
    let words: Vec<&str> =
        words_of_content(asked, analyser).map(|(word, _)| word).take(LABEL_WORDS_MAX).collect();
    (!words.is_empty()).then(|| format!("{}:", words.join(" ")))
}

/// The words of `text` that say what it is about, each with its first term.
fn words_of_content<'t>(text: &'t str, analyser: &mut Analyser) -> impl Iterator<Item = (&'t str, String)> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words =
        words.filter(|word| word.contains(char::is_alphabetic) && !is_stop_word(word)).take(WORDS_MAX);
    words.filter_map(move |word| {
        let terms = analyser.terms(word).counts.into_iter().map(|(term, _)| term);
        terms.into_iter().find(|term| asking::counts(term)).map(|term| (word, term))
    })
}

/// Whether two lines are about different things: each subject, or the word with which each begins, is not in the other.
pub(super) fn differs(one: &Line, other: &Line) -> bool {
    let lacks = |one: &Line, other: &Line| one.subject.iter().any(|term| !other.holds(term));
    let begins = |one: &Line, other: &Line| one.head.as_ref().is_some_and(|head| !other.holds(head));
    let both = |is: &dyn Fn(&Line, &Line) -> bool| is(one, other) && is(other, one);
    let is_untold = one.subject.is_empty() && other.subject.is_empty();
    let titles = |line: &Line| line.lead.as_deref().map(number_of);
    let by_title =
        is_untold && titles(one).is_some() && titles(other).is_some() && titles(one) != titles(other);
    by_title || both(&lacks) || both(&begins)
}

/// The first word of content of a line.
pub(super) fn head(text: &str, analyser: &mut Analyser) -> Option<String> {
    words_of_content(text, analyser).next().map(|(_, term)| term)
}

/// The terms of what leads to a line.
pub(super) fn subject(lead: Option<&str>, analyser: &mut Analyser) -> HashSet<String> {
    lead.map_or_else(HashSet::new, |lead| words_of_content(lead, analyser).map(|(_, term)| term).collect())
}
