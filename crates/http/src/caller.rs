//! Who calls: the holder of a token, or a program on this machine without one.
//!
//! Invariant: a caller without a token, or with a token that is not a person's, is an agent: it sees masked text, and
//! what it writes goes to the gate as text of a tool.

use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, header};
use inwit_engine::{Agent, WriteContext};
use inwit_gate::{Author, HumanConsent, TokenHolder, TokenRight, TokenRow};
use inwit_model::{AgentId, Code, Scope};
use inwit_wire::routes::RouteRight;
use jiff::Timestamp;

use crate::limit::{FAILURES_MAX, FAILURES_SECONDS};
use crate::problem::Problem;

/// A caller.
#[derive(Debug, Clone)]
pub enum Caller {
    /// A program on this machine.
    Local,
    /// The holder of a token.
    Holder(TokenHolder),
}

impl Caller {
    /// Refuses a caller without `right`. Errors: `token_missing`, `access_denied`.
    pub fn needs(&self, right: RouteRight) -> Result<(), Problem> {
        let needed = match right {
            RouteRight::Nothing | RouteRight::Read => TokenRight::Read,
            RouteRight::Propose | RouteRight::Write => TokenRight::Write,
            RouteRight::Approve => TokenRight::Approve,
            RouteRight::Admin => TokenRight::Admin,
        };
        match self {
            Self::Local if right <= RouteRight::Propose => Ok(()),
            Self::Local => Err(missing(&format!("This needs a token with the right `{needed}`."))),
            Self::Holder(holder) if holder.row().right >= needed => Ok(()),
            Self::Holder(holder) => Err(Problem::new(
                Code::AccessDenied,
                format!(
                    "This needs a token with the right `{needed}`; this one has `{}`.",
                    holder.row().right
                ),
            )),
        }
    }

    /// By what its requests are known: the id of its token; callers without one share theirs.
    pub fn id(&self) -> &str {
        match self {
            Self::Local => "local",
            Self::Holder(holder) => &holder.row().id,
        }
    }

    /// The only agent that its token is for.
    pub fn bound_to(&self) -> Option<&AgentId> {
        match self {
            Self::Local => None,
            Self::Holder(holder) => holder.row().agent.as_ref(),
        }
    }

    /// Whether the caller may use this agent.
    pub fn may_use(&self, agent: &str) -> bool {
        match self {
            Self::Local => true,
            Self::Holder(holder) => holder.row().agent.as_ref().is_none_or(|own| own.as_str() == agent),
        }
    }

    /// Refuses a token of one agent or scope, for what is about all of them. Error: `access_denied`.
    pub fn sees_all(&self) -> Result<(), Problem> {
        match self {
            Self::Holder(holder) if holder.row().agent.is_some() || holder.row().scope != Scope::Main => Err(
                Problem::new(Code::AccessDenied, "This token is for one agent or scope; this is about all."),
            ),
            Self::Local | Self::Holder(_) => Ok(()),
        }
    }

    /// The agent, if the caller may use it. Errors: `access_denied`, `agent_unknown`.
    pub fn agent(&self, id: &str) -> Result<AgentId, Problem> {
        if !self.may_use(id) {
            return Err(Problem::new(Code::AccessDenied, "This token is for another agent."));
        }
        AgentId::parse(id).map_err(|error| Problem::new(Code::AgentUnknown, error.to_string()))
    }

    /// Whether the token is still valid.
    pub fn still_holds(&self, rows: &[TokenRow], now: Timestamp) -> bool {
        match self {
            Self::Local => true,
            Self::Holder(holder) => {
                let is_live = |row: &TokenRow| row.expires.is_none_or(|expires| expires > now);
                rows.iter().any(|row| row == holder.row() && is_live(row))
            }
        }
    }

    /// The agent of a route that names none: that of the token, else the only one, else `main`.
    pub fn own_agent(&self, ids: &[String]) -> Result<AgentId, Problem> {
        let own = match self {
            Self::Holder(holder) => holder.row().agent.clone(),
            Self::Local => None,
        };
        match (own, ids) {
            (Some(own), _) => Ok(own),
            (None, [only]) => self.agent(only),
            (None, _) => Ok(AgentId::main()),
        }
    }

    /// The scope of a request: that of the token, which a request cannot widen; without a token the requested one, by
    /// default `shared`. Errors: `usage_bad`, `access_denied`.
    pub fn scope(&self, asked: Option<&str>) -> Result<Scope, Problem> {
        let own = match self {
            Self::Local => Scope::Shared,
            Self::Holder(holder) => holder.row().scope.clone(),
        };
        let asked = Scope::parse(asked, None, own.clone())
            .map_err(|error| Problem::new(Code::UsageBad, error.to_string()))?;
        let is_within =
            matches!(self, Self::Local) || own == Scope::Main || asked == own || asked == Scope::Shared;
        match is_within {
            true => Ok(asked),
            false => Err(Problem::new(Code::AccessDenied, "This token is for another scope.")),
        }
    }

    /// Whether the caller may propose or write.
    pub fn may_write(&self) -> bool {
        self.needs(RouteRight::Propose).is_ok()
    }

    /// The owner, if the token is a person's.
    pub fn consent(&self) -> Option<HumanConsent> {
        match self {
            Self::Local => None,
            Self::Holder(holder) => holder.consent(),
        }
    }

    /// In whose name a change is made, in `scope`.
    pub fn behalf(&self, agent: &Agent, scope: &Scope, reason: &str) -> WriteContext {
        match self.consent() {
            Some(person) => {
                let author = Author::owner(&person);
                WriteContext { reason: reason.to_owned(), ..WriteContext::of(author) }.within(scope)
            }
            None => WriteContext::of_tool(&agent.core.agents_words(scope, reason)).within(scope),
        }
    }
}

fn missing(message: &str) -> Problem {
    Problem::new(Code::TokenMissing, message).with(header::WWW_AUTHENTICATE, "Bearer realm=\"inwit\"")
}

/// The header in which clients of Anthropic's API send a key.
const API_KEY: &str = "x-api-key";

/// The token of a request of Anthropic's API: in `x-api-key`, or as [`presented`]. Error: `token_refused` for both.
pub fn presented_as_key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut keys = headers.get_all(API_KEY).into_iter();
    let Some(key) = keys.next() else { return presented(headers) };
    let key =
        key.to_str().ok().filter(|_| keys.next().is_none() && !headers.contains_key(header::AUTHORIZATION));
    key.map(|key| Some(key.trim()))
        .ok_or_else(|| refused("Send the token once: in `x-api-key` or `Authorization`."))
}

/// The token in `Authorization`. Error: `token_refused` for another scheme, or for several headers.
pub fn presented(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut values = headers.get_all(header::AUTHORIZATION).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    let token = value.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    match (token, values.next()) {
        (Some(token), None) => Ok(Some(token)),
        _ => Err(refused("`Authorization` must be sent once, as `Bearer TOKEN`.")),
    }
}

/// The error of a token that admits no caller.
pub fn refused(message: &str) -> Problem {
    Problem::new(Code::TokenRefused, message)
        .with(header::WWW_AUTHENTICATE, "Bearer realm=\"inwit\", error=\"invalid_token\"")
}

/// The error of a caller without a token, from another machine.
pub fn needs_token() -> Problem {
    missing("This server can be reached from other machines, so every request needs a token.")
}

/// Counts refused tokens and asks for a pause after many; a valid token is always accepted.
#[derive(Debug, Default)]
pub struct Failures(Mutex<Option<Counted>>);

/// The refused tokens of a period.
#[derive(Debug, Clone, Copy)]
struct Counted {
    since: Timestamp,
    count: u32,
}

impl Failures {
    /// Counts one at `now`. Error: `calls_too_many` if there were too many in this period.
    pub fn count(&self, now: Timestamp) -> Result<(), Problem> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = |period: &Counted| FAILURES_SECONDS - now.duration_since(period.since).as_secs();
        // A clock that was set back ends the period.
        let running = counted.filter(|period| (1..=FAILURES_SECONDS).contains(&left(period)));
        let period = running.unwrap_or(Counted { since: now, count: 0 });
        *counted = Some(Counted { count: period.count.saturating_add(1), ..period });
        if period.count < FAILURES_MAX {
            return Ok(());
        }
        let message = "Too many invalid tokens were sent to this server.";
        let wait = left(&period).to_string();
        Err(Problem::new(Code::CallsTooMany, message).with(header::RETRY_AFTER, &wait))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_tokens_are_counted_for_a_period_and_then_again_from_one() {
        let failures = Failures::default();
        let at = |second| Timestamp::from_second(second).expect("a time");
        (0..FAILURES_MAX).for_each(|_| failures.count(at(100)).expect("within the limit"));
        assert_eq!(failures.count(at(159)).expect_err("over it").status().as_u16(), 429);
        failures.count(at(160)).expect("a new period");
        failures.count(at(50)).expect("the clock was set back");
    }
}
