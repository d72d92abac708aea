//! `inwit status`, `doctor`, `index`, `try` and `completions`.

use expect_test::expect;
use inwit_testkit::fixture;

use crate::{newcomer, user};

#[test]
fn a_status_tells_what_an_agent_has() {
    user()
        .run(["status", "-w", "notes"])
        .prints(expect![[r#"
        agent      ws-$HASH
        workspace  $HOME/work/notes
        home       $HOME/inwit/agents/ws-$HASH
        profile    personal, time zone UTC
        layout     OpenClaw, 2026.8 or later
                   `--profile openclaw` reads it as OpenClaw does: its order, its limits, its startup notes.
        files      MEMORY, SOUL, USER, daily logs, room files, room logs
        days       2026-11-20 to 2026-11-20
        rooms      kitchen
        index      8 passages of 6 files; 6 indexed, 0 removed
        embeddings no model; search uses words only (`inwit index model install`)
    "#]])
        .says(expect![[""]]);
    user().run(["status", "--files", "-w", "notes"]).mentions("memory/rooms/kitchen/2026-11-20.md");
    assert!(user().run(["status", "--json", "-w", "notes"]).json().is_object());
}

#[test]
fn a_doctor_finds_what_is_wrong_in_a_folder_that_was_copied_about() {
    user().run(["doctor", "-w", "notes"]).prints(expect![[r#"
        No problems found.
    "#]]);
    let home = newcomer();
    fixture::copy(fixture::openclaw("crowded").path(), &home.work("claw"));
    let before = inwit_testkit::Tree::of(&home.work("claw"));
    let run = home.run(["doctor", "-w", "claw"]).exits(1);
    for told in
        ["MEMORY.sync-conflict-20260901-101112-ABCDEFG.md", "memory/2026-02-30.md", "memory/2026-08-31.md"]
    {
        assert!(run.stdout().contains(told), "{told}\n{}", run.stdout());
    }
    drop(run);
    assert_eq!(inwit_testkit::Tree::of(&home.work("claw")), before);
    assert!(home.run(["doctor", "--json", "-w", "claw"]).exits(1).json()["findings"].is_array());
}

/// The editor was killed, and nobody would look into a folder of the home for the words.
#[test]
fn a_doctor_names_the_draft_that_a_killed_edit_left() {
    let home = user();
    home.run(["search", "caraway", "-w", "notes"]).mentions("MEMORY.md");
    let agent =
        std::fs::read_dir(home.home("inwit/agents")).expect("agents").next().expect("one").expect("one");
    let draft = "edits/20261124T100000Z-1-MEMORY.md";
    fixture::put(&agent.path(), draft, b"# MEMORY\n\n- Words that were not saved.\n");
    let run = home.run(["doctor", "-w", "notes"]).exits(0);
    assert!(run.stdout().contains("edit_draft") || run.stdout().contains(draft), "{}", run.stdout());
}

#[test]
fn an_index_can_be_built_anew_at_any_time() {
    let home = user();
    home.run(["index", "rebuild", "-w", "notes"])
        .prints(expect![[r#"
        Rebuilt from 6 files; rooms are indexed when they are searched.
    "#]])
        .says(expect![[""]]);
    home.run(["search", "caraway", "-n", "1", "-w", "notes"]).mentions("MEMORY.md#L3");
    assert_eq!(home.run(["index", "rebuild", "--json", "-w", "notes"]).json()["unread"], 0);
}

#[test]
fn a_newcomer_can_try_without_leaving_a_trace() {
    let home = newcomer();
    home.run(["try"]).mentions("MEMORY.md").mentions("关税");
    assert_eq!(inwit_testkit::Tree::of(&home.home("")).paths(), ["work"]);
    home.run(["try", "--to", "wren"]).mentions("wren");
    assert!(home.work("wren/SOUL.md").is_file());
    home.run(["search", "roof quote", "-n", "1", "-w", "wren"]).mentions("Gethin");
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish"] {
        newcomer().run(["completions", shell]).mentions("INWIT_COMPLETE");
    }
    newcomer().run(["completions", "abacus"]).mentions("is not valid for").exits(2);
}

#[test]
fn help_names_every_command() {
    let run = newcomer().run(["--help"]);
    for verb in [
        "try", "init", "import", "search", "show", "prompt", "learn", "status", "agent", "session", "doctor",
        "index", "config", "completions",
    ] {
        assert!(run.stdout().contains(&format!("\n  {verb} ")), "{verb}");
        newcomer().run([verb, "--help"]).mentions(&format!("Usage: inwit {verb}"));
    }
    newcomer().run(["--version"]).mentions("inwit 0.");
}
