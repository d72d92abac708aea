//! MCP over HTTP: the tools of a token's agent and scope.

use inwit_testkit::Cli;
use inwit_testkit::http_client::{HttpAnswer, HttpClient};
use serde_json::{Value, json};

use crate::newcomer;
use crate::serve::{Serving, token};

fn home() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "The private boat is called Sirena."]).exits(0);
    home.run(["remember", "--file", "rooms/kitchen.md", "The kitchen bakes on Fridays."]).exits(0);
    home
}

/// Sends one message.
fn send(client: &HttpClient, version: &str, message: &Value) -> HttpAnswer {
    let client =
        client.with("Accept", "application/json, text/event-stream").with("MCP-Protocol-Version", version);
    client.post("/mcp", message)
}

fn request(client: &HttpClient, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let answer = send(client, "2025-06-18", &message);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn names(listed: &Value) -> Vec<String> {
    let tools = listed["result"]["tools"].as_array().expect("tools").iter();
    tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
}

fn called(client: &HttpClient, tool: &str, arguments: Value) -> String {
    request(client, "tools/call", json!({ "name": tool, "arguments": arguments }))["result"].to_string()
}

#[test]
fn a_client_initializes_lists_tools_and_calls_them() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "write"]));
    let params = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let began = request(&client, "initialize", params);
    assert_eq!(began["result"]["serverInfo"]["name"], "inwit", "{began}");
    let ready =
        send(&client, "2025-06-18", &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(ready.status, 202, "{}", ready.text());
    let tools = names(&request(&client, "tools/list", json!({})));
    assert!(
        tools.contains(&"memory_search".to_owned()) && tools.contains(&"memory_remember".to_owned()),
        "{tools:?}"
    );
    assert!(called(&client, "memory_search", json!({ "query": "boat" })).contains("Sirena"));
    let kept = called(&client, "memory_remember", json!({ "text": "Ana sails on Sundays." }));
    assert!(kept.contains("pending"), "{kept}");
    assert!(home.run(["inbox"]).stdout().contains("Ana sails on Sundays."));
}

/// The version of 2026 has no handshake.
#[test]
fn a_self_contained_request_is_answered() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "read"])).with("Mcp-Method", "tools/list");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } });
    let answer = send(&client, "2026-07-28", &message);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["result"]["cacheScope"], "private", "{}", answer.text());
}

#[test]
fn a_token_gets_the_tools_and_texts_of_its_right_and_scope() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let list = |client: &HttpClient| names(&request(client, "tools/list", json!({})));
    let reader = serving.client.token(&token(&home, &["--scope", "read"]));
    assert!(list(&reader).contains(&"memory_search".to_owned()));
    assert!(!list(&reader).contains(&"memory_remember".to_owned()), "a token to read writes nothing");
    let refused = send(
        &reader,
        "2025-06-18",
        &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                 "params": { "name": "memory_remember", "arguments": { "text": "x" } } }),
    );
    assert!(refused.json()["error"].is_object(), "{}", refused.text());
    let room = serving.client.token(&token(&home, &["--scope", "write", "--room", "kitchen"]));
    for client in [&room, &serving.client] {
        let found = called(client, "memory_search", json!({ "query": "boat Sirena bakes" }));
        assert!(!found.contains("private boat"), "{found}");
    }
    assert!(called(&room, "memory_search", json!({ "query": "bakes" })).contains("Fridays"));
    let wrong = serving.client.token("inwit_guess");
    assert_eq!(send(&wrong, "2025-06-18", &json!({})).status, 401);
    let page = serving.client.with("Origin", "http://evil.example");
    assert_eq!(send(&page, "2025-06-18", &json!({})).status, 403);
    let get = serving.client.get("/mcp");
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
}

#[test]
fn a_message_that_is_none_is_refused_and_the_server_stays_up() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    for body in [
        "",
        "{",
        "[]",
        "{\"jsonrpc\": \"1.0\"}",
        "null",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing\"}",
    ] {
        let client = serving.client.with("Content-Type", "application/json");
        let client = client.with("Accept", "application/json, text/event-stream");
        let answer = client.send("POST", "/mcp", body.as_bytes());
        let is_refused = (400..500).contains(&answer.status) || answer.json()["error"].is_object();
        assert!(is_refused, "{body}: {} {}", answer.status, answer.text());
    }
    assert!(
        called(&serving.client, "memory_status", json!({})).contains("\\\"agent\\\"")
            || serving.client.get("/readyz").status == 204
    );
}
