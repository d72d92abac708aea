//! The deed itself, where another one is under way, it is stopped or it is killed: one at a time, and each is ended.

use inwit_testkit::fixture;

use super::{CANARY, leave, stands, stands_anywhere};
use crate::newcomer;

/// Two at once wait for one another: neither takes away what the other one works on.
#[test]
fn two_that_forget_at_once_do_not_meet() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    for number in 0..12 {
        home.run(["facts", "add", &format!("{CANARY} number {number}")]).exits(0);
    }
    home.run(["backup", "kept"]).mentions("were copied");
    let copies = home.home("inwit/agents/main/backups");
    for folder in [&copies, &copies.join(".forgetting")] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    for number in 0..3 {
        std::fs::copy(
            home.work("kept/home/memory.db"),
            copies.join(format!("memory-2026112{number}T101010Z.db")),
        )
        .expect("copied");
    }
    // Left by a run that was killed.
    fixture::put(&copies.join(".forgetting"), "clean.db", CANARY.as_bytes());
    for run in home.run_at_once(2, ["forget", "--everywhere", CANARY, "--apply", "--yes"]) {
        if run.stdout().is_empty() {
            run.mentions("Another process is erasing words of this agent").exits(LOCKED);
        } else {
            run.mentions("The words were not found").exits(0);
        }
    }
    assert!(!copies.join(".forgetting").exists());
    assert_eq!(stands(&home, 0), Default::default());
}

/// Each is a copy of a session or a list of hashes, which no other command would remove.
#[test]
fn what_a_killed_run_staged_is_removed_by_the_next_one() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    let (agent, state) = (home.home("inwit/agents/main"), home.home(".local/state/inwit"));
    let sessions = agent.join("transcripts");
    let left = [
        (&sessions, ".forgetting-Pvf93y"),
        (&agent, ".inwit-draft-a1B2c3"),
        (&state.join("forgotten"), ".inwit-draft-d4E5f6"),
    ];
    for (folder, name) in left {
        std::fs::create_dir_all(folder).expect("a folder");
        fixture::put(folder, name, b"the rest of the conversation");
    }
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    for (folder, name) in left {
        assert!(!folder.join(name).exists(), "{name}");
    }
}

/// Who does not get a turn is told who has it, and nothing was done.
#[test]
fn who_forgets_while_another_one_does_is_refused() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    let deed = home.home("inwit/agents/main").canonicalize().expect("a home").join("forgetting");
    let turns = inwit_workspace::LockFolder::for_workspace(&home.home(".local/state/inwit"), &deed);
    let held = turns.write(&inwit_workspace::RealStopwatch).expect("a turn");
    let forget = || home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]);
    forget().mentions("Another process is erasing words of this agent").exits(LOCKED);
    home.run(["facts", "list"]).mentions(CANARY);
    home.run(["forget", "--everywhere", CANARY]).mentions("Use --apply");
    drop(held);
    forget().mentions("The words were not found").exits(0);
}

/// The exit status of what another process holds up.
const LOCKED: i32 = 6;

/// A deed that was cut short is told by whatever is asked next, and the next deed brings it to its end, though it knows
/// the words by their hashes alone: where the notes have lost them and a copy has not, too.
#[test]
fn a_deed_that_was_cut_short_is_told_and_brought_to_its_end() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    let copies = home.home("inwit/agents/main/backups");
    std::fs::create_dir_all(&copies).expect("a folder");
    let copy = copies.join("memory-20261120T101010Z.db");
    std::fs::copy(home.work("kept/home/memory.db"), &copy).expect("copied");
    // A file in the place of its workshop stops it where the notes are done and the copies are not.
    leave(&copies.join(".forgetting"), b"");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("may be partly done")
        .mentions("--again --apply` to finish the erasure")
        .hides("Nothing was")
        .exits(1);
    home.run(["show", "MEMORY.md"]).hides("quokka");
    let paths = stands_anywhere(&home);
    assert!(paths.iter().any(|path| path.ends_with("memory-20261120T101010Z.db")), "{paths:#?}");
    std::fs::remove_file(copies.join(".forgetting")).expect("removed");
    home.run(["status"]).mentions("is not finished. It was interrupted").exits(0);
    assert!(home.run(["status", "--json"]).stdout().contains("forgetting_unfinished"));
    home.run(["doctor"]).mentions("is not finished. It was interrupted").mentions("--again --apply").exits(1);
    home.run(["forget", "--everywhere", "--again"]).mentions("is not finished. It was interrupted").exits(0);
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
        .mentions("finished the erasure of")
        .exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    home.run(["status"]).hides("is not finished. It was interrupted");
    home.run(["doctor"]).exits(0);
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread");
}

/// Killed at whatever step: nothing is lost that was to stay, what is asked next tells it or it had ended, and the
/// next deed ends it.
#[test]
fn a_deed_that_was_killed_is_ended_by_the_next_one() {
    if !inwit_testkit::has_git() {
        return;
    }
    let steps: [fn(&std::path::Path) -> bool; 3] = [
        |home| home.join("forgetting.json").exists(),
        |home| {
            !std::fs::read_to_string(home.join("workspace/MEMORY.md"))
                .is_ok_and(|text| text.contains("quokka"))
        },
        |home| home.join("backups/.forgetting").exists(),
    ];
    for step in steps {
        let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        home.run(["init", "--timezone", "UTC"]).exits(0);
        home.run(["remember", "Ana likes rye bread"]).exits(0);
        home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
        home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
        home.run(["backup", "kept"]).mentions("were copied");
        let agent = home.home("inwit/agents/main");
        std::fs::create_dir_all(agent.join("backups")).expect("a folder");
        std::fs::copy(home.work("kept/home/memory.db"), agent.join("backups/memory-20261120T101010Z.db"))
            .expect("copied");
        let words = ["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"];
        let killed = home.run_until(&words, &|| step(&agent));
        let is_left = agent.join("forgetting.json").exists();
        assert!(killed || !is_left, "one that ended by itself leaves nothing");
        if is_left {
            home.run(["doctor"]).mentions("is not finished. It was interrupted").exits(1);
            home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
                .mentions("finished the erasure of")
                .exits(0);
        }
        assert_eq!(stands(&home, 0), Default::default());
        home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread");
        home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
        home.run(["doctor"]).exits(0);
    }
}
