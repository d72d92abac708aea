//! Indexes of memory.db that disagree with its rows: told as what they are, mended from the rows, never by an older copy.
//!
//! A damaged full text was taken for a damaged memory once, and the copy of an hour ago took the place of newer facts;
//! rows that an index forbids were "mended" for ever, with a row in the record each time; and a fact that its index did
//! not show could not be forgotten.

use std::path::PathBuf;

use inwit_testkit::Cli;

use crate::{newcomer, user_of_a_shell};

const MEMORY: &str = "inwit/agents/main/memory.db";

/// A person with two facts, and an hourly copy that knows the first alone.
fn living() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let _ = std::fs::remove_dir_all(home.home("inwit/agents/main/backups"));
    home.run(["facts", "add", "lives in Porto"]).mentions("Saved: 1");
    home.run(["facts", "add", "bakes on Fridays"]).mentions("Saved: 2");
    home
}

/// Runs a script of the stock shell of SQLite on memory.db.
fn by_hand(home: &Cli, script: &str) -> String {
    let script = format!("sqlite3 '{}' \"{script}\"", home.home(MEMORY).display());
    let shell = user_of_a_shell().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    shell.run(["-ec", &script]).exits(0).stdout().trim().to_owned()
}

/// Fills the first page of a table with zeros.
fn zero_page(home: &Cli, table: &str) {
    by_hand(home, "PRAGMA wal_checkpoint(TRUNCATE)");
    let page = by_hand(home, &format!("SELECT rootpage FROM sqlite_schema WHERE name = '{table}'"));
    let file = home.home(MEMORY).display().to_string();
    let script =
        format!("dd if=/dev/zero of='{file}' bs=4096 seek=$(({page} - 1)) count=1 conv=notrunc 2>/dev/null");
    user_of_a_shell().env("PATH", "/usr/bin:/bin").run(["-ec", &script]).exits(0);
}

fn aside(home: &Cli) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.home("inwit/agents/main")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains(".damaged-")).collect()
}

fn record(home: &Cli) -> String {
    home.run(["history", "audit", "show", "--json"]).stdout()
}

/// Something that is done to a memory.db.
type Damage = Box<dyn Fn(&Cli)>;

/// Proves M65, M69.
#[test]
fn a_damaged_full_text_costs_no_fact_and_is_made_anew() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let by_rows = |script: &'static str| move |home: &Cli| drop(by_hand(home, script));
    let by_page = |table: &'static str| move |home: &Cli| zero_page(home, table);
    let damages: [(&str, Damage); 5] = [
        ("no pages", Box::new(by_rows("DELETE FROM memories_fts_data"))),
        ("other form", Box::new(by_rows("UPDATE memories_fts_config SET v = 9"))),
        ("no words of before", Box::new(by_rows("DELETE FROM memory_versions_fts_data"))),
        ("a page of it", Box::new(by_page("memories_fts_data"))),
        ("its form", Box::new(by_page("memories_fts_config"))),
    ];
    for (what, damage) in damages {
        let home = living();
        damage(&home);
        home.run(["doctor"]).exits(1).mentions("full text").mentions("--only reindex").hides("older copy");
        home.run(["facts", "list"]).mentions("Porto").mentions("Fridays");
        if what != "no words of before" {
            home.run(["facts", "search", "bakes Fridays"])
                .exits(0)
                .mentions("bakes on Fridays")
                .mentions("letter by letter");
            home.run(["facts", "search", "\"on Fridays\""]).exits(0).mentions("bakes on Fridays");
            let error = home.run(["facts", "add", "sails", "--json"]).exits(1).json_error();
            assert_eq!(error["error"]["code"], "memory_index_stale", "{what}: {error}");
            assert!(
                error["error"]["hint"].as_str().is_some_and(|hint| hint.contains("--only reindex")),
                "{error}"
            );
        }
        let before = ["facts", "search", "Fridays", "--believed-at", "2999-01-01T00:00:00Z"];
        home.run(before).exits(0).mentions("bakes on Fridays").mentions("letter by letter");
        home.run(["doctor", "--fix"]).mentions("memory: 0 found").mentions("reindex: 1 found, 0 repaired");
        home.run(["doctor", "--fix", "--apply", "--only", "memory"])
            .exits(0)
            .mentions("memory: 0 found, 0 repaired");
        home.run(["doctor", "--fix", "--apply", "--only", "reindex"])
            .exits(0)
            .mentions("reindex: 1 found, 1 repaired");
        home.run(["doctor"]).exits(0);
        home.run(["facts", "search", "bakes Fridays"]).exits(0).mentions("bakes on Fridays").hides("letters");
        home.run(["facts", "list"]).hides("sails");
        home.run(["facts", "add", "sails"]).mentions("Saved: 3");
        home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
        let before = record(&home);
        assert_eq!(before.matches("doctor.fix.reindex").count(), 1, "{what}: {before}");
        home.run(["doctor", "--fix", "--apply"]).exits(0).mentions("reindex: 0 found, 0 repaired");
        assert_eq!(record(&home), before, "{what}: a second time there is nothing to do");
        assert_eq!(aside(&home), Vec::<PathBuf>::new(), "{what}");
    }
}

/// A page of an ordinary index: no row is lost, no copy of before comes, and it is made anew from the rows. A page of rows
/// goes the way of the copy, as it did. The index of an id and those of a table's own demands have no words to make them
/// by, and no pages that could be cleared.
/// Proves M65.
#[test]
fn a_damaged_page_of_an_index_costs_no_fact_and_is_made_anew() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    for index in [
        "memories_plain", "memories_shown", "sqlite_autoindex_memories_1",
        "sqlite_autoindex_instance_meta_1", "sqlite_autoindex_user_profile_1", "ops_of_name",
        "sqlite_autoindex_ops_1",
    ] {
        let home = living();
        home.run(["facts", "profile", "set", "city", "Porto"]).exits(0);
        zero_page(&home, index);
        home.run(["doctor"]).exits(1).mentions(index).mentions("--only reindex").hides("older copy");
        home.run(["doctor", "--fix"]).mentions("memory: 0 found").mentions("reindex: 1 found, 0 repaired");
        home.run(["doctor", "--fix", "--apply", "--only", "memory"])
            .exits(0)
            .mentions("memory: 0 found, 0 repaired");
        home.run(["doctor", "--fix", "--apply", "--only", "reindex"])
            .exits(0)
            .mentions("reindex: 1 found, 1 repaired");
        home.run(["doctor"]).exits(0);
        home.run(["facts", "list"]).mentions("Porto").mentions("Fridays");
        home.run(["facts", "profile", "get", "city"]).mentions("Porto");
        home.run(["facts", "add", "sails"]).mentions("Saved: 3");
        home.run(["facts", "add", "bakes on Fridays"]).mentions("2");
        home.run(["facts", "forget", "2"]).exits(0);
        assert_eq!(by_hand(&home, "PRAGMA integrity_check"), "ok", "{index}");
        assert_eq!(by_hand(&home, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%lends%'"), "0");
        home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
        let before = record(&home);
        assert_eq!(before.matches("doctor.fix.reindex").count(), 1, "{index}: {before}");
        home.run(["doctor", "--fix", "--apply"]).exits(0).mentions("reindex: 0 found, 0 repaired");
        assert_eq!(record(&home), before, "{index}: a second time there is nothing to do");
        assert_eq!(aside(&home), Vec::<PathBuf>::new(), "{index}");
    }
    let home = living();
    zero_page(&home, "memories_plain");
    zero_page(&home, "memories");
    home.run(["doctor"]).exits(1).mentions("memory.db");
    home.run(["doctor", "--fix"]).mentions("memory: 1 found, 0 repaired").mentions("would be restored: ");
    home.run(["doctor", "--fix", "--apply", "--only", "memory"])
        .exits(0)
        .mentions("memory: 1 found, 1 repaired");
    home.run(["facts", "list"]).mentions("Porto").hides("Fridays");
}

/// A full text whose pages are whole and which says something else than its table, or says nothing at all.
#[test]
fn a_full_text_that_tells_less_than_its_table_is_found() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    by_hand(&home, "DELETE FROM memories_fts_idx");
    home.run(["doctor"]).exits(1).mentions("memories_fts");
    home.run(["doctor", "--fix", "--apply"]).exits(0).mentions("reindex: 1 found, 1 repaired");
    by_hand(
        &home,
        "INSERT INTO memories_fts (memories_fts, rowid, content, category)
         SELECT 'delete', id, content, category FROM memories WHERE id = 2",
    );
    home.run(["doctor"]).exits(1).mentions("memories_fts").mentions("--only reindex");
    home.run(["doctor", "--fix", "--apply"]).exits(0).mentions("reindex: 1 found, 1 repaired");
    home.run(["doctor"]).exits(0);
    home.run(["facts", "search", "category:observation"]).mentions("Fridays");
}

/// Swaps the index on `uuid` to another column, runs `script`, and swaps it back: the index knows nothing of it.
fn behind_the_index(home: &Cli, script: &str) {
    let swap = |from: &str, to: &str| {
        format!(
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema
             SET sql = replace(replace(sql, 'uuid TEXT NOT NULL{from}', 'uuid TEXT NOT NULL{to}'),
                               'said TEXT NOT NULL{to}', 'said TEXT NOT NULL{from}') WHERE name = 'memories';"
        )
    };
    by_hand(home, &swap(" UNIQUE", ""));
    by_hand(home, &format!("PRAGMA writable_schema=ON; {script}"));
    by_hand(home, &swap("", " UNIQUE"));
}

/// Proves M65, M69.
#[test]
fn rows_that_an_index_forbids_are_named_and_nothing_is_written() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    behind_the_index(
        &home,
        "UPDATE memories SET uuid = (SELECT uuid FROM memories WHERE id = 1) WHERE id = 2",
    );
    home.run(["doctor"]).exits(1).mentions("memories").mentions("uuid").mentions("1, 2");
    let before = record(&home);
    for _ in 0..2 {
        home.run(["doctor", "--fix"]).mentions("reindex: 1 found, 0 repaired").mentions("1, 2");
        let told = home.run(["doctor", "--fix", "--apply", "--only", "reindex"]).exits(1);
        told.mentions("reindex: 1 found, 0 repaired")
            .mentions("`memories`")
            .mentions("uuid")
            .mentions("1, 2")
            .mentions("hint: ");
        let fix = home.run(["doctor", "--fix", "--apply", "--json"]).exits(1).json()["fixes"][1].clone();
        assert_eq!(fix["error"]["code"], "memory_rows_clash", "{fix}");
        assert_eq!(record(&home), before, "nothing was done, so nothing is recorded");
    }
    // What the owner is told to do helps.
    by_hand(&home, "PRAGMA writable_schema=ON; DELETE FROM memories WHERE rowid = 2");
    home.run(["doctor", "--fix", "--apply", "--only", "reindex"]).exits(0);
    home.run(["doctor"]).exits(0);
    home.run(["facts", "list"]).mentions("Porto").hides("Fridays");
}

/// A fact that its index does not show is read all the same; who would change it is told what to run.
#[test]
fn a_fact_that_its_index_does_not_show_is_read_and_forgotten_once_the_index_is_whole() {
    if !inwit_testkit::has_sqlite3() {
        return;
    }
    let home = living();
    behind_the_index(
        &home,
        "UPDATE memories SET uuid = substr(uuid, 1, length(uuid) - 3) || '777' WHERE id = 2",
    );
    home.run(["facts", "read", "2"]).exits(0).mentions("bakes on Fridays");
    for verb in [
        &["facts", "forget", "2", "--json"][..],
        &["facts", "purge", "2", "--yes", "--json"],
        &["facts", "update", "2", "--text", "rests on Fridays", "--json"],
    ] {
        let error = home.run_words(verb).exits(1).json_error();
        assert_eq!(error["error"]["code"], "memory_index_stale", "{verb:?}: {error}");
    }
    home.run(["facts", "list"]).mentions("bakes on Fridays");
    home.run(["doctor", "--fix", "--apply", "--only", "reindex"])
        .exits(0)
        .mentions("reindex: 1 found, 1 repaired");
    home.run(["facts", "forget", "2"]).exits(0);
    home.run(["facts", "list"]).hides("Fridays");
}
