//! The server itself, its agents, and an overview of one.

use std::sync::OnceLock;

use inwit_home::OpenAgent;
use inwit_model::Code;
use inwit_model::watch::unwatched;
use inwit_wire::routes::openapi;
use inwit_wire::tools::StatusForV1;
use inwit_wire::{DoctorV1, FindingV1, HealthV1, ServedAgentsV1, ServerVersionV1};

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `GET /readyz`.
pub(super) fn ready(served: &Served) -> Answered {
    match served.is_stopping() {
        true => Err(Problem::new(Code::ServerBusy, "The server is stopping.")),
        false => Ok(Reply::Nothing),
    }
}

/// `GET /version`.
pub(super) fn version() -> Reply {
    Reply::json(&ServerVersionV1 { name: "inwit", version: VERSION })
}

/// `GET /openapi.json`.
pub(super) fn openapi() -> Reply {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    Reply::Json(DOCUMENT.get_or_init(|| openapi::document(VERSION).to_string()).clone())
}

/// `GET /metrics`. Error: `access_denied` for a token of one agent or scope.
pub(super) fn metrics(served: &Served, call: &Call) -> Answered {
    call.caller.sees_all()?;
    Ok(Reply::Metrics(served.metrics.text(served)))
}

/// `GET /v1/agents`.
pub(super) fn agents(served: &Served, call: &Call) -> Reply {
    let agents = served.agents.ids().into_iter().filter(|id| call.caller.may_use(id)).collect();
    Reply::json(&ServedAgentsV1 { agents })
}

/// `GET /v1/agents/{agent}`.
pub(super) fn status(opened: &OpenAgent, call: &Call) -> Answered {
    let glance = opened.agent.notes.glance(&call.scope)?;
    let profile = &opened.agent.core.profile().name;
    Ok(Reply::json(&StatusForV1::new(&opened.chosen.id, profile, false, &glance)))
}

/// `GET …/doctor`.
pub(super) fn doctor(opened: &OpenAgent) -> Answered {
    let findings = inwit_home::doctor::examine(opened, Vec::new(), &mut unwatched)?;
    // What damage hides is reported as a finding.
    let health = opened.agent.health().unwrap_or_default();
    let findings = findings.iter().map(FindingV1::from).collect();
    Ok(Reply::json(&DoctorV1 { findings, health: HealthV1::new(&health, false) }))
}
