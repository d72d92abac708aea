//! Files as resources: `mem://AGENT/MEMORY.md`, the logs of a day, and the report of the prompt.
//!
//! Lists and reads cover the files of the connection's scope, with masks for models. Invariant: invisible and missing
//! names give the same message.

use inwit_engine::{EngineError, Excerpt, Lines, ModelText};
use inwit_model::{Code, Place, SafeName, Scope};
use inwit_wire::ToolErrorV1;
use jiff::civil::Date;
use rmcp::model::{JsonObject, MetaObject, Resource, ResourceContents, ResourceTemplate};

use crate::connection::Connection;
use crate::{cursor, prompts};

/// Resources per page of the list.
pub const PAGE_RESOURCES_MAX: usize = 200;

/// Prefix of a URI.
const SCHEME: &str = "mem://";

/// The report resource: blocks of the prompt, and what was left out.
const REPORT: &str = "context-report";

const MARKDOWN: &str = "text/markdown";

/// The key in `_meta` of a resource for its taint: `tool`, `web`, `member`.
pub const TAINT_KEY: &str = "io.github.inwit/taint";

/// A page of resources, and the start of the next one. Errors: `usage_bad` for a cursor of another list,
/// `workspace_unreadable`.
pub fn list(
    connection: &Connection,
    after: Option<&str>,
) -> Result<(Vec<Resource>, Option<String>), ToolErrorV1> {
    let given = cursor::given(after, SCHEME)?;
    let names = seen(connection)?;
    let mut page: Vec<Resource> = Vec::new();
    if given == 0 {
        let about = "What the agent's prompt contains, block by block, and what was left out and why.";
        let report = Resource::new(uri(connection, REPORT), REPORT).with_description(about);
        page.push(report.with_mime_type("text/plain"));
    }
    for name in names.iter().skip(given).take(PAGE_RESOURCES_MAX) {
        page.push(Resource::new(uri(connection, name.as_str()), name.as_str()).with_mime_type(MARKDOWN));
    }
    let next = given + PAGE_RESOURCES_MAX;
    Ok((page, (next < names.len()).then(|| cursor::behind(next, SCHEME))))
}

/// URI templates of readable names.
pub fn templates(connection: &Connection) -> Vec<ResourceTemplate> {
    let form = |path: &str| format!("{SCHEME}{}/{path}", encoded(&connection.whereabouts.agent_id));
    vec![
        ResourceTemplate::new(form("{+path}"), "file")
            .with_description("A file of the workspace, such as MEMORY.md or memory/topics/bread.md.")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(form("memory/{date}"), "day")
            .with_description("The daily logs of one day, such as memory/2026-11-21.")
            .with_mime_type(MARKDOWN),
    ]
}

/// The text of a resource. Errors: `file_missing`, `name_refused`, `usage_bad` for another URI.
pub fn read(connection: &Connection, uri: &str) -> Result<Vec<ResourceContents>, ToolErrorV1> {
    let path = path_of(connection, uri).ok_or_else(|| {
        let shown = inwit_model::name::shown(uri);
        let message = format!("`{shown}` is not a resource of this agent.");
        EngineError::new(Code::FileMissing, message)
    })?;
    if path == REPORT {
        let report = prompts::report(connection)?;
        return Ok(vec![ResourceContents::text(report, uri)]);
    }
    if let Some(day) = path.strip_prefix("memory/").and_then(|day| day.parse::<Date>().ok()) {
        return read_day(connection, uri, day);
    }
    let (excerpt, _) = connection.agent.notes.get_masked(&connection.scope, &path, Lines::default())?;
    Ok(vec![contents(excerpt, uri)])
}

/// A file as a resource. Its text is unchanged; its taint is given separately (D9).
fn contents(read: Excerpt<ModelText>, uri: impl Into<String>) -> ResourceContents {
    let contents = ResourceContents::text(read.content.into_string(), uri).with_mime_type(MARKDOWN);
    match read.taint {
        None => contents,
        Some(taint) => contents
            .with_meta(MetaObject(JsonObject::from_iter([(TAINT_KEY.to_owned(), taint.to_string().into())]))),
    }
}

/// The logs of a day, each under its own URI.
fn read_day(connection: &Connection, asked: &str, day: Date) -> Result<Vec<ResourceContents>, ToolErrorV1> {
    let mut found = Vec::new();
    for log in connection.agent.sessions.journals_of(&connection.scope, day)? {
        let read =
            connection.agent.notes.get_masked(&connection.scope, log.name.as_str(), Lines::default())?;
        found.push(contents(read.0, uri(connection, log.name.as_str())));
    }
    if found.is_empty() {
        let message = format!("There is no log of {day}.");
        return Err(EngineError::new(Code::FileMissing, message).into());
    }
    if let [ResourceContents::TextResourceContents { uri, .. }] = found.as_mut_slice() {
        asked.clone_into(uri);
    }
    Ok(found)
}

/// The names that the scope sees, in byte order. Only the owner sees the text of skills (D3).
fn seen(connection: &Connection) -> Result<Vec<SafeName>, ToolErrorV1> {
    let names = connection.agent.notes.names(&connection.scope)?.into_iter();
    let readable = |name: &SafeName| {
        connection.scope == Scope::Main || !matches!(Place::of(name), Some(Place::Skill { .. }))
    };
    Ok(names.filter(readable).collect())
}

/// The path in a URI of this agent.
pub(crate) fn path_of(connection: &Connection, uri: &str) -> Option<String> {
    let (agent, path) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    (decoded(agent)? == connection.whereabouts.agent_id).then(|| decoded(path))?
}

fn uri(connection: &Connection, path: &str) -> String {
    format!("{SCHEME}{}/{}", encoded(&connection.whereabouts.agent_id), encoded(path))
}

/// Percent-encoding of RFC 3986; `/` stays.
fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte))
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decoded(path: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        let digit = |digit: u8| char::from(digit).to_digit(16);
        bytes.push(u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()?);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_its_way_through_a_uri() {
        for path in ["MEMORY.md", "memory/topics/a b.md", "notes/пирог 100%.md", "#?&.md"] {
            assert_eq!(decoded(&encoded(path)).as_deref(), Some(path));
        }
        assert_eq!(encoded("notes/a b#c.md"), "notes/a%20b%23c.md");
        for bad in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }
}
