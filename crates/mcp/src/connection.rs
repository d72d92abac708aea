//! A connection: one agent, one scope, some sets of tools.
//!
//! Invariant: all of it is fixed when the process starts. The list of tools depends on nothing else, so it has the
//! same bytes each time.

use std::sync::Arc;

use inwit_engine::core::project::ProjectFolder;
use inwit_engine::idle::Idle;
use inwit_engine::self_report::{SessionLogs, Whereabouts};
use inwit_engine::{Agent, Notice, WriteContext};
use inwit_model::{Scope, SessionId, Taint, TraceId};
use inwit_wire::tools::{self, Set, ToolSpec};

/// Work after a write, such as copies and history; returns notices about failures.
pub type AfterWrite = Box<dyn Fn() -> Vec<Notice> + Send + Sync>;

/// One connection.
pub struct Connection {
    /// The agent.
    pub agent: Arc<Agent>,
    /// Values that only the composition root has.
    pub whereabouts: Whereabouts,
    /// Who is listening.
    pub scope: Scope,
    /// The offered sets; no two share a tool name.
    pub sets: Vec<Set>,
    /// The allowed tools, by name; `None` for all (N27).
    pub allowed: Option<Vec<String>>,
    /// Transcripts, `None` if there are none.
    pub logs: Option<SessionLogs>,
    /// The client's session, if the process was started with one (N26).
    pub session: Option<SessionId>,
    /// The client's working folder.
    pub project: Option<ProjectFolder>,
    /// Whether the host adds passages to each prompt automatically.
    pub recalls_by_itself: bool,
    /// Whether missing vectors are filled while idle.
    pub fills: bool,
    /// Notices from the start of the connection.
    pub notices: Vec<Notice>,
    /// Its calls, for work while there are none.
    pub idle: Arc<Idle>,
    /// Work after a write.
    pub after_write: AfterWrite,
    /// The trace of the request over HTTP that this connection answers.
    pub trace: Option<TraceId>,
}

impl Connection {
    /// The same for an entry in the default place: text that the person just typed counts as theirs (D9). If the
    /// agent chose the place, file and section are the agent's text.
    pub fn behalf_of(&self, text: &str, reason: Option<&str>) -> WriteContext {
        let behalf = self.behalf(reason);
        let is_typed = self.scope == Scope::Main
            && self.project.as_ref().is_some_and(|folder| self.agent.sessions.was_typed(folder, text));
        if is_typed { WriteContext { taint: Some(Taint::Owner), ..behalf } } else { behalf }
    }

    /// The context of the connected agent, in its project. The project is created here: a name without a row could be
    /// taken by another folder, which would then see what is written under it.
    pub fn behalf(&self, reason: Option<&str>) -> WriteContext {
        let project = self.project.as_ref().and_then(|folder| self.agent.core.project(folder).ok());
        WriteContext { project, ..WriteContext::of_tool(&self.reason(reason)) }
    }

    /// A reason without known secrets.
    fn reason(&self, reason: Option<&str>) -> String {
        self.agent.core.agents_words(&self.scope, reason.unwrap_or_default()).into_owned()
    }

    /// The same for a dry run, which creates nothing.
    pub fn behalf_in_passing(&self, reason: Option<&str>) -> WriteContext {
        let project = self.project.as_ref().and_then(|folder| self.agent.core.project_in_passing(folder));
        WriteContext { project, ..WriteContext::of_tool(&self.reason(reason)) }
    }

    /// A connection with our own tools, without transcripts or work after a write.
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
            idle: Arc::default(),
            after_write: Box::new(Vec::new),
            trace: None,
        }
    }

    /// The offered tools, in table order: writing ones only if the scope has a memory, `session_logs` only if there
    /// are transcripts (N25), those of facts for the owner's agent only, and their writing ones only if an agent may
    /// write.
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

/// The sets named in `words`, by default our own. Error: an unknown set, or two sets with a common tool name.
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
