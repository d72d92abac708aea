//! What a session of anybody but the owner wants written: kept for the owner, answered blindly (D3).
//!
//! A room may ask for a line in a file that it may not see. Were the answer to depend on the file, the room
//! could learn by asking: what it holds, how long it is, whether it is there. So the words are judged by
//! themselves, a wish is known again by its words and its room, and what the file cannot take is refused in
//! one sentence, whatever the cause. Invariant: of two workspaces that differ in what the scope may not see,
//! both answer with the same words, unless one of them cannot take the change at all.

use std::sync::Arc;

use inwit_gate::{Why, heard, hold};
use inwit_model::{Code, Op, SafeName, Scope, Sha256};

use crate::remember::{self, Entry};
use crate::write::{Behalf, Outcome};
use crate::{Agent, EngineError};

/// What is wanted of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Offer<'a> {
    /// One entry more.
    Entry(Entry<'a>),
    /// Other bytes.
    Whole(&'a str),
}

impl Offer<'_> {
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

impl Agent {
    /// Keeps `offer` for the owner. Errors: what the words alone are refused for;
    /// `proposals_too_many`; `refused` where the file, whatever it holds, cannot take it.
    pub(crate) fn offer(
        &self,
        scope: &Scope,
        name: &SafeName,
        offer: &Offer<'_>,
        behalf: &Behalf,
    ) -> Result<Outcome, EngineError> {
        let words = offer.words(name)?;
        let findings = heard(&self.policy(), name, &words, behalf.taint)?;
        let blind = |error: EngineError| match error.code {
            Code::Locked | Code::MemoryUnavailable | Code::MemoryUnreadable | Code::MemoryIndexStale => error,
            _ => EngineError::new(Code::Refused, format!("`{name}` was not changed: it cannot take this.")),
        };
        let current = self.content(name).map_err(blind)?;
        let bytes = current.as_ref().map(|content| &*content.bytes);
        let op = offer.on(name, bytes).map_err(blind)?;
        let change = behalf.change(name.clone(), op, current.as_ref());
        // The owner's rules were heard above; held against the file they would tell of it.
        let mut held =
            hold(&self.policy_without_rules(), bytes, change).map_err(|refusal| blind(refusal.into()))?;
        let said = [format!("offered in {scope}\n{name}\n").as_bytes(), &words].concat();
        held.said = Some(Sha256::of(&said));
        match self.keep_proposal(held, bytes, scope)? {
            Outcome::Pending { id, name, .. } => Ok(Outcome::Pending { id, name, why: Why::Asked, findings }),
            done => Ok(done),
        }
    }
}
