//! Hermes' `memory`: add, replace, remove, with the line that says how full the file is.

use inwit_engine::Outcome;
use inwit_engine::core::fit::grouped;
use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::notes::revise::{Pick, Revise, Revised, Step};
use inwit_wire::tools::Arguments;
use inwit_wire::{KeptV1, ToolErrorV1};
use serde_json::{Value, json};

use super::{keep, put, text_of};
use crate::call::{Answered, usage};
use crate::connection::Connection;

pub(super) fn memory(connection: &Connection, said: &Arguments) -> Answered {
    let several = said.objects("operations");
    let asked: Vec<&Arguments> = match (said.text("action"), several.as_slice()) {
        (Some(_), []) => vec![said],
        (None, several @ [_, ..]) => several.iter().collect(),
        _ => {
            let hint = "Give `action`, or `operations` for several at once.";
            return Err(usage("`memory` needs either `action` or `operations`.", hint));
        }
    };
    let steps = asked.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
    let target = said.text("target").unwrap_or("memory");
    let file = match target {
        "user" => "USER.md".to_owned(),
        _ => connection.agent.notes.page_of(&connection.scope)?.to_string(),
    };
    let ask = Revise { file: &file, steps: &steps, expected: None, dry_run: false };
    let revised = keep::revise(connection, &ask, None)?;
    let usage = usage_line(revised.chars, connection.agent.core.profile().max_file_chars);
    let (kept, text) = keep::told(connection, KeptV1::from(&revised))?;
    Ok((answered(&kept, &revised, target, &usage), format!("{text}\n[{usage}]")))
}

fn step(said: &Arguments) -> Result<Step<'_>, ToolErrorV1> {
    let action = said.text("action").unwrap_or_default();
    let needed = |name: &str| {
        said.text(name).ok_or_else(|| {
            usage(
                format!("`{action}` needs `{name}`."),
                "add takes content, replace old_text and content, remove old_text.",
            )
        })
    };
    Ok(match action {
        "add" => Step::Add(Entry { text: needed("content")?, section: SECTION_DEFAULT }),
        "replace" => Step::Replace { pick: Pick::Words(needed("old_text")?), with: needed("content")? },
        _ => Step::Remove { pick: Pick::Words(needed("old_text")?) },
    })
}

/// `67% — 1,474/2,200 chars`.
fn usage_line(chars: usize, most: usize) -> String {
    format!("{}% — {}/{} chars", chars * 100 / most.max(1), with_commas(chars), with_commas(most))
}

fn with_commas(number: usize) -> String {
    grouped(number).replace(|c: char| !c.is_ascii_digit(), ",")
}

fn answered(kept: &Value, revised: &Revised, target: &str, usage: &str) -> Value {
    let pending = matches!(revised.outcome, Some(Outcome::Pending { .. }));
    let mut answer = json!({
        "success": true,
        "done": !pending,
        "target": target,
        "usage": usage,
        "entry_count": revised.entries,
        "message": text_of(kept, "message"),
        "status": text_of(kept, "outcome"),
    });
    if let Some(id) = ["proposal", "receipt"].into_iter().find_map(|key| kept.get(key)) {
        put(&mut answer, "id", id.clone());
    }
    answer
}
