//! The words that are to be forgotten, and how they are found again in any bytes.
//!
//! They are found whatever their case and whatever blanks and ends of lines stand between them, also where a JSON
//! text escapes them. Invariants: what is left of bytes never holds them; a text too short to be known by itself is
//! no wording, since it would take half of a life away.

use std::ops::Range;

use inwit_model::{Code, Sha256};
use inwit_store::memory::Tombstone;
use regex::bytes::{Regex, RegexBuilder};

use crate::EngineError;

/// Fewest letters and digits of a text that can be forgotten everywhere.
pub const FORGET_CHARS_MIN: usize = 4;

/// Most characters of a text that can be forgotten everywhere: a long passage is known by its first sentences.
pub const FORGET_CHARS_MAX: usize = 4_000;

/// Stands where words stood, inside a line that stays.
pub const MARK: &str = "[forgotten]";

/// Most bytes of the automaton that looks for the words.
const AUTOMATON_BYTES_MAX: usize = 64 << 20;

/// What is to be forgotten.
#[derive(Debug, Clone)]
pub struct Wording {
    texts: Vec<String>,
    pattern: Regex,
}

impl Wording {
    /// Any of `texts`. Error: `usage_bad` for one that is too short or too long.
    pub fn of(texts: impl IntoIterator<Item = String>) -> Result<Self, EngineError> {
        let mut texts: Vec<String> = texts.into_iter().map(|text| one_line(&text)).collect();
        texts.sort();
        texts.dedup();
        for text in &texts {
            let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
            if letters < FORGET_CHARS_MIN || text.chars().count() > FORGET_CHARS_MAX {
                let message = format!(
                    "What is to be forgotten has {FORGET_CHARS_MIN} letters or digits at least and {FORGET_CHARS_MAX} characters at most."
                );
                return Err(EngineError::new(Code::UsageBad, message));
            }
        }
        if texts.is_empty() {
            return Err(EngineError::new(Code::UsageBad, "Nothing is named that could be forgotten."));
        }
        // The longest first: a part of a text leaves the rest of it standing.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let alternatives: Vec<String> = texts.iter().map(|text| pattern(text)).collect();
        let built = RegexBuilder::new(&alternatives.join("|"))
            .case_insensitive(true)
            .size_limit(AUTOMATON_BYTES_MAX)
            .build();
        let pattern = built.map_err(|error| EngineError::new(Code::UsageBad, format!("{error}.")))?;
        Ok(Self { texts, pattern })
    }

    /// The texts, the longest first.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether the words stand in `bytes`.
    pub fn stands_in(&self, bytes: &[u8]) -> bool {
        self.pattern.is_match(bytes)
    }

    /// `bytes` with [`MARK`] in the place of the words; `None`: they do not stand there.
    pub fn without(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let left = self.pattern.replace_all(bytes, MARK.as_bytes());
        match left {
            std::borrow::Cow::Borrowed(_) => None,
            std::borrow::Cow::Owned(left) => Some(left),
        }
    }

    /// `bytes` without the lines in which the words stand, `in_place` of each run of them; `None`: they do not
    /// stand there.
    pub fn without_lines(&self, bytes: &[u8], in_place: &[u8]) -> Option<Vec<u8>> {
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
        for found in self.pattern.find_iter(bytes) {
            let start = bytes[..found.start()].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let last = found.end().max(found.start() + 1) - 1;
            let end = bytes[last..].iter().position(|&byte| byte == b'\n');
            let end = end.map_or(bytes.len(), |at| last + at + 1);
            match runs.last_mut() {
                Some(run) if start < run.end => run.end = run.end.max(end),
                _ => runs.push(start..end),
            }
        }
        runs
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

/// The words of a text as tombstones know them: lower case, without what stands around them.
pub(super) fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

pub(super) fn stone_of(salt: &[u8; 32], words: &[String]) -> Tombstone {
    let mut bytes = salt.to_vec();
    bytes.extend_from_slice(words.join(" ").as_bytes());
    Tombstone { hash: Sha256::of(&bytes), words: u32::try_from(words.len()).unwrap_or(u32::MAX) }
}

/// A text on one line, without what makes it an item, a quotation or a heading.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut bare = text.as_str();
    while let Some(rest) = ["- ", "* ", "+ ", "> ", "# "].iter().find_map(|mark| bare.strip_prefix(mark)) {
        bare = rest.trim_start();
    }
    let hashes = bare.trim_start_matches('#');
    if hashes.starts_with(' ') { hashes.trim_start().to_owned() } else { bare.to_owned() }
}

/// What finds a text.
fn pattern(text: &str) -> String {
    let word = |word: &str| {
        let quoted = serde_json::Value::from(word).to_string();
        let json = &quoted[1..quoted.len() - 1];
        let ascii: String = json
            .chars()
            .flat_map(|c| if c.is_ascii() { vec![c] } else { escaped(c).chars().collect() })
            .collect();
        let mut ways = vec![word, json, &ascii];
        ways.dedup();
        let ways: Vec<String> = ways.into_iter().map(regex::escape).collect();
        if let [only] = ways.as_slice() { only.clone() } else { format!("(?:{})", ways.join("|")) }
    };
    let words: Vec<String> = text.split(' ').map(word).collect();
    words.join(r"(?:\s|\\[nrt])+")
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
        assert_eq!(wording("- ## > Ana bakes").texts(), ["> Ana bakes"]);
        assert_eq!(wording("  * Ana\nbakes ").texts(), ["Ana bakes"]);
    }

    #[test]
    fn a_tombstone_knows_the_words_and_not_what_stands_around_them() {
        let stones = |text: &str, salt: u8| wording(text).stones(&[salt; 32]);
        assert_eq!(stones("- Ana bakes, rye!", 1), stones("ana  BAKES rye", 1));
        assert_ne!(stones("ana bakes rye", 1)[0].hash, stones("ana bakes rye", 2)[0].hash, "another home");
    }

    proptest! {
        #[test]
        fn nothing_is_left_whatever_stands_around(
            text in r"[a-zäß0-9]{4,8}( [a-z.,!?*\\]{1,5}){0,3}",
            before in r"(\PC|\n){0,20}",
            behind in r"(\PC|\n){0,20}",
        ) {
            let wording = wording(&text);
            let stood = format!("{before}{text}{behind}");
            prop_assert!(wording.stands_in(stood.as_bytes()));
            let lines = wording.without_lines(stood.as_bytes(), b"").expect("stood");
            prop_assert!(lines.len() < stood.len());
        }
    }
}
