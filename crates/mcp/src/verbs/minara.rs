//! Minara's `memory_write`, `memory_search`, `memory_read`, `memory_learn`, over facts.

use inwit_engine::facts::{FactFilter, NewFact, ShownFact};
use inwit_engine::{FactOutcome, Notice};
use inwit_wire::ToolErrorV1;
use inwit_wire::tools::Arguments;
use inwit_wire::tools::minara_facts::{MemoriesV1, MemoryKeptV1};

use super::keep::after_write;
use super::look::when;
use super::{told, with_notices};
use crate::call::{Answered, usage};
use crate::connection::Connection;
use crate::hints::value;

pub(super) fn write(connection: &Connection, said: &Arguments) -> Answered {
    kept(connection, said, said.text("category"))
}

/// A lesson is an ordinary memory: the reader applies it.
pub(super) fn learn(connection: &Connection, said: &Arguments) -> Answered {
    kept(connection, said, Some("lesson"))
}

pub(super) fn search(connection: &Connection, said: &Arguments) -> Answered {
    let limit = said.size("limit").unwrap_or(1);
    let query = said.text("query").unwrap_or_default();
    let found = connection.agent.facts.search_facts_masked(
        &connection.scope,
        query,
        &when(connection, said)?,
        limit,
    )?;
    let by = found.by.map(|by| by.word());
    let answer = MemoriesV1::new(&found.facts, by, told(&found.notices()));
    Ok((value(&answer), with_notices(&answer.notices, lines(&found.facts))))
}

pub(super) fn read(connection: &Connection, said: &Arguments) -> Answered {
    let (facts, notices) = newest(connection, said.text("category"), said.size("limit").unwrap_or(1))?;
    let answer = MemoriesV1::new(&facts, None, told(&notices));
    Ok((value(&answer), with_notices(&answer.notices, lines(&facts))))
}

/// The newest facts of the connection's scope, and their masked parts.
pub(super) fn newest(
    connection: &Connection,
    category: Option<&str>,
    limit: usize,
) -> Result<(Vec<ShownFact>, Vec<Notice>), ToolErrorV1> {
    let filter = FactFilter { category: category.map(str::to_owned), limit, ..FactFilter::default() };
    Ok(connection.agent.facts.facts_masked(&connection.scope, &filter)?)
}

/// Adds a fact for the agent, whose text is untrusted.
pub(super) fn add(
    connection: &Connection,
    fact: &NewFact<'_>,
    reason: Option<&str>,
) -> Result<FactOutcome, ToolErrorV1> {
    if connection.scope != inwit_model::Scope::Main {
        let hint = "Use kind memory instead: this scope keeps its notes there.";
        return Err(usage("Only the owner's own agent can keep facts.", hint));
    }
    Ok(connection.agent.facts.fact_add(fact, &connection.behalf(reason))?)
}

fn kept(connection: &Connection, said: &Arguments, category: Option<&str>) -> Answered {
    let metadata = said.object_line("metadata");
    // The gate decides which of the claimed sources is accepted.
    let source = said.text_in("metadata", "source");
    let text = said.text("content").unwrap_or_default();
    let fact = NewFact { text, category, metadata, source, ..NewFact::default() };
    let outcome = add(connection, &fact, None)?;
    let kept = MemoryKeptV1::new(&outcome, after_write(connection));
    Ok((value(&kept), with_notices(&kept.notices, kept.message.clone())))
}

/// Facts for a reader, one per line.
pub(super) fn lines(facts: &[ShownFact]) -> String {
    if facts.is_empty() {
        return "No matching memory.".to_owned();
    }
    let line = |fact: &ShownFact| format!("{} [{}] {}", fact.number, fact.category, fact.content);
    facts.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inwit_engine::self_report::Whereabouts;
    use inwit_engine::{Agent, WriteContext};
    use inwit_gate::Author;
    use inwit_model::{Files, Scope};
    use inwit_testkit::{fixture, owner, parts, room};
    use inwit_wire::tools;
    use inwit_wire::tools::Set;
    use serde_json::json;

    use super::*;
    use crate::verbs::ask;

    /// These tools are not offered in other scopes; if called anyway, they see no rows and write none.
    #[test]
    fn a_tool_over_facts_tells_and_takes_nothing_in_another_scope_by_itself() {
        for scope in [room("kitchen"), Scope::Shared, Scope::Subagent, Scope::Scheduled] {
            let agent = Agent::new(parts(Arc::new(fixture::mem("//- SOUL.md\nI bake.\n")) as Arc<dyn Files>));
            let fact = NewFact { text: "Bo prefers rye toast", ..NewFact::default() };
            agent.facts.fact_add(&fact, &WriteContext::of(Author::owner(&owner()))).expect("kept");
            let whereabouts =
                Whereabouts { agent_id: "ada".into(), model: None, workspace_dir: "/srv/ada".into() };
            let connection = Connection::new(agent, whereabouts, scope.clone());
            for (name, sent) in [
                ("memory_search", json!({ "query": "rye" })),
                ("memory_read", json!({})),
                ("memory_write", json!({ "category": "fact", "content": "x" })),
                ("memory_learn", json!({ "content": "x" })),
            ] {
                let tool = tools::all().find(|tool| tool.set == Set::Minara && tool.name == name);
                let tool = tool.expect("a row");
                let said = Arguments::read(name, tool.params, sent.as_object().expect("named"));
                match ask(&connection, tool, &said.expect("arguments")) {
                    Ok((answer, text)) => {
                        assert_eq!(answer["memories"], json!([]), "{scope}: {name}");
                        assert_eq!(text, "No matching memory.", "{scope}: {name}");
                    }
                    Err(refused) => assert!(tool.writes() && refused.error.code == "usage_bad", "{name}"),
                }
            }
            assert_eq!(connection.agent.notes.inbox(false).expect("an inbox").len(), 0, "{scope}");
        }
    }
}
