//! A story: what an agent answers while its files change under it.
//!
//! Words come in the order in which things happen: first who the agent is (`profile`, `zone`, `at`),
//! then edits and questions, each question followed by what is claimed of its answer. Invariant: a
//! question about which nothing is claimed fails the test, and so does a story that nobody ends.

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

/// A story that is being told.
#[must_use = "a story that nobody ends proves nothing: close it with `.end()`"]
pub struct Story {
    shelf: Arc<Shelf>,
    clock: Arc<FakeClock>,
    stage: Stage,
    limit: usize,
    budget_chars: Option<usize>,
    told: Option<Told>,
}

/// The agent is put together by the first deed and stays the same one to the end.
enum Stage {
    Setting(Box<AgentPorts>),
    Playing(Box<Agent>),
    /// Only while one is turned into the other.
    Changing,
}

/// Who the agent is.
impl Story {
    /// Behaves as the profile of this name.
    #[track_caller]
    pub fn profile(self, name: &str) -> Self {
        let profile = inwit_workspace::profile::named(name).unwrap_or_else(|| panic!("no profile `{name}`"));
        self.set(|parts| parts.profile = profile)
    }

    /// Counts its days in this zone.
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

/// What happens.
impl Story {
    /// The clock goes to `moment`.
    #[track_caller]
    pub fn at(self, moment: &str) -> Self {
        self.clock.set(moment);
        self
    }

    /// Somebody writes a file, over what was there.
    #[track_caller]
    pub fn write(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.shelf.write(name, bytes);
        self
    }

    /// Somebody takes a file away.
    #[track_caller]
    pub fn remove(self, name: &str) -> Self {
        self.shelf.remove(name);
        self
    }

    /// Somebody gives a file another name.
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

    /// A spoilt file can be read again.
    #[track_caller]
    pub fn mend(self, name: &str) -> Self {
        self.shelf.mend(name);
        self
    }

    /// From now on questions want at most `limit` hits; 10 when nothing is said.
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// From now on answers may hold `chars` characters.
    pub fn budget_chars(mut self, chars: usize) -> Self {
        self.budget_chars = Some(chars);
        self
    }

    /// Somebody asks. What is claimed next is claimed of the answer.
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

    /// A session begins and gets its prompt. What is claimed next is claimed of it.
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

    /// The agent, for a deed that has no word here yet.
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

    /// The next deed begins: of the last one something must have been claimed.
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

    /// What the claim being made is about.
    #[track_caller]
    fn claim(&mut self, claim: impl Display, of: impl FnOnce(&Told) -> bool) {
        let told = self.told.as_mut().expect("a claim needs a question or a prompt before it");
        told.claimed();
        assert!(of(told), "{claim}\n{told}");
    }
}
