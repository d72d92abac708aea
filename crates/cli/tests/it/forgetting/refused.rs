//! A deed that was refused left nothing behind, and one that was stopped before it began is known as unfinished.
//!
//! What is entered in the register is taken out of every backup that comes back: a hash that stands there without a
//! deed took words away that the owner was told were kept.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use inwit_testkit::{Cli, has_sqlite3};

use super::{CANARY, stands};
use crate::{newcomer, user_of_a_shell};

const DEED: [&str; 5] = ["forget", "--everywhere", CANARY, "--apply", "--yes"];

/// Ana and the canary, in a note and in a fact, and a backup of it.
fn living(home: Cli) -> Cli {
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    home
}

fn registers(home: &Cli) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(home.home(".local/state/inwit/forgotten")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Nothing knows of the deed, and a backup that comes back is whole.
fn nothing_was_done(home: &Cli) {
    assert_eq!(registers(home), Vec::<PathBuf>::new());
    home.run(["doctor"]).hides("is not finished. It was interrupted");
    home.run(["forget", "--everywhere", "--again"])
        .exits(0)
        .mentions("No text that was erased for good was found");
    home.run(["restore", "kept", "--yes", "--force"]).exits(0).hides("had been forgotten");
    home.run(["show", "MEMORY.md"]).mentions(CANARY);
    home.run(["facts", "list"]).mentions(CANARY);
}

/// It would stop there, with other notes rewritten and the words half gone.
#[test]
fn a_note_that_may_not_be_written_refuses_the_erasure_before_it_begins() {
    let home = living(newcomer());
    let note = super::workspace(&home, "notes/shed.md");
    super::add(&home, "notes/shed.md", &format!("- The {CANARY} sleeps.\n"));
    std::fs::set_permissions(&note, std::fs::Permissions::from_mode(0o444)).expect("a mode");
    home.run(["forget", "--everywhere", CANARY])
        .exits(0)
        .mentions("`notes/shed.md` contains the words and is read-only; the erasure will be refused");
    home.run(DEED).exits(1).mentions("nothing was forgotten").mentions("chmod u+w");
    assert_eq!(registers(&home), Vec::<PathBuf>::new());
    home.run(["show", "MEMORY.md"]).mentions(CANARY);
    std::fs::set_permissions(&note, std::fs::Permissions::from_mode(0o644)).expect("a mode");
    home.run(DEED).exits(0);
    assert_eq!(stands(&home, 0).0.len(), 0);
}

/// A home in which nothing new may be written.
#[test]
fn a_deed_that_cannot_say_that_it_begins_leaves_nothing_behind() {
    let Some(home) = newcomer().bound_by_permissions() else { return };
    let home = living(home);
    let agent = home.home("inwit/agents/main");
    let mode = |mode| {
        std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(mode)).expect("ours");
    };
    mode(0o500);
    let error = home.run_words(&[&DEED[..], &["--json"]].concat()).exits(1).json_error();
    mode(0o700);
    let told = error.to_string();
    assert!(told.contains("forgetting.json cannot be written") && !told.contains("has begun"), "{error}");
    nothing_was_done(&home);
}

/// An index that does not show its rows is looked at before anything is said to begin.
#[test]
fn a_deed_that_a_stale_index_refuses_leaves_nothing_behind() {
    if !has_sqlite3() {
        return;
    }
    let home = living(newcomer());
    let agent = home.home("inwit/agents/main");
    let spoil = format!("sqlite3 '{}' 'DELETE FROM memories_fts_data'", agent.join("memory.db").display());
    user_of_a_shell().run(["-ec", &spoil]).exits(0);
    let error = home.run_words(&[&DEED[..], &["--json"]].concat()).exits(1).json_error();
    assert_eq!(error["error"]["code"], "memory_index_stale", "{error}");
    assert!(!agent.join("forgetting.json").exists());
    home.run(["doctor", "--fix", "--apply", "--only", "reindex"]).exits(0);
    nothing_was_done(&home);
}

/// A register that cannot be read refuses the deed before it begins.
#[test]
fn a_deed_that_cannot_read_the_register_leaves_nothing_behind() {
    let home = living(newcomer());
    home.run(["forget", "--everywhere", "rye bread", "--apply", "--yes"]).exits(0);
    let register = registers(&home).pop().expect("one");
    let whole = std::fs::read(&register).expect("read");
    super::leave(&register, b"{");
    let error = home.run_words(&[&DEED[..], &["--json"]].concat()).exits(2).json_error();
    assert_eq!(error["error"]["code"], "setting_bad", "{error}");
    assert!(!home.home("inwit/agents/main/forgetting.json").exists());
    super::leave(&register, &whole);
    home.run(["show", "MEMORY.md"]).mentions(CANARY);
    home.run(["forget", "--everywhere", "--again"])
        .hides("is not finished. It was interrupted")
        .hides("quokka");
}

/// Stopped, as if killed, between its two first steps: where the register is, a link leads nowhere.
fn stopped_before_the_register() -> Cli {
    let home = living(newcomer());
    let register = home.home(".local/state/inwit/forgotten");
    std::os::unix::fs::symlink(home.home("nowhere/at/all"), &register).expect("a link");
    home.run_words(&DEED).exits(1).mentions("The erasure has started").mentions("to finish the erasure");
    std::fs::remove_file(&register).expect("removed");
    home.run(["doctor"]).exits(1).mentions("is not finished. It was interrupted").mentions("--again --apply");
    home.run(["show", "MEMORY.md"]).mentions(CANARY);
    home
}

#[test]
fn a_deed_that_was_stopped_before_the_register_is_entered_by_who_ends_it() {
    let home = stopped_before_the_register();
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
        .mentions("finished the erasure of")
        .exits(0);
    assert_eq!(registers(&home).len(), 1);
    assert_eq!(stands(&home, 0), Default::default());
    // Only the register knows it when the home that forgot is gone.
    std::fs::remove_dir_all(home.home("inwit/agents/main")).expect("wiped");
    home.run(["restore", "kept", "--yes"]).mentions("had been erased for good").exits(0);
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
}

/// A backup that takes the place of the home in which the deed was stopped does not undo the deed.
#[test]
fn a_deed_that_was_stopped_before_the_register_is_known_from_the_home_that_gave_way() {
    let home = stopped_before_the_register();
    home.run(["restore", "kept", "--yes", "--force"]).mentions("had been erased for good").exits(0);
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
    home.run(["facts", "list"]).hides("quokka");
    assert_eq!(registers(&home).len(), 1);
}

/// A copy of memory.db that is put back beside it leaves no deed unfinished.
#[test]
fn a_deed_that_was_stopped_ends_when_a_copy_of_memory_comes_back() {
    let home = stopped_before_the_register();
    let agent = home.home("inwit/agents/main");
    let mut damaged = std::fs::read(agent.join("memory.db")).expect("read");
    damaged[100..400].fill(0xa5);
    super::leave(&agent.join("memory.db"), &damaged);
    for end in ["memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(agent.join(end));
    }
    home.run(["doctor", "--fix", "--apply", "--only", "memory"]).exits(0).mentions("1 repaired");
    home.run(["doctor"]).hides("is not finished. It was interrupted");
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
    home.run(["facts", "list"]).exits(0).hides("quokka");
    let look = home.run(["forget", "--check", CANARY, "--json"]).exits(1).json();
    assert_eq!(look["stands"], serde_json::json!([]), "{look:#}");
}
