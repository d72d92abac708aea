//! Tokens of the home: list, create, rotate, revoke.
//!
//! Invariant: a caller whose token is for one agent sees and makes tokens of that agent only.

use inwit_gate::{NewToken, TokenRight, TokenRow};
use inwit_home::access::TokenWish;
use inwit_model::{AgentId, Code, Scope};
use inwit_wire::{TokenCreatedV1, TokenRevokedV1, TokenRowV1, TokensV1};
use jiff::SignedDuration;

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

/// Hours of a day.
const HOURS: i64 = 24;

/// `GET /v1/tokens`.
pub(super) fn list(served: &Served, call: &Call) -> Answered {
    let rows = served.tokens.rows()?;
    let tokens = rows.iter().filter(|row| may_manage(call, row)).map(TokenRowV1::from).collect();
    Ok(Reply::json(&TokensV1 { tokens }))
}

/// `POST /v1/tokens`.
pub(super) fn create(served: &Served, call: &Call) -> Answered {
    let (values, now) = (&call.values, served.clock.now());
    let agent = match (values.text("agent"), call.caller.bound_to()) {
        (None, own) => own.cloned(),
        (Some(id), _) => Some(known(served, call.caller.agent(id)?)?),
    };
    let unsaid = if values.flag("shared") { Scope::Shared } else { Scope::Main };
    let room = values.text("room");
    if room.is_some() && values.flag("shared") {
        return Err(Problem::new(Code::UsageBad, "Send either `room` or `shared`, not both."));
    }
    let scope = Scope::parse(None, room, unsaid);
    let scope = scope.map_err(|error| Problem::new(Code::UsageBad, error.to_string()))?;
    let days = values.whole("expires_days").and_then(|days| i64::try_from(days).ok());
    let wish = TokenWish {
        name: values.text("name").unwrap_or_default().to_owned(),
        right: values.text("right").and_then(TokenRight::parse).unwrap_or(TokenRight::Read),
        agent,
        scope,
        expires: days.map(|days| now + SignedDuration::from_hours(HOURS * days)),
    };
    let (token, row) = served.tokens.create(wish, now)?;
    Ok(created(&token, &row))
}

/// `POST /v1/tokens/{id}/rotate`.
pub(super) fn rotate(served: &Served, call: &Call) -> Answered {
    let (token, row) = served.tokens.rotate(&managed(served, call)?, served.clock.now())?;
    Ok(created(&token, &row))
}

/// `DELETE /v1/tokens/{id}`.
pub(super) fn revoke(served: &Served, call: &Call) -> Answered {
    let row = served.tokens.revoke(&managed(served, call)?)?;
    Ok(Reply::json(&TokenRevokedV1 { revoked: row.id }))
}

/// The id of the token in the address. Error: `token_unknown`, also for one that the caller may not manage.
fn managed(served: &Served, call: &Call) -> Result<String, Problem> {
    let id = call.part("id");
    let rows = served.tokens.rows()?;
    let found = rows.iter().find(|row| row.id == id && may_manage(call, row));
    let unknown = || {
        let shown = inwit_model::name::shown(id);
        Problem::new(Code::TokenUnknown, format!("There is no token with the id `{shown}`."))
    };
    found.map(|row| row.id.clone()).ok_or_else(unknown)
}

fn may_manage(call: &Call, row: &TokenRow) -> bool {
    call.caller.bound_to().is_none_or(|own| row.agent.as_ref() == Some(own))
}

fn known(served: &Served, id: AgentId) -> Result<AgentId, Problem> {
    let unknown = || Problem::new(Code::AgentUnknown, format!("There is no agent `{id}`."));
    served.agents.ids().iter().any(|known| known == id.as_str()).then(|| id.clone()).ok_or_else(unknown)
}

fn created(token: &NewToken, row: &TokenRow) -> Reply {
    Reply::json(&TokenCreatedV1 { token: token.text().to_owned(), row: TokenRowV1::from(row) })
}
