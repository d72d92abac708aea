//! What the workspace promises, on a real disk and in memory.

mod apply;
mod contract;
mod create;
mod dream_lock;
mod dream_lock_crashes;
mod dream_lock_holders;
mod guards;
mod history;
mod history_erasure;
mod history_flush;
mod hostile_repositories;
mod names;
mod open_writers;
mod openclaw;
mod past;
mod probe;
mod races;
mod seed;
mod seed_crashes;
mod special_files;
mod templates;
mod transcripts;
mod views;
mod write;
mod write_crashes;

use inwit_model::ports::Folder;
use inwit_model::{Code, Files, SafeName};
use inwit_workspace::FsFiles;

/// A workspace in a folder of its own, which goes when the test ends.
struct Home {
    folder: tempfile::TempDir,
    files: FsFiles,
}

fn home() -> Home {
    let folder = tempfile::tempdir().expect("a folder");
    let files = FsFiles::open(folder.path()).expect("open");
    Home { folder, files }
}

impl Home {
    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        put(self.folder.path(), name, bytes);
    }
}

/// Writes as another program would.
fn put(folder: &std::path::Path, name: &str, bytes: &[u8]) {
    use std::io::Write;
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    std::fs::File::create(path).and_then(|mut file| file.write_all(bytes)).expect("written");
}

fn name(text: &str) -> SafeName {
    SafeName::parse(text).expect("a safe name")
}

fn everything() -> [Folder; 1] {
    [Folder { path: String::new(), deep: true }]
}

fn listed(files: &dyn Files) -> Vec<String> {
    let listing = files.list(&everything()).expect("a listing");
    listing.entries.into_iter().map(|entry| entry.name.to_string()).collect()
}

fn read_code(files: &dyn Files, text: &str) -> Option<Code> {
    files.read(&name(text)).err().map(|error| error.code)
}

/// Says why a test could not run here; it passes, and its output names the reason.
#[expect(clippy::print_stderr, reason = "a test that is passed over must not be silent")]
fn skipped_since(reason: &str) {
    eprintln!("skipped: {reason}");
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
