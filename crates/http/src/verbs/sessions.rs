//! Sessions of a host: start, prompt, turn, end.
//!
//! Invariant: a caller reaches only sessions of its own scope, and what a host reports may have been read from anywhere,
//! with every token (D9).

use std::sync::Arc;

use inwit_engine::sessions::session::{Team, TeamTurn, Turn};
use inwit_home::upkeep::{self, Occasion};
use inwit_home::{HomeError, OpenAgent};
use inwit_model::{Code, SessionId};
use inwit_wire::tools::answer;
use inwit_wire::{
    AskV1, BeganV1, EndV1, EndedV1, KeptTurnV1, NoticeV1, OutcomeV1, StartV1, TurnV1, TurnedV1,
};

use super::Answered;
use crate::call::Call;
use crate::hints::said;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

/// The surface of a session whose host names none.
const SURFACE: &str = "http";

/// `POST …/sessions`.
pub(super) fn start(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let mut input: StartV1 = call.shape()?;
    input.surface.get_or_insert_with(|| SURFACE.to_owned());
    let model = input.model_name().map_err(refused)?;
    let start = input.start(call.scope.clone()).map_err(refused)?;
    call.caller.scope(Some(&start.scope.to_string()))?;
    let others = others(served, opened, call, start.agents.iter().map(String::as_str))?;
    let began = team(opened, &others).start(&start)?;
    let mut answer = BeganV1::from(&began);
    if let Some(model) = model {
        let recorded = opened.agent.sessions.record_session_model(&began.session.start.id, &model)?;
        answer.notices.extend(recorded.iter().map(NoticeV1::from));
    }
    Ok(Reply::json(&answer))
}

/// `POST …/sessions/prompt`.
pub(super) fn prompt(opened: &OpenAgent, call: &Call) -> Answered {
    let input: AskV1 = call.shape()?;
    let id = reachable(opened, call, &id(&input.session)?)?;
    let sessions = &opened.agent.sessions;
    let began = match &input.question {
        None => sessions.session_prompt(&id)?,
        Some(question) => sessions.session_prompt_for(&id, question)?,
    };
    Ok(Reply::json(&BeganV1::from(&began)))
}

/// `POST …/sessions/turn`.
pub(super) fn turn(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let input: TurnV1 = call.shape()?;
    let (id, key) = input.names().map_err(refused)?;
    let id = reachable(opened, call, &id)?;
    let turn = Turn { reads_unseen: true, ..Turn::from(input) };
    let names = opened.agent.sessions.session_team(&id)?;
    let others = others(served, opened, call, names.iter().map(|id| id.as_str()))?;
    match team(opened, &others).turn(&id, key.as_ref(), &turn)? {
        TeamTurn::Answered { answer, missed } => {
            let kept = serde_json::from_slice::<KeptTurnV1>(&answer);
            let failed = |error| {
                Problem::new(Code::MemoryUnavailable, format!("The kept answer cannot be read: {error}."))
            };
            let mut kept = kept.map_err(failed)?;
            missed.iter().for_each(|notice| kept.note(&NoticeV1::from(notice), said));
            Ok(Reply::json(&kept))
        }
        TeamTurn::Unanswered(turned) => Ok(Reply::json(&shown(call, TurnedV1::from(&*turned)))),
        TeamTurn::Now { turned, missed } => {
            let mut turned = shown(call, TurnedV1::from(&*turned));
            if let Some(key) = &key {
                let kept = answer::value(&turned, said).to_string();
                // The turn is written; only a repeated call would lack this answer.
                let _ = opened.agent.sessions.session_answered(&id, key, kept.as_bytes());
            }
            turned.notices.extend(missed.iter().map(NoticeV1::from));
            Ok(Reply::json(&turned))
        }
    }
}

/// `POST …/sessions/end`.
pub(super) fn end(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let input: EndV1 = call.shape()?;
    let id = reachable(opened, call, &id(&input.session)?)?;
    let names = opened.agent.sessions.session_team(&id)?;
    let others = others(served, opened, call, names.iter().map(|id| id.as_str()))?;
    let mut ended = team(opened, &others).end(&id)?;
    ended.notices.extend(upkeep::tend(opened, Occasion::HookEnded));
    let ended = EndedV1::from(&ended);
    let journal = ended.journal.map(|outcome| hashless(call, outcome));
    Ok(Reply::json(&EndedV1 { journal, ..ended }))
}

/// What became of a turn, for this caller.
fn shown(call: &Call, turned: TurnedV1) -> TurnedV1 {
    let seen = |outcome| hashless(call, outcome);
    TurnedV1 {
        writes: turned.writes.into_iter().map(seen).collect(),
        journal: turned.journal.map(seen),
        heartbeat: turned.heartbeat.map(seen),
        ..turned
    }
}

/// Only a person gets hashes of files with masked parts.
fn hashless(call: &Call, outcome: OutcomeV1) -> OutcomeV1 {
    if call.caller.consent().is_some() { outcome } else { outcome.without_hashes() }
}

/// The session, if the caller's scope may reach it. A session of another scope is reported like an unknown one.
fn reachable(opened: &OpenAgent, call: &Call, id: &SessionId) -> Result<SessionId, Problem> {
    let scope = opened.agent.sessions.session_scope(id)?;
    match call.caller.scope(Some(&scope.to_string())) {
        Ok(_) => Ok(id.clone()),
        Err(_) => Err(Problem::new(Code::SessionUnknown, format!("There is no session `{id}`."))),
    }
}

/// The other agents of a session, opened. Errors: `access_denied`, those of opening one.
fn others<'n>(
    served: &Served,
    opened: &OpenAgent,
    call: &Call,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<Arc<OpenAgent>>, Problem> {
    let others = names.filter(|name| *name != opened.chosen.id);
    let open = |name: &'n str| {
        let opened = served.agents.open(&call.caller.agent(name)?);
        let unopened =
            |error: HomeError| Problem::new(error.code, format!("Agent `{name}` cannot be opened."));
        opened.map_err(unopened)
    };
    others.map(open).collect()
}

fn team<'a>(opened: &'a OpenAgent, others: &'a [Arc<OpenAgent>]) -> Team<'a> {
    Team::new(&opened.agent.sessions, others.iter().map(|other| &*other.agent.sessions))
}

fn id(text: &str) -> Result<SessionId, Problem> {
    SessionId::parse(text).map_err(|error| Problem::new(Code::SessionIdBad, error.to_string()))
}

fn refused((code, message): (Code, String)) -> Problem {
    Problem::new(code, message)
}
