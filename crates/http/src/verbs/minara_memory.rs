//! Minara's memories: the facts of category `personalization`, in its envelope (M22, M24, M25, M40).
//!
//! Invariant: a memory is changed or removed here only if its owner wrote it there (M24), also by a person, since a user
//! of that API expects every other one to be read-only.

use inwit_engine::FactOutcome;
use inwit_engine::facts::{FACTS_MAX, FactEdit, FactFilter, NewFact};
use inwit_home::OpenAgent;
use inwit_model::Code;
use inwit_model::fact::FactSource;
use inwit_wire::NoticeV1;
use inwit_wire::foreign_api::{
    MinaraChangedV1, MinaraMemoryPatchV1, MinaraMemoryPostV1, MinaraMemoryV1, MinaraV1,
};
use inwit_wire::tools::KeptV1;
use inwit_wire::tools::minara_facts::MemoriesV1;
use serde_json::{Map, Value};

use super::Answered;
use super::facts::of_the_owner;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// The category of everything that a user adds.
pub(super) const CATEGORY: &str = "personalization";

/// Most tickers of one memory.
const TICKERS_MAX: usize = 100;

/// Longest type or ticker, in characters.
const WORD_CHARS_MAX: usize = 64;

/// Default number of memories.
const MEMORIES_DEFAULT: usize = 50;

/// `GET /v1/memory`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let limit = call.values.size("limit").unwrap_or(MEMORIES_DEFAULT).min(FACTS_MAX);
    let filter = FactFilter { category: Some(CATEGORY.to_owned()), limit, ..FactFilter::default() };
    let (facts, notices) = opened.agent.facts.facts_masked(&call.scope, &filter)?;
    let data = MemoriesV1::new(&facts, None, notices.iter().map(NoticeV1::from).collect());
    Ok(Reply::json(&MinaraV1 { ok: true, data }))
}

/// `POST /v1/memory`.
pub(super) fn add(opened: &OpenAgent, call: &Call) -> Answered {
    let input: MinaraMemoryPostV1 = call.shape()?;
    of_the_owner(call)?;
    let metadata = metadata(None, input.fact_type, input.tickers)?;
    let fact = NewFact { text: &input.statement, category: Some(CATEGORY), metadata, ..NewFact::default() };
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    let outcome = opened.agent.facts.fact_add(&fact, &behalf)?;
    let KeptV1 { proposal, why, .. } = KeptV1::from(&outcome);
    let id = match &outcome {
        FactOutcome::Written { fact, .. } | FactOutcome::Unchanged(fact) => Some(fact.number),
        _ => None,
    };
    Ok(Reply::json(&MinaraMemoryV1 { ok: true, id, why: why.filter(|_| proposal.is_some()), proposal }))
}

/// `PATCH /v1/memory/{id}`.
pub(super) fn change(opened: &OpenAgent, call: &Call) -> Answered {
    let input: MinaraMemoryPatchV1 = call.shape()?;
    let fact = own(opened, call)?;
    if input.statement.is_none() && input.fact_type.is_none() && input.tickers.is_none() {
        let message = "Send `statement`, `fact_type` or `tickers`.";
        return Err(Problem::new(Code::UsageBad, message));
    }
    let is_typed = input.fact_type.is_some() || input.tickers.is_some();
    let metadata = metadata(fact.metadata.as_deref(), input.fact_type, input.tickers)?;
    let edit = FactEdit {
        text: input.statement.as_deref(),
        metadata: is_typed.then_some(metadata),
        ..FactEdit::default()
    };
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    let outcome = opened.agent.facts.fact_update(&fact.id, &edit, &behalf)?;
    changed(MinaraChangedV1 { updated: Some(matches!(outcome, FactOutcome::Written { .. })), ..ok() })
}

/// `DELETE /v1/memory/{id}`.
pub(super) fn remove(opened: &OpenAgent, call: &Call) -> Answered {
    let fact = own(opened, call)?;
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    let outcome = opened.agent.facts.fact_forget(&fact.id, &behalf)?;
    changed(MinaraChangedV1 { deleted: Some(!matches!(outcome, FactOutcome::Unchanged(_))), ..ok() })
}

/// `POST /v1/memory/{id}/restore`.
pub(super) fn restore(opened: &OpenAgent, call: &Call) -> Answered {
    of_the_owner(call)?;
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    let outcome = opened.agent.facts.fact_restore(number(call)?, &behalf)?;
    changed(MinaraChangedV1 { restored: Some(!matches!(outcome, FactOutcome::Unchanged(_))), ..ok() })
}

/// A memory that may be changed here.
struct Own {
    id: String,
    metadata: Option<String>,
}

/// The memory in the address, if its owner wrote it there. Errors: `fact_unknown`, `policy_refused`.
fn own(opened: &OpenAgent, call: &Call) -> Result<Own, Problem> {
    of_the_owner(call)?;
    let fact = opened.agent.facts.fact(number(call)?)?;
    if fact.source != FactSource::UserManual || fact.text.category.as_str() != CATEGORY {
        let message = "Only memories that you added yourself are changed here.";
        return Err(Problem::new(Code::PolicyRefused, message));
    }
    Ok(Own { id: fact.id.to_string(), metadata: fact.text.metadata })
}

/// The number in the address; parts of other ids are unknown here.
fn number(call: &Call) -> Result<&str, Problem> {
    let id = call.part("id");
    let unknown = || {
        let shown = inwit_model::name::shown(id);
        Problem::new(Code::FactUnknown, format!("There is no memory `{shown}`."))
    };
    (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(id).ok_or_else(unknown)
}

/// The metadata with this type and these tickers; others stay. Error: `usage_bad`.
fn metadata(
    known: Option<&str>,
    fact_type: Option<String>,
    tickers: Option<Vec<String>>,
) -> Result<Option<String>, Problem> {
    let words = fact_type.iter().chain(tickers.iter().flatten());
    let is_word = |word: &String| {
        (1..=WORD_CHARS_MAX).contains(&word.chars().count()) && !word.chars().any(char::is_control)
    };
    if !words.into_iter().all(is_word) || tickers.as_ref().is_some_and(|all| all.len() > TICKERS_MAX) {
        let message = format!(
            "`fact_type` and each of at most {TICKERS_MAX} `tickers` have 1 to {WORD_CHARS_MAX} characters."
        );
        return Err(Problem::new(Code::UsageBad, message));
    }
    let known = known.and_then(|known| serde_json::from_str::<Map<String, Value>>(known).ok());
    let mut metadata = known.unwrap_or_default();
    if let Some(fact_type) = fact_type {
        metadata.insert("fact_type".to_owned(), fact_type.into());
    }
    if let Some(tickers) = tickers {
        metadata.insert("tickers".to_owned(), tickers.into());
    }
    Ok((!metadata.is_empty()).then(|| Value::from(metadata).to_string()))
}

fn ok() -> MinaraChangedV1 {
    MinaraChangedV1 { ok: true, updated: None, deleted: None, restored: None }
}

fn changed(answer: MinaraChangedV1) -> Answered {
    Ok(Reply::json(&answer))
}
