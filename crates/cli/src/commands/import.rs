//! `inwit import`: take over what another system has written.

mod claude_code;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use inwit_engine::record::AuditDetail;
use inwit_home::keep::Use;
use inwit_model::ports::SkipReason;
use inwit_model::{Code, FileKind, Files};
use inwit_wire::StepV1;
use inwit_workspace::import::{self, ImportAction, ImportPlan, Imported, StayReason};
use inwit_workspace::{FsFiles, MemFiles, Others, generation};
use serde::Serialize;

use crate::compose;
use crate::error::CliError;
use crate::seeding::write_agent_file;
use crate::settings::{Origin, Settings, Value};
use crate::ui::Ui;

/// Take over what another system has written
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    pub from: From,
}

/// Where from.
#[derive(Debug, Subcommand)]
pub enum From {
    Openclaw(OpenclawArgs),
    ClaudeCode(claude_code::ClaudeCodeArgs),
}

/// Copy an OpenClaw workspace, byte for byte
///
/// Shows what would be copied and what stays; `--apply` copies. Nothing that is there is changed, and a
/// second run copies nothing; exit status 4 when files of one name differ. Only Markdown is copied:
/// scripts of skills, pictures and state stay, and so do BOOTSTRAP.md and HEARTBEAT.md, which belong to
/// the life the agent led there. Where there is no agent yet, one is made with the profile `openclaw`, so that its
/// prompt stays what it was. To use an OpenClaw folder in place, no import is needed:
/// `--workspace ~/.openclaw/workspace --profile openclaw`.
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

/// The profile under which an imported agent reads its files as OpenClaw does.
const OPENCLAW: &str = "openclaw";

/// What an import did or would do, as JSON.
#[derive(Serialize)]
struct ImportV1 {
    source: String,
    generation: &'static str,
    target: String,
    agent: String,
    profile: String,
    #[serde(rename = "isNew")]
    is_new: bool,
    applied: bool,
    copied: usize,
    conflicts: usize,
    steps: Vec<StepV1>,
    #[serde(rename = "leftOut")]
    left_out: Vec<StepV1>,
}

/// Most files that are no Markdown and are named; the others are counted.
const OTHERS_SHOWN_MAX: usize = 100;

/// The exit status that the import asks for.
pub fn run(args: &ImportArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    match &args.from {
        From::Openclaw(args) => openclaw(args, settings, here, ui),
        From::ClaudeCode(args) => claude_code::run(args, settings, here, ui),
    }
}

/// The exit status: that of a conflict when files of one name differ after copying.
fn openclaw(args: &OpenclawArgs, mut settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    let include = included(&args.include)?;
    let source_path = here.join(&args.dir);
    let source = FsFiles::open(&source_path)?;
    let (chosen, is_new) = match compose::choose(&mut settings) {
        Ok(chosen) => (chosen, false),
        Err(error)
            if matches!(error.code, Code::NoAgent | Code::AgentUnknown) && compose::may_make(&settings) =>
        {
            // The agent was OpenClaw's: its files go on meaning what they meant there.
            if !settings.layers.get("profile").is_some_and(|value| value.origin.is_flag()) {
                let origin = Origin::Flag("import openclaw");
                settings.layers.say("profile", Value { text: OPENCLAW.to_owned(), origin });
            }
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
    let mut imported = Imported::default();
    if args.apply {
        if is_new {
            let zone = settings.zone().0.iana_name().unwrap_or("UTC").to_owned();
            let file = chosen.home.join("agent.toml");
            // An import is what its source was: no file of the profile is added later.
            let given = settings.profile().seeds.iter().cloned().collect();
            write_agent_file(&file, &settings, &chosen.workspace, &chosen.home, &zone, &given)?;
        }
        record(&settings, &source_path, &plan)?;
        copy(&source, target.as_ref(), &plan, &mut imported)?;
    }
    let landmarks = source.landmarks()?;
    let generation = generation::of(&source, &landmarks).word();
    let wire = ImportV1 {
        source: source_path.display().to_string(),
        generation,
        target: chosen.workspace.display().to_string(),
        agent: chosen.id.clone(),
        profile: settings.profile().name,
        is_new,
        applied: args.apply,
        copied: imported.copied.len(),
        conflicts: imported.conflicts.len(),
        steps: steps(&plan, &imported),
        left_out: left_out(&plan, &source.others(OTHERS_SHOWN_MAX)?),
    };
    if ui.json() {
        ui.value(&wire)
    } else {
        tell(&wire, ui)
    }
    Ok(if imported.conflicts.is_empty() { 0 } else { Code::FileExists.spec().exit })
}

/// Writes down that an import is made; without that none is.
fn record(settings: &Settings, source: &Path, plan: &ImportPlan) -> Result<(), CliError> {
    let copies = plan.steps.iter().filter(|step| matches!(step.action, ImportAction::Copy(_))).count();
    let opened = compose::open_files_alone(settings.clone(), Use::Work)?;
    opened.agent.record(
        "import",
        &source.display().to_string(),
        AuditDetail::default().with("system", "openclaw").with("files", copies),
    )?;
    Ok(())
}

/// Copies the files one by one, so that an error can say how many there were.
fn copy(
    source: &FsFiles,
    target: &dyn Files,
    plan: &ImportPlan,
    imported: &mut Imported,
) -> Result<(), CliError> {
    for step in &plan.steps {
        let one = ImportPlan { steps: vec![step.clone()], left: Vec::new() };
        let done = import::carry_out(source, target, &one).map_err(|error| {
            CliError::from(error).hint(format!(
                "{} file(s) were copied and stay. Mend the cause and run the same command again: it goes on.",
                imported.copied.len()
            ))
        })?;
        imported.copied.extend(done.copied);
        imported.conflicts.extend(done.conflicts);
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

fn steps(plan: &ImportPlan, imported: &Imported) -> Vec<StepV1> {
    let step = |step: &import::ImportStep| {
        let (action, reason) = match &step.action {
            ImportAction::Copy(_) if imported.conflicts.contains(&step.name) => (
                "conflict",
                Some("It changed while the import ran, and was not copied; run the import again.".to_owned()),
            ),
            ImportAction::Copy(_) => ("copy", None),
            ImportAction::Barred(why) => ("conflict", Some(format!("In the target, {why}"))),
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

/// A file that nobody can address, with the reason.
fn skipped(skipped: &inwit_model::ports::Skipped) -> StepV1 {
    let reason = match skipped.reason {
        SkipReason::OddName => "Its name is outside what is read.",
        SkipReason::Link => "It is a symbolic link.",
        SkipReason::Special => "It is no file.",
        SkipReason::TooDeep => "It lies too deep.",
        SkipReason::Unreadable => "It cannot be read.",
        SkipReason::SyncConflict => "It is a copy that a sync tool left.",
        SkipReason::TooMany => "There are too many files.",
    };
    StepV1 { path: skipped.shown.clone(), action: "skip", reason: Some(reason.to_owned()) }
}

fn left_out(plan: &ImportPlan, others: &Others) -> Vec<StepV1> {
    let other = |path: String, reason: &str| StepV1 { path, action: "skip", reason: Some(reason.to_owned()) };
    let mut left: Vec<StepV1> = plan.left.iter().map(skipped).collect();
    left.extend(others.shown.iter().map(|path| other(path.clone(), "It is no Markdown.")));
    if others.more > 0 || others.is_partial {
        let least = if others.is_partial { "at least " } else { "" };
        left.push(other(format!("{least}{} more", others.more), "They are no Markdown either."));
    }
    left
}

fn tell(wire: &ImportV1, ui: &mut Ui) {
    ui.line(format!("from {} ({})", wire.source, wire.generation));
    ui.line(format!("to   {}", wire.target));
    let new = if wire.is_new { "new agent" } else { "agent" };
    ui.line(format!("     {new} `{}`, profile {}", wire.agent, wire.profile));
    if wire.profile != OPENCLAW {
        ui.line(format!(
            "     Under profile {} its prompt differs from OpenClaw's: `inwit config set profile {OPENCLAW} --agent {}` changes that.",
            wire.profile, wire.agent
        ));
    }
    for step in wire.steps.iter().chain(&wire.left_out) {
        let reason = step.reason.as_ref().map_or_else(String::new, |reason| format!("  {reason}"));
        ui.line(format!("{:<9} {}{reason}", step.action, step.path));
    }
    let copies = wire.steps.iter().filter(|step| step.action == "copy").count();
    if wire.applied {
        ui.line(format!("Copied {} file(s).", wire.copied));
        if wire.conflicts > 0 {
            ui.line(format!(
                "{} conflict(s): those files were left as they are on both sides.",
                wire.conflicts
            ));
        }
    } else {
        let conflicts = wire.steps.iter().filter(|step| step.action == "conflict").count();
        let kept =
            if conflicts > 0 { format!(", {conflicts} would stay as they are here") } else { String::new() };
        ui.line(format!("{copies} file(s) would be copied{kept}; `--apply` copies them."));
    }
}
