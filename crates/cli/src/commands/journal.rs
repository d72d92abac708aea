//! `inwit journal`: the daily log, by hand.

use clap::{Args, Subcommand};
use inwit_engine::{DayEdge, Excerpt};
use inwit_model::{Code, Scope, SessionId};
use inwit_wire::DayV1;
use jiff::civil::Date;

use super::remember::tell;
use crate::args::ScopeArgs;
use crate::error::CliError;
use crate::rooms::refuse_mistyped;
use crate::ui::Ui;
use crate::words::TextArgs;
use crate::{compose, person};
use inwit_settings::Settings;

/// Show a daily log, or add to it
///
/// Entries are appended and never rewritten. Logs of every layout are read: memory/DATE.md, memory/DATE-SESSION.md,
/// memory/daily/DATE.md, notes/DATE.md, and in a room memory/rooms/ROOM/DATE.md.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit journal add Baked rye with Ana.\n\
\x20 inwit journal show\n\
\x20 inwit journal show \"last friday\"")]
pub struct JournalArgs {
    #[command(subcommand)]
    pub verb: JournalVerb,
}

/// What can be done with it.
#[derive(Debug, Subcommand)]
pub enum JournalVerb {
    /// Add an entry to today's log
    Add(AddArgs),
    /// Print the logs of a day
    Show(ShowArgs),
}

#[derive(Debug, Args)]
pub struct AddArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Who writes it
    #[arg(long = "as", value_name = "WHO", default_value = "owner", value_parser = ["owner", "agent"])]
    pub who: String,
    /// Session of the entry; it selects the log, and what the session has read decides how far an agent's text is
    /// trusted
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Room of the entry
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub room: Option<String>,
    /// Store the text even if it looks like a secret; owner only
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Day: 2026-11-21, yesterday, "last friday" [default: today]
    #[arg(value_name = "DAY")]
    pub day: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
}

pub fn run(args: &JournalArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        JournalVerb::Add(args) => add(args, settings, ui),
        JournalVerb::Show(args) => show(args, settings, ui),
    }
}

fn add(args: &AddArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let text = args.text.read()?;
    if text.trim().is_empty() {
        return Err(CliError::new(Code::UsageBad, "The text is empty; nothing was written."));
    }
    let opened = compose::open_files(settings)?;
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))?;
    let allow_secret = args.allow_secret && args.who != "agent";
    let behalf = person::on_behalf(&args.who, allow_secret, session, &opened)?;
    let scope = Scope::parse(None, args.room.as_deref(), Scope::Main)
        .map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let outcome = opened.agent.sessions.journal_add(&text, &scope, &behalf)?;
    tell(&outcome, allow_secret, ui);
    Ok(())
}

fn show(args: &ShowArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let scope = args.scope.parse()?;
    let opened = compose::open_files(settings)?;
    refuse_mistyped(&scope, &opened.chosen.workspace, ui)?;
    let day = match &args.day {
        None => opened.agent.core.today(),
        Some(text) => match text.parse::<Date>() {
            Ok(day) => day,
            Err(_) => {
                let moment = opened.agent.core.moment(text, DayEdge::Start).map_err(|_| {
                    CliError::new(Code::UsageBad, format!("cannot parse `{text}` as a day."))
                        .hint("Use 2026-11-21, yesterday or \"last friday\".")
                })?;
                moment.to_zoned(opened.config.zone.clone()).date()
            }
        },
    };
    let logs: Vec<Excerpt> = opened.agent.sessions.journals_of(&scope, day)?;
    if ui.json() {
        ui.value(&DayV1::new(day.to_string(), &logs));
        return Ok(());
    }
    for log in &logs {
        if logs.len() > 1 {
            ui.line(format!("==> {} <==", log.name));
        }
        ui.content(&log.content);
    }
    if logs.is_empty() {
        ui.say(format!("No log for {day}."));
    }
    Ok(())
}
