//! What is kept of the past: built anew where it does not fit, and read beside others who write.

use super::*;

pub(super) fn dump(path: &std::path::Path) -> String {
    SqliteLifetimes::open(path).expect("opened").0.dump().expect("a dump")
}

/// Damage costs time and no answer.
#[test]
fn what_is_derived_from_history_is_built_anew_when_it_is_damaged_or_gone() {
    if !has_git() {
        return;
    }
    let world = three_days();
    world.agent.history.record_found().expect("recorded");
    let wanted = found(&world, "2026-05-02", "bread oven");
    assert_eq!(wanted.len(), 2);
    let files = ["past.db", "past-index.db"].map(|file| world.folder.path().join(file));
    for file in &files {
        for wreck in [true, false] {
            if wreck {
                let mut bytes = std::fs::read(file).expect("read");
                let from = bytes.len().min(4096);
                bytes[from..].fill(0x5a);
                inwit_testkit::fixture::put(
                    world.folder.path(),
                    file.file_name().and_then(|name| name.to_str()).expect("a name"),
                    &bytes,
                );
            } else {
                std::fs::remove_file(file).expect("removed");
            }
            for beside in ["-wal", "-shm"] {
                let mut path = file.as_os_str().to_owned();
                path.push(beside);
                let _ = std::fs::remove_file(path);
            }
            assert_eq!(found(&world, "2026-05-02", "bread oven"), wanted, "{} {wreck}", file.display());
        }
    }
    // A history that was begun anew is not mixed with the one before.
    std::fs::remove_dir_all(world.folder.path().join("history.git")).expect("thrown away");
    leaves(&world, "MEMORY.md", Some("- Tea.\n"));
    let past = past(&world, &Scope::Main, "2026-05-02");
    let answer = past.search(&search("bread", &Scope::Main)).expect("an answer");
    assert!(answer.hits.is_empty(), "the new history does not know it");
    let codes: Vec<&str> = answer.notices.iter().map(|notice| notice.code).collect();
    assert_eq!(codes, ["past_rebuilt", "history_incomplete", "before_history"]);
}

/// Lifetimes that are damaged until they are thrown away.
struct Worn {
    kept: SqliteLifetimes,
    is_worn: bool,
}

impl Lifetimes for Worn {
    fn steps(&mut self) -> Result<Vec<Step>, IndexError> {
        self.kept.steps()
    }

    fn grow(&mut self, based_on: usize, steps: &[NewStep]) -> Result<(), IndexError> {
        self.kept.grow(based_on, steps)
    }

    fn lives(&mut self, name: &SafeName, passage: PassageMark) -> Result<Vec<Life>, IndexError> {
        if self.is_worn { Ok(Vec::new()) } else { self.kept.lives(name, passage) }
    }

    fn compared(&mut self) -> Result<Vec<Compared>, IndexError> {
        self.kept.compared()
    }

    fn compare(&mut self, files: &[Compared]) -> Result<(), IndexError> {
        self.kept.compare(files)
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        self.is_worn = false;
        self.kept.clear()
    }

    fn dump(&mut self) -> Result<String, IndexError> {
        self.kept.dump()
    }
}

#[test]
fn a_life_that_is_missing_is_damage_and_is_built_anew() {
    if !has_git() {
        return;
    }
    let world = three_days();
    world.agent.history.record_found().expect("recorded");
    let wanted = found(&world, "2026-05-02", "bread");
    let open = || -> Result<PastPorts, IndexError> {
        let kept = SqliteLifetimes::in_memory()?;
        Ok(PastPorts { lifetimes: Box::new(Worn { kept, is_worn: true }), ..past_in_memory()? })
    };
    let past = PastHome { open: Box::new(open), spare: Box::new(past_in_memory) };
    let history = Some(inwit_engine::history::past::HistoryHome {
        git_dir: world.folder.path().join("history.git"),
        place: inwit_model::HistoryPlace::Beside,
        lock_wait: None,
    });
    let keeping = AgentDeps { history, past: Some(past), ..keeping() };
    let clock = Arc::clone(&world.clock) as Arc<dyn Clock>;
    let agent = Agent::new(AgentPorts { clock, keeping, ..parts(Arc::new(MemFiles::new())) });
    let moment = agent.core.moment("2026-05-02", DayEdge::End).expect("a moment");
    let past = agent.as_of(&Scope::Main, moment).expect("a past");
    let answer = past.search(&search("bread", &Scope::Main)).expect("an answer");
    assert_eq!(answer.hits.iter().map(seen).collect::<Vec<_>>(), wanted);
    assert!(!wanted.is_empty() && answer.notices.is_empty(), "{answer:?}");
}

/// Two that look at two moments at once, over one folder, each get the answer of their own.
#[test]
fn two_who_look_at_two_moments_at_once_do_not_mix_them() {
    if !has_git() {
        return;
    }
    let world = three_days();
    let wanted = ["2026-05-02", "2026-05-04", "2026-05-07"]
        .map(|moment| (moment, found(&world, moment, "bread oven")));
    std::thread::scope(|scope| {
        for (moment, wanted) in &wanted {
            let world = &world;
            scope.spawn(move || {
                for _ in 0..8 {
                    assert_eq!(found(world, moment, "bread oven"), *wanted, "{moment}");
                }
            });
        }
    });
}

/// A lock that nobody gets, and how often it was asked for.
struct Refusing(Code, Arc<AtomicUsize>);

impl WriteLock for Refusing {
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Err(FileError { code: self.0, message: "Nobody writes now.".into() })
    }
}

/// Reading works on a read-only home and waits for no lock.
#[test]
fn the_past_is_read_while_another_process_writes() {
    if !has_git() {
        return;
    }
    let world = three_days();
    world.agent.history.record_found().expect("recorded");
    let wanted = found(&world, "2026-05-02", "bread");
    let locks = Arc::new(AtomicUsize::new(0));
    for code in [Code::Locked, Code::LockUnavailable, Code::DiskReadOnly] {
        locks.store(0, Ordering::Relaxed);
        let history = Some(inwit_engine::history::past::HistoryHome {
            git_dir: world.folder.path().join("history.git"),
            place: inwit_model::HistoryPlace::Beside,
            lock_wait: None,
        });
        let lock = Arc::new(Refusing(code, Arc::clone(&locks)));
        let past = Some(past_in(world.folder.path()));
        let keeping = AgentDeps { history, past, lock, ..keeping() };
        let clock = Arc::clone(&world.clock) as Arc<dyn Clock>;
        let files = Arc::clone(&world.shelf) as Arc<dyn Files>;
        let agent = Agent::new(AgentPorts { clock, keeping, ..parts(files) });
        let moment = agent.core.moment("2026-05-02", DayEdge::End).expect("a moment");
        let past = agent.as_of(&Scope::Main, moment).expect("a past");
        let answer = past.search(&search("bread", &Scope::Main)).expect("an answer");
        assert_eq!(answer.hits.iter().map(seen).collect::<Vec<_>>(), wanted, "{code:?}");
        assert!(answer.notices.is_empty(), "{answer:?}");
        assert_eq!(locks.load(Ordering::Relaxed), 0, "whoever reads asks for no lock");
    }
}
