//! A word that is in every channel there is: it is found in each of them, forgotten, and found nowhere.
//!
//! A channel that the look does not know would pass for clean, so each one is seen with the word in it first.

use inwit_model::Sha256;
use inwit_testkit::Cli;

use super::{CANARY, add, approving, stands, workspace};
use crate::newcomer;

const SESSION: &str = "9f0d2c1a-0000-4000-8000-000000000001";

/// The look finds the canary in every channel, so that finding nothing afterwards says something.
/// Proves M82, X10.
#[test]
fn a_word_that_went_everywhere_is_forgotten_everywhere() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = telling();
    let notes = std::fs::read_to_string(workspace(&home, "MEMORY.md")).expect("read");
    let passage = notes.lines().find(|line| line.contains("likes figs")).expect("remembered").to_owned();
    let (memory, asked) = (["memory.db", "memory.db-wal"], [format!("backups/{ASKED}")]);
    let asked = asked.each_ref().map(String::as_str);
    assert!(holds_hash(&home, &memory, &passage), "it was rated");
    assert!(holds_hash(&home, &asked, "quokka") && holds_hash(&home, &memory, "quokka"), "it was asked");
    let (paths, hows) = stands(&home, 1);
    for channel in [
        "workspace/MEMORY.md",
        "workspace/USER.md",
        "workspace/HEARTBEAT.md",
        "workspace/DREAMS.md",
        "ABCDEFG.md",
        ".~inwit-0a0a0a.tmp",
        "memory.db",
        "transcripts.db",
        "index.db",
        "past-index.db",
        "history.git",
        "memory-20261120T101010Z.db",
        &format!("{SESSION}.jsonl"),
    ] {
        assert!(paths.iter().any(|path| path.ends_with(channel)), "{channel}: {paths:#?}");
    }
    assert!(paths.iter().any(|path| path.contains("workspace/memory/20")), "the log: {paths:#?}");
    for table in [
        "table memories,", "table memories_fts, as terms", "table memory_versions,",
        "table memory_versions_fts, as terms", "table proposals", "table sessions,", "table prefixes",
        "table user_profile", "table entries, as terms", "in object ",
    ] {
        assert!(hows.iter().any(|how| how.contains(table)), "{table}: {hows:#?}");
    }
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history"])
        .mentions("file: MEMORY.md")
        .mentions(&format!("  {passage}"))
        .mentions("  - Owns **Zorblaxian** [quokka]")
        .mentions("  > a Zorblaxian > quokka _4711_")
        .mentions(&format!("Feed the {CANARY}!"))
        .mentions("history: commits")
        .mentions("stays              1  other: pets.json")
        .mentions("Use --apply");
    std::fs::remove_file(workspace(&home, "pets.json")).expect("taken out by hand");
    let plan = home.run(["forget", "--everywhere", CANARY, "--json"]).json();
    let places = plan["places"].as_array().expect("places");
    let shows = |kind: &str, name: &str| {
        let place = places.iter().find(|place| place["kind"] == kind && place["name"] == name);
        place.expect("a place")["shows"].clone()
    };
    let line = 1 + notes.lines().position(|line| line == passage).expect("a line");
    let quoted = shows("file", "MEMORY.md").as_array().expect("lines").iter().any(|shown| {
        shown["line"] == line && shown["text"].as_str().is_some_and(|text| text.contains("likes figs"))
    });
    assert!(quoted, "{plan:#}");
    assert_eq!(shows("memory.db", "user_profile")[0]["text"], CANARY);
    assert!(shows("history", "commits").is_null(), "counted");
    let after = stands(&home, 1).0;
    assert!(
        paths.iter().all(|path| after.contains(path) || path.ends_with("pets.json")),
        "a plan changes nothing"
    );
    home.run(["forget", "--everywhere", CANARY, "--apply"]).exits(5).mentions("Confirmation required");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"])
        .mentions("The words were not found")
        .exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    assert!(!holds_hash(&home, &memory, &passage) && !holds_hash(&home, &memory, "quokka"));
    assert!(!holds_hash(&home, &asked, "quokka"), "copies too");
    // Whose words they were went too, and what was said around them is read as before.
    home.run(["session", "show", SESSION]).exits(0).mentions("fed").hides("Zorblax");
    home.run(["show", "USER.md"]).hides("zoo.example").hides("&#107;");
    home.run(["show", "HEARTBEAT.md"]).hides("_4711_");
    home.run(["history", "audit", "verify"]).mentions("The audit log is intact");
    home.run(["history", "audit", "show"])
        .mentions("forget_everywhere")
        .mentions("fact_purge")
        .hides("quokka");
    home.run(["show", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
    home.run(["facts", "list"]).mentions("nobody lives in the shed");
    // Nothing brings it back: neither what is derived, nor a dream, nor history, nor an agent that heard it elsewhere.
    home.run(["index", "rebuild"]).exits(0);
    home.run(["search", "quokka"]).hides("Zorblax");
    home.run(["dream"]).exits(0);
    home.run(["doctor"]).exits(0);
    // It waits like anything else, and goes nowhere.
    let said = format!("A {} again", CANARY.to_lowercase());
    let waits = home.run(["remember", "--as", "agent", &said, "--json"]).exits(0).json();
    approving(&home, &waits).exits(5).mentions("words that were erased");
    home.run(["forget", "--everywhere", "--again", "--rewrite-history", "--apply", "--yes"]).exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    let log = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    let commits = log["commits"].as_array().expect("commits");
    for commit in commits {
        let at = commit["revision"].as_str().expect("an id");
        home.run(["history", "show", at, "MEMORY.md"]).hides("quokka");
    }
    assert_eq!(stands(&home, 0), Default::default());
}

/// A person whose whole life with the agent knows the canary.
fn telling() -> Cli {
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["remember", "--as", "agent", &format!("The {CANARY} bites")]).exits(0);
    home.run(["journal", "add", &format!("Saw the {CANARY} today")]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    home.run(["facts", "update", "1", "--text", "nobody lives in the shed"]).exits(0);
    home.run(["facts", "add", &format!("the {CANARY} is forgotten")]).exits(0);
    home.run(["facts", "forget", "2"]).exits(0);
    home.run(["facts", "add", &format!("the {CANARY} eats at noon")]).exits(0);
    home.run(["facts", "profile", "set", "pet", CANARY]).exits(0);
    let start = format!(r#"{{"session":"{SESSION}","surface":"{CANARY}"}}"#);
    home.run(["session", "start", "--input", &start]).exits(0);
    let turn = format!(
        r#"{{"session":"{SESSION}","key":"one","user":{{"name":"{CANARY}","text":"Feed the {CANARY}!"}},"tools":[{{"name":"{CANARY}","text":"fed"}}],"assistant":"The {CANARY} is fed."}}"#
    );
    home.run(["session", "turn", "--input", &turn]).exits(0);
    // By hand, where an editor and a sync tool leave copies, and where a write was killed.
    add(&home, "USER.md", &format!("\n- Keeps a {CANARY}.\n"));
    // As a reader sees the same words.
    add(&home, "USER.md", "\n- Owns **Zorblaxian** [quokka](https://zoo.example) 47\u{ad}11.\n");
    add(&home, "USER.md", "\n- Loves Zorblaxian&nbsp;quok&#107;a 4711.\n");
    add(&home, "HEARTBEAT.md", &format!("\n- [ ] Feed the {CANARY}\n"));
    add(&home, "HEARTBEAT.md", "\n> a Zorblaxian\n> quokka _4711_\n");
    add(&home, "DREAMS.md", &format!("\n- Dreamed of a {CANARY}.\n"));
    add(&home, "MEMORY.sync-conflict-20261120-101010-ABCDEFG.md", &format!("- {CANARY}\n"));
    add(&home, ".~inwit-0a0a0a.tmp", &format!("- {CANARY}\n"));
    home.run(["search", "likes figs"]).mentions("quokka");
    home.run(["learn", "feedback", "1", "--useful"]).mentions("likes figs");
    home.run(["learn", "feedback", "1", "--useless", "--outcome", &format!("fed the {CANARY}")]).exits(0);
    home.run(["search", "quokka"]).mentions("quokka");
    let log = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    let then = log["commits"][0]["at"].as_str().expect("a moment").to_owned();
    home.run(["remember", "Ana likes oat bread"]).exits(0);
    home.run(["search", "quokka", "--as-of", &then]).mentions("quokka");
    home.run(["session", "search", "quokka"]).exits(0);
    // A copy of memory.db, as one is made each hour.
    home.run(["backup", "kept"]).mentions("were copied");
    let copies = home.home("inwit/agents/main/backups");
    std::fs::create_dir_all(&copies).expect("a folder");
    std::fs::copy(home.work("kept/home/memory.db"), copies.join("memory-20261120T101010Z.db"))
        .expect("copied");
    // One that knows no more of it than the hash of a question.
    let other = newcomer();
    other.run(["init", "--timezone", "UTC"]).exits(0);
    other.run(["remember", "A quokka sleeps"]).exits(0);
    other.run(["search", "quokka"]).mentions("sleeps");
    other.run(["backup", "kept"]).mentions("were copied");
    std::fs::copy(other.work("kept/home/memory.db"), copies.join(ASKED)).expect("copied");
    // No notes, and not written as notes are.
    add(&home, "pets.json", &format!("{{\"pet\":\"{CANARY}\"}}\n"));
    home
}

/// A copy of memory.db that holds the hash of a question.
const ASKED: &str = "memory-20261119T101010Z.db";

/// Whether one of these files of the home holds the hash of a text.
fn holds_hash(home: &Cli, names: &[&str], text: &str) -> bool {
    let Sha256(hash) = Sha256::of(text.as_bytes());
    names.iter().any(|name| {
        let bytes = std::fs::read(home.home("inwit/agents/main").join(name)).unwrap_or_default();
        bytes.windows(hash.len()).any(|part| part == hash)
    })
}

/// An undo puts bytes into a file that were kept before the words were forgotten: the line went whole from the file,
/// so no part of it comes back.
#[test]
fn an_undo_after_it_brings_no_part_of_the_line_back() {
    // Without git, the bytes are kept beside their receipts.
    let home = newcomer().env("PATH", "/nowhere");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    for text in [
        "- Likes rye.\n- The safe opens with swordfish on Fridays.\n- Last line.\n",
        "- Likes rye.\n- Another edit.\n",
    ] {
        home.run_with(["edit", "MEMORY.md", "--content-from", "-"], text).exits(0);
    }
    home.run(["forget", "--everywhere", "opens with swordfish", "--apply", "--yes"]).mentions("1 row(s)");
    home.run(["undo"]).mentions("+- Last line.").hides("The safe").hides("[forgotten]");
    home.run(["show", "MEMORY.md"])
        .mentions("- Likes rye.\n- Last line.")
        .hides("Fridays")
        .hides("[forgotten]");
}
