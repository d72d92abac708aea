//! `inwit serve`: the HTTP server.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use clap::Args;
use clap::builder::PossibleValuesParser;
use inwit_engine::self_report::Whereabouts;
use inwit_home::clock::SystemClock;
use inwit_home::entropy::SystemEntropy;
use inwit_home::upkeep::{self, Occasion};
use inwit_home::{AgentConfig, AgentPlace, HomeError, OpenAgent, Opening};
use inwit_http::agents::{McpAnswer, NewAgent};
use inwit_http::{Agents, Log, LogFormat, LogLevel, Server, ServerConfig, readiness, systemd};
use inwit_mcp::{Connection, streamable};
use inwit_model::{AgentId, Code, Scope, TraceId};
use inwit_settings::agent::{choose, configured, unknown};
use inwit_settings::table::{Reach, Setting};
use inwit_settings::{Origin, Settings, Value, edit};
use inwit_wire::tools;
use inwit_wire::{InitV1, ServerReadyV1, ServingV1, SettingsV1, StepV1};

use super::config;
use crate::browser;
use crate::compose::SURFACE;
use crate::error::CliError;
use crate::seeding;
use crate::ui::Ui;

/// Run the HTTP server for all agents of this home
///
/// Serves files, search, prompts, memory and proposals over HTTP; `/docs` lists the routes. On a loopback address,
/// programs of this machine read and propose without a token; everything else needs a token of `inwit token create`, and
/// with --allow-host or another address every request does. With --agent only that agent is served, and with --workspace only that folder.
/// Ctrl-C or SIGTERM stops it after the requests that it has read are answered; a second one stops it without.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit serve\n\
\x20 inwit serve --check\n\
\x20 inwit serve --addr 127.0.0.1:8080 --agent work\n\
\x20 inwit token create laptop --scope approve\n\
\x20 curl http://127.0.0.1:7717/v1/agents")]
pub struct ServeArgs {
    #[command(flatten)]
    pub listen: ListenArgs,
    /// Ask the server that listens there whether it is ready, and start none; exits with 1 if it is not
    #[arg(long, conflicts_with_all = ["open", "log", "log_format"])]
    pub check: bool,
    /// Open the page with the routes in your browser; at a terminal only
    #[arg(long)]
    pub open: bool,
    /// Which requests are logged to stderr; `changes` at a terminal, otherwise `info`
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(LogLevel::WORDS))]
    pub log: Option<String>,
    /// The form of a log line; `text` at a terminal, otherwise `json`
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(LogFormat::WORDS))]
    pub log_format: Option<String>,
}

/// Where a server listens, and for which hosts.
#[derive(Debug, Clone, Args)]
pub struct ListenArgs {
    /// Address and port; port 0 lets the system choose one. Default: 127.0.0.1:7717, and none with --socket
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub addr: Option<SocketAddr>,
    /// Listen on a unix socket, for programs of your own user
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Serve requests for this host too, such as inwit.example behind a proxy; every request then needs a token
    #[arg(long, value_name = "HOST[:PORT]")]
    pub allow_host: Vec<String>,
}

impl ListenArgs {
    /// The addresses: the usual one, unless the server listens elsewhere.
    pub fn addresses(&self, is_elsewhere: bool) -> Vec<SocketAddr> {
        match self.addr {
            None if self.socket.is_some() || is_elsewhere => Vec::new(),
            address => vec![address.unwrap_or(USUAL_ADDRESS)],
        }
    }
}

/// An address; `localhost` is this machine, whatever a resolver says.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed = numeric.as_deref().unwrap_or(text).parse();
    parsed.map_err(|_| "name an IP address or `localhost`, and a port, such as 127.0.0.1:7717".to_owned())
}

/// Where the server listens if nothing else is asked for.
const USUAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7717);

pub fn run(args: &ServeArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    if args.check {
        return check(&args.listen, ui);
    }
    if args.open && !ui.is_for_person() {
        return Err(CliError::new(Code::UsageBad, "`--open` opens a page for a person at a terminal only."));
    }
    let passed = systemd::passed()?;
    match seeding::ensure(&settings) {
        Ok(made) => made.iter().for_each(|made| ui.notice(&made.notice())),
        Err(error) => ui.notice(&seeding::failed(&error)),
    }
    let root = settings.paths.root.clone();
    let _log = log(args, ui);
    let agents = HomeAgents::of(settings)?;
    let config = ServerConfig {
        addresses: args.listen.addresses(!passed.is_empty()),
        socket: args.listen.socket.clone(),
        passed,
        allowed_hosts: args.listen.allow_host.clone(),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
    };
    let server = Server::bind(&root, config, Box::new(agents))?;
    let addresses = server.addresses();
    let address = addresses.first().map(|address| format!("http://{address}"));
    let socket = server.socket().map(|path| path.display().to_string());
    match ui.json() {
        true => ui.json_line(&ServingV1 { address, socket }),
        false => {
            if let Some(address) = &address {
                ui.line(format!("Listening on {address}; the routes are at {address}/docs."));
            }
            if let Some(socket) = socket {
                ui.line(format!("Listening on the socket {socket}."));
            }
            ui.finish();
            // It listens, so the page waits until it answers.
            let opened =
                address.filter(|_| args.open).map(|address| browser::open(&format!("{address}/docs")));
            if let Some(Err(error)) = opened {
                ui.say(format!("note: The page was not opened: {error}."));
            }
        }
    }
    if addresses.iter().any(|address| !address.ip().is_loopback()) {
        ui.say("note: The server does not encrypt. Put a proxy with TLS before it.");
    }
    server.run().map_err(|why| CliError::new(Code::AddressRefused, why))
}

/// Asks the server at the socket, else at the address. Error: `server_unready`.
fn check(listen: &ListenArgs, ui: &mut Ui) -> Result<(), CliError> {
    let host = listen.allow_host.first().map(String::as_str);
    let asked = match &listen.socket {
        Some(path) => readiness::of_socket(path),
        None => readiness::of_address(listen.addr.unwrap_or(USUAL_ADDRESS), host),
    };
    asked.map_err(|why| CliError::new(Code::ServerUnready, why))?;
    match ui.json() {
        true => ui.value(&ServerReadyV1 { ready: true }),
        false => ui.line("The server is ready."),
    }
    Ok(())
}

/// Starts the log. Its lines are the only text of the server on stderr once it runs.
fn log(args: &ServeArgs, ui: &Ui) -> Log {
    let is_for_a_person = std::io::stderr().is_terminal() && !ui.json();
    let (level, format) = match is_for_a_person {
        true => (LogLevel::Changes, LogFormat::Text),
        false => (LogLevel::Info, LogFormat::Json),
    };
    let level = args.log.as_deref().and_then(LogLevel::parse).unwrap_or(level);
    let format = args.log_format.as_deref().and_then(LogFormat::parse).unwrap_or(format);
    Log::start(level, format, Arc::new(SystemClock), std::io::stderr())
}

/// The agents that the settings name.
struct HomeAgents {
    settings: Settings,
    /// The only one that is served; it may be a folder without an agent.
    only: Option<AgentPlace>,
    /// Configurations that were read. A server is asked thousands of times per second.
    known: Mutex<HashMap<AgentId, Configured>>,
}

/// The configuration of an agent, and what its file was when it was read.
#[derive(Clone)]
struct Configured {
    file: Option<Stamp>,
    place: AgentPlace,
    config: AgentConfig,
}

/// What changes with every new version of a file.
type Stamp = (u64, SystemTime, u64, i64, i64);

fn stamp(path: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt as _;
    let found = std::fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()?, found.ino(), found.ctime(), found.ctime_nsec()))
}

impl HomeAgents {
    /// Errors: those of a named agent or folder.
    fn of(mut settings: Settings) -> Result<Self, HomeError> {
        let is_named = ["agent", "workspace"]
            .iter()
            .any(|key| settings.layers.get(key).is_some_and(|value| value.origin.is_flag()));
        let only = is_named.then(|| choose(&mut settings)).transpose()?;
        Ok(Self { settings, only, known: Mutex::default() })
    }

    /// The configuration of an agent, read again when its file changes; the agent is opened again then. Errors:
    /// `agent_unknown`, those of the settings.
    fn configured(&self, id: &AgentId) -> Result<Configured, HomeError> {
        let file = stamp(&self.agent_file(id));
        if let Some(known) = self.known().get(id).filter(|known| known.file == file) {
            return Ok(known.clone());
        }
        // Without the lock: no request of another agent waits for this.
        let (place, config) = configured(self.of_agent(id)?, SURFACE)?;
        let read = Configured { file, place, config };
        if let Some(before) = self.known().insert(id.clone(), read.clone()) {
            self.settings.engine.close(&before.place);
        }
        Ok(read)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<AgentId, Configured>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn agent_file(&self, id: &AgentId) -> PathBuf {
        self.settings.paths.agents().join(id.as_str()).join("agent.toml")
    }

    /// The settings with this agent chosen. Error: `agent_unknown`.
    fn of_agent(&self, id: &AgentId) -> Result<Settings, HomeError> {
        let mut settings = self.settings.clone();
        match &self.only {
            Some(only) if only.id == id.as_str() => {}
            Some(_) => return Err(unknown(&self.settings, id.as_str())),
            None => {
                settings.layers.forget("workspace");
                settings.layers.say("agent", Value { text: id.to_string(), origin: Origin::Flag("--agent") });
            }
        }
        Ok(settings)
    }

    /// The settings with the file of this agent. Errors: those of [`of_agent`](Self::of_agent) and of the file.
    fn with_file(&self, id: &AgentId) -> Result<Settings, HomeError> {
        let mut settings = self.of_agent(id)?;
        choose(&mut settings)?;
        Ok(settings)
    }
}

impl Agents for HomeAgents {
    fn ids(&self) -> Vec<String> {
        match &self.only {
            Some(only) => vec![only.id.clone()],
            None => self.settings.paths.agent_ids(),
        }
    }

    fn open(&self, id: &AgentId) -> Result<Arc<OpenAgent>, HomeError> {
        let engine = &self.settings.engine;
        loop {
            let Configured { place, config, file } = self.configured(id)?;
            let opened = engine.open(place.clone(), config, Opening::Whole, Arc::new(SystemClock))?;
            // Its file may have changed since it was read: an agent that is open stays open with what was read.
            if self.known().get(id).is_none_or(|known| known.file == file) {
                opened.files.watch();
                return Ok(opened);
            }
            engine.close(&place);
        }
    }

    fn create(&self, new: &NewAgent<'_>) -> Result<InitV1, HomeError> {
        if self.only.is_some() {
            let message = "This server serves one agent only, so it creates none.";
            return Err(HomeError::new(Code::PolicyRefused, message));
        }
        let mut settings = self.settings.clone();
        settings.layers.forget("workspace");
        let mut say = |key, text: &str| {
            settings.layers.say(key, Value { text: text.to_owned(), origin: Origin::Flag("--agent") });
        };
        say("agent", new.id.as_str());
        for (key, text) in [("profile", new.profile), ("timezone", new.timezone)] {
            let Some((row, text)) = Setting::named(key).zip(text) else { continue };
            row.judge(text).map_err(|why| HomeError::new(Code::SettingBad, format!("{why}.")))?;
            say(row.key, text);
        }
        let made = seeding::create(&settings).map_err(|error| HomeError::new(error.code, error.message))?;
        let step = |path: &String| StepV1 { path: path.clone(), action: "create", reason: None };
        Ok(InitV1 {
            agent: made.id,
            workspace: made.workspace.display().to_string(),
            profile: settings.profile().name,
            timezone: settings.zone().0.iana_name().unwrap_or("UTC").to_owned(),
            applied: true,
            steps: made.files.iter().map(step).collect(),
        })
    }

    fn settings(&self, id: &AgentId, only_its_own: bool) -> Result<SettingsV1, HomeError> {
        let mut listed = config::listed(&self.with_file(id)?);
        let is_its_own = |key: &str| Setting::named(key).is_some_and(|row| row.reach == Reach::Agent);
        if only_its_own {
            listed.settings.retain(|setting| is_its_own(setting.key));
            listed.problems.clear();
        }
        Ok(listed)
    }

    fn set(
        &self,
        id: &AgentId,
        key: &str,
        value: Option<&str>,
        record: &dyn Fn() -> Result<(), HomeError>,
    ) -> Result<(), HomeError> {
        let shown = inwit_model::name::shown(key);
        let row = Setting::named(key)
            .ok_or_else(|| HomeError::new(Code::SettingUnknown, format!("There is no setting `{shown}`.")))?;
        if !row.is_remote() {
            let message = format!("`{shown}` is changed only on the machine of the server.");
            return Err(HomeError::new(Code::PolicyRefused, message));
        }
        // A folder without an agent has no file of settings.
        if !self.agent_file(id).exists() || self.only.as_ref().is_some_and(|only| only.id != id.as_str()) {
            let message = format!("`{id}` is no agent of this home, so it has no settings of its own.");
            return Err(HomeError::new(Code::PolicyRefused, message));
        }
        if let Some(value) = value {
            row.judge(value).map_err(|why| HomeError::new(Code::SettingBad, format!("{why}.")))?;
        }
        record()?;
        match value {
            Some(value) => edit::set(&self.agent_file(id), row, value),
            None => edit::unset(&self.agent_file(id), row).map(|_| ()),
        }
    }

    fn open_count(&self) -> usize {
        self.settings.engine.open_count()
    }

    fn mcp(
        &self,
        opened: Arc<OpenAgent>,
        scope: Scope,
        writes: bool,
        trace: Option<TraceId>,
        request: http::Request<Bytes>,
    ) -> McpAnswer {
        let written = Arc::clone(&opened);
        let whereabouts = Whereabouts {
            agent_id: opened.chosen.id.clone(),
            model: None,
            workspace_dir: opened.chosen.workspace.display().to_string(),
        };
        let reading = tools::all().filter(|tool| !tool.writes()).map(|tool| tool.name.to_owned());
        let connection = Connection {
            allowed: (!writes).then(|| reading.collect()),
            notices: opened.notices.clone(),
            trace,
            after_write: Box::new(move || upkeep::tend(&written, Occasion::Written)),
            ..Connection::new(Arc::clone(&opened.agent), whereabouts, scope)
        };
        Box::pin(async move {
            // The agent stays open until it has answered.
            let answered = streamable::answer(connection, request).await;
            drop(opened);
            answered
        })
    }
}
