//! Dreams: past passes, their reasons, and the quarantine. Passes themselves are jobs.

use inwit_engine::core::record::AuditDetail;
use inwit_home::OpenAgent;
use inwit_model::{Code, SafeName};
use inwit_wire::{
    DreamReasonsV1, DreamStatusV1, DreamsV1, OutcomeV1, QuarantineClearedV1, QuarantineV1, UndoV1,
};

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// Default number of rows.
const ROWS_DEFAULT: usize = 20;

/// `GET …/dreams`.
pub(super) fn log(opened: &OpenAgent, call: &Call) -> Answered {
    let limit = call.values.size("limit").unwrap_or(ROWS_DEFAULT);
    Ok(Reply::json(&DreamsV1::from(opened.agent.learning.dreams(limit)?.as_slice())))
}

/// `GET …/dreams/status`.
pub(super) fn status(opened: &OpenAgent) -> Answered {
    let config = &opened.config;
    let status = opened.agent.learning.dream_status(&config.dreams, &config.dream_logs.limits)?;
    Ok(Reply::json(&DreamStatusV1::from(&status)))
}

/// `GET …/dreams/why`.
pub(super) fn why(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let path = values.text("path").map(|path| {
        SafeName::parse(path).map_err(|error| Problem::new(Code::NameRefused, error.to_string()))
    });
    let limit = values.size("limit").unwrap_or(ROWS_DEFAULT);
    let text = values.text("text").unwrap_or_default();
    let found = opened.agent.learning.dream_why(path.transpose()?.as_ref(), text, limit)?;
    Ok(Reply::json(&DreamReasonsV1::from(found.as_slice())))
}

/// `GET …/dreams/quarantine`.
pub(super) fn quarantine(opened: &OpenAgent) -> Answered {
    let held = opened.agent.learning.quarantined_logs()?;
    Ok(Reply::json(&QuarantineV1::from(held.entries.as_slice())))
}

/// `POST …/dreams/quarantine/clear`.
pub(super) fn clear(opened: &OpenAgent, call: &Call) -> Answered {
    let files: Vec<String> =
        call.values.texts("files").unwrap_or_default().into_iter().map(str::to_owned).collect();
    let held = opened.agent.learning.quarantined_logs()?;
    let held = held.entries.iter().flat_map(|entry| entry.log_filenames.iter().map(ToString::to_string));
    let named: Vec<String> = held.filter(|log| files.is_empty() || files.contains(log)).collect();
    if !named.is_empty() {
        let detail = AuditDetail::default().with("cleared", named.join(" "));
        opened.agent.core.record("dream_quarantine", &opened.chosen.id, detail)?;
    }
    let cleared = opened.agent.learning.clear_quarantine(&files)?;
    Ok(Reply::json(&QuarantineClearedV1::from(cleared.as_slice())))
}

/// `POST …/dreams/{run}/revert`.
pub(super) fn revert(opened: &OpenAgent, call: &Call) -> Answered {
    let notes = &opened.agent.notes;
    let run = call.part("run");
    let unknown = || {
        let shown = inwit_model::name::shown(run);
        Problem::new(Code::ReceiptUnknown, format!("There is no pass `{shown}`."))
    };
    let receipt = opened.agent.learning.dream_receipt(run.parse().map_err(|_| unknown())?)?;
    let undoing = notes.plan_undo(Some(&receipt))?;
    let done = match (call.values.flag("dry_run"), call.caller.consent()) {
        (false, Some(person)) => Some(notes.undo(&undoing, &person)?),
        _ => None,
    };
    Ok(Reply::json(&UndoV1 {
        undoes: undoing.receipt.id.to_string(),
        path: undoing.receipt.name.to_string(),
        diff: undoing.diff(),
        applied: done.is_some(),
        outcome: done.as_ref().map(OutcomeV1::from),
    }))
}
