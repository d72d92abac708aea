//! `inwit session`: transcripts of sessions.

use clap::{Args, Subcommand};
use inwit_engine::SessionLogs;
use inwit_engine::self_report::session_logs::{LogMatches, Look, Owner, SessionList, SessionReading};
use inwit_model::invisible::reveal_line;
use inwit_model::limit::{TRANSCRIPT_PREVIEW_CHARS_MAX, TRANSCRIPT_PREVIEW_CHARS_MIN, TRANSCRIPT_ROWS_MAX};
use inwit_model::plural::counted;
use inwit_model::time;
use inwit_model::{Code, Scope, SessionId};
use inwit_wire::{SessionHitsV1, SessionListV1, SessionReadingV1, SessionRefusalV1};

use crate::args::ScopeArgs;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;
use inwit_settings::agent;

/// List, show and search past sessions
///
/// Transcripts are files of JSON lines in the agent's home, one for each session. They are never part of a prompt and
/// never found by `inwit search`. A room can read its own sessions; only the owner can read all. With --json the answers
/// are those of the tool `session_logs`, on one line.
#[derive(Debug, Args)]
pub struct TranscriptArgs {
    #[command(subcommand)]
    pub verb: TranscriptVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum TranscriptVerb {
    /// List sessions, last written first
    List(ListArgs),
    /// Show a session from its beginning
    Show(ShowArgs),
    /// Search entries for a phrase, or else for all its words; newest first
    Search(FindArgs),
    /// Show the last entries of a session
    Recent(RecentArgs),
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub rows: RowsArgs,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Id of the session
    #[arg(value_name = "SESSION")]
    pub session: String,
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub rows: RowsArgs,
    #[command(flatten)]
    pub chars: CharsArgs,
    /// Number of entries to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: u64,
}

#[derive(Debug, Args)]
pub struct FindArgs {
    /// Words to search for
    #[arg(required = true)]
    pub query: Vec<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub rows: RowsArgs,
}

#[derive(Debug, Args)]
pub struct RecentArgs {
    /// Id of the session [default: the last written one]
    #[arg(value_name = "SESSION")]
    pub session: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Maximum number of entries, up to 500 [default: 10]
    #[arg(long, short = 'n', value_name = "N", value_parser = rows_parser())]
    pub limit: Option<u16>,
    #[command(flatten)]
    pub chars: CharsArgs,
}

/// How many rows.
#[derive(Debug, Args)]
pub struct RowsArgs {
    /// Maximum number of rows, up to 500 [default: 50]
    #[arg(long, short = 'n', value_name = "N", value_parser = rows_parser())]
    pub limit: Option<u16>,
}

/// How much of an entry.
#[derive(Debug, Args)]
pub struct CharsArgs {
    /// Maximum number of characters of an entry, 20 to 4000 [default: 200]
    #[arg(long, value_name = "N", value_parser = chars_parser())]
    pub max_chars: Option<u16>,
}

fn rows_parser() -> impl Fn(&str) -> Result<u16, String> + Clone + Send + Sync + 'static {
    crate::args::whole::<u16>(1, TRANSCRIPT_ROWS_MAX as i64)
}

fn chars_parser() -> impl Fn(&str) -> Result<u16, String> + Clone + Send + Sync + 'static {
    crate::args::whole::<u16>(TRANSCRIPT_PREVIEW_CHARS_MIN as i64, TRANSCRIPT_PREVIEW_CHARS_MAX as i64)
}

/// In JSON a refusal is an answer too, which the tool gives to a model.
pub fn run(verb: &TranscriptVerb, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let done = answer(verb, settings, ui);
    if let Err(error) = &done
        && ui.json()
        && matches!(error.code, Code::SessionMissing | Code::SessionIdBad | Code::TranscriptsOff)
    {
        ui.json_line(&SessionRefusalV1 { ok: false, error: error.code.spec().name });
    }
    done
}

fn answer(verb: &TranscriptVerb, mut settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let (scope, rows) = match verb {
        TranscriptVerb::List(args) => (args.scope.parse()?, args.rows.limit),
        TranscriptVerb::Show(args) => (args.scope.parse()?, args.rows.limit),
        TranscriptVerb::Search(args) => (args.scope.parse()?, args.rows.limit),
        TranscriptVerb::Recent(args) => (args.scope.parse()?, args.limit),
    };
    let limit = rows.map(usize::from);
    let chosen = agent::choose(&mut settings)?;
    let logs =
        inwit_home::open::session_logs(&chosen, matches!(verb, TranscriptVerb::Search(_)))?.for_owner();
    // Only the owner learns whether there are any.
    if scope == Scope::Main && !logs.is_there() && !settings.transcripts_enabled() {
        return Err(CliError::new(Code::TranscriptsOff, "Transcripts are switched off, and there are none."));
    }
    match verb {
        TranscriptVerb::List(_) => list(&logs.list(&scope, limit)?, ui),
        TranscriptVerb::Show(args) => {
            let max_chars = args.chars.max_chars.map(usize::from);
            let look = Look { offset: args.offset, limit, max_chars };
            reading(&logs.read(&scope, &session(&args.session)?, &look)?, ui);
        }
        TranscriptVerb::Recent(args) => {
            let named = args.session.as_deref().map(session).transpose()?;
            let look = Look { offset: 0, limit, max_chars: args.chars.max_chars.map(usize::from) };
            reading(&logs.recent(&scope, named.as_ref(), None, &look)?, ui);
        }
        TranscriptVerb::Search(args) => search(&logs, &scope, &args.query.join(" "), limit, ui)?,
    }
    Ok(())
}

fn session(text: &str) -> Result<SessionId, CliError> {
    SessionId::parse(text).map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))
}

fn list(told: &SessionList<String>, ui: &mut Ui) {
    if ui.json() {
        return ui.json_line(&SessionListV1::<String>::from(told));
    }
    told.notices.iter().for_each(|notice| ui.notice(notice));
    for row in &told.sessions {
        let last = row.last.map_or_else(|| "–".to_owned(), time::minute);
        let plugin =
            if row.source_plugin.is_empty() { String::new() } else { format!("  {}", row.source_plugin) };
        let entries =
            if row.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", row.entries) };
        ui.line(format!("{}  {last}  {entries}{plugin}", row.session));
    }
    if told.sessions.is_empty() {
        ui.say("No transcripts yet.");
    } else if told.truncated {
        ui.say("note: There are more sessions; --limit shows more.");
    }
}

fn reading(told: &SessionReading<String>, ui: &mut Ui) {
    if ui.json() {
        return ui.json_line(&SessionReadingV1::<String>::from(told));
    }
    if let Some(header) = &told.header {
        ui.line(format!("session {} of {}, scope {}", told.session, header.agent_id, header.scope));
    }
    for entry in &told.entries {
        let sender =
            entry.sender_id.as_ref().map(|sender| format!(" {}", reveal_line(sender))).unwrap_or_default();
        ui.line(format!("{}  {}{sender}", time::minute(entry.timestamp), entry.role));
        entry.content.lines().for_each(|line| ui.line(format!("    {line}").trim_end()));
    }
    let shown = told.entries.len() as u64;
    if let Some(total) = told.total.filter(|total| *total > shown) {
        ui.say(format!(
            "note: {shown} of {total} entries; continue with --offset, or show more with --limit."
        ));
    }
    if told.entries.iter().any(|entry| entry.whole_chars.is_some()) {
        ui.say("note: Entries that end in `…` are cut; --max-chars shows more.");
    }
    if told.skipped_lines > 0 {
        ui.say(format!("note: Skipped {} that cannot be read.", counted(told.skipped_lines, "line")));
    }
}

fn search(
    logs: &SessionLogs<Owner>,
    scope: &Scope,
    query: &str,
    limit: Option<usize>,
    ui: &mut Ui,
) -> Result<(), CliError> {
    let found = logs.search(scope, query, limit)?;
    if ui.json() {
        ui.json_line(&SessionHitsV1::<String>::new(query, &found));
        return Ok(());
    }
    found.notices.iter().for_each(|notice| ui.notice(notice));
    for hit in &found.hits {
        ui.line(format!("{}  {}  {}", hit.session, time::minute(hit.timestamp), hit.role));
        ui.line(format!("    {}", hit.snippet.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    if found.hits.is_empty() {
        ui.say("No entry contains these words.");
    } else if found.found == LogMatches::Words {
        ui.say("note: No entry contains the phrase; these entries contain all of its words.");
    }
    if found.truncated {
        ui.say("note: There are more entries; --limit shows more.");
    }
    Ok(())
}
