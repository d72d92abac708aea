//! `inwit learn preferences`: what behaviour showed, and whether it shall hold.

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

/// List and confirm preferences that sessions showed
///
/// What was seen three times in two sessions is proposed. `activate` makes a fact of it, with the source
/// `learned_preference`; `archive` forgets that fact again. A fact that somebody stated stays as it is. What is known of
/// you under keys is another thing: `inwit facts profile`.
#[derive(Debug, Args)]
pub struct PreferencesArgs {
    #[command(subcommand)]
    pub verb: PreferencesVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum PreferencesVerb {
    /// Count that a preference was seen
    Observe(ObserveArgs),
    /// Show preferences, the last seen first
    List(ListArgs),
    /// Let a preference hold
    Activate(IdArgs),
    /// Ask about a preference no more
    Reject(IdArgs),
    /// Let a preference hold no more
    Archive(IdArgs),
}

#[derive(Debug, Args)]
pub struct ObserveArgs {
    /// The preference, in one sentence
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: String,
    /// What it is about
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Dimension::WORDS))]
    pub dimension: String,
    /// The session in which it was seen [default: the day]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Keep it though it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only those in this state
    #[arg(long, value_name = "STATE", value_parser = PossibleValuesParser::new(PreferenceState::WORDS))]
    pub state: Option<String>,
}

#[derive(Debug, Args)]
pub struct IdArgs {
    /// The preference: its number or its id
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
        ui.say("There is no such preference: `inwit learn preferences observe` counts what was seen.");
    }
    Ok(())
}

fn tell(learnt: &Learnt<Preference>, ui: &mut Ui) {
    if ui.json() {
        return ui.value(&LearntV1::new(learnt, |preference| PreferenceV1::from(preference)));
    }
    let word = if learnt.is_new { "Kept" } else { "It is so already; nothing was written" };
    let preference = &learnt.what;
    ui.line(format!("{word}: {}", line(preference)));
    noticed(&learnt.findings, ui);
    learnt.notices.iter().for_each(|notice| ui.notice(notice));
    let number = preference.number;
    match preference.state {
        PreferenceState::Proposed => ui.say(format!(
            "hint: `inwit learn preferences activate {number}` lets it hold; `inwit learn preferences reject {number}` ends the question."
        )),
        PreferenceState::Active => {
            if let Some(fact) = &preference.fact {
                ui.say(format!("hint: `inwit facts read {fact}` shows the fact that it is now."));
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
