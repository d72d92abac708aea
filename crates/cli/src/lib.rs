//! The `inwit` program: the composition root and its commands.
//!
//! The only reader of environment, config files and arguments. It decides nothing about memory: a
//! command parses, calls an engine verb and puts the answer into words. It is a library so that
//! `docs/reference/` can be generated from the very tables the program runs on.
//! Reading order: [`args`], [`settings`], [`compose`], [`commands`], [`ui`].

pub mod args;
pub mod clock;
pub mod commands;
pub mod compose;
pub mod error;
pub mod settings;
pub mod ui;

use std::process::ExitCode;

use clap::Parser as _;

/// Runs the command that was typed and returns its exit status (D15).
pub fn run() -> ExitCode {
    let cli = args::Cli::parse();
    let mut ui = ui::Ui::of_process(cli.global.json, cli.global.quiet);
    let done = read_settings(&cli.global).and_then(|settings| commands::run(cli.command, settings, &mut ui));
    match done {
        Ok(()) => {
            ui.finish();
            ExitCode::SUCCESS
        }
        Err(error) => {
            ui.error(&error);
            ExitCode::from(error.code.spec().exit)
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where the environment enters")]
fn read_settings(global: &args::Global) -> Result<settings::Settings, error::CliError> {
    let here = std::env::current_dir().unwrap_or_default();
    settings::Settings::read(&|name| std::env::var(name).ok(), global.said(&here))
}
