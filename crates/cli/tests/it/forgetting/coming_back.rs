//! What a backup brings back: words that its home forgot are taken away again, words that were said anew stay.
//!
//! A copy outlives what was forgotten since it was made, and the home that forgot may be gone when it comes back.

use inwit_testkit::{Cli, fixture};

use inwit_model::Sha256;

use super::{CANARY, add, approving, leave, stands};
use crate::newcomer;

/// A backup of before knows nothing of it: what comes back from it is taken away again, also where the home that
/// forgot is gone. What was said anew since is the owner's word and stays.
#[test]
fn a_backup_of_before_brings_nothing_back_and_one_of_afterwards_does() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    add(&home, "USER.md", "\n- Owns **Zorblaxian** [quokka](https://zoo.example) 4711.\n");
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    home.run(["facts", "add", "Bo bakes"]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    let back = |home: &Cli| {
        home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
        home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
        home.run(["facts", "list"]).mentions("Bo bakes").hides("quokka");
        home.run(["doctor"]).exits(0);
        assert_eq!(stands(home, 0), Default::default());
        let said = format!("A {CANARY} again");
        let waits = home.run(["remember", "--as", "agent", &said, "--json"]).exits(0).json();
        approving(home, &waits).exits(5).mentions("words that were erased");
        home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
        assert_eq!(stands(home, 0), Default::default());
    };
    home.run(["restore", "before", "--yes", "--force"])
        .mentions("had been erased for good")
        .mentions("still contains them")
        .exits(0);
    back(&home);
    // Everything of the agent is gone, what gave way to the backup too.
    for entry in std::fs::read_dir(home.home("inwit/agents")).expect("agents").flatten() {
        std::fs::remove_dir_all(entry.path()).expect("wiped");
    }
    let told = home.run(["restore", "before", "--yes", "--json"]).exits(0).json();
    assert!(told["forgottenAgain"].as_u64() >= Some(1), "{told}");
    back(&home);
    home.run(["forget", "--everywhere", "--again"]).mentions("No text that was erased for good was found");
    home.run(["remember", &format!("{CANARY} is back")]).mentions("Wrote");
    home.run(["backup", "afterwards"]).mentions("were copied");
    home.run(["restore", "afterwards", "--yes", "--force"]).hides("had been forgotten").exits(0);
    home.run(["show", "MEMORY.md"]).mentions(&format!("{CANARY} is back"));
    home.run(["forget", "--everywhere", "--again"]).mentions("is back").mentions("Use --apply");
    // The home that gave way was made with them; whoever asks for all means it too.
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    home.run(["show", "MEMORY.md"]).hides("quokka");
    assert_eq!(stands(&home, 0), Default::default());
}

/// Ana and the canary in a note, and a backup of it.
fn backed_up(home: Cli) -> Cli {
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home
}

/// It answered that nothing stands there, while git found the words as soon as it was asked again.
#[test]
fn a_history_that_could_not_be_read_is_named_after_a_restore() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = backed_up(newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin"));
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    home.run(["config", "set", "history.location", "off"]).exits(0);
    home.run(["restore", "before", "--yes", "--force"])
        .mentions("history.git, which was not searched")
        .exits(1);
    home.run(["show", "MEMORY.md"]).hides("quokka");
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).mentions("was not searched").exits(1);
    home.run(["config", "set", "history.location", "beside"]).exits(0);
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    assert_eq!(stands(&home, 0), Default::default());
}

/// The tombstone of a whole text knows no beginning of it: cut copies came back and stayed.
#[test]
fn a_copy_that_was_cut_short_does_not_come_back() {
    const LONG: &str = "Peter Kranz owes the bank 40 thousand. He told nobody but Rosa.";
    const CUT: &str = "- ana wrote: **Peter** Kranz owes the bank 40 thous…\n";
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", LONG]).exits(0);
    add(&home, "USER.md", CUT);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", LONG, "--apply", "--yes"]).exits(0);
    home.run(["restore", "before", "--yes", "--force"]).mentions("had been erased for good");
    for name in ["MEMORY.md", "USER.md"] {
        home.run(["show", name]).hides("Kranz");
    }
    add(&home, "USER.md", CUT);
    add(&home, "USER.md", "- Peter Kranz owes the bank 40 thousand euros\n");
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    home.run(["show", "USER.md"]).hides("thous…").mentions("thousand euros");
}

fn file_name(path: &std::path::Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name")
}

/// A home that was restored and whose erasure was stopped holds the words, and does not know them by its memory.db: the next
/// restore moves it aside.
#[test]
fn an_erasure_that_was_stopped_in_a_home_that_gave_way_is_finished() {
    let home = backed_up(newcomer());
    let agent = home.home("inwit/agents/main");
    // A file in the place of its workshop stops it.
    let workshop = agent.join("backups/.forgetting");
    std::fs::create_dir_all(agent.join("backups")).expect("a folder");
    std::fs::copy(home.work("before/home/memory.db"), agent.join("backups/memory-20261120T101010Z.db"))
        .expect("copied");
    leave(&workshop, b"");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("The erasure has started")
        .exits(1);
    let begun = std::fs::read(agent.join("forgetting.json")).expect("begun");
    home.run(["backup", "meanwhile"]).mentions("is not finished, so a backup").exits(5);
    std::fs::remove_file(&workshop).expect("removed");
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    home.run(["restore", "before", "--yes", "--force"]).exits(0);
    // A restore that was killed in its erasure leaves the home as the backup has it, with what was begun.
    let mut agents = std::fs::read_dir(home.home("inwit/agents")).expect("agents").flatten();
    let aside = agents.find(|entry| entry.path() != agent).expect("what gave way").path();
    std::fs::remove_dir_all(&aside).expect("removed");
    for (from, to) in [("home", aside.clone()), ("workspace", aside.join("workspace"))] {
        fixture::copy(&home.work("before").join(from), &to);
    }
    leave(&aside.join("forgetting.json"), &begun);
    // So does one from before, which the erasure was to look into.
    let older = home.home("inwit/agents/main.before-20260101T101010Z");
    fixture::copy(&aside, &older);
    std::fs::remove_file(older.join("forgetting.json")).expect("removed");
    // One whose memory.db is damaged is named, and keeps nothing from being erased.
    let damaged = home.home("inwit/agents/main.before-20260102T101010Z");
    fixture::copy(&aside, &damaged);
    leave(&damaged.join("memory.db"), b"no database");
    assert_ne!(super::stands_anywhere(&home).len(), 0);
    // The plan names it as well, and changes nothing.
    let unfinished = format!("in $HOME/inwit/agents/{} is not finished", file_name(&aside));
    home.run(["forget", "--everywhere", "--again"])
        .mentions(&unfinished)
        .mentions("--again --apply` to finish the erasure")
        .hides("No text that was erased for good was found")
        .exits(0);
    home.run(["forget", "--everywhere", "Ana likes"]).mentions(&unfinished).exits(0);
    let plan = home.run(["forget", "--everywhere", "--again", "--json"]).exits(0).json();
    assert_eq!(plan["notices"][0]["code"], "forgetting_unfinished", "{plan}");
    assert!(aside.join("forgetting.json").exists());
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
        .mentions("in a home that a restore had moved aside")
        .mentions("main.before-20260102T101010Z")
        .exits(1);
    let left = super::stands_anywhere(&home);
    assert!(left.iter().all(|path| path.contains("main.before-20260102T101010Z")), "{left:#?}");
    home.run(["forget", "--everywhere", "Ana likes", "--apply", "--yes"]).mentions("Erased: ").exits(0);
    std::fs::remove_dir_all(&damaged).expect("removed");
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    assert_eq!(stands(&home, 0), Default::default());
}

/// Another home, or the same one begun anew, said the words by itself: what the first one forgot takes nothing from
/// its backup, though both are called alike and share one state.
#[test]
fn what_another_home_forgot_takes_nothing_from_a_backup() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    std::fs::remove_dir_all(home.home("inwit")).expect("wiped");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} is back")]).mentions("Wrote");
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    home.run(["backup", "anew"]).mentions("were copied");
    home.run(["forget", "--everywhere", "--again"]).mentions("No text that was erased for good was found");
    home.run(["restore", "anew", "--yes", "--force"]).hides("had been forgotten").exits(0);
    home.run(["show", "MEMORY.md"]).mentions(&format!("{CANARY} is back"));
    home.run(["facts", "list"]).mentions(CANARY);
}

/// A backup is known by the home it was made of, not by the name that it comes back under.
#[test]
fn a_backup_that_comes_back_as_another_agent_brings_nothing_back() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    home.run(["restore", "before", "--yes", "--agent", "other"])
        .mentions("had been erased for good")
        .exits(0);
    home.run(["show", "MEMORY.md", "--agent", "other"]).mentions("Ana likes rye bread").hides("quokka");
}

/// A backup brings back no word that only its case tells from what was forgotten.
#[test]
fn words_in_another_case_stay_forgotten_when_a_backup_comes_back() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "Ο ΠΑΥΛΟΣ ΜΕΝΕΙ στην Πάτρα"]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", "Ο παυλος", "--apply", "--yes"])
        .mentions("Erased: 1 fact(s)")
        .exits(0);
    home.run(["restore", "before", "--yes", "--force"]).mentions("had been erased for good").exits(0);
    home.run(["facts", "list"]).hides("ΠΑΥΛΟΣ");
}

/// Who goes back to one of the copies beside memory.db knows the words again, also where the register of this user is
/// gone.
#[test]
fn a_copy_that_was_written_anew_knows_what_was_forgotten() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    let copies = || -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(home.home("inwit/agents/main/backups")).expect("copies").flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "db"))
            .collect()
    };
    let stones = |path: &std::path::Path| {
        inwit_store_sqlite::look::tombstones(path).expect("read").map_or(0, |grave| grave.stones.len())
    };
    assert!(!copies().is_empty() && copies().iter().all(|path| stones(path) == 0));
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    assert!(!copies().is_empty() && copies().iter().all(|path| stones(path) == 1));
}

/// Alters row 2 of the record in a memory.db as another hand would.
fn break_record(memory: &std::path::Path, change: &str) {
    let db = rusqlite::Connection::open(memory).expect("opened");
    let trigger = "SELECT sql FROM sqlite_schema WHERE name = 'audit_is_not_altered'";
    let trigger: String = db.query_row(trigger, [], |row| row.get(0)).expect("the trigger");
    db.execute_batch(&format!("DROP TRIGGER audit_is_not_altered; {change}; {trigger};")).expect("altered");
}

/// Writes the sizes and hashes of a backup's files into its manifest again.
fn hash_again(backup: &std::path::Path) {
    let path = backup.join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a manifest")).expect("JSON");
    for file in manifest["files"].as_array_mut().expect("files") {
        let bytes = std::fs::read(backup.join(file["path"].as_str().expect("a path"))).expect("read");
        file["bytes"] = bytes.len().into();
        file["sha256"] = Sha256::of(&bytes).to_string().into();
    }
    leave(&path, manifest.to_string().as_bytes());
}

const ALTERED: &str = "UPDATE audit SET actor = 'agent' WHERE seq = 2";

/// A record that does not hold is reported before anything moves, and keeps no erased word in place.
#[test]
fn a_backup_with_a_broken_record_is_reported_and_brings_nothing_back() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "kept"]).hides("audit log").exits(0);
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    break_record(&home.work("kept/home/memory.db"), ALTERED);
    hash_again(&home.work("kept"));
    let told = "The audit log is broken: Row 2 of the audit log differs from what was written.";
    home.run(["restore", "kept", "--force", "--dry-run"]).mentions(told).exits(0);
    let plan = home.run(["restore", "kept", "--force", "--dry-run", "--json"]).exits(0).json();
    assert_eq!(plan["notices"][0]["code"], "record_broken", "{plan:#}");
    home.run(["restore", "kept", "--force", "--yes"])
        .mentions(told)
        .mentions("The files that were there before are in")
        .mentions("had been erased for good")
        .hides("its audit log is intact")
        .exits(0);
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
    assert_eq!(stands(&home, 0), Default::default());
    home.run(["history", "audit", "verify"]).exits(1).mentions("The audit log is broken at row 2");
    // Its own backup says so too.
    home.run(["backup", "again"]).mentions("were copied and verified").mentions(told).exits(0);
    let made = home.run(["backup", "third", "--json"]).exits(0).json();
    assert_eq!(made["notices"][0]["code"], "record_broken", "{made:#}");
}

/// Nothing can be erased where nothing can be recorded, so such a memory.db takes no agent's place.
#[test]
fn a_backup_whose_record_takes_no_row_is_refused_before_anything_moves() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "kept"]).exits(0);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(0);
    break_record(&home.work("kept/home/memory.db"), "UPDATE audit_head SET rows = rows - 1");
    hash_again(&home.work("kept"));
    for words in [["restore", "kept", "--force", "--dry-run"], ["restore", "kept", "--force", "--yes"]] {
        home.run(words).mentions("no row can be added to its audit log").exits(1);
    }
    home.run(["show", "MEMORY.md"]).hides("quokka");
    assert_eq!(stands(&home, 0), Default::default());
}
