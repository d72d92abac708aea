//! The plan, the deed and the look afterwards count the same places: none finds words that another one passes over.

use super::{CANARY, leave, stands_anywhere};
use crate::newcomer;

/// A letter that JSON escapes is the same letter: the plan, the deed and the look agree on it.
/// Proves M82.
#[test]
fn words_that_json_escapes_are_forgotten_too() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    let metadata = r#"{"k":"\u005aymurgist Ottoline","Verity Blankenship":41791234567}"#;
    home.run(["facts", "add", "a cat", "--metadata", metadata]).exits(0);
    home.run(["facts", "add", "a dog"]).exits(0);
    for words in ["Zymurgist Ottoline", "Verity Blankenship", "41791234567"] {
        home.run(["forget", "--check", words]).mentions("memory.db").exits(1);
        home.run(["forget", "--everywhere", words]).mentions("memory.db: memories").exits(0);
    }
    home.run(["forget", "--everywhere", "Zymurgist Ottoline", "--apply", "--yes"])
        .mentions("1 row(s)")
        .mentions("The words were not found")
        .exits(0);
    home.run(["facts", "list"]).mentions("a dog").hides("a cat");
}

/// What a fact said that is too short to be known by itself goes with the fact, is told, and keeps nothing longer from
/// going.
#[test]
fn a_fact_that_once_said_little_is_forgotten_by_its_number() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "ab"]).exits(0);
    home.run(["facts", "update", "1", "--text", "Quuxington moors at pier nine"]).exits(0);
    home.run(["facts", "update", "1", "--text", "\u{1f642}\u{1f642}\u{1f642}\u{1f642}"]).exits(0);
    home.run(["remember", "Quuxington moors at pier nine"]).exits(0);
    home.run(["facts", "add", "bc"]).exits(0);
    let short = |run: inwit_testkit::cli::Run| run.exits(0).json()["tooShort"].clone();
    let plan = short(home.run(["forget", "--everywhere", "--fact", "1", "--json"]));
    assert_eq!(
        plan,
        serde_json::json!([{ "version": 1, "text": "ab" }, { "version": 3, "text": "\u{1f642}\u{1f642}\u{1f642}\u{1f642}" }])
    );
    home.run(["forget", "--everywhere", "--fact", "1"])
        .mentions("fact: 1")
        .mentions("version 1, 3 of the fact");
    let done = short(home.run(["forget", "--everywhere", "--fact", "1", "--apply", "--yes", "--json"]));
    assert_eq!(done, serde_json::json!([{ "version": 1 }, { "version": 3 }]), "a deed repeats no word");
    home.run(["facts", "list"]).mentions("bc").hides("\u{1f642}");
    home.run(["show", "MEMORY.md"]).hides("Quuxington");
    // One that says nothing longer goes by its number alone.
    home.run(["forget", "--everywhere", "--fact", "2", "--apply", "--yes"])
        .mentions("Erased: 1 fact(s)")
        .mentions("version 1 of the fact")
        .exits(0);
    home.run(["facts", "list"]).hides("bc");
}

/// Settings are looked through as the rest is: the plan names the file and how words get out of it.
#[test]
fn words_in_settings_are_named_and_stay() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["config", "set", "judge.guidance", &format!("Never speak of the {CANARY}")]).exits(0);
    let agent = home.home("inwit/agents/main/agent.toml");
    let mut own = std::fs::read(&agent).unwrap_or_default();
    own.extend_from_slice(format!("\n# {CANARY}\n").as_bytes());
    leave(&agent, &own);
    let paths = stands_anywhere(&home);
    for file in ["config.toml", "agent.toml"] {
        assert!(paths.iter().any(|path| path.ends_with(file)), "{file}: {paths:#?}");
    }
    let plan = home.run(["forget", "--everywhere", CANARY, "--json"]).exits(0).json();
    let named = |place: &&serde_json::Value| place["kind"] == "settings" && place["fate"] == "stays";
    let places: Vec<_> = plan["places"].as_array().expect("places").iter().filter(named).collect();
    assert_eq!(places.len(), 2, "{plan:#}");
    assert!(
        places.iter().all(|place| place["hint"].as_str().is_some_and(|hint| hint.contains("config set")))
    );
    home.run(["forget", "--everywhere", CANARY])
        .mentions("config.toml is not changed")
        .hides("were not found");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("config.toml is not changed")
        .mentions("found: ")
        .exits(1);
}

/// Terms know no signs, so those of a text that says other words are no words that are left over.
#[test]
fn what_no_row_says_is_not_found_among_the_terms_of_one_that_stands() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "read https://x.example/brontosaur-kumquat first"]).exits(0);
    home.run(["facts", "add", "Brontosaur Kumquat is a friend"]).exits(0);
    let words = ["forget", "--everywhere", "Brontosaur Kumquat", "--apply", "--yes"];
    home.run(words).mentions("Erased: 1 fact(s)").mentions("The words were not found").exits(0);
    home.run(["forget", "--check", "Brontosaur Kumquat"]).exits(0);
    home.run(["forget", "--everywhere", "Brontosaur Kumquat"]).mentions("words were not found");
    home.run(["facts", "list"]).mentions("brontosaur-kumquat").hides("friend");
}

/// A place that cannot be looked through is told by a purge, and not passed over as one without the words.
#[test]
fn a_purge_tells_what_it_could_not_look_through() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    for fact in ["Ana moors at pier nine", "Bo moors at pier ten"] {
        home.run(["facts", "add", fact]).exits(0);
    }
    leave(&home.home("inwit/agents/main/transcripts"), b"no folder");
    home.run(["facts", "purge", "1", "--yes"])
        .mentions("from memory.db")
        .mentions("note: The fact was deleted, but not every place could be searched")
        .exits(0);
    let purged = home.run(["facts", "purge", "2", "--yes", "--json"]).exits(0).json();
    assert_eq!(purged["notices"][0]["code"], "words_unsought", "{purged:#}");
}
