//! Opens the agent of a command.
//!
//! Invariant: the settings alone decide which agent is opened, and how.

use std::sync::Arc;
use std::time::Instant;

use inwit_home::clock::SystemClock;
use inwit_home::keep::Use;
use inwit_home::{OpenAgent, Opening};
use inwit_settings::Settings;
use inwit_settings::agent::configured;

use crate::error::CliError;

/// Name of this interface in a dream lock.
pub const SURFACE: &str = "cli";

/// Opens the selected agent for work.
pub fn open(settings: Settings) -> Result<Arc<OpenAgent>, CliError> {
    shared(settings, Opening::Whole)
}

/// The same for a command without searches.
pub fn open_files(settings: Settings) -> Result<Arc<OpenAgent>, CliError> {
    shared(settings, Opening::FilesAlone)
}

fn shared(settings: Settings, opening: Opening) -> Result<Arc<OpenAgent>, CliError> {
    let engine = Arc::clone(&settings.engine);
    let (chosen, config) = configured(settings, SURFACE)?;
    Ok(engine.open(chosen, config, opening, Arc::new(SystemClock))?)
}

/// Opens the agent exclusively, outside the engine: read-only, with a deadline, or for an operation that replaces or erases stored data.
pub fn open_alone(settings: Settings, use_of: Use) -> Result<OpenAgent, CliError> {
    let (chosen, config) = configured(settings, SURFACE)?;
    Ok(inwit_home::open(chosen, config, use_of, Arc::new(SystemClock))?)
}

/// The same for a caller that must not wait: the index waits for no lock, and memory.db no longer than `until`.
pub fn open_in_passing(settings: Settings, until: Instant) -> Result<OpenAgent, CliError> {
    let (chosen, config) = configured(settings, SURFACE)?;
    Ok(inwit_home::open_in_passing(chosen, config, until)?)
}

/// The same for a caller that never searches.
pub fn open_files_alone(settings: Settings, use_of: Use) -> Result<OpenAgent, CliError> {
    let (chosen, config) = configured(settings, SURFACE)?;
    Ok(inwit_home::open_files(chosen, config, use_of)?)
}
