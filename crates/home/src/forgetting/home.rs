//! Erasure in a home: rewrites copies of memory.db, drops derived data, removes unused vectors, and removes copies
//! that writes and sync tools left beside notes.
//!
//! Invariants: a copy of memory.db is replaced by a verified one or unchanged; unrecognised files stay, and the final
//! scan reports them.

use std::fs;
use std::path::{Path, PathBuf};

use inwit_engine::forget::{Fate, Matcher, Occurrence, TombstoneSet};
use inwit_model::{Clock as _, Code, HistoryPlace};
use inwit_store::memory::{Erasure as _, KnownTexts, Upkeep as _};
use inwit_store::{Embeddings as _, IndexError};
use inwit_store_sqlite::look;
use inwit_store_sqlite::{SqliteEmbeddings, SqliteMemory};
use inwit_workspace::History;

use super::scan::{self, Scanned, Sought};
use crate::backup::path::Side;
use crate::clock::SystemClock;
use crate::copies;
use crate::error::HomeError;
use crate::open::OpenAgent;
use crate::place::AgentPlace;
use crate::{host_sessions, own, spool};

/// Databases that can be rebuilt.
const DERIVED: [&str; 4] = ["index.db", "past.db", "past-index.db", "transcripts.db"];

/// The vector cache.
const VECTORS: &str = "embeddings.db";

/// Short-term folders of hooks: unsalted hashes of shown lines and typed sentences, prompts of unfinished turns,
/// spooled turns, and host sessions, whose transcripts are followed from their current end afterwards.
const OF_HOOKS: [&str; 5] = ["shown", "typed", "prompts", "turns", host_sessions::FOLDER];

/// Copies of edited files, kept after a write conflict.
pub const DRAFTS: &str = "edits";

/// The kind of a copy of memory.db.
const BACKUP: &str = "backup";

/// Prefix of a staged file.
const STAGED: &str = ".~inwit-";

/// Folder for rewriting a copy of memory.db.
const WORKSHOP: &str = ".forgetting";

/// Refuses if a history exists that was not searched. Error: `history_unavailable`.
pub fn history_is_read(opened: &OpenAgent) -> Result<(), HomeError> {
    let (place, chosen) = (opened.config.profile.history, &opened.chosen);
    let why = match place {
        HistoryPlace::Off => "`history.location` is off",
        _ if !History::available() => "git is not installed",
        _ => "`history.location` is another place",
    };
    let is_searched = place != HistoryPlace::Off && History::available();
    let searched = is_searched.then(|| chosen.history_side(place));
    // A `.git` in a workspace is ours only if the setting says so.
    let of_workspace = (place == HistoryPlace::Workspace && chosen.is_ours()).then_some(Side::Workspace);
    let sides = [Some(Side::Home), of_workspace].into_iter().flatten();
    let folder = |side: Side| match side {
        Side::Home => chosen.home.join(side.history()),
        Side::Workspace => chosen.workspace.join(side.history()),
    };
    let unread = sides.filter(|side| Some(*side) != searched).map(folder).find(|path| path.is_dir());
    let Some(unread) = unread else { return Ok(()) };
    let message =
        format!("Erased words may still exist in {}, which was not searched: {why}.", unread.display());
    Err(HomeError::new(Code::HistoryUnavailable, message).hint(
        "Install git or set the history to that place, then erase the words again. Or remove that folder.",
    ))
}

/// The hint for a read-only note.
pub const ALLOW_WRITING: &str = "Allow it first with `chmod u+w FILE`.";

/// A read-only note of `plan`, at which an erasure would stop.
pub fn read_only<'p>(opened: &OpenAgent, plan: &'p [Occurrence]) -> Option<&'p str> {
    let is_read_only = |stand: &&Occurrence| {
        let path = opened.chosen.workspace.join(&stand.name);
        stand.kind == "file"
            && stand.fate == Fate::Rewritten
            && fs::metadata(path).is_ok_and(|found| found.permissions().readonly())
    };
    plan.iter().find(is_read_only).map(|stand| stand.name.as_str())
}

/// Refuses an erasure that would stop half way. Error: `write_failed`.
pub fn can_be_written(opened: &OpenAgent, plan: &[Occurrence]) -> Result<(), HomeError> {
    let Some(note) = read_only(opened, plan) else { return Ok(()) };
    let message = format!("`{note}` contains the words and is read-only: nothing was forgotten.");
    Err(HomeError::new(Code::WriteFailed, message).hint(ALLOW_WRITING))
}

/// The plan for the home. Precautionary rewrites are listed as scanned, with a count of 0.
pub fn plan(opened: &OpenAgent, sought: &Sought) -> Result<Vec<Occurrence>, HomeError> {
    let mut plan = Vec::new();
    let mut add = |kind, path: &Path, count, fate, shows| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        plan.push(Occurrence { kind, name, count, fate, shows });
    };
    for path in backups(&opened.chosen) {
        let looked = scan::file(&path, sought);
        let fate = if is_readable(&path) { rewritten(&looked) } else { Fate::Stays };
        add(BACKUP, &path, u64::from(!looked.hits.is_empty()), fate, Vec::new());
    }
    for path in left_beside(opened, &sought.wording)? {
        let bytes = fs::read(&path).map_err(|error| own::failed(&path, &error))?;
        add("copy", &path, 1, Fate::Goes, sought.wording.quotations(&bytes));
    }
    for (path, bytes) in drafts(&opened.chosen.home) {
        let shows = sought.wording.quotations(&bytes);
        if !shows.is_empty() {
            add("draft", &path, shows.len() as u64, Fate::Rewritten, shows);
        }
    }
    for path in derived(&opened.chosen.home) {
        add("derived", &path, 1, Fate::Rebuilt, Vec::new());
    }
    let vectors = opened.chosen.home.join(VECTORS);
    if vectors.is_file() {
        let looked = scan::file(&vectors, sought);
        add("vectors", &vectors, u64::from(!looked.hits.is_empty()), rewritten(&looked), Vec::new());
    }
    Ok(plan)
}

/// A copy without the texts may have their hashes, and is processed too.
pub fn rewritten(looked: &Scanned) -> Fate {
    if looked.hits.is_empty() { Fate::Scanned } else { Fate::Rewritten }
}

/// Whether it is an unreadable copy of memory.db.
pub fn is_unreadable(stand: &Occurrence) -> bool {
    stand.kind == BACKUP && stand.fate == Fate::Stays
}

/// Passes data beside the agent that may have erased texts: values in copies of memory.db, and leftover files.
/// Unreadable data is skipped: the scan reports it.
pub fn each_beside(opened: &OpenAgent, show: &mut dyn FnMut(&[u8])) {
    for path in backups(&opened.chosen) {
        let _ = look::each_value(&path, &mut |_, value| {
            if let look::Value::Bytes(bytes) = value {
                show(bytes);
            }
        });
    }
    each_left(opened, show);
}

/// Passes files that writes, sync tools and the owner's editor left.
pub fn each_left(opened: &OpenAgent, show: &mut dyn FnMut(&[u8])) {
    let paths = may_be_left(opened).unwrap_or_default();
    paths.iter().filter_map(|path| fs::read(path).ok()).for_each(|bytes| show(&bytes));
    drafts(&opened.chosen.home).iter().for_each(|(_, bytes)| show(bytes));
}

/// Erases the texts from the home; `known` are the hashes of the remaining texts. Call it after the agent's erasure,
/// since derived data is dropped last.
pub fn forget(opened: &OpenAgent, wording: &Matcher, known: &KnownTexts) -> Result<(), HomeError> {
    // An interrupted run may have left a copy with the texts here.
    let workshop = copies::folder(&opened.chosen.home).join(WORKSHOP);
    own::unless_gone(fs::remove_dir_all(&workshop)).map_err(|error| own::failed(&workshop, &error))?;
    let grave = opened.agent.grave()?;
    for path in backups(&opened.chosen).iter().filter(|path| is_readable(path)) {
        rewrite(path, wording, known, &grave)?;
    }
    for path in left_beside(opened, wording)? {
        fs::remove_file(&path).map_err(|error| own::failed(&path, &error))?;
    }
    for (path, bytes) in drafts(&opened.chosen.home) {
        // The owner's other text in it exists nowhere else.
        if let Some(left) = wording.without_lines(&bytes, b"") {
            own::write(&path, &left)?;
        }
    }
    for path in derived(&opened.chosen.home) {
        look::remove_derived(&path).map_err(unwritten)?;
    }
    spool::remove(&opened.chosen.home)?;
    for folder in OF_HOOKS.map(|name| opened.chosen.home.join(name)) {
        own::unless_gone(fs::remove_dir_all(&folder)).map_err(|error| own::failed(&folder, &error))?;
    }
    Ok(())
}

/// Removes the vectors of every text that no longer exists. Call it on an agent opened after [`forget`], whose index
/// was rebuilt.
pub fn forget_vectors(opened: &OpenAgent) -> Result<(), HomeError> {
    let path = opened.chosen.home.join(VECTORS);
    if !path.is_file() {
        return Ok(());
    }
    let standing = opened.agent.standing_keys()?;
    let mut vectors = match SqliteEmbeddings::open(&path) {
        // Data of a newer inwit cannot be distinguished, so it is dropped.
        Err(IndexError::Newer(_)) => return look::remove_derived(&path).map_err(unwritten),
        opened => opened.map_err(unwritten)?.0,
    };
    vectors.keep_only("", &standing).map_err(unwritten)?;
    vectors.lay_out_anew().map_err(unwritten)
}

fn unwritten(error: IndexError) -> HomeError {
    HomeError::new(Code::WriteFailed, format!("{error}."))
}

fn backups(chosen: &AgentPlace) -> Vec<PathBuf> {
    let paths = own::entries(&copies::folder(&chosen.home)).into_iter().map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "db")).collect()
}

fn is_readable(path: &Path) -> bool {
    look::each_value(path, &mut |_, _| {}).is_ok()
}

/// Rewrites a copy of memory.db without the texts, and replaces it after verification.
fn rewrite(
    path: &Path,
    wording: &Matcher,
    known: &KnownTexts,
    grave: &TombstoneSet,
) -> Result<(), HomeError> {
    let workshop = path.with_file_name(WORKSHOP);
    let failed = |error: std::io::Error| own::failed(path, &error);
    own::make_folder(&workshop).map_err(failed)?;
    let (copied, clean) = (workshop.join("memory.db"), workshop.join("clean.db"));
    fs::copy(path, &copied).map_err(failed)?;
    let memory = SqliteMemory::open(&copied)?;
    // A restored copy needs the tombstones too.
    if memory.salt()? == grave.salt {
        memory.bury(&grave.stones, SystemClock.now())?;
    }
    memory.let_go_of_hashes(known)?;
    let lines = |bytes: &[u8]| wording.without_lines(bytes, b"");
    memory.erase(&|bytes| wording.without(bytes), &lines, SystemClock.now())?;
    memory.backup_to(&clean)?;
    drop(memory);
    fs::rename(&clean, path).map_err(failed)?;
    fs::remove_dir_all(&workshop).map_err(failed)
}

/// The drafts in a home, with their content. Unreadable ones are skipped: the scan reports them.
fn drafts(home: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = draft_paths(home).into_iter();
    paths.filter_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes))).collect()
}

/// The drafts of `inwit edit` in a home, oldest first: each is open now, or its process was killed.
pub fn draft_paths(home: &Path) -> Vec<PathBuf> {
    let entries = own::entries(&home.join(DRAFTS)).into_iter();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files.map(|entry| entry.path()).collect()
}

/// Existing derived files.
fn derived(home: &Path) -> Vec<PathBuf> {
    let databases = DERIVED.iter().map(|name| home.join(name)).filter(|path| path.is_file());
    let mut all: Vec<PathBuf> = databases.collect();
    all.sort();
    all
}

/// Workspace files with occurrences that are not notes and may be removed: conflict copies and staged files of killed
/// writes.
fn left_beside(opened: &OpenAgent, wording: &Matcher) -> Result<Vec<PathBuf>, HomeError> {
    let mut found = may_be_left(opened)?;
    found.retain(|path| fs::read(path).is_ok_and(|bytes| wording.stands_in(&bytes)));
    Ok(found)
}

/// Conflict copies, and staged files of killed writes.
fn may_be_left(opened: &OpenAgent) -> Result<Vec<PathBuf>, HomeError> {
    let conflicts = opened.agent.conflict_copies()?;
    let mut found: Vec<PathBuf> = conflicts.iter().map(|shown| opened.chosen.workspace.join(shown)).collect();
    staged(&opened.chosen.workspace, &mut found);
    found.retain(|path| path.symlink_metadata().is_ok_and(|meta| meta.is_file()));
    found.sort();
    Ok(found)
}

fn staged(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in own::entries(folder) {
        let Ok(kind) = entry.file_type() else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        if kind.is_dir() && name != ".git" {
            staged(&entry.path(), found);
        } else if kind.is_file() && name.starts_with(STAGED) {
            found.push(entry.path());
        }
    }
}
