//! A story: the answers of an agent while its files change.
//!
//! Calls are in order of time: first the agent's configuration (`profile`, `zone`, `at`), then edits and queries,
//! each query followed by assertions about its answer. Invariant: a query without an assertion fails the test, and so
//! does a story without `end`.

use std::fmt::Display;
use std::sync::Arc;

use inwit_engine::{Agent, AgentPorts, Bounds, Search};
use inwit_model::Scope;
use jiff::tz::TimeZone;

use crate::{FakeClock, Shelf};
use told::Told;

mod claim;
mod told;

/// Begins a story in the workspace of `fixture`.
#[track_caller]
pub fn story(fixture: &str) -> Story {
    let shelf = Arc::new(Shelf::of(fixture));
    let clock = Arc::new(FakeClock::at(crate::NOW));
    let parts = AgentPorts { clock: Arc::clone(&clock) as _, ..crate::parts(Arc::clone(&shelf) as _) };
    Story { shelf, clock, stage: Stage::Setting(Box::new(parts)), limit: 10, budget_chars: None, told: None }
}

/// A running story.
#[must_use = "a story that nobody ends proves nothing: close it with `.end()`"]
pub struct Story {
    shelf: Arc<Shelf>,
    clock: Arc<FakeClock>,
    stage: Stage,
    limit: usize,
    budget_chars: Option<usize>,
    told: Option<Told>,
}

/// The agent is created by the first step and stays the same to the end.
enum Stage {
    Setting(Box<AgentPorts>),
    Playing(Box<Agent>),
    /// Only during the conversion between the two.
    Changing,
}

/// Configuration of the agent.
impl Story {
    /// Behaves as the profile of this name.
    #[track_caller]
    pub fn profile(self, name: &str) -> Self {
        let profile = inwit_workspace::profile::named(name).unwrap_or_else(|| panic!("no profile `{name}`"));
        self.set(|parts| parts.profile = profile)
    }

    /// Uses this time zone.
    #[track_caller]
    pub fn zone(self, iana: &str) -> Self {
        let zone = TimeZone::get(iana).unwrap_or_else(|error| panic!("no zone `{iana}`: {error}"));
        self.set(|parts| parts.zone = zone)
    }

    #[track_caller]
    fn set(mut self, change: impl FnOnce(&mut AgentPorts)) -> Self {
        match &mut self.stage {
            Stage::Setting(parts) => change(parts),
            Stage::Playing(_) | Stage::Changing => panic!("who the agent is comes before what happens"),
        }
        self
    }
}

/// Steps.
impl Story {
    /// Sets the clock to `moment`.
    #[track_caller]
    pub fn at(self, moment: &str) -> Self {
        self.clock.set(moment);
        self
    }

    /// Writes a file, replacing existing content.
    #[track_caller]
    pub fn write(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.shelf.write(name, bytes);
        self
    }

    /// Removes a file.
    #[track_caller]
    pub fn remove(self, name: &str) -> Self {
        self.shelf.remove(name);
        self
    }

    /// Renames a file.
    #[track_caller]
    pub fn rename(self, from: &str, to: &str) -> Self {
        use inwit_model::Files as _;
        let content = self.shelf.read(&crate::name(from)).unwrap_or_else(|error| panic!("{error}"));
        self.write(to, &content.bytes).remove(from)
    }

    /// A file can no longer be read.
    #[track_caller]
    pub fn spoil(self, name: &str) -> Self {
        self.shelf.spoil(name);
        self
    }

    /// An unreadable file can be read again.
    #[track_caller]
    pub fn mend(self, name: &str) -> Self {
        self.shelf.mend(name);
        self
    }

    /// From now on searches return at most `limit` hits; default 10.
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// From now on answers may have `chars` characters.
    pub fn budget_chars(mut self, chars: usize) -> Self {
        self.budget_chars = Some(chars);
        self
    }

    /// Searches. The following assertions are about its answer.
    #[track_caller]
    pub fn search(mut self, scope: Scope, query: &str) -> Self {
        let (limit, budget_chars) = (self.limit, self.budget_chars);
        let outcome = self.agent().notes.search(&Search {
            query,
            scope: &scope,
            limit,
            budget_chars,
            bounds: Bounds::default(),
        });
        self.begin(Told::search(format!("search in {scope} for `{}`", crate::cli::short(query)), outcome))
    }

    /// Starts a session and gets its prompt. The following assertions are about it.
    #[track_caller]
    pub fn prompt(mut self, scope: Scope) -> Self {
        let outcome = self.agent().sessions.prompt(&scope);
        self.begin(Told::prompt(format!("prompt for {scope}"), outcome))
    }

    /// Ends the story.
    #[track_caller]
    pub fn end(self) {
        assert!(self.told.is_some(), "a story in which nobody asks proves nothing");
        self.settle();
    }

    /// The agent, for an operation that stories do not support.
    #[track_caller]
    pub fn agent(&mut self) -> &Agent {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Changing) {
            Stage::Setting(parts) => Stage::Playing(Box::new(Agent::new(*parts))),
            playing => playing,
        };
        match &self.stage {
            Stage::Playing(agent) => agent,
            Stage::Setting(_) | Stage::Changing => unreachable!("it was just put together"),
        }
    }

    /// Begins the next step; the last one must have had an assertion.
    #[track_caller]
    fn begin(mut self, told: Told) -> Self {
        self.settle();
        self.told = Some(told);
        self
    }

    #[track_caller]
    fn settle(&self) {
        if let Some(told) = &self.told {
            told.settle();
        }
    }

    /// The result under assertion.
    #[track_caller]
    fn claim(&mut self, claim: impl Display, of: impl FnOnce(&Told) -> bool) {
        let told = self.told.as_mut().expect("a claim needs a question or a prompt before it");
        told.claimed();
        assert!(of(told), "{claim}\n{told}");
    }
}
