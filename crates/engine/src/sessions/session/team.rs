//! Several agents of one home in one session (R26).
//!
//! The members are set at the start and stored in the session of each; a session with the same id elsewhere is
//! unrelated. A turn is submitted to the answering agent, and the others hear it: in their transcripts and logs, with
//! the names of both speakers and at most the trust of the original (D9). Invariant: it starts with all of them or
//! none, and text goes only to agents that hold the session in the same scope.

use inwit_model::{AgentId, Code, Hint, SessionId, TurnKey};
use inwit_store::memory::Session;

use super::said::public_key;
use super::start::Standing;
use super::turn::Heard;
use super::{Began, Ended, Start, Taken, Turn, Turned};
use crate::sessions::hook::fence;
use crate::{EngineError, Notice, Sessions};

/// The agents of a session, from the view of the called one.
pub struct Team<'a> {
    host: &'a Sessions,
    others: Vec<&'a Sessions>,
}

/// The result of a team's turn. `missed` concerns one call: a repeated call may complete it, so it is not stored.
#[derive(Debug)]
pub enum TeamTurn {
    /// It was recorded now.
    Now {
        /// The result.
        turned: Box<Turned>,
        /// A notice for each agent that did not get it.
        missed: Vec<Notice>,
    },
    /// It was recorded before.
    Answered {
        /// The answer that the host got.
        answer: Vec<u8>,
        /// A notice for each agent that still lacks it, and for errors of those that get it now.
        missed: Vec<Notice>,
    },
    /// It was recorded before, and its answer is unknown.
    Unanswered(Box<Turned>),
}

impl<'a> Team<'a> {
    /// One agent by itself.
    pub fn alone(host: &'a Sessions) -> Self {
        Self { host, others: Vec::new() }
    }

    /// `host` and others.
    pub fn new(host: &'a Sessions, others: impl IntoIterator<Item = &'a Sessions>) -> Self {
        let others = others.into_iter().filter(|other| other.core.id != host.core.id).collect();
        Self { host, others }
    }

    /// Starts or continues a session with all of them; returns the host's prompt. Errors: `agent_unknown` for an
    /// unknown name; `session_ended`, `session_clash` if one of them cannot start it. Then it is started with none.
    pub fn start(&self, start: &Start) -> Result<Began, EngineError> {
        let public = start.without_private();
        let start = public.as_ref().unwrap_or(start);
        self.knows_all(&start.agents)?;
        let id = self.host.session_id(start)?;
        let team = self.ids();
        let standings: Result<Vec<Standing>, EngineError> =
            self.all().map(|agent| agent.standing(&id, start, &team)).collect();
        let (mut begun, mut answer) = (Vec::new(), None);
        for (agent, standing) in self.all().zip(standings?) {
            if standing == Standing::New {
                begun.push(agent);
            }
            match agent.begin(&id, start, &team) {
                Ok(began) => answer = answer.or(Some(began)),
                Err(error) => {
                    begun.into_iter().for_each(|agent| agent.abandon(&id));
                    return Err(error);
                }
            }
        }
        if let Some(began) = answer.as_mut() {
            began.notices.extend(public.as_ref().map(|_| fence::private_left_out()));
        }
        answer.ok_or_else(|| EngineError::new(Code::SessionUnknown, format!("Session {id} did not start.")))
    }

    /// Records a turn with the host, and with the others; failures of others are notices. With a `key` the turn can
    /// be submitted again: nothing is written twice, and missing copies are added. Private parts are removed first.
    /// Errors: as [`Sessions::session_turn_once`](crate::Sessions::session_turn_once); then none recorded it.
    pub fn turn(&self, id: &SessionId, key: Option<&TurnKey>, turn: &Turn) -> Result<TeamTurn, EngineError> {
        let public = turn.without_private();
        let turn = public.as_ref().unwrap_or(turn);
        let public_key = key.map(public_key).transpose()?.flatten();
        let key = public_key.as_ref().or(key);
        let taken = match key {
            None => Taken::Now(Box::new(self.host.session_turn(id, turn)?)),
            Some(key) => self.host.session_turn_once(id, key, turn)?,
        };
        let session = match &taken {
            Taken::Now(turned) => &turned.session,
            Taken::Before { session, .. } => session.as_ref(),
        };
        let (told, missed) = self.others_hear(session, key, turn);
        Ok(match taken {
            Taken::Now(mut turned) => {
                turned.notices.extend(told);
                let is_left_out = public.is_some() || public_key.is_some();
                turned.notices.extend(is_left_out.then(fence::private_left_out));
                TeamTurn::Now { turned, missed }
            }
            Taken::Before { kept, session } => {
                let missed = [told, missed].concat();
                match kept.answer {
                    Some(answer) => TeamTurn::Answered { answer, missed },
                    None => {
                        let session = Session { turns: kept.turn, ..*session };
                        TeamTurn::Unanswered(Box::new(unanswered(session, missed)))
                    }
                }
            }
        })
    }

    /// Ends a session with all of them, the host last. Failures of others are notices. Errors: as
    /// [`Sessions::session_end`](crate::Sessions::session_end); then it can be repeated.
    pub fn end(&self, id: &SessionId) -> Result<Ended, EngineError> {
        let session = self.host.running_session(id)?;
        let mut notices = Vec::new();
        for other in &self.others {
            match other.shares(&session).and_then(|shares| shares.then(|| other.session_end(id)).transpose())
            {
                Ok(None) => {}
                Ok(Some(ended)) => notices.extend(ended.notices.into_iter().map(|notice| of(other, notice))),
                Err(error) => notices.push(Self::not_ended(other.core.id.as_str(), id, &error.message)),
            }
        }
        let mut ended = self.host.session_end(id)?;
        ended.notices.extend(notices);
        Ok(ended)
    }

    /// The notice about an agent whose session continues.
    pub fn not_ended(agent: &str, id: &SessionId, why: &str) -> Notice {
        let message = format!("Session {id} was not ended with agent `{agent}`: {why}");
        let hint = Hint::EndThere;
        Notice::new("team_not_ended", message, hint)
    }

    fn all(&self) -> impl Iterator<Item = &'a Sessions> + '_ {
        std::iter::once(self.host).chain(self.others.iter().copied())
    }

    /// The ids of all; empty if the host is alone.
    fn ids(&self) -> Vec<AgentId> {
        if self.others.is_empty() {
            Vec::new()
        } else {
            self.all().map(|agent| agent.core.id.clone()).collect()
        }
    }

    fn knows_all(&self, names: &[String]) -> Result<(), EngineError> {
        match names.iter().find(|name| !self.all().any(|agent| agent.core.id.as_str() == **name)) {
            None => Ok(()),
            Some(name) => {
                let message = format!("`{name}` is not an agent of this session's team.");
                Err(EngineError::new(Code::AgentUnknown, message))
            }
        }
    }

    /// Notices of the others about a turn, and who missed it.
    fn others_hear(
        &self,
        session: &Session,
        key: Option<&TurnKey>,
        turn: &Turn,
    ) -> (Vec<Notice>, Vec<Notice>) {
        let host = self.host.speaking_name(&session.start.scope);
        let heard = Heard { turn, by: Some(&host) };
        let key = key.map(|key| key.heard_from(&self.host.core.id));
        let (mut told, mut absent) = (Vec::new(), Vec::new());
        for id in session.start.team.iter().filter(|id| **id != self.host.core.id) {
            let other = self.others.iter().find(|other| other.core.id == *id);
            let shares = other.map_or(Ok(false), |other| other.shares(session));
            let hears = shares.and_then(|shares| match other.filter(|_| shares) {
                Some(other) => {
                    let taint = session.start.taint;
                    let notices = other.overhear(&session.start.id, key.as_ref(), &heard, taint)?;
                    Ok(Some(notices.into_iter().map(|notice| of(other, notice))))
                }
                None => Ok(None),
            });
            match hears {
                Ok(Some(notices)) => told.extend(notices),
                Ok(None) => absent.push(left(id)),
                Err(error) => absent.push(missed(id, &error.message)),
            }
        }
        (told, absent)
    }
}

impl Sessions {
    /// The others of a running session's team. Errors: `session_unknown`, `session_ended`.
    pub fn session_team(&self, id: &SessionId) -> Result<Vec<AgentId>, EngineError> {
        let team = self.running_session(id)?.start.team;
        Ok(team.into_iter().filter(|member| *member != self.core.id).collect())
    }

    /// Whether this agent has the same session as another one of its team. Error: unknown.
    fn shares(&self, session: &Session) -> Result<bool, EngineError> {
        let (theirs, ours) = (&session.start, self.running_session(&session.start.id));
        match ours {
            Ok(ours) => Ok(ours.start.scope == theirs.scope
                && ours.start.team.contains(&theirs.agent)
                && theirs.team.contains(&self.core.id)),
            Err(error) if matches!(error.code, Code::SessionUnknown | Code::SessionEnded) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Undoes a start; a session that cannot be removed had no turn and is harmless.
    fn abandon(&self, id: &SessionId) {
        let _ = self.core.memory().and_then(|memory| Ok(memory.abandon(id)?));
    }
}

/// What is known of a turn recorded before without an answer.
fn unanswered(session: Session, mut notices: Vec<Notice>) -> Turned {
    let message = format!("Turn {} was accepted before; its result is unknown.", session.turns);
    let hint = Hint::LookWhatCame;
    notices.push(Notice::new("turn_unanswered", message, hint));
    Turned { session, wished: Vec::new(), journal: None, heartbeat: None, bootstrap_done: false, notices }
}

fn missed(agent: &AgentId, why: &str) -> Notice {
    let message = format!("Agent `{agent}` of the team did not receive this turn: {why}");
    Notice::new(
        "team_turn_missed",
        message,
        "Submit the turn again with the same `key`, or continue without this agent.",
    )
}

fn left(agent: &AgentId) -> Notice {
    let message =
        format!("Agent `{agent}` of the team did not receive this turn: it is no longer in the session.");
    Notice::new("team_turn_missed", message, "It ended the session on its side. Continue without it.")
}

fn of(agent: &Sessions, notice: Notice) -> Notice {
    Notice { message: format!("With agent `{}`: {}", agent.core.id, notice.message), ..notice }
}
