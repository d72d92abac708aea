//! Storing, correcting and removing: through the gate, with taint `tool` (D2, D9).
//!
//! Changes by an agent usually wait for the owner; the answer reports this and names the proposal. Invariant: every
//! change goes through an engine operation that uses the gate (notes, journal, facts), and none counts as the owner's
//! statement.

use inwit_engine::Outcome;
use inwit_engine::facts::NewFact;
use inwit_engine::notes::remember::{Entry, SECTION_DEFAULT};
use inwit_engine::notes::revise::{Pick, Revise, Revised, Step};
use inwit_model::Sha256;
use inwit_wire::tools::Arguments;
use inwit_wire::{KeptV1, NoticeV1, ToolErrorV1};

use super::{minara, with_notices};
use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::hints::value;

/// The result and its short text.
pub(super) type WriteAnswer = Result<(KeptV1, String), ToolErrorV1>;

/// The result in inwit's own format.
pub(super) fn shown(kept: WriteAnswer) -> Answered {
    kept.map(|(kept, text)| (value(&kept), text))
}

/// `memory_remember`.
pub(super) fn remember(connection: &Connection, said: &Arguments) -> Answered {
    let text = said.text("text").unwrap_or_default();
    if said.text("kind") == Some("journal") {
        if let Some(name) = ["path", "section"].into_iter().find(|name| said.text(name).is_some()) {
            let message =
                format!("`{name}` is valid only with kind memory; kind journal always writes today's log.");
            return Err(usage(message, "Omit it, or use kind memory."));
        }
        return shown(journal(connection, text, said.text("reason")));
    }
    if said.text("category").is_some() && said.text("kind") != Some("fact") {
        return Err(usage("`category` is valid only with kind fact.", "Omit it, or use kind fact."));
    }
    if said.text("kind") == Some("fact") {
        if let Some(name) = ["path", "section"].into_iter().find(|name| said.text(name).is_some()) {
            let message = format!("`{name}` is valid only with kind memory; a fact is not in a file.");
            return Err(usage(message, "Omit it, or use kind memory."));
        }
        let fact = NewFact { text, category: said.text("category"), ..NewFact::default() };
        return shown(told(connection, KeptV1::from(&minara::add(connection, &fact, said.text("reason"))?)));
    }
    let section = said.text("section").unwrap_or(SECTION_DEFAULT);
    shown(into_memory(connection, said.text("path"), &Entry { text, section }, said.text("reason")))
}

/// Adds an entry to today's log of the connection's scope.
pub(super) fn journal(connection: &Connection, text: &str, reason: Option<&str>) -> WriteAnswer {
    let behalf = connection.behalf(reason);
    kept(connection, &connection.agent.sessions.journal_add(text, &connection.scope, &behalf)?)
}

/// Adds an entry to the memory file of the connection's scope.
pub(super) fn into_memory(
    connection: &Connection,
    path: Option<&str>,
    entry: &Entry<'_>,
    reason: Option<&str>,
) -> WriteAnswer {
    let is_usual_place = path.is_none() && entry.section == SECTION_DEFAULT;
    let behalf =
        if is_usual_place { connection.behalf_of(entry.text, reason) } else { connection.behalf(reason) };
    kept(connection, &connection.agent.notes.remember_in(&connection.scope, path, entry, &behalf)?)
}

fn kept(connection: &Connection, outcome: &Outcome) -> WriteAnswer {
    told(connection, KeptV1::from(outcome))
}

/// `memory_update`.
pub(super) fn update(connection: &Connection, said: &Arguments) -> Answered {
    let step = Step::Replace {
        pick: Pick::Words(said.text("old_text").unwrap_or_default()),
        with: said.text("text").unwrap_or_default(),
    };
    changed(connection, said, &[step], false)
}

/// `memory_forget`.
pub(super) fn forget(connection: &Connection, said: &Arguments) -> Answered {
    let dry_run = said.flag("dry_run");
    if !dry_run && said.text("expected_sha256").is_none() {
        let message = "`memory_forget` with `dry_run: false` needs `expected_sha256`.";
        return Err(usage(message, "A dry run shows the entry and the sha256."));
    }
    let step = Step::Remove { pick: Pick::Words(said.text("old_text").unwrap_or_default()) };
    changed(connection, said, &[step], dry_run)
}

fn changed(connection: &Connection, said: &Arguments, steps: &[Step<'_>], dry_run: bool) -> Answered {
    let ask = Revise {
        file: said.text("path").unwrap_or_default(),
        steps,
        expected: said.text("expected_sha256").map(hash).transpose()?,
        dry_run,
    };
    let revised = revise(connection, &ask, said.text("reason"))?;
    shown(told(connection, KeptV1::from(&revised)))
}

/// Changes entries of a file.
pub(super) fn revise(
    connection: &Connection,
    ask: &Revise<'_>,
    reason: Option<&str>,
) -> Result<Revised, ToolErrorV1> {
    let behalf = if ask.dry_run { connection.behalf_in_passing(reason) } else { connection.behalf(reason) };
    Ok(connection.agent.notes.revise(&connection.scope, ask, &behalf)?)
}

fn hash(text: &str) -> Result<Sha256, ToolErrorV1> {
    Sha256::parse(&text.to_lowercase()).ok_or_else(|| {
        usage("`expected_sha256` is not a SHA-256.", "It has 64 hexadecimal digits. Take it from memory_get.")
    })
}

/// The answer, after the work that follows a write.
pub(super) fn told(connection: &Connection, mut kept: KeptV1) -> WriteAnswer {
    // For a file with masked parts, a model gets the hash of the masked text.
    kept.sha256 = kept
        .sha256
        .and_then(|_| connection.agent.notes.hash_masked(&connection.scope, &kept.path))
        .map(|hash| hash.to_string());
    let mut text = kept.message.clone();
    kept.entries.iter().for_each(|entry| text.push_str(&format!("\nline {}: {}", entry.line, entry.text)));
    if matches!(kept.outcome, "applied" | "pending") {
        kept.notices = after_write(connection);
    }
    let text = with_notices(&kept.notices, text);
    Ok((kept, text))
}

/// Runs the work that follows a write. Failures are shown to the owner only.
pub(super) fn after_write(connection: &Connection) -> Vec<NoticeV1> {
    let notices = (connection.after_write)();
    if connection.scope.is_shared() {
        return Vec::new();
    }
    super::told(&notices)
}
