//! A requested change, and the proof of its author.
//!
//! Every writer submits one; its own claims are not trusted. Authors are created only here, and the owner only from a
//! [`HumanConsent`] (D9). Invariant: a change names its base, so it never applies to content that its author did not
//! read.

use inwit_model::invisible::reveal_line;
use inwit_model::{Actor, Op, ProjectName, ProposalId, ReceiptId, SafeName, SessionId, Sha256, Taint};

use crate::person::HumanConsent;
use crate::secrets;

/// Longest stored reason, in characters.
pub const REASON_CHARS_MAX: usize = 300;

/// A proven author.
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

    /// The owner, present.
    pub fn owner(_: &HumanConsent) -> Self {
        Self(Actor::Owner)
    }

    /// The author of a stored record. It never becomes the owner: a stored `owner` counts as the agent until a person
    /// approves it again.
    pub fn kept(actor: Actor) -> Self {
        match actor {
            Actor::Owner | Actor::External => Self::AGENT,
            other => Self(other),
        }
    }

    /// The actor.
    pub fn actor(self) -> Actor {
        self.0
    }
}

/// One change of one file.
#[derive(Debug, Clone)]
pub struct Change {
    /// The file.
    pub target: SafeName,
    /// The operation.
    pub op: Op,
    /// Expected sha256 of the current content; `None`: the file must not exist.
    pub base: Option<Sha256>,
    /// The author.
    pub author: Author,
    /// The taint of the content.
    pub taint: Taint,
    /// The session, if any.
    pub session: Option<SessionId>,
    /// The project, if any.
    pub project: Option<ProjectName>,
    /// The author's reason, always in the form of [`reason_line`]; shown separately, never trusted.
    pub(crate) reason: String,
    /// The owner allowed a secret in it.
    pub allow_secret: bool,
    /// Whether its text is marked as untrusted, so that prompts fence it. Only log entries can be.
    pub marked: bool,
    /// The receipt that it undoes, if any.
    pub undoes: Option<ReceiptId>,
    /// The proposal that it carries out, if any.
    pub proposal: Option<ProposalId>,
    /// Who wrote the text, if not the author, who only authorises it.
    pub words_of: Option<Actor>,
}

impl Change {
    /// A change with the default taint of its author: owners and the engine are trusted, all others count as tool
    /// output.
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

    /// Who wrote the text, as receipts and `blame` show it.
    pub fn writer(&self) -> Actor {
        self.words_of.unwrap_or(self.author.actor())
    }

    /// Sets the taint. Only the engine knows it, from its session.
    pub fn tainted(mut self, taint: Taint) -> Self {
        self.taint = taint;
        self
    }

    /// Sets the session.
    pub fn within(mut self, session: Option<SessionId>) -> Self {
        self.session = session;
        self
    }

    /// Sets the reason, in the form of [`reason_line`].
    pub fn because(mut self, reason: impl AsRef<str>) -> Self {
        self.reason = reason_line(reason.as_ref());
        self
    }

    /// The author's reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// A reason in a safe form: one line, secrets redacted, invisible characters as `⟦U+…⟧`, at most [`REASON_CHARS_MAX`]
/// characters and then `…`. It cannot forge other lines on a screen or bypass a check. Applying it twice changes
/// nothing.
pub fn reason_line(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    // A multi-line key is found before joining the lines; one that was split by blanks, after.
    let whole = secrets::redact_for_model(text);
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = secrets::redact_for_model(&line);
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
        // Line breaks inside the header hide it until they become blanks.
        let (body, end) = ("P2/56wAAA7bq2hZ3x", "---- END SSH2 ENCRYPTED PRIVATE KEY ----");
        let torn = reason(&format!("---- BEGIN SSH2\n\tENCRYPTED PRIVATE KEY ----\n{body}\n{end}"));
        assert!(torn.contains("[REDACTED:") && !torn.contains(body), "{torn}");
    }
}
