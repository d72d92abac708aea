//! The tools over facts: offered to the owner's own agent, through the gate, in Minara's shapes.

use std::sync::Arc;

use inwit_engine::facts::NewFact;
use inwit_engine::{Agent, Behalf};
use inwit_gate::Author;
use inwit_model::{Files, Scope};
use inwit_testkit::{fixture, owner, parts, room};
use inwit_wire::tools::Set;
use serde_json::json;

use crate::world::{ADA, World, ada, lent, world};

/// Ada, who knows two facts.
fn knowing(scope: Scope, sets: &[Set]) -> World {
    let files = Arc::new(fixture::mem(ADA));
    let agent = Agent::new(parts(Arc::clone(&files) as Arc<dyn Files>));
    let behalf = Behalf::of(Author::owner(&owner()));
    for (text, category) in [("Bo prefers rye toast", "preference"), ("the oven trips the fuse", "alert")] {
        let fact = NewFact { text, category: Some(category), ..NewFact::default() };
        agent.fact_add(&fact, &behalf).expect("kept");
    }
    World { connection: lent(agent, scope, sets), files }
}

/// Proves M36.
#[test]
fn minaras_tools_write_search_and_read_facts() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    let found = ada.answer("memory_search", json!({ "query": "category:preference AND toa*" }));
    assert_eq!(
        (found["memories"][0]["id"].clone(), found["found_by"].clone()),
        (json!(1), json!("expression"))
    );
    let found = ada.answer("memory_search", json!({ "query": "what about the \"oven" }));
    assert_eq!(found["memories"][0]["content"], "the oven trips the fuse");
    for hostile in ["\"", "((((", "AND", "col:x", "\u{0}", "%"] {
        ada.answer("memory_search", json!({ "query": hostile }));
    }
    let read = ada.answer("memory_read", json!({ "category": "alert" }));
    assert_eq!(
        (read["memories"].as_array().map(Vec::len), &read["memories"][0]["source"]),
        (Some(1), &json!("user_manual"))
    );
    let newest = ada.answer("memory_read", json!({}));
    assert_eq!(newest["memories"][0]["category"], "alert");
    // Nobody vouches for the words of a tool, whatever they say of themselves.
    let asked = json!({ "category": "fact", "content": "the mill closes at six", "metadata": { "source": "user_manual", "confidence": 1 } });
    let written = ada.answer("memory_write", asked);
    assert_eq!((&written["status"], &written["why"]), (&json!("pending"), &json!("taint")));
    let shown = ada
        .connection
        .agent
        .proposal(written["proposal"].as_str().expect("an id"), &inwit_engine::inbox::Made::AsIs);
    let text = String::from_utf8(shown.expect("shown").after.expect("a text").to_vec()).expect("text");
    assert!(
        text.contains("source: agent_recorded\n") && text.ends_with("\n\nthe mill closes at six\n"),
        "{text}"
    );
    let learned = ada.answer("memory_learn", json!({ "content": "ask before baking" }));
    assert_eq!(learned["status"], "pending");
    assert_eq!(ada.fails("memory_write", json!({ "category": "a]b", "content": "x" })), "usage_bad");
    assert_eq!(
        ada.answer("memory_search", json!({ "query": "mill" }))["memories"],
        json!([]),
        "not before the owner's word"
    );
}

/// Everything takes the one road: a row with its number, and a category of its own. What was stated as a fact is one that
/// waits to be settled, and stating it again writes nothing.
/// Proves M35.
#[test]
fn what_minaras_tool_writes_becomes_a_row_with_a_number() {
    let ada = knowing(Scope::Main, &[Set::Minara]);
    let asked = json!({ "category": "fact", "content": "the mill closes at six", "metadata": { "source": "inferred", "confidence": 0.5 } });
    let written = ada.answer("memory_write", asked.clone());
    let agent = &ada.connection.agent;
    let shown =
        agent.proposal(written["proposal"].as_str().expect("an id"), &inwit_engine::inbox::Made::AsIs);
    let shown = shown.expect("shown");
    let person = inwit_gate::Person::confirming(shown.seal, &shown.seal.short(8)).expect("a person");
    agent.approve(&shown, &person, false).expect("approved");
    let again = ada.answer("memory_write", asked);
    assert_eq!((&again["status"], &again["id"]), (&json!("unchanged"), &json!(3)), "{again}");
    let read = ada.answer("memory_read", json!({ "category": "fact" }));
    let memory = &read["memories"][0];
    assert_eq!((&memory["id"], &memory["content"]), (&json!(3), &json!("the mill closes at six")), "{read}");
    assert_eq!(memory["source"], "inferred", "as far as the gate believes it");
    assert!(memory["metadata"].as_str().is_some_and(|kept| kept.contains("\"confidence\":0.5")), "{read}");
    let fact = agent.fact("3").expect("kept");
    assert_eq!(fact.status, inwit_model::FactStatus::Pending, "the background looks at it");
    assert_eq!(agent.fact("1").expect("kept").status, inwit_model::FactStatus::Settled);
    assert_eq!(ada.answer("memory_search", json!({ "query": "mill" }))["memories"][0]["id"], json!(3));
}

/// Passages and facts are asked for by their kind; what a tool wants kept waits for the owner.
#[test]
fn our_own_search_and_remember_know_facts() {
    let ada = knowing(Scope::Main, &[Set::Default]);
    let both = ada.answer("memory_search", json!({ "query": "rye", "kinds": ["passages", "facts"] }));
    assert_eq!(both["facts"][0]["content"], "Bo prefers rye toast");
    assert!(both["results"].as_array().is_some_and(|results| !results.is_empty()));
    let facts = ada.answer("memory_search", json!({ "query": " ", "kinds": ["facts"] }));
    assert_eq!((facts["facts"].as_array().map(Vec::len), &facts["results"]), (Some(2), &json!([])));
    let notes = ada.answer("memory_search", json!({ "query": "rye" }));
    assert!(notes.get("facts").is_none(), "passages when unsaid");
    let asked = json!({ "text": "the cellar is damp", "kind": "fact", "category": "observation" });
    assert_eq!(ada.answer("memory_remember", asked)["outcome"], "pending");
    let wrong = json!({ "text": "x", "kind": "fact", "path": "MEMORY.md" });
    assert_eq!(ada.fails("memory_remember", wrong), "usage_bad");
    assert_eq!(ada.fails("memory_remember", json!({ "text": "x", "category": "alert" })), "usage_bad");
}

/// A scope that others share is answered the same, whatever facts there are, and offered no tool over them.
#[test]
fn no_other_scope_is_offered_or_told_any_fact() {
    for scope in [room("kitchen"), Scope::Shared, Scope::Subagent, Scope::Scheduled] {
        let minara = knowing(scope.clone(), &[Set::Minara]);
        assert_eq!(minara.connection.tools().count(), 0, "{scope}");
        let (knows, plain) = (knowing(scope.clone(), &[Set::Default]), ada(scope.clone()));
        for asked in [
            json!({ "query": "rye", "kinds": ["facts"] }),
            json!({ "query": "rye oven", "kinds": ["passages", "facts"] }),
        ] {
            assert_eq!(
                knows.answer("memory_search", asked.clone()),
                plain.answer("memory_search", asked),
                "{scope}"
            );
        }
    }
    let kitchen = knowing(room("kitchen"), &[Set::Default]);
    assert_eq!(kitchen.fails("memory_remember", json!({ "text": "x", "kind": "fact" })), "usage_bad");
    assert_eq!(world(ADA, Scope::Main, &[Set::Minara]).connection.tools().count(), 4);
}
