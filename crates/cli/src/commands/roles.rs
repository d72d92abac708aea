//! `inwit learn roles`: roles and their horizons.

use clap::{Args, Subcommand};
use inwit_model::Scope;
use inwit_model::learning::{OVERDUE_HOURS_DEFAULT, Role};
use inwit_wire::{LearntV1, NoticeV1, RoleV1, RolesV1};

use crate::compose;
use crate::error::CliError;
use crate::person::owners;
use crate::ui::Ui;
use inwit_settings::Settings;

/// Manage the roles in which decisions are made
///
/// A role such as `swing` has a horizon: the number of hours after which the outcome of a decision is known. `inwit doctor`
/// counts decisions that are open for longer than the horizon and the overdue hours.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n\
\x20 inwit learn roles set swing --horizon 72 --overdue 24\n\
\x20 inwit learn roles list")]
pub struct RolesArgs {
    #[command(subcommand)]
    pub verb: RolesVerb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum RolesVerb {
    /// Add or change a role
    Set(SetArgs),
    /// List the roles
    List,
}

#[derive(Debug, Args)]
pub struct SetArgs {
    /// Name of the role, such as swing
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Hours until an outcome is known; 0 if that is unknown [default: unchanged, for a new role 0]
    #[arg(long, value_name = "HOURS")]
    pub horizon: Option<u32>,
    /// Hours after the horizon until an open decision is overdue [default: unchanged, for a new role 72]
    #[arg(long, value_name = "HOURS")]
    pub overdue: Option<u32>,
}

pub fn run(args: &RolesArgs, settings: Settings, ui: &mut Ui) -> Result<(), CliError> {
    let opened = compose::open_files(settings)?;
    let args = match &args.verb {
        RolesVerb::Set(args) => args,
        RolesVerb::List => return list(&opened.agent, ui),
    };
    let name = args.name.trim().to_owned();
    let known = opened.agent.learning.roles(&Scope::Main)?.into_iter().find(|role| role.name == name);
    let known = known.unwrap_or(Role { name, horizon_hours: 0, overdue_hours: OVERDUE_HOURS_DEFAULT });
    let role = Role {
        horizon_hours: args.horizon.unwrap_or(known.horizon_hours),
        overdue_hours: args.overdue.unwrap_or(known.overdue_hours),
        name: known.name,
    };
    let learnt = opened.agent.learning.role_set(&role, &owners(false))?;
    if ui.json() {
        ui.value(&LearntV1::new(&learnt, |role| RoleV1::from(role)));
    } else {
        let word = if learnt.is_new { "Saved" } else { "No change; nothing was written" };
        ui.line(format!("{word}: {}", line(&learnt.what)));
    }
    Ok(())
}

fn list(agent: &inwit_engine::Agent, ui: &mut Ui) -> Result<(), CliError> {
    let roles = agent.learning.roles(&Scope::Main)?;
    let notices: Vec<_> = agent.learning.learning_unread()?.into_iter().collect();
    if ui.json() {
        let notices = notices.iter().map(NoticeV1::from).collect();
        ui.value(&RolesV1 { roles: roles.iter().map(RoleV1::from).collect(), notices });
    } else {
        notices.iter().for_each(|notice| ui.notice(notice));
        roles.iter().for_each(|role| ui.line(line(role)));
    }
    Ok(())
}

fn line(role: &Role) -> String {
    match role.horizon_hours {
        0 => format!("{}: no horizon, so nothing is overdue", role.name),
        hours => format!("{}: outcome after {hours} h, overdue {} h later", role.name, role.overdue_hours),
    }
}
