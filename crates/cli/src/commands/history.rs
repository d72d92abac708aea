//! `inwit history`: log, diff, blame and past files.

use clap::{Args, Subcommand};
use inwit_engine::Notice;
use inwit_engine::history::past::{LogFilter, Logged, Origin, Rev};
use inwit_engine::notes::get::parse_address;
use inwit_home::OpenAgent;
use inwit_model::time;
use inwit_model::{Code, SafeName, Sha256};
use inwit_wire::{BlameV1, BlamedLineV1, CommitV1, DiffV1, HistoryV1, NoticeV1, OutcomeV1, RevisionV1};

use super::audit::{self, AuditArgs};
use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use crate::{outcome, person};
use inwit_settings::Settings;

/// Default number of commits.
const LOG_ROWS_DEFAULT: u16 = 20;

/// Most lines whose origin is shown at a time.
const BLAME_LINES_MAX: usize = 50_000;

/// Most commits that are listed at a time.
const LOG_ROWS_MAX: i64 = 10_000;

/// Show the history of a workspace, and restore from it
///
/// Every change that inwit makes, and every edit that it finds, becomes a commit in a git repository outside the
/// workspace. Only the owner can read it. Without git these commands fail; changes are recorded when git is installed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit history log MEMORY.md\n\
\x20 inwit history diff 1a2b3c4d MEMORY.md\n\
\x20 inwit history blame MEMORY.md\n\
\x20 inwit history restore MEMORY.md --at 1a2b3c4d")]
pub struct HistoryArgs {
    #[command(subcommand)]
    pub verb: HistoryVerb,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub enum HistoryVerb {
    /// List changes, newest first
    Log(LogArgs),
    /// Show the differences between two revisions, or the last change
    Diff(DiffArgs),
    /// Print a file as it was at a revision
    Show(ShowArgs),
    /// Propose to restore a file; you approve that in the inbox
    Restore(RestoreArgs),
    /// Show who wrote each line of a file, when, and in which session
    Blame(BlameArgs),
    Audit(AuditArgs),
}

#[derive(Debug, Args)]
pub struct LogArgs {
    /// Only changes of this file
    pub file: Option<String>,
    /// Only changes of this session
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Maximum number of changes [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, LOG_ROWS_MAX))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Revisions to compare, 4 to 40 digits as `history log` shows them, then a file; TO defaults to the newest revision
    #[arg(value_name = "FROM TO FILE", num_args = 0..=3)]
    pub words: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Revision, as `history log` shows it
    #[arg(value_name = "REV")]
    pub revision: String,
    /// File to print
    pub file: String,
}

#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// File to restore
    pub file: String,
    /// Revision, as `history log` shows it
    #[arg(long, value_name = "REV")]
    pub at: String,
}

#[derive(Debug, Args)]
pub struct BlameArgs {
    /// File, optionally with a range of lines
    #[arg(value_name = "FILE[:FROM[-TO]]")]
    pub address: String,
}

pub fn run(args: &HistoryArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    if let HistoryVerb::Audit(args) = &args.verb {
        return audit::run(args, settings, ui);
    }
    let opened = compose::open_files(settings)?;
    match &args.verb {
        HistoryVerb::Log(args) => log(args, &opened, ui),
        HistoryVerb::Diff(args) => diff(args, &opened, ui),
        HistoryVerb::Show(args) => show(args, &opened, ui),
        HistoryVerb::Restore(args) => restore(args, &opened, ui),
        HistoryVerb::Blame(args) => blame(args, &opened, ui),
        HistoryVerb::Audit(_) => Ok(()),
    }
}

/// The notice about missing changes: for people, or as JSON.
fn behind(opened: &OpenAgent, ui: &mut Ui) -> Result<Vec<NoticeV1>, CliError> {
    let notices: Vec<Notice> = opened.agent.history.history_behind()?.into_iter().collect();
    notices.iter().for_each(|notice| ui.notice(notice));
    Ok(Ui::wire_notices(&notices))
}

fn log(args: &LogArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let filter = LogFilter {
        name: args.file.as_deref().map(outcome::file).transpose()?,
        session: args.session.clone(),
        ..LogFilter::newest(usize::from(args.limit.unwrap_or(LOG_ROWS_DEFAULT)))
    };
    let commits = opened.agent.history.history_log(&filter)?;
    if let Some(name) = filter.name.as_ref().filter(|_| commits.is_empty() && filter.session.is_none())
        && !opened.chosen.workspace.join(name.as_str()).exists()
    {
        let message = format!("`{name}` does not exist, and no change of it is recorded.");
        return Err(CliError::new(Code::FileMissing, message));
    }
    let notices = behind(opened, ui)?;
    if ui.json() {
        ui.value(&HistoryV1 { commits: commits.iter().map(CommitV1::from).collect(), notices });
        return Ok(());
    }
    commits.iter().for_each(|commit| row(commit, ui));
    if commits.is_empty() {
        ui.say("No changes recorded yet.");
    }
    Ok(())
}

fn row(commit: &Logged, ui: &mut Ui) {
    let at = time::minute(commit.at);
    ui.line(format!("{}  {at}  {:<8}  {}", commit.oid.short(), commit.actor, commit.subject));
    let named = [("", &commit.receipt), ("session ", &commit.session), ("", &commit.proposal)];
    let named: Vec<String> =
        named.into_iter().filter_map(|(what, id)| id.as_ref().map(|id| format!("{what}{id}"))).collect();
    if !named.is_empty() {
        ui.line(format!("    {}", named.join(", ")));
    }
    commit.body.lines().for_each(|line| ui.line(format!("    {line}").trim_end()));
}

fn diff(args: &DiffArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let (revisions, files): (Vec<&String>, Vec<&String>) =
        args.words.iter().partition(|word| Rev::parse(word).is_ok());
    let name = match files.as_slice() {
        [] => None,
        [one] => Some(outcome::file(one)?),
        _ => return Err(CliError::new(Code::UsageBad, "At most one file can be compared at a time.")),
    };
    let between = match revisions.as_slice() {
        [] => opened.agent.history.last_change(name.as_ref())?,
        [from] => Some((revision(from)?, Rev::Tip)),
        [from, to] => Some((revision(from)?, revision(to)?)),
        _ => return Err(CliError::new(Code::UsageBad, "At most two revisions can be compared.")),
    };
    let text = match between {
        Some((from, to)) => opened.agent.history.history_diff(&from, &to, name.as_ref())?,
        None => String::new(),
    };
    let notices = behind(opened, ui)?;
    if ui.json() {
        ui.value(&DiffV1 { diff: text, notices });
    } else if text.is_empty() {
        ui.say("No differences.");
    } else {
        ui.content(text.as_bytes());
    }
    Ok(())
}

fn show(args: &ShowArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let name = outcome::file(&args.file)?;
    let at = revision(&args.revision)?;
    let bytes = opened.agent.history.history_show(&at, &name)?;
    if ui.json() {
        ui.value(&RevisionV1 {
            path: name.to_string(),
            revision: at.to_string(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            sha256: Sha256::of(&bytes).to_string(),
        });
    } else {
        ui.content(&bytes);
    }
    Ok(())
}

fn restore(args: &RestoreArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let (name, at) = (outcome::file(&args.file)?, revision(&args.at)?);
    let done = opened.agent.notes.restore_file(&at, &name, &person::owner())?;
    if ui.json() {
        ui.value(&OutcomeV1::from(&done));
    } else {
        outcome::tell(&done, false, ui);
    }
    Ok(())
}

fn blame(args: &BlameArgs, opened: &OpenAgent, ui: &mut Ui) -> Result<(), CliError> {
    let (path, lines) = parse_address(&args.address)?;
    let name = outcome::file(&path)?;
    let count = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let from = lines.from.map_or(1, count);
    let last = from.saturating_add(BLAME_LINES_MAX - 1);
    // One more shows whether there are more.
    let to = lines.to.map_or(usize::MAX, count).min(last.saturating_add(1));
    let mut origins = opened.agent.history.blame(&name, Some(from..=to))?;
    let mut notices = behind(opened, ui)?;
    if origins.len() > BLAME_LINES_MAX {
        origins.truncate(BLAME_LINES_MAX);
        let (next, end) = (last + 1, last + BLAME_LINES_MAX);
        let message = format!(
            "Only lines up to {last} of `{name}` are shown; the next lines are `{name}#L{next}-L{end}`."
        );
        let notice = Notice::new("lines_left_out", message, "Long files are shown in parts.");
        ui.notice(&notice);
        notices.extend(Ui::wire_notices(&[notice]));
    }
    if ui.json() {
        let lines = origins.iter().map(BlamedLineV1::from).collect();
        ui.value(&BlameV1 { path: name.to_string(), lines, notices });
        return Ok(());
    }
    let mut last = None;
    for origin in &origins {
        let (line, text, whence) = told(origin);
        if last.as_ref() != Some(&whence) {
            ui.line(&whence);
            last = Some(whence);
        }
        ui.line(format!("{line:>6}  {text}").trim_end());
    }
    if origins.is_empty() {
        ui.say(nothing_to_blame(&name));
    }
    Ok(())
}

/// One heading for all lines with the same origin.
fn told(origin: &Origin) -> (usize, &str, String) {
    match origin {
        Origin::Unrecorded { line, text } => {
            (*line, text, "not recorded: edited outside inwit, or written just now".to_owned())
        }
        Origin::Recorded(blamed) => {
            let mut whence = format!("{}  {}", time::minute(blamed.at), blamed.actor);
            let named = [("", &blamed.receipt), ("session ", &blamed.session), ("", &blamed.proposal)];
            for (what, id) in named {
                id.iter().for_each(|id| whence.push_str(&format!("  {what}{id}")));
            }
            (blamed.line, &blamed.text, whence)
        }
    }
}

fn nothing_to_blame(name: &SafeName) -> String {
    format!("{name} has no such lines.")
}

fn revision(text: &str) -> Result<Rev, CliError> {
    Rev::parse(text).map_err(|error| CliError::new(error.code(), error.to_string()))
}
