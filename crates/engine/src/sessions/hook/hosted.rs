//! Maps a host's session to ours: found by the host's id, started on first use.
//!
//! A host may resume an ended session with the same id; ours has ended, so a new one follows, with a derived id.
//! Invariant: a turn is stored in a running session, and every session of a host has the taint of a tool from its
//! first turn (D9).

use std::collections::HashMap;

use inwit_model::{Code, ModelName, Scope, SessionId, Sha256, Taint, TurnKey};
use inwit_store::memory::{Session, SessionStart};

use super::fence::{Public, public};
use super::pack::{Pack, Packed};
use crate::core::project::ProjectFolder;
use crate::core::spool::{CaughtUp, HeardPrompt, HeldTurn};
use crate::notes::journal;
use crate::notes::write::Outcome;
use crate::sessions::session::{Ended, Turned};
use crate::{EngineError, Notice, Sessions};

/// The interface name of such sessions.
pub const SURFACE: &str = "hook";

/// How often a host may resume one session.
pub const RESUMED_MAX: u32 = 1_000;

/// Hex digits of a turn key.
const KEY_DIGITS: usize = 32;

/// Most latest sessions that order entries of one minute.
const ORDERED_MAX: usize = 200;

/// Most open sessions that a start checks for unwritten turns, newest first.
const LEFT_MAX: usize = 50;

/// One turn of a host, as received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// The person's message.
    pub user: String,
    /// The texts that they typed first and during the agent's work, if several: a hook reports each or the first.
    pub parts: Vec<String>,
    /// The agent's final answer.
    pub reply: String,
    /// The position of the turn in the host's transcript, as a unique text.
    pub place: Option<String>,
}

impl Sessions {
    /// Builds the session context, and starts the session if the host names it. One that `goes_on` gets only new
    /// lines. Failures of the record are notices: the context is returned anyway. Error: `workspace_unreadable`.
    pub fn hosted_start(
        &self,
        host: Option<&SessionId>,
        folder: Option<&ProjectFolder>,
        goes_on: bool,
    ) -> Result<Pack, EngineError> {
        let (mut news, mut notices) = (Vec::new(), Vec::new());
        if let Some(host) = host {
            let begun = self.record_held_turns().and_then(|mut recorded| {
                let session = self.hosted(host, folder)?;
                self.flush_left(&session.start.id)?;
                recorded.notices.extend(self.prune_journals()?);
                Ok(recorded.notices)
            });
            match begun {
                Ok(told) => notices.extend(told),
                Err(error) => notices.push(unrecorded(&error)),
            }
            match self.soul_notice() {
                Ok((told, watched)) => {
                    news.extend(told);
                    notices.extend(watched);
                }
                Err(error) => notices.push(unrecorded(&error)),
            }
        }
        let project = folder.and_then(|folder| self.core.project_in_passing(folder));
        let spool = self.core.spool.as_ref().zip(host);
        let known = spool
            .filter(|_| goes_on)
            .map(|(spool, host)| spool.shown(host))
            .filter(|known| !known.is_empty());
        let own = host.filter(|_| goes_on).map(|host| self.parts_of(host)).unwrap_or_default();
        let begins = Packed {
            project: project.as_ref(),
            known: known.as_ref(),
            own: &own,
            news: &news,
            ..Packed::default()
        };
        let mut pack = self.pack(begins)?;
        if let Some((spool, host)) = spool {
            if known.is_none() {
                spool.forget_shown(host);
            }
            spool.show(host, &pack.lines.iter().copied().collect::<Vec<_>>());
        }
        pack.notices.splice(0..0, notices);
        Ok(pack)
    }

    /// Records the model of a running session of a host. Errors: `session_ended`, and those of memory.db.
    pub fn hosted_model(&self, host: &SessionId, model: &ModelName) -> Result<Option<Notice>, EngineError> {
        match self.followed(host)? {
            (id, true) => self.record_session_model(&id, model),
            (_, false) => Ok(None),
        }
    }

    /// Records a turn of a host's session, without private parts and our own fences. `None` if nothing remains.
    /// Errors: as [`session_turn`](Self::session_turn); then the turn stays spooled.
    pub fn hosted_turn(
        &self,
        host: &SessionId,
        folder: Option<&ProjectFolder>,
        heard: &Heard,
    ) -> Result<Option<Turned>, EngineError> {
        let (mut user, reply) = (public(&heard.user), public(&heard.reply).text);
        let mut is_private = false;
        let ended = self.core.spool.as_ref().and_then(|spool| spool.take_prompt(host, &reply));
        if ended.as_ref().is_some_and(|ended| ended.is_repeat) {
            return Ok(None);
        }
        let place = ended.as_ref().map(|ended| ended.id.clone()).or_else(|| heard.place.clone());
        // The host's log may still end with an earlier prompt.
        let prompt = ended.and_then(|ended| ended.heard);
        let given_away = prompt.clone();
        let is_part = |text: &str| heard.parts.iter().any(|part| public(part).text == text);
        let is_other = |prompt: &HeardPrompt| {
            let is_of_turn = prompt.text == user.text || is_part(&prompt.text);
            !is_of_turn || prompt.had_private && !user.has_private()
        };
        if let Some(prompt) = prompt.filter(is_other) {
            is_private = prompt.had_private;
            user = Public::of_text(prompt.text);
        }
        // A reply may repeat a private part in other words.
        let reply = if is_private || user.has_private() { String::new() } else { reply };
        let caught_up = self.core.spool.as_ref().map(|spool| spool.caught_up(host, &user.text, &reply));
        let said = match caught_up {
            Some(CaughtUp::Whole) => return Ok(None),
            Some(CaughtUp::Prompt) => String::new(),
            Some(CaughtUp::Nothing) | None => user.text.clone(),
        };
        if said.is_empty() && reply.is_empty() {
            return Ok(None);
        }
        let key = place.map(|place| key(host, &place, &said, &reply)).transpose()?;
        let held = HeldTurn { host: host.clone(), folder: folder.cloned(), user: said, reply, key };
        self.hold_and_record(&held, &user.text, given_away.as_ref())
    }

    /// Writes pending turns of a host's session to the daily log. `None` if no session runs or nothing is due.
    /// Errors: as [`session_flush`](Self::session_flush).
    pub fn hosted_flush(&self, host: &SessionId) -> Result<Option<Outcome>, EngineError> {
        self.record_held_turns()?;
        match self.followed(host)? {
            (id, true) => self.session_flush(&id),
            (_, false) => Ok(None),
        }
    }

    /// Writes pending turns of other host sessions to the daily log: some hosts never report an end, and any may be
    /// killed. The sessions continue.
    fn flush_left(&self, own: &SessionId) -> Result<(), EngineError> {
        for session in self.core.memory()?.sessions(true, LEFT_MAX)? {
            let is_left = session.start.surface == SURFACE && session.journaled < session.turns;
            if is_left && session.start.id != *own && session.start.scope == Scope::Main {
                self.session_flush(&session.start.id)?;
            }
        }
        Ok(())
    }

    /// Ends a host's session. `None` if none runs.
    pub fn hosted_end(&self, host: &SessionId) -> Result<Option<Ended>, EngineError> {
        let recorded = self.record_held_turns()?;
        let (id, is_running) = self.followed(host)?;
        // A host's sessions are in the owner's scope: a room's session with this id belongs to another program.
        if !is_running
            || self.core.memory()?.session(&id)?.is_none_or(|session| session.start.scope != Scope::Main)
        {
            return Ok(None);
        }
        let mut ended = self.session_end(&id)?;
        ended.notices.splice(0..0, recorded.notices);
        Ok(Some(ended))
    }

    /// The running session for a host's id, started if necessary.
    pub(super) fn hosted(
        &self,
        host: &SessionId,
        folder: Option<&ProjectFolder>,
    ) -> Result<Session, EngineError> {
        let (id, _) = self.followed(host)?;
        let project = folder.map(|folder| self.core.project(folder)).transpose()?;
        let session = self.core.memory()?.begin_session(&SessionStart {
            id: id.clone(),
            agent: self.core.id().clone(),
            scope: Scope::Main,
            surface: SURFACE.to_owned(),
            room_name: None,
            user_name: None,
            project,
            started: self.core.clock.now(),
            taint: Taint::Tool,
            team: Vec::new(),
        })?;
        if session.start.scope != Scope::Main {
            let message = format!("session {id} was started in scope {}.", session.start.scope);
            return Err(EngineError::new(Code::SessionClash, message));
        }
        Ok(session)
    }

    /// Ranks of the latest sessions, higher for later, by their part of log entries. A log has only minutes, which
    /// several sessions may share.
    pub(super) fn session_order(&self) -> HashMap<String, usize> {
        let Ok(Some(memory)) = self.core.memory_if_made() else { return HashMap::new() };
        let sessions = memory.sessions(false, ORDERED_MAX).unwrap_or_default();
        let known_by = sessions.iter().rev().map(|session| journal::turns_part(session.start.id.as_str()));
        known_by.enumerate().map(|(at, part)| (part, at + 1)).collect()
    }

    /// The parts of log entries that belong to a host's session, including earlier runs.
    fn parts_of(&self, host: &SessionId) -> Vec<String> {
        let mut parts = vec![journal::turns_part(host.as_str())];
        let Ok(Some(memory)) = self.core.memory_if_made() else { return parts };
        let later = (2..=RESUMED_MAX).map_while(|times| {
            let id = again(host, times).ok()?;
            memory.session(&id).ok()??;
            Some(journal::turns_part(id.as_str()))
        });
        parts.extend(later);
        parts
    }

    /// The last session of a host's id, or the id of the next one, and whether it runs.
    fn followed(&self, host: &SessionId) -> Result<(SessionId, bool), EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok((host.clone(), false)) };
        for times in 1..=RESUMED_MAX {
            let id = if times == 1 { host.clone() } else { again(host, times)? };
            match memory.session(&id)? {
                Some(session) if session.ended.is_some() => {}
                found => return Ok((id, found.is_some())),
            }
        }
        let message = format!("session {host} was resumed more than {RESUMED_MAX} times.");
        Err(EngineError::new(Code::SessionEnded, message))
    }
}

/// The key of a turn without a host's key: the same for every hook that reports the event; repeated text has another
/// position.
fn key(host: &SessionId, place: &str, user: &str, reply: &str) -> Result<TurnKey, EngineError> {
    let parts = [host.as_str(), place, user, reply].map(|part| Sha256::of(part.as_bytes()).to_string());
    let digits = Sha256::of(parts.join("\n").as_bytes()).short(KEY_DIGITS);
    TurnKey::parse(&format!("hook:{digits}"))
        .map_err(|error| EngineError::new(Code::UsageBad, error.to_string()))
}

/// The id of the following session: the host's id with a number. A long id is cut at its end.
fn again(host: &SessionId, times: u32) -> Result<SessionId, EngineError> {
    const ID_BYTES_MAX: usize = 64;
    let tail = format!("-{times}");
    let head = &host.as_str()[..host.as_str().len().min(ID_BYTES_MAX - tail.len())];
    SessionId::parse(&format!("{head}{tail}"))
        .map_err(|error| EngineError::new(Code::SessionIdBad, error.to_string()))
}

fn unrecorded(error: &EngineError) -> Notice {
    let message = format!("The session was not recorded: {}", error.message);
    Notice::new("session_not_recorded", message, error.code)
}
