//! Letters that are looked up by the full text, held against all rows read one by one.

use inwit_model::fact::When;
use jiff::Timestamp;
use proptest::prelude::*;
use rusqlite::params;

use super::super::STANDING;
use super::super::find::Search;
use super::*;
use crate::memory::database::open_in_memory;

fn with(facts: &[String]) -> Connection {
    let db = open_in_memory().unwrap().db;
    for (number, content) in (1_i64..).zip(facts) {
        db.prepare_cached(
            "INSERT INTO memories (id, category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
             VALUES (?1, ?2, ?3, '', printf('fact-01900000-0000-7000-8000-%012d', ?1), 0, 0, 0, ?1 / 2, '')",
        )
        .unwrap()
        .execute(params![number, if number % 3 == 0 { "Lé-sson" } else { "note" }, content])
        .unwrap();
    }
    db
}

/// The numbers of the facts that hold one of `phrases`: by the full text, and by reading all rows.
fn both(db: &Connection, when: &When, phrases: &[String]) -> [Vec<(i64, String)>; 2] {
    let search = Search { db, when, state: STANDING, limit: 7, looked_at: 7, shown: None };
    [search.looked_up(phrases, 1), search.reading(phrases, 1)].map(|found| {
        let Ok(found) = found else { panic!("no answer") };
        found.into_iter().map(|found| (found.fact.number, found.fact.text.content)).collect()
    })
}

fn holders(db: &Connection, phrase: &str) -> Holders {
    let Ok(holders) = super::holders(db, Side::Now, &[phrase.to_owned()]) else { panic!("no answer") };
    holders
}

/// Letters, marks that join the one before, signs that part words, signs that mean something to LIKE or to FTS5, scripts
/// without blanks, letters that fold to others.
fn letter() -> impl Strategy<Value = char> {
    prop_oneof![
        8 => prop::sample::select(vec!['a', 'A', 'b', 'B', 'e', '0']),
        3 => prop::sample::select(vec![' ', '-', '.', '\'', '\n']),
        2 => prop::sample::select(vec!['é', 'É', 'e', '\u{301}', '\u{308}', 'ß', 'İ', 'ı', 'Σ', 'ς', 'σ', 'ﬁ', 'Ⅷ', 'K']),
        2 => prop::sample::select(vec!['面', '包', 'は', 'ก', '🥖', '\u{200d}', '\u{fffd}', '\u{a0}']),
        1 => prop::sample::select(vec!['%', '_', '\\', '"', '*', '(', '^', ':', '\t']),
        1 => any::<char>().prop_filter("SQLite ends a text there", |c| *c != '\0'),
    ]
}

fn text(chars: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    proptest::collection::vec(letter(), chars).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    /// Whatever is asked, in whatever texts, changed and gone ones too: what the full text leads to is what all rows
    /// hold, in the same order, now and before.
    #[test]
    fn letters_are_found_where_reading_every_row_finds_them(
        facts in proptest::collection::vec(text(0..24), 0..14),
        other in text(0..24),
        phrases in proptest::collection::vec(text(1..5), 1..4),
        cut in (0_usize..14, 0_usize..24, 1_usize..9),
    ) {
        let db = with(&facts);
        db.execute(
            "INSERT INTO memory_versions (memory_id, category, content, source, believed_from_ms, believed_to_ms, changed)
             SELECT id, category, content, '', 0, 9, NULL FROM memories WHERE id % 2 = 0", []).unwrap();
        db.execute("UPDATE memories SET content = ?1, believed_from_ms = 9 WHERE id % 2 = 0", [&other]).unwrap();
        db.execute("DELETE FROM memories WHERE id % 5 = 4", []).unwrap();
        // A piece of a text that is there is found more often than one that is made up.
        let (of, from, chars) = cut;
        let piece: String = facts.get(of).map_or(String::new(), |text| text.chars().skip(from).take(chars).collect());
        let mut all = phrases;
        all.extend(Some(piece).filter(|piece| !piece.is_empty()));
        let then = When { believed_at: Some(Timestamp::from_millisecond(5).unwrap()), ..When::default() };
        for when in [When::default(), then] {
            for phrase in &all {
                let [told, read] = both(&db, &when, std::slice::from_ref(phrase));
                prop_assert_eq!(told, read, "{:?}", phrase);
            }
            let [told, read] = both(&db, &when, &all);
            prop_assert_eq!(told, read, "{:?}", &all);
        }
    }
}

/// A full text of many pages in several parts: each piece of each text leads to it, and to few others.
#[test]
fn letters_are_found_on_every_page_of_the_full_text() {
    let facts: Vec<String> = (0..4_000)
        .map(|at: u64| format!("w{:x} und x{at}ende", at.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    let db = with(&facts);
    let pages: i64 = db
        .query_row("SELECT count(*) FROM memories_fts_data WHERE id >> 37 > 0", [], |row| row.get(0))
        .unwrap();
    assert!(pages > 20, "{pages}");
    for at in (0..4_000).step_by(61) {
        let phrase = facts[at][3..12].to_owned();
        assert!(matches!(holders(&db, &phrase), Holders::Matching(_)), "{phrase}");
        let [told, read] = both(&db, &When::default(), &[phrase]);
        assert!(told == read && told.contains(&(at as i64 + 1, facts[at].clone())));
    }
    assert!(matches!(holders(&db, "zzz"), Holders::None), "no word has these letters");
    assert!(
        matches!(holders(&db, "d x17"), Holders::Matching(_)),
        "the end of one word, the beginning of the next"
    );
    assert!(matches!(holders(&db, "x"), Holders::All), "too many words have it");
    assert!(matches!(holders(&db, "?!"), Holders::All), "no part of a word");
}

/// FTS5 keeps the beginning of a word of more than 32 KiB; the row is found by what stands behind it.
#[test]
fn the_end_of_a_word_without_end_is_found() {
    let long = format!("{}needle and more", "a".repeat(WORD_BYTES_MAX + 5));
    let db = with(&["short".to_owned(), long]);
    for phrase in ["needle", "dle and"] {
        assert!(matches!(holders(&db, phrase), Holders::Matching(_)), "{phrase}");
        let [told, read] = both(&db, &When::default(), &[phrase.to_owned()]);
        assert!(told == read && told.len() == 1, "{phrase}");
    }
}

/// Each character of the planes that Unicode has begun to fill: what the full text makes of it, it makes of that again. So a word that it holds can be
/// asked for.
#[test]
fn folding_twice_changes_nothing() {
    let planes = ('\u{1}'..='\u{3ffff}').chain('\u{e0000}'..='\u{effff}');
    let texts: Vec<String> = planes.map(|c| format!("x{c}y")).collect();
    let words = |texts: &[String]| -> Vec<String> {
        // Few texts of many words: each text is one commit.
        let texts: Vec<String> = texts.chunks(20_000).map(|texts| texts.join(" ")).collect();
        let Ok(pieces) = pieces(&texts) else { panic!("no answer") };
        pieces.into_iter().flat_map(|pieces| pieces.0).collect()
    };
    let once = words(&texts);
    assert!(once.len() > texts.len(), "a letter is of one word, a sign parts two");
    assert_eq!(once, words(&once));
}

/// A layout that is not known, or a page that is none: all rows are read, and no answer is lost.
#[test]
fn where_the_full_text_cannot_be_read_so_all_rows_are() {
    let db = with(&["rye bread".to_owned()]);
    assert!(matches!(holders(&db, "zzz"), Holders::None));
    assert!(words_of(&[0, 0, 0], &mut |_| {}).is_none(), "no page at all");
    assert!(words_of(&[0, 0, 0, 6, 9, b'0', 200], &mut |_| {}).is_none(), "a place behind the end");
    assert!(words_of(&[0, 0, 0, 6, 9, b'0', 4], &mut |_| {}).is_none(), "a word longer than its page");
    db.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false).unwrap();
    db.execute("UPDATE memories_fts_config SET v = 9 WHERE k = 'version'", []).unwrap();
    assert!(matches!(holders(&db, "zzz"), Holders::All));
}
