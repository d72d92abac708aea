//! The files in which hosts write a conversation down, read as turns.
//!
//! Claude Code writes a JSON object a line, `{"type":"user"|"assistant","message":{"role","content"}}`;
//! Codex `{"type":"response_item","payload":{"type":"message","role","content"}}`. Neither promises its
//! form, so a line of another form says nothing. Invariant: only what the person typed counts as theirs:
//! results of tools, words of helpers and the host's own notes stand in lines of the same kind.

use std::ops::Range;

use serde_json::Value;

/// The last turn of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastTurn {
    /// What the person said last.
    pub user: Option<String>,
    /// What they typed at first and then while the agent worked, where there is more than the first.
    pub parts: Vec<String>,
    /// The last words of the agent after it.
    pub reply: Option<String>,
    /// How many bytes before the end of the text it begins, where its beginning was read.
    pub before_end: Option<usize>,
    /// What the person said in the turns before it that were read and have a reply of their own.
    pub answered_before: Vec<String>,
    /// The reply of the turn before it, where it was read.
    pub reply_before: Option<String>,
    /// What the person said in the turns straight before it that had no answer: the reply may answer them too.
    pub unanswered_before: Vec<String>,
    /// A turn before those, which had an answer, was read.
    pub has_answer_before: bool,
    /// The commands of the host behind it that no agent has answered yet.
    pub commands_behind: Vec<String>,
}

/// What began a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// The person said this.
    HumanConsent(String),
    /// The person typed this command of the host. An agent answers some of them.
    Command(String),
    /// A notice of the host stands in the person's place.
    Host,
    /// It stands before the text that was read.
    Before,
}

/// A turn as the host wrote it down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostTurn {
    /// What began it.
    pub opening: Opening,
    /// What the person typed at first and then while the agent worked, where there is more than the first.
    pub parts: Vec<String>,
    /// The last words of the agent in it.
    pub reply: Option<String>,
    /// When it began, RFC 3339 as the host wrote it.
    pub at: Option<String>,
    /// The bytes of its lines in the text that was read.
    pub span: Range<usize>,
    /// The agent's words stand last in it: no tool is at work.
    pub is_answered: bool,
}

/// A part of a host's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostLog {
    /// The turns in it, in order. Only the last may go on behind it.
    pub turns: Vec<HostTurn>,
    /// How many lines stand in it.
    pub lines: usize,
    /// How many of the lines looked at have a form that hosts write.
    pub known: usize,
}

/// Beginnings of what a host writes in a person's place.
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

/// Those of them that an agent answers, besides commands: what the person said before them has had its answer.
const HOST_CALLS: [&str; 1] = ["<task-notification"];

/// The last turn in `text`, which may begin in the middle of a line.
pub fn last_turn(text: &str) -> LastTurn {
    // A command of the host that no agent answered is no turn.
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

/// The turns in a part of a log. A line that is cut or of another form belongs to the turn around it.
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

/// What one line of a transcript holds.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    /// The person typed this.
    HumanConsent { words: String, at: Option<String> },
    /// The agent said this; a call of a tool follows where it `goes_on`.
    Agent { words: String, goes_on: bool },
    /// The person typed this while the agent worked.
    Added { words: String },
    /// The person typed this command of the host.
    Command { words: String, at: Option<String> },
    /// A notice of the host that an agent answers.
    Host { at: Option<String> },
    /// A tool is called, or has answered.
    Tool,
    /// A line of a form that hosts write, about something else.
    Other,
    /// No such line.
    Unknown,
}

/// Most bytes of a line in which its kind is looked for when it is not read whole.
const KIND_BYTES_MAX: usize = 512;

/// The kind of an attachment with what a person typed while the agent worked.
const QUEUED: &str = "queued_command";

/// The field in which hosts write the kind of a line.
const KIND: &[u8] = b"\"type\"";

fn event(line: &str) -> Event {
    // Most lines are results of tools, and large: they are passed over unread.
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
        // What Claude Code writes in the agent's name itself: that nothing was answered, or what its provider refused.
        (Some("assistant"), Some(_)) if text_of("model") == Some("<synthetic>") => Event::Other,
        (Some("assistant"), Some(words)) => {
            Event::Agent { words, goes_on: has_tool || text_of("stop_reason") == Some("tool_use") }
        }
        _ => Event::Other,
    }
}

/// A command as the person typed it, with its arguments: `/name arguments`. Claude Code writes
/// `<command-name>/name</command-name>` and `<command-args>arguments</command-args>`, in either order.
fn command(words: &str) -> Option<String> {
    if !words.trim_start().starts_with("<command-") {
        return None;
    }
    let element = |name: &str| {
        let (start, end) = (format!("<{name}>"), format!("</{name}>"));
        let inside = &words[words.find(&start)? + start.len()..];
        // Arguments may have such marks of their own.
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
            // A message that carries a tool's result is the host's, whatever words stand beside it.
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
