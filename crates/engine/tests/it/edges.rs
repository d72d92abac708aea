//! What facts name: kept with them, shown to the owner alone, found again by a replay that writes nothing.

use inwit_engine::facts::{FactEdit, NewFact};
use inwit_engine::{FactOutcome, WriteContext};
use inwit_gate::{Author, HumanConsent};
use inwit_model::{Code, RoomId, Scope, Taint};
use inwit_testkit::Shelf;

use crate::profile;
use crate::world::{World, world};

#[expect(clippy::disallowed_methods, reason = "a test says who is there")]
fn owner() -> WriteContext {
    WriteContext::of(Author::owner(&HumanConsent::at_own_terminal()))
}

fn home(name: &str) -> World {
    world(profile(name), Shelf::of("//- SOUL.md\nI am kind.\n"))
}

fn keeps(world: &World, text: &str) -> String {
    match world.agent.facts.fact_add(&NewFact { text, ..NewFact::default() }, &owner()).expect("kept") {
        FactOutcome::Written { fact, .. } => fact.number.to_string(),
        other => panic!("kept at once: {other:?}"),
    }
}

fn edges(world: &World, id: &str) -> Vec<String> {
    let edges = world.agent.facts.fact_edges(&Scope::Main, id).expect("read");
    edges.iter().map(|edge| format!("{} {}:{}", edge.says, edge.of.kind, edge.of.key)).collect()
}

fn tops(world: &World) -> Vec<String> {
    let counts = world.agent.facts.top_entities(&Scope::Main, 9).expect("read");
    counts.iter().map(|count| format!("{} {}", count.facts, count.entity.key)).collect()
}

/// Each way by which a fact comes to say something leaves its edges: kept, said anew, restored, approved.
/// Proves M54a.
#[test]
fn every_way_to_write_a_fact_writes_its_edges() {
    let world = home("personal");
    let first = keeps(&world, "met Ana in Porto");
    assert_eq!(edges(&world, &first), ["mentions name:ana", "mentions name:porto"]);
    let edit = FactEdit { text: Some("met Ana in Braga"), ..FactEdit::default() };
    world.agent.facts.fact_update(&first, &edit, &owner()).expect("updated");
    assert_eq!(edges(&world, &first), ["mentions name:ana", "mentions name:braga"]);
    world.agent.facts.fact_forget(&first, &owner()).expect("forgotten");
    assert_eq!((edges(&world, &first), tops(&world)), (vec![], vec![]));
    world.agent.facts.fact_restore(&first, &owner()).expect("back");
    assert_eq!(tops(&world), ["1 ana", "1 braga"]);

    let tool = WriteContext::of_tool("it was said");
    let wish = NewFact { text: "Bo lives in Faro", ..NewFact::default() };
    let FactOutcome::Pending { id, .. } = world.agent.facts.fact_add(&wish, &tool).expect("proposed") else {
        panic!("it waits");
    };
    assert_eq!(tops(&world), ["1 ana", "1 braga"], "what waits names nothing yet");
    let shown =
        world.agent.notes.proposal(id.as_str(), &inwit_engine::notes::inbox::Made::AsIs).expect("shown");
    let person = HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("a person");
    world.agent.approve(&shown, &person, false).expect("approved");
    assert_eq!(edges(&world, "2"), ["mentions name:bo", "mentions name:faro"]);
    world.agent.facts.fact_purge("2", &owner()).expect("gone");
    assert_eq!(tops(&world), ["1 ana", "1 braga"]);
}

/// A secret that the owner let stay is no name: what lists of facts mask stands in no edge, and a replay takes out what
/// was found in it before.
#[test]
fn a_secret_that_was_let_stay_is_in_no_edge() {
    let world = home("personal");
    let key = ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat();
    let said = format!("Ana signs in at https://x.example/?t={key} and #{key} in Porto");
    let behalf = WriteContext { allow_secret: true, ..owner() };
    let fact = NewFact { text: &said, ..NewFact::default() };
    assert!(matches!(world.agent.facts.fact_add(&fact, &behalf), Ok(FactOutcome::Written { .. })));
    let found = edges(&world, "1");
    assert!(
        found.contains(&"mentions name:ana".to_owned()) && found.contains(&"mentions name:porto".to_owned())
    );
    assert!(!found.join(" ").to_lowercase().contains("fakefake"), "{found:?}");
    let replayed = world.agent.facts.replay_edges(false).expect("looked at");
    assert_eq!((replayed.missing, replayed.stale), (0, 0));
}

#[test]
fn a_home_of_finance_tells_what_is_done_with_a_ticker() {
    let world = home("minara");
    let first = keeps(&world, "sold ETH and bought BTC on Base");
    assert_eq!(
        edges(&world, &first),
        ["holds ticker:BTC", "exited ticker:ETH", "mentions chain:base", "co_occurs_with pair:BTC+ETH"]
    );
    let world = home("personal");
    let first = keeps(&world, "sold ETH and bought BTC on Base");
    assert!(edges(&world, &first).iter().all(|edge| edge.starts_with("mentions name:")));
}

/// What an agent puts into metadata is its own word, under whatever source, also after a person corrected the
/// words of that fact.
/// Proves M55.
#[test]
fn a_scenario_is_never_taken_from_an_agents_metadata() {
    let world = home("minara");
    let agent = WriteContext { taint: Some(Taint::Agent), ..WriteContext::of(Author::AGENT) };
    let metadata = || Some(r#"{"scenario_id":"s-1"}"#.to_owned());
    let belongs = |world: &World| tops(world).iter().any(|top| top.ends_with(" s-1"));
    for source in ["inferred", "user_explicit", "user_manual", "chat_extracted", "learned_preference"] {
        let text = format!("the oven is slow, says {source}");
        let fact = NewFact { text: &text, metadata: metadata(), source: Some(source), ..NewFact::default() };
        let written = world.agent.facts.fact_add(&fact, &agent).expect("kept");
        assert!(matches!(written, FactOutcome::Written { .. }), "{source}");
    }
    assert!(!belongs(&world));
    let edit = FactEdit { text: Some("the oven is fast"), ..FactEdit::default() };
    world.agent.facts.fact_update("1", &edit, &owner()).expect("corrected");
    assert_eq!(world.agent.facts.fact("1").expect("kept").source.word(), "user_manual");
    world.agent.facts.fact_update("2", &edit, &agent).expect_err("said already");
    assert!(!belongs(&world), "the words are the person's now, the metadata is not");
    assert_eq!(world.agent.facts.replay_edges(true).expect("replayed").missing, 0);
    assert!(!belongs(&world));
    let own = NewFact { text: "a fact of the system", metadata: metadata(), ..NewFact::default() };
    world.agent.facts.fact_add(&own, &owner()).expect("kept");
    assert!(belongs(&world));
}

#[test]
fn no_other_scope_sees_what_facts_name() {
    let world = home("personal");
    keeps(&world, "met Ana in Porto");
    let room = Scope::Room(RoomId::parse("kitchen").expect("a room"));
    for scope in [room, Scope::Shared, Scope::Subagent, Scope::Scheduled] {
        assert_eq!(world.agent.facts.fact_edges(&scope, "1"), Ok(vec![]), "{scope}");
        assert_eq!(
            world.agent.facts.fact_edges(&scope, "99"),
            Ok(vec![]),
            "{scope}: nor whether there is a fact"
        );
        assert_eq!(world.agent.facts.top_entities(&scope, 9), Ok(vec![]), "{scope}");
        assert_eq!(world.agent.facts.edge_count(&scope), Ok(0), "{scope}");
        let unknown = world.agent.facts.neighborhood(&scope, "Ana", 1).expect_err("nothing is known here");
        assert_eq!(unknown.code, Code::EntityUnknown, "{scope}");
    }
}

#[test]
fn what_stands_around_a_thing_is_followed_from_fact_to_fact() {
    let world = home("personal");
    for text in ["met Ana in Porto", "bakes with Ana and Bo", "writes to Bo and Cleo", "owns a mill in Faro"]
    {
        keeps(&world, text);
    }
    let around = |depth| -> Vec<String> {
        let found = world.agent.facts.neighborhood(&Scope::Main, "ANA", depth).expect("known");
        assert_eq!((found.of.len(), found.of[0].facts), (1, 2));
        found.around.iter().map(|one| format!("{} {}", one.distance, one.count.entity.key)).collect()
    };
    assert_eq!(around(1), ["1 bo", "1 porto"]);
    assert_eq!(around(2), ["1 bo", "1 porto", "2 cleo"]);
    assert_eq!(around(u8::MAX), around(3));
    let unknown = world.agent.facts.neighborhood(&Scope::Main, "tag:ana", 1).expect_err("no such tag");
    assert_eq!(unknown.code, Code::EntityUnknown);
}
