//! History is brought up to the receipts while others write.
//!
//! A flush once kept the right to write for as long as its git took, and other processes gave up after two seconds.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use inwit_engine::forget::{ErasureRequest, Matcher};
use inwit_engine::history::past::{HistoryHome, LogFilter};
use inwit_engine::sessions::session::Start;
use inwit_engine::{Agent, AgentDeps, AgentPorts, EngineError, WriteContext};
use inwit_gate::Author;
use inwit_model::{
    Actor, Clock, Code, FileError, Files, HistoryPlace, Intent, Op, OpLog, ReceiptId, Scope, Sha256, Taint,
};
use inwit_store::memory::KnownTexts;
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::{Drawn, FakeClock, NOW, Shelf, name, owner, parts};
use inwit_workspace::{LockGuard, OwnLock, WriteLock};
use jiff::Timestamp;

use crate::world::past_in;

/// When a test gives up that would wait for ever; nothing that works comes near it.
const HANGS: Duration = Duration::from_secs(20);

/// The thread that flushes.
const FLUSHES: &str = "flushes";

/// What a clock does when it is read; `true`: it was done and is not done again.
type Hook = Box<dyn FnMut() -> bool + Send>;

/// A clock with a hook for the thread that flushes.
#[derive(Default)]
struct Watched(Mutex<Option<Hook>>);

impl Watched {
    fn hook(&self, hook: impl FnMut() -> bool + Send + 'static) {
        *self.0.lock().expect("no panic") = Some(Box::new(hook));
    }

    /// Reports when a flush reads the clock, which it does before it waits for its turn.
    fn reports(&self) -> Receiver<()> {
        let (flushes, is_flushing) = channel();
        self.hook(move || flushes.send(()).is_ok());
        is_flushing
    }
}

impl Clock for Watched {
    fn now(&self) -> Timestamp {
        if thread::current().name() == Some(FLUSHES) {
            self.0.lock().expect("no panic").take_if(|hook| hook());
        }
        FakeClock::at(NOW).now()
    }
}

/// Two agents over the same files, the same memory and the same history, as two processes have them.
struct Two {
    agents: [Agent; 2],
    clocks: [Arc<Watched>; 2],
    shelf: Arc<Shelf>,
    memory: Arc<SqliteMemory>,
    lock: Arc<Watching>,
    folder: tempfile::TempDir,
}

/// A write guard that notes whether the turn of the history was held whenever it was asked for.
#[derive(Default)]
struct Watching {
    inner: OwnLock,
    git_dir: PathBuf,
    in_turn: Mutex<Vec<bool>>,
    /// What another process does before the guard is given.
    before: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Watching {
    /// What `work` did: for each time it asked for the guard, whether it held the turn.
    fn of<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<bool>) {
        self.in_turn.lock().expect("no panic").clear();
        let done = work();
        (done, std::mem::take(&mut *self.in_turn.lock().expect("no panic")))
    }
}

impl WriteLock for Watching {
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError> {
        self.in_turn.lock().expect("no panic").push(is_turn_held(&self.git_dir));
        let before = self.before.lock().expect("no panic").take();
        if let Some(before) = before {
            before();
        }
        self.inner.take()
    }
}

/// Whether anybody holds the turn to write the history at `git_dir`.
fn is_turn_held(git_dir: &Path) -> bool {
    let Ok(lock) = File::open(git_dir.join("inwit.lock")) else { return false };
    let is_held = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
    // A process that is being started may have a copy of the open file.
    lock.unlock().expect("unlocked");
    is_held
}

fn two() -> Two {
    two_that_wait(None)
}

/// The same, which wait at most `lock_wait` for their turn to write the history.
fn two_that_wait(lock_wait: Option<Duration>) -> Two {
    two_with(HistoryPlace::Beside, lock_wait)
}

fn two_with(place: HistoryPlace, lock_wait: Option<Duration>) -> Two {
    let (shelf, folder) = (Arc::new(Shelf::default()), tempfile::tempdir().expect("a folder"));
    let clocks: [Arc<Watched>; 2] = Default::default();
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let lock = Arc::new(Watching { git_dir: folder.path().join("history.git"), ..Watching::default() });
    let agent = |number: usize| {
        let git_dir = folder.path().join("history.git");
        let history = Some(HistoryHome { git_dir, place, lock_wait });
        let own = folder.path().join(number.to_string());
        std::fs::create_dir(&own).expect("made");
        let keeping = AgentDeps {
            lock: Arc::clone(&lock) as Arc<dyn WriteLock>,
            history,
            past: Some(past_in(&own)),
            ..AgentDeps::alone(memory.clone(), Arc::new(Drawn::of(number as u64 + 1)))
        };
        let clock = Arc::clone(&clocks[number]) as Arc<dyn Clock>;
        Agent::new(AgentPorts { clock, keeping, ..parts(Arc::clone(&shelf) as Arc<dyn Files>) })
    };
    Two { agents: [agent(0), agent(1)], clocks: clocks.clone(), shelf, memory, lock, folder }
}

/// The file whose lock is the turn to write a history.
fn turn_of(folder: &Path) -> File {
    File::open(folder.join("history.git/inwit.lock")).expect("there")
}

fn note(agent: &Agent, text: &str) {
    let owner = WriteContext::of(Author::owner(&owner()));
    agent.sessions.journal_add(text, &Scope::Main, &owner).expect("written");
}

/// The subjects and receipts of all commits, oldest first, without the first one.
fn commits(agent: &Agent) -> Vec<(String, Option<String>)> {
    let log = agent.history.history_log(&LogFilter::newest(50)).expect("a log");
    let commits = log.into_iter().rev().skip(1);
    commits.map(|commit| (commit.subject, commit.receipt)).collect()
}

fn flusher<'s, T: Send + 's>(
    scope: &'s thread::Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> thread::ScopedJoinHandle<'s, T> {
    thread::Builder::new().name(FLUSHES.to_owned()).spawn_scoped(scope, work).expect("a thread")
}

#[test]
fn a_flush_that_waits_for_git_does_not_hold_up_a_write() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], clocks: [clock, _], folder, .. } = two();
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    note(&agent, "Bought oats.");
    // Another process is in the middle of a flush.
    let busy = turn_of(folder.path());
    busy.lock().expect("free");
    let is_flushing = clock.reports();
    thread::scope(|scope| {
        let flush = flusher(scope, || agent.history.flush_history());
        is_flushing.recv_timeout(HANGS).expect("it flushes");
        let (written, is_written) = channel();
        let agent = &agent;
        scope.spawn(move || {
            note(agent, "Bought spelt.");
            written.send(()).expect("somebody waits");
        });
        let is_written = is_written.recv_timeout(HANGS);
        let is_flushing = !flush.is_finished();
        busy.unlock().expect("held");
        assert!(is_written.is_ok() && is_flushing, "the write was done while the flush waited");
        let flushed = flush.join().expect("no panic").expect("flushed");
        assert_eq!((flushed.commits, flushed.waiting), (2, 0));
    });
    assert_eq!(commits(&agent).len(), 3);
}

#[test]
fn of_two_flushes_at_once_the_second_repeats_no_commit() {
    if !inwit_testkit::has_git() {
        return;
    }
    let two = two();
    note(&two.agents[0], "Bought rye.");
    two.agents[0].history.flush_history().expect("flushed");
    note(&two.agents[0], "Bought oats.");
    note(&two.agents[1], "Bought spelt.");
    let busy = turn_of(two.folder.path());
    busy.lock().expect("free");
    let reports = [0, 1].map(|number| two.clocks[number].reports());
    thread::scope(|scope| {
        let flushes =
            [&two.agents[0], &two.agents[1]].map(|agent| flusher(scope, || agent.history.flush_history()));
        // Both have seen that two receipts wait.
        reports.iter().for_each(|report| report.recv_timeout(HANGS).expect("it flushes"));
        busy.unlock().expect("held");
        let made = flushes.map(|flush| flush.join().expect("no panic").expect("flushed").commits);
        assert_eq!(made.iter().sum::<usize>(), 2, "{made:?}");
    });
    let receipts: Vec<Option<String>> =
        commits(&two.agents[0]).into_iter().map(|(_, receipt)| receipt).collect();
    let mut once = receipts.clone();
    once.sort();
    once.dedup();
    assert_eq!((receipts.len(), once.len()), (3, 3), "{receipts:?}");
}

#[test]
fn a_write_during_the_check_for_hand_edits_is_not_taken_for_one() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, other], clocks: [clock, _], shelf, folder, .. } = two();
    let other = Arc::new(other);
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    shelf.write("notes/oven.md", "The oven is hot.\n");
    let turn = turn_of(folder.path());
    let (sender, written) = channel();
    clock.hook(move || {
        // Within a turn only the check for hand edits reads the clock.
        let is_in_turn = matches!(turn.try_lock(), Err(TryLockError::WouldBlock));
        if is_in_turn {
            let other = Arc::clone(&other);
            let (done, is_done) = channel();
            thread::spawn(move || {
                note(&other, "Bought oats.");
                let _ = done.send(());
            });
            sender.send(is_done.recv_timeout(HANGS).is_ok()).expect("somebody listens");
        }
        turn.unlock().expect("unlocked");
        is_in_turn
    });
    thread::scope(|scope| {
        flusher(scope, || agent.history.record_found()).join().expect("no panic").expect("recorded");
    });
    assert_eq!(written.try_recv(), Ok(true), "the write came into the check");
    let subjects: Vec<(String, bool)> =
        commits(&agent).into_iter().map(|(subject, receipt)| (subject, receipt.is_some())).collect();
    let journal = "append memory/2026-11-21.md".to_owned();
    let found = "found by hand: 1 file".to_owned();
    // The clock of the agents is ahead of the stamps of the files, so what was found is the oldest.
    assert_eq!(subjects, [(found, false), (journal.clone(), true), (journal, true)]);
}

#[test]
fn a_backup_waits_for_a_running_flush() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], folder, .. } = two_that_wait(Some(Duration::ZERO));
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    // Another process is in the middle of a flush.
    let busy = turn_of(folder.path());
    busy.lock().expect("free");
    let refused = agent.while_nothing_is_written(|| Ok::<(), EngineError>(()));
    assert_eq!(refused.map_err(|error| error.code), Err(Code::Locked));
    busy.unlock().expect("held");
    let git_dir = folder.path().join("history.git");
    let copied = agent.while_nothing_is_written(|| Ok::<bool, EngineError>(is_turn_held(&git_dir)));
    assert!(copied.expect("free"), "no flush begins while it copies");
}

/// The history was not there yet when the backup looked for it.
#[test]
fn a_backup_waits_for_the_flush_that_makes_the_history() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, other], lock, folder, .. } = two();
    note(&agent, "Bought rye.");
    let git_dir = folder.path().join("history.git");
    assert!(!git_dir.exists());
    *lock.before.lock().expect("no panic") = Some(Box::new(move || {
        other.history.flush_history().expect("flushed");
    }));
    let is_held = agent.while_nothing_is_written(|| Ok::<bool, EngineError>(is_turn_held(&git_dir)));
    assert!(is_held.expect("free"), "no flush goes on while it copies");
}

/// Whoever takes them in another order could wait for ever.
#[test]
fn a_flush_and_a_backup_take_the_turn_before_the_write_guard() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], lock, folder: _folder, .. } = two();
    note(&agent, "Bought rye.");
    let (first, in_turn) = lock.of(|| agent.history.flush_history());
    first.expect("flushed");
    assert_eq!(in_turn, [true], "the first flush");
    note(&agent, "Bought oats.");
    let (later, in_turn) = lock.of(|| agent.history.flush_history());
    assert_eq!(later.expect("flushed").commits, 1);
    assert_eq!(in_turn, [false; 0], "a later flush needs no guard");
    let (backup, in_turn) = lock.of(|| agent.while_nothing_is_written(|| Ok::<(), EngineError>(())));
    backup.expect("copied");
    assert_eq!(in_turn, [true], "a backup");
    let (found, in_turn) = lock.of(|| agent.history.record_found());
    found.expect("recorded");
    assert_eq!(in_turn, [true], "a flush that checks for hand edits");
}

/// The words that it was given would come into history after the erasure.
#[test]
fn an_erasure_from_history_waits_for_a_flush_that_began_before_it() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], folder, .. } = two_that_wait(Some(Duration::ZERO));
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    let erase = || {
        let aim = ErasureRequest::of(Matcher::of(["pier forty-two".to_owned()]).expect("a wording"), true);
        agent.forget_everywhere(&aim, KnownTexts::default(), &owner()).map(|done| done.commits)
    };
    let busy = turn_of(folder.path());
    busy.lock().expect("free");
    assert_eq!(erase().map_err(|error| error.code), Err(Code::Locked));
    busy.unlock().expect("held");
    assert_eq!(erase().map_err(|error| error.code), Ok(0));
}

/// The history was thrown away, and another process was in the middle of a write when it was made again.
#[test]
fn a_file_of_a_running_write_is_no_part_of_the_beginning() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], shelf, memory, folder, .. } = two();
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    std::fs::remove_dir_all(folder.path().join("history.git")).expect("thrown away");
    let (name, at) = (name("notes/oven.md"), NOW.parse().expect("a moment"));
    let op = Op::Put(Arc::from(*b"The oven is hot.\n"));
    let intent = Intent {
        receipt: ReceiptId::new(at, [7; 10]),
        at,
        name: name.clone(),
        result: Some(Sha256::of(op.bytes())),
        op,
        before: None,
        base: None,
        stood_since: None,
        temp: String::new(),
        actor: Actor::Agent,
        taint: Taint::Owner,
        session: None,
        proposal: None,
        undoes: None,
        reason: String::new(),
    };
    memory.intent(&intent).expect("written down");
    shelf.write_at(name.as_str(), "The oven is hot.\n", NOW);
    // The next write settles it, after the history was made.
    note(&agent, "Bought oats.");
    let log =
        agent.history.history_log(&LogFilter { name: Some(name), ..LogFilter::newest(9) }).expect("a log");
    let receipts: Vec<Option<String>> = log.into_iter().map(|commit| commit.receipt).collect();
    assert_eq!(receipts, [Some(intent.receipt.to_string())]);
}

/// Its history waits for no other process, so that its host does not wait.
#[test]
fn a_session_that_ends_beside_a_running_flush_leaves_its_changes_to_a_later_command() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], folder, .. } = two_that_wait(Some(Duration::ZERO));
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    let start = Start {
        session: None,
        surface: "repl".into(),
        scope: Scope::Main,
        room: None,
        user: None,
        agents: Vec::new(),
        project: None,
    };
    let id = agent.sessions.session_start(&start).expect("a session").session.start.id;
    note(&agent, "Bought oats.");
    let busy = turn_of(folder.path());
    busy.lock().expect("free");
    let ended = agent.sessions.session_end(&id).expect("ended");
    let codes: Vec<&str> = ended.notices.iter().map(|notice| notice.code).collect();
    assert!(!codes.contains(&"history_not_written"), "{codes:?}");
    let flushed = ended.flushed.expect("of the main session");
    assert_eq!(flushed.commits, 0);
    assert!(flushed.waiting > 0, "the change waits");
    busy.unlock().expect("held");
    assert_eq!(agent.history.flush_history().expect("flushed").commits, flushed.waiting);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is the person with a git of their own")]
fn a_change_by_hand_is_committed_as_the_agent_where_the_workspace_holds_the_history() {
    if !inwit_testkit::has_git() {
        return;
    }
    let Two { agents: [agent, _], shelf, folder, .. } = two_with(HistoryPlace::Workspace, None);
    note(&agent, "Bought rye.");
    agent.history.flush_history().expect("flushed");
    // No receipt waits any more.
    shelf.write("notes/oven.md", "The oven is hot.\n");
    agent.history.record_found().expect("recorded");
    let mut git = std::process::Command::new("git");
    let log =
        git.arg("--git-dir").arg(folder.path().join("history.git")).args(["log", "--format=%an", "main"]);
    let log = log.output().expect("git");
    assert_eq!(String::from_utf8_lossy(&log.stdout), "agent\nagent\ninwit\n");
}
