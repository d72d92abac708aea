//! Seeds a workspace: for `init`, and at a session start for an agent of inwit's own home.
//!
//! Invariants: an existing file is never changed; a seed that was removed does not come back; a configured folder
//! gets no files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inwit_engine::Notice;
use inwit_home::backup::swap;
use inwit_home::folder_home::{self, Takeover};
use inwit_home::{AgentPlace, own};
use inwit_model::Code;
use inwit_workspace::seed::{SeedAction, SeedPlan};
use inwit_workspace::{FsFiles, seed};

use crate::error::CliError;
use inwit_settings::Settings;
use inwit_settings::agent::{self, Meant};
use inwit_settings::edit::{AGENT_HEAD, Editable, alone};
use inwit_settings::layers::SEEDED_KEY;

/// The result of [`ensure`].
#[derive(Debug)]
pub struct Made {
    /// The agent.
    pub id: String,
    /// Its workspace.
    pub workspace: PathBuf,
    /// Whether the agent is new.
    is_new: bool,
    /// Names of the created files.
    pub files: Vec<String>,
}

impl Made {
    /// The notice about it.
    pub fn notice(&self) -> Notice {
        let Self { id, workspace, is_new, files } = self;
        let files = if files.is_empty() { "no files".to_owned() } else { files.join(", ") };
        let workspace = workspace.display();
        let message = if *is_new {
            format!("Created agent `{id}` in {workspace}, with {files}.")
        } else {
            format!("Added missing files of agent `{id}` in {workspace}: {files}.")
        };
        Notice::new(
            "seeded",
            message,
            "You can edit these files. A file that you remove is not created again.",
        )
    }
}

/// An error of [`ensure`] as a notice, for a caller that continues.
pub fn failed(error: &CliError) -> Notice {
    let message = format!("The initial files of the workspace were not created: {}", error.message);
    Notice::new("not_seeded", message, error.code)
}

/// Creates the first agent of a home, or the missing seeds of an agent of inwit's own home. `None`: nothing was
/// missing, a folder is configured, or no agent is selected: an unknown name beside other agents is likely a typo,
/// and a missing workspace is reported, not recreated. Errors: those of writing; created files stay, and the next
/// call continues.
pub fn ensure(settings: &Settings) -> Result<Option<Made>, CliError> {
    // During a restore an agent seems to be missing.
    if !matches!(agent::meant(settings), Meant::Nothing | Meant::Agent) || swap::is_planned(&settings.paths) {
        return Ok(None);
    }
    let mut settings = settings.clone();
    let (chosen, is_new) = match agent::choose(&mut settings) {
        Ok(chosen) if chosen.is_ours() => (chosen, false),
        Ok(_) => return Ok(None),
        Err(error)
            if matches!(error.code, Code::NoAgent | Code::AgentUnknown)
                && settings.paths.agent_ids().is_empty() =>
        {
            (agent::new_agent(&settings)?, true)
        }
        // Opening the agent reports it.
        Err(_) => return Ok(None),
    };
    seed_agent(&settings, chosen, is_new)
}

/// Creates an agent in the home. Errors: `agent_exists`, `setting_bad`, those of writing.
pub fn create(settings: &Settings) -> Result<Made, CliError> {
    let chosen = agent::new_agent(settings)?;
    // One agent is created at a time; what a killed process left without a file is no agent.
    let _alone = alone(&chosen.home);
    if swap::is_planned(&settings.paths) {
        return Err(CliError::new(Code::Locked, "A restore is being carried out in this home."));
    }
    if chosen.home.join("agent.toml").exists() {
        return Err(CliError::new(Code::AgentExists, format!("The agent `{}` already exists.", chosen.id)));
    }
    let id = chosen.id.clone();
    let made = seed_agent(settings, chosen, true)?;
    made.ok_or_else(|| CliError::new(Code::WriteFailed, format!("The agent `{id}` was not created.")))
}

fn seed_agent(settings: &Settings, chosen: AgentPlace, is_new: bool) -> Result<Option<Made>, CliError> {
    let file = chosen.home.join("agent.toml");
    let mut given = seeded(&file);
    let profile = settings.profile();
    let lacks = |name: &String| !given.contains(name) && !chosen.workspace.join(name).exists();
    if !is_new && (!chosen.workspace.exists() || !profile.seeds.iter().any(lacks)) {
        return Ok(None);
    }
    let files = FsFiles::open_or_make(&chosen.workspace)?;
    let mut landmarks = files.landmarks()?;
    landmarks.seeded_before.clone_from(&given);
    let plan = seed::plan(&files, &landmarks, &profile)?;
    let zone = settings.zone().0.iana_name().unwrap_or("UTC").to_owned();
    let mut remember = |given: &BTreeSet<String>| {
        write_agent_file(&file, settings, &chosen.workspace, &chosen.home, &zone, given)
    };
    if is_new {
        remember(&given)?;
    }
    let mut made = Vec::new();
    give(&files, &plan, &mut given, &mut made, &mut remember)?;
    let is_changed = is_new || !made.is_empty();
    Ok(is_changed.then_some(Made { id: chosen.id, workspace: chosen.workspace, is_new, files: made }))
}

/// Creates the files one by one, so that progress is recorded even if a later one fails. `made`: names of the created
/// files; a file that another process created counts as seeded.
pub fn give(
    files: &FsFiles,
    plan: &SeedPlan,
    given: &mut BTreeSet<String>,
    made: &mut Vec<String>,
    remember: &mut dyn FnMut(&BTreeSet<String>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let (mut done, before) = (Ok(()), given.len());
    for step in &plan.steps {
        match seed::carry_out(files, &SeedPlan { steps: vec![step.clone()] }) {
            Ok(one) => {
                made.extend(one.created.iter().map(ToString::to_string));
                if matches!(step.action, SeedAction::Create(_)) {
                    given.insert(step.name.to_string());
                }
            }
            Err(error) => {
                done = Err(error.into());
                break;
            }
        }
    }
    if given.len() == before {
        return done;
    }
    let remembered = remember(given);
    done.and(remembered)
}

/// The seeds that an agent's workspace got before.
pub fn seeded(file: &Path) -> BTreeSet<String> {
    let table: toml::Table =
        own::read(file).ok().flatten().and_then(|text| text.parse().ok()).unwrap_or_default();
    let names = table.get(SEEDED_KEY).and_then(|value| value.as_array()).cloned().unwrap_or_default();
    names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Adds missing values to an agent's file; existing ones stay, with comments. Names that another process added to
/// `seeded` stay. A new agent takes over the home that its folder got with `-w`.
pub fn write_agent_file(
    file: &Path,
    settings: &Settings,
    workspace: &Path,
    home: &Path,
    zone: &str,
    given: &BTreeSet<String>,
) -> Result<(), CliError> {
    let failed = |error: &dyn std::fmt::Display| {
        CliError::new(Code::WriteFailed, format!("{} cannot be written: {error}.", file.display()))
    };
    let takeover = match file.exists() {
        true => None,
        false => Takeover::begin(&settings.paths, &new_place(workspace, home))?,
    };
    let path = takeover.as_ref().map_or_else(|| file.to_owned(), Takeover::agent_file);
    let _alone = alone(&path);
    let mut editable = Editable::read(&path, AGENT_HEAD)?;
    let mut say = |key: &str, text: &str| {
        if !editable.document.contains_key(key) {
            editable.document[key] = toml_edit::value(text);
        }
    };
    say("profile", &settings.profile().name);
    say("timezone", zone);
    if workspace != home.join("workspace") {
        let absolute = workspace.canonicalize().map_err(|error| failed(&error))?;
        let text = absolute.to_str().ok_or_else(|| failed(&"the path of the workspace is not UTF-8"))?;
        say("workspace", text);
    }
    let mut names = seeded(&path);
    names.extend(given.iter().cloned());
    let names: toml_edit::Array = names.iter().map(String::as_str).collect();
    editable.document[SEEDED_KEY] = toml_edit::value(names);
    editable.write(&path)?;
    Ok(takeover.map_or(Ok(()), Takeover::finish)?)
}

/// The agent whose home is `home`, and whose id is its name.
fn new_place(workspace: &Path, home: &Path) -> AgentPlace {
    let id = home.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    AgentPlace { id, home: home.to_owned(), workspace: workspace.to_owned() }
}

/// Whether the new agent takes over a home that its folder got with `-w`.
pub fn takes_over(settings: &Settings, workspace: &Path, home: &Path) -> bool {
    !home.join("agent.toml").exists()
        && !workspace.starts_with(home)
        && folder_home::of(&settings.paths, workspace).is_some()
}
