//! What a server like MindRoom builds on: its write tool, a room's own context, the report, each in its
//! profile.

use std::sync::Arc;

use inwit_engine::{Agent, AgentPorts};
use inwit_mcp::{Connection, resources};
use inwit_model::{Files, Scope};
use inwit_testkit::{fixture, parts, room};
use inwit_wire::tools::Set;
use inwit_workspace::MemFiles;
use rmcp::model::ResourceContents;
use serde_json::json;

use crate::world::{ADA, World, lent, token};

/// Ada in the profile `mindroom`, for a client in `scope`.
fn ada_in(scope: Scope, files: &Arc<MemFiles>) -> World {
    let profile = inwit_workspace::profile::named("mindroom").expect("compiled in");
    let agent = Agent::new(AgentPorts { profile, ..parts(Arc::clone(files) as Arc<dyn Files>) });
    World { connection: lent(agent, scope, &[Set::Mindroom, Set::Default]), files: Arc::clone(files) }
}

fn report(connection: &Connection) -> String {
    let contents = resources::read(connection, "mem://ada/context-report").expect("a report");
    match contents.as_slice() {
        [ResourceContents::TextResourceContents { text, .. }] => text.clone(),
        other => panic!("one text: {other:?}"),
    }
}

/// Proves R14.
#[test]
fn what_is_written_goes_into_the_days_log_or_asks_and_nothing_is_cut() {
    let files = Arc::new(fixture::mem(ADA));
    let ada = ada_in(Scope::Main, &files);
    let known = ada.file("memory/2026-11-21.md");
    assert_eq!(ada.answer("write_memory", json!({ "content": "Sold out." }))["outcome"], "applied");
    let first = ada.file("memory/2026-11-21.md");
    let entry = first.strip_prefix(known.as_str()).expect("the log only grows");
    let (heading, body) = (entry.find("## 2026-11-21 12:00 UTC\n"), entry.find("\nSold out.\n"));
    assert!(heading.is_some() && heading < body, "{entry}");
    assert_eq!(ada.answer("write_memory", json!({ "content": "Closed." }))["outcome"], "applied");
    let second = ada.file("memory/2026-11-21.md");
    assert!(
        second.strip_prefix(first.as_str()).is_some_and(|entry| entry.contains("\nClosed.\n")),
        "{second}"
    );
    let asked = ada.answer("write_memory", json!({ "content": "Ana is a friend.", "target": "memory" }));
    assert_eq!(asked["outcome"], "pending");
    assert!(!ada.file("MEMORY.md").contains("friend"));
    let before = ["MEMORY.md", "memory/2026-11-21.md"].map(|name| ada.file(name));
    for target in ["daily", "memory"] {
        let long = json!({ "content": "a".repeat(8_001), "target": target });
        assert_eq!(ada.fails("write_memory", long), "usage_bad", "{target}");
        let nothing = ada.called("write_memory", json!({ "content": " \n", "target": target }));
        assert!(nothing.failed, "{target}: {}", nothing.text);
    }
    let secret = json!({ "content": format!("the key is {}", token()), "target": "memory" });
    assert_eq!(ada.fails("write_memory", secret), "secret_refused");
    assert_eq!(["MEMORY.md", "memory/2026-11-21.md"].map(|name| ada.file(name)), before);
}

#[test]
fn a_room_is_given_its_own_page_and_log_and_writes_there() {
    let files = Arc::new(fixture::mem(ADA));
    let kitchen = ada_in(room("kitchen"), &files);
    let told = kitchen.answer("memory_context", json!({}))["text"].as_str().expect("a text").to_owned();
    assert!(
        told.contains("The kitchen closes at six.") && told.contains("Cleaned the kitchen oven."),
        "{told}"
    );
    for private in ["Likes rye bread", "Name: Bo", "Baked six loaves"] {
        assert!(!told.contains(private), "{private}: {told}");
    }
    assert_eq!(kitchen.answer("write_memory", json!({ "content": "Oven is hot." }))["outcome"], "applied");
    assert!(kitchen.file("memory/rooms/kitchen/2026-11-21.md").contains("Oven is hot."));
    assert!(!kitchen.file("memory/2026-11-21.md").contains("Oven is hot."));
    let garden = ada_in(room("garden"), &files).answer("memory_context", json!({}));
    assert!(!garden["text"].as_str().expect("a text").contains("kitchen"), "{garden}");
}

#[test]
fn the_report_names_files_sizes_what_is_missing_and_what_is_too_large() {
    let text = format!("{ADA}//- AGENTS.md\n{}\n", "- be kind to everybody who comes\n".repeat(2_000));
    let files = Arc::new(fixture::mem(&text.replace("//- SOUL.md", "//- notes/soul.md")));
    let told = report(&ada_in(Scope::Main, &files).connection);
    for line in [
        "prompt for main · profile mindroom",
        "user_prefix memory MEMORY.md: 114 characters, 104 of 104 shown",
        "left out: soul SOUL.md: It does not exist.",
        "left out: agents AGENTS.md: It is larger than the limit for one file",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    // What a room may not see is neither loaded nor missing there.
    let told = report(&ada_in(room("kitchen"), &files).connection);
    assert!(told.contains("rooms/kitchen.md: ") && !told.contains("MEMORY.md: 1"), "{told}");
}
