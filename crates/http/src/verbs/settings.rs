//! New agents, and the settings of one.
//!
//! Only sizes, counts and times are changed here; everything else is changed on the machine of the server.

use inwit_engine::core::record::AuditDetail;
use inwit_home::OpenAgent;
use inwit_model::{AgentId, Code};
use inwit_wire::SettingV1;

use super::Answered;
use crate::agents::NewAgent;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

/// `POST /v1/agents`.
pub(super) fn create(served: &Served, call: &Call) -> Answered {
    if call.caller.bound_to().is_some() {
        return Err(Problem::new(Code::AccessDenied, "A token of one agent creates no other."));
    }
    let values = &call.values;
    let id = AgentId::parse(values.text("id").unwrap_or_default())
        .map_err(|error| Problem::new(Code::UsageBad, error.to_string()))?;
    let (profile, timezone) = (values.text("profile"), values.text("timezone"));
    Ok(Reply::json(&served.agents.create(&NewAgent { id: &id, profile, timezone })?))
}

/// `GET …/settings`.
pub(super) fn list(served: &Served, call: &Call) -> Answered {
    // A token of one agent does not read what is set for all.
    let only_its_own = call.caller.bound_to().is_some();
    Ok(Reply::json(&served.agents.settings(&call.caller.agent(call.part("agent"))?, only_its_own)?))
}

/// `PUT …/settings/{key}`.
pub(super) fn set(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    change(served, opened, call, Some(call.values.text("value").unwrap_or_default()))
}

/// `DELETE …/settings/{key}`.
pub(super) fn unset(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    change(served, opened, call, None)
}

fn change(served: &Served, opened: &OpenAgent, call: &Call, value: Option<&str>) -> Answered {
    let (id, key) = (call.caller.agent(call.part("agent"))?, call.part("key"));
    let record = || {
        let detail = AuditDetail::default().with("key", key);
        opened.agent.core.record("setting", &opened.chosen.id, detail)?;
        Ok(())
    };
    served.agents.set(&id, key, value, &record)?;
    let now = served.agents.settings(&id, true)?;
    let changed = now.settings.into_iter().find(|setting: &SettingV1| setting.key == key);
    let unknown = || Problem::new(Code::SettingUnknown, "There is no such setting.");
    Ok(Reply::json(&changed.ok_or_else(unknown)?))
}
