//! Transcripts: list, read, search. Text is masked for every caller, and a scope sees its own sessions.

use inwit_engine::self_report::session_logs::{Look, SessionLogs};
use inwit_home::{OpenAgent, open};
use inwit_model::{Code, Scope, SessionId};
use inwit_wire::{SessionHitsV1, SessionListV1, SessionReadingV1};

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// `GET …/transcripts`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let sessions = logs(opened, call, false)?.list(&call.scope, call.values.size("limit"))?;
    Ok(Reply::json(&<SessionListV1>::from(&sessions)))
}

/// `GET …/transcripts/search`.
pub(super) fn search(opened: &OpenAgent, call: &Call) -> Answered {
    let query = call.values.text("q").unwrap_or_default();
    let found = logs(opened, call, true)?.search(&call.scope, query, call.values.size("limit"))?;
    Ok(Reply::json(&<SessionHitsV1>::new(query.trim(), &found)))
}

/// `GET …/transcripts/{session}`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let session = SessionId::parse(call.part("session"))
        .map_err(|error| Problem::new(Code::SessionIdBad, error.to_string()))?;
    let look = Look {
        offset: values.whole("offset").unwrap_or_default(),
        limit: values.size("limit"),
        max_chars: values.size("max_chars"),
    };
    let reading = logs(opened, call, false)?.read(&call.scope, &session, &look)?;
    Ok(Reply::json(&<SessionReadingV1>::from(&reading)))
}

/// The transcripts, masked. Error: `transcripts_disabled` where none are kept; other scopes get an empty list.
fn logs(opened: &OpenAgent, call: &Call, searches: bool) -> Result<SessionLogs, Problem> {
    let logs = open::session_logs(&opened.chosen, searches)?;
    logs.mask_too(opened.agent.core.named_values(&call.scope));
    if call.scope == Scope::Main && !logs.is_there() {
        return Err(Problem::new(Code::TranscriptsOff, "No transcripts are kept."));
    }
    Ok(logs)
}
