//! The commits of a history, oldest first, each with its changed files.
//!
//! One line of ancestors is followed, so that every commit has one state before it. Invariant: a step has only the
//! files that it changed, by object id; contents are not read.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use inwit_model::change::FOUND_REASON;
use inwit_model::{Actor, SafeName};
use jiff::Timestamp;

use super::content::safe_name;
use super::error::HistoryError;
use super::log::CommitHead;
use super::message::trailer;
use super::{History, Oid};

/// Commits whose messages and changes are read at a time.
const PAGE_COMMITS: usize = 512;

/// The kind of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Files as found when the history was created, or later: they have no receipt.
    Begun,
    /// A file as found just before it was changed: an external change. It is listed even if the history had found it
    /// so before.
    Found,
    /// A change.
    Changed,
}

/// One commit, as it follows the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub oid: Oid,
    /// When it happened; to the second where it is not ours.
    pub at: Timestamp,
    /// Its kind.
    pub kind: StepKind,
    /// The files it changed, each with the object that holds its bytes since; `None`: it went away.
    pub files: Vec<(SafeName, Option<Oid>)>,
}

impl History {
    /// The commits that follow `after`, oldest first; all of them where that is `None`. The outer `None`:
    /// `after` is no ancestor of the tip any more, so this is another history. Errors: `history_failed`.
    pub fn steps_after(&self, after: Option<Oid>) -> Result<Option<Vec<Step>>, HistoryError> {
        let tip = self.tip()?;
        if after == Some(tip) {
            return Ok(Some(Vec::new()));
        }
        let mut words = vec!["rev-list".to_owned(), "--first-parent".into(), "--parents".into()];
        words.extend(["--reverse".into(), tip.to_string()]);
        if let Some(after) = after {
            if self.objects(&[after.to_string()])?.pop().flatten().is_none() {
                return Ok(None);
            }
            words.push(format!("^{after}"));
        }
        words.push("--".to_owned());
        let listed = String::from_utf8_lossy(&self.git.read(&words, None)?).into_owned();
        let chain: Vec<Link> = listed.lines().map(Link::read).collect::<Option<_>>().ok_or_else(odd)?;
        let mut before = after;
        for link in &chain {
            if link.parent != before {
                return Ok(None);
            }
            before = Some(link.oid);
        }
        if before != Some(tip) {
            return Ok(None);
        }
        let mut steps = Vec::with_capacity(chain.len());
        for page in chain.chunks(PAGE_COMMITS) {
            steps.extend(self.steps_of(page)?);
        }
        Ok(Some(steps))
    }

    /// Reads every object, and checks it against its name and all of them against their [limits](Self::fits). Errors: what
    /// git says of the first one that is broken; [`HistoryError::Slow`] beyond the time of any look.
    pub fn verify(&self) -> Result<(), HistoryError> {
        self.git.read(&["fsck", "--no-progress", "--no-dangling"], None)?;
        self.fits()
    }

    /// The commits of the line that [`steps_after`](Self::steps_after) follows. Errors: `history_failed`.
    pub fn line(&self) -> Result<HashSet<Oid>, HistoryError> {
        let words = ["rev-list".to_owned(), "--first-parent".into(), self.tip()?.to_string(), "--".into()];
        let listed = String::from_utf8_lossy(&self.git.read(&words, None)?).into_owned();
        listed.lines().map(Oid::parse).collect::<Option<_>>().ok_or_else(odd)
    }

    fn steps_of(&self, page: &[Link]) -> Result<Vec<Step>, HistoryError> {
        let oids: Vec<String> = page.iter().map(|link| link.oid.to_string()).collect();
        let mut files = self.left_by(page)?;
        let told = self.told(&oids)?;
        let known = told.iter().filter(|told| !files.contains_key(&told.oid));
        let known =
            known.filter_map(|told| Some((told.oid, SafeName::parse(&told.line(trailer::FILE)?).ok()?)));
        files.extend(self.known_before(&known.collect::<Vec<_>>())?);
        let steps = told.into_iter().map(|told| Step {
            oid: told.oid,
            at: told.at(),
            kind: kind(&told),
            files: files.remove(&told.oid).unwrap_or_default(),
        });
        Ok(steps.collect())
    }

    /// What each commit left where, compared with its first parent alone.
    fn left_by(&self, page: &[Link]) -> Result<HashMap<Oid, Left>, HistoryError> {
        let feed = |out: &mut dyn Write| {
            page.iter().try_for_each(|link| match link.parent {
                Some(parent) => writeln!(out, "{} {parent}", link.oid),
                None => writeln!(out, "{}", link.oid),
            })
        };
        let words = ["diff-tree", "--stdin", "-r", "-z", "--root", "--no-renames", "--no-abbrev"];
        let words = [words.as_slice(), &["--no-ext-diff", "--no-textconv"]].concat();
        let listed = self.git.read(&words, Some(&feed))?;
        let mut left: HashMap<Oid, Left> = HashMap::new();
        let mut current = None;
        let mut words = listed.split(|&byte| byte == 0).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            let text = std::str::from_utf8(word).map_err(|_| odd())?;
            // `:100644 100644 <before> <after> M`, then the name; or the name of the next commit.
            let Some(change) = text.strip_prefix(':') else {
                current = Some(Oid::parse(text.trim()).ok_or_else(odd)?);
                continue;
            };
            let (oid, raw) = current.zip(words.next()).ok_or_else(odd)?;
            let parts: Vec<&str> = change.split(' ').collect();
            let [_, mode, _, after, _] = parts.as_slice() else { return Err(odd()) };
            // A link or a repository within is no file of a workspace: nothing stands there.
            let blob = if mode.starts_with("100") { Some(Oid::parse(after).ok_or_else(odd)?) } else { None };
            if let Some(name) = safe_name(raw) {
                left.entry(oid).or_default().push((name, blob));
            }
        }
        Ok(left)
    }

    /// What stood in these files at these commits, that did not change them.
    fn known_before(&self, asked: &[(Oid, SafeName)]) -> Result<HashMap<Oid, Left>, HistoryError> {
        if asked.is_empty() {
            return Ok(HashMap::new());
        }
        let feed =
            |out: &mut dyn Write| asked.iter().try_for_each(|(oid, name)| writeln!(out, "{oid}:{name}"));
        let answer =
            self.git.read(&["cat-file", "--batch-check=%(objectname) %(objecttype)"], Some(&feed))?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let known = asked.iter().zip(answer.lines()).map(|((oid, name), line)| {
            let blob = line.strip_suffix(" blob").and_then(Oid::parse);
            (*oid, vec![(name.clone(), blob)])
        });
        Ok(known.collect())
    }

    /// How many bytes each object has, in the order asked. Errors: `history_failed`.
    pub fn sizes(&self, oids: &[Oid]) -> Result<Vec<u64>, HistoryError> {
        if oids.is_empty() {
            return Ok(Vec::new());
        }
        let feed = |out: &mut dyn Write| oids.iter().try_for_each(|oid| writeln!(out, "{oid}"));
        let answer = self.git.read(&["cat-file", "--batch-check=%(objectsize)"], Some(&feed))?;
        let sizes = String::from_utf8_lossy(&answer).lines().map(|line| line.parse().ok()).collect();
        let sizes: Option<Vec<u64>> = sizes;
        sizes.filter(|sizes| sizes.len() == oids.len()).ok_or_else(odd)
    }

    /// The bytes of files by their objects, in the order asked. Errors: `history_failed`.
    pub fn blobs(&self, oids: &[Oid]) -> Result<Vec<Vec<u8>>, HistoryError> {
        let asked: Vec<String> = oids.iter().map(Oid::to_string).collect();
        let blobs = self.objects(&asked)?.into_iter().map(|object| object?.blob());
        blobs.collect::<Option<_>>().ok_or_else(odd)
    }
}

fn kind(told: &CommitHead) -> StepKind {
    let is_ours = told.line(trailer::AT).is_some();
    match told.line(trailer::RECEIPT) {
        None if is_ours => StepKind::Begun,
        // For a seed the actor is the engine.
        Some(_) if told.actor() == Actor::External.to_string() || told.message.body == FOUND_REASON => {
            StepKind::Found
        }
        _ => StepKind::Changed,
    }
}

/// The files that a commit changed, with their objects.
type Left = Vec<(SafeName, Option<Oid>)>;

/// A commit and the one before it.
struct Link {
    oid: Oid,
    parent: Option<Oid>,
}

impl Link {
    /// Reads `<oid> <parent>…`; further parents are of others.
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let oid = Oid::parse(words.next()?)?;
        let parent = words.next().map(Oid::parse);
        if parent == Some(None) { None } else { Some(Self { oid, parent: parent.flatten() }) }
    }
}

fn odd() -> HistoryError {
    HistoryError::Odd { asked: "the steps of the history" }
}
