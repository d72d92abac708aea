//! What a process that was killed leaves behind, and who clears it away.

use std::path::{Path, PathBuf};

use inwit_testkit::Cli;

use crate::newcomer;

fn owner() -> Cli {
    let home = newcomer();
    home.run(["init"]).exits(0);
    home.run(["remember", "Ana bakes on Fridays"]).exits(0);
    home
}

/// Every file below `folder` whose name begins with `beginning`.
fn found(folder: &Path, beginning: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let called = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if entry.is_dir() {
            files.extend(found(&entry, beginning));
        } else if called.starts_with(beginning) {
            files.push(entry);
        }
    }
    files
}

/// Killed between staging and its intent: the guard's file says that its holder did not let go.
#[test]
fn what_a_killed_writer_staged_is_gone_after_the_next_write() {
    let home = owner();
    let guards = found(&home.home(""), "write.guard");
    assert_eq!(guards.len(), 1, "{guards:?}");
    assert_eq!(std::fs::read(&guards[0]).expect("a guard"), b"", "who lets go leaves no sign");
    let workspace = home.home("inwit/agents/main/workspace");
    let temp = workspace.join(".~inwit-rcpt-01JD00000000000000000000ZZ.tmp");
    let home =
        home.write("inwit/agents/main/workspace/.~inwit-rcpt-01JD00000000000000000000ZZ.tmp", "- half a sen");
    home.run(["remember", "Ana bakes on Sundays"]).exits(0);
    assert!(temp.exists(), "no look is paid for while everybody lets go");
    home.run(["doctor"]).mentions(".~inwit-rcpt-");
    // As a killed holder leaves it.
    let guard = guards[0].strip_prefix(home.home("")).expect("below home").to_string_lossy().into_owned();
    let home = home.write(&guard, "\0");
    home.run(["remember", "Ana bakes on Mondays"]).exits(0);
    assert_eq!(found(&workspace, ".~inwit-"), [""; 0].map(PathBuf::from));
}

/// Proves W65.
#[test]
fn dreams_that_meet_do_not_end_each_other() {
    let home = owner();
    for run in home.run_at_once(8, ["dream", "--json"]) {
        let turned_away = run.stderr().contains("A dream pass is running");
        run.exits(if turned_away { 6 } else { 0 });
    }
    let passes = home.run(["dream", "log", "--json"]).stdout();
    assert!(passes.contains("nothing_to_promote") && !passes.contains("failed"), "{passes}");
}
