//! The guides are run as they stand there, block by block; so are the examples, and what others install is
//! held against our tables.

use std::path::{Path, PathBuf};

use inwit_testkit::Cli;
use inwit_wire::HOOKS;
use serde_json::{Value, json};

use crate::{newcomer, user_of_a_shell};

const PROGRAM: &str = env!("CARGO_BIN_EXE_inwit");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json_of(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The guides for hosts. Each other guide is run where its story is told.
const GUIDES: [&str; 3] = ["claude-code.md", "codex.md", "your-own-agent.md"];

#[test]
fn every_line_of_every_guide_runs_and_says_something() {
    let programs = Path::new(PROGRAM).parent().expect("a folder").display().to_string();
    let mut count = 0;
    for name in GUIDES {
        let page = text(&format!("docs/guides/{name}"));
        let home = user_of_a_shell()
            .env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000")
            .env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
        for block in page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            for line in block.lines() {
                let run = home.run(["-ec", line]);
                let (stdout, stderr) = (run.stdout(), run.stderr());
                // What a hook has to say is for the host.
                let says = !stdout.is_empty() || (!stderr.is_empty() && !line.contains("inwit hook"));
                assert!(says, "{}: `{line}` says nothing: {stderr}", name);
                count += 1;
            }
        }
    }
    assert!(count >= 20, "the guides show the main verbs: {count}");
}

/// An example as cargo built it beside the program.
fn example(name: &str) -> Cli {
    let built = Path::new(PROGRAM).with_file_name("examples").join(name);
    Cli::new(built).workspace("notes", "\n//- MEMORY.md\n# MEMORY\n\n- The boat is called Sirena.\n")
}

#[test]
fn the_example_recalls() {
    let run = example("recall").run(["notes", "what is the boat called?"]);
    assert_eq!(run.stdout(), "MEMORY.md#L3-L3\n- The boat is called Sirena.\n\n");
}

#[test]
fn the_example_writes_through_the_gate() {
    let example = example("write_through_the_gate");
    let told = example.run(["notes"]).stdout();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[..3], ["applied", "unchanged", "pending: taint"], "{told}");
    assert!(lines[3].starts_with("hidden_refused: "), "{told}");
    let memory = std::fs::read_to_string(example.work("notes/MEMORY.md")).expect("a file");
    assert!(
        memory.contains("- Ana likes rye bread\n")
            && !memory.contains("invoice")
            && !memory.contains("wheat")
    );
}

/// The plugin runs what `inwit setup` writes.
#[test]
fn the_plugin_says_what_setup_says() {
    let cli = newcomer().env("INWIT_HOME", "");
    let cli = cli.env("PATH", &Path::new(PROGRAM).parent().expect("a folder").display().to_string());
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    let written = |path: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(cli.home(path)).expect("a file")).expect("JSON")
    };
    let plugin = json_of("integrations/claude-code/hooks/hooks.json");
    assert_eq!(plugin["hooks"], written(".claude/settings.json")["hooks"]);
    assert_eq!(plugin["hooks"].as_object().map(serde_json::Map::len), Some(HOOKS.len()));
    let server = &json_of("integrations/claude-code/.mcp.json")["mcpServers"]["inwit"];
    let set_up = &written(".claude.json")["mcpServers"]["inwit"];
    assert_eq!((&server["command"], &server["args"]), (&set_up["command"], &set_up["args"]));
    assert_eq!(server["command"], json!("inwit"), "found by name");
    let entry = &json_of(".claude-plugin/marketplace.json")["plugins"][0];
    let folder = root().join(entry["source"].as_str().expect("a path"));
    assert!(
        folder.join(".claude-plugin/plugin.json").is_file()
            && folder.join("skills/memory/SKILL.md").is_file()
    );
}

#[test]
fn what_registries_are_told_fits_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    let server = json_of("server.json");
    assert_eq!((&server["version"], &server["packages"][0]["version"]), (&json!(version), &json!(version)));
    assert_eq!(server["packages"][0]["identifier"], env!("CARGO_PKG_NAME"));
    assert!(server["description"].as_str().is_some_and(|text| text.chars().count() <= 100));
    assert_eq!(json_of("integrations/claude-code/.claude-plugin/plugin.json")["version"], version);
    // Who takes what a registry proposes has an agent that can keep something.
    let arguments = server["packages"][0]["packageArguments"].as_array().expect("arguments");
    let words: Vec<&str> = arguments
        .iter()
        .filter_map(|argument| argument.get("value").or(argument.get("default"))?.as_str())
        .collect();
    let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
    let listed = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let home = newcomer();
    let _made = home.run(["init"]);
    let told = home.run_words_with(&words, &format!("{asked}\n{listed}\n")).stdout();
    assert!(told.contains("\"memory_remember\""), "{words:?}: {told}");
    // The registry looks for this line where people see it.
    assert!(text("README.md").contains(&format!("mcp-name: {}", server["name"].as_str().expect("a name"))));
}
