//! Removes texts from every commit: a new repository is built and replaces the old one.
//!
//! Commit ids depend on contents, so they change from the first affected commit on. The stream of `fast-export` is
//! read once: contents and messages pass through the caller, everything else is unchanged, so times, authors and
//! trailers stay. Invariants: the old repository stays until the new one is complete and synced, then both are
//! exchanged atomically; the map of old to new ids is in the new one until [`History::renamed`] confirms it. Nothing
//! of the old one remains: no pack, no loose object, no reflog.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Child;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::commit::settle;
use super::content::Object;
use super::error::HistoryError;
use super::lock::Lock;
use super::{Git, History, LOCK, founding};
use crate::limit::HISTORY_WRITE_SECONDS_MAX;

/// Bytes without the words that are to be forgotten; `None`: they do not stand there.
pub type Without<'w> = dyn Fn(&[u8]) -> Option<Vec<u8>> + Sync + 'w;

/// The map of old to new commit ids, one pair per line, until it was used.
const NAMES: &str = "inwit-renamed";

/// Where `fast-import` writes the new names of commits.
const MARKS: &str = "inwit-marks";

/// What the words stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryMatches {
    /// Commits that brought them, or say them.
    pub commits: usize,
    /// Files as they were at some time, and messages.
    pub objects: usize,
}

impl History {
    /// Counts the commits in which the words stand; writes nothing. Errors: `history_failed`.
    pub fn holding(&self, without: &Without<'_>) -> Result<HistoryMatches, HistoryError> {
        let mut filter = Filter::new(without);
        self.export(&mut |source| filter.pass(source, &mut io::sink()))?;
        Ok(filter.held)
    }

    /// Rewrites the history without the texts, and returns what contained them. Readers see the old one or the new
    /// one. Errors: `locked`, `history_failed`; then the old one is unchanged.
    pub fn rewrite(&self, without: &Without<'_>) -> Result<HistoryMatches, HistoryError> {
        let place = self.git.git_dir();
        let parent = place.parent().ok_or_else(|| HistoryError::NotOurs { path: place.to_owned() })?;
        let _founders = Lock::folder(parent, self.git.lock_wait())?;
        let _writers = Lock::file(&place.join(LOCK), self.git.lock_wait())?;
        let draft = founding::draft(place)?;
        let made = self.rewrite_into(&self.git.at(&draft), without);
        let done = made.and_then(|held| {
            exchange(&draft, place, parent).map_err(HistoryError::io(place.display().to_string()))?;
            Ok(held)
        });
        // Half a new one, or all of the old one.
        let gone = founding::clear(&draft).map_err(HistoryError::io(draft.display().to_string()));
        let held = done?;
        gone.map(|()| held)
    }

    /// The old and new names of commits since history was last rewritten; empty where they were taken up.
    pub fn renames(&self) -> Result<Vec<(String, String)>, HistoryError> {
        let path = self.git.git_dir().join(NAMES);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(HistoryError::io(path.display().to_string()))?,
        };
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        Ok(pairs.map(|(before, after)| (before.to_owned(), after.to_owned())).collect())
    }

    /// The new names stand wherever the old ones did.
    pub fn renamed(&self) -> Result<(), HistoryError> {
        let path = self.git.git_dir().join(NAMES);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(HistoryError::io(path.display().to_string())(error))
            }
            _ => Ok(()),
        }
    }

    /// Takes away what a rewriting that was killed left beside the history.
    pub fn clear_drafts(&self) -> Result<(), HistoryError> {
        let place = self.git.git_dir();
        founding::clear_drafts(place).map_err(HistoryError::io(place.display().to_string()))
    }

    /// Shows every object that the repository holds, reachable or not, loose or packed. Errors: `history_failed`.
    pub fn each_object(&self, visit: &mut dyn FnMut(&str, &[u8])) -> Result<(), HistoryError> {
        let words = ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"];
        let listed = String::from_utf8_lossy(&self.git.read(&words, None)?).into_owned();
        let names: Vec<String> = listed.lines().map(str::to_owned).collect();
        for page in names.chunks(OBJECTS_AT_A_TIME) {
            for object in self.objects(page)?.into_iter().flatten() {
                let Object { oid, bytes, .. } = object;
                visit(&oid.to_string(), &bytes);
            }
        }
        Ok(())
    }

    fn rewrite_into(&self, new: &Git, without: &Without<'_>) -> Result<HistoryMatches, HistoryError> {
        founding::furnish(new, self.git.git_dir())?;
        let marks = new.git_dir().join(MARKS);
        let filter = Mutex::new(Filter::new(without));
        let told = format!("--export-marks={}", marks.display());
        // With `--done` it refuses a stream that does not say that it is over.
        let import = ["fast-import", "--quiet", "--done", "--date-format=raw", &told];
        let within = Duration::from_secs(HISTORY_WRITE_SECONDS_MAX);
        let source = Mutex::new(Some(self.exporting()?));
        let feed = |out: &mut dyn Write| {
            let mut filter = filter.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = source.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(mut child) = taken else { return Ok(()) };
            let passed = match child.stdout.take() {
                Some(pipe) => filter.pass(&mut BufReader::new(pipe), out),
                None => Ok(()),
            };
            ended(child, passed)
        };
        let run = new.run(&import, Some(&feed), None, within)?;
        if !run.good {
            return Err(HistoryError::Failed { said: run.said });
        }
        let filter = filter.into_inner().unwrap_or_else(PoisonError::into_inner);
        let shown = || HistoryError::io(new.git_dir().display().to_string());
        let names = named(&filter.originals, &fs::read_to_string(&marks).map_err(shown())?);
        fs::remove_file(&marks).map_err(shown())?;
        founding::put(&new.git_dir().join(NAMES), names.as_bytes()).map_err(shown())?;
        // It stands where the old one stood: what a person's branch was, is.
        let head = self.git.git_dir().join("HEAD");
        fs::copy(&head, new.git_dir().join("HEAD")).map_err(shown())?;
        settle(new.git_dir()).and_then(|()| founding::sync(new.git_dir())).map_err(shown())?;
        Ok(filter.held)
    }

    fn export(&self, read: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>) -> Result<(), HistoryError> {
        let mut child = self.exporting()?;
        let passed = match child.stdout.take() {
            Some(pipe) => read(&mut BufReader::new(pipe)),
            None => Ok(()),
        };
        ended(child, passed).map_err(HistoryError::io("fast-export"))
    }

    fn exporting(&self) -> Result<Child, HistoryError> {
        let words = [
            "fast-export", "--all", "--show-original-ids", "--reencode=no", "--signed-tags=strip",
            "--tag-of-filtered-object=drop", "--use-done-feature",
        ];
        self.git.start(&words, false, None)
    }
}

/// Objects that are read at a time.
const OBJECTS_AT_A_TIME: usize = 64;

/// Waits for a child that was read to its end; one that failed makes what was read worthless.
fn ended(mut child: Child, passed: io::Result<()>) -> io::Result<()> {
    if passed.is_err() {
        super::git::end(&mut child);
    }
    let mut said = String::new();
    if let Some(mut pipe) = child.stderr.take() {
        let _ = pipe.read_to_string(&mut said);
    }
    let good = child.wait()?.success();
    passed?;
    if good { Ok(()) } else { Err(io::Error::other(super::message::inert_line(said.trim()))) }
}

/// The pairs of names by the marks that both were given.
fn named(originals: &[(u64, String)], marks: &str) -> String {
    let mark = |line: &str| {
        let (mark, oid) = line.strip_prefix(':')?.split_once(' ')?;
        Some((mark.parse::<u64>().ok()?, oid.to_owned()))
    };
    let after: std::collections::HashMap<u64, String> = marks.lines().filter_map(mark).collect();
    let pairs = originals.iter().filter_map(|(mark, before)| Some((before, after.get(mark)?)));
    pairs
        .filter(|(before, after)| before != after)
        .map(|(before, after)| format!("{before} {after}\n"))
        .collect()
}

/// Gives the new repository the place of the old one, in one step, so that there is one at any moment.
fn exchange(draft: &Path, place: &Path, parent: &Path) -> io::Result<()> {
    renameat_with(CWD, draft, CWD, place, RenameFlags::EXCHANGE)?;
    File::open(parent)?.sync_all()
}

/// A message without the words. Our own lines under it stay: by them history is read.
fn said_left(message: &[u8], without: &Without<'_>) -> Option<Vec<u8>> {
    let ours = format!("\n\n{}: ", super::trailer::AT);
    let at = message.windows(ours.len()).rposition(|window| window == ours.as_bytes());
    // Only the last paragraph is ours.
    let at = at.filter(|at| !message[at + 2..].windows(2).any(|window| window == b"\n\n"));
    let (said, ours) = message.split_at(at.unwrap_or(message.len()));
    without(said).map(|left| [&left, ours].concat())
}

/// Goes through a stream of `fast-export`.
struct Filter<'w> {
    without: &'w Without<'w>,
    held: HistoryMatches,
    /// Marks of files that hold the words.
    holding: std::collections::HashSet<u64>,
    /// Marks and old names of commits.
    originals: Vec<(u64, String)>,
}

impl<'w> Filter<'w> {
    fn new(without: &'w Without<'w>) -> Self {
        Self { without, held: HistoryMatches::default(), holding: Default::default(), originals: Vec::new() }
    }

    fn pass(&mut self, source: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let (mut is_commit, mut mark, mut counted) = (false, 0, true);
        let mut line = Vec::new();
        loop {
            line.clear();
            if source.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let text = String::from_utf8_lossy(&line).into_owned();
            let text = text.trim_end_matches('\n');
            if let Some(length) = text.strip_prefix("data ") {
                let length = length.parse().map_err(|_| io::Error::other("an invalid length"))?;
                let mut bytes = vec![0; length];
                source.read_exact(&mut bytes)?;
                let left = if is_commit { said_left(&bytes, self.without) } else { (self.without)(&bytes) };
                if left.is_some() {
                    self.held.objects += 1;
                    if is_commit {
                        self.held.commits += usize::from(!counted);
                        counted = true;
                    } else {
                        self.holding.insert(mark);
                    }
                }
                let bytes = left.unwrap_or(bytes);
                writeln!(out, "data {}", bytes.len())?;
                out.write_all(&bytes)?;
                continue;
            }
            match text.split_once(' ') {
                Some(("commit", _)) => (is_commit, counted) = (true, false),
                _ if text == "blob" => is_commit = false,
                Some(("tag", _)) => (is_commit, counted) = (true, true),
                Some(("mark", number)) => mark = number.trim_start_matches(':').parse().unwrap_or_default(),
                Some(("original-oid", oid)) => {
                    if is_commit {
                        self.originals.push((mark, oid.to_owned()));
                    }
                    continue;
                }
                Some(("M", rest)) if is_commit && !counted => {
                    let blob = rest.split(' ').nth(1).and_then(|mark| mark.strip_prefix(':')?.parse().ok());
                    counted = blob.is_some_and(|blob: u64| self.holding.contains(&blob));
                    self.held.commits += usize::from(counted);
                }
                _ => {}
            }
            out.write_all(&line)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_lines_under_a_message_stay() {
        let message =
            b"MEMORY.md: agent wrote\n\nthe agent\n\nInwit-At: 2026-11-22T00:00:00Z\nInwit-Actor: agent\n";
        let without = |words: &'static str| {
            move |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes);
                text.contains(words).then(|| text.replace(words, "x").into_bytes())
            }
        };
        assert_eq!(said_left(message, &without("2026")), None);
        assert_eq!(said_left(message, &without("Inwit-")), None);
        let left = said_left(message, &without("agent")).expect("said");
        let ours = "Inwit-At: 2026-11-22T00:00:00Z\nInwit-Actor: agent\n";
        assert_eq!(String::from_utf8_lossy(&left), format!("MEMORY.md: x wrote\n\nthe x\n\n{ours}"));
        assert_eq!(said_left(b"by hand, agent\n", &without("agent")).expect("said"), b"by hand, x\n");
    }
}
