//! `inwit import`: imports files of another system.

mod claude_code;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use inwit_engine::notes::import::{self, Action, Import, Importer, Openclaw, Plan, Source, Step};
use inwit_home::clock::SystemClock;
use inwit_home::{keep, open};
use inwit_model::plural::counted;
use inwit_model::{Code, FileKind, Files};
use inwit_store_sqlite::SqliteIndex;
use inwit_wire::{ImportStepV1, ImportV1};
use inwit_workspace::{FsFiles, Generation, MemFiles, Others};

use crate::error::CliError;
use crate::seeding::write_agent_file;
use crate::ui::Ui;
use crate::{compose, hints, person};
use inwit_settings::agent;
use inwit_settings::{Origin, Settings, Value};

/// Import the workspace of another system
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit import openclaw ~/.openclaw/workspace           Show what would be copied\n\
\x20 inwit import openclaw ~/.openclaw/workspace --apply   Copy it\n\
\x20 inwit import claude-code --apply                      Propose the memory of a project")]
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
/// Shows which files would be copied; `--apply` copies them. Existing files are never changed, except unmodified
/// files of `inwit init`. A second run copies nothing. Exit status 4 if files of one name differ, 5 if the gate
/// refuses a file. Secrets, hidden characters and phrases that steer agents are copied and listed; they stay
/// masked for models until `inwit accept FILE`. Only Markdown is copied, so scripts of skills, pictures and state
/// are left out. BOOTSTRAP.md and HEARTBEAT.md are left out too, because they belong to the agent's work in
/// OpenClaw. If there is no agent yet, one is created with the profile `openclaw`, so that its prompt stays the
/// same. To use an OpenClaw folder in place, no import is needed: `--workspace ~/.openclaw/workspace --profile
/// openclaw`.
#[derive(Debug, Args)]
pub struct OpenclawArgs {
    /// OpenClaw workspace, for example ~/.openclaw/workspace
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Copy the files that the preview shows
    #[arg(long)]
    pub apply: bool,
    #[command(flatten)]
    pub preview: crate::args::PreviewArgs,
    /// Copy this file too, which is left out by default: BOOTSTRAP.md or HEARTBEAT.md
    #[arg(long, value_name = "FILE")]
    pub include: Vec<String>,
}

/// The profile under which an imported agent reads its files as OpenClaw does.
const OPENCLAW: &str = "openclaw";

/// Most other files that are listed; the rest is counted.
const OTHERS_SHOWN_MAX: usize = 100;

/// The exit status of the import.
pub fn run(args: &ImportArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    match &args.from {
        From::Openclaw(args) => openclaw(args, settings, here, ui),
        From::ClaudeCode(args) => claude_code::run(args, settings, here, ui),
    }
}

/// The exit status: conflict if existing files differ, else refusal if the gate refused a file. A dry run reports
/// conflicts and succeeds.
fn openclaw(args: &OpenclawArgs, mut settings: Settings, here: &Path, ui: &mut Ui) -> Result<u8, CliError> {
    let include = included(&args.include)?;
    let path = here.join(&args.dir);
    let files = FsFiles::open(&path)?;
    let landmarks = files.landmarks()?;
    let source = Source { files: &files, landmarks: &landmarks, path: &path, include: &include };
    let import = Import { importer: &Openclaw, source: &source, owner: &person::owner() };
    let (chosen, is_new) = match agent::choose(&mut settings) {
        Ok(chosen) => (chosen, false),
        Err(error)
            if matches!(error.code, Code::NoAgent | Code::AgentUnknown) && agent::may_make(&settings) =>
        {
            // The agent came from OpenClaw, so its files keep their meaning.
            if !settings.layers.get("profile").is_some_and(|value| value.origin.is_flag()) {
                let origin = Origin::Flag("import openclaw");
                settings.layers.say("profile", Value { text: OPENCLAW.to_owned(), origin });
            }
            (agent::new_agent(&settings)?, true)
        }
        Err(error) => return Err(error.into()),
    };
    let mut plan = plan(&import, &settings, &chosen.workspace)?;
    if args.apply {
        FsFiles::open_or_make(&chosen.workspace)?;
        if is_new {
            let zone = settings.zone().0.iana_name().unwrap_or("UTC").to_owned();
            let file = chosen.home.join("agent.toml");
            // No file of the profile is added to an import later.
            let given = settings.profile().seeds.iter().cloned().collect();
            write_agent_file(&file, &settings, &chosen.workspace, &chosen.home, &zone, &given)?;
        }
        let opened = compose::open_files(settings.clone())?;
        opened.agent.notes.import(&import, &mut plan).map_err(|error| {
            let error = CliError::from(error);
            match plan.count(|step| step.is_done) {
                0 => error,
                copied => error.hint(format!(
                    "Copied {} before that. Fix the cause and run the same command again to continue.",
                    counted(copied, "file")
                )),
            }
        })?;
    }
    let wire = ImportV1 {
        source: path.display().to_string(),
        generation: Openclaw.recognises(&source).unwrap_or(Generation::NotOpenClaw.word()),
        target: chosen.workspace.display().to_string(),
        agent: chosen.id.clone(),
        profile: settings.profile().name,
        is_new,
        applied: args.apply,
        copied: plan.count(|step| step.is_done),
        conflicts: plan.count(Step::is_conflict),
        refused: refused(&plan),
        findings: plan.classes(),
        steps: plan.steps.iter().map(ImportStepV1::from).collect(),
        left_out: left_out(&plan, &files.others(OTHERS_SHOWN_MAX)?),
    };
    if ui.json() {
        ui.value(&wire);
    } else {
        tell(&wire, ui);
        other_system(&import, ui);
    }
    Ok(if args.apply && wire.conflicts > 0 { Code::FileExists.spec().exit } else { status(wire.refused) })
}

/// The plan of an import of the owner's files. It reads only the folder and the gate, so the agent need not exist.
fn plan(import: &Import<'_>, settings: &Settings, workspace: &Path) -> Result<Plan, CliError> {
    let files: Arc<dyn Files> = match FsFiles::open(workspace) {
        Ok(files) => Arc::new(files),
        Err(error) if error.code == Code::WorkspaceMissing => Arc::new(MemFiles::new()),
        Err(error) => return Err(error.into()),
    };
    let index = SqliteIndex::in_memory().map_err(inwit_engine::EngineError::from)?;
    let config = settings.agent_config(compose::SURFACE)?;
    let agent = open::assemble(files, Box::new(index), &config, Arc::new(SystemClock), keep::in_memory()?);
    Ok(agent.notes.plan_import(import)?)
}

fn refused(plan: &Plan) -> usize {
    plan.count(|step| matches!(step.action, Action::Refused(_)))
}

fn status(refused: usize) -> u8 {
    if refused == 0 { 0 } else { Code::Refused.spec().exit }
}

fn included(names: &[String]) -> Result<Vec<FileKind>, CliError> {
    let kind = |name: &String| match FileKind::at(name) {
        Some(kind @ (FileKind::Bootstrap | FileKind::Heartbeat)) => Ok(kind),
        _ => Err(CliError::new(
            Code::UsageBad,
            format!("--include does not take `{name}`; use BOOTSTRAP.md or HEARTBEAT.md."),
        )),
    };
    names.iter().map(kind).collect()
}

fn left_out(plan: &Plan, others: &Others) -> Vec<ImportStepV1> {
    let mut left: Vec<ImportStepV1> = plan.left.iter().map(ImportStepV1::from).collect();
    left.extend(others.shown.iter().map(|path| ImportStepV1::left(path.clone(), "It is not Markdown.")));
    if others.more > 0 || others.is_partial {
        let least = if others.is_partial { "at least " } else { "" };
        left.push(ImportStepV1::left(
            format!("{least}{} more", others.more),
            "They are not Markdown either.",
        ));
    }
    left
}

/// Shows the steps with their findings, and the number of findings by class.
fn show<'s>(steps: impl Iterator<Item = &'s ImportStepV1>, ui: &mut Ui) {
    let mut masked: BTreeMap<&str, usize> = BTreeMap::new();
    for step in steps {
        let reason = step.reason.as_ref().map_or_else(String::new, |reason| format!("  {reason}"));
        ui.line(format!("{:<9} {}{reason}", step.action, step.path));
        if let (Some(hint), "refused") = (&step.hint, step.action) {
            ui.line(format!("          hint: {}", hint.0.said(hints::said)));
        }
        for finding in &step.findings {
            ui.line(format!("          line {}: {} ({})", finding.line, finding.check, finding.class));
            // A refused file is not shown.
            if step.action != "refused" {
                *masked.entry(&finding.class).or_default() += 1;
            }
        }
    }
    if !masked.is_empty() {
        let classes: Vec<String> = masked.iter().map(|(class, count)| format!("{class} {count}")).collect();
        ui.line(format!("Masked for models: {}. `inwit accept FILE` unmasks a file.", classes.join(", ")));
    }
}

/// Names the matching importer, if it is another one.
fn other_system(import: &Import<'_>, ui: &mut Ui) {
    if let Some(other) = import::recognised(import.source).filter(|one| one.id() != import.importer.id()) {
        ui.line(format!("This looks like a folder of {}: `inwit import {} DIR`.", other.title(), other.id()));
    }
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
    show(wire.steps.iter().chain(&wire.left_out), ui);
    let copies = wire.steps.iter().filter(|step| step.action == "copy").count();
    if wire.applied {
        ui.line(format!("Copied {}.", counted(wire.copied, "file")));
        if wire.conflicts > 0 {
            ui.line(format!("{}: both files were left unchanged.", counted(wire.conflicts, "conflict")));
        }
    } else {
        let kept = match wire.conflicts {
            0 => String::new(),
            conflicts => format!(", {conflicts} would stay as they are here"),
        };
        ui.line(format!("{} would be copied{kept}; `--apply` copies them.", counted(copies, "file")));
    }
    show_rooms(&wire.steps, ui);
    show_refused(wire.refused, wire.applied, ui);
}

/// A note may have a name that a room reads.
fn show_rooms(steps: &[ImportStepV1], ui: &mut Ui) {
    for step in steps {
        if let Some(room) = &step.room {
            ui.line(format!("The room `{room}` reads {}; leave it out if it is private.", step.path));
        }
    }
}

fn show_refused(refused: usize, applied: bool, ui: &mut Ui) {
    if refused > 0 {
        let verb = if applied { "Refused" } else { "Would refuse" };
        ui.line(format!("{verb} {}; each reason is shown beside the file.", counted(refused, "file")));
    }
}
