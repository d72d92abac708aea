//! Recognises erased texts by salted hashes.
//!
//! A text of n words is compared with every run of n words (`stone`), so it is found inside longer sentences too, in
//! any case and markup. Invariant: the checked text is never stored or returned elsewhere.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use inwit_gate::{Check, Finding, Weight};
use inwit_model::Code;
use inwit_store::memory::{Memory, Tombstone, TombstoneSet};

use super::marks::bare;
use super::stone::standing;
use super::usual;
use super::words::{EARLIER_CASES, in_one_case, one_line, words_at};
use super::{MARK, Matcher};
use crate::core::inert::CUT;
use crate::{Core, EngineError};

/// The class of an erased text that a past state still has.
pub(crate) const FORGOTTEN: &str = "forgotten";

/// The tombstones of a home, prepared for matching.
#[derive(Debug)]
pub struct TombstoneMatcher {
    salt: [u8; 32],
    pub(crate) stones: BTreeSet<Tombstone>,
}

impl TombstoneMatcher {
    /// Those of `memory`; `None` if nothing was ever erased.
    pub fn of(memory: &dyn Memory) -> Result<Option<Self>, EngineError> {
        let stones = memory.tombstones()?;
        if stones.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self::under(&TombstoneSet { salt: memory.salt()?, stones })))
    }

    /// Tombstones of one salt.
    pub fn under(grave: &TombstoneSet) -> Self {
        Self { salt: grave.salt, stones: grave.stones.iter().copied().collect() }
    }

    /// Every erased text in `bytes`, as written there.
    pub(crate) fn written_in(&self, bytes: &[u8]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        // Line ends in JSON are not letters.
        let text = String::from_utf8_lossy(bytes);
        let text = [r"\n", r"\r", r"\t"].iter().fold(text.into_owned(), |text, end| text.replace(end, " "));
        self.each_in(&text, &mut |_, words| {
            found.insert(one_line(words));
        });
        found
    }

    /// The words of the first erased text in `text`.
    pub fn found_in(&self, text: &str) -> Option<String> {
        let mut first = None;
        self.each_in(text, &mut |_, words| {
            first.get_or_insert_with(|| words.to_owned());
        });
        first
    }

    /// `text` with [`MARK`] for every erased text; `None` if there is none.
    pub fn without(&self, text: &str) -> Option<String> {
        let found = self.written_in(text.as_bytes());
        if found.is_empty() {
            return None;
        }
        let left = Matcher::confirmed(found).without(text.as_bytes());
        Some(left.map_or_else(|| MARK.to_owned(), |left| String::from_utf8_lossy(&left).into_owned()))
    }

    /// Every erased text in `bytes`, as findings that are masked, in order.
    pub(crate) fn findings_in(&self, bytes: &[u8]) -> Vec<Finding> {
        let found = self.written_in(bytes);
        if found.is_empty() {
            return Vec::new();
        }
        let (mut line, mut counted) = (1, 0);
        let places = Matcher::confirmed(found).places(bytes).into_iter();
        let finding = places.map(|span| {
            line += bytes[counted..span.start].iter().filter(|byte| **byte == b'\n').count();
            counted = span.start;
            Finding { check: Check::Secret, weight: Weight::Stop, class: FORGOTTEN.to_owned(), span, line }
        });
        finding.collect()
    }

    /// Calls `show` for every erased text in `text`: with its tombstone, as displayed and as written.
    pub(crate) fn each_in(&self, text: &str, show: &mut dyn FnMut(Tombstone, &str)) {
        let seen = bare(text);
        let written = Some(text).filter(|text| *text != seen);
        for text in [seen.as_str()].into_iter().chain(written) {
            // Older tombstones use the letters as written.
            let words = words_at(text);
            in_every_case(&words).iter().for_each(|told| self.each_of(told, &words, text, show));
            if let Some(view) = usual::view(text.as_bytes()) {
                let mut words = words_at(&view.text());
                words.iter_mut().for_each(|(_, place)| *place = view.stands(place));
                let told: Vec<String> = words.iter().map(|(word, _)| in_one_case(word)).collect();
                self.each_of(&told, &words, text, show);
            }
            if text.contains(CUT) {
                let words = words_and_ellipses_at(text);
                let told: Vec<String> = words.iter().map(|(word, _)| in_one_case(word)).collect();
                self.each_of(&told, &words, text, show);
            }
        }
    }

    /// Reports erased texts in `words`, which come from `text`, as `told`.
    fn each_of(
        &self,
        told: &[String],
        words: &[(String, Range<usize>)],
        text: &str,
        show: &mut dyn FnMut(Tombstone, &str),
    ) {
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        for (stone, Range { start, end }) in standing(&self.salt, &self.stones, &told) {
            show(stone, &text[words[start].1.start..words[end - 1].1.end]);
        }
    }

    /// Whether `after` contains an erased text that `before` does not.
    fn comes_back(&self, before: &[u8], after: &[u8]) -> bool {
        let stones = |bytes: &[u8]| -> BTreeSet<Tombstone> {
            let mut stones = BTreeSet::new();
            self.each_in(&String::from_utf8_lossy(bytes), &mut |stone, _| {
                stones.insert(stone);
            });
            stones
        };
        let after = stones(after);
        !after.is_empty() && !after.is_subset(&stones(before))
    }
}

/// The normalised words of a text, with its ellipses as words: cut copies are recognised by theirs.
fn words_and_ellipses_at(text: &str) -> Vec<(String, Range<usize>)> {
    let view = usual::view(text.as_bytes());
    let read = view.as_ref().map_or_else(|| Cow::Borrowed(text), |view| Cow::Owned(view.text()));
    let mut words = words_at(&read);
    words.extend(read.match_indices(CUT).map(|(at, cut)| (cut.to_owned(), at..at + cut.len())));
    words.sort_by_key(|(_, place)| place.start);
    if let Some(view) = view {
        words.iter_mut().for_each(|(_, place)| *place = view.stands(place));
    }
    words
}

/// Words in the case of current tombstones and, if different, in that of older ones.
fn in_every_case(words: &[(String, Range<usize>)]) -> Vec<Vec<String>> {
    let all = |case: fn(&str) -> String| words.iter().map(|(word, _)| case(word)).collect::<Vec<_>>();
    let mut cases = vec![all(in_one_case)];
    for case in EARLIER_CASES {
        let told = all(case);
        if !cases.contains(&told) {
            cases.push(told);
        }
    }
    cases
}

impl Core {
    /// Whether `after` contains a text that the owner erased and `before` does not.
    pub(crate) fn brings_back(&self, before: Option<&[u8]>, after: &[u8]) -> Result<bool, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(false) };
        let buried = TombstoneMatcher::of(memory.as_ref())?;
        Ok(buried.is_some_and(|buried| buried.comes_back(before.unwrap_or_default(), after)))
    }

    /// The texts that the owner erased; `None` if nothing was ever erased. Errors: those of memory.db.
    pub fn erased_texts(&self) -> Result<Option<TombstoneMatcher>, EngineError> {
        self.memory_if_made()?.map_or(Ok(None), |memory| TombstoneMatcher::of(memory.as_ref()))
    }

    /// `text` with `[forgotten]` in place of what the owner erased. Errors: those of memory.db.
    pub(crate) fn without_erased(&self, text: &str) -> Result<String, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(text.to_owned()) };
        let buried = TombstoneMatcher::of(memory.as_ref())?;
        Ok(buried.and_then(|buried| buried.without(text)).unwrap_or_else(|| text.to_owned()))
    }

    /// Refuses to bring back, as `after`, what the owner forgot for good and `before` does not hold. Error:
    /// `forgotten_text`.
    pub(crate) fn stays_forgotten(
        &self,
        memory: &dyn Memory,
        before: Option<&[u8]>,
        after: &[u8],
    ) -> Result<(), EngineError> {
        let Some(buried) = TombstoneMatcher::of(memory)? else { return Ok(()) };
        if buried.comes_back(before.unwrap_or_default(), after) {
            let message = "It contains words that were erased, so it was not restored.";
            return Err(EngineError::new(Code::ForgottenText, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::stone::stone_of;
    use super::super::words::words;
    use super::*;

    /// A text with other quotes, dashes and punctuation.
    fn rewritten(text: &str, ways: &[usize]) -> String {
        let mut ways = ways.iter().cycle();
        let mut sign = |c: char| {
            let all: &[&str] = match c {
                '\'' => &["'", "\u{2018}", "\u{2019}", r"\'"],
                '-' => &["-", "\u{2010}", "\u{2011}", "\u{2013}", r"\-"],
                '.' => &[".", r"\."],
                'σ' => &["σ", "ς", "Σ"],
                's' => &["s", "ſ", "S"],
                'μ' => &["μ", "µ", "Μ"],
                '"' => &["\"", "\u{201c}", "\u{201d}", "\\\""],
                _ => return c.to_string(),
            };
            ways.next().map_or_else(String::new, |way| all[way % all.len()].to_owned())
        };
        text.chars().map(&mut sign).collect()
    }

    proptest! {
        /// Directly after an `--apply`, `--again` must find nothing, in any form of quotes, dashes and punctuation.
        #[test]
        fn a_deed_leaves_nothing_that_its_own_tombstones_find(
            text in prop::sample::select(vec![
                "Ana's pier forty-two", "the \"blue-green\" door.", "o'Brien-o'Hara", "co-op. 4-7", "'tis a re-do",
                "ο παυλοσ μενει", "missis's μμ scale",
            ]),
            named in prop::collection::vec(0..20_usize, 8),
            kept in prop::collection::vec(prop::collection::vec(0..20_usize, 8), 1..5),
        ) {
            let wording = Matcher::of([rewritten(text, &named)]).expect("a wording");
            let salt = [7; 32];
            let buried = TombstoneMatcher::under(&TombstoneSet { salt, stones: wording.stones(&salt) });
            for ways in &kept {
                let line = format!("- x {} y\n- stays\n", rewritten(text, ways));
                let json = serde_json::json!({ "text": line }).to_string();
                prop_assert!(!buried.written_in(line.as_bytes()).is_empty(), "the tombstones know {:?}", line);
                let left = wording.without_lines(line.as_bytes(), b"");
                prop_assert_eq!(left.as_deref(), Some(b"- stays\n".as_slice()), "{:?}", line);
                let left = wording.without(json.as_bytes()).unwrap_or_default();
                prop_assert!(serde_json::from_slice::<serde_json::Value>(&left).is_ok(), "JSON of {:?}", line);
                prop_assert!(buried.written_in(&left).is_empty(), "{:?}", line);
            }
        }
    }

    /// A text confirmed by a tombstone is erased, however short its composed form and whatever it contains.
    #[test]
    fn what_a_tombstone_confirmed_is_under_no_limit_of_what_is_named() {
        let salt = [7; 32];
        let stones = ["\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "pier forty"];
        let stones = stones.iter().map(|text| stone_of(&salt, &words(text))).collect();
        let buried = TombstoneMatcher::under(&TombstoneSet { salt, stones });
        for between in
            [" ".repeat(5_000), "-".repeat(200_000), " .".repeat(100_000), "\u{200b} ".repeat(5_000)]
        {
            let text = format!("- a 한글 b\n- Ana's pier{between}FORTY, so\n- stays\n");
            let wording = Matcher::confirmed(buried.written_in(text.as_bytes()));
            assert_eq!(wording.without_lines(text.as_bytes(), b"").expect("stood"), b"- stays\n");
        }
        assert!(Matcher::of(["\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}".to_owned()]).is_err());
        assert!(Matcher::of([format!("pier{}forty", " ".repeat(5_000))]).is_ok());
    }

    /// A text too large for an automaton is searched by its words, in JSON too.
    #[test]
    fn what_a_tombstone_confirmed_goes_however_large_its_pattern_is() {
        let salt = [7; 32];
        let named: Vec<String> = (0..1_000).map(|number| format!("w{}", number % 7)).collect();
        let stones = vec![stone_of(&salt, &words(&named.join(" ")))];
        let buried = TombstoneMatcher::under(&TombstoneSet { salt, stones });
        let stood = named.join(&format!(" {}", "-".repeat(15)));
        for line in [format!("- a {stood} b\n"), format!("- A {} B\n", stood.to_uppercase())] {
            let text = format!("- before w1\n{line}- stays w1 w2\n");
            let wording = Matcher::confirmed(buried.written_in(text.as_bytes()));
            let left = wording.without_lines(text.as_bytes(), b"").expect("stood");
            assert_eq!(left, b"- before w1\n- stays w1 w2\n");
            let json = serde_json::json!({ "a": text.replace("w1 -", "w1\n-"), "b": "\u{e9}" }).to_string();
            let bytes = [b"\xff".as_slice(), json.as_bytes()].concat();
            let left = wording.without(&bytes).expect("stood in JSON");
            assert!(
                !wording.stands_in(&left) && left.starts_with(b"\xff{"),
                "bytes that are no text are passed over"
            );
            let read: serde_json::Value = serde_json::from_slice(&left[1..]).expect("it is JSON still");
            let told = read["a"].as_str().expect("a text").to_lowercase();
            assert_eq!(told, "- before w1\n- a … b\n- stays w1 w2\n", "a dash is part of no mark");
        }
    }

    /// Texts erased before case folding was introduced are recognised in their hashed case.
    #[test]
    fn a_text_that_was_hashed_in_another_case_is_known_still() {
        let salt = [7; 32];
        for (hashed, stood) in [
            ("ο παυλος", "Ο παυλος"),
            ("ο παυλος", "Ο ΠΑΥΛΟΣ"),
            ("οσ παυλος", "ΟΣ παυλος"),
            ("ο παυλοσ", "Ο Παυλος"),
        ] {
            let words: Vec<String> = hashed.split(' ').map(str::to_owned).collect();
            let buried =
                TombstoneMatcher::under(&TombstoneSet { salt, stones: vec![stone_of(&salt, &words)] });
            assert_eq!(buried.found_in(stood).as_deref(), Some(stood), "{hashed}");
        }
    }

    /// Regression: a tombstone of the whole text did not match cut copies, so a backup restored them.
    #[test]
    fn a_copy_that_was_cut_short_is_known_by_its_own_tombstone() {
        let text = "Peter Kranz owes the bank 40 thousand. He told nobody but Rosa. She keeps the letters.";
        let log = "- ana: PETER **Kranz** owes ⏎ the bank 40 thous… and so on\n- stays\n";
        let wording = Matcher::of([text.to_owned()]).expect("a wording");
        let wording = wording.clone().with_copies(&wording.cut_copies_in(log.as_bytes()));
        let salt = [7; 32];
        let buried = TombstoneMatcher::under(&TombstoneSet { salt, stones: wording.stones(&salt) });
        for stood in [
            log,
            "- so: Peter Kranz owes the bank 40 thous…\n- stays\n",
            "- peter kranz, owes the bank __40__ thous …\n- stays\n",
        ] {
            let found = buried.written_in(stood.as_bytes());
            assert!(!found.is_empty(), "{stood}");
            let again = Matcher::confirmed(found);
            assert_eq!(again.without_lines(stood.as_bytes(), b"").as_deref(), Some(b"- stays\n".as_slice()));
            assert!(again.stones(&salt).iter().all(|stone| buried.stones.contains(stone)), "{stood}");
            assert!(buried.comes_back(b"", stood.as_bytes()));
        }
        let json = serde_json::json!({ "log": log }).to_string().replace('…', "\\u2026");
        assert!(!buried.written_in(json.as_bytes()).is_empty(), "{json}");
        for other in [
            "Peter Kranz owes the bank 40 thous", "Peter Kranz owes the bank 40 …",
            "Kranz owes the bank 40 thous…",
        ] {
            assert!(buried.written_in(other.as_bytes()).is_empty(), "{other}");
        }
        let other =
            Matcher::of(["Rosa Lindt is ill, and nobody may know of it".to_owned()]).expect("a wording");
        assert_eq!(
            other.with_copies(&wording.cut_copies_in(log.as_bytes())).stones(&salt).len(),
            1,
            "copies of another text"
        );
    }

    #[test]
    fn one_text_that_stands_there_lets_no_other_one_back() {
        let salt = [7; 32];
        let stones: BTreeSet<Tombstone> =
            ["rye bread", "pier forty-two"].iter().map(|text| stone_of(&salt, &words(text))).collect();
        let buried = TombstoneMatcher::under(&TombstoneSet { salt, stones: stones.into_iter().collect() });
        assert!(buried.comes_back(b"", b"Ana bakes rye bread"));
        assert!(!buried.comes_back(b"rye bread", b"RYE bread, again"));
        assert!(buried.comes_back(b"rye bread", b"rye bread at pier forty two"));
        for seen in [
            "pier f&#111;rty-two", "pier fort&shy;y&nbsp;two", "pier [for](x)**ty** two",
            "pier for**ty** two",
        ] {
            assert!(buried.comes_back(b"", seen.as_bytes()), "{seen}");
            assert!(buried.found_in(seen).is_some(), "{seen}");
        }
        let written = |text: &str| Vec::from_iter(buried.written_in(text.as_bytes()));
        assert_eq!(written("at PIER, forty\u{ad}-two!"), ["PIER, forty-two", "PIER, forty\u{ad}-two"]);
        assert_eq!(written(r#"{"a":"x\npier forty-two"}"#), ["pier forty-two"]);
        assert_eq!(written("**rye** [bread](x)")[0], "rye bread");
    }
}
