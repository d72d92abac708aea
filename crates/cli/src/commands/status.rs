//! `inwit status`: an overview of an agent.

use clap::Args;
use inwit_engine::MeaningState;
use inwit_engine::core::fit::grouped;
use inwit_engine::core::place_names::place_word;
use inwit_home::OpenAgent;
use inwit_home::clock::SystemClock;
use inwit_home::forgetting::unfinished;
use inwit_home::keep::Use;
use inwit_model::Place;
use inwit_model::plural::counted;
use inwit_wire::{StatusFrame, StatusV1};
use inwit_workspace::generation::{self, Generation};

use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;
use inwit_settings::agent;
use std::sync::Arc;

/// Show the files, days, rooms and index of an agent
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit status\n\
\x20 inwit status --files --workspace ~/notes")]
pub struct StatusArgs {
    /// List every file
    #[arg(long)]
    pub files: bool,
}

pub fn run(args: &StatusArgs, mut settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let chosen = agent::choose(&mut settings)?;
    let mut opened = inwit_home::open(
        chosen,
        settings.agent_config(crate::compose::SURFACE)?,
        Use::Work,
        Arc::new(SystemClock),
    )?;
    opened.notices.extend(settings.zone_notice());
    opened.notices.extend(unfinished::notice(&opened.chosen.home));
    ui.stops_on_interrupt();
    let status = opened.agent.status(&mut |done, of| ui.progress("reading", done, of))?;
    ui.clear_progress();
    let landmarks = opened.files.landmarks()?;
    let frame = StatusFrame {
        agent: opened.chosen.id.clone(),
        home: opened.chosen.home.display().to_string(),
        workspace: opened.chosen.workspace.display().to_string(),
        profile: opened.agent.core.profile().name.clone(),
        timezone: opened.config.zone.iana_name().unwrap_or("UTC").to_owned(),
        generation: layout(&opened, &landmarks),
        agents: opened.config.paths.agent_ids(),
    };
    if ui.json() {
        let mut wire = StatusV1::new(frame, &status, args.files);
        wire.notices.extend(Ui::wire_notices(&opened.notices));
        wire.notices.extend(Ui::wire_notices(&status.notices));
        ui.value(&wire);
        return Ok(());
    }
    opened.notices.iter().chain(&status.notices).for_each(|notice| ui.notice(notice));
    let identity = status.identity.line();
    if !identity.is_empty() {
        ui.line(format!("identity   {identity}"));
    }
    ui.line(format!("agent      {}", frame.agent));
    ui.line(format!("workspace  {}", frame.workspace));
    ui.line(format!("home       {}", frame.home));
    ui.line(format!("profile    {}, time zone {}", frame.profile, frame.timezone));
    let is_plain = frame.generation == Generation::NotOpenClaw.word();
    ui.line(format!("layout     {}", if is_plain { "Markdown folder" } else { frame.generation }));
    if is_openclaw(frame.generation) && frame.profile != "openclaw" {
        ui.line("           `--profile openclaw` reads it as OpenClaw does: its order, its limits, its startup notes.");
    }
    let counts: Vec<String> = status
        .counts
        .iter()
        .map(|(kind, count)| match *kind {
            kind if is_plain && kind == place_word(&Place::Loose) => counted(*count, "note"),
            kind if *count == 1 => kind.to_owned(),
            kind => format!("{count} {kind}"),
        })
        .collect();
    ui.line(format!("files      {}", if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }));
    if let Some((first, last)) = status.days {
        ui.line(format!("days       {first} to {last}"));
    }
    if !status.rooms.is_empty() {
        ui.line(format!("rooms      {}", status.rooms.join(", ")));
    }
    let sync = &status.sync;
    ui.line(format!(
        "index      {} passages of {} files; {} indexed, {} removed",
        grouped(usize::try_from(status.passages).unwrap_or(usize::MAX)),
        grouped(status.searched_files),
        sync.read,
        sync.removed
    ));
    if let Some(facts) = &status.facts {
        let (count, pending, retired) = (facts.facts, facts.pending, facts.retired);
        ui.line(format!("facts      {count}, {pending} of them pending consolidation; {retired} retired"));
    }
    ui.line(format!("embeddings {}", meaning(status.meaning.as_ref(), opened.agent.notes.has_model())));
    if !sync.unread.is_empty() || !sync.skipped.is_empty() {
        ui.line(format!(
            "left out   {} unreadable, {} by name: `inwit doctor` shows why",
            sync.unread.len(),
            sync.skipped.len()
        ));
    }
    if args.files {
        ui.line("");
        for (entry, place) in &status.files {
            ui.line(format!(
                "{:>10}  {:<14} {}",
                grouped(usize::try_from(entry.stamp.bytes).unwrap_or(usize::MAX)),
                place_word(place),
                entry.name
            ));
        }
    }
    Ok(())
}

fn meaning(state: Option<&MeaningState>, has_model: bool) -> String {
    let Some(state) = state else {
        let why = if has_model { "the embeddings cannot be read" } else { "no model" };
        let hint = if has_model { "inwit doctor" } else { "inwit index model install" };
        return format!("{why}; search uses words only (`{hint}`)");
    };
    let MeaningState { model, readable, .. } = state;
    match state.waiting {
        None => format!("{model}, not used yet"),
        Some(0) if state.skipped > 0 => {
            let (skipped, readable) = (grouped(state.skipped), grouped(*readable));
            format!("{model}, {readable} passages embedded except {skipped}, which are found by words only")
        }
        Some(0) => format!("{model}, all {} passages embedded", grouped(*readable)),
        Some(waiting) => {
            format!(
                "{model}, {} of {} passages pending (`inwit index embed`)",
                grouped(waiting),
                grouped(*readable)
            )
        }
    }
}

fn is_openclaw(layout: &str) -> bool {
    [Generation::Current, Generation::Old { marks: Vec::new() }].iter().any(|one| one.word() == layout)
}

/// The system of the folder's layout. Our own resembles OpenClaw's older one, so it is not tested.
fn layout(opened: &OpenAgent, landmarks: &inwit_workspace::Landmarks) -> &'static str {
    if opened.chosen.home.join("agent.toml").exists() && !landmarks.openclaw_state {
        return "inwit";
    }
    generation::of(opened.files.as_ref(), landmarks).word()
}
