//! `inwit forget`: a word is pushed through every channel there is, found in each of them, forgotten, and found
//! nowhere.

use std::collections::BTreeSet;
use std::path::PathBuf;

use inwit_model::{Scope, Sha256};
use inwit_store::{Embeddings as _, ModelKey, SetKey, TextKey};
use inwit_store_sqlite::SqliteEmbeddings;
use inwit_testkit::server::{Reply, Server};
use inwit_testkit::{Cli, fixture};

use crate::{newcomer, user_of_a_shell};

/// What goes through every channel.
const CANARY: &str = "Zorblaxian quokka 4711";

const SESSION: &str = "9f0d2c1a-0000-4000-8000-000000000001";

fn workspace(home: &Cli, name: &str) -> PathBuf {
    home.home("inwit/agents/main/workspace").join(name)
}

fn add(home: &Cli, name: &str, text: &str) {
    let mut bytes = std::fs::read(workspace(home, name)).unwrap_or_default();
    bytes.extend_from_slice(text.as_bytes());
    fixture::put(&workspace(home, ""), name, &bytes);
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
    home.run(["profile", "set", "pet", CANARY]).exits(0);
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
    home.run(["feedback", "1", "--useful"]).mentions("likes figs");
    home.run(["feedback", "1", "--useless", "--outcome", &format!("fed the {CANARY}")]).exits(0);
    home.run(["search", "quokka"]).mentions("quokka");
    let log = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    let then = log["commits"][0]["at"].as_str().expect("a moment").to_owned();
    home.run(["remember", "Ana likes oat bread"]).exits(0);
    home.run(["search", "quokka", "--as-of", &then]).mentions("quokka");
    home.run(["transcript", "search", "quokka"]).exits(0);
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

/// Where a look finds the canary, by the ends of paths.
fn stands(home: &Cli, status: i32) -> (BTreeSet<String>, BTreeSet<String>) {
    let look = home.run(["forget", "--check", CANARY, "--json"]).exits(status).json();
    let all = look["stands"].as_array().expect("places").iter();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let pairs: Vec<(String, String)> = all.map(|place| (text(&place["path"]), text(&place["how"]))).collect();
    assert_eq!(look["missed"].as_array().map(Vec::len), Some(0), "{look:#}");
    pairs.into_iter().unzip()
}

/// Whether one of these files of the home holds the hash of a text.
fn holds_hash(home: &Cli, names: &[&str], text: &str) -> bool {
    let Sha256(hash) = Sha256::of(text.as_bytes());
    names.iter().any(|name| {
        let bytes = std::fs::read(home.home("inwit/agents/main").join(name)).unwrap_or_default();
        bytes.windows(hash.len()).any(|part| part == hash)
    })
}

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
        "table memories,",
        "table memories_fts, as terms",
        "table memory_versions,",
        "table memory_versions_fts, as terms",
        "table proposals",
        "table sessions,",
        "table prefixes",
        "table user_profile",
        "table entries, as terms",
        "in object ",
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
        .mentions("stays          1  other: pets.json")
        .mentions("with --apply");
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
    home.run(["forget", "--everywhere", CANARY, "--apply"]).exits(5).mentions("Nobody confirmed it");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"])
        .mentions("The words stand nowhere")
        .exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    assert!(!holds_hash(&home, &memory, &passage) && !holds_hash(&home, &memory, "quokka"));
    assert!(!holds_hash(&home, &asked, "quokka"), "copies too");
    // Whose words they were went too, and what was said around them is read as before.
    home.run(["transcript", "show", SESSION]).exits(0).mentions("fed").hides("Zorblax");
    home.run(["get", "USER.md"]).hides("zoo.example").hides("&#107;");
    home.run(["get", "HEARTBEAT.md"]).hides("_4711_");
    home.run(["audit", "verify"]).mentions("The record holds");
    home.run(["audit", "show"]).mentions("forget_everywhere").mentions("fact_purge").hides("quokka");
    home.run(["get", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
    home.run(["facts", "list"]).mentions("nobody lives in the shed");
    // Nothing brings it back: neither what is derived, nor a dream, nor history, nor an agent that heard it elsewhere.
    home.run(["index", "rebuild"]).exits(0);
    home.run(["search", "quokka"]).hides("Zorblax");
    home.run(["dream"]).exits(0);
    home.run(["doctor"]).exits(0);
    // It waits like anything else, and goes nowhere.
    let said = format!("A {} again", CANARY.to_lowercase());
    let waits = home.run(["remember", "--as", "agent", &said, "--json"]).exits(0).json();
    approving(&home, &waits).exits(5).mentions("forgotten for good");
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

/// The owner looks at what waits and approves it.
fn approving(home: &Cli, waits: &serde_json::Value) -> inwit_testkit::cli::Run {
    let id = waits["proposal"].as_str().or(waits["id"].as_str()).expect("it waits").to_owned();
    let shown = home.run(["inbox", "show", &id, "--json"]).json();
    let digits = shown["confirm"].as_str().expect("digits").to_owned();
    home.run(["inbox", "approve", &id, "--confirm", &digits])
}

/// Who guesses gets one answer, whether the owner forgot it or not: an agent and a room, of notes and of facts. What they
/// say waits like anything else, and the owner is told at approval. Of the page of a room nobody learns what was rejected.
#[test]
fn nobody_but_the_owner_can_ask_what_was_forgotten_or_rejected() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "We play chess", "--file", "rooms/kitchen.md"]).exits(0);
    home.run(["facts", "add", "Ana sails a zorblax"]).exits(0);
    home.run(["forget", "--everywhere", "sails a zorblax", "--apply", "--yes"]).exits(0);
    let shape = |answer: &serde_json::Value| {
        let answer = answer.as_object().expect("an answer").iter();
        let told = answer.filter(|(key, _)| !matches!(key.as_str(), "proposal" | "id" | "notices"));
        told.map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
    };
    let kitchen: &[&str] = &["--file", "rooms/kitchen.md"];
    for (verb, place) in [(&["remember"][..], kitchen), (&["remember"], &[]), (&["facts", "add"], &[])] {
        let say = |text: &str| {
            let words = [verb, &[text, "--as", "agent", "--json"], place].concat();
            home.run_words(&words).exits(0).json()
        };
        let (forgotten, other) = (say("Ana sails a zorblax"), say("Ana sails a dinghy"));
        assert_eq!(shape(&forgotten), shape(&other), "{verb:?}");
        approving(&home, &forgotten).exits(5).mentions("forgotten for good");
        if place.is_empty() {
            continue;
        }
        let rejected = forgotten["proposal"].as_str().or(forgotten["id"].as_str()).expect("it waits");
        home.run(["inbox", "reject", rejected]).exits(0);
        assert_eq!(shape(&say("Ana sails a zorblax")), shape(&other), "a guess at what was rejected");
    }
    home.run(["get", "rooms/kitchen.md"]).hides("zorblax");
    home.run(["facts", "list"]).hides("zorblax");
}

/// Without a rewritten history it keeps them and says so; what an undo would bring back is refused.
#[test]
fn a_history_that_is_not_rewritten_keeps_the_words_and_gives_them_to_no_file() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    let earlier = home.run(["history", "log", "MEMORY.md", "--json"]).json();
    let earlier = earlier["commits"][0]["revision"].as_str().expect("a revision").to_owned();
    home.run(["forget", "--everywhere", "--line", "MEMORY.md:9", "--json"])
        .mentions("\"fate\": \"stays\"")
        .mentions("\"applied\": false");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("history keeps them")
        .mentions("history.git")
        .exits(1);
    home.run(["history", "restore", "MEMORY.md", "--at", &earlier, "--json"])
        .exits(5)
        .mentions("forgotten_text");
    home.run(["undo", "--json"]).exits(5).mentions("forgotten_text");
    home.run(["get", "MEMORY.md"]).hides("quokka");
    // The owner's own word is a word.
    home.run(["remember", &format!("{CANARY} is back")]).mentions("Wrote");
    let short = home.run(["forget", "--everywhere", "ab", "--json"]).exits(2).json_error();
    assert_eq!(short["error"]["code"], "usage_bad");
}

/// A note that inwit never writes stands in nothing's way; it is told, and the status says that words are left.
#[test]
fn a_file_that_inwit_never_writes_stays_and_all_else_goes() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    home.run(["facts", "add", "Ana likes Chrome"]).exits(0);
    add(&home, "notes.md", &format!("- {CANARY}\n"));
    // Left by a run that was killed.
    fixture::put(&home.home("inwit/agents/main/backups/.forgetting"), "memory.db", CANARY.as_bytes());
    home.run(["forget", "--everywhere", CANARY]).mentions("stays          1  file: notes.md");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("notes.md, so its lines stay")
        .mentions("stands: ")
        .exits(1);
    home.run(["get", "MEMORY.md"]).hides("quokka");
    home.run(["facts", "list"]).hides("quokka").mentions("Ana likes Chrome");
    assert!(!home.home("inwit/agents/main/backups/.forgetting").exists());
    std::fs::remove_file(workspace(&home, "notes.md")).expect("removed");
    // What machines wrote is told and takes nothing with it; a part of a word is no word.
    for (words, status) in [("main", 1), ("settled", 1), ("agent", 1), ("Chro", 0)] {
        let run = home.run(["forget", "--everywhere", words, "--apply", "--yes"]);
        run.mentions("Forgotten: 0 fact(s)").exits(status);
    }
    home.run(["facts", "list"]).exits(0).mentions("Ana likes Chrome");
}

/// The record is never altered, so nothing goes into it by which a guess at a short text could be tried.
#[test]
fn the_record_has_no_hash_of_what_a_fact_or_a_proposal_says() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "her PIN is 4471"]).exits(0);
    home.run(["facts", "add", "her PIN is 4472", "--as", "agent"]).exits(0);
    home.run(["facts", "purge", "1", "--yes"]).exits(0);
    let rows = home.run(["audit", "show", "--json"]).stdout();
    let is_hex = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let chain: Vec<serde_json::Value> =
        serde_json::from_str::<serde_json::Value>(&rows).expect("JSON")["rows"]
            .as_array()
            .expect("rows")
            .clone();
    assert!(chain.len() >= 4, "{rows}");
    for row in &chain {
        let detail = row["detail"].to_string();
        let hashes: Vec<&str> = detail.split(|c: char| !c.is_ascii_alphanumeric()).filter(is_hex).collect();
        let is_of_facts =
            matches!(row["verb"].as_str(), Some("propose" | "fact_add" | "fact_purge" | "memory_removed"));
        assert!(!is_of_facts || hashes.is_empty(), "{row}");
    }
}

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
        home.run(["audit", "verify"]).mentions("The record holds");
        home.run(["get", "MEMORY.md"]).mentions("Ana likes rye bread").hides("quokka");
        home.run(["facts", "list"]).mentions("Bo bakes").hides("quokka");
        home.run(["doctor"]).exits(0);
        assert_eq!(stands(home, 0), Default::default());
        let said = format!("A {CANARY} again");
        let waits = home.run(["remember", "--as", "agent", &said, "--json"]).exits(0).json();
        approving(home, &waits).exits(5).mentions("forgotten for good");
        home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
        assert_eq!(stands(home, 0), Default::default());
    };
    home.run(["restore", "before", "--force"])
        .mentions("had been forgotten for good")
        .mentions("holds them still")
        .exits(0);
    back(&home);
    // Everything of the agent is gone, what gave way to the backup too.
    for entry in std::fs::read_dir(home.home("inwit/agents")).expect("agents").flatten() {
        std::fs::remove_dir_all(entry.path()).expect("wiped");
    }
    let told = home.run(["restore", "before", "--json"]).exits(0).json();
    assert!(told["forgottenAgain"].as_u64() >= Some(1), "{told}");
    back(&home);
    home.run(["forget", "--everywhere", "--again"]).mentions("Nothing that was forgotten");
    home.run(["remember", &format!("{CANARY} is back")]).mentions("Wrote");
    home.run(["backup", "afterwards"]).mentions("were copied");
    home.run(["restore", "afterwards", "--force"]).hides("had been forgotten").exits(0);
    home.run(["get", "MEMORY.md"]).mentions(&format!("{CANARY} is back"));
    home.run(["forget", "--everywhere", "--again"]).mentions("is back").mentions("with --apply");
    // The home that gave way was made with them; whoever asks for all means it too.
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"]).exits(0);
    home.run(["get", "MEMORY.md"]).hides("quokka");
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
    home.run(["forget", "--everywhere", "--again"]).mentions("Nothing that was forgotten");
    home.run(["restore", "anew", "--force"]).hides("had been forgotten").exits(0);
    home.run(["get", "MEMORY.md"]).mentions(&format!("{CANARY} is back"));
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
    home.run(["restore", "before", "--agent", "other"]).mentions("had been forgotten for good").exits(0);
    home.run(["get", "MEMORY.md", "--agent", "other"]).mentions("Ana likes rye bread").hides("quokka");
}

/// Only the vectors of what went go; the file holds no byte of them.
#[test]
fn vectors_of_others_stay_and_those_of_the_words_are_gone_to_the_byte() {
    let answer = r#"{"embeddings":[[0.5,0.5,0.5,0.5],[0.5,-0.5,0.5,-0.5]]}"#;
    let server = Server::answering(vec![Reply::good(answer)]);
    let home = newcomer()
        .write("work/notes/MEMORY.md", &format!("- The cat sleeps.\n- The {CANARY} bites.\n"))
        .env("EMBEDDING_PROVIDER", "ollama")
        .env("INWIT_EMBEDDING_URL", &server.url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_DIMENSION", "4");
    home.run(["index", "embed", "-w", "notes"]).mentions("2 passages got a vector by tiny");
    let agents = std::fs::read_dir(home.home("inwit/agents")).expect("agents").flatten();
    let path =
        agents.map(|entry| entry.path().join("embeddings.db")).find(|path| path.is_file()).expect("a cache");
    let holds = |vector: [f32; 4]| {
        let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
        let end = path.with_extension("db-wal");
        let files = [std::fs::read(&path).expect("read"), std::fs::read(end).unwrap_or_default()];
        files.iter().any(|file| file.windows(bytes.len()).any(|part| part == bytes))
    };
    let both = [[0.5, 0.5, 0.5, 0.5], [0.5, -0.5, 0.5, -0.5]];
    assert_eq!(both.map(holds), [true, true]);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes", "-w", "notes"]).mentions("Forgotten");
    assert_eq!(both.map(holds).iter().filter(|holds| **holds).count(), 1);
    let model = ModelKey { name: "tiny".to_owned(), dimension: 4 };
    let mut vectors = SqliteEmbeddings::open(&path).expect("the cache").0;
    let cat = TextKey::of(&SetKey::of(&Scope::Main), "The cat sleeps.");
    assert_eq!(vectors.missing(&model, &[cat]).expect("asked"), []);
    assert_eq!(vectors.counts(&model).expect("counted").embedded, 1);
}

/// The guide, as it stands, line by line.
#[test]
fn every_line_of_the_guide_to_forgetting_runs_and_says_something() {
    if !inwit_testkit::has_git() {
        return;
    }
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/forgetting.md");
    let page = std::fs::read_to_string(page).expect("the guide");
    let programs = std::path::Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").display();
    let home = user_of_a_shell().env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
    let lines =
        page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).flat_map(str::lines);
    let mut count = 0;
    for line in lines {
        let run = home.run(["-ec", line]).exits(0);
        assert!(!run.stdout().is_empty(), "`{line}` says nothing: {}", run.stderr());
        count += 1;
    }
    assert!(count >= 10, "the guide shows plan, deed and proof: {count}");
}

/// A backup brings back no word that only its case tells from what was forgotten.
#[test]
fn words_in_another_case_stay_forgotten_when_a_backup_comes_back() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", "Ο ΠΑΥΛΟΣ ΜΕΝΕΙ στην Πάτρα"]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", "Ο παυλος", "--apply", "--yes"])
        .mentions("Forgotten: 1 fact(s)")
        .exits(0);
    home.run(["restore", "before", "--force"]).mentions("had been forgotten for good").exits(0);
    home.run(["facts", "list"]).hides("ΠΑΥΛΟΣ");
}

/// Two at once wait for one another: neither takes away what the other one works on.
#[test]
fn two_that_forget_at_once_do_not_meet() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    for number in 0..12 {
        home.run(["facts", "add", &format!("{CANARY} number {number}")]).exits(0);
    }
    home.run(["backup", "kept"]).mentions("were copied");
    let copies = home.home("inwit/agents/main/backups");
    for folder in [&copies, &copies.join(".forgetting")] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    for number in 0..3 {
        std::fs::copy(
            home.work("kept/home/memory.db"),
            copies.join(format!("memory-2026112{number}T101010Z.db")),
        )
        .expect("copied");
    }
    // Left by a run that was killed.
    fixture::put(&copies.join(".forgetting"), "clean.db", CANARY.as_bytes());
    for run in home.run_at_once(2, ["forget", "--everywhere", CANARY, "--apply", "--yes"]) {
        if run.stderr().is_empty() {
            run.mentions("The words stand nowhere").exits(0);
        } else {
            run.mentions("Another process is forgetting words of this agent for good").exits(LOCKED);
        }
    }
    assert!(!copies.join(".forgetting").exists());
    assert_eq!(stands(&home, 0), Default::default());
}

/// The exit status of what another process holds up.
const LOCKED: i32 = 6;

/// Who does not get a turn is told who has it, and nothing was done.
#[test]
fn who_forgets_while_another_one_does_is_refused() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    let deed = home.home("inwit/agents/main").canonicalize().expect("a home").join("forgetting");
    let turns = inwit_workspace::LockFolder::for_workspace(&home.home(".local/state/inwit"), &deed);
    let held = turns.write(&inwit_workspace::RealStopwatch).expect("a turn");
    let forget = || home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"]);
    forget().mentions("Another process is forgetting words of this agent for good").exits(LOCKED);
    home.run(["facts", "list"]).mentions(CANARY);
    home.run(["forget", "--everywhere", CANARY]).mentions("with --apply");
    drop(held);
    forget().mentions("The words stand nowhere").exits(0);
}

/// That history is rewritten is said of a text and of no other one: what comes back with a backup goes from history
/// where it was said, and stays in it where it was not.
#[test]
fn a_rewritten_history_is_said_of_one_text_and_counts_for_no_other() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["remember", "Ana moors at pier forty-two"]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", "pier forty-two", "--apply", "--yes"])
        .mentions("history keeps them")
        .exits(1);
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    // Nowhere but in history, of this home or of one that gave way.
    let in_history = |words: &str, status: i32| {
        let look = home.run(["forget", "--check", words, "--json"]).exits(status).json();
        let stands = look["stands"].as_array().expect("places").iter();
        let paths: Vec<&str> = stands.map(|place| place["path"].as_str().expect("a path")).collect();
        assert!(paths.iter().all(|path| path.ends_with("history.git")), "{words}: {paths:#?}");
        paths.iter().any(|path| path.ends_with("agents/main/history.git"))
    };
    let agrees = || {
        assert!(!in_history(CANARY, 0), "it was said of it");
        assert!(in_history("pier forty-two", 1), "it was never said of it");
    };
    agrees();
    home.run(["restore", "before", "--force"]).mentions("had been forgotten for good").exits(0);
    agrees();
    // What is taken away once more is told apart too.
    add(&home, "MEMORY.md", &format!("\n- {CANARY} is back\n- so is pier forty-two\n"));
    home.run(["history", "log"]).exits(0);
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
        .mentions("history keeps them")
        .exits(1);
    agrees();
    home.run(["get", "MEMORY.md"]).hides("quokka").hides("pier");
}

/// Said of all texts of a file by an earlier version, it is a guess which was meant: none is taken out, and it is told.
#[test]
fn a_register_of_before_rewrites_no_history_by_a_guess_and_says_so() {
    if !inwit_testkit::has_git() {
        return;
    }
    let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "before"]).mentions("were copied");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"]).exits(0);
    let folder = home.home(".local/state/inwit/forgotten");
    let register = std::fs::read_dir(&folder).expect("registers").flatten().next().expect("one").path();
    let text = std::fs::read_to_string(&register).expect("read");
    let mut old: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    old["version"] = 1.into();
    old["history"] = true.into();
    for stone in old["stones"].as_array_mut().expect("stones") {
        stone.as_object_mut().expect("a stone").remove("history");
    }
    leave(&register, old.to_string().as_bytes());
    home.run(["restore", "before", "--force"])
        .mentions("had been forgotten for good")
        .mentions("note: history holds 1 forgotten text(s)")
        .exits(0);
    home.run(["get", "MEMORY.md"]).hides("quokka");
    home.run(["forget", "--everywhere", "--again"]).mentions("--again --rewrite-history --apply").exits(0);
    home.run(["forget", "--everywhere", "--again", "--rewrite-history", "--apply", "--yes"]).exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    home.run(["forget", "--everywhere", "--again"]).hides("note: history holds");
}

/// Writes a file that the program is to find there.
#[expect(clippy::disallowed_methods, reason = "a test leaves what another program would")]
fn leave(path: &std::path::Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("written");
}

/// A home that gave way to a backup and a damaged memory.db are in the plan, and the look finds nothing in them
/// afterwards.
#[test]
fn what_lies_aside_is_in_the_plan_and_is_gone_through() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    home.run(["restore", "kept", "--force"]).mentions("What was there before is in").exits(0);
    // As doctor leaves one: with pages that are none, and the words in others.
    let agent = home.home("inwit/agents/main");
    let mut damaged = std::fs::read(home.work("kept/home/memory.db")).expect("read");
    damaged[100..400].fill(0xa5);
    leave(&agent.join("memory.db.damaged-20261120T101010Z"), &damaged);
    leave(&agent.join("memory.db.damaged-20261120T101010Z-wal"), b"");
    let paths = stands_anywhere(&home);
    for aside in ["main.before-", "memory.db.damaged-"] {
        assert!(paths.iter().any(|path| path.contains(aside)), "{aside}: {paths:#?}");
    }
    let plan = home.run(["forget", "--everywhere", CANARY, "--json"]).json();
    let fate = |begins: &str| {
        let mut places = plan["places"].as_array().expect("places").iter();
        let place = places.find(|place| {
            place["kind"] == "aside" && place["name"].as_str().is_some_and(|name| name.starts_with(begins))
        });
        place.unwrap_or_else(|| panic!("{begins}: {plan:#}"))["fate"].clone()
    };
    assert_eq!((fate("main.before-"), fate("memory.db.damaged-")), ("rewritten".into(), "goes".into()));
    assert_eq!(stands_anywhere(&home), paths, "a plan changes nothing");
    home.run(["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"])
        .mentions("The words stand nowhere")
        .exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    let aside = std::fs::read_dir(home.home("inwit/agents")).expect("agents").flatten();
    let aside = aside.map(|entry| entry.path()).find(|path| path.display().to_string().contains(".before-"));
    let notes = aside.expect("a home that gave way").join("workspace/MEMORY.md");
    let notes = std::fs::read_to_string(notes).expect("read");
    assert!(notes.contains("Ana likes rye bread") && !notes.contains("quokka"), "{notes}");
}

/// Where a look finds the canary, whatever it could not look into.
fn stands_anywhere(home: &Cli) -> BTreeSet<String> {
    let look = home.run(["forget", "--check", CANARY, "--json"]).exits(1).json();
    let all = look["stands"].as_array().expect("places").iter();
    all.map(|place| place["path"].as_str().expect("a path").to_owned()).collect()
}

/// A deed that was cut short is told by whatever is asked next, and the next deed brings it to its end, though it knows
/// the words by their hashes alone: where the notes have lost them and a copy has not, too.
#[test]
fn a_deed_that_was_cut_short_is_told_and_brought_to_its_end() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["remember", "Ana likes rye bread"]).exits(0);
    home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
    home.run(["backup", "kept"]).mentions("were copied");
    let copies = home.home("inwit/agents/main/backups");
    std::fs::create_dir_all(&copies).expect("a folder");
    let copy = copies.join("memory-20261120T101010Z.db");
    std::fs::copy(home.work("kept/home/memory.db"), &copy).expect("copied");
    // A file in the place of its workshop stops it where the notes are done and the copies are not.
    leave(&copies.join(".forgetting"), b"");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("a part of it may be done")
        .mentions("--again --apply` brings it to its end")
        .hides("Nothing was")
        .exits(1);
    home.run(["get", "MEMORY.md"]).hides("quokka");
    let paths = stands_anywhere(&home);
    assert!(paths.iter().any(|path| path.ends_with("memory-20261120T101010Z.db")), "{paths:#?}");
    std::fs::remove_file(copies.join(".forgetting")).expect("removed");
    home.run(["status"]).mentions("has not ended").exits(0);
    assert!(home.run(["status", "--json"]).stdout().contains("forgetting_unfinished"));
    home.run(["doctor"]).mentions("has not ended").mentions("--again --apply").exits(1);
    home.run(["forget", "--everywhere", "--again"]).mentions("has not ended").exits(0);
    home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
        .mentions("it was brought to its end")
        .exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    home.run(["status"]).hides("has not ended");
    home.run(["doctor"]).exits(0);
    home.run(["get", "MEMORY.md"]).mentions("Ana likes rye bread");
}

/// Killed at whatever step: nothing is lost that was to stay, what is asked next tells it or it had ended, and the
/// next deed ends it.
#[test]
fn a_deed_that_was_killed_is_ended_by_the_next_one() {
    if !inwit_testkit::has_git() {
        return;
    }
    let steps: [fn(&std::path::Path) -> bool; 3] = [
        |home| home.join("forgetting.json").exists(),
        |home| {
            !std::fs::read_to_string(home.join("workspace/MEMORY.md"))
                .is_ok_and(|text| text.contains("quokka"))
        },
        |home| home.join("backups/.forgetting").exists(),
    ];
    for step in steps {
        let home = newcomer().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        home.run(["init", "--timezone", "UTC"]).exits(0);
        home.run(["remember", "Ana likes rye bread"]).exits(0);
        home.run(["remember", &format!("{CANARY} likes figs")]).exits(0);
        home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
        home.run(["backup", "kept"]).mentions("were copied");
        let agent = home.home("inwit/agents/main");
        std::fs::create_dir_all(agent.join("backups")).expect("a folder");
        std::fs::copy(home.work("kept/home/memory.db"), agent.join("backups/memory-20261120T101010Z.db"))
            .expect("copied");
        let words = ["forget", "--everywhere", CANARY, "--rewrite-history", "--apply", "--yes"];
        let killed = home.run_until(&words, &|| step(&agent));
        let is_left = agent.join("forgetting.json").exists();
        assert!(killed || !is_left, "one that ended by itself leaves nothing");
        if is_left {
            home.run(["doctor"]).mentions("has not ended").exits(1);
            home.run(["forget", "--everywhere", "--again", "--apply", "--yes"])
                .mentions("it was brought to its end")
                .exits(0);
        }
        assert_eq!(stands(&home, 0), Default::default());
        home.run(["get", "MEMORY.md"]).mentions("Ana likes rye bread");
        home.run(["audit", "verify"]).mentions("The record holds");
        home.run(["doctor"]).exits(0);
    }
}

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
        .mentions("The words stand nowhere")
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
    let short = |run: inwit_testkit::cli::Run| run.exits(0).json()["too_short"].clone();
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
    home.run(["get", "MEMORY.md"]).hides("Quuxington");
    // One that says nothing longer goes by its number alone.
    home.run(["forget", "--everywhere", "--fact", "2", "--apply", "--yes"])
        .mentions("Forgotten: 1 fact(s)")
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
        .mentions("config.toml stays as it is")
        .hides("stand nowhere");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("config.toml stays as it is")
        .mentions("stands: ")
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
    home.run(words).mentions("Forgotten: 1 fact(s)").mentions("The words stand nowhere").exits(0);
    home.run(["forget", "--check", "Brontosaur Kumquat"]).exits(0);
    home.run(["forget", "--everywhere", "Brontosaur Kumquat"]).mentions("stand nowhere that is kept");
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
        .mentions("is gone from memory.db")
        .mentions("note: The fact is gone; not every place was looked through")
        .exits(0);
    let purged = home.run(["facts", "purge", "2", "--yes", "--json"]).exits(0).json();
    assert_eq!(purged["notices"][0]["code"], "words_unsought", "{purged:#}");
}
