//! What an agent knows fits into one turn of a model, counted as the model gets it.

use std::sync::Arc;

use inwit_engine::Agent;
use inwit_model::Scope;
use inwit_model::hint::HINT_BYTES_MAX;
use inwit_testkit::{Shelf, cases, parts};
use inwit_wire::{KnowledgeV1, in_voice};
use proptest::prelude::*;

fn known(memory: &str) -> KnowledgeV1 {
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", memory);
    KnowledgeV1::from(&Agent::new(parts(shelf)).what_do_i_know(&Scope::Main, None, Some(50)))
}

/// As long as any interface says a hint.
const LONGEST: &str = match std::str::from_utf8(&[b'x'; HINT_BYTES_MAX]) {
    Ok(text) => text,
    Err(_) => panic!("letters"),
};

fn bytes(known: &KnowledgeV1) -> usize {
    in_voice(|_| LONGEST, || serde_json::to_string(known)).expect("JSON").len()
}

/// Proves N21, N24.
#[test]
fn the_cap_is_reached_and_not_passed() {
    // Twenty sections of which nineteen fit: the cap is no rough guess.
    let text: String = (10..30).map(|at| format!("## S{at}\n- {}\n", "x".repeat(270))).collect();
    let known = known(&text);
    assert!(known.truncated);
    assert!((6_144 - 330..=6_144).contains(&bytes(&known)), "{}", bytes(&known));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64, 256) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proves N21.
    #[test]
    fn no_memory_makes_the_answer_longer_than_its_cap_but_for_a_first_section(
        sections in prop::collection::vec(("[^\n]{0,40}", prop::collection::vec("[^\n]{0,300}", 0..14)), 0..20),
    ) {
        let section = |(heading, bullets): &(String, Vec<String>)| {
            let bullets: String = bullets.iter().map(|bullet| format!("- {bullet}\n")).collect();
            format!("## {heading}\n{bullets}")
        };
        let text: String = sections.iter().map(section).collect();
        let known = known(&text);
        prop_assert!(bytes(&known) <= 6_144 || known.sections.len() == 1, "{}", bytes(&known));
        prop_assert!(known.sections.iter().all(|section| section.bullets.len() <= 10));
        prop_assert_eq!(known.sections.is_empty(), sections.is_empty());
    }
}
