//! `inwit init` and `inwit import`: an agent gets a home, and nothing of a person is overwritten.

use std::collections::BTreeMap;

use expect_test::expect;
use inwit_testkit::{Tree, fixture};

use crate::{newcomer, shell_on, user_of_a_shell};

/// What a host calls first, each with its input.
const STARTERS: [(&[&str], &str); 3] = [
    (&["session", "start"], "{}"),
    (&["hook", "session-start"], "{\"session_id\":\"a\"}"),
    (&["mcp", "--main"], INITIALIZE),
];

const INITIALIZE: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n";

/// The Markdown files of a folder and their hashes; a session also keeps state files beside them.
fn pages(tree: &Tree) -> BTreeMap<&str, &str> {
    tree.bytes().into_iter().filter(|(path, _)| path.ends_with(".md")).collect()
}

/// Proves W16, W17, W18.
#[test]
fn a_host_that_begins_needs_no_init() {
    for (words, input) in STARTERS {
        let home = newcomer();
        let workspace = home.home("inwit/agents/main/workspace");
        let _ = home.run_words_with(words, input).exits(0);
        let seeds =
            ["AGENTS.md", "BOOTSTRAP.md", "IDENTITY.md", "MEMORY.md", "SOUL.md", "TOOLS.md", "USER.md"];
        let made = Tree::of(&workspace);
        let names: Vec<&str> = made.paths().into_iter().filter(|path| path.ends_with(".md")).collect();
        assert_eq!(names, seeds, "{words:?}");
        let agent = std::fs::read_to_string(home.home("inwit/agents/main/agent.toml")).expect("a file");
        assert!(seeds.iter().all(|name| agent.contains(name)), "{words:?}: {agent}");

        std::fs::remove_file(workspace.join("USER.md")).expect("removed");
        fixture::put(&workspace, "SOUL.md", b"I am Ada.\n");
        let before = Tree::of(&workspace);
        let again = home.run_words_with(words, input).exits(0);
        assert_eq!(pages(&Tree::of(&workspace)), pages(&before), "{words:?}");
        if words[0] != "mcp" {
            let _ = again.mentions("I am Ada.");
        }
    }
}

/// Proves W9, W69.
#[test]
fn a_first_conversation_about_finance_asks_for_risk_and_venue() {
    for (profile, asks) in [("minara", true), ("personal", false)] {
        let home = newcomer();
        home.run(["init", "--profile", profile]).exits(0);
        let began = home.run(["session", "start"]).json();
        let tail = began["tail"].as_str().expect("a tail");
        assert!(tail.contains("Time zone"), "{profile}: {tail}");
        for question in ["Risk tolerance", "Default venue"] {
            assert_eq!(tail.contains(question), asks, "{profile}: {tail}");
        }
    }
    let home = newcomer().env("INWIT_FACTS_DOMAIN", "finance");
    home.run(["init"]).exits(0);
    home.run(["show", "USER.md"]).mentions("Watchlist");
}

/// Proves W18.
#[test]
fn what_was_made_is_reported_and_a_file_of_a_newer_version_is_added() {
    let home = newcomer();
    let began = home.run(["session", "start"]).json();
    assert!(began["notices"].to_string().contains("\"seeded\""), "{began}");
    assert_eq!(began["bootstrapping"], true);
    let again = home.run(["session", "start"]).json();
    assert!(!again.to_string().contains("\"seeded\""), "{again}");
    // An agent of a version that did not know TOOLS.md.
    let file = home.home("inwit/agents/main/agent.toml");
    let text = std::fs::read_to_string(&file).expect("a file");
    let older = text.replace("\"TOOLS.md\", ", "");
    assert_ne!(older, text);
    fixture::put(&home.home("inwit/agents/main"), "agent.toml", older.as_bytes());
    let tools = home.home("inwit/agents/main/workspace/TOOLS.md");
    std::fs::remove_file(&tools).expect("removed");
    let began = home.run(["session", "start"]).json();
    assert!(began["notices"].to_string().contains("TOOLS.md"), "{began}");
    assert!(tools.exists());
}

/// Proves W18.
#[test]
fn a_command_that_only_reads_makes_nothing_and_names_init() {
    let commands: [&[&str]; 15] = [
        &["search", "x"],
        &["prompt"],
        &["show", "SOUL.md"],
        &["status"],
        &["doctor"],
        &["inbox"],
        &["search", "--why-not", "x"],
        &["facts", "list"],
        &["journal", "show"],
        &["show", "self"],
        &["session", "list"],
        &["history", "audit", "show"],
        &["mcp"],
        &["mcp", "--room", "kitchen"],
        &["session", "prompt", "--input", "{\"session\":\"a\"}"],
    ];
    let home = newcomer();
    for words in commands {
        let run = home.run_words(words).exits(3);
        assert!(run.stderr().contains("Run `inwit init` to create an agent"), "{words:?}: {}", run.stderr());
    }
    let _ = home.run_with(["hook", "user-prompt"], "{\"prompt\":\"which bread\"}").exits(0);
    assert!(!home.home("inwit").exists());
}

/// Proves W18, W94.
#[test]
fn a_folder_and_an_import_are_used_as_they_are() {
    let home = newcomer();
    fixture::copy(fixture::openclaw("crowded").path(), &home.work("claw"));
    home.run(["import", "openclaw", "claw", "--apply"]).exits(0);
    let imported = home.home("inwit/agents/main/workspace");
    for (words, input) in STARTERS {
        let (folder, target) = (Tree::of(&home.work("claw")), Tree::of(&imported));
        let named = [words, &["--workspace", "claw"][..]].concat();
        let _ = home.run_words_with(&named, input).exits(0);
        assert_eq!(pages(&Tree::of(&home.work("claw"))), pages(&folder), "{words:?}");
        let _ = home.run_words_with(words, input).exits(0);
        assert_eq!(pages(&Tree::of(&imported)), pages(&target), "{words:?}");
    }
}

/// Proves W17, R59.
#[test]
fn a_new_agent_gets_its_files_once_and_keeps_what_was_edited() {
    let home = newcomer();
    home.run(["init", "--dry-run"]).mentions("SOUL.md");
    assert!(!home.home("inwit/agents").exists());
    home.run(["init", "--timezone", "Europe/Madrid"])
        .prints(expect![[r#"
        create    BOOTSTRAP.md
        create    SOUL.md
        create    AGENTS.md
        create    IDENTITY.md
        create    USER.md
        create    MEMORY.md
        create    TOOLS.md
        Agent `main` is in $HOME/inwit/agents/main/workspace, profile personal, time zone Europe/Madrid.
    "#]])
        .says(expect![[""]]);
    let home = home.write("inwit/agents/main/workspace/SOUL.md", "I am Ada.\n");
    let before = Tree::of(&home.home("inwit/agents/main/workspace"));
    home.run(["init"]).mentions("SOUL.md");
    assert_eq!(Tree::of(&home.home("inwit/agents/main/workspace")), before);
    home.run(["search", "Ada", "-n", "1"]).mentions("SOUL.md#L1");
    std::fs::remove_file(home.home("inwit/agents/main/workspace/USER.md")).expect("gone");
    home.run(["init"]).mentions("USER.md");
    assert!(!home.home("inwit/agents/main/workspace/USER.md").exists(), "what was taken away stays away");
}

#[test]
fn an_agent_that_is_there_keeps_its_workspace() {
    let home = newcomer();
    home.run(["init", "--agent", "ada", "notes"]).mentions("ada");
    home.run(["init", "--agent", "ada", "elsewhere"])
        .says(expect![[r#"
        error: The agent `ada` already exists, with its workspace in $HOME/work/notes.
        hint: Choose another id with `--agent`, or use the existing agent.
    "#]])
        .exits(4);
    home.run(["init", "--agent", "Not An Id"]).mentions("error: ").exits(2);
    home.run(["init", "--timezone", "Mars/Olympus"])
        .says(expect![[r#"
        error: `Mars/Olympus` is not an IANA time zone.
        hint: Use a name such as Europe/Madrid.
    "#]])
        .exits(2);
}

/// Proves W94, X57.
#[test]
fn an_openclaw_workspace_is_copied_byte_for_byte_and_left_as_it_was() {
    let home = newcomer();
    fixture::copy(fixture::openclaw("crowded").path(), &home.work("claw"));
    let before = Tree::of(&home.work("claw"));
    home.run(["init"]).mentions("main");
    home.run(["import", "openclaw", "claw"]).mentions("memory/2026-08-30.md");
    assert!(!home.home("inwit/agents/main/workspace/memory/2026-08-30.md").exists());
    // What `init` gave holds nothing of the person and gives way to the files of the same names.
    home.run(["import", "openclaw", "claw", "--apply"]).mentions("memory/2026-08-30.md").exits(0);
    assert_eq!(Tree::of(&home.work("claw")), before);
    let (source, target) = (before, Tree::of(&home.home("inwit/agents/main/workspace")));
    for same in ["memory/2026-08-30.md", "memory/2026-08-31.md", "memory.md", "memory/topics/hotel-dénia.md"]
    {
        assert!(target.bytes().contains_key(same), "{same}");
        assert_eq!(target.bytes()[same], source.bytes()[same], "{same}");
    }
    home.run(["search", "moscatel", "-n", "1"]).mentions("Moscatel");
}

/// The names below a folder that hold `part`, sorted.
fn named(folder: &std::path::Path, part: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.retain(|name| name.contains(part));
    names.sort();
    names
}

/// Proves W11, W71.
#[test]
fn the_page_of_the_first_conversation_is_kept_under_the_moment_it_ended_and_does_not_come_back() {
    let home = newcomer();
    home.run(["init"]).exits(0);
    let workspace = home.home("inwit/agents/main/workspace");
    let page = std::fs::read(workspace.join("BOOTSTRAP.md")).expect("read");
    home.run(["session", "start", "--input", r#"{"session":"s-1"}"#]).exits(0);
    let turn = r#"{"session":"s-1","user":{"text":"Ana"},"assistant":"Thank you.\nBOOTSTRAP_DONE"}"#;
    assert_eq!(home.run(["session", "turn", "--input", turn]).json()["bootstrapDone"], true);
    let kept = named(&workspace, "BOOTSTRAP");
    let [name] = kept.as_slice() else { panic!("{kept:?}") };
    let moment = name.strip_prefix("BOOTSTRAP.md.done.").expect("filed away");
    let form: String = moment.chars().map(|c| if c.is_ascii_digit() { 'd' } else { c }).collect();
    assert_eq!(form, "ddddddddTddddddZ");
    assert_eq!(std::fs::read(workspace.join(name)).expect("read"), page);
    home.run(["init"]).exits(0);
    let again = home.run(["session", "start", "--input", r#"{"session":"s-2"}"#]).json();
    assert_eq!(again["bootstrapping"], false);
    assert_eq!(named(&workspace, "BOOTSTRAP"), kept);
}

/// Proves N1, R9, X11.
#[test]
fn each_agent_has_a_workspace_of_its_own_that_is_in_its_prompt() {
    let home = newcomer();
    for agent in ["ada", "bo"] {
        home.run(["init", "--agent", agent, "-q"]).exits(0);
    }
    let home = home
        .write("inwit/agents/ada/workspace/SOUL.md", "I am Ada and I bake.\n")
        .write("inwit/agents/bo/workspace/SOUL.md", "I am Bo and I sail.\n");
    home.run(["prompt", "--agent", "ada"]).mentions("I am Ada and I bake.").hides("I sail");
    let began = home.run(["session", "start", "--agent", "bo", "--input", "{}"]).json();
    let prefix = began["prefix"].as_str().expect("a text");
    assert!(prefix.contains("I am Bo and I sail.") && !prefix.contains("I bake"), "{prefix}");
    let before = Tree::of(&home.home("inwit/agents/bo/workspace"));
    home.run(["remember", "The caraway is in the jar", "--agent", "ada"]).exits(0);
    let memory = std::fs::read_to_string(home.home("inwit/agents/ada/workspace/MEMORY.md")).expect("read");
    assert!(memory.contains("- The caraway is in the jar\n"), "{memory}");
    assert_eq!(Tree::of(&home.home("inwit/agents/bo/workspace")), before);
    home.run(["search", "caraway", "--agent", "ada"]).mentions("in the jar");
    home.run(["search", "caraway", "--agent", "bo"]).hides("in the jar");
}

/// Proves X29.
#[test]
fn what_is_remembered_goes_to_the_file_that_is_there_else_to_the_one_of_the_profile() {
    const FACT: &str = "Ana bakes rye bread";
    for (profile, before, file) in [
        ("carapace", None, "memory/CORE.md"),
        ("carapace", Some("MEMORY.md"), "MEMORY.md"),
        ("personal", None, "MEMORY.md"),
        ("personal", Some("memory/CORE.md"), "memory/CORE.md"),
    ] {
        let home = newcomer().write("work/notes/SOUL.md", "I am Ada.\n");
        let home = match before {
            Some(before) => home.write(&format!("work/notes/{before}"), "# Known\n\n## Facts\n\n- Old.\n"),
            None => home,
        };
        home.run(["remember", FACT, "-w", "notes", "--profile", profile]).exits(0);
        for other in ["MEMORY.md", "memory/CORE.md"] {
            let text = std::fs::read_to_string(home.work("notes").join(other)).unwrap_or_default();
            assert_eq!(text.contains(FACT), other == file, "{profile}, {before:?}: {other}: {text}");
            assert_eq!(text.is_empty(), other != file, "{profile}, {before:?}: {other}: {text}");
        }
    }
}

/// Proves X57, W94.
#[test]
fn an_import_takes_what_usually_stays_behind_when_it_is_named() {
    let home = newcomer()
        .write("work/claw/SOUL.md", "I am Ada.\n")
        .write("work/claw/HEARTBEAT.md", "# HEARTBEAT\n\n- Mondays: mail\n")
        .write("work/claw/BOOTSTRAP.md", "# BOOTSTRAP\n\nAsk who they are.\n");
    let workspace = home.home("inwit/agents/main/workspace");
    home.run(["import", "openclaw", "claw", "--include", "SOUL.md"])
        .exits(2)
        .mentions("BOOTSTRAP.md or HEARTBEAT.md");
    home.run(["import", "openclaw", "claw", "--include", "HEARTBEAT.md"]).mentions("HEARTBEAT.md");
    assert!(!workspace.exists(), "a preview writes nothing");
    home.run(["import", "openclaw", "claw", "--include", "HEARTBEAT.md", "--apply"]).exits(0);
    let read = |root: &std::path::Path, name: &str| std::fs::read(root.join(name)).ok();
    assert_eq!(read(&workspace, "HEARTBEAT.md"), read(&home.work("claw"), "HEARTBEAT.md"));
    assert_eq!(read(&workspace, "BOOTSTRAP.md"), None);
    home.run(["import", "openclaw", "claw", "--include", "BOOTSTRAP.md", "--apply"]).exits(0);
    assert_eq!(read(&workspace, "BOOTSTRAP.md"), read(&home.work("claw"), "BOOTSTRAP.md"));
}

/// Without any variable but the home folder: where the workspace lies, and what a life in it leaves there.
///
/// Proves W1, W5.
#[test]
fn a_workspace_that_inwit_wrote_is_markdown_under_the_names_that_openclaw_reads() {
    const ROOT: [&str; 9] = [
        "AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md",
        "MEMORY.md", // Of dreaming; OpenClaw has a file of this name as well.
        "DREAMS.md",
    ];
    const STATE: [&str; 3] = [".soul-state.json", ".dreamed-state.json", ".dreamed-quarantine.json"];
    let shell = user_of_a_shell();
    let run = |script: &str| {
        shell_on(&shell, &format!("set -e; unset INWIT_HOME XDG_DATA_HOME; {script}")).exits(0);
    };
    run("$0 init --timezone UTC");
    let workspace = shell.home(".local/share/inwit/agents/main/workspace");
    let given = std::fs::read_to_string(workspace.join("MEMORY.md")).expect("read");
    fixture::put(&workspace, "memory/2026-11-20.md", b"- The oven door must be lifted before it closes.\n");
    let turn = r#"{"session":"s-1","user":{"text":"We bake on Friday."},"assistant":"- [ ] buy flour","writes":[{"kind":"remember","text":"Ana likes rye"}]}"#;
    run(&format!(
        "$0 session start --input '{{\"session\":\"s-1\"}}'; $0 session turn --input '{turn}'; \
         $0 session end --input '{{\"session\":\"s-1\"}}'; $0 remember 'Ana bakes'; \
         $0 search 'oven door'; $0 search 'lifted oven'; $0 search 'the door closes'; $0 dream"
    ));
    let is_day = |text: &str| {
        let form: String = text.chars().map(|c| if c.is_ascii_digit() { 'd' } else { c }).collect();
        form == "dddd-dd-dd"
    };
    let tree = Tree::of(&workspace);
    for path in tree.paths() {
        let file = workspace.join(path);
        if file.is_dir() || STATE.contains(&path) {
            continue;
        }
        let text = String::from_utf8(std::fs::read(&file).expect("read")).expect("UTF-8");
        assert!(!text.contains('\r') && !text.starts_with('\u{feff}'), "{path}");
        match path.strip_prefix("memory/").and_then(|log| log.strip_suffix(".md")) {
            Some(log) => assert!(log.get(..10).is_some_and(is_day), "{path}"),
            None => assert!(ROOT.contains(&path), "{path}"),
        }
    }
    let memory = std::fs::read_to_string(workspace.join("MEMORY.md")).expect("read");
    assert!(memory.contains("- Ana likes rye\n") && memory.contains("- Ana bakes\n"), "{memory}");
    assert!(
        memory.contains("\n## Dreamed ") && memory.contains("\n- The oven door must be lifted"),
        "{memory}"
    );
    let new = memory.lines().filter(|line| !given.lines().any(|old| old == *line));
    for line in new {
        assert!(line.is_empty() || line.starts_with("- ") || line.starts_with("## Dreamed "), "{line}");
    }
}

/// A umask that hides nothing is the umask of the person, not of what inwit keeps of them.
#[test]
fn what_inwit_makes_is_for_its_owner_under_any_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    if !inwit_testkit::has_git() {
        return;
    }
    let shell = crate::user_of_a_shell();
    let script = "umask 000; export INWIT_HOME; for text in one two three; do \
                  test -e \"$INWIT_HOME\" || \"$0\" init --timezone UTC; \
                  echo \"- $text\" | \"$0\" edit MEMORY.md --content-from -; done; \
                  \"$0\" history log; \"$0\" search one; \"$0\" backup kept";
    crate::shell_on(&shell, script).mentions("change MEMORY.md").mentions("Copied and verified").exits(0);
    let mut folders = vec![shell.home("inwit"), shell.home(".local/state/inwit"), shell.work("kept")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let mode = path.symlink_metadata().expect("there").permissions().mode() & 0o777;
            assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", path.display());
            seen += 1;
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    assert!(shell.home("inwit/agents/main/history.git/objects").is_dir(), "a history was made");
    assert!(seen > 60, "{seen} files and folders");
}
