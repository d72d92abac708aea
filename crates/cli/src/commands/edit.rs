//! `inwit edit`: edits a file of the workspace.

use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use inwit_engine::Outcome;
use inwit_engine::notes::get::Lines;
use inwit_gate::{Author, Change};
use inwit_home::OpenAgent;
use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::{Code, Op, SafeName, Scope, Sha256};
use inwit_wire::OutcomeV1;
use inwit_workspace::plain;

use crate::compose;
use crate::editor::Draft;
use crate::error::CliError;
use crate::ui::Ui;
use crate::{outcome, person};
use inwit_settings::Settings;

/// Edit a file; the change is recorded and can be undone
///
/// Opens $VISUAL or $EDITOR on a private copy and writes what you saved. If the file has changed since, nothing is
/// overwritten; your text is kept in a file that the error names. Text with a certain key is refused unless
/// --allow-secret is given. Text that only looks like a secret, such as a word after `password:`, is reported and
/// written, and so are invisible characters; models see both masked. `inwit accept FILE` unmasks them, and --allow-secret
/// a possible secret.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit edit MEMORY.md\n\
\x20 inwit edit notes/bread.md --content-from draft.md --reason \"new recipe\"\n\
\x20 inwit undo                     Undo the edit")]
pub struct EditArgs {
    /// File to edit; created if it does not exist
    #[arg(add = crate::complete::files())]
    pub file: String,
    /// Read the text from this file instead of an editor; `-` is stdin
    #[arg(long, value_name = "FILE")]
    pub content_from: Option<PathBuf>,
    /// Write only if the file still has this sha256, as `inwit show FILE --json` prints it
    #[arg(long, value_name = "SHA256", value_parser = sha256)]
    pub base: Option<Sha256>,
    /// Reason for the change, recorded in the history
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
    /// Write the text even if it contains a secret
    #[arg(long)]
    pub allow_secret: bool,
}

fn sha256(text: &str) -> Result<Sha256, &'static str> {
    Sha256::parse(text).ok_or("a sha256 has 64 lower-case hex digits")
}

pub fn run(args: &EditArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let name = outcome::written_file(&args.file, &opened.chosen.workspace)?;
    let current = current(&opened, &name)?;
    let base = current.as_ref().map(|bytes| Sha256::of(bytes));
    if let Some(expected) = args.base
        && base != Some(expected)
    {
        return Err(CliError::new(Code::Stale, format!("`{name}` does not have the sha256 {expected}.")));
    }
    let bytes = current.as_deref().unwrap_or_default();
    let done = match &args.content_from {
        Some(from) => {
            let text = content(here, from)?;
            let kept = if from == Path::new("-") { None } else { Some(here.join(from)) };
            write(args, &opened, &name, base, text).map_err(|error| match &kept {
                Some(path) => still_there(error, path),
                None => error,
            })?
        }
        None => by_hand(args, &opened, &name, base, bytes)?,
    };
    if ui.json() {
        ui.value(&OutcomeV1::from(&done));
    } else {
        outcome::tell(&done, args.allow_secret, ui);
    }
    Ok(())
}

/// Opens a copy in the editor. The saved text is then in the workspace, or still in the copy.
fn by_hand(
    args: &EditArgs,
    opened: &OpenAgent,
    name: &SafeName,
    base: Option<Sha256>,
    bytes: &[u8],
) -> Result<Outcome, CliError> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(CliError::new(Code::UsageBad, "The editor needs a terminal, and this is not one.")
            .hint("Give the text with `--content-from FILE`, or `--content-from -` for stdin."));
    }
    let draft = Draft::of(&opened.chosen.home, name, bytes)?;
    let done = draft.edited().and_then(|text| {
        if text == bytes {
            return Ok(Outcome::Unchanged(name.clone()));
        }
        write(args, opened, name, base, text)
    });
    match done {
        Ok(done) => {
            draft.remove();
            Ok(done)
        }
        Err(error) if draft.is_untouched(bytes) => {
            draft.remove();
            Err(error)
        }
        Err(error) => Err(still_there(error, draft.path())),
    }
}

fn write(
    args: &EditArgs,
    opened: &OpenAgent,
    name: &SafeName,
    base: Option<Sha256>,
    text: Vec<u8>,
) -> Result<Outcome, CliError> {
    let owner = Author::owner(&person::owner());
    let mut change = Change::new(name.clone(), Op::Put(text.into()), base, owner).because(&args.reason);
    change.allow_secret = args.allow_secret;
    Ok(opened.agent.notes.write(change)?)
}

fn still_there(error: CliError, path: &Path) -> CliError {
    let hint = error.hint_said().to_owned();
    let hint = format!("{hint} Your text is in {}.", path.display());
    error.hint(hint)
}

fn current(opened: &OpenAgent, name: &SafeName) -> Result<Option<Vec<u8>>, CliError> {
    match opened.agent.notes.get(&Scope::Main, name.as_str(), Lines::default()) {
        Ok(excerpt) => Ok(Some(excerpt.content)),
        Err(error) if error.code == Code::FileMissing => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The text from a file or stdin.
pub fn content(here: &Path, from: &Path) -> Result<Vec<u8>, CliError> {
    let refused = |why: String| {
        CliError::new(Code::UsageBad, format!("{} cannot be read: {why}.", from.display()))
            .hint("Name a file with the whole text, or `-` for stdin.")
    };
    let mut text = Vec::new();
    let most = FILE_READ_BYTES_MAX + 1;
    let read = if from == Path::new("-") {
        std::io::stdin().take(most).read_to_end(&mut text)
    } else {
        let file = plain::open(&here.join(from)).map_err(|error| refused(error.to_string()))?;
        let file = file.ok_or_else(|| refused("the file does not exist".into()))?;
        file.take(most).read_to_end(&mut text)
    };
    read.map_err(|error| refused(error.to_string()))?;
    if text.len() as u64 >= most {
        let message = format!("{} has more than {FILE_READ_BYTES_MAX} bytes.", from.display());
        return Err(CliError::new(Code::FileTooLarge, message));
    }
    Ok(text)
}
