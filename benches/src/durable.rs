//! What it costs to write so that nothing is lost, beside the bare calls of the system.
//!
//! Each pair is taken in turns, one of ours and one bare, so that the moods of the disk meet both. Syncs are
//! counted by strace, not guessed: of a child that changes a home so often, and of one that does it twice as
//! often. Invariant: what is compared holds the same bytes and ends on the same disk.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Barrier;
use std::time::{Duration, Instant, SystemTime};

use inwit_engine::{Agent, Outcome as Written, WriteContext};
use inwit_gate::Author;
use inwit_model::ports::FileWrite;
use inwit_model::{Code, Files as _, Op, SafeName, Scope};
use inwit_soak::{Home, Place};
use inwit_workspace::FsFiles;
use jiff::Timestamp;

use crate::measure::{Times, syncs};
use crate::{Outcome, Row};

/// Bytes of a file that is replaced: a long MEMORY.md.
const REPLACED_BYTES: usize = 8 * 1024;

/// Replacements that are timed.
const REPLACEMENTS: usize = 300;

/// Who append at once.
const WRITERS: usize = 16;

/// Entries of each of them.
const ENTRIES: usize = 50;

/// Changes that a child makes while its syncs are counted, once and twice.
const COUNTED: usize = 20;

const FILE: &str = "notes/plan.md";
const FIXTURE: &str = "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n# MEMORY\n//- notes/plan.md\n# Plan\n";

/// Rows of the table.
pub fn measure(bench: &Path) -> Outcome<Vec<Row>> {
    let mut rows = replacing()?;
    rows.extend(appending()?);
    for (what, role) in
        [("a replacement without log", "replace"), ("a whole file put", "put"), ("an entry", "append")]
    {
        rows.push((format!("syncs of {what}, by strace"), counted(bench, role)?));
    }
    Ok(rows)
}

/// Replaces a file in four ways, in turns: bare, by the workspace, where the file rested and where it was written just now,
/// and as a verb with its record. Of a file that was written just now it is found out whether a program still writes to it.
fn replacing() -> Outcome<Vec<Row>> {
    let home = Home::new("personal", FIXTURE);
    let (files, agent) = (FsFiles::open(&home.place.workspace())?, home.place.open().agent);
    let bare_folder = tempfile::tempdir()?;
    let [mut bare, mut rested, mut fresh, mut verbs] = [const { Vec::new() }; 4];
    for run in 0..REPLACEMENTS {
        let bytes = contents(run);
        bare.push(timed(|| bare_replace(bare_folder.path(), &bytes))?);
        File::options()
            .write(true)
            .open(home.place.workspace().join(FILE))?
            .set_modified(SystemTime::UNIX_EPOCH)?;
        rested.push(timed(|| replace(&files, 2 * run, &bytes))?);
        fresh.push(timed(|| replace(&files, 2 * run + 1, &contents(run + 1)))?);
        verbs.push(timed(|| put(&agent, run))?);
    }
    let [bare, rested, fresh, verbs] = [bare, rested, fresh, verbs].map(Times::from);
    Ok(vec![
        ("8 KiB replaced by bare calls: write, fsync, rename, fsync; p50 / p95".into(), both(&bare)),
        ("the same by the workspace: exchanged, read back, p50 / p95".into(), both(&rested)),
        ("ratio of the two medians".into(), format!("{:.2}", rested.ms(50) / bare.ms(50))),
        ("the same of a file that was written in the last two seconds, p50 / p95".into(), both(&fresh)),
        ("the same as a verb: judged, with intent, audit and receipt, p50 / p95".into(), both(&verbs)),
    ])
}

fn bare_replace(folder: &Path, bytes: &[u8]) -> Outcome<()> {
    let temp = folder.join("plan.tmp");
    let mut file = File::create(&temp)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&temp, folder.join("plan.md"))?;
    Ok(File::open(folder)?.sync_all()?)
}

fn replace(files: &FsFiles, run: usize, bytes: &[u8]) -> Outcome<()> {
    let name = SafeName::parse(FILE)?;
    let base = files.read(&name)?.sha256;
    let (op, mark) = (Op::Put(bytes.into()), run.to_string());
    let write = FileWrite { name: &name, op: &op, base: Some(base), at: Timestamp::UNIX_EPOCH, mark: &mark };
    files.write(&write, &mut |_| Ok(()))?;
    Ok(())
}

/// The owner puts a file of the same size.
fn put(agent: &Agent, run: usize) -> Outcome<()> {
    let bytes = contents(run + REPLACEMENTS);
    match agent
        .notes
        .amend(&SafeName::parse("notes/verb.md")?, &owner(), &|_| Ok(Some(Op::Put((*bytes).into()))))?
    {
        Written::Applied { .. } => Ok(()),
        other => Err(format!("not written: {other:?}").into()),
    }
}

fn contents(run: usize) -> Vec<u8> {
    format!("# Plan\n\n{}", format!("- Ana buys flour, the {run}th time.\n").repeat(256))
        .into_bytes()
        .into_iter()
        .take(REPLACED_BYTES - 1)
        .chain(*b"\n")
        .collect()
}

/// Many agents over one home add to one daily log, each with connections and guards of its own.
fn appending() -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let mut file = OpenOptions::new().create(true).append(true).open(folder.path().join("log"))?;
    let alone = Home::new("personal", FIXTURE);
    let agent = alone.place.open().agent;
    let [mut bare, mut singly] = [const { Vec::new() }; 2];
    for run in 0..WRITERS * ENTRIES {
        bare.push(timed(|| Ok(file.write_all(&[b'x'; 80]).and_then(|()| file.sync_data())?))?);
        singly.push(timed(|| append(&agent, 0, run).map(|_| ()))?);
    }
    let [bare, singly] = [bare, singly].map(Times::from);
    let home = Home::new("personal", FIXTURE);
    let together = contended(&home.place)?;
    let a_second = 1e3 / bare.ms(50);
    let reached = (WRITERS * ENTRIES) as f64 / together.took.as_secs_f64();
    Ok(vec![
        (
            "a line appended and synced, bare, p50 / p95".into(),
            format!("{}, {a_second:.0} a second", both(&bare)),
        ),
        (
            format!("an entry of the daily log, alone, {} in one log, p50 / p95", WRITERS * ENTRIES),
            format!("{}, {:.0} a second", both(&singly), 1e3 / singly.ms(50)),
        ),
        (
            format!("{WRITERS} who append at once, {ENTRIES} entries each into one log"),
            format!(
                "{reached:.0} a second; one entry p50 / p95 / longest {} / {:.0} ms; first and last done after \
                 {:.2} and {:.2} s; told to come again {}",
                both(&together.waits),
                together.waits.ms(100),
                together.first_done.as_secs_f64(),
                together.took.as_secs_f64(),
                together.again
            ),
        ),
    ])
}

/// What came of many who appended at once.
struct Together {
    took: Duration,
    first_done: Duration,
    waits: Times,
    again: usize,
}

fn contended(place: &Place) -> Outcome<Together> {
    let barrier = Barrier::new(WRITERS);
    let ends: Vec<Result<_, String>> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..WRITERS)
            .map(|who| {
                let barrier = &barrier;
                scope.spawn(move || {
                    let agent = place.open().agent;
                    barrier.wait();
                    let begun = Instant::now();
                    let (mut waits, mut again) = (Vec::new(), 0);
                    for entry in 0..ENTRIES {
                        let one = Instant::now();
                        again += append(&agent, who, entry).map_err(|error| error.to_string())?;
                        waits.push(one.elapsed());
                    }
                    Ok((begun.elapsed(), waits, again))
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().map_err(|_| "a writer panicked".to_owned())?).collect()
    });
    let ends = ends.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Together {
        took: ends.iter().map(|end| end.0).max().unwrap_or_default(),
        first_done: ends.iter().map(|end| end.0).min().unwrap_or_default(),
        again: ends.iter().map(|end| end.2).sum(),
        waits: Times::from(ends.into_iter().flat_map(|end| end.1).collect()),
    })
}

/// Adds one entry, coming again where it is told to; answers how often it was.
fn append(agent: &Agent, who: usize, entry: usize) -> Outcome<usize> {
    let text = format!("writer {who}, entry {entry}, from its first word to its last.");
    let mut again = 0;
    loop {
        match agent.sessions.journal_add(&text, &Scope::Main, &owner()) {
            Ok(Written::Applied { .. }) => return Ok(again),
            Err(error) if matches!(error.code, Code::Stale | Code::Locked) => again += 1,
            other => return Err(format!("not written: {other:?}").into()),
        }
    }
}

fn owner() -> WriteContext {
    WriteContext::of(Author::owner(&inwit_testkit::owner()))
}

/// Syncs of one change: those of so many more of them, shared out.
fn counted(bench: &Path, role: &str) -> Outcome<String> {
    let count = |times: usize| {
        let home = Home::new("personal", FIXTURE);
        let root = home.place.root().display().to_string();
        syncs(bench, &["child", role, &root, &times.to_string()])
    };
    let (Some(once), Some(twice)) = (count(COUNTED)?, count(2 * COUNTED)?) else {
        return Ok("strace is not installed".into());
    };
    Ok(format!("{:.2}", (twice as f64 - once as f64) / COUNTED as f64))
}

/// What a child does: the same change so many times.
pub fn play(role: &str, place: &Place, times: usize) -> Outcome<()> {
    let (files, agent) = (FsFiles::open(&place.workspace())?, place.open().agent);
    for run in 0..times {
        match role {
            "replace" => replace(&files, run, &contents(run))?,
            "put" => put(&agent, run)?,
            _ => append(&agent, 0, run).map(|_| ())?,
        }
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Outcome<()>) -> Outcome<Duration> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed())
}

fn both(times: &Times) -> String {
    format!("{:.2} / {:.2} ms", times.ms(50), times.ms(95))
}
