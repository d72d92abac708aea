//! What a host runs serves the agent that was meant at `inwit setup`, also from another environment.
//!
//! The words that were written into its files go through a real shell here, with all that a path may hold.

use std::path::Path;

use inwit_testkit::Cli;
use inwit_wire::HOOKS;
use serde_json::{Value, json};

use crate::newcomer;

const PROGRAM: &str = env!("CARGO_BIN_EXE_inwit");

/// A folder as only people make them.
const ODD: &str = "it's \"my\" $HOME; `x` \\ & é";

/// What the host says at every moment.
const CALL: &str = r#"{"session_id": "s-1", "source": "startup", "prompt": "Which bread does Ana like?"}"#;

fn text(cli: &Cli, path: &str) -> String {
    std::fs::read_to_string(cli.home(path)).expect("a file")
}

fn json_of(cli: &Cli, path: &str) -> Value {
    serde_json::from_str(&text(cli, path)).expect("JSON")
}

/// Shells with which hosts run a line; those that are here.
fn shells() -> impl Iterator<Item = &'static str> {
    ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/zsh"].into_iter().filter(|shell| Path::new(shell).is_file())
}

/// The shell of a host that knows none of our variables, only whose home it is.
fn host(cli: &Cli, shell: &str) -> Cli {
    let ours = ["INWIT_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];
    let shell = ours.iter().fold(Cli::new(shell), |shell, name| shell.env(name, ""));
    let patient = shell.env("INWIT_RECALL_PROMPT_DEADLINE_MS", "20000");
    patient.env("PATH", "/usr/bin:/bin").env("HOME", &cli.home("").display().to_string())
}

/// What the host's file says is run at the beginning of a session, and what that answers.
#[track_caller]
fn told_at_the_start(cli: &Cli, shell: &str, file: &str) -> String {
    let hook = &json_of(cli, file)["hooks"]["SessionStart"][0]["hooks"][0];
    let run = host(cli, shell).run_with(["-c", hook["command"].as_str().expect("a command")], CALL);
    let pack = run.json();
    pack["hookSpecificOutput"]["additionalContext"].as_str().expect("a pack").to_owned()
}

/// What the server answers when it is asked for `caraway`.
#[track_caller]
fn found_by_the_server(cli: &Cli, server: &Value) -> String {
    let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let asked = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "memory_search", "arguments": {"query": "caraway"}}});
    let said = server["env"].as_object().into_iter().flatten();
    let host =
        said.fold(host(cli, "/bin/sh"), |host, (name, text)| host.env(name, text.as_str().expect("a text")));
    let host = host.env("SAID", &format!("{begin}\n{asked}"));
    let args = server["args"].as_array().expect("words").iter().map(|word| word.as_str().expect("a word"));
    let program = server["command"].as_str().expect("a program");
    let words = ["-c", "printf '%s\\n' \"$SAID\" | \"$@\"", "sh", program];
    let run = host.run_words(&words.into_iter().chain(args).collect::<Vec<_>>());
    run.json_lines().last().expect("an answer")["result"]["structuredContent"]["results"].to_string()
}

fn codex_server(cli: &Cli) -> Value {
    let file: toml::Table = text(cli, ".codex/config.toml").parse().expect("TOML");
    serde_json::to_value(&file["mcp_servers"]["inwit"]).expect("a table")
}

#[test]
fn a_shell_runs_what_was_written_whatever_stands_in_a_path() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let program = folder.path().join(ODD).join("inwit");
    std::fs::create_dir(program.parent().expect("a folder")).expect("made");
    std::fs::hard_link(PROGRAM, &program).expect("the program by another name");
    let cli = Cli::new(&program).env("INWIT_HOME", &format!("$HOME/{}", ODD.replace("$HOME", "$X")));
    cli.run(["setup", "claude-code", "--apply"]).exits(0);
    cli.run(["setup", "codex", "--apply"]).exits(0);
    cli.run(["remember", "Ana likes bread with caraway"]).exits(0);
    for file in [".claude/settings.json", ".codex/hooks.json"] {
        for shell in shells() {
            let pack = told_at_the_start(&cli, shell, file);
            assert!(pack.contains("bread with caraway"), "{shell} {file}: {pack}");
        }
        let hooks = json_of(&cli, file)["hooks"].clone();
        for hook in HOOKS.iter().filter(|hook| !hooks[hook.event].is_null()) {
            let command = hooks[hook.event][0]["hooks"][0]["command"].as_str().expect("a command").to_owned();
            let run = host(&cli, "/bin/sh").run_with(["-c", &command], CALL);
            assert_eq!(run.stderr(), "", "{command}");
            let _ = run.exits(0);
        }
    }
    assert!(!cli.home(".local/state/inwit/hook.log").exists(), "no hook had a complaint");
    assert!(!cli.home(".local/share/inwit").exists(), "and none made a home elsewhere");
    let server = &json_of(&cli, ".claude.json")["mcpServers"]["inwit"];
    assert!(found_by_the_server(&cli, server).contains("bread with caraway"));
    assert!(found_by_the_server(&cli, &codex_server(&cli)).contains("bread with caraway"));
    for name in ["claude-code", "codex"] {
        cli.run(["setup", name, "--apply"]).hides("change ");
        cli.run(["setup", name, "--uninstall", "--apply"]).exits(0);
    }
    assert!(
        !cli.home(".claude.json").exists() && !cli.home(".claude").exists() && !cli.home(".codex").exists()
    );
}

#[test]
fn what_was_said_at_setup_is_said_at_every_call() {
    let command = |cli: &Cli, args: &[&str]| {
        cli.run_words(&[&["setup", "claude-code", "--apply"], args].concat()).exits(0);
        let hooks = json_of(cli, ".claude/settings.json")["hooks"].clone();
        let server = json_of(cli, ".claude.json")["mcpServers"]["inwit"].clone();
        let home = cli.home("").display().to_string();
        let command = hooks["Stop"][0]["hooks"][0]["command"].as_str().expect("a command").to_owned();
        (command.replace(&home, "~/").replace(PROGRAM, "inwit"), server)
    };
    let cli = newcomer().env("INWIT_HOME", "");
    let (hook, server) = command(&cli, &["--profile", "nexo"]);
    assert_eq!(hook, "inwit hook stop --profile nexo");
    assert_eq!(
        (&server["args"], &server["env"]),
        (&json!(["mcp", "--main", "--recalls", "--profile", "nexo"]), &json!({}))
    );
    // What the config file says is read there as well.
    assert_eq!(
        command(&cli.write(".config/inwit/config.toml", "profile = \"nexo\"\n"), &[]).0,
        "inwit hook stop"
    );
    let cli = newcomer().env("INWIT_PROFILE", "nexo");
    let (hook, server) = command(&cli, &["--agent", "bo"]);
    assert_eq!(hook, "env INWIT_HOME=~/inwit inwit hook stop --agent bo --profile nexo");
    assert_eq!(server["env"], json!({"INWIT_HOME": cli.home("inwit")}));
    let cli = newcomer().env("INWIT_HOME", "").env("XDG_DATA_HOME", "$HOME/data");
    assert_eq!(command(&cli, &[]).0, "env INWIT_HOME=~/data/inwit inwit hook stop");
    // A folder that the environment names wins over an agent that it names.
    let cli = newcomer().workspace("notes", crate::NOTES).env("INWIT_HOME", "").env("INWIT_AGENT", "bo");
    let cli = cli.env("INWIT_WORKSPACE_DIR", "~/work/notes");
    assert_eq!(command(&cli, &[]).0, "inwit hook stop --workspace ~/work/notes");
    assert!(told_at_the_start(&cli, "/bin/sh", ".claude/settings.json").contains("I am Ada and I bake."));
}

/// A relative program would be another one in the host's folder.
#[test]
fn a_program_is_named_by_its_whole_path_unless_a_shell_finds_it() {
    let cli = newcomer();
    cli.run(["setup", "codex", "--apply"]).exits(0);
    let command = codex_server(&cli)["command"].as_str().expect("a program").to_owned();
    assert!(Path::new(&command).is_absolute(), "{command}");
}
