//! `inwit show`: a workspace file, lines of it, or a self-report of the agent.

use clap::Args;
use inwit_model::Code;
use inwit_model::limit::KNOWLEDGE_SECTIONS_MAX;

use super::{get, own_self, workspace};
use crate::args::{AsOfArgs, ScopeArgs};
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Show a file, some of its lines, or a summary of the agent
///
/// Accepts citations: `memory/2026-11-21.md#L3-L9` as well as `memory/2026-11-21.md:3-9`. These words are shortcuts for
/// files: `soul`, `agents`, `identity`, `user`, `memory`, `heartbeat` and `bootstrap`. `self` shows the agent's
/// identity, `knowledge` the sections of long-term memory, and `stats` counts of sessions and memories. Without an
/// argument, lists the known files with their first lines.
///
/// A file is printed byte for byte. On a terminal, invisible characters are made visible.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit show memory\n\
\x20 inwit show memory/2026-11-21.md#L3-L9\n\
\x20 inwit show memory --as-of \"last month\"\n\
\x20 inwit show knowledge --section travel")]
pub struct ShowArgs {
    /// PATH, PATH:LINE, PATH:FROM-TO, a citation, the name of a note, or one of the words above
    #[arg(value_name = "WHAT", add = crate::complete::files())]
    pub what: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub as_of: AsOfArgs,
    /// With `knowledge`: only sections whose heading contains this, ignoring case
    #[arg(long, value_name = "TEXT")]
    pub section: Option<String>,
    /// With `knowledge`: maximum number of sections [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, KNOWLEDGE_SECTIONS_MAX as i64))]
    pub limit: Option<u16>,
    /// With `self`: the session whose language model is shown [default: the newest one of the scope]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// What a word stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Topic {
    Agent,
    Knowledge,
    Stats,
    File,
}

pub fn run(args: &ShowArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let topic = match args.what.as_deref() {
        Some("self") => Topic::Agent,
        Some("knowledge") => Topic::Knowledge,
        Some("stats") => Topic::Stats,
        _ => Topic::File,
    };
    args.refuse_flags_of_others(topic)?;
    let scope = args.scope.clone();
    let verb = match topic {
        Topic::Agent => own_self::SelfVerb::Who(own_self::WhoArgs { scope, session: args.session.clone() }),
        Topic::Knowledge => own_self::SelfVerb::Know(own_self::KnowArgs {
            section: args.section.clone(),
            scope,
            limit: args.limit,
        }),
        Topic::Stats => own_self::SelfVerb::Stats(own_self::StatsArgs { scope }),
        Topic::File => return file(args, settings, ui),
    };
    own_self::run(&own_self::SelfArgs { verb }, settings, ui)
}

fn file(args: &ShowArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let (scope, as_of) = (args.scope.clone(), args.as_of.clone());
    let known = args.what.as_deref().and_then(workspace::known);
    match (&args.what, known) {
        (Some(_), Some(kind)) if as_of.as_of.is_some() => {
            get::run(&get::GetArgs { address: kind.spec().path.to_owned(), scope, as_of }, settings, ui)
        }
        (Some(address), None) => {
            get::run(&get::GetArgs { address: address.clone(), scope, as_of }, settings, ui)
        }
        (None, _) if as_of.as_of.is_some() => Err(CliError::new(Code::UsageBad, "--as-of needs a file.")
            .hint("Name one, as in `inwit show memory --as-of 2026-05-01`.")),
        (name, _) => {
            let verb = workspace::WorkspaceVerb::Show(workspace::ShowArgs { name: name.clone(), scope });
            workspace::run(&workspace::WorkspaceArgs { verb }, settings, ui)
        }
    }
}

impl ShowArgs {
    /// Error: `usage_bad` for a flag that does not belong to `topic`.
    fn refuse_flags_of_others(&self, topic: Topic) -> Result<(), CliError> {
        let flags = [
            ("--section", self.section.is_some(), Topic::Knowledge, "knowledge"),
            ("--limit", self.limit.is_some(), Topic::Knowledge, "knowledge"),
            ("--session", self.session.is_some(), Topic::Agent, "self"),
            ("--as-of", self.as_of.as_of.is_some(), Topic::File, "FILE"),
        ];
        match flags.iter().find(|(_, is_given, of, _)| *is_given && *of != topic) {
            Some((flag, _, _, word)) => {
                Err(CliError::new(Code::UsageBad, format!("{flag} works with `inwit show {word}` only.")))
            }
            None => Ok(()),
        }
    }
}
