//! Minara's profile: tags and a prompt of the user's own, kept as values of the user profile, and its memories.
//!
//! What only Minara's trading part fills is null: summaries of wallets are not of a workspace.

use inwit_engine::facts::{FactFilter, ShownFact, ShownProfileEntry};
use inwit_engine::{FactOutcome, ModelText};
use inwit_home::OpenAgent;
use inwit_model::{Code, time};
use inwit_wire::TextV1;
use inwit_wire::foreign_api::{
    MinaraChangedV1, MinaraProfileMemoryV1, MinaraProfilePutV1, MinaraProfileSettingsV1, MinaraProfileV1,
    MinaraPromptPutV1, MinaraPromptV1, MinaraTagPutV1, MinaraTagV1, MinaraTagValueShownV1, MinaraTagValueV1,
    MinaraTradingV1, MinaraV1,
};
use inwit_wire::tools::KeptV1;

use super::Answered;
use super::facts::of_the_owner;
use super::minara_memory::CATEGORY;
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// The key of the prompt.
const PROMPT: &str = "custom_prompt";

/// What the key of a tag begins with.
const TAG: &str = "tag.";

/// The tag with several values.
const MARKETS: &str = "markets";

/// What separates them.
const BETWEEN: &str = ", ";

/// Most memories of one answer.
const MEMORIES_MAX: usize = 50;

/// Most values of one change.
const VALUES_MAX: usize = 50;

/// `GET /v1/profile`.
pub(super) fn read(opened: &OpenAgent, call: &Call) -> Answered {
    answer(profile(opened, call)?)
}

/// `PUT /v1/profile`: values by key; null removes one.
pub(super) fn write(opened: &OpenAgent, call: &Call) -> Answered {
    let input: MinaraProfilePutV1 = call.shape()?;
    if input.values.is_empty() || input.values.len() > VALUES_MAX {
        return Err(Problem::new(Code::UsageBad, format!("`values` has 1 to {VALUES_MAX} keys.")));
    }
    if input.values.values().any(Option::is_none) {
        may_remove(call)?;
    }
    let mut proposals = Vec::new();
    for (key, value) in &input.values {
        proposals.extend(set(opened, call, key, value.as_deref())?);
    }
    answer(MinaraProfileV1 { proposals, ..profile(opened, call)? })
}

/// `DELETE /v1/profile`: one key, or everything.
pub(super) fn remove(opened: &OpenAgent, call: &Call) -> Answered {
    of_the_owner(call)?;
    let key = call.values.text("key");
    let known = opened.agent.facts.user_profile(&call.scope)?;
    let keys =
        known.iter().map(|entry| entry.key.as_str()).filter(|known| key.is_none_or(|key| key == *known));
    let mut deleted = 0;
    for key in keys {
        set(opened, call, key, None)?;
        deleted += 1;
    }
    Ok(Reply::json(&MinaraChangedV1 { ok: true, updated: None, deleted: Some(deleted > 0), restored: None }))
}

/// `PUT /v1/profile/tags/{name}`.
pub(super) fn tag(opened: &OpenAgent, call: &Call) -> Answered {
    let input: MinaraTagPutV1 = call.shape()?;
    let name = call.part("name");
    let missing = || Problem::new(Code::UsageBad, "`value` is missing: a text, a list, or null.");
    let value = match input.value.ok_or_else(missing)? {
        None => None,
        Some(MinaraTagValueV1::Text(text)) => Some(text),
        Some(MinaraTagValueV1::List(all)) => Some(listed(name, &all)?),
    };
    if value.is_none() {
        may_remove(call)?;
    }
    let proposal = set(opened, call, &format!("{TAG}{name}"), value.as_deref())?;
    let (known, _) = opened.agent.facts.user_profile_masked(&call.scope)?;
    let found = known.iter().find(|entry| entry.key.strip_prefix(TAG) == Some(name)).map(of_tag);
    let absent = MinaraTagV1 {
        name: TextV1::from(ModelText::made_of(&[], name)),
        value: None,
        source: "user",
        updated_at: None,
        proposal: None,
    };
    answer(MinaraTagV1 { proposal, ..found.unwrap_or(absent) })
}

/// `PUT /v1/profile/prompt`.
pub(super) fn prompt(opened: &OpenAgent, call: &Call) -> Answered {
    let input: MinaraPromptPutV1 = call.shape()?;
    let text = Some(input.text.as_str()).filter(|text| !text.trim().is_empty());
    if text.is_none() {
        may_remove(call)?;
    }
    let proposal = set(opened, call, PROMPT, text)?;
    let (known, _) = opened.agent.facts.user_profile_masked(&call.scope)?;
    answer(MinaraPromptV1 { custom_prompt: of_key(&known, PROMPT), proposal })
}

/// Whatever a caller removes is the owner's. Error: `access_denied`.
fn may_remove(call: &Call) -> Result<(), Problem> {
    call.caller.needs(inwit_wire::routes::RouteRight::Approve)
}

/// The values of a tag with several.
fn listed(name: &str, all: &[String]) -> Result<String, Problem> {
    let fits = name == MARKETS && !all.is_empty() && all.iter().all(|one| !one.contains(BETWEEN));
    let bad = || {
        let message = format!("Only `{MARKETS}` is a list; its values have no comma and blank.");
        Problem::new(Code::UsageBad, message)
    };
    fits.then(|| all.join(BETWEEN)).ok_or_else(bad)
}

/// Sets or removes a value; the proposal that it became.
fn set(opened: &OpenAgent, call: &Call, key: &str, value: Option<&str>) -> Result<Option<String>, Problem> {
    of_the_owner(call)?;
    let behalf = call.caller.behalf(&opened.agent, &call.scope, "");
    let facts = &opened.agent.facts;
    let outcome: FactOutcome = match value {
        Some(value) => facts.profile_set(key, value, &behalf)?,
        None => facts.profile_unset(key, &behalf)?,
    };
    Ok(KeptV1::from(&outcome).proposal)
}

fn profile(opened: &OpenAgent, call: &Call) -> Result<MinaraProfileV1, Problem> {
    let facts = &opened.agent.facts;
    let (known, _) = facts.user_profile_masked(&call.scope)?;
    let filter =
        FactFilter { category: Some(CATEGORY.to_owned()), limit: MEMORIES_MAX, ..FactFilter::default() };
    let (memories, _) = facts.facts_masked(&call.scope, &filter)?;
    Ok(MinaraProfileV1 {
        trading_summary: MinaraTradingV1 { platform_wallet_summary: None, reference_wallets_summary: None },
        memories: memories.iter().map(of_memory).collect(),
        tags: known.iter().filter(|entry| entry.key.starts_with(TAG)).map(of_tag).collect(),
        custom_prompt: of_key(&known, PROMPT),
        settings: MinaraProfileSettingsV1 {
            include_memories: true,
            include_trading_summary: true,
            include_tags: true,
        },
        proposals: Vec::new(),
    })
}

fn of_memory(fact: &ShownFact) -> MinaraProfileMemoryV1 {
    let metadata =
        fact.metadata.as_deref().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
    let fact_type = metadata.as_ref().and_then(|metadata| metadata["fact_type"].as_str());
    let subcategory = match (fact_type, &fact.metadata) {
        (Some(fact_type), Some(metadata)) => ModelText::made_of(&[metadata], fact_type),
        _ => ModelText::own(CATEGORY),
    };
    MinaraProfileMemoryV1 {
        id: fact.number,
        statement: TextV1::from(&fact.content),
        subcategory: TextV1::from(subcategory),
        created_at: time::json(fact.created),
    }
}

fn of_tag(entry: &ShownProfileEntry) -> MinaraTagV1 {
    let name = entry.key.strip_prefix(TAG).unwrap_or(&entry.key);
    let part = |text: &str| TextV1::from(ModelText::made_of(&[&entry.value], text));
    let value = match name {
        MARKETS => MinaraTagValueShownV1::List(entry.value.split(BETWEEN).map(part).collect()),
        _ => MinaraTagValueShownV1::Text(TextV1::from(&entry.value)),
    };
    MinaraTagV1 {
        name: TextV1::from(ModelText::made_of(&[&entry.key], name)),
        value: Some(value),
        source: "user",
        updated_at: Some(time::json(entry.updated)),
        proposal: None,
    }
}

fn of_key(known: &[ShownProfileEntry], key: &str) -> Option<TextV1> {
    known.iter().find(|entry| entry.key.as_str() == key).map(|entry| TextV1::from(&entry.value))
}

fn answer<T: serde::Serialize>(data: T) -> Answered {
    Ok(Reply::json(&MinaraV1 { ok: true, data }))
}
