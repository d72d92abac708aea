//! Supported hosts, and the locations of their configuration.

use std::path::{Path, PathBuf};

use inwit_wire::tools::{self, Set};
use inwit_wire::{HOOKS, HookId};

use super::call::Own;
use super::server::Server;
use super::skill;
use super::wish::Wish;
use inwit_settings::Settings;

/// The name of our entry among a host's MCP servers.
pub const ENTRY: &str = "inwit";

/// One host.
#[derive(Debug)]
pub struct Host {
    /// Its name on our command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its executable.
    pub program: &'static str,
    /// The variable that overrides its folder.
    pub folder_variable: &'static str,
    /// Its folder below the user's home.
    pub folder: &'static str,
    wishes: fn(&Host, &Places, &Own) -> Wishes,
    /// The settings file with tools that need no approval.
    pub permissions: Option<&'static str>,
    /// Where it keeps skills, below its folder.
    skills: Option<&'static str>,
    /// Further steps for the user.
    pub after: &'static str,
}

/// The desired entries of each file of a host.
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

/// Locations for this user.
#[derive(Debug, Clone)]
pub struct Places {
    /// The user's home folder.
    pub home: PathBuf,
    /// Values of variables, by name.
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

    /// Evidence that it is installed; `None` if there is none.
    pub fn found(&self, places: &Places) -> Option<PathBuf> {
        let folder = self.folder(places);
        if folder.is_dir() {
            return Some(folder);
        }
        places.path.iter().map(|folder| folder.join(self.program)).find(|program| program.is_file())
    }

    /// The desired entries of each file; `allows_reads`: our read-only tools need no approval.
    pub fn wishes(&self, places: &Places, own: &Own, allows_reads: bool) -> Wishes {
        let mut wishes = (self.wishes)(self, places, own);
        let file = self.permissions.filter(|_| allows_reads).map(|file| self.folder(places).join(file));
        // The first insertion ends up after the hooks.
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

/// Longest timeout of a SessionEnd hook in Codex, in seconds: it lowers a longer one and warns at each start.
const CODEX_SESSION_END_SECONDS_MAX: u32 = 3;

/// All hooks: the hosts use the same event names. `session_end_seconds_max`: longest timeout of the session end.
fn hooks(own: &Own, session_end_seconds_max: u32) -> Vec<Wish> {
    let wish = |hook: &inwit_wire::Hook| Wish::Hook {
        event: hook.event,
        command: own.command(&["hook", hook.name]),
        timeout_seconds: match hook.id {
            HookId::SessionEnd => hook.timeout_seconds.min(session_end_seconds_max),
            _ => hook.timeout_seconds,
        },
    };
    // Later insertions come first in their object, so events are added in reverse.
    HOOKS.iter().rev().map(wish).collect()
}

/// Our read-only tools, as Claude Code names them.
fn read_rules() -> Vec<String> {
    let tools = tools::all().filter(|tool| tool.set == Set::Default && tool.hints.read_only);
    tools.map(|tool| format!("mcp__{ENTRY}__{}", tool.name)).collect()
}

fn claude_code(host: &Host, places: &Places, own: &Own) -> Wishes {
    let folder = host.folder(places);
    // The file with servers is in the folder only if the folder was overridden.
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
