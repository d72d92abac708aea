//! Assigns each item of a list its lead: the line that introduces the list, or words of the question.
//!
//! `request timeout 30 s` below `The gateway settings:` needs that line, and below another one it is another fact.
//! Invariant: all items of one list have the same introduction, or none.

use std::collections::HashSet;

use inwit_recall::Analyser;
use inwit_recall::question::is_stop_word;

use super::asking;
use super::table::ShownLine;
use super::{Line, terms};
use crate::core::inert;
use crate::notes::journal::statement;

/// Longest introducing line, in characters.
const LEAD_CHARS_MAX: usize = 100;

/// Most terms of an item that needs its introduction.
const TERMS_MAX: usize = 8;

/// Most words of a question that label items without an introduction.
const LABEL_WORDS_MAX: usize = 3;

/// Most words of an introduction that is only a title: `Week A:`.
const TITLE_WORDS_MAX: usize = 3;

/// Most words of a text that are read.
const WORDS_MAX: usize = 24;

/// Punctuation that ends a sentence.
const STOPS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// The introduction of each of `lines`, of which the first `prose` are sentences and the rest items: the line with a
/// colon above the list, else the last sentence before it, else some words of the question `asked`. All items of a
/// list get it if one needs it.
pub(crate) fn leads(
    lines: &[ShownLine],
    prose: usize,
    asked: &str,
    analyser: &mut Analyser,
) -> Vec<Option<String>> {
    let mut leads = vec![None; lines.len()];
    let (mut above, mut at): (Option<String>, usize) = (None, 0);
    while let Some(line) = lines.get(at) {
        let text = line.text.trim();
        if statement::is_opening(text) || at < prose {
            // `Nights:` and `Week A:` below it.
            let outer =
                above.take().filter(|outer| statement::is_opening(outer) && statement::is_opening(text));
            above = Some(outer.map_or_else(|| text.to_owned(), |outer| format!("{outer} {text}")));
            at += 1;
            continue;
        }
        let end = at + list_len(&lines[at..]);
        let lead = above.take().filter(|lead| says_what(lead, analyser));
        let lead = lead.map(|lead| inert::cut(&lead, LEAD_CHARS_MAX)).or_else(|| label(asked, analyser));
        if lines[at..end].iter().any(|line| needs_lead(line, analyser)) {
            leads[at..end].fill(lead);
        }
        at = end;
    }
    leads
}

/// Number of `lines` in one list: up to an introducing line, or a sentence after the items.
fn list_len(lines: &[ShownLine]) -> usize {
    let is_sentence = |line: &ShownLine| line.text.trim().ends_with(STOPS);
    let is_of_sentences = lines.first().is_some_and(is_sentence);
    let goes_on =
        |line: &&ShownLine| !statement::is_opening(&line.text) && (is_of_sentences || !is_sentence(line));
    lines.iter().take_while(goes_on).count().max(1)
}

/// Whether an item is unclear alone.
fn needs_lead(line: &ShownLine, analyser: &mut Analyser) -> bool {
    let text = line.text.trim();
    !text.ends_with(STOPS) && line.rows == 1 && terms(text, analyser).len() <= TERMS_MAX
}

/// Whether an introduction describes its list: `Week A:` does, `These are the ones:` does not.
fn says_what(line: &str, analyser: &mut Analyser) -> bool {
    let is_title = statement::is_opening(line) && line.split_whitespace().count() <= TITLE_WORDS_MAX;
    is_title || words_of_content(line, analyser).next().is_some()
}

/// The first content words of a question.
fn label(asked: &str, analyser: &mut Analyser) -> Option<String> {
    let words: Vec<&str> =
        words_of_content(asked, analyser).map(|(word, _)| word).take(LABEL_WORDS_MAX).collect();
    (!words.is_empty()).then(|| format!("{}:", words.join(" ")))
}

/// The content words of `text`, each with its first term.
fn words_of_content<'t>(text: &'t str, analyser: &mut Analyser) -> impl Iterator<Item = (&'t str, String)> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words =
        words.filter(|word| word.contains(char::is_alphabetic) && !is_stop_word(word)).take(WORDS_MAX);
    words.filter_map(move |word| {
        let terms = analyser.terms(word).counts.into_iter().map(|(term, _)| term);
        terms.into_iter().find(|term| asking::counts(term)).map(|term| (word, term))
    })
}

/// Whether two lines have different subjects: each has a name or first word that the other lacks.
pub(crate) fn differs(one: &Line, other: &Line) -> bool {
    let names_another = |one: &Line, other: &Line| {
        let known = if other.subject.is_empty() { &other.terms } else { &other.subject };
        !one.subject.is_subset(known)
    };
    let begins_otherwise =
        |one: &Line, other: &Line| one.head.as_ref().is_some_and(|head| !other.holds(head));
    names_another(one, other) && names_another(other, one)
        || begins_otherwise(one, other) && begins_otherwise(other, one)
}

/// The first content word of a line.
pub(crate) fn head(text: &str, analyser: &mut Analyser) -> Option<String> {
    words_of_content(text, analyser).next().map(|(_, term)| term)
}

/// The names in an introduction: content words, and numbers and letters that distinguish `Server 1` from `Server 2`.
pub(crate) fn subject(lead: Option<&str>, analyser: &mut Analyser) -> HashSet<String> {
    let Some(lead) = lead else { return HashSet::new() };
    let words = lead.split(|c: char| !c.is_alphanumeric());
    let counts = words.filter(|word| {
        word.contains(|c: char| c.is_ascii_digit()) || word.len() == 1 && word.starts_with(char::is_uppercase)
    });
    let counts: Vec<String> = counts.map(str::to_lowercase).collect();
    words_of_content(lead, analyser).map(|(_, term)| term).chain(counts).collect()
}
