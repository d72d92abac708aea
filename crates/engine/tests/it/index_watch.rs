//! What a search does where the files say whether anything changed: it lists them again only then.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use inwit_engine::{Agent, AgentPorts, Answer, Bounds, Search};
use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{FileError, Files, SafeName, Scope, Stamp};
use inwit_store_sqlite::SqliteIndex;
use inwit_testkit::{Shelf, name, owner, parts};

type Edit = Box<dyn FnOnce(&Watched) + Send>;

/// Files that count their changes, and their listings.
#[derive(Default)]
struct Watched {
    shelf: Shelf,
    changes: AtomicU64,
    listings: AtomicUsize,
    /// What somebody does as soon as the next listing was made.
    after_listing: Mutex<Option<Edit>>,
}

impl Watched {
    fn put(&self, file: &str, text: &str) {
        self.shelf.write(file, text);
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Files for Watched {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        self.listings.fetch_add(1, Ordering::Relaxed);
        let listing = self.shelf.list(folders);
        let edit = self.after_listing.lock().expect("no panic").take();
        if let Some(edit) = edit {
            edit(self);
        }
        listing
    }

    fn changes(&self) -> Option<u64> {
        Some(self.changes.load(Ordering::Relaxed))
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        self.shelf.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.shelf.stamp(name)
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        self.shelf.create(name, bytes)
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        self.shelf.read_state(which)
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        self.shelf.write_state(which, bytes)
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        Files::write(&self.shelf, write, staged)
    }
}

fn two_notes() -> (Arc<Watched>, Agent) {
    let files = Arc::new(Watched::default());
    files.put("MEMORY.md", "- Likes rye.\n");
    files.put("USER.md", "- Likes oats.\n");
    let agent = Agent::new(parts(Arc::clone(&files) as Arc<dyn Files>));
    (files, agent)
}

fn ask(agent: &Agent, query: &str) -> Answer {
    let search =
        Search { query, scope: &Scope::Main, limit: 9, budget_chars: None, bounds: Bounds::default() };
    agent.notes.search(&search).expect("an answer")
}

fn found(agent: &Agent, query: &str) -> usize {
    ask(agent, query).hits.len()
}

#[test]
fn files_that_did_not_change_are_not_listed_again() {
    let (files, agent) = two_notes();
    assert_eq!(found(&agent, "rye"), 1);
    let listed = files.listings.load(Ordering::Relaxed);
    assert_eq!([found(&agent, "rye"), found(&agent, "oats"), found(&agent, "emmer")], [1, 1, 0]);
    assert_eq!(files.listings.load(Ordering::Relaxed), listed);
    files.put("MEMORY.md", "- Likes emmer.\n");
    assert_eq!([found(&agent, "rye"), found(&agent, "emmer")], [0, 1]);
    files.put("notes/new.md", "- Likes rye.\n");
    assert_eq!(found(&agent, "rye"), 1);
    files.shelf.remove("notes/new.md");
    files.changes.fetch_add(1, Ordering::Relaxed);
    assert_eq!(found(&agent, "rye"), 0);
}

/// What comes while the files are listed is of the next number.
#[test]
fn a_file_that_comes_during_a_listing_is_found_by_the_next_question() {
    let (files, agent) = two_notes();
    *files.after_listing.lock().expect("no panic") =
        Some(Box::new(|files: &Watched| files.put("notes/new.md", "- Likes emmer.\n")));
    found(&agent, "emmer");
    assert_eq!(found(&agent, "emmer"), 1);
}

/// Whoever else writes the index may have left anything in it.
#[test]
fn an_index_that_another_process_changed_is_brought_up_again() {
    let (files, _) = two_notes();
    let folder = tempfile::tempdir().expect("a folder");
    let agent = |files: Arc<dyn Files>| {
        let index = SqliteIndex::open(&folder.path().join("index.db")).expect("an index").0;
        Agent::new(AgentPorts { index: Box::new(index), ..parts(files) })
    };
    let watching = agent(files);
    assert_eq!(found(&watching, "rye"), 1);
    // The same index, brought up to a folder where the same names hold other notes.
    let other = Shelf::default();
    other.write("MEMORY.md", "- Likes emmer.\n");
    other.write("USER.md", "- Likes spelt.\n");
    assert_eq!(found(&agent(Arc::new(other)), "emmer"), 1);
    assert_eq!(found(&watching, "rye"), 1);
}

/// A file that could not be read is told of each time, and one with something that was accepted is looked at each time:
/// it may be accepted no more.
#[test]
fn what_is_not_settled_is_looked_at_although_nothing_changed() {
    let (files, agent) = two_notes();
    files.put("notes/odd.md", "- Likes emmer.\n");
    files.shelf.spoil("notes/odd.md");
    for _ in 0..2 {
        let codes: Vec<&str> = ask(&agent, "rye").notices.iter().map(|notice| notice.code).collect();
        assert!(codes.contains(&"files_unread"), "{codes:?}");
    }
    files.shelf.mend("notes/odd.md");
    files.put("USER.md", &format!("- The key is glpat-{}.\n", "Rk3xVb7QwZp1Nc8TyH2d"));
    agent.notes.accept(&owner(), &name("USER.md")).expect("accepted");
    found(&agent, "rye");
    found(&agent, "rye");
    let before = (files.listings.load(Ordering::Relaxed), files.shelf.reads());
    assert_eq!(found(&agent, "nothing"), 0);
    assert_eq!(files.listings.load(Ordering::Relaxed), before.0);
    assert_eq!(files.shelf.reads(), before.1 + 1, "USER.md alone");
}
