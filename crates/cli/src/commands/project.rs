//! `inwit project`: projects and their folders.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use inwit_engine::EngineError;
use inwit_model::invisible::reveal_line;
use inwit_model::plural::counted;
use inwit_model::{Code, ProjectName};
use inwit_wire::{ProjectMappedV1, ProjectMergedV1, ProjectV1, ProjectsV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, project_folder};
use inwit_settings::Settings;

/// List projects, map folders to them and merge them
///
/// A session of a coding agent belongs to the git repository that it works in, or to its folder if there is none. Worktrees
/// belong to their repository. The agent is shown passages of its own project first. A folder that was moved, or a second
/// checkout, is a separate project until you map it or merge the projects.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit project list\n\
\x20 inwit project map shop ~/work/shop-copy\n\
\x20 inwit project merge shop-copy shop")]
pub struct ProjectArgs {
    #[command(subcommand)]
    pub verb: ProjectVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum ProjectVerb {
    /// List projects with their folders, newest session first
    List,
    /// Map a folder to a project
    Map(MapArgs),
    /// Merge a project into another one
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
pub struct MapArgs {
    /// Name of the project
    #[arg(value_name = "PROJECT")]
    pub project: String,
    /// Folder [default: the current one]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Project to merge, which then no longer exists
    #[arg(value_name = "PROJECT")]
    pub from: String,
    /// Project that it becomes part of
    #[arg(value_name = "INTO")]
    pub into: String,
}

pub fn run(args: &ProjectArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    match &args.verb {
        ProjectVerb::List => {
            let projects = opened.agent.core.projects()?;
            list(&projects.iter().map(ProjectV1::from).collect::<Vec<_>>(), ui);
            return Ok(());
        }
        ProjectVerb::Map(args) => {
            let name = name(&args.project)?;
            let here = crate::current_folder();
            let wanted = args.folder.as_ref().map_or_else(|| here.clone(), |folder| here.join(folder));
            if !wanted.is_dir() {
                let message = format!("{} is not a folder.", wanted.display());
                let error = CliError::new(Code::UsageBad, message);
                return Err(error.hint("Use a folder that exists."));
            }
            let folder = project_folder::of(&wanted);
            opened.agent.core.map_project(&folder.path, &name)?;
            if ui.json() {
                ui.value(&ProjectMappedV1 { project: name.to_string(), folder: folder.path });
            } else {
                ui.say(format!("{} belongs to project {name} now.", reveal_line(&folder.path)));
            }
        }
        ProjectVerb::Merge(args) => {
            let (from, into) = (name(&args.from)?, name(&args.into)?);
            opened.agent.core.merge_projects(&from, &into).map_err(|error: EngineError| {
                CliError::from(error).hint("`inwit project list` shows them.")
            })?;
            if ui.json() {
                ui.value(&ProjectMergedV1 { from: from.to_string(), into: into.to_string() });
            } else {
                ui.say(format!("Merged {from} into {into}."));
            }
        }
    }
    Ok(())
}

fn list(projects: &[ProjectV1], ui: &mut Ui) {
    if ui.json() {
        ui.value(&ProjectsV1 { projects: projects.to_vec() });
        return;
    }
    for project in projects {
        let last = project.last.as_deref().and_then(|last| last.get(..10)).unwrap_or("never");
        ui.line(format!("{}  {}, the last {last}", project.name, counted(project.sessions, "session")));
        project.folders.iter().for_each(|folder| ui.line(format!("    {}", reveal_line(folder))));
        if !project.aliases.is_empty() {
            ui.line(format!("    former names: {}", project.aliases.join(", ")));
        }
    }
    if projects.is_empty() {
        ui.line("No projects yet: no session of a coding agent was recorded.");
    }
}

fn name(text: &str) -> Result<ProjectName, CliError> {
    ProjectName::parse(text).map_err(|error| CliError::new(Code::UsageBad, error.to_string()))
}
