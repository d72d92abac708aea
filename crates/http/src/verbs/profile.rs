//! The user profile: what is known of the user, by key.

use inwit_home::OpenAgent;
use inwit_model::Scope;
use inwit_wire::tools::KeptV1;
use inwit_wire::{NoticeV1, UserProfileV1};

use super::Answered;
use crate::call::Call;
use crate::reply::Reply;

/// `GET …/profile`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    let facts = &opened.agent.facts;
    let known = facts.user_profile(&call.scope)?;
    let notices = facts.unread_notice(&Scope::Main)?.iter().map(NoticeV1::from).collect();
    Ok(Reply::json(&UserProfileV1 { notices, ..UserProfileV1::from(known.as_slice()) }))
}

/// `PUT …/profile/{key}`.
pub(super) fn set(opened: &OpenAgent, call: &Call) -> Answered {
    super::facts::of_the_owner(call)?;
    let behalf = call.caller.behalf(&opened.agent, &call.scope, call.reason());
    let value = call.values.text("value").unwrap_or_default();
    Ok(Reply::json(&KeptV1::from(&opened.agent.facts.profile_set(call.part("key"), value, &behalf)?)))
}

/// `DELETE …/profile/{key}`.
pub(super) fn unset(opened: &OpenAgent, call: &Call) -> Answered {
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    Ok(Reply::json(&KeptV1::from(&opened.agent.facts.profile_unset(call.part("key"), &behalf)?)))
}
