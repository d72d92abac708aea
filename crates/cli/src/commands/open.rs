//! `inwit open`: opens a search result in the editor, at its line.

use clap::Args;
use inwit_model::{Code, Scope};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, editor, outcome, person};
use inwit_settings::Settings;

/// Open a result of the last search, or a file, in your editor
///
/// Runs VISUAL or EDITOR on the file itself, at the line of the result. In a file that inwit writes, such as MEMORY.md, what
/// you save before the editor exits is recorded as your edit, and `inwit undo` reverses it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  inwit open 2                  The second result of the last search\n  inwit open MEMORY.md:12       Line 12 of MEMORY.md"
)]
pub struct OpenArgs {
    /// Number of a result of the last search, PATH, PATH:LINE, a citation, or the name of a note
    #[arg(value_name = "RESULT", add = crate::complete::files())]
    pub result: String,
}

pub fn run(args: &OpenArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open(settings)?;
    let notes = &opened.agent.notes;
    let (name, lines) = opened.agent.learning.place_of(&Scope::Main, &args.result)?;
    let name = outcome::file(&notes.file_called(&Scope::Main, name.as_str())?)?;
    // The same answer as `get` for what is not there or may not be opened.
    notes.get(&Scope::Main, name.as_str(), lines)?;
    let path = opened.chosen.workspace.join(name.as_str());
    let before = notes.before_edit(&name)?;
    let status = editor::open_at(&path, lines.from.unwrap_or(1))?;
    if let Some(before) = before {
        match notes.record_edit(&before, &person::owner()) {
            Ok(None) => {}
            Ok(Some(receipt)) => ui.say(format!("Recorded your edit of {name}: {}", receipt.id)),
            // The file has what was saved, whatever is recorded of it.
            Err(error) => {
                ui.say(format!("note: Your edit is saved, but it was not recorded: {}", error.message))
            }
        }
    }
    match status.success() {
        true => Ok(()),
        false => Err(CliError::new(Code::UsageBad, format!("The editor exited with {status}."))
            .hint("Set VISUAL or EDITOR to another program.")),
    }
}
