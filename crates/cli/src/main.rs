//! `inwit`, the program: reads its arguments and environment, runs one command, tells how it went.

mod args;
mod clock;
mod commands;
mod compose;
mod error;
mod settings;
mod ui;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
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
