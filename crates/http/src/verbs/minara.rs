//! Minara's files: the eight of its workspace, in its envelope (W24).
//!
//! Invariant: another name is answered like a missing file, so no answer depends on other files.

use inwit_home::OpenAgent;
use inwit_model::{Code, Entry, Sha256};
use inwit_wire::foreign_api::{MinaraFileV1, MinaraFilesV1, MinaraPutV1, MinaraV1};
use inwit_wire::server::changed_at;

use super::{Answered, files};
use crate::call::Call;
use crate::precondition::{Expected, parse};
use crate::problem::Problem;
use crate::reply::Reply;

/// The files that it serves.
const NAMES: [&str; 8] = [
    "SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "MEMORY.md", "BOOTSTRAP.md", "TOOLS.md", "HEARTBEAT.md",
];

/// Largest file that is saved, in bytes.
const BYTES_MAX: usize = 256 * 1024;

/// `GET /v1/workspace/files`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let entries = opened.agent.notes.entries(&call.scope)?;
    // A file that is removed now is absent.
    let files = NAMES.iter().map(|name| match (entry(&entries, name), files::seen(opened, call, name)) {
        (Some(entry), Ok((bytes, sha256))) => {
            MinaraFileV1 { size: bytes.len() as u64, ..row(name, Some(entry), Some(sha256)) }
        }
        _ => row(name, None, None),
    });
    let is_owner = call.caller.consent().is_some();
    let workspace_dir = if is_owner { opened.chosen.workspace.display().to_string() } else { String::new() };
    answer(MinaraFilesV1 { workspace_dir, files: files.collect() })
}

/// `GET /v1/workspace/files/{name}`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    let name = name(call.part("name"))?;
    let (bytes, sha256) = files::seen(opened, call, name)?;
    let entries = opened.agent.notes.entries(&call.scope)?;
    let (size, content) = (bytes.len() as u64, Some(String::from_utf8_lossy(&bytes).into_owned()));
    answer(MinaraFileV1 { size, content, ..row(name, entry(&entries, name), Some(sha256)) })
}

/// `PUT /v1/workspace/files/{name}`.
pub(super) fn write(opened: &OpenAgent, call: &Call) -> Answered {
    let input: MinaraPutV1 = call.shape()?;
    let name = name(call.part("name"))?;
    let missing = || {
        let message = "`expected_sha256` is missing: the sha256 that was read, or null.";
        Problem::new(Code::PreconditionMissing, message)
    };
    let bad = || Problem::new(Code::UsageBad, "`expected_sha256` is not a sha256.");
    let expected = match input.expected_sha256.ok_or_else(missing)? {
        Some(text) => Expected::Hash(parse(&text).ok_or_else(bad)?),
        None => Expected::Nothing,
    };
    if input.content.len() > BYTES_MAX {
        let message = format!("The file would have more than {BYTES_MAX} bytes.");
        return Err(Problem::new(Code::BodyTooLarge, message));
    }
    let outcome = files::replaced(opened, call, name, Some(input.content.as_bytes()), expected)?;
    let proposal = files::proposal(&outcome);
    let entries = opened.agent.notes.entries(&call.scope)?;
    let sha256 = files::hash_after(opened, call, name, &outcome);
    answer(MinaraFileV1 { proposal, ..row(name, entry(&entries, name), sha256) })
}

/// One of the eight. Error: `file_missing` for any other.
fn name(asked: &str) -> Result<&'static str, Problem> {
    let found = NAMES.into_iter().find(|name| *name == asked);
    let shown = inwit_model::name::shown(asked);
    found.ok_or_else(|| Problem::new(Code::FileMissing, format!("`{shown}` does not exist.")))
}

fn entry<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.name.as_str() == name)
}

fn row(name: &'static str, entry: Option<&Entry>, sha256: Option<Sha256>) -> MinaraFileV1 {
    MinaraFileV1 {
        name,
        exists: entry.is_some(),
        size: entry.map_or(0, |entry| entry.stamp.bytes),
        mtime: entry.map(|entry| changed_at(entry).as_millisecond()),
        sha256: sha256.map(|hash| hash.to_string()),
        content: None,
        proposal: None,
    }
}

fn answer<T: serde::Serialize>(data: T) -> Answered {
    Ok(Reply::json(&MinaraV1 { ok: true, data }))
}
