//! Lines that were shown to each host session: one small file per session, of hashes alone.
//!
//! A hook is a short process, so what it showed is stored in a file, without sync or locks. Invariants: it has hashes
//! only; a file never exceeds [`FILE_BYTES_MAX`]; a failure only means that a line is shown twice.

use std::collections::HashSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_model::{SessionId, Sha256};

use crate::own;

/// Largest file of one session, in bytes: some thousand lines.
const FILE_BYTES_MAX: u64 = 256 * 1024;

/// How long the file of a session that never ended is kept, in days.
const KEPT_DAYS_MAX: u64 = 14;

/// Hex digits of a session's hash in the name of its file.
const NAME_DIGITS: usize = 16;

/// The folder of one home.
pub struct ShownLines(PathBuf);

impl ShownLines {
    /// In this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self(home.join("shown"))
    }

    fn file(&self, session: &SessionId) -> PathBuf {
        self.0.join(Sha256::of(session.as_str().as_bytes()).short(NAME_DIGITS))
    }

    /// The hashes of the lines that were shown to `session`.
    pub fn read(&self, session: &SessionId) -> HashSet<u64> {
        let mut text = String::new();
        let file = inwit_workspace::plain::open(&self.file(session)).ok().flatten();
        if let Some(file) = file {
            // A truncated line is no hash.
            let _ = file.take(FILE_BYTES_MAX).read_to_string(&mut text);
        }
        text.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect()
    }

    /// Adds hashes of lines that were shown to `session`.
    pub fn add(&self, session: &SessionId, lines: &[u64]) {
        let text: String = lines.iter().map(|line| format!("{line:016x}\n")).collect();
        let path = self.file(session);
        let write = || -> std::io::Result<()> {
            own::make_folder(&self.0)?;
            let mut file = inwit_workspace::plain::in_place(&path, |open| open.append(true))?;
            if file.metadata()?.len() + text.len() as u64 > FILE_BYTES_MAX {
                return Ok(());
            }
            file.write_all(text.as_bytes())
        };
        let _ = write();
    }

    /// Deletes the file of `session`, and those of old sessions without a reported end.
    pub fn remove(&self, session: &SessionId) {
        let _ = fs::remove_file(self.file(session));
        own::remove_older(&self.0, Duration::from_secs(KEPT_DAYS_MAX * 24 * 60 * 60));
    }
}

#[cfg(test)]
mod tests {
    use inwit_model::Clock as _;

    use super::*;
    use crate::clock::SystemClock;

    #[test]
    fn a_session_knows_what_it_was_shown_until_it_ends() {
        let home = tempfile::tempdir().expect("a folder");
        let shown = ShownLines::of(home.path());
        let [one, other] = ["s1", "s2"].map(|id| SessionId::parse(id).expect("an id"));
        assert!(shown.read(&one).is_empty());
        shown.add(&one, &[1, u64::MAX]);
        shown.add(&one, &[7]);
        assert_eq!(shown.read(&one), HashSet::from([1, 7, u64::MAX]));
        assert!(shown.read(&other).is_empty());
        shown.remove(&one);
        assert!(shown.read(&one).is_empty());
    }

    #[test]
    fn a_file_is_bounded_and_one_of_a_session_that_never_ended_goes_in_the_end() {
        let home = tempfile::tempdir().expect("a folder");
        let shown = ShownLines::of(home.path());
        let [one, left] = ["s1", "left"].map(|id| SessionId::parse(id).expect("an id"));
        let many: Vec<u64> = (0..FILE_BYTES_MAX / 17).collect();
        shown.add(&one, &many);
        shown.add(&one, &[u64::MAX]);
        assert!(shown.file(&one).metadata().expect("a file").len() <= FILE_BYTES_MAX);
        assert_eq!(shown.read(&one).len(), many.len());
        shown.add(&left, &[7]);
        let now = std::time::SystemTime::from(SystemClock.now());
        let days = |days| now - Duration::from_secs(days * 24 * 60 * 60);
        let file = fs::File::options().append(true).open(shown.file(&left)).expect("a file");
        file.set_modified(days(KEPT_DAYS_MAX - 1)).expect("set");
        shown.remove(&one);
        assert_eq!(shown.read(&left), HashSet::from([7]));
        file.set_modified(days(KEPT_DAYS_MAX + 1)).expect("set");
        shown.remove(&one);
        assert!(!shown.file(&left).exists());
    }
}
