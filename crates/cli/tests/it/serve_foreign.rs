//! The routes of Minara and MindRoom, as their clients call them.

use inwit_testkit::Cli;
use inwit_testkit::http_client::{HttpAnswer, HttpClient};
use serde_json::{Value, json};

use crate::newcomer;
use crate::serve::{Serving, home, token};

fn put(client: &HttpClient, path: &str, body: &Value) -> (u16, Value) {
    let client = client.with("Content-Type", "application/json");
    let answer = client.send("PUT", path, body.to_string().as_bytes());
    (answer.status, answer.json())
}

/// Proves W24.
#[test]
fn a_client_of_minara_lists_reads_and_saves_its_eight_files() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let listed = client.get("/v1/workspace/files").json();
    assert_eq!(listed["ok"], true);
    let files = listed["data"]["files"].as_array().expect("files");
    let names: Vec<&str> = files.iter().filter_map(|file| file["name"].as_str()).collect();
    let all = [
        "SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "MEMORY.md", "BOOTSTRAP.md", "TOOLS.md",
        "HEARTBEAT.md",
    ];
    assert_eq!(names, all);
    let absent = files.iter().find(|file| file["name"] == "HEARTBEAT.md").expect("a row");
    assert_eq!(
        *absent,
        json!({ "name": "HEARTBEAT.md", "exists": false, "size": 0, "mtime": null, "sha256": null })
    );
    let read = client.get("/v1/workspace/files/SOUL.md").json()["data"].clone();
    assert!(read["content"].as_str().is_some_and(|text| text.starts_with("# SOUL.md")), "{read}");
    assert!(read["mtime"].as_i64().is_some_and(|at| at > 1_700_000_000_000), "{read}");
    let soul = "/v1/workspace/files/SOUL.md";
    let saved = put(&client, soul, &json!({ "content": "I bake.\n", "expected_sha256": read["sha256"] }));
    assert_eq!((saved.0, &saved.1["data"]["size"]), (200, &json!(8)));
    let late = put(&client, soul, &json!({ "content": "I sail.\n", "expected_sha256": read["sha256"] }));
    assert_eq!((late.0, &late.1["ok"], &late.1["sha256"]), (409, &json!(false), &saved.1["data"]["sha256"]));
    let unsaid = put(&client, soul, &json!({ "content": "I sail.\n" }));
    assert_eq!((unsaid.0, &unsaid.1["code"]), (428, &json!("precondition_missing")));
    let large =
        put(&client, soul, &json!({ "content": "x".repeat(256 * 1024 + 1), "expected_sha256": null }));
    assert_eq!((large.0, &large.1["ok"]), (413, &json!(false)));
    let exists = put(&client, soul, &json!({ "content": "I sail.\n", "expected_sha256": null }));
    assert_eq!(exists.0, 409);
    let made = put(
        &client,
        "/v1/workspace/files/HEARTBEAT.md",
        &json!({ "content": "# HEARTBEAT\n", "expected_sha256": null }),
    );
    assert_eq!((made.0, &made.1["data"]["exists"]), (200, &json!(true)), "{}", made.1);
    for other in ["notes.md", "..%2fagent.toml", "%2fetc%2fpasswd", "memory%2f2026-11-20.md", "soul.md"] {
        let answer = client.get(&format!("/v1/workspace/files/{other}"));
        assert_eq!((answer.status, &answer.json()["ok"]), (404, &json!(false)), "{other}");
    }
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    let soul_now = agent.get(soul).json()["data"]["sha256"].clone();
    let proposed = put(&agent, soul, &json!({ "content": "I obey.\n", "expected_sha256": soul_now }));
    assert!(proposed.1["data"]["proposal"].is_string(), "{}", proposed.1);
    assert_eq!(proposed.1["data"]["sha256"], soul_now, "nothing was written");
}

/// Proves R36, R37, R38, R42.
#[test]
fn a_client_of_mindroom_edits_the_workspace() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let of = |path: &str| format!("/api/workspace/main/{path}");
    let listed = client.get(&of("files")).json();
    assert_eq!((&listed["agent_name"], &listed["count"]), (&json!("main"), &json!(3)), "{listed}");
    let names: Vec<&Value> =
        listed["files"].as_array().expect("files").iter().map(|file| &file["filename"]).collect();
    assert_eq!(names, ["AGENTS.md", "MEMORY.md", "SOUL.md"]);
    let read = client.get(&of("file/MEMORY.md"));
    let fields: Vec<String> = read.json().as_object().expect("an object").keys().cloned().collect();
    assert_eq!(fields, ["filename", "content", "size_bytes", "last_modified", "agent_name"]);
    let etag = read.etag();
    let body = json!({ "content": "# MEMORY\n\n- Ana likes rye.\n" });
    let saved = put(&client.with("If-Match", &format!("W/{etag}")), &of("file/MEMORY.md"), &body);
    assert_eq!((saved.0, &saved.1["size_bytes"]), (200, &json!(27)), "{}", saved.1);
    let gone = client.with("If-Match", &client.get(&of("file/MEMORY.md")).etag());
    assert_eq!(gone.send("DELETE", &of("file/MEMORY.md"), b"").json()["filename"], "MEMORY.md");
    assert_eq!(client.get(&of("file/MEMORY.md")).status, 404);
}

/// Proves R39, R44, R45, R47.
#[test]
fn mindroom_checks_precondition_agent_name_presence_conflict_in_this_order() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let stale = client.with("If-Match", &format!("\"{}\"", "0".repeat(64)));
    let body = json!({ "content": "x" });
    let of = |client: &HttpClient, path: &str| put(client, &format!("/api/workspace/{path}"), &body).0;
    assert_eq!(of(&client, "nobody/file/USER.md"), 428);
    assert_eq!(of(&stale, "nobody/file/USER.md"), 404);
    for name in
        ["USER.md", "..%2fagent.toml", "%2fetc%2fpasswd", "memory/../USER.md", "notes/x.md", "memory/x.txt"]
    {
        assert_eq!(of(&stale, &format!("main/file/{name}")), 422, "{name}");
    }
    assert_eq!(of(&stale, "main/file/memory/2026-01-01.md"), 404, "only existing files are saved");
    assert_eq!(of(&stale, "main/file/SOUL.md"), 409);
    let unconfirmed = client.send("DELETE", "/api/workspace/main/file/SOUL.md", b"");
    assert_eq!(unconfirmed.status, 428, "a removal is confirmed by the ETag of what was read");
}

/// Proves R43, R46.
#[test]
fn mindroom_refuses_a_file_over_the_limit_of_its_profile_with_400() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC", "--profile", "mindroom"]).exits(0);
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let path = "/api/workspace/main/file/MEMORY.md";
    let etag = client.get(path).etag();
    for (bytes, code) in [(900_000, "file_too_large"), (1_200_000, "body_too_large")] {
        let body = json!({ "content": "x".repeat(bytes) });
        let (status, answer) = put(&client.with("If-Match", &etag), path, &body);
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{answer}");
    }
    let saved = put(&client.with("If-Match", &etag), path, &json!({ "content": "# MEMORY\n" }));
    assert_eq!(
        (saved.0, &saved.1["filename"], &saved.1["size_bytes"]),
        (200, &json!("MEMORY.md"), &json!(9))
    );
    let etag = client.get(path).etag();
    let large = json!({ "content": "x".repeat(900_000) });
    assert_eq!(put(&client.with("If-Match", &etag), path, &large).0, 400);
    assert_eq!(client.get(path).etag(), etag, "nothing was written or cut");
}

/// Proves R40, R41.
#[test]
fn mindroom_lists_daily_logs_and_reads_those_of_a_date() {
    let home = home();
    let folder = home.home("inwit/agents/main/workspace");
    inwit_testkit::fixture::put(&folder, "memory/2026-11-20.md", b"- Bought a bread chest.\n");
    inwit_testkit::fixture::put(&folder, "memory/rooms/kitchen/2026-11-20.md", b"- Tomas baked.\n");
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let daily = "/api/workspace/main/memory/daily";
    let names = |answer: &Value, list: &str| -> Vec<String> {
        let files = answer[list].as_array().expect("files").iter();
        files.filter_map(|file| file["filename"].as_str().map(str::to_owned)).collect()
    };
    let logs = ["memory/2026-11-20.md", "memory/rooms/kitchen/2026-11-20.md"];
    assert_eq!(names(&client.get(daily).json(), "files"), logs);
    let day = client.get(&format!("{daily}/2026-11-20")).json();
    assert_eq!(
        (names(&day, "entries"), &day["entries"][0]["content"]),
        (logs.map(str::to_owned).to_vec(), &json!("- Bought a bread chest.\n"))
    );
    assert_eq!(client.get(&format!("{daily}/2026-11-21")).json()["entries"], json!([]));
    for bad in ["yesterday", "2026-13-01", "20261120", "2026-11-20T00:00"] {
        assert_eq!(client.get(&format!("{daily}/{bad}")).status, 422, "{bad}");
    }
    let room = serving.client.token(&token(&home, &["--scope", "read", "--room", "kitchen"]));
    assert_eq!(names(&room.get(daily).json(), "files"), &logs[1..], "a room sees its own logs");
}

#[test]
fn mindroom_reports_what_a_prompt_is_made_of() {
    let home = home();
    std::fs::remove_file(home.home("inwit/agents/main/workspace/USER.md")).expect("it was there");
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "read"]));
    let report = client.get("/api/agents/main/context-report").json();
    assert_eq!(
        (&report["agent_name"], &report["is_dm"], &report["room_id"]),
        (&json!("main"), &json!(true), &Value::Null)
    );
    let loaded = report["loaded_files"].as_array().expect("files");
    assert!(
        loaded.iter().any(|file| file["filename"] == "SOUL.md" && file["category"] == "soul"),
        "{report}"
    );
    let warnings = report["warnings"].as_array().expect("warnings");
    assert!(
        warnings.iter().any(|warning| warning.as_str().is_some_and(|text| text.starts_with("USER.md: "))),
        "{report}"
    );
    let room = serving.client.token(&token(&home, &["--scope", "read", "--room", "kitchen"]));
    let report = room.get("/api/agents/main/context-report").json();
    assert_eq!((&report["is_dm"], &report["room_id"]), (&json!(false), &json!("kitchen")));
    assert!(!report["loaded_files"].to_string().contains("MEMORY"), "{report}");
}

/// A home, its server, and clients with a token of a person and of an agent.
fn server() -> (Cli, Serving, HttpClient, HttpClient) {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let owner = serving.client.token(&token(&home, &["--scope", "approve"]));
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    (home, serving, owner, agent)
}

/// Sends JSON with this method.
fn json_to(client: &HttpClient, method: &str, path: &str, body: &Value) -> HttpAnswer {
    client.with("Content-Type", "application/json").send(method, path, body.to_string().as_bytes())
}

/// Proves M22, M24, M25, M40.
///
/// A user of Minara edits what they added, and nothing that an agent recorded; removed memories come back.
#[test]
fn a_user_of_minara_changes_only_memories_of_their_own() {
    let (home, serving, owner, agent) = server();
    let statement =
        json!({ "statement": "Never trade on margin.", "fact_type": "constraint.hard", "tickers": ["BTC"] });
    let added = owner.post("/v1/memory", &statement);
    assert_eq!((added.status, added.json()["ok"].clone()), (200, json!(true)), "{}", added.text());
    let id = added.json()["id"].as_i64().expect("a number");
    let path = format!("/v1/memory/{id}");
    let changed = json_to(&owner, "PATCH", &path, &json!({ "tickers": ["BTC", "ETH"] }));
    assert_eq!(changed.json(), json!({ "ok": true, "updated": true }), "{}", changed.text());
    let listed = owner.get("/v1/memory").json();
    let memory = &listed["data"]["memories"][0];
    assert_eq!(
        (&memory["content"], &memory["source"]),
        (&json!("Never trade on margin."), &json!("user_manual"))
    );
    let metadata: Value = serde_json::from_str(memory["metadata"].as_str().expect("metadata")).expect("JSON");
    assert_eq!(metadata, json!({ "fact_type": "constraint.hard", "tickers": ["BTC", "ETH"] }));
    // What an agent writes waits, and stays the agent's when it is approved.
    let proposed = agent.post("/v1/memory?scope=main", &json!({ "statement": "Likes margin." })).json();
    assert_eq!((&proposed["id"], &proposed["ok"]), (&Value::Null, &json!(true)), "{proposed}");
    let proposal = proposed["proposal"].as_str().expect("a proposal");
    let shown = owner.get(&format!("/v1/agents/main/proposals/{proposal}")).json();
    let approve = json!({ "confirm": shown["confirm"] });
    assert_eq!(owner.post(&format!("/v1/agents/main/proposals/{proposal}/approve"), &approve).status, 200);
    let theirs = owner.get("/v1/memory").json();
    let theirs = theirs["data"]["memories"].as_array().expect("memories").iter().find(|row| row["id"] != id);
    let theirs = format!("/v1/memory/{}", theirs.expect("the agent's")["id"]);
    for refused in
        [json_to(&owner, "PATCH", &theirs, &json!({ "statement": "x" })), owner.send("DELETE", &theirs, b"")]
    {
        assert_eq!((refused.status, refused.code().as_str()), (403, "policy_refused"));
        assert_eq!(refused.json()["ok"], false);
    }
    let removed = owner.send("DELETE", &path, b"");
    assert_eq!(removed.json(), json!({ "ok": true, "deleted": true }));
    assert!(!owner.get("/v1/memory").text().contains("Never trade"));
    let restored = owner.post(&format!("{path}/restore"), &json!({}));
    assert_eq!(restored.json(), json!({ "ok": true, "restored": true }));
    assert!(owner.get("/v1/memory").text().contains("Never trade"));
    let nothing = json_to(&owner, "PATCH", &path, &json!({}));
    assert_eq!((nothing.status, nothing.code().as_str()), (400, "usage_bad"));
    assert_eq!(owner.send("DELETE", "/v1/memory/99", b"").status, 404);
    assert_eq!(owner.send("DELETE", "/v1/memory/fact-1", b"").status, 404);
    drop((home, serving));
}

#[test]
fn a_profile_of_minara_has_tags_and_a_prompt() {
    let (home, serving, owner, agent) = server();
    let tag = |client: &HttpClient, name: &str, value: Value| {
        json_to(client, "PUT", &format!("/v1/profile/tags/{name}?scope=main"), &json!({ "value": value }))
    };
    assert_eq!(tag(&owner, "risk", json!("low")).json()["data"]["value"], "low");
    assert_eq!(tag(&owner, "markets", json!(["BTC", "ETH"])).json()["data"]["value"], json!(["BTC", "ETH"]));
    assert_eq!(tag(&owner, "risk", json!(["a"])).code(), "usage_bad", "only markets is a list");
    let prompt = json_to(&owner, "PUT", "/v1/profile/prompt", &json!({ "text": "Answer briefly." }));
    assert_eq!(prompt.json()["data"]["custom_prompt"], "Answer briefly.");
    let proposed = tag(&agent, "risk", json!("high")).json();
    assert_eq!(proposed["data"]["value"], "low", "the current value: {proposed}");
    assert!(proposed["data"]["proposal"].is_string(), "{proposed}");
    assert_eq!(tag(&agent, "risk", Value::Null).status, 403, "an agent removes nothing");
    let profile = owner.get("/v1/profile").json();
    let names: Vec<&str> = profile["data"]["tags"]
        .as_array()
        .expect("tags")
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    assert_eq!(names, ["markets", "risk"], "{profile}");
    assert_eq!(profile["data"]["custom_prompt"], "Answer briefly.");
    let values = json!({ "values": { "custom_prompt": null, "home_language": "Slovene" } });
    let put = json_to(&owner, "PUT", "/v1/profile", &values).json();
    assert_eq!(put["data"]["custom_prompt"], Value::Null, "{put}");
    let room = serving.client.token(&token(&home, &["--scope", "read", "--room", "kitchen"]));
    assert_eq!(room.get("/v1/profile").json()["data"]["tags"], json!([]));
    assert_eq!(owner.send("DELETE", "/v1/profile", b"").json()["deleted"], true);
    assert_eq!(owner.get("/v1/profile").json()["data"]["tags"], json!([]));
    drop(home);
}
