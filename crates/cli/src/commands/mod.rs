//! One file per command: arguments with help, and a body that parses, calls the engine and prints.

#![allow(missing_docs, reason = "a command is documented by its help text")]

pub mod accept;
pub mod agent;
pub mod audit;
pub mod backup;
pub mod bench;
pub mod chat;
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
pub mod former;
pub mod get;
pub mod history;
pub mod hook;
pub mod import;
pub mod inbox;
pub mod index;
pub mod init;
pub mod journal;
pub mod learn;
pub mod llm;
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
pub mod review;
pub mod roles;
pub mod sample;
pub mod search;
pub mod serve;
pub mod service;
pub mod session;
pub mod settling;
pub mod setup;
pub mod show;
pub mod status;
pub mod token;
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
use inwit_settings::agent::{Meant, agent_places, meant};

/// Runs the command in the folder `here` and returns its exit status: 0, or another if it completed with findings.
pub fn run(command: Command, settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    match swap::finish(&settings.paths) {
        Ok(true) => ui.say("note: finished a restore that had been interrupted."),
        Ok(false) => {}
        Err(_) if is_elsewhere(&settings) => {}
        Err(error) => return Err(error.into()),
    }
    match command {
        Command::Try(args) => sample::run(&args, settings, ui)?,
        Command::Init(args) => init::run(&args, settings, here, ui)?,
        Command::Import(args) => return import::run(&args, settings, here, ui),
        Command::Setup(args) => setup::run(&args, settings, here, ui)?,
        Command::Search(args) => return status(search::run(&args, settings, ui)?),
        Command::Open(args) => open::run(&args, settings, ui)?,
        Command::Show(args) => show::run(&args, settings, ui)?,
        Command::Prompt(args) => prompt::run(&args, settings, ui)?,
        Command::Journal(args) => journal::run(&args, settings, ui)?,
        Command::Remember(args) => remember::run(&args, settings, ui)?,
        Command::Edit(args) => edit::run(&args, settings, here, ui)?,
        Command::Facts(args) => facts::run(&args, settings, ui)?,
        Command::Learn(args) => learn::run(&args, settings, ui)?,
        Command::Forget(args) => return status(forget::run(&args, settings, ui)?),
        Command::Inbox(args) => inbox::run(&args, settings, ui)?,
        Command::Undo(args) => undo::run(&args, settings, ui)?,
        Command::History(args) => history::run(&args, settings, ui)?,
        Command::Dream(args) => dream::run(&args, settings, ui)?,
        Command::Review(args) => review::run(&args, settings, ui)?,
        Command::Accept(args) => accept::run(&args, settings, ui)?,
        Command::Mcp(args) => mcp::run(&args, settings, ui)?,
        Command::Serve(args) => serve::run(&args, settings, ui)?,
        Command::Service(args) => return status(service::run(&args, &settings, here, ui)?),
        Command::Token(args) => token::run(&args, &settings, ui)?,
        // A hook starts before settings are read, so that no error in them can stop it.
        Command::Hook(_) => {}
        Command::Session(args) => session::run(&args, settings, ui)?,
        Command::Project(args) => project::run(&args, settings, ui)?,
        Command::Status(args) => status::run(&args, settings, ui)?,
        Command::Doctor(args) => return status(doctor::run(&args, settings, ui)?),
        Command::Agent(args) => agent::run(&args, &settings, ui),
        Command::Config(args) => config::run(&args, settings, ui)?,
        Command::Chat(args) => chat::run(&args, settings, here, ui)?,
        Command::Run(args) => chat::run_once(&args, &settings, ui)?,
        Command::Llm(args) => llm::run(&args, settings, ui)?,
        Command::Index(args) => index::run(&args, settings, here, ui)?,
        Command::Backup(args) => backup::run(&args, settings, here, ui)?,
        Command::Restore(args) => backup::restore(&args, settings, here, ui)?,
        Command::Bench(args) => return bench::run(&args, &settings, here, ui),
        Command::Completions(args) => completions::run(&args, ui)?,
        Command::Former(command) => former::run(&command, settings, ui)?,
    }
    Ok(0)
}

fn status(good: bool) -> Result<u8, CliError> {
    Ok(u8::from(!good))
}

/// Whether the command is about a folder without an agent, which an unfinished restore does not affect.
fn is_elsewhere(settings: &Settings) -> bool {
    let folder = settings.folder("workspace").filter(|_| meant(settings) == Meant::Folder);
    folder.is_some_and(|folder| swap::is_elsewhere(&settings.paths, &folder, &agent_places(settings)))
}
