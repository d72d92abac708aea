//! What deletes for good or writes outside inwit's home shows its plan first: `--apply` carries it out.

use inwit_testkit::Tree;

use crate::{newcomer, user};

#[test]
fn a_fact_is_deleted_for_good_with_apply_only() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "Ana bakes rye"]).exits(0);
    for words in [["facts", "purge", "1"].as_slice(), &["facts", "purge", "1", "--dry-run"]] {
        home.run_words(words)
            .mentions("Would permanently delete fact 1: Ana bakes rye")
            .mentions("hint: Use `--apply` to delete it; this cannot be undone.")
            .exits(0);
    }
    assert_eq!(home.run(["facts", "purge", "1", "--json"]).exits(0).json()["outcome"], "planned");
    home.run(["facts", "read", "1"]).mentions("Ana bakes rye").exits(0);
    home.run(["facts", "purge", "1", "--dry-run", "--apply"]).mentions("cannot be used with").exits(2);
    home.run(["facts", "purge", "--help"]).mentions("--apply").hides("--yes").hides("--dry-run");
    home.run(["facts", "purge", "1", "--apply"]).mentions("from memory.db").exits(0);
    home.run(["facts", "read", "1"]).exits(3);
    // Scripts of an earlier version go on.
    home.run(["facts", "add", "Ana bakes wheat"]).exits(0);
    home.run(["facts", "purge", "2", "--yes"]).mentions("from memory.db").exits(0);
}

#[test]
fn a_restore_shows_its_plan_until_it_is_applied() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["backup", "kept"]).mentions("Copied and verified").exits(0);
    let before = Tree::of(&home.home("inwit/agents"));
    home.run(["restore", "kept"]).mentions("Without `--force` this restore is refused").exits(0);
    home.run(["restore", "kept", "--force"]).mentions("hint: Use `--apply` to restore it.").exits(0);
    assert_eq!(home.run(["restore", "kept", "--json"]).exits(0).json()["applied"], false);
    assert_eq!(Tree::of(&home.home("inwit/agents")), before);
    home.run(["restore", "kept", "--apply"]).mentions("already exists and is not empty").exits(4);
    home.run(["restore", "kept", "--force", "--apply"]).mentions("every sha256 matches").exits(0);
}

#[test]
fn every_command_with_a_preview_takes_dry_run() {
    let home = user();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    for words in [
        ["forget", "--everywhere", "bread chest", "--dry-run"].as_slice(),
        &["import", "openclaw", "notes", "--dry-run"],
        &["setup", "codex", "--dry-run"],
        &["doctor", "--fix", "--dry-run"],
        &["undo", "--help"],
    ] {
        let _ = home.run_words(words).exits(0);
    }
}

/// Files that hold nothing of the person do not stand in the way of those that do.
#[test]
fn an_import_takes_the_place_of_files_that_are_as_init_wrote_them() {
    let home = newcomer()
        .write(".openclaw/workspace/SOUL.md", "I am Juno.\n")
        .write(".openclaw/workspace/USER.md", "Ana lives in Vigo.\n");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    inwit_testkit::fixture::put(&home.home("inwit/agents/main/workspace"), "USER.md", b"Mine.\n");
    // The next steps are for a person at a terminal, whether or not something was created.
    if let Some(run) = home.run_at_terminal(&["init"]) {
        run.mentions("inwit import openclaw DIR").exits(0);
    }
    home.run(["import", "openclaw", "../.openclaw/workspace", "--apply"])
        .mentions("Copied 1 file.")
        .mentions("conflict")
        .exits(4);
    home.run(["show", "SOUL.md"]).mentions("I am Juno.");
    home.run(["show", "USER.md"]).mentions("Mine.");
    home.run(["undo"]).exits(0);
    assert!(!home.run(["show", "SOUL.md"]).stdout().contains("Juno"), "the receipt keeps the template");
}
