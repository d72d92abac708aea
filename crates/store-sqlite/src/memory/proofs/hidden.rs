//! What is forgotten, gave way to another fact, or is of another scope: no question that the program asks of itself shows
//! it, neither for vectors nor for settling nor to find what says the same.

use inwit_gate::FactDeed;
use inwit_model::fact::When;
use inwit_store::TextKey;
use inwit_store::memory::contract::at;
use inwit_store::memory::{EmbeddingState, Fact, FactEmbedded, FactVectors as _, Facts as _, Settling as _};

use super::knowing::{add, id, known, says, write, wrote};
use super::{SqliteMemory, sql};

/// Four facts that wait and have a vector; then the first is forgotten, the second gave way to the third, and the fourth
/// is of another scope.
fn memory() -> SqliteMemory {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, content) in [(1, "likes rye"), (2, "likes oats"), (3, "likes spelt"), (4, "likes millet")] {
        add(&memory, number, content, i64::from(number));
    }
    let embedded = |fact: inwit_store::memory::FactToEmbed| FactEmbedded {
        number: fact.number,
        changed: fact.changed,
        state: EmbeddingState::Embedded,
        key: Some(TextKey(fact.number.unsigned_abs())),
    };
    let all: Vec<_> = memory.facts_to_embed(i64::MIN, 9).unwrap().into_iter().map(embedded).collect();
    assert_eq!(all.len(), 4);
    memory.facts_embedded(&all).unwrap();
    sql(&memory, "UPDATE memories SET status = 'pending', source = 'agent_recorded'");
    let base = says("likes rye").sha256();
    write(&memory, Some(&id(1)), 9, 9, FactDeed::Forget { id: id(1), base });
    sql(
        &memory,
        "UPDATE memories SET status = 'retired', retired_by = 3, retired_ms = 1 WHERE id = 2;
         UPDATE memories SET scope_id = 'agent_other' WHERE id = 4",
    );
    memory
}

fn numbers(facts: &[Fact]) -> Vec<i64> {
    facts.iter().map(|fact| fact.number).collect()
}

#[test]
fn vectors_of_what_is_not_shown_answer_no_question() {
    let memory = memory();
    assert_eq!(memory.fact_keys().unwrap(), [(3, TextKey(3))]);
    assert_eq!(numbers(&memory.facts_numbered(&[1, 2, 3, 4], &When::default()).unwrap()), [3]);
    assert_eq!(memory.fact_count(9), Ok(1));
    // They are kept while the fact can be brought back, and no model is sent what is forgotten.
    assert_eq!(memory.kept_fact_keys().unwrap(), [1, 2, 3].map(TextKey));
    sql(&memory, "UPDATE memories SET embedding_state = 'pending'");
    let sent = memory.facts_to_embed(i64::MIN, 9).unwrap();
    assert_eq!(sent.iter().map(|fact| fact.number).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn what_is_not_shown_waits_for_no_pass_and_counts_in_none() {
    let memory = memory();
    assert_eq!(numbers(&memory.pending_facts(false, at(0), 9).unwrap()), [3]);
    assert_eq!((memory.pending_count(), memory.retired_count()), (Ok(1), Ok(1)));
    assert_eq!(numbers(&memory.retired_for(&id(3)).unwrap()), [2]);
    let base = says("likes oats").sha256();
    write(&memory, Some(&id(2)), 9, 9, FactDeed::Forget { id: id(2), base });
    assert_eq!((memory.pending_count(), memory.retired_count()), (Ok(1), Ok(0)));
    assert_eq!(numbers(&memory.retired_for(&id(3)).unwrap()), [0_i64; 0]);
}

/// The words of a fact that nobody is shown may be said again; those of one that is shown may not.
/// Proves X52.
#[test]
fn only_what_is_shown_says_something_already() {
    let memory = memory();
    for (number, content) in [(1, "likes rye"), (2, "likes oats"), (4, "likes millet")] {
        assert_eq!(memory.fact_saying(&says(content)), Ok(None), "{content}");
        assert_eq!(numbers(&memory.facts_worded(&says(content)).unwrap()), [0_i64; 0], "{content}");
        let again = write(&memory, None, number + 10, 20, FactDeed::Add(says(content)));
        assert_eq!(wrote(&again), Some(id(number + 10)), "{content}");
    }
    let again = write(&memory, None, 13, 20, FactDeed::Add(says("likes spelt")));
    assert_eq!(memory.fact_saying(&says("likes spelt")), Ok(Some(id(3))));
    // The owner says what a machine recorded, so it is the owner's: the same fact, and no other one.
    assert_eq!((wrote(&again), memory.fact_count(9)), (Some(id(3)), Ok(4)));
    assert_eq!(numbers(&memory.facts_worded(&says("Likes spelt!")).unwrap()), [3]);
    // What would say the same twice is not brought back.
    let back = write(&memory, Some(&id(1)), 9, 21, FactDeed::Restore { id: id(1) });
    assert_eq!(known(&back), Some(id(11)));
    assert!(memory.fact(&id(1)).unwrap().unwrap().forgotten.is_some());
}
