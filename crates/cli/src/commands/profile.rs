//! `inwit facts profile`: the user profile.

use clap::{Args, Subcommand};
use inwit_model::{Code, Scope};
use inwit_wire::{NoticeV1, UserProfileV1};

use super::facts::tell;
use crate::compose;
use crate::error::CliError;
use crate::person::owners;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Show and set your profile, which every private prompt contains
///
/// The values are at the head of the block of facts in private prompts. The profiles that decide how an agent behaves are
/// something else; see `inwit config profile`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit facts profile\n\
\x20 inwit facts profile set home_language en\n\
\x20 inwit facts profile unset home_language")]
pub struct ProfileArgs {
    #[command(subcommand)]
    pub verb: Option<ProfileVerb>,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum ProfileVerb {
    /// Show all values, or the value of one key (the default)
    Get(GetArgs),
    /// Set a value
    Set(SetArgs),
    /// Remove a value
    Unset(UnsetArgs),
}

#[derive(Debug, Default, Args)]
pub struct GetArgs {
    /// Key of the value
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
}

#[derive(Debug, Args)]
pub struct SetArgs {
    /// Key, such as home_language
    #[arg(value_name = "KEY")]
    pub key: String,
    /// Value, on one line
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: String,
    /// Store the value even if it looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
pub struct UnsetArgs {
    /// Key of the value
    #[arg(value_name = "KEY")]
    pub key: String,
}

pub fn run(args: &ProfileArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let agent = &opened.agent;
    let outcome = match &args.verb {
        None => return get(agent, &GetArgs::default(), ui),
        Some(ProfileVerb::Get(args)) => return get(agent, args, ui),
        Some(ProfileVerb::Set(args)) => {
            agent.facts.profile_set(&args.key, &args.value, &owners(args.allow_secret))?
        }
        Some(ProfileVerb::Unset(args)) => agent.facts.profile_unset(&args.key, &owners(false))?,
    };
    tell(&outcome, &[], &opened.agent, ui);
    Ok(())
}

fn get(agent: &inwit_engine::Agent, args: &GetArgs, ui: &mut Ui) -> Result<(), CliError> {
    let mut known = agent.facts.user_profile(&Scope::Main)?;
    let unread = agent.facts.unread_notice(&Scope::Main)?;
    if let Some(key) = &args.key {
        known.retain(|entry| entry.key.as_str() == key.trim());
        if known.is_empty() {
            let shown = inwit_model::name::shown(key);
            return Err(CliError::new(Code::FactUnknown, format!("The profile has no value for `{shown}`."))
                .hint("`inwit facts profile get` shows all values; `inwit facts profile set KEY VALUE` sets one."));
        }
    }
    if ui.json() {
        let notices = unread.iter().map(NoticeV1::from).collect();
        ui.value(&UserProfileV1 { notices, ..UserProfileV1::from(known.as_slice()) });
        return Ok(());
    }
    unread.iter().for_each(|notice| ui.notice(notice));
    for entry in &known {
        ui.line(format!("{}: {}", entry.key, entry.value));
    }
    if known.is_empty() {
        ui.say("No profile values yet. `inwit facts profile set home_language en` sets one.");
    }
    Ok(())
}
