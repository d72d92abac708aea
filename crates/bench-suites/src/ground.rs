//! A temporary workspace and home for one exam, deleted afterwards.
//!
//! The agent is opened as every command opens it, so a user's search is what is measured: the index is on disk, and
//! files are checked before each answer. Only the clock is replaced, because questions have their own days. Days are
//! UTC, so that figures do not depend on the machine. The folder is in `TMPDIR`.

use std::borrow::Borrow;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_engine::{Agent, EmbedReport, Notice};
use inwit_home::clock::SystemClock;
use inwit_home::keep::Use;
use inwit_home::{AgentConfig, AgentPlace, HomeError, OpenAgent, own};
use inwit_model::{Clock, HomeId, Scope};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use crate::exam::Note;
use crate::examiner::Watch;
use crate::times::Times;

/// An agent over the notes of an exam.
pub struct Ground {
    opened: OpenAgent,
    clock: Arc<SetClock>,
    /// Kept so that it is deleted with the ground; dropped after the agent.
    _folder: TempDir,
}

/// The written notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaidOut {
    /// Files.
    pub notes: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Ground {
    /// Writes `notes` and opens an agent over them with `config`. Errors: those of the disk and of opening an agent.
    pub fn lay_out<N: Borrow<Note>>(
        config: &AgentConfig,
        notes: impl Iterator<Item = N>,
    ) -> Result<(Self, LaidOut), HomeError> {
        let folder = TempDir::with_prefix("inwit-bench-")
            .map_err(|error| own::failed(&std::env::temp_dir(), &error))?;
        let workspace = folder.path().join("workspace");
        let laid_out = put(&workspace, notes).map_err(|error| own::failed(&workspace, &error))?;
        let clock = Arc::new(SetClock(Mutex::new(Timestamp::UNIX_EPOCH)));
        let workspace = workspace.canonicalize().map_err(|error| own::failed(&workspace, &error))?;
        let own = own_config(config, folder.path());
        let id = HomeId::of_folder(workspace.as_os_str().as_bytes()).to_string();
        let chosen = AgentPlace { home: own.paths.agents().join(&id), id, workspace };
        let opened = inwit_home::open(chosen, own, Use::Work, Arc::clone(&clock) as Arc<dyn Clock>)?;
        Ok((Self { opened, clock, _folder: folder }, laid_out))
    }

    /// Builds the index from scratch.
    pub fn index(&self, times: &mut Times, ui: &mut dyn Watch) -> Result<Vec<Notice>, HomeError> {
        // A recently written file is checked before every answer. These files do not change again, so they can be
        // treated as an hour old.
        self.at(SystemClock.now().saturating_add(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MAX));
        let watch = &mut |done, of| {
            ui.progress("indexing", done, of);
            ControlFlow::Continue(())
        };
        let (_, notices) = times.of(|| self.opened.agent.notes.rebuild(&Scope::Main, watch))?;
        Ok(self.opened.notices.iter().cloned().chain(notices).collect())
    }

    /// Computes the vectors of the passages. Errors: those of the model.
    pub fn embed(&self, times: &mut Times, ui: &mut dyn Watch) -> Result<EmbedReport, HomeError> {
        let watch = &mut |done, of| {
            ui.progress("embedding", done, of);
            ControlFlow::Continue(())
        };
        Ok(times.of(|| self.opened.agent.notes.embed(&Scope::Main, None, watch))?)
    }

    /// Sets the clock to `now`.
    pub fn at(&self, now: Timestamp) {
        *self.clock.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.opened.agent
    }

    /// Bytes on disk of all data derived from the notes.
    pub fn index_bytes(&self) -> u64 {
        let entries = std::fs::read_dir(&self.opened.chosen.home).into_iter().flatten().flatten();
        let derived = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with("memory.db"));
        derived
            .filter_map(|entry| entry.metadata().ok())
            .filter(|found| found.is_file())
            .map(|found| found.len())
            .sum()
    }
}

/// The user's configuration with a separate home; the model stays in its place.
fn own_config(config: &AgentConfig, folder: &Path) -> AgentConfig {
    let mut own = config.clone();
    own.paths.root = folder.join("home");
    own.paths.state = folder.join("state");
    own.zone = TimeZone::UTC;
    own
}

#[expect(clippy::disallowed_methods, reason = "lays out notes to be asked about; nothing is kept")]
fn put<N: Borrow<Note>>(workspace: &Path, notes: impl Iterator<Item = N>) -> io::Result<LaidOut> {
    std::fs::create_dir_all(workspace)?;
    let mut laid_out = LaidOut::default();
    for note in notes {
        let Note { name, text } = note.borrow();
        let path = workspace.join(name.as_str());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
        laid_out.notes += 1;
        laid_out.bytes += text.len() as u64;
    }
    Ok(laid_out)
}

/// A clock that is set before each question.
struct SetClock(Mutex<Timestamp>);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
