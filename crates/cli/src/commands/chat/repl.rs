//! `inwit chat`: reads messages and commands, and prints replies.
//!
//! At a terminal lines are edited with `rustyline`; otherwise each line of stdin is a message. Invariants: a failed turn
//! ends nothing, and the session is ended however the conversation ends.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser as _;
use inwit_chat::Chat;
use inwit_model::plural::counted;
use inwit_settings::Settings;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Context, Editor};

use super::once::{Unseen, shown};
use super::screen::{Screen, status_line};
use super::slash::{Does, beginning_with, help, parse};
use super::{ChatArgs, Opened};
use crate::args::Cli;
use crate::error::CliError;
use crate::ui::Ui;

/// Ends a line that goes on.
const GOES_ON: char = '\\';

/// Most bytes of the message of one turn.
const MESSAGE_BYTES_MAX: usize = 256 * 1024;

/// Talks until the input ends.
pub fn run(args: &ChatArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let opened = Opened::new(args.room.as_deref(), &settings, ui)?;
    let mut lines = Lines::new()?;
    let stopped = Arc::new(AtomicBool::new(false));
    ui.stops_on(&stopped);
    let mut talk = Talk { opened: &opened, settings, here, stopped };
    let mut chat = talk.start(ui)?;
    ui.aside("Type a message. /help lists the commands, Ctrl-D ends.");
    while let Some(line) = lines.next(ui)? {
        let goes_on = match parse(&line) {
            None => talk.say(&mut chat, &line, ui)?,
            Some(Ok((Does::New, _))) => {
                end(&opened, std::mem::replace(&mut chat, talk.start(ui)?), ui);
                true
            }
            Some(Ok((does, arguments))) => talk.does(does, &arguments, &chat, ui),
            Some(Err(why)) => {
                ui.say(format!("error: {why}"));
                true
            }
        };
        if !goes_on {
            break;
        }
    }
    end(&opened, chat, ui);
    Ok(())
}

/// Ends a session; an error is reported and ends nothing else.
fn end(opened: &Opened, chat: Chat<'_>, ui: &mut Ui) {
    match opened.end(chat) {
        Ok(notices) => notices.iter().for_each(|notice| ui.notice(notice)),
        Err(error) => ui.say(format!("error: {}", error.message)),
    }
}

/// What a conversation needs beside its session.
struct Talk<'o> {
    opened: &'o Opened,
    settings: Settings,
    here: &'o Path,
    stopped: Arc<AtomicBool>,
}

impl<'o> Talk<'o> {
    fn start(&self, ui: &mut Ui) -> Result<Chat<'o>, CliError> {
        let (chat, notices) = self.opened.start("repl")?;
        notices.iter().for_each(|notice| ui.notice(notice));
        if chat.is_bootstrapping() {
            ui.aside("First-run setup is not finished: say hello, and the agent asks what it needs to know.");
        }
        Ok(chat)
    }

    /// One message. Returns whether the conversation goes on.
    fn say(&mut self, chat: &mut Chat<'_>, line: &str, ui: &mut Ui) -> Result<bool, CliError> {
        if line.trim().is_empty() {
            return Ok(true);
        }
        if line.len() > MESSAGE_BYTES_MAX {
            ui.say(format!(
                "error: A message has at most {} KiB. Store the text in a file.",
                MESSAGE_BYTES_MAX >> 10
            ));
            return Ok(true);
        }
        self.stopped.store(false, Ordering::Relaxed);
        if ui.json() {
            let turn = chat.turn(line, &mut Unseen(Arc::clone(&self.stopped)))?;
            ui.json_line(&shown(chat.session().to_string(), &turn, &[]));
            return Ok(true);
        }
        let mut screen = Screen::new(ui, Arc::clone(&self.stopped));
        let turn = chat.turn(line, &mut screen)?;
        if let Err(error) = screen.finish(&turn) {
            ui.error(&error);
        }
        if let Some(line) = status_line(&turn) {
            ui.aside(format!("({line})"));
        }
        Ok(true)
    }

    /// One command. Returns whether the conversation goes on.
    fn does(&self, does: Does, arguments: &[String], chat: &Chat<'_>, ui: &mut Ui) -> bool {
        match does {
            Does::Runs(_) if self.opened.room.is_some() => {
                ui.say("error: This command shows private files, so it is not available in a room.");
            }
            Does::Runs(words) => self.command(words, arguments, ui),
            Does::RunsInRoom(words) => {
                let room = self.opened.room.as_deref();
                let words: Vec<&str> =
                    words.iter().copied().chain(room.map(|_| "--room")).chain(room).collect();
                self.command(&words, arguments, ui);
            }
            Does::Session => {
                let turns = counted(usize::try_from(chat.turns()).unwrap_or(usize::MAX), "turn");
                ui.line(format!("{} ({turns})", chat.session()));
            }
            Does::Help => help().iter().for_each(|line| ui.line(line)),
            Does::Exit => return false,
            Does::New => {}
        }
        true
    }

    /// Runs a command line of inwit; an error is printed.
    fn command(&self, words: &[&str], arguments: &[String], ui: &mut Ui) {
        let words = ["inwit"].iter().chain(words).map(|word| (*word).to_owned());
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

    /// The next message, of several lines if one ends with `\`; `None` at the end.
    fn next(&mut self, ui: &mut Ui) -> Result<Option<String>, CliError> {
        let mut message = String::new();
        loop {
            let Some(line) = self.line(if message.is_empty() { "> " } else { ". " }, ui)? else {
                return Ok((!message.is_empty()).then_some(message));
            };
            match line.strip_suffix(GOES_ON) {
                Some(rest) if message.len() < MESSAGE_BYTES_MAX => {
                    message.push_str(rest);
                    message.push('\n');
                }
                _ => {
                    message.push_str(&line);
                    break;
                }
            }
        }
        if let Self::Terminal(editor) = self {
            let _ = editor.add_history_entry(message.as_str());
        }
        Ok(Some(message))
    }

    fn line(&mut self, prompt: &str, ui: &mut Ui) -> Result<Option<String>, CliError> {
        let editor = match self {
            Self::Terminal(editor) => editor,
            Self::Stdin => {
                let mut line = String::new();
                let read = std::io::stdin().lock().read_line(&mut line);
                let bytes = read.map_err(|error| unreadable(&error.to_string()))?;
                return Ok((bytes > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()));
            }
        };
        ui.stream("");
        loop {
            match editor.readline(prompt) {
                Ok(line) => return Ok(Some(line)),
                // Ctrl-C while typing discards the line.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(unreadable(&error.to_string())),
            }
        }
    }
}

fn unreadable(why: &str) -> CliError {
    CliError::new(inwit_model::Code::UsageBad, format!("The input cannot be read: {why}."))
}
