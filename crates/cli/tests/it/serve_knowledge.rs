//! The server's routes about what an agent has learned: methods, decisions, entities, the profile, transcripts, dreams;
//! and those of its owner: backups and tokens.

use std::thread;

use inwit_testkit::Cli;
use inwit_testkit::http_client::{HttpAnswer, HttpClient};
use serde_json::{Value, json};

use crate::newcomer;
use crate::serve::{Serving, token};

/// A home, its server, and a client with a token to approve.
fn owner() -> (Cli, Serving, HttpClient) {
    let home = newcomer().env("PATH", "/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "admin"]));
    (home, serving, client)
}

/// The JSON of an answer that is no failure.
#[track_caller]
fn done(answer: &HttpAnswer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Waits for a job.
#[track_caller]
fn ended(client: &HttpClient, job: &Value) -> Value {
    let path = format!("/v1/agents/main/jobs/{}", job["id"].as_str().expect("an id"));
    loop {
        let job = done(&client.get(&path));
        if job["state"] != "running" {
            return job;
        }
        thread::yield_now();
    }
}

#[test]
fn an_outcome_that_is_reported_twice_counts_once() {
    let (_home, _serving, client) = owner();
    let method = done(&client.post("/v1/agents/main/methods", &json!({ "text": "Bake early on Fridays." })));
    let number = method["number"].to_string();
    let decision = json!({ "text": "Bake at five.", "methods": [{ "id": number, "weight": 1 }] });
    let decided = done(&client.post("/v1/agents/main/decisions", &decision));
    let outcome =
        json!({ "decision": decided["id"], "correct": true, "outcome": "fill-1", "lesson": "Quieter." });
    let first = done(&client.post("/v1/outcomes", &outcome));
    assert_eq!(first["changed"], true, "{first}");
    let again = done(&client.post("/v1/outcomes", &outcome));
    assert_eq!(again["changed"], false, "{again}");
    let other = client.post(
        &format!("/v1/agents/main/decisions/{number}/outcome"),
        &json!({ "correct": false, "outcome": "fill-2" }),
    );
    assert_eq!((other.status, other.code().as_str()), (409, "outcome_known"));
    let shown = done(&client.get(&format!("/v1/agents/main/methods/{number}")));
    assert_eq!((&shown["timesUsed"], &shown["timesCorrect"]), (&json!(1), &json!(1)));
    assert_eq!(shown["decisions"][0]["statement"], "Bake at five.");
    let open = done(&client.get("/v1/agents/main/decisions?state=open"));
    assert_eq!(open["decisions"], json!([]));
    let early = client.post(&format!("/v1/agents/main/methods/{number}/graduate"), &json!({}));
    assert_eq!((early.status, early.code().as_str()), (409, "record_too_short"));
}

#[test]
fn a_preference_is_observed_and_only_a_person_activates_it() {
    let (home, serving, client) = owner();
    let seen = json!({ "text": "Prefers short answers.", "dimension": "style" });
    let preference = done(&client.post("/v1/agents/main/preferences", &seen));
    let path = format!("/v1/agents/main/preferences/{}/activate", preference["number"]);
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    assert_eq!(agent.post(&path, &json!({})).status, 403);
    let active = done(&client.post(&path, &json!({})));
    assert_eq!(active["state"], "active", "{active}");
    let listed = done(&client.get("/v1/agents/main/preferences?state=active"));
    assert_eq!(listed["preferences"].as_array().map(Vec::len), Some(1));
}

#[test]
fn facts_are_changed_and_their_entities_listed() {
    let (_home, _serving, client) = owner();
    done(&client.post("/v1/agents/main/facts", &json!({ "text": "Ana bakes #bread with Ben." })));
    done(&client.post("/v1/agents/main/facts", &json!({ "text": "Ben sells #bread." })));
    let change = client.with("Content-Type", "application/json").send(
        "PATCH",
        "/v1/agents/main/facts/1",
        json!({ "text": "Ana bakes #rolls with Ben." }).to_string().as_bytes(),
    );
    assert_eq!(done(&change)["outcome"], "applied");
    let fact = done(&client.get("/v1/agents/main/facts/1"));
    assert_eq!(fact["content"], "Ana bakes #rolls with Ben.", "{fact}");
    assert!(fact["before"].to_string().contains("#bread"), "{fact}");
    let edges = done(&client.get("/v1/agents/main/facts/1/edges")).to_string();
    assert!(edges.contains("rolls"), "{edges}");
    let around = done(&client.get("/v1/agents/main/entities/%23bread")).to_string();
    assert!(around.contains("Ben") || around.contains("ben"), "{around}");
    let top = done(&client.get("/v1/agents/main/entities?limit=5"));
    assert!(!top["entities"].as_array().expect("entities").is_empty(), "{top}");
}

#[test]
fn the_profile_is_set_by_its_owner_and_proposed_by_an_agent() {
    let (home, serving, client) = owner();
    let put = |client: &HttpClient, key: &str, value: &str| {
        let body = json!({ "value": value }).to_string();
        let path = format!("/v1/agents/main/profile/{key}?scope=main");
        client.with("Content-Type", "application/json").send("PUT", &path, body.as_bytes())
    };
    assert_eq!(done(&put(&client, "home_language", "Slovene"))["outcome"], "applied");
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    assert_eq!(done(&put(&agent, "home_language", "Klingon"))["outcome"], "pending");
    let profile = done(&client.get("/v1/agents/main/profile"));
    assert_eq!(profile["profile"][0]["value"], "Slovene");
    assert_eq!(agent.get("/v1/agents/main/profile").status, 403, "its values are not masked");
    let removed = client.send("DELETE", "/v1/agents/main/profile/home_language", b"");
    assert_eq!(done(&removed)["outcome"], "applied");
    assert_eq!(done(&client.get("/v1/agents/main/profile"))["profile"], json!([]));
}

#[test]
fn transcripts_are_read_by_whoever_was_there() {
    let (home, serving, client) = owner();
    let session = done(&client.post("/v1/agents/main/sessions", &json!({ "session": "s1" })));
    assert_eq!(session["session"], "s1");
    let turn = json!({
        "session": "s1",
        "user": { "text": "Which bread does Ana like?" },
        "assistant": "Rye bread, since the spring.",
    });
    done(&client.post("/v1/agents/main/sessions/turn", &turn));
    done(&client.post("/v1/agents/main/sessions/end", &json!({ "session": "s1" })));
    let listed = done(&client.get("/v1/agents/main/transcripts"));
    assert_eq!(listed["sessions"][0]["session_id"], "s1", "{listed}");
    let read = done(&client.get("/v1/agents/main/transcripts/s1"));
    assert!(read["entries"].to_string().contains("since the spring"), "{read}");
    let found = done(&client.get("/v1/agents/main/transcripts/search?q=since+the+spring"));
    assert!(found.to_string().contains("since the spring"), "{found}");
    let room = serving.client.token(&token(&home, &["--scope", "write", "--room", "kitchen"]));
    assert_eq!(done(&room.get("/v1/agents/main/transcripts"))["sessions"], json!([]));
    let elsewhere = room.get("/v1/agents/main/transcripts/s1");
    let missing = room.get("/v1/agents/main/transcripts/s2");
    assert_eq!((elsewhere.status, elsewhere.code()), (missing.status, missing.code()));
}

#[test]
fn a_dream_and_a_backup_run_as_jobs() {
    let (home, _serving, client) = owner();
    home.run(["remember", "Ana likes rye bread."]).exits(0);
    let dream = done(&client.post("/v1/agents/main/dreams", &json!({ "engine": "recall" })));
    let dream = ended(&client, &dream);
    assert_eq!((&dream["state"], &dream["kind"]), (&json!("done"), &json!("dream")), "{dream}");
    assert_eq!(done(&client.get("/v1/agents/main/dreams"))["dreams"].as_array().map(Vec::len), Some(1));
    done(&client.get("/v1/agents/main/dreams/status"));
    done(&client.get("/v1/agents/main/dreams/reasons"));
    done(&client.get("/v1/agents/main/dreams/quarantine"));
    done(&client.post("/v1/agents/main/journal", &json!({ "text": "Baked two loaves." })));
    let unasked = done(&client.post("/v1/agents/main/dreams", &json!({ "engine": "logs" })));
    let unasked = ended(&client, &unasked);
    assert_eq!(unasked["state"], "failed", "no language model is configured: {unasked}");
    let backup = done(&client.post("/v1/agents/main/backups", &json!({})));
    let backup = ended(&client, &backup);
    let folder = backup["backup"]["folder"].as_str().expect("a folder");
    assert!(std::path::Path::new(folder).join("workspace/MEMORY.md").exists(), "{backup}");
    assert_eq!(done(&client.get("/v1/agents/main/backups"))["backups"][0]["folder"], folder);
    let unknown = client.get("/v1/agents/main/jobs/99");
    assert_eq!((unknown.status, unknown.code().as_str()), (404, "job_unknown"));
}

/// Files and prompts are answered as they were.
#[test]
fn the_past_is_read_over_http() {
    let (home, _serving, client) = owner();
    home.run(["remember", "Ana likes rye bread."]).exits(0);
    home.run(["history", "log"]).exits(0);
    let long_ago = "?as_of=2001-01-01";
    let lines = client.get(&format!("/v1/agents/main/lines/MEMORY.md{long_ago}"));
    assert_eq!((lines.status, lines.code().as_str()), (404, "file_missing"), "{}", lines.text());
    let now = done(&client.get("/v1/agents/main/lines/MEMORY.md?as_of=today"));
    assert!(
        now["text"].as_str().is_some_and(|text| text.contains("rye bread")) && now["asOf"].is_object(),
        "{now}"
    );
    let prompt = done(&client.get(&format!("/v1/agents/main/prompt{long_ago}")));
    assert!(!prompt.to_string().contains("rye bread") && prompt["asOf"].is_object(), "{prompt}");
    assert_eq!(client.get("/v1/agents/main/prompt?as_of=someday").code(), "time_bad");
}

/// Two changes at the same time are both kept.
#[test]
fn settings_that_are_changed_at_the_same_time_are_all_kept() {
    let (_home, _serving, client) = owner();
    let keys = ["load.max_file_chars", "load.max_user_chars", "load.max_total_chars", "daily.load_days"];
    thread::scope(|scope| {
        for key in keys {
            let client = &client;
            scope.spawn(move || {
                for value in 200..230 {
                    let body = json!({ "value": value.to_string() }).to_string();
                    let path = format!("/v1/agents/main/settings/{key}");
                    let put =
                        client.with("Content-Type", "application/json").send("PUT", &path, body.as_bytes());
                    assert_eq!(done(&put)["key"], key);
                }
            });
        }
    });
    let settings = done(&client.get("/v1/agents/main/settings"));
    for key in keys {
        let found = settings["settings"].as_array().expect("settings").iter().find(|row| row["key"] == key);
        assert_eq!(found.expect("a setting")["value"], "229", "{key}");
    }
}

/// A setting applies from the next request on, and what the gate requires is not changed from afar.
#[test]
fn an_agent_is_created_over_http_and_its_settings_changed() {
    let (home, serving, client) = owner();
    let made = done(&client.post("/v1/agents", &json!({ "id": "work", "timezone": "Europe/Madrid" })));
    assert_eq!((&made["timezone"], &made["applied"]), (&json!("Europe/Madrid"), &json!(true)), "{made}");
    assert!(home.home("inwit/agents/work/workspace/SOUL.md").exists());
    assert_eq!(done(&client.get("/v1/agents"))["agents"], json!(["main", "work"]));
    let again = client.post("/v1/agents", &json!({ "id": "work" }));
    assert_eq!((again.status, again.code().as_str()), (409, "agent_exists"));
    assert_eq!(client.post("/v1/agents", &json!({ "id": "../x" })).status, 400);
    assert_eq!(client.post("/v1/agents", &json!({ "id": "x", "profile": "nowhere" })).code(), "setting_bad");
    assert_eq!(done(&client.get("/v1/agents"))["agents"], json!(["main", "work"]));
    let prompt = || {
        let prompt = done(&client.get("/v1/agents/work/prompt"));
        let blocks = prompt["blocks"].as_array().expect("blocks");
        blocks.iter().map(|block| block["chars"].as_u64().expect("a number")).sum::<u64>()
    };
    let set = |key: &str, value: &str| {
        let body = json!({ "value": value }).to_string();
        let path = format!("/v1/agents/work/settings/{key}");
        client.with("Content-Type", "application/json").send("PUT", &path, body.as_bytes())
    };
    let before = prompt();
    assert_eq!(done(&set("load.max_file_chars", "100"))["value"], "100");
    assert!(prompt() < before / 2, "{before}");
    let removed = client.send("DELETE", "/v1/agents/work/settings/load.max_file_chars", b"");
    assert_ne!(done(&removed)["value"], "100");
    assert_eq!(prompt(), before);
    // What the gate requires, what a prompt says, what is kept and which providers are used: also by way of a profile.
    for key in [
        "write.policy", "workspace", "llm.key_command", "home", "profile", "host.role",
        "facts.retention_days",
    ] {
        let refused = set(key, "x");
        assert_eq!((refused.status, refused.code().as_str()), (403, "policy_refused"), "{key}");
    }
    assert_eq!(set("colour", "red").code(), "setting_unknown");
    assert_eq!(set("load.max_file_chars", "many").code(), "setting_bad");
    let settings = done(&client.get("/v1/agents/work/settings"));
    assert!(settings["settings"].as_array().is_some_and(|all| all.len() > 50));
    let bound = serving.client.token(&token(&home, &["--scope", "admin", "--agent", "work"]));
    assert_eq!(bound.post("/v1/agents", &json!({ "id": "third" })).code(), "access_denied");
}

/// A token of one agent manages the tokens of that agent only.
#[test]
fn tokens_are_made_and_revoked_over_http() {
    let (home, serving, client) = owner();
    home.run(["init", "--agent", "work", "--timezone", "UTC"]).exits(0);
    let made =
        done(&client.post("/v1/tokens", &json!({ "name": "laptop", "right": "read", "agent": "work" })));
    let text = made["token"].as_str().expect("a token").to_owned();
    let laptop = serving.client.token(&text);
    assert_eq!(done(&laptop.get("/v1/agents"))["agents"], json!(["work"]));
    let listed = done(&client.get("/v1/tokens"));
    assert!(!listed.to_string().contains(&text["inwit_".len()..]), "{listed}");
    let admin = done(&client.post("/v1/tokens", &json!({ "name": "w", "right": "admin", "agent": "work" })));
    let of_work = serving.client.token(admin["token"].as_str().expect("a token"));
    assert_eq!(done(&of_work.get("/v1/tokens"))["tokens"].as_array().map(Vec::len), Some(2));
    let elsewhere = of_work.post("/v1/tokens", &json!({ "name": "x", "right": "read", "agent": "main" }));
    assert_eq!((elsewhere.status, elsewhere.code().as_str()), (403, "access_denied"));
    let own = done(&of_work.post("/v1/tokens", &json!({ "name": "x", "right": "read" })));
    assert_eq!(own["agent"], "work");
    let first = listed["tokens"].as_array().expect("tokens").iter().find(|row| row["agent"].is_null());
    let first = first.expect("a token of all agents")["id"].as_str().expect("an id");
    let refused = of_work.send("DELETE", &format!("/v1/tokens/{first}"), b"");
    assert_eq!((refused.status, refused.code().as_str()), (404, "token_unknown"));
    let id = made["id"].as_str().expect("an id");
    let rotated = done(&client.post(&format!("/v1/tokens/{id}/rotate"), &json!({})));
    assert_eq!(laptop.get("/v1/agents").status, 401, "the old text");
    let laptop = serving.client.token(rotated["token"].as_str().expect("a token"));
    assert_eq!(laptop.get("/v1/agents").status, 200);
    done(&client.send("DELETE", &format!("/v1/tokens/{id}"), b""));
    assert_eq!(laptop.get("/v1/agents").status, 401);
    let unknown = client.post("/v1/tokens", &json!({ "name": "y", "right": "read", "agent": "nowhere" }));
    assert_eq!((unknown.status, unknown.code().as_str()), (404, "agent_unknown"));
}
