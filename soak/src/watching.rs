//! An agent whose folder the kernel watches answers as one that walks it.
//!
//! One agent lives through all edits and is asked after some of them; beside it a new one over the same folder, with an
//! empty index, reads everything. Edits are those of editors, sync tools and people: bytes, times, inodes, names, links and
//! whole folders, also such that leave size and time as they were.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use inwit_engine::{Agent, AgentPorts, Bounds, Search};
use inwit_home::clock::SystemClock;
use inwit_model::{Files, Scope};
use inwit_testkit::{Chance, parts};
use inwit_workspace::FsFiles;
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::{Plan, Report};

/// What files and folders are called.
const FOLDERS: [&str; 8] =
    ["", "notes", "notes/old", "notes/old/deep", "memory", "drafts", "drafts/a", ".hidden"];
const FILES: [&str; 6] = ["one.md", "two.md", "three.md", "MEMORY.md", "four.txt", "five.md~"];

/// Words of the notes; each line has `bread` too.
const WORDS: [&str; 6] = ["rye", "oats", "spelt", "wheat", "barley", "maize"];

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let outer = tempfile::tempdir().expect("a folder");
    let root = outer.path().join("workspace");
    fs::create_dir(&root).expect("a folder");
    let files = Arc::new(FsFiles::open(&root).expect("opened"));
    files.watch();
    let watching = agent(Arc::clone(&files));
    let mut edits = Edits { root, outside: outer.path().join("outside"), chance: Chance::of(plan.seed) };
    let (mut compared, mut walked) = (0, 0);
    let mut since: Vec<String> = Vec::new();
    for _ in 0..plan.cases {
        since.push(edits.one());
        if edits.chance.below(3) == 0 {
            continue;
        }
        let before = files.changes();
        let wanted = answer(&agent(Arc::new(FsFiles::open(&edits.root).expect("opened"))));
        // The second answer is that of a folder that did not change.
        for turn in ["changed", "unchanged"] {
            let told = answer(&watching);
            report.holds(told == wanted, || format!("{turn} after {since:?}: {told:?} IS NOT {wanted:?}"));
            compared += 1;
        }
        walked += usize::from(before.is_none());
        since.clear();
    }
    report.holds(walked == 0, || format!("{walked} answers were not watched"));
    report.figure("answers compared", compared);
    report
}

fn agent(files: Arc<FsFiles>) -> Agent {
    Agent::new(AgentPorts { clock: Arc::new(SystemClock), ..parts(files as Arc<dyn Files>) })
}

/// Everything that the notes say, with its place.
fn answer(agent: &Agent) -> Vec<String> {
    let search = Search {
        query: "bread",
        scope: &Scope::Main,
        limit: 50,
        budget_chars: None,
        bounds: Bounds::default(),
    };
    let answer = agent.notes.search(&search).expect("an answer");
    let mut told: Vec<String> =
        answer.hits.iter().map(|hit| format!("{}:{} {}", hit.name, hit.first_line, hit.text)).collect();
    told.sort();
    told
}

struct Edits {
    root: PathBuf,
    /// A folder of the same disk that nobody watches.
    outside: PathBuf,
    chance: Chance,
}

impl Edits {
    /// Makes one edit and says which. What cannot be done, since a file is not there, is done no less: as nothing.
    fn one(&mut self) -> String {
        let (file, other) = (self.file(), self.file());
        let (folder, into) = (self.folder(), self.folder());
        let text = self.text();
        // What is written below by another name, in a folder that is not watched, makes no event and is not promised.
        let here = FILES.iter().map(|name| folder.join(name)).chain([file.clone(), other.clone()]);
        // A link leads there as well.
        here.filter_map(|path| path.canonicalize().ok())
            .filter(|path| path.starts_with(self.root.join(".hidden")) || path.starts_with(&self.outside))
            .for_each(|path| only_name(&path));
        let kind = self.chance.below(16);
        let done = match kind {
            0 => put(&file, &text),
            1 => fs::OpenOptions::new()
                .append(true)
                .open(&file)
                .and_then(|mut open| open.write_all(text.as_bytes())),
            2 => fs::OpenOptions::new().write(true).open(&file).and_then(|open| open.set_len(20)),
            3 => self.same_size_and_time(&file),
            4 => {
                let new = file.with_extension("tmp");
                put(&new, &text).and_then(|()| fs::rename(&new, &file))
            }
            5 => fs::rename(&file, &other),
            6 => fs::rename(&folder, into.join("moved")).or_else(|_| fs::rename(into.join("moved"), &folder)),
            7 => fs::create_dir_all(&folder)
                .and_then(|()| FILES.iter().take(3).try_for_each(|name| put(&folder.join(name), &text))),
            8 => fs::remove_file(&file),
            9 if folder != self.root => fs::remove_dir_all(&folder),
            10 => std::os::unix::fs::symlink(&other, &file),
            11 => fs::hard_link(&file, &other).and_then(|()| put(&file, &text)),
            12 => exchange(&file, &other),
            13 => self.away_and_back(&folder, &text),
            14 => fs::create_dir_all(file.parent().expect("a folder")).and_then(|()| put(&file, &text)),
            _ => set_modified(&file, SystemTime::UNIX_EPOCH),
        };
        format!("{kind} {} {} {} {done:?}", self.shown(&file), self.shown(&other), self.shown(&folder))
    }

    /// Other bytes of the same number, and the time that the file had.
    fn same_size_and_time(&mut self, file: &Path) -> std::io::Result<()> {
        let (before, modified) = (fs::read_to_string(file)?, fs::metadata(file)?.modified()?);
        let [from, to] = [0, 1].map(|_| *self.chance.pick(&["rye", "oat", "fig", "nut"]));
        put(file, &before.replace(from, to))?;
        set_modified(file, modified)
    }

    /// A folder leaves the workspace, changes there, and comes back.
    fn away_and_back(&mut self, folder: &Path, text: &str) -> std::io::Result<()> {
        if folder == self.root {
            return Ok(());
        }
        let _ = fs::remove_dir_all(&self.outside);
        fs::rename(folder, &self.outside)?;
        only_name(&self.outside.join("one.md"));
        put(&self.outside.join("one.md"), text)?;
        if self.chance.coin() { Ok(()) } else { fs::rename(&self.outside, folder) }
    }

    fn folder(&mut self) -> PathBuf {
        let folder = *self.chance.pick(&FOLDERS);
        if folder.is_empty() { self.root.clone() } else { self.root.join(folder) }
    }

    fn file(&mut self) -> PathBuf {
        let folder = self.folder();
        folder.join(*self.chance.pick(&FILES))
    }

    fn text(&mut self) -> String {
        let lines = 1 + self.chance.below(3);
        (0..lines).map(|_| format!("- bread of {}\n", self.chance.pick(&WORDS))).collect()
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

#[expect(clippy::disallowed_methods, reason = "the editor and the sync tool write as they do")]
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    fs::write(path, text)
}

/// Takes a file away that has other names too.
fn only_name(path: &Path) {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.nlink() > 1) {
        let _ = fs::remove_file(path);
    }
}

fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

fn set_modified(file: &Path, at: SystemTime) -> std::io::Result<()> {
    fs::OpenOptions::new().write(true).open(file)?.set_modified(at + Duration::from_nanos(1))
}
