//! `inwit dream`: promotes frequently recalled passages to MEMORY.md.

use clap::{Args, Subcommand};
use inwit_engine::core::record::AuditDetail;
use inwit_engine::learning::dreaming::{DreamAsk, DreamReport, Judged};
use inwit_model::Code;
use inwit_model::time;
use inwit_wire::{DreamReasonsV1, DreamV1, DreamsV1};

use crate::error::CliError;
use crate::ui::Ui;
use crate::{compose, outcome};
use inwit_settings::Settings;

/// Default number of rows.
const ROWS_DEFAULT: u16 = 20;

/// Move frequently recalled entries of daily logs into MEMORY.md
///
/// Needs no model. A passage is promoted only if several different queries found it; the settings `dream.min_…`
/// set how many. Text from others goes to the inbox. Exit status 6 if another pass is running.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit dream --dry-run\n\
\x20 inwit dream\n\
\x20 inwit dream why rye bread       Explain why a passage was promoted or not\n\
\x20 inwit dream log -n 5")]
#[command(args_conflicts_with_subcommands = true)]
pub struct DreamArgs {
    #[command(subcommand)]
    pub verb: Option<DreamVerb>,
    /// Show what would be promoted; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What can be asked besides.
#[derive(Debug, Subcommand)]
pub enum DreamVerb {
    /// List passes, newest first
    Log(LogArgs),
    /// Explain why a passage was promoted or not
    Why(WhyArgs),
}

#[derive(Debug, Args)]
pub struct LogArgs {
    /// Maximum number of passes [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct WhyArgs {
    /// Words of the passage [default: every passage of the last passes]
    pub text: Vec<String>,
    /// Only passages of this file
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Maximum number of decisions [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

pub fn run(args: &DreamArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        None => dream(args.dry_run, settings, ui),
        Some(DreamVerb::Log(args)) => log(args, settings, ui),
        Some(DreamVerb::Why(args)) => why(args, settings, ui),
    }
}

fn dream(dry_run: bool, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    // The thresholds are known once the agent's file was read.
    let gates = opened.config.dreams.gates;
    if !dry_run {
        opened.agent.core.record(
            "dream",
            &opened.chosen.id,
            AuditDetail::default().with("trigger", "manual"),
        )?;
    }
    let report = opened.agent.learning.dream(&DreamAsk { gates, dry_run, trigger: "manual".into() })?;
    if let Some(holder) = &report.holder {
        return Err(CliError::new(Code::Locked, holder.clone())
            .hint("Wait until that pass has finished; `inwit dream log` shows its result."));
    }
    if ui.json() {
        ui.value(&DreamV1::from(&report));
    } else {
        tell(&report, ui);
    }
    Ok(())
}

fn tell(report: &DreamReport, ui: &mut Ui) {
    report.notices.iter().for_each(|notice| ui.notice(notice));
    report.judged.iter().for_each(|judged| candidate(judged, ui));
    if report.judged.is_empty() {
        ui.say("No passage of a daily log was recalled.");
    }
    ui.line(match report.outcome {
        "appended" => "Promoted into long-term memory.",
        "nothing_to_promote" => "Nothing was promoted.",
        "pending" => "The chosen passages are in the inbox for your approval.",
        "refused" => "The gate refused the chosen passages; nothing was promoted.",
        "pii_detected_quarantine" => "A log contains text that looks like a secret; nothing was promoted.",
        "dry_run" => "Dry run: no changes made.",
        other => other,
    });
    report.receipt.iter().for_each(|receipt| ui.line(format!("receipt   {}", receipt.id)));
    report.pending.iter().for_each(|proposal| ui.line(format!("proposal  {proposal}")));
}

fn candidate(judged: &Judged, ui: &mut Ui) {
    let place = match judged.lines {
        Some((from, to)) if from == to => format!("{}#L{from}", judged.path),
        Some((from, to)) => format!("{}#L{from}-L{to}", judged.path),
        None => judged.path.to_string(),
    };
    ui.line(format!("{:.2}  {:<17}  {place}  {}", judged.score, prose(judged.outcome), judged.detail));
    words(&judged.text, ui);
}

/// An outcome as people read it: `nothing to promote`.
fn prose(outcome: &str) -> String {
    outcome.replace('_', " ")
}

/// A passage on one line.
fn words(text: &str, ui: &mut Ui) {
    if !text.is_empty() {
        ui.line(format!("      {}", text.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
}

fn log(args: &LogArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let dreams = agent.learning.dreams(usize::from(args.limit.unwrap_or(ROWS_DEFAULT)))?;
    if ui.json() {
        ui.value(&DreamsV1::from(dreams.as_slice()));
        return Ok(());
    }
    for dream in &dreams {
        let started = time::minute(dream.started);
        let (outcome, counts) = match &dream.end {
            Some(end) => {
                let counts = end.counts.iter().map(|(name, count)| format!("{} {count}", prose(name)));
                (prose(&end.outcome), counts.collect::<Vec<_>>().join(", "))
            }
            None => ("not finished: it is running, or its process died".to_owned(), String::new()),
        };
        ui.line(format!("{started}  {:<7}  {outcome}  {counts}", dream.trigger).trim_end());
    }
    if dreams.is_empty() {
        ui.say("No passes yet.");
    }
    Ok(())
}

fn why(args: &WhyArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let file = args.file.as_deref().map(outcome::file).transpose()?;
    let limit = usize::from(args.limit.unwrap_or(ROWS_DEFAULT));
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let found = agent.learning.dream_why(file.as_ref(), &args.text.join(" "), limit)?;
    if ui.json() {
        ui.value(&DreamReasonsV1::from(found.as_slice()));
        return Ok(());
    }
    for why in &found {
        let (started, reason) = (time::minute(why.dream.started), &why.reason);
        ui.line(format!("{started}  {:<17}  {:.2}  {}", prose(&reason.outcome), reason.score, reason.path));
        ui.line(format!("      {}", reason.detail));
        words(why.text.as_deref().unwrap_or_default(), ui);
    }
    if found.is_empty() {
        ui.say("No pass has examined such a passage.");
    }
    Ok(())
}
