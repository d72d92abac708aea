//! Several writers of one file on a real disk: an editor without locks, and many appenders.
//!
//! The editor saves by exchanging names, so it sees what each of its saves replaced. Together with the log and the
//! final folder, every save is accounted for or counted as lost. Invariant: nothing here sleeps.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use inwit_gate::{Approved, Author, Change, Policy, Verdict, judge};
use inwit_model::ports::Content;
use inwit_model::{Files, Op, OpLog, SafeName, Settled};
use inwit_workspace::{Applied, ApplyError, FsFiles, OwnLock, RealSyscalls, Syscalls, WriteLock, Writer};

use crate::{Chance, CrashDisk, Drawn, FakeClock, NOW, name};

/// Results of a race with an editor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EditorReport {
    /// Writes that are in the final state.
    pub writes: u32,
    /// Writes that were refused because the editor had changed the file.
    pub stale: u32,
    /// Of those, the ones that detected it only during or after the exchange of names.
    pub swapped_back: u32,
    /// Saves of the editor.
    pub saves: u32,
    /// Saves that are in files beside the file at the end.
    pub kept: u32,
    /// Saves that are in neither the file, a copy beside it, the log, nor the editor.
    pub lost: u32,
}

/// Results of many appenders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AppendReport {
    /// Entries that exist exactly once.
    pub entries: u32,
    /// Entries that are missing or duplicated.
    pub missing: u32,
    /// Lines that no appender wrote.
    pub torn: u32,
}

const FILE: &str = "MEMORY.md";

/// Longest time between two saves of the editor, as a multiple of the current write. With shorter pauses no write
/// would succeed on a slow disk.
const PAUSE_WRITES_MAX: usize = 3;

/// Writes a file `writes` times, each based on what was read, while an editor saves it by rename.
pub fn editor_race(writes: u32, seed: u64) -> EditorReport {
    editor_race_over(RealSyscalls::default(), writes, seed)
}

/// The same over `syscalls`, such as a disk that cannot exchange names, where some saves are lost.
pub fn editor_race_over(syscalls: RealSyscalls, writes: u32, seed: u64) -> EditorReport {
    let folder = tempfile::tempdir().expect("a folder");
    let files = Arc::new(FsFiles::open_with(syscalls, folder.path()).expect("open"));
    files.create(&name(FILE), &save(0)).expect("made");
    let log = CrashDisk::empty().log();
    let writer = writer(Arc::clone(&files) as _, Arc::new(log.clone()), Arc::new(OwnLock::default()), seed);
    let (policy, is_over, pace) = (policy(), AtomicBool::new(false), AtomicUsize::new(0));
    let mut report = EditorReport::default();
    let (saves, mut seen) = std::thread::scope(|scope| {
        let editor = scope.spawn(|| edit(folder.path(), &is_over, &pace, Chance::of(seed)));
        while report.writes < writes {
            let text = format!("written {}\n", report.writes).into_bytes();
            let begun = Instant::now();
            let put = put(&writer, &policy, &name(FILE), Op::Put(Arc::from(text)));
            pace.store(begun.elapsed().as_micros() as usize, Ordering::Relaxed);
            match put {
                Ok(_) => report.writes += 1,
                Err(ApplyError::Stale { .. }) => report.stale += 1,
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
        is_over.store(true, Ordering::Relaxed);
        editor.join().expect("the editor ran")
    });
    for (intent, settled) in log.rows() {
        match settled {
            Some(Settled::Done) => seen.extend(intent.before.as_deref().and_then(number)),
            _ => report.swapped_back += 1,
        }
    }
    for entry in std::fs::read_dir(folder.path()).expect("the folder") {
        let path = entry.expect("an entry").path();
        report.kept += u32::from(path.to_string_lossy().contains(".conflict-"));
        seen.extend(number(&std::fs::read(path).expect("readable")));
    }
    report.saves = saves;
    report.lost = (1..=saves).filter(|save| !seen.contains(save)).count() as u32;
    report
}

/// Saves until `is_over`, at a rate that can collide with writes of `pace` microseconds and leaves gaps. Returns the
/// number of saves, and the own saves that it replaced.
fn edit(folder: &Path, is_over: &AtomicBool, pace: &AtomicUsize, mut chance: Chance) -> (u32, BTreeSet<u32>) {
    const OWN: &[u8] = b".editor.swp";
    let disk = RealSyscalls::default();
    let root = disk.open_root(folder).expect("open");
    let (mut saves, mut seen) = (0, BTreeSet::new());
    while !is_over.load(Ordering::Relaxed) {
        saves += 1;
        let mut file = disk.create_new(&root, OWN).expect("a file of the editor");
        assert_eq!(disk.write(&mut file, &save(saves)), Ok(save(saves).len()));
        disk.exchange(&root, OWN, FILE.as_bytes()).expect("saved");
        seen.extend(number(&std::fs::read(folder.join(".editor.swp")).expect("what was there")));
        disk.unlink(&root, OWN).expect("let go");
        let longest = PAUSE_WRITES_MAX * pace.load(Ordering::Relaxed) + 1;
        let pause = Duration::from_micros(chance.below(longest) as u64);
        let begun = Instant::now();
        while begun.elapsed() < pause {
            std::thread::yield_now();
        }
    }
    (saves, seen)
}

fn save(number: u32) -> Vec<u8> {
    format!("saved {number}\n").into_bytes()
}

/// The number of the save with these bytes.
fn number(bytes: &[u8]) -> Option<u32> {
    std::str::from_utf8(bytes).ok()?.strip_prefix("saved ")?.trim_end().parse().ok()
}

/// `writers` threads append `each` entries to one journal, each with its own files.
pub fn appenders(writers: u32, each: u32, seed: u64) -> AppendReport {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, policy) = (name("memory/2026-11-21.md"), policy());
    let log: Arc<dyn OpLog> = Arc::new(CrashDisk::empty().log());
    let lock: Arc<dyn WriteLock> = Arc::new(OwnLock::default());
    let entry =
        |one: u32, at: u32| format!("- {one}/{at}: {}", "rye ".repeat(at as usize % 9 + 1).trim_end());
    std::thread::scope(|scope| {
        for one in 0..writers {
            let files = Arc::new(FsFiles::open(folder.path()).expect("open"));
            let writer = writer(files, Arc::clone(&log), Arc::clone(&lock), seed + u64::from(one));
            let (journal, policy) = (&journal, &policy);
            scope.spawn(move || {
                for at in 0..each {
                    let applied = append(&writer, policy, journal, entry(one, at).into_bytes());
                    let written = matches!(applied, Ok(Some(Applied::Written { .. })));
                    assert!(written, "seed {seed}: {applied:?}");
                }
            });
        }
    });
    let text = std::fs::read_to_string(folder.path().join(journal.as_str())).expect("the journal");
    let wanted: BTreeSet<String> =
        (0..writers).flat_map(|one| (0..each).map(move |at| entry(one, at))).collect();
    let held: Vec<&str> = text.lines().collect();
    let once = wanted.iter().filter(|wanted| held.iter().filter(|line| line == wanted).count() == 1).count();
    let torn = held.iter().filter(|line| !wanted.contains(**line)).count();
    let entries = once as u32;
    AppendReport { entries, missing: writers * each - entries, torn: torn as u32 }
}

fn writer(files: Arc<dyn Files>, log: Arc<dyn OpLog>, lock: Arc<dyn WriteLock>, seed: u64) -> Writer {
    Writer { files, log, lock, clock: Arc::new(FakeClock::at(NOW)), entropy: Arc::new(Drawn::of(seed)) }
}

fn policy() -> Policy {
    Policy::of(&inwit_workspace::profile::named("personal").expect("compiled in"), &Default::default())
}

/// The owner applies `op` to the content that was read, which may be stale.
fn put(writer: &Writer, policy: &Policy, name: &SafeName, op: Op) -> Result<Applied, ApplyError> {
    let read = writer.files.read(name).ok();
    writer.apply(approved(policy, name, op, read.as_ref()))
}

/// The owner appends `entry` under the write guard.
fn append(
    writer: &Writer,
    policy: &Policy,
    name: &SafeName,
    entry: Vec<u8>,
) -> Result<Option<Applied>, ApplyError> {
    let entry = Op::Append(Arc::from(entry));
    writer.apply_fresh(name, &mut |current| Ok(Some(approved(policy, name, entry.clone(), current))))
}

fn approved(policy: &Policy, name: &SafeName, op: Op, current: Option<&Content>) -> Approved<Change> {
    let author = Author::owner(&crate::owner());
    let change = Change::new(name.clone(), op, current.map(|content| content.sha256), author);
    match judge(policy, current.map(|content| &*content.bytes), change) {
        Verdict::Approved(approved) => approved,
        verdict => panic!("the owner may: {verdict:?}"),
    }
}
