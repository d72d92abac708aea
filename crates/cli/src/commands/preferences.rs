//! `inwit learn preferences`: observed preferences, and their activation.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use inwit_engine::learning::outcome::{Learnt, Preference};
use inwit_model::learning::{Dimension, PreferenceState, PreferenceText};
use inwit_model::{Code, Scope, SessionId};
use inwit_wire::{LearntV1, NoticeV1, PreferenceV1, PreferencesV1};

use super::facts::noticed;
use crate::error::CliError;
use crate::person::owners;
use crate::ui::Ui;
use crate::{compose, person};
use inwit_settings::Settings;

/// List and confirm preferences that were observed in sessions
///
/// A preference that was observed three times in two sessions is proposed. `activate` adds a fact with the source
/// `learned_preference`; `archive` hides that fact again. Facts that a person stated are not changed. For values that
/// you set yourself, see `inwit facts profile`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit learn preferences list --state proposed\n\
\x20 inwit learn preferences activate 1\n\
\x20 inwit learn preferences reject 2")]
pub struct PreferencesArgs {
    #[command(subcommand)]
    pub verb: PreferencesVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum PreferencesVerb {
    /// Count one observation of a preference
    Observe(ObserveArgs),
    /// List preferences, last seen first
    List(ListArgs),
    /// Activate a preference
    Activate(IdArgs),
    /// Reject a preference; it is not proposed again
    Reject(IdArgs),
    /// Deactivate a preference
    Archive(IdArgs),
}

#[derive(Debug, Args)]
pub struct ObserveArgs {
    /// Preference, in one sentence
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: String,
    /// Subject of the preference
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Dimension::WORDS))]
    pub dimension: String,
    /// Session in which it was observed [default: the day]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Store the text even if it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only preferences in this state
    #[arg(long, value_name = "STATE", value_parser = PossibleValuesParser::new(PreferenceState::WORDS))]
    pub state: Option<String>,
}

#[derive(Debug, Args)]
pub struct IdArgs {
    /// Number or id of the preference
    #[arg(value_name = "PREFERENCE")]
    pub id: String,
}

pub fn run(args: &PreferencesArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let learnt = match &args.verb {
        PreferencesVerb::List(args) => return list(agent, args, ui),
        PreferencesVerb::Observe(args) => observe(agent, args)?,
        PreferencesVerb::Activate(id) => agent.learning.preference_activate(&id.id, &person::owner())?,
        PreferencesVerb::Reject(id) => agent.learning.preference_reject(&id.id, &owners(false))?,
        PreferencesVerb::Archive(id) => agent.learning.preference_archive(&id.id, &owners(false))?,
    };
    tell(&learnt, ui);
    Ok(())
}

fn observe(agent: &inwit_engine::Agent, args: &ObserveArgs) -> Result<Learnt<Preference>, CliError> {
    let session = args.session.as_deref().map(SessionId::parse).transpose();
    let session = session.map_err(|error| CliError::new(Code::UsageBad, error.to_string()))?;
    let dimension = Dimension::parse(&args.dimension).unwrap_or(Dimension::Topics);
    let text = PreferenceText { dimension, statement: args.text.clone() };
    Ok(agent.learning.preference_see(&text, session, &owners(args.allow_secret))?)
}

fn list(agent: &inwit_engine::Agent, args: &ListArgs, ui: &mut Ui) -> Result<(), CliError> {
    let state = args.state.as_deref().and_then(PreferenceState::parse);
    let preferences = agent.learning.preferences(&Scope::Main, state)?;
    let notices: Vec<_> = agent.learning.learning_unread()?.into_iter().collect();
    if ui.json() {
        let preferences = preferences.iter().map(PreferenceV1::from).collect();
        ui.value(&PreferencesV1 { preferences, notices: notices.iter().map(NoticeV1::from).collect() });
        return Ok(());
    }
    notices.iter().for_each(|notice| ui.notice(notice));
    preferences.iter().for_each(|preference| ui.line(line(preference)));
    if preferences.is_empty() {
        ui.say("No preferences found. `inwit learn preferences observe` counts an observation.");
    }
    Ok(())
}

fn tell(learnt: &Learnt<Preference>, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&LearntV1::new(learnt, |preference| PreferenceV1::from(preference)));
    }
    let word = if learnt.is_new { "Saved" } else { "No change; nothing was written" };
    let preference = &learnt.what;
    ui.line(format!("{word}: {}", line(preference)));
    noticed(&learnt.findings, ui);
    learnt.notices.iter().for_each(|notice| ui.notice(notice));
    let number = preference.number;
    match preference.state {
        PreferenceState::Proposed => ui.say(format!(
            "hint: `inwit learn preferences activate {number}` activates it; `inwit learn preferences reject {number}` rejects it."
        )),
        PreferenceState::Active => {
            if let Some(fact) = &preference.fact {
                ui.say(format!("hint: `inwit facts read {fact}` shows its fact."));
            }
        }
        _ => {}
    }
}

/// A preference on one line.
fn line(preference: &Preference) -> String {
    let text = &preference.text;
    format!(
        "{} [{}] {}  ({}; seen {} times in {} sessions)",
        preference.number,
        text.dimension,
        text.statement,
        preference.state,
        preference.seen,
        preference.sessions
    )
}
