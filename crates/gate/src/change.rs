//! A change somebody wants, and the proof of who that is.
//!
//! Whoever writes hands one in; what it says of itself is not believed. An author can only be made
//! here, and the owner's only by somebody who holds a [`HumanConsent`] (D9). Invariant: a change names its
//! base, so that it can never stand on bytes its author did not read.

use inwit_model::invisible::reveal_line;
use inwit_model::{Actor, Op, ProjectName, ProposalId, ReceiptId, SafeName, SessionId, Sha256, Taint};

use crate::person::HumanConsent;
use crate::secrets::{self, Tier};

/// Longest reason that is kept, in characters.
pub const REASON_CHARS_MAX: usize = 300;

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
    pub fn owner(_: &HumanConsent) -> Self {
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
    /// In which project.
    pub project: Option<ProjectName>,
    /// Why, in the author's words; shown apart, never believed. Always as [`reason_line`] leaves it.
    pub(crate) reason: String,
    /// The owner said that a secret may stay.
    pub allow_secret: bool,
    /// What it adds was marked as words that nobody vouches for, so that prompts fence it. Only the form of
    /// a log's entry can be.
    pub marked: bool,
    /// Which receipt it takes back.
    pub undoes: Option<ReceiptId>,
    /// Which proposal it carries out.
    pub proposal: Option<ProposalId>,
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
            project: None,
            reason: String::new(),
            allow_secret: false,
            marked: false,
            undoes: None,
            proposal: None,
            words_of: None,
        }
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

    /// Says why: one line of it, without secrets, as [`reason_line`] makes it.
    pub fn because(mut self, reason: impl AsRef<str>) -> Self {
        self.reason = reason_line(reason.as_ref());
        self
    }

    /// Why, in the author's words.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// A reason as it may be kept and shown: one line, secrets redacted, what no reader sees as `⟦U+…⟧`, at
/// most [`REASON_CHARS_MAX`] characters and then `…`. So it forges no line of the screen on which it
/// stands, and no check of the bytes can be walked around by it. What it left comes out again as it is.
pub fn reason_line(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    // A key of several lines is found as it stands; one that blanks had torn apart, once they are gone.
    let whole = secrets::redact(text, Tier::Quarantine);
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = secrets::redact(&line, Tier::Quarantine);
    let seen = reveal_line(&line);
    if seen.chars().count() <= REASON_CHARS_MAX {
        return seen;
    }
    seen.chars().take(REASON_CHARS_MAX - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::name;

    fn reason(text: &str) -> String {
        Change::new(name("MEMORY.md"), Op::Remove, None, Author::AGENT).because(text).reason
    }

    #[test]
    fn a_reason_is_one_line_that_a_reader_sees_whole() {
        assert_eq!(reason("she\n\nsaid\r\n\tso\u{2028}twice "), "she said so twice");
        assert_eq!(reason("a\u{202e}b\u{1b}c"), "a⟦U+202E⟧b⟦U+001B⟧c");
        let long = reason(&"word ".repeat(200));
        assert_eq!((long.chars().count(), long.chars().last()), (REASON_CHARS_MAX, Some('…')));
        assert_eq!(reason(&long), long);
    }

    #[test]
    fn a_reason_holds_no_secret() {
        let token = format!("glpat-{}", "Rk3xVb7QwZp1Nc8TyH2d");
        assert_eq!(reason(&format!("use\n{token} now")), "use [REDACTED:gitlab_token] now");
        // Line breaks inside the header hide it until they are blanks.
        let (body, end) = ("P2/56wAAA7bq2hZ3x", "---- END SSH2 ENCRYPTED PRIVATE KEY ----");
        let torn = reason(&format!("---- BEGIN SSH2\n\tENCRYPTED PRIVATE KEY ----\n{body}\n{end}"));
        assert!(torn.contains("[REDACTED:") && !torn.contains(body), "{torn}");
    }
}
