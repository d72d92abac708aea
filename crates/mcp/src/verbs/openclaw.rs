//! OpenClaw's `memory_search` and `memory_get`, with its parameters and fields.

use inwit_engine::{Bounds, Lines, ModelText, Search};
use inwit_model::Code;
use inwit_model::plural::counted;
use inwit_wire::tools::openclaw::{OpenclawFailureV1, OpenclawFoundV1, OpenclawHitV1, OpenclawReadV1};
use inwit_wire::tools::reading::OmittedV1;
use inwit_wire::tools::{Arguments, ToolSpec, Verb};
use inwit_wire::{AnswerV1, ErrorV1, ExcerptV1, HitV1};
use serde_json::{Map, Value};

use super::look::whose;
use super::with_notices;
use crate::call::Answered;
use crate::connection::Connection;
use crate::hints::value;

/// Most characters of one reading.
const GET_CHARS_MAX: usize = 12_000;

/// Most characters of one snippet.
const SNIPPET_CHARS_MAX: usize = 700;

/// Default minimum score. It has an effect only if some result reaches it.
const SCORE_MIN_UNSAID: f64 = 0.35;

/// A failure in OpenClaw's form. `disabled` says that retrying does not help.
pub(crate) fn failed(tool: &ToolSpec, sent: &Map<String, Value>, error: &ErrorV1) -> Value {
    let failure = Some(OpenclawFailureV1::from(error));
    if tool.verb == Verb::OpenclawGet {
        let path = sent.get("path").and_then(Value::as_str).unwrap_or_default();
        return value(&OpenclawReadV1 { failure, ..OpenclawReadV1::nothing("error", path) });
    }
    let is_asked_wrongly = ["usage_bad", "query_bad", "time_bad", "name_refused"].contains(&error.code);
    let disabled = tool.verb == Verb::OpenclawSearch && !is_asked_wrongly;
    value(&OpenclawFoundV1 { disabled, failure, ..OpenclawFoundV1::nothing() })
}

pub(super) fn search(connection: &Connection, said: &Arguments) -> Answered {
    let mut answer = OpenclawFoundV1::nothing();
    let corpus = said.text("corpus").unwrap_or("memory");
    if !matches!(corpus, "memory" | "all") {
        answer.warning = Some(format!("There is no corpus `{corpus}` here; the notes are `memory`."));
        return Ok((value(&answer), format!("There is no corpus `{corpus}` here.")));
    }
    let asked = Search {
        query: said.text("query").unwrap_or_default(),
        scope: &connection.scope,
        limit: said.size("maxResults").unwrap_or(1),
        budget_chars: None,
        bounds: Bounds { only_memory: true, result_chars: Some(SNIPPET_CHARS_MAX), ..Bounds::default() },
    };
    // Scores are part of OpenClaw's own answer, and `minScore` filters by them.
    let found = AnswerV1::new(&connection.agent.notes.search(&asked)?, true);
    let score = |hit: &HitV1| hit.score.map(f64::from).unwrap_or_default();
    let least = said.number("minScore").unwrap_or_else(|| {
        let reached = found.results.iter().any(|hit| score(hit) >= SCORE_MIN_UNSAID);
        if reached { SCORE_MIN_UNSAID } else { 0.0 }
    });
    let hits = found.results.iter().filter(|hit| score(hit) >= least);
    answer.results = hits.map(|hit| OpenclawHitV1::new(hit, &whose(hit.taint))).collect();
    let mut lines: Vec<String> = answer.results.iter().map(|hit| hit.snippet.to_string()).collect();
    if found.nothing_near {
        let warning = if answer.results.is_empty() {
            "No close match in the notes."
        } else {
            "No close match; these are the nearest results."
        };
        answer.warning = Some(warning.to_owned());
        lines.insert(0, warning.to_owned());
    }
    match found.results.len() - answer.results.len() {
        0 if lines.is_empty() => lines.push("No results.".to_owned()),
        0 => {}
        left => {
            answer.omitted = Some(OmittedV1 { results: Some(left), ..OmittedV1::default() });
            lines.push(format!("Left out {} with a score below {least}.", counted(left, "result")));
        }
    }
    Ok((value(&answer), with_notices(&found.notices, lines.join("\n\n"))))
}

pub(super) fn get(connection: &Connection, said: &Arguments) -> Answered {
    let path = said.text("path").unwrap_or_default();
    let not_found = || {
        let text = format!("{} or these lines of it do not exist.", inwit_model::name::shown(path));
        Ok((value(&OpenclawReadV1::nothing("not_found", path)), text))
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
    let read = ExcerptV1::from(excerpt);
    let (shown, cut) = whole_lines(&read.text);
    let given = shown.lines().count();
    let next =
        if cut { Some(from as usize + given.max(1)) } else { read.next_from.map(|next| next as usize) };
    let mut text = match whose(read.taint) {
        whose if whose.is_empty() => shown.to_string(),
        whose => format!("[{}]{whose}\n{shown}", read.path),
    };
    if let Some(next) = next {
        text.push_str(&format!("\n\n[More content available. Use from={next} to continue.]"));
    }
    let answer = OpenclawReadV1 {
        text: ModelText::made_of(&[&shown], text.as_str()).into(),
        from: Some(from),
        lines: Some(given),
        truncated: next.is_some(),
        next_from: next,
        ..OpenclawReadV1::nothing("ok", &read.path)
    };
    if let Some(notice) = notice {
        text.push_str(&format!("\nnote: {}", notice.message));
    }
    Ok((value(&answer), text))
}

/// The lines that fit, and whether some do not. A single line that is too long is truncated.
fn whole_lines(text: &ModelText) -> (ModelText, bool) {
    match text.char_indices().nth(GET_CHARS_MAX) {
        None => (text.clone(), false),
        Some((end, _)) => match text[..end].rfind('\n') {
            Some(at) => (text.head(at + 1), true),
            None => (text.cut(GET_CHARS_MAX).unwrap_or_default(), true),
        },
    }
}
