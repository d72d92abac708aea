//! `inwit open`: opens a search result in the editor, at its line.

use clap::Args;
use inwit_model::{Code, Scope};

use crate::compose;
use crate::editor;
use crate::error::CliError;
use inwit_settings::Settings;

/// Open a result of the last search, or a file, in your editor
///
/// Runs VISUAL or EDITOR on the file itself, at the line of the result. What you save is recorded as your edit.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inwit open 2                  The second result of the last search\n  inwit open MEMORY.md:12       Line 12 of MEMORY.md"
)]
pub struct OpenArgs {
    /// Number of a result of the last search, PATH, PATH:LINE, or a citation
    #[arg(value_name = "RESULT", add = crate::complete::files())]
    pub result: String,
}

pub fn run(args: &OpenArgs, settings: Settings) -> Result<(), CliError> {
    let opened = compose::open(settings)?;
    let (name, lines) = opened.agent.learning.place_of(&Scope::Main, &args.result)?;
    // The same error as `get` for a missing or invisible file.
    opened.agent.notes.get(&Scope::Main, name.as_str(), lines)?;
    let path = opened.chosen.workspace.join(name.as_str());
    let status = editor::open_at(&path, lines.from.unwrap_or(1))?;
    match status.success() {
        true => Ok(()),
        false => Err(CliError::new(Code::UsageBad, format!("The editor exited with {status}."))
            .hint("Set VISUAL or EDITOR to another program.")),
    }
}
