//! The composition root: from settings to an opened agent.
//!
//! A command opens what its verb needs and nothing more (D17): one folder and one index. A home that
//! cannot be written gives an index in memory and a notice. Reading writes nothing into the workspace.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inwit_engine::{Agent, Notice, Parts};
use inwit_model::{AgentId, Clock, Code, Files, Sha256};
use inwit_store::Index;
use inwit_store_sqlite::{Opened as IndexOpened, SqliteIndex};
use inwit_workspace::FsFiles;

use crate::clock::SystemClock;
use crate::error::CliError;
use crate::settings::{Origin, Settings};

/// An agent, and where it was found.
pub struct Opened {
    /// The agent.
    pub agent: Agent,
    /// Its files, for verbs that look beside the Markdown.
    pub files: Arc<FsFiles>,
    /// Which one.
    pub chosen: Chosen,
    /// Everything that was said from outside.
    pub settings: Settings,
    /// What the reader should know.
    pub notices: Vec<Notice>,
}

/// Which agent a command means.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// Its id, or `ws-…` for a folder that no agent names.
    pub id: String,
    /// Its folder below the home.
    pub home: PathBuf,
    /// Its workspace.
    pub workspace: PathBuf,
}

/// Opens the agent that the settings mean.
pub fn open(mut settings: Settings) -> Result<Opened, CliError> {
    let chosen = choose(&mut settings)?;
    let files = Arc::new(FsFiles::open(&chosen.workspace)?);
    let mut notices = Vec::new();
    let index = open_index(&chosen.home, &mut notices)?;
    let agent = assemble(Arc::clone(&files) as Arc<dyn Files>, index, &settings, Arc::new(SystemClock));
    Ok(Opened { agent, files, chosen, settings, notices })
}

/// The same for verbs that never search: the index lives in memory and nothing is made in the home.
pub fn open_files(mut settings: Settings) -> Result<Opened, CliError> {
    let chosen = choose(&mut settings)?;
    let files = Arc::new(FsFiles::open(&chosen.workspace)?);
    let index = in_memory()?;
    let agent = assemble(Arc::clone(&files) as Arc<dyn Files>, index, &settings, Arc::new(SystemClock));
    Ok(Opened { agent, files, chosen, settings, notices: Vec::new() })
}

/// Puts an agent together from its parts.
pub fn assemble(
    files: Arc<dyn Files>,
    index: Box<dyn Index>,
    settings: &Settings,
    clock: Arc<dyn Clock>,
) -> Agent {
    Agent::new(Parts {
        host: inwit_model::Host::default(),
        spare: Box::new(|| SqliteIndex::in_memory().map(|index| Box::new(index) as Box<dyn Index>)),
        files,
        index,
        profile: settings.profile(),
        zone: settings.zone().0,
        clock,
    })
}

/// Finds out which agent is meant, and reads its own file into the settings.
pub fn choose(settings: &mut Settings) -> Result<Chosen, CliError> {
    let agent = settings.layers.get("agent").cloned();
    let workspace = settings.layers.get("workspace").cloned();
    let folder = settings.folder("workspace");
    match (agent, workspace, folder) {
        (Some(agent), Some(workspace), Some(folder))
            if agent.origin >= workspace.origin || is_flag(&agent.origin) =>
        {
            let own = is_flag(&workspace.origin).then_some(folder);
            named(settings, &agent.text, own)
        }
        (Some(agent), None, _) => named(settings, &agent.text, None),
        (_, Some(_), Some(folder)) => by_folder(settings, &folder),
        _ => only_one(settings),
    }
}

fn is_flag(origin: &Origin) -> bool {
    matches!(origin, Origin::Flag(_))
}

fn named(settings: &mut Settings, id: &str, folder: Option<PathBuf>) -> Result<Chosen, CliError> {
    let id = AgentId::parse(id).map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?;
    let home = agents(settings).join(id.as_str());
    let file = home.join("agent.toml");
    if !file.exists() {
        return Err(CliError::new(
            Code::AgentUnknown,
            format!("There is no agent `{id}` in {}.", settings.home.display()),
        ));
    }
    settings.say_agent_file(&file)?;
    let workspace = folder.or_else(|| settings.folder("workspace")).unwrap_or_else(|| home.join("workspace"));
    Ok(Chosen { id: id.to_string(), home, workspace })
}

fn by_folder(settings: &mut Settings, folder: &Path) -> Result<Chosen, CliError> {
    let missing = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::NotFound {
            Code::WorkspaceMissing
        } else {
            Code::WorkspaceUnreadable
        };
        CliError::new(code, format!("The workspace {} cannot be opened: {error}.", folder.display()))
    };
    let folder = folder.canonicalize().map_err(missing)?;
    for id in agent_ids(settings) {
        let home = agents(settings).join(&id);
        let mut own = settings.clone();
        own.layers = crate::settings::Layers::default();
        if own.say_agent_file(&home.join("agent.toml")).is_err() {
            continue;
        }
        let workspace = own.folder("workspace").unwrap_or_else(|| home.join("workspace"));
        if workspace.canonicalize().is_ok_and(|path| path == folder) {
            settings.say_agent_file(&home.join("agent.toml"))?;
            return Ok(Chosen { id, home, workspace: folder });
        }
    }
    use std::os::unix::ffi::OsStrExt as _;
    let id = format!("ws-{}", Sha256::of(folder.as_os_str().as_bytes()).short(16));
    Ok(Chosen { home: agents(settings).join(&id), id, workspace: folder })
}

fn only_one(settings: &mut Settings) -> Result<Chosen, CliError> {
    let ids = agent_ids(settings);
    match ids.as_slice() {
        [] => {
            let openclaw = settings.user_home().join(".openclaw/workspace");
            let error =
                CliError::new(Code::NoAgent, format!("There is no agent in {}.", settings.home.display()));
            Err(if openclaw.is_dir() {
                error.hint(format!("An OpenClaw workspace is at {0}: try `--workspace {0}`, or `inwit init` for a new agent.", openclaw.display()))
            } else {
                error
            })
        }
        [one] => named(settings, &one.clone(), None),
        ids if ids.iter().any(|id| id == AgentId::MAIN) => named(settings, AgentId::MAIN, None),
        ids => Err(CliError::new(Code::NoAgent, "Several agents are here and none is called main.")
            .hint(format!("Name one with `--agent`: {}.", ids.join(", ")))),
    }
}

/// Whether a new agent may be made for what is meant: nothing is there, or an id that is free.
pub fn may_make(settings: &Settings) -> bool {
    settings.layers.get("agent").is_some() || agent_ids(settings).is_empty()
}

/// The agent that is meant but not there yet, with its workspace in the home.
pub fn new_agent(settings: &Settings) -> Result<Chosen, CliError> {
    let id = settings.layers.text("agent").unwrap_or(AgentId::MAIN);
    let id = AgentId::parse(id).map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?;
    let home = agents(settings).join(id.as_str());
    Ok(Chosen { id: id.to_string(), workspace: home.join("workspace"), home })
}

/// The folder of all agents.
pub fn agents(settings: &Settings) -> PathBuf {
    settings.home.join("agents")
}

/// Ids of the agents of this home, sorted; folders that no agent names are not among them.
pub fn agent_ids(settings: &Settings) -> Vec<String> {
    let entries = std::fs::read_dir(agents(settings)).into_iter().flatten().flatten();
    let mut ids: Vec<String> = entries
        .filter(|entry| entry.path().join("agent.toml").is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|id| AgentId::parse(id).is_ok())
        .collect();
    ids.sort();
    ids
}

fn open_index(home: &Path, notices: &mut Vec<Notice>) -> Result<Box<dyn Index>, CliError> {
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(home);
    let opened = made
        .map_err(|error| error.to_string())
        .and_then(|()| SqliteIndex::open(&home.join("index.db")).map_err(|error| error.to_string()));
    match opened {
        Ok((index, how)) => {
            if how == IndexOpened::Damaged {
                notices.push(Notice::new(
                    "index_was_damaged",
                    "The index was damaged; it was dropped and is built again from the notes.",
                    "Nothing is lost: the index holds nothing that the files do not.",
                ));
            }
            Ok(Box::new(index))
        }
        Err(why) => {
            notices.push(Notice::new(
                "index_in_memory",
                format!(
                    "The index in {} cannot be used ({why}), so it lives in memory for this command.",
                    home.display()
                ),
                "Make the folder writable, or set INWIT_HOME to one that is.",
            ));
            in_memory()
        }
    }
}

fn in_memory() -> Result<Box<dyn Index>, CliError> {
    SqliteIndex::in_memory()
        .map(|index| Box::new(index) as Box<dyn Index>)
        .map_err(|error| CliError::new(Code::IndexUnavailable, format!("{error}.")))
}
