//! Entries: to the memory, and to the daily log.

use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_home::OpenAgent;
use inwit_wire::tools::KeptV1;

use super::Answered;
use crate::call::Call;
use crate::reply::Reply;

/// `POST …/memory`.
pub(super) fn remember(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let entry = Entry {
        text: values.text("text").unwrap_or_default(),
        section: values.text("section").unwrap_or(SECTION_DEFAULT),
    };
    let behalf = call.caller.behalf(&opened.agent, &call.scope, call.reason());
    let outcome = opened.agent.notes.remember_in(&call.scope, values.text("path"), &entry, &behalf)?;
    Ok(kept(opened, call, KeptV1::from(&outcome)))
}

/// `POST …/journal`.
pub(super) fn journal(opened: &OpenAgent, call: &Call) -> Answered {
    let text = call.values.text("text").unwrap_or_default();
    let behalf = call.caller.behalf(&opened.agent, &call.scope, call.reason());
    let outcome = opened.agent.sessions.journal_add(text, &call.scope, &behalf)?;
    Ok(kept(opened, call, KeptV1::from(&outcome)))
}

/// What became of a change. Only a person gets the hash of a file with masked parts.
pub(super) fn kept(opened: &OpenAgent, call: &Call, mut kept: KeptV1) -> Reply {
    if call.caller.consent().is_none() {
        let masked = |_| opened.agent.notes.hash_masked(&call.scope, &kept.path);
        kept.sha256 = kept.sha256.and_then(masked).map(|hash| hash.to_string());
    }
    Reply::json(&kept)
}
