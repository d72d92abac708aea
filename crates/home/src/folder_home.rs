//! The home of a folder that was used with `-w` without an agent, and its takeover by a new agent.
//!
//! Its name is a hash of the folder's path; an agent's home has the agent's id. Without a takeover its facts,
//! history, taint marks and tombstones would be in a home that no command opens. Invariants: the agent's file is
//! written before the home is renamed, so after an interruption `-w` still opens it and the next `init` continues; a
//! home that another process has open is refused.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use inwit_model::{AgentId, Code, HomeId};
use inwit_store_sqlite::{Lock, holders, listed};
use inwit_workspace::Guard;

use crate::backup::{rename, swap};
use crate::error::HomeError;
use crate::forgetting::deed::{self, Turn};
use crate::own;
use crate::place::{AgentPlace, HomePaths};

/// Databases that may be open in a process.
const DATABASES: [&str; 4] = ["memory.db", "index.db", "transcripts.db", "embeddings.db"];

/// The home of the folder at `workspace` by its path; `None` if it was never used without an agent.
pub fn of(paths: &HomePaths, workspace: &Path) -> Option<PathBuf> {
    let folder = workspace.canonicalize().ok()?;
    let home = paths.agents().join(HomeId::of_folder(folder.as_os_str().as_bytes()).as_str());
    home.is_dir().then_some(home)
}

/// A takeover in progress; others are locked out until it is dropped.
#[derive(Debug)]
pub struct Takeover {
    from: PathBuf,
    to: PathBuf,
    _guard: Guard,
    _turn: Turn,
}

impl Takeover {
    /// Starts the takeover for the new agent `place`. `None`: there is no such home, or the workspace is in the
    /// agent's own home. Errors: `locked` while another process uses it; `agent_exists` if the agent's home has
    /// files; `home_linked`.
    pub fn begin(paths: &HomePaths, place: &AgentPlace) -> Result<Option<Self>, HomeError> {
        let Some(from) = of(paths, &place.workspace) else { return Ok(None) };
        if place.is_ours() || from == place.home {
            return Ok(None);
        }
        let id = from.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        AgentPlace { id, home: from.clone(), workspace: place.workspace.clone() }.refuse_links()?;
        let folder = place.workspace.canonicalize().map_err(|error| own::failed(&place.workspace, &error))?;
        let guard = swap::guard(paths, &folder)?;
        let turn = deed::turn(&from, &paths.state)?;
        nobody_uses(&from)?;
        if place.home.is_dir() {
            own::sweep_drafts(&place.home)?;
        }
        if !own::entries(&place.home).is_empty() {
            let message = format!(
                "The memory that this folder got with `-w` is in {}, and the home of the agent `{}` holds other files: {}.",
                from.display(),
                place.id,
                place.home.display()
            );
            return Err(HomeError::new(Code::AgentExists, message)
                .hint("Name another agent with `--agent ID`, or move one of the two folders away."));
        }
        Ok(Some(Self { from, to: place.home.clone(), _guard: guard, _turn: turn }))
    }

    /// The current path of the agent's file.
    pub fn agent_file(&self) -> PathBuf {
        self.from.join("agent.toml")
    }

    /// Renames the home for the agent whose file was written. Errors: those of writing.
    pub fn finish(self) -> Result<(), HomeError> {
        let id = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            AgentId::parse(&name).map_err(|error| HomeError::new(Code::SettingBad, error.to_string()))
        };
        rename::rename(&self.from, &id(&self.from)?, &id(&self.to)?)?;
        let failed = |error: std::io::Error| own::failed(&self.to, &error);
        fs::rename(&self.from, &self.to).map_err(failed)?;
        File::open(self.to.parent().unwrap_or(Path::new(".")))
            .and_then(|folder| folder.sync_all())
            .map_err(failed)
    }
}

/// A process that has it open would write to a renamed home.
fn nobody_uses(home: &Path) -> Result<(), HomeError> {
    let mut open: Vec<_> =
        DATABASES.iter().filter_map(|name| holders(&home.join(name), Lock::Any)).flatten().collect();
    open.retain(|holder| holder.pid != std::process::id());
    open.dedup_by_key(|holder| holder.pid);
    if open.is_empty() {
        return Ok(());
    }
    let message = format!("The memory of this folder, {}, is open in {}.", home.display(), listed(&open));
    Err(HomeError::new(Code::Locked, message).hint("End that process, then run the same command again."))
}

#[cfg(test)]
mod tests {
    use inwit_store_sqlite::SqliteMemory;

    use super::*;

    struct World {
        folder: tempfile::TempDir,
        paths: HomePaths,
        agent: AgentPlace,
        old: PathBuf,
    }

    /// A folder that was used with `-w`, and the agent that is to have it.
    fn world() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        let paths = HomePaths::below(&root);
        let workspace = root.join("notes");
        own::make_folder(&workspace).expect("a folder");
        let id = HomeId::of_folder(workspace.as_os_str().as_bytes());
        let old = paths.agents().join(id.as_str());
        own::make_folder(&old).expect("a home");
        drop(SqliteMemory::open(&old.join("memory.db")).expect("a memory"));
        let agent = AgentPlace { id: "main".into(), home: paths.agents().join("main"), workspace };
        World { folder, paths, agent, old }
    }

    #[test]
    fn the_home_of_a_folder_becomes_that_of_its_agent() {
        let World { folder: _folder, paths, agent, old } = world();
        own::make_folder(&agent.home).expect("an empty home, as a stopped `init` leaves it");
        let takeover = Takeover::begin(&paths, &agent).expect("free").expect("there");
        own::write(&takeover.agent_file(), b"profile = \"personal\"\n").expect("written");
        takeover.finish().expect("done");
        assert!(!old.exists() && agent.home.join("memory.db").is_file());
        assert!(agent.home.join("agent.toml").is_file());
        assert!(Takeover::begin(&paths, &agent).expect("nothing left").is_none());
    }

    /// After a kill before the last step, the home still has the name from the folder's path.
    #[test]
    fn one_that_was_stopped_is_taken_up_again() {
        let World { folder: _folder, paths, agent, old } = world();
        let takeover = Takeover::begin(&paths, &agent).expect("free").expect("there");
        own::write(&takeover.agent_file(), b"").expect("written");
        drop(takeover);
        assert_eq!(of(&paths, &agent.workspace), Some(old));
        Takeover::begin(&paths, &agent).expect("free").expect("there").finish().expect("done");
        assert!(agent.home.join("memory.db").is_file());
    }

    #[test]
    fn a_home_that_holds_files_is_not_replaced() {
        let World { folder: _folder, paths, agent, old } = world();
        own::write(&agent.home.join("memory.db"), b"other").expect("written");
        let error = Takeover::begin(&paths, &agent).expect_err("refused");
        assert_eq!(error.code, Code::AgentExists);
        assert!(error.message.contains(&old.display().to_string()), "{}", error.message);
        assert!(old.join("memory.db").is_file());
    }
}
