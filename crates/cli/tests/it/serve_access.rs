//! Who may call the server: every route with every kind of token.

use inwit_testkit::Cli;
use inwit_testkit::http_client::{HttpAnswer, HttpClient};
use inwit_wire::routes::{Answer, Body, ROUTES, RouteRight, RouteSpec, RouteVerb};
use serde_json::{Value, json};

use crate::newcomer;
use crate::serve::{Serving, token};

/// A home with two agents. Both have a private entry and a room.
fn home() -> Cli {
    let home = newcomer();
    for agent in ["main", "other"] {
        home.run(["init", "--agent", agent, "--timezone", "UTC"]).exits(0);
        home.run(["remember", "--agent", agent, "The private boat is called Sirena."]).exits(0);
        let folder = home.home(&format!("inwit/agents/{agent}/workspace"));
        let log = format!("memory/{PRIVATE_DAY}.md");
        inwit_testkit::fixture::put(&folder, &log, b"- Sailed with Sirena.\n");
        home.run([
            "remember", "--agent", agent, "--file", "rooms/kitchen.md", "The kitchen bakes on Fridays.",
        ])
        .exits(0);
    }
    home
}

/// A request of this route, with values where it needs some.
fn request(client: &HttpClient, route: &RouteSpec, agent: &str) -> HttpAnswer {
    let parts = [
        ("{agent}", agent),
        ("{path}", "MEMORY.md"),
        ("{id}", "1"),
        ("{name}", "MEMORY.md"),
        ("{date}", PRIVATE_DAY),
        ("{key}", "language"),
        ("{run}", "1"),
        ("{memory}", "mem_2f612e6d64"),
        ("{version}", "memver_1_2f612e6d64"),
        ("{session}", "s1"),
    ];
    let path = parts.iter().fold(route.path.to_owned(), |path, (name, value)| path.replace(name, value));
    let needed = |name: &str| route.query.iter().any(|param| param.required && param.name == name);
    let query: Vec<String> =
        ["q", "text", "at"].iter().filter(|name| needed(name)).map(|name| format!("{name}=boat")).collect();
    let path = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
    let (media, body) = match route.body {
        Body::Nothing => ("text/plain", ""),
        Body::Json(_) => ("application/json", r#"{"text": "x", "confirm": "00000000"}"#),
        Body::Shape(_) => ("application/json", r#"{"session": "s1"}"#),
        Body::Text => ("text/markdown", "x"),
    };
    let client = client.with("Content-Type", media);
    if matches!(route.answer, Answer::Events(_)) {
        // A stream of an admitted caller has no end.
        return client.head(&path);
    }
    client.send(route.method.word(), &path, body.as_bytes())
}

/// A day with a private log.
const PRIVATE_DAY: &str = "2026-11-20";

/// Whether the answer refuses the caller.
fn is_refused(answer: &HttpAnswer) -> bool {
    matches!(answer.code().as_str(), "token_missing" | "token_refused" | "access_denied")
}

#[test]
fn every_route_refuses_every_caller_that_its_row_does_not_admit() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let open = &serving.client;
    let of = |args: &[&str]| open.token(&token(&home, args));
    let wrong = open.token("inwit_4FRp6iDpoZ9mQQqNfeVqjSj76BmuTVLs7hEnP9ZHw3NTtr8iM");
    let revoked = {
        let made = home.run(["token", "create", "gone", "--scope", "admin", "--json"]).json();
        home.run(["token", "revoke", "gone"]).exits(0);
        open.token(made["token"].as_str().expect("a token"))
    };
    let rotated = {
        let made = home.run(["token", "create", "old", "--scope", "admin", "--json"]).json();
        home.run(["token", "rotate", "old"]).exits(0);
        open.token(made["token"].as_str().expect("a token"))
    };
    let expired = {
        let past = home
            .run_words(&["token", "create", "past", "--scope", "admin", "--expires-days", "1", "--json"])
            .json();
        let file = home.home("inwit/tokens.json");
        let text = std::fs::read_to_string(&file).expect("the tokens");
        let expires = past["expires"].as_str().expect("a time").split('T').next().expect("a day").to_owned();
        let text = text.replace(&expires, "2001-01-01");
        inwit_testkit::fixture::put(&home.home("inwit"), "tokens.json", text.as_bytes());
        open.token(past["token"].as_str().expect("a token"))
    };
    let by_right = [
        (RouteRight::Read, of(&["--scope", "read"])),
        // A token to write covers the routes to propose.
        (RouteRight::Write, of(&["--scope", "write"])),
        (RouteRight::Approve, of(&["--scope", "approve"])),
        (RouteRight::Admin, of(&["--scope", "admin"])),
    ];
    let elsewhere = of(&["--scope", "admin", "--agent", "other"]);
    let room = of(&["--scope", "write", "--room", "kitchen"]);
    for route in ROUTES {
        let what = format!("{} {}", route.method, route.path);
        let is_of_an_agent = route.path.contains("{agent}");
        let is_of_all = route.verb == RouteVerb::Metrics;
        for invalid in [&wrong, &revoked, &rotated, &expired] {
            let answer = request(invalid, route, "main");
            // After many refused tokens the server also asks for a pause.
            let is_refused = matches!(
                (answer.status, answer.code().as_str()),
                (401, "token_refused") | (429, "calls_too_many")
            );
            assert!(is_refused, "{what}: {}", answer.text());
        }
        if route.is_of_anthropic() {
            let stranger =
                serving.client.with("x-api-key", "inwit_4FRp6iDpoZ9mQQqNfeVqjSj76BmuTVLs7hEnP9ZHw3NTtr8iM");
            let answer = request(&stranger, route, "main");
            assert!(matches!(answer.status, 401 | 429), "{what} with a wrong key: {}", answer.text());
        }
        let answer = request(open, route, "main");
        assert_eq!(answer.status == 401, route.right >= RouteRight::Write, "{what} without a token");
        for (right, client) in &by_right {
            let answer = request(client, route, "main");
            assert_eq!(is_refused(&answer), *right < route.right, "{what} with {right}: {}", answer.text());
            assert_eq!(
                answer.status == 403 && is_refused(&answer),
                *right < route.right,
                "{what} with {right}"
            );
        }
        let answer = request(&elsewhere, route, "main");
        assert_eq!(answer.status == 403, is_of_an_agent || is_of_all, "{what} with a token of another agent");
        let answer = request(&room, route, "main");
        let is_wider = route.right >= RouteRight::Approve || is_of_all;
        assert_eq!(is_refused(&answer), is_wider, "{what} with a token of a room");
        let text = answer.text();
        assert!(!text.contains("Sirena"), "{what} with a token of a room: {text}");
    }
}

/// Proves R48.
///
/// Whoever could be on another machine needs a token: behind a proxy, and on an address that is not loopback.
#[test]
fn a_server_that_others_can_reach_answers_nobody_without_a_token() {
    let home = home();
    let allowed = Serving::start(&home, &["--allow-host", "inwit.example:443"]);
    let host = allowed.client.with("Host", "inwit.example");
    for route in ROUTES {
        let answer = request(&host, route, "main");
        let expected = if route.right == RouteRight::Nothing { 200..=204 } else { 401..=401 };
        assert!(expected.contains(&answer.status), "{} {}: {}", route.method, route.path, answer.text());
    }
    let reader = host.token(&token(&home, &["--scope", "read"]));
    assert_eq!(reader.get("/v1/agents").status, 200);
    drop(allowed);
    let local = Serving::start(&home, &[]);
    for header in ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP"] {
        let answer = local.client.with(header, "192.0.2.1").get("/v1/agents/main/files/MEMORY.md?scope=main");
        assert_eq!((answer.status, answer.code().as_str()), (401, "token_missing"), "{header}");
    }
    drop(local);
    let everywhere = Serving::start_at(&home, "0.0.0.0:0", &["--allow-host", "inwit.example:7717"]);
    let answer = everywhere.client.with("Host", "inwit.example:7717").get("/v1/agents");
    assert_eq!((answer.status, answer.code().as_str()), (401, "token_missing"));
    assert_eq!(everywhere.client.get("/v1/agents").status, 421, "the address itself was not allowed");
}

/// No answer to an agent has the hash of a file with a masked part: it would allow testing guesses of that part.
#[test]
fn no_answer_allows_testing_guesses_of_a_masked_value() {
    let home = home();
    let folder = home.home("inwit/agents/main/workspace");
    let files =
        [("TOOLS.md", "# TOOLS\n\nThe PIN is 5208.\n"), ("HEARTBEAT.md", "# HEARTBEAT\n\n- PIN: 6174\n")];
    files.iter().for_each(|(name, text)| inwit_testkit::fixture::put(&folder, name, text.as_bytes()));
    let serving = Serving::start(&home, &[]);
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    let hash = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).expect("the file");
        inwit_model::Sha256::of(&bytes).to_string()
    };
    for name in ["TOOLS.md", "HEARTBEAT.md"] {
        let seen = agent.get(&format!("/v1/agents/main/files/{name}"));
        assert!(seen.text().contains("[masked: "), "{}", seen.text());
        assert_ne!(seen.etag().trim_matches('"'), hash(name), "{name}");
    }
    let before = ["TOOLS.md", "HEARTBEAT.md"].map(hash);
    let mut answers = vec![
        agent.get("/v1/agents/main/prompt"),
        agent.get("/v1/agents/main/prompt?question=pin"),
        serving.client.get("/v1/agents/main/prompt?scope=main"),
    ];
    agent.post("/v1/agents/main/sessions", &json!({ "session": "s1" }));
    let guess = |base: &str| json!({ "kind": "put", "file": "TOOLS.md", "content": "x", "base": base });
    let turn = json!({
        "session": "s1",
        "user": { "text": "Heartbeat." },
        "assistant": "Looked.",
        "writes": [guess(&before[0]), guess(&"0".repeat(64)), { "kind": "journal", "text": "Looked." }],
    });
    let turned = agent.post("/v1/agents/main/sessions/turn", &turn);
    let writes = turned.json()["writes"].clone();
    assert_eq!(writes[0]["error"]["code"], "mask_refused", "{writes}");
    assert_eq!(writes[0], writes[1], "a right guess is answered like a wrong one");
    answers.extend([turned, agent.post("/v1/agents/main/sessions/end", &json!({ "session": "s1" }))]);
    let after = ["TOOLS.md", "HEARTBEAT.md"].map(hash);
    for (answer, hash) in
        answers.iter().flat_map(|answer| before.iter().chain(&after).map(move |hash| (answer, hash)))
    {
        assert!(answer.status == 200 && !answer.text().contains(hash), "{}", answer.text());
    }
    let listed = agent.get("/v1/agents/main/files").text();
    assert!(!listed.contains("\"bytes\""), "the length of a masked value: {listed}");
    let lines = serving.client.get("/v1/agents/main/lines/TOOLS.md?scope=main&from=9&to=2");
    assert!(matches!(lines.status, 400 | 404), "{}", lines.text());
}

/// A scheduled run adds to the owner's log without seeing it, so no answer is about what stands there.
#[test]
fn an_entry_of_a_scheduled_run_is_answered_without_findings_about_the_owners_log() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let owner = serving.client.token(&token(&home, &["--scope", "approve"]));
    let path = "/v1/agents/main/journal";
    let made = owner.post(path, &json!({ "text": "Baked." })).json();
    let log = made["path"].as_str().expect("a path");
    let folder = home.home("inwit/agents/main/workspace");
    let text = std::fs::read_to_string(folder.join(log)).expect("the log");
    inwit_testkit::fixture::put(&folder, log, format!("{text}- Sailed.\r\n- Slept.\n").as_bytes());
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    let scheduled = agent.post(&format!("{path}?scope=scheduled"), &json!({ "text": "Checked the oven." }));
    assert_eq!(scheduled.json()["outcome"], "applied", "{}", scheduled.text());
    assert!(scheduled.json()["findings"].is_null(), "{}", scheduled.text());
    let own = owner.post(path, &json!({ "text": "Sold both." })).json();
    assert!(own["findings"].to_string().contains("mixed_line_ends"), "its owner is told: {own}");
}

/// Guessing is slowed down, also beside a valid caller, who is not.
#[test]
fn many_refused_tokens_are_answered_with_a_pause_and_a_valid_one_still_works() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let wrong = serving.client.token("inwit_guess");
    let codes: Vec<String> = (0..150).map(|_| wrong.get("/v1/agents").code()).collect();
    assert_eq!(codes[0], "token_refused");
    let last = wrong.get("/v1/agents");
    assert_eq!((last.status, last.code().as_str()), (429, "calls_too_many"));
    let wait = last.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
    assert!(wait.is_some_and(|wait| (1..=60).contains(&wait)), "{wait:?}");
    let valid = serving.client.token(&token(&home, &["--scope", "read"]));
    assert_eq!(valid.get("/v1/agents").status, 200);
    assert_eq!(serving.client.get("/v1/agents").status, 200);
    let both = valid.with("Authorization", "Bearer inwit_guess").get("/v1/agents");
    assert!(matches!(both.status, 401 | 429), "{}", both.text());
}

/// A token of a room sees that room, whatever a request says.
#[test]
fn a_request_cannot_widen_the_scope_of_its_token() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let room = serving.client.token(&token(&home, &["--scope", "write", "--room", "kitchen"]));
    let search = |scope: &str| room.get(&format!("/v1/agents/main/search?q=bakes+boat{scope}"));
    assert_eq!(search("").json()["results"][0]["path"], "rooms/kitchen.md");
    assert_eq!(search("&scope=shared").json()["results"], Value::Array(Vec::new()));
    for wider in ["main", "room:garden", "subagent", "scheduled"] {
        let answer = search(&format!("&scope={wider}"));
        assert_eq!((answer.status, answer.code().as_str()), (403, "access_denied"), "{wider}");
    }
    for header in ["X-Inwit-Scope", "X-Scope", "X-Agent", "X-Actor", "Forwarded"] {
        let answer = room.with(header, "main").get("/v1/agents/main/files/MEMORY.md");
        assert_eq!(answer.status, 404, "{header}");
    }
    let open = serving.client.get("/v1/agents/main/files/MEMORY.md");
    assert_eq!(open.status, 404, "without a token and a scope, it is the shared one");
    home.run(["token", "create", "x", "--scope", "approve", "--room", "kitchen"]).exits(2);
}

/// A session is reached only in its own scope, and what its host writes without a person's token waits.
#[test]
fn a_host_holds_sessions_in_the_scope_of_its_token() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let owner = serving.client.token(&token(&home, &["--scope", "write"]));
    let room = serving.client.traced().token(&token(&home, &["--scope", "write", "--room", "kitchen"]));
    let of = |what: &str| format!("/v1/agents/main/sessions{what}");
    let began = owner.post(&of(""), &json!({ "session": "private1" })).json();
    assert!(began["prefix"].as_str().is_some_and(|prefix| prefix.contains("Sirena")), "{began}");
    let turn = json!({
        "session": "private1", "key": "k1", "user": { "text": "Where is the boat?" }, "assistant": "In Vigo.",
        "writes": [{ "kind": "remember", "text": "The boat is in Vigo." }],
    });
    let turned = owner.post(&of("/turn"), &turn).json();
    assert_eq!(turned["writes"][0]["outcome"], "pending", "{turned}");
    let again = owner.post(&of("/turn"), &turn).json();
    assert_eq!(again["turn"], 1, "a repeated turn is written once: {again}");
    for what in ["/prompt", "/turn", "/end"] {
        let answer = room.post(&of(what), &json!({ "session": "private1" }));
        assert_eq!((answer.status, answer.code().as_str()), (404, "session_unknown"), "{what}");
    }
    let shared = room.post(&of(""), &json!({})).json();
    assert_eq!(shared["scope"], "room:kitchen");
    assert!(
        shared["prefix"]
            .as_str()
            .is_some_and(|prefix| prefix.contains("Fridays") && !prefix.contains("Sirena"))
    );
    let wider = room.post(&of(""), &json!({ "scope": "main" }));
    assert_eq!((wider.status, wider.code().as_str()), (403, "access_denied"));
    let team = room.post(&of(""), &json!({ "agents": ["main", "other"] }));
    assert_eq!(team.status, 200, "a token for all agents may hold a session of two: {}", team.text());
    let clash = room.post(&of(""), &json!({ "session": "private1" }));
    let ended = owner.post(&of("/end"), &json!({ "session": "private1" })).json();
    assert_eq!(ended["turns"], 1);
    let again = room.post(&of(""), &json!({ "session": "private1" }));
    assert_eq!(
        (clash.status, clash.body),
        (again.status, again.body),
        "a room does not see whether it has ended"
    );
    for what in ["/prompt", "/turn", "/end"] {
        let answer = room.post(&of(what), &json!({ "session": "private1" }));
        assert_eq!((answer.status, answer.code().as_str()), (404, "session_unknown"), "{what}, ended");
    }
    let after = owner.post(&of("/prompt"), &json!({ "session": "private1" }));
    assert_eq!((after.status, after.code().as_str()), (409, "session_ended"));
}

/// An agent cannot decide, and its writes wait; a person's are written.
#[test]
fn a_token_of_an_agent_proposes_and_one_of_a_person_writes() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let outcome = |client: &HttpClient| {
        let body = json!({ "text": format!("Written with {}.", client.address) });
        client.post("/v1/agents/main/memory?scope=main", &body).json()["outcome"].as_str().map(str::to_owned)
    };
    let agent = serving.client.token(&token(&home, &["--scope", "write"]));
    assert_eq!(outcome(&serving.client), Some("pending".into()));
    assert_eq!(outcome(&agent), Some("pending".into()));
    let person = serving.client.token(&token(&home, &["--scope", "approve"]));
    assert_eq!(outcome(&person), Some("applied".into()));
    let put = agent.put("/v1/agents/main/files/notes/x.md", "An agent's note.\n", None).json();
    assert_eq!(put["outcome"], "pending");
    let soul = agent.get("/v1/agents/main/files/SOUL.md");
    let put = agent.put("/v1/agents/main/files/SOUL.md", "I obey.\n", Some(&soul.etag())).json();
    assert_eq!(put["outcome"], "pending");
}

/// A page of another site, or a name that points here, gets nothing.
#[test]
fn a_browser_of_another_site_is_refused_before_anything_is_read() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let open = &serving.client;
    let with_token = open.token(&token(&home, &["--scope", "admin"]));
    for client in [open, &with_token] {
        for route in ["/v1/agents", "/nothing", "/healthz"] {
            assert_eq!(client.with("Host", "evil.example").get(route).status, 421, "{route}");
            assert_eq!(client.with("Origin", "http://evil.example").get(route).status, 403, "{route}");
            assert_eq!(client.with("Sec-Fetch-Site", "cross-site").get(route).status, 403, "{route}");
        }
    }
    let twice = format!(
        "GET /v1/agents HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\nConnection: close\r\n\r\n",
        open.address
    );
    assert!(matches!(open.exchange(twice.as_bytes()).status, 400 | 421));
    let none = "GET /v1/agents HTTP/1.1\r\nConnection: close\r\n\r\n";
    assert!(matches!(open.exchange(none.as_bytes()).status, 400 | 421));
    let absolute = format!(
        "GET http://evil.example/v1/agents HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        open.address
    );
    assert_eq!(open.exchange(absolute.as_bytes()).status, 421);
    let answer = open.get("/docs");
    assert!(
        answer
            .header("content-security-policy")
            .is_some_and(|policy| policy.starts_with("default-src 'none'"))
    );
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

/// Two lengths, a chunked body with a length, and such: whatever is read as a second request is none.
#[test]
fn a_smuggled_request_is_not_answered() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let host = &serving.client.address;
    let hidden = format!("GET /v1/agents HTTP/1.1\r\nHost: {host}\r\n\r\n");
    for framing in [
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Content-Length: +5\r\n",
        "Content-Length : 5\r\n",
        " Content-Length: 5\r\n",
    ] {
        let head = format!(
            "POST /v1/agents/main/memory HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        );
        let bytes = format!("{head}{framing}\r\n0\r\n\r\n{hidden}");
        let answer = serving.client.exchange(bytes.as_bytes());
        assert!(answer.status >= 400 || answer.status == 0, "{framing}: {}", answer.text());
        assert!(!answer.text().contains("\"agents\":["), "{framing}: {}", answer.text());
    }
}

/// Masked text for agents, stored bytes for a person; an ETag does not help to guess what is masked.
#[test]
fn an_agent_reads_masked_text_with_an_etag_of_that_text() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let note = "# Bank\n\n- PIN: 4921\n- Open on Fridays.\n";
    let folder = home.home("inwit/agents/main/workspace");
    inwit_testkit::fixture::put(&folder, "notes/bank.md", note.as_bytes());
    let path = "/v1/agents/main/files/notes/bank.md?scope=main";
    let person = serving.client.token(&token(&home, &["--scope", "approve"])).get(path);
    assert_eq!(person.text(), note);
    let anyone = serving.client.traced();
    for client in [&anyone, &anyone.token(&token(&home, &["--scope", "write"]))] {
        let agent = client.get(path);
        assert!(
            !agent.text().contains("4921") && agent.text().contains("Open on Fridays."),
            "{}",
            agent.text()
        );
        assert_ne!(agent.etag(), person.etag());
        let changed = agent.text().replace("Fridays", "Mondays");
        let put = client.put(path, &changed, Some(&agent.etag()));
        assert_eq!((put.status, put.code().as_str()), (403, "mask_refused"), "{}", put.text());
        // Right and wrong guesses of what is masked get the same answer.
        let guess = |pin: &str, etag: &str| {
            let answer = client.put(path, &note.replace("4921", pin), Some(etag));
            (answer.status, answer.body)
        };
        for etag in [agent.etag(), person.etag()] {
            assert_eq!(guess("4921", &etag), guess("4922", &etag));
        }
        let update = |pin: &str| {
            let arguments =
                json!({ "path": "notes/bank.md", "old_text": "PIN", "text": format!("PIN: {pin}") });
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                  "params": { "name": "memory_update", "arguments": arguments } });
            client
                .with("Accept", "application/json, text/event-stream")
                .post("/mcp?scope=main", &message)
                .text()
        };
        assert_eq!(update("4921"), update("4922"));
    }
}
