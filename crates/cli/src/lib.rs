//! The `inwit` program: composition root and commands.
//!
//! The only crate that reads arguments; the environment is passed to `settings` here. A command parses, calls an
//! engine operation and prints the result. It is a library so that `docs/reference/` can be generated from the same
//! tables. Reading order: [`args`], [`compose`], [`commands`], [`ui`].

#[cfg(panic = "abort")]
compile_error!(
    "inwit recovers from a panic inside one call; build it with panic = \"unwind\" (docs/decisions/0009)"
);

pub mod args;
pub mod browser;
pub mod commands;
pub mod complete;
pub mod compose;
pub mod editor;
pub mod error;
pub mod help;
pub mod hints;
pub mod host_shell;
pub mod misuse;
pub mod outcome;
pub mod pager;
pub mod person;
pub mod project_folder;
pub mod public;
pub mod results;
pub mod rooms;
pub mod score;
pub mod seeding;
pub mod service;
pub mod setup;
pub mod ui;
pub mod which_folder;
pub mod words;
pub mod wrap;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::panic;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use inwit_engine::sessions::hook::fence::private_left_out;

/// Runs the command line and returns its exit status (D15).
#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
pub fn run() -> ExitCode {
    complete::answer_shell();
    outlive_size_limits();
    panic::set_hook(Box::new(report_panic));
    let (words, has_private) = match public::without_private_parts(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(error) => return failed(&error, &mut ui::Ui::of_process(is_json(std::env::args_os()), false)),
    };
    let (words, renamed) = commands::former::renamed(words);
    let parsed = help::grouped(args::Cli::command()).try_get_matches_from(&words);
    let cli = match parsed.and_then(|matches| args::Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            renamed.iter().for_each(|note| ui::Ui::of_process(false, false).say(note));
            return not_parsed(error, words.get(1..).unwrap_or_default());
        }
    };
    if let args::Command::Hook(hook) = &cli.command {
        return commands::hook::run(hook, |settings| read_settings(settings, &current_folder()), &cli);
    }
    let mut ui = ui::Ui::of_process(cli.global.json, cli.global.quiet).coloured(cli.global.color);
    if cli.command.is_paged() {
        ui = ui.paged();
    }
    renamed.iter().for_each(|note| ui.say(note));
    if has_private {
        ui.notice(&private_left_out());
    }
    let here = current_folder();
    if let Some(folder) = cli.global.workspace.as_ref().filter(|folder| folder.to_str().is_none()) {
        let message = format!("The path {} is not UTF-8.", folder.display());
        let error = error::CliError::new(inwit_model::Code::UsageBad, message);
        return failed(&error.hint("Rename the folder, so that its path is UTF-8."), &mut ui);
    }
    let mut settings = match read_settings(&cli, &here) {
        Ok(settings) => settings,
        Err(error) => return failed(&error, &mut ui),
    };
    let passes_over_here = cli.command.reads_where_it_stands()
        && !host_shell::is_of_coding_agent()
        && which_folder::choose(&mut settings, &here, &mut ui);
    let is_search = matches!(cli.command, args::Command::Search(_));
    if matches!(cli.command, args::Command::Forget(_)) {
        which_folder::name_unsearched(&settings, &here, &mut ui);
    }
    let engine = std::sync::Arc::clone(&settings.engine);
    let done = commands::run(cli.command, settings, &here, &mut ui);
    engine.tend().iter().for_each(|notice| ui.notice(notice));
    match done {
        Ok(status) => {
            if passes_over_here && is_search {
                ui.say(format!("hint: {}", which_folder::SEARCH_HERE));
            } else if passes_over_here {
                ui.aside(format!("hint: {}", which_folder::SEARCH_HERE));
            }
            ui.finish();
            ExitCode::from(status)
        }
        Err(error) if passes_over_here && error.code == inwit_model::Code::NoAgent => {
            failed(&error.hint(which_folder::SEARCH_HERE), &mut ui)
        }
        Err(mut error) => {
            if error.code == inwit_model::Code::UsageBad && error.hint.is_none() {
                error = error.hint(misuse::help_of(words.get(1..).unwrap_or_default()));
            }
            failed(&error, &mut ui)
        }
    }
}

fn failed(error: &error::CliError, ui: &mut ui::Ui) -> ExitCode {
    ui.error(error);
    ExitCode::from(error.code.spec().exit)
}

/// Whether a command line asks for JSON.
fn is_json(words: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> bool {
    words.into_iter().take_while(|word| word.as_ref() != "--").any(|word| word.as_ref() == "--json")
}

/// Reports where a panic happened. Its message may contain text of notes, and stderr often goes to a host's log.
fn report_panic(panic: &panic::PanicHookInfo<'_>) {
    let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    // stderr may be closed.
    let _ = writeln!(io::stderr(), "error: inwit panicked at {place}. This is a bug in inwit.");
    let _ =
        writeln!(io::stderr(), "hint: Report that location and the command. No note was left half-written.");
}

/// Exceeding the file size limit (`ulimit -f`) raises a signal that ends the program. With a handler that does
/// nothing, the write fails and is reported.
fn outlive_size_limits() {
    let nobody_asks = std::sync::Arc::default();
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks);
}

/// Help and version go to stdout; anything else is a usage error, in JSON where `--json` was typed. A hook has
/// no usage errors: a host reads that status as a wish to stop the person.
fn not_parsed(error: clap::Error, words: &[OsString]) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    let is_asked_for = matches!(error.kind(), DisplayHelp | DisplayVersion);
    if !is_asked_for
        && let Some((command, moment)) = args::named(words)
        && command == commands::hook::NAME
    {
        return commands::hook::not_called(moment.as_deref(), &args::bare_sentence(&error));
    }
    if is_asked_for {
        let done = error.print().and_then(|()| io::stdout().flush());
        ui::Ui::of_process(false, false).end_if_unread(done);
        return ExitCode::SUCCESS;
    }
    let is_json = is_json(words);
    if !is_json && error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = write!(io::stderr(), "{}", ui::visible(&error.render().to_string()));
    } else {
        ui::Ui::of_process(is_json, false).error(&misuse::told(&error, words));
    }
    ExitCode::from(2)
}

#[expect(clippy::disallowed_methods, reason = "this is where the working folder enters")]
pub(crate) fn current_folder() -> std::path::PathBuf {
    std::env::current_dir().unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "this is where the environment enters")]
fn read_settings(
    cli: &args::Cli,
    here: &std::path::Path,
) -> Result<inwit_settings::Settings, error::CliError> {
    let of_settings = inwit_settings::table::SETTINGS.iter().flat_map(|row| row.env_names());
    let of_places = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].map(str::to_owned);
    for name in of_settings.chain(of_places) {
        if std::env::var_os(&name).is_some_and(|text| text.to_str().is_none()) {
            let message = format!("The environment variable {name} is not UTF-8.");
            return Err(error::CliError::new(inwit_model::Code::SettingBad, message)
                .hint("Set it to UTF-8 text, or unset it."));
        }
    }
    inwit_home::clock::begin(std::env::var(inwit_home::clock::VARIABLE).ok().as_deref())?;
    // The command that repairs settings can read invalid ones.
    let is_config = matches!(cli.command, args::Command::Config(_));
    let layers =
        if is_config { inwit_settings::Layers::lenient() } else { inwit_settings::Layers::default() };
    Ok(inwit_settings::Settings::read(layers, &|name| std::env::var(name).ok(), cli.global.said(here))?)
}
