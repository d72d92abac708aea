//! The files in which hosts write a conversation down, read from their end for the last turn.
//!
//! Claude Code writes a JSON object a line, `{"type":"user"|"assistant","message":{"role","content"}}`;
//! Codex `{"type":"response_item","payload":{"type":"message","role","content"}}`. Neither promises its
//! form, so a line of another form says nothing. Invariant: only what the person typed counts as theirs:
//! results of tools, words of helpers and the host's own notes stand in lines of the same kind.

use serde_json::Value;

/// The last turn of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastTurn {
    /// What the person said last.
    pub user: Option<String>,
    /// The last words of the agent after it.
    pub reply: Option<String>,
}

/// Beginnings of what a host writes in a person's place.
const HOST_NOTES: [&str; 9] = [
    "# AGENTS.md instructions",
    "<command-",
    "<local-command",
    "<bash-",
    "<system-reminder",
    "<task-notification",
    "<environment_context",
    "<user_instructions",
    "[Request interrupted",
];

/// Those of them that an agent answers: what the person said before them has had its answer.
const HOST_CALLS: [&str; 2] = ["<command-", "<task-notification"];

/// The last turn in `text`, which may begin in the middle of a line.
pub fn last_turn(text: &str) -> LastTurn {
    let mut turn = LastTurn::default();
    for line in text.lines().rev() {
        match spoken(line) {
            Some((Role::Person, words)) => {
                turn.user = Some(words);
                break;
            }
            Some((Role::Host, _)) if turn.reply.is_some() => break,
            Some((Role::Agent, words)) if turn.reply.is_none() => turn.reply = Some(words),
            _ => {}
        }
    }
    turn
}

enum Role {
    Person,
    Agent,
    /// In the person's place.
    Host,
}

fn spoken(line: &str) -> Option<(Role, String)> {
    // Most lines are results of tools, and large: they are passed over unread.
    if !line.contains("\"user\"") && !line.contains("\"assistant\"") {
        return None;
    }
    let value: Value = serde_json::from_str(line).ok()?;
    let is = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or(false);
    if is("isSidechain") || is("isMeta") || is("isCompactSummary") {
        return None;
    }
    let message = match value.get("type").and_then(Value::as_str)? {
        "user" | "assistant" => value.get("message")?,
        "response_item" => value
            .get("payload")
            .filter(|payload| payload.get("type").and_then(Value::as_str) == Some("message"))?,
        _ => return None,
    };
    let words = words(message.get("content")?)?;
    match message.get("role").and_then(Value::as_str)? {
        "user" => {
            let begins = |notes: &[&str]| notes.iter().any(|note| words.trim_start().starts_with(note));
            if begins(&HOST_CALLS) {
                return Some((Role::Host, words));
            }
            (!begins(&HOST_NOTES)).then_some((Role::Person, words))
        }
        "assistant" => Some((Role::Agent, words)),
        _ => None,
    }
}

/// The text of a message: itself, or its parts of text.
fn words(content: &Value) -> Option<String> {
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let kind = |part: &Value| part.get("type").and_then(Value::as_str).map(str::to_owned);
            let is_text =
                |part: &&Value| matches!(kind(part).as_deref(), Some("text" | "input_text" | "output_text"));
            // A message that carries a tool's result is the host's, whatever words stand beside it.
            if parts.iter().any(|part| kind(part).as_deref() == Some("tool_result")) {
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

    proptest! {
        #[test]
        fn any_text_is_a_log(text in r#"(\PC|\n|\{|"type":"user"|"message":|\}){0,60}"#) {
            let _ = last_turn(&text);
        }
    }
}
