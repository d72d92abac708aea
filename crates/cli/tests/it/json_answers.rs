//! Every command with `--json`: it answers with an object whose names are in one style.
//!
//! [`inwit_testkit::cli::Run`] judges the style of each answer; here it is that no command is left out.

use clap::{Command, CommandFactory as _};
use inwit_cli::args::Cli as Program;

use crate::newcomer;

/// A life in which each command has something to say, in its order.
const LIFE: &[&[&str]] = &[
    &["init", "--timezone", "UTC"],
    &["remember", "Ana bakes rye bread."],
    &["status"],
    &["show", "MEMORY.md"],
    &["search", "bread"],
    &["search", "flour", "--why-not", "rye bread"],
    &["learn", "feedback", "list"],
    &["learn", "feedback", "forget", "--all"],
    &["prompt"],
    &["try"],
    &["facts", "add", "bakes with #rye on Fridays"],
    &["facts", "list"],
    &["facts", "search", "rye"],
    &["facts", "read", "1"],
    &["facts", "update", "1", "--text", "bakes with #rye on Mondays"],
    &["facts", "forget", "1"],
    &["facts", "restore", "1"],
    &["facts", "consolidate"],
    &["facts", "decisions"],
    &["facts", "edges", "show", "1"],
    &["facts", "edges", "top"],
    &["facts", "edges", "neighborhood", "rye"],
    &["facts", "purge", "1", "--yes"],
    &["facts", "profile", "set", "name", "Ana"],
    &["facts", "profile", "get"],
    &["facts", "profile", "unset", "name"],
    &["learn", "methods", "add", "Feed the starter twice."],
    &["learn", "methods", "list"],
    &["learn", "methods", "show", "1"],
    &["learn", "methods", "quarantine", "1"],
    &["learn", "methods", "archive", "1"],
    &["learn", "methods", "restore", "1"],
    &["learn", "decisions", "record", "Bake on Friday."],
    &["learn", "decisions", "close", "1", "--correct"],
    &["learn", "decisions", "list"],
    &["learn", "roles", "set", "baker"],
    &["learn", "roles", "list"],
    &["learn", "preferences", "observe", "--dimension", "style", "Short answers."],
    &["learn", "preferences", "list"],
    &["learn", "preferences", "activate", "1"],
    &["learn", "preferences", "archive", "1"],
    &["forget", "--check", "caraway seeds"],
    &["remember", "Bo bakes.", "--as", "agent"],
    &["inbox", "list"],
    &["inbox", "show", "1"],
    &["inbox", "reject", "1"],
    &["journal", "add", "Bought flour."],
    &["journal", "show"],
    &["session", "start", "--input", r#"{"session": "s"}"#],
    &["session", "prompt", "--input", r#"{"session": "s"}"#],
    &["session", "turn", "--input", r#"{"session": "s", "user": {"text": "hi"}, "assistant": "Hello."}"#],
    &["session", "end", "--input", r#"{"session": "s"}"#],
    &["project", "map", "bakery", "."],
    &["project", "list"],
    &["project", "map", "shop", "notes"],
    &["project", "merge", "shop", "bakery"],
    &["setup"],
    &["show", "self"],
    &["show", "knowledge"],
    &["show", "stats"],
    &["session", "list"],
    &["session", "show", "s"],
    &["session", "search", "hi"],
    &["session", "recent"],
    &["accept", "MEMORY.md", "--dry-run"],
    &["undo", "--dry-run"],
    &["dream"],
    &["dream", "log"],
    &["dream", "why"],
    &["dream", "status"],
    &["dream", "quarantine", "list"],
    &["dream", "quarantine", "clear"],
    &["review", "--dry-run"],
    &["review", "status"],
    &["review", "why"],
    &["history", "audit", "verify"],
    &["history", "audit", "show"],
    &["backup", "copy"],
    &["restore", "copy", "--dry-run"],
    &["show"],
    &["agent", "list"],
    &["token", "create", "laptop", "--scope", "read", "--expires-days", "30"],
    &["token", "list"],
    &["token", "rotate", "laptop"],
    &["token", "revoke", "laptop"],
    &["doctor"],
    &["index", "model", "list"],
    &["index", "rebuild"],
    &["llm", "list"],
    &["llm", "tasks"],
    &["llm", "usage"],
    &["import", "openclaw", "notes"],
    &["import", "claude-code", "notes"],
    &["config", "set", "search.limit", "7"],
    &["config", "get", "search.limit"],
    &["config", "unset", "search.limit"],
    &["config", "list"],
    &["config", "profile", "list"],
    &["config", "profile", "show", "personal"],
    &["config", "profile", "diff", "personal", "nexo"],
];

/// Commands that need more than a home, and where they answer.
const ELSEWHERE: &[(&str, &str)] = &[
    ("serve", "serve.rs: a server that runs"),
    ("service install", "service.rs: a service manager"),
    ("service status", "service.rs: a service manager"),
    ("service logs", "service.rs: a service manager"),
    ("service uninstall", "service.rs: a service manager"),
    ("dream revert", "dream_logs.rs"),
    ("learn feedback", "feedback.rs"),
    ("learn methods graduate", "learning.rs"),
    ("learn preferences reject", "learning.rs"),
    ("inbox approve", "edit_and_undo.rs"),
    ("inbox edit", "edit_and_undo.rs"),
    ("open", "terminal.rs: an editor"),
    ("edit", "edit_and_undo.rs: an editor"),
    ("config edit", "an editor"),
    ("undo", "edit_and_undo.rs"),
    ("history log", "as_of.rs: git"),
    ("history diff", "as_of.rs: git"),
    ("history show", "as_of.rs: git"),
    ("history blame", "as_of.rs: git"),
    ("history restore", "as_of.rs: git"),
    ("index model install", "model.rs: a model"),
    ("index model verify", "model.rs: a model"),
    ("index model remove", "model.rs: a model"),
    ("llm check", "llm.rs: a model"),
    ("chat", "chat.rs: a model"),
    ("run", "chat.rs: a model"),
    ("index embed", "meaning.rs: a model"),
    ("bench", "bench.rs: data sets"),
    ("hook", "hooks.rs: the forms of hosts"),
    ("mcp", "mcp.rs: a protocol"),
    ("completions", "a script for a shell"),
];

#[test]
fn every_command_answers_with_an_object_in_one_style() {
    let home = newcomer().workspace("notes", "//- MEMORY.md\n- Likes figs.\n");
    for line in LIFE {
        let words: Vec<&str> = line.iter().copied().chain(["--json"]).collect();
        assert!(home.run_words(&words).json().is_object(), "{line:?}");
    }
}

#[test]
fn no_command_is_left_out() {
    let has_row = |leaf: &str| {
        let begins = |words: &str| words == leaf || words.starts_with(&format!("{leaf} "));
        let stands = |name: &str| name == leaf || leaf.starts_with(&format!("{name} "));
        LIFE.iter().any(|line| begins(&line.join(" "))) || ELSEWHERE.iter().any(|(name, _)| stands(name))
    };
    let mut leaves = Vec::new();
    leaves_of(&Program::command(), "", &mut leaves);
    assert!(leaves.len() > 90, "{leaves:?}");
    let left_out: Vec<&String> = leaves.iter().filter(|leaf| !has_row(leaf)).collect();
    assert!(left_out.is_empty(), "{left_out:?}");
}

fn leaves_of(command: &Command, name: &str, leaves: &mut Vec<String>) {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        let name = format!("{name} {}", below.get_name()).trim_start().to_owned();
        if !below.has_subcommands() || !below.is_subcommand_required_set() {
            leaves.push(name.clone());
        }
        leaves_of(below, &name, leaves);
    }
}
