//! What a client is answered of the past: its own, and no more.

use std::sync::Arc;

use inwit_engine::history::past::HistoryHome;
use inwit_engine::{Agent, AgentDeps, AgentPorts};
use inwit_gate::{Author, Change};
use inwit_mcp::Connection;
use inwit_model::{Clock, Files, HistoryPlace, Op, Scope};
use inwit_testkit::{FakeClock, Shelf, has_git, keeping, name, owner, parts, room};
use inwit_wire::tools::Set;
use serde_json::{Value, json};

use crate::world::{lent, object};

/// A page of the owner's and one of a room, each changed on three days.
fn connection(folder: &std::path::Path, scope: Scope) -> Connection {
    let (shelf, clock) = (Arc::new(Shelf::default()), Arc::new(FakeClock::at("2026-05-01T10:00:00Z")));
    let history =
        HistoryHome { git_dir: folder.join("history.git"), place: HistoryPlace::Beside, lock_wait: None };
    let agent = Agent::new(AgentPorts {
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        keeping: AgentDeps { history: Some(history), ..keeping() },
        ..parts(Arc::clone(&shelf) as Arc<dyn Files>)
    });
    for (day, bread) in [(1, "rye"), (4, "spelt"), (7, "oat")] {
        clock.set(&format!("2026-05-0{day}T10:00:00Z"));
        for (file, whose) in [("notes/bread.md", "Ana"), ("rooms/kitchen.md", "The kitchen")] {
            let base = shelf.read(&name(file)).ok().map(|content| content.sha256);
            let text = format!("- {whose} bakes {bread} bread.\n");
            let put = Op::Put(text.into_bytes().into());
            agent.notes.write(Change::new(name(file), put, base, Author::owner(&owner()))).expect("written");
        }
    }
    clock.set("2026-05-09T10:00:00Z");
    lent(agent, scope, &[Set::Default])
}

fn called(connection: &Connection, tool: &str, arguments: Value) -> Value {
    let called = connection.call(tool, &object(arguments)).expect("the tool is offered");
    assert!(!called.failed, "{}", called.text);
    called.answer
}

/// Proves X55.
#[test]
fn a_client_is_answered_from_the_notes_as_they_stood() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let main = connection(folder.path(), Scope::Main);
    let search = |as_of: &str| called(&main, "memory_search", json!({ "query": "Ana bread", "asOf": as_of }));
    let answer = search("2026-05-05");
    let hit = &answer["results"][0];
    assert_eq!(hit["text"], "- Ana bakes spelt bread.");
    assert_eq!(
        (hit["seenFrom"].as_str(), hit["seenUntil"].as_str()),
        (Some("2026-05-04T10:00:00.000Z"), Some("2026-05-07T10:00:00.000Z"))
    );
    assert!(answer["asOf"]["commit"].is_string() && answer["asOf"]["isNow"] == false, "{answer}");
    assert_eq!(search("last Saturday")["results"][0]["text"], "- Ana bakes rye bread.");
    let early = search("2026-04-01");
    assert_eq!(early["results"], json!([]));
    assert_eq!(early["notices"][0]["code"], "before_history");
    let get = |as_of: &str| called(&main, "memory_get", json!({ "path": "notes/bread.md", "as_of": as_of }));
    assert_eq!(get("2026-05-02")["text"], "- Ana bakes rye bread.\n");
    let early = get("2026-04-01");
    assert_eq!(
        (early["text"].as_str(), early["notices"][0]["code"].as_str()),
        (Some(""), Some("before_history"))
    );
    let now = called(&main, "memory_search", json!({ "query": "Ana bread" }));
    assert_eq!(now["results"][0]["text"], "- Ana bakes oat bread.");
    assert!(now.get("asOf").is_none());
    let bad =
        main.call("memory_search", &object(json!({ "query": "x", "as_of": "whenever" }))).expect("offered");
    assert_eq!(bad.answer["error"]["code"], "time_bad");
}

#[test]
fn a_room_is_answered_of_its_own_past_and_told_no_commit() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let kitchen = connection(folder.path(), room("kitchen"));
    let answer = called(&kitchen, "memory_search", json!({ "query": "bakes bread", "as_of": "2026-05-05" }));
    let texts: Vec<&str> =
        answer["results"].as_array().expect("hits").iter().filter_map(|hit| hit["text"].as_str()).collect();
    assert_eq!(texts, ["- The kitchen bakes spelt bread."]);
    assert!(answer["asOf"].get("commit").is_none(), "{answer}");
    let get = |path: &str| {
        called(&kitchen, "memory_get", json!({ "path": path, "as_of": "2026-05-05" }))["text"].clone()
    };
    assert_eq!(
        [get("rooms/kitchen.md"), get("notes/bread.md")],
        [json!("- The kitchen bakes spelt bread.\n"), json!("")]
    );
}
