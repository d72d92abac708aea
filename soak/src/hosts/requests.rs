//! What a recorded request says: the prompt it answers, and what inwit added to it.
//!
//! Both formats are reduced to the same list of items. Invariant: text of the user that begins with `<` was put there
//! by the client.

use serde_json::Value;

/// Around what inwit adds to a session.
const CONTEXT: (&str, &str) = ("<inwit-context", "</inwit-context>");

/// One item of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// What was typed.
    Typed(String),
    /// What a tool returned.
    Returned(String),
    /// Anything else.
    Other,
}

/// The items of a request body of either provider, in order.
pub fn items(body: &Value) -> Vec<Item> {
    let messages = body["messages"].as_array().or_else(|| body["input"].as_array());
    messages.into_iter().flatten().flat_map(of_message).collect()
}

fn of_message(message: &Value) -> Vec<Item> {
    if message["type"] == "function_call_output" {
        return vec![Item::Returned(text(&message["output"]))];
    }
    if message["role"] != "user" {
        return vec![Item::Other];
    }
    match &message["content"] {
        Value::String(text) => vec![typed(text)],
        parts => parts.as_array().into_iter().flatten().map(of_part).collect(),
    }
}

fn of_part(part: &Value) -> Item {
    if part["type"] == "tool_result" {
        return Item::Returned(text(&part["content"]));
    }
    part["text"].as_str().map_or(Item::Other, typed)
}

/// The text of a value that is a text or a list of parts.
fn text(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    content.as_str().map_or_else(|| parts.collect::<Vec<_>>().join("\n"), str::to_owned)
}

fn typed(text: &str) -> Item {
    if text.trim_start().starts_with('<') { Item::Other } else { Item::Typed(text.trim().to_owned()) }
}

/// The last prompt, and what tools returned since.
pub fn last_prompt(items: &[Item]) -> Option<(&str, Vec<&str>)> {
    let at = items.iter().rposition(|item| matches!(item, Item::Typed(_)))?;
    let Item::Typed(prompt) = &items[at] else { return None };
    let returned = items[at..].iter().filter_map(|item| match item {
        Item::Returned(text) => Some(text.as_str()),
        _ => None,
    });
    Some((prompt, returned.collect()))
}

/// What was typed before the last prompt.
pub fn typed_before(items: &[Item]) -> Vec<String> {
    let typed = items.iter().filter_map(|item| match item {
        Item::Typed(text) => Some(text.clone()),
        _ => None,
    });
    let mut typed: Vec<String> = typed.collect();
    typed.pop();
    typed
}

/// Everything that inwit added, one block after the other.
pub fn contexts(body: &Value) -> String {
    let mut found = String::new();
    for text in strings(body) {
        for (at, _) in text.match_indices(CONTEXT.0) {
            let rest = &text[at..];
            found += &rest[..rest.find(CONTEXT.1).unwrap_or(rest.len())];
            found.push('\n');
        }
    }
    found
}

/// Every text of a value.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_prompt_and_the_results_behind_it_are_read_from_both_formats() {
        let context = "<inwit-context v=\"1\">\nkestrel\n</inwit-context>";
        let messages = json!({ "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "<system-reminder>x</system-reminder>" }, { "type": "text", "text": "Hello." }] },
            { "role": "system", "content": format!("added: {context}") },
            { "role": "assistant", "content": [{ "type": "tool_use", "name": "search", "input": {} }] },
            { "role": "user", "content": [{ "type": "tool_result", "content": [{ "type": "text", "text": "found" }] }] },
        ] });
        let input = json!({ "input": [
            { "type": "message", "role": "developer", "content": [{ "type": "input_text", "text": context }] },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Hello." }] },
            { "type": "function_call", "name": "search", "arguments": "{}" },
            { "type": "function_call_output", "output": "found" },
        ] });
        for body in [messages, input] {
            assert_eq!(last_prompt(&items(&body)), Some(("Hello.", vec!["found"])), "{body}");
            assert!(contexts(&body).contains("kestrel"), "{body}");
            assert!(typed_before(&items(&body)).is_empty(), "{body}");
        }
    }
}
