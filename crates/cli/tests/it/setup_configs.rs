//! `inwit setup`: into the configurations that people have, and out again to the last byte.

use std::collections::BTreeMap;
use std::path::Path;

use inwit_testkit::Cli;
use serde_json::{Value, json};

use crate::newcomer;

const PROGRAM: &str = env!("CARGO_BIN_EXE_inwit");

/// Somebody's configuration, as files below their home.
pub(crate) struct Fixture {
    pub(crate) name: &'static str,
    pub(crate) host: &'static str,
    pub(crate) files: &'static [(&'static str, &'static str)],
}

pub(crate) const FIXTURES: &[Fixture] = &[
    Fixture { name: "nothing at all", host: "claude-code", files: &[] },
    Fixture {
        name: "empty files",
        host: "claude-code",
        files: &[(".claude/settings.json", "{}"), (".claude.json", "")],
    },
    Fixture {
        name: "hooks, servers and comments of one's own",
        host: "claude-code",
        files: &[
            (
                ".claude/settings.json",
                "{\n  // what I like\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      // a bell\n      {\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"printf '\\\\a'\" }]\n      }\n    ],\n    \"PreToolUse\": []\n  },\n  \"permissions\": { \"allow\": [\"Bash(ls:*)\"], },\n}\n",
            ),
            (
                ".claude.json",
                "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"other\",\n      \"env\": { \"KEY\": \"k\" }\n    }\n  },\n  \"projects\": {}\n}",
            ),
        ],
    },
    Fixture {
        name: "one line, tabs, CRLF and a byte order mark",
        host: "claude-code",
        files: &[
            (".claude/settings.json", "\u{FEFF}{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {}\r\n}\r\n"),
            (".claude.json", "{\"numStartups\":7,\"mcpServers\":{}}"),
        ],
    },
    Fixture { name: "no Codex yet", host: "codex", files: &[] },
    Fixture {
        name: "Codex with servers, comments and hooks of its own",
        host: "codex",
        files: &[
            (
                ".codex/config.toml",
                "# mine\nmodel = \"o\"   # why\n\n[mcp_servers.other]\ncommand = \"other\"\nargs = [ \"a\",\n  \"b\" ]\n\n[features]\nhooks = true",
            ),
            (
                ".codex/hooks.json",
                "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}}\n",
            ),
        ],
    },
];

pub(crate) fn user(fixture: &Fixture) -> Cli {
    fixture.files.iter().fold(newcomer(), |cli, (path, text)| cli.write(path, text))
}

/// The host's files and folders with their bytes.
pub(crate) fn configuration(cli: &Cli) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for place in [".claude", ".claude.json", ".codex"] {
        walk(&cli.home(place), place, &mut found);
    }
    found
}

pub(crate) fn walk(path: &Path, name: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    if path.is_dir() {
        found.insert(format!("{name}/"), Vec::new());
        for entry in std::fs::read_dir(path).expect("a folder") {
            let entry = entry.expect("an entry");
            walk(&entry.path(), &format!("{name}/{}", entry.file_name().display()), found);
        }
    } else if let Ok(bytes) = std::fs::read(path) {
        found.insert(name.to_owned(), bytes);
    }
}

#[test]
fn every_configuration_gets_it_once_and_gives_it_back_byte_for_byte() {
    for fixture in FIXTURES {
        let (cli, name) = (user(fixture), fixture.name);
        let before = configuration(&cli);
        cli.run(["setup", fixture.host])
            .mentions("Preview: no changes made. Use `--apply` to change the files.");
        assert_eq!(configuration(&cli), before, "{name}: looking changes nothing");
        // Claude Code reads neither comments nor trailing commas.
        let is_loose =
            fixture.host == "claude-code" && fixture.files.iter().any(|file| file.1.contains("//"));
        let says = if is_loose { "Claude Code ignores" } else { "is connected" };
        let apply = ["setup", fixture.host, "--apply", "--allow-read-tools"];
        cli.run(apply).mentions(says);
        let with = configuration(&cli);
        assert_ne!(with, before, "{name}");
        for (_, text) in fixture.files {
            for line in text.lines().filter(|line| line.contains("//") || line.contains('#')) {
                let all: Vec<u8> = with.values().flatten().copied().collect();
                assert!(String::from_utf8_lossy(&all).contains(line), "{name}: {line}");
            }
        }
        for again in [&apply[..], &apply[..3]] {
            cli.run_words(again).mentions(says);
            assert_eq!(configuration(&cli), with, "{name}: a second time changes nothing");
        }
        cli.run(["setup", fixture.host, "--uninstall"]).mentions("no changes made");
        assert_eq!(configuration(&cli), with, "{name}");
        cli.run(["setup", fixture.host, "--uninstall", "--apply"]).mentions("Your notes stay.");
        assert_eq!(configuration(&cli), before, "{name}: as it was");
        cli.run(["setup", fixture.host, "--uninstall", "--apply"]).mentions("No entries of inwit are in");
        assert_eq!(configuration(&cli), before, "{name}");
    }
}

/// Codex had no end of a session when four hooks were written for it.
#[test]
fn codex_calls_a_hook_at_the_end_of_a_session_also_where_four_were_set_up_before() {
    let cli = newcomer();
    cli.run(["setup", "codex", "--apply"]).exits(0);
    let written = json_of(&cli, ".codex/hooks.json");
    let command = &written["hooks"]["SessionEnd"][0]["hooks"][0]["command"];
    assert!(command.as_str().is_some_and(|line| line.ends_with("hook session-end")), "{written}");
    let mut before = written.clone();
    before["hooks"].as_object_mut().expect("hooks").remove("SessionEnd");
    let cli = cli.write(".codex/hooks.json", &before.to_string());
    cli.run(["setup", "codex", "--apply"]).exits(0);
    assert_eq!(json_of(&cli, ".codex/hooks.json"), written);
}

#[test]
fn one_command_gives_claude_code_a_memory() {
    let cli = newcomer().env("INWIT_HOME", "");
    cli.run(["setup", "claude-code", "--apply"]).mentions("is connected");
    let settings: Value = json_of(&cli, ".claude/settings.json");
    let events: Vec<&str> =
        settings["hooks"].as_object().expect("hooks").keys().map(String::as_str).collect();
    assert_eq!(events, ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"]);
    let servers = json_of(&cli, ".claude.json");
    assert_eq!(servers["mcpServers"]["inwit"]["args"], json!(["mcp", "--main", "--recalls"]));
    // What the host would run, it runs.
    let command = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().expect("a command");
    assert_eq!(command, format!("{PROGRAM} hook session-start"));
    cli.run(["remember", "Ana likes rye bread"]).exits(0);
    let pack =
        cli.run_with(["hook", "session-start"], "{\"session_id\":\"s-1\",\"source\":\"startup\"}").json();
    let text = pack["hookSpecificOutput"]["additionalContext"].as_str().expect("a pack").to_owned();
    assert!(text.contains("Ana likes rye bread"), "{text}");
}

fn json_of(cli: &Cli, path: &str) -> Value {
    let text = std::fs::read_to_string(cli.home(path)).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// Hosts write their files anew: then ours is known by what it runs.
#[test]
fn a_file_that_was_changed_since_loses_our_entries_alone() {
    let cli = newcomer().write(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    let mut settings = json_of(&cli, ".claude/settings.json");
    settings["theme"] = json!("dark");
    settings["hooks"]["Stop"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"hooks": [{"type": "command", "command": "say hi"}]}));
    let cli = cli.write(".claude/settings.json", &settings.to_string());
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    assert_eq!(json_of(&cli, ".claude/settings.json"), settings, "it is all there still");
    cli.run(["setup", "claude-code", "--uninstall", "--apply"]).exits(0);
    assert_eq!(
        json_of(&cli, ".claude/settings.json"),
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say hi"}]}]}, "model": "opus", "theme": "dark"})
    );
}

#[test]
fn an_older_entry_of_ours_is_replaced_and_another_agent_can_be_named() {
    let old = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/old/place/inwit hook stop"}]}]}});
    let cli = newcomer().env("INWIT_HOME", "").write(".claude/settings.json", &old.to_string());
    cli.run(["init", "--agent", "bo"]).exits(0);
    cli.run(["setup", "claude-code", "--apply", "--agent", "bo"]).exits(0);
    let stop = json_of(&cli, ".claude/settings.json")["hooks"]["Stop"].clone();
    assert_eq!(stop.as_array().map(Vec::len), Some(1), "{stop}");
    assert_eq!(stop[0]["hooks"][0]["command"], format!("{PROGRAM} hook stop --agent bo"));
}

#[test]
fn what_cannot_be_joined_is_left_alone_and_told() {
    for (host, path, text) in [
        ("claude-code", ".claude/settings.json", "{ \"hooks\": "),
        ("claude-code", ".claude/settings.json", "{\"hooks\": 7}"),
        ("claude-code", ".claude.json", "[]"),
        ("codex", ".codex/config.toml", "mcp_servers = { other = { command = \"x\" } }\n"),
        ("codex", ".codex/config.toml", "not toml ["),
    ] {
        let cli = newcomer().write(path, text);
        let before = configuration(&cli);
        cli.run(["setup", host, "--apply"])
            .exits(2)
            .mentions("cannot be used")
            .mentions("Nothing was changed.");
        assert_eq!(configuration(&cli), before, "{text}");
    }
}

#[test]
fn the_hosts_that_are_here_are_listed() {
    let cli = newcomer().write(".claude/settings.json", "{}");
    cli.run(["setup"]).mentions("claude-code  found ($HOME/.claude)").mentions("codex        not found");
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    let listed = cli.run(["setup", "--json"]).json();
    assert_eq!(
        (&listed["hosts"][0]["isSetUp"], &listed["hosts"][1]["isSetUp"]),
        (&json!(true), &json!(false))
    );
    cli.run(["setup", "--apply"]).exits(2);
    cli.run(["setup", "emacs"]).exits(2);
}
