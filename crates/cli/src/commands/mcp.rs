//! `inwit mcp`: the MCP server on stdin and stdout.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::sync::Arc;

use clap::Args;
use inwit_engine::self_report::Whereabouts;
use inwit_home::clock::SystemClock;
use inwit_home::scheduler::Scheduler;
use inwit_home::upkeep::{self, Occasion};
use inwit_home::{OpenAgent, meaning};
use inwit_mcp::Connection;
use inwit_mcp::connection::sets_named;
use inwit_model::{Code, ModelName, Scope, SessionId};

use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use crate::{project_folder, seeding};
use inwit_settings::Settings;

/// Run the MCP server on stdin and stdout
///
/// For the configuration of a client: `inwit mcp --main` for the owner's own agent, `inwit mcp --room kitchen`
/// for an agent in a shared room. With --main, an agent is created in the home of inwit if there is none. The
/// scope is fixed while the server runs; without --main or --room it contains only shared files. The server ends
/// when its input ends.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit mcp --main\n\
\x20 inwit mcp --room kitchen\n\
\x20 inwit mcp --main --tools nexo,feedback\n\
\x20 claude mcp add inwit -- inwit mcp --main")]
pub struct McpArgs {
    /// Serve the owner's own agent, with access to everything
    #[arg(long, conflicts_with = "room")]
    pub main: bool,
    /// Serve an agent in this room, with access to shared files and the files of the room
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub room: Option<String>,
    /// Sets of tools: default, nexo, mindroom, openclaw, hermes, minara, feedback; sets that contain tools of the same
    /// name cannot be combined
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub tools: Vec<String>,
    /// Offer only the tools with these names
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Session of the client; `session_logs` with action `recent` reads it by default
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Name of the client's language model, which the tool `who_am_i` returns; for hosts without sessions
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Inform the agent that a hook adds matching passages to each prompt, so that it searches less often
    #[arg(long)]
    pub recalls: bool,
}

pub fn run(args: &McpArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let usage = |why: String| CliError::new(Code::UsageBad, why);
    let main = args.main.then_some("main");
    let scope =
        Scope::parse(main, args.room.as_deref(), Scope::Shared).map_err(|error| usage(error.to_string()))?;
    let sets = sets_named(&args.tools).map_err(usage)?;
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))?;
    let model = args.model.as_deref().map(ModelName::parse).transpose();
    let model = model.map_err(|error| usage(error.to_string()))?;
    if args.main {
        // A seeding error does not stop a client: it gets the existing files.
        match seeding::ensure(&settings) {
            Ok(made) => made.iter().for_each(|made| ui.notice(&made.notice())),
            Err(error) => ui.notice(&seeding::failed(&error)),
        }
    }
    let idle = settings.clone();
    let engine = Arc::clone(&settings.engine);
    let opened = compose::open(settings)?;
    opened.files.watch();
    let logs = if opened.config.transcripts.is_some() {
        Some(inwit_home::open::session_logs(&opened.chosen, true)?)
    } else {
        None
    };
    let OpenAgent { agent, chosen, notices, config, .. } = &*opened;
    let fills = meaning::fills_by_itself(&config.embedding, &chosen.home, agent);
    let whereabouts = Whereabouts {
        agent_id: chosen.id.clone(),
        model: model.map(|model| model.to_string()),
        workspace_dir: chosen.workspace.display().to_string(),
    };
    // Hosts start the process in the user's working folder.
    let folder = (scope == Scope::Main).then(crate::current_folder);
    let project = folder.map(|folder| project_folder::of(&folder));
    let connection = Connection {
        sets,
        project,
        allowed: (!args.allow.is_empty()).then(|| args.allow.clone()),
        logs,
        session,
        recalls_by_itself: args.recalls,
        fills,
        notices: notices.clone(),
        after_write: Box::new(move || engine.tend()),
        ..Connection::new(Arc::clone(agent), whereabouts, scope)
    };
    let unknown = args.allow.iter().find(|name| !connection.tools().any(|tool| tool.name == **name));
    if let Some(name) = unknown {
        return Err(usage(format!("The tool `{}` is not offered here.", inwit_model::name::shown(name))));
    }
    if connection.tools().next().is_none() {
        let sets = connection.sets.iter().map(|set| set.word()).collect::<Vec<_>>().join(", ");
        let message = format!("No tool of `{sets}` is offered in this scope, so there is nothing to serve.");
        return Err(usage(message).hint(
            "Use `--main`, since tools of facts are only for the owner's own agent, or another set, such as `--tools default`.",
        ));
    }
    // Without the lock on stdout: an unread answer would hold it and block the process.
    let output = std::io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let output = output.map_err(|error| usage(format!("stdout cannot be used: {error}.")))?;
    let is_owners = connection.scope == Scope::Main;
    let scheduler = is_owners
        .then(|| Scheduler::start(Arc::clone(&opened), Arc::new(SystemClock), Arc::clone(&connection.idle)));
    inwit_mcp::serve(connection, std::io::stdin(), output).map_err(usage)?;
    drop(scheduler);
    // The client is gone; errors here are reported later.
    if let Some(opened) = compose::open_files(idle).ok().filter(|_| is_owners) {
        upkeep::tend(&opened, Occasion::ClientGone);
    }
    Ok(())
}
