//! The table of MCP tools.
//!
//! Every interface with tools reads names, texts, schemas and hints here, and so does `docs/reference/mcp-tools.md`.
//! Aliases of other systems are ordinary rows: other names and shapes for the same engine operations. Reading order:
//! [`ToolSpec`], [`TOOLS`], [`param`] and [`input`] (inputs), [`shape`], [`answer`] and [`reading`] (outputs);
//! [`minara_facts`], [`openclaw`] and [`foreign`] (shapes of other systems).

pub mod answer;
pub mod foreign;
pub mod input;
pub mod minara_facts;
pub mod openclaw;
pub mod param;
pub mod reading;
pub mod shape;

mod aliases;
mod feedback;
mod minara;
mod own;

pub use answer::{KeptEntryV1, KeptV1, MomentV1, StatusForV1, TimelineV1, ToolErrorV1};
pub use input::Arguments;
pub use param::{Kind, Param};
pub use shape::{Field, Shape};

/// One tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolSpec {
    /// Its name in its set.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// When to use it and when not, as a model reads it.
    pub about: &'static str,
    /// What it does.
    pub verb: Verb,
    /// Which set it belongs to.
    pub set: Set,
    /// What a host may assume.
    pub hints: Hints,
    /// What it takes.
    pub params: &'static [Param],
    /// What it answers.
    pub answer: &'static [Field],
}

/// What a host may assume of a tool. None reaches beyond the agent's home, so none has an open world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// What it changes may be lost from view.
    pub destructive: bool,
    /// A second equal call changes nothing and answers the same.
    pub idempotent: bool,
}

impl Hints {
    /// It only looks.
    pub const LOOKS: Self = Self { read_only: true, destructive: false, idempotent: true };
    /// It adds. A second equal call adds again or answers `unchanged`.
    pub const ADDS: Self = Self { read_only: false, destructive: false, idempotent: false };
    /// It changes what stands there. A second equal call finds another text and fails.
    pub const CHANGES: Self = Self { read_only: false, destructive: true, idempotent: false };
}

inwit_model::words! {
    /// A set of names. A connection offers one, or several that share no name.
    Set {
        /// Our own.
        Default = "default",
        /// nexo's.
        Nexo = "nexo",
        /// MindRoom's.
        Mindroom = "mindroom",
        /// OpenClaw's.
        Openclaw = "openclaw",
        /// Hermes'.
        Hermes = "hermes",
        /// Minara's.
        Minara = "minara",
        /// Feedback on results, for hosts that know what came of them; beside another set.
        Feedback = "feedback",
    }
}

/// What a tool does: one road into the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "`engine` says it")]
pub enum Verb {
    Search,
    Get,
    Context,
    Remember,
    Update,
    Forget,
    Timeline,
    Status,
    Identity,
    SessionLogs,
    NexoMemory,
    WhoAmI,
    WhatDoIKnow,
    MyStats,
    MindroomWrite,
    OpenclawSearch,
    OpenclawGet,
    HermesMemory,
    FactWrite,
    FactSearch,
    FactRead,
    FactLearn,
    Feedback,
}

impl Verb {
    /// The verb of the engine behind it.
    pub fn engine(self) -> &'static str {
        match self {
            Self::Search => "search, facts_near, search_facts_masked, facts_masked",
            Self::OpenclawSearch => "search",
            Self::Get | Self::OpenclawGet => "get",
            Self::Context => "prompt",
            Self::Remember => "remember_in, journal_add, fact_add",
            Self::MindroomWrite => "remember_in, journal_add",
            Self::FactWrite | Self::FactLearn => "fact_add",
            Self::FactSearch => "search_facts_masked",
            Self::FactRead => "facts_masked",
            Self::Update | Self::Forget | Self::HermesMemory => "revise",
            Self::Timeline => "timeline",
            Self::Status => "glance",
            Self::Identity => "who_am_i, what_do_i_know, my_stats",
            Self::SessionLogs => "SessionLogs",
            Self::NexoMemory => "remember_in, search, revise",
            Self::WhoAmI => "who_am_i",
            Self::WhatDoIKnow => "what_do_i_know",
            Self::MyStats => "my_stats",
            Self::Feedback => "give_feedback",
        }
    }

    /// Whether it needs transcripts, so that it is offered only where they are kept (N25).
    pub fn needs_transcripts(self) -> bool {
        self == Self::SessionLogs
    }

    /// Whether all it does is with facts, so that it is offered to the owner's own agent alone (D3).
    pub fn needs_facts(self) -> bool {
        self.keeps_facts() || matches!(self, Self::FactSearch | Self::FactRead)
    }

    /// Whether all it does is to keep facts, so that it is offered only where an agent may.
    pub fn keeps_facts(self) -> bool {
        matches!(self, Self::FactWrite | Self::FactLearn)
    }
}

impl ToolSpec {
    /// Whether it may change something, so that it is offered only where a scope keeps things.
    pub fn writes(&self) -> bool {
        !self.hints.read_only
    }
}

/// Every tool, set by set, in the order in which they are offered.
pub const TOOLS: &[&[ToolSpec]] = &[
    own::TOOLS,
    aliases::NEXO,
    aliases::MINDROOM,
    aliases::OPENCLAW,
    aliases::HERMES,
    minara::MINARA,
    feedback::FEEDBACK,
];

/// Every tool of every set.
pub fn all() -> impl Iterator<Item = &'static ToolSpec> {
    TOOLS.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_in_a_set_and_every_row_is_filled_in() {
        for set in Set::ALL {
            let names: Vec<&str> = all().filter(|tool| tool.set == *set).map(|tool| tool.name).collect();
            assert!(!names.is_empty() && names.len() == BTreeSet::from_iter(&names).len(), "{names:?}");
            assert_eq!(Set::parse(set.word()), Some(*set));
        }
        for tool in all() {
            assert!(tool.about.ends_with('.') && tool.about.len() > 60, "{}", tool.name);
            let mut names = BTreeSet::new();
            for param in tool.params {
                assert!(param.about.ends_with('.'), "{}.{}", tool.name, param.name);
                let all = std::iter::once(&param.name).chain(param.synonyms);
                assert!(all.into_iter().all(|name| names.insert(*name)), "{}.{}", tool.name, param.name);
            }
            assert!(!tool.hints.read_only || !tool.hints.destructive, "{}", tool.name);
        }
    }

    #[test]
    fn the_names_of_other_systems_are_rows_over_the_same_verbs() {
        let names = |set| all().filter(move |tool| tool.set == set).map(|tool| tool.name).collect::<Vec<_>>();
        assert_eq!(names(Set::Nexo), ["memory", "who_am_i", "what_do_i_know", "my_stats", "session_logs"]);
        assert_eq!(names(Set::Mindroom), ["write_memory"]);
        assert_eq!(names(Set::Openclaw), ["memory_search", "memory_get"]);
        assert_eq!(names(Set::Hermes), ["memory"]);
        let minara = ["memory_write", "memory_search", "memory_read", "memory_learn"];
        assert_eq!(names(Set::Minara), minara);
        let own: BTreeSet<&str> = all()
            .filter(|tool| matches!(tool.set, Set::Default | Set::Feedback))
            .flat_map(|tool| tool.verb.engine().split(", "))
            .collect();
        for tool in all() {
            assert!(tool.verb.engine().split(", ").all(|verb| own.contains(verb)), "{}", tool.name);
        }
    }
}
