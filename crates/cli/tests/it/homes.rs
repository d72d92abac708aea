//! `inwit init` and `inwit import`: an agent gets a home, and nothing of a person is overwritten.

use expect_test::expect;
use inwit_testkit::{Tree, fixture};

use crate::newcomer;

/// Proves W16, W17, W18, R59.
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
        Agent `main` is in $HOME/inwit/agents/main/workspace, profile personal, days in Europe/Madrid.
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
        error: The agent `ada` is there, with its workspace in $HOME/work/notes.
        hint: Choose another id with `--agent`, or use the agent that is there.
    "#]])
        .exits(4);
    home.run(["init", "--agent", "Not An Id"]).mentions("error: ").exits(2);
    home.run(["init", "--timezone", "Mars/Olympus"])
        .says(expect![[r#"
        error: `Mars/Olympus` is no IANA time zone.
        hint: Write it as Europe/Madrid.
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
    // The files that `init` gave are others than those of the same names.
    home.run(["import", "openclaw", "claw", "--apply"]).mentions("memory/2026-08-30.md").exits(4);
    assert_eq!(Tree::of(&home.work("claw")), before);
    let (source, target) = (before, Tree::of(&home.home("inwit/agents/main/workspace")));
    for same in ["memory/2026-08-30.md", "memory/2026-08-31.md", "memory.md", "memory/topics/hotel-dénia.md"]
    {
        assert!(target.bytes().contains_key(same), "{same}");
        assert_eq!(target.bytes()[same], source.bytes()[same], "{same}");
    }
    home.run(["search", "moscatel", "-n", "1"]).mentions("Moscatel");
}
