//! The HTTP server: its routes, as a client and a person with curl see them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use inwit_testkit::Cli;
use inwit_testkit::cli::Running;
use inwit_testkit::http_client::{self, HttpAnswer, HttpClient};
use inwit_testkit::{Chance, secret};
use inwit_wire::routes::{ROUTES, RouteSpec, RouteVerb};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{newcomer, user, user_of_a_shell};

/// A running server, which ends with its test.
pub struct Serving {
    running: Option<Running>,
    /// A client without a token.
    pub client: HttpClient,
}

impl Serving {
    /// Of the home of `cli`, on a free port.
    #[track_caller]
    pub fn start(cli: &Cli, args: &[&str]) -> Self {
        Self::start_at(cli, "127.0.0.1:0", args)
    }

    /// The same at this address.
    #[track_caller]
    pub fn start_at(cli: &Cli, address: &str, args: &[&str]) -> Self {
        let mut running = cli.running(&[&["serve", "--addr", address, "--json"], args].concat());
        let line: Value = serde_json::from_str(&running.line()).expect("the address");
        let client = HttpClient::of(line["address"].as_str().expect("a URL"));
        Self { running: Some(running), client }
    }

    /// A server that is started already, and its client.
    pub fn of(running: Running, client: HttpClient) -> Self {
        Self { running: Some(running), client }
    }

    /// Sends a signal, and waits for its end.
    #[track_caller]
    pub fn end(mut self, signal: Signal) -> inwit_testkit::cli::Run {
        let running = self.running.take().expect("it runs");
        running.signal(signal);
        running.end()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.signal(Signal::KILL);
            // The next server of this home needs its lock.
            let killed = running.end();
            if !thread::panicking() {
                killed.exits(-9);
            }
        }
    }
}

/// A secret that the gate knows.
fn secret() -> String {
    secret::positives("github_pat", 1, &mut Chance::of(7)).remove(0).text()
}

/// A home with one agent, `main`.
pub fn home() -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home
}

/// A new token of `home`.
#[track_caller]
pub fn token(home: &Cli, args: &[&str]) -> String {
    let made = home.run_words(&[&["token", "create", "t", "--json"], args].concat()).json();
    made["token"].as_str().expect("a token").to_owned()
}

const FILES: &str = "/v1/agents/main/files";

/// Every `curl` line of the guide runs, in order, and answers.
#[test]
fn the_guide_of_the_server_is_run_line_by_line() {
    if !inwit_testkit::is_there(Path::new("/usr/bin/curl").exists(), "curl") {
        return;
    }
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/server.md"))
            .expect("the guide");
    let home = home();
    let serving = Serving::start(&home, &[]);
    let shell = user_of_a_shell()
        .env("INWIT", &format!("http://{}", serving.client.address))
        .env("TOKEN", &token(&home, &["--scope", "approve"]))
        .env("ADMIN", &token(&home, &["--scope", "admin"]));
    let mut count = 0;
    for block in page.split("```sh curl\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for line in block.lines() {
            let run = shell.run(["-ec", line]);
            assert!(!run.stdout().is_empty() || line.contains("head.txt"), "`{line}` says nothing");
            count += 1;
        }
    }
    let all = page.lines().filter(|line| line.contains("curl -sf")).count();
    assert!(count == all && all >= 30, "{count} of {all} lines");
    for route in ROUTES.iter().filter(|route| !TOLD_IN_WORDS.contains(&route.verb)) {
        let is_shown = page.lines().filter(|line| line.contains("curl -sf")).any(|line| calls(line, route));
        assert!(is_shown, "no line of the guide calls {} {}", route.method, route.path);
    }
    let memory = serving.client.get("/v1/agents/main/files/MEMORY.md?scope=main").text();
    assert!(memory.contains("- Ana likes rye bread.\n"), "{memory}");
    for line in page.lines().filter(|line| line.starts_with("inwit token create")) {
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        assert!(home.run_words(&words).stdout().starts_with("inwit_"));
    }
}

/// Requests with one key at the same time: one is run, and the others get its answer or are asked to wait.
#[test]
fn of_many_requests_with_one_key_one_is_run() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let keyed = client.with("Idempotency-Key", "loaf");
    let start = Barrier::new(WRITERS);
    let answers: Vec<HttpAnswer> = thread::scope(|scope| {
        let post = || {
            start.wait();
            keyed.post("/v1/agents/main/journal", &json!({ "text": "Baked one loaf." }))
        };
        let posts: Vec<_> = (0..WRITERS).map(|_| scope.spawn(post)).collect();
        posts.into_iter().map(|post| post.join().expect("an answer")).collect()
    });
    for answer in &answers {
        let is_told = answer.status == 200 || answer.code() == "request_unfinished";
        assert!(is_told, "{}", answer.text());
    }
    let first = answers.iter().filter(|answer| answer.status == 200);
    assert_eq!(first.filter(|answer| answer.header("idempotency-replayed").is_none()).count(), 1);
    assert_eq!(client.get("/v1/agents/main/journal?limit=50").text().matches("Baked one loaf.").count(), 1);
}

/// Routes without a line: they need what the guide does not have, or answer without end.
const TOLD_IN_WORDS: &[RouteVerb] = &[
    RouteVerb::Events,
    RouteVerb::Reject,
    RouteVerb::RevisionRestore,
    RouteVerb::MethodGraduate,
    RouteVerb::PreferenceReject,
    RouteVerb::DreamRevert,
    RouteVerb::MindroomRead,
    RouteVerb::MindroomRemove,
];

/// Whether a `curl` line calls this route.
fn calls(line: &str, route: &RouteSpec) -> bool {
    let method = match line.split_once("-X ") {
        Some((_, rest)) => rest.split(' ').next().unwrap_or_default(),
        None if line.contains(" -d ") || line.contains("--json ") => "POST",
        None => "GET",
    };
    let Some((_, address)) = line.rsplit_once("$INWIT") else { return false };
    let path = address.split(['"', '?']).next().unwrap_or_default();
    let (asked, parts): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), route.path.split('/').collect());
    let fits = |(asked, part): (&&str, &&str)| asked == part || part.starts_with('{') && !asked.is_empty();
    let is_whole =
        asked.len() == parts.len() || (route.path.ends_with("{path}") && asked.len() > parts.len());
    method == route.method.word() && is_whole && asked.iter().zip(&parts).all(fits)
}

/// Proves W24, X5.
#[test]
fn a_file_is_changed_only_over_the_version_that_was_read() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let path = format!("{FILES}/notes/bread.md");
    let made = client.put(&path, "Feed it twice.\n", None);
    assert_eq!((made.status, made.json()["outcome"].as_str()), (200, Some("applied")), "{}", made.text());
    let read = client.get(&path);
    assert_eq!((read.status, read.text().as_str()), (200, "Feed it twice.\n"));
    let etag = read.etag();
    assert_eq!(etag, format!("{}", made.json()["sha256"]));
    assert_eq!(client.with("If-None-Match", &etag).get(&path).status, 304);
    let refused = |answer: HttpAnswer| (answer.status, answer.code());
    assert_eq!(refused(client.put(&path, "Other.\n", None)), (412, "stale".into()));
    let changed = client.put(&path, "Feed it once.\n", Some(&etag));
    assert_eq!(changed.json()["outcome"], "applied");
    let late = client.put(&path, "Never feed it.\n", Some(&etag));
    assert_eq!(refused(late.clone()), (412, "stale".into()));
    assert_eq!(late.json()["currentSha256"], changed.json()["sha256"]);
    let again = client.put(&path, "Feed it once.\n", Some(&etag));
    assert_eq!(again.json()["outcome"], "unchanged", "a repeated request changes nothing");
    let unconditional = client.with("Content-Type", "text/markdown").send("PUT", &path, b"x");
    assert_eq!(refused(unconditional), (428, "precondition_missing".into()));
    assert_eq!(refused(client.send("DELETE", &path, b"")), (428, "precondition_missing".into()));
    assert_eq!(refused(client.with("If-Match", &etag).send("DELETE", &path, b"")), (412, "stale".into()));
    let gone = client.with("If-Match", &client.get(&path).etag()).send("DELETE", &path, b"");
    assert_eq!(gone.json()["outcome"], "applied");
    assert_eq!(refused(client.get(&path)), (404, "file_missing".into()));
    home.run(["undo"]).exits(0);
    assert_eq!(client.get(&path).text(), "Feed it once.\n", "the history has a removed file");
}

/// Of writers in the server and in commands that read the same version, one wins each round.
#[test]
fn one_of_many_writers_over_one_version_wins() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let path = format!("{FILES}/notes/race.md");
    client.put(&path, "start\n", None);
    for round in 0..ROUNDS {
        let etag = client.get(&path).etag();
        let start = Barrier::new(WRITERS + 1);
        let (by_http, by_command) = thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let (client, path, etag, start) = (&client, &path, &etag, &start);
                    scope.spawn(move || {
                        start.wait();
                        client.put(path, &format!("round {round} writer {writer}\n"), Some(etag))
                    })
                })
                .collect();
            let command = scope.spawn(|| {
                start.wait();
                let base = etag.trim_matches('"');
                let words = ["edit", "notes/race.md", "--content-from", "-", "--base", base];
                let run = home.run_words_with(&words, &format!("round {round} command\n"));
                let is_won = run.stdout().starts_with("Wrote");
                run.exits(if is_won { 0 } else { 4 });
                is_won
            });
            let answers: Vec<HttpAnswer> =
                writers.into_iter().map(|writer| writer.join().expect("an answer")).collect();
            (answers, command.join().expect("it ends"))
        });
        let won = by_http.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won + usize::from(by_command), 1, "round {round}");
        let lost = by_http.iter().filter(|answer| answer.status != 200);
        lost.for_each(|answer| assert_eq!(answer.status, 412, "{}", answer.text()));
    }
}

const ROUNDS: usize = 4;
const WRITERS: usize = 24;

#[test]
fn a_request_that_is_being_sent_when_the_server_stops_is_answered() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let body = json!({ "text": "The oven is from Lyon." }).to_string();
    let authorization = format!("Authorization: Bearer {}", token(&home, &["--scope", "approve"]));
    let head = format!(
        "POST /v1/agents/main/memory HTTP/1.1\r\nHost: {}\r\n{authorization}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n",
        client.address,
        body.len()
    );
    let mut stream = client.connect();
    stream.write_all(head.as_bytes()).expect("sent");
    // The server asks for the body once it has accepted the request.
    let mut line = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut line).expect("100 Continue");
    assert!(line.starts_with(b"HTTP/1.1 100 Continue"), "{}", String::from_utf8_lossy(&line));
    let running = serving.running.as_ref().expect("it runs");
    running.signal(Signal::TERM);
    stream.write_all(body.as_bytes()).expect("sent");
    let answer = http_client::read(stream);
    assert_eq!(
        (answer.status, answer.json()["outcome"].as_str()),
        (200, Some("applied")),
        "{}",
        answer.text()
    );
    serving.end(Signal::TERM).exits(0);
    assert!(home.run(["show", "memory"]).stdout().contains("The oven is from Lyon."));
}

/// What was answered is written, whenever the server is killed.
#[test]
fn a_killed_server_has_lost_no_acknowledged_write() {
    let home = home();
    let token = token(&home, &["--scope", "approve"]);
    let mut kept: Vec<String> = Vec::new();
    for round in 0..KILLS {
        let serving = Serving::start(&home, &[]);
        let client = serving.client.token(&token);
        let acknowledged = thread::scope(|scope| {
            let writers: Vec<_> = (0..3)
                .map(|writer| {
                    let client = &client;
                    scope.spawn(move || {
                        let written = |at: usize| {
                            let name = format!("notes/k{round}-{writer}-{at}.md");
                            let answer = client.put(&format!("{FILES}/{name}"), &name, None);
                            (answer.status == 200).then_some(name)
                        };
                        (0..).map_while(written).collect::<Vec<String>>()
                    })
                })
                .collect();
            // The server is killed in the middle of writes: after the first is visible.
            let first = home.home(&format!("inwit/agents/main/workspace/notes/k{round}-0-2.md"));
            let mut running = serving;
            running.running.as_mut().expect("it runs").wait_until(&|| first.exists());
            drop(running.end(Signal::KILL).exits(-9));
            writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect::<Vec<String>>()
        });
        assert!(acknowledged.len() >= 2, "{acknowledged:?}");
        kept.extend(acknowledged);
    }
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token);
    for name in &kept {
        assert_eq!(client.get(&format!("{FILES}/{name}")).text(), *name);
    }
    home.run(["doctor"]).exits(0);
}

const KILLS: usize = 3;

/// Proves M25.
#[test]
fn facts_are_added_found_forgotten_and_restored() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let facts = "/v1/agents/main/facts";
    let added =
        client.post(facts, &json!({ "text": "Ana prefers rye bread.", "category": "preference" })).json();
    assert_eq!(added["outcome"], "applied", "{added}");
    let count = |query: &str| {
        let found = client.get(&format!("{facts}?{query}")).json();
        found["memories"].as_array().map(Vec::len)
    };
    assert_eq!(
        (count("q=rye"), count("category=lesson"), count("scope=shared")),
        (Some(1), Some(0), Some(0))
    );
    assert_eq!(
        serving.client.get(facts).json()["memories"],
        json!([]),
        "without a token the scope is shared"
    );
    let read = client.get(&format!("{facts}/1")).json();
    assert_eq!(
        (&read["content"], &read["source"]),
        (&json!("Ana prefers rye bread."), &json!("user_manual"))
    );
    let proposed =
        serving.client.post(&format!("{facts}?scope=main"), &json!({ "text": "Ana sails." })).json();
    assert_eq!(proposed["outcome"], "pending", "{proposed}");
    assert_eq!(client.send("DELETE", &format!("{facts}/1"), b"").status, 200);
    assert_eq!(count("q=rye"), Some(0));
    assert_eq!(client.post(&format!("{facts}/1/restore"), &json!({})).status, 200);
    assert_eq!(count("q=rye"), Some(1));
    assert_eq!(client.get(&format!("{facts}/99")).code(), "fact_unknown");
}

#[test]
fn the_history_of_a_file_is_read_and_restored() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "approve"]));
    let path = format!("{FILES}/notes/oven.md");
    client.put(&path, "The oven is old.\n", None);
    client.put(&path, "The oven is new.\n", Some(&client.get(&path).etag()));
    let history = client.get("/v1/agents/main/history?path=notes/oven.md").json();
    let commits = history["commits"].as_array().expect("changes");
    assert_eq!(commits.len(), 2, "{history}");
    let first = commits[1]["revision"].as_str().expect("a revision").to_owned();
    let read = client.get(&format!("/v1/agents/main/revisions/notes/oven.md?at={first}")).json();
    assert_eq!(read["text"], "The oven is old.\n");
    let blame = client.get("/v1/agents/main/blame/notes/oven.md").json();
    assert_eq!(blame["lines"][0]["text"], "The oven is new.", "{blame}");
    let restored = client.post("/v1/agents/main/revisions/notes/oven.md", &json!({ "at": first })).json();
    assert_eq!((&restored["outcome"], &restored["why"]), (&json!("pending"), &json!("asked")), "{restored}");
    let proposal = format!("/v1/agents/main/proposals/{}", restored["proposal"].as_str().expect("an id"));
    let confirm = client.get(&proposal).json()["confirm"].clone();
    let wrong = client.post(&format!("{proposal}/approve"), &json!({ "confirm": "000000000000" }));
    assert_eq!((wrong.status, wrong.code().as_str()), (403, "confirmation_missing"));
    let approved = client.post(&format!("{proposal}/approve"), &json!({ "confirm": confirm })).json();
    assert_eq!(approved["outcome"], "applied", "{approved}");
    assert_eq!(client.get(&path).text(), "The oven is old.\n");
    let doctor = client.get("/v1/agents/main/doctor").json();
    assert!(doctor["findings"].is_array() && doctor["health"].is_object(), "{doctor}");
}

/// Reads events until there are `count`; each as its id and its name.
fn events(client: &HttpClient, path: &str, count: usize, act: impl FnOnce()) -> Vec<(u64, String)> {
    let mut stream = client.connect();
    let authorization = client.header("Authorization").expect("a token");
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: {authorization}\r\nConnection: close\r\n\r\n",
        client.address
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let status = lines.next().expect("an answer");
    assert!(status.contains("200"), "{status}");
    lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
    act();
    let (mut found, mut name) = (Vec::new(), String::new());
    for line in lines {
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut name);
        } else if let Some(id) = line.strip_prefix("id: ") {
            found.push((id.parse().expect("a number"), std::mem::take(&mut name)));
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// Events of the server, of commands and of decisions, in the order of the audit log; none is missed after a pause.
#[test]
fn events_are_streamed_and_replayed() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let text = token(&home, &["--scope", "approve"]);
    let client = serving.client.token(&text);
    let path = "/v1/agents/main/events";
    let live = events(&client, path, 2, || {
        client.put(&format!("{FILES}/notes/a.md"), "a\n", None);
        home.run(["remember", "From a command."]).exits(0);
    });
    let replayed = events(&client, &format!("{path}?after=0"), live[1].0 as usize, || {});
    assert_eq!(
        replayed.iter().map(|(id, _)| *id).collect::<Vec<u64>>(),
        (1..=live[1].0).collect::<Vec<u64>>()
    );
    assert!(replayed.ends_with(&live), "{replayed:?} {live:?}");
    let from = client.with("Last-Event-ID", "many").get(path);
    assert_eq!((from.status, from.code().as_str()), (400, "usage_bad"));
    // A revoked token ends its stream; reading would wait for ever otherwise.
    let ended = events(&client, path, 1_000, || drop(home.run(["token", "revoke", "t"]).exits(0)));
    assert_eq!(ended, []);
    let room = serving.client.token(&token(&home, &["--scope", "write", "--room", "kitchen"])).get(path);
    assert_eq!(room.status, 403);
}

#[test]
fn one_server_serves_a_home_and_a_taken_address_is_named() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let run = home.run(["serve", "--addr", "127.0.0.1:0", "--json"]).exits(4);
    assert!(run.stderr().contains("server_running"), "{}", run.stderr());
    let other = self::home();
    let run = other.run(["serve", "--addr", serving.client.address.as_str(), "--json"]).exits(1);
    assert!(run.stderr().contains("address_refused"), "{}", run.stderr());
    serving.end(Signal::INT).exits(0);
    Serving::start(&home, &[]).end(Signal::TERM).exits(0);
}

#[test]
fn a_folder_is_served_under_its_own_id() {
    let cli = user();
    let folder = cli.work("notes").display().to_string();
    let serving = Serving::start(&cli, &["--workspace", &folder]);
    let agents = serving.client.get("/v1/agents").json();
    let id = agents["agents"][0].as_str().expect("an id").to_owned();
    assert!(id.starts_with("ws-"), "{id}");
    let found = serving.client.get(&format!("/v1/agents/{id}/search?scope=main&q=coriander")).json();
    assert_eq!(found["results"][0]["citation"], "MEMORY.md#L4");
    let other = serving.client.get("/v1/agents/main");
    assert_eq!((other.status, other.code().as_str()), (404, "agent_unknown"));
}

#[test]
fn bad_input_is_a_problem_document_with_a_hint() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let (open, client) = (&serving.client, serving.client.token(&token(&home, &["--scope", "approve"])));
    let memory = "/v1/agents/main/memory";
    let json = |body: &[u8]| client.with("Content-Type", "application/json").send("POST", memory, body);
    let many = format!("{{\"text\": \"{}\"}}", "x".repeat(2 * 1024 * 1024));
    let rows: Vec<(&str, HttpAnswer, u16, &str)> = vec![
        ("an unknown route", open.get("/v1/nothing"), 404, "route_unknown"),
        ("an unknown method", open.send("PATCH", "/v1/agents", b""), 405, "method_refused"),
        ("an unknown agent", client.get("/v1/agents/other"), 404, "agent_unknown"),
        ("no agent id", client.get("/v1/agents/%2e%2e%2f"), 404, "agent_unknown"),
        ("an unknown parameter", open.get("/v1/agents/main/search?q=x&colour=red"), 400, "usage_bad"),
        ("a wrong type", open.get("/v1/agents/main/search?q=x&limit=many"), 400, "usage_bad"),
        ("no query", open.get("/v1/agents/main/search"), 400, "usage_bad"),
        ("a scope that is none", open.get("/v1/agents/main/search?q=x&scope=all"), 400, "usage_bad"),
        ("a day that is none", open.get("/v1/agents/main/search?q=x&since=blue"), 400, "time_bad"),
        ("bytes that are no UTF-8", open.get("/v1/agents/main/search?q=%FF"), 400, "usage_bad"),
        ("a path outside", client.get(&format!("{FILES}/..%2f..%2fagent.toml")), 422, "name_refused"),
        ("a file of the home", client.get(&format!("{FILES}/../agent.toml")), 422, "name_refused"),
        ("an unknown proposal", client.get("/v1/agents/main/proposals/99"), 404, "proposal_unknown"),
        (
            "a form",
            client.with("Content-Type", "text/plain").send("POST", memory, b"{}"),
            415,
            "media_type_refused",
        ),
        ("no object", json(b"[]"), 400, "body_bad"),
        ("a key twice", json(b"{\"text\": \"a\", \"text\": \"b\"}"), 400, "body_bad"),
        ("an unknown field", json(b"{\"text\": \"a\", \"colour\": \"red\"}"), 400, "usage_bad"),
        ("a large body", json(many.as_bytes()), 413, "body_too_large"),
        (
            "a secret",
            client.post(memory, &json!({ "text": format!("The key is {}.", secret()) })),
            403,
            "secret_refused",
        ),
    ];
    for (what, answer, status, code) in rows {
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{what}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{what}");
        let body = answer.json();
        assert!(body["hint"].as_str().is_some_and(|hint| hint.ends_with('.')), "{what}: {body}");
        assert!(body["detail"].as_str().is_some_and(|detail| !detail.contains("inwit ")), "{what}: {body}");
    }
    assert!(client.get(memory).header("allow").is_some_and(|allow| allow == "POST"));
    assert_eq!(open.get("/healthz").status, 204, "it stays up");
}

/// Whoever gets no answer sends a request again: with a key it is run once.
#[test]
fn a_request_that_is_sent_again_with_its_key_is_answered_as_before_and_not_run_again() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let owner = token(&home, &["--scope", "approve"]);
    let other = token(&home, &["--scope", "admin"]);
    let entry = json!({ "text": "Baked two loaves." });
    let path = "/v1/agents/main/journal";
    let entries = |client: &HttpClient| {
        let found = client.get("/v1/agents/main/journal?limit=50").json();
        found["entries"].as_array().expect("entries").len()
    };
    let first = {
        let serving = Serving::start(&home, &[]);
        let keyed = serving.client.token(&owner).with("Idempotency-Key", "loaves-1");
        let first = keyed.post(path, &entry);
        assert_eq!((first.status, first.header("idempotency-replayed")), (200, None), "{}", first.text());
        first
    };
    // Another process knows it too.
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&owner);
    let keyed = client.with("Idempotency-Key", "\"loaves-1\"");
    let again = keyed.post(path, &entry);
    assert_eq!((again.header("idempotency-replayed"), &again.body), (Some("true"), &first.body));
    assert_eq!(entries(&client), 1);
    let clash = keyed.post(path, &json!({ "text": "Baked three loaves." }));
    assert_eq!((clash.status, clash.code().as_str()), (422, "key_clash"));
    assert_eq!(keyed.post("/v1/agents/main/memory", &entry).code(), "key_clash", "another route");
    let others = serving.client.token(&other).with("Idempotency-Key", "loaves-1").post(path, &entry);
    assert_eq!(others.header("idempotency-replayed"), None, "a key belongs to its caller");
    let refused = client.with("Idempotency-Key", "k2").post(path, &json!({ "text": "" }));
    assert_eq!(refused.status, 403, "{}", refused.text());
    let corrected = client.with("Idempotency-Key", "k2").post(path, &json!({ "text": "Sold both." }));
    assert_eq!(corrected.status, 200, "a refused request had no effect: {}", corrected.text());
    let open = serving.client.with("Idempotency-Key", "k4").post("/v1/agents/main/memory?scope=main", &entry);
    assert_eq!(
        (open.status, open.code().as_str()),
        (400, "usage_bad"),
        "keys of programs without a token are refused"
    );
    let mcp = client.with("Idempotency-Key", "k3").post("/mcp", &json!({}));
    assert_eq!((mcp.status, mcp.code().as_str()), (400, "usage_bad"));
}

#[test]
fn a_second_signal_ends_the_server_while_a_request_is_open() {
    let home = home();
    let mut serving = Serving::start_at(&home, "localhost:0", &[]);
    let address = serving.client.address.clone();
    let mut open = serving.client.connect();
    let head = format!(
        "POST /v1/agents/main/memory?scope=main HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    );
    open.write_all(head.as_bytes()).expect("sent");
    let mut asked = String::new();
    BufReader::new(&open).read_line(&mut asked).expect("the server waits for the body");
    assert!(asked.starts_with("HTTP/1.1 100"), "{asked}");
    let mut running = serving.running.take().expect("it runs");
    running.signal(Signal::TERM);
    running.wait_until(&|| std::net::TcpStream::connect(&address).is_err());
    running.signal(Signal::INT);
    running.end().exits(0);
    assert_eq!(http_client::read(open).status, 0, "without an answer");
}
