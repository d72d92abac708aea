//! `inwit completions`: words for the shell to complete.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::ui::Ui;

/// Print a completion script for your shell
///
/// For example: inwit completions bash > ~/.local/share/bash-completion/completions/inwit
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_enum)]
    pub shell: Shell,
}

pub fn run(args: &CompletionsArgs, ui: &mut Ui) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::args::Cli::command(), "inwit", &mut script);
    ui.data(&script);
}
