//! A change somebody wants, and the proof of who that is.
//!
//! Whoever writes hands one in; what it says of itself is not believed. An author can only be made
//! here, and the owner's only by somebody who holds a [`Person`] (D9). Invariant: a change names its
//! base, so that it can never stand on bytes its author did not read.

use inwit_model::{Actor, Op, ProposalId, ReceiptId, SafeName, SessionId, Sha256, Taint};

use crate::person::Person;

/// Who writes, as somebody could prove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author(Actor);

impl Author {
    /// The agent's model.
    pub const AGENT: Self = Self(Actor::Agent);
    /// A dream pass.
    pub const DREAM: Self = Self(Actor::Dream);
    /// inwit itself.
    pub const ENGINE: Self = Self(Actor::Engine);
    /// An importer.
    pub const IMPORT: Self = Self(Actor::Import);

    /// The owner, who is here.
    pub fn owner(_: &Person) -> Self {
        Self(Actor::Owner)
    }

    /// The author of something that was kept by name. Nobody becomes the owner that way: a kept
    /// `owner` is the agent, until a person approves it again.
    pub fn kept(actor: Actor) -> Self {
        match actor {
            Actor::Owner | Actor::External => Self::AGENT,
            other => Self(other),
        }
    }

    /// Its word.
    pub fn actor(self) -> Actor {
        self.0
    }
}

/// One change of one file.
#[derive(Debug, Clone)]
pub struct Change {
    /// Which file.
    pub target: SafeName,
    /// What is done to it.
    pub op: Op,
    /// The hash of the bytes it stands on; `None`: the file is not there.
    pub base: Option<Sha256>,
    /// Who.
    pub author: Author,
    /// From what.
    pub taint: Taint,
    /// In which session.
    pub session: Option<SessionId>,
    /// Why, in the author's words; shown apart, never believed.
    pub reason: String,
    /// The owner said that a secret may stay.
    pub allow_secret: bool,
    /// Which receipt it takes back.
    pub undoes: Option<ReceiptId>,
    /// Which proposal it carries out.
    pub proposal: Option<ProposalId>,
    /// Its words are marked by their hash, so that later prompts fence them: the one way in which tainted
    /// words come into a daily log without a person (D9).
    pub is_marked: bool,
    /// Who wrote the words, where the author lends them only their authority.
    pub words_of: Option<Actor>,
}

impl Change {
    /// A change with nothing said about where it comes from but its author: owners and the machine are
    /// trusted, everybody else is what a tool could have said.
    pub fn new(target: SafeName, op: Op, base: Option<Sha256>, author: Author) -> Self {
        let taint = match author.actor() {
            Actor::Owner => Taint::Owner,
            Actor::Dream | Actor::Engine => Taint::Agent,
            Actor::Agent | Actor::External => Taint::Tool,
            Actor::Import => Taint::Import,
        };
        Self {
            target,
            op,
            base,
            author,
            taint,
            session: None,
            reason: String::new(),
            allow_secret: false,
            undoes: None,
            proposal: None,
            is_marked: false,
            words_of: None,
        }
    }

    /// Says that its words are marked as not to be believed.
    pub fn marked(mut self, is_marked: bool) -> Self {
        self.is_marked = is_marked;
        self
    }

    /// Whose words they are: what receipts and `blame` say.
    pub fn writer(&self) -> Actor {
        self.words_of.unwrap_or(self.author.actor())
    }

    /// Says from what it was made. Only the engine knows, from the session it keeps.
    pub fn tainted(mut self, taint: Taint) -> Self {
        self.taint = taint;
        self
    }

    /// Says in which session.
    pub fn within(mut self, session: Option<SessionId>) -> Self {
        self.session = session;
        self
    }

    /// Says why.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }
}
