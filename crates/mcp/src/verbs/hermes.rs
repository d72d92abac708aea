//! Hermes' `memory`: add, replace, remove, with a line that shows how full the file is.

use inwit_engine::Outcome;
use inwit_engine::core::fit::grouped;
use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::notes::revise::{Pick, Revise, Step};
use inwit_wire::tools::Arguments;
use inwit_wire::tools::foreign::HermesKeptV1;
use inwit_wire::{KeptV1, ToolErrorV1};

use super::keep;
use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::hints::value;

pub(super) fn memory(connection: &Connection, said: &Arguments) -> Answered {
    let several = said.objects("operations");
    let asked: Vec<&Arguments> = match (said.text("action"), several.as_slice()) {
        (Some(_), []) => vec![said],
        (None, several @ [_, ..]) => several.iter().collect(),
        _ => {
            let hint = "Pass `action`, or `operations` for several changes.";
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
    let text = format!("{text}\n[{usage}]");
    let answer = HermesKeptV1 {
        success: true,
        done: !matches!(revised.outcome, Some(Outcome::Pending { .. })),
        target: target.to_owned(),
        usage,
        entry_count: revised.entries,
        message: kept.message,
        status: kept.outcome,
        id: kept.proposal.or(kept.receipt),
    };
    Ok((value(&answer), text))
}

fn step(said: &Arguments) -> Result<Step<'_>, ToolErrorV1> {
    let action = said.text("action").unwrap_or_default();
    let needed = |name: &str| {
        said.text(name).ok_or_else(|| {
            usage(
                format!("`{action}` needs `{name}`."),
                "add takes content; replace takes old_text and content; remove takes old_text.",
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
