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
