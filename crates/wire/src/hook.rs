//! The events of a host, and the JSON of its calls.
//!
//! Claude Code and Codex run a command for each event, with one JSON object on stdin. They add fields freely, so
//! parsing is lenient: unknown fields are ignored, and values of another type count as unset. Invariant: only an
//! event that accepts text gets any; otherwise the answer is empty.

use std::io::BufRead;

use inwit_engine::ModelText;
use inwit_model::{ModelName, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::TextV1;
use crate::shape::shape;
use crate::surrogates::LossyJson;

/// Names a row of [`HOOKS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookId {
    /// A session begins, goes on, or was compacted.
    SessionStart,
    /// The person said something.
    UserPrompt,
    /// The conversation is about to be compacted.
    PreCompact,
    /// The agent has answered.
    Stop,
    /// The session is over.
    SessionEnd,
}

/// One moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hook {
    /// Which.
    pub id: HookId,
    /// Its name on our command line: `inwit hook …`.
    pub name: &'static str,
    /// What hosts call it.
    pub event: &'static str,
    /// Whether the host takes words for the agent there.
    pub takes_context: bool,
    /// Seconds after which the host should give up; ours are milliseconds, so this is for a broken disk.
    pub timeout_seconds: u32,
    /// What it does.
    pub about: &'static str,
}

/// Every moment, in the order of a session.
pub const HOOKS: &[Hook] = &[
    Hook {
        id: HookId::SessionStart,
        name: "session-start",
        event: "SessionStart",
        takes_context: true,
        timeout_seconds: 10,
        about: "Adds the session context to the prompt: identity, user, memory, and decisions of the \
                project's last sessions. Runs again after compaction.",
    },
    Hook {
        id: HookId::UserPrompt,
        name: "user-prompt",
        event: "UserPromptSubmit",
        takes_context: true,
        timeout_seconds: 5,
        about: "Adds the lines of the notes that match the prompt, or nothing. It does not wait for other \
                writers or for the disk, and adds nothing after `recall.prompt_deadline_ms`.",
    },
    Hook {
        id: HookId::PreCompact,
        name: "pre-compact",
        event: "PreCompact",
        takes_context: false,
        timeout_seconds: 10,
        about: "Writes the session so far into the daily log, before the host compacts the conversation.",
    },
    Hook {
        id: HookId::Stop,
        name: "stop",
        event: "Stop",
        takes_context: false,
        timeout_seconds: 10,
        about: "Records the turn in the transcript, in HEARTBEAT.md and, when it is due, in the daily log. \
                Then updates the index.",
    },
    Hook {
        id: HookId::SessionEnd,
        name: "session-end",
        event: "SessionEnd",
        takes_context: false,
        timeout_seconds: 10,
        about: "Ends the session: writes the remaining turns to the daily log and commits the changes to the \
                history.",
    },
];

impl Hook {
    /// The hook of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        HOOKS.iter().find(|hook| hook.name == name)
    }
}

/// With what a text may begin.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// What a host says when it calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookInputV1 {
    /// The host's name of the session, where it can be one of ours.
    pub session: Option<SessionId>,
    /// The language model that speaks, from hosts that say it.
    pub model: Option<ModelName>,
    /// The session goes on where it was, with all that it was shown.
    pub is_resumed: bool,
    /// The session begins, and nothing was said in it before.
    pub is_new: bool,
    /// The conversation was compacted, perhaps in the middle of a turn.
    pub is_compacted: bool,
    /// Where the user works.
    pub cwd: Option<String>,
    /// Where the host writes the conversation down.
    pub transcript_path: Option<String>,
    /// What the person said.
    pub prompt: Option<String>,
    /// What the agent answered last, from hosts that say it.
    pub reply: Option<String>,
    /// `inwit setup --check` calls, so nothing is written.
    pub is_check: bool,
    /// The host continues because a hook requested it: the person's text was reported before.
    pub is_again: bool,
}

impl HookInputV1 {
    /// The field with which `inwit setup --check` marks its calls, and in which they are answered.
    pub const CHECK: &'static str = "inwit_check";

    /// Reads a call as soon as it is whole: a host may keep the pipe open behind it. Error: why it is no JSON
    /// object.
    pub fn read(mut input: impl BufRead) -> Result<Self, String> {
        let start = input.fill_buf().map_err(|error| error.to_string())?;
        if start.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        let value = serde_json::Deserializer::from_reader(LossyJson::new(input)).into_iter().next();
        let value: Value = value.ok_or("it is empty")?.map_err(|error| error.to_string())?;
        let Value::Object(fields) = value else { return Err("it is not a JSON object".to_owned()) };
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            session: text("session_id").and_then(|id| SessionId::parse(&id).ok()),
            model: text("model").and_then(|name| ModelName::parse(&name).ok()),
            is_resumed: text("source").as_deref() == Some("resume"),
            is_new: matches!(text("source").as_deref(), Some("startup" | "clear")),
            is_compacted: text("source").as_deref() == Some("compact"),
            cwd: text("cwd").filter(|path| !path.is_empty()),
            transcript_path: text("transcript_path").filter(|path| !path.is_empty()),
            prompt: text("prompt"),
            reply: text("last_assistant_message"),
            is_check: fields.get(HookInputV1::CHECK).and_then(Value::as_bool).unwrap_or(false),
            is_again: fields.get("stop_hook_active").and_then(Value::as_bool).unwrap_or(false),
        })
    }
}

/// What a call that is a check is answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HookCheckV1 {
    /// In [`HookInputV1::CHECK`].
    #[serde(rename = "inwit_check")]
    pub check: HookCheck,
}

/// Whether a hook works.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HookCheck {
    /// `true`.
    Works(bool),
    /// What failed.
    Fails(String),
}

shape! {
    /// What a host is answered.
    pub struct HookOutputV1<'a> {
        hook_specific_output?: Option<Specific<'a>>,
        system_message?: Option<&'a str>,
    }

    struct Specific<'a> {
        hook_event_name: &'a str,
        additional_context: TextV1,
    }
}

impl<'a> HookOutputV1<'a> {
    /// The words for the agent, and a line for the person; `None` where there is neither, or the moment takes none.
    pub fn of(hook: &Hook, text: &ModelText, message: Option<&'a str>) -> Option<Self> {
        let specific = Specific { hook_event_name: hook.event, additional_context: text.into() };
        let specific = (!text.is_empty()).then_some(specific);
        let is_empty = specific.is_none() && message.is_none();
        (hook.takes_context && !is_empty)
            .then_some(Self { hook_specific_output: specific, system_message: message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_call_is_read_for_what_is_known_and_the_rest_counts_as_unsaid() {
        let call =
            r#"{"session_id":"3f2a-1","transcript_path":"/t.jsonl","cwd":"/x","prompt":"hi","new":{"a":1}}"#;
        let read = HookInputV1::read(call.as_bytes()).expect("a call");
        assert_eq!(read.session.as_ref().map(SessionId::as_str), Some("3f2a-1"));
        assert_eq!(read.prompt.as_deref(), Some("hi"));
        let named = HookInputV1::read(&b"{\"model\":\"m-2\"}"[..]).expect("a call");
        assert_eq!(named.model.as_ref().map(ModelName::as_str), Some("m-2"));
        let odd = r#"{"session_id":7,"model":{"id":"m"},"transcript_path":null,"prompt":["a"],"stop_hook_active":"yes"}"#;
        assert_eq!(HookInputV1::read(odd.as_bytes()), Ok(HookInputV1::default()));
        let marked = HookInputV1::read("\u{FEFF} {\"prompt\": \"}\"}\n and more".as_bytes());
        assert_eq!(marked.expect("a call").prompt.as_deref(), Some("}"));
        assert!(HookInputV1::read(&b"[]"[..]).is_err() && HookInputV1::read(&b""[..]).is_err());
    }

    #[test]
    fn only_a_moment_that_takes_words_is_given_any() {
        let given: Vec<&str> = HOOKS
            .iter()
            .filter(|hook| HookOutputV1::of(hook, &ModelText::own("words"), Some("a line")).is_some())
            .map(|hook| hook.event)
            .collect();
        assert_eq!(given, ["SessionStart", "UserPromptSubmit"]);
        assert!(HOOKS.iter().all(|hook| HookOutputV1::of(hook, &ModelText::own(""), None).is_none()));
        let text =
            serde_json::to_string(&HookOutputV1::of(&HOOKS[0], &ModelText::own("a\"b"), None)).expect("json");
        assert_eq!(
            text,
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\"b"}}"#
        );
        let line = serde_json::to_string(&HookOutputV1::of(&HOOKS[0], &ModelText::own(""), Some("2 wait")))
            .expect("json");
        assert_eq!(line, r#"{"systemMessage":"2 wait"}"#);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_call_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = HookInputV1::read(&bytes[..]);
        }
    }
}
