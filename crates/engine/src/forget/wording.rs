//! The words that are to be forgotten, and how they are found again in any bytes.
//!
//! They are found whatever their case and whatever blanks and ends of lines stand between them, composed or not, also
//! where a JSON text escapes them and where Markdown marks them (`marks`), names their letters as HTML does or escapes
//! their punctuation, with whatever quotes and dashes, but as whole words: `Rome` leaves `Chrome` alone. In scripts
//! without blanks any place may begin a word. Invariants: what is found behind marks can be taken; what is left of bytes
//! never holds the words; a text too short to be known by itself is no wording, since it would take half of a life away.

use std::ops::Range;

use inwit_model::Code;
use inwit_store::memory::Tombstone;
use regex::bytes::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::marks::{Seen, bare, is_invisible, seen_after, seen_before};
use super::stone::stone_of;
use crate::EngineError;

/// Fewest letters and digits of a text that can be forgotten everywhere.
pub const FORGET_CHARS_MIN: usize = 4;

/// Most characters of a text that can be forgotten everywhere: a long passage is known by its first sentences.
pub const FORGET_CHARS_MAX: usize = 4_000;

/// Stands where words stood, inside a line that stays.
pub const MARK: &str = "[forgotten]";

/// Stands where words stood that stand in [`MARK`] themselves.
const MARK_BARE: &str = "…";

/// Most bytes of the automaton that looks for the words.
const AUTOMATON_BYTES_MAX: usize = 64 << 20;

/// How words stand in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Letter by letter, or as JSON writes them.
    AsItIs,
    /// As a reader of Markdown sees them.
    AcrossMarks,
}

impl How {
    /// Its words.
    pub fn words(self) -> &'static str {
        match self {
            Self::AsItIs => "as it is",
            Self::AcrossMarks => "across marks",
        }
    }
}

/// What is to be forgotten.
#[derive(Debug, Clone)]
pub struct Wording {
    texts: Vec<String>,
    patterns: Vec<(Edges, Regex)>,
}

impl Wording {
    /// Any of `texts`. Error: `usage_bad` for one that is too short or too long.
    pub fn of(texts: impl IntoIterator<Item = String>) -> Result<Self, EngineError> {
        let texts: Vec<String> = texts.into_iter().map(|text| one_line(&text)).collect();
        for text in &texts {
            if letters(text) < FORGET_CHARS_MIN || text.chars().count() > FORGET_CHARS_MAX {
                let message = format!(
                    "What is to be forgotten has {FORGET_CHARS_MIN} letters or digits at least and {FORGET_CHARS_MAX} characters at most."
                );
                return Err(EngineError::new(Code::UsageBad, message));
            }
        }
        if texts.is_empty() {
            return Err(EngineError::new(Code::UsageBad, "Nothing is named that could be forgotten."));
        }
        Self::built(texts, usize::MAX)
    }

    /// Any of `texts`, each of which a tombstone confirmed: a part that no letter stands in may be of any length, and
    /// whoever named it said enough. Error: `usage_bad` for one that no automaton holds.
    pub(super) fn confirmed(texts: impl IntoIterator<Item = String>) -> Result<Self, EngineError> {
        Self::built(texts.into_iter().map(|text| one_line(&text)).collect(), BETWEEN_CHARS_MAX)
    }

    /// `between`: most signs between two letters that are looked for one by one; more of them may be any.
    fn built(mut texts: Vec<String>, between: usize) -> Result<Self, EngineError> {
        // What is said with marks stands elsewhere without them.
        let bares: Vec<String> = texts.iter().map(|text| one_line(&bare(text))).collect();
        texts.extend(bares.into_iter().filter(|text| letters(text) >= FORGET_CHARS_MIN));
        texts.sort();
        texts.dedup();
        // The longest first: a part of a text leaves the rest of it standing.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let built = |text: &String| {
            let built = RegexBuilder::new(&pattern(text, between))
                .case_insensitive(true)
                .size_limit(AUTOMATON_BYTES_MAX)
                .build();
            let built = built.map_err(|error| EngineError::new(Code::UsageBad, format!("{error}.")))?;
            Ok((Edges::of(text), built))
        };
        let patterns = texts.iter().map(built).collect::<Result<_, EngineError>>()?;
        Ok(Self { texts, patterns })
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
        let stands = |bytes: &[u8]| {
            self.patterns.iter().any(|(edges, pattern)| edges.find(pattern, bytes, 0).is_some())
        };
        if stands(bytes) {
            return Some(How::AsItIs);
        }
        Seen::of(bytes).filter(|seen| stands(&seen.bytes)).map(|_| How::AcrossMarks)
    }

    /// Where the words stand, first to last; no two places overlap.
    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut places = self.places_as_it_is(bytes);
        if let Some(seen) = Seen::of(bytes) {
            places.extend(self.places_as_it_is(&seen.bytes).iter().map(|place| seen.stands(place)));
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

    fn places_as_it_is(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        for (edges, pattern) in &self.patterns {
            let mut at = 0;
            while let Some(found) = edges.find(pattern, bytes, at) {
                at = found.end;
                places.push(found);
            }
        }
        places
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
        if self.meets_a_mark() { MARK_BARE } else { super::MARK_LINE }
    }

    /// Whether a mark could be taken for the words, or for a part of them.
    fn meets_a_mark(&self) -> bool {
        let signs = ['[', ']', '<', '>', '!', '-'];
        self.texts.iter().map(|text| fold(text)).any(|text| {
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
            left.extend_from_slice(in_place);
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
    pub(super) fn first_in(&self, bytes: &[u8]) -> Option<usize> {
        self.places(bytes).first().map(|place| place.start)
    }

    /// By what each text is known again.
    pub fn stones(&self, salt: &[u8; 32]) -> Vec<Tombstone> {
        let stone = |text: &String| {
            let words = words(text);
            stone_of(salt, &words)
        };
        self.texts.iter().map(stone).collect()
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

/// Which ends of a text are ends of a word.
#[derive(Debug, Clone, Copy)]
pub struct Edges {
    first: bool,
    last: bool,
}

impl Edges {
    /// Those of `text`.
    pub fn of(text: &str) -> Self {
        let is_word = |c: Option<char>| c.is_some_and(|c| is_spaced(c) || is_combining_mark(c));
        Self { first: is_word(text.chars().next()), last: is_word(text.chars().next_back()) }
    }

    /// The first place from `at` on that `pattern` finds and that no word runs on from.
    pub fn find(self, pattern: &Regex, bytes: &[u8], at: usize) -> Option<Range<usize>> {
        let mut at = at;
        while let Some(found) = (at <= bytes.len()).then(|| pattern.find_at(bytes, at)).flatten() {
            if !found.is_empty() && self.are_free(bytes, found.start(), found.end()) {
                return Some(found.range());
            }
            at = found.start() + 1;
        }
        None
    }

    fn are_free(self, bytes: &[u8], start: usize, end: usize) -> bool {
        let before = || seen_before(&bytes[..start]).filter(|_| !ends_with_escape(&bytes[..start]));
        let behind = || seen_after(&bytes[end..]);
        let runs_in = self.first && before().is_some_and(is_spaced);
        let runs_on = self.last && behind().is_some_and(|c| is_spaced(c) || is_combining_mark(c));
        !runs_in && !runs_on
    }
}

/// A letter or digit of a script that puts blanks between words.
pub(super) fn is_spaced(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(u32::from(c),
            // Thai and Lao, Myanmar, Khmer, kana and bopomofo, Han and the ideographs beyond.
            0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x30FF | 0x3100..=0x312F
            | 0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
            | 0x20000..=0x3FFFF)
}

/// The last character, where bytes end with a whole one.
pub(super) fn char_before(bytes: &[u8]) -> Option<char> {
    let tail = &bytes[bytes.len().saturating_sub(4)..];
    let start = tail.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(&tail[start..]).ok()?.chars().next()
}

/// The first character, where bytes begin with a whole one.
pub(super) fn char_after(bytes: &[u8]) -> Option<char> {
    bytes.get(..bytes.len().min(4))?.utf8_chunks().next()?.valid().chars().next()
}

/// Whether bytes end with what JSON writes for a sign that is no letter, such as the end of a line.
pub(super) fn ends_with_escape(bytes: &[u8]) -> bool {
    let is_escape = |length: usize| {
        let Some(start) = bytes.len().checked_sub(length) else { return false };
        let slashes = bytes[..=start].iter().rev().take_while(|byte| **byte == b'\\').count();
        let tail = &bytes[start + 1..];
        slashes % 2 == 1
            && (matches!(tail, [b'n' | b'r' | b't' | b'b' | b'f'])
                || tail.first() == Some(&b'u') && tail[1..].iter().all(u8::is_ascii_hexdigit))
    };
    is_escape(2) || is_escape(6)
}

/// The words of a text as tombstones know them: in one case, composed, without what stands between them. In scripts
/// without blanks each character is one.
pub(super) fn words(text: &str) -> Vec<String> {
    words_at(text).iter().map(|(word, _)| in_one_case(word)).collect()
}

/// The same as they are written, composed, each with its place in the text.
pub(super) fn words_at(text: &str) -> Vec<(String, Range<usize>)> {
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    // Whether the last one goes on with the next letter, and whether a mark may follow on it.
    let (mut goes_on, mut may_compose) = (false, false);
    for (at, c) in text.char_indices().filter(|(_, c)| !is_invisible(*c)) {
        let end = at + c.len_utf8();
        match found.last_mut() {
            Some((word, place)) if goes_on && is_spaced(c) || may_compose && is_combining_mark(c) => {
                word.push(c);
                place.end = end;
            }
            _ => {
                (goes_on, may_compose) = (is_spaced(c), c.is_alphanumeric());
                if may_compose {
                    found.push((c.to_string(), at..end));
                }
            }
        }
    }
    found.into_iter().map(|(word, place)| (word.nfc().collect(), place)).collect()
}

/// A word in one case, so that two that the search takes for one are one.
pub(super) fn in_one_case(word: &str) -> String {
    // In one case letters may compose that did not before.
    word.chars().map(letter_in_one_case).nfc().collect()
}

/// A letter as simple case folding has it, which the search for words goes by.
fn letter_in_one_case(c: char) -> char {
    let one = |mut all: Box<dyn Iterator<Item = char>>| all.next().filter(|_| all.next().is_none());
    let lower = |c: char| one(Box::new(c.to_lowercase())).unwrap_or(c);
    match c {
        // Its upper case is that of another letter.
        'ı' => c,
        // Both have an upper case of the same two letters.
        '\u{fb05}' => '\u{fb06}',
        c => lower(one(Box::new(c.to_uppercase())).unwrap_or(c)),
    }
}

/// The cases in which tombstones of before may know a word: ς was no σ, and ſ no s.
pub(super) const EARLIER_CASES: [fn(&str) -> String; 2] =
    [|word| word.chars().flat_map(char::to_lowercase).collect(), str::to_lowercase];

/// Letters and digits as a reader counts them: composed.
fn letters(text: &str) -> usize {
    text.nfc().filter(|c| c.is_alphanumeric()).count()
}

/// A text on one line, without what makes it an item, a quotation or a heading.
pub(super) fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut bare = text.as_str();
    loop {
        let hashes = bare.trim_start_matches('#');
        let rest = ["- ", "* ", "+ ", "> "].iter().find_map(|mark| bare.strip_prefix(mark));
        bare = match rest
            .or(Some(hashes).filter(|hashes| hashes.len() < bare.len() && hashes.starts_with(' ')))
        {
            Some(rest) => rest.trim_start(),
            None => return bare.to_owned(),
        };
    }
}

/// What finds a text.
fn pattern(text: &str, between: usize) -> String {
    let told = fold(text);
    let mut forms: Vec<String> = [text, &told]
        .into_iter()
        .flat_map(|text| [text.to_owned(), text.nfc().collect(), text.nfd().collect()])
        .collect();
    forms.sort();
    forms.dedup();
    forms.iter().map(|form| pattern_of(form, between)).collect::<Vec<_>>().join("|")
}

/// Signs that people and their editors write for one another; the first is the plain one.
const ALIKE: [&[char]; 3] =
    [&['\'', '\u{2018}', '\u{2019}', '\u{2bc}'], &['"', '\u{201c}', '\u{201d}', '\u{201e}'], &DASHES];

/// Hyphens, dashes and the sign of minus.
const DASHES: [char; 28] = [
    '-',
    '\u{58a}',
    '\u{5be}',
    '\u{1400}',
    '\u{1806}',
    '\u{2010}',
    '\u{2011}',
    '\u{2012}',
    '\u{2013}',
    '\u{2014}',
    '\u{2015}',
    '\u{2212}',
    '\u{2e17}',
    '\u{2e1a}',
    '\u{2e3a}',
    '\u{2e3b}',
    '\u{2e40}',
    '\u{2e5d}',
    '\u{301c}',
    '\u{3030}',
    '\u{30a0}',
    '\u{fe31}',
    '\u{fe32}',
    '\u{fe58}',
    '\u{fe63}',
    '\u{ff0d}',
    '\u{10d6e}',
    '\u{10ead}',
];

fn alike(c: char) -> Option<&'static [char]> {
    ALIKE.into_iter().find(|signs| signs.contains(&c))
}

/// A text with plain quotes and dashes, and without the backslashes by which Markdown escapes punctuation.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        let c = if c == '\\' { signs.next_if(char::is_ascii_punctuation).unwrap_or(c) } else { c };
        folded.push(alike(c).map_or(c, |signs| signs[0]));
    }
    folded
}

/// Most signs between two letters of what a tombstone confirmed that are looked for one by one: it may have any number.
const BETWEEN_CHARS_MAX: usize = 16;

fn pattern_of(text: &str, between: usize) -> String {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = |is_end: fn(char) -> bool| rest.find(is_end).unwrap_or(rest.len());
        if c.is_alphanumeric() {
            let (letters, others) = rest.split_at(end(|c| !c.is_alphanumeric()));
            pattern.extend(letters.chars().map(sign));
            rest = others;
            continue;
        }
        let (others, letters) = rest.split_at(end(char::is_alphanumeric));
        if others.chars().count() > between {
            pattern.push_str(r"[^\p{Alphabetic}\p{N}]+");
        } else {
            let words: Vec<String> = others.split(' ').map(|word| word.chars().map(sign).collect()).collect();
            pattern.push_str(&words.join(r"(?:\s|\\[nrt]|\\\r?\n|\\u00(?:09|0a|0d|20|a0))+"));
        }
        rest = letters;
    }
    pattern
}

/// What finds a character: as it is, as JSON writes it and, of punctuation, as Markdown escapes it, in JSON too. An
/// even number of backslashes is left of JSON, so that it stays JSON.
fn sign(c: char) -> String {
    let punctuation = |sign: &char| match sign {
        '\\' => r"\\{1,2}".to_owned(),
        '"' => format!(r#"\\{{0,3}}"|\\{{0,2}}{}"#, regex::escape(&escaped('"'))),
        sign if alike(*sign).is_some() => format!(r"\\{{0,2}}{}", either(*sign)),
        sign => format!(r"\\{{0,2}}{}", regex::escape(&sign.to_string())),
    };
    match (c, alike(c)) {
        (_, Some(signs)) if signs == DASHES => {
            let (all, named): (String, Vec<String>) = (
                signs.iter().map(|c| regex::escape(&c.to_string())).collect(),
                signs.iter().map(|c| regex::escape(&escaped(*c))).collect(),
            );
            format!(r"\\{{0,2}}(?:[{all}]|{})", named.join("|"))
        }
        (_, Some(signs)) => format!("(?:{})", signs.iter().map(punctuation).collect::<Vec<_>>().join("|")),
        (c, None) if c.is_ascii_punctuation() => punctuation(&c),
        (c, None) if c.is_ascii_alphanumeric() => c.to_string(),
        (c, None) => either(c),
    }
}

fn either(c: char) -> String {
    format!("(?:{}|{})", regex::escape(&c.to_string()), regex::escape(&escaped(c)))
}

/// A character as JSON may write it.
fn escaped(c: char) -> String {
    let mut units = [0; 2];
    c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wording(text: &str) -> Wording {
        Wording::of([text.to_owned()]).expect("a wording")
    }

    #[test]
    fn words_are_found_in_any_case_across_lines_and_escaped() {
        let wording = wording("Ana's  PIN is \"zörbl\"");
        for text in [
            "x Ana's PIN is \"zörbl\" y",
            "ana's pin\n  is \"ZÖRBL\"",
            r#"{"content":"Ana's\nPIN is \"zörbl\""}"#,
            r#"{"content":"Ana's PIN is \"z\u00f6rbl\""}"#,
        ] {
            assert!(wording.stands_in(text.as_bytes()), "{text}");
            let left = wording.without(text.as_bytes()).expect("it stood there");
            assert!(!wording.stands_in(&left) && String::from_utf8_lossy(&left).contains(MARK), "{text}");
        }
        assert!(wording.without(b"Ana's PIN").is_none());
    }

    /// Marks, links, quotations, comments and signs that nobody sees part no words; what is another text stays one.
    #[test]
    fn words_are_found_across_the_marks_of_markdown() {
        let falcon = wording("blue falcon 7x");
        for text in [
            "the **blue** falcon 7x",
            "**blue** _falcon_ `7x`",
            "***blue falcon*** 7x!",
            "**b**lue fal~~con~~ 7x",
            "[blue](https://x.example/a?b=c) falcon 7x",
            "![blue][ref] [[falcon]] 7x",
            "> blue\n> falcon\n> > 7x",
            "blue <!-- from: main -->\nfalcon 7x",
            "<b>blue</b> <i class=\"a\">falcon</i> 7x",
            "bl\u{ad}ue fal\u{200b}con 7\u{2060}x",
            "blue&nbsp;fal&shy;con 7x",
            "blue\\\nfalcon 7x",
            r#"{"a":"**blue** fal\u00adcon\n> 7x"}"#,
        ] {
            assert!(falcon.stands_in(text.as_bytes()), "{text}");
            assert!(!falcon.stands_in(&falcon.without(text.as_bytes()).expect("stood")), "{text}");
        }
        for other in [
            "* blue\n* falcon 7x",
            "- blue\n- falcon 7x",
            "blue, falcon 7x",
            "blue | falcon 7x",
            "blue*falcon 7x",
            "blue_falcon 7x",
            "blue falcon 7*x",
            "blue <falcon 7x",
        ] {
            assert!(!falcon.stands_in(other.as_bytes()), "{other}");
        }
        assert!(
            wording("**blue** [falcon](x) 7x").stands_in(b"a blue falcon 7x"),
            "marked where it was named"
        );
        assert!(wording("PIN 4711.").stands_in(b"PIN **4711**."));
        assert!(wording("春眠不觉").stands_in("在**春**[眠](x)不\n觉晓".as_bytes()));
    }

    /// Quotes, dashes and escaped punctuation read the same, in what is forgotten and in what is kept.
    #[test]
    fn quotes_dashes_and_escapes_are_told_as_they_are_read() {
        for text in
            ["Ana's pier forty-two.", "Ana\u{2019}s pier forty\u{2011}two.", r"Ana\'s pier forty\-two\."]
        {
            let wording = wording(text);
            for stood in [
                "Ana's pier forty-two.",
                "x ana\u{2019}s pier forty\u{2010}two.",
                "Ana\u{2018}s pier forty\u{2013}two\\. y",
                r"Ana\'s pier forty\-two\.",
                r"**Ana's** pier **forty**\-**two**.",
                r#"{"a":"Ana\u2019s pier forty\\-two\\."}"#,
                "ANA\u{2019}S pier\nFORTY\u{2011}TWO.",
            ] {
                assert!(wording.stands_in(stood.as_bytes()), "{text} in {stood}");
                let left = wording.without(stood.as_bytes()).expect("stood");
                assert!(!wording.stands_in(&left), "{stood}");
            }
            for other in ["Ana pier forty-two.", "Ana's pier forty two.", "Ana's pier forty/two."] {
                assert!(!wording.stands_in(other.as_bytes()), "{text} in {other}");
            }
        }
        let quoted = wording("a \u{201c}fig\u{201d} .com");
        for (value, left) in [("x a \"fig\" .com", "x [forgotten]"), (r"a \\\\.com", r"a \\\\.com")] {
            let json = serde_json::json!({ "a": value }).to_string();
            let without = quoted.without(json.as_bytes()).unwrap_or_else(|| json.into_bytes());
            let read: serde_json::Value = serde_json::from_slice(&without).expect("it is JSON still");
            assert_eq!(read["a"], left);
        }
    }

    /// Characters by name or number are the characters, and what stands beside them stays to the byte.
    #[test]
    fn words_are_found_where_html_names_their_characters() {
        for (text, stood, left) in [
            ("blue falcon", "a blue&nbsp;falcon, &amp; more", "a [forgotten], &amp; more"),
            ("blue falcon", "a &#98;lue &#x66;alco&#110;&nbsp;7", "a [forgotten]&nbsp;7"),
            ("blue falcon", "**blue**&#32;[fal&#xAD;con](x?a&amp;b)", "**[forgotten]](x?a&amp;b)"),
            ("café noir", "the caf&eacute; noir&mdash;cold", "the [forgotten]&mdash;cold"),
            ("café noir", "the cafe&#769; NOIR", "the [forgotten]"),
            ("Tom & Jerry's", "&quot;Tom &amp; Jerry&apos;s&quot;", "&quot;[forgotten]&quot;"),
            ("blue x<y", "- a blue x&lt;y", "- a [forgotten]"),
            ("blue falcon", r#"{"a":"blue\u0026nbsp;falcon"}"#, r#"{"a":"[forgotten]"}"#),
            ("blue&nbsp;falcon", "blue falcon", "[forgotten]"),
        ] {
            let wording = wording(text);
            assert!(wording.stands_in(stood.as_bytes()), "{text} in {stood}");
            let told = wording.without(stood.as_bytes()).expect("stood");
            assert_eq!(String::from_utf8_lossy(&told), left, "{text} in {stood}");
        }
        for (text, other) in [
            ("falcon", "falcon&eacute;"),
            ("falcon", "&eacute;falcon"),
            ("blue falcon", "blue&nosuch;falcon"),
            ("blue falcon", "blue&comma;falcon"),
            ("bluefalcon", "blue&#42;falcon"),
            ("blue falcon", "blue &amp;nbsp; falcon"),
        ] {
            assert!(!wording(text).stands_in(other.as_bytes()), "{text} in {other}");
        }
    }

    /// What begins another line parts words, a comment may hold any sign, and whatever nobody sees is not there.
    #[test]
    fn breaks_comments_dashes_and_what_nobody_sees_are_told_as_they_are_read() {
        let pier = wording("pier forty-two");
        for text in [
            "pier<br>forty-two",
            "pier<BR/>forty-two",
            "<td>pier</td><td>forty-two</td>",
            "<li>pier<li>forty-two",
            "<p>pier</p>\n<p>forty-two</p>",
            "pier<hr />forty-two",
            "<div>pier</div><div class=\"a\">forty-two",
            "pier <!-- x > y --> forty-two",
            "pier<!-- x > y --> forty-two",
            "pi\u{34f}er forty-two",
            "pi\u{200e}er \u{202a}forty\u{202c}-two",
            "pi\u{2064}er \u{2066}forty\u{2069}-two",
            "pi\\u200eer forty-two",
            "pier forty\u{2015}two",
            "pier forty\u{ff0d}two",
            "pier forty\\u2015two",
            "pier forty\\uff0dtwo",
        ] {
            assert!(pier.stands_in(text.as_bytes()), "{text}");
            assert!(!pier.stands_in(&pier.without(text.as_bytes()).expect("stood")), "{text}");
        }
        assert!(!wording("pierforty").stands_in(b"pier<br>forty"));
        let class = |class: &str| regex::Regex::new(class).expect("a class");
        let (unseen, dash) = (class(r"\p{Default_Ignorable_Code_Point}"), class(r"[\p{Pd}\x{2212}]"));
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert_eq!(is_invisible(c), unseen.is_match(&text), "U+{:04X}", u32::from(c));
            assert_eq!(DASHES.contains(&c), dash.is_match(&text), "U+{:04X}", u32::from(c));
        }
    }

    /// However often it stands, and however deep its halves lie in one another.
    #[test]
    fn nothing_is_left_of_a_text_that_stands_a_hundred_times() {
        let falcon = wording("blue falcon");
        let halves = format!("- a\n{}{}- b\n", "blue\n".repeat(200), "falcon\n".repeat(200));
        for text in [halves.as_str(), &"x **blue** falcon\n".repeat(200), &"blue&nbsp;falcon ".repeat(200)] {
            let lines = falcon.without_lines(text.as_bytes(), b"").expect("stood");
            assert!(!falcon.stands_in(&lines), "{}", String::from_utf8_lossy(&lines));
            assert!(!falcon.stands_in(&falcon.without(text.as_bytes()).expect("stood")));
        }
        assert_eq!(falcon.without_lines(halves.as_bytes(), b"").expect("stood"), b"- a\n- b\n");
    }

    /// However long: the automaton holds it.
    #[test]
    fn the_longest_text_can_be_looked_for() {
        for letter in ["ab1 ", "春", "a.", "é ", "a-"] {
            let text: String = letter.chars().cycle().take(FORGET_CHARS_MAX - 1).collect();
            assert!(wording(&text).stands_in(format!("x {text} y").as_bytes()), "{letter}");
        }
    }

    #[test]
    fn the_lines_go_and_no_other() {
        let wording = wording("secret word");
        let text = b"# A\r\n\r\n- the Secret\r\n  Word here\r\n- stays\r\n- secret word";
        assert_eq!(wording.without_lines(text, b"").expect("stood"), b"# A\r\n\r\n- stays\r\n");
        assert_eq!(
            wording.without_lines(text, b"<gone>").expect("stood"),
            b"# A\r\n\r\n<gone>\n- stays\r\n<gone>"
        );
        assert_eq!(wording.without_lines(b"nothing", b""), None);
    }

    #[test]
    fn what_is_too_short_is_refused_and_an_items_mark_is_no_word() {
        assert!(Wording::of(["- a.b.c".to_owned()]).is_err());
        assert!(Wording::of([]).is_err());
        assert_eq!(wording("- ## > Ana bakes").texts(), ["Ana bakes"]);
        assert_eq!(wording("  * Ana\nbakes ").texts(), ["Ana bakes"]);
    }

    #[test]
    fn a_tombstone_knows_the_words_and_not_what_stands_around_them() {
        let stones = |text: &str, salt: u8| wording(text).stones(&[salt; 32]);
        assert_eq!(stones("- Ana bakes, rye!", 1), stones("ana  BAKES rye", 1));
        assert_ne!(stones("ana bakes rye", 1)[0].hash, stones("ana bakes rye", 2)[0].hash, "another home");
    }

    /// The fold of tombstones and the search agree on every letter there is.
    #[test]
    fn one_case_is_what_the_search_takes_for_one() {
        let has_case = |c: &char| c.to_lowercase().ne([*c]) || c.to_uppercase().ne([*c]);
        // One that is composed in another way is never asked, and one that is newer than the search is never sought.
        let is_composed = |c: &char| c.nfc().eq([*c]);
        let newer = regex::Regex::new(r"\p{Cn}").expect("a class");
        let is_sought = |c: &char| is_composed(c) && !newer.is_match(&c.to_string());
        let letters: Vec<char> = ('\0'..=char::MAX).filter(has_case).filter(is_sought).collect();
        let all: String = letters.iter().collect();
        for c in &letters {
            let alike = RegexBuilder::new(&c.to_string()).case_insensitive(true).build().expect("a letter");
            let sought: String = alike
                .find_iter(all.as_bytes())
                .map(|found| String::from_utf8_lossy(found.as_bytes()))
                .collect();
            let folded: String = letters
                .iter()
                .filter(|other| letter_in_one_case(**other) == letter_in_one_case(*c))
                .collect();
            assert_eq!(sought, folded, "{c} U+{:04X}", u32::from(*c));
        }
        assert!(letters.contains(&'ς') && letters.contains(&'ſ') && letters.contains(&'µ'));
    }

    #[test]
    fn words_are_whole_words_also_behind_an_escaped_end_of_a_line_and_in_scripts_without_blanks() {
        let rome = wording("Rome");
        for other in ["Chrome and Jerome", "Romeo", "rome2", "Rome\u{301}"] {
            assert!(!rome.stands_in(other.as_bytes()), "{other}");
        }
        for stood in
            ["Rome", "to ROME.", "(rome)", "a_rome_b", r#"{"a":"x\nRome\ny"}"#, "去Rome了", "Chrome Rome"]
        {
            assert!(rome.stands_in(stood.as_bytes()), "{stood}");
        }
        assert_eq!(rome.without(b"Chrome Rome").expect("stood"), b"Chrome [forgotten]");
        assert!(wording("春眠不觉").stands_in("在春眠不觉晓".as_bytes()));
        assert!(wording("Zo\u{308}rbl").stands_in("der ZÖRBL!".as_bytes()));
        assert!(wording("Zörbl").stands_in("der zo\u{308}rbl".as_bytes()));
        let both = Wording::of(["Ana Bo".to_owned(), "Anna".to_owned()]).expect("a wording");
        assert_eq!(both.without(b"Ana Bob, Anna").expect("stood"), b"Ana Bob, [forgotten]");
    }

    #[test]
    fn words_that_stand_in_the_mark_end_too() {
        let forgotten = wording("forgotten");
        let left = forgotten.without(b"it is forgotten, Forgotten").expect("stood");
        assert_eq!(String::from_utf8_lossy(&left), "it is …, …");
        assert!(!forgotten.stands_in(forgotten.mark_line().as_bytes()));
        assert!(forgotten.without_lines(b"a\nforgotten\nb", forgotten.mark_line().as_bytes()).is_some());
    }

    /// What may stand around words, in them and between them.
    fn gap() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "",
            " ",
            " ",
            " ",
            "\n",
            "\\n",
            "\r\n",
            "\t",
            "*",
            "**",
            "_",
            "~~",
            "`",
            "[",
            "]",
            "](x y)",
            "][r]",
            "![",
            "<b>",
            "</b>",
            "<",
            ">",
            "> ",
            "\n> ",
            "<!-- c -->",
            "<!-- x > y -->",
            "<br>",
            "</p>",
            "\u{2066}",
            "\u{ad}",
            "\\u00ad",
            "&shy;",
            "&nbsp;",
            "&#32;",
            "&#42;",
            "&amp;",
            "&eacute;",
            "&",
            ";",
            "\\u0026nbsp;",
            "\u{200b}",
            "\\*",
            "\\",
            "\\]",
            ".",
            "-",
            "\u{2011}",
            "\\-",
            "\u{2019}",
            "\\'",
            "春",
            "é",
            "a",
            "7",
        ]);
        prop::collection::vec(pieces, 0..5).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_is_left_whatever_stands_around(
            text in r"[a-zäß0-9]{4,8}( [a-z.,!?*\\]{1,5}){0,3}",
            before in r"(\PC|\n){0,20}",
            behind in r"(\PC|\n){0,20}",
        ) {
            let wording = wording(&text);
            let stood = format!("{before} {text} {behind}");
            prop_assert!(wording.stands_in(stood.as_bytes()));
            let lines = wording.without_lines(stood.as_bytes(), b"").expect("stood");
            prop_assert!(lines.len() < stood.len() && !wording.stands_in(&lines));
            let left = wording.without(stood.as_bytes()).expect("stood");
            prop_assert!(!wording.stands_in(&left), "{:?}", String::from_utf8_lossy(&left));
        }

        /// Whatever is found goes, and all else stays to the byte, whatever stands around, in and between the words.
        #[test]
        fn what_is_found_is_taken_and_what_is_not_stays_byte_for_byte(
            (text, words) in prop::sample::select(vec![
                ("blue falcon", ["blue", "fal", "con"]),
                ("blue][r]falcon", ["blue", "][r]fal", "con"]),
                (r"blue\][r]falcon", ["blue", r"\][r]", "falcon"]),
                ("café-noir & co", ["caf&eacute;", "-noir &amp;", "&nbsp;co"]),
                ("4711 is it", ["47", "11 is", "it"]),
                ("春眠 blue", ["春", "&#30496;", "blue"]),
                ("Ana's forty-two", ["Ana\u{2019}s", "forty", "\\-two"]),
            ]),
            around in gap(),
            between in gap(),
            within in gap(),
        ) {
            let [first, second, third] = words;
            let stood = format!("0\n{around}{first}{between}{second}{within}{third}{around}\n9");
            let wording = wording(text);
            let places = wording.places(stood.as_bytes());
            prop_assert_eq!(wording.stands_in(stood.as_bytes()), !places.is_empty(), "{:?}", stood);
            let Some(left) = wording.without(stood.as_bytes()) else {
                prop_assert!(places.is_empty() && wording.without_lines(stood.as_bytes(), b"").is_none());
                return Ok(());
            };
            prop_assert!(!wording.stands_in(&left), "{:?} of {:?}", String::from_utf8_lossy(&left), stood);
            let mark = if wording.meets_a_mark() { MARK_BARE } else { MARK };
            let left = String::from_utf8(left).expect("text is left of a text");
            let mut rest = stood.as_str();
            let mut pieces = left.split(mark);
            rest = rest.strip_prefix(pieces.next().unwrap_or_default()).expect("what stands before");
            for piece in pieces {
                let at = rest.find(piece).expect("in its order");
                rest = &rest[at + piece.len()..];
            }
            prop_assert!(left.starts_with("0\n") && left.ends_with("\n9"));
            let lines = wording.without_lines(stood.as_bytes(), b"").expect("stood");
            let lines = String::from_utf8(lines).expect("text is left of a text");
            prop_assert!(!wording.stands_in(lines.as_bytes()), "{:?} of {:?}", lines, stood);
            let mut kept = stood.split_inclusive('\n');
            prop_assert!(lines.split_inclusive('\n').all(|line| kept.any(|stood| stood == line)), "{:?}", lines);
        }

        /// The words meet in what is left of their own halves, and part of them is the mark.
        #[test]
        fn nothing_is_left_where_halves_meet(
            text in r"(forgotten|abcd|\[abcd|abcd-->)( (forgotten|abcd|efgh\]|<!--)){1,3}",
            pieces in prop::collection::vec((0..4_usize, 0..3_usize), 1..12),
        ) {
            let wording = wording(&text);
            let words: Vec<&str> = wording.texts()[0].split(' ').collect();
            let gaps = [" ", "\n", "\n\n"];
            let stood: String =
                pieces.iter().map(|(word, gap)| format!("{}{}", words[word % words.len()], gaps[*gap])).collect();
            for left in [
                wording.without(stood.as_bytes()),
                wording.without_lines(stood.as_bytes(), b""),
                wording.without_lines(stood.as_bytes(), wording.mark_line().as_bytes()),
            ].into_iter().flatten() {
                prop_assert!(!wording.stands_in(&left), "{:?}", String::from_utf8_lossy(&left));
            }
        }
    }
}
