//! `inwit agent`: the agents of this home.

use clap::{Args, Subcommand};
use inwit_settings::Settings;
use inwit_settings::agent::{agent_places, choose};
use inwit_wire::{AgentRowV1, AgentsV1};

use crate::ui::Ui;

/// List the agents of this home
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit agent list\n\
\x20 inwit init --agent work          Create another agent\n\
\x20 inwit search --agent work oven   Use it")]
pub struct AgentArgs {
    #[command(subcommand)]
    pub verb: AgentVerb,
}

#[derive(Debug, Subcommand)]
pub enum AgentVerb {
    /// List agents and workspaces; `*` marks the one that commands use
    List,
}

pub fn run(args: &AgentArgs, settings: &Settings, ui: &mut Ui) {
    let AgentVerb::List = args.verb;
    let current = choose(&mut settings.clone()).ok().map(|place| place.id);
    let places = agent_places(settings);
    let workspace = |id: &str| places.iter().find(|place| place.id == id).map(|place| &place.workspace);
    let row = |id: String| AgentRowV1 {
        current: current.as_ref() == Some(&id),
        workspace: workspace(&id).map(|folder| folder.display().to_string()),
        id,
    };
    let agents: Vec<AgentRowV1> = settings.paths.agent_ids().into_iter().map(row).collect();
    if ui.json() {
        return ui.value(&AgentsV1 { agents });
    }
    let width = agents.iter().map(|agent| agent.id.len()).max().unwrap_or_default();
    for agent in &agents {
        let mark = if agent.current { '*' } else { ' ' };
        let workspace = agent.workspace.as_deref().unwrap_or("its agent.toml cannot be read");
        ui.line(format!("{mark} {:<width$}  {workspace}", agent.id));
    }
    if agents.is_empty() {
        ui.say(format!("No agent in {}.", settings.paths.root.display()));
        ui.say("hint: `inwit init` creates one.");
    }
}
