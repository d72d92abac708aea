//! HEARTBEAT.md at the end of a turn: the memo for the next session.
//!
//! In private only. A tainted loop is marked like a log entry. Invariant: the schedule is unchanged byte for byte;
//! the gate checks that too (W33).

use std::sync::Arc;

use inwit_gate::{Author, hidden, secrets};
use inwit_model::{FileKind, Op, Scope, Sha256};
use inwit_store::memory::{Mark, Session};
use jiff::Timestamp;

use super::turn::words_of;
use crate::core::parse_name;
use crate::notes::heartbeat::{self, State};
use crate::notes::trust;
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Sessions};

impl Sessions {
    /// Rewrites the generated sections, if the profile keeps a heartbeat; loops come from this agent's own `reply`.
    pub(super) fn beat(
        &self,
        session: &Session,
        reply: &str,
        now: Timestamp,
    ) -> Result<Option<Outcome>, EngineError> {
        if !self.core.profile.heartbeat || session.start.scope != Scope::Main {
            return Ok(None);
        }
        let name = parse_name(FileKind::Heartbeat.spec().path)?;
        let taint = words_of(session);
        let state = State {
            last_seen: now,
            session_id: session.start.id.as_str(),
            surface: &session.start.surface,
            turn_count: u32::try_from(session.turns).unwrap_or(u32::MAX),
        };
        let reply = hidden::reveal(&secrets::redact_for_model(reply)).into_owned();
        let found = heartbeat::loops_in(&reply);
        let behalf = WriteContext {
            taint: Some(taint),
            session: Some(session.start.id.clone()),
            ..WriteContext::of(Author::ENGINE)
        };
        let outcome = self.notes.amend(&name, &behalf, &|current| {
            let known = heartbeat::open_loops(current.unwrap_or_default());
            let held = if taint.is_tainted() { self.vouched_loops(&known) } else { Vec::new() };
            let (loops, _closed) = heartbeat::merged(&known, &found, &held);
            let bytes = heartbeat::rewrite(current, &state, &loops)
                .map_err(|error| EngineError::new(inwit_model::Code::Refused, error.to_string()))?;
            if taint.is_tainted() {
                // In the form that is read later: a mark of other bytes would not match.
                let new = heartbeat::noted(&bytes).into_iter().filter(|noted| !known.contains(&noted.words));
                let mark = |noted: heartbeat::loops::Noted| Mark {
                    entry: Sha256::of(noted.words.as_bytes()),
                    taint,
                    session: behalf.session.clone(),
                    project: None,
                    at: now,
                };
                self.core.memory()?.mark_ahead(&new.map(mark).collect::<Vec<_>>())?;
            }
            Ok((current != Some(&*bytes)).then(|| Op::Put(Arc::from(bytes))))
        })?;
        Ok(Some(outcome))
    }

    /// Those of the loops that only the owner and their agent noted.
    fn vouched_loops(&self, known: &[String]) -> Vec<String> {
        let marks = self.notes.marks();
        let taint = |words: &String| marks(&mut trust::hash_of(words));
        known.iter().filter(|words| !taint(words).is_some_and(|taint| taint.is_tainted())).cloned().collect()
    }
}
