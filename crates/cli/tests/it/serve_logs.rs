//! The log of the server and the traces of its requests.

use std::collections::BTreeSet;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::serve::{Serving, home, token};

/// The trace of a traced client.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// Ends the server. Its log lines.
#[track_caller]
fn lines(serving: Serving) -> Vec<Value> {
    let log = serving.end(Signal::TERM).stderr();
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn a_write_has_one_trace_in_its_answer_its_log_line_and_its_audit_row() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.traced().token(&token(&home, &["--scope", "approve"]));
    let path = "/v1/agents/main/files/notes/bread.md";
    let written = client.put(path, "Feed it twice.\n", None);
    let response = written.header("traceresponse").expect("a trace");
    assert!(response.starts_with(&format!("00-{TRACE}-")) && response.ends_with("-00"), "{response}");
    assert!(!response.contains("00f067aa0ba902b7"), "the span of the caller is not that of the server");
    let refused = client.put(path, "Never feed it.\n", None);
    assert_eq!((refused.status, refused.json()["traceId"].as_str()), (412, Some(TRACE)));
    let entry = json!({ "name": "memory_remember", "arguments": { "text": "Ana likes rye bread." } });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": entry });
    let called = client.with("Accept", "application/json, text/event-stream").post("/mcp", &message);
    assert_eq!(called.status, 200, "{}", called.text());

    home.run_words_with(&["remember", "-"], "The oven is from Lyon.\n").exits(0);
    let audit = home.run(["audit", "show", "--json"]).json();
    let rows = audit["rows"].as_array().expect("rows");
    let traces: Vec<_> = rows.iter().map(|row| row["traceId"].as_str()).collect();
    let own: Vec<_> = rows.iter().filter(|row| row["traceId"] == TRACE).map(|row| &row["target"]).collect();
    assert!(own.contains(&&json!("notes/bread.md")), "{audit}");
    assert!(own.len() >= 2, "the call of MCP wrote a row, too: {audit}");
    assert_eq!(traces[0], None, "a command is no request");

    let lines = lines(serving);
    assert!(lines.iter().all(|line| line["trace_id"] == TRACE), "{lines:?}");
    let said: Vec<_> = lines.iter().map(|line| (&line["route"], &line["status"], &line["code"])).collect();
    let route = json!("/v1/agents/{agent}/files/{path}");
    let (none, stale) = (Value::Null, json!("stale"));
    assert_eq!(
        said,
        [(&route, &json!(200), &none), (&route, &json!(412), &stale), (&json!("/mcp"), &json!(200), &none)]
    );
    assert!(lines.iter().all(|line| line["agent"] == "main" && line["token"].is_string()));
    assert!(lines.iter().all(|line| line["ms"].as_f64().is_some_and(|ms| ms > 0.0)));
}

#[test]
fn a_request_without_a_valid_trace_gets_one_of_its_own() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let invalid = serving.client.with("traceparent", &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)));
    let mut traces = BTreeSet::new();
    for client in [&serving.client, &serving.client, &invalid] {
        let unknown = client.get("/nowhere");
        let trace = unknown.json()["traceId"].as_str().expect("a trace").to_owned();
        assert!(unknown.header("traceresponse").is_some_and(|header| header.contains(&trace)));
        traces.insert(trace);
    }
    let refused = serving.client.with("Host", "evil.example").get("/healthz");
    traces.insert(refused.json()["traceId"].as_str().expect("a trace").to_owned());
    let logged = lines(serving);
    let logged: BTreeSet<_> = logged.iter().filter_map(|line| line["trace_id"].as_str()).collect();
    assert_eq!(logged.into_iter().collect::<Vec<_>>(), traces.iter().collect::<Vec<_>>());
    assert_eq!(traces.len(), 4, "each has its own");
}

/// A word that no log line may have, in each place where a request can carry it.
const CANARY: &str = "zorblax";

#[test]
fn no_line_of_the_log_has_text_of_a_request_or_of_a_note() {
    let home = home();
    let serving = Serving::start(&home, &["--log", "debug"]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let path = format!("/v1/agents/main/files/notes/{CANARY}.md");
    let text = format!("The {CANARY} sleeps.\n");
    assert_eq!(client.put(&path, &text, None).status, 200);
    assert_eq!(client.put(&path, &text.repeat(2), None).status, 412);
    assert_eq!(client.get(&path).status, 200);
    assert_eq!(client.get(&format!("/v1/agents/main/search?q={CANARY}")).status, 200);
    assert_eq!(client.get(&format!("/v1/agents/main/search?{CANARY}=1")).status, 400);
    assert_eq!(client.get(&format!("/v1/agents/{CANARY}/files")).status, 404);
    assert_eq!(client.get(&format!("/{CANARY}")).status, 404);
    assert_eq!(client.send(&CANARY.to_uppercase(), "/healthz", b"").status, 405);
    assert_eq!(client.with("Host", CANARY).get("/healthz").status, 421);
    assert_eq!(client.with("Origin", CANARY).get("/healthz").status, 403);
    assert_eq!(serving.client.token(CANARY).get("/v1/agents").status, 401);
    let odd = client.with("traceparent", CANARY).with("User-Agent", CANARY);
    let remembered = odd.post("/v1/agents/main/memory?scope=main", &json!({ "text": text, CANARY: 1 }));
    assert_eq!(remembered.status, 400);
    assert_eq!(
        odd.post("/v1/agents/main/memory?scope=main", &json!({ "text": text, "reason": CANARY })).status,
        200
    );
    let entry = json!({ "name": CANARY, "arguments": { "text": text } });
    let message = json!({ "jsonrpc": "2.0", "id": CANARY, "method": "tools/call", "params": entry });
    client.with("Accept", "application/json, text/event-stream").post("/mcp", &message);
    let lines = lines(serving);
    assert_eq!(lines.len(), 14, "one line for each request");
    for line in lines {
        assert!(!line.to_string().to_ascii_lowercase().contains(CANARY), "{line}");
    }
}

#[test]
fn a_level_chooses_the_requests_that_are_logged() {
    let logged = |args: &[&str]| {
        let home = home();
        let serving = Serving::start(&home, args);
        serving.client.get("/healthz");
        serving.client.get("/v1/agents");
        serving.client.get("/nowhere");
        serving.client.post("/v1/agents/main/memory?scope=main", &json!({ "text": "Ana likes rye bread." }));
        let lines = lines(serving);
        lines.iter().map(|line| line["route"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let (probe, read, unknown, change) = ("/healthz", "/v1/agents", "none", "/v1/agents/{agent}/memory");
    assert_eq!(logged(&[]), [read, unknown, change]);
    assert_eq!(logged(&["--log", "debug"]), [probe, read, unknown, change]);
    assert_eq!(logged(&["--log", "changes"]), [unknown, change]);
    assert_eq!(logged(&["--log", "warn"]), [unknown]);
    assert_eq!(logged(&["--log", "error"]), [""; 0]);
}

#[test]
fn a_line_for_people_is_short() {
    let home = home();
    let serving = Serving::start(&home, &["--log-format", "text"]);
    serving
        .client
        .traced()
        .post("/v1/agents/main/memory?scope=main", &json!({ "text": "Ana likes rye bread." }));
    let log = serving.end(Signal::TERM).stderr();
    let (head, tail) = log.trim_end().split_once(" in ").expect("one line");
    assert!(head.ends_with("INFO POST /v1/agents/{agent}/memory 200"), "{log}");
    assert!(tail.ends_with(&format!(" ms trace_id={TRACE} agent=main")), "{log}");
}
