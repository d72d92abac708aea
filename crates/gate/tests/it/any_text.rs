//! Any text may come: nothing panics, places are places, and redaction is final.

use inwit_gate::secrets::{self, Tier};
use inwit_gate::{hidden, injection};
use proptest::prelude::*;

/// Beginnings, separators and odd characters that the scanners look at, in any order.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "sk-", "ghp_", "AKIA", "0x", "bc1", "eyJ", "://a:", "password = ", "password (", "**Token**",
            "user: ", "密码：", " / ", "| pw |\n", "curl -u ", "echo ", " | sudo -S ", "recovery codes\n",
            "<code>", "\"", "“", "reversed ", "00000000: 4142 4344", "aB3dE5gH7jK9mN1p",
            "-----BEGIN PRIVATE KEY-----", "Q~", "@", "+1 ", "[1,2,", "\\u00", "\\n", "&#x", "%F0", "%41",
            ";", "\n  ", "\r\n", "\u{200b}", "\u{ad}", "👩\u{200d}", "\u{e0061}", "🏴", "é", "e\u{301}",
            "字", "\u{fe0f}", "ｓｋ－", "abandon ", "4242 4242 ", "DE89 ", "1.2.3.4", "SSN ", "card ",
            "<!-- ", "ignore all ", "previous instructions", "=", "==", ".", "-", "_", "`",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9]{1,40}",
        "[0-9 -]{1,24}",
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn hits_are_ordered_pieces_of_the_text(text in text()) {
        let hits = secrets::scan(&text);
        for hit in &hits {
            prop_assert!(text.get(hit.span.clone()).is_some_and(|value| !value.is_empty()), "{:?}", hit);
        }
        for (at, hit) in hits.iter().enumerate() {
            for other in &hits[at + 1..] {
                prop_assert!(hit.span.start <= other.span.start, "{:?} {:?}", hit, other);
                prop_assert!(hit.class != other.class || hit.span.end <= other.span.start, "{:?} {:?}", hit, other);
            }
        }
        for hit in injection::scan(&text).into_iter().chain(injection::behavioural(&text)) {
            prop_assert!(text.get(hit.span.clone()).is_some_and(|phrase| !phrase.is_empty()), "{:?}", hit);
        }
    }

    #[test]
    fn what_is_redacted_once_is_redacted_for_good(text in text()) {
        for tier in [Tier::Tag, Tier::Quarantine] {
            let clean = secrets::redact(&text, tier);
            prop_assert!(secrets::scan(&clean).into_iter().all(|hit| hit.tier < tier), "{}", clean);
            prop_assert_eq!(secrets::redact(&clean, tier), clean);
        }
    }

    #[test]
    fn what_is_revealed_hides_nothing(text in text()) {
        let shown = hidden::reveal(&text);
        prop_assert!(hidden::scan(&shown).into_iter().all(|found| found.tier < Tier::Block), "{:?}", shown);
    }
}
