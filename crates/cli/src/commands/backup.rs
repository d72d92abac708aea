//! `inwit backup` and `inwit restore`: a whole agent in one folder, and back.

use std::path::{Path, PathBuf};

use clap::Args;
use inwit_engine::prompt::fit::grouped;
use inwit_engine::record::AuditDetail;
use serde::Serialize;

use crate::backup::plan::{self, RestorePlan};
use crate::backup::{bring, make};
use crate::compose;
use crate::error::CliError;
use crate::forgetting::deed::{self, Again};
use crate::person;
use crate::settings::{Origin, Settings, Value};
use crate::ui::Ui;

/// Copy a whole agent into a folder, and read the copy back
///
/// Holds every file of the workspace byte for byte, memory.db, history, transcripts and agent.toml, with a
/// manifest of every file's size and sha256. Indexes are built again and are not in it; links, repositories
/// of your own and node_modules are left out and named.
/// The folder must not be there or be empty; only its owner can read it.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// Restore an agent from a backup
///
/// Compares every file with the manifest, then shows what will be written where and asks. The agent that `--agent`
/// names gets it, else the one it was made of. Its workspace comes to where that agent has one now, else into its home;
/// `--workspace` names another place. A path in the backup is shown and never used by itself. Where something is there,
/// `--force` moves it aside under another name; nothing is deleted but what a killed restore left half done. Settings
/// that an agent may not have are left out and named. What was forgotten for good since the backup was made is
/// taken out of what comes back. Refuses while another process has memory.db open, and never puts one agent in the
/// place of another.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The folder that `inwit backup` made
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Move what is there aside
    #[arg(long)]
    pub force: bool,
    /// Show what would be written where, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

/// What was copied, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupV1 {
    agent: String,
    folder: String,
    files: usize,
    bytes: u64,
    left_out: Vec<String>,
}

/// A restore, planned or done, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RestoreV1 {
    /// Whether it was done.
    applied: bool,
    agent: String,
    home: String,
    workspace: String,
    made: String,
    files: usize,
    bytes: u64,
    /// What moves aside, or where it is now.
    aside: Vec<String>,
    /// Where the workspace was, if that is another place.
    #[serde(skip_serializing_if = "Option::is_none")]
    former_workspace: Option<String>,
    /// Settings of its agent.toml that are not restored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped_settings: Vec<String>,
    #[serde(flatten)]
    outcome: Option<OutcomeV1>,
}

/// What came of a restore that was done.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeV1 {
    audit_rows: u64,
    /// Texts that had been forgotten for good since, stood in the backup, and were taken out again.
    forgotten_again: usize,
    /// Texts that stand in history, of which an earlier version did not keep whether it was to be rewritten for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    history_unsaid: Option<usize>,
}

impl RestoreV1 {
    fn of(plan: &RestorePlan, aside: &[PathBuf], outcome: Option<OutcomeV1>) -> Self {
        let (chosen, manifest) = (&plan.chosen, &plan.manifest);
        let text = |path: &PathBuf| path.display().to_string();
        let dropped = plan.agent_file.iter().flat_map(|file| &file.dropped);
        Self {
            applied: outcome.is_some(),
            agent: chosen.id.clone(),
            home: text(&chosen.home),
            workspace: text(&chosen.workspace),
            made: manifest.made.to_string(),
            files: manifest.files.len(),
            bytes: manifest.bytes(),
            aside: aside.iter().map(text).collect(),
            former_workspace: plan.former.as_ref().map(ToString::to_string),
            dropped_settings: dropped.map(|dropped| dropped.key.clone()).collect(),
            outcome,
        }
    }
}

pub fn run(args: &BackupArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let folder = here.join(&args.dir);
    let opened = compose::open_files(settings)?;
    let made = make::make(&opened, &folder)?;
    let told = BackupV1 {
        agent: made.manifest.agent.to_string(),
        folder: folder.display().to_string(),
        files: made.manifest.files.len(),
        bytes: made.manifest.bytes(),
        left_out: made.left_out,
    };
    if ui.json() {
        ui.value(&told);
        return Ok(());
    }
    let bytes = grouped(usize::try_from(told.bytes).unwrap_or(usize::MAX));
    ui.line(format!("{} file(s), {bytes} bytes, were copied and read back: {}", told.files, told.folder));
    told.left_out.iter().for_each(|path| ui.say(format!("note: {path} of the workspace is not in it.")));
    Ok(())
}

pub fn restore(args: &RestoreArgs, mut settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let folder = here.join(&args.dir);
    let plan = plan::plan(&folder, &settings, args.force)?;
    if args.dry_run && ui.json() {
        ui.value(&RestoreV1::of(&plan, &plan.taken, None));
        return Ok(());
    }
    if !(ui.json() && args.yes) {
        show(&plan, &folder, ui);
    }
    if args.dry_run {
        ui.say("note: Dry run: nothing was changed.");
        return Ok(());
    }
    if !args.yes {
        person::agrees("Restore this?", ui)?;
    }
    let aside = bring::carry_out(&plan, &settings)?;
    let (chosen, manifest) = (&plan.chosen, &plan.manifest);
    let request = |text: String| Value { text, origin: Origin::Flag("restore") };
    if plan.id.is_of_folder() {
        settings.layers.say("workspace", request(chosen.workspace.display().to_string()));
        settings.layers.forget("agent");
    } else {
        settings.layers.say("agent", request(chosen.id.clone()));
        settings.layers.forget("workspace");
    }
    // From here on it is there; what does not hold is told and stays to be looked at.
    let for_forgetting = settings.clone();
    let opened = compose::open_files(settings)?;
    opened.agent.audit_verify()?;
    opened.agent.record(
        "restore",
        &folder.display().to_string(),
        AuditDetail::default().with("made", manifest.made.to_string()).with("files", manifest.files.len()),
    )?;
    let again = deed::after_a_restore(&opened, &for_forgetting, &aside).map_err(|error| {
        let message = format!(
            "The backup is back, and words that were forgotten for good may stand in it: {}",
            error.message
        );
        CliError::new(error.code, message)
            .hint("`inwit forget --everywhere --again --apply` takes them out again.")
    })?;
    let rows = opened.agent.audit_verify()?.map_or(0, |head| head.rows);
    if ui.json() {
        let outcome = OutcomeV1 {
            audit_rows: rows,
            forgotten_again: again.as_ref().map_or(0, |again| again.texts),
            history_unsaid: again.as_ref().map(|again| again.unsaid).filter(|count| *count > 0),
        };
        ui.value(&RestoreV1::of(&plan, &aside, Some(outcome)));
        return Ok(());
    }
    if let Some(Again { texts, places, .. }) = &again
        && *texts > 0
    {
        ui.line(format!(
            "{texts} text(s) that had been forgotten for good stood in it, and were taken out of {places} place(s) again."
        ));
        ui.say(format!("note: the backup in {} holds them still.", folder.display()));
    }
    again.iter().filter_map(Again::unsaid_told).for_each(|told| ui.say(told));
    aside.iter().for_each(|path| ui.line(format!("What was there before is in {}", path.display())));
    ui.line(format!("{} file(s) of {} are back, every sha256 held.", manifest.files.len(), manifest.made));
    ui.line(format!(
        "Agent `{}` is in {}; its record holds: {rows} row(s).",
        chosen.id,
        chosen.workspace.display()
    ));
    Ok(())
}

/// Shows what will be written where. As talk, where the data is JSON.
fn show(plan: &RestorePlan, folder: &Path, ui: &mut Ui) {
    let (chosen, manifest) = (&plan.chosen, &plan.manifest);
    let bytes = grouped(usize::try_from(manifest.bytes()).unwrap_or(usize::MAX));
    let mut lines = vec![
        format!("backup      agent `{}`, made {} by inwit {}", manifest.agent, manifest.made, manifest.inwit),
        format!("restores    agent `{}`: {} file(s), {bytes} bytes", plan.id, manifest.files.len()),
        format!("home        {}", chosen.home.display()),
        format!("workspace   {}", chosen.workspace.display()),
    ];
    lines.extend(plan.taken.iter().map(|path| format!("moves aside {}", path.display())));
    let dropped = plan.agent_file.iter().flat_map(|file| &file.dropped);
    lines
        .extend(dropped.map(|dropped| format!("leaves out  {} of agent.toml: {}", dropped.key, dropped.why)));
    lines.into_iter().for_each(|line| ui.show(line));
    if let Some(former) = &plan.former {
        let agent = (!plan.id.is_of_folder()).then_some(&plan.id);
        ui.say(format!("note: The workspace was at {former}"));
        ui.say(format!("hint: To restore it there: {}", plan::at_former(folder, agent, former)));
    }
}
