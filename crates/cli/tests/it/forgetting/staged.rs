//! What a killed restore left half done: no deed writes into it, and it goes.

use std::path::PathBuf;

use inwit_testkit::{Cli, fixture};

use super::{CANARY, stands, stands_anywhere};
use crate::newcomer;

const STAGED: &str = "inwit/agents/main.restore-20261122T184833Z";

/// As a restore leaves it that was killed while it copied.
fn half_staged() -> (Cli, PathBuf) {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", &format!("Ana told of {CANARY}")]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    let staged = home.home(STAGED);
    fixture::put(&staged, "workspace/MEMORY.md", format!("- {CANARY} note\n").as_bytes());
    std::fs::create_dir_all(staged.join("history.git")).expect("a folder");
    // A folder that somebody else named is nobody's to take away.
    fixture::put(&home.home("inwit/agents/main.restore-mine"), "x.md", b"mine\n");
    (home, staged)
}

/// The deed adds no copy of the words to what no restore will ever finish: it takes it away.
#[test]
fn a_deed_takes_a_half_staged_copy_away_and_writes_nothing_into_it() {
    let (home, staged) = half_staged();
    assert!(stands_anywhere(&home).iter().any(|path| path.contains(".restore-")));
    let plan = home.run(["forget", "--everywhere", CANARY, "--json"]).json();
    let mut places = plan["places"].as_array().expect("places").iter();
    let place = places.find(|place| place["name"] == "main.restore-20261122T184833Z").expect("in the plan");
    assert_eq!((&place["kind"], &place["fate"]), (&"aside".into(), &"goes".into()));
    assert!(!staged.join("memory.db").exists(), "a plan changes nothing");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"])
        .mentions("The words were not found")
        .exits(0);
    assert!(!staged.exists());
    assert_eq!(stands(&home, 0), Default::default());
    assert!(home.home("inwit/agents/main.restore-mine/x.md").exists());
}

/// Where nothing else stands any more it is named, and goes all the same.
#[test]
fn what_was_forgotten_before_does_not_stay_in_a_half_staged_copy() {
    let (home, staged) = half_staged();
    let elsewhere = home.home("inwit/agents/waits");
    std::fs::rename(&staged, &elsewhere).expect("put by");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    std::fs::rename(&elsewhere, &staged).expect("put back");
    home.run(["forget", "--everywhere", "--again"])
        .mentions("left half-written by an interrupted restore")
        .exits(0);
    assert!(staged.exists(), "a plan changes nothing");
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).mentions("note: deleted").exits(0);
    assert!(!staged.exists());
    assert_eq!(stands(&home, 0), Default::default());
}

/// Doctor tells of it and takes it away where it is asked to, and so does the next restore.
#[test]
fn a_half_staged_copy_is_told_and_goes_with_the_next_restore() {
    let (home, staged) = half_staged();
    home.run(["doctor"]).mentions("main.restore-20261122T184833Z").mentions("doctor --fix").exits(0);
    home.run(["doctor", "--fix"]).mentions("staged: 1 found, 0 repaired");
    assert!(staged.exists());
    home.run(["doctor", "--fix", "--apply"]).mentions("staged: 1 found, 1 repaired").exits(0);
    assert!(!staged.exists());
    home.run(["doctor"]).hides(".restore-2026");
    let (home, staged) = half_staged();
    home.run(["restore", "kept", "--yes", "--force"])
        .mentions("The files that were there before are in")
        .exits(0);
    assert!(!staged.exists());
    assert!(home.home("inwit/agents/main.restore-mine/x.md").exists());
}
