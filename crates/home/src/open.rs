//! Opens an agent: files, index and storage.
//!
//! An interface opens only what it needs (D17): one folder and one index. A read-only home gives an in-memory index
//! and a notice. Invariant: reading writes nothing to the workspace.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use inwit_engine::{Agent, AgentDeps, AgentPorts, EngineError, Notice, SessionLogs};
use inwit_model::{Clock, Code, Files};
use inwit_store::{Index, TranscriptIndex};
use inwit_store_sqlite::{OpenOutcome, SqliteIndex};
use inwit_workspace::{FsFiles, Transcripts};

use crate::clock::SystemClock;
use crate::config::AgentConfig;
use crate::error::HomeError;
use crate::keep::{self, MemoryFile, Use};
use crate::late::LateTranscripts;
use crate::late_index::LateIndex;
use crate::meaning::LocalModels;
use crate::own;
use crate::place::AgentPlace;

/// An opened agent, and its place.
pub struct OpenAgent {
    /// The agent.
    pub agent: Arc<Agent>,
    /// Its files, for commands that read more than Markdown.
    pub files: Arc<FsFiles>,
    /// Its place.
    pub chosen: AgentPlace,
    /// How it was opened.
    pub config: AgentConfig,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
    pub(crate) memory: Arc<MemoryFile>,
}

impl OpenAgent {
    /// The same with another agent in the home at `home`, such as one whose files are in memory.
    pub fn holding(&self, agent: Arc<Agent>, home: PathBuf) -> Self {
        Self {
            agent,
            files: Arc::clone(&self.files),
            chosen: AgentPlace { home, ..self.chosen.clone() },
            config: self.config.clone(),
            notices: Vec::new(),
            memory: Arc::clone(&self.memory),
        }
    }
}

/// Opens an agent with `clock`. If others hold the index longer than `use_of` waits, an in-memory index is used, with
/// the notice `index_in_memory`.
pub fn open(
    chosen: AgentPlace,
    config: AgentConfig,
    use_of: Use,
    clock: Arc<dyn Clock>,
) -> Result<OpenAgent, HomeError> {
    open_with_models(chosen, config, use_of, clock, &LocalModels::default())
}

/// The same with models shared by the agents of the process.
pub(crate) fn open_with_models(
    chosen: AgentPlace,
    config: AgentConfig,
    use_of: Use,
    clock: Arc<dyn Clock>,
    models: &LocalModels,
) -> Result<OpenAgent, HomeError> {
    let files = Arc::new(FsFiles::open(&chosen.workspace)?.listing(config.extensions));
    let mut notices = Vec::new();
    let index = open_index(&chosen.home, use_of, &mut notices)?;
    let (mut keeping, memory) = keep::keeping_with(&chosen, &config, use_of, models, files.identity())?;
    // If the home cannot hold an index, it cannot hold recall records either; one notice covers both.
    keeping.records_recall &= notices.iter().all(|notice| notice.code != "index_in_memory");
    let agent = Arc::new(assemble(Arc::clone(&files) as Arc<dyn Files>, index, &config, clock, keeping));
    Ok(OpenAgent { agent, files, chosen, config, notices, memory })
}

/// The same without waiting: an index that cannot be opened immediately is an error. memory.db is waited for until
/// `until`.
pub fn open_in_passing(
    chosen: AgentPlace,
    config: AgentConfig,
    until: Instant,
) -> Result<OpenAgent, HomeError> {
    let open = |home: &Path| -> Result<Box<dyn Index>, HomeError> {
        own::make_folder(home).map_err(|error| own::failed(home, &error))?;
        let (index, _) = SqliteIndex::open_in_passing(&home.join("index.db")).map_err(EngineError::from)?;
        Ok(Box::new(index))
    };
    open_over(chosen, config, Use::Until(until), Arc::new(SystemClock), &LocalModels::default(), open)
}

/// The same for commands that do not search. The index is opened only for the values that files name as secrets, and
/// nothing is created in the home.
pub fn open_files(chosen: AgentPlace, config: AgentConfig, use_of: Use) -> Result<OpenAgent, HomeError> {
    open_files_with_models(chosen, config, use_of, Arc::new(SystemClock), &LocalModels::default())
}

/// The same with models shared by the agents of the process.
pub(crate) fn open_files_with_models(
    chosen: AgentPlace,
    config: AgentConfig,
    use_of: Use,
    clock: Arc<dyn Clock>,
    models: &LocalModels,
) -> Result<OpenAgent, HomeError> {
    let late = |home: &Path| -> Result<Box<dyn Index>, HomeError> {
        Ok(Box::new(LateIndex::at(home.join("index.db"))))
    };
    open_over(chosen, config, use_of, clock, models, late)
}

fn open_over(
    chosen: AgentPlace,
    config: AgentConfig,
    use_of: Use,
    clock: Arc<dyn Clock>,
    models: &LocalModels,
    index: impl FnOnce(&Path) -> Result<Box<dyn Index>, HomeError>,
) -> Result<OpenAgent, HomeError> {
    let files = Arc::new(FsFiles::open(&chosen.workspace)?.listing(config.extensions));
    let (keeping, memory) = keep::keeping_with(&chosen, &config, use_of, models, files.identity())?;
    let index = index(&chosen.home)?;
    let agent = Arc::new(assemble(Arc::clone(&files) as Arc<dyn Files>, index, &config, clock, keeping));
    Ok(OpenAgent { agent, files, chosen, config, notices: Vec::new(), memory })
}

/// The transcripts of an agent, read-only; creates nothing. Without `searches` none are searched, and no index is
/// opened.
pub fn session_logs(chosen: &AgentPlace, searches: bool) -> Result<SessionLogs, EngineError> {
    let transcripts = Transcripts::open(&chosen.transcripts())?;
    let index = LateTranscripts::at(chosen.home.join("transcripts.db"));
    let index = searches.then(|| Box::new(index) as Box<dyn TranscriptIndex>);
    Ok(SessionLogs::new(transcripts, &chosen.id, index, Arc::new(SystemClock)))
}

/// Assembles an agent from its ports.
pub fn assemble(
    files: Arc<dyn Files>,
    index: Box<dyn Index>,
    config: &AgentConfig,
    clock: Arc<dyn Clock>,
    keeping: AgentDeps,
) -> Agent {
    Agent::new(AgentPorts {
        host: config.host.clone(),
        spare: Box::new(|| SqliteIndex::in_memory().map(|index| Box::new(index) as Box<dyn Index>)),
        files,
        index,
        profile: config.profile.clone(),
        zone: config.zone.clone(),
        clock,
        keeping,
    })
}

fn open_index(home: &Path, use_of: Use, notices: &mut Vec<Notice>) -> Result<Box<dyn Index>, HomeError> {
    let made = own::make_folder(home);
    let path = home.join("index.db");
    let open = || match use_of.wait() {
        Some(wait) => SqliteIndex::open_within(&path, wait),
        None => SqliteIndex::open(&path),
    };
    let opened =
        made.map_err(|error| error.to_string()).and_then(|()| open().map_err(|error| error.to_string()));
    match opened {
        Ok((index, how)) => {
            if how == OpenOutcome::Damaged {
                notices.push(Notice::new(
                    "index_was_damaged",
                    "The index was damaged and dropped. It is being rebuilt from the notes.",
                    "Nothing is lost: the index contains nothing that the files do not.",
                ));
            }
            Ok(Box::new(index))
        }
        Err(why) => {
            notices.push(Notice::new(
                "index_in_memory",
                format!(
                    "The index in {} cannot be used ({why}), so it is kept in memory for this command.",
                    home.display()
                ),
                "Make the folder writable, or set INWIT_HOME to a writable folder.",
            ));
            in_memory()
        }
    }
}

fn in_memory() -> Result<Box<dyn Index>, HomeError> {
    SqliteIndex::in_memory()
        .map(|index| Box::new(index) as Box<dyn Index>)
        .map_err(|error| HomeError::new(Code::IndexUnavailable, format!("{error}.")))
}
