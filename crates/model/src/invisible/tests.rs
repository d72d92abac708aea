//! Which characters are invisible, which are valid in context, and how they are shown.

use super::*;

fn kinds(text: &str) -> Vec<InvisibleKind> {
    scan(text).into_iter().map(|run| run.kind).collect()
}

#[test]
fn very_many_runs_end_in_one_that_reaches_to_the_last() {
    let text = "a\u{202e}".repeat(RUNS_MAX + 50) + "tail";
    let found = scan(&text);
    assert_eq!(found.len(), RUNS_MAX);
    assert_eq!(found[RUNS_MAX - 1].span.end, text.len() - "tail".len());
}

#[test]
fn the_table_is_that_of_unicode() {
    let class =
        regex::Regex::new(r"[\p{Default_Ignorable_Code_Point}\p{Cf}\x{2800}\x{1d159}]").expect("a class");
    // Prepended_Concatenation_Mark: drawn around the following digits.
    let drawn = [
        0x600..=0x605,
        0x6dd..=0x6dd,
        0x70f..=0x70f,
        0x890..=0x891,
        0x8e2..=0x8e2,
        0x110bd..=0x110bd,
        0x110cd..=0x110cd,
    ];
    for c in '\0'..=char::MAX {
        let point = u32::from(c);
        let expected = class.is_match(&c.to_string()) && !drawn.iter().any(|range| range.contains(&point));
        assert_eq!(is_invisible(c), expected, "U+{point:04X}");
    }
}

#[test]
fn each_kind_is_found_and_revealed() {
    use InvisibleKind::{Annotation, Bidi, Control, Joiner, Marks, Private, Selector, Tag, ZeroWidth};
    for (text, kind) in [
        ("a\u{e0049}b", Tag),
        ("a\u{202e}b", Bidi),
        ("a\u{2066}b", Bidi),
        ("a\u{200f}b", Bidi),
        ("a\u{200b}b", ZeroWidth),
        ("a\u{feff}b", ZeroWidth),
        ("a\u{3164}b", ZeroWidth),
        ("a\u{2800}b", ZeroWidth),
        ("a\u{1d159}b", ZeroWidth),
        ("a\u{1d173}b", ZeroWidth),
        ("a\u{1bca0}b", ZeroWidth),
        ("a\u{fff0}b", ZeroWidth),
        ("a\u{13430}b", ZeroWidth),
        ("a\u{e0800}b", ZeroWidth),
        ("a\u{200d}b", Joiner),
        ("a\u{fe0f}b", Selector),
        ("a\u{fff9}b", Annotation),
        ("a\u{1b}[2Jb", Control),
        ("a\u{9b}b", Control),
        ("a\rb", Control),
        ("a\u{2028}b", Control),
        ("a\u{e000}b", Private),
        ("a\u{fffe}b", Private),
        ("a\u{300}\u{301}\u{302}\u{303}\u{304}b", Marks),
    ] {
        assert_eq!(kinds(text), [kind], "{text:?}");
        let shown = reveal(text);
        assert!(shown.contains("⟦U+") && scan(&shown).is_empty(), "{shown:?}");
    }
}

#[test]
fn data_in_chains_of_selectors_and_tags_is_found() {
    let chain: String = (0..12).filter_map(|at| char::from_u32(0xe0100 + at)).collect();
    let text = format!("👍{chain}");
    assert_eq!(scan(&text), [InvisibleRun { span: 4..text.len(), kind: InvisibleKind::Selector }]);
    let tagged = |letters: &str| -> String {
        letters.bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect()
    };
    for letters in ["obey", "ignore", "usca"] {
        let text = format!("🏴{}\u{e007f}", tagged(letters));
        assert_eq!(kinds(&text), [InvisibleKind::Tag], "{letters} is no flag");
    }
    assert_eq!(
        kinds(&format!("👍{}\u{e007f}", tagged("gbeng"))),
        [InvisibleKind::Tag],
        "tags follow a flag only"
    );
    assert_eq!(kinds(&format!("🏴{}", tagged("gbeng"))), [InvisibleKind::Tag], "the tags of a flag end");
    assert_eq!(kinds("字\u{e0101}\u{e0102}"), [InvisibleKind::Selector]);
    assert_eq!(kinds("⚠\u{fe0f}\u{fe0f}"), [InvisibleKind::Selector]);
    assert_eq!(kinds("می\u{200c}\u{200c}\u{200c}خواهم"), [InvisibleKind::Joiner], "one joiner at a time");
}

/// Digits, `#` and `*` are emoji to Unicode, but only a keycap's frame makes a picture of them.
#[test]
fn a_digit_hides_no_selector_and_no_joiner() {
    for (text, found) in [
        ("1\u{fe0f}", "Selector"),
        ("#\u{fe0e} title", "Selector"),
        ("pin 4\u{200d}2\u{200d}7", "Joiner Joiner"),
        ("1\u{fe0f}\u{20e3}\u{200d}2\u{fe0f}\u{20e3}", "Joiner"),
        ("👍\u{200d}1", "Joiner"),
        ("*\u{200d}👍", "Joiner"),
        ("→\u{200d}…", "Joiner"),
        ("🇩\u{200d}🇪", "Joiner"),
    ] {
        let kinds: Vec<String> = kinds(text).iter().map(|kind| format!("{kind:?}")).collect();
        assert_eq!(kinds.join(" "), found, "{text:?}");
    }
}

#[test]
fn ordinary_writing_is_unchanged() {
    for text in [
        "\u{feff}# A file with a mark at its head\r\n",
        "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️ ☎︎ 1️⃣ #️⃣ *️⃣ 7⃣ 🇩🇪🇫🇷 🧑‍⚕️ 🐻‍❄️ ❤️‍🔥 👁️‍🗨️ ⚠️ ©️ ™️ ↔️",
        "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England",
        "می\u{200c}خواهم کتاب\u{200c}ها",
        "क्\u{200d}ष and ক্\u{200c}ষ and ශ්\u{200d}රී",
        "字\u{e0101} and 辻\u{fe00}",
        "naïve Ærø Łódź Straße déjà e\u{301} ệ",
        "Привет, мир; γειά σου; 日本語とカナ; 한국어; ไทย; עברית; العربية ۝١",
        "hy\u{ad}phen, 5 µm, ΔT, λx",
        "table │ box ─ tick ✓ arrow → dash — ‘quotes’ “more” … €",
    ] {
        assert_eq!(scan(text), [], "{text:?}");
        assert_eq!(reveal(text), text);
    }
}

#[test]
fn a_long_run_is_revealed_with_its_number() {
    assert_eq!(reveal(&"\0".repeat(1_000)), "⟦U+0000⟧⟦and 999 more⟧");
    assert_eq!(reveal("\u{200b}\u{200c}"), "⟦U+200B⟧⟦U+200C⟧");
    assert_eq!(reveal_line("\u{feff}a"), "⟦U+FEFF⟧a");
    assert_eq!(reveal_line("a\tb\r\n⚠️\u{202e}"), "a⟦U+0009⟧b⟦U+000D⟧⟦U+000A⟧⚠️⟦U+202E⟧");
}
