//! The start of a session: its frozen prefix, and the session row.

use inwit_model::id::uuid_v4;
use inwit_model::profile::Snapshot;
use inwit_model::{AgentId, Code, Scope, SessionId, Taint};
use inwit_store::memory::{Session, SessionStart};

use super::{Start, Team};
use crate::sessions::prompt::{BLOCK_JOINT, Block, Part, Prompt};
use crate::{EngineError, ModelText, Notice, Sessions};

/// A running session.
#[derive(Debug, Clone)]
pub struct Began {
    /// The session row.
    pub session: Session,
    /// Its prefix, unchanged until it ends.
    pub prefix: ModelText,
    /// The text before the user's message, if the profile has one.
    pub user_prefix: ModelText,
    /// The part that is rebuilt each turn.
    pub tail: ModelText,
    /// Whether first-run setup is not finished (W69).
    pub is_bootstrapping: bool,
    /// Waiting proposals; counted in private only.
    pub waiting: Option<usize>,
    /// Notices for the host.
    pub notices: Vec<Notice>,
}

/// Whether a session can start with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It would be new.
    New,
    /// It runs with the same parameters.
    Runs,
}

impl Sessions {
    /// Starts or continues a session of this agent alone; for several agents use [`Team`]. A failure starts nothing.
    /// Errors: `session_ended`; `agent_unknown` if others are named; `session_clash` if it runs in another scope or
    /// with others.
    pub fn session_start(&self, start: &Start) -> Result<Began, EngineError> {
        Team::alone(self).start(start)
    }

    /// The id of a session: the host's, else a random UUID. Its first characters are in the name of a daily log, and
    /// those of a time-based id would repeat within a minute.
    pub(super) fn session_id(&self, start: &Start) -> Result<SessionId, EngineError> {
        let made = || SessionId::parse(&uuid_v4(self.core.entropy.sixteen()));
        let id = start.session.clone().map_or_else(made, Ok);
        id.map_err(|error| EngineError::new(Code::UsageBad, error.to_string()))
    }

    /// Whether the session `id` could start with this agent. Read-only. Errors: `session_ended`, `session_clash`.
    pub(super) fn standing(
        &self,
        id: &SessionId,
        start: &Start,
        team: &[AgentId],
    ) -> Result<Standing, EngineError> {
        let known = match self.core.memory_if_made()? {
            Some(memory) => memory.session(id)?,
            None => None,
        };
        let Some(Session { start: known, ended, .. }) = known else { return Ok(Standing::New) };
        let clash = |message: String| Err(EngineError::new(Code::SessionClash, message));
        // Owner and state of a session are not revealed to other scopes (D3).
        if known.scope != start.scope {
            return clash(format!("the id {id} is used by another session of agent {}.", self.core.id));
        }
        if ended.is_some() {
            let message = format!("Session {id} of agent {} has ended.", self.core.id);
            return Err(EngineError::new(Code::SessionEnded, message));
        }
        // A call that continues a session need not name the others again.
        let is_said = !start.agents.is_empty() || !team.is_empty();
        if is_said && !same_agents(&known.team, team) {
            let with: Vec<&str> = known.team.iter().map(AgentId::as_str).collect();
            let with = if with.is_empty() { "alone".to_owned() } else { format!("with {}", with.join(", ")) };
            return clash(format!("session {id} of agent {} runs {with}.", self.core.id));
        }
        Ok(Standing::Runs)
    }

    /// Starts or continues the session `id` with this agent.
    pub(super) fn begin(
        &self,
        id: &SessionId,
        start: &Start,
        team: &[AgentId],
    ) -> Result<Began, EngineError> {
        let mut prompt = self.prompt(&start.scope)?;
        let session = self.core.memory()?.begin_session(&SessionStart {
            id: id.clone(),
            agent: self.core.id.clone(),
            scope: start.scope.clone(),
            surface: start.surface.clone(),
            room_name: start.room.clone(),
            user_name: start.user.clone(),
            project: start.project.clone(),
            started: self.core.clock.now(),
            team: team.to_vec(),
            taint: speakers(&start.scope).join(prompt.taint),
        })?;
        // Another process may have started it since the check.
        self.standing(id, start, team)?;
        if session.turns > 0 {
            prompt.without_startup_notes();
        }
        let mut began = self.prompted(session, &prompt)?;
        if matches!(start.scope, Scope::Main | Scope::Scheduled) {
            let pruned = self.prune_journals().unwrap_or_else(|error| vec![not_pruned(&error)]);
            began.notices.splice(0..0, pruned);
        }
        Ok(began)
    }

    /// A session's prompt for its next turn: the stored prefix and a current tail. Errors: `session_unknown`,
    /// `session_ended`.
    pub fn session_prompt(&self, id: &SessionId) -> Result<Began, EngineError> {
        let session = self.running_session(id)?;
        let mut prompt = self.prompt(&session.start.scope)?;
        if session.turns > 0 {
            prompt.without_startup_notes();
        }
        self.prompted(session, &prompt)
    }

    /// The same for a turn with `question`: results that are not in the prompt come last, and are recorded for dreams
    /// (R24). Errors: as [`session_prompt`](Self::session_prompt), and `query_bad`.
    pub fn session_prompt_for(&self, id: &SessionId, question: &str) -> Result<Began, EngineError> {
        let mut began = self.session_prompt(id)?;
        let scope = began.session.start.scope.clone();
        let recalled =
            self.recalled_for(&scope, question, &[&began.prefix, &began.user_prefix, &began.tail])?;
        let Some((part, text)) = recalled.text() else {
            began.notices.extend(recalled.notices());
            return Ok(began);
        };
        let place = if part == Part::UserPrefix { &mut began.user_prefix } else { &mut began.tail };
        *place =
            if place.is_empty() { text.clone() } else { ModelText::joined(&[&*place, text], BLOCK_JOINT) };
        began.session = self.core.memory()?.join_taint(id, recalled.taint())?;
        if let Err(error) = self.note_recalled(&scope, question, &recalled) {
            let message = format!("Recalled passages were not recorded for dreams: {}", error.message);
            began.notices.push(Notice::new("recall_not_noted", message, error.code));
        }
        began.notices.extend(recalled.notices());
        Ok(began)
    }

    fn prompted(&self, session: Session, prompt: &Prompt) -> Result<Began, EngineError> {
        let fresh = prompt.text(Part::Prefix);
        let (prefix, is_fresh) = match self.core.profile.snapshot {
            Snapshot::Live => (fresh, true),
            Snapshot::Frozen => {
                let kept = self.core.memory()?.freeze(&session.start.id, fresh.as_bytes())?;
                if kept == fresh.as_bytes() {
                    (fresh, true)
                } else {
                    // A row of memory.db, which another program or a restored copy may have changed.
                    let names: Vec<_> =
                        prompt.blocks.iter().filter_map(|block| block.source.as_ref()).collect();
                    (self.core.masked_kept(&names, &fresh, &String::from_utf8_lossy(&kept)), false)
                }
            }
        };
        // What is shown now affects the session's taint from now on; a frozen prefix did before.
        let is_new = |block: &Block| block.part == Part::UserPrefix || block.is_startup_note();
        let is_shown = is_fresh || prompt.blocks.iter().any(is_new);
        let session =
            if is_shown { self.core.memory()?.join_taint(&session.start.id, prompt.taint)? } else { session };
        let mut tail = prompt.text(Part::Tail);
        let mut notices = prompt.notices.clone();
        if session.start.scope == Scope::Main {
            let (told, watched) = self.soul_notice()?;
            notices.extend(watched);
            if let Some(told) = told {
                tail = ModelText::joined(&[tail, told], BLOCK_JOINT);
            }
        }
        let is_private = session.start.scope == Scope::Main;
        Ok(Began {
            prefix,
            user_prefix: prompt.text(Part::UserPrefix),
            tail,
            is_bootstrapping: is_private && self.notes.pending_bootstrap()?.is_some(),
            waiting: is_private.then(|| self.notes.inbox_count()).transpose()?,
            notices,
            session,
        })
    }

    /// A running session. Errors: `session_unknown`, `session_ended`.
    pub(super) fn running_session(&self, id: &SessionId) -> Result<Session, EngineError> {
        let found = match self.core.memory_if_made()? {
            Some(memory) => memory.session(id)?,
            None => None,
        };
        let session = found
            .ok_or_else(|| EngineError::new(Code::SessionUnknown, format!("There is no session `{id}`.")))?;
        if session.ended.is_some() {
            return Err(EngineError::new(Code::SessionEnded, format!("Session {id} has ended.")));
        }
        Ok(session)
    }

    /// The scope of a session, also of one that has ended. Error: `session_unknown`.
    pub fn session_scope(&self, id: &SessionId) -> Result<Scope, EngineError> {
        let found = self.core.memory_if_made()?.map(|memory| memory.session(id)).transpose()?.flatten();
        let unknown = || EngineError::new(Code::SessionUnknown, format!("There is no session `{id}`."));
        Ok(found.ok_or_else(unknown)?.start.scope)
    }

    /// The taint of text outside a turn: what was read before is unknown, so that of a tool, or worse (D9). Errors:
    /// `session_unknown`, `session_ended`.
    pub fn session_taint(&self, session: Option<&SessionId>) -> Result<Taint, EngineError> {
        match session {
            None => Ok(Taint::Tool),
            Some(id) => Ok(self.running_session(id)?.start.taint.join(Taint::Tool)),
        }
    }
}

fn same_agents(left: &[AgentId], right: &[AgentId]) -> bool {
    let all = |agents: &[AgentId]| agents.iter().cloned().collect::<std::collections::BTreeSet<_>>();
    all(left) == all(right)
}

fn not_pruned(error: &EngineError) -> Notice {
    let message = format!("Old daily logs were not checked: {}", error.message);
    Notice::new("journal_not_pruned", message, error.code)
}

/// The taint of a session before its first turn.
fn speakers(scope: &Scope) -> Taint {
    match scope {
        Scope::Main => Taint::Owner,
        Scope::Scheduled => Taint::Agent,
        Scope::Room(_) | Scope::Shared => Taint::Member,
        Scope::Subagent => Taint::Tool,
    }
}
