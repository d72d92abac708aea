//! Daily logs by hand: adding a note, and listing the logs of a day.

use inwit_model::{Actor, Code, Layout, ProjectName, SafeName, Scope};
use inwit_workspace::ScopedReader as _;

use crate::notes::journal::entry::ENTRY_TEXT_CHARS_MAX;
use crate::notes::journal::{self, Head, JournalEntry};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Excerpt, Lines, Sessions};

impl Sessions {
    /// Adds an entry to today's log in `scope`, and in a session if given. Errors: as [`write`](crate::Notes::write),
    /// `usage_bad` for an empty or too long text.
    pub fn journal_add(
        &self,
        text: &str,
        scope: &Scope,
        behalf: &WriteContext,
    ) -> Result<Outcome, EngineError> {
        whole(text)?;
        let known = match &behalf.session {
            Some(id) => Some(self.running_session(id)?),
            None => None,
        };
        let scope = known.as_ref().map_or(scope, |session| &session.start.scope);
        let id = behalf.session.as_ref().map_or("manual", |id| id.as_str());
        let layout = match (&behalf.session, self.core.profile.journal_layout) {
            // Without a session it goes into the day's file.
            (None, Layout::PerSession) => Layout::PerDay,
            (_, layout) => layout,
        };
        let names = journal::targets(layout, self.core.today(), id, scope);
        let room = match scope {
            Scope::Room(room) => Some(room.as_str()),
            _ => None,
        };
        let agent = self.speaking_name(scope);
        let agents: &[&str] = if behalf.author.actor() == Actor::Owner { &[] } else { &[&agent] };
        let of_session = known.as_ref().and_then(|session| session.start.project.as_ref());
        let project = of_session.or(behalf.project.as_ref()).map(ProjectName::as_str);
        let entry =
            JournalEntry { at: self.core.clock.now(), room, project, user: None, agents, turns: None, text };
        let named = known.as_ref().filter(|_| layout == Layout::PerSession);
        let head = Head {
            day: self.core.today(),
            session: named.map(|session| session.start.id.as_str()),
            surface: named.map(|session| session.start.surface.as_str()),
        };
        let done =
            self.append_to_own(&names, id, &head, &entry, &behalf.within(scope))?.ok_or_else(nowhere)?;
        Ok(match done {
            // A finding is about the whole log, of which a subagent or a scheduled run sees nothing (D3).
            Outcome::Applied { receipt, .. } if self.core.view(scope).read(&receipt.name).is_err() => {
                Outcome::Applied { receipt, findings: Vec::new() }
            }
            done => done,
        })
    }

    /// The logs of one day that `scope` may read, in reading order.
    pub fn journals_of(&self, scope: &Scope, day: jiff::civil::Date) -> Result<Vec<Excerpt>, EngineError> {
        let view = self.core.view(scope);
        let listing = inwit_workspace::ScopedReader::list(&view)?;
        let of_day = |name: &&SafeName| {
            let place = inwit_model::Place::of(name);
            let is_room = matches!(&place, Some(inwit_model::Place::RoomMemory { .. }));
            place.and_then(|place| place.date()) == Some(day) && is_room == matches!(scope, Scope::Room(_))
        };
        let mut names: Vec<&SafeName> =
            listing.entries.iter().map(|entry| &entry.name).filter(of_day).collect();
        names.sort_by(|left, right| inwit_store::reading_order(left, right));
        names.into_iter().map(|name| self.notes.get(scope, name.as_str(), Lines::default())).collect()
    }
}

/// Refuses a text that an entry would cut: its writer can shorten it.
pub(super) fn whole(text: &str) -> Result<(), EngineError> {
    let chars = text.chars().count();
    if chars <= ENTRY_TEXT_CHARS_MAX {
        return Ok(());
    }
    let message = format!(
        "The text has {chars} characters; one entry of a daily log has at most {ENTRY_TEXT_CHARS_MAX}. Write \
         several entries, or put it into a file of its own."
    );
    Err(EngineError::new(Code::UsageBad, message))
}

/// The error for a log that no one could read.
pub(super) fn nowhere() -> EngineError {
    EngineError::new(Code::Refused, "A conversation with strangers has no daily log.")
}
