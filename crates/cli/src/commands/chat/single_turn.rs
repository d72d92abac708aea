//! `inwit run`: one message, one reply.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use inwit_chat::{ChatTurn, Listener};
use inwit_engine::Notice;
use inwit_model::Code;
use inwit_settings::Settings;
use inwit_wire::{ChatTurnV1, ErrorV1, LlmTokensV1, OutcomeV1};

use super::ChatSetup;
use super::screen::Screen;
use crate::commands::edit::content;
use crate::error::CliError;
use crate::ui::Ui;

/// Ask the agent one question
///
/// Starts a session, sends the message, prints the reply, and ends the session. The agent has the same tools as in `inwit
/// chat`, and the turn is recorded like any other.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit run -p \"What is open this week?\"\n\
\x20 git diff | inwit run -p -")]
pub struct RunArgs {
    /// The message; `-` reads it from stdin, as text that may come from someone else
    #[arg(long, short = 'p', value_name = "TEXT")]
    pub prompt: String,
    /// Ask in this room
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub room: Option<String>,
}

/// Sends the message and prints the reply.
pub fn run(args: &RunArgs, settings: &Settings, ui: &mut Ui) -> Result<(), CliError> {
    let text = if args.prompt == "-" { stdin()? } else { args.prompt.clone() };
    if text.trim().is_empty() {
        return Err(CliError::new(Code::UsageBad, "The message is empty."));
    }
    let mut setup = ChatSetup::new(args.room.as_deref(), settings, ui)?;
    // What another program wrote is not the owner's own words.
    setup.is_owner = (args.prompt == "-").then_some(false);
    let (mut chat, mut notices) = setup.start("cli")?;
    let stopped = Arc::new(AtomicBool::new(false));
    // Ctrl-C stops the turn, and then a dream that is due.
    let may_exit = Arc::new(AtomicBool::new(false));
    ui.stops_on(&stopped, &may_exit);
    let is_over = Arc::new(AtomicBool::new(false));
    ui.ends_on_terminate(&stopped, &is_over, &may_exit);
    let upkeep = || (!is_over.load(Ordering::Relaxed)).then_some(&stopped);
    let id = chat.session().to_string();
    if ui.json() {
        let turn = setup.turn(&mut chat, &text, &mut SilentListener(Arc::clone(&stopped)));
        stopped.store(false, Ordering::Relaxed);
        let ended = setup.end(chat, upkeep(), ui);
        let turn = turn?;
        notices.extend(setup.model.not_counted());
        notices.extend(ended.unwrap_or_else(|error| vec![not_ended(&error)]));
        ui.value(&turn_v1(id, &turn, &notices));
        return match turn.failure {
            Some(error) => Err(CliError::new(error.code, error.message)),
            None => Ok(()),
        };
    }
    notices.iter().for_each(|notice| ui.notice(notice));
    let mut screen = Screen::new(ui, Arc::clone(&stopped));
    let turn = setup.turn(&mut chat, &text, &mut screen);
    stopped.store(false, Ordering::Relaxed);
    let ended = setup.end(chat, upkeep(), screen.ui);
    may_exit.store(true, Ordering::Relaxed);
    let done = screen.finish(&turn?);
    setup.model.not_counted().iter().for_each(|notice| ui.notice(notice));
    ended?.iter().for_each(|notice| ui.notice(notice));
    done
}

fn not_ended(error: &CliError) -> Notice {
    Notice::new("session_not_ended", error.message.clone(), error.code)
}

/// A turn as JSON, with `notices` from around it.
pub fn turn_v1(session: String, turn: &ChatTurn, notices: &[Notice]) -> ChatTurnV1 {
    let error = turn.failure.as_ref().map(|error| ErrorV1::new(error.code, error.message.clone()));
    ChatTurnV1 {
        session,
        reply: turn.reply.clone(),
        requests: turn.requests,
        tokens: LlmTokensV1::from(&turn.usage),
        writes: turn.wished.iter().map(OutcomeV1::from).collect(),
        cut: turn.is_cut || turn.is_stopped,
        error,
        bootstrap_done: turn.bootstrap_done,
        notices: Ui::wire_notices(&[notices, &turn.notices].concat()),
    }
}

/// A message from stdin.
fn stdin() -> Result<String, CliError> {
    let bytes = content(Path::new("."), Path::new("-"))?;
    String::from_utf8(bytes).map_err(|_| CliError::new(Code::UsageBad, "The message is not UTF-8."))
}

/// Prints nothing while a turn runs.
pub struct SilentListener(pub Arc<AtomicBool>);

impl Listener for SilentListener {
    fn text(&mut self, _: &str) {}

    fn tool(&mut self, _: &str, _: &str) {}

    fn is_stopped(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
