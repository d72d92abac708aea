//! `inwit forget`: words are found wherever they are, forgotten, and found nowhere.
//!
//! Here stands what its tests have in common; then what lies beside the notes, and the guide. A deed is trusted only where
//! a look found the words before it. Reading order: this file, [`everywhere`] (every channel at once), [`history`],
//! [`coming_back`] (with a backup), [`agreeing`] (plan, deed and look), [`deeds`] (at once, cut short, killed), [`refused`],
//! [`guesses`], [`encoded`], [`spellings`] (which are one text), [`staged`] (what a killed restore left), [`elsewhere`], [`others`], [`hooks`] (what hosts
//! report afterwards), [`traces`].

mod agreeing;
mod coming_back;
mod deeds;
mod elsewhere;
mod encoded;
mod everywhere;
mod guesses;
mod history;
mod hooks;
mod large;
mod others;
mod refused;
mod spellings;
mod staged;
mod traces;

use std::collections::BTreeSet;
use std::path::PathBuf;

use inwit_model::Scope;
use inwit_store::{Embeddings as _, ModelKey, SetKey, TextKey};
use inwit_store_sqlite::SqliteEmbeddings;
use inwit_testkit::server::{Reply, Server};
use inwit_testkit::{Cli, fixture};

use crate::{newcomer, user_of_a_shell};

/// What goes through every channel.
const CANARY: &str = "Zorblaxian quokka 4711";

fn workspace(home: &Cli, name: &str) -> PathBuf {
    home.home("inwit/agents/main/workspace").join(name)
}

fn add(home: &Cli, name: &str, text: &str) {
    let mut bytes = std::fs::read(workspace(home, name)).unwrap_or_default();
    bytes.extend_from_slice(text.as_bytes());
    fixture::put(&workspace(home, ""), name, &bytes);
}

/// Where a look finds the canary, by the ends of paths.
fn stands(home: &Cli, status: i32) -> (BTreeSet<String>, BTreeSet<String>) {
    let look = home.run(["forget", "--check", CANARY, "--json"]).exits(status).json();
    let all = look["stands"].as_array().expect("places").iter();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let pairs: Vec<(String, String)> = all.map(|place| (text(&place["path"]), text(&place["how"]))).collect();
    assert_eq!(look["missed"].as_array().map(Vec::len), Some(0), "{look:#}");
    pairs.into_iter().unzip()
}

/// Where a look finds the canary, whatever it could not look into.
fn stands_anywhere(home: &Cli) -> BTreeSet<String> {
    let look = home.run(["forget", "--check", CANARY, "--json"]).exits(1).json();
    let all = look["stands"].as_array().expect("places").iter();
    all.map(|place| place["path"].as_str().expect("a path").to_owned()).collect()
}

/// The owner looks at what waits and approves it.
fn approving(home: &Cli, waits: &serde_json::Value) -> inwit_testkit::cli::Run {
    let id = waits["proposal"].as_str().or(waits["id"].as_str()).expect("it waits").to_owned();
    let shown = home.run(["inbox", "show", &id, "--json"]).json();
    let digits = shown["confirm"].as_str().expect("digits").to_owned();
    home.run(["inbox", "approve", &id, "--confirm", &digits])
}

/// Writes a file that the program is to find there.
#[expect(clippy::disallowed_methods, reason = "a test leaves what another program would")]
fn leave(path: &std::path::Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("written");
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
    home.run(["forget", "--everywhere", CANARY]).mentions("stays              1  file: notes.md");
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .mentions("notes.md, so its lines stay")
        .mentions("found: ")
        .exits(1);
    home.run(["show", "MEMORY.md"]).hides("quokka");
    home.run(["facts", "list"]).hides("quokka").mentions("Ana likes Chrome");
    assert!(!home.home("inwit/agents/main/backups/.forgetting").exists());
    std::fs::remove_file(workspace(&home, "notes.md")).expect("removed");
    // What machines wrote is told and takes nothing with it; a part of a word is no word.
    for (words, status) in [("main", 1), ("settled", 1), ("agent", 1), ("Chro", 0)] {
        let run = home.run(["forget", "--everywhere", words, "--apply", "--yes"]);
        run.mentions("Erased: 0 fact(s)").exits(status);
    }
    home.run(["facts", "list"]).exits(0).mentions("Ana likes Chrome");
}

/// Only the vectors of what went go; the file holds no byte of them.
#[test]
fn vectors_of_others_stay_and_those_of_the_words_are_gone_to_the_byte() {
    let answer = r#"{"embeddings":[[0.5,0.5,0.5,0.5],[0.5,-0.5,0.5,-0.5]]}"#;
    let server = Server::answering(vec![Reply::good(answer)]);
    let home = newcomer()
        .write("work/notes/MEMORY.md", &format!("- The cat sleeps.\n- The {CANARY} bites.\n"))
        .env("INWIT_EMBEDDING_PROVIDER", "ollama")
        .env("INWIT_EMBEDDING_URL", &server.url)
        .env("INWIT_EMBEDDING_MODEL", "tiny")
        .env("INWIT_EMBEDDING_DIMENSION", "4");
    home.run(["index", "embed", "-w", "notes"]).mentions("2 passages embedded with tiny");
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
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes", "-w", "notes"]).mentions("Erased");
    assert_eq!(both.map(holds).iter().filter(|holds| **holds).count(), 1);
    let model = ModelKey { name: "tiny".to_owned(), dimension: 4 };
    let mut vectors = SqliteEmbeddings::open(&path).expect("the cache").0;
    let cat = TextKey::of(&SetKey::of(&Scope::Main), "The cat sleeps.");
    assert_eq!(vectors.missing(&model, &[cat]).expect("asked"), []);
    assert_eq!(vectors.counts(&model).expect("counted").embedded, 1);
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
    home.run(["restore", "kept", "--yes", "--force"])
        .mentions("The files that were there before are in")
        .exits(0);
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
        .mentions("The words were not found")
        .exits(0);
    assert_eq!(stands(&home, 0), Default::default());
    let aside = std::fs::read_dir(home.home("inwit/agents")).expect("agents").flatten();
    let aside = aside.map(|entry| entry.path()).find(|path| path.display().to_string().contains(".before-"));
    let notes = aside.expect("a home that gave way").join("workspace/MEMORY.md");
    let notes = std::fs::read_to_string(notes).expect("read");
    assert!(notes.contains("Ana likes rye bread") && !notes.contains("quokka"), "{notes}");
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

/// A line end in a name would begin a line of ours.
#[cfg(unix)]
#[test]
fn the_name_of_a_place_is_shown_in_one_line() {
    let home = newcomer();
    home.run(["init"]).exits(0);
    leave(&workspace(&home, "notes.txt\nstands: nowhere\u{1b}[2J"), CANARY.as_bytes());
    let shown = home.run(["forget", "--check", CANARY]).exits(1).stdout();
    assert!(shown.contains("notes.txt\\nstands: nowhere\\u{1b}[2J ("), "{shown}");
}
