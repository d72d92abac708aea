//! Requests of the agent to store something, with the session's taint.

use inwit_gate::Author;
use inwit_model::{Code, Scope};
use inwit_store::memory::Session;

use super::Wish;
use super::turn::words_of;
use crate::notes::blind_proposal::BlindProposal;
use crate::notes::remember::{self, Entry};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Sessions};

/// Most requests of one turn: each is judged and synced in sequence.
pub const TURN_WISHES_MAX: usize = 100;

/// The result of one request.
pub type Wished = Result<Outcome, EngineError>;

/// Refuses a turn with too many requests.
pub(super) fn countable(wishes: &[Wish]) -> Result<(), EngineError> {
    match wishes.len() {
        few if few <= TURN_WISHES_MAX => Ok(()),
        many => Err(EngineError::new(
            Code::UsageBad,
            format!(
                "The turn was rejected: it has {many} writes, and a turn may have at most \
                 {TURN_WISHES_MAX}. Combine related writes."
            ),
        )),
    }
}

impl Sessions {
    /// Carries out one request of a session's agent.
    pub(super) fn wish(&self, session: &Session, wish: &Wish) -> Wished {
        let behalf = |reason: &str| WriteContext {
            taint: Some(words_of(session)),
            session: Some(session.start.id.clone()),
            reason: self.core.agents_words(&session.start.scope, reason).into_owned(),
            ..WriteContext::of(Author::AGENT)
        };
        match wish {
            Wish::Remember { text, file, section, reason } => {
                let section = section.as_deref().unwrap_or(remember::SECTION_DEFAULT);
                let entry = Entry { text, section };
                if session.start.scope == Scope::Main {
                    return self.notes.remember(file.as_deref(), &entry, &behalf(reason));
                }
                // Which file exists is not revealed: the profile's own is used.
                let name = self.notes.named(Some(file.as_deref().unwrap_or(self.notes.memory_names()[0])))?;
                self.notes.offer(&session.start.scope, &name, &BlindProposal::Entry(entry), &behalf(reason))
            }
            Wish::Put { file, content, base, reason } => {
                let name = self.notes.named(Some(file))?;
                if session.start.scope == Scope::Main {
                    self.notes.is_unmasked(&session.start.scope, &name)?;
                    return self.notes.put(&name, content, *base, &behalf(reason));
                }
                self.notes.offer(&session.start.scope, &name, &BlindProposal::Whole(content), &behalf(reason))
            }
            Wish::Journal { text } => self.journal_note(session, text),
        }
    }
}
