//! Updates the index from the files, before every answer.
//!
//! Files are stamped; only a file with a changed stamp is read, and only changed bytes are analysed again. Files that
//! were clean in an older scan version are rescanned in bounded steps. Files with findings are indexed again if the
//! version or the accepted secrets changed, or if they repeat a newly named value ([`crate::core::indexable_text`],
//! [`crate::core::repeats`]). A file changed so recently that its stamp is unreliable is stored without a stamp and
//! checked next time. Cost is proportional to changes. In a watched workspace without changes no stamps are read
//! ([`crate::core::listed`]). Invariant: the index has no passage of a file that could not be read completely.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use inwit_markdown::{Document, NO_ENTRY, Passage, PassageKind};
use inwit_model::limit::FILE_PASSAGES_MAX;
use inwit_model::ports::{Content, Skipped};
use inwit_model::watch::Watch;
use inwit_model::{Code, Entry, FileError, Place, SafeName, Scope, Stamp};
use inwit_recall::{Analyser, RawPassage, prepare};
use inwit_store::{Index, IndexError, IndexUpdate, IndexedFile, KnownFile, KnownSet, SetKey, StoredPassage};
use inwit_workspace::ScopedReader;
use jiff::Timestamp;

use crate::Core;
use crate::core::listed::Listed;
use crate::core::named::{NamedSet, Renamed};
use crate::core::{mask, scan_version, searched};

/// The result of an update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// Files read: new, changed or rescanned.
    pub read: usize,
    /// Files removed from the index.
    pub removed: usize,
    /// Files in the workspace.
    pub files: usize,
    /// Files that could not be read; they are not searched.
    pub unread: Vec<(SafeName, FileError)>,
    /// Files that the listing skipped.
    pub skipped: Vec<Skipped>,
    /// Files excluded by `.gitignore` or `.inwitignore`, and those in venvs and caches.
    pub ignored: usize,
}

/// Most analysed passages before a write: bounds the memory of a first index.
const BATCH_PASSAGES_MAX: usize = 16_384;

/// Below this many bytes, one thread is faster.
const PARALLEL_BYTES_MIN: u64 = 256 * 1024;

/// A larger file is analysed alone, since it needs many times its size in memory.
const LARGE_BYTES: u64 = 1024 * 1024;

/// Most threads for reading and analysis.
const THREADS_MAX: usize = 8;

/// Most bytes of unchanged files that one update rescans for a new scan version; the rest is scanned when it is
/// shown.
const LOOKED_AT_AGAIN_BYTES_MAX: u64 = 256 * 1024;

/// A younger stamp is unreliable: file system clocks have this granularity.
const SETTLE_NS: i128 = 50_000_000;

/// The same for file systems with whole seconds.
const SETTLE_COARSE_NS: i128 = 2_000_000_000;

/// Updates `index` to the files that `sight` sees. `watch` gets the number of files done and the total. If another
/// thread or process was faster, its result is used and only the rest is done.
pub fn sync(
    sight: &dyn ScopedReader,
    index: &dyn Index,
    core: &Core,
    watch: &mut Watch<'_>,
) -> Result<SyncReport, SyncError> {
    let mut begun_with = None;
    for _ in 1..ATTEMPTS_MAX {
        match attempt(sight, index, core, &mut begun_with, watch) {
            Err(SyncError::Index(IndexError::Moved)) => {}
            done => return done,
        }
    }
    attempt(sight, index, core, &mut begun_with, watch)
}

/// How often an overtaken update is retried.
const ATTEMPTS_MAX: usize = 20;

/// Why the update failed.
#[derive(Debug)]
pub enum SyncError {
    /// The workspace cannot be listed.
    Files(FileError),
    /// The index rejects the change.
    Index(IndexError),
    /// Cancelled after so many files; what was read so far is indexed.
    Stopped {
        /// Files read.
        done: usize,
        /// Files to read.
        of: usize,
    },
}

impl From<FileError> for SyncError {
    fn from(error: FileError) -> Self {
        Self::Files(error)
    }
}

impl From<IndexError> for SyncError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

fn attempt(
    sight: &dyn ScopedReader,
    index: &dyn Index,
    core: &Core,
    begun_with: &mut Option<Arc<NamedSet>>,
    watch: &mut Watch<'_>,
) -> Result<SyncReport, SyncError> {
    let set = SetKey::of(sight.scope());
    // Before the listing: a file that another process indexes later would seem removed.
    let known = index.known(&set)?;
    // This too: later changes get another number next time.
    let changes = sight.changes();
    let unchanged = changes.and_then(|changes| core.listed.of(&set, changes, &known));
    let is_unchanged = unchanged.is_some();
    let listed = match unchanged {
        Some(listed) => listed,
        None => Arc::new(Listed::of(sight.list()?, sight.scope())),
    };
    let wanted = &listed.searched;
    // The values named before the first attempt: another thread may load what this one adds.
    let mut named = core.load_named(sight, &known, &listed.others);
    let named_before = begun_with.get_or_insert_with(|| Arc::clone(&named));
    let mut generation = known.generation;
    let mut again_bytes = 0;
    let mut in_order = known.in_order();
    let mut is_suspect = |entry: &&Entry| {
        let file = if is_unchanged { known.find(&entry.name) } else { in_order.find(&entry.name) };
        let Some(file) = file.filter(|file| is_unchanged || file.stamp == Some(entry.stamp)) else {
            return true;
        };
        if scan_version::is_ours(file.clean_by) {
            return !scan_version::is_lasting(file.clean_by);
        }
        let is_due = again_bytes < LOOKED_AT_AGAIN_BYTES_MAX;
        again_bytes += if is_due { entry.stamp.bytes } else { 0 };
        is_due
    };
    let suspects: Vec<&Entry> = match is_unchanged {
        true => listed.to_look_at(&known).filter(&mut is_suspect).collect(),
        false => wanted.iter().filter(&mut is_suspect).collect(),
    };
    let gone = if is_unchanged { Vec::new() } else { gone(&known, wanted) };
    let mut report = SyncReport {
        read: suspects.len(),
        removed: gone.len(),
        files: wanted.len(),
        unread: Vec::new(),
        skipped: listed.skipped.clone(),
        ignored: listed.ignored(),
    };

    let now = core.clock.now();
    let mut update = IndexUpdate { removed: gone, ..IndexUpdate::default() };
    let mut rest = suspects.as_slice();
    while !rest.is_empty() || !update.is_empty() {
        let (outcomes, taken) = read_batch(sight, core, rest, &known, now);
        rest = &rest[taken..];
        take(outcomes, &known, &mut update, &mut report);
        if !update.is_empty() {
            generation = index.apply(&set, generation, std::mem::take(&mut update))?;
        }
        let (done, of) = (suspects.len() - rest.len(), suspects.len());
        if watch(done, of).is_break() && done < of {
            return Err(SyncError::Stopped { done, of });
        }
    }
    // Named values are known only after indexing, and other files may repeat them.
    let mut known = known;
    if generation != known.generation {
        known = index.known(&set)?;
        // Another process changed it: its state may belong to other files or another time.
        if known.generation != generation {
            return Err(IndexError::Moved.into());
        }
        named = core.load_named(sight, &known, &listed.others);
    }
    let renamed = Renamed::between(named_before, &named);
    let repeating = core.files_repeating(index, sight.scope(), &known, renamed)?;
    let is_repeating = |entry: &&Entry| repeating.contains(&entry.name);
    let again: Vec<&Entry> = wanted.iter().filter(is_repeating).collect();
    let mut rest = again.as_slice();
    while !rest.is_empty() {
        let (outcomes, taken) = read_batch(sight, core, rest, &known, now);
        rest = &rest[taken..];
        take(outcomes, &known, &mut update, &mut report);
        if !update.is_empty() {
            generation = index.apply(&set, generation, std::mem::take(&mut update))?;
        }
    }
    report.unread.sort_by(|left, right| left.0.cmp(&right.0));
    if let Some(changes) = changes {
        let known = index.known(&set)?;
        if known.generation == generation {
            core.listed.keep(set, changes, known, listed);
        }
    }
    Ok(report)
}

/// Indexed files that are not listed. Both are in byte order of the names.
fn gone(known: &KnownSet, listed: &[Entry]) -> Vec<SafeName> {
    let mut listed = listed.iter().map(|entry| &entry.name).peekable();
    let mut is_listed = |name: &SafeName| {
        while listed.next_if(|listed| *listed < name).is_some() {}
        listed.peek().is_some_and(|listed| *listed == name)
    };
    known.files.iter().map(|file| &file.name).filter(|name| !is_listed(name)).cloned().collect()
}

/// Adds the results of reading to `update` and `report`.
fn take(outcomes: Vec<Outcome>, known: &KnownSet, update: &mut IndexUpdate, report: &mut SyncReport) {
    for outcome in outcomes {
        match outcome {
            Outcome::Changed(file) => update.files.push(file),
            Outcome::Same(name, stamp, clean_by) => {
                update.relooked.extend(clean_by.map(|clean_by| (name.clone(), clean_by)));
                update.restamped.push((name, stamp));
            }
            Outcome::Gone(name) => forget(known, name, update),
            Outcome::Unread(name, error) => {
                forget(known, name.clone(), update);
                report.unread.push((name, error));
            }
        }
    }
    update.restamped.retain(|(name, stamp)| known.find(name).is_none_or(|file| file.stamp != *stamp));
}

fn forget(known: &KnownSet, name: SafeName, update: &mut IndexUpdate) {
    if known.find(&name).is_some() {
        update.removed.push(name);
    }
}

enum Outcome {
    Changed(IndexedFile),
    /// Unchanged bytes, with the scan version if it was older.
    Same(SafeName, Option<Stamp>, Option<u64>),
    Gone(SafeName),
    Unread(SafeName, FileError),
}

/// Reads files until the batch is full; returns the outcomes by name, and the number of files they cover.
fn read_batch(
    sight: &dyn ScopedReader,
    core: &Core,
    entries: &[&Entry],
    known: &KnownSet,
    now: Timestamp,
) -> (Vec<Outcome>, usize) {
    let next = AtomicUsize::new(0);
    let passages = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let work = || {
        let mut analyser = Analyser::default();
        while passages.load(Ordering::Relaxed) < BATCH_PASSAGES_MAX {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = entries.get(at) else { return };
            let outcome = read_one(sight, core, entry, known.find(&entry.name), now, &mut analyser);
            if let Outcome::Changed(file) = &outcome {
                passages.fetch_add(file.passages.len(), Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, outcome));
        }
    };
    let bytes: u64 = entries.iter().map(|entry| entry.stamp.bytes).sum();
    let has_large = entries.iter().any(|entry| entry.stamp.bytes > LARGE_BYTES);
    let threads = if bytes < PARALLEL_BYTES_MIN || has_large { 1 } else { threads_max() };
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    let taken = done.len();
    (done.into_iter().map(|(_, outcome)| outcome).collect(), taken)
}

/// Threads for checking the passages of one file: a large file is processed alone.
pub(crate) fn threads_of(bytes: &[u8]) -> usize {
    if bytes.len() as u64 > LARGE_BYTES { threads_max() } else { 1 }
}

fn threads_max() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX)
}

fn read_one(
    sight: &dyn ScopedReader,
    core: &Core,
    entry: &Entry,
    known: Option<&KnownFile>,
    now: Timestamp,
    analyser: &mut Analyser,
) -> Outcome {
    match sight.read(&entry.name) {
        Ok(content) => {
            let stamp = settled(content.stamp, now);
            if let Some(known) = known.filter(|known| known.sha256 == content.sha256) {
                let number = looked_at(core, sight.scope(), &entry.name, &content.bytes, known.clean_by);
                if number == known.clean_by {
                    return Outcome::Same(entry.name.clone(), stamp, None);
                }
                if scan_version::is_clean(number) && scan_version::is_clean(known.clean_by) {
                    return Outcome::Same(entry.name.clone(), stamp, Some(number));
                }
            }
            match indexed(core, sight.scope(), &entry.name, &content, stamp, analyser) {
                Ok(file) => Outcome::Changed(file),
                Err(error) => Outcome::Unread(entry.name.clone(), error),
            }
        }
        Err(error) if error.code == Code::FileMissing => Outcome::Gone(entry.name.clone()),
        Err(error) => Outcome::Unread(entry.name.clone(), error),
    }
}

/// The stamp, unless the file was changed too recently.
pub(crate) fn settled(stamp: Stamp, now: Timestamp) -> Option<Stamp> {
    let age = now.as_nanosecond() - i128::from(stamp.changed_ns);
    let coarse = stamp.changed_ns % 1_000_000_000 == 0;
    (age > if coarse { SETTLE_COARSE_NS } else { SETTLE_NS }).then_some(stamp)
}

/// Cuts a file into passages and analyses them.
fn indexed(
    core: &Core,
    scope: &Scope,
    name: &SafeName,
    content: &Content,
    stamp: Option<Stamp>,
    analyser: &mut Analyser,
) -> Result<IndexedFile, FileError> {
    let bytes = searched(&content.bytes);
    let document = inwit_markdown::parse(bytes);
    let count = document.passages.len() + document.bare.len();
    if count > FILE_PASSAGES_MAX {
        let message = format!("`{name}` has {count} passages; at most {FILE_PASSAGES_MAX} are searched.");
        return Err(FileError { code: Code::FileTooLarge, message });
    }
    let place = Place::of(name);
    let is_vouched_for = !matches!(place, Some(Place::Journal(_) | Place::RoomMemory { .. }));
    let file_date = searched::file_date(name, &document);
    let sections: Vec<SectionSeen> =
        (0..document.sections.len()).map(|at| section_seen(&document, at, file_date)).collect();
    let empty = empty_page();
    let mut read = searched::passages(name, &document);
    let mut page = searched::page_words(name, &document);
    // A name is shown with every passage, and searched unless it has a finding.
    if !page.is_empty() && inwit_gate::secrets::redact_for_model(&page) != page {
        page.clear();
    }
    if read.is_empty() && !page.is_empty() {
        read.push(&empty);
    }
    let labelled: Vec<_> = read
        .into_iter()
        .map(|passage| (passage, document.label(passage).map(|span| document.text(&span))))
        .collect();
    let mut last_entry = None;
    let raws = labelled.iter().map(|(passage, label)| {
        let section = &sections[passage.section as usize];
        let stored = stored(&document, passage, section.path.clone());
        let context =
            document.context(passage).map(|line| document.text(line)).collect::<Vec<_>>().join("\n");
        let entry = (passage.entry != NO_ENTRY).then_some(passage.entry);
        let continues_entry = std::mem::replace(&mut last_entry, entry) == entry && entry.is_some();
        let (label, date) = (label.as_deref(), section.date);
        RawPassage { stored, read: None, continues_entry, context, label, date, is_vouched_for }
    });
    let mut raws: Vec<RawPassage<'_>> = raws.collect();
    let mut clean_by = mask::clean_by(bytes, raws.iter().map(|raw| &raw.stored), &core.noticed);
    let mut secrets = Vec::new();
    if !scan_version::is_clean(clean_by) || !core.repeats(scope, name, bytes).is_empty() {
        secrets = core.secrets_named(name, bytes);
        let reading = core.reading(scope, name, bytes);
        clean_by = reading.number;
        let read = |raws: &mut [RawPassage<'_>], passages: &[(&Passage, Option<_>)]| {
            for (raw, (passage, _)) in raws.iter_mut().zip(passages) {
                raw.read = core.read_as(&reading, &raw.stored);
                // A line of a context with anything that is not read gives no words.
                if document.context(passage).any(|line| reading.hides(line)) {
                    raw.context.clear();
                }
                if let Some(read) = &raw.read {
                    let path: Vec<&str> = read.heading.split(PATH_JOINT).collect();
                    raw.date = dated(&path, file_date);
                }
                if document.label(passage).is_some_and(|label| reading.hides(&label)) {
                    raw.label = None;
                }
            }
        };
        let size = raws.len().div_ceil(threads_of(bytes)).max(1);
        let mut parts = raws.chunks_mut(size).zip(labelled.chunks(size));
        let first = parts.next();
        thread::scope(|scope| {
            parts.for_each(|(raws, passages)| drop(scope.spawn(move || read(raws, passages))));
            first.into_iter().for_each(|(raws, passages)| read(raws, passages));
        });
    }
    // A front matter title may have a finding.
    if !scan_version::is_clean(clean_by) {
        page.clear();
    }
    let passages = prepare(raws, &page, &SetKey::of(scope), analyser);
    Ok(IndexedFile { name: name.clone(), stamp, sha256: content.sha256, clean_by, secrets, passages })
}

/// The passage of an empty file, for its name.
fn empty_page() -> Passage {
    let (kind, entry) = (PassageKind::Paragraph, NO_ENTRY);
    Passage { span: 0..0, lines: (1, 1), section: 0, ordinal: 0, kind, entry, part: (1, 1) }
}

/// The stored form of a passage under the headings of `path`.
pub(crate) fn stored(document: &Document<'_>, passage: &Passage, path: String) -> StoredPassage {
    StoredPassage {
        start: passage.span.start as u64,
        end: passage.span.end as u64,
        first_line: passage.lines.0,
        last_line: passage.lines.1,
        heading: path,
        text: document.text(&passage.span).into_owned(),
    }
}

/// The searched bytes of a file: none of a binary file, which doctor reports.
fn searched(bytes: &[u8]) -> &[u8] {
    if inwit_markdown::is_binary(bytes) { &[] } else { bytes }
}

/// The scan number of a file that is indexed under `known`.
fn looked_at(core: &Core, scope: &Scope, name: &SafeName, bytes: &[u8], known: u64) -> u64 {
    let bytes = searched(bytes);
    let number = core.number_seen(scope, name, bytes);
    if !scan_version::is_lasting(number) {
        return number;
    }
    if scan_version::is_lasting(known) {
        return known;
    }
    let document = inwit_markdown::parse(bytes);
    let read = searched::passages(name, &document).into_iter();
    let path = |passage: &Passage| document.heading_path(passage.section as usize).join(PATH_JOINT);
    let stored: Vec<StoredPassage> = read.map(|passage| stored(&document, passage, path(passage))).collect();
    mask::clean_by(bytes, stored.iter(), &core.noticed)
}

/// Values shared by the passages of one section.
struct SectionSeen {
    path: String,
    date: Option<jiff::civil::Date>,
}

/// Separator in heading paths.
pub(crate) const PATH_JOINT: &str = " › ";

/// The nearest heading with a date gives the day, else the file name.
fn section_seen(document: &Document<'_>, at: usize, file_date: Option<jiff::civil::Date>) -> SectionSeen {
    let path = document.heading_path(at);
    SectionSeen { path: path.join(PATH_JOINT), date: dated(&path, file_date) }
}

fn dated(path: &[&str], file_date: Option<jiff::civil::Date>) -> Option<jiff::civil::Date> {
    path.iter().rev().find_map(|title| inwit_recall::time::passage::date_in(title)).or(file_date)
}
