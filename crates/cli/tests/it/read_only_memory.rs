//! A memory.db that may not be written: what reads it works, what writes says why not and where.
//!
//! The write-ahead log asks for a file of its own beside the database, also of who only reads; where none could be made,
//! nothing could be read, and the hint sent people to a doctor who could not open it either.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use inwit_testkit::Cli;

use crate::{newcomer, user_of_a_shell};

const HOME: &str = "inwit/agents/main";

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("ours");
}

/// What a reader asks for, and what the answer holds.
const READS: &[(&[&str], &str)] = &[
    (&["facts", "list"], "bakes on Fridays"),
    (&["facts", "search", "Fridays"], "bakes on Fridays"),
    (&["facts", "read", "1"], "bakes on Fridays"),
    (&["facts", "profile", "get", "city"], "Porto"),
    (&["prompt"], "bakes on Fridays"),
    (&["status"], "main"),
    (&["history", "audit", "verify"], "The audit log is intact"),
];

fn living() -> Option<Cli> {
    let home = newcomer().bound_by_permissions()?;
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "bakes on Fridays"]).mentions("Saved: 1");
    home.run(["facts", "profile", "set", "city", "Porto"]).exits(0);
    Some(home)
}

fn reads_and_refuses(home: &Cli, how: &str) {
    for (words, told) in READS {
        let run = home.run_words(words).exits(0);
        assert!(run.stdout().contains(told), "{how}: {words:?}: {}", run.stdout());
    }
    home.run(["doctor"]).exits(1).mentions("memory.db is not writable").hides("damaged");
    home.run(["doctor", "--fix", "--only", "reindex"]).exits(0).mentions("reindex: 0 found");
    home.run(["doctor", "--fix", "--only", "memory"]).exits(0).mentions("memory: 0 found");
    for verb in [&["facts", "add", "sails", "--json"][..], &["facts", "forget", "1", "--json"]] {
        let error = home.run_words(verb).exits(1).json_error();
        assert_eq!(error["error"]["code"], "audit_unwritable", "{how}: {verb:?}: {error}");
        let said = error.to_string();
        assert!(said.contains("$HOME/inwit/agents/main/memory.db is not writable"), "{how}: {error}");
        assert!(said.contains("permissions"), "{how}: {error}");
    }
    home.run(["facts", "list"]).mentions("bakes on Fridays").hides("sails");
}

#[test]
fn a_memory_that_may_not_be_written_is_read() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    // What stands beside the file, and what may be written.
    for (beside, file, folder) in [
        (true, 0o400, 0o500),
        (false, 0o400, 0o500),
        (true, 0o400, 0o700),
        (false, 0o400, 0o700),
        (false, 0o600, 0o500),
    ] {
        let Some(home) = living() else { return };
        let agent = home.home(HOME);
        if !beside {
            // As on a disk that was taken along: no log stands beside it.
            checkpointed(&agent);
        }
        for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
            let path = agent.join(name);
            if path.exists() {
                mode(&path, file);
            }
        }
        mode(&agent, folder);
        reads_and_refuses(&home, &format!("beside {beside}, file {file:o}, folder {folder:o}"));
        mode(&agent, 0o700);
    }
}

/// The database alone, whole, with its log written back.
fn checkpointed(agent: &Path) {
    let memory = agent.join("memory.db");
    let script = format!("sqlite3 '{}' 'PRAGMA wal_checkpoint(TRUNCATE)'", memory.display());
    user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin").run(["-ec", &script]).exits(0);
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(agent.join(format!("memory.db{end}")));
    }
}

/// What the log holds was written last: it is not passed over, and the way to read it is named.
#[test]
fn a_log_that_cannot_be_read_is_not_passed_over() {
    let Some(home) = living() else { return };
    let agent = home.home(HOME);
    std::fs::remove_file(agent.join("memory.db-shm")).expect("removed");
    assert!(std::fs::metadata(agent.join("memory.db-wal")).expect("a log").len() > 0);
    mode(&agent.join("memory.db"), 0o400);
    mode(&agent, 0o500);
    let error = home.run(["facts", "list", "--json"]).exits(1).json_error();
    assert_eq!(error["error"]["code"], "memory_unreadable", "{error}");
    let said = error.to_string();
    assert!(said.contains("memory.db-wal") && said.contains("its log contains the newest writes"), "{error}");
    home.run(["doctor"]).exits(1).mentions("its log contains").hides("older copy");
    mode(&agent, 0o700);
    mode(&agent.join("memory.db"), 0o600);
    home.run(["facts", "list"]).mentions("bakes on Fridays");
}

/// A home that never kept anything is refused what would begin it, with its path.
#[test]
fn a_memory_that_cannot_be_made_is_named() {
    let Some(home) = newcomer().bound_by_permissions() else { return };
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let agent = home.home(HOME);
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(agent.join(name));
    }
    let _ = std::fs::remove_dir_all(agent.join("backups"));
    mode(&agent, 0o500);
    home.run(["facts", "list"]).exits(0);
    let error = home.run(["facts", "add", "sails", "--json"]).exits(1).json_error();
    mode(&agent, 0o700);
    assert_eq!(error["error"]["code"], "disk_read_only", "{error}");
    assert!(error.to_string().contains("$HOME/inwit/agents/main/memory.db is not writable"), "{error}");
}

/// Reading writes nothing into the history. Where nothing may be written beside it either, what was recorded is read, and
/// what the answer lacks is told; the error of the disk once stood there alone.
#[test]
fn a_history_that_may_not_be_written_is_read_as_far_as_it_goes() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Some(home) = living() else { return };
    let home = home.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["remember", "Ana likes figs"]).exits(0);
    home.run(["history", "log"]).mentions("put MEMORY.md").hides("history_behind");
    home.run(["backup", "kept"]).mentions("were copied");
    home.run(["remember", "Bo likes rye"]).exits(0);
    let git = home.home(HOME).join("history.git");
    let agent = home.home(HOME);
    mode(&git.join("inwit.lock"), 0o400);
    mode(&git, 0o500);
    home.run(["history", "diff"]).exits(0).mentions("Bo likes rye").hides("hint: ");
    home.run(["history", "blame", "MEMORY.md"]).exits(0).mentions("Bo likes rye").hides("not recorded");
    mode(&agent, 0o500);
    let reads = [
        (&["history", "log"][..], "put MEMORY.md"),
        (&["history", "diff"], "Ana likes figs"),
        (&["history", "blame", "MEMORY.md"], "Ana likes figs"),
    ];
    for (words, told) in reads {
        home.run_words(words)
            .exits(0)
            .mentions(told)
            .mentions("1 change(s) are not shown, because the folder of the history is not writable.")
            .mentions("hint: ")
            .hides("os error");
    }
    let log = home.run(["history", "log", "--json"]).exits(0).json();
    assert!(log["commits"].as_array().is_some_and(|commits| !commits.is_empty()), "{log}");
    assert_eq!(log["notices"][0]["code"], "history_behind", "{log}");
    mode(&agent, 0o700);
    mode(&git, 0o700);
    mode(&git.join("inwit.lock"), 0o600);
    home.run(["history", "log"]).mentions("rcpt-").hides("not shown");
    home.run(["history", "diff"]).mentions("Bo likes rye");
}
