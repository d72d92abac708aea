//! Several programs use one index at once, each with its own connection, as several processes do.

use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

use inwit_engine::{Agent, AgentPorts, Bounds, Search};
use inwit_model::{Code, Scope};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::{fixture, parts};
use inwit_workspace::FsFiles;

const PROGRAMS: usize = 3;
const ROUNDS: usize = 25;

const RYE: &str = "- Likes rye bread.";

fn open(workspace: &Path, home: &Path) -> Agent {
    let files = FsFiles::open(workspace).expect("open");
    let index = SqliteIndex::open(&home.join("index.db")).expect("an index").0;
    Agent::new(AgentPorts { index: Box::new(index), ..parts(Arc::new(files)) })
}

/// The texts that hold `word`; what stands beside them is found too and left away here.
fn texts(agent: &Agent, word: &str) -> Vec<String> {
    let search = Search {
        query: word,
        scope: &Scope::Main,
        limit: 100,
        budget_chars: None,
        bounds: Bounds::default(),
    };
    let answer = agent.notes.search(&search).unwrap_or_else(|error| {
        panic!("{error}, {}", if error.code == Code::Locked { "locked" } else { "not locked" })
    });
    answer.hits.into_iter().map(|hit| hit.text.into_string()).filter(|text| text.contains(word)).collect()
}

#[test]
fn programs_that_open_one_new_index_at_once_all_answer() {
    for _ in 0..10 {
        let (workspace, home) =
            (fixture::folder("//- MEMORY.md\n- Likes rye bread.\n"), tempfile::tempdir().expect("a folder"));
        let start = Barrier::new(PROGRAMS);
        thread::scope(|scope| {
            for _ in 0..PROGRAMS {
                scope.spawn(|| {
                    start.wait();
                    assert_eq!(texts(&open(workspace.path(), home.path()), "bread"), [RYE]);
                });
            }
        });
    }
}

#[test]
fn what_another_program_indexed_is_neither_lost_nor_stale() {
    let (workspace, home) = (fixture::folder("//- SOUL.md\nAda\n"), tempfile::tempdir().expect("a folder"));
    let (one, two) = (open(workspace.path(), home.path()), open(workspace.path(), home.path()));
    for round in 0..ROUNDS {
        fixture::put(workspace.path(), "MEMORY.md", format!("- bread number{round}\n").as_bytes());
        assert_eq!(texts(&one, "bread"), [format!("- bread number{round}")]);
        assert_eq!(texts(&two, "bread"), [format!("- bread number{round}")]);
        let page = format!("memory/page{round}.md");
        fixture::put(workspace.path(), &page, format!("- oven day{round}.\n").as_bytes());
        assert_eq!(texts(&two, &format!("day{round}.")).len(), 1);
        assert_eq!(texts(&one, "oven").len(), round + 1);
    }
}

#[test]
fn of_programs_that_write_and_ask_at_once_each_finds_its_own_words() {
    let (workspace, home) = (fixture::folder("//- SOUL.md\nAda\n"), tempfile::tempdir().expect("a folder"));
    let start = Barrier::new(PROGRAMS);
    thread::scope(|scope| {
        for program in 0..PROGRAMS {
            let (workspace, agent, start) = (workspace.path(), open(workspace.path(), home.path()), &start);
            scope.spawn(move || {
                start.wait();
                for round in 0..ROUNDS {
                    // Several files, so that one program's set never stands still for another.
                    let page = format!("memory/program{program}-{}.md", round % 4);
                    fixture::put(workspace, &page, format!("- oven p{program}r{round}.\n").as_bytes());
                    assert_eq!(
                        texts(&agent, &format!("p{program}r{round}.")),
                        [format!("- oven p{program}r{round}.")]
                    );
                    if let Some(before) = round.checked_sub(4) {
                        assert_eq!(texts(&agent, &format!("p{program}r{before}.")), [""; 0], "overwritten");
                    }
                }
            });
        }
    });
    assert_eq!(texts(&open(workspace.path(), home.path()), "oven").len(), PROGRAMS * 4);
}
