//! Former names of commands, kept for one version.
//!
//! Those that moved below another command are read as typed there. The others are hidden, with the arguments they always
//! had.

use std::ffi::OsString;

use clap::Subcommand;

use super::{get, own_self, transcript, why_not, workspace};
use crate::args;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Commands that stand below another one now.
const MOVED: &[(&str, &str)] = &[
    ("feedback", "learn"),
    ("methods", "learn"),
    ("decisions", "learn"),
    ("roles", "learn"),
    ("preferences", "learn"),
    ("edges", "facts"),
    ("profile", "facts"),
    ("audit", "history"),
    ("model", "index"),
];

/// `words`, the program's name first, with the new name of a command that moved, and a note about it.
pub fn renamed(mut words: Vec<OsString>) -> (Vec<OsString>, Option<String>) {
    let bare = args::bare_words(words.get(1..).unwrap_or_default());
    let is_help = |at: &&usize| words.get(*at + 1).is_some_and(|word| word == "help");
    let at = bare.iter().find(|at| !is_help(at)).map(|at| at + 1);
    let moved = at.and_then(|at| {
        let (name, above) = MOVED.iter().find(|(name, _)| words.get(at).is_some_and(|word| word == name))?;
        Some((at, *name, *above))
    });
    let Some((at, name, above)) = moved else { return (words, None) };
    words.insert(at, above.into());
    (words, Some(format!("note: `{name}` is now `{above} {name}`.")))
}

#[derive(Debug, Subcommand)]
pub enum FormerCommand {
    #[command(hide = true)]
    WhyNot(why_not::WhyNotArgs),
    #[command(hide = true)]
    Get(get::GetArgs),
    #[command(hide = true)]
    Workspace(workspace::WorkspaceArgs),
    #[command(name = "self", hide = true)]
    SelfReport(own_self::SelfArgs),
    #[command(hide = true)]
    Transcript(transcript::TranscriptArgs),
}

impl FormerCommand {
    /// As [`crate::args::Command::reads_where_it_stands`].
    pub fn reads_where_it_stands(&self) -> bool {
        matches!(self, Self::WhyNot(_) | Self::Get(_))
    }

    /// The command line that replaces it.
    fn now(&self) -> &'static str {
        match self {
            Self::WhyNot(_) => "inwit search --why-not TEXT",
            Self::Get(_) | Self::Workspace(_) => "inwit show",
            Self::SelfReport(_) => "inwit show self",
            Self::Transcript(_) => "inwit session",
        }
    }
}

pub fn run(command: &FormerCommand, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    ui.aside(format!("note: This command is now `{}`.", command.now()));
    match command {
        FormerCommand::WhyNot(args) => why_not::run(args, settings, ui),
        FormerCommand::Get(args) => get::run(args, settings, ui),
        FormerCommand::Workspace(args) => workspace::run(args, settings, ui),
        FormerCommand::SelfReport(args) => own_self::run(args, settings, ui),
        FormerCommand::Transcript(args) => transcript::run(&args.verb, settings, ui),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_moved_is_read_under_its_new_name() {
        for (line, expected) in [
            ("inwit feedback --useful 1", "inwit learn feedback --useful 1"),
            ("inwit --agent ana methods list", "inwit --agent ana learn methods list"),
            ("inwit help audit", "inwit help history audit"),
            ("inwit search methods", "inwit search methods"),
            ("inwit learn methods list", "inwit learn methods list"),
            ("inwit -w audit", "inwit -w audit"),
            ("inwit", "inwit"),
        ] {
            let (words, note) = renamed(line.split(' ').map(OsString::from).collect());
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected);
            assert_eq!(note.is_some(), line != expected, "{line}");
        }
    }
}
