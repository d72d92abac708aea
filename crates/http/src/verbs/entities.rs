//! Entities of facts and their relations.

use inwit_engine::Notice;
use inwit_home::OpenAgent;
use inwit_model::FactStatus;
use inwit_wire::{EdgesV1, EntitiesV1, NeighborhoodV1};

use super::Answered;
use crate::call::Call;
use crate::reply::Reply;

/// Default number of entities.
const ENTITIES_DEFAULT: usize = 20;

/// `GET …/facts/{id}/edges`.
pub(super) fn edges(opened: &OpenAgent, call: &Call) -> Answered {
    let facts = &opened.agent.facts;
    let edges = facts.fact_edges(&call.scope, call.part("id"))?;
    let mut notices = Vec::new();
    if edges.is_empty() {
        let fact = facts.fact(call.part("id"))?;
        let hidden = match (fact.forgotten, fact.status) {
            (Some(_), _) => Some(("fact_forgotten", "was forgotten")),
            (None, FactStatus::Retired) => Some(("fact_retired", "is retired")),
            (None, _) => None,
        };
        notices.extend(hidden.map(|(code, how)| {
            let message = format!("That fact {how}, so its edges are hidden.");
            Notice::new(code, message, "Restore the fact to see its edges.")
        }));
    }
    Ok(Reply::json(&EdgesV1::noting(&edges, &notices)))
}

/// `GET …/entities`.
pub(super) fn top(opened: &OpenAgent, call: &Call) -> Answered {
    let limit = call.values.size("limit").unwrap_or(ENTITIES_DEFAULT);
    Ok(Reply::json(&EntitiesV1::from(opened.agent.facts.top_entities(&call.scope, limit)?.as_slice())))
}

/// `GET …/entities/{name}`.
pub(super) fn around(opened: &OpenAgent, call: &Call) -> Answered {
    let depth = call.values.whole("depth").and_then(|depth| u8::try_from(depth).ok()).unwrap_or(1);
    let found = opened.agent.facts.neighborhood(&call.scope, call.part("name"), depth)?;
    Ok(Reply::json(&NeighborhoodV1::from(&found)))
}
