//! `inwit learn`: methods, decisions, preferences, roles and feedback.

use clap::{Args, Subcommand};

use super::{decisions, feedback, methods, preferences, roles};
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Learn from outcomes: methods, decisions, preferences, feedback
///
/// Rated search results rank higher or lower. Methods are scored by the decisions that use them. Preferences that
/// were observed in several sessions are proposed to you.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit learn feedback --useful 1\n\
\x20 inwit learn methods add \"Feed the starter twice before baking.\"\n\
\x20 inwit learn decisions record \"Bake on Friday.\" --method 1\n\
\x20 inwit learn preferences list")]
pub struct LearnArgs {
    #[command(subcommand)]
    pub verb: LearnVerb,
}

#[derive(Debug, Subcommand)]
pub enum LearnVerb {
    Methods(methods::MethodsArgs),
    Decisions(decisions::DecisionsArgs),
    Roles(roles::RolesArgs),
    Preferences(preferences::PreferencesArgs),
    Feedback(feedback::FeedbackArgs),
}

pub fn run(args: &LearnArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    match &args.verb {
        LearnVerb::Methods(args) => methods::run(args, settings, ui),
        LearnVerb::Decisions(args) => decisions::run(args, settings, ui),
        LearnVerb::Roles(args) => roles::run(args, settings, ui),
        LearnVerb::Preferences(args) => preferences::run(args, settings, ui),
        LearnVerb::Feedback(args) => feedback::run(args, settings, ui),
    }
}
