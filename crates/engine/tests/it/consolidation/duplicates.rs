//! Facts of the same words: which one stays.

use inwit_engine::facts::{FactFilter, NewFact};
use inwit_engine::{Part, WriteContext};
use inwit_gate::Author;
use inwit_model::fact::When;
use inwit_model::{Consolidation, FactStatus, Scope, SettlementDecision};
use inwit_testkit::owner;

use super::{agent, decisions, found, keeps, keeps_since, listed, pass, person_world, status};

/// The first recorded first; of the same words the older stays, the newer is kept as a retired row, no model asked.
/// Proves M41, M44, M45.
#[test]
fn of_the_same_words_the_older_statement_stays() {
    let world = person_world();
    let first = keeps(&world, "likes rye bread", &agent());
    let other = keeps(&world, "owns a mill", &agent());
    let later = keeps(&world, "Likes rye bread!", &agent());
    let last = keeps(&world, "«likes  RYE bread»", &agent());
    let report = pass(&world, Consolidation::On, None);
    let order: Vec<i64> = report.decided.iter().map(|decided| decided.fact.number).collect();
    assert_eq!(order, [first, other, later, last]);
    use SettlementDecision::{Keep, RetireNew};
    assert_eq!((decisions(&report), report.retired()), (vec![Keep, Keep, RetireNew, RetireNew], 2));
    assert_eq!(listed(&world, When::default()), ["owns a mill", "likes rye bread"]);
    assert_eq!(found(&world, "rye", &When::default()), ["likes rye bread"]);
    let prompt = world.agent.sessions.prompt(&Scope::Main).expect("a prompt").text(Part::Prefix);
    assert_eq!((prompt.matches("rye bread").count(), prompt.matches("RYE bread").count()), (1, 0));
    let retired = world.agent.facts.fact(&last.to_string()).expect("kept");
    let by = retired.retirement.expect("retired").by.expect("by one that is there");
    assert_eq!((retired.status, by), (FactStatus::Retired, world.agent.facts.fact("1").expect("there").id));
    let all = FactFilter { retired: true, limit: 9, ..FactFilter::default() };
    assert_eq!(world.agent.facts.facts(&Scope::Main, &all).expect("read").len(), 4);
}

/// Where the same words stand twice already, under two kinds, the oldest statement is the one that stays for a third.
/// What is retired is told to nobody but the owner.
/// Proves M41.
#[test]
fn of_several_with_the_same_words_the_oldest_stays() {
    let world = person_world();
    for category in ["preference", "habit"] {
        let fact = NewFact { text: "likes rye", category: Some(category), ..NewFact::default() };
        world.agent.facts.fact_add(&fact, &WriteContext::of(Author::owner(&owner()))).expect("kept");
    }
    let again = keeps(&world, "Likes rye.", &agent());
    pass(&world, Consolidation::On, None);
    let retired = world.agent.facts.fact(&again.to_string()).expect("kept").retirement.expect("retired");
    assert_eq!(retired.by, Some(world.agent.facts.fact("1").expect("there").id));
    let told =
        |scope: &Scope| world.agent.facts.search_retired_masked(scope, "rye").expect("an answer").0.len();
    assert_eq!([Scope::Main, Scope::Shared, Scope::Subagent].map(|scope| told(&scope)), [1, 0, 0]);
}

/// The same words about another time are another statement. Those that a person said are theirs, also where they came
/// later: then what was recorded gives way to them.
/// Proves M41, M40.
#[test]
fn words_of_another_time_stay_and_a_persons_own_stay_before_what_was_recorded() {
    let world = person_world();
    let first = keeps_since(&world, "lives in Porto", Some("2020-01-01"), &agent());
    let other = keeps_since(&world, "lives in Porto", Some("2026-01-01"), &agent());
    let recorded = keeps(&world, "likes rye", &agent());
    let own = NewFact { text: "Likes rye!", category: Some("preference"), ..NewFact::default() };
    world.agent.facts.fact_add(&own, &WriteContext::of(Author::owner(&owner()))).expect("kept");
    pass(&world, Consolidation::On, None);
    let stands = [first, other, recorded, recorded + 1].map(|number| status(&world, number));
    use FactStatus::{Retired, Settled};
    assert_eq!(stands, [Settled, Settled, Retired, Settled]);
}

/// Whatever form the letters have, and however many facts hold the words.
/// Proves M41.
#[test]
fn duplicates_are_found_whatever_their_letters_and_however_many_facts_hold_their_words() {
    let world = person_world();
    let own = WriteContext::of(Author::owner(&owner()));
    for (first, again) in [
        ("ﬁnal oﬀer stands", "final offer stands"),
        ("ｆｉｎｅ ｄａｙ at the mill", "Fine day at the mill!"),
        ("buy milk", "Buy milk."),
    ] {
        keeps(&world, first, &own);
        if first == "buy milk" {
            for day in 0..1_500 {
                keeps(&world, &format!("buy milk on day {day}"), &own);
            }
        }
        let again = keeps(&world, again, &agent());
        pass(&world, Consolidation::On, None);
        assert_eq!(status(&world, again), FactStatus::Retired, "{first}");
    }
    let kept = keeps(&world, "buy milk on another day", &agent());
    pass(&world, Consolidation::On, None);
    assert_eq!(status(&world, kept), FactStatus::Settled);
}
