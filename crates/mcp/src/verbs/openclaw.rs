//! OpenClaw's `memory_search` and `memory_get`, with its parameters and fields (openclaw.md §2.1).

use std::borrow::Cow;

use inwit_engine::{Bounds, Lines, Search, cut_for_model};
use inwit_model::Code;
use inwit_wire::tools::answer::value;
use inwit_wire::tools::{Arguments, ToolSpec, Verb};
use inwit_wire::{AnswerV1, ErrorV1, ExcerptV1};
use serde_json::{Map, Value, json};

use super::look::whose;
use super::{omitted, put, take_list, text_of, with_notices};
use crate::call::Answered;
use crate::connection::Connection;

/// Most characters of one reading.
const GET_CHARS_MAX: usize = 12_000;

/// Most characters of one snippet.
const SNIPPET_CHARS_MAX: usize = 700;

/// Least score where a call does not say one. It cuts only where something reaches it.
const SCORE_MIN_UNSAID: f64 = 0.35;

/// An answer without results.
fn nothing() -> Value {
    json!({
        "results": [],
        "provider": "none",
        "model": null,
        "fallback": false,
        "citations": "on",
        "mode": "keyword",
    })
}

/// A failure as OpenClaw tells it: the same fields as an answer, empty, with the sentence as `error` and what to
/// do as `action`. `disabled` says that asking again does not help for now.
pub(crate) fn failed(tool: &ToolSpec, sent: &Map<String, Value>, error: &ErrorV1) -> Value {
    let mut answer = if tool.verb == Verb::OpenclawGet {
        json!({ "status": "error", "text": "", "path": sent.get("path").and_then(Value::as_str).unwrap_or_default() })
    } else {
        nothing()
    };
    let is_asked_wrongly = ["usage_bad", "query_bad", "time_bad", "name_refused"].contains(&error.code);
    if tool.verb == Verb::OpenclawSearch && !is_asked_wrongly {
        put(&mut answer, "disabled", true.into());
    }
    put(&mut answer, "error", error.message.clone().into());
    put(&mut answer, "action", error.hint.clone().into());
    put(&mut answer, "code", error.code.into());
    answer
}

pub(super) fn search(connection: &Connection, said: &Arguments) -> Answered {
    let mut answer = nothing();
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
        bounds: Bounds { only_memory: true, result_chars: Some(SNIPPET_CHARS_MAX), ..Bounds::default() },
    };
    // Scores are part of OpenClaw's own answer, and `minScore` filters by them.
    let mut found = value(&AnswerV1::new(&connection.agent.notes.search(&asked)?, true));
    let hits = take_list(&mut found, "results");
    let score = |hit: &Value| hit.get("score").and_then(Value::as_f64).unwrap_or_default();
    let least = said.number("minScore").unwrap_or_else(|| {
        let reached = hits.iter().any(|hit| score(hit) >= SCORE_MIN_UNSAID);
        if reached { SCORE_MIN_UNSAID } else { 0.0 }
    });
    let results: Vec<Value> = hits.iter().filter(|hit| score(hit) >= least).map(result).collect();
    let mut lines: Vec<String> = results.iter().map(|hit| text_of(hit, "snippet").to_owned()).collect();
    if found.get("nothingNear") == Some(&Value::Bool(true)) {
        let warning = if results.is_empty() {
            "Nothing in the notes is near the question."
        } else {
            "Nothing in the notes is near the question; the results are the least far."
        };
        put(&mut answer, "warning", warning.into());
        lines.insert(0, warning.to_owned());
    }
    match hits.len() - results.len() {
        0 if lines.is_empty() => lines.push("Nothing was found.".to_owned()),
        0 => {}
        left => {
            put(&mut answer, "omitted", omitted("results", left));
            lines.push(format!("{left} result(s) have less than the least score {least}."));
        }
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
        "snippet": format!("{}\n\nSource: {citation}{}", under_heading(hit), whose(hit)),
        "source": "memory",
        "corpus": "memory",
        "citation": citation,
    })
}

/// The text of a hit below the headings that it stands under.
fn under_heading(hit: &Value) -> String {
    let (heading, text) = (text_of(hit, "heading"), text_of(hit, "snippet"));
    if heading.is_empty() { text.to_owned() } else { format!("[{heading}]\n{text}") }
}

pub(super) fn get(connection: &Connection, said: &Arguments) -> Answered {
    let path = said.text("path").unwrap_or_default();
    let not_found = || {
        let text = format!("{} or these lines of it are not there.", inwit_model::name::shown(path));
        Ok((json!({ "status": "not_found", "text": "", "path": path }), text))
    };
    if said.text("corpus") == Some("wiki") {
        return not_found();
    }
    let number = |name| said.whole(name).and_then(|number| u32::try_from(number).ok()).unwrap_or(1);
    let (from, count) = (number("from"), number("lines"));
    let lines = Lines { from: Some(from), to: Some(from.saturating_add(count - 1)) };
    let (excerpt, notice) = match connection.agent.notes.get_masked(&connection.scope, path, lines) {
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
        if whose.is_empty() { shown.into_owned() } else { format!("[{}]{whose}\n{shown}", read.path) };
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
fn whole_lines(text: &str) -> (Cow<'_, str>, bool) {
    match text.char_indices().nth(GET_CHARS_MAX) {
        None => (text.into(), false),
        Some((end, _)) => match text[..end].rfind('\n') {
            Some(at) => (text[..=at].into(), true),
            None => (cut_for_model(text, GET_CHARS_MAX).unwrap_or_default().into(), true),
        },
    }
}
