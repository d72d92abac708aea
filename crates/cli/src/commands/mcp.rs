//! `inwit mcp`: the tools for an MCP client, on stdin and stdout.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::sync::Arc;

use clap::Args;
use inwit_engine::self_report::Whereabouts;
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
/// For a client's configuration: `inwit mcp --main` for the owner's own agent, `inwit mcp --room kitchen` for
/// one that talks in a room. With --main an agent in the home of inwit is made where there is none. Who is listening is fixed here and stays; without either, what anybody may see
/// is all there is. It ends when its input ends.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// The client is the owner's own agent: it sees everything
    #[arg(long, conflicts_with = "room")]
    pub main: bool,
    /// The client talks in this room: it sees what is shared, and the room's own
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub room: Option<String>,
    /// Sets of tools: default, nexo, mindroom, openclaw, hermes, minara, feedback; several where no two share a name
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub tools: Vec<String>,
    /// Offer these tools only, by their names
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// The session in which the client talks: what its tool `session_logs` calls recent
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The language model of the client, for hosts without sessions: what its tool `who_am_i` answers
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Say that a hook recalls before each prompt, so that the agent need not search for everything
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
        // A failure to seed stops no client: what is there is served.
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
    // Hosts start the process where their user works.
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
        return Err(usage(format!("`{}` is no tool that is offered here.", inwit_model::name::shown(name))));
    }
    if connection.tools().next().is_none() {
        let sets = connection.sets.iter().map(|set| set.word()).collect::<Vec<_>>().join(", ");
        let message =
            format!("Of the tools `{sets}` none is offered to this listener, so there is nothing to serve.");
        return Err(usage(message).hint(
            "Say who is listening, such as `--main`: tools of facts are the owner's own agent's. Else offer another set, such as `--tools default`.",
        ));
    }
    // Not by way of the lock on stdout: an answer that nobody takes would hold it, and the process with it.
    let output = std::io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let output = output.map_err(|error| usage(format!("The answers have nowhere to go: {error}.")))?;
    let is_owners = connection.scope == Scope::Main;
    inwit_mcp::serve(connection, std::io::stdin(), output).map_err(usage)?;
    // The client is gone and nobody waits; what goes wrong here is told when a person asks next.
    if let Some(opened) = compose::open_files(idle).ok().filter(|_| is_owners) {
        upkeep::tend(&opened, Occasion::ClientGone);
    }
    Ok(())
}
