//! `inwit completions`: the completion script of a shell.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::env::Shells;

use crate::complete::VARIABLE;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_model::Code;

/// Shells for which there is a script.
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Print a completion script for your shell
///
/// The script is short: the shell asks inwit, which completes commands, flags, agents, rooms, settings and the files of
/// the workspace.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit completions bash >> ~/.bashrc\n\
\x20 inwit completions zsh >> ~/.zshrc\n\
\x20 inwit completions fish > ~/.config/fish/completions/inwit.fish")]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_parser = PossibleValuesParser::new(SHELLS))]
    pub shell: String,
}

pub fn run(args: &CompletionsArgs, ui: &mut Ui) -> Result<(), CliError> {
    let shells = Shells::builtins();
    let mut script = Vec::new();
    let shell = shells.completer(&args.shell);
    let written =
        shell.map(|shell| shell.write_registration(VARIABLE, "inwit", "inwit", "inwit", &mut script));
    if !matches!(written, Some(Ok(()))) {
        let message = format!("There is no completion script for `{}`.", args.shell);
        return Err(CliError::new(Code::UsageBad, message));
    }
    ui.data(&script);
    Ok(())
}
