//! `inwit config`: settings, their origins, and differences between profiles.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use inwit_home::own;
use inwit_model::{Code, Profile};
use inwit_wire::{
    ProfileDiffV1, ProfileDifferenceV1, ProfileShownV1, ProfileV1, ProfileValueV1, ProfilesV1,
    SettingProblemV1, SettingSetV1, SettingUnsetV1, SettingV1, SettingsV1,
};
use inwit_workspace::profile;

use crate::editor;
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::agent;
use inwit_settings::layers::like;
use inwit_settings::table::{Kind, Reach, Setting};
use inwit_settings::{Layers, Origin, Problem, Settings, edit};

/// Show and change settings
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit config list --origin\n\
\x20 inwit config get search.limit\n\
\x20 inwit config set search.limit 20\n\
\x20 inwit config profile diff personal openclaw")]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub verb: ConfigVerb,
}

/// What can be done with settings.
#[derive(Debug, Subcommand)]
pub enum ConfigVerb {
    /// Print the value of one setting
    Get {
        /// Name of the setting, such as load.max_file_chars
        #[arg(add = crate::complete::settings_keys())]
        key: String,
        /// Also show where the value comes from
        #[arg(long)]
        origin: bool,
    },
    /// Set a value in your config file; with --agent, in that agent's
    Set {
        /// Name of the setting
        #[arg(add = crate::complete::settings_keys())]
        key: String,
        /// New value
        value: String,
    },
    /// Remove a value from your config file; with --agent, from that agent's
    Unset {
        /// Name of the setting
        #[arg(add = crate::complete::settings_keys())]
        key: String,
    },
    /// Open your config file in your editor; with --agent, that agent's
    Edit,
    /// Print all settings with their values, and problems in the files
    List {
        /// Show where each value comes from
        #[arg(long)]
        origin: bool,
    },
    /// List, show and compare profiles
    Profile {
        #[command(subcommand)]
        verb: ProfileVerb,
    },
}

/// What can be seen of profiles.
#[derive(Debug, Subcommand)]
pub enum ProfileVerb {
    /// List the profiles
    List,
    /// Print all values of a profile
    Show {
        /// Name of the profile
        name: String,
    },
    /// Compare two profiles
    Diff {
        /// First profile
        left: String,
        /// Second profile
        right: String,
    },
}

pub fn run(args: &ConfigArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        ConfigVerb::Get { key, origin } => get(key, *origin, settings, ui),
        ConfigVerb::Set { key, value } => set(key, value, settings, ui),
        ConfigVerb::Unset { key } => unset(key, settings, ui),
        ConfigVerb::Edit => open_file(settings, ui),
        ConfigVerb::List { origin } => {
            list(*origin, settings, ui);
            Ok(())
        }
        ConfigVerb::Profile { verb } => profiles(verb, ui),
    }
}

/// With the file of the selected agent, if any.
fn with_agent(mut settings: Settings) -> Settings {
    let mut chosen = settings.clone();
    if agent::choose(&mut chosen).is_ok() {
        settings = chosen;
    }
    settings
}

fn row(key: &str) -> Result<&'static Setting, CliError> {
    Setting::named(key).ok_or_else(|| {
        CliError::new(
            Code::SettingUnknown,
            format!("Unknown setting `{}`{}", inwit_model::name::shown(key), like(key)),
        )
    })
}

fn get(key: &str, origin: bool, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let row = row(key)?;
    let settings = with_agent(settings);
    tell_problems(settings.layers.problems().iter().filter(|one| one.key.as_deref() == Some(row.key)), ui);
    let effective = settings.effective();
    let Some((_, value)) = effective.iter().find(|(known, _)| known.key == row.key) else { return Ok(()) };
    if ui.json() {
        ui.value(&wire(row, value));
    } else if origin {
        ui.line(format!("{}  ({})", value.text, value.origin));
    } else {
        ui.line(&value.text);
    }
    Ok(())
}

fn set(key: &str, text: &str, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let row = row(key)?;
    let from = settings.clone();
    let path = file_of(row, settings)?;
    if row.kind == Kind::AgentId {
        row.judge(text).map_err(|why| CliError::new(Code::SettingBad, format!("{why}.")))?;
        if !from.paths.agent_ids().iter().any(|id| id == text) {
            return Err(agent::unknown(&from, text).into());
        }
    }
    edit::set(&path, row, text)?;
    if ui.json() {
        ui.value(&SettingSetV1 { key: row.key, value: text.to_owned(), file: path.display().to_string() });
    } else {
        ui.say(format!("{} = {text} in {}", row.key, path.display()));
    }
    Ok(())
}

/// The file that `row` is changed in. Error: `setting_bad` for a setting that no agent's file may have.
fn file_of(row: &Setting, settings: Settings) -> Result<PathBuf, CliError> {
    let (path, is_agents) = file(settings)?;
    if is_agents && row.reach == Reach::User {
        let message = format!("`{}` can only be set in your own config file, not in an agent's.", row.key);
        return Err(CliError::new(Code::SettingBad, message));
    }
    Ok(path)
}

/// The user's config file, or with --agent that agent's; and whether it is an agent's.
fn file(mut settings: Settings) -> Result<(PathBuf, bool), CliError> {
    let is_flag = |value: &inwit_settings::Value| matches!(value.origin, Origin::Flag(_));
    if settings.layers.get("agent").is_some_and(is_flag) {
        return Ok((agent::choose(&mut settings)?.home.join("agent.toml"), true));
    }
    Ok((settings.paths.user_file.clone(), false))
}

fn unset(key: &str, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let row = row(key)?;
    let path = file_of(row, settings)?;
    let removed = edit::unset(&path, row)?;
    let file = path.display().to_string();
    if ui.json() {
        ui.value(&SettingUnsetV1 { key: row.key, removed, file });
    } else if removed {
        ui.say(format!("Removed {} from {file}.", row.key));
    } else {
        ui.say(format!("{} is not set in {file}.", row.key));
    }
    Ok(())
}

/// Opens the file in the editor, and checks it afterwards.
fn open_file(settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let (path, is_agents) = file(settings)?;
    if !path.exists() {
        own::write(&path, b"# Settings of inwit. `inwit config list` shows every setting.\n")?;
    }
    editor::open_at(&path, 1)?;
    let (origin, reach) = match is_agents {
        true => (Origin::AgentFile as fn(PathBuf) -> Origin, Reach::Agent),
        false => (Origin::UserFile as fn(PathBuf) -> Origin, Reach::User),
    };
    let mut read = Layers::lenient();
    read.say_file(&path, &origin, reach)?;
    tell_problems(read.problems().iter(), ui);
    Ok(())
}

/// Every setting with its value and origin.
pub fn listed(settings: &Settings) -> SettingsV1 {
    SettingsV1 {
        settings: settings.effective().iter().map(|(row, value)| wire(row, value)).collect(),
        problems: settings.layers.problems().iter().map(problem).collect(),
    }
}

fn list(origin: bool, settings: Settings, ui: &mut Ui) {
    let settings = with_agent(settings);
    if ui.json() {
        return ui.value(&listed(&settings));
    }
    let effective = settings.effective();
    for (row, value) in effective {
        let text = if value.text.is_empty() { "-" } else { &value.text };
        if origin {
            ui.line(format!("{:<24} {:<28} {}", row.key, text, value.origin));
        } else {
            ui.line(format!("{:<24} {text}", row.key));
        }
    }
    for one in settings.layers.problems() {
        let key = one.key.as_deref().unwrap_or("-");
        ui.line(format!("{key:<24} {:<28} ignored: {}", one.value.text, one.error.message));
        if one.error.hint.is_some() {
            ui.say(format!("hint: {}", CliError::from(one.error.clone()).hint_said()));
        }
    }
}

fn problem(one: &Problem) -> SettingProblemV1 {
    SettingProblemV1 {
        key: one.key.clone(),
        value: one.value.text.clone(),
        origin: one.value.origin.to_string(),
        problem: one.error.message.clone(),
    }
}

fn tell_problems<'p>(problems: impl Iterator<Item = &'p Problem>, ui: &mut Ui) {
    for one in problems {
        ui.say(format!("note: {}", one.error.message));
    }
}

fn wire(row: &'static Setting, value: &inwit_settings::Value) -> SettingV1 {
    SettingV1 {
        key: row.key,
        value: value.text.clone(),
        origin: value.origin.to_string(),
        expects: row.expects(),
        about: row.about,
        environment: row.env_names().collect(),
    }
}

fn profiles(verb: &ProfileVerb, ui: &mut Ui) -> Result<(), CliError> {
    let named = |name: &str| {
        profile::named(name).ok_or_else(|| {
            CliError::new(
                Code::ProfileUnknown,
                format!("Unknown profile `{}`.", inwit_model::name::shown(name)),
            )
        })
    };
    match verb {
        ProfileVerb::List => {
            let known: Vec<_> = profile::names().filter_map(profile::named).collect();
            if ui.json() {
                let profile =
                    |known: &Profile| ProfileV1 { name: known.name.clone(), about: known.about.clone() };
                ui.value(&ProfilesV1 { profiles: known.iter().map(profile).collect() });
            } else {
                known.iter().for_each(|profile| ui.line(format!("{:<10} {}", profile.name, profile.about)));
            }
        }
        ProfileVerb::Show { name } => {
            let rows = profile::rows(&named(name)?);
            if ui.json() {
                let value =
                    |(key, value): (_, String)| ProfileValueV1 { key: ToString::to_string(&key), value };
                ui.value(&ProfileShownV1 { values: rows.into_iter().map(value).collect() });
            } else {
                rows.iter().for_each(|(key, value)| ui.line(format!("{key:<18} {value}")));
            }
        }
        ProfileVerb::Diff { left, right } => {
            let rows = profile::difference(&named(left)?, &named(right)?);
            if ui.json() {
                let difference =
                    |(key, left, right)| ProfileDifferenceV1 { key: ToString::to_string(&key), left, right };
                ui.value(&ProfileDiffV1 { differences: rows.into_iter().map(difference).collect() });
            } else {
                rows.iter().for_each(|(key, left, right)| ui.line(format!("{key}\n  {left}\n  {right}")));
            }
        }
    }
    Ok(())
}
