//! Matches the texts to erase, in any bytes.
//!
//! A match ignores case, blanks, line ends and Unicode composition, JSON escapes, Markdown marks, HTML entities and
//! escaped punctuation (`marks`), the form of quotes and dashes, width and ligatures (`usual`). Only whole words
//! match: `Rome` does not match `Chrome`. Cut copies match too (`cut`). In scripts without blanks every position is a
//! word boundary. Invariants: a match found in a view can be removed from the bytes; the remaining bytes contain no
//! match; a text that is too short is rejected, since it would match too much.

use std::collections::BTreeSet;
use std::ops::Range;

use inwit_model::Code;
use inwit_store::memory::Tombstone;
use regex::bytes::Regex;

use super::automaton::automaton;
use super::cut::CutCopies;
use super::edges::Edges;
use super::marks::{Seen, bare};
use super::pattern::{BETWEEN_CHARS_MAX, fold, pattern};
use super::stone::stone_of;
use super::usual::{self, usual, usual_bytes};
use super::words::{Sequence, letters, one_line, words};
use crate::EngineError;
use crate::core::inert::CUT;

/// The byte order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod properties;
#[cfg(test)]
mod spellings;
#[cfg(test)]
mod tests;

/// Fewest letters and digits of a text that can be erased everywhere.
pub const FORGET_CHARS_MIN: usize = 4;

/// Most characters of a text that can be erased everywhere; use the first sentences of a longer one.
pub const FORGET_CHARS_MAX: usize = 4_000;

/// Replacement for the text inside a line.
pub const MARK: &str = "[forgotten]";

/// Replacement for a line in the history.
pub const MARK_LINE: &str = "<!-- forgotten -->";

/// Start of a log line with the project. It is kept without the name: an entry without it belongs to no project and
/// is shown in all.
const PROJECT_LINE: &str = "**Project:**";

/// Replacement for a text that is part of [`MARK`].
const MARK_BARE: &str = "…";

/// How a text occurs in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Literally, or JSON-escaped.
    AsItIs,
    /// In other width, case or ligatures.
    InOtherLetters,
    /// With Markdown marks.
    AcrossMarks,
    /// As a cut copy with an ellipsis.
    CutShort,
}

impl How {
    /// Its description.
    pub fn words(self) -> &'static str {
        match self {
            Self::AsItIs => "as plain text",
            Self::InOtherLetters => "in other letter forms",
            Self::AcrossMarks => "across marks",
            Self::CutShort => "cut short",
        }
    }
}

/// The texts to erase.
#[derive(Debug, Clone)]
pub struct Matcher {
    texts: Vec<String>,
    ways: Vec<Way>,
    cuts: Vec<CutCopies>,
    /// Cut copies that were found, as written: a tombstone of the whole text does not match its beginning.
    copies: BTreeSet<String>,
}

/// How one text is searched.
#[derive(Debug, Clone)]
enum Way {
    /// By its letters and the symbols between them.
    Letters(Edges, Regex),
    /// By its words, with anything between them: for a text too large for an automaton.
    Words(Sequence),
}

impl Way {
    fn of(text: &str, between: usize) -> Self {
        let built = automaton(&pattern(text, between), true);
        let built = built.map(|built| Self::Letters(Edges::of(&usual(text)), built));
        built.unwrap_or_else(|| Self::Words(Sequence::of(text)))
    }

    /// Positions of the text, in order.
    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let (edges, pattern) = match self {
            Self::Letters(edges, pattern) => (edges, pattern),
            Self::Words(words) => return words.places(bytes),
        };
        let (mut places, mut at) = (Vec::new(), 0);
        while let Some(found) = edges.find(pattern, bytes, at) {
            at = found.end;
            places.push(found);
        }
        places
    }

    fn stands_in(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Letters(edges, pattern) => edges.find(pattern, bytes, 0).is_some(),
            Self::Words(words) => !words.places(bytes).is_empty(),
        }
    }
}

impl Matcher {
    /// A matcher for any of `texts`. Error: `usage_bad` if one is too short or too long.
    pub fn of(texts: impl IntoIterator<Item = String>) -> Result<Self, EngineError> {
        let texts: Vec<String> = texts.into_iter().map(|text| one_line(&text)).collect();
        for text in &texts {
            if Self::is_too_short(text) || text.chars().count() > FORGET_CHARS_MAX {
                let message = format!(
                    "A text to erase must have at least {FORGET_CHARS_MIN} letters or digits and at most \
                     {FORGET_CHARS_MAX} characters."
                );
                return Err(EngineError::new(Code::UsageBad, message));
            }
        }
        if texts.is_empty() {
            return Err(EngineError::new(Code::UsageBad, "No text to erase was given."));
        }
        Ok(Self::built(texts, usize::MAX))
    }

    /// Whether `text` is too short to be erased by itself.
    pub fn is_too_short(text: &str) -> bool {
        letters(&one_line(text)) < FORGET_CHARS_MIN
    }

    /// A matcher that matches nothing.
    pub(crate) fn nothing() -> Self {
        Self { texts: Vec::new(), ways: Vec::new(), cuts: Vec::new(), copies: BTreeSet::new() }
    }

    /// A matcher for `texts` confirmed by tombstones: they may have any length, since each was named before.
    pub(crate) fn confirmed(texts: impl IntoIterator<Item = String>) -> Self {
        let built = Self::built(texts.into_iter().map(|text| one_line(&text)).collect(), BETWEEN_CHARS_MAX);
        // A text confirmed by a tombstone ends at a word boundary.
        let copies = built.texts.iter().filter(|text| text.ends_with(CUT)).cloned().collect();
        Self { copies, ..built }
    }

    /// Whether a text is long enough for cut copies.
    pub fn may_be_cut(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// The cut copies in `bytes`, as written and as displayed.
    pub(crate) fn cut_copies_in(&self, bytes: &[u8]) -> BTreeSet<String> {
        let mut copies = BTreeSet::new();
        let mut add = |bytes: &[u8]| {
            let places = self.cuts.iter().flat_map(|cut| cut.places(bytes));
            copies.extend(places.map(|place| one_line(&String::from_utf8_lossy(&bytes[place]))));
        };
        add(bytes);
        usual_bytes(bytes).iter().for_each(|usual| add(usual));
        Seen::of(bytes).iter().for_each(|seen| add(&seen.bytes));
        copies
    }

    /// Adds tombstones for those of `copies` that are cut copies of the texts.
    pub(crate) fn with_copies(mut self, copies: &BTreeSet<String>) -> Self {
        self.copies.extend(
            copies
                .iter()
                .filter(|copy| !self.cut_copies_in(copy.as_bytes()).is_empty())
                .cloned()
                .collect::<Vec<_>>(),
        );
        self
    }

    /// `between`: most symbols between two letters that are matched one by one; beyond that any are.
    fn built(mut texts: Vec<String>, between: usize) -> Self {
        // A text with marks also matches without them.
        let bares: Vec<String> = texts.iter().map(|text| one_line(&bare(text))).collect();
        texts.extend(bares.into_iter().filter(|text| letters(text) >= FORGET_CHARS_MIN));
        texts.sort();
        texts.dedup();
        // Longest first, so that no rest of a longer text remains.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let ways = texts.iter().map(|text| Way::of(text, between)).collect();
        let cuts = texts.iter().filter_map(|text| CutCopies::of(text, between)).collect();
        Self { texts, ways, cuts, copies: BTreeSet::new() }
    }

    /// The texts, longest first.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether a text occurs in `bytes`.
    pub fn stands_in(&self, bytes: &[u8]) -> bool {
        self.how_in(bytes).is_some()
    }

    /// How the first occurrence in `bytes` is written; `None` if there is none.
    pub fn how_in(&self, bytes: &[u8]) -> Option<How> {
        let stands = |bytes: &[u8]| self.ways.iter().any(|way| way.stands_in(bytes));
        if stands(bytes) {
            return Some(How::AsItIs);
        }
        if usual_bytes(bytes).is_some_and(|usual| stands(&usual)) {
            return Some(How::InOtherLetters);
        }
        let seen = Seen::of(bytes).map(|seen| seen.bytes);
        let is_across_marks =
            |seen: &Vec<u8>| stands(seen) || usual_bytes(seen).is_some_and(|usual| stands(&usual));
        if seen.as_ref().is_some_and(is_across_marks) {
            return Some(How::AcrossMarks);
        }
        (self.is_cut_in(bytes) || seen.is_some_and(|seen| self.is_cut_in(&seen))).then_some(How::CutShort)
    }

    /// Whether a cut copy occurs in `bytes`, as written.
    pub fn is_cut_in(&self, bytes: &[u8]) -> bool {
        self.cuts.iter().any(|cut| !cut.places(bytes).is_empty())
    }

    /// Positions of all texts, in order, without overlaps.
    pub(super) fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut places = self.places_in_letters(bytes);
        if let Some(seen) = Seen::of(bytes) {
            places.extend(self.places_in_letters(&seen.bytes).iter().map(|place| seen.stands(place)));
        }
        places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        let mut past = 0;
        places.retain(|place| {
            let is_apart = place.start >= past;
            past = past.max(place.end);
            is_apart
        });
        places
    }

    /// The same without the displayed view: as written, and in normalised letters.
    fn places_in_letters(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut places = self.places_as_it_is(bytes);
        if let Some(view) = usual::view(bytes) {
            places.extend(self.places_as_it_is(&view.bytes).iter().map(|place| view.stands(place)));
        }
        places
    }

    fn places_as_it_is(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let whole = self.ways.iter().flat_map(|way| way.places(bytes));
        whole.chain(self.cuts.iter().flat_map(|cut| cut.places(bytes))).collect()
    }

    /// `bytes` with [`MARK`] in place of the texts; `None` if there is no match.
    pub fn without(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mark = if self.meets_a_mark() { MARK_BARE } else { MARK };
        until_none(bytes, |bytes| {
            let places = self.places(bytes);
            let first = places.first()?.start;
            let mut left = bytes[..first].to_vec();
            for (place, next) in places.iter().zip(places.iter().skip(1).map(Some).chain([None])) {
                left.extend_from_slice(mark.as_bytes());
                left.extend_from_slice(&bytes[place.end..next.map_or(bytes.len(), |next| next.start)]);
            }
            Some(left)
        })
    }

    /// Replacement for a line in the history.
    pub fn mark_line(&self) -> &'static str {
        if self.meets_a_mark() { MARK_BARE } else { MARK_LINE }
    }

    /// Whether a replacement contains one of the texts, or part of it.
    fn meets_a_mark(&self) -> bool {
        let signs = ['[', ']', '<', '>', '!', '-'];
        self.texts.iter().map(|text| usual(&fold(text))).any(|text| {
            text.to_lowercase().contains("forgotten")
                || text.split(' ').any(|word| word.starts_with(signs) || word.ends_with(signs))
        })
    }

    /// `bytes` without the matching lines, with `in_place` for each run of them; `None` if there is no match.
    pub fn without_lines(&self, bytes: &[u8], in_place: &[u8]) -> Option<Vec<u8>> {
        until_none(bytes, |bytes| self.without_lines_once(bytes, in_place))
    }

    fn without_lines_once(&self, bytes: &[u8], in_place: &[u8]) -> Option<Vec<u8>> {
        let lines = self.lines(bytes);
        if lines.is_empty() {
            return None;
        }
        let mut left = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for line in lines {
            left.extend_from_slice(&bytes[at..line.start]);
            if line.start == 0 && bytes.starts_with(BYTE_ORDER_MARK) {
                left.extend_from_slice(BYTE_ORDER_MARK);
            }
            left.extend_from_slice(in_place);
            if in_place.is_empty() {
                let names = |line: &[u8]| {
                    line.strip_prefix(PROJECT_LINE.as_bytes())
                        .is_some_and(|name| !name.trim_ascii().is_empty())
                };
                let is_named = bytes[line.clone()].split(|&byte| byte == b'\n').any(names);
                if is_named && !self.stands_in(PROJECT_LINE.as_bytes()) {
                    left.extend_from_slice(PROJECT_LINE.as_bytes());
                    left.push(b'\n');
                }
            }
            if !in_place.is_empty() && bytes[..line.end].ends_with(b"\n") {
                left.push(b'\n');
            }
            at = line.end;
        }
        left.extend_from_slice(&bytes[at..]);
        Some(left)
    }

    /// The whole lines with a match, in runs, each with its line end.
    pub fn lines(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for found in self.places(bytes) {
            // A line may contain the text a hundred thousand times.
            if runs.last().is_some_and(|run| found.end <= run.end) {
                continue;
            }
            let start = bytes[..found.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let last = found.end.max(found.start + 1) - 1;
            let end = bytes[last..].iter().position(|&byte| byte == b'\n');
            let end = end.map_or(bytes.len(), |at| last + at + 1);
            match runs.last_mut() {
                Some(run) if start < run.end => run.end = run.end.max(end),
                _ => runs.push(start..end),
            }
        }
        runs
    }

    /// Position of the first match.
    pub(crate) fn first_in(&self, bytes: &[u8]) -> Option<usize> {
        self.places(bytes).first().map(|place| place.start)
    }

    /// The tombstones of each text, and of each cut copy with its ellipsis.
    pub fn stones(&self, salt: &[u8; 32]) -> Vec<Tombstone> {
        let whole = self.texts.iter().filter(|text| !self.copies.contains(*text)).map(|text| words(text));
        let cut = self.copies.iter().map(|copy| [words(copy), vec![CUT.to_owned()]].concat());
        let mut stones: Vec<Tombstone> = whole.chain(cut).map(|words| stone_of(salt, &words)).collect();
        let mut known = BTreeSet::new();
        stones.retain(|stone| known.insert(*stone));
        stones
    }
}

/// Applies `once` until it finds nothing, since removal may join two halves; `None` if nothing was found. Each pass
/// removes letters and no replacement adds a match, so it terminates.
fn until_none(bytes: &[u8], once: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let mut left = once(bytes)?;
    for _ in 0..bytes.len() {
        match once(&left) {
            Some(less) => left = less,
            None => break,
        }
    }
    Some(left)
}
