//! MindRoom's workspace: SOUL, AGENTS, MEMORY and `memory/` of an agent, and its report of a prompt.
//!
//! Checks are in the order of its API: precondition, agent, name, missing file, conflict, size.

use inwit_engine::Outcome;
use inwit_home::OpenAgent;
use inwit_model::fact::When;
use inwit_model::{Code, Entry, Place, SafeName, Scope, time};
use inwit_wire::foreign_api::{
    MindroomDayV1, MindroomFileV1, MindroomFilesV1, MindroomLoadedV1, MindroomPutV1, MindroomReportV1,
};
use inwit_wire::prompt::OmissionV1;
use inwit_wire::server::changed_at;
use jiff::civil::Date;

use super::{Answered, files};
use crate::call::Call;
use crate::precondition::Expected;
use crate::problem::Problem;
use crate::reply::Reply;

/// Files that it serves beside those in `memory/`.
const NAMES: [&str; 3] = ["SOUL.md", "AGENTS.md", "MEMORY.md"];

/// The folder of its logs.
const FOLDER: &str = "memory/";

/// `GET /api/workspace/{agent}/files`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let entries = opened.agent.notes.entries(&call.scope)?;
    let is_served = |entry: &&Entry| served(entry.name.as_str());
    Ok(rows(opened, call, entries.iter().filter(is_served)))
}

/// `GET /api/workspace/{agent}/memory/daily`.
pub(super) fn days(opened: &OpenAgent, call: &Call) -> Answered {
    let entries = opened.agent.notes.entries(&call.scope)?;
    let is_log = |entry: &&Entry| Place::of(&entry.name).is_some_and(|place| place.date().is_some());
    Ok(rows(opened, call, entries.iter().filter(is_log)))
}

fn rows<'e>(opened: &OpenAgent, call: &Call, entries: impl Iterator<Item = &'e Entry>) -> Reply {
    let files: Vec<MindroomFileV1> = entries.map(|entry| row(opened, call, entry)).collect();
    Reply::json(&MindroomFilesV1 { agent_name: opened.chosen.id.clone(), count: files.len(), files })
}

/// `GET /api/workspace/{agent}/memory/daily/{date}`.
pub(super) fn day(opened: &OpenAgent, call: &Call) -> Answered {
    let asked = call.part("date");
    let date = asked.parse::<Date>().ok().filter(|date| date.to_string() == asked);
    let date = date.ok_or_else(|| {
        let shown = inwit_model::name::shown(asked);
        Problem::new(Code::NameRefused, format!("`{shown}` is not a date; write YYYY-MM-DD."))
    })?;
    let entries = opened.agent.notes.entries(&call.scope)?;
    let is_of_date = |entry: &&Entry| Place::of(&entry.name).and_then(|place| place.date()) == Some(date);
    // A log that is removed now is left out.
    let logs = entries.iter().filter(is_of_date).filter_map(|entry| with_content(opened, call, entry).ok());
    let (agent_name, date) = (opened.chosen.id.clone(), date.to_string());
    Ok(Reply::json(&MindroomDayV1 { agent_name, date, entries: logs.collect() }))
}

/// `GET /api/workspace/{agent}/file/{filename}`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    let name = name(call)?;
    let (bytes, sha256) = files::seen(opened, call, name.as_str())?;
    let content = Some(String::from_utf8_lossy(&bytes).into_owned());
    let row = row(opened, call, &existing(opened, call, &name)?);
    Ok(Reply::json(&MindroomFileV1 { content, ..row }).tagged(sha256))
}

/// `PUT /api/workspace/{agent}/file/{filename}`.
pub(super) fn write(opened: &OpenAgent, call: &Call) -> Answered {
    let expected = Expected::of(&call.headers)?;
    let input: MindroomPutV1 = call.shape()?;
    let name = name(call)?;
    existing(opened, call, &name)?;
    let content = Some(input.content.as_bytes());
    let outcome = files::replaced(opened, call, name.as_str(), content, expected)?;
    changed(opened, call, &name, &outcome)
}

/// `DELETE /api/workspace/{agent}/file/{filename}`.
pub(super) fn remove(opened: &OpenAgent, call: &Call) -> Answered {
    let expected = Expected::of(&call.headers)?;
    let name = name(call)?;
    let entry = existing(opened, call, &name)?;
    let outcome = files::replaced(opened, call, name.as_str(), None, expected)?;
    match outcome {
        Outcome::Applied { .. } => Ok(Reply::json(&row(opened, call, &entry))),
        other => changed(opened, call, &name, &other),
    }
}

fn changed(opened: &OpenAgent, call: &Call, name: &SafeName, outcome: &Outcome) -> Answered {
    let row = row(opened, call, &existing(opened, call, name)?);
    let reply = Reply::json(&MindroomFileV1 { proposal: files::proposal(outcome), ..row });
    Ok(match files::hash_after(opened, call, name.as_str(), outcome) {
        Some(sha256) => reply.tagged(sha256),
        None => reply,
    })
}

/// `GET /api/agents/{name}/context-report`.
pub(super) fn report(opened: &OpenAgent, call: &Call) -> Answered {
    let prompt = opened.agent.sessions.prompt_of_facts(&call.scope, None, When::default())?;
    let loaded = prompt.blocks.iter().filter_map(|block| {
        let filename = block.source.as_ref()?.to_string();
        let category = block.kind.map_or("other", |kind| kind.word());
        Some(MindroomLoadedV1 { filename, size_bytes: block.text.len(), category })
    });
    let omitted = prompt.omitted.iter().map(OmissionV1::from).map(|left_out| {
        let what = left_out.source.unwrap_or_else(|| left_out.kind.to_owned());
        format!("{what}: {}", left_out.message)
    });
    let noticed = prompt.notices.iter().map(|notice| notice.message.clone());
    let room_id = match &call.scope {
        Scope::Room(room) => Some(room.to_string()),
        _ => None,
    };
    Ok(Reply::json(&MindroomReportV1 {
        agent_name: opened.chosen.id.clone(),
        room_id,
        is_dm: call.scope == Scope::Main,
        loaded_files: loaded.collect(),
        warnings: omitted.chain(noticed).collect(),
    }))
}

/// The requested file. Error: `name_refused` for one that is not served.
fn name(call: &Call) -> Result<SafeName, Problem> {
    let asked = call.part("path");
    let refused = |why: String| Problem::new(Code::NameRefused, why);
    let name = SafeName::parse(asked).map_err(|error| refused(error.to_string()))?;
    match served(name.as_str()) {
        true => Ok(name),
        false => Err(refused(format!(
            "`{name}` is not SOUL.md, AGENTS.md, MEMORY.md or a Markdown file in `memory/`."
        ))),
    }
}

fn served(name: &str) -> bool {
    NAMES.contains(&name) || (name.starts_with(FOLDER) && name.ends_with(".md"))
}

fn existing(opened: &OpenAgent, call: &Call, name: &SafeName) -> Result<Entry, Problem> {
    let entries = opened.agent.notes.entries(&call.scope)?;
    let found = entries.into_iter().find(|entry| entry.name == *name);
    found.ok_or_else(|| Problem::new(Code::FileMissing, format!("`{name}` does not exist.")))
}

/// A file without its text. Its size is that of the text as the caller sees it.
fn row(opened: &OpenAgent, call: &Call, entry: &Entry) -> MindroomFileV1 {
    let seen = || files::seen(opened, call, entry.name.as_str()).map_or(0, |(bytes, _)| bytes.len() as u64);
    MindroomFileV1 {
        filename: entry.name.to_string(),
        content: None,
        size_bytes: if call.caller.consent().is_some() { entry.stamp.bytes } else { seen() },
        last_modified: time::json(changed_at(entry)),
        agent_name: opened.chosen.id.clone(),
        proposal: None,
    }
}

fn with_content(opened: &OpenAgent, call: &Call, entry: &Entry) -> Result<MindroomFileV1, Problem> {
    let (bytes, _) = files::seen(opened, call, entry.name.as_str())?;
    Ok(MindroomFileV1 {
        content: Some(String::from_utf8_lossy(&bytes).into_owned()),
        ..row(opened, call, entry)
    })
}
