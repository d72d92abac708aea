//! `inwit setup` reports what the host will really do.
//!
//! It once said "has this memory" of a settings.json with a comment, which Claude Code ignores without a word, and nobody
//! could see whether a hook worked but by waiting for a session.

use std::collections::BTreeMap;

use inwit_testkit::Cli;
use serde_json::{Value, json};

use crate::newcomer;
use crate::setup_configs::{FIXTURES, configuration, user};

const SETTINGS: &str = ".claude/settings.json";
const SKILL: &str = ".claude/skills/inwit-memory/SKILL.md";
const ALLOWING: [&str; 4] = ["setup", "claude-code", "--apply", "--allow-read-tools"];

fn text(cli: &Cli, path: &str) -> String {
    std::fs::read_to_string(cli.home(path)).expect("a file")
}

fn rules(cli: &Cli) -> Value {
    let settings: Value = serde_json::from_str(&text(cli, SETTINGS)).expect("JSON");
    settings["permissions"]["allow"].clone()
}

#[test]
fn a_file_that_the_host_ignores_is_named_with_its_line() {
    for (loose, line) in
        [("{\n  // mine\n  \"model\": \"opus\"\n}\n", 59), ("{\n  \"model\": \"opus\",\n}\n", 60)]
    {
        let cli = newcomer().write(SETTINGS, loose);
        let why = format!("settings.json: line {line} has a comment or a trailing comma");
        cli.run(["setup", "claude-code", "--apply"])
            .mentions("Claude Code ignores")
            .mentions(&why)
            .mentions("is not connected yet");
        let listed = cli.run(["setup", "--json"]).json();
        assert_eq!(listed["hosts"][0]["isSetUp"], false);
        cli.run(["setup", "--check"]).exits(1).mentions("ignores the file");
        let strict = text(&cli, SETTINGS).replace("  // mine\n", "").replace("\"opus\",", "\"opus\"");
        let cli = cli.write(SETTINGS, &strict);
        cli.run(["setup", "claude-code", "--apply"]).mentions("Claude Code is connected.");
        cli.run(["setup", "--check"]).exits(0);
    }
}

#[test]
fn comments_are_deleted_when_that_is_asked_for_and_come_back() {
    for fixture in FIXTURES {
        let cli = user(fixture);
        let before = configuration(&cli);
        let apply = ["setup", fixture.host, "--apply", "--strict-json"];
        cli.run(apply).mentions("is connected");
        for (path, bytes) in configuration(&cli).iter().filter(|(path, _)| path.ends_with(".json")) {
            let text = String::from_utf8_lossy(bytes).replace('\u{FEFF}', "");
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}: {path}", fixture.name);
        }
        let with = configuration(&cli);
        for again in [&apply[..], &apply[..3]] {
            cli.run_words(again).mentions("is connected");
            assert_eq!(configuration(&cli), with, "{}", fixture.name);
        }
        cli.run(["setup", fixture.host, "--uninstall", "--apply"]).exits(0);
        assert_eq!(configuration(&cli), before, "{}", fixture.name);
    }
}

#[test]
fn tools_that_read_are_allowed_when_that_is_asked_for() {
    let cli = newcomer();
    cli.run(["setup", "claude-code"]).mentions("--allow-read-tools");
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    assert_eq!(rules(&cli), Value::Null);
    cli.run(ALLOWING).exits(0);
    let names =
        ["search", "get", "context", "timeline", "status"].map(|name| format!("mcp__inwit__memory_{name}"));
    let others = ["identity", "session_logs"].map(|name| format!("mcp__inwit__{name}"));
    assert_eq!(rules(&cli), json!([&names[..], &others[..]].concat()));
}

/// The person had one of the rules before, and changes the file in between.
#[test]
fn a_rule_of_the_persons_own_stays_and_ours_go() {
    let own = r#"{"permissions": {"allow": ["mcp__inwit__memory_get", "Bash(ls:*)"]}}"#;
    for is_changed in [false, true] {
        let mut cli = newcomer().write(SETTINGS, own);
        cli.run(ALLOWING).exits(0);
        let all = rules(&cli);
        assert_eq!(all.as_array().map(Vec::len), Some(8), "{all}");
        if is_changed {
            let changed = text(&cli, SETTINGS).replacen('{', "{\"theme\": \"dark\", ", 1);
            cli = cli.write(SETTINGS, &changed);
        }
        cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0);
        assert_eq!(rules(&cli), json!(["mcp__inwit__memory_get", "Bash(ls:*)"]));
        assert!(is_changed || text(&cli, SETTINGS) == own);
    }
}

#[test]
fn the_skill_comes_and_goes_with_setup_and_one_of_the_persons_own_stays() {
    let cli = newcomer();
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    assert!(text(&cli, SKILL).starts_with("---\nname: inwit-memory\n"));
    let cli = cli.write(SKILL, "mine");
    cli.run(["setup", "claude-code", "--apply"]).mentions("was changed by you");
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0);
    assert_eq!(
        configuration(&cli)
            .keys()
            .map(String::as_str)
            .filter(|path| !path.ends_with('/'))
            .collect::<Vec<_>>(),
        [SKILL]
    );
    assert_eq!(text(&cli, SKILL), "mine");
}

/// Everything below the person's folder but for the search index, which any read may make.
fn all_files(cli: &Cli) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    crate::setup_configs::walk(&cli.home(""), "", &mut files);
    files.retain(|path, _| !path.contains("/index.db"));
    files
}

#[test]
fn a_check_runs_each_hook_and_the_server_and_writes_nothing() {
    let cli = newcomer();
    cli.run(["setup", "--check"]).exits(1).mentions("not set up in any host");
    let count = 6;
    for host in ["claude-code", "codex"] {
        cli.run(["setup", host, "--apply"]).exits(0);
        let before = all_files(&cli);
        let checks = cli.run(["setup", host, "--check", "--json"]).exits(0).json()["checks"].clone();
        let names: Vec<&str> =
            checks.as_array().expect("a list").iter().filter_map(|check| check["name"].as_str()).collect();
        assert_eq!(
            (names.len(), names[0], names[count - 1]),
            (count, "session-start", "server"),
            "{names:?}"
        );
        assert!(checks.as_array().expect("a list").iter().all(|check| check["milliseconds"].is_u64()));
        assert_eq!(all_files(&cli), before, "{host}");
    }
}

/// The very line in the host's file is run, so what is wrong with it shows.
#[test]
fn a_check_names_the_hook_or_the_server_that_fails() {
    let cli = newcomer();
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    let (settings, servers) = (text(&cli, SETTINGS), text(&cli, ".claude.json"));
    let failing = |cli: &Cli| -> Vec<String> {
        let checks = cli.run(["setup", "--check", "--json"]).exits(1).json()["checks"].clone();
        let failed = checks.as_array().expect("a list").iter().filter(|check| !check["failed"].is_null());
        failed.map(|check| check["name"].as_str().expect("a name").to_owned()).collect()
    };
    let cli = cli.write(SETTINGS, &settings.replace("hook stop", "hook stop --agent nobody"));
    assert_eq!(failing(&cli), ["stop"]);
    let cli =
        cli.write(SETTINGS, "{}").write(".claude.json", &servers.replace("--recalls", "--agent=nobody"));
    assert_eq!(
        failing(&cli),
        ["session-start", "user-prompt", "pre-compact", "stop", "session-end", "server"]
    );
}

/// A host that runs no hooks has no memory, whatever its files say besides.
#[test]
fn a_host_whose_hooks_are_switched_off_is_not_said_to_have_this_memory() {
    for (host, path, off, switch) in [
        ("claude-code", SETTINGS, "{\"disableAllHooks\": true}", "`disableAllHooks` is true"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "`hooks` in `[features]` is false"),
    ] {
        let cli = newcomer().write(path, off);
        cli.run(["setup", host, "--apply"])
            .mentions("runs no hooks")
            .mentions(switch)
            .mentions("is not connected yet")
            .hides("--strict-json");
        cli.run(["setup", host]).mentions("is not connected yet");
        let listed = cli.run(["setup", "--json"]).json();
        let of_host = listed["hosts"].as_array().expect("a list").iter().find(|one| one["host"] == host);
        assert_eq!(of_host.map(|one| &one["isSetUp"]), Some(&Value::Bool(false)), "{listed:#}");
        cli.run(["setup", host, "--check"]).exits(1).mentions(switch);
        let on = text(&cli, path).replace("\"disableAllHooks\": true", "\"disableAllHooks\": false");
        let cli = cli.write(path, &on.replace("hooks = false", "hooks = true"));
        cli.run(["setup", host]).mentions("is connected.");
        cli.run(["setup", host, "--check"]).exits(0);
    }
}

/// Codex lowers a longer timeout of this event and prints a warning each time it starts.
#[test]
fn codex_gets_no_longer_timeout_than_it_allows() {
    let cli = newcomer();
    cli.run(["setup", "codex", "--apply"]).exits(0);
    let hooks: Value = serde_json::from_str(&text(&cli, ".codex/hooks.json")).expect("JSON");
    assert_eq!(hooks["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], 3, "{hooks:#}");
    assert_eq!(hooks["hooks"]["Stop"][0]["hooks"][0]["timeout"], 10);
}
