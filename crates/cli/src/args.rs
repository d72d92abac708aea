//! The command line arguments. Their help texts also generate `docs/reference/cli.md`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Args, CommandFactory as _, Parser, Subcommand};

use crate::commands;
use inwit_engine::DayEdge;
use inwit_settings::{Origin, Value};

/// A self for AI agents that lives in plain Markdown.
///
/// Search any folder of Markdown: `inwit -w ~/notes search which bread`. The CLI runs as the owner: it answers in
/// scope `main` unless `--scope` or `--room` say otherwise.
#[derive(Debug, Parser)]
#[command(name = "inwit", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Examples:\n  inwit try                               Try it on a bundled agent\n  inwit -w ~/notes search which bread     Search a folder of Markdown\n  inwit init                              Create an agent\n  inwit setup claude-code                 Connect Claude Code to it\n\nExit status: 0 ok, 1 error, 2 usage, 3 not found, 4 conflict, 5 refused by the gate, 6 locked.\nA search without results exits with 0."
)]
pub struct Cli {
    /// What every command understands.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Heading of the global options, below a command's own.
const GLOBAL: &str = "Global options";

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// Use the agent with this id; with --workspace, its home and settings over that folder
    #[arg(help_heading = GLOBAL, long, global = true, value_name = "ID", add = crate::complete::agents())]
    pub agent: Option<String>,
    /// Use this folder of Markdown files in place
    #[arg(help_heading = GLOBAL, long, short = 'w', global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// Use this profile: personal, openclaw, minara, nexo, mindroom, carapace
    #[arg(help_heading = GLOBAL, long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Print data as JSON on stdout, errors as JSON on stderr
    #[arg(help_heading = GLOBAL, long, global = true)]
    pub json: bool,
    /// Only print errors on stderr
    #[arg(help_heading = GLOBAL, long, short, global = true)]
    pub quiet: bool,
    /// Colour the output: on a terminal (auto), always or never
    #[arg(help_heading = GLOBAL, long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: clap::ColorChoice,
}

impl Global {
    /// The flags as settings.
    pub fn said(&self, here: &std::path::Path) -> Vec<(&'static str, Value)> {
        let value = |text: String, flag| Value { text, origin: Origin::Flag(flag) };
        let mut said = Vec::new();
        if let Some(agent) = &self.agent {
            said.push(("agent", value(agent.clone(), "--agent")));
        }
        if let Some(folder) = &self.workspace {
            said.push(("workspace", value(here.join(folder).display().to_string(), "--workspace")));
        }
        if let Some(profile) = &self.profile {
            said.push(("profile", value(profile.clone(), "--profile")));
        }
        said
    }
}

/// For whom something is read.
#[derive(Debug, Clone, Args)]
pub struct ScopeArgs {
    /// Read as this scope: main (the default here), room, shared, subagent or scheduled
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<String>,
    /// Read as this room; implies scope `room`
    #[arg(long, value_name = "ID", allow_negative_numbers = true, add = crate::complete::rooms())]
    pub room: Option<String>,
}

impl ScopeArgs {
    /// The given scope; main by default.
    pub fn parse(&self) -> Result<inwit_model::Scope, crate::error::CliError> {
        inwit_model::Scope::parse(self.scope.as_deref(), self.room.as_deref(), inwit_model::Scope::Main)
            .map_err(|error| crate::error::CliError::new(inwit_model::Code::UsageBad, error.to_string()))
    }
}

/// Whether a plan is carried out; without the flag it is shown.
#[derive(Debug, Clone, Args)]
pub struct ApplyArgs {
    /// Carry out the plan; without this flag it is only shown
    #[arg(long, alias = "yes")]
    pub apply: bool,
    /// The same as without the flag.
    #[command(flatten)]
    pub preview: PreviewArgs,
}

/// `--dry-run` where a plan is shown anyway, so that who types it out of habit gets it.
#[derive(Debug, Clone, Default, Args)]
pub struct PreviewArgs {
    /// Only show the plan (the default)
    #[arg(long, hide = true, conflicts_with = "apply")]
    pub dry_run: bool,
}

/// The moment that is asked about.
#[derive(Debug, Clone, Default, Args)]
pub struct AsOfArgs {
    /// Answer from the files as they were then, according to the history: a day (2026-05-01: its end), a date-time
    /// (2026-05-01T10:00, in the agent's time zone unless it names one) or words (`Friday`, `last week`, `May`). Words
    /// mean the end of the latest such period that has begun, but never a time after now
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,
}

impl AsOfArgs {
    /// The past state of `agent`, if requested.
    pub fn open<'a>(
        &self,
        agent: &'a inwit_engine::Agent,
        scope: &inwit_model::Scope,
    ) -> Result<Option<inwit_engine::Past<'a>>, crate::error::CliError> {
        let Some(text) = &self.as_of else { return Ok(None) };
        Ok(Some(agent.as_of(scope, agent.core.moment(text, DayEdge::End)?)?))
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(missing_docs, reason = "each command's own arguments say what it does")]
pub enum Command {
    Try(commands::sample::TryArgs),
    Init(commands::init::InitArgs),
    Import(commands::import::ImportArgs),
    Setup(commands::setup::SetupArgs),
    Search(commands::search::SearchArgs),
    Open(commands::open::OpenArgs),
    Show(commands::show::ShowArgs),
    Prompt(commands::prompt::PromptArgs),
    Journal(commands::journal::JournalArgs),
    Remember(commands::remember::RememberArgs),
    Edit(commands::edit::EditArgs),
    Facts(commands::facts::FactsArgs),
    Learn(commands::learn::LearnArgs),
    Forget(commands::forget::ForgetArgs),
    Inbox(commands::inbox::InboxArgs),
    Undo(commands::undo::UndoArgs),
    History(commands::history::HistoryArgs),
    Dream(commands::dream::DreamArgs),
    Review(commands::review::ReviewArgs),
    Accept(commands::accept::AcceptArgs),
    Chat(commands::chat::ChatArgs),
    Run(commands::chat::RunArgs),
    Mcp(commands::mcp::McpArgs),
    Serve(commands::serve::ServeArgs),
    Service(commands::service::ServiceArgs),
    Token(commands::token::TokenArgs),
    Hook(commands::hook::HookArgs),
    Session(commands::session::SessionArgs),
    Project(commands::project::ProjectArgs),
    Status(commands::status::StatusArgs),
    Doctor(commands::doctor::DoctorArgs),
    Agent(commands::agent::AgentArgs),
    Config(commands::config::ConfigArgs),
    Index(commands::index::IndexArgs),
    Llm(commands::llm::LlmArgs),
    Backup(commands::backup::BackupArgs),
    Restore(commands::backup::RestoreArgs),
    Bench(commands::bench::BenchArgs),
    Completions(commands::completions::CompletionsArgs),
    #[command(flatten)]
    Former(commands::former::FormerCommand),
}

impl Command {
    /// Whether it only reads notes, so that it may use the workspace around the current folder.
    pub fn reads_where_it_stands(&self) -> bool {
        match self {
            Self::Search(_) | Self::Open(_) | Self::Prompt(_) | Self::Show(_) => true,
            Self::Former(former) => former.reads_where_it_stands(),
            _ => false,
        }
    }
}

impl Command {
    /// Whether its output may be longer than a screen, without questions.
    pub fn is_paged(&self) -> bool {
        use commands::history::HistoryVerb;
        match self {
            Self::Search(_) | Self::Show(_) | Self::Prompt(_) => true,
            Self::History(args) => !matches!(args.verb, HistoryVerb::Restore(_)),
            _ => false,
        }
    }
}

/// The command and subcommand, also of an invalid command line; global options and their values are skipped.
pub fn named(words: &[OsString]) -> Option<(String, Option<String>)> {
    let mut bare = bare_words(words).into_iter().map(|at| words[at].to_string_lossy().into_owned());
    Some((bare.next()?, bare.next()))
}

/// Where in `words` those stand that are no flags, nor values of the flags of every command.
pub fn bare_words(words: &[OsString]) -> Vec<usize> {
    let cli = Cli::command();
    let takes_value = |word: &str| {
        let global = cli.get_arguments().filter(|arg| matches!(arg.get_action(), ArgAction::Set));
        let is_long =
            |arg: &clap::Arg| arg.get_long().is_some_and(|long| word.strip_prefix("--") == Some(long));
        let is_short = |arg: &clap::Arg| arg.get_short().is_some_and(|short| word == format!("-{short}"));
        global.into_iter().any(|arg| is_long(arg) || is_short(arg))
    };
    let mut bare = Vec::new();
    let mut words = words.iter().map(|word| word.to_string_lossy()).enumerate();
    while let Some((at, word)) = words.next() {
        if word == "--" {
            break;
        } else if takes_value(&word) {
            let _ = words.next();
        } else if !word.starts_with('-') {
            bare.push(at);
        }
    }
    bare
}

/// Reads a whole number from `least` to `most`.
pub fn whole<N: TryFrom<i64>>(
    least: i64,
    most: i64,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse::<i64>().ok().filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("takes a whole number from {least} to {most}"))
    }
}

/// A parser error as one sentence, without any argument except the name of an option.
pub fn bare_sentence(error: &clap::Error) -> String {
    let flag = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => word.split(['=', ' ']).next(),
        _ => None,
    };
    let is_flag = |word: &&str| {
        let name = word.strip_prefix("--").unwrap_or_default();
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    };
    let place = flag.filter(is_flag).map_or_else(String::new, |flag| format!(", at `{flag}`"));
    let why = error.kind().as_str().unwrap_or("it has another form");
    format!("The command line cannot be read: {why}{place}.")
}

/// What the parser has against the arguments, as one sentence.
pub fn sentence(error: &clap::Error) -> String {
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "A command is missing.".to_owned();
    }
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    let words: Vec<&str> = first.split_whitespace().collect();
    format!("{}.", words.join(" ").trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_found_in_a_line_that_cannot_be_read() {
        for (line, command) in [
            ("hook bogus", Some(("hook", Some("bogus")))),
            ("--agent bo hook stop --new", Some(("hook", Some("stop")))),
            ("--agent=bo -w hook --quiet hook", Some(("hook", None))),
            ("--new-flag hook --profile nexo stop", Some(("hook", Some("stop")))),
            ("search hook", Some(("search", Some("hook")))),
            ("-w hook", None),
            ("", None),
        ] {
            let found = named(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
            let found = found.as_ref().map(|(command, rest)| (command.as_str(), rest.as_deref()));
            assert_eq!(found, command, "{line}");
        }
    }
}
