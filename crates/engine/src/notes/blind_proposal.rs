//! Proposals from other scopes than the owner's: stored for the owner, answered without information (D3).
//!
//! A room may propose a line for a file that it may not see. If the answer depended on the file, the room could probe
//! its content, size or existence. So the text is judged alone, duplicates are recognised by text and room, and a
//! change that the file cannot take waits too: the owner finds it among the conflicts. Invariant: two workspaces that
//! differ only in hidden files give the same answer.

use std::sync::Arc;

use inwit_gate::{Why, heard, hold};
use inwit_model::ports::Content;
use inwit_model::{Op, SafeName, Scope, Sha256};

use crate::notes::remember::{self, Entry};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Notes};

/// The requested change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlindProposal<'a> {
    /// Appends an entry.
    Entry(Entry<'a>),
    /// Replaces the content.
    Whole(&'a str),
}

impl BlindProposal<'_> {
    /// The text alone, as in an otherwise empty file. Error: `usage_bad`.
    fn words(&self, name: &SafeName) -> Result<Arc<[u8]>, EngineError> {
        match self {
            Self::Entry(entry) => remember::added(name, None, entry),
            Self::Whole(content) => Ok(content.as_bytes().into()),
        }
    }

    /// The change of the actual file.
    fn on(&self, name: &SafeName, current: Option<&[u8]>) -> Result<Op, EngineError> {
        match self {
            Self::Entry(entry) => remember::added(name, current, entry).map(Op::Put),
            Self::Whole(content) => Ok(Op::Put(content.as_bytes().into())),
        }
    }
}

impl Notes {
    /// Stores `offer` for the owner. Errors: refusals of the text alone; `proposals_too_many`.
    pub(crate) fn offer(
        &self,
        scope: &Scope,
        name: &SafeName,
        offer: &BlindProposal<'_>,
        behalf: &WriteContext,
    ) -> Result<Outcome, EngineError> {
        let words = offer.words(name)?;
        let findings = heard(&self.core.policy(), name, &words, behalf.taint)?;
        // Based on the actual file, or on an empty one if it cannot be read or cannot take the change.
        let there = self.core.content(name).ok().flatten();
        let on = |current: Option<&Content>| {
            let bytes = current.map(|content| &*content.bytes);
            let change = behalf.change(name.clone(), offer.on(name, bytes)?, current);
            // The owner's rules were applied to the text above; applied to the file they would reveal its content.
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
