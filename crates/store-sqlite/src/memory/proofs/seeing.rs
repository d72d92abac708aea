//! Facts of which not all is shown: what is hidden is found by no question, whatever its form.

use inwit_gate::FactText;
use inwit_model::fact::When;
use inwit_store::memory::{Fact, FactFilter, Facts as _, Settling as _};

use super::{SqliteMemory, sql};

const HIDDEN: &str = "swordfish";

fn memory() -> SqliteMemory {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, content) in
        ["the mill opens at nine", "the mill code is swordfish kiwi", "the mill is old", "磨坊密码剑鱼"]
            .iter()
            .enumerate()
    {
        sql(
            &memory,
            &format!(
                "INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
                 VALUES ('fact', '{content}', 'user_manual', 'fact-01a20345-ff5d-7bbb-8447-8de3e5f63ce{number}', 1, 1, 1, {number} + 1, '')"
            ),
        );
    }
    memory
}

/// A fact without the hidden word.
fn shown(fact: &Fact) -> Option<FactText> {
    let content = fact.text.content.replace(HIDDEN, "[masked: code]").replace("剑鱼", "[masked: code]");
    (content != fact.text.content).then(|| FactText { content, ..fact.text.clone() })
}

fn asked(memory: &SqliteMemory, query: &str) -> Vec<i64> {
    let found = memory.search_facts_shown(query, &When::default(), 9, Some(&shown)).unwrap();
    found.facts.iter().map(|fact| fact.number).collect()
}

/// Yes and no, the order, and what is left out: none of them depends on the hidden word.
#[test]
fn what_is_not_shown_is_found_by_no_question() {
    let memory = memory();
    let whole = |query: &str| memory.search_facts(query, &When::default(), 9).unwrap().facts.len();
    for query in ["swordfish", "sword*", "content:swordfish", "\"is swordfish\"", "剑鱼", "剑", "wordfis"]
    {
        assert_eq!(whole(query), 1, "{query}");
        assert!(asked(&memory, query).is_empty(), "{query}");
    }
    // As if another word stood there, which nobody knows.
    for (with, without) in [
        ("mill swordfish", "mill haddock"),
        ("mill AND sword*", "mill AND hadd*"),
        ("mill NOT sword*", "mill NOT hadd*"),
        ("code NOT swordfish", "code NOT haddock"),
        ("old OR swordfish", "old OR haddock"),
        ("mill opens swordfish", "mill opens haddock"),
    ] {
        let (with_it, without_it) = (asked(&memory, with), asked(&memory, without));
        assert_eq!(with_it, without_it, "{with}");
    }
    assert_eq!(asked(&memory, "kiwi"), [2]);
    assert_eq!(asked(&memory, "mill NOT swordfish").len(), 3, "nobody learns that it is left out");
    assert_eq!(asked(&memory, "磨坊"), [4]);
}

/// Where more rows hold the common word than are ranked, a right word is answered as a wrong one, also when it is not
/// the only one.
#[test]
fn among_very_many_rows_a_right_word_is_answered_as_a_wrong_one() {
    let memory = memory();
    sql(
        &memory,
        "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1209)
         INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
         SELECT 'fact', 'the mill has sack ' || i || CASE WHEN i < 20 THEN ' of oats' ELSE '' END, 'user_manual',
                printf('fact-01a20345-ff5d-7bbb-8447-8de3e5f6%04d', i), 1, 1, 1, i, '' FROM n",
    );
    for others in ["mill", "the mill", "mill oats", "sack has mill oats opens", "unheard"] {
        let [right, wrong] = ["swordfish", "haddock"].map(|word| {
            let query = format!("{word} {others}");
            (asked(&memory, &query), asked(&memory, &query.replace(' ', " OR ")))
        });
        assert_eq!(right, wrong, "{others}");
        assert_eq!(right.0.is_empty(), others == "unheard", "{others}");
    }
    assert_eq!(asked(&memory, "kiwi mill"), [2], "by what is shown it answers");
}

/// Hidden rows that answer take no place of those that answer by what is shown.
#[test]
fn a_right_word_displaces_no_other_answer() {
    let memory = memory();
    sql(
        &memory,
        "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 39)
         INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
         SELECT 'fact', 'the mill has sack ' || i, 'user_manual',
                printf('fact-01a20345-ff5d-7bbb-8447-8de3e5f6%04d', i), 1, 1, 1, i, '' FROM n;
         UPDATE memories SET status = 'retired', retired_by = 1, retired_ms = 5 WHERE id <> 1",
    );
    let retired = |query: &str| -> Vec<i64> {
        let found = memory.search_retired(query, 9, Some(&shown)).unwrap();
        found.iter().map(|fact| fact.number).collect()
    };
    assert_eq!(retired("mill swordfish"), retired("mill haddock"));
    assert_eq!(retired("mill swordfish").len(), 9);
}

#[test]
fn retired_facts_answer_by_what_is_shown_of_them() {
    let memory = memory();
    sql(&memory, "UPDATE memories SET status = 'retired', retired_by = 1, retired_ms = 5 WHERE id = 2");
    let retired = |query: &str| memory.search_retired(query, 9, Some(&shown)).unwrap().len();
    assert_eq!((retired("swordfish"), retired("kiwi")), (0, 1));
    let first = memory.facts(&FactFilter { limit: 9, ..FactFilter::default() }).unwrap().pop().unwrap();
    let gave_way = memory.retired_for(&first.id).unwrap();
    assert_eq!(gave_way.iter().map(|fact| fact.number).collect::<Vec<_>>(), [2]);
}

#[test]
fn the_contents_of_facts_are_those_of_the_list_in_its_order() {
    let memory = memory();
    for (number, change) in [
        (1, "status = 'retired', retired_by = 3, retired_ms = 5"),
        (2, "deleted_at = '2026-03-08'"),
        (4, "changed = 9"),
    ] {
        let of =
            |list: Vec<Fact>| list.into_iter().map(|fact| (fact.id, fact.text.content)).collect::<Vec<_>>();
        let filter = FactFilter { limit: 9, ..FactFilter::default() };
        let contents = memory.contents(9).unwrap();
        assert_eq!(contents, of(memory.facts(&filter).unwrap()), "{number}");
        assert_eq!(memory.contents(1).unwrap(), contents[..1]);
        sql(&memory, &format!("UPDATE memories SET {change} WHERE id = {number}"));
    }
    let contents: Vec<String> = memory.contents(9).unwrap().into_iter().map(|(_, content)| content).collect();
    assert_eq!(contents, ["磨坊密码剑鱼", "the mill is old"]);
}
