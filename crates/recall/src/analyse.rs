//! The analyser: converts passages and queries to terms.
//!
//! Words are composed, lower-cased, stripped of diacritics and stemmed. Scripts without spaces give single characters
//! and pairs, so that short words are found and ranked. Identifiers give their parts, their whole and further forms
//! ([`identifier`](crate::identifier)). Invariant: equal text gives equal terms on every machine; raise the version
//! of the index with every change here.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::char::is_combining_mark;

use crate::fold::{composed, fold};
use crate::identifier::{camel_parts, figure_parts, pairs};
use crate::language::{Evidence, Language, Mask, Stems, bit, empty_in};
use crate::numeral::figures;
use crate::words::FORMS;

/// Longest term in bytes; longer words are cut, in passages and queries alike.
pub const TERM_BYTES_MAX: usize = 64;

/// Most bytes read of a run of letters, digits and `_`.
const WORD_BYTES_MAX: usize = 512;

/// Analyses text. Caches stems, so reuse it.
pub struct Analyser {
    stemmer: Stemmer,
    seen: HashMap<String, CachedWord>,
    foreign: Stems,
}

/// The cached terms of a word.
#[derive(Clone)]
struct CachedWord {
    stem: String,
    empty_in: Mask,
}

/// The terms of a text, for ranking.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Terms {
    /// Distinct terms with their counts, in order of first occurrence.
    pub counts: Vec<(String, u32)>,
    /// Number of terms with repetitions; pairs of a script without spaces are not counted.
    pub length: u32,
    /// Evidence for the language of the text.
    pub evidence: Evidence,
}

/// The kind of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A word, or a character in a script without spaces. Only these add to the length.
    Word,
    /// Adjacent words or characters: a whole identifier, a pair of characters, a version.
    Joined,
    /// Adjacent parts within a longer identifier.
    Pair,
    /// Letters or digits of a word with both.
    Figure,
}

/// Receives terms in order.
pub type Each<'e> = dyn FnMut(&str, Kind) + 'e;

/// The base form of each irregular form.
static HEADS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let forms = FORMS.iter().filter_map(|row| row.split_once(' '));
    forms.flat_map(|(head, forms)| forms.split(' ').map(move |form| (form, head))).collect()
});

/// Most cached words.
const WORDS_REMEMBERED_MAX: usize = 200_000;

impl Default for Analyser {
    fn default() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English), seen: HashMap::new(), foreign: Stems::default() }
    }
}

impl Analyser {
    /// The terms of `text` with their counts.
    pub fn terms(&mut self, text: &str) -> Terms {
        let mut terms = Terms::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        let evidence = self.analyse(text, &mut |term, kind| {
            terms.length += u32::from(kind == Kind::Word);
            match places.get(term) {
                Some(&at) => terms.counts[at].1 += 1,
                None => {
                    places.insert(term.to_owned(), terms.counts.len());
                    terms.counts.push((term.to_owned(), 1));
                }
            }
        });
        Terms { evidence, ..terms }
    }

    /// Calls `each` with every term in order.
    pub fn each_term(&mut self, text: &str, each: &mut Each<'_>) {
        self.analyse(text, each);
    }

    fn analyse(&mut self, text: &str, each: &mut Each<'_>) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add_letters(text);
        let text = &*fold(text);
        for run in Runs::of(text) {
            match run {
                Run::Word(word) => self.word(head(word), &mut evidence, each),
                Run::Spaceless(run) => spaceless(run, each),
                Run::Pictures(run) => pictures(run, each),
            }
        }
        versions(text).for_each(|version| each(version, Kind::Joined));
        figures(text).iter().for_each(|figure| each(figure, Kind::Joined));
        evidence
    }

    /// The stems of the words of `text` in `languages` other than English, with their counts.
    pub fn foreign_terms(&mut self, text: &str, languages: &[Language]) -> Vec<(String, u32)> {
        let mut counts: Vec<(String, u32)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let text = composed(text);
        for run in Runs::of(&text) {
            let Run::Word(word) = run else { continue };
            for piece in apostrophes(head(word)) {
                let piece = piece.to_lowercase();
                let mut stems: Vec<String> = Vec::new();
                for &language in languages {
                    stems.extend_from_slice(&self.foreign.of(language, &piece));
                }
                stems.sort_unstable();
                stems.dedup();
                for stem in stems {
                    let at = *places.entry(stem).or_insert_with_key(|stem| {
                        counts.push((stem.clone(), 0));
                        counts.len() - 1
                    });
                    counts[at].1 += 1;
                }
            }
        }
        counts
    }

    /// A run of letters and digits, with `_` and `'` inside.
    fn word(&mut self, word: &str, evidence: &mut Evidence, each: &mut Each<'_>) {
        if is_one_piece(word) {
            return self.piece(&lower(word), evidence, each);
        }
        if !word.contains(|c: char| c == '_' || c == '\'' || c.is_uppercase()) {
            return self.piece(&word.to_lowercase(), evidence, each);
        }
        let parts: Vec<Vec<String>> = word
            .split('_')
            .filter(|part| !part.is_empty())
            .flat_map(camel_parts)
            .map(|part| apostrophes(&part.to_lowercase()))
            .collect();
        parts.iter().flatten().for_each(|piece| self.piece(piece, evidence, each));
        let parts: Vec<String> =
            parts.iter().filter(|pieces| !pieces.is_empty()).map(|pieces| pieces.concat()).collect();
        if parts.len() > 1 {
            each(&self.seen(&parts.concat()).stem, Kind::Joined);
        }
        pairs(&parts).for_each(|pair| each(&self.seen(&pair).stem, Kind::Pair));
    }

    /// A word of a text, or a part of one, in lower case.
    fn piece(&mut self, piece: &str, evidence: &mut Evidence, each: &mut Each<'_>) {
        let seen = self.seen(piece);
        evidence.add_word(seen.empty_in);
        each(&seen.stem, Kind::Word);
        for part in figure_parts(bounded(piece)) {
            let seen = self.seen(&part);
            // `10am` is not looked for by "am".
            if seen.empty_in & bit(Language::English) == 0 {
                each(&seen.stem, Kind::Figure);
            }
        }
    }

    fn seen(&mut self, word: &str) -> Cow<'_, CachedWord> {
        let word = bounded(word);
        if !self.seen.contains_key(word) {
            let stem = if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                self.stemmer.stem(HEADS.get(word).copied().unwrap_or(word)).into_owned()
            } else {
                word.to_owned()
            };
            let seen = CachedWord { stem, empty_in: empty_in(word) };
            if self.seen.len() == WORDS_REMEMBERED_MAX {
                return Cow::Owned(seen);
            }
            self.seen.insert(word.to_owned(), seen);
        }
        Cow::Borrowed(&self.seen[word])
    }
}

/// Han, kana, Hangul, Thai, Lao, Khmer, Burmese: written without spaces between words.
pub fn is_spaceless(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF | 0x2E80..=0x2FDF | 0x3005..=0x3007
        | 0x3040..=0x30FF | 0x3105..=0x312F | 0x3130..=0x318F | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Emoji and pictograms: each is a term.
pub(crate) fn is_picture(c: char) -> bool {
    matches!(c as u32, 0x2300..=0x23FF | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0x1F000..=0x1FAFF)
}

/// Joins emoji to one (`👩‍🚒`).
pub(crate) const JOINER: char = '\u{200D}';

/// A run of characters of one kind.
pub(crate) enum Run<'t> {
    Word(&'t str),
    Spaceless(&'t str),
    Pictures(&'t str),
}

/// The runs of a text in order.
pub(crate) struct Runs<'t> {
    rest: &'t str,
}

impl<'t> Runs<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { rest: text }
    }
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Word,
    Spaceless,
    Picture,
    Gap,
}

fn class(c: char) -> Class {
    if c.is_ascii_alphanumeric() || c == '_' {
        Class::Word
    } else if c.is_ascii() || is_punctuation(c) {
        Class::Gap
    } else if is_spaceless(c) {
        Class::Spaceless
    } else if is_picture(c) {
        Class::Picture
    } else if c.is_alphanumeric() || is_combining_mark(c) {
        Class::Word
    } else {
        Class::Gap
    }
}

/// Whether it is in the block of general punctuation, which has no letters; the lookup is slow there.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{206f}')
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    fn next(&mut self) -> Option<Run<'t>> {
        let start = self.rest.find(|c| class(c) != Class::Gap)?;
        let rest = &self.rest[start..];
        let kind = rest.chars().next().map_or(Class::Gap, class);
        let mut end = rest.len();
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let inside_word = kind == Class::Word
                && c == '\''
                && chars.peek().is_some_and(|(_, next)| class(*next) == Class::Word);
            let joins = kind == Class::Picture && matches!(c, JOINER | '\u{FE0F}');
            if class(c) != kind && !inside_word && !joins {
                end = at;
                break;
            }
        }
        if kind == Class::Word {
            end += signs(rest, end);
        }
        let (run, rest) = rest.split_at(end);
        self.rest = rest;
        Some(match kind {
            Class::Word => Run::Word(run),
            Class::Picture => Run::Pictures(run),
            Class::Spaceless | Class::Gap => Run::Spaceless(run),
        })
    }
}

/// Number of bytes of the signs that belong to a letter: `C#`, `C++`, `F#`. Elsewhere they separate words.
fn signs(text: &str, end: usize) -> usize {
    let is_letter = end == 1 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let behind = &text[end..];
    let signs = ["#", "++"].into_iter().find(|signs| is_letter && behind.starts_with(signs));
    let ends = |signs: &&str| behind[signs.len()..].chars().next().is_none_or(|c| class(c) != Class::Word);
    signs.filter(ends).map_or(0, str::len)
}

/// Single characters and pairs of a run. Combining vowel and tone marks belong to their base.
fn spaceless(run: &str, each: &mut Each<'_>) {
    let mut last: Option<usize> = None;
    let mut start = 0;
    let ends = run.char_indices().skip(1).filter(|(_, c)| !is_combining_mark(*c)).map(|(at, _)| at);
    for end in ends.chain([run.len()]) {
        each(&run[start..end], Kind::Word);
        if let Some(last) = last {
            each(&run[last..end], Kind::Joined);
        }
        (last, start) = (Some(start), end);
    }
}

/// Number of characters in a run, without combining marks.
pub(crate) fn units(run: &str) -> usize {
    run.chars().filter(|c| !is_combining_mark(*c)).count().max(1)
}

/// Each emoji and each pair of neighbours; a flag is one emoji of two letters.
fn pictures(run: &str, each: &mut Each<'_>) {
    let is_letter = |c: char| matches!(c as u32, 0x1F1E6..=0x1F1FF);
    let mut last: Option<&str> = None;
    let mut chars = run.char_indices().peekable();
    let mut joined = false;
    while let Some((at, c)) = chars.next() {
        if c == JOINER || is_combining_mark(c) {
            joined |= c == JOINER;
            continue;
        }
        let second = chars.next_if(|(_, next)| is_letter(c) && is_letter(*next));
        let end = second.map_or(at + c.len_utf8(), |(at, c)| at + c.len_utf8());
        let picture = &run[at..end];
        // After a joiner, a gender sign does not change the subject.
        if !(joined && matches!(c, '♀' | '♂')) {
            each(picture, Kind::Word);
        }
        if let Some(last) = last {
            each(&format!("{last}{picture}"), Kind::Joined);
        }
        (last, joined) = (Some(picture), false);
    }
}

/// Numbers with dots (`2.1.3`): the parts and the whole are terms.
pub(crate) fn versions(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c.is_ascii_digit())?;
            let run = &rest[start..];
            let end = run.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(run.len());
            let (number, behind) = run.split_at(end);
            rest = behind;
            let number = number.trim_end_matches('.');
            if number.contains('.') {
                return Some(bounded(number));
            }
        }
    })
}

/// Whether a word is plain: no identifier, no apostrophe, only ASCII. Most words are.
fn is_one_piece(word: &str) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    matches!(word.as_bytes(), [first, rest @ ..] if first.is_ascii_alphanumeric() && rest.iter().all(is_plain))
}

/// A plain word in lower case.
fn lower(word: &str) -> Cow<'_, str> {
    let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    if is_capital { Cow::Owned(word.to_ascii_lowercase()) } else { Cow::Borrowed(word) }
}

/// `Ana's` is `Ana`, `l'eau` is `l` and `eau`, `don't` is `dont`.
pub(crate) fn apostrophes(word: &str) -> Vec<String> {
    const ELIDED_CHARS_MAX: usize = 2;
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).unwrap_or(word);
    match word.split_once('\'') {
        None => vec![word.to_owned()],
        Some((head, tail)) if !head.is_empty() && head.chars().count() <= ELIDED_CHARS_MAX => {
            vec![head.to_owned(), tail.replace('\'', "")]
        }
        Some(_) => vec![word.replace('\'', "")],
    }
    .into_iter()
    .filter(|piece| !piece.is_empty())
    .collect()
}

/// The words of a text in order: lower-case, without diacritics, not stemmed. A run of a script without spaces is one
/// word.
pub fn plain_words(text: &str) -> Vec<String> {
    let folded = fold(text);
    Runs::of(&folded).flat_map(|run| plain(&run)).collect()
}

/// Whether one of the [`plain_words`] of `text` is `wanted`.
pub(crate) fn has_plain_word(text: &str, wanted: impl Fn(&str) -> bool) -> bool {
    Runs::of(&fold(text)).any(|run| match run {
        Run::Word(word) if is_one_piece(word) => wanted(&lower(word)),
        run => plain(&run).iter().any(|word| wanted(word)),
    })
}

/// The words of one run of folded text.
pub(crate) fn plain(run: &Run<'_>) -> Vec<String> {
    let mut words = match run {
        Run::Word(word) if is_one_piece(word) => return vec![lower(word).into_owned()],
        Run::Word(word) => apostrophes(word),
        Run::Spaceless(run) | Run::Pictures(run) => vec![(*run).to_owned()],
    };
    let is_code =
        |word: &str| word.contains('_') || word.contains(char::is_uppercase) && camel_parts(word).len() > 1;
    words.iter_mut().filter(|word| !is_code(word)).for_each(|word| *word = word.to_lowercase());
    words
}

fn head(word: &str) -> &str {
    &word[..word.floor_char_boundary(WORD_BYTES_MAX)]
}

pub(crate) fn bounded(word: &str) -> &str {
    if word.len() <= TERM_BYTES_MAX {
        return word;
    }
    &word[..word.floor_char_boundary(TERM_BYTES_MAX)]
}

#[cfg(test)]
mod tests;
