//! Projects: the folders of a host's sessions, and which of them belong together (D19).
//!
//! A project is identified by its folders. Files in a folder, such as those of a cloned repository, never change
//! this: only the owner does, with `inwit project map`. Invariant: reading creates nothing.

use inwit_gate::{hidden, secrets};
use inwit_model::{Code, ProjectName, Sha256};
use inwit_store::memory::Project;

use crate::core::mask::grave;
use crate::{Core, EngineError};

/// The folder of a host's session, and its default project name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFolder {
    /// The root of its repository, or the folder itself.
    pub path: String,
    /// The name of that folder.
    pub name: ProjectName,
}

impl Core {
    /// All projects, latest session first. Error: `memory_unavailable`.
    pub fn projects(&self) -> Result<Vec<Project>, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(Vec::new()) };
        Ok(memory.projects()?)
    }

    /// Assigns `folder` to the project `name`, which is created if necessary. Errors: `usage_bad` for a new name that
    /// a log would change, `memory_unavailable`.
    pub fn map_project(&self, folder: &str, name: &ProjectName) -> Result<(), EngineError> {
        let is_known = |project: &Project| project.name == *name || project.aliases.contains(name);
        if !is_carried(name) && !self.projects()?.iter().any(is_known) {
            let message = format!(
                "`{name}` cannot be the name of a new project. Use letters, digits, single spaces and `-_.`."
            );
            return Err(EngineError::new(Code::UsageBad, message));
        }
        Ok(self.memory()?.map_project(folder, name, self.clock.now())?)
    }

    /// Merges the project `from` into `into`. Errors: `usage_bad` if one does not exist or both are the same,
    /// `memory_unavailable`.
    pub fn merge_projects(&self, from: &ProjectName, into: &ProjectName) -> Result<(), EngineError> {
        Ok(self.memory()?.merge_projects(from, into)?)
    }

    /// The project of `folder`, created if new. Error: `memory_unavailable`.
    pub fn project(&self, folder: &ProjectFolder) -> Result<ProjectName, EngineError> {
        Ok(self.memory()?.make_project(&folder.path, &wanted(folder), self.clock.now())?)
    }

    /// The existing or future name of the project of `folder`; nothing is created. `None` if memory.db cannot be
    /// read, since the name may be taken.
    pub fn project_in_passing(&self, folder: &ProjectFolder) -> Option<ProjectName> {
        match self.memory_if_made().ok()? {
            Some(memory) => memory.project_for(&folder.path, &wanted(folder)).ok(),
            None => Some(wanted(folder)),
        }
    }

    /// Whether a log entry `words` belongs to `project`, to no project, or to no session.
    pub(crate) fn is_of_project(&self, words: &str, project: Option<&ProjectName>) -> bool {
        match self.memory_if_made() {
            Ok(Some(memory)) => {
                let of = memory.project_of_entry(&Sha256::of(words.as_bytes()));
                of.is_ok_and(|of| of.is_none() || of.as_ref() == project)
            }
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// Whether sessions of a coding host were recorded: such hosts skip first-run setup.
    pub(crate) fn has_projects(&self) -> bool {
        let memory = self.memory_if_made().ok().flatten();
        memory.and_then(|memory| memory.projects().ok()).is_some_and(|projects| !projects.is_empty())
    }

    /// The current name of a project with this former name.
    pub(crate) fn called_now(&self, name: ProjectName) -> ProjectName {
        let memory = self.memory_if_made().ok().flatten();
        memory.and_then(|memory| memory.project_now(&name).ok()).unwrap_or(name)
    }
}

/// Whether a log stores the name unchanged, and no other name as the same text.
fn is_carried(name: &ProjectName) -> bool {
    name.plain().as_ref() == Some(name) && clean(name.as_str()) == name.as_str()
}

/// The name for the project of `folder`: the folder's name, or one derived from its path if a log or a mask would
/// change that name, such as a token or an instruction.
fn wanted(folder: &ProjectFolder) -> ProjectName {
    let plain = folder.name.plain().filter(|name| is_carried(name) && grave(name.as_str()).is_empty());
    plain.unwrap_or_else(|| ProjectName::of_path(folder.path.as_bytes()))
}

/// Any text in a form that a log can store.
pub(crate) fn clean(text: &str) -> String {
    hidden::reveal(&secrets::redact_for_model(text)).into_owned()
}
