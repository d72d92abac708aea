//! The lines of a transcript: header, entries, compaction boundaries (N17).
//!
//! One line is one JSON object with a `type`. An unknown type belongs to a later version or another program: it is
//! skipped and counted. Invariant: any line parses to a record or the reason why not; a written line parses to the
//! same record.

use std::borrow::Cow;
use std::fmt;

use inwit_model::limit::{TRANSCRIPT_LINE_BYTES_MAX, TRANSCRIPT_TOOL_KEPT_BYTES};
use inwit_model::{Scope, SessionId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The version that we write, and the only one whose `scope` is believed.
const VERSION: u32 = 1;

/// The first line of a transcript: which session, of whom, and who was listening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHeader {
    /// The session, as the header names it.
    pub id: String,
    /// When it began.
    pub timestamp: Timestamp,
    /// The agent that it was held with.
    pub agent_id: String,
    /// The interface or channel that it came through, such as `cli` or `telegram`.
    pub source_plugin: String,
    /// In which scope it was held: decides who may read it (D3). Main where the header does not say.
    pub scope: Scope,
}

impl SessionHeader {
    /// The header of a new session.
    pub fn new(
        id: &SessionId,
        timestamp: Timestamp,
        agent_id: &str,
        source_plugin: &str,
        scope: Scope,
    ) -> Self {
        Self {
            id: id.to_string(),
            timestamp,
            agent_id: agent_id.to_owned(),
            source_plugin: source_plugin.to_owned(),
            scope,
        }
    }
}

/// Who said an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A person.
    User,
    /// The agent.
    Assistant,
    /// What a tool gave back.
    Tool,
    /// The program around the agent.
    System,
}

impl Role {
    /// The word of a role in a line.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }

    /// The role of a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::User, Self::Assistant, Self::Tool, Self::System].into_iter().find(|role| role.word() == word)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// When.
    pub timestamp: Timestamp,
    /// By whom.
    pub role: Role,
    /// The words.
    pub content: String,
    /// The channel's id of the message.
    pub message_id: Option<String>,
    /// The interface or channel that it came through.
    pub source_plugin: String,
    /// The channel's id of the person.
    pub sender_id: Option<String>,
}

impl Said {
    /// The beginning of a text that is too long, and a mark that says how much of it is left out.
    pub(super) fn shortened(mut self) -> Self {
        let whole = self.content.len();
        self.content.truncate(self.content.floor_char_boundary(TRANSCRIPT_TOOL_KEPT_BYTES));
        let left = whole - self.content.len();
        self.content += &format!(
            "\n[{left} of {whole} bytes left out: a line of a transcript has at most {TRANSCRIPT_LINE_BYTES_MAX}]"
        );
        self
    }
}

/// What a line after the header holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Something that was said.
    Said(Said),
    /// The host has replaced what stands above by a summary from here on.
    Compaction {
        /// When.
        timestamp: Timestamp,
        /// The interface or channel that said so.
        source_plugin: String,
    },
}

/// What a line turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The header.
    Header(SessionHeader),
    /// A record.
    Record(Record),
    /// An object of a type that we do not know.
    Unknown,
    /// No such object at all: torn, or of a form that its type does not have.
    Bad,
}

/// A line as it is written; the order of the fields is the format's.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    timestamp: Timestamp8601,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<&'a str>,
    source_plugin: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sender_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

/// A moment as RFC 3339 in UTC.
struct Timestamp8601(Timestamp);

impl Serialize for Timestamp8601 {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// Any line as it is read; a field of another type makes it bad.
#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    version: Option<u32>,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    agent_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    source_plugin: Option<Cow<'a, str>>,
    #[serde(borrow)]
    sender_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    scope: Option<Cow<'a, str>>,
}

/// The least that a line of an unknown type has.
#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

/// The line of a header, with its line end.
pub(super) fn header(header: &SessionHeader) -> Vec<u8> {
    printed(&Written {
        version: Some(VERSION),
        id: Some(&header.id),
        agent_id: Some(&header.agent_id),
        scope: Some(header.scope.to_string()),
        ..bare("session", header.timestamp, &header.source_plugin)
    })
}

/// A header of the agent `from` as the header of `to`, with its line end; `None` where `line` is none of
/// `from`. For copies: a transcript that stands is never changed.
pub fn renamed(line: &[u8], from: &str, to: &str) -> Option<Vec<u8>> {
    match parse(line) {
        Line::Header(found) if found.agent_id == from => {
            Some(header(&SessionHeader { agent_id: to.to_owned(), ..found }))
        }
        _ => None,
    }
}

/// The line of a record, with its line end.
pub(super) fn record(record: &Record) -> Vec<u8> {
    match record {
        Record::Said(said) => printed(&Written {
            role: Some(said.role.word()),
            content: Some(&said.content),
            message_id: said.message_id.as_deref(),
            sender_id: said.sender_id.as_deref(),
            ..bare("entry", said.timestamp, &said.source_plugin)
        }),
        Record::Compaction { timestamp, source_plugin } => {
            printed(&bare("compaction", *timestamp, source_plugin))
        }
    }
}

fn bare<'a>(kind: &'static str, timestamp: Timestamp, source_plugin: &'a str) -> Written<'a> {
    Written {
        kind,
        version: None,
        id: None,
        timestamp: Timestamp8601(timestamp),
        agent_id: None,
        role: None,
        content: None,
        message_id: None,
        source_plugin,
        sender_id: None,
        scope: None,
    }
}

fn printed(line: &Written<'_>) -> Vec<u8> {
    // Texts and numbers under fixed names: JSON has a form for each of them.
    let mut bytes = serde_json::to_vec(line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Reads one line, with or without its line end.
pub(super) fn parse(bytes: &[u8]) -> Line {
    match serde_json::from_slice::<Raw<'_>>(bytes) {
        Ok(raw) => match raw.kind.as_ref() {
            "session" => read_header(&raw).map_or(Line::Bad, Line::Header),
            "entry" => read_said(raw).map_or(Line::Bad, |said| Line::Record(Record::Said(said))),
            "compaction" => read_compaction(&raw).map_or(Line::Bad, Line::Record),
            _ => Line::Unknown,
        },
        Err(_) => match serde_json::from_slice::<Typed<'_>>(bytes) {
            Ok(typed) if !matches!(typed.kind.as_ref(), "session" | "entry" | "compaction") => Line::Unknown,
            _ => Line::Bad,
        },
    }
}

fn read_header(raw: &Raw<'_>) -> Option<SessionHeader> {
    let said = raw.scope.as_deref().filter(|_| raw.version == Some(VERSION));
    Some(SessionHeader {
        id: raw.id.as_deref()?.to_owned(),
        timestamp: moment(raw)?,
        agent_id: raw.agent_id.as_deref().unwrap_or_default().to_owned(),
        source_plugin: raw.source_plugin.as_deref().unwrap_or_default().to_owned(),
        // If the scope is unclear, the session is visible to the owner only.
        scope: said
            .and_then(|scope| Scope::parse(Some(scope), None, Scope::Main).ok())
            .unwrap_or(Scope::Main),
    })
}

fn read_said(raw: Raw<'_>) -> Option<Said> {
    Some(Said {
        timestamp: moment(&raw)?,
        role: Role::parse(raw.role.as_deref()?)?,
        content: raw.content?.into_owned(),
        message_id: raw.message_id.map(Cow::into_owned),
        source_plugin: raw.source_plugin.map(Cow::into_owned).unwrap_or_default(),
        sender_id: raw.sender_id.map(Cow::into_owned),
    })
}

fn read_compaction(raw: &Raw<'_>) -> Option<Record> {
    let source_plugin = raw.source_plugin.as_deref().unwrap_or_default().to_owned();
    Some(Record::Compaction { timestamp: moment(raw)?, source_plugin })
}

fn moment(raw: &Raw<'_>) -> Option<Timestamp> {
    raw.timestamp.as_deref()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use inwit_model::RoomId;
    use proptest::prelude::*;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a moment")
    }

    fn text(line: &[u8]) -> &str {
        std::str::from_utf8(line).expect("UTF-8")
    }

    /// Proves N17.
    #[test]
    fn the_lines_have_exactly_these_fields_in_this_order() {
        let id = SessionId::parse("0190b6f4-7e1c-7cc3-8a54-0d1f5f0a9b1e").expect("an id");
        let kitchen = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        let opening = SessionHeader::new(&id, at(1_795_269_780), "kate", "telegram", kitchen);
        assert_eq!(
            text(&header(&opening)),
            "{\"type\":\"session\",\"version\":1,\"id\":\"0190b6f4-7e1c-7cc3-8a54-0d1f5f0a9b1e\",\"timestamp\":\"2026-11-21T14:03:00Z\",\
             \"agent_id\":\"kate\",\"source_plugin\":\"telegram\",\"scope\":\"room:kitchen\"}\n"
        );
        let mut said = Said {
            timestamp: at(1_795_269_780),
            role: Role::User,
            content: "which\nbread? 🍞".into(),
            message_id: Some("m1".into()),
            source_plugin: "telegram".into(),
            sender_id: Some("ana".into()),
        };
        assert_eq!(
            text(&record(&Record::Said(said.clone()))),
            "{\"type\":\"entry\",\"timestamp\":\"2026-11-21T14:03:00Z\",\"role\":\"user\",\"content\":\"which\\nbread? 🍞\",\
             \"message_id\":\"m1\",\"source_plugin\":\"telegram\",\"sender_id\":\"ana\"}\n"
        );
        (said.message_id, said.sender_id) = (None, None);
        assert!(!text(&record(&Record::Said(said))).contains("_id"), "what is not known is not written");
    }

    #[test]
    fn what_cannot_be_told_for_certain_is_the_owners_alone() {
        let scope = |rest: &str| {
            let line =
                format!("{{\"type\":\"session\",\"id\":\"a\",\"timestamp\":\"2026-11-21T14:03:00Z\"{rest}}}");
            match parse(line.as_bytes()) {
                Line::Header(header) => header.scope,
                other => panic!("{other:?}"),
            }
        };
        let kitchen = Scope::Room(RoomId::parse("kitchen").expect("a room"));
        assert_eq!(scope(",\"version\":1,\"scope\":\"room:kitchen\""), kitchen);
        for doubtful in [
            "",
            ",\"version\":1",
            ",\"version\":2,\"scope\":\"room:kitchen\"",
            ",\"version\":1,\"scope\":\"all\"",
        ] {
            assert_eq!(scope(doubtful), Scope::Main, "{doubtful}");
        }
    }

    #[test]
    fn a_line_of_a_later_version_is_unknown_and_a_broken_one_is_bad() {
        for unknown in ["{\"type\":\"reaction\",\"content\":{\"emoji\":1}}", "{\"type\":\"\"}"] {
            assert_eq!(parse(unknown.as_bytes()), Line::Unknown, "{unknown}");
        }
        for bad in [
            "",
            "null",
            "[]",
            "{}",
            "{\"type\":\"entry\"}",
            "{\"type\":\"entry\",\"timestamp\":\"2026-11-21T14:03:00Z\",\"role\":\"owner\",\"content\":\"\"}",
            "{\"type\":\"entry\",\"timestamp\":\"yesterday\",\"role\":\"user\",\"content\":\"x\"}",
            "{\"type\":\"entry\",\"timestamp\":\"2026-11-21T14:03:00Z\",\"role\":\"user\",\"content\":7}",
        ] {
            assert_eq!(parse(bad.as_bytes()), Line::Bad, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_one_line_that_reads_back_as_it_was(
            second in 0..4_000_000_000_i64,
            role in prop::sample::select(&[Role::User, Role::Assistant, Role::Tool, Role::System][..]),
            content in any::<String>(),
            message_id in any::<Option<String>>(),
            source_plugin in any::<String>(),
            sender_id in any::<Option<String>>(),
        ) {
            let said = Said { timestamp: at(second), role, content, message_id, source_plugin, sender_id };
            let line = record(&Record::Said(said.clone()));
            prop_assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
            prop_assert_eq!(parse(&line), Line::Record(Record::Said(said)));
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let line = parse(&bytes);
            prop_assert!(matches!(line, Line::Bad | Line::Unknown), "{:?}", line);
        }
    }
}
