//! `inwit show self|knowledge|stats`: self-reports of the agent, as in its tools.

use clap::{Args, Subcommand};
use inwit_engine::self_report::{Knowledge, MyStats, Stats, Whereabouts, WhoAmI};
use inwit_home::OpenAgent;
use inwit_model::limit::KNOWLEDGE_SECTIONS_MAX;
use inwit_model::time;
use inwit_model::{Code, SessionId};
use inwit_wire::{KnowledgeV1, MyStatsV1, WhoAmIV1};

use crate::args::ScopeArgs;
use crate::compose;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Show what the agent reports about itself
///
/// With --json the answers are those of the tools `who_am_i`, `what_do_i_know` and `my_stats`, on one line.
/// Each contains only what the scope may see; counts and the path of the folder are for scope main only.
#[derive(Debug, Args)]
pub struct SelfArgs {
    #[command(subcommand)]
    pub verb: SelfVerb,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub enum SelfVerb {
    /// Show id, folder, identity and the first 2,048 characters of SOUL.md
    Who(WhoArgs),
    /// Show the sections of long-term memory with up to 10 bullets each
    ///
    /// As JSON, at most 6,144 bytes.
    Know(KnowArgs),
    /// Count sessions, memories and recalls, and list the known files
    Stats(StatsArgs),
}

#[derive(Debug, Args)]
pub struct WhoArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// The session whose language model is shown [default: the newest one of the scope]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

#[derive(Debug, Args)]
pub struct KnowArgs {
    /// Only sections whose heading contains this, ignoring case
    pub section: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Maximum number of sections [default: 20]
    #[arg(long, short = 'n', value_name = "N", value_parser = crate::args::whole::<u16>(1, KNOWLEDGE_SECTIONS_MAX as i64))]
    pub limit: Option<u16>,
}

#[derive(Debug, Args)]
pub struct StatsArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,
}

pub fn run(args: &SelfArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        SelfVerb::Who(args) => {
            let scope = args.scope.parse()?;
            let session = args.session.as_deref().map(SessionId::parse).transpose();
            let session = session.map_err(|error| CliError::new(Code::SessionIdBad, error.to_string()))?;
            let opened = compose::open_files(settings)?;
            let whereabouts = Whereabouts {
                agent_id: opened.chosen.id.clone(),
                model: None,
                workspace_dir: opened.chosen.workspace.display().to_string(),
            };
            let told = opened.agent.who_am_i(&scope, session.as_ref(), &whereabouts);
            if ui.json() { ui.value_in_camel_case(&WhoAmIV1::from(&told)) } else { who(&told, ui) }
        }
        SelfVerb::Know(args) => {
            let scope = args.scope.parse()?;
            let opened = compose::open_files(settings)?;
            let told =
                opened.agent.what_do_i_know(&scope, args.section.as_deref(), args.limit.map(usize::from));
            if ui.json() { ui.value_in_camel_case(&KnowledgeV1::from(&told)) } else { know(&told, ui) }
        }
        SelfVerb::Stats(args) => {
            let scope = args.scope.parse()?;
            let opened = compose::open_files(settings)?;
            let told = opened.agent.my_stats(&scope, &opened.chosen.id, &mut || counts(&opened))?;
            if ui.json() { ui.value_in_camel_case(&MyStatsV1::from(&told)) } else { stats(&told, ui) }
        }
    }
    Ok(())
}

/// The counts. A session with a transcript counts even if `memory.db` lacks it.
fn counts(opened: &OpenAgent) -> Result<Stats, inwit_engine::EngineError> {
    let written = inwit_home::open::session_logs(&opened.chosen, false)?.count(&inwit_model::Scope::Main)?;
    let counted = opened.agent.counts()?;
    Ok(Stats { sessions_total: counted.sessions_total.max(written), ..counted })
}

fn who(told: &WhoAmI, ui: &mut Ui) {
    told.notices.iter().for_each(|notice| ui.notice(notice));
    ui.line(format!("agent      {}", told.agent_id));
    if let Some(model) = &told.model {
        ui.line(format!("model      {model}"));
    }
    if let Some(folder) = &told.workspace_dir {
        ui.line(format!("workspace  {folder}"));
    }
    let identity = told.identity.line();
    if !identity.is_empty() {
        ui.line(format!("identity   {identity}"));
    }
    if !told.soul_excerpt.is_empty() {
        ui.line("soul");
        told.soul_excerpt.lines().for_each(|line| ui.line(format!("    {line}").trim_end()));
    }
    if told.soul_truncated {
        ui.say("note: SOUL.md is longer; `inwit show SOUL.md` shows all of it.");
    }
}

fn know(told: &Knowledge, ui: &mut Ui) {
    told.notices.iter().for_each(|notice| ui.notice(notice));
    for section in &told.sections {
        ui.line(&section.heading);
        section.bullets.iter().for_each(|bullet| ui.line(format!("    {bullet}")));
        if section.extra_bullets > 0 {
            ui.line(format!("    … {} more", section.extra_bullets));
        }
    }
    if told.sections.is_empty() {
        ui.say("No long-term memory in this scope.");
    } else if told.truncated {
        ui.say("note: There is more; name a section, or open the file with `inwit show`.");
    }
}

fn stats(told: &MyStats, ui: &mut Ui) {
    ui.line(format!("agent      {}", told.agent_id));
    if let Some(counts) = &told.counts {
        ui.line(format!("sessions   {}", counts.sessions_total));
        ui.line(format!(
            "memories   {} stored, {} promoted",
            counts.memories_stored, counts.memories_promoted
        ));
        let last = counts.last_dream.map_or_else(|| "never".to_owned(), time::minute);
        ui.line(format!("last dream {last}"));
        ui.line(format!("recalls    {} in seven days", counts.recall_events_7d));
        let tags: Vec<String> =
            counts.top_concept_tags_7d.iter().map(|(tag, count)| format!("{tag} {count}")).collect();
        if !tags.is_empty() {
            ui.line(format!("tags       {}", tags.join(", ")));
        }
    }
    let files = &told.workspace_files_present;
    ui.line(format!("files      {}", if files.is_empty() { "none".to_owned() } else { files.join(", ") }));
}
