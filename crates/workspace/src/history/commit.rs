//! Writes commits from given bytes, all of a flush in one `git fast-import`.
//!
//! The work tree is not used: no filter, attribute or line-end rule applies, and no other file can be included.
//! Invariant: the branch moves once per flush, from a known tip to its last commit, or not at all; foreign commits
//! are ancestors.
//!
//! `fast-import` moves a branch only if the old tip is an ancestor of the new one and unchanged. A flush with a
//! changed tip fails as a whole and is repeated. A killed one leaves an unreferenced pack, and possibly a lock file
//! of git, which is removed if it persists for a whole attempt.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use inwit_model::SafeName;
use jiff::Timestamp;

use super::error::HistoryError;
use super::lock::Lock;
use super::message;
use super::{Git, History, LOCK, MAIN, Oid};
use crate::limit::{HISTORY_LOCK_SECONDS_MAX, HISTORY_WRITE_SECONDS_MAX};

/// One commit to make: one receipt, even if it changes nothing, so that the history has every receipt.
#[derive(Debug, Clone)]
pub struct Commit {
    /// What happened, on one line.
    pub subject: String,
    /// What else there is to say; may be empty.
    pub body: String,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    pub actor: String,
    /// Further lines for programs, by the names of [`super::trailer`]. The moment and the actor are
    /// written by themselves.
    pub trailers: Vec<(&'static str, String)>,
    /// Files by name with their whole bytes, `None` for one that was removed.
    pub changes: Vec<(SafeName, Option<Arc<[u8]>>)>,
}

/// Whose name git shows beside a commit. Who really wrote is in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    /// The actor, as `<actor>@inwit.invalid`: a reserved domain.
    Actor,
    /// One name for all (the profile nexo: `agent`, `agent@localhost`).
    Fixed {
        /// The name.
        name: String,
        /// The address.
        email: String,
    },
}

/// The exclusive right to write to a history: until it is dropped, no other thread and no other process writes. Who needs
/// the write guard of the workspace as well takes this first.
#[derive(Debug)]
pub struct Turn<'h> {
    history: &'h History,
    lock: Lock,
}

impl History {
    /// Takes the exclusive right to write. Errors: `locked`, where another holder kept it too long; `history_failed`.
    pub fn turn(&self) -> Result<Turn<'_>, HistoryError> {
        let lock = Lock::file(&self.git.git_dir().join(LOCK), self.git.lock_wait())?;
        Ok(Turn { history: self, lock })
    }

    /// Takes a [`Turn`] and makes commits. Errors: those of [`turn`](Self::turn) and of [`Turn::commit`].
    pub fn commit(&self, batch: &[Commit]) -> Result<Vec<Oid>, HistoryError> {
        if batch.is_empty() { Ok(Vec::new()) } else { self.turn()?.commit(batch) }
    }
}

impl<'h> Turn<'h> {
    /// The history that it writes to.
    pub fn history(&self) -> &'h History {
        self.history
    }

    /// Makes one commit for each of `batch`, in order, and gives their names. All are on the disk when
    /// it returns. Errors: `locked` (another process writes), `history_failed`; then none was made.
    pub fn commit(&mut self, batch: &[Commit]) -> Result<Vec<Oid>, HistoryError> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let History { git, author } = self.history;
        sweep(git.git_dir());
        let deadline = Instant::now() + Duration::from_secs(HISTORY_LOCK_SECONDS_MAX);
        loop {
            let stale = git_locks(git.git_dir());
            let tip = self.history.tip()?;
            let said = match import(git, Some(tip), batch, author, &mut self.lock)? {
                Ok(oids) => {
                    if !git.is_fleeting() {
                        settle(git.git_dir()).map_err(HistoryError::io("the folders of the history"))?;
                    }
                    return Ok(oids);
                }
                Err(said) => said,
            };
            sweep(git.git_dir());
            let left = git_locks(git.git_dir());
            if self.history.tip()? == tip && left.is_empty() {
                return Err(HistoryError::Failed { said });
            }
            // Git itself waits a second for a lock, so one that stood through it has no holder.
            for lock in left.iter().filter(|lock| stale.contains(lock)) {
                let _ = std::fs::remove_file(&lock.path);
            }
            if Instant::now() > deadline {
                return Err(HistoryError::Busy);
            }
        }
    }
}

/// Syncs the folders of new files, which git does not: the caller drops the bytes now.
pub(super) fn settle(git_dir: &Path) -> io::Result<()> {
    ["objects/pack", "refs/heads"].iter().try_for_each(|folder| File::open(git_dir.join(folder))?.sync_all())
}

/// Imports `batch` on top of `tip`. The inner error is what git said.
pub(super) fn import(
    git: &Git,
    tip: Option<Oid>,
    batch: &[Commit],
    author: &Author,
    lock: &mut Lock,
) -> Result<Result<Vec<Oid>, String>, HistoryError> {
    let feed = |out: &mut dyn Write| stream(out, tip, batch, author);
    let within = Duration::from_secs(HISTORY_WRITE_SECONDS_MAX);
    let run = git.run(IMPORT, Some(&feed), Some(lock.page()?), within)?;
    if !run.good {
        return Ok(Err(run.said));
    }
    let oids: Option<Vec<Oid>> = lock.written()?.lines().map(Oid::parse).collect();
    match oids {
        Some(oids) if oids.len() == batch.len() => Ok(Ok(oids)),
        _ => Err(HistoryError::Odd { asked: "fast-import" }),
    }
}

/// With `--done` a truncated stream changes nothing.
pub(super) const IMPORT: &[&str] = &["fast-import", "--quiet", "--done", "--date-format=raw"];

/// A path as `fast-import` reads it: one that begins with a quotation mark would be taken for a quoted one.
fn path_of(name: &SafeName) -> Cow<'_, str> {
    match name.as_str().starts_with('"') {
        false => Cow::Borrowed(name.as_str()),
        true => Cow::Owned(format!("\"{}\"", name.as_str().replace('"', "\\\""))),
    }
}

/// Writes what `fast-import` reads. Every text is given by its length or has no line end.
pub(super) fn stream(
    out: &mut dyn Write,
    tip: Option<Oid>,
    batch: &[Commit],
    author: &Author,
) -> io::Result<()> {
    for (at, commit) in batch.iter().enumerate() {
        let mark = at + 1;
        let (name, email) = signature(author, &commit.actor);
        // Git knows no moment before 1970; the exact one is in the message.
        let seconds = commit.at.as_second().max(0);
        writeln!(out, "commit {MAIN}\nmark :{mark}\ncommitter {name} <{email}> {seconds} +0000")?;
        data(out, message::write(commit).as_bytes())?;
        if let (0, Some(tip)) = (at, tip) {
            writeln!(out, "from {tip}")?;
        }
        for (name, bytes) in &commit.changes {
            match bytes {
                Some(bytes) => {
                    writeln!(out, "M 100644 inline {}", path_of(name))?;
                    data(out, bytes)?;
                }
                None => writeln!(out, "D {}", path_of(name))?,
            }
        }
        writeln!(out, "\nget-mark :{mark}")?;
    }
    writeln!(out, "done")
}

fn data(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    writeln!(out, "data {}", bytes.len())?;
    out.write_all(bytes)?;
    out.write_all(b"\n")
}

/// Name and address, without what git gives a meaning.
fn signature(author: &Author, actor: &str) -> (String, String) {
    let plain = |text: &str| {
        let kept: String = message::inert_line(text).replace(['<', '>'], "");
        let kept = kept.trim_matches(|c: char| c.is_whitespace() || ".,:;\"'\\".contains(c)).to_owned();
        if kept.is_empty() { "unknown".to_owned() } else { kept }
    };
    match author {
        Author::Actor => {
            let portable = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            let local = plain(actor).to_lowercase().replace(|c| !portable(c), "-");
            (plain(actor), format!("{local}@inwit.invalid"))
        }
        Author::Fixed { name, email } => (plain(name), plain(email).replace(char::is_whitespace, "-")),
    }
}

/// A file by which git keeps others from a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GitLock {
    path: PathBuf,
    inode: u64,
    changed: (i64, i64),
}

/// The lock files of the refs that a flush moves: the branch, and `HEAD`, which points to it.
fn git_locks(git_dir: &Path) -> Vec<GitLock> {
    let paths = [git_dir.join(format!("{MAIN}.lock")), git_dir.join("HEAD.lock")].into_iter();
    let found = paths.filter_map(|path| {
        let meta = path.symlink_metadata().ok()?;
        Some(GitLock { path, inode: meta.ino(), changed: (meta.ctime(), meta.ctime_nsec()) })
    });
    found.collect()
}

/// Removes leftovers of killed imports: unfinished packs, and crash reports with their content. Under our lock only a
/// user's own git in a `.git` could be writing such files.
fn sweep(git_dir: &Path) {
    if git_dir.file_name().is_some_and(|name| name == ".git") {
        return;
    }
    let left = |folder: PathBuf, prefix: &'static str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter(move |entry| entry.file_name().to_string_lossy().starts_with(prefix))
    };
    let packs = left(git_dir.join("objects/pack"), "tmp_").chain(left(git_dir.join("objects/pack"), ".tmp-"));
    for entry in packs.chain(left(git_dir.to_owned(), "fast_import_crash_")) {
        let _ = std::fs::remove_file(entry.path());
    }
}

#[cfg(test)]
mod tests {
    use std::process::Child;

    use inwit_testkit::Chance;

    use super::*;
    use crate::history::{LogFilter, Rev};

    /// Number of killed flushes, half of them while reading the input and half while working. A kill that leaves a
    /// lock of git costs the next flush a second.
    const KILLS: u64 = 40;

    fn commit(label: &str) -> Commit {
        let bytes = |salt: usize| -> Arc<[u8]> { label.repeat(salt * 50).into_bytes().into() };
        let name = |text: &str| SafeName::parse(text).expect("a name");
        Commit {
            subject: label.to_owned(),
            body: String::new(),
            at: "2026-11-21T12:00:00Z".parse().expect("a moment"),
            actor: "agent".to_owned(),
            trailers: Vec::new(),
            changes: vec![(name("MEMORY.md"), Some(bytes(3))), (name("memory/CORE.md"), Some(bytes(70)))],
        }
    }

    fn kill(mut child: Child) {
        super::super::git::end(&mut child);
        child.wait().expect("ended");
    }

    /// Feeds `bytes` to a `fast-import` that holds the lock, and kills it at some point.
    fn killed_flush(history: &History, bytes: &[u8], chance: &mut Chance) {
        let mut lock =
            Lock::file(&history.git.git_dir().join(LOCK), history.git.lock_wait()).expect("the lock");
        let page = lock.page().expect("a page");
        let mut child = history.git.start(IMPORT, true, Some(page)).expect("started");
        let mut pipe = child.stdin.take().expect("piped");
        if chance.coin() {
            let cut = chance.below(bytes.len());
            pipe.write_all(&bytes[..cut]).expect("told");
            // Half of these are killed, half see the end of their input.
            if chance.coin() {
                drop(pipe);
                assert!(!child.wait().expect("ended").success(), "half a stream is none");
                return;
            }
        } else {
            pipe.write_all(bytes).expect("told");
            // On a busy machine it may not get far, so some are let end.
            if chance.below(5) == 0 {
                let _ = child.wait();
            }
            for _ in 0..chance.below(40_000) {
                if child.try_wait().expect("asked").is_some() {
                    break;
                }
            }
        }
        kill(child);
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "a test that is passed over must not be silent")]
    fn a_flush_that_is_killed_anywhere_made_all_its_commits_or_none() {
        if !History::available() {
            // On a server the tests in tests/it fail without git.
            eprintln!("skipped: this machine has no git");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let founded = "2026-11-01T00:00:00Z".parse().expect("a moment");
        let history = History::open_or_init(&folder.path().join("h.git"), founded).expect("a history");
        let mut chance = Chance::of(0xA06);
        let (mut whole, mut none) = (0, 0);
        for round in 0..KILLS {
            let case = format!("seed 0xA06, round {round}");
            let tip = history.tip().expect("a tip");
            let batch: Vec<Commit> = (0..4).map(|at| commit(&format!("killed {round} {at}"))).collect();
            let mut bytes = Vec::new();
            stream(&mut bytes, Some(tip), &batch, &Author::Actor).expect("written");
            killed_flush(&history, &bytes, &mut chance);
            let log = history.log(&LogFilter::newest(5)).expect("a log");
            match log.iter().position(|one| one.oid == tip) {
                Some(0) => none += 1,
                Some(4) => whole += 1,
                other => panic!("{case}: {other:?}"),
            }
            let next = format!("next {round}");
            history.commit(&[commit(&next)]).unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(history.log(&LogFilter::newest(1)).expect("a log")[0].subject, next, "{case}");
            let name = SafeName::parse("MEMORY.md").expect("a name");
            assert_eq!(
                history.show(&Rev::Tip, &name).expect("shown").expect("there"),
                next.repeat(150).as_bytes()
            );
            // The whole repository each time would cost half a minute; what is broken stays broken.
            if round % 10 != 9 {
                continue;
            }
            let fsck = ["fsck", "--strict", "--full", "--no-dangling"];
            let said = history.git.read(&fsck, None).unwrap_or_else(|error| panic!("{case}: {error}"));
            assert!(said.is_empty(), "{case}: {}", String::from_utf8_lossy(&said));
        }
        assert!(whole > 0 && none > 0, "{whole} flushes were whole, {none} came to nothing");
    }
}
