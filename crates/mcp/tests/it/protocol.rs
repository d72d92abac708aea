//! The protocol on lines: both generations, what is malformed, what is too much, and how it ends.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Write as _};
use std::thread::JoinHandle;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inwit_engine::Agent;
use inwit_mcp::Connection;
use inwit_mcp::lines::LINE_BYTES_MAX;
use inwit_model::{FileClass, Files, Scope, WriteMode};
use inwit_testkit::{Chance, Hooked, fixture, parts, room};
use inwit_wire::tools::Set;
use inwit_workspace::FsFiles;
use serde_json::{Value, json};

use crate::world::{ADA, ada, lent};

/// A client at the other end of two pipes.
pub struct Client {
    to: Option<PipeWriter>,
    from: BufReader<PipeReader>,
    server: JoinHandle<Result<(), String>>,
}

impl Client {
    fn new() -> Self {
        Self::of(ada(Scope::Main).connection)
    }

    fn of(connection: Connection) -> Self {
        let (input, to) = std::io::pipe().expect("a pipe");
        let (from, output) = std::io::pipe().expect("a pipe");
        let server = std::thread::spawn(move || inwit_mcp::serve(connection, input, output));
        Self { to: Some(to), from: BufReader::new(from), server }
    }

    /// A client that has shaken hands in the older way.
    pub fn begun() -> Self {
        Self::begun_with(ada(Scope::Main).connection)
    }

    fn begun_with(connection: Connection) -> Self {
        let mut client = Self::of(connection);
        let answer = client.asks(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
        client.says(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    fn says(&mut self, line: &[u8]) {
        let to = self.to.as_mut().expect("open");
        to.write_all(line).and_then(|()| to.write_all(b"\n")).expect("written");
    }

    /// The next line, which must be a message.
    fn hears(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("a line");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "nothing but the protocol is said");
        message
    }

    pub fn asks(&mut self, message: &Value) -> Value {
        self.says(message.to_string().as_bytes());
        self.hears()
    }

    fn calls(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        self.asks(&call(id, tool, arguments))
    }

    /// Ends the input; everything that is still said.
    pub fn ends(mut self) -> Vec<Value> {
        drop(self.to.take());
        let lines: Vec<String> = self.from.lines().map(|line| line.expect("a line")).collect();
        self.server.join().expect("no panic").expect("served to the end");
        lines.iter().map(|line| serde_json::from_str(line).expect("a message")).collect()
    }
}

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

/// What a request of the newer generation carries.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
    })
}

/// A fault of ours inside one call is an internal error of that call. It happens in the middle of a write, while the
/// write guard is held and an intent is open.
#[test]
fn a_panic_inside_one_call_leaves_the_other_calls_and_the_next_write_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::lay_out(ADA, folder.path());
    let is_armed = Arc::new(AtomicBool::new(true));
    let armed = Arc::clone(&is_armed);
    let disk = Hooked::before(move |call, name| {
        if call == "write" || name.contains("2026-11-21") {
            assert!(!armed.swap(false, Ordering::SeqCst), "a fault that this test plants");
        }
    });
    let files = FsFiles::open_with(disk, folder.path()).expect("opened");
    let mut client =
        Client::begun_with(lent(Agent::new(parts(Arc::new(files))), Scope::Main, &[Set::Default]));
    let entry = |text: &str| json!({ "text": text, "kind": "journal" });
    for line in [
        call(1, "memory_remember", entry("Lost in a fault.")),
        call(2, "memory_search", json!({ "query": "rye bread" })),
        call(3, "memory_get", json!({ "path": "MEMORY.md" })),
    ] {
        client.says(line.to_string().as_bytes());
    }
    let mut answers: Vec<Value> = (0..3).map(|_| client.hears()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert!(!is_armed.load(Ordering::SeqCst), "the fault happened");
    assert_eq!(answers[0]["error"]["code"], -32603, "{}", answers[0]);
    assert_eq!(answers[1]["result"]["structuredContent"]["results"][0]["citation"], "MEMORY.md#L5");
    assert_eq!(answers[2]["result"]["isError"], false, "{}", answers[2]);
    let kept = client.calls(4, "memory_remember", entry("Kept after it."));
    assert_eq!(kept["result"]["structuredContent"]["outcome"], "applied", "{kept}");
    assert!(client.ends().is_empty());
    let log = std::fs::read_to_string(folder.path().join("memory/2026-11-21.md")).expect("read");
    assert_eq!(log.matches("Kept after it.").count(), 1, "{log}");
    assert!(log.matches("Lost in a fault.").count() <= 1, "{log}");
    assert!(log.contains("- Sold five loaves."), "{log}");
}

#[test]
fn the_older_generation_shakes_hands_and_calls() {
    let mut client = Client::begun();
    let tools = client.asks(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    let tools = tools["result"]["tools"].as_array().expect("a list").clone();
    assert!(tools.len() >= 10);
    for tool in &tools {
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{}: {hint}", tool["name"]);
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
    }
    let found = client.calls(2, "memory_search", json!({ "query": "rye bread" }));
    assert_eq!(found["result"]["structuredContent"]["results"][0]["citation"], "MEMORY.md#L5");
    let failed = client.calls(3, "memory_search", json!({ "querry": "rye" }));
    assert_eq!(failed["result"]["isError"], true);
    let error = &failed["result"]["structuredContent"]["error"];
    assert_eq!(error["message"], "`memory_search` has no parameter `querry`. Did you mean `query`?");
    assert_eq!(client.calls(4, "none", json!({}))["error"]["code"], -32602);
    assert!(client.ends().is_empty());
}

/// What would be refused each time is not offered: tools that keep facts, and `fact` as a kind, are there only where an
/// agent may keep facts.
/// Proves M10.
#[test]
fn what_keeps_facts_is_offered_only_where_they_may_be_kept() {
    let offered = |connection: Connection, sets: &[Set]| {
        let mut client = Client::begun_with(Connection { sets: sets.to_vec(), ..connection });
        let tools = client.asks(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
        let tools = tools["result"]["tools"].as_array().expect("a list").clone();
        let named = |name: &str| tools.iter().find(|tool| tool["name"] == name).cloned();
        let kinds =
            named("memory_remember").map(|tool| tool["inputSchema"]["properties"]["kind"]["enum"].clone());
        (kinds, named("memory_write").is_some(), named("memory_search").is_some())
    };
    let person_only = || {
        let mut parts = parts(Arc::new(fixture::mem(ADA)) as Arc<dyn Files>);
        parts.keeping.tighter.insert(FileClass::Facts, WriteMode::HumanOnly);
        lent(Agent::new(parts), Scope::Main, &[])
    };
    let all = || Some(json!(["memory", "journal", "fact"]));
    let without = || Some(json!(["memory", "journal"]));
    let own = &[Set::Default];
    assert_eq!(offered(ada(Scope::Main).connection, own), (all(), false, true));
    assert_eq!(offered(ada(room("kitchen")).connection, own), (without(), false, true));
    assert_eq!(offered(person_only(), own), (without(), false, true));
    assert_eq!(offered(ada(Scope::Main).connection, &[Set::Minara]), (None, true, true));
    assert_eq!(offered(person_only(), &[Set::Minara]), (None, false, true), "facts are still found");
}

#[test]
fn the_newer_generation_needs_no_handshake() {
    let mut client = Client::new();
    let asked =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": { "_meta": meta() } });
    let discovered = client.asks(&asked);
    let versions = discovered["result"]["supportedVersions"].to_string();
    assert!(versions.contains("2026-07-28") && versions.contains("2025-11-25"), "{discovered}");
    let mut asked = call(2, "memory_search", json!({ "query": "rye bread" }));
    asked["params"]["_meta"] = meta();
    let found = client.asks(&asked);
    assert_eq!(found["result"]["structuredContent"]["results"][0]["citation"], "MEMORY.md#L5");
    let asked = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": { "_meta": meta() } });
    assert_eq!(client.asks(&asked)["result"]["cacheScope"], "private", "memory is nobody else's to keep");
    assert!(client.ends().is_empty());
}

#[test]
fn lists_are_the_same_bytes_each_time() {
    let listed = || {
        let mut client = Client::begun();
        let methods = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
        let answers = methods
            .map(|method| client.asks(&json!({ "jsonrpc": "2.0", "id": 1, "method": method })).to_string());
        client.ends();
        answers
    };
    assert_eq!(listed(), listed());
}

#[test]
fn what_is_malformed_is_answered_and_ends_nothing() {
    let mut client = Client::new();
    // Before anything was asked, what asks nothing is nobody's.
    client.says(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.says(br#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    let deep = "[".repeat(100_000);
    for (line, code) in [
        (&b"not json"[..], -32700),
        (b"\xff\xfe\x00", -32700),
        (b"{\"jsonrpc\":\"2.0\",", -32700),
        (deep.as_bytes(), -32700),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (br#"{"id":1}"#, -32600),
        (br#"{}"#, -32600),
        (b"7", -32600),
        (b"null", -32600),
        (br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, -32600),
    ] {
        client.says(line);
        let heard = client.hears();
        assert_eq!(
            heard["error"]["code"],
            code,
            "{}: {heard}",
            String::from_utf8_lossy(line).get(..40).unwrap_or_default()
        );
    }
    for line in ["", "   ", "\u{feff}", r#"{"method":7}"#, r#"{"jsonrpc":"2.0","method":"$/other"}"#] {
        client.says(line.as_bytes());
    }
    assert!(client.ends().is_empty(), "and what asks nothing is not answered");
}

#[test]
fn parameters_of_another_kind_are_told_apart_from_unknown_methods() {
    let mut client = Client::begun();
    for (at, params) in [
        json!(7),
        json!([1]),
        json!("x"),
        json!({ "name": 7 }),
        json!({}),
        json!({ "name": "memory_get", "arguments": 7 }),
    ]
    .iter()
    .enumerate()
    {
        let asked = json!({ "jsonrpc": "2.0", "id": at, "method": "tools/call", "params": params });
        let heard = client.asks(&asked);
        assert_eq!(
            (&heard["error"]["code"], &heard["id"]),
            (&json!(-32602), &json!(at)),
            "{params}: {heard}"
        );
    }
    for (at, value) in [json!(7), json!(null), json!([]), json!({}), json!(true), json!("x".repeat(200_000))]
        .iter()
        .enumerate()
    {
        for (tool, name) in [
            ("memory_search", "query"),
            ("memory_get", "path"),
            ("memory_timeline", "around"),
            ("memory_remember", "text"),
        ] {
            // What may be left away may be sent as null.
            if name == "around" && value.is_null() {
                continue;
            }
            let heard = client.calls(100 + at as u64, tool, json!({ name: value }));
            assert_eq!(heard["result"]["isError"], true, "{tool} {name} {heard}");
        }
    }
    let unknown = client.asks(&json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/other", "params": {} }));
    assert_eq!(unknown["error"]["code"], -32601);
    assert!(client.ends().is_empty());
}

#[test]
fn a_line_of_a_hundred_megabytes_is_passed_over() {
    let mut client = Client::begun();
    let piece = vec![b'a'; 1024 * 1024];
    let to = client.to.as_mut().expect("open");
    to.write_all(br#"{"jsonrpc":"2.0","id":1,"method":""#).expect("written");
    (0..100).for_each(|_| to.write_all(&piece).expect("written"));
    client.says(br#""}"#);
    let heard = client.hears();
    assert_eq!(heard["id"], 1, "the caller waits for an answer to its id");
    assert!(
        heard["error"]["message"].as_str().is_some_and(|told| told.contains(&LINE_BYTES_MAX.to_string()))
    );
    assert_eq!(client.calls(2, "memory_search", json!({ "query": "rye" }))["id"], 2);
    // Without its end it is not a message.
    client.to.as_mut().expect("open").write_all(br#"{"jsonrpc":"2.0","id":3,"#).expect("written");
    let heard = client.ends();
    assert!(heard.iter().all(|message| message["id"].is_null()), "{heard:?}");
}

#[test]
fn ten_thousand_calls_in_flight_are_all_answered_once() {
    const CALLS: u64 = 10_000;
    let mut client = Client::begun();
    let mut to = client.to.take().expect("open");
    // All are written before one answer is read.
    (0..CALLS).for_each(|at| {
        let line = format!("{}\n", call(at, "identity", json!({ "about": "my_stats" })));
        to.write_all(line.as_bytes()).expect("written");
    });
    drop(to);
    let mut ids: Vec<u64> =
        client.ends().iter().map(|message| message["id"].as_u64().expect("an id")).collect();
    ids.sort_unstable();
    assert!(ids.iter().copied().eq(0..CALLS), "{} answers", ids.len());
}

#[test]
fn a_cancelled_call_frees_its_place_and_twins_confuse_nobody() {
    let mut client = Client::begun();
    for at in 0..500_u64 {
        client.says(call(at, "memory_search", json!({ "query": "rye" })).to_string().as_bytes());
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": at, "reason": "x" } });
        client.says(cancel.to_string().as_bytes());
        let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": at, "progress": 1 } });
        client.says(progress.to_string().as_bytes());
    }
    (0..100).for_each(|_| {
        client.says(call(7_000, "memory_search", json!({ "query": "rye" })).to_string().as_bytes())
    });
    client.says(call(9_999, "memory_status", json!({})).to_string().as_bytes());
    let heard = client.ends();
    assert_eq!(heard.iter().filter(|message| message["id"] == 9_999).count(), 1);
}

#[test]
fn who_hears_nothing_any_more_is_not_served_on() {
    let mut client = Client::begun();
    let (nobody, _) = std::io::pipe().expect("a pipe");
    client.from = BufReader::new(nobody);
    let mut to = client.to.take().expect("open");
    // The pipe breaks once the server has written to it.
    while to
        .write_all(format!("{}\n", call(1, "memory_search", json!({ "query": "rye" }))).as_bytes())
        .is_ok()
    {}
    client.server.join().expect("no panic").expect("served to the end");
}

/// A reader that takes nothing and does not go away.
struct Stuck(std::sync::mpsc::Receiver<()>);

impl std::io::Write for Stuck {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.recv();
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_end_of_the_input_ends_it_also_where_nobody_takes_the_answers() {
    let calls: String = (0..500_u64)
        .map(|at| format!("{}\n", call(at, "memory_search", json!({ "query": "rye" }))))
        .collect();
    let input = std::io::Cursor::new(format!(
        "{}\n{calls}",
        json!({ "jsonrpc": "2.0", "id": "first", "method": "server/discover", "params": { "_meta": meta() } })
    ));
    let (keeps, taken) = std::sync::mpsc::channel();
    let served = inwit_mcp::serve_settling(
        ada(Scope::Main).connection,
        input,
        Stuck(taken),
        std::time::Duration::from_millis(20),
    );
    assert_eq!(served, Ok(()));
    drop(keeps);
}

#[test]
fn a_method_that_is_not_known_is_named_and_not_repeated_whole() {
    let mut client = Client::begun();
    for (method, told) in [("x".repeat(100_000), "There is no method `xxx"), ("foo/bar".into(), "`foo/bar`")]
    {
        let heard = client.asks(&json!({ "jsonrpc": "2.0", "id": 1, "method": method }));
        let message = heard["error"]["message"].as_str().expect("a sentence").to_owned();
        assert_eq!(heard["error"]["code"], -32601);
        assert!(message.contains(told) && message.len() < 1_000, "{message}");
    }
    for old in [json!({ "jsonrpc": "1.0", "id": 2, "method": "ping" }), json!({ "id": 2, "method": "ping" })]
    {
        let heard = client.asks(&old);
        assert_eq!(
            (heard["id"].as_u64(), heard["error"]["code"].as_i64()),
            (Some(2), Some(-32600)),
            "{heard}"
        );
    }
}

#[test]
fn no_line_whatever_it_is_stops_the_ones_behind_it() {
    const LINES: u64 = 3_000;
    let seed = 20_261_121;
    let mut chance = Chance::of(seed);
    let whole = [
        call(1, "memory_search", json!({ "query": "rye", "limit": 3 })).to_string(),
        call(2, "memory_get", json!({ "path": "MEMORY.md", "from": 1 })).to_string(),
        call(3, "memory_forget", json!({ "path": "MEMORY.md", "old_text": "rye" })).to_string(),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": { "uri": "mem://ada/SOUL.md" } })
            .to_string(),
        json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": { "_meta": meta() } }).to_string(),
    ];
    let mut client = Client::begun();
    let mut to = client.to.take().expect("open");
    for _ in 0..LINES {
        let mut line = chance.pick(&whole).clone().into_bytes();
        for _ in 0..=chance.below(4) {
            let at = chance.below(line.len());
            match chance.below(4) {
                0 => line[at] = u8::try_from(chance.below(256)).expect("a byte"),
                1 => line.truncate(at.max(1)),
                2 => line.insert(at, b"{}[],:\"\\0-"[chance.below(10)]),
                _ => drop(line.remove(at)),
            }
            if line.is_empty() {
                line.push(b'x');
            }
        }
        line.push(b'\n');
        to.write_all(&line).expect("written");
    }
    to.write_all(format!("{}\n", call(999_999, "memory_status", json!({}))).as_bytes()).expect("written");
    drop(to);
    let heard = client.ends();
    assert!(heard.iter().all(|message| message["jsonrpc"] == "2.0"), "seed {seed}");
    assert_eq!(heard.iter().filter(|message| message["id"] == 999_999).count(), 1, "seed {seed}");
    assert!(heard.len() as u64 > LINES / 2, "seed {seed}: {} answers", heard.len());
}
