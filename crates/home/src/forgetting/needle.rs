//! Search patterns for raw bytes: a text in literal and machine-written forms.
//!
//! Plain whole words, composed or not, in any case, width and ligature, with any blanks, quotes, dashes and escaped
//! punctuation; JSON with any letter escaped; UTF-16 in both byte orders; terms of a full-text table. Base64 and
//! hexadecimal are decoded first, by [`super::encoded`].

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use inwit_engine::forget::{Edges, FORGET_CHARS_MAX, automaton, usual, usual_bytes};
use inwit_model::{Code, Sha256};
use regex::bytes::Regex;
use unicode_normalization::UnicodeNormalization as _;

use super::terms::Terms;
use crate::error::HomeError;

/// Fewest letters and digits of a pattern: shorter ones occur in any picture.
const NEEDLE_CHARS_MIN: usize = 4;

/// The patterns of one text.
pub struct Needle {
    plain: Plain,
    edges: Edges,
    wide: Regex,
    terms: Terms,
    least: usize,
}

/// The plain pattern.
enum Plain {
    /// With the symbols between its letters.
    Signs(Regex),
    /// By letters and digits only, case-folded: for a text too large for an automaton, which is unique anyway.
    Letters(String),
}

/// Hashes of removed passages.
pub struct Hashes {
    /// As bytes.
    bytes: AhoCorasick,
    /// As hex digits of either case.
    digits: AhoCorasick,
}

impl Hashes {
    /// Patterns for the sha256 of each of `texts`, as bytes and hex, and for its vector keys.
    pub fn of(texts: &[String]) -> Result<Option<Self>, HomeError> {
        if texts.is_empty() {
            return Ok(None);
        }
        let (mut bytes, mut digits) = (BTreeSet::new(), BTreeSet::new());
        texts.iter().for_each(|text| add_hashes(text, &mut bytes, &mut digits));
        let built = |builder: &mut AhoCorasickBuilder, ways: Vec<Vec<u8>>| {
            builder.build(ways).map_err(|_| {
                HomeError::new(
                    Code::UsageBad,
                    "These are too many passages to search for in one run.".to_owned(),
                )
            })
        };
        let digits = digits.into_iter().map(String::into_bytes).collect();
        Ok(Some(Self {
            bytes: built(&mut AhoCorasick::builder(), bytes.into_iter().collect())?,
            digits: built(AhoCorasick::builder().ascii_case_insensitive(true), digits)?,
        }))
    }

    /// Whether one occurs in `bytes`.
    pub fn stand_in(&self, bytes: &[u8]) -> bool {
        self.bytes.is_match(bytes) || self.digits.is_match(bytes)
    }
}

/// The hashes that may identify a text: exact, trimmed without list mark, and lower-case; each alone and salted with
/// the name of a vector set.
fn add_hashes(text: &str, bytes: &mut BTreeSet<Vec<u8>>, in_digits: &mut BTreeSet<String>) {
    let bare = text.trim().trim_start_matches(['-', '*', '+', '>', '#', ' ']);
    for form in [text, text.trim(), bare, &text.trim().to_lowercase(), &bare.to_lowercase()] {
        let Sha256(hash) = Sha256::of(form.as_bytes());
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.insert(hash.to_vec());
        in_digits.insert(digits[..HASH_DIGITS].to_owned());
        for set in SETS {
            let Sha256(key) = Sha256::of(&[set.as_bytes(), &[0], form.as_bytes()].concat());
            bytes.insert(key[..KEY_BYTES].to_vec());
        }
    }
}

/// Vector sets of every agent.
const SETS: [&str; 3] = ["main", "shared", "facts"];

/// Bytes of a vector key.
const KEY_BYTES: usize = 8;

/// Hex digits that identify a hash: shorter parts are stored nowhere.
const HASH_DIGITS: usize = 16;

impl Needle {
    /// Patterns for `text`. Error: `usage_bad` if it is too short.
    pub fn of(text: &str) -> Result<Self, HomeError> {
        let bad = |message: &str| HomeError::new(Code::UsageBad, message.to_owned());
        // A few composed letters with many parts are rare enough.
        if text.nfd().filter(|c| c.is_alphanumeric()).count() < NEEDLE_CHARS_MIN {
            return Err(bad("The text to search for must have at least four letters or digits."));
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = usual(&text);
        let mut forms: Vec<String> = [text.nfc().collect::<String>(), text.nfd().collect()].into();
        forms.extend([told.clone(), told.nfd().collect()].into_iter().filter(|_| told != text));
        let all =
            |form: fn(&str) -> String| forms.iter().map(|text| form(text)).collect::<Vec<_>>().join("|");
        let read = as_read(&told);
        let read = [read.nfc().collect::<String>(), read.nfd().collect()].map(|text| plain(&text)).join("|");
        let as_it_is = format!("{}|{read}", all(plain));
        let plain = automaton(&as_it_is, true).map_or_else(|| Plain::Letters(letters(&told)), Plain::Signs);
        // In UTF-16 a long text is identified by its beginning, and a full-width one is full-width throughout.
        forms.push(told.chars().map(full_width).collect());
        let begins: Vec<String> =
            forms.iter().map(|text| wide(&text.chars().take(FORGET_CHARS_MAX).collect::<String>())).collect();
        let wide =
            automaton(&begins.join("|"), false).ok_or_else(|| bad("The text is too long to search for."))?;
        // A letter has at least one byte; decomposed ones have several.
        let least = text.nfc().filter(|c| c.is_alphanumeric()).count().max(NEEDLE_CHARS_MIN);
        Ok(Self { plain, edges: Edges::of(&told), wide, terms: Terms::of(&text), least })
    }

    /// Fewest bytes of an occurrence.
    pub fn least(&self) -> usize {
        self.least
    }

    /// The form of the first occurrence in `bytes`.
    pub fn found_in(&self, bytes: &[u8]) -> Option<&'static str> {
        if self.stands_in(bytes) {
            return Some("as plain text");
        }
        let is_usual = |bytes: &[u8]| usual_bytes(bytes).is_some_and(|usual| self.stands_in(&usual));
        if is_usual(bytes) {
            return Some("in other letter forms");
        }
        if unescaped(bytes).is_some_and(|read| self.stands_in(&read) || is_usual(&read)) {
            return Some("as a JSON escape");
        }
        self.wide.is_match(bytes).then_some("as UTF-16")
    }

    fn stands_in(&self, bytes: &[u8]) -> bool {
        match &self.plain {
            Plain::Signs(pattern) => self.edges.find(pattern, bytes, 0).is_some(),
            Plain::Letters(sought) => letters(&String::from_utf8_lossy(bytes)).contains(sought),
        }
    }

    /// Its full-text terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
}

/// Bytes with JSON number escapes decoded, also in nested JSON; `None` if there are none.
pub fn unescaped(bytes: &[u8]) -> Option<Vec<u8>> {
    static ESCAPES: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?-u:(?:\\+u[0-9a-fA-F]{4})+)").ok());
    let escapes = ESCAPES.as_ref()?;
    if !escapes.is_match(bytes) {
        return None;
    }
    let read = escapes.replace_all(bytes, |found: &regex::bytes::Captures<'_>| {
        let run = String::from_utf8_lossy(&found[0]).into_owned();
        let units = run
            .split('u')
            .skip(1)
            .filter_map(|unit| u16::from_str_radix(unit.trim_end_matches('\\'), 16).ok());
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
            .into_bytes()
    });
    Some(read.into_owned())
}

/// The case-folded letters and digits of a text, without JSON line ends.
fn letters(text: &str) -> String {
    let blank = [r"\n", r"\r", r"\t"].iter().fold(text.to_owned(), |text, end| text.replace(end, " "));
    blank.nfd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Words with any blanks between them, escaped or not.
fn plain(text: &str) -> String {
    let gap = r"(?:[\s\u{a0}⏎]|\\[nrt]|\\\r?\n|\\u00(?:09|0a|0d|20)|&nbsp;|&#160;)+";
    let letter = |c: char| {
        let mut units = [0; 2];
        let escaped: String =
            c.encode_utf16(&mut units).iter().map(|unit| format!(r"\\u{unit:04x}")).collect();
        let itself = regex::escape(&c.to_string());
        match c {
            '\\' => format!(r"(?:\\?{itself}|{escaped})"),
            '\'' | '‘' | '’' | 'ʼ' => r"\\{0,2}(?:['‘’ʼ]|\\u(?:0027|2018|2019|02bc))".to_owned(),
            '"' | '“' | '”' | '„' => r#"(?:\\{0,3}"|\\{0,2}(?:[“”„]|\\u(?:0022|201[cde])))"#.to_owned(),
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
                r"\\{0,2}(?:[\p{Pd}\x{2212}]|\\u(?:002d|201[0-5]|2212|fe58|fe63|ff0d))".to_owned()
            }
            '/' => format!(r"(?:\\{{0,2}}/|{escaped})"),
            c if c.is_ascii_punctuation() => format!(r"\\{{0,2}}{itself}"),
            c if c.is_ascii() => itself,
            _ => format!("(?:{itself}|{escaped})"),
        }
    };
    let words = text.split(' ').map(|word| word.chars().map(letter).collect::<String>());
    words.collect::<Vec<_>>().join(gap)
}

/// A text without Markdown escapes of punctuation.
fn as_read(text: &str) -> String {
    let mut signs = text.chars().peekable();
    let mut read = String::new();
    while let Some(c) = signs.next() {
        let next = signs.peek().copied().filter(|next| c == '\\' && next.is_ascii_punctuation());
        read.push(next.unwrap_or(c));
        if next.is_some() {
            signs.next();
        }
    }
    read
}

/// Both byte orders of UTF-16; each letter in both cases, each quote and dash in all forms, any blanks between words.
fn wide(text: &str) -> String {
    let order = |bytes_of: fn(u16) -> [u8; 2]| -> String {
        let spelled = |c: char| {
            let mut units = [0; 2];
            let bytes = c.encode_utf16(&mut units).iter().flat_map(|unit| bytes_of(*unit));
            bytes.map(|byte| format!(r"\x{byte:02x}")).collect::<String>()
        };
        let any = |of: &mut dyn Iterator<Item = char>| {
            let mut ways: Vec<String> = of.map(spelled).collect();
            ways.sort();
            ways.dedup();
            format!("(?:{})", ways.join("|"))
        };
        let gap = format!("{}+", any(&mut BLANKS.chars()));
        let letter = |c: char| match ALIKE.iter().find(|signs| signs.contains(c)) {
            Some(signs) => any(&mut signs.chars()),
            None => any(&mut std::iter::once(c).chain(c.to_lowercase()).chain(c.to_uppercase())),
        };
        let words = text.split(' ').map(|word| word.chars().map(letter).collect::<String>());
        words.collect::<Vec<_>>().join(&gap)
    };
    format!("(?-u:{}|{})", order(u16::to_le_bytes), order(u16::to_be_bytes))
}

/// Blanks between words in UTF-16.
const BLANKS: &str = "\t\n\r \u{a0}\u{2028}\u{3000}⏎";

/// The full-width form of an ASCII character.
fn full_width(c: char) -> char {
    let wide = c.is_ascii_graphic().then(|| char::from_u32(u32::from(c) + FULL_WIDTH)).flatten();
    wide.unwrap_or(c)
}

/// Offset of full-width characters from ASCII.
const FULL_WIDTH: u32 = 0xFEE0;

/// Interchangeable symbols.
const ALIKE: [&str; 3] =
    ["'‘’ʼ", "\"“”„", "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe58}\u{fe63}\u{ff0d}"];

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::super::encoded;
    use super::*;

    #[test]
    fn words_are_found_however_a_machine_wrote_them() {
        let text = "Zorbläx eats 7 \"figs\"";
        let needle = Needle::of(text).expect("a needle");
        let utf16 = |to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
        let mut stood: Vec<Vec<u8>> = vec![
            b"x ZORBL\xc3\x84X  eats\n7 \"figs\" y".to_vec(),
            serde_json::to_vec(&serde_json::json!({ "a": format!("b\n{text}") })).expect("JSON"),
            br#"{"a":"zorbl\u00e4x eats 7 \"figs\""}"#.to_vec(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
        ];
        let lines = text.to_uppercase().replace(' ', "\r\n").replace('"', "“");
        stood.push(lines.encode_utf16().flat_map(u16::to_le_bytes).collect());
        for bytes in stood {
            assert!(needle.found_in(&bytes).is_some(), "{}", String::from_utf8_lossy(&bytes));
        }
        assert_eq!(needle.found_in(b"Zorblax eats 7 pears, and so on and on"), None);
        assert!(needle.found_in("zorbla\u{308}x eats 7 \"figs\"".as_bytes()).is_some(), "decomposed");
        let rome = Needle::of("Rome").expect("a needle");
        assert_eq!(rome.found_in(b"Chrome and Jerome"), None, "other words");
        assert_eq!(rome.found_in(b"Chrome, rome"), Some("as plain text"));
        for named in ["Ana's pier forty-two", "Ana’s pier forty\u{2011}two", r"Ana\'s pier forty\-two"] {
            let pier = Needle::of(named).expect("a needle");
            for stood in
                ["ana’s pier forty–two", r"Ana's pier forty\-two", r#""Ana\u2019s pier forty\\-two""#]
            {
                assert_eq!(pier.found_in(stood.as_bytes()), Some("as plain text"), "{named} in {stood}");
            }
            assert_eq!(pier.found_in(b"Ana's pier forty two"), None, "{named}");
        }
        assert!(Needle::of("a b.").is_err());
        assert!(Needle::of("한글").expect("what six letters make").found_in("a 한글 b".as_bytes()).is_some());
    }

    /// A session log has `⏎` in place of a line end.
    #[test]
    fn words_are_found_across_the_sign_for_the_end_of_a_line() {
        let needle = Needle::of("Rosa Lindt has cancer").expect("a needle");
        for stood in ["from Rosa ⏎ Lindt has⏎cancer", r#"{"k":"Rosa \u23ce Lindt has cancer"}"#] {
            assert!(needle.found_in(stood.as_bytes()).is_some(), "{stood}");
            let utf16: Vec<u8> = stood.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(stood.contains('{') || needle.found_in(&utf16).is_some(), "{stood}");
        }
        assert_eq!(needle.found_in("Rosa • Lindt has cancer".as_bytes()), None);
    }

    /// JSON may escape any letter.
    #[test]
    fn words_are_found_where_json_escapes_their_letters() {
        let needle = Needle::of("Zymurgist Ottoline").expect("a needle");
        for stood in [
            r#"{"k":"\u005aymurgist Ottoline"}"#,
            r#"{"k":"\u007A\u0059murgist\u0020Ottolin\u0065"}"#,
            r#"{"k":"{\"k\":\"\\u005aymurgist Ottoline\"}"}"#,
        ] {
            assert_eq!(needle.found_in(stood.as_bytes()), Some("as a JSON escape"), "{stood}");
        }
        assert_eq!(needle.found_in(br#"{"k":"\u0058ymurgist Ottoline"}"#), None);
        assert_eq!(needle.found_in(br#"{"k":"Zymurgist Ottoline\u0073"}"#), None, "another word");
    }

    /// Whatever form is erased is searched in that form.
    #[test]
    fn words_are_found_in_any_width_and_with_ligatures() {
        for (text, stood) in [
            ("PIN 123456", "pin １２３４５６"),
            ("ｐｉｎ　123456", "PIN 123456"),
            ("Bergstraße ﬁ", "BERGSTRASSE FI"),
        ] {
            let needle = Needle::of(text).expect("a needle");
            assert!(needle.found_in(format!("é {stood} é").as_bytes()).is_some(), "{text} in {stood}");
            let encoded = base64::engine::general_purpose::STANDARD.encode(format!("x {stood} y"));
            let decoded = |bytes: &[u8]| needle.found_in(bytes).is_some();
            assert!(
                encoded::found_in(encoded.as_bytes(), needle.least(), &decoded).is_some(),
                "{text} in {stood}"
            );
            let wide: String = stood.chars().map(full_width).collect();
            let utf16: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(needle.found_in(&utf16), Some("as UTF-16"), "{text} in {wide}");
        }
        assert_eq!(Needle::of("it costs 102").expect("a needle").found_in("it costs 10²".as_bytes()), None);
    }

    /// A text too large for an automaton is searched by its letters, and in other forms by its beginning.
    #[test]
    fn a_text_that_no_automaton_holds_is_looked_for_too() {
        let words: Vec<String> = (0..2_000).map(|number| format!("w{number}")).collect();
        let text = words.join(&format!(" {}", "-".repeat(15)));
        let needle = Needle::of(&text).expect("a needle");
        let json = serde_json::json!({ "a": format!("x\n{}\ny", words.join("\n").to_uppercase()) });
        for stood in [text.clone(), json.to_string()] {
            assert_eq!(needle.found_in(stood.as_bytes()), Some("as plain text"));
        }
        let encoded = base64::engine::general_purpose::STANDARD.encode(&text);
        let decoded = |bytes: &[u8]| needle.found_in(bytes).is_some();
        assert_eq!(encoded::found_in(encoded.as_bytes(), needle.least(), &decoded), Some("as base64"));
        assert_eq!(needle.found_in(words[1..].join(" ").as_bytes()), None, "another text");
    }

    #[test]
    fn a_passage_is_known_by_its_hashes() {
        let hashes = Hashes::of(&["- Ana moors at pier 42".to_owned()]).expect("hashes").expect("some");
        let bare = "Ana moors at pier 42";
        let Sha256(hash) = Sha256::of(bare.as_bytes());
        let Sha256(key) = Sha256::of(format!("main\0{bare}").as_bytes());
        for stood in [hash.to_vec(), Sha256::of(bare.as_bytes()).to_string().into_bytes(), key[..8].to_vec()]
        {
            assert!(hashes.stand_in(&[b"xx".as_slice(), &stood, b"yy"].concat()));
        }
        assert!(!hashes.stand_in(bare.as_bytes()) && !hashes.stand_in(&Sha256::of(b"other").0));
        assert!(Hashes::of(&[]).expect("none").is_none());
    }
}
