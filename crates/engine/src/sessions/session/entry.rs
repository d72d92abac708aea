//! Appends one entry to a daily log.
//!
//! A tainted entry is marked by its hash before it is written, so that later prefixes fence it (D9). Names come from
//! outside and are cleaned, so that any name can be logged. Invariant: turns are logged once, also after a crash and
//! retry, and a session's log has no turns of other sessions (W28).

use std::cell::Cell;
use std::sync::Arc;

use inwit_model::{Actor, Code, Op, SafeName, Taint};
use inwit_store::memory::Mark;

use crate::core::project::clean;
use crate::notes::journal::{self, Head, JournalEntry};
use crate::notes::trust;
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Sessions};

impl Sessions {
    /// Appends to the first of `names` that does not belong to another session; the last one always accepts it.
    pub(in crate::sessions) fn append_to_own(
        &self,
        names: &[SafeName],
        session: &str,
        head: &Head<'_>,
        entry: &JournalEntry<'_>,
        behalf: &WriteContext,
    ) -> Result<Option<Outcome>, EngineError> {
        let Some((last, before)) = names.split_last() else { return Ok(None) };
        for name in before {
            let is_anothers = Cell::new(false);
            let outcome = self.append(name, head, entry, behalf, &|current| {
                is_anothers.set(journal::is_anothers(current, session));
                is_anothers.get()
            })?;
            if !is_anothers.get() {
                return Ok(Some(outcome));
            }
        }
        self.append(last, head, entry, behalf, &|_| false).map(Some)
    }

    /// Appends one entry to a daily log, marked if tainted. A log in a state to be `avoided` is skipped. Error:
    /// `stale` if it has some of the turns, but not all.
    pub(super) fn append(
        &self,
        name: &SafeName,
        head: &Head<'_>,
        entry: &JournalEntry<'_>,
        behalf: &WriteContext,
        avoided: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Outcome, EngineError> {
        let taint = behalf.taint.unwrap_or(match behalf.author.actor() {
            Actor::Owner => Taint::Owner,
            _ => Taint::Tool,
        });
        let behalf = WriteContext { marked: taint.is_tainted(), ..behalf.clone() };
        let cleaned = |name: Option<&str>| name.map(clean);
        let (room, user) = (cleaned(entry.room), cleaned(entry.user));
        let project = cleaned(entry.project);
        let agents: Vec<String> = entry.agents.iter().map(|name| clean(name)).collect();
        let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
        let (session, surface) = (cleaned(head.session), cleaned(head.surface));
        let head = &Head { day: head.day, session: session.as_deref(), surface: surface.as_deref() };
        let entry = &JournalEntry {
            room: room.as_deref(),
            project: project.as_deref(),
            user: user.as_deref(),
            agents: &agents,
            ..entry.clone()
        };
        self.notes.amend(name, &behalf, &|current| {
            let standing = current.unwrap_or_default();
            if let Some(turns) = &entry.turns {
                let told = journal::told_until(standing, &turns.session);
                if told >= *turns.range.end() {
                    return Ok(None);
                }
                if told >= *turns.range.start() {
                    let message = format!("`{name}` already contains turn {told}.");
                    return Err(EngineError::new(Code::Stale, message));
                }
            }
            if avoided(standing) {
                return Ok(None);
            }
            let tail = journal::tail(current, head, entry).map_err(|error| {
                EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"))
            })?;
            if taint.is_tainted() {
                self.mark(standing, &tail, taint, &behalf)?;
            }
            Ok(Some(Op::Append(Arc::from(tail))))
        })
    }

    /// Marks the entry in `tail` as tainted.
    fn mark(
        &self,
        before: &[u8],
        tail: &[u8],
        taint: Taint,
        behalf: &WriteContext,
    ) -> Result<(), EngineError> {
        let whole = [before, tail].concat();
        let Some(last) = journal::entries(&whole).pop() else { return Ok(()) };
        let words = String::from_utf8_lossy(&whole[last.span]);
        let (session, at) = (&behalf.session, self.core.clock.now());
        let mark = |entry| Mark { entry, taint, session: session.clone(), project: None, at };
        let marks: Vec<Mark> = trust::hashes(&words).map(mark).collect();
        Ok(self.core.memory()?.mark_ahead(&marks)?)
    }
}
