//! Methods, decisions with their outcomes, roles and preferences.
//!
//! Only the owner changes what is learned, so every route needs a token of a person.

use inwit_engine::WriteContext;
use inwit_engine::learning::outcome::{
    DECISIONS_MAX, Decided, DecisionFilter, Learnt, Method, MethodFilter, NewDecision, Preference,
};
use inwit_gate::MethodStep;
use inwit_home::OpenAgent;
use inwit_model::learning::{
    Dimension, MethodClass, MethodKind, MethodText, OVERDUE_HOURS_DEFAULT, OutcomeClass, OutcomeText,
    PreferenceState, PreferenceText, Role,
};
use inwit_model::{Code, SessionId};
use inwit_wire::{
    DecisionV1, DecisionsV1, LearntV1, MethodShownV1, MethodV1, MethodsV1, NoticeV1, PreferenceV1,
    PreferencesV1, RoleV1, RolesV1,
};

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// Default number of decisions.
const DECISIONS_DEFAULT: usize = 50;

/// Most decisions that are shown with a method.
const DECISIONS_SHOWN: usize = 20;

/// `GET …/methods`.
pub(super) fn methods(opened: &OpenAgent, call: &Call) -> Answered {
    let filter = if call.values.flag("all") { MethodFilter::All } else { MethodFilter::Kept };
    let methods = opened.agent.learning.methods(&call.scope, filter)?;
    let methods = methods.iter().map(MethodV1::from).collect();
    Ok(Reply::json(&MethodsV1 { methods, notices: unread(opened)? }))
}

/// `GET …/methods/{id}`.
pub(super) fn method(opened: &OpenAgent, call: &Call) -> Answered {
    let learning = &opened.agent.learning;
    let method = learning.method(call.part("id"))?;
    let mut decided = learning.decisions_on(&method.id, DECISIONS_SHOWN + 1)?;
    let more = decided.len() > DECISIONS_SHOWN;
    decided.truncate(DECISIONS_SHOWN);
    let decisions = decided.iter().map(DecisionV1::from).collect();
    Ok(Reply::json(&MethodShownV1 { method: MethodV1::from(&method), decisions, more }))
}

/// `POST …/methods`.
pub(super) fn add_method(opened: &OpenAgent, call: &Call) -> Answered {
    let class = call.values.text("asset_class").unwrap_or(MethodClass::DEFAULT);
    let bad = || {
        let message = "`asset_class` has lower-case words, such as `baking`.";
        Problem::new(Code::UsageBad, message)
    };
    let text = MethodText {
        class: MethodClass::parse(class).ok_or_else(bad)?,
        kind: word(call, "kind", MethodKind::parse)?.unwrap_or(MethodKind::Rule),
        body: call.values.text("text").unwrap_or_default().to_owned(),
    };
    of_method(&opened.agent.learning.method_add(&text, &owners(opened, call))?)
}

/// `POST …/methods/{id}/{step}`.
pub(super) fn step(opened: &OpenAgent, call: &Call, step: MethodStep) -> Answered {
    of_method(&opened.agent.learning.method_step(call.part("id"), step, &owners(opened, call))?)
}

/// `GET …/decisions`.
pub(super) fn decisions(opened: &OpenAgent, call: &Call) -> Answered {
    let filter = match call.values.text("state") {
        Some("open") => DecisionFilter::Open,
        Some("closed") => DecisionFilter::Closed,
        _ => DecisionFilter::All,
    };
    let limit = call.values.size("limit").unwrap_or(DECISIONS_DEFAULT).min(DECISIONS_MAX);
    let mut decided = opened.agent.learning.decisions(&call.scope, filter, limit + 1)?;
    let more = decided.len() > limit;
    decided.truncate(limit);
    let decisions = decided.iter().map(DecisionV1::from).collect();
    Ok(Reply::json(&DecisionsV1 { decisions, more, notices: unread(opened)? }))
}

/// `POST …/decisions`.
pub(super) fn decide(opened: &OpenAgent, call: &Call) -> Answered {
    let values = &call.values;
    let weighed = |named: &inwit_wire::tools::Arguments| {
        (named.text("id").unwrap_or_default().to_owned(), named.number("weight").unwrap_or(1.0))
    };
    let methods: Vec<(String, f64)> = values.objects("methods").iter().map(weighed).collect();
    let is_said = values.flag("no_method") || !methods.is_empty();
    let decision = NewDecision {
        statement: values.text("text").unwrap_or_default(),
        role: values.text("role"),
        asset: values.text("asset"),
        methods: is_said.then_some(&methods[..]),
    };
    of_decision(&opened.agent.sessions.decide(&decision, &owners(opened, call))?)
}

/// `POST …/decisions/{id}/outcome`.
pub(super) fn close(opened: &OpenAgent, call: &Call) -> Answered {
    closed(opened, call, call.part("id"))
}

/// `POST /v1/outcomes`.
pub(super) fn outcome(opened: &OpenAgent, call: &Call) -> Answered {
    closed(opened, call, call.values.text("decision").unwrap_or_default())
}

fn closed(opened: &OpenAgent, call: &Call, decision: &str) -> Answered {
    let (learning, values) = (&opened.agent.learning, &call.values);
    let decided = learning.decision(decision)?;
    let outcome = OutcomeText {
        key: values.text("outcome").map_or_else(|| decided.id.to_string(), str::to_owned),
        is_correct: values.flag("correct"),
        pnl: values.number("pnl"),
        class: word(call, "class", OutcomeClass::parse)?,
        lesson: values.text("lesson").map(str::to_owned),
    };
    of_decision(&learning.decision_close(decided.id.as_str(), &outcome, &owners(opened, call))?)
}

/// `GET …/roles`.
pub(super) fn roles(opened: &OpenAgent, call: &Call) -> Answered {
    let roles = opened.agent.learning.roles(&call.scope)?;
    Ok(Reply::json(&RolesV1 { roles: roles.iter().map(RoleV1::from).collect(), notices: unread(opened)? }))
}

/// `PUT …/roles/{name}`. A value that is left out stays.
pub(super) fn set_role(opened: &OpenAgent, call: &Call) -> Answered {
    let (learning, name) = (&opened.agent.learning, call.part("name").trim().to_owned());
    let known = learning.roles(&call.scope)?.into_iter().find(|role| role.name == name);
    let known = known.unwrap_or(Role { name, horizon_hours: 0, overdue_hours: OVERDUE_HOURS_DEFAULT });
    let hours = |name| call.values.whole(name).and_then(|hours| u32::try_from(hours).ok());
    let role = Role {
        horizon_hours: hours("horizon_hours").unwrap_or(known.horizon_hours),
        overdue_hours: hours("overdue_hours").unwrap_or(known.overdue_hours),
        name: known.name,
    };
    let learnt = learning.role_set(&role, &owners(opened, call))?;
    Ok(Reply::json(&LearntV1::new(&learnt, |role| RoleV1::from(role))))
}

/// `GET …/preferences`.
pub(super) fn preferences(opened: &OpenAgent, call: &Call) -> Answered {
    let state = word(call, "state", PreferenceState::parse)?;
    let preferences = opened.agent.learning.preferences(&call.scope, state)?;
    let preferences = preferences.iter().map(PreferenceV1::from).collect();
    Ok(Reply::json(&PreferencesV1 { preferences, notices: unread(opened)? }))
}

/// `POST …/preferences`.
pub(super) fn observe(opened: &OpenAgent, call: &Call) -> Answered {
    let session = call.values.text("session").map(SessionId::parse).transpose();
    let session = session.map_err(|error| Problem::new(Code::UsageBad, error.to_string()))?;
    let text = PreferenceText {
        dimension: word(call, "dimension", Dimension::parse)?.unwrap_or(Dimension::Topics),
        statement: call.values.text("text").unwrap_or_default().to_owned(),
    };
    of_preference(&opened.agent.learning.preference_see(&text, session, &owners(opened, call))?)
}

/// `POST …/preferences/{id}/activate`: what only a person does (X61).
pub(super) fn activate(opened: &OpenAgent, call: &Call) -> Answered {
    let person = call.caller.consent().ok_or_else(|| {
        let message = "Only the owner activates a preference.";
        Problem::new(Code::PolicyRefused, message)
    })?;
    of_preference(&opened.agent.learning.preference_activate(call.part("id"), &person)?)
}

/// `POST …/preferences/{id}/reject`.
pub(super) fn reject(opened: &OpenAgent, call: &Call) -> Answered {
    of_preference(&opened.agent.learning.preference_reject(call.part("id"), &owners(opened, call))?)
}

/// `POST …/preferences/{id}/archive`.
pub(super) fn archive(opened: &OpenAgent, call: &Call) -> Answered {
    of_preference(&opened.agent.learning.preference_archive(call.part("id"), &owners(opened, call))?)
}

fn owners(opened: &OpenAgent, call: &Call) -> WriteContext {
    call.caller.behalf(&opened.agent, &call.scope, "")
}

fn unread(opened: &OpenAgent) -> Result<Vec<NoticeV1>, Problem> {
    Ok(opened.agent.learning.learning_unread()?.iter().map(NoticeV1::from).collect())
}

/// A value that is one of some words; the row of the route allows no other.
fn word<T>(call: &Call, name: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Problem> {
    let Some(text) = call.values.text(name) else { return Ok(None) };
    let bad = || Problem::new(Code::UsageBad, format!("`{name}` has another value than the listed ones."));
    parse(text).map(Some).ok_or_else(bad)
}

fn of_method(learnt: &Learnt<Method>) -> Answered {
    Ok(Reply::json(&LearntV1::new(learnt, |method| MethodV1::from(method))))
}

fn of_decision(learnt: &Learnt<Decided>) -> Answered {
    Ok(Reply::json(&LearntV1::new(learnt, |decided| DecisionV1::from(decided))))
}

fn of_preference(learnt: &Learnt<Preference>) -> Answered {
    Ok(Reply::json(&LearntV1::new(learnt, |preference| PreferenceV1::from(preference))))
}
