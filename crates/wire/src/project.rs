//! Projects and their folders.

use crate::shape::shape;
use inwit_engine::Project;
use inwit_model::time;

shape! {
    /// All projects.
    pub struct ProjectsV1 {
        /// The one with the newest session first.
        pub projects: Vec<ProjectV1>,
    }

    /// One project.
    pub struct ProjectV1 from project: &Project {
        /// What it is called.
        pub name: String = project.name.to_string(),
        /// Its folders.
        pub folders: Vec<String> = project.folders.clone(),
        /// What it was called before.
        pub aliases: Vec<String> = project.aliases.iter().map(ToString::to_string).collect(),
        /// How many sessions worked in it.
        pub sessions: u64 = project.sessions,
        /// When the last one began.
        pub last: Option<String> = project.last.map(time::json),
    }

    /// A folder that is of a project from now on.
    pub struct ProjectMappedV1 {
        /// The project.
        pub project: String,
        /// The folder.
        pub folder: String,
    }

    /// A project whose sessions are of another one from now on.
    pub struct ProjectMergedV1 {
        /// The one that there was.
        pub from: String,
        /// The one that there is.
        pub into: String,
    }
}
