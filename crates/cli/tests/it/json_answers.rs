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
    &["get", "MEMORY.md"],
    &["search", "bread"],
    &["why-not", "rye bread", "--for", "flour"],
    &["feedback", "list"],
    &["feedback", "forget", "--all"],
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
    &["edges", "show", "1"],
    &["edges", "top"],
    &["edges", "neighborhood", "rye"],
    &["facts", "purge", "1", "--yes"],
    &["profile", "set", "name", "Ana"],
    &["profile", "get"],
    &["profile", "unset", "name"],
    &["methods", "add", "Feed the starter twice."],
    &["methods", "list"],
    &["methods", "show", "1"],
    &["methods", "quarantine", "1"],
    &["methods", "archive", "1"],
    &["methods", "restore", "1"],
    &["decisions", "record", "Bake on Friday."],
    &["decisions", "close", "1", "--correct"],
    &["decisions", "list"],
    &["roles", "set", "baker"],
    &["roles", "list"],
    &["preferences", "observe", "--dimension", "style", "Short answers."],
    &["preferences", "list"],
    &["preferences", "activate", "1"],
    &["preferences", "archive", "1"],
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
    &["self", "who"],
    &["self", "know"],
    &["self", "stats"],
    &["transcript", "list"],
    &["transcript", "show", "s"],
    &["transcript", "search", "hi"],
    &["transcript", "recent"],
    &["accept", "MEMORY.md", "--dry-run"],
    &["undo", "--dry-run"],
    &["dream"],
    &["dream", "log"],
    &["dream", "why"],
    &["audit", "verify"],
    &["audit", "show"],
    &["backup", "copy"],
    &["restore", "copy", "--dry-run"],
    &["workspace", "show"],
    &["doctor"],
    &["model", "list"],
    &["index", "rebuild"],
    &["import", "openclaw", "notes"],
    &["import", "claude-code", "notes"],
    &["config", "set", "search.limit", "7"],
    &["config", "get", "search.limit"],
    &["config", "list"],
    &["config", "profile", "list"],
    &["config", "profile", "show", "personal"],
    &["config", "profile", "diff", "personal", "nexo"],
];

/// Commands that need more than a home, and where they answer.
const ELSEWHERE: &[(&str, &str)] = &[
    ("feedback", "feedback.rs"),
    ("methods graduate", "learning.rs"),
    ("preferences reject", "learning.rs"),
    ("inbox approve", "hands.rs"),
    ("inbox edit", "hands.rs"),
    ("open", "terminal.rs: an editor"),
    ("edit", "hands.rs: an editor"),
    ("undo", "hands.rs"),
    ("history log", "looking_back.rs: git"),
    ("history diff", "looking_back.rs: git"),
    ("history show", "looking_back.rs: git"),
    ("history blame", "looking_back.rs: git"),
    ("history restore", "looking_back.rs: git"),
    ("model install", "modelling.rs: a model"),
    ("model verify", "modelling.rs: a model"),
    ("model remove", "modelling.rs: a model"),
    ("index embed", "meaning.rs: a model"),
    ("bench", "measuring.rs: data sets"),
    ("hook", "hooking.rs: the forms of hosts"),
    ("mcp", "serving.rs: a protocol"),
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
    for below in command.get_subcommands() {
        let name = format!("{name} {}", below.get_name()).trim_start().to_owned();
        if !below.has_subcommands() || !below.is_subcommand_required_set() {
            leaves.push(name.clone());
        }
        leaves_of(below, &name, leaves);
    }
}
