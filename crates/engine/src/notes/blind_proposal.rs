//! What a session of anybody but the owner wants written: kept for the owner, answered blindly (D3).
//!
//! A room may ask for a line in a file that it may not see. Were the answer to depend on the file, the room
//! could learn by asking: what it holds, how long it is, whether it is there. So the words are judged by
//! themselves, a wish is known again by its words and its room, and what the file cannot take waits all the same:
//! the owner finds it among those that were closed as conflicts. Invariant: two workspaces that differ in what the scope may not see both
//! answer with the same words.

use std::sync::Arc;

use inwit_gate::{Why, heard, hold};
use inwit_model::ports::Content;
use inwit_model::{Op, SafeName, Scope, Sha256};

use crate::notes::remember::{self, Entry};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Notes};

/// What is wanted of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlindProposal<'a> {
    /// One entry more.
    Entry(Entry<'a>),
    /// Other bytes.
    Whole(&'a str),
}

impl BlindProposal<'_> {
    /// The words alone, as they would stand in a file that holds nothing else. Error: `usage_bad`.
    fn words(&self, name: &SafeName) -> Result<Arc<[u8]>, EngineError> {
        match self {
            Self::Entry(entry) => remember::added(name, None, entry),
            Self::Whole(content) => Ok(content.as_bytes().into()),
        }
    }

    /// The change of the file that is there.
    fn on(&self, name: &SafeName, current: Option<&[u8]>) -> Result<Op, EngineError> {
        match self {
            Self::Entry(entry) => remember::added(name, current, entry).map(Op::Put),
            Self::Whole(content) => Ok(Op::Put(content.as_bytes().into())),
        }
    }
}

impl Notes {
    /// Keeps `offer` for the owner. Errors: what the words alone are refused for; `proposals_too_many`.
    pub(crate) fn offer(
        &self,
        scope: &Scope,
        name: &SafeName,
        offer: &BlindProposal<'_>,
        behalf: &WriteContext,
    ) -> Result<Outcome, EngineError> {
        let words = offer.words(name)?;
        let findings = heard(&self.core.policy(), name, &words, behalf.taint)?;
        // As it would be on the file that is there; as on none where that cannot be read, or cannot take it.
        let there = self.core.content(name).ok().flatten();
        let on = |current: Option<&Content>| {
            let bytes = current.map(|content| &*content.bytes);
            let change = behalf.change(name.clone(), offer.on(name, bytes)?, current);
            // The owner's rules were applied to the words above; applied to the file they would reveal what it holds.
            hold(&self.core.policy_without_rules(), bytes, change).map_err(EngineError::from)
        };
        let (mut held, bytes) = match on(there.as_ref()) {
            Ok(held) => (held, there.as_ref().map(|content| &*content.bytes)),
            Err(_) => (on(None)?, None),
        };
        let words = match offer {
            BlindProposal::Entry(_) => inwit_gate::usual_line(&words).into_bytes().into(),
            BlindProposal::Whole(_) => words,
        };
        let said = [format!("offered in {scope}\n{name}\n").as_bytes(), &words].concat();
        held.said = Some(Sha256::of(&said));
        match self.keep_proposal(held, bytes, scope)? {
            Outcome::Pending { id, name, .. } => Ok(Outcome::Pending { id, name, why: Why::Asked, findings }),
            done => Ok(done),
        }
    }
}
