//! The order of answers: that of plain FTS5, and what is left of it where too many rows match.

use inwit_gate::{FactDeed, FactText};
use inwit_model::FactId;
use inwit_model::fact::{Category, When};
use inwit_store::memory::contract::{approved, at};
use inwit_store::memory::facts::{FACT_RANKED_ROWS_MAX, FactsFound};
use inwit_store::memory::{Facts as _, FoundBy};

use super::{SqliteMemory, sql};

fn add(memory: &SqliteMemory, number: u8, category: &str, content: &str) {
    let id = FactId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, 0xaa, number]);
    let text = FactText::new(Category::parse(category).unwrap(), content);
    memory.write_fact(&approved(None, FactDeed::Add(text)), &id, at(i64::from(number))).unwrap();
}

/// `count` more rows that say `content`, behind the memory's back, since so many writes take their time.
fn crowd(memory: &SqliteMemory, count: usize, content: &str) {
    sql(
        memory,
        &format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count})
             INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
             SELECT 'observation', replace('{content}', '$', n), 'user_manual', printf('fact-01900000-0000-7000-8000-%012d', (SELECT count(*) FROM memories) + n),
                    0, 0, 0, (SELECT count(*) FROM memories) + n, 'x' || n FROM n"
        ),
    );
}

fn asks(memory: &SqliteMemory, query: &str, limit: usize) -> FactsFound {
    memory.search_facts(query, &When::default(), limit).unwrap()
}

/// What SQLite itself answers: BM25, the last changed before others.
fn plain(memory: &SqliteMemory, expression: &str) -> Vec<i64> {
    let db = &memory.hold().db;
    let mut query = db
        .prepare(
            "SELECT m.id FROM memories_fts f JOIN memories m ON m.id = f.rowid WHERE memories_fts MATCH ?1
             ORDER BY bm25(memories_fts), m.changed DESC",
        )
        .unwrap();
    query.query_map([expression], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Tokens, phrases, AND, OR, NOT, a column, a prefix: each is answered as FTS5 answers it, in its order, which is not
/// that of time.
/// Proves M46.
#[test]
fn answers_stand_in_the_order_of_plain_bm25() {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, category, content) in [
        (1, "lesson", "slippage slippage slippage"),
        (2, "observation", "slippage is told in a long and winding statement about many other things"),
        (3, "reference", "table of paper and slip"),
        (4, "observation", "the slip of paper lies on the table beside slippage"),
        (5, "reference", "paper"),
        (6, "observation", "nothing of that"),
    ] {
        add(&memory, number, category, content);
    }
    for (query, count) in [
        ("slippage", 3),
        ("\"slip of paper\"", 1),
        ("paper AND slip", 2),
        ("paper slip", 2),
        ("slippage OR paper", 5),
        ("slip* NOT winding", 3),
        ("category:reference", 2),
        ("category:reference paper", 2),
    ] {
        let found = asks(&memory, query, 99);
        let numbers: Vec<i64> = found.facts.iter().map(|fact| fact.number).collect();
        assert_eq!(numbers, plain(&memory, query), "{query}");
        assert_eq!((found.by, found.is_part, numbers.len()), (FoundBy::Expression, false, count), "{query}");
    }
    assert_eq!(asks(&memory, "slippage", 9).facts[0].number, 1, "the oldest, since it says it most");
    let words = asks(&memory, "slippage, or paper?", 9).facts;
    let words: Vec<i64> = words.iter().map(|fact| fact.number).collect();
    assert_eq!(words, plain(&memory, "\"slippage\" OR \"or\" OR \"paper\""), "by its words");
}

/// What FTS5 understands is asked as it stands; what it does not, by its words in quotes; and what holds no word of the
/// full text, by its letters. Each step is taken where the one before it has nothing to say, and nowhere else.
///
/// Proves X46a.
#[test]
fn a_question_is_an_expression_then_its_words_then_its_letters() {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, content) in [
        (1, "rye bread"),
        (2, "rye NOT bread"),
        (3, "oats (rolled"),
        (4, "一条面包的记录"),
        (5, "100 % rye%"),
    ] {
        add(&memory, number, "observation", content);
    }
    for (query, numbers, by) in [
        ("rye NOT bread", vec![5], FoundBy::Expression),
        ("\"rye bread\"", vec![1], FoundBy::Expression),
        ("oat*", vec![3], FoundBy::Expression),
        // Errors of FTS5: an open bracket, an open quote, a column that there is none of.
        ("oats (rolled", vec![3], FoundBy::Words),
        ("\"oats", vec![3], FoundBy::Words),
        ("grain:oats", vec![3], FoundBy::Words),
        ("面包", vec![4], FoundBy::Letters),
        ("%%%", vec![], FoundBy::Letters),
        ("%", vec![5], FoundBy::Letters),
    ] {
        let found = asks(&memory, query, 9);
        let found_numbers: Vec<i64> = found.facts.iter().map(|fact| fact.number).collect();
        assert_eq!((found_numbers, found.by), (numbers, by), "{query}");
    }
}

/// A word of all rows says nothing: rows with a rarer word of the question are ranked, in the order and with the
/// scores of plain FTS5, and the answer says that it is a part.
#[test]
fn of_very_many_rows_those_with_rarer_words_are_ranked() {
    let memory = SqliteMemory::in_memory().unwrap();
    crowd(&memory, 300, "ana keeps zebra number $ with a mill");
    crowd(&memory, 20, "ana keeps zebra number $");
    crowd(&memory, FACT_RANKED_ROWS_MAX + 50, "ana keeps note $ of a mill that turns");
    let found = asks(&memory, "does ana keep a zebra, and a mill?", 500);
    assert!(found.is_part && found.by == FoundBy::Words);
    let numbers: Vec<i64> = found.facts.iter().map(|fact| fact.number).collect();
    let all = plain(&memory, "\"does\" OR \"ana\" OR \"keep\" OR \"a\" OR \"zebra\" OR \"and\" OR \"mill\"");
    assert_eq!(numbers, all[..320], "as far as it goes, it is the whole order");
    sql(&memory, "UPDATE memories SET deleted_ms = 0, deleted_at = '' WHERE content LIKE '%zebra%'");
    let found = asks(&memory, "does ana keep a zebra, and a mill?", 9);
    assert!(found.facts.len() == 9 && found.is_part, "the rarer words are forgotten, the others are not");
}

/// Where all words are common, the latest written that match are ranked. Forgotten rows take no place among them.
#[test]
fn of_very_many_rows_alike_the_latest_are_ranked() {
    let memory = SqliteMemory::in_memory().unwrap();
    crowd(&memory, FACT_RANKED_ROWS_MAX, "ana keeps note $");
    let whole = asks(&memory, "ana", 9);
    assert!(!whole.is_part, "just as many as are ranked");
    crowd(&memory, 30, "ana has a rather longer note, which is number $");
    let part = asks(&memory, "ana", FACT_RANKED_ROWS_MAX + 99);
    assert_eq!((part.is_part, part.facts.len()), (true, FACT_RANKED_ROWS_MAX));
    assert!(part.facts.iter().all(|fact| fact.number > 30), "the first thirty are not looked at");
    assert_eq!(asks(&memory, "ana?", 9).facts, part.facts[..9]);
    sql(&memory, "UPDATE memories SET deleted_ms = 0, deleted_at = '' WHERE id > 30 AND id <= 130");
    let rest = asks(&memory, "ana", FACT_RANKED_ROWS_MAX + 99);
    assert_eq!((rest.is_part, rest.facts.len()), (false, FACT_RANKED_ROWS_MAX - 70));
}

/// A question is an expression first; one that SQLite cannot read as such is looked up by its words in quotes, and one
/// whose words stand in no row by its letters.
/// Proves X46a.
#[test]
fn a_question_is_an_expression_then_words_then_letters() {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, content) in
        [(1, "O'Neill bakes rye"), (2, "spelt costs 50% more"), (3, "她喜欢面包"), (4, "rye and spelt")]
    {
        add(&memory, number, "observation", content);
    }
    let numbers = |found: &FactsFound| -> Vec<i64> {
        let mut numbers: Vec<i64> = found.facts.iter().map(|fact| fact.number).collect();
        numbers.sort_unstable();
        numbers
    };
    for (query, by, expected) in [
        ("rye AND spelt", FoundBy::Expression, vec![4]),
        ("rye NOT spelt", FoundBy::Expression, vec![1]),
        ("spe*", FoundBy::Expression, vec![2, 4]),
        // No expression: a quote that never closes, a bracket, a question as people ask it.
        ("who is O'Neill", FoundBy::Words, vec![1]),
        ("rye) OR", FoundBy::Words, vec![1, 4]),
        ("\"spelt", FoundBy::Words, vec![2, 4]),
        // No word of the full text: a script without blanks, and signs that mean themselves.
        ("面包", FoundBy::Letters, vec![3]),
        ("0%", FoundBy::Letters, vec![2]),
        ("_", FoundBy::Letters, vec![]),
    ] {
        let found = asks(&memory, query, 9);
        assert_eq!((found.by, numbers(&found)), (by, expected), "{query}");
    }
}

/// Where no blanks part words, the full text makes one word of a sentence: a question is looked up by pairs of letters,
/// and what an expression asks for by its letters.
/// Proves M46, X46a.
#[test]
fn questions_in_scripts_without_blanks_are_answered() {
    let memory = SqliteMemory::in_memory().unwrap();
    let said = ["安娜喜欢黑麦面包", "波在里斯本喝茶", "アナはパンが好き", "Ana likes rye", "安娜住在波尔图"];
    for (number, said) in (1..).zip(said) {
        add(&memory, number, "preference", said);
    }
    let found = |query: &str| -> Vec<i64> {
        let found = memory.search_facts(query, &When::default(), 9).unwrap();
        found.facts.iter().map(|fact| fact.number).collect()
    };
    for (query, first) in [
        ("安娜喜欢什么面包？", 1),
        ("谁喝茶", 2),
        ("アナは何が好きですか", 3),
        ("安娜住在哪里？", 5),
        ("面包", 1),
    ] {
        assert_eq!(found(query).first(), Some(&first), "{query}");
    }
    for (query, all) in [
        ("\"黑麦面包\"", vec![1]),
        ("黑麦 AND 面包", vec![1]),
        ("黑麦 AND 喝茶", vec![]),
        ("黑麦 OR 喝茶", vec![2, 1]),
        ("category:preference AND 面包", vec![1]),
        ("面*", vec![1]),
        ("面包 NOT 黑麦", vec![]),
    ] {
        assert_eq!(found(query), all, "{query}");
    }
}
