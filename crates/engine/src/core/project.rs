//! Projects: in which folders a host's sessions work, and what belongs together (D19).
//!
//! A project is known by its folders. What stands in a folder, such as a file of a cloned repository, makes it no other
//! project: only the owner says that, with `inwit project map`. Invariant: looking makes nothing.

use inwit_gate::{hidden, secrets};
use inwit_model::{Code, ProjectName, Sha256};
use inwit_store::memory::Project;

use crate::core::mask::grave;
use crate::{Core, EngineError};

/// The folder that a host works in, and what its project is called where nobody said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFolder {
    /// The root of its repository, or the folder itself.
    pub path: String,
    /// The name of that folder.
    pub name: ProjectName,
}

impl Core {
    /// All projects, the one with the newest session first. Error: `memory_unavailable`.
    pub fn projects(&self) -> Result<Vec<Project>, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(Vec::new()) };
        Ok(memory.projects()?)
    }

    /// Makes `folder` one of the project `name`, a new one where there is none of that name. Errors: `usage_bad` for a new
    /// name that a log does not carry as it is, `memory_unavailable`.
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

    /// Makes all that is of `from` part of `into`. Errors: `usage_bad` where one of them is not there or both are one,
    /// `memory_unavailable`.
    pub fn merge_projects(&self, from: &ProjectName, into: &ProjectName) -> Result<(), EngineError> {
        Ok(self.memory()?.merge_projects(from, into)?)
    }

    /// The project of `folder`, made where it is a new one. Error: `memory_unavailable`.
    pub fn project(&self, folder: &ProjectFolder) -> Result<ProjectName, EngineError> {
        Ok(self.memory()?.make_project(&folder.path, &wanted(folder), self.clock.now())?)
    }

    /// What the project of `folder` is or would be called; nothing is made. `None`: memory.db cannot be read, and another
    /// folder of the same name may be another project.
    pub fn project_in_passing(&self, folder: &ProjectFolder) -> Option<ProjectName> {
        match self.memory_if_made().ok()? {
            Some(memory) => memory.project_for(&folder.path, &wanted(folder)).ok(),
            None => Some(wanted(folder)),
        }
    }

    /// Whether what was noted as `words` was left by a session of `project`, of no project, or by no session at all.
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

    /// Whether sessions of a coding host were recorded: such a host holds no first conversation.
    pub(crate) fn has_projects(&self) -> bool {
        let memory = self.memory_if_made().ok().flatten();
        memory.and_then(|memory| memory.projects().ok()).is_some_and(|projects| !projects.is_empty())
    }

    /// What a project that once had this name is called by now.
    pub(crate) fn called_now(&self, name: ProjectName) -> ProjectName {
        let memory = self.memory_if_made().ok().flatten();
        memory.and_then(|memory| memory.project_now(&name).ok()).unwrap_or(name)
    }
}

/// Whether a log carries the name as it is, and no other name as the same words.
fn is_carried(name: &ProjectName) -> bool {
    name.plain().as_ref() == Some(name) && clean(name.as_str()) == name.as_str()
}

/// What the project of `folder` is to be called: the folder's name, or a number made of its path where a log would not
/// carry that name, such as one that looks like a token, or where a mask would cover it, such as an order.
fn wanted(folder: &ProjectFolder) -> ProjectName {
    let plain = folder.name.plain().filter(|name| is_carried(name) && grave(name.as_str()).is_empty());
    plain.unwrap_or_else(|| ProjectName::of_path(folder.path.as_bytes()))
}

/// Text that a log can hold whatever was said.
pub(crate) fn clean(text: &str) -> String {
    hidden::reveal(&secrets::redact_for_model(text)).into_owned()
}
