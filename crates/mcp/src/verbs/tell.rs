//! Self-reports: prompt, status, identity, knowledge, statistics.

use inwit_engine::self_report::Stats;
use inwit_engine::sessions::hook::{PACK_FILES_UNITS_MAX, Packed, units};
use inwit_engine::{EngineError, ModelText};
use inwit_model::Scope;
use inwit_model::plural::counted;
use inwit_wire::self_report::IdentityToldV1;
use inwit_wire::tools::Arguments;
use inwit_wire::tools::reading::ContextV1;
use inwit_wire::{KnowledgeV1, MyStatsV1, StatusForV1, TextV1, WhoAmIV1};
use serde_json::Value;

use super::{told, with_notices};
use crate::call::Answered;
use crate::connection::Connection;
use crate::fit;
use crate::hints::value;

/// Longest answer of `memory_context`, in UTF-16 units of its JSON: clients cut or refuse longer texts.
const CONTEXT_UNITS_MAX: usize = 9_000;

/// Share reserved for JSON escapes and notices, in UTF-16 units.
const CONTEXT_FRAME_UNITS: usize = 700;

const _: () =
    assert!(CONTEXT_UNITS_MAX - CONTEXT_FRAME_UNITS >= PACK_FILES_UNITS_MAX, "the files always fit");

/// `memory_context`: the session context of a host; in other scopes the prompt, truncated.
pub(super) fn context(connection: &Connection, said: &Arguments) -> Answered {
    let (text, notices) = if connection.scope == Scope::Main {
        let project =
            connection.project.as_ref().and_then(|folder| connection.agent.core.project_in_passing(folder));
        let begins = Packed {
            project: project.as_ref(),
            units_max: CONTEXT_UNITS_MAX - CONTEXT_FRAME_UNITS,
            ..Packed::default()
        };
        let pack = connection.agent.sessions.pack(begins)?;
        (pack.text, pack.notices)
    } else {
        let prompt = connection.agent.sessions.prompt(&connection.scope)?;
        (prompt.whole(), prompt.notices)
    };
    let mut answer = ContextV1 { text: TextV1::default(), notices: told(&notices) };
    let room = CONTEXT_UNITS_MAX.saturating_sub(units(&value(&answer).to_string()));
    answer.text = cut(text, room, said.whole("max_tokens").unwrap_or(u64::MAX)).into();
    Ok((value(&answer), with_notices(&answer.notices, answer.text.to_string())))
}

/// Marks a text as truncated.
const CUT: &str = "[left out: the rest; `memory_search` and `memory_get` show it]";

/// The first lines of `text` that fit into `room` as JSON and into `max_tokens`, including its closing tag.
fn cut(text: ModelText, room: usize, max_tokens: u64) -> ModelText {
    let cost = |text: &str| (units(&Value::from(text).to_string()), fit::tokens(text));
    let fits = |(units, tokens): (usize, u64)| units <= room && tokens <= max_tokens;
    if fits(cost(&text)) {
        return text;
    }
    let (body, close) = match text.trim_end().rsplit_once('\n') {
        Some((body, close)) if close.starts_with("</") => (body, close),
        _ => (text.as_str(), ""),
    };
    let (mut shown, mut used) = (String::new(), cost(&format!("{CUT}\n{close}")));
    for line in body.split_inclusive('\n') {
        let more = cost(line);
        used = (used.0 + more.0, used.1 + more.1);
        if !fits(used) {
            break;
        }
        shown.push_str(line);
    }
    ModelText::made_of(&[&text], format!("{shown}{CUT}\n{close}").trim_end())
}

/// `memory_status`.
pub(super) fn status(connection: &Connection) -> Answered {
    let mut glance = connection.agent.notes.glance(&connection.scope)?;
    if connection.scope == Scope::Main {
        glance.notices.extend(connection.notices.iter().cloned());
    }
    let told = StatusForV1::new(
        &connection.whereabouts.agent_id,
        &connection.agent.core.profile().name,
        connection.recalls_by_itself,
        &glance,
    );
    let mut text = format!(
        "{} in scope {}: searches {} with {}.",
        told.agent,
        told.scope,
        counted(told.searched_files, "file"),
        counted(told.passages, "passage")
    );
    match told.pending {
        Some(0) => text.push_str(" No proposals are pending."),
        Some(count) => {
            text.push_str(&format!(" Waiting for the owner: {}, `inwit inbox`.", counted(count, "proposal")))
        }
        None => {}
    }
    Ok((value(&told), with_notices(&told.notices, text)))
}

/// `identity`.
pub(super) fn identity(connection: &Connection, said: &Arguments) -> Answered {
    let nothing = IdentityToldV1::default();
    let (told, text) = match said.text("about") {
        Some("what_do_i_know") => {
            let (told, text) = knowledge(connection, said);
            (IdentityToldV1 { about: "what_do_i_know", what_do_i_know: Some(told), ..nothing }, text)
        }
        Some("my_stats") => {
            let (told, text) = numbers(connection)?;
            (IdentityToldV1 { about: "my_stats", my_stats: Some(told), ..nothing }, text)
        }
        _ => {
            let (told, text) = oneself(connection);
            (IdentityToldV1 { about: "who_am_i", who_am_i: Some(told), ..nothing }, text)
        }
    };
    Ok((value(&told), text))
}

/// `who_am_i` (N20).
pub(super) fn who_am_i(connection: &Connection) -> Answered {
    let (told, text) = oneself(connection);
    Ok((value(&told), text))
}

fn oneself(connection: &Connection) -> (WhoAmIV1, String) {
    let told =
        connection.agent.who_am_i(&connection.scope, connection.session.as_ref(), &connection.whereabouts);
    let text = format!("{} ({})\n{}", told.agent_id, told.identity.line(), told.soul_excerpt);
    let told = WhoAmIV1::from(&told);
    let text = with_notices(&told.notices, text);
    (told, text)
}

/// `what_do_i_know` (N21).
pub(super) fn what_do_i_know(connection: &Connection, said: &Arguments) -> Answered {
    let (told, text) = knowledge(connection, said);
    Ok((value(&told), text))
}

fn knowledge(connection: &Connection, said: &Arguments) -> (KnowledgeV1, String) {
    let told = connection.agent.what_do_i_know(&connection.scope, said.text("section"), said.size("limit"));
    let mut text = String::new();
    for section in &told.sections {
        text.push_str(&format!("{}\n", section.heading));
        section.bullets.iter().for_each(|bullet| text.push_str(&format!("- {bullet}\n")));
        if section.extra_bullets > 0 {
            text.push_str(&format!("- … {} more\n", section.extra_bullets));
        }
    }
    if told.sections.is_empty() {
        text.push_str("No long-term memory in this scope.");
    } else if told.truncated {
        text.push_str("More sections exist; pass `section`.");
    }
    let told = KnowledgeV1::from(&told);
    let text = with_notices(&told.notices, text);
    (told, text)
}

/// `my_stats` (N22).
pub(super) fn my_stats(connection: &Connection) -> Answered {
    let (told, text) = numbers(connection)?;
    Ok((value(&told), text))
}

fn numbers(connection: &Connection) -> Result<(MyStatsV1, String), EngineError> {
    let id = &connection.whereabouts.agent_id;
    let told = connection.agent.my_stats(&connection.scope, id, &mut || counts(connection))?;
    let numbers = told.counts.as_ref().map(|counts| {
        format!(
            "{}, {} promoted, {} in seven days. ",
            counted(counts.sessions_total, "session"),
            counts.memories_promoted,
            counted(counts.recall_events_7d, "recall")
        )
    });
    let files = told.workspace_files_present.join(", ");
    Ok((MyStatsV1::from(&told), format!("{}Files: {files}", numbers.unwrap_or_default())))
}

/// The counters. A session with a transcript counts even if `memory.db` does not have it.
fn counts(connection: &Connection) -> Result<Stats, EngineError> {
    let written = match &connection.logs {
        Some(logs) => logs.count(&Scope::Main)?,
        None => 0,
    };
    let counted = connection.agent.counts()?;
    Ok(Stats { sessions_total: counted.sessions_total.max(written), ..counted })
}
