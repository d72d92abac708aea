//! `inwit edit`, `history` and `undo`: the owner writes, looks back, and goes back.

use std::path::PathBuf;

use inwit_testkit::{Cli, fixture};
use serde_json::Value;

use crate::{newcomer, shell_on};

/// Agent `main`, on a system with the usual programs.
fn owner() -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).mentions("Agent `main` is in");
    home
}

fn workspace(home: &Cli, file: &str) -> PathBuf {
    home.home("inwit/agents/main/workspace").join(file)
}

/// As a person's own editor does.
fn put(home: &Cli, file: &str, text: &str) {
    fixture::put(&workspace(home, ""), file, text.as_bytes());
}

fn text_of(home: &Cli, file: &str) -> String {
    std::fs::read_to_string(workspace(home, file)).expect("read")
}

fn edit(home: &Cli, file: &str, text: &str) -> Value {
    home.run_with(["edit", file, "--content-from", "-", "--json"], text).json()
}

fn commits(home: &Cli) -> Vec<Value> {
    home.run(["history", "log", "--json"]).json()["commits"].as_array().expect("commits").clone()
}

#[test]
fn an_edit_is_recorded_shown_blamed_and_taken_back() {
    let home = owner();
    let before = text_of(&home, "MEMORY.md");
    let first = edit(&home, "MEMORY.md", "- Likes rye.\n");
    let receipt = first["receipt"]["id"].as_str().expect("a receipt").to_owned();
    edit(&home, "MEMORY.md", "- Likes rye.\n- Dislikes oats.\n");

    let log = commits(&home);
    assert_eq!(log[0]["subject"], "change MEMORY.md");
    assert_eq!((log[0]["actor"].as_str(), log[1]["receipt"].as_str()), (Some("owner"), Some(&*receipt)));
    home.run(["history", "log", "MEMORY.md", "-n", "1"]).mentions("owner").hides(&receipt);
    home.run(["history", "diff"]).mentions("+- Dislikes oats.").hides("-- Likes rye.");
    let earlier = log[1]["revision"].as_str().expect("a revision");
    home.run(["history", "diff", &earlier[..7], "MEMORY.md"]).mentions("+- Dislikes oats.");
    assert_eq!(home.run(["history", "show", earlier, "MEMORY.md"]).stdout(), "- Likes rye.\n");

    put(&home, "MEMORY.md", "- Likes rye.\n- By hand.\n- Dislikes oats.\n");
    let blame = home.run(["history", "blame", "MEMORY.md", "--json"]).json();
    let lines = blame["lines"].as_array().expect("lines");
    assert_eq!(lines[0]["receipt"], Value::from(&*receipt));
    assert_eq!((&lines[1]["recorded"], &lines[2]["recorded"]), (&Value::from(false), &Value::from(true)));
    home.run(["history", "blame", "MEMORY.md:2"]).mentions("not recorded").mentions("By hand").hides("oats");

    // What was edited by hand is not written over.
    home.run(["undo"]).mentions("was changed again").exits(4);
    put(&home, "MEMORY.md", "- Likes rye.\n- Dislikes oats.\n");
    home.run(["undo", "--dry-run"]).mentions("-- Dislikes oats.").mentions("no changes made");
    assert_eq!(text_of(&home, "MEMORY.md"), "- Likes rye.\n- Dislikes oats.\n");
    home.run(["undo"]).mentions("-- Dislikes oats.").mentions("Wrote MEMORY.md");
    assert_eq!(text_of(&home, "MEMORY.md"), "- Likes rye.\n");
    home.run(["undo"]).mentions(&receipt);
    assert_eq!(text_of(&home, "MEMORY.md"), before);
    home.run(["undo"]).mentions("no change to undo").exits(3);
    home.run(["undo", "rcpt-none"]).mentions("There is no receipt").exits(3);
}

#[test]
fn an_old_state_comes_back_as_a_proposal() {
    let home = owner();
    edit(&home, "MEMORY.md", "- Likes rye.\n");
    edit(&home, "MEMORY.md", "- Likes oats.\n");
    let log = commits(&home);
    let earlier = log[1]["revision"].as_str().expect("a revision");
    home.run(["history", "restore", "MEMORY.md", "--at", earlier])
        .mentions("Proposed prop-")
        .mentions("inwit inbox show ");
    assert_eq!(text_of(&home, "MEMORY.md"), "- Likes oats.\n", "a person decides first");
    home.run(["history", "restore", "MEMORY.md", "--at", "fff0"]).mentions("no commit `fff0`").exits(3);
    home.run(["history", "show", "--upload-pack=x", "MEMORY.md"]).exits(2);
    home.run(["history", "show", "HEAD", "MEMORY.md"]).mentions("is not a commit id").exits(3);
}

#[test]
fn looking_back_makes_nothing_and_tells_when_git_is_missing() {
    let home =
        newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin").workspace("notes", "//- MEMORY.md\n- Rye.\n");
    home.run(["history", "log", "-w", "notes"]).mentions("No changes recorded");
    home.run(["history", "diff", "-w", "notes"]).mentions("No differences");
    home.run(["history", "blame", "MEMORY.md", "-w", "notes"]).mentions("not recorded");
    home.run(["history", "show", "abcd", "MEMORY.md", "-w", "notes"]).exits(3);
    home.run(["undo", "-w", "notes"]).exits(3);
    assert!(!home.home("inwit/agents").exists(), "looking makes nothing");
    let home = home.env("PATH", "/nowhere");
    home.run(["history", "log", "-w", "notes"]).mentions("`git` is not installed").exits(1);
}

#[test]
fn what_an_owner_writes_goes_through_the_gate() {
    let home = owner();
    let before = text_of(&home, "SOUL.md");
    let token = format!("glpat-{}", "Rk3xVb7QwZp1Nc8TyH2d");
    let home = home.write("work/new.md", &format!("The key is {token}.\n"));
    let args = ["edit", "SOUL.md", "--content-from", "new.md"];
    home.run(args).mentions("gitlab_token").hides(&token).mentions("new.md").exits(5);
    assert_eq!(text_of(&home, "SOUL.md"), before);
    home.run(["edit", "SOUL.md", "--content-from", "new.md", "--allow-secret"]).mentions("Wrote SOUL.md");
    assert!(text_of(&home, "SOUL.md").contains(&token));
    home.run(["edit", "../x.md", "--content-from", "new.md"]).exits(2);
    home.run(["edit", "SOUL.md"]).mentions("--content-from").exits(2);
    home.run(["edit", "SOUL.md", "--content-from", "absent"]).mentions("does not exist").exits(2);
    let other = "0".repeat(64);
    let stale = ["edit", "SOUL.md", "--content-from", "new.md", "--base", &other];
    home.run(stale).mentions("does not have the sha256").exits(4);
}

/// A terminal is had with `script`, which every Linux has.
#[test]
fn an_edit_over_a_changed_file_keeps_the_text_and_writes_over_nothing() {
    let shell = Cli::new("/bin/sh").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let at_terminal = |script: &str| {
        let line = format!("$0 init >/dev/null 2>&1; export PROGRAM=$0; script -qec '{script}' /dev/null");
        shell_on(&shell, &line)
    };
    let file = shell.home("inwit/agents/main/workspace/MEMORY.md");
    let edits = shell.home("inwit/agents/main/edits");
    let appends = r#"EDITOR="echo - Likes rye. >>" $PROGRAM edit MEMORY.md"#;
    at_terminal(appends).mentions("Wrote MEMORY.md");
    assert!(std::fs::read_to_string(&file).expect("read").ends_with("- Likes rye.\n"));
    assert!(std::fs::read_dir(&edits).expect("made").next().is_none(), "the copy is gone");

    // While the editor is open, somebody else writes the file.
    let meanwhile = format!(
        r#"EDITOR="echo - By hand. > {}; echo - Likes oats. >" $PROGRAM edit MEMORY.md"#,
        file.display()
    );
    at_terminal(&meanwhile).mentions("Your text is in").exits(4);
    assert_eq!(std::fs::read_to_string(&file).expect("read"), "- By hand.\n");
    let kept = std::fs::read_dir(&edits).expect("made").next().expect("a copy").expect("read").path();
    assert_eq!(std::fs::read_to_string(kept).expect("read"), "- Likes oats.\n");

    at_terminal(r#"EDITOR=true $PROGRAM edit MEMORY.md"#).mentions("nothing was written");
    at_terminal(r#"EDITOR=false $PROGRAM edit MEMORY.md"#).mentions("nothing was written").exits(2);
    at_terminal("$PROGRAM edit MEMORY.md").mentions("No editor is set").exits(2);
    assert_eq!(std::fs::read_dir(&edits).expect("made").count(), 1, "only what would be lost stays");
}

#[test]
fn undo_takes_the_last_change_of_a_file_or_a_fact_whichever_is_later() {
    let home = crate::newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana bakes rye bread."]).exits(0);
    home.run(["facts", "add", "lives in Porto"]).exits(0);
    home.run(["facts", "update", "1", "--text", "lives in Lisbon"]).exits(0);
    home.run(["undo", "--dry-run"]).mentions("-[observation] lives in Lisbon").mentions("no changes made");
    let done = home.run(["undo", "--json"]).json();
    assert_eq!((&done["undoes"], &done["applied"]), (&"fact_update".into(), &true.into()), "{done}");
    home.run(["facts", "list"]).mentions("lives in Porto");
    home.run(["undo"]).mentions("-[observation] lives in Porto");
    home.run(["facts", "list"]).hides("Porto");
    home.run(["undo"]).mentions("-- Ana bakes rye bread.");
    home.run(["undo"]).exits(3);
}

#[test]
fn an_undo_never_reaches_past_a_change_whose_former_text_was_erased() {
    let home = crate::newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "sails in May"]).exits(0);
    home.run(["facts", "add", "boat at pier forty-two"]).exits(0);
    home.run(["facts", "update", "2", "--text", "boat sold"]).exits(0);
    home.run(["forget", "--everywhere", "pier forty-two", "--apply", "--yes"]).exits(0);
    home.run(["undo", "--dry-run"]).hides("boat sold").mentions("sails in May");
    home.run(["undo"]).hides("boat sold");
    home.run(["facts", "list"]).mentions("boat sold");
}

#[test]
fn a_receipt_is_named_by_a_part_of_it() {
    let home = crate::newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let receipt = home.run(["remember", "Ana bakes.", "--json"]).json()["receipt"]["id"].clone();
    let receipt = receipt.as_str().expect("a receipt").to_owned();
    home.run(["remember", "Bo bakes."]).exits(0);
    let end = &receipt[receipt.len() - 8..];
    home.run(["undo", end]).mentions("was changed again since").exits(4);
    home.run(["undo", "rcpt"]).mentions("give more of it").exits(2);
    home.run(["undo", "zzzzzz"]).mentions("There is no receipt `zzzzzz`").exits(3);
}

/// Undo named an erasure again and again, and wrote nothing.
#[test]
fn undo_passes_over_an_erasure() {
    for is_recorded_before in [false, true] {
        let home = owner();
        home.run(["remember", "Ana likes rye."]).exits(0);
        home.run(["remember", "The plan is zebra."]).exits(0);
        if is_recorded_before {
            home.run(["history", "log"]).exits(0);
            home.run(["dream"]).any_status();
        }
        // Where the history has the words, it keeps them.
        let status = i32::from(is_recorded_before);
        home.run(["forget", "--everywhere", "zebra", "--apply", "--yes"]).exits(status);
        let erasure = home.run(["history", "log", "--json"]).json()["commits"][0]["receipt"].clone();
        let note = "The last change was an erasure, which cannot be undone.";
        home.run(["undo"])
            .mentions(&format!("{note} The change before it:"))
            .mentions("-- Ana likes rye.")
            .mentions("Wrote MEMORY.md");
        home.run(["undo"]).mentions("there is no change before it").exits(5);
        home.run(["undo", erasure.as_str().expect("a receipt")]).mentions("It cannot be undone").exits(5);
    }
}

#[test]
fn an_undo_that_takes_a_file_away_says_so() {
    let home = owner();
    home.run(["remember", "--file", "notes/bread.md", "Feed the starter."]).mentions("Wrote notes/bread.md");
    home.run(["undo"]).mentions("Removed notes/bread.md: rcpt-").hides("Wrote");
    assert!(!workspace(&home, "notes/bread.md").exists());
}

/// The editor was opened, and what was typed was refused afterwards.
#[test]
fn a_file_that_inwit_does_not_write_is_refused_before_the_editor_opens() {
    let shell = Cli::new("/bin/sh").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let at_terminal = |script: &str| {
        let line = format!("$0 init >/dev/null 2>&1; export PROGRAM=$0; script -qec '{script}' /dev/null");
        shell_on(&shell, &line)
    };
    let file = shell.home("inwit/agents/main/workspace/projects/x.md");
    let make =
        format!("mkdir -p {}; echo x > {}", file.parent().expect("a folder").display(), file.display());
    at_terminal(&format!("{make}; EDITOR=\"touch opened;\" $PROGRAM edit projects/x.md"))
        .mentions("inwit does not write to `projects/x.md`.")
        .mentions("Open it with `inwit open projects/x.md`, or write to MEMORY.md")
        .exits(2);
    assert!(!shell.work("opened").exists());
    let refused = at_terminal("$PROGRAM remember --file projects/y.md \"A plan.\"");
    refused.mentions("does not write to `projects/y.md`").mentions("Write to MEMORY.md").exits(2);
}

/// It was found as an edit of nobody before the next change, and an undo did not offer it.
#[test]
fn what_is_saved_in_the_editor_that_open_runs_can_be_undone() {
    let shell = Cli::new("/bin/sh").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let at_terminal = |script: &str| {
        let line = format!("$0 init >/dev/null 2>&1; export PROGRAM=$0; script -qec '{script}' /dev/null");
        shell_on(&shell, &line)
    };
    let file = shell.home("inwit/agents/main/workspace/MEMORY.md");
    let appends = r#"EDITOR="echo - Likes rye. >>" $PROGRAM open MEMORY.md"#;
    at_terminal(appends).mentions("Recorded your edit of MEMORY.md: rcpt-").exits(0);
    let saved = std::fs::read_to_string(&file).expect("read");
    at_terminal(r#"EDITOR=true $PROGRAM open MEMORY.md"#).hides("Recorded").exits(0);
    at_terminal("$PROGRAM history log -n 1").mentions("owner").mentions("change MEMORY.md");
    at_terminal("$PROGRAM undo").mentions("-- Likes rye.").mentions("Wrote MEMORY.md").exits(0);
    let before = std::fs::read_to_string(&file).expect("read");
    assert_eq!(saved, format!("{before}- Likes rye.\n"));
    // Another change through inwit while the editor is open: the two are not told apart.
    let meanwhile =
        r#"EDITOR="$PROGRAM remember Oats >/dev/null; echo - Likes oats. >>" $PROGRAM open MEMORY.md"#;
    at_terminal(meanwhile).hides("Recorded").exits(0);
}

#[test]
fn history_is_listed_newest_first_and_an_unknown_file_is_an_error() {
    let home = owner();
    put(&home, "MEMORY.md", "- By hand.\n");
    edit(&home, "notes/bread.md", "- Rye.\n");
    edit(&home, "MEMORY.md", "- By hand.\n- Oats.\n");
    let log = commits(&home);
    let found = log.iter().find(|commit| commit["actor"] == "external").expect("the edit by hand");
    let at = |commit: &Value| commit["at"].as_str().expect("a time").to_owned();
    let recorded: Vec<String> = log
        .iter()
        .filter(|commit| commit["actor"] != "engine" && commit["actor"] != "inwit")
        .map(at)
        .collect();
    let mut sorted = recorded.clone();
    sorted.sort_by(|one, other| other.cmp(one));
    assert_eq!(recorded, sorted, "{log:?}");
    assert_ne!(log[1]["receipt"], found["receipt"], "{log:?}");
    home.run(["history", "log", "nofile.md"]).mentions("`nofile.md` does not exist").exits(3);
    put(&home, "fresh.md", "x\n");
    home.run(["history", "log", "fresh.md"]).mentions("No changes recorded yet.").exits(0);
}
