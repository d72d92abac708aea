//! `inwit accept`: the owner says that what is masked in a file may be shown.

use clap::Args;
use inwit_wire::{AcceptedV1, GateFindingV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, outcome, person};
use inwit_settings::Settings;

/// Unmask flagged text in a file you trust
///
/// What a file holds that did not pass the gate stands, but keys, characters that nobody sees and phrases
/// that steer agents are masked in prompts and searches. This says that those in FILE now may be shown.
/// It is recorded; what comes later is masked again.
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The file
    pub file: String,
    /// Tell what is masked, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn run(args: &AcceptArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let name = outcome::file(&args.file)?;
    let opened = compose::open_files(settings)?;
    let found = if args.dry_run {
        opened.agent.notes.masked_in(&name)?
    } else {
        opened.agent.notes.accept(&person::owner(), &name)?
    };
    if ui.json() {
        ui.value(&AcceptedV1 {
            path: name.to_string(),
            applied: !args.dry_run,
            findings: found.iter().map(GateFindingV1::from).collect(),
        });
        return Ok(());
    }
    for finding in &found {
        ui.line(format!("{name}:{}: {} ({})", finding.line, finding.check.word(), finding.class));
    }
    match (found.len(), args.dry_run) {
        (0, _) => ui.say(format!("Nothing is masked in {name}.")),
        (count, true) => ui.say(format!(
            "{count} masked; `inwit accept {}` shows them to models.",
            inwit_model::name::shell_word(name.as_str())
        )),
        (count, false) => ui.say(format!("{count} shown to models from now on.")),
    }
    Ok(())
}
