//! `inwit accept`: accepts masked text in a file.

use clap::Args;
use inwit_wire::{AcceptedV1, GateFindingV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, outcome, person};
use inwit_settings::Settings;

/// Unmask flagged text in a file you trust
///
/// Text that did not pass the gate stays in a file, but prompts and searches mask keys, invisible characters, and phrases
/// that steer agents. This command unmasks what is masked in FILE now, and records that you did. Text that comes later
/// is masked again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit accept --dry-run notes/keys.md   List what is masked\n\
\x20 inwit accept notes/keys.md             Unmask it")]
pub struct AcceptArgs {
    /// File to unmask
    pub file: String,
    /// List what is masked; change nothing
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
            "{count} masked; `inwit accept {}` unmasks them.",
            inwit_model::name::shell_word(name.as_str())
        )),
        (count, false) => ui.say(format!("{count} unmasked; models see them from now on.")),
    }
    Ok(())
}
