//! `inwit service`: the server as a service of the user, which starts at each login.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use inwit_home::clock::SystemClock;
use inwit_home::own as own_files;
use inwit_model::{Clock as _, Code};
use inwit_settings::agent::agent_places;
use inwit_settings::table::SETTINGS;
use inwit_settings::{Origin, Settings};
use inwit_wire::{ServiceInstalledV1, ServiceLogV1, ServiceRemovedV1, ServiceStatusV1, ServiceUnitV1};

use super::serve::ListenArgs;
use super::setup::own;
use crate::error::CliError;
use crate::service::manager::Ask;
use crate::service::{Action, MARK, Manager, Service};
use crate::setup::foreign;
use crate::setup::hosts::{ENTRY, Places};
use crate::ui::Ui;

/// Run the HTTP server as a service
///
/// A service of your user, under systemd or, on macOS, launchd. It starts when you log in, and again when it fails. It serves
/// the home, agent and folder of this command. Under systemd it may write to the home, the state folder and the
/// workspaces of the agents only.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit service install --print\n\
\x20 inwit service install\n\
\x20 inwit service status\n\
\x20 inwit service logs --follow\n\
\x20 inwit service uninstall")]
pub struct ServiceArgs {
    #[command(subcommand)]
    pub verb: ServiceVerb,
}

#[derive(Debug, Subcommand)]
pub enum ServiceVerb {
    /// Write the unit of the service, and start it
    Install(InstallArgs),
    /// Show whether it is installed and runs; exits with 1 if it does not run
    Status,
    /// Show the last lines of its log
    Logs(LogsArgs),
    /// Stop it and remove its unit; notes and tokens stay
    Uninstall(UninstallArgs),
}

#[derive(Debug, Args)]
pub struct InstallArgs {
    #[command(flatten)]
    pub listen: ListenArgs,
    /// Only show the unit
    #[arg(long, conflicts_with = "force")]
    pub print: bool,
    /// Replace a unit with other text, and keep a copy of it
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct LogsArgs {
    /// How many lines
    #[arg(long, short = 'n', value_name = "COUNT", default_value = "50", value_parser = crate::args::whole::<u32>(1, LINES_MAX))]
    pub lines: u32,
    /// Show further lines as they come, until Ctrl-C
    #[arg(long, short)]
    pub follow: bool,
}

#[derive(Debug, Args)]
pub struct UninstallArgs {
    /// Remove the unit even if somebody else wrote it
    #[arg(long)]
    pub force: bool,
}

/// Most lines of a log that are shown.
const LINES_MAX: i64 = 100_000;

/// Runs it; false if the status is that the server does not run.
pub fn run(args: &ServiceArgs, settings: &Settings, here: &Path, ui: &mut Ui) -> Result<bool, CliError> {
    let service = Installation::of(settings);
    match &args.verb {
        ServiceVerb::Install(args) => service.install(args, settings, here, ui)?,
        ServiceVerb::Status => return service.status(ui),
        ServiceVerb::Logs(args) => service.logs(args, ui)?,
        ServiceVerb::Uninstall(args) => service.uninstall(args, ui)?,
    }
    Ok(true)
}

/// Where the unit of this user is, and who manages it.
struct Installation {
    manager: Manager,
    file: PathBuf,
    log: PathBuf,
    places: Places,
}

impl Installation {
    fn of(settings: &Settings) -> Self {
        let manager = Manager::of_this_system();
        let paths = &settings.paths;
        Self {
            manager,
            file: manager.file(above(&paths.user_file, CONFIG_DEPTH), &paths.user_home),
            log: paths.state.join("serve.log"),
            places: Places::of(settings),
        }
    }

    /// Errors: `file_exists` for a unit with other text, `service_failed`, those of the disk.
    fn install(
        &self,
        args: &InstallArgs,
        settings: &Settings,
        here: &Path,
        ui: &mut Ui,
    ) -> Result<(), CliError> {
        let path = self.file.display().to_string();
        let text = self.manager.text(&self.service(&args.listen, settings, here));
        if args.print {
            match ui.json() {
                true => ui.value(&ServiceUnitV1 { path, unit: text }),
                false => text.lines().for_each(|line| ui.line(line)),
            }
            return Ok(());
        }
        let before = foreign::read(&self.file)?;
        let action = Action::of(before.as_deref(), &text);
        if action == Action::Replace && !args.force {
            return Err(CliError::new(Code::FileExists, format!("{path} has other text.")).hint(
                "`--print` shows the new text, and `--force` writes it and keeps a copy of the old one.",
            ));
        }
        // What is not there when the service starts is not writable for it.
        for folder in [&settings.paths.root, &settings.paths.state] {
            own_files::make_folder(folder).map_err(|error| own_files::failed(folder, &error))?;
        }
        let mut backup = None;
        if let Some(before) = before.filter(|_| action == Action::Replace) {
            let stamp = SystemClock.now().strftime("%Y%m%dT%H%M%SZ");
            let copy = PathBuf::from(format!("{path}.{stamp}.bak"));
            foreign::write(&copy, &before)?;
            backup = Some(copy.display().to_string());
        }
        if action != Action::Keep {
            foreign::write(&self.file, &text)?;
        }
        let asks = self.manager.start(&self.file, action);
        let remaining = self.carry_out(&asks, "The unit is written, but ")?;
        let started = remaining.is_empty();
        let manager = self.manager.word();
        if ui.json() {
            let action = action.word();
            ui.value(&ServiceInstalledV1 { manager, path, action, backup, started, remaining });
            return Ok(());
        }
        ui.line(format!("{:<7} {path}", action.word()));
        if let Some(backup) = backup {
            ui.line(format!("The earlier unit is in {backup}."));
        }
        if started {
            ui.line("The server runs, and starts when you log in.");
            if self.manager == Manager::Systemd {
                ui.say("hint: `loginctl enable-linger` keeps it running while you are logged out.");
            }
        }
        left_to_do(&remaining, ui);
        for variable in unpassed(settings) {
            ui.say(format!("note: The service does not get {variable} of your environment. `inwit config set` stores settings."));
        }
        Ok(())
    }

    /// Runs these commands in order, or returns them if their program is not there. Error: `service_failed`.
    fn carry_out(&self, asks: &[Ask], what: &str) -> Result<Vec<String>, CliError> {
        let lines = |asks: &[Ask]| asks.iter().map(Ask::line).collect::<Vec<_>>();
        if asks.iter().any(|ask| !ask.is_there(&self.places.path)) {
            return Ok(lines(asks));
        }
        for (at, ask) in asks.iter().enumerate() {
            ask.output(&self.places.path).map_err(|error| {
                let next = lines(&asks[at..]).join("; ");
                CliError::new(error.code, format!("{what}{}", error.message))
                    .hint(format!("Once the reason is gone, run: {next}"))
            })?;
        }
        Ok(Vec::new())
    }

    /// Whether the server runs.
    fn status(&self, ui: &mut Ui) -> Result<bool, CliError> {
        let installed = foreign::read(&self.file)?.is_some();
        let ask = self.manager.asked();
        let health = match installed && ask.is_there(&self.places.path) {
            true => Some(self.manager.health(&ask.output(&self.places.path)?)),
            false => None,
        };
        let running = health.as_ref().map(|health| health.is_running);
        let path = self.file.display().to_string();
        if ui.json() {
            let (state, pid) = health.map_or((None, None), |health| (Some(health.state), health.pid));
            ui.value(&ServiceStatusV1 { manager: self.manager.word(), path, installed, running, state, pid });
            return Ok(running == Some(true));
        }
        match (installed, health) {
            (false, _) => {
                ui.line(format!("Not installed: no {path}."));
                ui.say("hint: `inwit service install` installs it.");
            }
            (true, Some(health)) => {
                let process = health.pid.map_or(String::new(), |pid| format!(", process {pid}"));
                ui.line(format!("{}{process}: {path}", health.state));
                if !health.is_running {
                    ui.say("hint: `inwit service logs` shows why.");
                }
            }
            (true, None) => ui.line(format!("Installed: {path}. `{}` shows whether it runs.", ask.line())),
        }
        Ok(running == Some(true))
    }

    fn logs(&self, args: &LogsArgs, ui: &mut Ui) -> Result<(), CliError> {
        let ask = self.manager.log(args.lines, args.follow, &self.log);
        if args.follow {
            if ui.json() {
                return Err(CliError::new(Code::UsageBad, "`--follow` has no end, so it is no JSON object."));
            }
            return ask.follow(&self.places.path);
        }
        let text = ask.output(&self.places.path)?;
        match ui.json() {
            true => ui.value(&ServiceLogV1 { lines: text.lines().map(str::to_owned).collect() }),
            false => text.lines().for_each(|line| ui.line(line)),
        }
        Ok(())
    }

    /// Errors: `file_exists` for a unit that somebody else wrote, `service_failed`, those of the disk.
    fn uninstall(&self, args: &UninstallArgs, ui: &mut Ui) -> Result<(), CliError> {
        let path = self.file.display().to_string();
        let found = foreign::read(&self.file)?;
        let removed = found.is_some();
        if found.is_some_and(|text| !text.contains(MARK)) && !args.force {
            return Err(CliError::new(Code::FileExists, format!("{path} was written by somebody else."))
                .hint("Nothing was changed. `--force` removes it anyway."));
        }
        let mut remaining = Vec::new();
        if removed {
            remaining = self.carry_out(&self.manager.stop(&self.file), "Nothing was removed: ")?;
            foreign::remove(&self.file, &[])?;
            remaining.extend(self.carry_out(&self.manager.forget(), "The unit is removed, but ")?);
        }
        if ui.json() {
            ui.value(&ServiceRemovedV1 { path, removed, remaining });
            return Ok(());
        }
        ui.line(match removed {
            true => format!("Removed {path}. Notes and tokens stay."),
            false => format!("Not installed: no {path}."),
        });
        left_to_do(&remaining, ui);
        Ok(())
    }

    /// What the unit says.
    fn service(&self, listen: &ListenArgs, settings: &Settings, here: &Path) -> Service {
        let paths = &settings.paths;
        let socket = listen.socket.as_ref().map(|socket| here.join(socket));
        let own = own(settings, &self.places);
        let program = match own.program.as_str() {
            // A link on the path stays the same when the program is updated.
            ENTRY => self.places.path.iter().map(|folder| folder.join(ENTRY)).find(|path| path.is_file()),
            path => Some(PathBuf::from(path)),
        };
        let mut arguments = vec!["serve".to_owned()];
        let mut add = |flag: &str, value: String| arguments.extend([flag.to_owned(), value]);
        listen.addresses(false).into_iter().for_each(|address| add("--addr", address.to_string()));
        socket.iter().for_each(|socket| add("--socket", socket.display().to_string()));
        listen.allow_host.iter().for_each(|host| add("--allow-host", host.clone()));
        arguments.extend(own.arguments);

        let mut variables = vec![("INWIT_HOME", paths.root.display().to_string())];
        let config = above(&paths.user_file, CONFIG_DEPTH);
        let state = above(&paths.state, 1);
        for (name, folder, usual) in
            [("XDG_CONFIG_HOME", config, ".config"), ("XDG_STATE_HOME", state, ".local/state")]
        {
            if *folder != paths.user_home.join(usual) {
                variables.push((name, folder.display().to_string()));
            }
        }

        let mut folders = vec![paths.root.clone(), paths.state.clone()];
        folders.extend(agent_places(settings).into_iter().map(|place| place.workspace));
        folders.extend(settings.folder("workspace").filter(|_| is_of_command(settings, "workspace")));
        folders.extend(socket.and_then(|socket| Some(socket.parent()?.to_owned())));
        let mut writes_to: Vec<PathBuf> = Vec::new();
        for folder in folders {
            if !writes_to.iter().any(|known| folder.starts_with(known)) {
                writes_to.push(folder);
            }
        }
        let program = program.unwrap_or_else(|| PathBuf::from(ENTRY));
        Service { program, arguments, variables, writes_to, log: self.log.clone() }
    }
}

/// `inwit/config.toml` in the folder of configuration.
const CONFIG_DEPTH: usize = 2;

/// The folder so many levels above `path`.
fn above(path: &Path, levels: usize) -> &Path {
    path.ancestors().nth(levels).unwrap_or(path)
}

/// Whether a setting was named by this command or its environment.
fn is_of_command(settings: &Settings, key: &str) -> bool {
    let origin = settings.layers.get(key).map(|value| &value.origin);
    matches!(origin, Some(Origin::Flag(_) | Origin::Env(_)))
}

/// The variables with settings that a unit does not have.
fn unpassed(settings: &Settings) -> Vec<String> {
    let rows = SETTINGS.iter().filter(|row| !["home", "agent", "workspace", "profile"].contains(&row.key));
    let said = rows.filter_map(|row| match &settings.layers.get(row.key)?.origin {
        Origin::Env(name) => Some(name.to_string()),
        _ => None,
    });
    said.collect()
}

fn left_to_do(remaining: &[String], ui: &mut Ui) {
    if !remaining.is_empty() {
        ui.line("The service manager was not found. Run on the machine of the service:");
        remaining.iter().for_each(|line| ui.line(format!("  {line}")));
    }
}
