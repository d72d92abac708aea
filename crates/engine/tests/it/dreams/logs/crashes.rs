//! A pass that dies at any call to the disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, Written};
use inwit_model::{FileError, Files, SafeName, Stamp};

use inwit_store::memory::Promotions as _;

use super::*;

/// Files of a process that dies before its n-th call: it unwinds, and nothing more reaches the disk or the ledger.
struct Dying {
    files: Arc<Shelf>,
    left: AtomicUsize,
}

impl Dying {
    fn step<T>(&self, call: impl FnOnce(&Shelf) -> T) -> T {
        let is_alive =
            self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        if !is_alive {
            std::panic::resume_unwind(Box::new("The process is dead."));
        }
        call(&self.files)
    }
}

impl Files for Dying {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        self.step(|files| files.list(folders))
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        self.step(|files| files.read(name))
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.step(|files| files.stamp(name))
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        self.step(|files| files.create(name, bytes))
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        self.step(|files| Files::write(files, write, staged))
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        self.step(|files| files.read_state(which))
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        self.step(|files| files.write_state(which, bytes))
    }
}

/// Proves I3.
#[test]
fn a_killed_pass_leaves_memory_whole_and_the_next_one_promotes_each_line_once() {
    const STEPS_MAX: usize = 200;
    let mut is_survived = false;
    for steps in 0..STEPS_MAX {
        let files = Arc::new(shelf_of(&[
            ("memory/2026-11-19.md", "- Vera bakes on Friday.\n", "2026-11-19T10:00:00Z"),
            (LOG, "- The oven is repaired on Monday.\n", "2026-11-20T10:00:00Z"),
        ]));
        let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
        let agent = |files: Arc<dyn Files>| {
            let keeping = AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7)));
            Agent::new(AgentPorts { keeping, ..parts(files) })
        };
        let model = Model::saying("- Vera bakes on Friday.\n- The oven is repaired on Monday.\n");
        let dying = Dying { files: Arc::clone(&files), left: AtomicUsize::new(steps) };
        let killed = agent(Arc::new(dying));
        let first = catch_unwind(AssertUnwindSafe(|| try_dream(&killed, &model)));
        let text = || {
            let bytes = files.read(&inwit_testkit::name("MEMORY.md")).expect("read").bytes;
            String::from_utf8(bytes.to_vec()).expect("text")
        };
        let between = text();
        let rest = between.strip_prefix(MEMORY).unwrap_or_else(|| panic!("step {steps}: {between}"));
        assert!(
            rest.is_empty() || rest.contains("repaired on Monday") && rest.ends_with("-->\n"),
            "step {steps}: {between}"
        );
        is_survived = first.is_ok();
        let second = try_dream(&agent(Arc::clone(&files) as _), &model).expect("a pass");
        for line in ["- Vera bakes on Friday.", "- The oven is repaired on Monday."] {
            assert_eq!(text().matches(line).count(), 1, "step {steps}: {}\n{second:?}", text());
        }
        assert_eq!(memory.unconfirmed_sweeps().expect("read"), [], "step {steps}");
        assert_eq!(memory.log_spans().expect("read").len(), 2, "step {steps}: each log is read");
        if is_survived {
            break;
        }
    }
    assert!(is_survived, "the last step was after the end of a pass");
}
