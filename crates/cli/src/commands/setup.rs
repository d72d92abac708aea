//! `inwit setup`: configures a host to use inwit, or removes the configuration.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use inwit_model::Code;
use inwit_wire::{ChecksV1, HostFileV1, HostV1, HostsV1, SetupV1};

use super::init::{self, InitArgs};
use crate::error::CliError;
use crate::setup::call::{Own, is_program};
use crate::setup::hosts::ENTRY;
use crate::setup::plan::{Aim, carry_out};
use crate::setup::receipt::Receipt;
use crate::setup::stood::noted;
use crate::setup::{FilePlan, HOSTS, Host, Places, check, plan};
use crate::ui::Ui;
use inwit_settings::agent::{self, Meant};
use inwit_settings::{Origin, Settings};

/// Connect Claude Code or Codex
///
/// Without HOST, lists the hosts. With one, shows what would change in its configuration. `--apply` changes it,
/// and creates an agent if there is none. Your own lines are not changed, and a second run changes nothing.
/// `--uninstall --apply` restores the files byte for byte; in files that you changed since, it removes only the
/// entries of setup. Your own entry under the name `inwit` is never changed. The hooks and the server use the
/// agent, folder, profile and home of this command. `--check` runs each hook and the server as the host would,
/// writes nothing, and exits with 1 if one fails.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit setup\n\
\x20 inwit setup claude-code --apply\n\
\x20 inwit setup codex --uninstall --apply\n\
\x20 inwit setup --check")]
pub struct SetupArgs {
    /// Host to connect
    #[arg(value_parser = PossibleValuesParser::new(HOSTS.iter().map(|host| host.name)))]
    pub host: Option<String>,
    /// Change the files
    #[arg(long, requires = "host")]
    pub apply: bool,
    #[command(flatten)]
    pub preview: crate::args::PreviewArgs,
    /// Remove what setup added
    #[arg(long, requires = "host")]
    pub uninstall: bool,
    /// Let the host call the tools that only read without asking (Claude Code)
    #[arg(long, requires = "host", conflicts_with = "uninstall")]
    pub allow_read_tools: bool,
    /// Delete comments and trailing commas from the host's JSON files; `--uninstall` restores them
    #[arg(long, requires = "host", conflicts_with = "uninstall")]
    pub strict_json: bool,
    /// Run each hook and the server as the host would, and report what fails
    #[arg(long, conflicts_with_all = ["apply", "uninstall", "allow_read_tools", "strict_json"])]
    pub check: bool,
}

pub fn run(args: &SetupArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let places = Places::of(&settings);
    let own = own(&settings, &places);
    if args.check {
        return check(args.host.as_deref(), &settings, &places, &own, ui);
    }
    let Some(host) = args.host.as_deref().and_then(Host::named) else {
        return list(&settings, &places, &own, ui);
    };
    let aim = if args.uninstall { Aim::Out } else { Aim::In };
    let known = Receipt::read(&settings.paths.state, host.name);
    let allows_reads = args.allow_read_tools || known.files.iter().any(|put| !put.rules.is_empty());
    let wishes = host.wishes(&places, &own, allows_reads);
    let receipt = match aim {
        Aim::In if args.apply => noted(&wishes, known, &settings.paths.state, host.name)?,
        _ => known,
    };
    if !args.uninstall && !is_program(&own.program) {
        let message = format!(
            "The file of this program is called {}, so setup could not recognise its entries later.",
            own.program
        );
        return Err(CliError::new(Code::SettingBad, message)
            .hint("Rename it to `inwit`, or to `inwit-` with a version or platform."));
    }
    let skill = host.skill(&places);
    let plans = plan(&wishes, skill.as_deref(), &receipt, aim, args.strict_json)?;
    let needs_agent = aim == Aim::In && needs_agent(&settings)?;
    if args.apply {
        if needs_agent {
            init::run(&InitArgs { dir: None, timezone: None, dry_run: false }, settings.clone(), here, ui)?;
        }
        carry_out(&plans, aim, &receipt, &settings.paths.state, host.name)?;
    }
    let found = host.found(&places).map(|place| place.display().to_string());
    if ui.json() {
        let files = plans.iter().map(|plan| HostFileV1 {
            path: plan.path.display().to_string(),
            action: plan.word(),
            diff: plan.diff(),
            notes: plan.notes.clone(),
            fault: plan.fault.clone(),
            hooks_off: plan.hooks_off,
        });
        ui.value(&SetupV1 { host: host.name, found, applied: args.apply, files: files.collect() });
        return Ok(());
    }
    if found.is_none() {
        ui.say(format!(
            "{} was not found: no {}, and no `{}`.",
            host.title,
            host.folder(&places).display(),
            host.program
        ));
    }
    tell(host, &plans, args, needs_agent, ui);
    Ok(())
}

fn tell(host: &Host, plans: &[FilePlan], args: &SetupArgs, needs_agent: bool, ui: &mut Ui) {
    for plan in plans {
        ui.line(format!("{:<7} {}", plan.word(), plan.path.display()));
        if !args.apply {
            plan.diff().lines().for_each(|line| ui.line(line));
        }
    }
    plans.iter().flat_map(|plan| &plan.notes).for_each(|note| ui.say(format!("note: {note}")));
    let is_change = plans.iter().any(FilePlan::is_change);
    if args.allow_read_tools && host.permissions.is_none() {
        ui.say(format!(
            "note: {} has no list of allowed tools; the tools of inwit that only read are marked read-only.",
            host.title
        ));
    }
    let mut is_ignored = false;
    for (plan, fault) in plans.iter().filter_map(|plan| Some((plan, plan.fault.as_ref()?))) {
        is_ignored = true;
        ui.say(format!("warning: {} ignores {}: {fault}.", host.title, plan.path.display()));
        ui.say(format!(
            "hint: `inwit setup {} --apply --strict-json` deletes comments and trailing commas; `--uninstall` restores them.",
            host.name
        ));
    }
    for (plan, setting) in plans.iter().filter_map(|plan| Some((plan, plan.hooks_off?))) {
        is_ignored = true;
        ui.say(format!("warning: {} runs no hooks: {setting} in {}.", host.title, plan.path.display()));
        ui.say("hint: Change that setting, then start a new session.");
    }
    let is_left = args.uninstall && plans.iter().any(|plan| !plan.notes.is_empty());
    match (is_change, args.apply, args.uninstall) {
        (_, true, false) if is_ignored => {
            ui.line(format!("{} is not connected yet.", host.title));
        }
        (false, _, false) if is_ignored => {
            ui.line(format!("{} is not connected yet.", host.title));
        }
        (false, _, false) => ui.line(format!("{} is connected.", host.title)),
        (false, _, true) if is_left => {
            ui.line(format!("No entries of setup are in {}.", host.title));
        }
        (false, _, true) => ui.line(format!("No entries of inwit are in {}.", host.title)),
        (true, true, false) => ui.line(format!("{} is connected. {}", host.title, host.after)),
        (true, true, true) if is_left => {
            ui.line(format!("Removed the entries of setup from {}. Your notes stay.", host.title));
        }
        (true, true, true) => ui.line(format!("Removed inwit from {}. Your notes stay.", host.title)),
        (true, false, _) => {
            if needs_agent {
                ui.line("An agent would be created too, as with `inwit init`.");
            }
            let has_rules =
                plans.iter().any(|plan| plan.after.as_ref().is_some_and(|text| text.contains(ALLOWED)));
            if !args.uninstall && host.permissions.is_some() && !has_rules {
                ui.line("`--allow-read-tools` also lets it search and read without asking each time.");
            }
            ui.line("Preview: no changes made. Use `--apply` to change the files.");
        }
    }
}

/// Prefix of the permission rules for our tools.
const ALLOWED: &str = "\"mcp__inwit__";

/// Runs what the hosts would run. Error: `setup_failed`.
fn check(
    host: Option<&str>,
    settings: &Settings,
    places: &Places,
    own: &Own,
    ui: &mut Ui,
) -> Result<(), CliError> {
    let is_meant = |one: &&Host| match host {
        Some(name) => one.name == name,
        None => !Receipt::read(&settings.paths.state, one.name).files.is_empty(),
    };
    let mut checks = Vec::new();
    for host in HOSTS.iter().filter(is_meant) {
        checks.extend(check::all(host, &host.wishes(places, own, false))?);
    }
    let (count, failed) = (checks.len(), checks.iter().filter(|check| check.failed.is_some()).count());
    if ui.json() {
        ui.value(&ChecksV1 { checks });
    } else {
        for check in &checks {
            let (word, why) = check.failed.as_ref().map_or(("ok", ""), |why| ("failed", why.as_str()));
            let line = format!(
                "{word:<7} {:<12} {:<14} {:>5} ms  {why}",
                check.host, check.name, check.milliseconds
            );
            ui.line(line.trim_end());
        }
    }
    match (failed, count) {
        (_, 0) => Err(CliError::new(Code::SetupFailed, "inwit is not set up in any host")
            .hint("`inwit setup claude-code --apply` sets it up in Claude Code.")),
        (0, _) => Ok(()),
        (failed, all) => Err(CliError::new(Code::SetupFailed, format!("{failed} of {all} checks failed."))),
    }
}

fn list(settings: &Settings, places: &Places, own: &Own, ui: &mut Ui) -> Result<(), CliError> {
    let mut hosts = Vec::new();
    for host in HOSTS {
        let receipt = Receipt::read(&settings.paths.state, host.name);
        let skill = host.skill(places);
        let is_set_up = plan(&host.wishes(places, own, false), skill.as_deref(), &receipt, Aim::In, false)
            .is_ok_and(|plans| !plans.iter().any(|plan| plan.is_change() || !plan.is_in_force()));
        let found = host.found(places).map(|place| place.display().to_string());
        hosts.push((host, HostV1 { host: host.name, found, is_set_up }));
    }
    if ui.json() {
        ui.value(&HostsV1 { hosts: hosts.into_iter().map(|(_, host)| host).collect() });
        return Ok(());
    }
    for (host, wire) in hosts {
        let state = match (&wire.found, wire.is_set_up) {
            (_, true) => "connected".to_owned(),
            (Some(place), false) => {
                format!("found ({place}); `inwit setup {}` shows what would change", host.name)
            }
            (None, false) => "not found".to_owned(),
        };
        ui.line(format!("{:<12} {state}", host.name));
    }
    Ok(())
}

/// Whether the selected agent does not exist yet. Other errors are returned: a host would fail later.
fn needs_agent(settings: &Settings) -> Result<bool, CliError> {
    match agent::choose(&mut settings.clone()) {
        Ok(_) => Ok(false),
        Err(error)
            if matches!(error.code, Code::NoAgent | Code::AgentUnknown) && agent::may_make(settings) =>
        {
            Ok(true)
        }
        Err(error) => Err(error.into()),
    }
}

/// The command line for a host: by name if that finds this program, and with this command's agent, also in an empty
/// environment. Values from files are read there again.
pub(super) fn own(settings: &Settings, places: &Places) -> Own {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from(ENTRY));
    let by_name = places.path.iter().map(|folder| folder.join(ENTRY)).find(|program| program.is_file());
    let is_this = by_name.is_some_and(|found| found.canonicalize().ok() == program.canonicalize().ok());
    let program = if is_this { ENTRY.to_owned() } else { program.display().to_string() };
    let is_said_here = |key: &str| {
        let origin = settings.layers.get(key).map(|value| &value.origin);
        matches!(origin, Some(Origin::Env(_) | Origin::Flag(_)))
    };
    let folder = settings.folder("workspace").map(|folder| folder.display().to_string());
    let text = |key: &str| settings.layers.text(key).map(str::to_owned);
    // Of two exclusive options, the stronger one would win there.
    let (agent, folder) = match agent::meant(settings) {
        Meant::Both => (text("agent"), folder),
        Meant::Agent => (text("agent").filter(|_| is_said_here("agent")), None),
        Meant::Folder => (None, folder.filter(|_| is_said_here("workspace"))),
        Meant::Nothing => (None, None),
    };
    let profile = text("profile").filter(|_| is_said_here("profile"));
    let said = [("--agent", agent), ("--workspace", folder), ("--profile", profile)];
    let arguments = said.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value?]));
    let home = (!settings.finds_home_alone()).then(|| settings.paths.root.display().to_string());
    Own { program, home, arguments: arguments.flatten().collect() }
}
