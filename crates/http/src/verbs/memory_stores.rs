//! Anthropic's memory stores: the files below `memory/` of an agent, by path, with the sha256 that was read.
//!
//! One store is one agent. Invariants: only the owner's scope has memories; the daily logs of rooms and the reports of dreams
//! are not among them; a write that waits for approval is no success, since their memories have no such state.

use std::collections::HashMap;

use axum::http::StatusCode;
use inwit_engine::Outcome;
use inwit_engine::history::past::{LogFilter, Logged, Rev};
use inwit_home::OpenAgent;
use inwit_model::{Code, Entry, Place, SafeName, Scope, Sha256, time};
use inwit_wire::memory_stores::{
    MemoryActorV1, MemoryChangeV1, MemoryCreateV1, MemoryDeletedV1, MemoryPrefixV1, MemoryRowV1,
    MemoryStoreV1, MemoryStoresV1, MemoryVersionV1, MemoryVersionsV1, StoredMemoriesV1, StoredMemoryV1,
};
use inwit_wire::server::changed_at;
use jiff::Timestamp;

use super::{Answered, files};
use crate::call::Call;
use crate::precondition::{Expected, parse};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

/// The folder of the store in the workspace.
const FOLDER: &str = "memory/";

/// Folders in it that are not of the store.
const NOT_OURS: [&str; 2] = ["memory/rooms/", "memory/dreaming/"];

/// Longest path, in bytes.
const PATH_BYTES_MAX: usize = 1_024;

/// Largest memory, in bytes.
const CONTENT_BYTES_MAX: usize = 102_400;

/// Default number of memories of a page.
const PAGE_DEFAULT: usize = 50;

/// Most versions of one answer.
const VERSIONS_MAX: usize = 20;

/// Most changes of the history that are searched for versions.
const CHANGES_MAX: usize = 1_000;

/// `GET /v1/memory_stores`.
pub(super) fn stores(served: &Served, call: &Call) -> Answered {
    let ids = served.agents.ids().into_iter().filter(|id| call.caller.may_use(id));
    let data = ids.map(|id| store_of(served, call, &id)).collect();
    Ok(Reply::json(&MemoryStoresV1 { data, next_page: None }))
}

/// `GET /v1/memory_stores/{agent}`.
pub(super) fn store(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    Ok(Reply::json(&store_of(served, call, &opened.chosen.id)))
}

/// Its times are those of the agent's settings, which only its owner may know.
fn store_of(served: &Served, call: &Call, id: &str) -> MemoryStoreV1 {
    let file = served.root.join("agents").join(id).join("agent.toml");
    let made = std::fs::metadata(file).and_then(|found| found.modified()).ok();
    let made =
        made.and_then(|made| Timestamp::try_from(made).ok()).filter(|_| call.caller.consent().is_some());
    let made = made.unwrap_or(Timestamp::UNIX_EPOCH);
    MemoryStoreV1 {
        r#type: "memory_store",
        id: id.to_owned(),
        name: id.to_owned(),
        description: String::new(),
        created_at: time::json(made),
        updated_at: time::json(made),
        archived_at: None,
    }
}

/// `GET …/memories`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let prefix = values.text("path_prefix").unwrap_or("/");
    if !(prefix.starts_with('/') && prefix.ends_with('/')) {
        return Err(Problem::new(Code::UsageBad, "`path_prefix` begins and ends with `/`."));
    }
    let after = values.text("page").map(|page| {
        path_of(page).ok_or_else(|| Problem::new(Code::UsageBad, "`page` is not of a page before."))
    });
    let (after, limit) = (after.transpose()?, values.size("limit").unwrap_or(PAGE_DEFAULT));
    let found = entries(opened, call)?;
    let versions = if found.is_empty() { Versions::default() } else { Versions::of(opened, None) };
    let (mut data, mut last, mut next_page) = (Vec::new(), None, None);
    for entry in found {
        let path = store_path(&entry.name);
        if !path.starts_with(prefix) || after.as_ref().is_some_and(|after| path <= *after) {
            continue;
        }
        let folder = path[prefix.len()..].split_once('/').filter(|_| values.whole("depth") == Some(1));
        let folder = folder.map(|(folder, _)| format!("{prefix}{folder}/"));
        let is_known = matches!((&folder, data.last()),
            (Some(folder), Some(MemoryRowV1::Prefix(row))) if row.path == *folder);
        if !is_known && data.len() == limit {
            next_page = last;
            break;
        }
        last = Some(hex(path.as_bytes()));
        match folder {
            Some(_) if is_known => {}
            Some(path) => data.push(MemoryRowV1::Prefix(MemoryPrefixV1 { r#type: "memory_prefix", path })),
            None => match row(opened, call, &entry, &versions, false) {
                Ok(row) => data.push(MemoryRowV1::Memory(row)),
                // A file that is removed now is left out.
                Err(problem) if problem.status() == StatusCode::NOT_FOUND => {}
                Err(problem) => return Err(problem),
            },
        }
    }
    Ok(Reply::json(&StoredMemoriesV1 { data, next_page }))
}

/// `POST …/memories`.
pub(super) fn create(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let input: MemoryCreateV1 = call.shape()?;
    let name = name(&input.path)?;
    let sent = fitting(&input.content)?;
    let outcome = write(served, opened, call, &name, Some(sent), Expected::Nothing)?;
    written(opened, call, &name, sent, &outcome)
}

/// `GET …/memories/{memory}`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    answer(opened, call, &asked(call)?)
}

/// `POST …/memories/{memory}`.
pub(super) fn change(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let input: MemoryChangeV1 = call.shape()?;
    let name = asked(call)?;
    let stated = input.precondition.filter(|stated| stated.r#type == "content_sha256");
    let expected = expected(stated.as_ref().map(|stated| &*stated.content_sha256))?;
    let sent = fitting(&input.content)?;
    let outcome = write(served, opened, call, &name, Some(sent), expected)?;
    written(opened, call, &name, sent, &outcome)
}

/// `DELETE …/memories/{memory}`.
pub(super) fn remove(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let name = asked(call)?;
    let expected = expected(call.values.text("expected_content_sha256"))?;
    write(served, opened, call, &name, None, expected)?;
    Ok(Reply::json(&MemoryDeletedV1 { r#type: "memory_deleted", id: id_of(&name) }))
}

/// `GET …/memory_versions`.
pub(super) fn versions(opened: &OpenAgent, call: &Call) -> Answered {
    let only = call.values.text("memory_id").map(of_id).transpose()?;
    let filter = LogFilter { name: only.clone(), ..LogFilter::newest(CHANGES_MAX) };
    let limit = call.values.size("limit").unwrap_or(VERSIONS_MAX).min(VERSIONS_MAX);
    let is_full = call.values.text("view") == Some("full");
    let mut data = Vec::new();
    let log = opened.agent.history.history_log(&filter)?;
    for (at, change) in log.iter().enumerate() {
        let names = change.names.iter().filter(|name| only.as_ref().is_none_or(|only| only == *name));
        for name in names.filter(|name| is_ours(name)) {
            if data.len() < limit {
                data.push(version_row(opened, &log, at, name, is_full)?);
            }
        }
    }
    Ok(Reply::json(&MemoryVersionsV1 { data, next_page: None }))
}

/// `GET …/memory_versions/{version}`.
pub(super) fn version(opened: &OpenAgent, call: &Call) -> Answered {
    let id = call.part("version");
    let unknown = || {
        let shown = inwit_model::name::shown(id);
        Problem::new(Code::RevisionUnknown, format!("There is no version `{shown}`."))
    };
    let (revision, path) =
        id.strip_prefix(VERSION).and_then(|rest| rest.split_once('_')).ok_or_else(unknown)?;
    let name = path_of(path).and_then(|path| name(&path).ok()).ok_or_else(unknown)?;
    let filter = LogFilter { name: Some(name.clone()), ..LogFilter::newest(CHANGES_MAX) };
    let log = opened.agent.history.history_log(&filter)?;
    let at = log.iter().position(|change| change.oid.to_string() == revision).ok_or_else(unknown)?;
    let is_full = call.values.text("view") != Some("basic");
    Ok(Reply::json(&version_row(opened, &log, at, &name, is_full)?))
}

/// The version of `name` by the change `at` of `log`, newest first.
fn version_row(
    opened: &OpenAgent,
    log: &[Logged],
    at: usize,
    name: &SafeName,
    is_full: bool,
) -> Result<MemoryVersionV1, Problem> {
    let change = &log[at];
    let bytes = content(opened, change, name)?;
    let earlier = log[at + 1..].iter().find(|change| change.names.contains(name));
    let existed = match earlier {
        Some(earlier) => content(opened, earlier, name)?.is_some(),
        // A long history is not searched to its beginning.
        None => log.len() == CHANGES_MAX,
    };
    let operation = match (existed, &bytes) {
        (_, None) => "deleted",
        (false, Some(_)) => "created",
        (true, Some(_)) => "modified",
    };
    let text = bytes.as_deref().filter(|_| is_full).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Ok(MemoryVersionV1 {
        r#type: "memory_version",
        id: version_id(change, name),
        memory_id: id_of(name),
        memory_store_id: opened.chosen.id.clone(),
        operation,
        created_at: time::json(change.at),
        created_by: actor(change),
        path: store_path(name),
        content_sha256: bytes.as_ref().map(|bytes| Sha256::of(bytes).to_string()),
        content_size_bytes: bytes.as_ref().map(Vec::len),
        content: text,
    })
}

/// The memory after a change; `None` if it was removed.
fn content(opened: &OpenAgent, change: &Logged, name: &SafeName) -> Result<Option<Vec<u8>>, Problem> {
    match opened.agent.history.history_show(&Rev::Commit(change.oid), name) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.code == Code::FileMissing => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn actor(change: &Logged) -> MemoryActorV1 {
    let (user_id, session_id, api_key_id) = match (&*change.actor, &change.session) {
        ("owner", _) => (Some(change.actor.clone()), None, None),
        (_, Some(session)) => (None, Some(session.clone()), None),
        (_, None) => (None, None, Some(change.actor.clone())),
    };
    let r#type = match (&user_id, &session_id) {
        (Some(_), _) => "user_actor",
        (_, Some(_)) => "session_actor",
        _ => "api_actor",
    };
    MemoryActorV1 { r#type, user_id, session_id, api_key_id }
}

/// A memory as it was written, whatever others wrote since.
fn written(opened: &OpenAgent, call: &Call, name: &SafeName, sent: &[u8], outcome: &Outcome) -> Answered {
    let sha256 = files::hash_after(opened, call, name.as_str(), outcome);
    let at = match outcome {
        Outcome::Applied { receipt, .. } => Some(receipt.at),
        _ => None,
    };
    let known = entries(opened, call)?.into_iter().find(|entry| entry.name == *name);
    let at = at.or(known.as_ref().map(changed_at)).unwrap_or(Timestamp::UNIX_EPOCH);
    let created = Versions::of(opened, Some(name)).0.get(name).map_or(at, |version| version.1);
    let is_full = call.values.text("view") == Some("full");
    Ok(Reply::json(&StoredMemoryV1 {
        r#type: "memory",
        id: id_of(name),
        memory_store_id: opened.chosen.id.clone(),
        memory_version_id: unrecorded(name),
        path: store_path(name),
        // Without a hash of its own, what was sent is what the caller knows.
        content_sha256: sha256.unwrap_or_else(|| Sha256::of(sent)).to_string(),
        content_size_bytes: sent.len(),
        created_at: time::json(created),
        updated_at: time::json(at),
        content: is_full.then(|| String::from_utf8_lossy(sent).into_owned()),
    }))
}

/// The id of a version that the history does not have yet.
fn unrecorded(name: &SafeName) -> String {
    format!("{VERSION}head_{}", hex(store_path(name).as_bytes()))
}

/// Changes a memory. Error: `approval_pending` if it waits, those of the change.
fn write(
    served: &Served,
    opened: &OpenAgent,
    call: &Call,
    name: &SafeName,
    content: Option<&[u8]>,
    expected: Expected,
) -> Result<Outcome, Problem> {
    let outcome = files::replaced(opened, call, name.as_str(), content, expected)?;
    let Outcome::Pending { id, .. } = &outcome else { return Ok(outcome) };
    // The proposal is kept, though the answer is a failure.
    served.after_write(opened);
    let message = format!("Nothing is written yet: the change waits for approval as {id}.");
    Err(Problem::new(Code::ApprovalPending, message).with_proposal(id.to_string()))
}

/// The expected version. Errors: `precondition_missing`, `usage_bad`.
fn expected(stated: Option<&str>) -> Result<Expected, Problem> {
    let missing = || {
        let message = "A change states the `content_sha256` of the version that it replaces.";
        Problem::new(Code::PreconditionMissing, message)
    };
    let bad = || Problem::new(Code::UsageBad, "`content_sha256` is not a sha256.");
    parse(stated.ok_or_else(missing)?).map(Expected::Hash).ok_or_else(bad)
}

fn fitting(content: &str) -> Result<&[u8], Problem> {
    let too_large =
        || Problem::new(Code::BodyTooLarge, format!("A memory has at most {CONTENT_BYTES_MAX} bytes."));
    (content.len() <= CONTENT_BYTES_MAX).then_some(content.as_bytes()).ok_or_else(too_large)
}

/// A memory as answered.
fn answer(opened: &OpenAgent, call: &Call, name: &SafeName) -> Answered {
    let missing = || Problem::new(Code::FileMissing, "There is no such memory.");
    let entry = entries(opened, call)?.into_iter().find(|entry| entry.name == *name).ok_or_else(missing)?;
    let is_full = call.values.text("view") != Some("basic");
    Ok(Reply::json(&row(opened, call, &entry, &Versions::of(opened, Some(name)), is_full)?))
}

fn row(
    opened: &OpenAgent,
    call: &Call,
    entry: &Entry,
    versions: &Versions,
    is_full: bool,
) -> Result<StoredMemoryV1, Problem> {
    let (bytes, sha256) = files::seen(opened, call, entry.name.as_str())?;
    let updated = time::json(changed_at(entry));
    let newest = versions.0.get(&entry.name);
    Ok(StoredMemoryV1 {
        r#type: "memory",
        id: id_of(&entry.name),
        memory_store_id: opened.chosen.id.clone(),
        memory_version_id: newest.map_or_else(|| unrecorded(&entry.name), |version| version.0.clone()),
        path: store_path(&entry.name),
        content_sha256: sha256.to_string(),
        content_size_bytes: bytes.len(),
        created_at: newest.map_or_else(|| updated.clone(), |version| time::json(version.1)),
        updated_at: updated,
        content: is_full.then(|| String::from_utf8_lossy(&bytes).into_owned()),
    })
}

/// The newest recorded version of each file, and the time of the oldest recorded one.
#[derive(Default)]
struct Versions(HashMap<SafeName, (String, Timestamp)>);

impl Versions {
    /// Without a history there are none, which is no failure of these routes.
    fn of(opened: &OpenAgent, name: Option<&SafeName>) -> Self {
        let filter = LogFilter { name: name.cloned(), ..LogFilter::newest(CHANGES_MAX) };
        let mut versions: HashMap<SafeName, (String, Timestamp)> = HashMap::new();
        for change in opened.agent.history.history_log(&filter).unwrap_or_default() {
            for name in &change.names {
                let known =
                    versions.entry(name.clone()).or_insert_with(|| (version_id(&change, name), change.at));
                known.1 = change.at;
            }
        }
        Self(versions)
    }
}

/// The files of the store, in order of their paths. Only the owner's scope has some.
fn entries(opened: &OpenAgent, call: &Call) -> Result<Vec<Entry>, Problem> {
    if call.scope != Scope::Main {
        return Ok(Vec::new());
    }
    let mut entries = opened.agent.notes.entries(&call.scope)?;
    entries.retain(|entry| is_ours(&entry.name));
    entries.sort_by_key(|entry| store_path(&entry.name));
    Ok(entries)
}

fn is_ours(name: &SafeName) -> bool {
    name.as_str().starts_with(FOLDER)
        && !NOT_OURS.iter().any(|folder| name.as_str().starts_with(folder))
        && Place::of(name).is_some_and(|place| !matches!(place, Place::Foreign | Place::Report))
}

/// `/topics/bread.md` for `memory/topics/bread.md`.
fn store_path(name: &SafeName) -> String {
    format!("/{}", name.as_str().strip_prefix(FOLDER).unwrap_or(name.as_str()))
}

/// The file of a path. Error: `usage_bad`.
fn name(path: &str) -> Result<SafeName, Problem> {
    let bad = |why: String| Problem::new(Code::UsageBad, why);
    let inner = path.strip_prefix('/').filter(|_| path.len() <= PATH_BYTES_MAX);
    let inner = inner
        .ok_or_else(|| bad(format!("A path begins with `/` and has at most {PATH_BYTES_MAX} bytes.")))?;
    let name = SafeName::parse(&format!("{FOLDER}{inner}")).map_err(|error| bad(error.to_string()))?;
    match is_ours(&name) {
        true => Ok(name),
        false => Err(bad(
            "This path is not of the store; use a Markdown file, such as `/topics/bread.md`.".to_owned()
        )),
    }
}

/// The file of the memory in the address. Error: `file_missing`.
fn asked(call: &Call) -> Result<SafeName, Problem> {
    of_id(call.part("memory"))
}

fn of_id(id: &str) -> Result<SafeName, Problem> {
    let named = id.strip_prefix(MEMORY).and_then(path_of).and_then(|path| name(&path).ok());
    named.ok_or_else(|| Problem::new(Code::FileMissing, "There is no such memory."))
}

/// What the id of a memory begins with.
const MEMORY: &str = "mem_";

/// What the id of a version begins with.
const VERSION: &str = "memver_";

fn id_of(name: &SafeName) -> String {
    format!("{MEMORY}{}", hex(store_path(name).as_bytes()))
}

fn version_id(change: &Logged, name: &SafeName) -> String {
    format!("{VERSION}{}_{}", change.oid, hex(store_path(name).as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The path in hexadecimal digits.
fn path_of(digits: &str) -> Option<String> {
    if !digits.is_ascii() || digits.len() % 2 == 1 || digits.len() > 2 * PATH_BYTES_MAX {
        return None;
    }
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    let bytes = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect::<Option<Vec<u8>>>()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_an_id_and_back_and_nothing_outside_of_the_store_has_one() {
        let bread = name("/topics/bread.md").expect("a path");
        assert_eq!(bread.as_str(), "memory/topics/bread.md");
        assert_eq!(of_id(&id_of(&bread)).expect("an id"), bread);
        for bad in [
            "topics/bread.md", "/", "", "/../SOUL.md", "/a//b.md", "/./a.md", "/rooms/kitchen/x.md",
            "/dreaming/deep.md", "/a.exe", "/a\u{7}.md", "/a\\b.md",
        ] {
            assert_eq!(name(bad).expect_err(bad).status().as_u16(), 400, "{bad}");
        }
        assert_eq!(name(&format!("/{}.md", "a".repeat(1_030))).expect_err("long").status().as_u16(), 400);
        for bad in ["mem_", "mem_zz", "mem_2f2e2e2f534f554c2e6d64", "2f612e6d64", "mem_+1", "mem_é"] {
            assert_eq!(of_id(bad).expect_err(bad).status().as_u16(), 404, "{bad}");
        }
    }
}
