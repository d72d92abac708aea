//! Other files that show the setup state of a workspace.
//!
//! They are hidden or have names that no interface may address, so `Files` does not list them; only this module reads
//! them. Invariant: an unreadable state counts as completed, since repeating first-run setup is worse than skipping
//! it.

use std::collections::BTreeSet;

use inwit_model::{Code, FileError};
use serde_json::Value;

use super::FsFiles;
use crate::fault::Fault;
use crate::syscalls::Syscalls;

/// Where OpenClaw kept its state, oldest form first.
const OPENCLAW_STATE: &[&str] = &[".openclaw/workspace-state.json", "openclaw-workspace-state.json"];

/// Largest state file that is read, in bytes.
const STATE_BYTES_MAX: usize = 64 * 1024;

/// What was seen beside the Markdown of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Landmarks {
    /// There is a folder `memory`, empty or not.
    pub memory_folder: bool,
    /// There is a folder `skills`, empty or not.
    pub skills_folder: bool,
    /// A first conversation was had: `BOOTSTRAP.md.done.<time>` (W71).
    pub bootstrap_done: bool,
    /// A state file of an older OpenClaw is there.
    pub openclaw_state: bool,
    /// That state says that the set-up was completed.
    pub openclaw_completed: bool,
    /// Names that a home remembers to have seeded; one of them that is missing was taken away by a
    /// person. The disk cannot know them, so they are empty unless the caller adds them.
    pub seeded_before: BTreeSet<String>,
}

impl<S: Syscalls> FsFiles<S> {
    /// Looks for the landmarks. Error: `workspace_unreadable`.
    pub fn landmarks(&self) -> Result<Landmarks, FileError> {
        let found = self.folder(b"").and_then(|root| self.syscalls.list(&root)).map_err(|_| FileError {
            code: Code::WorkspaceUnreadable,
            message: "the workspace folder cannot be listed.".into(),
        })?;
        let has = |name: &str| found.iter().any(|one| one.name == name.as_bytes());
        let states: Vec<Option<Value>> = OPENCLAW_STATE.iter().filter_map(|path| self.state(path)).collect();
        Ok(Landmarks {
            memory_folder: has("memory"),
            skills_folder: has("skills"),
            bootstrap_done: found.iter().any(|one| one.name.starts_with(b"BOOTSTRAP.md.done")),
            openclaw_state: !states.is_empty(),
            openclaw_completed: states.iter().any(|state| state.as_ref().is_none_or(is_completed)),
            seeded_before: BTreeSet::new(),
        })
    }

    /// Reads a state file: `None` where there is none, `Some(None)` where it says nothing we know.
    fn state(&self, path: &str) -> Option<Option<Value>> {
        let mut file = match self.syscalls.open_read(&self.root, path.as_bytes()) {
            Ok(file) => file,
            Err(Fault::Missing | Fault::NotFolder) => return None,
            Err(_) => return Some(None),
        };
        let mut bytes = vec![0; STATE_BYTES_MAX];
        let mut length = 0;
        while length < bytes.len() {
            match self.syscalls.read(&mut file, &mut bytes[length..]) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(_) => return Some(None),
            }
        }
        Some(serde_json::from_slice(&bytes[..length]).ok())
    }
}

fn is_completed(state: &Value) -> bool {
    ["onboardingCompletedAt", "setupCompletedAt"]
        .iter()
        .any(|key| state.get(key).is_some_and(|at| !at.is_null()))
        || !state.is_object()
}
