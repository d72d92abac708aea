//! `inwit remember`: one thing worth keeping.

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
/// As the owner it is written at once. With --as agent it goes the agent's way: through the gate, and into
/// `inwit inbox` unless the session it comes from read nothing that others wrote. Saying the same thing
/// again changes nothing.
#[derive(Debug, Args)]
pub struct RememberArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Who wants it kept
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// The file, such as MEMORY.md, memory/topics/bread.md or rooms/kitchen.md
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The section it goes to; made where there is none
    #[arg(long, value_name = "TITLE", default_value = SECTION_DEFAULT)]
    pub section: String,
    /// The agent's session, which decides how far its words are trusted
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Why it should be kept; shown to who approves
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
    /// Keep it though it looks like a secret; for the owner only
    #[arg(long)]
    pub allow_secret: bool,
}

pub fn run(args: &RememberArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let behalf = person::on_behalf(&args.who, args.allow_secret, session, &opened)?;
    let behalf = WriteContext { reason: args.reason.clone(), ..behalf };
    let text = args.text.read()?;
    let entry = Entry { text: &text, section: &args.section };
    let outcome = opened.agent.notes.remember(args.file.as_deref(), &entry, &behalf)?;
    tell(&outcome, ui);
    Ok(())
}

/// Says what became of a change.
pub fn tell(outcome: &Outcome, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&OutcomeV1::from(outcome));
    }
    outcome::tell(outcome, ui);
}

/// The end of an id: what a person types. The beginning is the time, which is the same for all of an hour.
pub fn short(id: &str) -> &str {
    const DIGITS: usize = 8;
    id.get(id.len().saturating_sub(DIGITS)..).unwrap_or(id)
}
