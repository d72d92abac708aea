//! `inwit undo`: take a change back.

use clap::Args;
use inwit_model::{Code, ReceiptId};
use inwit_wire::{OutcomeV1, UndoV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, outcome, person};
use inwit_settings::Settings;

/// Undo the last change, or another one
///
/// Shows the difference and writes the file as it was before; the history keeps both versions. Edits that were made without
/// inwit are not undone, and neither is a change whose file has changed again since.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit undo --dry-run\n\
\x20 inwit undo")]
pub struct UndoArgs {
    /// Receipt of the change, as `history log` shows it [default: the last change]
    #[arg(value_name = "RECEIPT")]
    pub receipt: Option<String>,
    /// Show what would change; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn run(args: &UndoArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let receipt = args.receipt.as_deref().map(receipt).transpose()?;
    let opened = compose::open_files(settings)?;
    let undoing = opened.agent.notes.plan_undo(receipt.as_ref())?;
    let diff = undoing.diff();
    if !ui.json() {
        ui.line(format!("Undo of {}: {} {}", undoing.receipt.id, undoing.receipt.deed, undoing.receipt.name));
        ui.content(diff.as_bytes());
    }
    let done = if args.dry_run { None } else { Some(opened.agent.notes.undo(&undoing, &person::owner())?) };
    if ui.json() {
        ui.value(&UndoV1 {
            undoes: undoing.receipt.id.to_string(),
            path: undoing.receipt.name.to_string(),
            diff,
            applied: done.is_some(),
            outcome: done.as_ref().map(OutcomeV1::from),
        });
    } else if let Some(done) = &done {
        outcome::tell(done, ui);
    } else {
        ui.say("note: Dry run: no changes made.");
    }
    Ok(())
}

fn receipt(text: &str) -> Result<ReceiptId, CliError> {
    ReceiptId::parse(text)
        .ok_or_else(|| CliError::new(Code::ReceiptUnknown, format!("`{text}` is not a receipt.")))
}
