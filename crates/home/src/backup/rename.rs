//! Restores a copy under another agent id.
//!
//! Sessions and transcripts contain their agent's id, and those of another agent are ignored. So the staged copy is
//! changed. Invariant: the backup itself is unchanged, and of a transcript only the header changes.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;

use inwit_model::AgentId;
use inwit_model::limit::TRANSCRIPT_LINE_BYTES_MAX;
use inwit_store::memory::Sessions as _;
use inwit_store_sqlite::SqliteMemory;
use inwit_workspace::transcripts::line;

use crate::error::HomeError;
use crate::own;

/// Changes the copy in `home` from the agent `from` to `to`. Errors: those of `memory.db`, and of writing.
pub fn rename(home: &Path, from: &AgentId, to: &AgentId) -> Result<(), HomeError> {
    let memory = home.join("memory.db");
    if memory.is_file() {
        let renamed = SqliteMemory::open(&memory).and_then(|memory| memory.rename_agent(from, to));
        renamed?;
    }
    let folder = home.join("transcripts");
    if !folder.is_dir() {
        return Ok(());
    }
    let failed = |error: io::Error| own::failed(&folder, &error);
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|end| end == "jsonl") && path.is_file() {
            transcript(&path, from.as_str(), to.as_str()).map_err(|error| own::failed(&path, &error))?;
        }
    }
    super::sync_folders(home).map_err(|error| own::failed(home, &error))
}

fn transcript(path: &Path, from: &str, to: &str) -> io::Result<()> {
    let mut old = BufReader::new(File::open(path)?);
    let mut first = Vec::new();
    (&mut old).take(TRANSCRIPT_LINE_BYTES_MAX as u64).read_until(b'\n', &mut first)?;
    let Some(header) = line::renamed(&first, from, to) else { return Ok(()) };
    let beside = path.with_extension("renaming");
    let mut new = super::fresh(&beside)?;
    new.write_all(&header)?;
    io::copy(&mut old, &mut new)?;
    new.sync_all()?;
    fs::rename(&beside, path)
}
