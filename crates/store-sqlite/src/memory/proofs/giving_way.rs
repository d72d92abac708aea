//! What gives way to another fact and comes back: since when and until when each holds, and what was believed of it.

use inwit_gate::{Approved, Author, FactChange, FactDeed, FactVerdict, Policy, Settlement, judge_settlement};
use inwit_model::fact::When;
use inwit_model::{Code, FactStatus, Invariant, SettlementDecision};
use inwit_store::memory::contract::at;
use inwit_store::memory::{Fact, FactFilter, Facts as _, Settling as _};

use super::super::facts::UNHEARD_ANSWERS_MAX;
use super::knowing::{add, id, write};
use super::{SqliteMemory, Ways, sql};

/// Porto and Faro, said at 0 and 1, and Lisbon, said at 10; all recorded by a machine.
fn towns() -> SqliteMemory {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, town, second) in [(1, "Porto", 0), (2, "Faro", 1), (3, "Lisbon", 10)] {
        add(&memory, number, town, second);
    }
    wait_again(&memory);
    memory
}

fn wait_again(memory: &SqliteMemory) {
    sql(
        memory,
        "UPDATE memories SET source = 'agent_recorded';
         UPDATE memories SET status = 'pending' WHERE status = 'settled'",
    );
}

/// Decides about fact `new`, which waits, against `other`.
fn settle(memory: &SqliteMemory, new: u8, other: u8, decision: SettlementDecision, second: i64) {
    let approved = settlement(memory, new, other, decision);
    memory.write_fact(&approved, &id(new), at(second)).unwrap();
}

/// What is decided of the two as they stand now, let through.
fn settlement(
    memory: &SqliteMemory,
    new: u8,
    other: u8,
    decision: SettlementDecision,
) -> Approved<FactChange> {
    settlement_as(memory, new, other, decision, |_| {})
}

fn settlement_as(
    memory: &SqliteMemory,
    new: u8,
    other: u8,
    decision: SettlementDecision,
    so: impl FnOnce(&mut Settlement),
) -> Approved<FactChange> {
    let [new, other] = [new, other].map(|number| fact(memory, number));
    let mut settlement = Settlement {
        id: new.id.clone(),
        base: new.text.sha256(),
        other: Some((other.id.clone(), other.text.sha256())),
        decision,
        reason: "because".into(),
        model: None,
        invariant: None,
        is_shadow: false,
    };
    so(&mut settlement);
    let change = FactChange::new(FactDeed::Settle(Box::new(settlement)), Author::ENGINE, None);
    match judge_settlement(&Policy::closed(), &new.standing(), Some(&other.standing()), change, at(99)) {
        FactVerdict::Approved(approved) => approved,
        other => panic!("let through: {other:?}"),
    }
}

fn restore(memory: &SqliteMemory, number: u8, second: i64) {
    write(memory, Some(&id(number)), 9, second, FactDeed::Restore { id: id(number) });
}

/// What holds at second `as_of` as it was believed at second `then`, in order of the alphabet.
fn told(memory: &SqliteMemory, as_of: Option<i64>, then: Option<i64>) -> String {
    let when = When { as_of: as_of.map(at), believed_at: then.map(at) };
    let facts = memory.facts(&FactFilter { when, limit: 9, ..FactFilter::default() }).unwrap();
    let mut towns: Vec<String> = facts.into_iter().map(|fact| fact.text.content).collect();
    towns.sort();
    towns.join(" ")
}

fn fact(memory: &SqliteMemory, number: u8) -> Fact {
    memory.fact(&id(number)).unwrap().unwrap()
}

/// What took the place of two holds since then while one of them is gone; only when both are back it holds at any time.
#[test]
fn what_two_facts_gave_way_to_is_let_go_of_by_the_last_that_comes_back() {
    let memory = towns();
    settle(&memory, 3, 1, SettlementDecision::Supersede, 20);
    wait_again(&memory);
    settle(&memory, 3, 2, SettlementDecision::Supersede, 21);
    assert_eq!(told(&memory, Some(5), None), "Faro Porto");
    assert_eq!(told(&memory, Some(10), None), "Lisbon");
    assert_eq!(told(&memory, Some(5), Some(20)), "Faro Porto", "the first decision tells since when");
    restore(&memory, 1, 30);
    assert_eq!(told(&memory, Some(5), None), "Faro Porto", "Faro gave way to it still");
    assert_eq!(told(&memory, Some(10), None), "Lisbon Porto");
    restore(&memory, 2, 40);
    assert_eq!(told(&memory, Some(5), None), "Faro Lisbon Porto");
    // What was believed meanwhile is known.
    assert_eq!(told(&memory, Some(5), Some(15)), "Faro Lisbon Porto");
    assert_eq!(told(&memory, Some(5), Some(25)), "Faro Porto", "as it was told then");
    assert_eq!(told(&memory, Some(5), Some(35)), "Faro Porto");
    assert_eq!(told(&memory, Some(5), Some(40)), "Faro Lisbon Porto");
}

/// While it is forgotten nobody believes it, also when the one that gave way to it comes back meanwhile.
#[test]
fn what_is_let_go_of_while_it_is_forgotten_is_believed_no_longer_for_that() {
    let memory = towns();
    settle(&memory, 3, 1, SettlementDecision::Supersede, 20);
    let base = fact(&memory, 3).text.sha256();
    write(&memory, Some(&id(3)), 9, 25, FactDeed::Forget { id: id(3), base });
    restore(&memory, 1, 30);
    restore(&memory, 3, 40);
    for (then, expected) in
        [(24, "Faro Lisbon"), (25, "Faro"), (30, "Faro Porto"), (39, "Faro Porto"), (40, "Faro Lisbon Porto")]
    {
        assert_eq!(told(&memory, None, Some(then)), expected, "{then}");
    }
    assert_eq!(told(&memory, Some(5), None), "Faro Lisbon Porto", "it holds at any time again");
}

/// One that was retired as wrong, or as the same, never said since when the other one holds; so its return says nothing.
#[test]
fn what_was_never_right_lets_go_of_nothing_when_it_comes_back() {
    let memory = towns();
    settle(&memory, 3, 1, SettlementDecision::RetireOld, 20);
    wait_again(&memory);
    settle(&memory, 3, 2, SettlementDecision::Supersede, 21);
    assert_eq!(told(&memory, Some(5), None), "Faro");
    let before = fact(&memory, 3);
    restore(&memory, 1, 30);
    assert_eq!(told(&memory, Some(5), None), "Faro Porto", "Lisbon holds since Faro gave way");
    assert_eq!(fact(&memory, 3), before);
    // Nor where what gave way to it is gone for good.
    let memory = towns();
    settle(&memory, 3, 1, SettlementDecision::RetireOld, 20);
    wait_again(&memory);
    settle(&memory, 3, 2, SettlementDecision::Supersede, 21);
    write(&memory, Some(&id(2)), 9, 25, FactDeed::Purge { id: id(2) });
    restore(&memory, 1, 30);
    assert_eq!(told(&memory, Some(5), None), "Porto");
}

/// A machine's fact that a person brings back has been looked at: no pass retires it again by itself.
#[test]
fn what_a_person_brings_back_waits_for_no_pass() {
    for decision in [SettlementDecision::Supersede, SettlementDecision::RetireOld] {
        let memory = towns();
        settle(&memory, 3, 1, decision, 20);
        assert_eq!(fact(&memory, 1).status, FactStatus::Retired, "{decision}");
        assert_eq!(fact(&memory, 3).status, FactStatus::Settled, "{decision}");
        restore(&memory, 1, 30);
        let back = fact(&memory, 1);
        assert_eq!((back.status, back.retirement), (FactStatus::Settled, None), "{decision}");
        let forgotten = fact(&memory, 2);
        let base = forgotten.text.sha256();
        write(&memory, Some(&id(2)), 9, 31, FactDeed::Forget { id: id(2), base });
        restore(&memory, 2, 32);
        assert_eq!(fact(&memory, 2).status, FactStatus::Settled, "{decision}: forgotten while it waited");
    }
}

/// What was superseded is believed to have held; what was wrong is believed no more, from the decision on.
#[test]
fn a_belief_ends_with_the_decision_where_the_fact_was_wrong_and_not_where_it_was_followed() {
    let wrong = towns();
    settle(&wrong, 3, 1, SettlementDecision::RetireOld, 20);
    let gone = fact(&wrong, 1);
    let retirement = gone.retirement.unwrap();
    assert_eq!((gone.believed_to, retirement.held_to, retirement.at), (Some(at(20)), None, at(20)));
    assert_eq!(
        told(&wrong, Some(5), None),
        "Faro Lisbon",
        "it held at no time, and nothing begins with its end"
    );
    assert_eq!(told(&wrong, None, Some(19)), "Faro Lisbon Porto");
    assert_eq!(told(&wrong, None, Some(20)), "Faro Lisbon");
    // Where the clock was set back a belief never ends before it began.
    let set_back = towns();
    settle(&set_back, 3, 1, SettlementDecision::RetireOld, -5);
    let gone = fact(&set_back, 1);
    assert_eq!((gone.believed_to, gone.retirement.unwrap().at), (Some(at(0)), at(0)));
    let followed = towns();
    settle(&followed, 3, 1, SettlementDecision::Supersede, 20);
    let gone = fact(&followed, 1);
    let retirement = gone.retirement.unwrap();
    assert_eq!((gone.believed_to, retirement.held_to, retirement.at), (None, Some(at(10)), at(20)));
    assert_eq!(told(&followed, Some(9), None), "Faro Porto");
    assert_eq!(told(&followed, Some(10), None), "Faro Lisbon");
}

/// While a model thinks others go on: what they settled, or what a person made theirs, is not settled against it.
/// Proves I4, M42.
#[test]
fn what_changed_while_a_judge_thought_is_left_as_it_is() {
    use SettlementDecision::{RetireNew, RetireOld, Supersede};
    let decisions = [RetireOld, Supersede, Supersede, RetireNew];
    let ways: Ways<'_, 4> = [
        ("the one that waited was settled", &|memory| settle(memory, 3, 2, Supersede, 15)),
        ("the other one gave way to a third", &|memory| settle(memory, 2, 1, RetireOld, 15)),
        ("the other one is a person's word", &|memory| add(memory, 9, "Porto", 15)),
        ("the one that waited is a person's word", &|memory| add(memory, 9, "Lisbon", 15)),
    ];
    for ((told, meanwhile), decision) in ways.into_iter().zip(decisions) {
        let memory = towns();
        let thought = settlement(&memory, 3, 1, decision);
        meanwhile(&memory);
        let before = [1, 2, 3].map(|number| fact(&memory, number));
        let rows = memory.settlements(9).unwrap();
        let error = memory.write_fact(&thought, &id(3), at(20)).expect_err(told);
        assert_eq!(error.code, Code::Stale, "{told}");
        assert_eq!([1, 2, 3].map(|number| fact(&memory, number)), before, "{told}");
        assert_eq!(memory.settlements(9).unwrap(), rows, "{told}");
    }
}

/// It was forgotten after it gave way, so nobody believed it from the first of both on; and not before it was said.
#[test]
fn what_was_retired_and_then_forgotten_was_gone_from_the_first_of_both_on() {
    use SettlementDecision::{RetireOld, Supersede};
    for (decision, ends) in [(RetireOld, Some(at(20))), (Supersede, Some(at(30)))] {
        let memory = towns();
        settle(&memory, 3, 1, decision, 20);
        let base = fact(&memory, 1).text.sha256();
        write(&memory, Some(&id(1)), 9, 30, FactDeed::Forget { id: id(1), base });
        assert_eq!(fact(&memory, 1).believed_to, ends, "{decision}");
        restore(&memory, 1, 40);
        for (then, is_there) in [(19, true), (20, false), (25, false), (35, false), (40, true)] {
            assert_eq!(told(&memory, None, Some(then)).contains("Porto"), is_there, "{decision}, {then}");
        }
    }
    let set_back = towns();
    let base = fact(&set_back, 3).text.sha256();
    write(&set_back, Some(&id(3)), 9, -7, FactDeed::Forget { id: id(3), base });
    assert_eq!(fact(&set_back, 3).believed_to, Some(at(10)), "the clock was set back");
}

/// Shadow decides and logs, and an answer that could not be heard is asked for again: in both the facts stay as they are.
/// Proves M10.
#[test]
fn what_is_only_logged_leaves_the_facts_as_they_are() {
    let memory = towns();
    let before = [1, 2, 3].map(|number| fact(&memory, number));
    let shadow = settlement_as(&memory, 3, 1, SettlementDecision::Supersede, |it| it.is_shadow = true);
    memory.write_fact(&shadow, &id(3), at(20)).unwrap();
    let unheard = settlement_as(&memory, 3, 1, SettlementDecision::Blocked, |it| {
        it.invariant = Some(Invariant::StrictAnswer);
    });
    for answer in 1..UNHEARD_ANSWERS_MAX {
        memory.write_fact(&unheard, &id(3), at(21)).unwrap();
        assert_eq!([1, 2, 3].map(|number| fact(&memory, number)), before, "{answer}");
    }
    memory.write_fact(&unheard, &id(3), at(22)).unwrap();
    assert_eq!(fact(&memory, 3).status, FactStatus::Settled, "it is not asked about for ever");
    assert_eq!(fact(&memory, 1), before[0]);
    let logged = memory.settlements(9).unwrap();
    assert_eq!(logged.iter().map(|row| row.is_shadow).collect::<Vec<_>>(), [false, false, false, true]);
}

/// Who asks what was believed before a fact was retired is told of no retirement; who asks of later is.
#[test]
fn a_retirement_is_told_of_no_moment_before_it() {
    let memory = towns();
    settle(&memory, 3, 1, SettlementDecision::Supersede, 20);
    for (second, state, by) in [(19, FactStatus::Settled, None), (20, FactStatus::Retired, Some(id(3)))] {
        let when = When { believed_at: Some(at(second)), ..When::default() };
        let filter = FactFilter { when, retired: true, limit: 9, ..FactFilter::default() };
        let facts = memory.facts(&filter).unwrap();
        let porto = facts.iter().find(|fact| fact.number == 1).expect("believed");
        let told = porto.retirement.as_ref();
        assert_eq!((porto.status, told.and_then(|of| of.by.clone())), (state, by), "{second}");
        assert_eq!(told.map(|of| of.at), (second == 20).then(|| at(20)), "{second}");
    }
}
