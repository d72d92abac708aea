//! `inwit setup`: give a host that people run a memory, or take it out again.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use inwit_model::Code;
use serde::Serialize;

use super::init::{self, InitArgs};
use crate::compose::{self, Meant};
use crate::error::CliError;
use crate::settings::{Origin, Settings};
use crate::setup::call::Own;
use crate::setup::hosts::ENTRY;
use crate::setup::plan::{Aim, carry_out};
use crate::setup::receipt::Receipt;
use crate::setup::{FilePlan, HOSTS, Host, Places, plan};
use crate::ui::Ui;

/// Give Claude Code or Codex this memory
///
/// Without HOST, says which hosts are here. With one, shows what would change in its configuration; `--apply`
/// does it, and makes an agent where there is none. Every line of yours stays as it is, comments too; a
/// second run changes nothing; `--uninstall --apply` gives the files back byte for byte, or takes out our
/// entries alone where you changed the files since. An entry of your own under our name is never touched. What
/// the host will run serves the agent, the folder, the profile and the home that are meant here. The host's own
/// memory is left alone.
#[derive(Debug, Args)]
pub struct SetupArgs {
    /// The host
    #[arg(value_parser = PossibleValuesParser::new(HOSTS.iter().map(|host| host.name)))]
    pub host: Option<String>,
    /// Change the files
    #[arg(long, requires = "host")]
    pub apply: bool,
    /// Take it out again
    #[arg(long, requires = "host")]
    pub uninstall: bool,
}

/// A host, as JSON.
#[derive(Serialize)]
struct HostV1 {
    host: &'static str,
    found: Option<String>,
    #[serde(rename = "isSetUp")]
    is_set_up: bool,
}

/// What was done or would be, as JSON.
#[derive(Serialize)]
struct SetupV1 {
    host: &'static str,
    found: Option<String>,
    applied: bool,
    files: Vec<FileV1>,
}

/// A file, as JSON.
#[derive(Serialize)]
struct FileV1 {
    path: String,
    action: &'static str,
    diff: String,
    notes: Vec<String>,
}

pub fn run(args: &SetupArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let places = Places::of(&settings);
    let own = own(&settings, &places);
    let Some(host) = args.host.as_deref().and_then(Host::named) else {
        return list(&settings, &places, &own, ui);
    };
    let receipt = Receipt::read(&settings.state, host.name);
    let aim = if args.uninstall { Aim::Out } else { Aim::In };
    let plans = plan(&host.wishes(&places, &own), &receipt, aim)?;
    let needs_agent = aim == Aim::In && needs_agent(&settings)?;
    if args.apply {
        if needs_agent {
            init::run(&InitArgs { dir: None, timezone: None, dry_run: false }, settings.clone(), here, ui)?;
        }
        carry_out(&plans, &receipt, &settings.state, host.name)?;
    }
    let found = host.found(&places).map(|place| place.display().to_string());
    if ui.json() {
        let files = plans.iter().map(|plan| FileV1 {
            path: plan.path.display().to_string(),
            action: plan.word(),
            diff: plan.diff(),
            notes: plan.notes.clone(),
        });
        ui.value(&SetupV1 { host: host.name, found, applied: args.apply, files: files.collect() });
        return Ok(());
    }
    if found.is_none() {
        ui.say(format!(
            "{} was not found here: no {}, and no `{}`.",
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
    let is_left = args.uninstall && plans.iter().any(|plan| !plan.notes.is_empty());
    match (is_change, args.apply, args.uninstall) {
        (false, _, false) => ui.line(format!("{} has this memory.", host.title)),
        (false, _, true) if is_left => {
            ui.line(format!("Nothing that setup makes is in {}.", host.title));
        }
        (false, _, true) => ui.line(format!("Nothing of inwit is in {}.", host.title)),
        (true, true, false) => ui.line(format!("{} has this memory. {}", host.title, host.after)),
        (true, true, true) if is_left => {
            ui.line(format!("Nothing that setup makes is in {} any more. Your notes stay.", host.title));
        }
        (true, true, true) => {
            ui.line(format!("Nothing of inwit is in {} any more. Your notes stay.", host.title))
        }
        (true, false, _) => {
            if needs_agent {
                ui.line("An agent would be made as well, as `inwit init` does.");
            }
            ui.line("Nothing was changed; `--apply` does it.");
        }
    }
}

fn list(settings: &Settings, places: &Places, own: &Own, ui: &mut Ui) -> Result<(), CliError> {
    let mut hosts = Vec::new();
    for host in HOSTS {
        let receipt = Receipt::read(&settings.state, host.name);
        let is_set_up = plan(&host.wishes(places, own), &receipt, Aim::In)
            .is_ok_and(|plans| !plans.iter().any(FilePlan::is_change));
        let found = host.found(places).map(|place| place.display().to_string());
        hosts.push((host, HostV1 { host: host.name, found, is_set_up }));
    }
    if ui.json() {
        ui.value(&hosts.into_iter().map(|(_, host)| host).collect::<Vec<_>>());
        return Ok(());
    }
    for (host, wire) in hosts {
        let state = match (&wire.found, wire.is_set_up) {
            (_, true) => "has this memory".to_owned(),
            (Some(place), false) => {
                format!("found ({place}); `inwit setup {}` shows what would change", host.name)
            }
            (None, false) => "not found".to_owned(),
        };
        ui.line(format!("{:<12} {state}", host.name));
    }
    Ok(())
}

/// Whether nothing answers yet to who is meant. Other errors are told: a host would only fail later.
fn needs_agent(settings: &Settings) -> Result<bool, CliError> {
    match compose::choose(&mut settings.clone()) {
        Ok(_) => Ok(false),
        Err(error)
            if matches!(error.code, Code::NoAgent | Code::AgentUnknown) && compose::may_make(settings) =>
        {
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// How a host shall call us: by name where that finds this program, and for the same agent as this command, also
/// from an environment that says nothing. What a file says, a call reads there itself.
fn own(settings: &Settings, places: &Places) -> Own {
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
    // The other one of a pair in which one wins would win there.
    let (agent, folder) = match compose::meant(settings) {
        Meant::Both => (text("agent"), folder),
        Meant::Agent => (text("agent").filter(|_| is_said_here("agent")), None),
        Meant::Folder => (None, folder.filter(|_| is_said_here("workspace"))),
        Meant::Nothing => (None, None),
    };
    let profile = text("profile").filter(|_| is_said_here("profile"));
    let said = [("--agent", agent), ("--workspace", folder), ("--profile", profile)];
    let arguments = said.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value?]));
    let home = (!settings.finds_home_alone()).then(|| settings.home.display().to_string());
    Own { program, home, arguments: arguments.flatten().collect() }
}
