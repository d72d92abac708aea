//! Parses the transcripts of hosts into turns.
//!
//! Claude Code writes one JSON object per line, `{"type":"user"|"assistant","message":{"role","content"}}`; Codex
//! `{"type":"response_item","payload":{"type":"message","role","content"}}`. The formats are undocumented, so other
//! lines are ignored. Invariant: only typed text counts as the person's: tool results, subagents and the host's notes
//! are in lines of the same kind.

use std::ops::Range;

use serde_json::Value;

/// The last turn of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastTurn {
    /// The person's last message.
    pub user: Option<String>,
    /// The texts typed first and during the agent's work, if several.
    pub parts: Vec<String>,
    /// The agent's last text after it.
    pub reply: Option<String>,
    /// Its start in bytes before the end of the text, if read.
    pub before_end: Option<usize>,
    /// Messages of earlier turns that were read and have a reply.
    pub answered_before: Vec<String>,
    /// The reply of the turn before, if read.
    pub reply_before: Option<String>,
    /// Messages of directly preceding turns without an answer: the reply may answer them too.
    pub unanswered_before: Vec<String>,
    /// Whether an answered turn before those was read.
    pub has_answer_before: bool,
    /// Commands of the host after it without an answer.
    pub commands_behind: Vec<String>,
}

/// What started a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A message of the person.
    HumanConsent(String),
    /// A typed command of the host; some are answered by an agent.
    Command(String),
    /// A notice of the host.
    Host,
    /// It is before the text that was read.
    Before,
}

/// A turn in a host's transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostTurn {
    /// What started it.
    pub opening: Opening,
    /// The texts typed first and during the agent's work, if several.
    pub parts: Vec<String>,
    /// The agent's last text in it.
    pub reply: Option<String>,
    /// Its start, RFC 3339 as written.
    pub at: Option<String>,
    /// Byte range of its lines.
    pub span: Range<usize>,
    /// Whether the agent's text is last: no tool is running.
    pub is_answered: bool,
}

/// A part of a host's transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostLog {
    /// Its turns in order. Only the last may continue after it.
    pub turns: Vec<HostTurn>,
    /// Number of lines.
    pub lines: usize,
    /// Number of lines in a known format.
    pub known: usize,
}

/// Prefixes of texts that a host writes as the user.
const HOST_NOTES: [&str; 11] = [
    "# AGENTS.md instructions",
    "<command-",
    "<local-command",
    "<bash-",
    "<system-reminder",
    "<task-notification",
    "<environment_context",
    "<user_instructions",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
];

/// Those that an agent answers, besides commands: earlier messages have been answered.
const HOST_CALLS: [&str; 1] = ["<task-notification"];

/// The last turn in `text`, which may start inside a line.
pub fn last_turn(text: &str) -> LastTurn {
    // A host command without an answer is not a turn.
    let is_turn = |turn: &HostTurn| {
        !matches!(turn.opening, Opening::Host | Opening::Command(_)) || turn.reply.is_some()
    };
    let mut turns = turns(text.as_bytes()).turns;
    let words = |opening| match opening {
        Opening::HumanConsent(words) | Opening::Command(words) => Some(words),
        Opening::Host | Opening::Before => None,
    };
    let last = turns.iter().rposition(is_turn);
    let behind = turns.split_off(last.map_or(0, |at| at + 1));
    let commands_behind = behind.into_iter().filter_map(|turn| words(turn.opening)).collect();
    let Some(turn) = turns.pop() else { return LastTurn { commands_behind, ..LastTurn::default() } };
    let unanswered = turns.iter().rev().take_while(|turn| !turn.is_answered);
    LastTurn {
        commands_behind,
        has_answer_before: turns.iter().any(|turn| turn.is_answered),
        unanswered_before: unanswered.filter_map(|turn| words(turn.opening.clone())).collect(),
        before_end: (turn.opening != Opening::Before).then(|| text.len() - turn.span.start),
        user: words(turn.opening),
        parts: turn.parts,
        reply: turn.reply,
        reply_before: turns.last().and_then(|turn| turn.reply.clone()),
        answered_before: turns
            .into_iter()
            .filter(|turn| turn.reply.is_some())
            .filter_map(|turn| words(turn.opening))
            .collect(),
    }
}

/// The turns in a part of a transcript. A cut or unknown line belongs to the surrounding turn.
pub fn turns(bytes: &[u8]) -> HostLog {
    let mut log = HostLog::default();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (began, end) = (start, start + line.len());
        start = end;
        if line.trim_ascii().is_empty() {
            continue;
        }
        log.lines += 1;
        let text = String::from_utf8_lossy(line);
        let event = event(&text);
        log.known += usize::from(event != Event::Unknown);
        let opening = match &event {
            Event::HumanConsent { words, .. } => Some(Opening::HumanConsent(words.clone())),
            Event::Command { words, .. } => Some(Opening::Command(words.clone())),
            Event::Host { .. } => Some(Opening::Host),
            Event::Agent { .. } | Event::Tool if log.turns.is_empty() => Some(Opening::Before),
            _ => None,
        };
        if let Some(opening) = opening {
            let at = match &event {
                Event::HumanConsent { at, .. } | Event::Command { at, .. } | Event::Host { at } => at.clone(),
                _ => None,
            };
            let span = began..end;
            log.turns.push(HostTurn {
                opening,
                parts: Vec::new(),
                reply: None,
                at,
                span,
                is_answered: false,
            });
        }
        let Some(turn) = log.turns.last_mut() else { continue };
        turn.span.end = end;
        match event {
            Event::Agent { words, goes_on } => {
                turn.reply = Some(words);
                turn.is_answered = !goes_on;
            }
            Event::Tool => turn.is_answered = false,
            Event::Added { words } => {
                if let Opening::HumanConsent(said) | Opening::Command(said) = &mut turn.opening {
                    if turn.parts.is_empty() {
                        turn.parts.push(said.clone());
                    }
                    turn.parts.push(words.clone());
                    said.push('\n');
                    said.push_str(&words);
                }
            }
            _ => {}
        }
    }
    log
}

/// The content of one line.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    /// The person typed this.
    HumanConsent { words: String, at: Option<String> },
    /// Text of the agent; a tool call follows if it `goes_on`.
    Agent { words: String, goes_on: bool },
    /// The person typed this during the agent's work.
    Added { words: String },
    /// A typed command of the host.
    Command { words: String, at: Option<String> },
    /// A notice of the host that an agent answers.
    Host { at: Option<String> },
    /// A tool call or result.
    Tool,
    /// Another line in a known format.
    Other,
    /// An unknown line.
    Unknown,
}

/// Bytes of a line in which its kind is searched without parsing it.
const KIND_BYTES_MAX: usize = 512;

/// The kind of an attachment with text typed during the agent's work.
const QUEUED: &str = "queued_command";

/// The field with the kind of a line.
const KIND: &[u8] = b"\"type\"";

fn event(line: &str) -> Event {
    // Most lines are large tool results, which are skipped unparsed.
    if ["\"user\"", "\"assistant\"", "_call", QUEUED].iter().all(|word| !line.contains(word)) {
        let head = &line.as_bytes()[..line.len().min(KIND_BYTES_MAX)];
        let is_known = line.starts_with('{') && head.windows(KIND.len()).any(|word| word == KIND);
        return if is_known { Event::Other } else { Event::Unknown };
    }
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Event::Unknown };
    let Some(kind) = value.get("type").and_then(Value::as_str) else { return Event::Unknown };
    let is = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or(false);
    if is("isSidechain") || is("isMeta") || is("isCompactSummary") || is("isApiErrorMessage") {
        return Event::Other;
    }
    if let Some(added) =
        value.get("attachment").filter(|added| added.get("type").is_some_and(|kind| kind == QUEUED))
    {
        let words = added.get("prompt").and_then(words);
        return words.map_or(Event::Other, |words| Event::Added { words });
    }
    let message = match kind {
        "user" | "assistant" => value.get("message"),
        "response_item" => value.get("payload"),
        _ => None,
    };
    let Some(message) = message else { return Event::Other };
    let text_of = |name: &str| message.get(name).and_then(Value::as_str);
    if kind == "response_item" && text_of("type") != Some("message") {
        let is_call = text_of("type").is_some_and(|kind| kind.contains("_call"));
        return if is_call { Event::Tool } else { Event::Other };
    }
    let at = value.get("timestamp").and_then(Value::as_str).map(str::to_owned);
    let content = message.get("content").unwrap_or(&Value::Null);
    let has_tool = has_part(content, "tool_use") || has_part(content, "tool_result");
    match (text_of("role"), words(content)) {
        (Some("user" | "assistant"), None) if has_tool => Event::Tool,
        (Some("user"), Some(words)) => {
            let begins = |notes: &[&str]| notes.iter().any(|note| words.trim_start().starts_with(note));
            if let Some(words) = command(&words) {
                return Event::Command { words, at };
            }
            match () {
                () if begins(&HOST_CALLS) => Event::Host { at },
                () if begins(&HOST_NOTES) => Event::Other,
                () => Event::HumanConsent { words, at },
            }
        }
        // Text that Claude Code writes as the agent: no answer, or an error of its provider.
        (Some("assistant"), Some(_)) if text_of("model") == Some("<synthetic>") => Event::Other,
        (Some("assistant"), Some(words)) => {
            Event::Agent { words, goes_on: has_tool || text_of("stop_reason") == Some("tool_use") }
        }
        _ => Event::Other,
    }
}

/// A command as typed: `/name arguments`. Claude Code writes `<command-name>/name</command-name>` and
/// `<command-args>arguments</command-args>`, in either order.
fn command(words: &str) -> Option<String> {
    if !words.trim_start().starts_with("<command-") {
        return None;
    }
    let element = |name: &str| {
        let (start, end) = (format!("<{name}>"), format!("</{name}>"));
        let inside = &words[words.find(&start)? + start.len()..];
        // Arguments may contain such marks.
        Some(inside.rfind(&end).map_or(inside, |end| &inside[..end]).trim())
    };
    let name = element("command-name").unwrap_or_default();
    let arguments = element("command-args").unwrap_or_default();
    Some(format!("/{} {arguments}", name.trim_start_matches('/')).trim_end().to_owned())
}

fn has_part(content: &Value, kind: &str) -> bool {
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    parts.iter().any(|part| part.get("type").and_then(Value::as_str) == Some(kind))
}

/// The text of a message: itself, or its parts of text.
fn words(content: &Value) -> Option<String> {
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let kind = |part: &Value| part.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            let is_text =
                |part: &&Value| ["text", "input_text", "output_text"].contains(&kind(part).as_str());
            // A message with a tool result is the host's, whatever text it has.
            if has_part(content, "tool_result") {
                return None;
            }
            let texts = parts.iter().filter(is_text).filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(lines: &[&str], user: Option<&str>, reply: Option<&str>) {
        let turn = last_turn(&lines.join("\n"));
        assert_eq!((turn.user.as_deref(), turn.reply.as_deref()), (user, reply), "{lines:?}");
    }

    const ASKED: &str = r#"{"type":"user","message":{"role":"user","content":"which bread?"}}"#;
    const ANSWERED: &str = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Rye."}]}}"#;

    #[test]
    fn the_last_words_of_person_and_agent_are_found_among_tools_and_helpers() {
        let tool = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"page"},{"type":"text","text":"x"}]}}"#;
        let call = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","name":"Read"}]}}"#;
        let helper =
            r#"{"type":"user","isSidechain":true,"message":{"role":"user","content":"helper task"}}"#;
        let note =
            r#"{"type":"user","message":{"role":"user","content":"<command-name>/clear</command-name>"}}"#;
        check(&[ASKED, call, tool, ANSWERED], Some("which bread?"), Some("Rye."));
        check(&[ASKED, ANSWERED, helper, note, "", "{"], Some("which bread?"), Some("Rye."));
        check(&[ANSWERED, ASKED, call], Some("which bread?"), None);
        let woken =
            note.replace("command-name>/clear</command-name", "task-notification>x</task-notification");
        check(&[ASKED, call, &woken, ANSWERED], None, Some("Rye."));
        let reminded =
            note.replace("command-name>/clear</command-name", "system-reminder>x</system-reminder");
        check(&[ASKED, call, &reminded, ANSWERED], Some("which bread?"), Some("Rye."));
        check(&["\"cut\":\"user\"}", ANSWERED], None, Some("Rye."));
        check(&[], None, None);
    }

    #[test]
    fn what_is_typed_while_the_agent_works_is_of_the_turn() {
        let added = r#"{"type":"attachment","attachment":{"type":"queued_command","prompt":"the whole one","commandMode":"prompt"}}"#;
        check(&[ASKED, added, ANSWERED], Some("which bread?\nthe whole one"), Some("Rye."));
        check(&[added, ANSWERED], None, Some("Rye."));
    }

    #[test]
    fn the_lines_of_codex_are_read_as_well() {
        let line = |role: &str, kind: &str, text: &str| {
            format!(
                r#"{{"timestamp":"t","type":"response_item","payload":{{"type":"message","role":"{role}","content":[{{"type":"{kind}","text":"{text}"}}]}}}}"#
            )
        };
        let context = line("user", "input_text", "<environment_context>cwd</environment_context>");
        let (asked, answered) =
            (line("user", "input_text", "which?"), line("assistant", "output_text", "Rye."));
        check(&[&context, &asked, &answered], Some("which?"), Some("Rye."));
        check(&[&asked, &answered, &context], Some("which?"), Some("Rye."));
    }

    #[test]
    fn a_log_is_read_as_turns_with_the_place_of_each() {
        let used = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I look."}],"stop_reason":"tool_use"}}"#;
        let result = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"page"}]}}"#;
        let asked = ASKED.replacen('{', r#"{"timestamp":"2026-11-24T10:00:00Z","#, 1);
        let text = [ANSWERED, &asked, used, result, ANSWERED, "\u{0}cut", &asked, used, ""].join("\n");
        let log = turns(text.as_bytes());
        assert_eq!((log.lines, log.known), (8, 7));
        let said: Vec<_> = log
            .turns
            .iter()
            .map(|turn| (turn.opening == Opening::Before, turn.reply.as_deref(), turn.is_answered))
            .collect();
        assert_eq!(
            said,
            [(true, Some("Rye."), true), (false, Some("Rye."), true), (false, Some("I look."), false)]
        );
        assert_eq!(log.turns[1].at.as_deref(), Some("2026-11-24T10:00:00Z"));
        assert_eq!(&text[log.turns[2].span.clone()], &format!("{asked}\n{used}\n"));
        let strange = turns(b"a,b\n1,2\n");
        assert_eq!((strange.lines, strange.known, strange.turns.len()), (2, 0, 0));
    }

    #[test]
    fn what_the_host_says_in_the_agents_name_is_no_reply() {
        let filler =
            ANSWERED.replacen(r#""role":"assistant""#, r#""role":"assistant","model":"<synthetic>""#, 1);
        assert_ne!(filler, ANSWERED);
        let log = turns([ASKED, filler.as_str(), ""].join("\n").as_bytes());
        assert_eq!(log.turns.len(), 1);
        assert_eq!(log.turns[0].reply, None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_log(text in r#"(\PC|\n|\{|"type":"user"|"message":|\}){0,60}"#) {
            let _ = last_turn(&text);
        }
    }
}
