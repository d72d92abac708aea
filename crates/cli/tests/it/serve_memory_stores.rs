//! Anthropic's memory stores over an agent's files, as their clients call them.

use std::path::Path;

use inwit_testkit::Cli;
use inwit_testkit::clients::anthropic;
use inwit_testkit::http_client::{HttpAnswer, HttpClient};
use serde_json::{Value, json};

use crate::serve::{Serving, home, token};

const STORE: &str = "/v1/memory_stores/main";

/// A home, its server, and clients with the key of a person and of an agent, as their clients send it.
fn server() -> (Cli, Serving, HttpClient, HttpClient) {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let key = |right| serving.client.with("x-api-key", &token(&home, &["--scope", right]));
    let (owner, agent) = (key("approve"), key("write"));
    (home, serving, owner, agent)
}

#[track_caller]
fn done(answer: &HttpAnswer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn sha256(text: &str) -> String {
    inwit_model::Sha256::of(text.as_bytes()).to_string()
}

#[test]
fn a_memory_is_created_changed_over_what_was_read_and_removed() {
    let (home, _serving, owner, _) = server();
    let stores = done(&owner.get("/v1/memory_stores?beta=true"));
    assert_eq!(
        (&stores["data"][0]["id"], &stores["data"][0]["type"]),
        (&json!("main"), &json!("memory_store"))
    );
    let new = json!({ "path": "/topics/bread.md", "content": "Feed it twice.\n" });
    let made = done(&owner.post(&format!("{STORE}/memories?beta=true&view=full"), &new));
    assert_eq!((&made["content"], &made["path"]), (&json!("Feed it twice.\n"), &json!("/topics/bread.md")));
    assert_eq!(made["content_sha256"], sha256("Feed it twice.\n"));
    let file = home.home("inwit/agents/main/workspace/memory/topics/bread.md");
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "Feed it twice.\n");
    let twice =
        owner.post(&format!("{STORE}/memories"), &json!({ "path": "/topics/bread.md", "content": "x" }));
    let kind = &twice.json()["error"]["type"];
    assert_eq!((twice.status, kind), (409, &json!("memory_path_conflict_error")), "{}", twice.text());
    let memory = format!("{STORE}/memories/{}", made["id"].as_str().expect("an id"));
    let change = |content: &str, sha256: &str| {
        let precondition = json!({ "type": "content_sha256", "content_sha256": sha256 });
        owner.post(&memory, &json!({ "content": content, "precondition": precondition }))
    };
    let changed = done(&change("Feed it once.\n", &sha256("Feed it twice.\n")));
    assert_eq!(changed["content_sha256"], sha256("Feed it once.\n"));
    let late = change("Never feed it.\n", &sha256("Feed it twice.\n"));
    let error = &late.json()["error"];
    assert_eq!((late.status, &error["type"]), (409, &json!("memory_precondition_failed_error")));
    assert_eq!(error["current_sha256"], sha256("Feed it once.\n"));
    let unstated = owner.post(&memory, &json!({ "content": "x" }));
    assert_eq!((unstated.status, unstated.code().as_str()), (428, "precondition_missing"));
    assert_eq!(done(&owner.get(&memory))["content"], "Feed it once.\n");
    let versions = done(&owner.get(&format!("{STORE}/memory_versions?view=full")));
    let texts: Vec<&Value> =
        versions["data"].as_array().expect("versions").iter().map(|version| &version["content"]).collect();
    assert!(texts.contains(&&json!("Feed it twice.\n")), "{versions}");
    let by = &versions["data"][0]["created_by"];
    assert_eq!((&by["type"], &by["user_id"]), (&json!("user_actor"), &json!("owner")), "{versions}");
    let id = versions["data"][0]["id"].as_str().expect("an id");
    assert_eq!(done(&owner.get(&format!("{STORE}/memory_versions/{id}")))["id"], id);
    let gone =
        |sha256: &str| owner.send("DELETE", &format!("{memory}?expected_content_sha256={sha256}"), b"");
    assert_eq!(gone(&sha256("Feed it twice.\n")).status, 409);
    assert_eq!(done(&gone(&sha256("Feed it once.\n")))["type"], "memory_deleted");
    let missing = owner.get(&memory);
    assert_eq!((missing.status, &missing.json()["error"]["type"]), (404, &json!("not_found_error")));
}

#[test]
fn memories_are_listed_by_page_and_by_folder() {
    let (home, _serving, owner, _) = server();
    let folder = home.home("inwit/agents/main/workspace/memory");
    for name in ["a.md", "b/one.md", "b/two.md", "c/three.md", "d.md", "rooms/kitchen/x.md"] {
        inwit_testkit::fixture::put(&folder, name, b"x\n");
    }
    let paths = |page: &Value| -> Vec<String> {
        let rows = page["data"].as_array().expect("rows").iter();
        rows.filter_map(|row| row["path"].as_str().map(str::to_owned)).collect()
    };
    let all = done(&owner.get(&format!("{STORE}/memories")));
    assert_eq!(paths(&all), ["/a.md", "/b/one.md", "/b/two.md", "/c/three.md", "/d.md"]);
    assert_eq!(all["next_page"], Value::Null);
    let (mut seen, mut page) = (Vec::new(), String::new());
    loop {
        let rows = done(&owner.get(&format!("{STORE}/memories?limit=2{page}")));
        seen.extend(paths(&rows));
        let Some(next) = rows["next_page"].as_str() else { break };
        page = format!("&page={next}");
    }
    assert_eq!(seen, paths(&all), "each once");
    let folders = done(&owner.get(&format!("{STORE}/memories?depth=1")));
    assert_eq!(paths(&folders), ["/a.md", "/b/", "/c/", "/d.md"]);
    let below = done(&owner.get(&format!("{STORE}/memories?path_prefix=/b/")));
    assert_eq!(paths(&below), ["/b/one.md", "/b/two.md"]);
    assert_eq!(owner.get(&format!("{STORE}/memories?path_prefix=b")).status, 400);
    assert_eq!(owner.get(&format!("{STORE}/memories?page=zz")).status, 400);
}

/// What an agent writes is no success before its owner approved it, and a room has no memories.
#[test]
fn a_write_of_an_agent_waits_and_a_room_sees_no_memory() {
    let (home, serving, owner, agent) = server();
    let new = json!({ "path": "/topics/bread.md", "content": "Feed it twice.\n" });
    let waiting = agent.post(&format!("{STORE}/memories?scope=main"), &new);
    let error = &waiting.json()["error"];
    assert_eq!((waiting.status, &error["type"]), (403, &json!("permission_error")), "{}", waiting.text());
    assert_eq!(error["code"], "approval_pending");
    let proposal = error["proposal"].as_str().expect("a proposal");
    assert!(done(&owner.get(&format!("{STORE}/memories"))).to_string().contains("\"data\":[]"));
    // A key is for these routes; elsewhere a token is sent as a bearer.
    let bearer = serving.client.token(&token(&home, &["--scope", "approve"]));
    let shown = done(&bearer.get(&format!("/v1/agents/main/proposals/{proposal}")));
    let approve = json!({ "confirm": shown["confirm"] });
    done(&bearer.post(&format!("/v1/agents/main/proposals/{proposal}/approve"), &approve));
    let listed = done(&owner.get(&format!("{STORE}/memories")));
    assert_eq!(listed["data"][0]["path"], "/topics/bread.md");
    let room = serving.client.with("x-api-key", &token(&home, &["--scope", "write", "--room", "kitchen"]));
    assert_eq!(done(&room.get(&format!("{STORE}/memories")))["data"], json!([]));
    let id = listed["data"][0]["id"].as_str().expect("an id");
    assert_eq!(room.get(&format!("{STORE}/memories/{id}")).status, 404);
    let both = owner.token(&token(&home, &["--scope", "read"])).get("/v1/memory_stores");
    assert_eq!((both.status, both.code().as_str()), (401, "token_refused"));
    let large = json!({ "path": "/x.md", "content": "x".repeat(102_401) });
    assert_eq!(owner.post(&format!("{STORE}/memories"), &large).status, 413);
    let outside = json!({ "path": "/../SOUL.md", "content": "x" });
    assert_eq!(owner.post(&format!("{STORE}/memories"), &outside).status, 400);
}

/// The script asks; here is what a store has to answer.
#[test]
fn the_official_sdk_reads_changes_and_removes_memories() {
    let home = home();
    let key = token(&home, &["--scope", "approve"]);
    let serving = Serving::start(&home, &[]);
    let script = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/memory_stores.py"));
    let url = format!("http://{}", serving.client.address);
    let Some(got) = anthropic(&home, script, &url, &key) else { return };
    assert_eq!((&got["stores"], &got["store"]), (&json!(["main"]), &json!("memory_store")));
    assert_eq!(got["made"], json!(["memory", "/topics/tea.md", "Green tea."]));
    assert_eq!(got["read"], json!([true, true, "Green tea."]));
    assert_eq!(got["changed"], "Black tea.");
    assert_eq!(got["late"], json!([409, "memory_precondition_failed_error"]));
    assert_eq!(got["listed"], json!(["/topics/tea.md"]));
    assert_eq!(got["versions"], json!([["modified", "Black tea."], ["created", "Green tea."]]));
    assert_eq!((&got["version"], &got["gone"]), (&json!(true), &json!(["memory_deleted", true])));
    assert_eq!(got["after"], 404);
    assert_eq!(got["lineage"], json!(["created", "deleted", "modified", "created"]), "newest first");
}
