//! Former names of commands, kept for one version: hidden, with their old arguments.

use std::path::Path;

use clap::Subcommand;

use super::{
    audit, decisions, edges, feedback, get, methods, model, own_self, preferences, profile, roles,
    transcript, why_not, workspace,
};
use crate::error::CliError;
use crate::ui::Ui;
use inwit_settings::Settings;

#[derive(Debug, Subcommand)]
pub enum FormerCommand {
    #[command(hide = true)]
    WhyNot(why_not::WhyNotArgs),
    #[command(hide = true)]
    Feedback(feedback::FeedbackArgs),
    #[command(hide = true)]
    Get(get::GetArgs),
    #[command(hide = true)]
    Workspace(workspace::WorkspaceArgs),
    #[command(name = "self", hide = true)]
    SelfReport(own_self::SelfArgs),
    #[command(hide = true)]
    Edges(edges::EdgesArgs),
    #[command(hide = true)]
    Profile(profile::ProfileArgs),
    #[command(hide = true)]
    Methods(methods::MethodsArgs),
    #[command(hide = true)]
    Decisions(decisions::DecisionsArgs),
    #[command(hide = true)]
    Roles(roles::RolesArgs),
    #[command(hide = true)]
    Preferences(preferences::PreferencesArgs),
    #[command(hide = true)]
    Audit(audit::AuditArgs),
    #[command(hide = true)]
    Model(model::ModelArgs),
    #[command(hide = true)]
    Transcript(transcript::TranscriptArgs),
}

impl FormerCommand {
    /// As [`crate::args::Command::reads_where_it_stands`].
    pub fn reads_where_it_stands(&self) -> bool {
        matches!(self, Self::WhyNot(_) | Self::Get(_))
    }

    /// The command line that replaces it.
    fn now(&self) -> &'static str {
        match self {
            Self::WhyNot(_) => "inwit search --why-not TEXT",
            Self::Feedback(_) => "inwit learn feedback",
            Self::Get(_) | Self::Workspace(_) => "inwit show",
            Self::SelfReport(_) => "inwit show self",
            Self::Edges(_) => "inwit facts edges",
            Self::Profile(_) => "inwit facts profile",
            Self::Methods(_) => "inwit learn methods",
            Self::Decisions(_) => "inwit learn decisions",
            Self::Roles(_) => "inwit learn roles",
            Self::Preferences(_) => "inwit learn preferences",
            Self::Audit(_) => "inwit history audit",
            Self::Model(_) => "inwit index model",
            Self::Transcript(_) => "inwit session",
        }
    }
}

pub fn run(command: &FormerCommand, settings: Settings, here: &Path, ui: &mut Ui) -> Result<(), CliError> {
    ui.aside(format!(
        "note: This command is now `{}`. The old name will be removed in the next version.",
        command.now()
    ));
    match command {
        FormerCommand::WhyNot(args) => why_not::run(args, settings, ui),
        FormerCommand::Feedback(args) => feedback::run(args, settings, ui),
        FormerCommand::Get(args) => get::run(args, settings, ui),
        FormerCommand::Workspace(args) => workspace::run(args, settings, ui),
        FormerCommand::SelfReport(args) => own_self::run(args, settings, ui),
        FormerCommand::Edges(args) => edges::run(args, settings, ui),
        FormerCommand::Profile(args) => profile::run(args, settings, ui),
        FormerCommand::Methods(args) => methods::run(args, settings, ui),
        FormerCommand::Decisions(args) => decisions::run(args, settings, ui),
        FormerCommand::Roles(args) => roles::run(args, settings, ui),
        FormerCommand::Preferences(args) => preferences::run(args, settings, ui),
        FormerCommand::Audit(args) => audit::run(args, settings, ui),
        FormerCommand::Model(args) => model::run(args, &settings, here, ui),
        FormerCommand::Transcript(args) => transcript::run(&args.verb, settings, ui),
    }
}
