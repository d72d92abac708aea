//! `inwit backup` and `inwit restore`: a whole agent in one folder, and back.

use std::path::{Path, PathBuf};

use clap::Args;
use inwit_engine::prompt::fit::grouped;
use inwit_engine::record::AuditDetail;
use serde::Serialize;

use crate::backup::{bring, make};
use crate::compose;
use crate::error::CliError;
use crate::forgetting::deed::{self, Again};
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

/// Bring a backup back
///
/// Looks at every file's sha256 first. The agent that `--agent` names gets it, else the one it was made
/// of, with its workspace where it was, or where `--workspace` says. Where something is there, `--force`
/// moves it aside under another name; nothing is ever deleted but what a killed restore left half done. While another
/// process has its memory.db open, nothing is changed. What was forgotten for good since the backup was made is
/// taken out of what comes back. An agent that the backup is not of is never
/// put aside, and neither is a folder that another agent works in.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The folder that `inwit backup` made
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Move what is there aside
    #[arg(long)]
    pub force: bool,
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

/// What was brought back, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RestoreV1 {
    agent: String,
    home: String,
    workspace: String,
    made: String,
    files: usize,
    aside: Vec<String>,
    audit_rows: u64,
    /// Texts that had been forgotten for good since, stood in the backup, and were taken out again.
    forgotten_again: usize,
    /// Texts that stand in history, of which an earlier version did not keep whether it was to be rewritten for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    history_unsaid: Option<usize>,
}

pub fn run(args: &BackupArgs, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let folder = here.join(&args.dir);
    let opened = compose::open_files(settings)?;
    let made = make::make(&opened, &folder)?;
    let told = BackupV1 {
        agent: made.manifest.agent,
        folder: folder.display().to_string(),
        files: made.manifest.files.len(),
        bytes: made.manifest.files.iter().map(|kept| kept.bytes).sum(),
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
    let brought = bring::bring(&folder, &settings, args.force)?;
    let (chosen, manifest) = (&brought.chosen, &brought.manifest);
    let aside: Vec<String> = brought.aside.iter().map(|path| path.display().to_string()).collect();
    let said = |text: String| Value { text, origin: Origin::Flag("restore") };
    if chosen.id.starts_with("ws-") {
        settings.layers.say("workspace", said(chosen.workspace.display().to_string()));
        settings.layers.forget("agent");
    } else {
        settings.layers.say("agent", said(chosen.id.clone()));
        settings.layers.forget("workspace");
    }
    // From here on it is there; what does not hold is told and stays to be looked at.
    let for_forgetting = settings.clone();
    let opened = compose::open_files(settings)?;
    opened.agent.audit_verify()?;
    opened.agent.record(
        "restore",
        &folder.display().to_string(),
        AuditDetail::default().with("made", &manifest.made).with("files", manifest.files.len()),
    )?;
    let again = deed::after_a_restore(&opened, &for_forgetting, &brought.aside).map_err(|error| {
        let message = format!(
            "The backup is back, and words that were forgotten for good may stand in it: {}",
            error.message
        );
        CliError::new(error.code, message)
            .hint("`inwit forget --everywhere --again --apply` takes them out again.")
    })?;
    let rows = opened.agent.audit_verify()?.map_or(0, |head| head.rows);
    if ui.json() {
        ui.value(&RestoreV1 {
            agent: chosen.id.clone(),
            home: chosen.home.display().to_string(),
            workspace: chosen.workspace.display().to_string(),
            made: manifest.made.clone(),
            files: manifest.files.len(),
            aside,
            audit_rows: rows,
            forgotten_again: again.as_ref().map_or(0, |again| again.texts),
            history_unsaid: again.as_ref().map(|again| again.unsaid).filter(|count| *count > 0),
        });
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
    aside.iter().for_each(|path| ui.line(format!("What was there before is in {path}")));
    ui.line(format!("{} file(s) of {} are back, every sha256 held.", manifest.files.len(), manifest.made));
    ui.line(format!(
        "Agent `{}` is in {}; its record holds: {rows} row(s).",
        chosen.id,
        chosen.workspace.display()
    ));
    Ok(())
}
