//! A place where an exam is taken: a workspace and a home of its own, gone when it ends.
//!
//! The agent is opened as every command opens it, so what a user's search would do is what is measured:
//! index on disk, files looked at before each answer. Only the clock is ours, since questions are asked on
//! days of their own. Days are those of UTC, so that figures do not depend on where the machine stands.
//! It lies where temporary files do (`TMPDIR`).

use std::borrow::Borrow;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_engine::{Agent, EmbedReport, Notice};
use inwit_model::{Clock, Scope};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use super::exam::Note;
use super::times::Times;
use crate::clock::SystemClock;
use crate::compose::{self, Opened};
use crate::error::CliError;
use crate::meaning;
use crate::own;
use crate::settings::{Origin, Settings, Value};
use crate::ui::Ui;

/// An agent over notes that were laid out for it.
pub struct Ground {
    opened: Opened,
    clock: Arc<SetClock>,
    /// Kept so that it goes with the ground; dropped after the agent.
    _folder: TempDir,
}

/// What was laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaidOut {
    /// Files.
    pub notes: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Ground {
    /// Lays `notes` out and opens an agent over them, as `settings` say. Errors: those of the disk and of
    /// opening an agent.
    pub fn lay_out<N: Borrow<Note>>(
        settings: &Settings,
        notes: impl Iterator<Item = N>,
    ) -> Result<(Self, LaidOut), CliError> {
        let folder = TempDir::with_prefix("inwit-bench-")
            .map_err(|error| own::failed(&std::env::temp_dir(), &error))?;
        let workspace = folder.path().join("workspace");
        let laid_out = put(&workspace, notes).map_err(|error| own::failed(&workspace, &error))?;
        let clock = Arc::new(SetClock(Mutex::new(Timestamp::UNIX_EPOCH)));
        let own = own_settings(settings, folder.path(), &workspace);
        let opened = compose::open_at(own, Arc::clone(&clock) as Arc<dyn Clock>)?;
        Ok((Self { opened, clock, _folder: folder }, laid_out))
    }

    /// Builds the index from cold.
    pub fn index(&self, times: &mut Times, ui: &mut Ui) -> Result<Vec<Notice>, CliError> {
        // A file that was written just now is looked into before every answer. Nobody writes these again, so
        // that they have stood for an hour may be said at once.
        self.at(SystemClock.now().saturating_add(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MAX));
        let watch = &mut |done, of| ui.progress("indexing", done, of);
        let (_, notices) = times.of(|| self.opened.agent.rebuild(&Scope::Main, watch))?;
        Ok(self.opened.notices.iter().cloned().chain(notices).collect())
    }

    /// Gives the passages their vectors. Errors: those of the model.
    pub fn embed(&self, times: &mut Times, ui: &mut Ui) -> Result<EmbedReport, CliError> {
        let watch = &mut |done, of| ui.progress("embedding", done, of);
        Ok(times.of(|| self.opened.agent.embed(&Scope::Main, None, watch))?)
    }

    /// From now on it is `now`.
    pub fn at(&self, now: Timestamp) {
        *self.clock.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.opened.agent
    }

    /// Bytes on disk of all that was derived from the notes.
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

/// The user's settings over a home of its own.
fn own_settings(settings: &Settings, folder: &Path, workspace: &Path) -> Settings {
    let mut own = settings.clone();
    // The model stays where the user has it.
    let model = meaning::folder(settings).display().to_string();
    own.layers.say("embedding.folder", Value { text: model, origin: Origin::Flag("inwit bench") });
    own.home = folder.join("home");
    own.state = folder.join("state");
    for (key, text) in [
        ("agent", None),
        ("workspace", Some(workspace.display().to_string())),
        ("timezone", Some("UTC".to_owned())),
    ] {
        own.layers.forget(key);
        if let Some(text) = text {
            own.layers.say(key, Value { text, origin: Origin::Flag("inwit bench") });
        }
    }
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
