//! `inwit init`: creates an agent with its first files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use inwit_model::{AgentId, Code};
use inwit_wire::{InitV1, StepV1};
use inwit_workspace::seed::{Offer, SeedAction, SeedPlan};
use inwit_workspace::{FsFiles, seed};

use crate::error::CliError;
use crate::seeding::{give, seeded, takes_over, write_agent_file};
use crate::ui::Ui;
use inwit_settings::agent::{self, Meant};
use inwit_settings::table::Reach;
use inwit_settings::{Layers, Origin, Settings, Value};

/// Create an agent, or add its missing files
///
/// Without DIR the workspace is in the home of inwit. Existing files are never overwritten, and files that you removed are
/// not created again, so you can run this at any time. An existing agent keeps its workspace, profile and time zone. The
/// first-run playbook BOOTSTRAP.md is only added to a new workspace.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit init\n\
\x20 inwit init ~/notes --agent work\n\
\x20 inwit init --timezone Europe/Madrid --dry-run")]
pub struct InitArgs {
    /// Folder of the workspace; created if it does not exist
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Time zone whose days name the daily logs [default: the setting timezone, or the system's]
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,
    /// Show what would be done; change nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn run(args: &InitArgs, mut settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let id = settings.layers.text("agent").unwrap_or(AgentId::MAIN).to_owned();
    let id = AgentId::parse(&id).map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let home = settings.paths.agents().join(id.as_str());
    let file = home.join("agent.toml");
    let known = file.exists();
    if agent::meant(&settings) == Meant::Agent {
        settings.layers.forget("workspace");
    }
    if known {
        stays(&file, "profile", settings.layers.get("profile").filter(|value| value.origin.is_flag()), &id)?;
        let zone = args.timezone.clone().map(|text| Value { text, origin: Origin::Flag("--timezone") });
        stays(&file, "timezone", zone.as_ref(), &id)?;
        settings.say_agent_file(&file)?;
    }
    let wanted = args.dir.as_ref().map(|dir| here.join(dir)).or_else(|| settings.folder("workspace"));
    let workspace = wanted.unwrap_or_else(|| home.join("workspace"));
    if known {
        same_workspace(&settings, &id, &home, &workspace)?;
    }
    let is_taken_over = takes_over(&settings, &workspace, &home);
    let zone = zone(args, &settings)?;
    if args.timezone.is_none() {
        settings.zone_notice().iter().for_each(|notice| ui.notice(notice));
    }
    let profile = settings.profile();
    let mut seeded_before = seeded(&file);
    let (plan, made) = if args.dry_run && !workspace.exists() {
        (
            seed::plan(&inwit_workspace::MemFiles::new(), &inwit_workspace::Landmarks::default(), &profile)?,
            None,
        )
    } else {
        let files =
            if args.dry_run { FsFiles::open(&workspace)? } else { FsFiles::open_or_make(&workspace)? };
        let mut landmarks = files.landmarks()?;
        landmarks.seeded_before.clone_from(&seeded_before);
        (seed::plan(&files, &landmarks, &profile)?, Some(files))
    };
    if let (false, Some(files)) = (args.dry_run, made) {
        let mut made = Vec::new();
        let mut write =
            |seeded: &BTreeSet<String>| write_agent_file(&file, &settings, &workspace, &home, &zone, seeded);
        let done = write(&seeded_before)
            .and_then(|()| give(&files, &plan, &mut seeded_before, &mut made, &mut write));
        done.map_err(|error| stopped(error, &file, &made))?;
    }
    tell(args, &id, &workspace, &profile.name, &zone, &plan, ui);
    if is_taken_over {
        let does = if args.dry_run { "would take over" } else { "took over" };
        ui.say(format!(
            "note: the agent {does} what this folder's memory got with `-w`: its facts, history and inbox."
        ));
    }
    Ok(())
}

/// An existing agent keeps its value of `key`; `init` changes nothing.
fn stays(file: &Path, key: &str, wanted: Option<&Value>, id: &AgentId) -> Result<(), CliError> {
    let mut own = Layers::lenient();
    own.say_file(file, &Origin::AgentFile, Reach::Agent)?;
    match (own.text(key), wanted) {
        (Some(said), Some(wanted)) if said != wanted.text => {
            let message = format!("The agent `{id}` already exists, with the {key} {said}.");
            Err(CliError::new(Code::AgentExists, message)
                .hint(format!("`inwit config set {key} {} --agent {id}` changes it.", wanted.text)))
        }
        _ => Ok(()),
    }
}

/// Reports what an interrupted `init` created: the default hint would say that nothing was changed.
fn stopped(error: CliError, file: &Path, made: &[String]) -> CliError {
    if error.hint.is_some() && !file.exists() {
        return error;
    }
    let there = if file.exists() { "The agent exists" } else { "Only folders were created" };
    let files = if made.is_empty() { String::new() } else { format!(", with {}", made.join(", ")) };
    error.hint(format!(
        "{there}{files}. Fix the cause and run the same `inwit init` again; it continues where it stopped."
    ))
}

/// An existing agent keeps its workspace.
fn same_workspace(settings: &Settings, id: &AgentId, home: &Path, wanted: &Path) -> Result<(), CliError> {
    let own = settings
        .layers
        .get("workspace")
        .filter(|value| matches!(value.origin, inwit_settings::Origin::AgentFile(_)));
    let own = own.map_or_else(|| home.join("workspace"), |value| PathBuf::from(&value.text));
    let same = own == wanted
        || matches!((own.canonicalize(), wanted.canonicalize()), (Ok(own), Ok(wanted)) if own == wanted);
    if same {
        return Ok(());
    }
    Err(CliError::new(
        Code::AgentExists,
        format!("The agent `{id}` already exists, with its workspace in {}.", own.display()),
    ))
}

fn zone(args: &InitArgs, settings: &Settings) -> Result<String, CliError> {
    if let Some(zone) = &args.timezone {
        jiff::tz::TimeZone::get(zone).map_err(|_| {
            CliError::new(Code::UsageBad, format!("`{zone}` is not an IANA time zone."))
                .hint("Use a name such as Europe/Madrid.")
        })?;
        return Ok(zone.clone());
    }
    Ok(settings.zone().0.iana_name().unwrap_or("UTC").to_owned())
}

fn tell(
    args: &InitArgs,
    id: &AgentId,
    workspace: &Path,
    profile: &str,
    zone: &str,
    plan: &SeedPlan,
    ui: &mut Ui,
) {
    let steps: Vec<StepV1> = plan
        .steps
        .iter()
        .map(|step| StepV1 { path: step.name.to_string(), ..step_of(&step.action) })
        .collect();
    if ui.json() {
        let workspace = workspace.display().to_string();
        ui.value(&InitV1 {
            agent: id.to_string(),
            workspace,
            profile: profile.into(),
            timezone: zone.into(),
            applied: !args.dry_run,
            steps,
        });
        return;
    }
    for step in &steps {
        let reason = step.reason.as_ref().map_or_else(String::new, |reason| format!("  {reason}"));
        ui.line(format!("{:<9} {}{reason}", step.action, step.path));
    }
    let would = if args.dry_run { "would be" } else { "is" };
    ui.line(format!("Agent `{id}` {would} in {}, profile {profile}, time zone {zone}.", workspace.display()));
    if !args.dry_run {
        ui.aside(NEXT);
    }
}

/// Next steps for a new agent.
const NEXT: &str = "Next:\n  inwit setup claude-code          Connect Claude Code or Codex\n  inwit import openclaw DIR        Import notes of another system\n  inwit remember \"Ana bakes rye\"   Keep something";

fn step_of(action: &SeedAction) -> StepV1 {
    let step = |action, reason: Option<&str>| StepV1 {
        path: String::new(),
        action,
        reason: reason.map(str::to_owned),
    };
    match action {
        SeedAction::Create(_) => step("create", None),
        SeedAction::Keep => step("keep", None),
        SeedAction::Withhold(Offer::Done) => step("withhold", Some("First-run setup is finished.")),
        SeedAction::Withhold(Offer::TakenAway) => {
            step("withhold", Some("It was created before and removed."))
        }
        SeedAction::Withhold(Offer::InUse | Offer::BrandNew) => {
            step("withhold", Some("The workspace is already in use."))
        }
    }
}
