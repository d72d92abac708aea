//! What a promotion writes, and that it is never written twice.

use super::*;
use jiff::civil::date;
use proptest::prelude::*;

fn source(text: &str) -> Source {
    Source::parse(text).expect("a citation")
}

const FIGURES: Figures = Figures { score: 0.4249, hits: 5, days: 3 };

fn at() -> DreamHeading {
    DreamHeading::Moment("2026-04-23T03:00:59Z".parse().expect("a time"))
}

fn text(promotion: &Promotion) -> String {
    String::from_utf8(promotion.bytes.clone().expect("something to write")).expect("text")
}

/// Proves N10.
#[test]
fn a_dreamed_section_has_the_form_that_people_know() {
    let sources = [source("memory/2026-04-20.md#L3-L5"), source("notes/a--b.md#L7")];
    let bullets = [
        Bullet {
            text: "- Ada likes\nrye bread. <!-- trigger: rye -->",
            figures: Some(FIGURES),
            sources: &sources,
        },
        Bullet { text: "## Facts", figures: None, sources: &[] },
        Bullet { text: " - ", figures: None, sources: &[] },
    ];
    let made = promote(None, "MEMORY.md", at(), &bullets).expect("promoted");
    assert_eq!(
        text(&made),
        "# MEMORY.md\n\n## Dreamed 2026-04-23 03:00 UTC\n\n- Ada likes rye bread. _(score=0.42, hits=5, days=3)_ \
         <!-- source: memory/2026-04-20.md#L3-L5, notes/a--b.md#L7 -->\n- \\## Facts\n"
    );
    assert_eq!((made.written, made.blank), (vec![0, 1], vec![2]));
    let read = bullets_of(&made.bytes.expect("bytes"));
    assert_eq!(read[0].text, "Ada likes rye bread.");
    assert_eq!(read[0].figures, Some(Figures { score: 0.42, ..FIGURES }));
    assert_eq!(read[0].sources, sources);
    assert!(read.iter().all(|bullet| bullet.dreamed));
}

/// Proves X31.
#[test]
fn headings_of_both_engines_and_of_openclaw_are_one_kind_of_section() {
    let day = DreamHeading::Day(date(2026, 4, 23));
    assert_eq!(day.title(), "Dreamed 2026-04-23");
    assert_eq!(DreamHeading::parse(&day.title()), Some(day));
    let DreamHeading::Moment(minute) = DreamHeading::parse(&at().title()).expect("a heading") else {
        panic!("not a moment");
    };
    assert_eq!(minute.to_string(), "2026-04-23T03:00:00Z");
    assert_eq!(DreamHeading::parse("Promoted From Short-Term Memory (2026-04-23)"), Some(day));
    for other in ["Dreamed", "Dreamed of bread", "Dreamed 2026-02-30", "Facts", "Dreamed 2026-04-23 03:00"] {
        assert_eq!(DreamHeading::parse(other), None, "{other}");
    }
}

/// A sweep that was cut between the file and its ledger comes again, and finds what it wrote.
/// Proves N29f.
#[test]
fn a_second_attempt_writes_nothing_twice() {
    let sources = [source("memory/2026-04-20.md#L3-L5")];
    let one = Bullet { text: "Ada likes rye bread.", figures: Some(FIGURES), sources: &sources };
    let first = promote(Some(b"# M\r\n\r\n- old\r\n"), "MEMORY.md", at(), std::slice::from_ref(&one))
        .expect("promoted");
    let file = first.bytes.expect("bytes");
    let again = promote(Some(&file), "MEMORY.md", at(), &[one.clone(), one.clone()]).expect("promoted");
    assert_eq!((again.bytes, again.present), (None, vec![0, 1]));
    let reworded = String::from_utf8(file.clone()).expect("text").replace("Ada likes", "Ada loves");
    let kept =
        promote(Some(reworded.as_bytes()), "MEMORY.md", at(), std::slice::from_ref(&one)).expect("promoted");
    assert_eq!(kept.present, [0], "a person who rewords a fact keeps its source");
    assert!(present(&file, "* ada likes RYE bread", &[]));
    assert!(!present(&file, "Ada likes oats", &[source("memory/2026-04-20.md#L3")]));
    let twice = promote(None, "MEMORY.md", at(), &[one.clone(), one]).expect("promoted");
    assert_eq!((twice.written, twice.present), (vec![0], vec![1]));
}

#[test]
fn what_stood_there_what_is_blank_and_what_is_written_are_kept_apart() {
    let bullets = ["rye", "oats", " "].map(|text| Bullet { text, figures: None, sources: &[] });
    let made = promote(Some(b"- oats\n"), "MEMORY.md", at(), &bullets).expect("promoted");
    assert_eq!((made.written, made.present, made.blank), (vec![0], vec![1], vec![2]));
}

#[test]
fn bullets_of_openclaw_are_found_again() {
    let file = b"## Promoted From Short-Term Memory (2026-04-23)\n\n<!-- openclaw-memory-promotion:k -->\n- Rye. \
                 [score=0.800 signals=4 recalls=3 avg=0.9 source=memory/2026-04-20.md:3-5] <!-- importance: 5 -->\n- \
                 Oats. Source: memory/2026-04-21.md#L7-L8 <!-- trigger: oats -->\n";
    let read = bullets_of(file);
    assert_eq!((read[0].text.as_str(), read[1].text.as_str()), ("Rye.", "Oats."));
    assert_eq!(read[0].sources, [source("memory/2026-04-20.md#L3-L5")]);
    assert!(present(file, "other words", &[source("memory/2026-04-21.md#L7-L8")]));
}

/// Only the mark of the list item goes; a sign, a number and emphasis are words.
#[test]
fn a_bullet_loses_no_character_of_its_fact() {
    for (fact, line) in [
        ("**Decision:** rye", "- **Decision:** rye\n"),
        ("- **Decision:** rye", "- **Decision:** rye\n"),
        ("-5 °C outside", "- -5 °C outside\n"),
        ("* -5 °C outside", "- -5 °C outside\n"),
        ("+34 600 000 000", "- +34 600 000 000\n"),
        ("*so* it is", "- *so* it is\n"),
    ] {
        let bullet = [Bullet { text: fact, figures: None, sources: &[] }];
        let made = text(&promote(Some(b"# M\n"), "M.md", at(), &bullet).expect("promoted"));
        assert!(made.ends_with(&format!("\n\n{line}")), "{fact}: {made}");
    }
}

#[test]
fn a_fact_above_the_limit_is_left_out_whole_and_told() {
    let (fits, long) = ("é".repeat(BULLET_CHARS_MAX), "é".repeat(BULLET_CHARS_MAX + 1));
    let bullets = [&fits, &long].map(|text| Bullet { text, figures: None, sources: &[] });
    let made = promote(None, "MEMORY.md", at(), &bullets).expect("promoted");
    assert_eq!((&made.written, &made.long), (&vec![0], &vec![1]));
    assert!(text(&made).ends_with(&format!("- {fits}\n")));
}

#[test]
fn a_file_that_is_open_at_its_end_is_left_alone() {
    let bullet = [Bullet { text: "a", figures: None, sources: &[] }];
    let refused = promote(Some(b"# M\n\n```\nopen\n"), "MEMORY.md", at(), &bullet);
    assert_eq!(refused, Err(ComposeError::Swallowed));
    assert_eq!(promote(Some(b"\xFF\xFEa\0"), "MEMORY.md", at(), &bullet), Err(ComposeError::NotText));
}

proptest! {
    /// Proves I7.
    #[test]
    fn hostile_facts_are_one_bullet_each_and_bytes_before_stay(
        facts in prop::collection::vec(r"([-#=>`~*_|<!§\[\]:+. \t\r\n/0-9]|[a-c]|<!--|-->|```|_\(score=9\.99, hits=9, days=9\)_|Source: a\.md#L1|\PC){0,40}", 1..5),
        before in r"(# M|- a|> q|\r\n|\n| |text|## Dreamed 2026-01-01|§){0,8}",
    ) {
        let sources = [source("memory/2026-04-20.md#L3-L5")];
        let bullets: Vec<Bullet<'_>> = facts.iter().enumerate().map(|(n, text)| Bullet {
            text, figures: Some(FIGURES), sources: if n == 0 { &sources } else { &[] },
        }).collect();
        let made = promote(Some(before.as_bytes()), "MEMORY.md", at(), &bullets).expect("promoted");
        prop_assert_eq!(made.written.len() + made.present.len() + made.blank.len() + made.long.len(), facts.len());
        let Some(file) = &made.bytes else { return Ok(()) };
        prop_assert!(file.starts_with(before.as_bytes()));
        let (old, new) = (bullets_of(before.as_bytes()), bullets_of(file));
        prop_assert_eq!(new.len(), old.len() + made.written.len(), "{:?}", String::from_utf8_lossy(file));
        for (read, at) in new[old.len()..].iter().zip(&made.written) {
            prop_assert_eq!(read.figures, Some(Figures { score: 0.42, ..FIGURES }));
            prop_assert!(read.dreamed);
            prop_assert!(present(file, &facts[*at], &[]), "{:?}", facts[*at]);
        }
        let again = promote(Some(file), "MEMORY.md", super::tests::at(), &bullets).expect("promoted");
        prop_assert_eq!(again.bytes, None);
    }
}
