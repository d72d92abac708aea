//! History is brought up to the receipts while others write.
//!
//! A flush once kept the right to write for as long as its git took, and other processes gave up after two seconds.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use inwit_engine::past::{HistoryHome, LogFilter};
use inwit_engine::{Agent, Behalf, Keeping, Parts};
use inwit_gate::Author;
use inwit_model::{Clock, Files, HistoryPlace, Scope};
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::{Drawn, FakeClock, NOW, Shelf, keeping, owner, parts};
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
    folder: tempfile::TempDir,
}

fn two() -> Two {
    let (shelf, folder) = (Arc::new(Shelf::default()), tempfile::tempdir().expect("a folder"));
    let clocks: [Arc<Watched>; 2] = Default::default();
    let (memory, lock) = (Arc::new(SqliteMemory::in_memory().expect("a memory")), keeping().lock);
    let agent = |number: usize| {
        let git_dir = folder.path().join("history.git");
        let history = Some(HistoryHome { git_dir, place: HistoryPlace::Beside, lock_wait: None });
        let own = folder.path().join(number.to_string());
        std::fs::create_dir(&own).expect("made");
        let keeping = Keeping {
            lock: Arc::clone(&lock),
            history,
            past: Some(past_in(&own)),
            ..Keeping::alone(memory.clone(), Arc::new(Drawn::of(number as u64 + 1)))
        };
        let clock = Arc::clone(&clocks[number]) as Arc<dyn Clock>;
        Agent::new(Parts { clock, keeping, ..parts(Arc::clone(&shelf) as Arc<dyn Files>) })
    };
    Two { agents: [agent(0), agent(1)], clocks: clocks.clone(), shelf, folder }
}

/// The file whose lock is the turn to write a history.
fn turn_of(folder: &Path) -> File {
    File::open(folder.join("history.git/inwit.lock")).expect("there")
}

fn note(agent: &Agent, text: &str) {
    let owner = Behalf::of(Author::owner(&owner()));
    agent.journal_add(text, &Scope::Main, &owner).expect("written");
}

/// The subjects and receipts of all commits, oldest first, without the first one.
fn commits(agent: &Agent) -> Vec<(String, Option<String>)> {
    let log = agent.history_log(&LogFilter::newest(50)).expect("a log");
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
    agent.flush_history().expect("flushed");
    note(&agent, "Bought oats.");
    // Another process is in the middle of a flush.
    let busy = turn_of(folder.path());
    busy.lock().expect("free");
    let is_flushing = clock.reports();
    thread::scope(|scope| {
        let flush = flusher(scope, || agent.flush_history());
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
    two.agents[0].flush_history().expect("flushed");
    note(&two.agents[0], "Bought oats.");
    note(&two.agents[1], "Bought spelt.");
    let busy = turn_of(two.folder.path());
    busy.lock().expect("free");
    let reports = [0, 1].map(|number| two.clocks[number].reports());
    thread::scope(|scope| {
        let flushes = [&two.agents[0], &two.agents[1]].map(|agent| flusher(scope, || agent.flush_history()));
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
    let Two { agents: [agent, other], clocks: [clock, _], shelf, folder } = two();
    note(&agent, "Bought rye.");
    agent.flush_history().expect("flushed");
    shelf.write("notes/oven.md", "The oven is hot.\n");
    let turn = turn_of(folder.path());
    let (sender, written) = channel();
    clock.hook(move || {
        // Within a turn only the check for hand edits reads the clock.
        let is_in_turn = matches!(turn.try_lock(), Err(TryLockError::WouldBlock));
        if is_in_turn {
            note(&other, "Bought oats.");
            sender.send(()).expect("somebody listens");
        }
        turn.unlock().expect("unlocked");
        is_in_turn
    });
    let moment = NOW.parse().expect("a moment");
    thread::scope(|scope| {
        flusher(scope, || agent.as_of(&Scope::Main, moment).map(drop))
            .join()
            .expect("no panic")
            .expect("a past");
    });
    written.try_recv().expect("the write came into the check");
    let subjects: Vec<(String, bool)> =
        commits(&agent).into_iter().map(|(subject, receipt)| (subject, receipt.is_some())).collect();
    let journal = "append memory/2026-11-21.md".to_owned();
    let found = "found by hand: 1 file(s)".to_owned();
    assert_eq!(subjects, [(journal.clone(), true), (found, false), (journal, true)]);
}
