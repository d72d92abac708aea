//! Which spellings count as one text in an erasure, and which do not.

use inwit_recall::fold::fold as search_fold;
use inwit_store::memory::TombstoneSet;
use proptest::prelude::*;

use super::tests::wording;
use super::*;
use crate::core::forgotten::TombstoneMatcher;

/// Tombstones of `text`.
fn buried(text: &str) -> TombstoneMatcher {
    let salt = [7; 32];
    TombstoneMatcher::under(&TombstoneSet { salt, stones: wording(text).stones(&salt) })
}

/// Exactly this range is removed, and the tombstone matches it.
fn goes(named: &str, stood: &str) {
    let wording = wording(named);
    for (before, behind) in [("x ", " y"), ("０ｘ　", "　é y²"), ("e\u{301} **", "** ß")] {
        let text = format!("{before}{stood}{behind}");
        let left = wording.without(text.as_bytes()).unwrap_or_else(|| panic!("{named} in {text}"));
        assert_eq!(String::from_utf8_lossy(&left), format!("{before}{MARK}{behind}"), "{named} in {text}");
        assert!(buried(named).found_in(&text).is_some(), "the tombstone of {named} in {text}");
    }
    let line = format!("- {stood} \n- stays\n");
    assert_eq!(wording.without_lines(line.as_bytes(), b"").as_deref(), Some(b"- stays\n".as_slice()));
    let json = serde_json::json!({ "a": stood }).to_string();
    let escaped: String = stood.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    for json in [json, format!(r#"{{"a":"{escaped}"}}"#)] {
        let left = wording.without(json.as_bytes()).unwrap_or_else(|| panic!("{named} in {json}"));
        assert_eq!(left, format!(r#"{{"a":"{MARK}"}}"#).into_bytes(), "{json}");
    }
}

#[test]
fn spellings_of_one_text_go_with_it() {
    for spellings in [
        ["My PIN is 123456", "My PIN is １２３４５６", "ｍｙ　ＰＩＮ is 𝟏𝟐𝟑𝟒𝟓𝟔"],
        ["financial", "ﬁnancial", "ＦＩＮＡＮＣＩＡＬ"],
        ["Bergstraße", "BERGSTRASSE", "bergstraẞe"],
        ["istanbul kapısı", "İSTANBUL KAPISI", "i\u{307}stanbul kapisi"],
        ["バスガイド", "ﾊﾞｽｶﾞｲﾄﾞ", "ハ\u{3099}スカ\u{3099}イド"],
        ["AT&T 4711", "ＡＴ＆Ｔ ４７１１", "at＆t 47１1"],
    ] {
        for named in spellings {
            spellings.iter().for_each(|stood| goes(named, stood));
        }
    }
    let phone = wording("09012345678");
    let left = phone.without("電話は ０９０１２３４５６７８ です".as_bytes()).expect("stood");
    assert_eq!(String::from_utf8_lossy(&left), format!("電話は {MARK} です"));
    let long: String = (0..2_000).map(|number| format!("w{number} {}straße ", "-".repeat(15))).collect();
    let capitals = long.to_uppercase().replace('1', "１");
    assert!(Matcher::confirmed([long]).stands_in(capitals.as_bytes()), "one that no automaton holds");
}

/// Text with another meaning is kept, and so is part of a word.
#[test]
fn what_means_something_else_is_another_text() {
    for (named, other) in [
        ("it costs 102", "it costs 10²"),
        ("room 1234", "room ①②③④"),
        ("room 1234", "room 12₃₄"),
        ("part XII", "part Ⅻ"),
        ("cafe muller", "café müller"),
        ("Massen", "Maßena"),
        ("nance", "ﬁnance"),
        ("finan", "ﬁnance"),
        ("Bergs", "Bergß"),
        ("简体中文", "簡體中文"),
    ] {
        assert!(!wording(named).stands_in(other.as_bytes()), "{named} in {other}");
        assert!(!wording(other).stands_in(named.as_bytes()), "{other} in {named}");
        assert_eq!(buried(named).found_in(other), None, "{named} in {other}");
    }
}

/// Texts erased before normalisation existed are recognised by their old hash.
#[test]
fn a_text_that_was_hashed_in_its_own_letters_is_known_still() {
    use crate::core::forgotten::stone::stone_of;
    for stood in ["PIN １２３４５６", "Bergstraße", "İSTANBUL kapısı", "ﬁnancial ｶﾞ"] {
        let salt = [7; 32];
        let before: Vec<String> = crate::core::forgotten::words::words_at(stood)
            .iter()
            .map(|(word, _)| crate::core::forgotten::words::in_one_case(word))
            .collect();
        let stone = stone_of(&salt, &before);
        assert_ne!(wording(stood).stones(&salt), [stone], "it is hashed in another way now");
        let buried = TombstoneMatcher::under(&TombstoneSet { salt, stones: vec![stone] });
        assert_eq!(buried.found_in(&format!("x {stood} y")).as_deref(), Some(stood));
    }
}

/// Forms of a letter, the plain one first.
const WAYS: [&[&str]; 9] = [
    &["1", "１", "𝟏"],
    &["a", "ａ", "A", "Ａ"],
    &["fi", "ﬁ", "ＦＩ", "Fi"],
    &["ss", "ß", "SS", "ｓｓ", "ẞ", "ſs"],
    &["i", "ı", "İ", "I", "ｉ", "i\u{307}"],
    &["バ", "ﾊﾞ", "ハ\u{3099}"],
    &["é", "e\u{301}", "É"],
    &["가", "ﾡￂ", "\u{1100}\u{1161}"],
    &[" ", "\u{3000}", "\n"],
];

proptest! {
    /// For any two spellings that search treats as equal, erasing one erases the other, and its tombstone matches.
    #[test]
    fn what_the_search_takes_for_one_is_one_here(
        letters in prop::collection::vec((0..8_usize, any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 5..14),
        gap in 0..3_usize,
    ) {
        let written = |one: bool| -> String {
            let mut text = String::new();
            for (letter, first, second, blank) in &letters {
                let ways = WAYS[*letter];
                let way = if one { first } else { second };
                text.push_str(ways[way.index(ways.len())]);
                if *blank {
                    text.push_str(WAYS[8][if one { 0 } else { gap }]);
                }
            }
            text.trim().to_owned()
        };
        let (named, stood) = (written(true), written(false));
        let sought = |text: &str| search_fold(text).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assume!(!Matcher::is_too_short(&named));
        prop_assert_eq!(sought(&named), sought(&stood));
        let text = format!("é {stood} ²");
        let wording = wording(&named);
        let left = wording.without(text.as_bytes());
        prop_assert_eq!(
            left.map(|left| String::from_utf8_lossy(&left).into_owned()), Some(format!("é {MARK} ²")), "{:?} in {:?}", named, stood
        );
        prop_assert!(buried(&named).found_in(&text).is_some(), "the tombstone of {:?} in {:?}", named, stood);
        for place in wording.places(text.as_bytes()) {
            prop_assert!(text.get(place).is_some());
        }
    }
}
