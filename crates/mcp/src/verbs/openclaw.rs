//! OpenClaw's `memory_search` and `memory_get`, with its parameters and fields (openclaw.md §2.1).

use inwit_engine::{Bounds, Lines, Search};
use inwit_model::Code;
use inwit_wire::tools::Arguments;
use inwit_wire::tools::answer::value;
use inwit_wire::{AnswerV1, ExcerptV1};
use serde_json::{Value, json};

use super::look::whose;
use super::{put, take_list, text_of, with_notices};
use crate::call::Answered;
use crate::connection::Connection;

/// Most characters of one reading.
const GET_CHARS_MAX: usize = 12_000;

pub(super) fn search(connection: &Connection, said: &Arguments) -> Answered {
    let mut answer = json!({
        "results": [],
        "provider": "none",
        "model": null,
        "fallback": false,
        "citations": "on",
        "mode": "keyword",
    });
    let corpus = said.text("corpus").unwrap_or("memory");
    if !matches!(corpus, "memory" | "all") {
        put(
            &mut answer,
            "warning",
            format!("There is no corpus `{corpus}` here; the notes are `memory`.").into(),
        );
        return Ok((answer, format!("There is no corpus `{corpus}` here.")));
    }
    let asked = Search {
        query: said.text("query").unwrap_or_default(),
        scope: &connection.scope,
        limit: said.size("maxResults").unwrap_or(1),
        budget_chars: None,
        bounds: Bounds::default(),
    };
    let mut found = value(&AnswerV1::new(&connection.agent.search(&asked)?, false));
    let least = said.number("minScore").unwrap_or_default();
    let near = |hit: &Value| hit.get("score").and_then(Value::as_f64).is_some_and(|score| score >= least);
    let results: Vec<Value> =
        take_list(&mut found, "results").iter().filter(|hit| near(hit)).map(result).collect();
    let mut lines: Vec<String> = results.iter().map(|hit| text_of(hit, "snippet").to_owned()).collect();
    if found.get("nothingNear") == Some(&Value::Bool(true)) {
        let warning = "Nothing in the notes is near the question; the results are the least far.";
        put(&mut answer, "warning", warning.into());
        lines.insert(0, warning.to_owned());
    }
    put(&mut answer, "results", Value::Array(results));
    let text = with_notices(&found, lines.join("\n\n"));
    Ok((answer, text))
}

/// A result with the fields of OpenClaw.
fn result(hit: &Value) -> Value {
    let citation = text_of(hit, "citation");
    json!({
        "path": hit.get("path"),
        "startLine": hit.get("startLine"),
        "endLine": hit.get("endLine"),
        "score": hit.get("score"),
        "snippet": format!("{}\n\nSource: {citation}{}", text_of(hit, "snippet"), whose(hit)),
        "source": "memory",
        "corpus": "memory",
        "citation": citation,
    })
}

pub(super) fn get(connection: &Connection, said: &Arguments) -> Answered {
    let path = said.text("path").unwrap_or_default();
    let not_found = || {
        let text = format!("{} is not there.", inwit_model::name::shown(path));
        Ok((json!({ "status": "not_found", "text": "", "path": path }), text))
    };
    if said.text("corpus") == Some("wiki") {
        return not_found();
    }
    let number = |name| said.whole(name).and_then(|number| u32::try_from(number).ok()).unwrap_or(1);
    let (from, count) = (number("from"), number("lines"));
    let lines = Lines { from: Some(from), to: Some(from.saturating_add(count - 1)) };
    let (excerpt, notice) = match connection.agent.get_masked(&connection.scope, path, lines) {
        Err(error) if error.code == Code::FileMissing => return not_found(),
        read => read?,
    };
    let read = ExcerptV1::from(&excerpt);
    let (shown, cut) = whole_lines(&read.text);
    let given = shown.lines().count();
    let next =
        if cut { Some(from as usize + given.max(1)) } else { read.next_from.map(|next| next as usize) };
    let whose = whose(&value(&read));
    let mut text =
        if whose.is_empty() { shown.to_owned() } else { format!("[{}]{whose}\n{shown}", read.path) };
    if let Some(next) = next {
        text.push_str(&format!("\n\n[More content available. Use from={next} to continue.]"));
    }
    let mut answer = json!({ "status": "ok", "text": text, "path": read.path, "from": from, "lines": given });
    if let Some(next) = next {
        put(&mut answer, "truncated", true.into());
        put(&mut answer, "nextFrom", next.into());
    }
    if let Some(notice) = notice {
        text.push_str(&format!("\nnote: {}", notice.message));
    }
    Ok((answer, text))
}

/// The lines that fit, and whether some do not. A line that is too long alone is cut.
fn whole_lines(text: &str) -> (&str, bool) {
    match text.char_indices().nth(GET_CHARS_MAX) {
        None => (text, false),
        Some((end, _)) => (&text[..text[..end].rfind('\n').map_or(end, |at| at + 1)], true),
    }
}
