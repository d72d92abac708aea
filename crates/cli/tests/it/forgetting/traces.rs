//! What of a fact stays behind its words, and what another hand wrote beside them: hashes go, columns are gone through,
//! and whoever asks is told what stays.

use inwit_store_sqlite::SqliteEmbeddings;
use inwit_testkit::{Cli, fixture, has_sqlite3};

use super::{CANARY, add, approving, leave, workspace};
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
            .mentions("Its text was erased")
            .hides("No line would change")
            .hides("It would appear in");
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
        .mentions("The words were not found")
        .exits(0);
    home.run(["facts", "list"]).mentions("the mill is old").hides("the mill is red");
    // What machines wrote is nobody's words.
    home.run(["forget", "--everywhere", "user_manual"]).hides("memory.db: memories");
    let day = by_hand(&home, "SELECT substr(created_at, 1, 10) FROM memories");
    home.run(["forget", "--everywhere", day.trim()]).hides("memory.db: memories");
}

/// A fact that gave way to one that is forgotten for good is not back by it, and that is told as a purge tells it.
#[test]
fn what_was_retired_for_a_fact_that_goes_is_told_by_plan_and_deed() {
    if !has_sqlite3() {
        return;
    }
    let home = home();
    home.run(["facts", "add", "the mill opens at nine"]).exits(0);
    home.run(["facts", "add", "the mill opens at quarter past ten"]).exits(0);
    by_hand(
        &home,
        "UPDATE memories SET status = 'retired', retired_by = 2, retired_ms = updated_ms WHERE id = 1",
    );
    let told = "Retired because of the erased text, and not restored by the erasure: fact 1.";
    home.run(["forget", "--everywhere", "--fact", "2"]).mentions(told);
    let plan = home.run(["forget", "--everywhere", "quarter past ten", "--json"]).json();
    assert_eq!(plan["notices"][0]["code"], "facts_stay_retired", "{plan:#}");
    // One that goes too is not missed.
    home.run(["forget", "--everywhere", "the mill opens at"]).hides(told);
    home.run(["forget", "--everywhere", "--fact", "2", "--apply", "--yes"]).mentions(told).exits(0);
}

/// Who asks for JSON is told where the words of a purged fact still stand, too.
#[test]
fn a_purge_says_in_json_where_the_words_still_stand() {
    let home = home();
    home.run(["remember", "Ana keeps a quokkazorb"]).exits(0);
    home.run(["facts", "add", "Ana keeps a quokkazorb"]).exits(0);
    let said = home.run(["facts", "purge", "1", "--yes", "--json"]).exits(0).json();
    let notice = &said["notices"][0];
    assert_eq!(notice["code"], "words_stand", "{said:#}");
    let message = notice["message"].as_str().expect("a message");
    assert!(message.contains("file: MEMORY.md") && !message.contains("quokkazorb"), "{message}");
    home.run(["facts", "add", "Ana keeps a quokkazorb"]).exits(0);
    home.run(["facts", "purge", "2", "--yes"])
        .mentions("file: MEMORY.md")
        .mentions("forget --everywhere")
        .exits(0);
}

/// Copies of memory.db and vectors that are only looked through, since they may hold the words, are not said to.
#[test]
fn no_place_is_named_in_which_the_words_do_not_stand() {
    let home = home();
    home.run(["facts", "add", "first fact"]).exits(0);
    let copies = || -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(home.home("inwit/agents/main/backups")).expect("copies").flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let copy = copies().pop().expect("a copy of before");
    home.run(["facts", "add", "walrus accordion"]).exits(0);
    drop(SqliteEmbeddings::open(&home.home("inwit/agents/main/embeddings.db")).expect("a cache"));
    assert_eq!(copies(), std::slice::from_ref(&copy));
    home.run(["facts", "purge", "2", "--yes"])
        .exits(0)
        .hides("The text of the fact is still")
        .hides("memory-");
    home.run(["forget", "--check", "walrus accordion"]).exits(0).mentions("were not found");
    let plan = home.run(["forget", "--everywhere", "totally absent words", "--json"]).exits(0).json();
    let fates = |kind: &str| -> Vec<serde_json::Value> {
        let places = plan["places"].as_array().expect("places").iter();
        let found = places.filter(|place| place["kind"] == kind);
        found.map(|place| serde_json::json!([place["fate"], place["count"]])).collect()
    };
    for kind in ["backup", "vectors"] {
        assert_eq!(fates(kind), [serde_json::json!(["scanned", 0])], "{kind}: {plan:#}");
    }
    home.run(["forget", "--everywhere", "totally absent words"]).mentions("words were not found");
    // A copy that holds a fact is named, and so is one that cannot be read.
    home.run(["facts", "purge", "1", "--yes"])
        .exits(0)
        .mentions("The text of the fact is still in backup: memory-");
    home.run(["facts", "add", "walrus accordion"]).exits(0);
    leave(&copy, b"SQLite format 3\0 and nothing else");
    home.run(["facts", "purge", "3", "--yes"])
        .exits(0)
        .hides("The text of the fact is still")
        .mentions("not every place could be searched")
        .mentions("backup: memory-");
}

/// What is none of ours is the owner's to move: no hint leads back to where it came from.
#[test]
fn a_database_of_another_program_is_told_with_the_way_out() {
    if !has_sqlite3() {
        return;
    }
    let home = home();
    home.run(["facts", "add", "the mill is old"]).exits(0);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", database(&home)));
    }
    leave(std::path::Path::new(&database(&home)), b"");
    by_hand(&home, "CREATE TABLE theirs (a)");
    let before = std::fs::read(database(&home)).expect("read");
    let way_out = |words: &[&str]| {
        home.run_words(words)
            .exits(1)
            .mentions("Move")
            .mentions("agents/main/memory.db")
            .mentions("run this again")
    };
    let _ = way_out(&["facts", "list"]);
    way_out(&["doctor", "--fix", "--apply", "--only", "memory"]).hides("Run `inwit doctor`");
    assert_eq!(std::fs::read(database(&home)).expect("read"), before, "it stays as it is");
}

/// Each proposal holds the whole file that it was made for; only what it adds is its own.
#[test]
fn a_proposal_that_adds_something_else_goes_on_without_the_words() {
    let home = home();
    home.run(["remember", "PIN of the old card is 9912-xyz"]).exits(0);
    for text in
        ["Ana buys olives in Kalamata", "The kiln is fired on Tuesdays", "code 9912-xyz opens the shed"]
    {
        home.run(["remember", "--as", "agent", text]).exits(0);
    }
    home.run(["forget", "--everywhere", "9912-xyz"]).mentions("proposed again without them").exits(0);
    home.run(["forget", "--everywhere", "9912-xyz", "--apply", "--yes"]).exits(0);
    let inbox = home.run(["inbox"]).exits(0).stdout();
    assert!(inbox.contains("olives in Kalamata") && inbox.contains("kiln is fired"), "{inbox}");
    assert!(!inbox.contains("shed"), "{inbox}");
    home.run(["forget", "--check", "9912-xyz"]).exits(0);
}

/// A copy of a file that the owner was editing when another writer was faster stays in the home, and loses the lines.
#[test]
fn drafts_of_the_editor_are_in_the_plan_and_lose_the_lines() {
    let home = home();
    home.run(["remember", "Ana keeps a quokkazorb"]).exits(0);
    let draft = home.home("inwit/agents/main/edits/20261121T120000Z-1-MEMORY.md");
    let text = "- The mill is old.\n- Ana keeps a quokkazorb.\n";
    let put = || {
        fixture::put(&home.home("inwit/agents/main/edits"), "20261121T120000Z-1-MEMORY.md", text.as_bytes())
    };
    put();
    home.run(["forget", "--everywhere", "quokkazorb"])
        .mentions("draft: 20261121T120000Z-1-MEMORY.md")
        .mentions("Ana keeps a quokkazorb.")
        .exits(0);
    home.run(["forget", "--everywhere", "quokkazorb", "--apply", "--yes"]).exits(0);
    assert_eq!(std::fs::read_to_string(&draft).expect("a draft"), "- The mill is old.\n");
    // One that an earlier version left.
    put();
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    assert_eq!(std::fs::read_to_string(&draft).expect("a draft"), "- The mill is old.\n");
}

/// The ordinary layout of a skill: pages beside SKILL.md, which belong to the tool that reads them.
#[test]
fn pages_of_a_skill_stop_no_erasure_and_are_looked_through() {
    let home = home();
    add(&home, "skills/maps/SKILL.md", "---\nname: maps\ndescription: d\n---\n");
    add(&home, "skills/maps/references/places.md", "# Places\n");
    add(&home, "skills/maps/README.md", &format!("- {CANARY}\n"));
    home.run(["remember", &format!("The {CANARY} is my address")]).exits(0);
    home.run(["forget", "--everywhere", CANARY]).mentions("MEMORY.md").mentions("skills/maps/README.md");
    let deed = home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]).exits(1);
    let _ = deed.mentions("skills/maps/README.md").hides("places.md");
    let left = std::fs::read_to_string(workspace(&home, "MEMORY.md")).expect("notes");
    assert!(!left.contains(CANARY), "{left}");
}
