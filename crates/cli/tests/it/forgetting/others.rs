//! Words that another home below the same folder holds are named, and "nowhere" is not said beside them.

use inwit_testkit::fixture;

use super::CANARY;
use crate::newcomer;

#[test]
fn words_in_the_home_of_another_folder_are_named() {
    let home = newcomer().write("work/notes/MEMORY.md", "# N\n");
    home.run(["init", "-q"]).exits(0);
    home.run(["facts", "add", &format!("the boat is at {CANARY}"), "-w", "notes"]).exits(0);
    home.run(["forget", "--everywhere", CANARY])
        .mentions("other agent: $HOME/inwit/agents/ws-")
        .mentions("`-w FOLDER`")
        .hides("were not found:");
    let check = home.run(["forget", "--check", CANARY]).exits(0);
    drop(check.mentions("other agent: $HOME/inwit/agents/ws-").mentions("not found in this agent"));
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .exits(0)
        .mentions("not found in this agent");
    let told = home.run(["forget", "--check", CANARY, "--json"]).json();
    assert_eq!(told["others"].as_array().map(Vec::len), Some(1), "{told:#}");
    home.run(["facts", "list", "-w", "notes"]).mentions(CANARY);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes", "-w", "notes"]).exits(0);
    let told = home.run(["forget", "--check", CANARY, "--json"]).json();
    assert_eq!(told["others"], serde_json::Value::Null);
}

#[test]
fn words_of_another_agent_are_named_with_its_id() {
    let home = newcomer();
    home.run(["init", "-q"]).exits(0);
    home.run(["init", "-q", "--agent", "bo"]).exits(0);
    home.run(["facts", "add", CANARY, "--agent", "bo"]).exits(0);
    home.run(["forget", "--check", CANARY]).exits(0).mentions("The agent `bo` has the words");
}

/// A home that was left behind when an agent took its folder is of this agent, and no command opens it.
#[test]
fn an_orphan_of_the_workspace_is_found_by_doctor_and_by_the_check() {
    let home = newcomer().write("work/notes/MEMORY.md", "# N\n");
    home.run(["facts", "add", CANARY, "-w", "notes"]).exits(0);
    let file = format!("profile = \"personal\"\nworkspace = \"{}\"\n", home.work("notes").display());
    fixture::put(&home.home("inwit/agents/main"), "agent.toml", file.as_bytes());
    home.run(["doctor"]).mentions("before the agent existed").mentions("inwit/agents/ws-");
    home.run(["forget", "--everywhere", CANARY]).mentions("An earlier home of this workspace");
    home.run(["forget", "--check", CANARY]).exits(1).mentions("found: $HOME/inwit/agents/ws-");
}
