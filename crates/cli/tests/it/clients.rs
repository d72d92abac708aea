//! `inwit mcp` with the official clients: every tool, resource, prompt and set, in both generations.

use std::collections::BTreeSet;
use std::path::Path;

use inwit_testkit::Cli;
use inwit_testkit::clients::{Official, Plan};
use inwit_wire::tools::{self, Set};
use serde_json::{Value, json};

use crate::user;

/// Where the scripts of the clients lie.
fn scripts() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients"))
}

/// Arguments that fit `tool`.
fn arguments(tool: &str, set: Set) -> Value {
    match (tool, set) {
        ("memory_write", _) => json!({ "category": "fact", "content": "Ana bakes on Mondays." }),
        ("memory_learn", _) => json!({ "content": "Ask before baking." }),
        ("memory_search", _) => json!({ "query": "which bread" }),
        ("memory_feedback", _) => json!({ "hits": ["MEMORY.md#L3"], "verdict": "useful" }),
        ("memory_get", _) => json!({ "path": "MEMORY.md" }),
        ("memory_remember", _) => json!({ "text": "Ana bakes on Mondays.", "kind": "journal" }),
        ("memory_update", _) => {
            let read = "8d3e4f0a".repeat(8);
            json!({ "path": "MEMORY.md", "old_text": "coriander", "text": "Likes all.", "expected_sha256": read })
        }
        ("memory_forget", _) => json!({ "path": "MEMORY.md", "old_text": "coriander" }),
        ("memory", Set::Nexo) => json!({ "action": "recall", "query": "bread" }),
        ("memory", _) => json!({ "action": "add", "content": "Ana bakes on Mondays." }),
        ("write_memory", _) => json!({ "content": "Baked today." }),
        _ => json!({}),
    }
}

fn prompts() -> Value {
    json!({ "orient": {}, "remember": { "text": "Ana bakes." }, "review-pending": {} })
}

#[test]
fn the_official_clients_call_every_tool_resource_and_prompt_of_every_set() {
    let offers = [
        &[Set::Default][..],
        &[Set::Nexo, Set::Mindroom],
        &[Set::Openclaw],
        &[Set::Hermes],
        &[Set::Minara, Set::Feedback],
    ];
    assert!(Set::ALL.iter().all(|set| offers.iter().any(|offer| offer.contains(set))), "no set is left out");
    for client in Official::ALL {
        for offered in offers {
            let named: Vec<_> = tools::all().filter(|tool| offered.contains(&tool.set)).collect();
            let calls = named.iter().map(|tool| (tool.name.to_owned(), arguments(tool.name, tool.set)));
            let sets = offered.iter().map(|set| set.word()).collect::<Vec<_>>().join(",");
            let plan = Plan {
                scripts: scripts(),
                words: &["mcp", "--main", "--workspace", "notes", "--tools", &sets],
                calls: Value::Object(calls.collect()),
                prompts: prompts(),
            };
            let Some(told) = client.asks(&user(), &plan) else { continue };
            assert_eq!(told["unplanned"], json!([]), "{client:?}");
            let called = told["tools"].as_object().expect("tools");
            for tool in &named {
                // What was read is stale, and says so in the shape of an error.
                let fails = tool.name == "memory_update";
                assert_eq!(
                    called[tool.name]["failed"], fails,
                    "{client:?} {}: {}",
                    tool.name, called[tool.name]
                );
                assert!(called[tool.name]["answer"].is_object(), "{client:?} {}", tool.name);
            }
            let resources = told["resources"].as_object().expect("resources");
            assert!(
                resources.len() > 6 && resources.values().all(|chars| chars.as_u64() > Some(0)),
                "{told}"
            );
            assert_eq!(
                (&told["templates"], told["prompts"].as_object().expect("prompts").len()),
                (&json!(2), 3)
            );
            assert_eq!(told["server"], "inwit");
            assert!(told["instructions"].as_str().expect("words").contains("Search before you answer"));
            match client {
                Official::Python => assert_eq!(told["protocol"], "2026-07-28"),
                Official::PythonOlder => assert_eq!(told["protocol"], "2025-11-25"),
                Official::TypeScript => {}
            }
        }
    }
}

/// What a session of a client is answered by one tool.
fn session(client: Official, user: &Cli, words: &[&str], tool: &str, arguments: Value) -> Option<Value> {
    let all: BTreeSet<&str> = tools::all().map(|tool| tool.name).collect();
    assert!(all.contains(tool));
    let words: Vec<&str> = words.iter().copied().chain(["--workspace", "notes", "--allow", tool]).collect();
    let plan =
        Plan { scripts: scripts(), words: &words, calls: json!({ tool: arguments }), prompts: prompts() };
    Some(client.asks(user, &plan)?["tools"][tool]["answer"].clone())
}

/// Proves C5.
#[test]
fn a_client_remembers_a_person_approves_and_the_next_session_recalls() {
    for client in Official::ALL {
        let user = user();
        let asked = json!({ "text": "Ana prefers spelt rolls." });
        let Some(kept) = session(*client, &user, &["mcp", "--main"], "memory_remember", asked) else {
            continue;
        };
        assert_eq!(kept["outcome"], "pending");
        let question = json!({ "query": "which rolls does Ana prefer" });
        let before =
            session(*client, &user, &["mcp", "--main"], "memory_search", question.clone()).expect("there");
        assert!(!before["results"].to_string().contains("spelt rolls"));
        let id = kept["proposal"].as_str().expect("an id");
        let shown = user.run_words(&["inbox", "show", id, "--json", "--workspace", "notes"]).json();
        let digits = shown["confirm"].as_str().expect("digits");
        user.run_words(&["inbox", "approve", id, "--confirm", digits, "--workspace", "notes"])
            .mentions("MEMORY.md");
        let after =
            session(*client, &user, &["mcp", "--main"], "memory_search", question.clone()).expect("there");
        assert_eq!(after["results"][0]["text"], "- Ana prefers spelt rolls.", "{client:?}");
        let room =
            session(*client, &user, &["mcp", "--room", "kitchen"], "memory_search", question).expect("there");
        assert!(!room.to_string().contains("spelt"), "{room}");
    }
}
