//! Projects and their folders (D19).
//!
//! A project is identified by its folders alone; files in them are ignored. Invariant: a folder belongs to one
//! project, and a merged name refers to its target.

use std::collections::HashMap;

use inwit_model::{ProjectName, Sha256};
use jiff::Timestamp;

use super::MemoryError;

/// A project with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// What it is called.
    pub name: ProjectName,
    /// Its folders, in the order in which they were first seen.
    pub folders: Vec<String>,
    /// What it was called before.
    pub aliases: Vec<ProjectName>,
    /// How many sessions worked in it.
    pub sessions: u64,
    /// When the last one began.
    pub last: Option<Timestamp>,
}

/// The projects of one agent.
pub trait Projects {
    /// The project of `folder`, or what [`make_project`](Self::make_project) would call it. Nothing is made.
    fn project_for(&self, folder: &str, name: &ProjectName) -> Result<ProjectName, MemoryError>;

    /// The project of `folder`, made where there is none: called `name`, or `name` with a number where another folder has
    /// that name.
    fn make_project(
        &self,
        folder: &str,
        name: &ProjectName,
        at: Timestamp,
    ) -> Result<ProjectName, MemoryError>;

    /// The project of the entry of this hash: that of its mark, else that of the session that left it. `None`: it has
    /// none, or was never marked.
    fn project_of_entry(&self, entry: &Sha256) -> Result<Option<ProjectName>, MemoryError>;

    /// Every entry with a project, by mark, with the project's name at that time.
    fn entries_of_projects(&self) -> Result<HashMap<Sha256, ProjectName>, MemoryError>;

    /// Makes `folder` one of the project `name`, whatever it was before.
    fn map_project(&self, folder: &str, name: &ProjectName, at: Timestamp) -> Result<(), MemoryError>;

    /// Makes all that is of `from` part of `into`. Error: `usage_bad` where there is no project `from`, or the two are one.
    fn merge_projects(&self, from: &ProjectName, into: &ProjectName) -> Result<(), MemoryError>;

    /// What the project of this name is called by now: it may have been merged into another one.
    fn project_now(&self, name: &ProjectName) -> Result<ProjectName, MemoryError>;

    /// All projects, the one with the newest session first.
    fn projects(&self) -> Result<Vec<Project>, MemoryError>;
}
