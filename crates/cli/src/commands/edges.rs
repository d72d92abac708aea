//! `inwit facts edges`: entities of facts, and their relations.

use clap::{Args, Subcommand};
use inwit_engine::facts::{ENTITIES_LISTED_MAX, EntityCount, NEIGHBORHOOD_DEPTH_MAX};
use inwit_engine::{Agent, Notice};
use inwit_model::{Entity, FactStatus, Scope};
use inwit_wire::{EdgesV1, EntitiesV1, NeighborhoodV1};

use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Default length of a list.
const TOP_DEFAULT: usize = 20;

/// Show entities in facts, such as people and tags, and their relations
///
/// An edge links a fact to an entity that it names. inwit finds entities with fixed patterns, without a model. If
/// `facts.domain` is `finance`, an edge to a ticker also states the relation: holds, exited, traded or watched.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit facts edges top\n\
\x20 inwit facts edges show 3\n\
\x20 inwit facts edges neighborhood Ana --depth 2")]
pub struct EdgesArgs {
    #[command(subcommand)]
    pub verb: EdgesVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum EdgesVerb {
    /// Show the entities of one fact
    Show(ShowArgs),
    /// List the entities that occur in most facts
    Top(TopArgs),
    /// Show the entities that occur in the same facts as an entity
    Neighborhood(NeighborhoodArgs),
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Number of the fact, its id, or the end of its id
    #[arg(value_name = "FACT")]
    pub id: String,
}

#[derive(Debug, Args)]
pub struct TopArgs {
    /// Maximum number of entities [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, i64::from(u16::MAX)))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct NeighborhoodArgs {
    /// Entity, such as Ana, "#baking" or BTC, optionally with its kind: ticker:BTC
    #[arg(value_name = "ENTITY", allow_hyphen_values = true)]
    pub entity: String,
    /// Maximum distance in steps from fact to fact
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = crate::args::whole::<u8>(1, i64::from(NEIGHBORHOOD_DEPTH_MAX)))]
    pub depth: u8,
}

pub fn run(args: &EdgesArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    match &args.verb {
        EdgesVerb::Show(args) => show(&opened.agent, &args.id, ui),
        EdgesVerb::Top(args) => top(&opened.agent, args, ui),
        EdgesVerb::Neighborhood(args) => neighborhood(&opened.agent, args, ui),
    }
}

fn show(agent: &Agent, id: &str, ui: &mut Ui) -> Result<(), CliError> {
    let edges = agent.facts.fact_edges(&Scope::Main, id)?;
    let hidden = if edges.is_empty() { hidden(agent, id)? } else { None };
    if ui.json() {
        ui.value(&EdgesV1::noting(&edges, hidden.as_slice()));
        return Ok(());
    }
    edges.iter().for_each(|edge| ui.line(format!("{:<19}  {}", edge.says.word(), shown(&edge.of))));
    match hidden {
        Some(notice) => ui.notice(&notice),
        None if edges.is_empty() => ui.say("The patterns find no entity in that fact."),
        None => {}
    }
    Ok(())
}

/// Why a fact shows no edges; `None` if none are hidden.
fn hidden(agent: &Agent, id: &str) -> Result<Option<Notice>, CliError> {
    let fact = agent.facts.fact(id)?;
    let (code, how) = match (fact.forgotten, fact.status) {
        (Some(_), _) => ("fact_forgotten", "was forgotten"),
        (None, FactStatus::Retired) => ("fact_retired", "is retired"),
        (None, _) => return Ok(None),
    };
    let message = format!("That fact {how}, so its edges are hidden.");
    Ok(Some(Notice::new(code, message, "`inwit facts restore` restores the fact and its edges.")))
}

fn top(agent: &Agent, args: &TopArgs, ui: &mut Ui) -> Result<(), CliError> {
    let limit = args.limit.map_or(TOP_DEFAULT, usize::from).min(ENTITIES_LISTED_MAX);
    let counts = agent.facts.top_entities(&Scope::Main, limit)?;
    if ui.json() {
        ui.value(&EntitiesV1::from(counts.as_slice()));
        return Ok(());
    }
    counts.iter().for_each(|count| ui.line(line(count)));
    if counts.is_empty() {
        ui.say("No fact names an entity yet.");
    }
    Ok(())
}

fn neighborhood(agent: &Agent, args: &NeighborhoodArgs, ui: &mut Ui) -> Result<(), CliError> {
    let found = agent.facts.neighborhood(&Scope::Main, &args.entity, args.depth)?;
    if ui.json() {
        ui.value(&NeighborhoodV1::from(&found));
        return Ok(());
    }
    found.of.iter().for_each(|count| ui.line(line(count)));
    for neighbor in &found.around {
        let indent = "  ".repeat(usize::from(neighbor.distance));
        let beside =
            if neighbor.distance > 1 { format!("  via {}", shown(&neighbor.beside)) } else { String::new() };
        ui.line(format!("{indent}{}{beside}", line(&neighbor.count)));
    }
    if found.around.is_empty() {
        ui.say("No fact names another entity together with it.");
    }
    Ok(())
}

fn line(count: &EntityCount) -> String {
    format!("{:>5}  {}", count.facts, shown(&count.entity))
}

/// An entity in the form of a query, with invisible characters escaped.
fn shown(entity: &Entity) -> String {
    format!("{}:{}", entity.kind, inwit_model::name::shown(&entity.key))
}
