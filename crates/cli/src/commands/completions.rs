//! `inwit completions`: words for the shell to complete.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::ui::Ui;

/// Print a completion script for your shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit completions bash > ~/.local/share/bash-completion/completions/inwit\n\
\x20 inwit completions zsh > ~/.zfunc/_inwit\n\
\x20 inwit completions fish > ~/.config/fish/completions/inwit.fish")]
pub struct CompletionsArgs {
    /// Shell: bash, zsh, fish, powershell or elvish
    #[arg(value_enum)]
    pub shell: Shell,
}

pub fn run(args: &CompletionsArgs, ui: &mut Ui) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::args::Cli::command(), "inwit", &mut script);
    ui.data(&script);
}
