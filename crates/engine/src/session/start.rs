//! The beginning of a session: its prefix, frozen, and what stands behind it.

use inwit_model::profile::Snapshot;
use inwit_model::{AgentId, Code, FileKind, Scope, SessionId, Taint};
use inwit_store::memory::{Session, SessionStart};

use super::Start;
use crate::prompt::{Part, Prompt};
use crate::{Agent, EngineError, Notice};

/// A session that runs.
#[derive(Debug, Clone)]
pub struct Began {
    /// The session as it is kept.
    pub session: Session,
    /// Its prefix: the same bytes until it ends.
    pub prefix: String,
    /// What goes before the user's message, where the profile has that.
    pub user_prefix: String,
    /// What is rebuilt each turn.
    pub tail: String,
    /// Whether the first conversation is still to be had (W69).
    pub is_bootstrapping: bool,
    /// Proposals that wait for a person; counted in private only.
    pub waiting: Option<usize>,
    /// What the host should know.
    pub notices: Vec<Notice>,
}

impl Agent {
    /// Begins a session, or goes on with one that runs. Errors: `session_ended`; `session_clash` for a
    /// session that was begun in another scope.
    pub fn session_start(&self, start: &Start) -> Result<Began, EngineError> {
        let now = self.clock.now();
        // Chance first: the beginning of the id stands in the name of a daily log (W28), and ids that begin
        // with the time would share it for a minute.
        let made = || {
            let digits: String = self.entropy.ten().iter().map(|byte| format!("{byte:02x}")).collect();
            SessionId::parse(&digits)
        };
        let id = start.session.clone().map_or_else(made, Ok);
        let id = id.map_err(|error| EngineError::new(Code::UsageBad, error.to_string()))?;
        let prompt = self.prompt(&start.scope)?;
        let session = self.memory()?.begin_session(&SessionStart {
            id: id.clone(),
            agent: self.id.clone(),
            scope: start.scope.clone(),
            surface: start.surface.clone(),
            room_name: start.room.clone(),
            user_name: start.user.clone(),
            started: now,
            taint: speakers(&start.scope).join(prompt.taint),
        })?;
        if session.start.scope != start.scope {
            let message = format!("session {id} was begun in scope {}.", session.start.scope);
            return Err(EngineError::new(Code::SessionClash, message));
        }
        let is_owners = matches!(start.scope, Scope::Main | Scope::Scheduled);
        let mut notices = if is_owners { self.prune_journals()? } else { Vec::new() };
        let mut began = self.prompted(session, &prompt)?;
        notices.append(&mut began.notices);
        began.notices = notices;
        Ok(began)
    }

    /// A session's prompt as its next turn should have it: the prefix it has, and a tail of now. Errors:
    /// `session_unknown`, `session_ended`.
    pub fn session_prompt(&self, id: &SessionId) -> Result<Began, EngineError> {
        let session = self.running_session(id)?;
        let prompt = self.prompt(&session.start.scope)?;
        self.prompted(session, &prompt)
    }

    fn prompted(&self, session: Session, prompt: &Prompt) -> Result<Began, EngineError> {
        let fresh = prompt.text(Part::Prefix);
        let (prefix, is_fresh) = match self.profile.snapshot {
            Snapshot::Live => (fresh, true),
            Snapshot::Frozen => {
                let kept = self.memory()?.freeze(&session.start.id, fresh.as_bytes())?;
                let is_fresh = kept == fresh.as_bytes();
                (String::from_utf8_lossy(&kept).into_owned(), is_fresh)
            }
        };
        // What is shown now decides how far the session is trusted from now on; a frozen prefix did before.
        let is_shown = is_fresh || !prompt.text(Part::UserPrefix).is_empty();
        let session =
            if is_shown { self.memory()?.join_taint(&session.start.id, prompt.taint)? } else { session };
        let mut tail = prompt.text(Part::Tail);
        let mut notices = prompt.notices.clone();
        if session.start.scope == Scope::Main {
            let (told, watched) = self.soul_notice()?;
            notices.extend(watched);
            if let Some(told) = told {
                tail = format!("{tail}\n\n{told}");
            }
        }
        let is_private = session.start.scope == Scope::Main;
        Ok(Began {
            prefix,
            user_prefix: prompt.text(Part::UserPrefix),
            tail,
            is_bootstrapping: is_private && self.known(FileKind::Bootstrap)?.is_some(),
            waiting: is_private.then(|| self.inbox_count()).transpose()?,
            notices,
            session,
        })
    }

    /// A session that runs. Errors: `session_unknown`, `session_ended`.
    pub(super) fn running_session(&self, id: &SessionId) -> Result<Session, EngineError> {
        let found = match self.memory_if_made()? {
            Some(memory) => memory.session(id)?,
            None => None,
        };
        let session = found
            .ok_or_else(|| EngineError::new(Code::SessionUnknown, format!("There is no session {id}.")))?;
        if session.ended.is_some() {
            return Err(EngineError::new(Code::SessionEnded, format!("Session {id} has ended.")));
        }
        Ok(session)
    }

    /// Whether a running session of this name is held with this agent.
    pub fn is_in_session(&self, id: &SessionId) -> bool {
        self.running_session(id).is_ok()
    }

    /// How far words are trusted that come outside a turn: nobody knows what was read before them, so as a
    /// tool's, or less (D9). Errors: `session_unknown`, `session_ended`.
    pub fn session_taint(&self, session: Option<&SessionId>) -> Result<Taint, EngineError> {
        match session {
            None => Ok(Taint::Tool),
            Some(id) => Ok(self.running_session(id)?.start.taint.join(Taint::Tool)),
        }
    }

    /// The agent's id.
    pub fn id(&self) -> &AgentId {
        &self.id
    }
}

/// From whom the words of a session come before anything was said in it.
fn speakers(scope: &Scope) -> Taint {
    match scope {
        Scope::Main => Taint::Owner,
        Scope::Scheduled => Taint::Agent,
        Scope::Room(_) | Scope::Shared => Taint::Member,
        Scope::Subagent => Taint::Tool,
    }
}
