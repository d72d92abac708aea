//! Homes of other agents below the same folder, and of folders that were used with `-w`: searched, named, not erased.
//!
//! What another agent knows is its own matter, so an erasure leaves it. But the owner asked for words to be gone, and an
//! answer of "nowhere" beside a home that holds them would be false. Invariants: nothing is changed; at most
//! [`HOMES_MAX`] homes are searched, those of folders first, and the number of the others is reported.

use std::path::PathBuf;

use inwit_engine::Notice;
use inwit_engine::forget::{Fate, Occurrence};
use inwit_model::{Hint, HomeId, name};

use super::scan::{self, Sought};
use crate::folder_home;
use crate::open::OpenAgent;
use crate::own;

/// What a plan calls one.
pub const KIND: &str = "other agent";

/// Most homes that are searched.
const HOMES_MAX: usize = 32;

/// A home that holds the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherHome {
    /// Where it is.
    pub path: PathBuf,
    /// How many of its files hold the words.
    pub count: usize,
    /// What can be done there.
    pub reach: Reach,
}

/// By which command a home is erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// `--agent` with this id.
    Agent(String),
    /// `-w` with the folder it belongs to, whose path is not stored.
    Folder,
    /// By none: its folder is the workspace of the agent that was asked.
    Orphan,
}

/// The other homes that hold the words.
#[derive(Debug, Default)]
pub struct OtherHomes {
    /// Each of them.
    pub found: Vec<OtherHome>,
    /// How many were not searched.
    pub unsearched: usize,
}

impl OtherHomes {
    /// Searches the homes beside that of `opened`.
    pub fn of(opened: &OpenAgent, sought: &Sought) -> Self {
        let chosen = &opened.chosen;
        let orphan = folder_home::of(&opened.config.paths, &chosen.workspace);
        let own = chosen.home.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut homes: Vec<(PathBuf, String)> = own::entries(&opened.config.paths.agents())
            .into_iter()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| (entry.path(), entry.file_name().to_string_lossy().into_owned()))
            // What a restore moved aside is called after the agent, and is erased with it.
            .filter(|(_, name)| *name != own && !name.starts_with(&format!("{own}.")))
            .collect();
        let is_of_folder = |name: &str| HomeId::parse(name).is_ok_and(|id| id.is_of_folder());
        homes.sort_by_key(|(_, name)| !is_of_folder(name));
        let unsearched = homes.len().saturating_sub(HOMES_MAX);
        homes.truncate(HOMES_MAX);
        let found = homes.into_iter().filter_map(|(path, name)| {
            let count = scan::scan(std::slice::from_ref(&path), sought).hits.len();
            let id = name.split('.').next().unwrap_or_default().to_owned();
            let reach = match () {
                () if orphan.as_ref() == Some(&path) => Reach::Orphan,
                () if is_of_folder(&name) && !path.join("agent.toml").exists() => Reach::Folder,
                () => Reach::Agent(id),
            };
            (count > 0).then_some(OtherHome { path, count, reach })
        });
        Self { found: found.collect(), unsearched }
    }

    /// A line for each of a plan.
    pub fn plan(&self) -> Vec<Occurrence> {
        let line = |home: &OtherHome| Occurrence {
            kind: KIND,
            name: home.shown(),
            count: home.count as u64,
            fate: Fate::Stays,
            shows: Vec::new(),
        };
        self.found.iter().map(line).collect()
    }

    /// What the owner should know of each, with the command that erases there.
    pub fn notices(&self) -> Vec<Notice> {
        let one = |home: &OtherHome| {
            let (whose, hint) = match &home.reach {
                Reach::Agent(id) => (
                    format!("The agent `{id}`"),
                    Hint::Words("To erase them there, run the same command with `--agent ID`."),
                ),
                Reach::Folder => (
                    "A folder that was used with `-w`".to_owned(),
                    Hint::Words(
                        "To erase them there, run the same command with `-w FOLDER`. If the folder is gone, remove that home with `rm -r`.",
                    ),
                ),
                Reach::Orphan => (
                    "An earlier home of this workspace, from before its agent was made,".to_owned(),
                    Hint::Words(
                        "No command opens that home. Keep what you need of it, then remove it with `rm -r`.",
                    ),
                ),
            };
            let message =
                format!("{whose} has the words too, and they are not erased there: {}", home.shown());
            Notice::new("other_agent_untouched", message, hint)
        };
        let more = (self.unsearched > 0).then(|| {
            let message = format!("{} more home(s) of other agents were not searched.", self.unsearched);
            Notice::new(
                "other_agents_unsearched",
                message,
                Hint::Words("Run the same check with `--agent ID` for each of them."),
            )
        });
        self.found.iter().map(one).chain(more).collect()
    }
}

impl OtherHome {
    /// Its path in one line.
    pub fn shown(&self) -> String {
        name::shown(&self.path.to_string_lossy())
    }
}
