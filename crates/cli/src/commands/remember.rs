//! `inwit remember`: adds an entry.

use clap::Args;
use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::{Outcome, WriteContext};
use inwit_model::{Code, SessionId};
use inwit_wire::OutcomeV1;

use crate::error::CliError;
use crate::ui::Ui;
use crate::words::TextArgs;
use crate::{compose, outcome, person};
use inwit_settings::Settings;

/// Add an entry to MEMORY.md, or to another file
///
/// As the owner, the entry is written immediately. With --as agent it is handled like a write of the agent: the gate checks
/// it, and it goes to `inwit inbox` unless its session has read no text of others. Adding the same entry again changes
/// nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit remember Ana likes rye bread.\n\
\x20 inwit remember --file memory/topics/bread.md \"Feed the starter twice.\"\n\
\x20 echo \"The mill closes at six.\" | inwit remember -")]
pub struct RememberArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Who adds it
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// File of the entry, such as MEMORY.md, memory/topics/bread.md or rooms/kitchen.md
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Section of the entry; created if it does not exist
    #[arg(long, value_name = "TITLE", default_value = SECTION_DEFAULT)]
    pub section: String,
    /// Session of the agent; what the session has read decides how far its text is trusted
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Reason to store it, shown to the person who approves it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
    /// Store the text even if it looks like a secret; owner only
    #[arg(long)]
    pub allow_secret: bool,
}

pub fn run(args: &RememberArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let behalf = person::on_behalf(&args.who, args.allow_secret, session, &opened)?;
    let behalf = WriteContext { reason: args.reason.clone(), ..behalf };
    if let Some(file) = &args.file {
        outcome::written_file(file, &opened.chosen.workspace)?;
    }
    let text = args.text.read()?;
    let entry = Entry { text: &text, section: &args.section };
    let outcome = opened.agent.notes.remember(args.file.as_deref(), &entry, &behalf)?;
    tell(&outcome, args.allow_secret, ui);
    Ok(())
}

/// Prints the result of a change; see [`outcome::tell`].
pub fn tell(outcome: &Outcome, is_shown: bool, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&OutcomeV1::from(outcome));
    }
    outcome::tell(outcome, is_shown, ui);
}

/// The end of an id, for typing: the beginning is the time, equal for ids of one hour.
pub fn short(id: &str) -> &str {
    const DIGITS: usize = 8;
    id.get(id.len().saturating_sub(DIGITS)..).unwrap_or(id)
}
