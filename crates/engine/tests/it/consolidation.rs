//! Facts that were recorded are settled: duplicates, contradictions, what no judge may do, and what can be seen of it.

mod duplicates;
mod judging;
mod telling;

use inwit_engine::facts::consolidate::{Judge, Pass, PassReport};
use inwit_engine::facts::{FactFilter, NewFact};
use inwit_engine::{DayEdge, FactOutcome, Part, WriteContext};
use inwit_gate::Author;
use inwit_model::fact::{Span, When};
use inwit_model::{Code, Consolidation, FactStatus, Scope, SettlementDecision, Taint};
use inwit_testkit::{ScriptedJudge, Shelf, owner};

use crate::profile;
use crate::world::{World, world};

const KEEP: &str = r#"{"decision":"keep","fact":null,"reason":"both hold"}"#;
const SUPERSEDE: &str = r#"{"decision":"supersede","fact":1,"reason":"she moved"}"#;
const RETIRE_OLD: &str = r#"{"decision":"retire_old","fact":1,"reason":"it never was so"}"#;
const RETIRE_NEW: &str = r#"{"decision":"retire_new","fact":1,"reason":"it is wrong"}"#;

fn person_world() -> World {
    world(profile("personal"), Shelf::of("//- SOUL.md\nI am kind.\n"))
}

fn agent() -> WriteContext {
    WriteContext { taint: Some(Taint::Agent), ..WriteContext::of(Author::AGENT) }
}

fn keeps(world: &World, text: &str, behalf: &WriteContext) -> i64 {
    keeps_since(world, text, None, behalf)
}

fn keeps_since(world: &World, text: &str, since: Option<&str>, behalf: &WriteContext) -> i64 {
    let from = since.map(|day| world.agent.core.moment(day, DayEdge::Start).expect("a moment"));
    let fact = NewFact { text, valid: Span { from, to: None }, ..NewFact::default() };
    match world.agent.facts.fact_add(&fact, behalf).expect("kept") {
        FactOutcome::Written { fact, .. } => fact.number,
        other => panic!("kept at once: {other:?}"),
    }
}

fn pass(world: &World, mode: Consolidation, judge: Option<&ScriptedJudge>) -> PassReport {
    let judge = judge.map(|completer| Judge { completer, guidance: "" });
    world.agent.facts.consolidate(&Pass { mode, judge, dry_run: false }).expect("a pass")
}

fn listed(world: &World, when: When) -> Vec<String> {
    let filter = FactFilter { when, limit: 99, ..FactFilter::default() };
    let facts = world.agent.facts.facts(&Scope::Main, &filter).expect("read");
    facts.into_iter().map(|fact| fact.text.content).collect()
}

fn found(world: &World, query: &str, when: &When) -> Vec<String> {
    let found = world.agent.facts.search_facts(&Scope::Main, query, when, 9).expect("an answer").facts;
    found.into_iter().map(|fact| fact.text.content).collect()
}

fn status(world: &World, number: i64) -> FactStatus {
    world.agent.facts.fact(&number.to_string()).expect("there").status
}

fn decisions(report: &PassReport) -> Vec<SettlementDecision> {
    report.decided.iter().map(|decided| decided.settlement.decision).collect()
}

/// Proves M40, M45.
#[test]
fn what_an_agent_recorded_waits_and_what_a_person_said_does_not() {
    let world = person_world();
    let theirs = keeps(&world, "the oven is slow", &agent());
    let own = keeps(&world, "likes rye", &WriteContext::of(Author::owner(&owner())));
    assert_eq!((status(&world, theirs), status(&world, own)), (FactStatus::Pending, FactStatus::Settled));
    assert_eq!(listed(&world, When::default()), ["likes rye", "the oven is slow"], "it counts meanwhile");
    let shown = || {
        let prompt = world.agent.sessions.prompt(&Scope::Main).expect("a prompt").text(Part::Prefix);
        ["likes rye", "the oven is slow"].map(|words| prompt.matches(words).count())
    };
    assert_eq!(shown(), [1, 1]);
    let report = pass(&world, Consolidation::On, None);
    assert_eq!((decisions(&report), report.waiting), (vec![SettlementDecision::Keep], 0));
    assert_eq!(status(&world, theirs), FactStatus::Settled);
    assert_eq!(shown(), [1, 1]);
    assert!(pass(&world, Consolidation::On, None).decided.is_empty(), "each is settled once");
}

/// The owner says what an agent's fact says already: it is theirs from then on, and what it was stays known.
/// Proves M22, M40.
#[test]
fn what_the_owner_says_too_becomes_the_owners() {
    let world = person_world();
    let number = keeps(&world, "likes rye", &agent());
    world.clock.set("2026-11-22T12:00:00Z");
    assert_eq!(keeps(&world, "Likes rye", &WriteContext::of(Author::owner(&owner()))), number);
    let fact = world.agent.facts.fact(&number.to_string()).expect("there");
    assert_eq!((fact.source.word(), fact.status), ("user_manual", FactStatus::Settled));
    let refused = world.agent.facts.fact_forget(&number.to_string(), &agent()).expect_err("refused");
    assert_eq!(refused.code, Code::PolicyRefused);
    let again = world.agent.facts.fact_add(&NewFact { text: "likes rye", ..NewFact::default() }, &agent());
    assert!(matches!(again, Ok(FactOutcome::Unchanged(_))), "{again:?}");
}
