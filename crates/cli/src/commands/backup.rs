//! `inwit backup` and `inwit restore`: copies an agent to a folder, and restores it.

use std::path::{Path, PathBuf};

use clap::Args;
use inwit_engine::Notice;
use inwit_engine::core::fit::grouped;
use inwit_engine::core::record::AuditDetail;
use inwit_home::HomeError;
use inwit_home::backup::plan::{self, RestorePlan, RestoreRequest};
use inwit_home::backup::{bring, make};
use inwit_home::forgetting::deed::{self, Again, Erased};
use inwit_home::keep::Use;
use inwit_model::plural::counted;
use inwit_model::time;
use inwit_wire::{AcceptedPlaceV1, BackupV1, NoticeV1, RestoreV1, RestoredV1};

use crate::args::ApplyArgs;
use crate::compose;
use crate::error::CliError;
use crate::person;
use crate::ui::Ui;
use inwit_settings::adopt::adopt;
use inwit_settings::agent::{self, Meant};
use inwit_settings::{Origin, Settings, Value};

/// Copy an agent into a folder and verify the copy
///
/// The backup contains every file of the workspace byte for byte, memory.db, the history, the transcripts and
/// agent.toml. A history that git cannot read is copied unchanged, with a warning. A manifest lists the size and sha256
/// of every file. Indexes are not included, because inwit can rebuild them. Links, your own Git repositories,
/// node_modules and the folder of inwit itself are skipped and listed. The target folder must be empty or must not
/// exist. Only you can read the backup.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit backup /mnt/usb/main-2026-11-21\n\
\x20 inwit backup kept --agent ana")]
pub struct BackupArgs {
    /// Folder to write the backup into
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// Restore an agent from a backup
///
/// Verifies every file against the manifest, and shows what would be written where; `--apply` writes it. The target
/// agent is the one in `--agent`, otherwise the agent of the backup. The target workspace is the folder in
/// `--workspace`, otherwise the current workspace of the agent, otherwise a folder in its home. The workspace path in
/// the backup is shown but never used. If files exist in the target, the command fails; `--force` moves them aside
/// under another name. Settings that agent.toml may not contain are skipped and listed. Settings whose text is in every
/// prompt are restored and listed. Texts that you erased with `inwit forget --everywhere` after the backup are erased
/// again. The command refuses to run while another process has memory.db open, and never replaces one agent with
/// another.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit restore kept                                            Show the plan\n\
\x20 inwit restore kept --apply                                    Restore it\n\
\x20 inwit restore kept --force --apply                            Move existing files aside\n\
\x20 inwit restore kept --agent ana --workspace ~/notes --apply")]
pub struct RestoreArgs {
    /// Folder that `inwit backup` made
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Move existing files aside instead of failing
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub plan: ApplyArgs,
}

/// Accepted places that are printed; the rest is counted.
const ACCEPTED_PRINTED_MAX: usize = 20;

fn told(plan: &RestorePlan, aside: &[PathBuf], force: bool, outcome: Option<RestoredV1>) -> RestoreV1 {
    let (chosen, manifest) = (&plan.chosen, &plan.manifest);
    let text = |path: &PathBuf| path.display().to_string();
    let dropped = plan.agent_file.iter().flat_map(|file| &file.dropped);
    RestoreV1 {
        applied: outcome.is_some(),
        agent: chosen.id.clone(),
        home: text(&chosen.home),
        workspace: text(&chosen.workspace),
        made: time::json(manifest.made),
        files: manifest.files.len(),
        bytes: manifest.bytes(),
        aside: aside.iter().map(text).collect(),
        needs_force: !force && !plan.taken.is_empty(),
        former_workspace: plan.former.as_ref().map(ToString::to_string),
        dropped_settings: dropped.map(|dropped| dropped.key.clone()).collect(),
        prompt_settings: plan.agent_file.iter().flat_map(|file| file.prompt_settings.clone()).collect(),
        older_history_left_out: plan.leaves_a_history_out(),
        outcome,
        notices: plan.record_fault.iter().map(NoticeV1::from).collect(),
    }
}

pub fn run(args: &BackupArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let folder = here.join(&args.dir);
    let opened = compose::open_files_alone(settings, Use::Work)?;
    let made = make::make(&opened, &folder)?;
    let broken: Vec<Notice> =
        opened.agent.history_fault()?.into_iter().chain(opened.agent.core.record_fault()?).collect();
    let told = BackupV1 {
        agent: made.manifest.agent.to_string(),
        folder: folder.display().to_string(),
        files: made.manifest.files.len(),
        bytes: made.manifest.bytes(),
        left_out: made.left_out,
        drafts: made.drafts.iter().map(|draft| draft.display().to_string()).collect(),
        notices: broken.iter().map(NoticeV1::from).collect(),
    };
    if ui.json() {
        ui.value(&told);
        return Ok(());
    }
    let bytes = grouped(usize::try_from(told.bytes).unwrap_or(usize::MAX));
    ui.line(format!("Copied and verified {}, {bytes} bytes: {}", counted(told.files, "file"), told.folder));
    broken.iter().for_each(|notice| ui.notice(notice));
    told.left_out
        .iter()
        .for_each(|path| ui.say(format!("note: {path} of the workspace is not in the backup.")));
    told.drafts.iter().for_each(|draft| {
        ui.say(format!(
            "note: {draft} was left by a backup that did not finish; delete it, unless a backup still runs."
        ));
    });
    Ok(())
}

pub fn restore(args: &RestoreArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let folder = here.join(&args.dir);
    let apply = args.plan.apply;
    // A preview writes nothing, so it shows the plan of a place that is taken too.
    let plan = planned(&folder, &settings, args.force || !apply)?;
    if ui.json() && !apply {
        ui.value(&told(&plan, &plan.taken, args.force, None));
        return Ok(());
    }
    if !ui.json() {
        show(&plan, ui);
    }
    if !apply {
        let is_taken = !args.force && !plan.taken.is_empty();
        ui.say(if is_taken {
            "note: Without `--force` this restore is refused, because files are in its place."
        } else {
            "hint: Use `--apply` to restore it."
        });
        return Ok(());
    }
    let aside = bring::carry_out(&plan, &settings.paths)?;
    let restored =
        after_the_exchange(&plan, &folder, settings, &aside).map_err(|error| with_places(error, &aside))?;
    let Restored { erased: Erased { again, left }, rows, fault, accepted } = restored;
    let (chosen, manifest) = (&plan.chosen, &plan.manifest);
    if ui.json() {
        let outcome = RestoredV1 {
            audit_rows: rows,
            forgotten_again: again.as_ref().map_or(0, |again| again.texts),
            history_unsaid: again.as_ref().map(|again| again.unsaid).filter(|count| *count > 0),
            accepted,
        };
        let notices = fault.iter().map(NoticeV1::from).collect();
        ui.value(&RestoreV1 { notices, ..told(&plan, &aside, args.force, Some(outcome)) });
        return nothing_is_left(left, ui);
    }
    if let Some(Again { texts, places, .. }) = &again
        && *texts > 0
    {
        ui.line(format!(
            "Erased again, in {}: {} that had been erased for good.",
            counted(places, "place"),
            counted(texts, "text")
        ));
        ui.say(format!("note: The backup in {} still contains them.", folder.display()));
    }
    again.iter().filter_map(Again::unsaid_told).for_each(|notice| ui.notice(&notice));
    for AcceptedPlaceV1 { path, line, class } in accepted.iter().take(ACCEPTED_PRINTED_MAX) {
        ui.say(format!(
            "note: {path}, line {line} ({class}) is shown to models: it was accepted before the backup."
        ));
    }
    if accepted.len() > ACCEPTED_PRINTED_MAX {
        ui.say(format!(
            "note: {} more places are shown to models for the same reason.",
            accepted.len() - ACCEPTED_PRINTED_MAX
        ));
    }
    aside
        .iter()
        .for_each(|path| ui.line(format!("The files that were there before are in {}", path.display())));
    ui.line(format!(
        "Restored {} of {}; every sha256 matches.",
        counted(manifest.files.len(), "file"),
        time::minute(manifest.made)
    ));
    let intact =
        rows.map_or(String::new(), |rows| format!("; its audit log is intact: {}", counted(rows, "row")));
    ui.line(format!("Agent `{}` is in {}{intact}.", chosen.id, chosen.workspace.display()));
    // An error in the plan is not repeated.
    fault.iter().filter(|_| plan.record_fault.is_none()).for_each(|fault| ui.notice(fault));
    nothing_is_left(left, ui)
}

/// Reports where erased texts may remain after the restore, which continues.
fn nothing_is_left(left: Vec<HomeError>, ui: &mut Ui) -> Result<(), CliError> {
    let mut left = left.into_iter();
    let Some(first) = left.next() else { return Ok(()) };
    left.for_each(|error| ui.say(format!("note: {}", error.message)));
    Err(first.into())
}

/// What was found in an agent that took its place.
struct Restored {
    erased: Erased,
    /// Rows of its audit log, if it is intact.
    rows: Option<u64>,
    fault: Option<Notice>,
    accepted: Vec<AcceptedPlaceV1>,
}

/// Repeats later erasures, records the restore and checks the agent. The erasure comes first, so that no other
/// failure leaves erased texts.
fn after_the_exchange(
    plan: &RestorePlan,
    folder: &Path,
    mut settings: Settings,
    aside: &[PathBuf],
) -> Result<Restored, CliError> {
    let (chosen, manifest) = (&plan.chosen, &plan.manifest);
    let request = |text: String| Value { text, origin: Origin::Flag("restore") };
    if plan.id.is_of_folder() {
        settings.layers.say("workspace", request(chosen.workspace.display().to_string()));
        settings.layers.forget("agent");
    } else {
        settings.layers.say("agent", request(chosen.id.clone()));
        settings.layers.forget("workspace");
    }
    let erased = |settings| -> Result<_, CliError> {
        let opened = compose::open_files_alone(settings, Use::Work)?;
        let erased = deed::after_a_restore(&opened, &person::owner(), aside)?;
        Ok((opened, erased))
    };
    let (opened, erased) = erased(settings).map_err(|error| {
        let message = format!(
            "The backup was restored, but texts that were erased for good may be in it: {}",
            error.message
        );
        CliError::new(error.code, message)
            .hint("Run `inwit forget --everywhere --again --apply` to erase them.")
    })?;
    opened.agent.core.record(
        "restore",
        &folder.display().to_string(),
        AuditDetail::default().with("made", manifest.made.to_string()).with("files", manifest.files.len()),
    )?;
    let fault = opened.agent.core.record_fault()?;
    let rows = match fault {
        None => Some(opened.agent.core.audit_verify()?.map_or(0, |head| head.rows)),
        Some(_) => None,
    };
    let accepted = opened.agent.notes.accepted()?.into_iter();
    let accepted = accepted.map(|(name, finding)| AcceptedPlaceV1 {
        path: name.to_string(),
        line: finding.line,
        class: finding.class,
    });
    Ok(Restored { erased, rows, fault, accepted: accepted.collect() })
}

/// An error after the exchange, with the location of the earlier files.
fn with_places(error: CliError, aside: &[PathBuf]) -> CliError {
    if aside.is_empty() {
        return error;
    }
    let hint = error.hint_said().to_owned();
    let places: Vec<String> = aside.iter().map(|path| path.display().to_string()).collect();
    error.hint(format!("{hint} The files that were there before are in {}.", places.join(" and ")))
}

/// Plans the restore of the backup in `folder` to the configured place.
pub fn planned(folder: &Path, settings: &Settings, force: bool) -> Result<RestorePlan, CliError> {
    let meant = agent::meant(settings);
    let (agent, workspace) = (settings.layers.text("agent"), settings.folder("workspace"));
    let request = RestoreRequest {
        paths: &settings.paths,
        agent: agent.filter(|_| matches!(meant, Meant::Agent | Meant::Both)),
        workspace: workspace.filter(|_| matches!(meant, Meant::Folder | Meant::Both)),
        force,
        agents: &agent::agent_places(settings),
        history: settings.profile().history,
        adopt: &|text, place| adopt(text, place, settings),
    };
    Ok(plan::plan(folder, &request)?)
}

/// Shows what will be written where.
fn show(plan: &RestorePlan, ui: &mut Ui) {
    let (chosen, manifest) = (&plan.chosen, &plan.manifest);
    let bytes = grouped(usize::try_from(manifest.bytes()).unwrap_or(usize::MAX));
    let mut lines = vec![
        format!(
            "backup      agent `{}`, made {} by inwit {}",
            manifest.agent,
            time::minute(manifest.made),
            manifest.inwit
        ),
        format!("restores    agent `{}`: {}, {bytes} bytes", plan.id, counted(manifest.files.len(), "file")),
        format!("home        {}", chosen.home.display()),
        format!("workspace   {}", chosen.workspace.display()),
    ];
    lines.extend(plan.taken.iter().map(|path| format!("moves aside {}", path.display())));
    let dropped = plan.agent_file.iter().flat_map(|file| &file.dropped);
    lines
        .extend(dropped.map(|dropped| format!("leaves out  {} of agent.toml: {}", dropped.key, dropped.why)));
    let prompt = plan.agent_file.iter().flat_map(|file| &file.prompt_settings);
    let sets =
        |key: &&str| format!("sets        {key} in agent.toml: this text is in every prompt of the agent");
    lines.extend(prompt.map(sets));
    if plan.leaves_a_history_out() {
        lines.push(
            "leaves out  home/history.git: an older history, which the agent no longer used".to_owned(),
        );
    }
    lines.into_iter().for_each(|line| ui.line(line));
    plan.record_fault.iter().for_each(|fault| ui.notice(fault));
    if let Some(former) = &plan.former {
        ui.say(format!(
            "note: The backup says that the workspace was at {former}. inwit does not use that path."
        ));
        ui.say("hint: Use `--workspace DIR` to restore the workspace into a folder that you choose.");
    }
}
