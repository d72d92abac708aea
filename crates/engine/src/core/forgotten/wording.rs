//! The words that are to be forgotten, and how they are found again in any bytes.
//!
//! They are found whatever their case and whatever blanks and ends of lines stand between them, composed or not, also
//! where a JSON text escapes them and where Markdown marks them (`marks`), names their letters as HTML does or escapes
//! their punctuation, with whatever quotes and dashes, in whatever width and ligatures (`usual`), but as whole words:
//! `Rome` leaves `Chrome` alone. A copy that is cut short (`cut`) goes as well. In scripts
//! without blanks any place may begin a word. Invariants: what is found behind marks can be taken; what is left of bytes
//! never holds the words; a text too short to be known by itself is no wording, since it would take half of a life away.

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

/// With which some editors begin a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod properties;
#[cfg(test)]
mod spellings;
#[cfg(test)]
mod tests;

/// Fewest letters and digits of a text that can be forgotten everywhere.
pub const FORGET_CHARS_MIN: usize = 4;

/// Most characters of a text that can be forgotten everywhere: a long passage is known by its first sentences.
pub const FORGET_CHARS_MAX: usize = 4_000;

/// Stands where words stood, inside a line that stays.
pub const MARK: &str = "[forgotten]";

/// Stands in history where a line stood.
pub const MARK_LINE: &str = "<!-- forgotten -->";

/// The beginning of a log's line that names its project. It stays without the name: an entry without the line belongs to
/// no project, and is shown in all.
const PROJECT_LINE: &str = "**Project:**";

/// Stands where words stood that stand in [`MARK`] themselves.
const MARK_BARE: &str = "…";

/// How words stand in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Letter by letter, or as JSON writes them.
    AsItIs,
    /// In letters of another width or case, or with ligatures.
    InOtherLetters,
    /// As a reader of Markdown sees them.
    AcrossMarks,
    /// As their beginning, with an ellipsis behind it.
    CutShort,
}

impl How {
    /// Its words.
    pub fn words(self) -> &'static str {
        match self {
            Self::AsItIs => "as it is",
            Self::InOtherLetters => "in other letters",
            Self::AcrossMarks => "across marks",
            Self::CutShort => "cut short",
        }
    }
}

/// What is to be forgotten.
#[derive(Debug, Clone)]
pub struct Matcher {
    texts: Vec<String>,
    ways: Vec<Way>,
    cuts: Vec<CutCopies>,
    /// Cut copies of the texts that stood somewhere, as they were written: a tombstone of a whole text says nothing of its beginning.
    copies: BTreeSet<String>,
}

/// How a text is looked for.
#[derive(Debug, Clone)]
enum Way {
    /// By its letters and the signs between them.
    Letters(Edges, Regex),
    /// By its words, whatever stands between them: one that no automaton holds.
    Words(Sequence),
}

impl Way {
    fn of(text: &str, between: usize) -> Self {
        let built = automaton(&pattern(text, between), true);
        let built = built.map(|built| Self::Letters(Edges::of(&usual(text)), built));
        built.unwrap_or_else(|| Self::Words(Sequence::of(text)))
    }

    /// Where the text stands, first to last.
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
    /// Any of `texts`. Error: `usage_bad` for one that is too short or too long.
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

    /// Whether `text` is too short to be known by itself.
    pub fn is_too_short(text: &str) -> bool {
        letters(&one_line(text)) < FORGET_CHARS_MIN
    }

    /// No words at all; they stand nowhere.
    pub(crate) fn nothing() -> Self {
        Self { texts: Vec::new(), ways: Vec::new(), cuts: Vec::new(), copies: BTreeSet::new() }
    }

    /// Any of `texts`, each of which a tombstone confirmed: a part that no letter stands in may be of any length, and
    /// whoever named it said enough.
    pub(crate) fn confirmed(texts: impl IntoIterator<Item = String>) -> Self {
        let built = Self::built(texts.into_iter().map(|text| one_line(&text)).collect(), BETWEEN_CHARS_MAX);
        // What a tombstone of a whole text confirms ends with a word.
        let copies = built.texts.iter().filter(|text| text.ends_with(CUT)).cloned().collect();
        Self { copies, ..built }
    }

    /// Whether a copy of a text could be cut short.
    pub fn may_be_cut(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// The cut copies that stand in `bytes`, as they are written and as they are read.
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

    /// Lets the tombstones of the texts know those of `copies` as well that are copies of them.
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

    /// `between`: most signs between two letters that are looked for one by one; more of them may be any.
    fn built(mut texts: Vec<String>, between: usize) -> Self {
        // What is said with marks stands elsewhere without them.
        let bares: Vec<String> = texts.iter().map(|text| one_line(&bare(text))).collect();
        texts.extend(bares.into_iter().filter(|text| letters(text) >= FORGET_CHARS_MIN));
        texts.sort();
        texts.dedup();
        // The longest first: a part of a text leaves the rest of it standing.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let ways = texts.iter().map(|text| Way::of(text, between)).collect();
        let cuts = texts.iter().filter_map(|text| CutCopies::of(text, between)).collect();
        Self { texts, ways, cuts, copies: BTreeSet::new() }
    }

    /// The texts, the longest first.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether the words stand in `bytes`.
    pub fn stands_in(&self, bytes: &[u8]) -> bool {
        self.how_in(bytes).is_some()
    }

    /// How the words stand in `bytes` first; `None`: they do not.
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

    /// Whether a copy that is cut short stands in `bytes`, as they are.
    pub fn is_cut_in(&self, bytes: &[u8]) -> bool {
        self.cuts.iter().any(|cut| !cut.places(bytes).is_empty())
    }

    /// Where the words stand, first to last; no two places overlap.
    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
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

    /// The same without a look behind marks: as it is, and in usual letters.
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

    /// `bytes` with [`MARK`] in the place of the words; `None`: they do not stand there.
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

    /// What stands in history where a line stood.
    pub fn mark_line(&self) -> &'static str {
        if self.meets_a_mark() { MARK_BARE } else { MARK_LINE }
    }

    /// Whether a mark could be taken for the words, or for a part of them.
    fn meets_a_mark(&self) -> bool {
        let signs = ['[', ']', '<', '>', '!', '-'];
        self.texts.iter().map(|text| usual(&fold(text))).any(|text| {
            text.to_lowercase().contains("forgotten")
                || text.split(' ').any(|word| word.starts_with(signs) || word.ends_with(signs))
        })
    }

    /// `bytes` without the lines in which the words stand, `in_place` of each run of them; `None`: they do not
    /// stand there.
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

    /// The whole lines in which the words stand, in runs, each with its end.
    pub fn lines(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for found in self.places(bytes) {
            // A line may hold the words a hundred thousand times.
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

    /// Where the words stand first.
    pub(crate) fn first_in(&self, bytes: &[u8]) -> Option<usize> {
        self.places(bytes).first().map(|place| place.start)
    }

    /// By what each text is known again, and each copy that was cut short: by its words and its ellipsis.
    pub fn stones(&self, salt: &[u8; 32]) -> Vec<Tombstone> {
        let whole = self.texts.iter().filter(|text| !self.copies.contains(*text)).map(|text| words(text));
        let cut = self.copies.iter().map(|copy| [words(copy), vec![CUT.to_owned()]].concat());
        let mut stones: Vec<Tombstone> = whole.chain(cut).map(|words| stone_of(salt, &words)).collect();
        let mut known = BTreeSet::new();
        stones.retain(|stone| known.insert(*stone));
        stones
    }
}

/// Takes away what `once` finds until it finds nothing, since two halves may have met in what is left; `None`: it found
/// nothing at all. Each pass takes letters of `bytes` with it, and no mark brings one that is looked for: so there are
/// fewer passes than bytes.
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
