//! nexo's `memory`: remember, recall, forget, over list items of files.
//!
//! An entry is identified by its file and a prefix of its hash, so an id is valid while the entry is unchanged. Tags
//! are at the end of an entry, as `#bread`.

use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::notes::revise::{ENTRY_DIGITS_MIN, Pick, Revise, Step};
use inwit_engine::{Bounds, EngineError, Hit, ModelText, Search};
use inwit_model::{Code, Taint};
use inwit_wire::tools::Arguments;
use inwit_wire::tools::foreign::{NexoEntryV1, NexoKeptV1, NexoRecalledV1};
use inwit_wire::{KeptV1, TextV1, ToolErrorV1};

use super::look::whose;
use super::{keep, within};
use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::hints::value;

/// Digits of an entry's hash in its id.
const ID_DIGITS: usize = 12;

pub(super) fn memory(connection: &Connection, said: &Arguments) -> Answered {
    match said.text("action") {
        Some("remember") => remember(connection, said),
        Some("recall") => recall(connection, said),
        _ => forget(connection, said),
    }
}

fn remember(connection: &Connection, said: &Arguments) -> Answered {
    let content = needed(said, "remember", "content")?;
    let tags = said.texts("tags").unwrap_or_default().into_iter().filter_map(tag);
    let text = std::iter::once(content.to_owned()).chain(tags).collect::<Vec<_>>().join(" ");
    let entry = Entry { text: &text, section: SECTION_DEFAULT };
    let (kept, text) = keep::into_memory(connection, None, &entry, None)?;
    Ok((value(&NexoKeptV1::from(kept)), text))
}

fn recall(connection: &Connection, said: &Arguments) -> Answered {
    let asked = Search {
        query: needed(said, "recall", "query")?,
        scope: &connection.scope,
        limit: said.size("limit").unwrap_or(1),
        budget_chars: None,
        bounds: Bounds::default(),
    };
    let found = connection.agent.notes.search(&asked)?;
    // Results without a close match are not returned as memories.
    let hits = if found.nothing_near { &[] } else { found.hits.as_slice() };
    let results: Vec<NexoEntryV1> = hits.iter().map(result).collect();
    let line = |result: &NexoEntryV1| {
        let words = within(&result.content, result.taint);
        format!("[{}]{} {words}", result.id, whose(result.taint))
    };
    let lines: Vec<String> = results.iter().map(line).collect();
    let text = if lines.is_empty() { "No matching memory.".to_owned() } else { lines.join("\n") };
    Ok((value(&NexoRecalledV1 { ok: true, results }), text))
}

fn forget(connection: &Connection, said: &Arguments) -> Answered {
    let id = needed(said, "forget", "id")?;
    let named = id.rsplit_once('#').filter(|(_, digits)| {
        digits.len() >= ENTRY_DIGITS_MIN && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    let Some((file, digits)) = named else {
        let shown = inwit_model::name::shown(id);
        let message =
            format!("`{shown}` is not the id of an entry. Only the owner can withdraw a pending proposal.");
        return Err(EngineError::new(Code::EntryMissing, message).into());
    };
    let steps = [Step::Remove { pick: Pick::Hash(digits) }];
    let ask = Revise { file, steps: &steps, expected: None, dry_run: false };
    let revised = keep::revise(connection, &ask, None)?;
    let (kept, text) = keep::told(connection, KeptV1::from(&revised))?;
    Ok((value(&NexoKeptV1::from(kept)), text))
}

fn needed<'a>(said: &'a Arguments, action: &str, name: &str) -> Result<&'a str, ToolErrorV1> {
    said.text(name).ok_or_else(|| {
        usage(
            format!("`{action}` needs `{name}`."),
            "remember takes content, recall takes query, forget takes id.",
        )
    })
}

fn result(hit: &Hit) -> NexoEntryV1 {
    let tags: Vec<&str> =
        hit.text.split_whitespace().rev().map_while(|word| word.strip_prefix('#')).collect();
    NexoEntryV1 {
        id: format!("{}#{}", hit.name, hit.known_by.short(ID_DIGITS)),
        content: TextV1::from(&hit.text),
        tags: tags.into_iter().rev().map(|tag| ModelText::made_of(&[&hit.text], tag).into()).collect(),
        taint: hit.taint.map(Taint::word),
    }
}

/// A tag as written in an entry.
fn tag(word: &str) -> Option<String> {
    let plain: String = word
        .trim()
        .trim_start_matches('#')
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' })
        .collect();
    let plain = plain.trim_matches('-');
    (!plain.is_empty()).then(|| format!("#{plain}"))
}
