//! What of a fact stays behind its words, and what another hand wrote beside them: hashes go, columns are gone through,
//! and whoever asks is told what stays.

use inwit_testkit::{Cli, has_sqlite3};

use super::approving;
use crate::{newcomer, user_of_a_shell};

fn database(home: &Cli) -> String {
    home.home("inwit/agents/main/memory.db").display().to_string()
}

/// What the stock shell of SQLite answers.
fn by_hand(home: &Cli, script: &str) -> String {
    let asked = format!("sqlite3 '{}' \"{script}\"", database(home));
    user_of_a_shell().run(["-ec", &asked]).exits(0).stdout()
}

fn home() -> Cli {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home
}

/// By an unsalted hash whoever guesses sees that the guess is right.
#[test]
fn a_proposal_keeps_no_hash_of_a_fact_that_was_purged() {
    if !has_sqlite3() {
        return;
    }
    let hashes = "SELECT count(*) FROM proposals WHERE base IS NOT NULL OR result IS NOT NULL OR content <> zeroblob(32)";
    let deeds: [&[&str]; 3] = [
        &["facts", "purge", "1", "--yes"],
        &["forget", "--everywhere", "--fact", "1", "--apply", "--yes"],
        &["facts", "purge", "1", "--yes", "--json"],
    ];
    for (at, deed) in deeds.iter().enumerate() {
        let home = home();
        let waits = home.run(["facts", "add", "Ana keeps a quokkazorb", "--as", "agent", "--json"]).json();
        approving(&home, &waits).exits(0);
        assert_eq!(by_hand(&home, hashes).trim(), "1", "it is known by hashes");
        if at == 2 {
            // Of a row that cannot be read.
            by_hand(&home, "UPDATE memories SET source = 'no source'");
        }
        home.run_words(deed).exits(0);
        assert_eq!(by_hand(&home, hashes).trim(), "0", "{deed:?}");
        let id = waits["proposal"].as_str().expect("an id");
        home.run(["inbox", "show", id])
            .mentions("Its words were taken away")
            .hides("No line would change")
            .hides("It would be in");
        let shown = home.run(["inbox", "show", id, "--json"]).json();
        assert_eq!(shown["takenAway"], true, "{shown:#}");
    }
    // What was rejected is not asked again, so it stays known by its content and by nothing else.
    let home = home();
    let waits = home.run(["facts", "add", "Ana keeps a quokkazorb", "--as", "agent", "--json"]).json();
    approving(&home, &waits).exits(0);
    by_hand(&home, "UPDATE proposals SET how = 'rejected'");
    home.run(["facts", "purge", "1", "--yes"]).exits(0);
    let left = "SELECT content <> zeroblob(32) AND base IS NULL AND result IS NULL FROM proposals";
    assert_eq!(by_hand(&home, left).trim(), "1");
}

/// A moment, a source and a scenario are words where another hand wrote words there.
#[test]
fn words_in_columns_that_another_hand_filled_are_forgotten_too() {
    if !has_sqlite3() {
        return;
    }
    let home = home();
    for text in ["the mill opens at nine", "the mill has two wheels", "the mill is red", "the mill is old"] {
        home.run(["facts", "add", text]).exits(0);
    }
    by_hand(&home, "UPDATE memories SET deleted_at = 'gone because Zorgblatt confessed' WHERE id = 1");
    by_hand(&home, "UPDATE memories SET source = 'Zorgblatt said so' WHERE id = 2");
    by_hand(&home, "UPDATE memories SET scenario_id = 'Zorgblatt scenario' WHERE id = 3");
    home.run(["forget", "--everywhere", "zorgblatt"])
        .mentions("memory.db: memories")
        .mentions("gone because Zorgblatt confessed")
        .mentions("Zorgblatt said so")
        .mentions("Zorgblatt scenario");
    home.run(["forget", "--everywhere", "zorgblatt", "--apply", "--yes"])
        .mentions("The words stand nowhere")
        .exits(0);
    home.run(["facts", "list"]).mentions("the mill is old").hides("the mill is red");
    // What machines wrote is nobody's words.
    home.run(["forget", "--everywhere", "user_manual"]).hides("memory.db: memories");
    let day = by_hand(&home, "SELECT substr(created_at, 1, 10) FROM memories");
    home.run(["forget", "--everywhere", day.trim()]).hides("memory.db: memories");
}
