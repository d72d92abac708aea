//! History: recorded changes, the origin of each line, files as they were.

use inwit_engine::Notice;
use inwit_engine::history::past::{LogFilter, Rev};
use inwit_home::OpenAgent;
use inwit_model::{Code, SafeName, Sha256};
use inwit_wire::tools::KeptV1;
use inwit_wire::{BlameV1, BlamedLineV1, CommitV1, DiffV1, HistoryV1, NoticeV1, RevisionV1};

use super::{Answered, memory};
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// Default number of changes.
const CHANGES_DEFAULT: usize = 20;

/// Most lines of one answer with origins.
const BLAME_LINES_MAX: usize = 500;

/// `GET …/history`.
pub(super) fn log(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let filter = LogFilter {
        name: values.text("path").map(name).transpose()?,
        session: values.text("session").map(str::to_owned),
        ..LogFilter::newest(values.size("limit").unwrap_or(CHANGES_DEFAULT))
    };
    let commits = opened.agent.history.history_log(&filter)?;
    let commits = commits.iter().map(CommitV1::from).collect();
    Ok(Reply::json(&HistoryV1 { commits, notices: behind(opened)? }))
}

/// `GET …/diff`.
pub(super) fn diff(opened: &OpenAgent, call: &Call) -> Answered {
    let (history, values) = (&opened.agent.history, &call.values);
    let name = values.text("path").map(name).transpose()?;
    let between = match (values.text("from"), values.text("to")) {
        (None, None) => history.last_change(name.as_ref())?,
        (Some(from), None) => Some((parsed(from)?, Rev::Tip)),
        (Some(from), Some(to)) => Some((parsed(from)?, parsed(to)?)),
        (None, Some(_)) => return Err(Problem::new(Code::UsageBad, "`to` needs `from`.")),
    };
    let diff = match between {
        Some((from, to)) => history.history_diff(&from, &to, name.as_ref())?,
        None => String::new(),
    };
    Ok(Reply::json(&DiffV1 { diff, notices: behind(opened)? }))
}

/// `GET …/blame/{path}`.
pub(super) fn blame(opened: &OpenAgent, call: &Call) -> Answered {
    let name = name(call.part("path"))?;
    let from = call.values.size("from").unwrap_or(1);
    let last = from.saturating_add(BLAME_LINES_MAX - 1);
    let mut origins = opened.agent.history.blame(&name, Some(from..=last.saturating_add(1)))?;
    let mut notices = behind(opened)?;
    if origins.len() > BLAME_LINES_MAX {
        origins.truncate(BLAME_LINES_MAX);
        let message = format!("Only lines up to {last} are answered.");
        let hint = "Ask again with `from` of the next line.";
        notices.push(NoticeV1::from(&Notice::new("lines_left_out", message, hint)));
    }
    let lines = origins.iter().map(BlamedLineV1::from).collect();
    Ok(Reply::json(&BlameV1 { path: name.to_string(), lines, notices }))
}

/// `GET …/revisions/{path}`.
pub(super) fn revision(opened: &OpenAgent, call: &Call) -> Answered {
    let (name, at) = (name(call.part("path"))?, rev(call)?);
    let bytes = opened.agent.history.history_show(&at, &name)?;
    Ok(Reply::json(&RevisionV1 {
        path: name.to_string(),
        revision: at.to_string(),
        text: String::from_utf8_lossy(&bytes).into_owned(),
        sha256: Sha256::of(&bytes).to_string(),
    }))
}

/// `POST …/revisions/{path}`.
pub(super) fn restore(opened: &OpenAgent, call: &Call) -> Answered {
    let (name, at) = (name(call.part("path"))?, rev(call)?);
    let denied = || Problem::new(Code::AccessDenied, "Only a person restores a file.");
    let person = call.caller.consent().ok_or_else(denied)?;
    let outcome = opened.agent.notes.restore_file(&at, &name, &person)?;
    Ok(memory::kept(opened, call, KeptV1::from(&outcome)))
}

fn name(text: &str) -> Result<SafeName, Problem> {
    SafeName::parse(text).map_err(|error| Problem::new(Code::NameRefused, error.to_string()))
}

fn rev(call: &Call) -> Result<Rev, Problem> {
    let at = call.values.text("at").unwrap_or_default();
    parsed(at)
}

fn parsed(at: &str) -> Result<Rev, Problem> {
    Rev::parse(at).map_err(|error| Problem::new(error.code(), error.to_string()))
}

/// The notice about changes that are not recorded yet.
fn behind(opened: &OpenAgent) -> Result<Vec<NoticeV1>, Problem> {
    Ok(opened.agent.history.history_behind()?.iter().map(NoticeV1::from).collect())
}
