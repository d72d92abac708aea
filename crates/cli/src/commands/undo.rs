//! `inwit undo`: undo the last change of a file or a fact.

use clap::Args;
use inwit_engine::Notice;
use inwit_engine::facts::FactUndo;
use inwit_engine::notes::undo::LastChange;
use inwit_home::OpenAgent;
use inwit_model::ReceiptId;
use inwit_wire::{FactOutcomeV1, FactUndoV1, OutcomeV1, UndoV1};

use super::facts;
use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, outcome, person};
use inwit_settings::Settings;

/// Undo the last change, or another one
///
/// Without an argument, undoes the last change of a file or a fact that was made through inwit. Shows the
/// difference, then restores the earlier text; the history keeps both. Edits made outside inwit, erasures, and
/// changes whose file has changed since cannot be undone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit undo --dry-run\n\
\x20 inwit undo\n\
\x20 inwit undo 41f19dd88b        Undo the change whose receipt ends in this")]
pub struct UndoArgs {
    /// Receipt of a change of a file, or a part of it, as `inwit history log` shows it [default: the last change]
    #[arg(value_name = "RECEIPT")]
    pub receipt: Option<String>,
    /// Show what would change; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn run(args: &UndoArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let notes = &opened.agent.notes;
    let receipt = match &args.receipt {
        Some(text) => Some(match ReceiptId::parse(text) {
            Some(id) => id,
            None => notes.receipt_with(text)?,
        }),
        None => {
            let LastChange { receipt: last, erased_at } = notes.last_change()?;
            let fact = opened.agent.facts.plan_fact_undo()?;
            let fact = fact.filter(|fact| last.as_ref().is_none_or(|last| last.at < fact.at));
            let at = fact.as_ref().map(|fact| fact.at).or(last.as_ref().map(|last| last.at));
            if !ui.json() && at.zip(erased_at).is_some_and(|(at, erased_at)| at < erased_at) {
                ui.say("note: The last change was an erasure, which cannot be undone. The change before it:");
            }
            match fact {
                Some(fact) => return of_fact(args, &opened, &fact, ui),
                None => last.map(|last| last.id),
            }
        }
    };
    of_file(args.dry_run, &opened, receipt.as_ref(), ui)
}

/// Undoes a change of a file, and shows the difference.
pub fn of_file(
    dry_run: bool,
    opened: &OpenAgent,
    receipt: Option<&ReceiptId>,
    ui: &mut Ui,
) -> Result<(), CliError> {
    let notes = &opened.agent.notes;
    let undoing = notes.plan_undo(receipt)?;
    let diff = undoing.diff();
    if !ui.json() {
        ui.line(format!("Undo of {}: {} {}", undoing.receipt.id, undoing.receipt.deed, undoing.receipt.name));
        ui.content(diff.as_bytes());
    }
    let done = if dry_run { None } else { Some(notes.undo(&undoing, &person::owner())?) };
    if ui.json() {
        ui.value(&UndoV1 {
            undoes: undoing.receipt.id.to_string(),
            path: undoing.receipt.name.to_string(),
            diff,
            applied: done.is_some(),
            outcome: done.as_ref().map(OutcomeV1::from),
        });
    } else if let Some(done) = &done {
        outcome::tell(done, false, ui);
    } else {
        say_dry_run(ui);
    }
    Ok(())
}

fn of_fact(args: &UndoArgs, opened: &OpenAgent, undo: &FactUndo, ui: &mut Ui) -> Result<(), CliError> {
    let diff = undo.diff();
    if !ui.json() {
        ui.line(format!("Undo of {}: fact {}", undo.verb, undo.fact.number));
        ui.content(diff.as_bytes());
    }
    let (mut done, mut notices): (_, Vec<Notice>) = (None, Vec::new());
    if !args.dry_run {
        // Restored text of the fact may have been erased from it.
        done = Some(opened.agent.facts.undo_fact(undo, &person::owners(true))?);
        notices = opened.agent.facts.fact_took_over(&undo.fact)?;
    }
    if ui.json() {
        ui.value(&FactUndoV1 {
            undoes: undo.verb.clone(),
            fact: undo.fact.id.to_string(),
            diff,
            applied: done.is_some(),
            outcome: done.as_ref().map(|done| FactOutcomeV1::noting(done, &notices)),
        });
    } else if let Some(done) = &done {
        facts::tell(done, &notices, &opened.agent, ui);
    } else {
        say_dry_run(ui);
    }
    Ok(())
}

fn say_dry_run(ui: &mut Ui) {
    ui.say("note: Dry run: no changes made.");
}
