//! One file for each verb: its arguments are its help, its body is parse → engine → words.

pub mod search;

use crate::args::Command;
use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;

/// Runs the command that was typed.
pub fn run(command: Command, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match command {
        Command::Search(args) => search::run(&args, settings, ui),
    }
}
