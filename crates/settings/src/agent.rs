//! The agent that the settings select: its id, home, folder and configuration.
//!
//! Invariant: the nearer layer decides; the file of the selected agent is read before anything is opened.

use std::path::{Path, PathBuf};

use inwit_home::{AgentConfig, AgentPlace, HomeError};
use inwit_model::{AgentId, Code, Hint, HomeId};
use inwit_workspace::plain;

use crate::{Layers, Origin, Settings, Value};

/// The agent that the settings mean, and the configuration to open it with. `surface` is the interface that opens it, as the
/// record of a dream lock names it.
pub fn configured(
    mut settings: Settings,
    surface: &'static str,
) -> Result<(AgentPlace, AgentConfig), HomeError> {
    let chosen = choose(&mut settings)?;
    let config = settings.agent_config(surface)?;
    Ok((chosen, config))
}

/// Finds out which agent is meant, and reads its own file into the settings. A home with links in it is refused.
pub fn choose(settings: &mut Settings) -> Result<AgentPlace, HomeError> {
    let agent = settings.layers.text("agent").map(str::to_owned);
    let place = match (meant(settings), agent, settings.folder("workspace")) {
        (Meant::Both, Some(agent), Some(folder)) => named(settings, &agent, Some(folder)),
        (Meant::Agent, Some(agent), _) => named(settings, &agent, None),
        (Meant::Folder, _, Some(folder)) => by_folder(settings, &folder),
        _ => only_one(settings),
    }?;
    place.refuse_links()?;
    Ok(place)
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

/// Means the workspace that `here` lies in, for a command that only reads ([`workspace_around`]). `None`: none is found, or
/// another is named.
pub fn mean_workspace_around(settings: &mut Settings, here: &Path) -> Option<PathBuf> {
    let found = workspace_around(settings, here)?;
    // Settings are text, and a path that is changed into text would name another folder.
    let value = Value { text: found.to_str()?.to_owned(), origin: Origin::CurrentFolder };
    settings.layers.say("workspace", value);
    Some(found)
}

/// The nearest folder from `here` upwards that is a workspace, or that belongs to an agent. The search ends at the
/// user's home folder, and before a folder of another user. A flag or environment variable with an agent or workspace
/// takes precedence.
pub fn workspace_around(settings: &Settings, here: &Path) -> Option<PathBuf> {
    let is_named = |key: &str| {
        settings.layers.get(key).is_some_and(|value| value.origin.rank() > Origin::CurrentFolder.rank())
    };
    if is_named("agent") || is_named("workspace") {
        return None;
    }
    let own: Vec<PathBuf> =
        agent_places(settings).iter().filter_map(|agent| agent.workspace.canonicalize().ok()).collect();
    let here = here.canonicalize().ok()?;
    let above_home = settings.paths.user_home.canonicalize().ok();
    let above_home = above_home.as_deref().and_then(Path::parent);
    let is_one = |folder: &&Path| own.iter().any(|own| own == folder) || is_workspace(folder);
    let mut folders = here
        .ancestors()
        .take(FOLDERS_UP_MAX)
        .take_while(|folder| Some(*folder) != above_home && plain::is_mine(folder));
    folders.find(is_one).map(Path::to_owned)
}

/// Most folders upwards in which a workspace is sought.
const FOLDERS_UP_MAX: usize = 64;

/// Whether a folder has the form of a workspace: SOUL.md together with MEMORY.md or `memory/`, none of them a link or of
/// another user, in a folder that not everybody can write to.
fn is_workspace(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let found = |name: &str| {
        let path = folder.join(name);
        path.symlink_metadata().ok().filter(|_| plain::is_mine(&path)).map(|found| found.file_type())
    };
    let is_file = |name| found(name).is_some_and(|kind| kind.is_file());
    let is_open = folder.metadata().is_ok_and(|found| found.permissions().mode() & OTHERS_WRITE != 0);
    !is_open
        && is_file("SOUL.md")
        && (is_file("MEMORY.md") || found("memory").is_some_and(|kind| kind.is_dir()))
}

/// The permission of everybody to write.
const OTHERS_WRITE: u32 = 0o002;

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

fn named(settings: &mut Settings, id: &str, folder: Option<PathBuf>) -> Result<AgentPlace, HomeError> {
    let id = AgentId::parse(id).map_err(|error| HomeError::new(Code::SettingBad, error.to_string()))?;
    let home = settings.paths.agents().join(id.as_str());
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
    Ok(AgentPlace { id: id.to_string(), home, workspace })
}

/// The error of an agent that is not there, with those that are.
pub fn unknown(settings: &Settings, id: &str) -> HomeError {
    let ids = settings.paths.agent_ids();
    let here = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    let message =
        format!("There is no agent `{id}` in {}; existing agents: {here}.", settings.paths.root.display());
    HomeError::new(Code::AgentUnknown, message)
}

fn by_folder(settings: &mut Settings, folder: &Path) -> Result<AgentPlace, HomeError> {
    let missing = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::NotFound {
            Code::WorkspaceMissing
        } else {
            Code::WorkspaceUnreadable
        };
        HomeError::new(code, format!("The workspace {} cannot be opened: {error}.", folder.display()))
    };
    let folder = folder.canonicalize().map_err(missing)?;
    if is_openclaw_state(&folder) {
        let workspace = folder.join("workspace");
        let message = format!(
            "{} is OpenClaw's state folder, not a workspace; the workspace is {}.",
            folder.display(),
            workspace.display()
        );
        return Err(HomeError::new(Code::WorkspaceMissing, message).hint(Hint::OpenOpenclaw));
    }
    let is_its = |agent: &AgentPlace| agent.workspace.canonicalize().is_ok_and(|path| path == folder);
    if let Some(agent) = agent_places(settings).into_iter().find(is_its) {
        settings.say_agent_file(&agent.home.join("agent.toml"))?;
        return Ok(AgentPlace { workspace: folder, ..agent });
    }
    use std::os::unix::ffi::OsStrExt as _;
    let id = HomeId::of_folder(folder.as_os_str().as_bytes());
    Ok(AgentPlace { home: settings.paths.agents().join(id.as_str()), id: id.to_string(), workspace: folder })
}

/// Whether `folder` is what lies around an OpenClaw workspace: its configuration and a folder `workspace`.
fn is_openclaw_state(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).exists();
    has("openclaw.json") && has("workspace") && !has("SOUL.md") && !has("AGENTS.md")
}

/// Every agent whose file can be read, with its home and its workspace.
pub fn agent_places(settings: &Settings) -> Vec<AgentPlace> {
    let place = |id: String| {
        let home = settings.paths.agents().join(&id);
        let mut own = settings.clone();
        own.layers = Layers::lenient();
        own.say_agent_file(&home.join("agent.toml")).ok()?;
        let workspace = own.folder("workspace").unwrap_or_else(|| home.join("workspace"));
        Some(AgentPlace { id, home, workspace })
    };
    settings.paths.agent_ids().into_iter().filter_map(place).collect()
}

/// Reports a folder or file without read permission, which must not count as missing. Error: `file_unreadable`.
fn not_denied<T>(path: &Path, looked: std::io::Result<T>) -> Result<(), HomeError> {
    match looked {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            let message = format!("{} cannot be read: the permissions do not allow it.", path.display());
            Err(HomeError::new(Code::FileUnreadable, message)
                .hint("Make it readable, or set INWIT_HOME to another folder."))
        }
        _ => Ok(()),
    }
}

fn only_one(settings: &mut Settings) -> Result<AgentPlace, HomeError> {
    let agents = settings.paths.agents();
    not_denied(&agents, std::fs::read_dir(&agents))?;
    let ids = settings.paths.agent_ids();
    match ids.as_slice() {
        [] => {
            let openclaw = settings.paths.user_home.join(".openclaw/workspace");
            let message = format!("There is no agent in {}", settings.paths.root.display());
            Err(if openclaw.is_dir() {
                let message = format!("{message}, but an OpenClaw workspace is at {}.", openclaw.display());
                HomeError::new(Code::NoAgent, message).hint(Hint::OpenOpenclaw)
            } else {
                HomeError::new(Code::NoAgent, format!("{message}."))
            })
        }
        [one] => named(settings, &one.clone(), None),
        ids if ids.iter().any(|id| id == AgentId::MAIN) => named(settings, AgentId::MAIN, None),
        ids => {
            let message = format!("Several agents exist and none is called main: {}.", ids.join(", "));
            Err(HomeError::new(Code::NoAgent, message).hint(Hint::NameAgent))
        }
    }
}

/// Whether a new agent may be made for what is meant: nothing is there, or an id that is free.
pub fn may_make(settings: &Settings) -> bool {
    settings.layers.get("agent").is_some() || settings.paths.agent_ids().is_empty()
}

/// The agent that is meant but not there yet, with its workspace in the home, or where two flags say.
pub fn new_agent(settings: &Settings) -> Result<AgentPlace, HomeError> {
    let id = settings.layers.text("agent").unwrap_or(AgentId::MAIN);
    let id = AgentId::parse(id).map_err(|error| HomeError::new(Code::SettingBad, error.to_string()))?;
    let home = settings.paths.agents().join(id.as_str());
    let folder = settings.folder("workspace").filter(|_| meant(settings) == Meant::Both);
    let workspace = folder.unwrap_or_else(|| home.join("workspace"));
    Ok(AgentPlace { id: id.to_string(), workspace, home })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inwit_home::clock::SystemClock;
    use inwit_home::{Engine, OpenAgent, Opening, own};
    use inwit_model::Scope;

    use super::*;

    struct World {
        folder: tempfile::TempDir,
        settings: Settings,
    }

    /// Agents `ana` and `main`, and a folder `notes` without an agent.
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
        let home = settings.paths.root.clone();
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

    /// A workspace around `here`, with the home folder of the user at `home`.
    fn around(folder: &Path, home: &str, here: &str) -> Option<PathBuf> {
        let root = folder.canonicalize().expect("a path");
        let home = root.join(home);
        let look = |name: &str| ["HOME", "INWIT_HOME"].contains(&name).then(|| home.display().to_string());
        let settings = Settings::read(Layers::default(), &look, Vec::new()).expect("read");
        workspace_around(&settings, &root.join(here))
            .map(|found| found.strip_prefix(&root).expect("below").to_owned())
    }

    #[test]
    fn a_workspace_around_is_not_sought_above_the_home_or_with_others() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["SOUL.md", "MEMORY.md", "ana/notes/SOUL.md", "ana/notes/MEMORY.md"] {
            own::write(&folder.path().join(name), b"x\n").expect("written");
        }
        own::make_folder(&folder.path().join("ana/notes/deep")).expect("a folder");
        own::make_folder(&folder.path().join("ana/work")).expect("a folder");
        let around = |home: &str, here: &str| around(folder.path(), home, here);
        assert_eq!(around("ana", "ana/notes/deep"), Some(PathBuf::from("ana/notes")));
        assert_eq!(around("ana", "ana/work"), None, "above the home of the user");
        assert_eq!(around("elsewhere", "ana/work"), Some(PathBuf::new()));
        let given = std::os::unix::fs::chown(folder.path().join("ana/notes"), Some(65_534), None);
        if given.is_ok() {
            assert_eq!(around("ana", "ana/notes/deep"), None, "a folder of another user");
        }
    }

    #[test]
    fn an_unknown_agent_is_told_with_those_that_are_there() {
        let World { folder: _folder, mut settings } = world();
        settings.layers.say("agent", Value { text: "bo".into(), origin: Origin::Flag("--agent") });
        let error = choose(&mut settings).expect_err("unknown");
        assert_eq!(error.code, Code::AgentUnknown);
        assert!(error.message.ends_with("existing agents: ana, main."), "{}", error.message);
    }

    /// What an interface does for a request that names an agent, with nothing of another interface.
    #[test]
    fn two_agents_of_one_process_are_opened_each_with_its_own_file() {
        let World { folder: _folder, settings } = world();
        let home = settings.paths.agents();
        own::write(&home.join("ana/agent.toml"), b"[search]\nlimit = 3\n").expect("written");
        for id in ["ana", "main"] {
            own::make_folder(&home.join(id).join("workspace")).expect("a folder");
        }
        let engine = Engine::default();
        let open = |id: &str| -> Arc<OpenAgent> {
            let mut asked = settings.clone();
            asked.layers.say("agent", Value { text: id.into(), origin: Origin::Flag("agent") });
            let (place, config) = configured(asked, "test").expect("configured");
            engine.open(place, config, Opening::Whole, Arc::new(SystemClock)).expect("opened")
        };
        let (ana, main) = (open("ana"), open("main"));
        assert_eq!(engine.open_count(), 2);
        assert!(Arc::ptr_eq(&ana, &open("ana")), "it is open already");
        assert_eq!((ana.config.search_limit, main.config.search_limit), (3, 10));
        let written = own::write(&home.join("ana/workspace/MEMORY.md"), b"The oven is repaired in spring.\n");
        written.expect("written");
        let files =
            |opened: &OpenAgent| opened.agent.notes.glance(&Scope::Main).expect("looked").searched_files;
        assert_eq!((files(&ana), files(&main)), (1, 0));
    }
}
