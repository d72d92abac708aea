//! The desired entries of a host's file.
//!
//! Invariant: an entry is recognised as ours by its command, not its place, so that a moved or rewritten one is
//! found; a user's own way of running inwit is never changed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::call::{Whose, whose};
use super::hosts::ENTRY;
use super::jsonc::{self, Target};
use super::receipt::{Made, Stood};
use super::server::{self, Server};
use super::splice::Splice;
use super::table;

/// Where hosts with JSON list servers.
const SERVERS: &str = "mcpServers";

/// Where Claude Code lists tools that need no approval.
const ALLOW: &[&str] = &["permissions", "allow"];

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// A command for an event, in a JSON file.
    Hook {
        /// The host's name of the event.
        event: &'static str,
        /// The command.
        command: String,
        /// The timeout, in seconds.
        timeout_seconds: u32,
    },
    /// A tool that needs no approval, in a JSON file.
    Allow {
        /// The host's name of the tool.
        rule: String,
    },
    /// Our server among `mcpServers`, in a JSON file.
    Server(Server),
    /// Our server among `mcp_servers`, in a TOML file.
    Table(Server),
}

/// Which entries of a file count as ours, besides those in exactly our form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ours {
    /// No others.
    AsWritten,
    /// A server with additions by the user, because the receipt shows that we inserted it.
    WithAdditions,
}

/// A server under our name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InTheWay {
    /// Its command, for display.
    pub shown: String,
    /// Whether it is ours apart from additions.
    pub has_additions: bool,
}

impl Wish {
    /// Whether `text` has the entry, regardless of additions. Error: why it cannot be read.
    pub fn is_met(&self, text: &str) -> Result<bool, String> {
        Ok(match self {
            Self::Hook { event, command, .. } => {
                let (ours, theirs) = commands(text, event)?;
                ours == [command.as_str()] || (ours.is_empty() && !theirs.is_empty())
            }
            Self::Allow { rule } => allowed(text)?.contains(rule),
            Self::Server(server) | Self::Table(server) => server.is_run_by(&self.entry(text)?),
        })
    }

    /// A foreign entry in the place of the server. Error: why it cannot be read.
    pub fn in_the_way(&self, text: &str) -> Result<Option<InTheWay>, String> {
        if matches!(self, Self::Hook { .. } | Self::Allow { .. }) {
            return Ok(None);
        }
        let entry = self.entry(text)?;
        let is_theirs = !entry.is_null() && !server::is_ours(&entry, false);
        let has_additions = server::is_ours(&entry, true);
        Ok(is_theirs.then(|| InTheWay { shown: server::shown(&entry), has_additions }))
    }

    /// Entries of this kind that run inwit and are the user's, also by additions, for display. Error: why they cannot
    /// be read.
    pub fn theirs(&self, text: &str) -> Result<Vec<String>, String> {
        match self {
            Self::Hook { .. } => {
                let all = jsonc::read(text)?;
                let groups = all["hooks"].as_object().into_iter().flatten().map(|(_, groups)| groups);
                Ok(groups.flat_map(|groups| commands_in(groups).1).collect())
            }
            Self::Allow { .. } => Ok(Vec::new()),
            Self::Server(_) | Self::Table(_) => {
                let entry = self.entry(text)?;
                let is_theirs = !entry.is_null() && !server::is_ours(&entry, false);
                Ok(is_theirs.then(|| server::shown(&entry)).into_iter().collect())
            }
        }
    }

    /// The tool that needs no approval.
    pub fn rule(&self) -> Option<String> {
        if let Self::Allow { rule } = self { Some(rule.clone()) } else { None }
    }

    /// The objects and lists that contain it.
    pub fn containers(&self) -> Made {
        let ways = match self {
            Self::Hook { event, .. } => vec![vec!["hooks"], vec!["hooks", event]],
            Self::Allow { .. } => vec![vec![ALLOW[0]], ALLOW.to_vec()],
            Self::Server(_) => vec![vec![SERVERS]],
            Self::Table(_) => Vec::new(),
        };
        ways.into_iter().map(|way| way.into_iter().map(str::to_owned).collect()).collect()
    }

    /// Those of them that `text` lacks.
    pub fn missing(&self, text: &str) -> Made {
        let mut missing = self.containers();
        missing.retain(|way| !jsonc::has(text, way));
        missing
    }

    /// The splice that inserts it into `text`. Error: why that is impossible.
    pub fn put(&self, text: &str) -> Result<Splice, String> {
        match self {
            Self::Hook { event, command, timeout_seconds } => {
                let hook = json!({"type": "command", "command": command, "timeout": timeout_seconds});
                jsonc::add(text, Target::Element(&["hooks", event]), &json!({"hooks": [hook]}))
            }
            Self::Allow { rule } => jsonc::add(text, Target::Element(ALLOW), &json!(rule)),
            Self::Server(server) => jsonc::add(text, Target::Member(&[SERVERS], ENTRY), &server.json()),
            Self::Table(server) => table::add(text, server),
        }
    }

    /// `text` without our entries of this kind, and without the containers `made` for them. Error: why one cannot be
    /// removed.
    pub fn taken_out(&self, text: &str, made: &Made, ours: Ours, stood: &Stood) -> Result<String, String> {
        let without = match self {
            Self::Hook { event, .. } => {
                jsonc::without_hooks(text, &["hooks", event], &|hook| is_put(hook, event, stood), made)?
            }
            Self::Allow { rule } => {
                Some(jsonc::without_elements(text, ALLOW, &|one| *one == json!(rule), made)?)
            }
            _ if !server::is_ours(&self.entry(text)?, ours == Ours::WithAdditions) => None,
            Self::Server(_) => jsonc::without_member(text, &[SERVERS], ENTRY, made)?,
            Self::Table(_) => table::cut(text)?,
        };
        Ok(without.unwrap_or_else(|| text.to_owned()))
    }

    /// Whether `text` has no entry of ours of this kind. Error: why it cannot be read.
    pub fn is_gone(&self, text: &str, ours: Ours, stood: &Stood) -> Result<bool, String> {
        match self {
            Self::Hook { event, .. } => {
                Ok(commands(text, event)?.0.iter().all(|command| stood_there(event, command, stood)))
            }
            Self::Allow { .. } => Ok(!self.is_met(text)?),
            _ => Ok(!server::is_ours(&self.entry(text)?, ours == Ours::WithAdditions)),
        }
    }

    /// Entries of this kind in `text` that run inwit, in the form that we write. Error: why it cannot be read.
    pub fn standing(&self, text: &str) -> Result<Stood, String> {
        Ok(match self {
            Self::Hook { .. } => {
                own_hooks(text)?.into_iter().map(|(event, command, _)| (event, command)).collect()
            }
            Self::Allow { .. } => Stood::new(),
            Self::Server(_) | Self::Table(_) => {
                let entry = self.entry(text)?;
                let is_ours = server::is_ours(&entry, false);
                is_ours.then(|| (SERVERS.to_owned(), server::shown(&entry))).into_iter().collect()
            }
        })
    }

    /// Whether an earlier entry at `place` conflicts with it.
    pub fn stands_at(&self, place: &str) -> bool {
        match self {
            Self::Hook { event, .. } => *event == place,
            Self::Allow { .. } => false,
            Self::Server(_) | Self::Table(_) => place == SERVERS,
        }
    }

    /// Whether the user had it before.
    pub fn is_among(&self, stood: &Stood) -> bool {
        matches!(self, Self::Server(_) | Self::Table(_)) && stood.iter().any(|(place, _)| place == SERVERS)
    }

    /// Whether two texts of such a file are equivalent, including TOML comments.
    pub fn is_same(&self, text: &str, other: &str) -> bool {
        match self {
            Self::Table(_) => table::read(text).is_ok() && table::has_lines_of(text, other),
            _ => jsonc::read(text).is_ok_and(|text| Ok(text) == jsonc::read(other)),
        }
    }

    /// Our server's entry, null where there is none.
    pub(super) fn entry(&self, text: &str) -> Result<Value, String> {
        match self {
            Self::Table(_) => table::entry(text),
            _ => Ok(jsonc::read(text)?[SERVERS][ENTRY].clone()),
        }
    }
}

/// A file of hooks without ours, also at events to which a user copied one. Error: why one cannot be removed.
pub fn without_copies(text: &str, made: &Made, stood: &Stood) -> Result<String, String> {
    // Each removal parses the file again, so only events with an entry of ours have one.
    let events: BTreeSet<String> = own_hooks(text)?.into_iter().map(|(event, ..)| event).collect();
    events.iter().try_fold(text.to_owned(), |text, event| {
        let is_put = |hook: &Value| is_put(hook, event, stood);
        Ok(jsonc::without_hooks(&text, &["hooks", event], &is_put, made)?.unwrap_or(text))
    })
}

/// Tools that the host calls without approval.
fn allowed(text: &str) -> Result<Vec<String>, String> {
    let all = jsonc::read(text)?;
    let rules = all[ALLOW[0]][ALLOW[1]].as_array().into_iter().flatten();
    Ok(rules.filter_map(Value::as_str).map(str::to_owned).collect())
}

/// A hook of ours in a file: its event, its command, and its timeout in seconds.
pub type OwnHook = (String, String, Option<u64>);

/// Our hooks in `text`.
pub fn own_hooks(text: &str) -> Result<Vec<OwnHook>, String> {
    let all = jsonc::read(text)?;
    let mut found = Vec::new();
    for (event, groups) in all["hooks"].as_object().into_iter().flatten() {
        let groups = groups.as_array().into_iter().flatten();
        for hook in
            groups.filter_map(|group| group["hooks"].as_array()).flatten().filter(|hook| is_own_hook(hook))
        {
            let command = hook["command"].as_str().unwrap_or_default().to_owned();
            found.push((event.clone(), command, hook["timeout"].as_u64()));
        }
    }
    Ok(found)
}

fn is_own_hook(hook: &Value) -> bool {
    hook["command"].as_str().map(whose) == Some(Whose::Ours)
}

/// Whether this hook at `event` is ours, or a copy of ours.
fn is_put(hook: &Value, event: &str, stood: &Stood) -> bool {
    is_own_hook(hook) && !stood_there(event, hook["command"].as_str().unwrap_or_default(), stood)
}

fn stood_there(event: &str, command: &str, stood: &Stood) -> bool {
    stood.iter().any(|(place, what)| place == event && what == command)
}

/// The name of our plugin, if `text` enables it too.
pub fn plugin(text: &str) -> Option<String> {
    let all = jsonc::read(text).ok()?;
    let mut on = all["enabledPlugins"].as_object()?.iter().filter(|(_, value)| **value == Value::Bool(true));
    on.find(|(name, _)| name.split('@').next() == Some(ENTRY)).map(|(name, _)| name.clone())
}

/// The setting in `text` that disables the host's hooks; `is_toml`: of Codex.
pub fn hooks_off(text: &str, is_toml: bool) -> Option<&'static str> {
    if is_toml {
        let is_off = table::read(text).ok()?["features"]["hooks"] == Value::Bool(false);
        return is_off.then_some("`hooks` in `[features]` is false");
    }
    let is_off = jsonc::read(text).ok()?["disableAllHooks"] == Value::Bool(true);
    is_off.then_some("`disableAllHooks` is true")
}

/// The commands of an event: ours, and the user's own that run inwit.
fn commands(text: &str, event: &str) -> Result<(Vec<String>, Vec<String>), String> {
    Ok(commands_in(&jsonc::read(text)?["hooks"][event]))
}

/// The commands in the `groups` of one event: ours, and the user's own that run inwit.
fn commands_in(groups: &Value) -> (Vec<String>, Vec<String>) {
    let groups = groups.as_array().map_or(&[][..], Vec::as_slice);
    let hooks = groups.iter().filter_map(|group| group["hooks"].as_array()).flatten();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for command in hooks.filter_map(|hook| hook["command"].as_str()) {
        match whose(command) {
            Whose::Ours => ours.push(command.to_owned()),
            Whose::Theirs => theirs.push(command.to_owned()),
            Whose::Foreign => {}
        }
    }
    (ours, theirs)
}
