//! `inwit import`: take over what another system has written.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use inwit_model::ports::SkipReason;
use inwit_model::{Code, FileKind, Files};
use inwit_wire::StepV1;
use inwit_workspace::import::{self, ImportAction, ImportPlan, StayReason};
use inwit_workspace::{FsFiles, MemFiles, generation};
use serde::Serialize;

use super::init;
use crate::compose;
use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;

/// Copy another system's workspace into an agent's
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    pub from: From,
}

/// Where from.
#[derive(Debug, Subcommand)]
pub enum From {
    Openclaw(OpenclawArgs),
}

/// Copy an OpenClaw workspace, byte for byte
///
/// Shows what would be copied; `--apply` copies. Nothing that is there is changed, and a second run
/// copies nothing. Only Markdown is copied: scripts of skills, pictures and state stay. BOOTSTRAP.md and HEARTBEAT.md stay behind: they belong to the life the agent led
/// there. Where there is no agent yet, one is made. To use an OpenClaw folder in place, no import is needed: `--workspace ~/.openclaw/workspace`.
#[derive(Debug, Args)]
pub struct OpenclawArgs {
    /// The OpenClaw workspace, for example ~/.openclaw/workspace
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Copy what the preview showed
    #[arg(long)]
    pub apply: bool,
    /// Copy this file too, although it usually stays behind: BOOTSTRAP.md or HEARTBEAT.md
    #[arg(long, value_name = "FILE")]
    pub include: Vec<String>,
}

/// What an import did or would do, as JSON.
#[derive(Serialize)]
struct ImportV1 {
    source: String,
    generation: &'static str,
    target: String,
    applied: bool,
    steps: Vec<StepV1>,
    #[serde(rename = "leftOut")]
    left_out: Vec<StepV1>,
}

pub fn run(args: &ImportArgs, mut settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let From::Openclaw(args) = &args.from;
    let include = included(&args.include)?;
    let source_path = here.join(&args.dir);
    let source = FsFiles::open(&source_path)?;
    let (chosen, is_new) = match compose::choose(&mut settings) {
        Ok(chosen) => (chosen, false),
        Err(error)
            if matches!(error.code, Code::NoAgent | Code::AgentUnknown) && compose::may_make(&settings) =>
        {
            (compose::new_agent(&settings)?, true)
        }
        Err(error) => return Err(error),
    };
    let target: Box<dyn Files> = match FsFiles::open(&chosen.workspace) {
        Ok(files) => Box::new(files),
        Err(error) if error.code == Code::WorkspaceMissing && args.apply => {
            Box::new(FsFiles::open_or_make(&chosen.workspace)?)
        }
        Err(error) if error.code == Code::WorkspaceMissing => Box::new(MemFiles::new()),
        Err(error) => return Err(error.into()),
    };
    let plan = import::plan_openclaw(&source, target.as_ref(), &include)?;
    if args.apply {
        import::carry_out(&source, target.as_ref(), &plan)?;
        if is_new {
            let zone = settings.zone().0.iana_name().unwrap_or("UTC").to_owned();
            let file = chosen.home.join("agent.toml");
            let nothing = std::collections::BTreeSet::new();
            init::write_agent_file(&file, &settings, &chosen.workspace, &chosen.home, &zone, &nothing)?;
        }
    }
    let landmarks = source.landmarks()?;
    let generation = generation::of(&source, &landmarks).word();
    let wire = ImportV1 {
        source: source_path.display().to_string(),
        generation,
        target: chosen.workspace.display().to_string(),
        applied: args.apply,
        steps: steps(&plan),
        left_out: left_out(&plan),
    };
    if ui.json() {
        ui.value(&wire)
    } else {
        tell(&wire, ui)
    }
    Ok(())
}

fn included(names: &[String]) -> Result<Vec<FileKind>, CliError> {
    let kind = |name: &String| match FileKind::at(name) {
        Some(kind @ (FileKind::Bootstrap | FileKind::Heartbeat)) => Ok(kind),
        _ => Err(CliError::new(
            Code::UsageBad,
            format!("`{name}` does not stay behind; --include takes BOOTSTRAP.md or HEARTBEAT.md."),
        )),
    };
    names.iter().map(kind).collect()
}

fn steps(plan: &ImportPlan) -> Vec<StepV1> {
    let step = |step: &import::ImportStep| {
        let (action, reason) = match &step.action {
            ImportAction::Copy(_) => ("copy", None),
            ImportAction::Same => ("same", None),
            ImportAction::Conflict => (
                "conflict",
                Some("Another file is there and stays; move it away to take this one.".to_owned()),
            ),
            ImportAction::Skip(StayReason::NotIncluded) => {
                ("skip", Some("It belongs to the life the agent led there.".to_owned()))
            }
            ImportAction::Skip(StayReason::Transcript) => ("skip", Some("It is a transcript.".to_owned())),
            ImportAction::Skip(StayReason::Unreadable(why)) => ("skip", Some(why.clone())),
        };
        StepV1 { path: step.name.to_string(), action, reason }
    };
    plan.steps.iter().map(step).collect()
}

fn left_out(plan: &ImportPlan) -> Vec<StepV1> {
    let reason = |reason: SkipReason| match reason {
        SkipReason::OddName => "Its name is outside what is read.",
        SkipReason::Link => "It is a symbolic link.",
        SkipReason::Special => "It is no file.",
        SkipReason::TooDeep => "It lies too deep.",
        SkipReason::Unreadable => "It cannot be read.",
        SkipReason::SyncConflict => "It is a copy that a sync tool left.",
        SkipReason::TooMany => "There are too many files.",
    };
    let step = |skipped: &inwit_model::ports::Skipped| StepV1 {
        path: skipped.shown.clone(),
        action: "skip",
        reason: Some(reason(skipped.reason).to_owned()),
    };
    plan.left.iter().map(step).collect()
}

fn tell(wire: &ImportV1, ui: &mut Ui) {
    ui.line(format!("from {} ({})", wire.source, wire.generation));
    ui.line(format!("to   {}", wire.target));
    for step in wire.steps.iter().chain(&wire.left_out) {
        let reason = step.reason.as_ref().map_or_else(String::new, |reason| format!("  {reason}"));
        ui.line(format!("{:<9} {}{reason}", step.action, step.path));
    }
    let copies = wire.steps.iter().filter(|step| step.action == "copy").count();
    if wire.applied {
        ui.line(format!("Copied {copies} file(s)."));
    } else {
        ui.line(format!("{copies} file(s) would be copied; `--apply` copies them."));
    }
}
