//! Files made to exhaust a reader: deep, wide, and full of things that are opened and never closed.
//!
//! Time is measured by benches, not here. What is held here: nothing overflows, no text is lost, and
//! nesting above the cap is said.

use inwit_markdown::limit::{NESTING_LEVELS_MAX, PASSAGE_CHARS_MAX};
use inwit_markdown::{DiagnosticKind, Entry, Passage, PassageKind, parse};

/// Whether a diagnostic speaks of over-deep lines, and how many letters the passages hold.
fn read(text: &str) -> (bool, usize) {
    let document = parse(text.as_bytes());
    let deep = document.diagnostics.iter().any(|found| matches!(found.kind, DiagnosticKind::TooDeep { .. }));
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count();
    for passage in &document.passages {
        assert!(document.text(&passage.span).chars().count() <= PASSAGE_CHARS_MAX);
    }
    (deep, document.passages.iter().map(|passage| letters(&document.text(&passage.span))).sum())
}

#[test]
fn a_hundred_thousand_markers_are_plain_text() {
    for (marker, deep) in
        [(">", true), ("> ", true), ("- ", true), ("1. ", true), ("[", false), ("*", false), ("(", false)]
    {
        let text = marker.repeat(100_000) + "a";
        let letters = text.chars().filter(|letter| *letter != ' ').count();
        assert_eq!(read(&text), (deep, letters), "{marker}");
    }
}

#[test]
fn emphasis_links_and_brackets_nest_without_end() {
    let nested = |open: &str, close: &str| open.repeat(20_000) + "a" + &close.repeat(20_000);
    for (open, close) in [
        ("*a ", " b*"),
        ("**a", "b**"),
        ("[", "]"),
        ("[a](", ")"),
        ("![", "](b)"),
        ("[[", "]]"),
        ("~~a", "b~~"),
    ] {
        let text = nested(open, close);
        assert_eq!(read(&text), (false, text.chars().filter(|letter| *letter != ' ').count()), "{open}");
    }
}

/// Each takes memory for every third byte of a file of `a` with blank lines between: 8 MiB of it took 437 MB.
#[test]
fn an_entry_and_its_passage_take_at_most_thirty_five_times_their_three_bytes() {
    let text = "a\n\n".repeat(1_000);
    assert_eq!(parse(text.as_bytes()).passages.len(), 1_000);
    assert!(size_of::<Entry>() + size_of::<Passage>() <= 35 * 3);
}

#[test]
fn a_list_below_the_cap_stays_one_entry() {
    let lines = |levels: usize| (0..levels).map(|level| "  ".repeat(level) + "- a\n").collect::<String>();
    let shallow = lines(NESTING_LEVELS_MAX);
    assert_eq!(parse(shallow.as_bytes()).entries.len(), 1);
    assert!(!read(&shallow).0);
    let deep = lines(400);
    assert_eq!(read(&deep), (true, 800));
}

#[test]
fn many_rows_and_many_headings_are_read() {
    let table = "| a |\n|---|\n".to_owned() + &"| 1 |\n".repeat(50_000);
    let document = parse(table.as_bytes());
    assert_eq!((document.entries.len(), document.entries[0].kind), (1, PassageKind::Table));
    assert_eq!(parse("#\n".repeat(50_000).as_bytes()).sections.len(), 50_001);
    assert_eq!(parse("# ".repeat(50_000).as_bytes()).sections.len(), 2);
}

#[test]
fn what_is_never_closed_is_still_read() {
    for unit in [
        "<!-- ", "a <!-- ", "`a ``b ", "[a](", "![", "[[a|", "<a b='", "*a_ ", "```\n", "~~~ x\n", "|a|\n",
        "§a\n", "\0",
    ] {
        let text = unit.repeat(5_000) + "\nend";
        assert_eq!(read(&text).1, text.chars().filter(|letter| !letter.is_whitespace()).count(), "{unit}");
    }
}

#[test]
fn a_title_that_is_never_closed_hides_nothing() {
    let text = "[ '](".repeat(2_000) + &"a\n]".repeat(2_000);
    assert_eq!(read(&text).1, text.chars().filter(|letter| !letter.is_whitespace()).count());
    let titled = "[a](b 'c') [d](e (f)) ".to_owned() + &"g\n".repeat(9_000);
    assert_eq!(parse(titled.as_bytes()).links.len(), 2);
}

#[test]
fn a_section_sign_beside_an_odd_blank_is_text() {
    let document = parse("\u{a0}§\n[a]: b\n".as_bytes());
    assert_eq!((document.entries.len(), document.gaps.len()), (1, 0));
}
