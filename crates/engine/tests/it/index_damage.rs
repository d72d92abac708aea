//! `index.db` may be lost, cut, overwritten or swapped at any time: the answer is right all the same.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inwit_engine::{Agent, AgentPorts, Bounds, EngineError, Search};
use inwit_model::Scope;
use inwit_store_sqlite::{OpenOutcome, SqliteIndex};
use inwit_testkit::{Chance, Shelf, parts};

/// A home with an index of some pages, closed properly.
struct Home {
    folder: tempfile::TempDir,
    shelf: Arc<Shelf>,
    whole: Vec<u8>,
}

const QUESTION: &str = "which bread did Ana bake on the Friday of plum jam";

fn home() -> Home {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = Arc::new(Shelf::default());
    let words = ["bread", "rye", "Ana", "oven", "jam", "plum", "Friday", "loaf"];
    for day in 1..=28 {
        let mut chance = Chance::of(day);
        let lines: String =
            (0..20).map(|at| format!("- {} {} {at}\n", chance.pick(&words), chance.pick(&words))).collect();
        shelf.write(&format!("memory/2026-10-{day:02}.md"), lines);
    }
    let mut home = Home { folder, shelf, whole: Vec::new() };
    home.ask(SqliteIndex::open(&home.path()).expect("an index").0).expect("an answer");
    home.whole = std::fs::read(home.path()).expect("readable");
    home
}

impl Home {
    fn path(&self) -> PathBuf {
        self.folder.path().join("index.db")
    }

    fn ask(&self, index: SqliteIndex) -> Result<String, EngineError> {
        let agent = Agent::new(AgentPorts { index: Box::new(index), ..parts(Arc::clone(&self.shelf) as _) });
        let search = Search {
            query: QUESTION,
            scope: &Scope::Main,
            limit: 10,
            budget_chars: None,
            bounds: Bounds::default(),
        };
        agent.notes.search(&search).map(|mut answer| {
            // That something was mended is told, and no part of the truth.
            answer.notices.clear();
            format!("{answer:?}")
        })
    }

    fn truth(&self) -> String {
        self.ask(SqliteIndex::in_memory().expect("an index")).expect("an answer")
    }

    /// Puts `bytes` where the index lies, opens it and asks.
    fn ask_with(&self, bytes: &[u8]) -> (Option<OpenOutcome>, Result<String, EngineError>) {
        for beside in ["index.db-wal", "index.db-shm"] {
            let _ = std::fs::remove_file(self.folder.path().join(beside));
        }
        put(&self.path(), bytes);
        match SqliteIndex::open(&self.path()) {
            Ok((index, how)) => (Some(how), self.ask(index)),
            Err(error) => (None, Err(error.into())),
        }
    }
}

fn put(path: &Path, bytes: &[u8]) {
    File::create(path).and_then(|mut file| file.write_all(bytes)).expect("written");
}

#[test]
fn an_index_that_is_gone_or_nonsense_is_built_at_once() {
    let home = home();
    let truth = home.truth();
    let foreign = b"SQLite format 3\0 and then a sentence that is no database at all".repeat(40);
    for (bytes, how) in [
        (&b""[..], OpenOutcome::Fresh),
        (b"this is no database, it is a sentence that is long enough to be one", OpenOutcome::Damaged),
        (&foreign, OpenOutcome::Damaged),
        (&home.whole, OpenOutcome::Whole),
    ] {
        let (opened, answer) = home.ask_with(bytes);
        assert_eq!((opened, answer), (Some(how), Ok(truth.clone())));
    }
}

/// Does each `damage` to a copy of the index and asks: how many answers are not the truth.
fn wrong(home: &Home, damages: impl Iterator<Item = Vec<u8>>) -> (usize, String) {
    let (truth, mut count, mut first) = (home.truth(), 0, String::new());
    for (at, bytes) in damages.enumerate() {
        let (opened, answer) = home.ask_with(&bytes);
        match answer {
            Ok(answer) if answer == truth => continue,
            Ok(_) => {}
            Err(error) => panic!("damage {at}, {opened:?}: {error}"),
        }
        if count == 0 {
            first = format!("first: damage {at}, {opened:?}");
        }
        count += 1;
    }
    (count, first)
}

#[test]
fn an_index_that_was_cut_short_anywhere_is_built_at_once() {
    let home = home();
    let step = home.whole.len() / 40 + 1;
    let cuts = (1..home.whole.len()).step_by(step).map(|bytes| home.whole[..bytes].to_vec());
    assert_eq!(wrong(&home, cuts), (0, String::new()));
}

#[test]
fn a_page_of_zeros_in_the_index_never_changes_an_answer() {
    const PAGE_BYTES: usize = 4_096;
    let home = home();
    let pages = (0..home.whole.len() / PAGE_BYTES).map(|page| {
        let mut bytes = home.whole.clone();
        bytes[page * PAGE_BYTES..][..PAGE_BYTES].fill(0);
        bytes
    });
    assert_eq!(wrong(&home, pages), (0, String::new()));
}

#[test]
fn a_bit_that_flips_in_the_index_never_changes_an_answer() {
    let home = home();
    let mut chance = Chance::of(1);
    let flips = (0..200).map(|_| {
        let mut bytes = home.whole.clone();
        let at = chance.below(bytes.len());
        bytes[at] ^= 1 << chance.below(8);
        bytes
    });
    assert_eq!(wrong(&home, flips), (0, String::new()));
}

/// The index of another agent, or an old copy: whole, and of other files.
#[test]
fn an_index_of_other_files_answers_from_these() {
    let (home, other) = (home(), home());
    other.shelf.write("MEMORY.md", "- Ana bakes bread in secret.\n");
    other.ask(SqliteIndex::open(&other.path()).expect("an index").0).expect("an answer");
    let foreign = std::fs::read(other.path()).expect("readable");
    let (how, answer) = home.ask_with(&foreign);
    assert_eq!((how, answer), (Some(OpenOutcome::Whole), Ok(home.truth())));
}

/// A program holds the index open while somebody overwrites it in place.
#[test]
fn damage_under_an_open_agent_is_mended_while_it_answers() {
    let home = home();
    let truth = home.truth();
    let index = SqliteIndex::open(&home.path()).expect("an index").0;
    let mut file = File::options().write(true).open(home.path()).expect("open");
    file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&[b'x'; 20_000])).expect("written");
    assert_eq!(home.ask(index), Ok(truth.clone()));
    let (index, how) = SqliteIndex::open(&home.path()).expect("an index");
    assert_eq!((how, home.ask(index)), (OpenOutcome::Whole, Ok(truth)));
}

/// The token counts of a report lie in the index too; they are a cache, and a prompt needs no index.
#[test]
fn a_report_of_a_prompt_comes_though_the_index_is_damaged() {
    struct Words;
    impl inwit_model::TokenCounter for Words {
        fn count(&self, text: &str) -> usize {
            text.split_whitespace().count()
        }
    }
    let home = home();
    let mut bytes = home.whole.clone();
    bytes[4_096..].fill(0x5a);
    File::create(home.path()).and_then(|mut file| file.write_all(&bytes)).expect("damaged");
    let index = SqliteIndex::open(&home.path()).expect("an index").0;
    let agent = Agent::new(AgentPorts { index: Box::new(index), ..parts(Arc::clone(&home.shelf) as _) });
    let prompt = agent.sessions.prompt(&Scope::Main).expect("a prompt");
    let counts = agent.sessions.token_counts(&prompt, &|| Box::new(Words)).expect("counted");
    assert_eq!(counts.len(), prompt.blocks.len());
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}
