//! The composition root: from settings to an opened agent.
//!
//! A command opens what its verb needs and nothing more (D17): one folder and one index. A home that
//! cannot be written gives an index in memory and a notice. Reading writes nothing into the workspace.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use inwit_engine::{Agent, EngineError, Keeping, Notice, Parts, SessionLogs};
use inwit_model::{AgentId, Clock, Code, Files, HomeId};
use inwit_store::{Index, TranscriptIndex};
use inwit_store_sqlite::{Opened as IndexOpened, SqliteIndex};
use inwit_workspace::{FsFiles, Transcripts};

use crate::clock::SystemClock;
use crate::error::CliError;
use crate::keep::Use;
use crate::late::LateTranscripts;
use crate::late_index::LateIndex;
use crate::settings::Settings;
use crate::{keep, own};

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

impl Chosen {
    /// Its home, and its workspace where that lies elsewhere: what lies in the home goes with it.
    pub fn places(&self) -> impl Iterator<Item = &PathBuf> {
        let is_apart = !self.workspace.starts_with(&self.home);
        std::iter::once(&self.home).chain(is_apart.then_some(&self.workspace))
    }
}

/// Opens the agent that the settings mean.
pub fn open(settings: Settings) -> Result<Opened, CliError> {
    open_at(settings, Arc::new(SystemClock))
}

/// The same for who changes nothing: a memory of an earlier version stays one.
pub fn open_to_look(settings: Settings) -> Result<Opened, CliError> {
    open_as(settings, Arc::new(SystemClock), Use::Look)
}

/// The same by another clock, for questions that are asked on a day of their own.
pub fn open_at(settings: Settings, clock: Arc<dyn Clock>) -> Result<Opened, CliError> {
    open_as(settings, clock, Use::Work)
}

fn open_as(mut settings: Settings, clock: Arc<dyn Clock>, use_of: Use) -> Result<Opened, CliError> {
    let chosen = choose(&mut settings)?;
    let files = Arc::new(FsFiles::open(&chosen.workspace)?);
    let mut notices = Vec::new();
    let index = open_index(&chosen.home, use_of, &mut notices)?;
    let mut keeping = keep::keeping(&chosen, &settings, use_of)?;
    // Where the home cannot hold an index, it cannot hold what was recalled either; one notice says so.
    keeping.records_recall &= notices.iter().all(|notice| notice.code != "index_in_memory");
    let agent = assemble(Arc::clone(&files) as Arc<dyn Files>, index, &settings, clock, keeping);
    Ok(Opened { agent, files, chosen, settings, notices })
}

/// The same for somebody who must not wait: the index waits for nobody, one that cannot be opened at once
/// is an error, and memory.db is waited for no longer than `until`.
pub fn open_in_passing(mut settings: Settings, until: Instant) -> Result<Opened, CliError> {
    let chosen = choose(&mut settings)?;
    let files = Arc::new(FsFiles::open(&chosen.workspace)?);
    let keeping = keep::keeping(&chosen, &settings, Use::Until(until))?;
    let made = own::make_folder(&chosen.home).map_err(|error| own::failed(&chosen.home, &error));
    made?;
    let index = SqliteIndex::open_in_passing(&chosen.home.join("index.db")).map_err(EngineError::from)?.0;
    let agent = assemble(
        Arc::clone(&files) as Arc<dyn Files>,
        Box::new(index),
        &settings,
        Arc::new(SystemClock),
        keeping,
    );
    Ok(Opened { agent, files, chosen, settings, notices: Vec::new() })
}

/// The same for a caller that waits for other processes no longer than `until` in all. Where the index is held longer, it
/// lives in memory, and a notice `index_in_memory` says so.
pub fn open_until(settings: Settings, until: Instant) -> Result<Opened, CliError> {
    open_as(settings, Arc::new(SystemClock), Use::Until(until))
}

/// The same when a host's session has ended: a history that another process writes to is left to a later command.
pub fn open_idle(settings: Settings) -> Result<Opened, CliError> {
    open_as(settings, Arc::new(SystemClock), Use::Idle)
}

/// The same for verbs that never search: the index is opened when what files name as secrets is asked for, and nothing is
/// made in the home.
pub fn open_files(mut settings: Settings) -> Result<Opened, CliError> {
    let chosen = choose(&mut settings)?;
    open_files_of(settings, chosen)
}

/// The same for a caller that waits for other processes no longer than `until` in all.
pub fn open_files_until(mut settings: Settings, until: Instant) -> Result<Opened, CliError> {
    let chosen = choose(&mut settings)?;
    open_files_as(settings, chosen, Use::Until(until))
}

/// The same of a home that is chosen already, such as one that gave way to another.
pub fn open_files_of(settings: Settings, chosen: Chosen) -> Result<Opened, CliError> {
    open_files_as(settings, chosen, Use::Work)
}

fn open_files_as(settings: Settings, chosen: Chosen, use_of: Use) -> Result<Opened, CliError> {
    let files = Arc::new(FsFiles::open(&chosen.workspace)?);
    let index = Box::new(LateIndex::at(chosen.home.join("index.db")));
    let keeping = keep::keeping(&chosen, &settings, use_of)?;
    let agent =
        assemble(Arc::clone(&files) as Arc<dyn Files>, index, &settings, Arc::new(SystemClock), keeping);
    Ok(Opened { agent, files, chosen, settings, notices: Vec::new() })
}

/// The transcripts of an agent, for looking back; makes nothing. Where `searches` is not said, none are
/// searched, and no index is opened.
pub fn session_logs(chosen: &Chosen, searches: bool) -> Result<SessionLogs, EngineError> {
    let transcripts = Transcripts::open(&transcripts_folder(chosen))?;
    let index = LateTranscripts::at(chosen.home.join("transcripts.db"));
    let index = searches.then(|| Box::new(index) as Box<dyn TranscriptIndex>);
    Ok(SessionLogs::new(transcripts, &chosen.id, index, Arc::new(SystemClock)))
}

/// Where an agent's sessions are written down.
pub fn transcripts_folder(chosen: &Chosen) -> PathBuf {
    chosen.home.join("transcripts")
}

/// Puts an agent together from its parts.
pub fn assemble(
    files: Arc<dyn Files>,
    index: Box<dyn Index>,
    settings: &Settings,
    clock: Arc<dyn Clock>,
    keeping: Keeping,
) -> Agent {
    Agent::new(Parts {
        host: settings.host(),
        spare: Box::new(|| SqliteIndex::in_memory().map(|index| Box::new(index) as Box<dyn Index>)),
        files,
        index,
        profile: settings.profile(),
        zone: settings.zone().0,
        clock,
        keeping,
    })
}

/// Finds out which agent is meant, and reads its own file into the settings.
pub fn choose(settings: &mut Settings) -> Result<Chosen, CliError> {
    let agent = settings.layers.text("agent").map(str::to_owned);
    match (meant(settings), agent, settings.folder("workspace")) {
        (Meant::Both, Some(agent), Some(folder)) => named(settings, &agent, Some(folder)),
        (Meant::Agent, Some(agent), _) => named(settings, &agent, None),
        (Meant::Folder, _, Some(folder)) => by_folder(settings, &folder),
        _ => only_one(settings),
    }
}

/// What the settings name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// An agent, with its own folder.
    Agent,
    /// A folder, and the agent whose folder it is, if any.
    Folder,
    /// That agent over that folder.
    Both,
    /// Neither.
    Nothing,
}

/// Which of agent and workspace wins: the nearer layer; the workspace in a tie. Two flags go together.
pub fn meant(settings: &Settings) -> Meant {
    match (settings.layers.get("agent"), settings.layers.get("workspace")) {
        (Some(agent), Some(folder)) if agent.origin.is_flag() && folder.origin.is_flag() => Meant::Both,
        (Some(agent), Some(folder)) if agent.origin.rank() > folder.origin.rank() => Meant::Agent,
        (_, Some(_)) => Meant::Folder,
        (Some(_), None) => Meant::Agent,
        (None, None) => Meant::Nothing,
    }
}

fn named(settings: &mut Settings, id: &str, folder: Option<PathBuf>) -> Result<Chosen, CliError> {
    let id = AgentId::parse(id).map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?;
    let home = agents(settings).join(id.as_str());
    let file = home.join("agent.toml");
    not_denied(&file, std::fs::metadata(&file))?;
    if !file.exists() {
        return Err(unknown(settings, id.as_str()));
    }
    if folder.is_none() {
        // What a farther layer says of the workspace is of another agent.
        settings.layers.forget("workspace");
    }
    settings.say_agent_file(&file)?;
    let workspace = folder.or_else(|| settings.folder("workspace")).unwrap_or_else(|| home.join("workspace"));
    Ok(Chosen { id: id.to_string(), home, workspace })
}

/// The error of an agent that is not there, with those that are.
pub fn unknown(settings: &Settings, id: &str) -> CliError {
    let message = format!("There is no agent `{id}` in {}.", settings.home.display());
    let ids = agent_ids(settings);
    let here = if ids.is_empty() {
        "There is none so far".to_owned()
    } else {
        format!("These are here: {}", ids.join(", "))
    };
    CliError::new(Code::AgentUnknown, message).hint(format!("{here}; `inwit init --agent {id}` makes it."))
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
    if is_openclaw_state(&folder) {
        let workspace = folder.join("workspace");
        let message = format!("{} is OpenClaw's state folder, not a workspace.", folder.display());
        return Err(CliError::new(Code::WorkspaceMissing, message).hint(format!(
            "Use the workspace in it: `--workspace {} --profile openclaw`.",
            workspace.display()
        )));
    }
    for (id, home, workspace) in agent_places(settings) {
        if workspace.canonicalize().is_ok_and(|path| path == folder) {
            settings.say_agent_file(&home.join("agent.toml"))?;
            return Ok(Chosen { id, home, workspace: folder });
        }
    }
    use std::os::unix::ffi::OsStrExt as _;
    let id = HomeId::of_folder(folder.as_os_str().as_bytes());
    Ok(Chosen { home: agents(settings).join(id.as_str()), id: id.to_string(), workspace: folder })
}

/// Whether `folder` is what lies around an OpenClaw workspace: its configuration and a folder `workspace`.
fn is_openclaw_state(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).exists();
    has("openclaw.json") && has("workspace") && !has("SOUL.md") && !has("AGENTS.md")
}

/// Every agent whose file can be read, with its home and its workspace.
pub fn agent_places(settings: &Settings) -> Vec<(String, PathBuf, PathBuf)> {
    let place = |id: String| {
        let home = agents(settings).join(&id);
        let mut own = settings.clone();
        own.layers = crate::settings::Layers::lenient();
        own.say_agent_file(&home.join("agent.toml")).ok()?;
        let workspace = own.folder("workspace").unwrap_or_else(|| home.join("workspace"));
        Some((id, home, workspace))
    };
    agent_ids(settings).into_iter().filter_map(place).collect()
}

/// Reports a folder or file that may not be read as such: what nobody may see is not absent. Error: `file_unreadable`.
fn not_denied<T>(path: &Path, looked: std::io::Result<T>) -> Result<(), CliError> {
    match looked {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            let message = format!("{} cannot be read: the permissions do not allow it.", path.display());
            Err(CliError::new(Code::FileUnreadable, message)
                .hint("Give yourself the right to read it, or set INWIT_HOME to another folder."))
        }
        _ => Ok(()),
    }
}

fn only_one(settings: &mut Settings) -> Result<Chosen, CliError> {
    let agents = agents(settings);
    not_denied(&agents, std::fs::read_dir(&agents))?;
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

/// The agent that is meant but not there yet, with its workspace in the home, or where two flags say.
pub fn new_agent(settings: &Settings) -> Result<Chosen, CliError> {
    let id = settings.layers.text("agent").unwrap_or(AgentId::MAIN);
    let id = AgentId::parse(id).map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?;
    let home = agents(settings).join(id.as_str());
    let folder = settings.folder("workspace").filter(|_| meant(settings) == Meant::Both);
    let workspace = folder.unwrap_or_else(|| home.join("workspace"));
    Ok(Chosen { id: id.to_string(), workspace, home })
}

/// The folder of all agents.
pub fn agents(settings: &Settings) -> PathBuf {
    settings.home.join("agents")
}

/// Ids of the agents of this home, sorted; folders that no agent names are not among them.
pub fn agent_ids(settings: &Settings) -> Vec<String> {
    let entries = std::fs::read_dir(agents(settings)).into_iter().flatten().flatten();
    let mut ids: Vec<String> = entries
        .filter(|entry| match std::fs::metadata(entry.path().join("agent.toml")) {
            Ok(found) => found.is_file(),
            // Somebody's agent, whose file tells why it cannot be opened.
            Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
        })
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|id| AgentId::parse(id).is_ok())
        .collect();
    ids.sort();
    ids
}

fn open_index(home: &Path, use_of: Use, notices: &mut Vec<Notice>) -> Result<Box<dyn Index>, CliError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Layers, Origin, Value};

    struct World {
        folder: tempfile::TempDir,
        settings: Settings,
    }

    /// Agents `ana` and `main`, and a folder `notes` that nobody names.
    fn world() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().canonicalize().expect("a path");
        for id in ["ana", "main"] {
            own::write(&home.join("agents").join(id).join("agent.toml"), b"").expect("an agent");
        }
        own::make_folder(&home.join("notes")).expect("a folder");
        let look = |name: &str| ["HOME", "INWIT_HOME"].contains(&name).then(|| home.display().to_string());
        let settings = Settings::read(Layers::default(), &look, Vec::new()).expect("read");
        World { folder, settings }
    }

    fn chosen(agent: Option<Origin>, workspace: Option<Origin>) -> (String, String) {
        let World { folder, mut settings } = world();
        let home = settings.home.clone();
        if let Some(origin) = agent {
            settings.layers.say("agent", Value { text: "ana".into(), origin });
        }
        if let Some(origin) = workspace {
            let text = home.join("notes").display().to_string();
            settings.layers.say("workspace", Value { text, origin });
        }
        let chosen = choose(&mut settings).expect("chosen");
        drop(folder);
        let below = chosen.workspace.strip_prefix(&home).expect("below").display().to_string();
        (if chosen.id.starts_with("ws-") { "ws".into() } else { chosen.id }, below)
    }

    #[test]
    fn the_nearer_of_agent_and_workspace_wins_and_a_tie_goes_to_the_workspace() {
        let flag = || Some(Origin::Flag("--x"));
        let agent_env = || Some(Origin::Env("INWIT_AGENT".into()));
        // By its text this name is before the agent's, and INWIT_WORKSPACE behind it: neither counts.
        let folder_env = || Some(Origin::Env("CARAPACE_DATA_DIR".into()));
        let file = || Some(Origin::UserFile("config.toml".into()));
        let own = ("ana".to_owned(), "agents/ana/workspace".to_owned());
        let notes = ("ws".to_owned(), "notes".to_owned());
        let main = ("main".to_owned(), "agents/main/workspace".to_owned());
        for (agent, workspace, expected) in [
            (None, None, &main),
            (None, flag(), &notes),
            (None, folder_env(), &notes),
            (None, file(), &notes),
            (flag(), None, &own),
            (flag(), folder_env(), &own),
            (flag(), file(), &own),
            (agent_env(), None, &own),
            (agent_env(), flag(), &notes),
            (agent_env(), folder_env(), &notes),
            (agent_env(), Some(Origin::Env("INWIT_WORKSPACE".into())), &notes),
            (agent_env(), file(), &own),
            (file(), None, &own),
            (file(), flag(), &notes),
            (file(), folder_env(), &notes),
            (file(), file(), &notes),
            (flag(), flag(), &("ana".to_owned(), "notes".to_owned())),
        ] {
            assert_eq!(&chosen(agent.clone(), workspace.clone()), expected, "{agent:?} {workspace:?}");
        }
    }

    #[test]
    fn an_unknown_agent_is_told_with_those_that_are_there() {
        let World { folder: _folder, mut settings } = world();
        settings.layers.say("agent", Value { text: "bo".into(), origin: Origin::Flag("--agent") });
        let error = choose(&mut settings).expect_err("unknown");
        assert_eq!(error.code, Code::AgentUnknown);
        assert!(error.hint.expect("a hint").contains("ana, main"));
    }
}
