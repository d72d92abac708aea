//! `inwit dream`: promotes recalled passages, and what a model keeps of daily logs, into MEMORY.md.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use inwit_engine::core::record::AuditDetail;
use inwit_engine::learning::dreaming::{DreamReport, EngineStatus, Judged};
use inwit_home::OpenAgent;
use inwit_home::dreaming::dream as dream_by;
use inwit_model::plural::counted;
use inwit_model::time;
use inwit_model::{Code, DreamEngine};
use inwit_wire::{
    DreamReasonsV1, DreamRunV1, DreamStatusV1, DreamV1, DreamsV1, QuarantineClearedV1, QuarantineV1,
};
use jiff::Timestamp;

use super::undo;
use crate::error::CliError;
use crate::ui::Ui;
use crate::{complete, compose, outcome};
use inwit_settings::Settings;

/// Default number of rows.
const ROWS_DEFAULT: u16 = 20;

/// Move lasting facts of daily logs into MEMORY.md
///
/// Two engines: `recall` promotes passages that several different queries found and needs no model; `logs` sends
/// unread daily logs to the language model of `llm.provider` and appends the facts that it keeps. Runs the engines
/// of the setting `dream.engines`; without it, `recall`. Text from others goes to the inbox. Exit status 6 if another
/// pass is running.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit dream --dry-run\n\
\x20 inwit dream --engine logs --dry-run   Show which logs would be sent\n\
\x20 inwit dream why rye bread             Explain why a fact was promoted or not\n\
\x20 inwit dream status")]
#[command(args_conflicts_with_subcommands = true)]
pub struct DreamArgs {
    #[command(subcommand)]
    pub verb: Option<DreamVerb>,
    /// Engine to run [default: those of dream.engines]
    #[arg(long, value_name = "ENGINE", value_parser = PossibleValuesParser::new(DreamEngine::WORDS))]
    pub engine: Option<String>,
    /// Show what would be promoted or sent; change and send nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What can be asked besides.
#[derive(Debug, Subcommand)]
pub enum DreamVerb {
    /// List passes, newest first
    Log(LogArgs),
    /// Explain why a passage or fact was promoted or not
    Why(WhyArgs),
    /// Show last passes, next passes and unread logs
    Status(StatusArgs),
    /// List or release logs that are skipped because of a secret
    Quarantine(QuarantineArgs),
    /// Undo what a pass wrote into MEMORY.md
    Revert(RevertArgs),
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
    #[arg(long, value_name = "FILE", add = complete::files())]
    pub file: Option<String>,
    /// Maximum number of decisions [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\x20 inwit dream status\n\x20 inwit dream status --json")]
pub struct StatusArgs {}

#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct QuarantineArgs {
    #[command(subcommand)]
    pub verb: QuarantineVerb,
}

#[derive(Debug, Subcommand)]
pub enum QuarantineVerb {
    /// List quarantined logs
    List,
    /// Release logs, so that the next pass reads them again
    #[command(after_help = "Remove the secret from the log first, with an editor.\n\nExamples:\n\
\x20 inwit dream quarantine clear memory/2026-11-20.md\n\
\x20 inwit dream quarantine clear            Release every log")]
    Clear(ClearArgs),
}

#[derive(Debug, Args)]
pub struct ClearArgs {
    /// Logs to release [default: all]
    #[arg(value_name = "FILE", add = complete::files())]
    pub files: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n\x20 inwit dream log\n\x20 inwit dream revert 12 --dry-run\n\x20 inwit dream revert 12"
)]
pub struct RevertArgs {
    /// Number of the pass, as `inwit dream log` shows it
    #[arg(value_name = "RUN", value_parser = crate::args::whole::<i64>(1, i64::MAX))]
    pub run: i64,
    /// Show what would change; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn run(args: &DreamArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        None => dream(args, settings, ui),
        Some(DreamVerb::Log(args)) => log(args, settings, ui),
        Some(DreamVerb::Why(args)) => why(args, settings, ui),
        Some(DreamVerb::Status(_)) => status(settings, ui),
        Some(DreamVerb::Quarantine(QuarantineArgs { verb: QuarantineVerb::List })) => {
            quarantine(settings, ui)
        }
        Some(DreamVerb::Quarantine(QuarantineArgs { verb: QuarantineVerb::Clear(args) })) => {
            clear(args, settings, ui)
        }
        Some(DreamVerb::Revert(args)) => revert(args, settings, ui),
    }
}

fn dream(args: &DreamArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let engines = match args.engine.as_deref().and_then(DreamEngine::parse) {
        Some(engine) => vec![engine],
        // The engines are known once the agent's file was read.
        None if opened.config.dreams.engines.is_empty() => vec![DreamEngine::Recall],
        None => opened.config.dreams.engines.clone(),
    };
    if !args.dry_run {
        opened.agent.core.record(
            "dream",
            &opened.chosen.id,
            AuditDetail::default().with("trigger", "manual"),
        )?;
    }
    let mut reports = Vec::new();
    let mut ended = Ok(());
    for engine in &engines {
        match pass(&opened, *engine, args.dry_run) {
            Ok(report) => reports.push(report),
            Err(error) => {
                ended = Err(error);
                break;
            }
        }
    }
    match (&*reports, ui.json()) {
        ([], _) => {}
        ([report], true) if engines.len() == 1 => ui.value(&DreamV1::from(report)),
        (reports, true) => ui.value(&DreamRunV1::from(reports)),
        (reports, false) => reports.iter().for_each(|report| tell(report, ui)),
    }
    ended
}

/// One pass; a taken lock and an unusable answer are errors here.
fn pass(opened: &OpenAgent, engine: DreamEngine, dry_run: bool) -> Result<DreamReport, CliError> {
    let mut report = dream_by(opened, engine, dry_run, "manual")?;
    if let Some(holder) = &report.holder {
        return Err(CliError::new(Code::Locked, holder.clone())
            .hint("Wait until that pass has finished; `inwit dream log` shows its result."));
    }
    match report.error.take() {
        Some(error) => Err(error.into()),
        None => Ok(report),
    }
}

fn tell(report: &DreamReport, ui: &mut Ui) {
    report.notices.iter().for_each(|notice| ui.notice(notice));
    match report.engine {
        DreamEngine::Recall => report.judged.iter().for_each(|judged| candidate(judged, ui)),
        DreamEngine::Logs => report.judged.iter().for_each(|judged| log_decision(judged, ui)),
    }
    if report.judged.is_empty() {
        ui.say(match report.engine {
            DreamEngine::Recall => "No passage of a daily log was recalled.",
            DreamEngine::Logs => "No daily log has unread text.",
        });
    }
    ui.line(match report.outcome {
        "appended" => "Promoted into long-term memory.",
        "nothing_to_promote" => "Nothing was promoted.",
        "pending" => "The chosen passages are in the inbox for your approval.",
        "refused" => "The gate refused the chosen passages; nothing was promoted.",
        "pii_detected_quarantine" => "Text that looks like a secret was found; nothing was promoted.",
        "dry_run" => "Dry run: no changes made.",
        other => other,
    });
    report.receipt.iter().for_each(|receipt| ui.line(format!("receipt   {}", receipt.id)));
    report.pending.iter().for_each(|proposal| ui.line(format!("proposal  {proposal}")));
}

/// A claim of the model, or a whole log.
fn log_decision(judged: &Judged, ui: &mut Ui) {
    // The claim is shown on its own line.
    let detail = judged.detail.split(", claim: ").next().unwrap_or_default();
    ui.line(format!("{:<17}  {}  {detail}", prose(judged.outcome), place(judged)).trim_end());
    words(&judged.text, ui);
}

fn candidate(judged: &Judged, ui: &mut Ui) {
    let (outcome, place) = (prose(judged.outcome), place(judged));
    ui.line(format!("{:.2}  {outcome:<17}  {place}  {}", judged.score, judged.detail));
    words(&judged.text, ui);
}

fn place(judged: &Judged) -> String {
    match judged.lines {
        Some((from, to)) if from == to => format!("{}#L{from}", judged.path),
        Some((from, to)) => format!("{}#L{from}-L{to}", judged.path),
        None => judged.path.to_string(),
    }
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
        let (number, engine) = (dream.number.0, dream.engine.word());
        let row = format!("{number:>4}  {started}  {engine:<6}  {:<11}  {outcome}  {counts}", dream.trigger);
        ui.line(row.trim_end());
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
        match why.dream.engine {
            DreamEngine::Recall => {
                let outcome = prose(&reason.outcome);
                ui.line(format!("{started}  {outcome:<17}  {:.2}  {}", reason.score, reason.path));
            }
            DreamEngine::Logs => {
                ui.line(format!("{started}  {:<17}  {}", meaning(&reason.outcome), reason.path));
            }
        }
        let detail = reason.detail.split(", claim: ").next().unwrap_or_default();
        if !detail.is_empty() {
            ui.line(format!("      {detail}"));
        }
        words(why.text.as_deref().unwrap_or_default(), ui);
    }
    if found.is_empty() {
        ui.say("No pass has examined such a passage.");
    }
    Ok(())
}

/// An outcome of the log engine as people read it.
fn meaning(outcome: &str) -> String {
    match outcome {
        "read" => "read by the model, which did not keep it".to_owned(),
        "read_elsewhere" => "read by another program, as the watermark says".to_owned(),
        "over_budget" => "not read yet: it did not fit".to_owned(),
        "outside_window" => "not read: older than dream.window_days".to_owned(),
        "truncated_head" => {
            "the head of the line is not read: it is longer than dream.max_file_bytes".to_owned()
        }
        "steering" => "dropped: it reads like an instruction to a model".to_owned(),
        "invisible_character" => "dropped: it contains an invisible character".to_owned(),
        other => prose(other),
    }
}

fn status(settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let config = &opened.config;
    let status = opened.agent.learning.dream_status(&config.dreams, &config.dream_logs.limits)?;
    if ui.json() {
        ui.value(&DreamStatusV1::from(&status));
        return Ok(());
    }
    status.notices.iter().for_each(|notice| ui.notice(notice));
    status.engines.iter().for_each(|engine| engine_line(engine, ui));
    let last_run = status.last_run_at.map_or_else(|| "never".to_owned(), time::minute);
    ui.line(format!("last run     {last_run}"));
    let watermark = status.watermark_ms.and_then(|mark| Timestamp::from_millisecond(mark as i64).ok());
    ui.line(format!("watermark    {}", watermark.map_or_else(|| "none".to_owned(), time::minute)));
    let bytes: u64 = status.waiting.iter().map(|(_, bytes)| bytes).sum();
    let unread = counted(status.waiting.len(), "log");
    ui.line(format!("unread       {unread}, {bytes} bytes"));
    let held: usize = status.quarantined.entries.iter().map(|entry| entry.log_filenames.len()).sum();
    ui.line(format!("quarantined  {}", counted(held, "log")));
    Ok(())
}

fn engine_line(status: &EngineStatus, ui: &mut Ui) {
    let last = status.last.as_ref().map_or_else(
        || "no pass yet".to_owned(),
        |dream| {
            let outcome = dream.end.as_ref().map_or("not finished", |end| &*end.outcome);
            format!("last pass {} ({})", time::minute(dream.started), prose(outcome))
        },
    );
    let due = match status.due {
        Some(due) => format!("due {}", time::minute(due)),
        None => "runs only by command".to_owned(),
    };
    let failures = match status.failures {
        0 => String::new(),
        failures => format!(", {failures} failed in a row"),
    };
    ui.line(format!("{:<11}  {last}; {due}{failures}", status.engine.word()));
}

fn quarantine(settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let held = opened.agent.learning.quarantined_logs()?;
    held.notices.iter().for_each(|notice| ui.notice(notice));
    if ui.json() {
        ui.value(&QuarantineV1::from(held.entries.as_slice()));
        return Ok(());
    }
    for entry in &held.entries {
        let at = time::minute(entry.quarantined_at);
        ui.line(format!("{at}  {:<17}  {}", entry.pattern, entry.log_filenames.join(", ")));
    }
    if held.entries.is_empty() {
        ui.say("No log is quarantined.");
    }
    Ok(())
}

fn clear(args: &ClearArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let detail = AuditDetail::default().with("cleared", args.files.join(" "));
    opened.agent.core.record("dream_quarantine", &opened.chosen.id, detail)?;
    let cleared = opened.agent.learning.clear_quarantine(&args.files)?;
    if ui.json() {
        ui.value(&QuarantineClearedV1::from(cleared.as_slice()));
        return Ok(());
    }
    cleared.iter().for_each(|name| ui.line(format!("released  {name}")));
    if cleared.is_empty() {
        ui.say("No such log is quarantined.");
    }
    Ok(())
}

fn revert(args: &RevertArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let receipt = opened.agent.learning.dream_receipt(args.run)?;
    undo::of_file(args.dry_run, &opened, Some(&receipt), ui)
}
