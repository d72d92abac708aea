//! `inwit completions`: the completion script of a shell.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::complete::{SHELLS, VARIABLE};
use crate::error::CliError;
use crate::ui::Ui;
use inwit_model::Code;

/// Print a completion script for your shell
///
/// The script calls inwit, which completes commands, flags, agents, rooms, settings and the files of the
/// workspace.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit completions bash >> ~/.bashrc\n\
\x20 inwit completions zsh >> ~/.zshrc\n\
\x20 inwit completions fish > ~/.config/fish/completions/inwit.fish")]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_parser = PossibleValuesParser::new(SHELLS.names()))]
    pub shell: String,
}

pub fn run(args: &CompletionsArgs, ui: &mut Ui) -> Result<(), CliError> {
    let mut script = Vec::new();
    let shell = SHELLS.completer(&args.shell);
    let written =
        shell.map(|shell| shell.write_registration(VARIABLE, "inwit", "inwit", "inwit", &mut script));
    if !matches!(written, Some(Ok(()))) {
        let message = format!("There is no completion script for `{}`.", args.shell);
        return Err(CliError::new(Code::UsageBad, message));
    }
    ui.data(&script);
    Ok(())
}
