//! One file for each verb: its arguments are its help, its body is parse → engine → words.

#![allow(missing_docs, reason = "a verb is documented by its help text")]

pub mod accept;
pub mod audit;
pub mod backup;
pub mod bench;
pub mod completions;
pub mod config;
pub mod decisions;
pub mod doctor;
pub mod dream;
pub mod edges;
pub mod edit;
pub mod facts;
pub mod feedback;
pub mod forget;
pub mod get;
pub mod history;
pub mod hook;
pub mod import;
pub mod inbox;
pub mod index;
pub mod init;
pub mod journal;
pub mod mcp;
pub mod methods;
pub mod model;
pub mod open;
pub mod own_self;
pub mod preferences;
pub mod profile;
pub mod project;
pub mod prompt;
pub mod remember;
pub mod roles;
pub mod sample;
pub mod search;
pub mod session;
pub mod settling;
pub mod setup;
pub mod status;
pub mod transcript;
pub mod undo;
pub mod why_not;
pub mod workspace;

use std::path::Path;

use inwit_home::backup::swap;

use crate::args::Command;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;
use inwit_settings::agent::{self, Meant};

/// Runs the command that was typed in the folder `here` and gives its exit status: 0, or another when it
/// ran to its end and met what is wrong.
pub fn run(command: Command, settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    match swap::finish(&settings.paths) {
        Ok(true) => ui.say("note: a restore that had stopped half-way was brought to its end."),
        Ok(false) => {}
        Err(_) if is_elsewhere(&settings) => {}
        Err(error) => return Err(error.into()),
    }
    match command {
        Command::Try(args) => sample::run(&args, settings, ui)?,
        Command::Init(args) => init::run(&args, settings, here, ui)?,
        Command::Import(args) => return import::run(&args, settings, here, ui),
        Command::Search(args) => return status(search::run(&args, settings, ui)?),
        Command::Open(args) => open::run(&args, settings)?,
        Command::WhyNot(args) => why_not::run(&args, settings, ui)?,
        Command::Prompt(args) => prompt::run(&args, settings, ui)?,
        Command::Get(args) => get::run(&args, settings, ui)?,
        Command::SelfReport(args) => own_self::run(&args, settings, ui)?,
        Command::Transcript(args) => transcript::run(&args, settings, ui)?,
        Command::Remember(args) => remember::run(&args, settings, ui)?,
        Command::Facts(args) => facts::run(&args, settings, ui)?,
        Command::Feedback(args) => feedback::run(&args, settings, ui)?,
        Command::Edges(args) => edges::run(&args, settings, ui)?,
        Command::Methods(args) => methods::run(&args, settings, ui)?,
        Command::Decisions(args) => decisions::run(&args, settings, ui)?,
        Command::Roles(args) => roles::run(&args, settings, ui)?,
        Command::Preferences(args) => preferences::run(&args, settings, ui)?,
        Command::Forget(args) => return status(forget::run(&args, settings, ui)?),
        Command::Profile(args) => profile::run(&args, settings, ui)?,
        Command::Inbox(args) => inbox::run(&args, settings, ui)?,
        Command::Journal(args) => journal::run(&args, settings, ui)?,
        Command::Session(args) => session::run(&args, settings, ui)?,
        Command::Project(args) => project::run(&args, settings, ui)?,
        // A hook begins before settings are read, since nothing may stop it.
        Command::Hook(_) => {}
        Command::Setup(args) => setup::run(&args, settings, here, ui)?,
        Command::Status(args) => status::run(&args, settings, ui)?,
        Command::Edit(args) => edit::run(&args, settings, here, ui)?,
        Command::Undo(args) => undo::run(&args, settings, ui)?,
        Command::Accept(args) => accept::run(&args, settings, ui)?,
        Command::History(args) => history::run(&args, settings, ui)?,
        Command::Dream(args) => dream::run(&args, settings, ui)?,
        Command::Audit(args) => audit::run(&args, settings, ui)?,
        Command::Backup(args) => backup::run(&args, settings, here, ui)?,
        Command::Restore(args) => backup::restore(&args, settings, here, ui)?,
        Command::Workspace(args) => workspace::run(&args, settings, ui)?,
        Command::Mcp(args) => mcp::run(&args, settings, ui)?,
        Command::Doctor(args) => return status(doctor::run(&args, settings, ui)?),
        Command::Model(args) => model::run(&args, &settings, here, ui)?,
        Command::Index(args) => index::run(&args, settings, ui)?,
        Command::Bench(args) => bench::run(&args, &settings, here, ui)?,
        Command::Config(args) => config::run(&args, settings, ui)?,
        Command::Completions(args) => completions::run(&args, ui),
    }
    Ok(0)
}

fn status(good: bool) -> Result<u8, CliError> {
    Ok(u8::from(!good))
}

/// Whether the command is about a folder of no agent, which a restore that cannot be ended does not concern.
fn is_elsewhere(settings: &Settings) -> bool {
    let folder = settings.folder("workspace").filter(|_| agent::meant(settings) == Meant::Folder);
    folder.is_some_and(|folder| swap::is_elsewhere(&settings.paths, &folder, &agent::agent_places(settings)))
}
