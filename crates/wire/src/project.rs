//! Projects and their folders.

use inwit_engine::Project;
use serde::Serialize;

/// All projects.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectsV1 {
    /// The one with the newest session first.
    pub projects: Vec<ProjectV1>,
}

/// One project.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectV1 {
    /// What it is called.
    pub name: String,
    /// Its folders.
    pub folders: Vec<String>,
    /// What it was called before.
    pub aliases: Vec<String>,
    /// How many sessions worked in it.
    pub sessions: u64,
    /// When the last one began.
    pub last: Option<String>,
}

/// A folder that is of a project from now on.
#[derive(Debug, Clone, Serialize)]
pub struct ProjectMappedV1 {
    /// The project.
    pub project: String,
    /// The folder.
    pub folder: String,
}

/// A project whose sessions are of another one from now on.
#[derive(Debug, Clone, Serialize)]
pub struct ProjectMergedV1 {
    /// The one that there was.
    pub from: String,
    /// The one that there is.
    pub into: String,
}

impl From<&Project> for ProjectV1 {
    fn from(project: &Project) -> Self {
        Self {
            name: project.name.to_string(),
            folders: project.folders.clone(),
            aliases: project.aliases.iter().map(ToString::to_string).collect(),
            sessions: project.sessions,
            last: project.last.map(|at| at.to_string()),
        }
    }
}
