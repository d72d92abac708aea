//! The hosts that we know, and where each keeps its configuration.

use std::path::{Path, PathBuf};

use inwit_wire::tools::{self, Set};
use inwit_wire::{HOOKS, HookId};

use super::call::Own;
use super::server::Server;
use super::skill;
use super::wish::Wish;
use inwit_settings::Settings;

/// The name of our entry among a host's servers.
pub const ENTRY: &str = "inwit";

/// One host.
#[derive(Debug)]
pub struct Host {
    /// Its name on our command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its program.
    pub program: &'static str,
    /// The variable that moves its folder.
    pub folder_variable: &'static str,
    /// Its folder below the user's.
    pub folder: &'static str,
    wishes: fn(&Host, &Places, &Own) -> Wishes,
    /// The file of its settings in its folder, where it lists the tools that it calls without asking.
    pub permissions: Option<&'static str>,
    /// Where it keeps skills, below its folder.
    skills: Option<&'static str>,
    /// What a person has to do besides.
    pub after: &'static str,
}

/// What each file of a host should say.
pub type Wishes = Vec<(PathBuf, Vec<Wish>)>;

/// Every host, in the order they are listed.
pub const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        title: "Claude Code",
        program: "claude",
        folder_variable: "CLAUDE_CONFIG_DIR",
        folder: ".claude",
        wishes: claude_code,
        permissions: Some("settings.json"),
        skills: Some("skills"),
        after: "New sessions use it; `/hooks` and `/mcp` show it there.",
    },
    Host {
        name: "codex",
        title: "Codex",
        program: "codex",
        folder_variable: "CODEX_HOME",
        folder: ".codex",
        wishes: codex,
        permissions: None,
        skills: None,
        after: "Codex skips the hooks until you trust them: open `/hooks` in Codex and trust each one.",
    },
];

/// Where the hosts keep things for this user.
#[derive(Debug, Clone)]
pub struct Places {
    /// The user's folder.
    pub home: PathBuf,
    /// What variables say, by name.
    pub variables: Vec<(&'static str, PathBuf)>,
    /// The folders with programs.
    pub path: Vec<PathBuf>,
}

impl Host {
    /// The host of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        HOSTS.iter().find(|host| host.name == name)
    }

    /// The folder of its configuration.
    pub fn folder(&self, places: &Places) -> PathBuf {
        let said = places.said(self.folder_variable);
        said.map_or_else(|| places.home.join(self.folder), Path::to_path_buf)
    }

    /// By what it can be seen to be installed; `None` where nothing is found.
    pub fn found(&self, places: &Places) -> Option<PathBuf> {
        let folder = self.folder(places);
        if folder.is_dir() {
            return Some(folder);
        }
        places.path.iter().map(|folder| folder.join(self.program)).find(|program| program.is_file())
    }

    /// What each of its files should say; `allows_reads`: our tools that only read need no approval.
    pub fn wishes(&self, places: &Places, own: &Own, allows_reads: bool) -> Wishes {
        let mut wishes = (self.wishes)(self, places, own);
        let file = self.permissions.filter(|_| allows_reads).map(|file| self.folder(places).join(file));
        // What is added first stands behind the hooks.
        for (_, wishes) in wishes.iter_mut().filter(|(path, _)| Some(path) == file.as_ref()) {
            wishes.splice(0..0, read_rules().into_iter().rev().map(|rule| Wish::Allow { rule }));
        }
        wishes
    }

    /// The file of our skill.
    pub fn skill(&self, places: &Places) -> Option<PathBuf> {
        Some(self.folder(places).join(self.skills?).join(skill::FOLDER).join(skill::FILE))
    }
}

/// Longest timeout of a SessionEnd hook in Codex, in seconds: it lowers a longer one and warns each time it starts.
const CODEX_SESSION_END_SECONDS_MAX: u32 = 3;

/// Every hook: the hosts call their events by the same names. `session_end_seconds_max`: the longest timeout that the host
/// takes for the end of a session.
fn hooks(own: &Own, session_end_seconds_max: u32) -> Vec<Wish> {
    let wish = |hook: &inwit_wire::Hook| Wish::Hook {
        event: hook.event,
        command: own.command(&["hook", hook.name]),
        timeout_seconds: match hook.id {
            HookId::SessionEnd => hook.timeout_seconds.min(session_end_seconds_max),
            _ => hook.timeout_seconds,
        },
    };
    // What is added later stands first in its object, so the events go in from the last.
    HOOKS.iter().rev().map(wish).collect()
}

/// Our tools that only read, as Claude Code names them.
fn read_rules() -> Vec<String> {
    let tools = tools::all().filter(|tool| tool.set == Set::Default && tool.hints.read_only);
    tools.map(|tool| format!("mcp__{ENTRY}__{}", tool.name)).collect()
}

fn claude_code(host: &Host, places: &Places, own: &Own) -> Wishes {
    let folder = host.folder(places);
    // The file with servers moves into the folder only where the folder was moved.
    let servers = if places.said(host.folder_variable).is_some() { &folder } else { &places.home };
    vec![
        (folder.join("settings.json"), hooks(own, u32::MAX)),
        (servers.join(".claude.json"), vec![Wish::Server(Server::of(own))]),
    ]
}

fn codex(host: &Host, places: &Places, own: &Own) -> Wishes {
    let folder = host.folder(places);
    let table = vec![Wish::Table(Server::of(own))];
    let hooks = hooks(own, CODEX_SESSION_END_SECONDS_MAX);
    vec![(folder.join("hooks.json"), hooks), (folder.join("config.toml"), table)]
}

impl Places {
    /// Where they keep things for the user of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "where other programs keep their files is said by the environment"
    )]
    pub fn of(settings: &Settings) -> Self {
        let said = |name: &'static str| {
            let path = std::env::var_os(name).filter(|text| !text.is_empty()).map(PathBuf::from);
            path.filter(|path| path.is_absolute()).map(|path| (name, path))
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self {
            home: settings.paths.user_home.clone(),
            variables: HOSTS.iter().filter_map(|host| said(host.folder_variable)).collect(),
            path: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect(),
        }
    }

    fn said(&self, variable: &str) -> Option<&Path> {
        self.variables.iter().find(|(name, _)| *name == variable).map(|(_, path)| path.as_path())
    }
}
