//! Scans everything that belongs to an agent for texts that should be gone.
//!
//! Every byte of every file below its home, its workspace and the state folder, including free pages and logs of
//! databases; then all values of each database, since long texts span pages; then every object of each of our
//! histories, reachable or not. Invariants: read-only; whatever cannot be scanned is reported.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use inwit_engine::forget::{CUT_LETTERS_MIN, How, Matcher};
use inwit_store_sqlite::look::{self, Value};
use inwit_workspace::history::{History, HistoryError};

use super::encoded;
use super::needle::{Hashes, Needle, unescaped};
use crate::error::HomeError;

/// Bytes per piece of a file.
const PIECE_BYTES: usize = 8 << 20;

/// Overlap of two pieces, in bytes: longer than any pattern in any nested form.
const OVERLAP_BYTES: usize = 128 << 10;

/// The first bytes of a SQLite database.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// The result of a scan.
#[derive(Debug, Default)]
pub struct Scanned {
    /// Places with occurrences, and their form.
    pub hits: BTreeSet<(String, String)>,
    /// What could not be scanned, and why.
    pub missed: BTreeSet<(String, String)>,
    /// Words that a full-text table treats as equal, with other accents: another text, which stays.
    pub spellings: BTreeSet<String>,
    /// Number of scanned files.
    pub files: usize,
    /// Number of scanned history objects.
    pub objects: usize,
}

/// The patterns of a scan.
pub struct Sought {
    /// Literal and machine-written forms.
    pub needles: Vec<Needle>,
    /// Displayed Markdown.
    pub wording: Matcher,
    /// Hashes of their passages.
    pub hashes: Option<Hashes>,
}

impl Sought {
    /// Patterns for `wording`, and for hashes of its texts and of `passages`. Error: `usage_bad` for an unsearchable
    /// text.
    pub fn of(wording: &Matcher, passages: &[String]) -> Result<Self, HomeError> {
        let needles = wording.texts().iter().map(|text| Needle::of(text)).collect::<Result<_, _>>()?;
        let hashed: Vec<String> = wording.texts().iter().chain(passages).cloned().collect();
        Ok(Self { needles, wording: wording.clone(), hashes: Hashes::of(&hashed)? })
    }

    /// The form of the first occurrence in `bytes`; `None` if there is none.
    pub fn found_in(&self, bytes: &[u8]) -> Option<&'static str> {
        let written = self.needles.iter().find_map(|needle| needle.found_in(bytes));
        let read = || self.wording.how_in(bytes).map(How::words);
        let hashed = || self.hashes.as_ref().filter(|hashes| hashes.stand_in(bytes)).map(|_| "as a hash");
        written.or_else(read).or_else(hashed).or_else(|| self.encoded_in(bytes))
    }

    /// The form of the first occurrence in encoded parts of `bytes`, also with JSON escapes.
    fn encoded_in(&self, bytes: &[u8]) -> Option<&'static str> {
        let cut = self.wording.may_be_cut().then_some(CUT_LETTERS_MIN);
        let least = self.needles.iter().map(Needle::least).chain(cut).min()?;
        let is_found = |bytes: &[u8]| {
            self.needles.iter().any(|needle| needle.found_in(bytes).is_some())
                || self.wording.is_cut_in(bytes)
        };
        let found = |bytes: &[u8]| encoded::found_in(bytes, least, &is_found);
        found(bytes).or_else(|| found(&unescaped(bytes)?))
    }

    /// Whether the texts are among the terms of a document with `text`. Terms lack symbols and accents, so those of
    /// an existing different text, such as `blue-falcon`, do not count.
    fn is_among(&self, terms: &str, text: Option<&str>) -> bool {
        let is_explained = |needle: &Needle| {
            text.is_some_and(|text| needle.terms().are_of(text) && self.found_in(text.as_bytes()).is_none())
        };
        self.needles.iter().any(|needle| needle.terms().are_among(terms) && !is_explained(needle))
    }

    /// Words of `text` with the same terms and other accents.
    fn spelled_in(&self, text: &str) -> Option<String> {
        let spelled = self.needles.iter().find_map(|needle| needle.terms().spelled_in(text))?;
        self.found_in(text.as_bytes()).is_none().then_some(spelled)
    }
}

/// An open file. One of a database stays open until the process ends: closing any handle of a file drops all POSIX
/// locks of this process on it, including SQLite's, and another process could then treat the log of an open database
/// as stale.
struct KeptOpen {
    /// `None` once it is dropped.
    file: Option<File>,
    is_of_database: bool,
}

impl KeptOpen {
    fn of(path: &Path) -> std::io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_of_database = ["-wal", "-shm", "-journal"].iter().any(|end| name.ends_with(end));
        Ok(Self { file: Some(File::open(path)?), is_of_database })
    }
}

impl Read for KeptOpen {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.read(buffer))
    }
}

impl Drop for KeptOpen {
    fn drop(&mut self) {
        let file = self.file.take();
        if self.is_of_database {
            std::mem::forget(file);
        }
    }
}

/// Largest file that is read: a sparse file of a few blocks may have many terabytes. A larger one is reported.
const FILE_BYTES_MAX: u64 = 4 << 30;

/// Scans one file.
pub fn file(path: &Path, sought: &Sought) -> Scanned {
    let mut scanned = Scanned::default();
    scanned.file(path, sought);
    scanned
}

/// Scans everything below `roots`, which may include files.
pub fn scan(roots: &[PathBuf], sought: &Sought) -> Scanned {
    let mut scanned = Scanned::default();
    let mut seen = BTreeSet::new();
    for root in roots {
        if root.is_file() { scanned.file(root, sought) } else { scanned.folder(root, sought, &mut seen) }
    }
    scanned
}

impl Scanned {
    fn folder(&mut self, folder: &Path, sought: &Sought, seen: &mut BTreeSet<PathBuf>) {
        let Ok(real) = folder.canonicalize() else { return };
        if !seen.insert(real) {
            return;
        }
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.miss(folder, &error.to_string()),
        };
        for entry in entries {
            let path = match entry {
                Ok(entry) => entry.path(),
                Err(error) => {
                    self.miss(folder, &error.to_string());
                    continue;
                }
            };
            if sought.found_in(path.as_os_str().as_encoded_bytes()).is_some() {
                self.hit(&path, "in its name");
            }
            match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => self.folder(&path, sought, seen),
                Ok(meta) if meta.is_file() => self.file(&path, sought),
                // Link targets are scanned at their own place, or are not part of the agent.
                Ok(_) => {}
                Err(error) => self.miss(&path, &error.to_string()),
            }
        }
        if folder.join("objects").is_dir() && folder.join("HEAD").is_file() {
            self.history(folder, sought);
        }
    }

    fn file(&mut self, path: &Path, sought: &Sought) {
        self.files += 1;
        let mut is_database = false;
        let mut look = || -> std::io::Result<()> {
            let mut file = KeptOpen::of(path)?;
            if path.metadata()?.len() > FILE_BYTES_MAX {
                return Err(std::io::Error::other("it is larger than 4 GiB"));
            }
            let mut piece = Vec::new();
            let mut is_first = true;
            loop {
                let read = file.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
                is_database |= is_first && piece.starts_with(DATABASE);
                file.is_of_database |= is_database;
                is_first = false;
                if let Some(how) = sought.found_in(&piece) {
                    self.hits.insert((path.display().to_string(), how.to_owned()));
                }
                if read < PIECE_BYTES {
                    return Ok(());
                }
                piece.drain(..piece.len() - OVERLAP_BYTES);
            }
        };
        match look() {
            Err(error) => self.miss(path, &error.to_string()),
            Ok(()) if is_database => self.database(path, sought),
            Ok(()) => {}
        }
    }

    fn database(&mut self, path: &Path, sought: &Sought) {
        let (mut hits, mut spellings) = (BTreeSet::new(), BTreeSet::new());
        let done = look::each_value(path, &mut |table, value| {
            let how = match value {
                Value::Bytes(bytes) => sought.found_in(bytes),
                Value::Terms { listed, text } => {
                    spellings.extend(text.and_then(|text| sought.spelled_in(text)));
                    sought.is_among(listed, text).then_some("as terms of a full-text table")
                }
            };
            hits.extend(how.map(|how| format!("in table {table}, {how}")));
        });
        self.spellings.extend(spellings);
        for how in hits {
            self.hit(path, &how);
        }
        if let Err(error) = done {
            self.miss(path, &error.message);
        }
    }

    fn history(&mut self, folder: &Path, sought: &Sought) {
        let looked = History::open(folder).and_then(|history| {
            let Some(history) = history else { return Ok(()) };
            history.each_object(&mut |name, bytes| {
                self.objects += 1;
                if let Some(how) = sought.found_in(bytes) {
                    self.hits.insert((folder.display().to_string(), format!("in object {name}, {how}")));
                }
            })
        });
        match looked {
            Err(HistoryError::NotOurs { .. }) => {
                self.miss(folder, "inwit does not open a repository that it did not create");
            }
            Err(error) => self.miss(folder, &error.to_string()),
            Ok(()) => {}
        }
    }

    fn hit(&mut self, path: &Path, how: &str) {
        self.hits.insert((path.display().to_string(), how.to_owned()));
    }

    fn miss(&mut self, path: &Path, why: &str) {
        self.missed.insert((path.display().to_string(), why.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beyond_the_limit_is_named_and_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("disk.img");
        File::create(&path).and_then(|file| file.set_len(FILE_BYTES_MAX + 1)).expect("sparse");
        let wording = Matcher::of(vec!["quokka farm".into()]).expect("words");
        let scanned = file(&path, &Sought::of(&wording, &[]).expect("sought"));
        let missed: Vec<_> = scanned.missed.into_iter().map(|(_, why)| why).collect();
        assert_eq!(missed, ["it is larger than 4 GiB"]);
    }

    /// Closing a file drops all locks of the process on it, including SQLite's.
    #[test]
    fn a_scan_drops_no_lock_of_a_database_that_is_open() {
        use inwit_store_sqlite::{Lock, SqliteMemory, holders};
        if !Path::new("/proc/locks").exists() {
            return;
        }
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("memory.db");
        let memory = SqliteMemory::open(&path).expect("opened");
        let is_held = || {
            let found = holders(&path, Lock::Any).expect("this system lists locks");
            found.iter().any(|holder| holder.pid == std::process::id())
        };
        assert!(is_held(), "an open database is locked");
        let sought =
            Sought::of(&Matcher::of(vec!["blue falcon".into()]).expect("words"), &[]).expect("needles");
        let scanned = scan(&[home.path().to_owned()], &sought);
        assert!(scanned.files >= 3, "the database, its log and its index of the log: {scanned:?}");
        assert!(is_held(), "it is locked as before");
        drop(memory);
    }

    fn sought() -> Sought {
        Sought::of(&Matcher::of(vec!["blue falcon".into()]).expect("words"), &[]).expect("needles")
    }

    /// JSON may write any letter by its number, those of base64 too.
    #[test]
    fn base64_of_which_json_escapes_a_digit_is_read() {
        let encoded = "VGhlIGJsdWUgZmFsY29uIGZsaWVzLg==";
        let escaped = encoded.replacen('V', "\\u0056", 1).replacen('s', "\\u0073", 1);
        for text in [encoded, &escaped] {
            assert_eq!(sought().found_in(text.as_bytes()), Some("as base64"), "{text}");
        }
        assert_eq!(sought().found_in(b"VGhlIGJsdWUgaGVyb24gZmxpZXMu"), None, "a heron");
    }

    /// Regression: a cut copy was found as plain text and in no encoding.
    #[test]
    fn a_copy_that_was_cut_short_is_found_in_base64() {
        let text = "Peter Kranz owes the bank 40 thousand. He told nobody but Rosa.";
        let sought = Sought::of(&Matcher::of(vec![text.into()]).expect("words"), &[]).expect("needles");
        // `Peter Kranz owes the bank 40 thous…`, and the same without its ellipsis.
        let encoded = "UGV0ZXIgS3Jhbnogb3dlcyB0aGUgYmFuayA0MCB0aG91c";
        assert_eq!(sought.found_in(format!("{encoded}+KApg==").as_bytes()), Some("as base64"));
        assert_eq!(sought.found_in(format!("{encoded}w==").as_bytes()), None);
    }

    /// Texts across two pieces of a large file are found.
    #[test]
    fn words_across_two_pieces_of_a_large_file_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large");
        let mut bytes = vec![b'.'; PIECE_BYTES + 64];
        let words = b" blue falcon ";
        bytes[PIECE_BYTES - 6..][..words.len()].copy_from_slice(words);
        std::io::Write::write_all(&mut File::create(&path).expect("made"), &bytes).expect("written");
        assert_eq!(file(&path, &sought()).hits.len(), 1);
    }
}
