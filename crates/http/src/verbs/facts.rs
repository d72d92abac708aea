//! Facts: list, add, and what only the owner does with one.

use inwit_engine::FactOutcome;
use inwit_engine::facts::{FACTS_MAX, FactEdit, FactFilter, NewFact, ShownFact};
use inwit_home::OpenAgent;
use inwit_model::fact::When;
use inwit_model::{Code, Scope};
use inwit_wire::tools::KeptV1;
use inwit_wire::tools::minara_facts::MemoriesV1;
use inwit_wire::{FactHistoryV1, FactV1, NoticeV1};

use super::Answered;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// Default number of facts.
const FACTS_DEFAULT: usize = 50;

/// `GET …/facts`. Text is masked; another scope than the owner's has none.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let (facts, values) = (&opened.agent.facts, &call.values);
    let limit = values.size("limit").unwrap_or(FACTS_DEFAULT);
    let category = values.text("category").map(str::to_owned);
    let answer = match values.text("q").filter(|query| !query.trim().is_empty()) {
        Some(query) => {
            let most = if category.is_some() { FACTS_MAX } else { limit };
            let mut found = facts.search_facts_masked(&call.scope, query, &When::default(), most)?;
            let is_wanted = |wanted: &String, fact: &ShownFact| fact.category.as_str() == wanted;
            found.facts.retain(|fact| category.as_ref().is_none_or(|wanted| is_wanted(wanted, fact)));
            found.facts.truncate(limit);
            let notices = found.notices().iter().map(NoticeV1::from).collect();
            MemoriesV1::new(&found.facts, found.by.map(|by| by.word()), notices)
        }
        None => {
            let filter = FactFilter { category, limit, ..FactFilter::default() };
            let (found, notices) = facts.facts_masked(&call.scope, &filter)?;
            MemoriesV1::new(&found, None, notices.iter().map(NoticeV1::from).collect())
        }
    };
    Ok(Reply::json(&answer))
}

/// `POST …/facts`.
pub(super) fn add(opened: &OpenAgent, call: &Call) -> Answered {
    of_the_owner(call)?;
    let values = &call.values;
    let fact = NewFact {
        text: values.text("text").unwrap_or_default(),
        category: values.text("category"),
        ..NewFact::default()
    };
    let behalf = call.caller.behalf(&opened.agent, &call.scope, call.reason());
    Ok(kept(&opened.agent.facts.fact_add(&fact, &behalf)?))
}

/// Refuses a change of what only scope `main` has. Error: `policy_refused`.
pub(super) fn of_the_owner(call: &Call) -> Result<(), Problem> {
    let message = "Facts belong to scope `main`; other scopes keep entries in their memory.";
    match call.scope {
        Scope::Main => Ok(()),
        _ => Err(Problem::new(Code::PolicyRefused, message)),
    }
}

/// `PATCH …/facts/{id}`.
pub(super) fn change(opened: &OpenAgent, call: &Call) -> Answered {
    let (facts, values) = (&opened.agent.facts, &call.values);
    let edit =
        FactEdit { text: values.text("text"), category: values.text("category"), ..FactEdit::default() };
    let behalf = call.caller.behalf(&opened.agent, &call.scope, call.reason());
    Ok(kept(&facts.fact_update(call.part("id"), &edit, &behalf)?))
}

/// `GET …/facts/{id}`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    let facts = &opened.agent.facts;
    let fact = facts.fact(call.part("id"))?;
    let before = facts.fact_versions(fact.id.as_str())?;
    Ok(Reply::json(&FactHistoryV1 {
        fact: FactV1::from(&fact),
        before: before.iter().map(FactV1::from).collect(),
        notices: facts.unread_notice(&Scope::Main)?.iter().map(NoticeV1::from).collect(),
    }))
}

/// `DELETE …/facts/{id}`.
pub(super) fn forget(opened: &OpenAgent, call: &Call) -> Answered {
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    Ok(kept(&opened.agent.facts.fact_forget(call.part("id"), &behalf)?))
}

/// `POST …/facts/{id}/restore`.
pub(super) fn restore(opened: &OpenAgent, call: &Call) -> Answered {
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    Ok(kept(&opened.agent.facts.fact_restore(call.part("id"), &behalf)?))
}

fn kept(outcome: &FactOutcome) -> Reply {
    Reply::json(&KeptV1::from(outcome))
}
