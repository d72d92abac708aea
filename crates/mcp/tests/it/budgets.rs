//! What a client pays for: the list of tools, the size of answers, and hints that hold.
//!
//! The first version sent 25 kB of descriptions and schemas, answers with byte offsets and hashes that were larger than
//! their text, and a context of 18 kB; clients cut or refuse that.

use inwit_model::Scope;
use inwit_testkit::room;
use inwit_wire::tools::Set;
use serde_json::{Map, Value, json};

use crate::protocol::Client;
use crate::world::{ADA, ada, world};

/// Largest list of our own tools, in bytes of JSON: 2,500 tokens of four bytes.
const LIST_BYTES_MAX: usize = 10_000;

/// Longest `memory_context`, in characters.
const CONTEXT_CHARS_MAX: usize = 9_000;

#[test]
fn the_list_of_our_own_tools_is_small() {
    let mut client = Client::begun();
    let listed =
        client.asks(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))["result"].to_string();
    assert!(listed.len() <= LIST_BYTES_MAX, "{} bytes", listed.len());
    assert!(!listed.contains("believed_at") && !listed.contains("outputSchema"), "{listed}");
    client.ends();
}

#[test]
fn every_description_of_our_own_tools_has_one_example() {
    for tool in ada(Scope::Main).connection.tools() {
        assert_eq!(tool.about.matches("Example: {").count(), 1, "{}", tool.name);
    }
}

/// A workspace whose files are far larger than what a client takes.
fn large() -> String {
    let lines = |about: &str| -> String {
        (0..600).map(|at| format!("- {about} number {at}, a \"quoted\" word and 面包.\n")).collect()
    };
    format!(
        "//- SOUL.md\n# S\n\n{}\n//- USER.md\n# U\n\n{}\n//- MEMORY.md\n# M\n\n## Facts\n\n{}\n//- memory/2026-11-21.md\n# 2026-11-21\n\n{}\n//- rooms/kitchen.md\n# K\n\n{}\n",
        lines("trait"),
        lines("habit"),
        lines("fact"),
        lines("event"),
        lines("oven"),
    )
}

#[test]
fn the_context_fits_any_client_and_its_text_comes_first() {
    for scope in [Scope::Main, room("kitchen"), Scope::Shared] {
        for text in [ADA.to_owned(), large()] {
            let called = world(&text, scope.clone(), &[Set::Default]).called("memory_context", json!({}));
            for sent in [called.answer.to_string(), called.text.to_string()] {
                assert!(sent.encode_utf16().count() <= CONTEXT_CHARS_MAX, "{scope}: {}", sent.len());
            }
            let fields = called.answer.as_object().expect("an object");
            assert_eq!(fields.keys().next().map(String::as_str), Some("text"));
            assert!(called.text.starts_with(called.answer["text"].as_str().expect("text")), "{scope}");
        }
    }
}

#[test]
fn the_context_says_who_the_agent_is_and_where_it_was_cut() {
    let context =
        |text: &str, sent: Value| world(text, Scope::Main, &[Set::Default]).answer("memory_context", sent);
    let whole = context(ADA, json!({}))["text"].to_string();
    for words in ["I am Ada and I bake.", "Name: Bo", "Likes rye bread."] {
        assert!(whole.contains(words), "{words}: {whole}");
    }
    assert!(!whole.contains("[left out"), "{whole}");
    let cut = context(&large(), json!({ "max_tokens": 500 }));
    let cut = cut["text"].as_str().expect("text");
    assert!(inwit_mcp::fit::tokens(cut) <= 500 && cut.contains("[left out: the rest;"), "{cut}");
    assert!(cut.starts_with("<inwit-context") && cut.ends_with("</inwit-context>"), "{cut}");
}

#[test]
fn offsets_and_hashes_come_only_when_they_are_asked_for() {
    let ada = ada(Scope::Main);
    let plain = ada.called("memory_search", json!({ "query": "rye bread" }));
    for name in ["startByte", "endByte", "sha256", "startLine", "score"] {
        assert!(!plain.answer.to_string().contains(name), "{name}: {}", plain.answer);
    }
    let explained = ada.answer("memory_search", json!({ "query": "rye bread", "explain": true }));
    for name in ["startByte", "endByte", "sha256", "startLine", "score"] {
        assert!(explained["results"][0].get(name).is_some(), "{name}: {explained}");
    }
    let days = ada.answer("memory_timeline", json!({}));
    let keys: Vec<&String> = days["entries"][1].as_object().expect("an entry").keys().collect();
    assert_eq!(keys, ["citation", "text"], "{days}");
}

/// The answer as data costs little more than the answer as text.
#[test]
fn a_structured_answer_is_about_as_large_as_its_text() {
    for (tool, sent) in
        [("memory_search", json!({ "query": "rye bread oven" })), ("memory_timeline", json!({}))]
    {
        let called = ada(Scope::Main).called(tool, sent);
        let rows = called.text.lines().count();
        let most = called.text.len() + 50 * rows + 50;
        assert!(called.answer.to_string().len() <= most, "{tool}: {}\n{}", called.answer, called.text);
    }
}

/// A hint lets a client repeat a call. It stands only where a second equal call changes nothing and answers the same.
#[test]
fn a_tool_that_claims_to_be_idempotent_answers_the_same_twice() {
    for set in Set::ALL {
        let world = world(ADA, Scope::Main, &[*set]);
        for tool in world.connection.tools().filter(|tool| tool.hints.idempotent) {
            let mut sent = Map::new();
            for param in tool.params.iter().filter(|param| param.required) {
                let value = if param.name == "path" { "MEMORY.md" } else { "rye" };
                sent.insert(param.name.to_owned(), value.into());
            }
            let answers = [(); 2].map(|()| world.called(tool.name, Value::Object(sent.clone())));
            assert_eq!(answers[0], answers[1], "{}", tool.name);
            assert!(tool.hints.read_only, "{}", tool.name);
        }
    }
}

/// A key that only the cut makes of a longer word.
#[test]
fn a_line_that_max_tokens_cuts_shows_no_key() {
    const TOKENS: usize = 110;
    let key = inwit_testkit::secret::positives("aws_access_key", 1, &mut inwit_testkit::Chance::of(7));
    let key = key[0].value.as_str();
    // Three characters are a token.
    let before = format!("{:<1$}", "Use rye and", 3 * TOKENS - key.len());
    let whole = format!("//- notes/a.md\n{before}{key}QZ7QZ7QZ7QZ7 today.\n");
    let world = world(&whole, Scope::Main, &[Set::Default]);
    let called = world.called("memory_get", json!({ "path": "notes/a.md" }));
    assert!(called.text.contains(key), "it is longer than any key: {}", called.text);
    let called = world.called("memory_get", json!({ "path": "notes/a.md", "max_tokens": TOKENS }));
    let text = called.answer["text"].as_str().expect("text");
    assert!(text.contains("[masked: ") && !text.contains(key) && !called.text.contains(key), "{text}");
}
