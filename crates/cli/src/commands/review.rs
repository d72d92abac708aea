//! `inwit review`: a language model reads sessions, and facts, a summary and open loops are kept.

use std::sync::Arc;

use clap::{Args, Subcommand};
use inwit_engine::sessions::reviewing::{ReviewReason, ReviewReport, ReviewedRange};
use inwit_home::reviewing::{review as review_by, wanted_by_hand};
use inwit_model::plural::counted;
use inwit_model::{Code, SessionId, time};
use inwit_wire::{ReviewReasonsV1, ReviewRunV1, ReviewStatusV1};

use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Default number of decisions.
const ROWS_DEFAULT: u16 = 20;

/// Note facts of sessions with a language model
///
/// One request for each range of new turns, to the language model of `llm.provider`. It reads sessions that ended, or
/// had no turn for 10 minutes. A fact is kept only if the user's own words say it; one from a turn with text of others
/// waits in the inbox. The settings
/// `review.facts`, `review.summary` and `review.open_loops` let this run when a session ends, and say what is kept;
/// if none of them is on, this command keeps all three.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit review --dry-run             Show which turns would be sent\n\
\x20 inwit review --session nightly\n\
\x20 inwit review why rye bread         Explain why a fact was kept or not\n\
\x20 inwit review status")]
#[command(args_conflicts_with_subcommands = true)]
pub struct ReviewArgs {
    #[command(subcommand)]
    pub verb: Option<ReviewVerb>,
    /// Only this session, also if it is running
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Show which turns would be sent; change and send nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What can be asked besides.
#[derive(Debug, Subcommand)]
pub enum ReviewVerb {
    /// Show sessions with new turns, the last review, and turns that were given up
    #[command(after_help = "Examples:\n\x20 inwit review status\n\x20 inwit review status --json")]
    Status,
    /// Explain why a part of an answer was kept or not
    Why(WhyArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\x20 inwit review why\n\x20 inwit review why rye bread")]
pub struct WhyArgs {
    /// Words of the fact [default: every part of the last answers]
    pub text: Vec<String>,
    /// Maximum number of decisions [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

pub fn run(args: &ReviewArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        None => review(args, settings, ui),
        Some(ReviewVerb::Status) => status(settings, ui),
        Some(ReviewVerb::Why(args)) => why(args, settings, ui),
    }
}

fn review(args: &ReviewArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))?;
    let opened = compose::open_files(settings)?;
    let stop = Arc::default();
    // A second Ctrl-C ends the program.
    ui.stops_on(&stop, &stop);
    if !args.dry_run {
        ui.aside("Asking the language model about new turns. Ctrl-C stops.");
    }
    let mut report = review_by(&opened, session.as_ref(), args.dry_run, &stop)?;
    if ui.json() {
        ui.value(&ReviewRunV1::from(&report));
    } else {
        tell(&report, args.dry_run, ui);
    }
    match report.ranges.iter_mut().find_map(|range| range.error.take()) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

fn tell(report: &ReviewReport, dry_run: bool, ui: &mut Ui) {
    report.notices.iter().for_each(|notice| ui.notice(notice));
    report.ranges.iter().for_each(|range| range_lines(range, ui));
    if report.ranges.is_empty() {
        ui.say(match report.held_back {
            0 => "No session has new turns to read.".to_owned(),
            held => format!(
                "{} with new turns: a failed attempt is repeated later, or another process reads it now.",
                counted(held, "session")
            ),
        });
    }
    if dry_run {
        ui.line("Dry run: no changes made.");
    } else {
        ui.line(format!("{} made.", counted(report.requests, "request")));
    }
}

fn range_lines(range: &ReviewedRange, ui: &mut Ui) {
    let turns = if range.first == range.last {
        format!("turn {}", range.first)
    } else {
        format!("turns {}-{}", range.first, range.last)
    };
    ui.line(format!("{:<10}  {}, {turns}", prose(range.outcome), range.session));
    range.parts.iter().for_each(|part| part_lines(part, ui));
}

fn part_lines(part: &ReviewReason, ui: &mut Ui) {
    let turn = part.turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
    ui.line(
        format!("  {:<13}  {}{turn}  {}", meaning(&part.outcome), prose(&part.kind), part.text).trim_end(),
    );
}

fn status(settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let status = opened.agent.sessions.review_status(wanted_by_hand(&opened.config.review))?;
    if ui.json() {
        ui.value(&ReviewStatusV1::from(&status));
        return Ok(());
    }
    let wanted = opened.config.review.wanted;
    let names = [(wanted.facts, "facts"), (wanted.summary, "summary"), (wanted.open_loops, "open loops")];
    let names: Vec<&str> = names.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name).collect();
    let automatic = if names.is_empty() { "only by command".to_owned() } else { names.join(", ") };
    ui.line(format!("automatic  {automatic}"));
    let last = status.last.as_ref().map_or_else(
        || "never".to_owned(),
        |review| {
            let outcome = review.end.as_ref().map_or("not finished", |end| &*end.outcome);
            format!("{} ({})", time::minute(review.start.at), prose(outcome))
        },
    );
    ui.line(format!("last       {last}"));
    ui.line(format!("waiting    {}", counted(status.waiting.len(), "session")));
    for waiting in &status.waiting {
        let failures = match waiting.failures {
            0 => String::new(),
            failures => format!(", {failures} failed in a row"),
        };
        ui.line(format!("  {}  {}{failures}", waiting.session, counted(waiting.turns as usize, "turn")));
    }
    ui.line(format!("given up   {}", counted(status.skipped.len(), "range")));
    for (review, reasons) in &status.skipped {
        let start = &review.start;
        let why: Vec<String> = reasons.iter().map(|reason| prose(&reason.outcome)).collect();
        ui.line(format!("  {}  turns {}-{}: {}", start.session, start.first, start.last, why.join(", ")));
    }
    Ok(())
}

fn why(args: &WhyArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let limit = usize::from(args.limit.unwrap_or(ROWS_DEFAULT));
    let opened = compose::open_files(settings)?;
    let found = opened.agent.sessions.review_why(&args.text.join(" "), limit)?;
    if ui.json() {
        ui.value(&ReviewReasonsV1::from(found.as_slice()));
        return Ok(());
    }
    for why in &found {
        let start = &why.review.start;
        ui.line(format!("{}  {}", time::minute(start.at), start.session));
        part_lines(&why.reason, ui);
        if !why.reason.detail.is_empty() {
            ui.line(format!("      {}", why.reason.detail.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    if found.is_empty() {
        ui.say("No review has such a part.");
    }
    Ok(())
}

/// An outcome as people read it.
fn meaning(outcome: &str) -> String {
    match outcome {
        "question" => "the user asked this".to_owned(),
        "quote_missing" => "the user did not write the quote".to_owned(),
        "unsupported" => "the user did not say all of it".to_owned(),
        "echo" => "known already".to_owned(),
        "steering" => "it reads like an instruction to a model".to_owned(),
        other => prose(other),
    }
}

fn prose(word: &str) -> String {
    word.replace('_', " ")
}
