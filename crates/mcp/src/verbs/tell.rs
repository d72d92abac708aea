//! What the agent tells of itself: its prompt, how its memory is, who it is, what it knows, its numbers.

use inwit_engine::prompt::BLOCK_JOINT;
use inwit_engine::self_report::Stats;
use inwit_engine::{EngineError, Part};
use inwit_model::Scope;
use inwit_wire::tools::Arguments;
use inwit_wire::tools::answer::value;
use inwit_wire::{KnowledgeV1, MyStatsV1, PromptV1, StatusForV1, WhoAmIV1};
use serde_json::{Value, json};

use super::look::mirrored;
use super::{omitted, put, take_list, text_of, with_notices};
use crate::call::Answered;
use crate::connection::Connection;
use crate::fit;

/// `memory_context`.
pub(super) fn context(connection: &Connection, said: &Arguments) -> Answered {
    let prompt = connection.agent.prompt(&connection.scope)?;
    let mut answer = value(&PromptV1::new(&prompt, None, false));
    let blocks = take_list(&mut answer, "blocks");
    let mut left_out = take_list(&mut answer, "omitted");
    let report_only = said.flag("report_only");
    let max_tokens = said.whole("max_tokens").unwrap_or(u64::MAX);
    let (mut used, mut texts, mut kept, mut count) = (0, Vec::new(), Vec::new(), 0);
    // In the order in which the parts are read.
    for part in [Part::Prefix, Part::UserPrefix, Part::Tail] {
        for (block, row) in prompt.blocks.iter().zip(&blocks).filter(|(block, _)| block.part == part) {
            used += fit::tokens(&block.text);
            if report_only || used <= max_tokens {
                texts.push(block.text.as_str());
                kept.push(row.clone());
            } else {
                count += 1;
                left_out.push(json!({
                    "kind": text_of(row, "kind"),
                    "source": row.get("source"),
                    "reason": "max_tokens",
                    "message": "It did not fit into max_tokens.",
                    "chars": block.chars(),
                }));
            }
        }
    }
    let text = if report_only { String::new() } else { texts.join(BLOCK_JOINT) };
    let mut short = if report_only { report(&kept) } else { mirrored(&text) };
    if count > 0 {
        put(&mut answer, "omitted", omitted("blocks", count));
        short.push_str(&format!("\n[{count} block(s) did not fit into max_tokens; `leftOut` names them.]"));
    } else if let Some(fields) = answer.as_object_mut() {
        fields.shift_remove("omitted");
    }
    put(&mut answer, "text", text.into());
    put(&mut answer, "blocks", Value::Array(kept));
    put(&mut answer, "leftOut", Value::Array(left_out));
    let short = with_notices(&answer, short);
    Ok((answer, short))
}

/// A line for each block.
fn report(blocks: &[Value]) -> String {
    let line = |block: &Value| {
        let (kind, source) = (text_of(block, "kind"), text_of(block, "source"));
        format!(
            "{kind} {source} {} characters",
            block.get("chars").and_then(Value::as_u64).unwrap_or_default()
        )
    };
    blocks.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `memory_status`.
pub(super) fn status(connection: &Connection) -> Answered {
    let mut glance = connection.agent.glance(&connection.scope)?;
    if connection.scope == Scope::Main {
        glance.notices.extend(connection.notices.iter().cloned());
    }
    let told = StatusForV1::new(
        &connection.whereabouts.agent_id,
        &connection.scope.to_string(),
        &connection.agent.profile().name,
        connection.recalls_by_itself,
        &glance,
    );
    let mut text = format!(
        "{} in scope {}: {} file(s) with {} passage(s) are searched.",
        told.agent, told.scope, told.searched_files, told.passages
    );
    match told.pending {
        Some(0) => text.push_str(" Nothing waits for the owner."),
        Some(count) => text.push_str(&format!(" {count} proposal(s) wait for the owner: `inwit inbox`.")),
        None => {}
    }
    let answer = value(&told);
    let text = with_notices(&answer, text);
    Ok((answer, text))
}

/// `identity`.
pub(super) fn identity(connection: &Connection, said: &Arguments) -> Answered {
    let about = said.text("about").unwrap_or("who_am_i");
    let (told, text) = match about {
        "what_do_i_know" => what_do_i_know(connection, said)?,
        "my_stats" => my_stats(connection)?,
        _ => who_am_i(connection)?,
    };
    Ok((json!({ "about": about, about: told }), text))
}

/// `who_am_i` (N20).
pub(super) fn who_am_i(connection: &Connection) -> Answered {
    let told =
        connection.agent.who_am_i(&connection.scope, connection.session.as_ref(), &connection.whereabouts);
    let text = format!("{} ({})\n{}", told.agent_id, told.identity.line(), told.soul_excerpt);
    let answer = value(&WhoAmIV1::from(&told));
    let text = with_notices(&answer, text);
    Ok((answer, text))
}

/// `what_do_i_know` (N21).
pub(super) fn what_do_i_know(connection: &Connection, said: &Arguments) -> Answered {
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
        text.push_str("Nothing is known for long in this scope.");
    } else if told.truncated {
        text.push_str("There is more; name a section.");
    }
    let answer = value(&KnowledgeV1::from(&told));
    let text = with_notices(&answer, text);
    Ok((answer, text))
}

/// `my_stats` (N22).
pub(super) fn my_stats(connection: &Connection) -> Answered {
    let id = &connection.whereabouts.agent_id;
    let told = connection.agent.my_stats(&connection.scope, id, &mut || counts(connection))?;
    let counted = told.counts.as_ref().map(|counts| {
        format!(
            "{} session(s), {} promoted, {} recall(s) in seven days. ",
            counts.sessions_total, counts.memories_promoted, counts.recall_events_7d
        )
    });
    let files = told.workspace_files_present.join(", ");
    Ok((value(&MyStatsV1::from(&told)), format!("{}Files: {files}", counted.unwrap_or_default())))
}

/// What is counted. A session that was written down counts also where `memory.db` does not know it.
fn counts(connection: &Connection) -> Result<Stats, EngineError> {
    let written = match &connection.logs {
        Some(logs) => logs.count(&Scope::Main)?,
        None => 0,
    };
    let counted = connection.agent.counts()?;
    Ok(Stats { sessions_total: counted.sessions_total.max(written), ..counted })
}
