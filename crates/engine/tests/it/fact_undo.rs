//! The last change of a fact is undone.

use inwit_engine::facts::{FactEdit, FactFilter, NewFact};
use inwit_model::Scope;
use jiff::SignedDuration;

use crate::facts::{agent_untainted, new, owner, person_world};

/// Each undo takes the next older change, of any fact, and passes over what was undone before.
#[test]
fn changes_of_facts_are_undone_one_after_another() {
    let world = person_world();
    let facts = &world.agent.facts;
    let shown = || {
        let all = facts.facts(&Scope::Main, &FactFilter { limit: 9, ..FactFilter::default() }).expect("read");
        let mut all: Vec<String> = all.into_iter().map(|fact| fact.text.content).collect();
        all.sort();
        all
    };
    let undo = || {
        world.clock.pass(SignedDuration::from_secs(1));
        let plan = facts.plan_fact_undo().expect("planned")?;
        facts.undo_fact(&plan, &owner()).expect("undone");
        Some(plan.verb)
    };
    assert_eq!(undo(), None);
    let pass = || world.clock.pass(SignedDuration::from_secs(1));
    facts.fact_add(&new("lives in Porto"), &owner()).expect("kept");
    pass();
    facts.fact_add(&new("likes figs"), &owner()).expect("kept");
    pass();
    let edit = FactEdit { text: Some("lives in Lisbon"), ..FactEdit::default() };
    facts.fact_update("1", &edit, &owner()).expect("corrected");
    pass();
    facts.fact_forget("2", &owner()).expect("hidden");
    assert_eq!(shown(), ["lives in Lisbon"]);
    assert_eq!(undo().as_deref(), Some("fact_forget"));
    assert_eq!(shown(), ["likes figs", "lives in Lisbon"]);
    assert_eq!(undo().as_deref(), Some("fact_update"));
    assert_eq!(shown(), ["likes figs", "lives in Porto"]);
    assert_eq!(undo().as_deref(), Some("fact_add"));
    assert_eq!(undo().as_deref(), Some("fact_add"));
    assert_eq!(shown(), Vec::<String>::new());
    assert_eq!(undo(), None);
}

/// The owner says again what an agent said: undone, the fact is there as before, and not hidden.
#[test]
fn undoing_an_addition_of_a_fact_that_was_there_keeps_it() {
    let world = person_world();
    world.agent.facts.fact_add(&new("likes rye"), &agent_untainted()).expect("kept");
    world.clock.pass(SignedDuration::from_secs(1));
    let fact = NewFact { metadata: Some(r#"{"cm":190}"#.into()), ..new("likes rye") };
    world.agent.facts.fact_add(&fact, &owner()).expect("kept");
    world.clock.pass(SignedDuration::from_secs(1));
    let plan = world.agent.facts.plan_fact_undo().expect("planned").expect("a change");
    world.agent.facts.undo_fact(&plan, &owner()).expect("undone");
    let fact = world.agent.facts.fact("1").expect("a fact");
    assert_eq!((fact.forgotten, fact.text.metadata), (None, None));
}
