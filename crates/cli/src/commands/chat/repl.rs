//! `inwit chat`: reads messages and commands, and prints replies.
//!
//! At a terminal lines are edited with `rustyline`; otherwise each line of stdin is a message. Invariants: a failed turn
//! ends nothing, and the session is ended however the conversation ends.

use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser as _;
use inwit_chat::Chat;
use inwit_chat::chat::MESSAGE_BYTES_MAX;
use inwit_engine::Notice;
use inwit_home::scheduler::Scheduler;
use inwit_model::Code;
use inwit_model::plural::counted;
use inwit_settings::Settings;
use inwit_wire::ChatEndV1;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Context, Editor};

use super::screen::{Screen, status_line};
use super::single_turn::{SilentListener, turn_v1};
use super::slash::{SlashAction, beginning_with, help, parse};
use super::{ChatArgs, ChatSetup};
use crate::args::Cli;
use crate::error::CliError;
use crate::ui::Ui;

/// Ends a line that goes on.
const GOES_ON: char = '\\';

/// Talks until the input ends.
pub fn run(args: &ChatArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let mut setup = ChatSetup::new(args.room.as_deref(), &settings, ui)?;
    // What another program wrote is not the owner's own words.
    setup.is_owner = (!std::io::stdin().is_terminal()).then_some(false);
    let mut lines = Lines::new()?;
    let stopped = Arc::new(AtomicBool::new(false));
    let may_exit = Arc::new(AtomicBool::new(true));
    ui.stops_on(&stopped, &may_exit);
    let is_over = Arc::default();
    ui.outlives_its_terminal(&stopped, &is_over);
    ui.ends_on_terminate(&stopped, &is_over, &may_exit);
    let mut repl = Repl { setup: &setup, settings, here, stopped, is_over, may_exit, notices: Vec::new() };
    let mut chat = Some(repl.start(ui)?);
    let scheduler = setup.scheduler();
    ui.aside("Type a message. /help lists the commands, Ctrl-D ends.");
    let done = repl.talk(&mut chat, &mut lines, scheduler.as_ref(), ui);
    drop(scheduler);
    chat.into_iter().for_each(|chat| repl.end(chat, ui));
    if ui.json() && !repl.notices.is_empty() {
        ui.json_line(&ChatEndV1 { notices: Ui::wire_notices(&repl.notices) });
    }
    done
}

/// What a conversation needs beside its session.
struct Repl<'o> {
    setup: &'o ChatSetup,
    settings: Settings,
    here: &'o Path,
    /// Set by Ctrl-C during a turn.
    stopped: Arc<AtomicBool>,
    /// Set by SIGTERM during a turn, and by the end of the terminal.
    is_over: Arc<AtomicBool>,
    /// Whether Ctrl-C ends the program, outside of turns.
    may_exit: Arc<AtomicBool>,
    /// Notices of the start, for the first turn in JSON.
    notices: Vec<Notice>,
}

impl<'o> Repl<'o> {
    fn start(&mut self, ui: &mut Ui) -> Result<Chat<'o>, CliError> {
        let (chat, notices) = self.setup.start("repl")?;
        notices.iter().for_each(|notice| ui.notice(notice));
        self.notices.extend(notices);
        if chat.is_bootstrapping() {
            ui.aside("First-run setup is not finished: say hello, and the agent asks what it needs to know.");
        }
        Ok(chat)
    }

    /// Ends a session; an error is reported and ends nothing else.
    fn end(&mut self, chat: Chat<'_>, ui: &mut Ui) {
        self.stopped.store(false, Ordering::Relaxed);
        self.may_exit.store(false, Ordering::Relaxed);
        let stop = (!self.is_over.load(Ordering::Relaxed)).then_some(&self.stopped);
        let ended = self.setup.end(chat, stop, ui);
        self.may_exit.store(true, Ordering::Relaxed);
        match ended {
            Ok(notices) if ui.json() => self.notices.extend(notices),
            Ok(notices) => notices.iter().for_each(|notice| ui.notice(notice)),
            Err(error) => ui.error(&error),
        }
    }

    /// Reads lines until the input ends; `chat` is the current session. Errors: the input cannot be read, or a session
    /// cannot start.
    fn talk(
        &mut self,
        chat: &mut Option<Chat<'o>>,
        lines: &mut Lines,
        scheduler: Option<&Scheduler>,
        ui: &mut Ui,
    ) -> Result<(), CliError> {
        // The output of the last command is shown before the next line is read; if it is closed, the session ends.
        while !self.is_over.load(Ordering::Relaxed)
            && ui.stream("")
            && let Some(line) = lines.next()?
        {
            let _busy = self.setup.idle.call();
            let notices = scheduler.map(Scheduler::notices).unwrap_or_default();
            match ui.json() {
                true => self.notices.extend(notices),
                false => notices.iter().for_each(|notice| ui.notice(notice)),
            }
            let Some(running) = chat.as_mut() else { break };
            self.stopped.store(false, Ordering::Relaxed);
            match parse(&line) {
                None => {
                    self.may_exit.store(false, Ordering::Relaxed);
                    self.say(running, &line, ui);
                    self.may_exit.store(true, Ordering::Relaxed);
                }
                Some(Ok((SlashAction::Exit, _))) => break,
                Some(Ok((SlashAction::New, _))) => {
                    chat.take().into_iter().for_each(|chat| self.end(chat, ui));
                    *chat = Some(self.start(ui)?);
                }
                Some(Ok((action, arguments))) => self.act(action, &arguments, running, ui),
                Some(Err(why)) => ui.error(&CliError::new(Code::UsageBad, why)),
            }
        }
        Ok(())
    }

    /// One message. An error is printed and ends nothing.
    fn say(&mut self, chat: &mut Chat<'_>, line: &str, ui: &mut Ui) {
        if line.trim().is_empty() {
            return;
        }
        if ui.json() {
            match self.setup.turn(chat, line, &mut SilentListener(Arc::clone(&self.stopped))) {
                Ok(turn) => {
                    self.notices.extend(self.setup.model.not_counted());
                    let notices = std::mem::take(&mut self.notices);
                    ui.json_line(&turn_v1(chat.session().to_string(), &turn, &notices));
                }
                Err(error) => ui.error(&error.into()),
            }
            return;
        }
        let mut screen = Screen::new(ui, Arc::clone(&self.stopped));
        match self.setup.turn(chat, line, &mut screen) {
            Ok(_) if !screen.ui.stream("") => {}
            Ok(turn) => {
                if let Err(error) = screen.finish(&turn) {
                    ui.error(&error);
                }
                self.setup.model.not_counted().iter().for_each(|notice| ui.notice(notice));
                if let Some(line) = status_line(&turn) {
                    ui.aside(format!("({line})"));
                }
            }
            Err(error) => ui.error(&error.into()),
        }
    }

    fn act(&self, action: SlashAction, arguments: &[String], chat: &Chat<'_>, ui: &mut Ui) {
        match action {
            SlashAction::Runs(_) | SlashAction::Changes(_) if self.setup.room.is_some() => {
                let message = "This command shows private files, so it is not available in a room.";
                ui.error(&CliError::new(Code::UsageBad, message));
            }
            SlashAction::Changes(_) if self.setup.is_owner == Some(false) => {
                let message = "This command changes something, so it must be typed at a terminal.";
                ui.error(&CliError::new(Code::UsageBad, message));
            }
            SlashAction::Runs(words) | SlashAction::Changes(words) => self.command(words, arguments, ui),
            SlashAction::RunsInRoom(words) => {
                let room = self.setup.room.as_deref();
                let words: Vec<&str> =
                    words.iter().copied().chain(room.map(|_| "--room")).chain(room).collect();
                self.command(&words, arguments, ui);
            }
            SlashAction::Session => {
                let turns = counted(usize::try_from(chat.turns()).unwrap_or(usize::MAX), "turn");
                ui.show(format!("{} ({turns})", chat.session()));
            }
            SlashAction::Help => help().iter().for_each(|line| ui.show(line)),
            SlashAction::New | SlashAction::Exit => {}
        }
    }

    /// Runs a command line of inwit, whose `arguments` are no flags; an error is printed.
    fn command(&self, words: &[&str], arguments: &[String], ui: &mut Ui) {
        let end_of_flags = (!arguments.is_empty()).then_some("--");
        let words = ["inwit"].iter().chain(words).copied().chain(end_of_flags).map(str::to_owned);
        let parsed = Cli::try_parse_from(words.chain(arguments.iter().cloned()));
        match parsed {
            Ok(cli) => {
                if let Err(error) = crate::commands::run(cli.command, self.settings.clone(), self.here, ui) {
                    ui.error(&error);
                }
            }
            Err(error) => ui.say(error.to_string().trim_end()),
        }
    }
}

/// Completes commands.
struct Commands;

impl Completer for Commands {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, beginning_with(&line[..at]).collect()))
    }
}

impl rustyline::hint::Hinter for Commands {
    type Hint = String;
}

impl rustyline::highlight::Highlighter for Commands {}
impl rustyline::validate::Validator for Commands {}
impl rustyline::Helper for Commands {}

/// Where messages come from.
enum Lines {
    Terminal(Box<Editor<Commands, DefaultHistory>>),
    Stdin,
}

impl Lines {
    fn new() -> Result<Self, CliError> {
        if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
            return Ok(Self::Stdin);
        }
        let mut editor = Editor::new().map_err(|error| unreadable(&error.to_string()))?;
        editor.set_helper(Some(Commands));
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next message; at a terminal of several lines if one ends with `\`. `None` at the end. Error: the input cannot
    /// be read.
    fn next(&mut self) -> Result<Option<String>, CliError> {
        let editor = match self {
            Self::Terminal(editor) => editor,
            Self::Stdin => return stdin_line(),
        };
        let mut message = String::new();
        loop {
            match editor.readline(if message.is_empty() { "> " } else { ". " }) {
                Ok(line) => match line.strip_suffix(GOES_ON) {
                    Some(rest) => message.push_str(&format!("{rest}\n")),
                    None => {
                        message.push_str(&line);
                        break;
                    }
                },
                // Ctrl-C while typing discards the message.
                Err(ReadlineError::Interrupted) => message.clear(),
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(unreadable(&error.to_string())),
            }
        }
        let _ = editor.add_history_entry(message.as_str());
        Ok(Some(message))
    }
}

/// A line of stdin, cut behind the longest message, which is then refused. Characters that are not UTF-8 are replaced.
fn stdin_line() -> Result<Option<String>, CliError> {
    let mut line = Vec::new();
    let mut stdin = std::io::stdin().lock();
    let read = (&mut stdin).take(MESSAGE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line);
    read.map_err(|error| unreadable(&error.to_string()))?;
    if line.is_empty() {
        return Ok(None);
    }
    if !line.ends_with(b"\n") && line.len() > MESSAGE_BYTES_MAX {
        stdin.skip_until(b'\n').map_err(|error| unreadable(&error.to_string()))?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()))
}

fn unreadable(why: &str) -> CliError {
    CliError::new(Code::UsageBad, format!("The input cannot be read: {why}."))
}
