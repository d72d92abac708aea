//! Other homes in the same folder: searched and reported, not erased.
//!
//! An erasure concerns one agent. But a report of "nowhere" beside a home with the text would be wrong. Invariants:
//! read-only; at most [`HOMES_MAX`] homes are searched, those of folders first, and the number of the others is
//! reported.

use std::path::PathBuf;

use inwit_engine::Notice;
use inwit_engine::forget::{Fate, Occurrence};
use inwit_model::plural::counted;
use inwit_model::{Hint, HomeId, name};

use super::scan::{self, Sought};
use crate::folder_home;
use crate::open::OpenAgent;
use crate::own;

/// The kind of place.
pub const KIND: &str = "other agent";

/// Most homes that are searched.
const HOMES_MAX: usize = 32;

/// A home with occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherHome {
    /// Where it is.
    pub path: PathBuf,
    /// Number of its files with occurrences.
    pub count: usize,
    /// How to erase there.
    pub reach: Reach,
}

/// The command that erases in a home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// `--agent` with this id.
    Agent(String),
    /// `-w` with its folder, whose path is not stored.
    Folder,
    /// None: its folder is the workspace of the current agent.
    Orphan,
}

/// Other homes with occurrences.
#[derive(Debug, Default)]
pub struct OtherHomes {
    /// Each of them.
    pub found: Vec<OtherHome>,
    /// Number of homes not searched.
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
            // Moved-aside homes have the agent's name, and are erased with it.
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

    /// A line for each in a plan.
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

    /// A notice for each, with the command that erases there.
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
            let message = format!("Not searched: {} of other agents.", counted(self.unsearched, "more home"));
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
    /// Its path on one line.
    pub fn shown(&self) -> String {
        name::shown(&self.path.to_string_lossy())
    }
}
