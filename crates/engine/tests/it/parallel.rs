//! Threads of one process that search one agent at the same time.
//!
//! One lock once stood around a whole search, so that a slow disk under one of them held up all others.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use inwit_engine::{Agent, AgentPorts, Bounds, Search};
use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{FileError, Files, SafeName, Scope, Stamp};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::{Shelf, parts};

/// When a test gives up that would wait for ever; nothing that works comes near it.
const HANGS: Duration = Duration::from_secs(20);

/// Searches of each thread while another one writes.
const SEARCHES: usize = 60;

/// Called before a file is read.
type Hook = Box<dyn FnOnce() + Send>;

/// A shelf on which the next read does something first.
struct Slow {
    shelf: Shelf,
    next: Mutex<Option<Hook>>,
}

impl Files for Slow {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        self.shelf.list(folders)
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        let next = self.next.lock().expect("no panic").take();
        if let Some(hook) = next {
            hook();
        }
        self.shelf.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.shelf.stamp(name)
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        self.shelf.create(name, bytes)
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        Files::write(&self.shelf, write, staged)
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        self.shelf.read_state(which)
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        self.shelf.write_state(which, bytes)
    }
}

fn open(files: Arc<dyn Files>, home: &tempfile::TempDir) -> Agent {
    let index = SqliteIndex::open(&home.path().join("index.db")).expect("an index").0;
    Agent::new(AgentPorts { index: Box::new(index), ..parts(files) })
}

fn texts(agent: &Agent, query: &str) -> Vec<String> {
    let bounds = Bounds::default();
    let search = Search { query, scope: &Scope::Main, limit: 10, budget_chars: None, bounds };
    agent
        .notes
        .search(&search)
        .expect("an answer")
        .hits
        .into_iter()
        .map(|hit| hit.text.into_string())
        .collect()
}

#[test]
fn a_search_that_waits_for_its_files_does_not_hold_up_another_one() {
    let home = tempfile::tempdir().expect("a folder");
    let shelf = Shelf::of("//- MEMORY.md\n- Likes rye bread.\n");
    let files = Arc::new(Slow { shelf, next: Mutex::default() });
    let agent = open(Arc::clone(&files) as Arc<dyn Files>, &home);
    assert_eq!(texts(&agent, "bread"), ["- Likes rye bread."]);
    let (reads, is_reading) = channel();
    let (answers, is_answered) = channel();
    let hook = move || {
        reads.send(()).expect("somebody listens");
        is_answered.recv_timeout(HANGS).expect("the other search ends while this one reads its files");
    };
    *files.next.lock().expect("no panic") = Some(Box::new(hook));
    thread::scope(|scope| {
        let slow = scope.spawn(|| texts(&agent, "bread"));
        is_reading.recv_timeout(HANGS).expect("the answer is compared with its file");
        assert_eq!(texts(&agent, "bread"), ["- Likes rye bread."]);
        let _ = answers.send(());
        assert_eq!(slow.join().expect("no panic"), ["- Likes rye bread."]);
    });
}

#[test]
fn searches_at_the_same_time_find_what_was_written_before_they_began() {
    let home = tempfile::tempdir().expect("a folder");
    let shelf = Arc::new(Shelf::of("//- MEMORY.md\n- Loaf number 0.\n//- USER.md\n- Bakes rye bread.\n"));
    let agent = open(Arc::clone(&shelf) as Arc<dyn Files>, &home);
    let (written, searching) = (AtomicUsize::new(0), AtomicUsize::new(2));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..SEARCHES {
                    let before = written.load(Ordering::SeqCst);
                    let found = texts(&agent, "loaf");
                    let number = found.first().and_then(|text| text.rsplit(' ').next());
                    let number = number.and_then(|text| text.trim_end_matches('.').parse::<usize>().ok());
                    assert!(number.is_some_and(|number| number >= before), "{found:?} after {before}");
                    assert_eq!(found.len(), 1, "{found:?}");
                }
                searching.fetch_sub(1, Ordering::SeqCst);
            });
        }
        scope.spawn(|| {
            for loaf in 1.. {
                shelf.write("MEMORY.md", format!("- Loaf number {loaf}.\n"));
                written.store(loaf, Ordering::SeqCst);
                if searching.load(Ordering::SeqCst) == 0 || thread::panicking() {
                    break;
                }
                thread::yield_now();
            }
        });
    });
}
