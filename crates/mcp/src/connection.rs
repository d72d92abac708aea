//! Who is connected to what: one agent, one scope, some sets of tools.
//!
//! Invariant: all of it is said by whoever started the process, and stays until it ends. What is offered
//! depends on nothing but that, so the list of tools is the same bytes each time, in every scope.

use std::sync::Arc;

use inwit_engine::core::project::ProjectFolder;
use inwit_engine::self_report::{SessionLogs, Whereabouts};
use inwit_engine::{Agent, Notice, WriteContext};
use inwit_model::{Scope, SessionId, Taint};
use inwit_wire::tools::{self, Set, ToolSpec};

/// What is due after something was written, such as copies and history; gives what went wrong.
pub type AfterWrite = Box<dyn Fn() -> Vec<Notice> + Send + Sync>;

/// One connection.
pub struct Connection {
    /// The agent.
    pub agent: Arc<Agent>,
    /// What only the composition root knows of it.
    pub whereabouts: Whereabouts,
    /// Who is listening.
    pub scope: Scope,
    /// Which tools are offered; no two of them share a name.
    pub sets: Vec<Set>,
    /// The tools that may be offered, by name; `None` for all (N27).
    pub allowed: Option<Vec<String>>,
    /// What was said before; `None` where no transcripts are kept.
    pub logs: Option<SessionLogs>,
    /// The session in which the client talks, where whoever started the process said so (N26).
    pub session: Option<SessionId>,
    /// Where the client works.
    pub project: Option<ProjectFolder>,
    /// Whether the host puts passages before each prompt, so that nobody has to ask.
    pub recalls_by_itself: bool,
    /// Whether passages that have no vector yet get one while nobody asks.
    pub fills: bool,
    /// What the reader should know of how the connection began.
    pub notices: Vec<Notice>,
    /// What is done after a write.
    pub after_write: AfterWrite,
}

impl Connection {
    /// The same for an entry of the usual place: what the person typed a moment ago counts as theirs (D9). Where the
    /// agent chose the place, its name and its section are words of the agent's.
    pub fn behalf_of(&self, text: &str, reason: Option<&str>) -> WriteContext {
        let behalf = self.behalf(reason);
        let is_typed = self.scope == Scope::Main
            && self.project.as_ref().is_some_and(|folder| self.agent.sessions.was_typed(folder, text));
        if is_typed { WriteContext { taint: Some(Taint::Owner), ..behalf } } else { behalf }
    }

    /// On behalf of the agent at the other end, which works in its project. The project is made here: a name that is only
    /// foreseen could go to another folder, which would then be shown what is written under it.
    pub fn behalf(&self, reason: Option<&str>) -> WriteContext {
        let project = self.project.as_ref().and_then(|folder| self.agent.core.project(folder).ok());
        WriteContext { project, ..WriteContext::of_tool(&self.reason(reason)) }
    }

    /// A reason without secrets that a prompt named.
    fn reason(&self, reason: Option<&str>) -> String {
        self.agent.core.agents_words(&self.scope, reason.unwrap_or_default()).into_owned()
    }

    /// The same for a dry run, which makes nothing.
    pub fn behalf_in_passing(&self, reason: Option<&str>) -> WriteContext {
        let project = self.project.as_ref().and_then(|folder| self.agent.core.project_in_passing(folder));
        WriteContext { project, ..WriteContext::of_tool(&self.reason(reason)) }
    }

    /// A connection that offers our own tools, with no transcripts, and nothing to do after a write.
    pub fn new(agent: impl Into<Arc<Agent>>, whereabouts: Whereabouts, scope: Scope) -> Self {
        Self {
            agent: agent.into(),
            whereabouts,
            scope,
            sets: vec![Set::Default],
            allowed: None,
            logs: None,
            session: None,
            project: None,
            recalls_by_itself: false,
            fills: false,
            notices: Vec::new(),
            after_write: Box::new(Vec::new),
        }
    }

    /// The tools that are offered, in the order of the table: those that write only where the scope keeps
    /// something, `session_logs` only where transcripts are kept (N25), those of facts to the owner's own agent, and of
    /// those the ones that write only where an agent may.
    pub fn tools(&self) -> impl Iterator<Item = &'static ToolSpec> + '_ {
        let keeps = matches!(self.scope, Scope::Main | Scope::Room(_));
        let keeps_facts = self.agent.facts.agents_keep_facts(&self.scope);
        tools::all().filter(move |tool| {
            self.sets.contains(&tool.set)
                && self.allowed.as_ref().is_none_or(|allowed| allowed.iter().any(|name| name == tool.name))
                && (keeps || !tool.writes())
                && (self.logs.is_some() || !tool.verb.needs_transcripts())
                && (self.scope == Scope::Main || !tool.verb.needs_facts())
                && (keeps_facts || !tool.verb.keeps_facts())
        })
    }
}

/// The sets that `words` name, our own where they name none. Error: a sentence about a word that names no
/// set, or two sets that both have a tool of some name.
pub fn sets_named(words: &[String]) -> Result<Vec<Set>, String> {
    let mut sets: Vec<Set> = Vec::new();
    for word in words {
        let known = || Set::ALL.iter().map(|set| set.word()).collect::<Vec<_>>().join(", ");
        let set = Set::parse(word).ok_or_else(|| {
            format!("`{}` is not a tool set. The tool sets are {}.", inwit_model::name::shown(word), known())
        })?;
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    if sets.is_empty() {
        sets.push(Set::Default);
    }
    let mut offered: Vec<&ToolSpec> = Vec::new();
    for tool in tools::all().filter(|tool| sets.contains(&tool.set)) {
        if let Some(other) = offered.iter().find(|other| other.name == tool.name) {
            let (one, two) = (other.set.word(), tool.set.word());
            return Err(format!(
                "`{one}` and `{two}` both have a tool `{}`. Serve only one of them.",
                tool.name
            ));
        }
        offered.push(tool);
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(words: &[&str]) -> Result<Vec<Set>, String> {
        sets_named(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn sets_go_together_where_no_two_tools_share_a_name() {
        assert_eq!(named(&[]), Ok(vec![Set::Default]));
        assert_eq!(named(&["nexo", "mindroom", "nexo"]), Ok(vec![Set::Nexo, Set::Mindroom]));
        let why = named(&["default", "openclaw"]).expect_err("two searches");
        assert_eq!(why, "`default` and `openclaw` both have a tool `memory_search`. Serve only one of them.");
        assert!(named(&["hermes", "nexo"]).is_err(), "both have `memory`");
        assert!(
            named(&["other"])
                .expect_err("no set")
                .starts_with("`other` is not a tool set. The tool sets are default, nexo,")
        );
    }
}
