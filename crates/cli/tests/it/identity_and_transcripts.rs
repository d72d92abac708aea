//! `inwit show self` and `inwit session`: what an agent reports about itself, and past sessions.

use expect_test::expect;
use inwit_testkit::{Cli, fixture};

use crate::newcomer;

/// Agent `main` with a memory and three sessions, one of them held in the kitchen.
fn home() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    let workspace = home.home("inwit/agents/main/workspace");
    fixture::put(&workspace, "SOUL.md", b"I am Ada.\n\nI bake.\n");
    fixture::put(&workspace, "IDENTITY.md", "- **Name:** Ada\n- **Emoji:** 🍞\n".as_bytes());
    let bullets: String = (0..12).map(|at| format!("- Fact {at}.\n")).collect();
    fixture::put(
        &workspace,
        "MEMORY.md",
        format!("## Food\n\n- Likes rye.\n\n## Facts\n\n{bullets}").as_bytes(),
    );
    fixture::put(&workspace, "rooms/kitchen.md", b"## Oven\n\n- It is slow.\n");
    say(&home, "s-main", "main", &[("user", "Which bread for the canarybird?"), ("assistant", "Rye bread.")]);
    say(&home, "s-kitchen", "room:kitchen", &[("user", "The bread of the kitchen is ready.")]);
    home
}

/// Writes a session down as the format tells it.
fn say(home: &Cli, session: &str, scope: &str, said: &[(&str, &str)]) {
    let mut text = format!(
        "{{\"type\":\"session\",\"version\":1,\"id\":\"{session}\",\"timestamp\":\"2026-11-21T14:00:00Z\",\
         \"agent_id\":\"main\",\"source_plugin\":\"cli\",\"scope\":\"{scope}\"}}\n"
    );
    for (at, (role, content)) in said.iter().enumerate() {
        text.push_str(&format!(
            "{{\"type\":\"entry\",\"timestamp\":\"2026-11-21T14:0{at}:00Z\",\"role\":\"{role}\",\"content\":\"{content}\",\
             \"source_plugin\":\"cli\"}}\n"
        ));
    }
    let folder = home.home("inwit/agents/main/transcripts");
    fixture::put(&folder, &format!("{session}.jsonl"), text.as_bytes());
    let file = std::fs::File::open(folder.join(format!("{session}.jsonl"))).expect("opened");
    let order = if scope == "main" { 1 } else { 2 };
    let moment = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_795_269_600 + order);
    file.set_modified(moment).expect("set");
}

fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Proves N20, N24.
#[test]
fn an_agent_says_who_it_is() {
    let home = home();
    home.run(["show", "self"]).prints(expect![[r#"
        agent      main
        workspace  $HOME/inwit/agents/main/workspace
        identity   name=Ada, emoji=🍞
        soul
            I am Ada.

            I bake.
    "#]]);
    home.run(["show", "self", "--json"]).prints(expect![[r#"
        {"agent_id":"main","model":null,"workspace_dir":"$HOME/inwit/agents/main/workspace","identity":{"name":"Ada","creature":null,"vibe":null,"emoji":"🍞","avatar":null},"soul_excerpt":"I am Ada.\n\nI bake."}
    "#]]);
    assert!(home.run(["show", "self", "--json", "--room", "kitchen"]).json()["workspace_dir"].is_null());
}

/// A host names its model when a session begins, and may name another one later. A room hears of its own sessions only.
///
/// Proves N20.
#[test]
fn an_agent_says_which_model_its_host_named() {
    let home = home();
    let model = |words: &[&str]| {
        let words = [&["show", "self", "--json"][..], words].concat();
        home.run_words(&words).json()["model"].clone()
    };
    let start = |input: &str| home.run(["session", "start", "--input", input]).exits(0);
    drop(start(r#"{"session":"s-one","model":"m-1"}"#));
    assert_eq!(model(&[]), "m-1");
    home.run(["show", "self"]).mentions("model      m-1\n");
    drop(start(r#"{"session":"s-one","model":"m-1b"}"#));
    assert_eq!(model(&[]), "m-1b", "the host switched");
    drop(home.run_with(["hook", "session-start"], r#"{"session_id":"s-two","model":"m-2"}"#).exits(0));
    assert_eq!(model(&[]), "m-2", "the newest one");
    assert_eq!(model(&["--session", "s-one"]), "m-1b");
    for words in [&["--room", "kitchen"][..], &["--room", "kitchen", "--session", "s-one"]] {
        assert!(model(words).is_null(), "{words:?}");
    }
    drop(start(r#"{"session":"s-room","room":"kitchen","model":"m-3"}"#));
    assert_eq!((model(&["--room", "kitchen"]), model(&[])), ("m-3".into(), "m-2".into()));
    let long = format!(r#"{{"model":"{}"}}"#, "m".repeat(161));
    let error = home.run(["session", "start", "--input", &long, "--json"]).exits(2).json_error();
    assert_eq!(error["error"]["code"], "usage_bad");

    let asks = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who_am_i","arguments":{}}}"#,
    ];
    let asks = asks.map(|line| format!("{line}\n")).concat();
    for (words, model) in [(["--session", "s-one"], "m-1b"), (["--model", "m-4"], "m-4")] {
        let words = [&["mcp", "--main", "--tools", "nexo"][..], &words].concat();
        let answers = home.run_words_with(&words, &asks).exits(0).json_lines();
        assert_eq!(answers[1]["result"]["structuredContent"]["model"], model, "{words:?}");
    }
}

/// Proves N21.
#[test]
fn an_agent_says_what_it_knows() {
    let home = home();
    home.run(["show", "knowledge", "--section", "food"]).prints(expect![[r#"
        Food
            Likes rye.
    "#]]);
    home.run(["show", "knowledge", "--section", "facts", "--json"]).prints(expect![[r#"
        {"sections":[{"heading":"Facts","bullets":["Fact 0.","Fact 1.","Fact 2.","Fact 3.","Fact 4.","Fact 5.","Fact 6.","Fact 7.","Fact 8.","Fact 9."],"extra_bullets":2}],"truncated":true}
    "#]]);
    home.run(["show", "knowledge", "--room", "kitchen"]).mentions("It is slow.").hides("rye");
    home.run(["show", "knowledge", "--scope", "shared"])
        .prints(expect![[""]])
        .mentions("No long-term memory");
}

/// Proves N22.
#[test]
fn an_agent_says_what_it_counts() {
    let home = home();
    home.run(["show", "stats"]).prints(expect![[r#"
        agent      main
        sessions   2
        memories   0 stored, 0 promoted
        last dream never
        recalls    0 in seven days
        files      SOUL.md, AGENTS.md, IDENTITY.md, USER.md, MEMORY.md, TOOLS.md, BOOTSTRAP.md
    "#]]);
    let told = home.run(["show", "stats", "--json"]).json();
    assert_eq!(
        keys(&told),
        [
            "agent_id", "sessions_total", "memories_stored", "memories_promoted", "last_dream_ts",
            "recall_events_7d", "top_concept_tags_7d", "workspace_files_present"
        ]
    );
    home.run(["facts", "add", "likes rye"]).exits(0);
    assert_eq!(home.run(["show", "stats", "--json"]).json()["memories_stored"], 1);
    let shared = home.run(["show", "stats", "--json", "--scope", "shared"]).json();
    assert!(shared["sessions_total"].is_null() && !shared.to_string().contains("MEMORY.md"), "{shared}");
}

/// Proves N23.
#[test]
fn sessions_are_listed_shown_and_searched() {
    let home = home();
    home.run(["session", "list"]).prints(expect![[r#"
        s-kitchen  2026-11-21T14:00:00Z  1 entry  cli
        s-main  2026-11-21T14:01:00Z  2 entries  cli
    "#]]);
    home.run(["session", "show", "s-main"]).prints(expect![[r#"
        session s-main of main, scope main
        2026-11-21T14:00:00Z  user
            Which bread for the canarybird?
        2026-11-21T14:01:00Z  assistant
            Rye bread.
    "#]]);
    home.run(["session", "recent", "s-main", "-n", "1"]).prints(expect![[r#"
        session s-main of main, scope main
        2026-11-21T14:01:00Z  assistant
            Rye bread.
    "#]]);
    home.run(["session", "search", "bread", "rye"])
        .prints(expect![[r#"
        s-main  2026-11-21T14:01:00Z  assistant
            [Rye] [bread].
    "#]])
        .mentions("No entry contains the phrase");
    home.run(["session", "show", "s-main", "-n", "1", "--max-chars", "20"])
        .mentions("Which bread for the…")
        .mentions("1 of 2 entries")
        .mentions("--max-chars");
}

/// Proves N23, N26.
#[test]
fn the_answers_in_json_have_the_shapes_of_the_tool() {
    let home = home();
    home.run(["session", "list", "--json", "-n", "1"]).prints(expect![[r#"
        {"ok":true,"sessions":[{"session_id":"s-kitchen","agent_id":"main","source_plugin":"cli","entry_count":1,"first_timestamp":"2026-11-21T14:00:00Z","last_timestamp":"2026-11-21T14:00:00Z"}],"truncated":true}
    "#]]);
    home.run(["session", "show", "s-kitchen", "--json", "--max-chars", "20"]).prints(expect![[r#"
        {"ok":true,"session_id":"s-kitchen","header":{"type":"session","version":1,"id":"s-kitchen","timestamp":"2026-11-21T14:00:00Z","agent_id":"main","source_plugin":"cli","scope":"room:kitchen"},"total_entries":1,"returned":1,"truncated":false,"entries":[{"timestamp":"2026-11-21T14:00:00Z","role":"user","taint":"member","content":"The bread of the ki…","chars":34,"source_plugin":"cli"}]}
    "#]]);
    home.run(["session", "recent", "--json", "-n", "1", "s-main"]).prints(expect![[r#"
        {"ok":true,"session_id":"s-main","returned":1,"entries":[{"timestamp":"2026-11-21T14:01:00Z","role":"assistant","content":"Rye bread.","source_plugin":"cli"}]}
    "#]]);
    home.run(["session", "search", "rye bread", "--json"]).prints(expect![[r#"
        {"ok":true,"query":"rye bread","backend":"fts5","matched":"phrase","hits":[{"session_id":"s-main","timestamp":"2026-11-21T14:01:00Z","role":"assistant","source_plugin":"cli","snippet":"[Rye bread]."}],"truncated":false}
    "#]]);
    for (args, error) in [
        (["session", "show", "absent", "--json"], "session_not_found"),
        (["session", "recent", "absent", "--json"], "session_not_found"),
    ] {
        let run = home.run(args).exits(3);
        assert_eq!(run.stdout(), format!("{{\"ok\":false,\"error\":\"{error}\"}}\n"));
        assert_eq!(run.json_error()["error"]["code"], error);
    }
    home.run(["session", "show", "../x", "--json"]).mentions("session_id_bad").exits(2);
    for bad in [["session", "list", "-n", "501"], ["session", "list", "-n", "0"]] {
        home.run(bad).mentions("invalid value").exits(2);
    }
    home.run(["session", "recent", "--max-chars", "19"]).mentions("invalid value").exits(2);
}

/// Proves N23, N26.
#[test]
fn an_mcp_client_lists_reads_and_searches_what_was_said() {
    let home = home();
    let asked = |arguments: serde_json::Value| {
        let begin = serde_json::json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
        let call = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "session_logs", "arguments": arguments } });
        let run = home.run_with(["mcp", "--main", "--session", "s-main"], &format!("{begin}\n{call}\n"));
        let answers = run.exits(0).json_lines();
        answers.iter().find(|answer| answer["id"] == 1).expect("answered")["result"].clone()
    };
    let list = &asked(serde_json::json!({}))["structuredContent"];
    let sessions = list["sessions"].as_array().expect("sessions");
    let ids: Vec<_> = sessions.iter().map(|session| session["session_id"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["s-kitchen", "s-main"], "the last written first");
    let fields =
        ["session_id", "agent_id", "source_plugin", "entry_count", "first_timestamp", "last_timestamp"];
    assert_eq!(keys(&sessions[0]), fields);

    let read = asked(serde_json::json!({ "action": "read_session", "session_id": "s-main", "limit": 1 }));
    let read = &read["structuredContent"];
    assert_eq!(read["header"]["id"], "s-main");
    assert_eq!(
        (&read["total_entries"], &read["returned"], &read["truncated"]),
        (&2.into(), &1.into(), &true.into()),
        "{read}"
    );
    assert_eq!(read["entries"][0]["role"], "user");
    let recent = asked(serde_json::json!({ "action": "recent" }));
    assert_eq!(recent["structuredContent"]["session_id"], "s-main", "the session of the connection");
    let found = asked(serde_json::json!({ "action": "search", "query": "canarybird" }));
    let found = &found["structuredContent"];
    assert_eq!((&found["backend"], &found["hits"][0]["session_id"]), (&"fts5".into(), &"s-main".into()));
    let snippet = found["hits"][0]["snippet"].as_str().expect("a text");
    assert!(snippet.contains("[canarybird]"), "{snippet}");
    let absent = asked(serde_json::json!({ "action": "read_session", "session_id": "absent" }));
    assert_eq!(absent["isError"], true, "{absent}");
    assert!(absent.to_string().contains("session_not_found"), "{absent}");
}

#[test]
fn a_room_hears_its_own_sessions_and_a_stranger_none() {
    let home = home();
    home.run(["session", "list", "--room", "kitchen"]).mentions("s-kitchen").hides("s-main");
    home.run(["session", "search", "bread", "--room", "kitchen"]).mentions("s-kitchen").hides("rye");
    let hidden = home.run(["session", "show", "s-main", "--room", "kitchen"]).exits(3).stderr();
    let absent = home.run(["session", "show", "absent", "--room", "kitchen"]).exits(3).stderr();
    assert_eq!(hidden, absent.replace("absent", "s-main"));
    for scope in ["shared", "subagent", "scheduled"] {
        home.run(["session", "list", "--scope", scope]).hides("s-main").hides("s-kitchen");
        home.run(["session", "search", "bread", "--scope", scope]).prints(expect![[""]]).hides("rye");
        home.run(["session", "show", "s-kitchen", "--scope", scope]).hides("ready").exits(3);
    }
}

/// Proves N19, X54.
#[test]
fn what_was_said_comes_back_through_its_own_verbs_and_through_no_other() {
    let home = home();
    home.run(["session", "search", "canarybird"]).mentions("[canarybird]");
    for profile in ["personal", "openclaw", "minara", "nexo", "mindroom", "carapace"] {
        for scope in ["main", "room:kitchen", "shared", "subagent", "scheduled"] {
            home.run(["prompt", "--profile", profile, "--scope", scope])
                .hides("canarybird")
                .hides("is ready");
        }
    }
    home.run(["search", "canarybird"]).hides("canarybird for").hides("Which bread for");
    home.run(["show", "knowledge"]).hides("canarybird");
    // Neither the hooks of a host, nor a session, nor an MCP client is shown it by anything but its own tool.
    const SAID: &str = "Which bread for";
    home.run_with(["hook", "session-start"], r#"{"session_id":"h-1","cwd":"/x"}"#)
        .mentions("I am Ada")
        .hides(SAID);
    let asked = r#"{"session_id":"h-1","cwd":"/x","prompt":"Tell me of the canarybird and its bread"}"#;
    home.run_with(["hook", "user-prompt"], asked).hides(SAID);
    home.run(["session", "start", "--input", r#"{"session":"c-1"}"#]).mentions("I am Ada").hides(SAID);
    home.run(["session", "prompt", "--input", r#"{"session":"c-1","question":"canarybird"}"#]).hides(SAID);
    let call = |tool: &str, arguments: serde_json::Value| serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    let read = |uri: &str| serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": uri } });
    let answers = |asks: &[serde_json::Value]| {
        let begin = serde_json::json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
        let asks = asks.iter().map(|ask| format!("{ask}\n")).collect::<String>();
        home.run_with(["mcp", "--main"], &format!("{begin}\n{asks}")).exits(0)
    };
    for ask in [
        call("memory_search", serde_json::json!({ "query": "canarybird" })),
        call("memory_context", serde_json::json!({})),
        call("memory_timeline", serde_json::json!({})),
        read("mem://main/MEMORY.md"),
        read("mem://main/context-report"),
    ] {
        answers(&[ask]).hides(SAID);
    }
    answers(&[call("session_logs", serde_json::json!({ "action": "search", "query": "canarybird" }))])
        .mentions("[canarybird]");
    home.run(["show", "../transcripts/s-main.jsonl"]).hides("canarybird").exits(2);
}

#[test]
fn looking_back_makes_nothing_where_nothing_was_said() {
    let home = newcomer().workspace("notes", "//- SOUL.md\nI am Ada.\n");
    home.run(["session", "list", "-w", "notes"]).mentions("No transcripts yet.");
    home.run(["session", "search", "x", "-w", "notes"]).mentions("No entry contains these words");
    home.run(["show", "stats", "-w", "notes"]).mentions("sessions   0");
    home.run(["session", "recent", "-w", "notes"]).mentions("no transcripts yet").exits(3);
    assert!(!home.home("inwit").exists());
    let off = home.env("INWIT_TRANSCRIPTS_ENABLED", "false");
    off.run(["session", "list", "-w", "notes"]).mentions("switched off").exits(3);
}

#[test]
fn a_bad_pattern_of_redaction_stops_the_start_and_is_not_repeated() {
    let home = newcomer().workspace("notes", "//- SOUL.md\nI am Ada.\n");
    let bad = home.env("INWIT_TRANSCRIPTS_EXTRA_PATTERNS", "ticket=hunter2[");
    bad.run(["show", "self", "-w", "notes"]).mentions("pattern 1 (`ticket`)").hides("hunter2").exits(2);
}

/// Proves N20.
#[test]
fn of_a_soul_the_first_2_048_characters_are_shown() {
    for (chars, is_cut) in [(2_048, false), (2_049, true)] {
        let home = newcomer().write("work/notes/SOUL.md", &"é".repeat(chars));
        let who = home.run(["show", "self", "--json", "-w", "notes"]).json();
        let shown = who["soul_excerpt"].as_str().expect("a text").chars().count();
        assert_eq!((shown, who["soul_truncated"] == true), (2_048, is_cut), "{chars}");
    }
}
