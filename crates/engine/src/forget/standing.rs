//! Finds erased texts that occur again, by salted hashes alone.

use std::collections::BTreeSet;

use inwit_store::memory::TombstoneSet;
use inwit_workspace::ScopedReader as _;

use super::ErasureRequest;
use crate::core::forgotten::{Matcher, TombstoneMatcher};
use crate::{Agent, EngineError};

/// Passes each piece of data beside an agent to a callback.
pub type Beside<'b> = dyn FnMut(&mut dyn FnMut(&[u8])) + 'b;

impl Agent {
    /// The tombstones of `wording`.
    pub fn grave_of(&self, wording: &Matcher) -> Result<TombstoneSet, EngineError> {
        let salt = self.core.memory()?.salt()?;
        Ok(TombstoneSet { salt, stones: wording.stones(&salt) })
    }

    /// All tombstones of this home.
    pub fn grave(&self) -> Result<TombstoneSet, EngineError> {
        let memory = self.core.memory()?;
        Ok(TombstoneSet { salt: memory.salt()?, stones: memory.tombstones()? })
    }

    /// Adds tombstones with this home's salt; `false` if the salt is another home's.
    pub fn bury_again(&self, grave: &TombstoneSet) -> Result<bool, EngineError> {
        let memory = self.core.memory()?;
        let is_ours = memory.salt()? == grave.salt;
        if is_ours {
            memory.bury(&grave.stones, self.core.clock.now())?;
        }
        Ok(is_ours)
    }

    /// Erased texts that occur in this agent's storage, as written there; `None` if there are none. Those of
    /// `rewritten` are also searched in, and removed from, the history; those of `kept` are not. `beside` passes data
    /// beside the agent, such as copies. Errors: those of reading.
    pub fn forgotten_that_stands(
        &self,
        rewritten: &TombstoneSet,
        kept: &TombstoneSet,
        beside: &mut Beside<'_>,
    ) -> Result<Option<ErasureRequest>, EngineError> {
        let (rewritten, kept) = (TombstoneMatcher::under(rewritten), TombstoneMatcher::under(kept));
        let written = |bytes: &[u8]| [rewritten.written_in(bytes), kept.written_in(bytes)];
        let mut all = [BTreeSet::new(), BTreeSet::new()];
        let mut find = |bytes: &[u8]| {
            all.iter_mut().zip(written(bytes)).for_each(|(all, found)| all.extend(found));
        };
        beside(&mut find);
        let holds = |bytes: &[u8]| written(bytes).iter().any(|found| !found.is_empty());
        self.each_kept(&holds, &mut find)?;
        let [mut of_rewritten, of_kept] = all;
        if !rewritten.stones.is_empty()
            && let Some(history) = self.history.history_kept()?
        {
            history.each_object(&mut |_, bytes| of_rewritten.extend(rewritten.written_in(bytes)))?;
        }
        Ok(ErasureRequest::confirmed(&of_rewritten, &of_kept))
    }

    /// `aim` with cut copies of its texts, for its tombstones: from this agent's storage, its history, and `beside`.
    /// Errors: those of reading.
    pub fn with_cut_copies(
        &self,
        aim: &ErasureRequest,
        beside: &mut Beside<'_>,
    ) -> Result<ErasureRequest, EngineError> {
        if !aim.wording.may_be_cut() {
            return Ok(aim.clone());
        }
        let mut copies = BTreeSet::new();
        let mut find = |bytes: &[u8]| copies.extend(aim.wording.cut_copies_in(bytes));
        beside(&mut find);
        self.each_kept(&|bytes| !aim.wording.cut_copies_in(bytes).is_empty(), &mut find)?;
        if let Some(history) = self.history.history_kept()? {
            history.each_object(&mut |_, bytes| find(bytes))?;
        }
        Ok(aim.clone().with_copies(&copies))
    }

    /// Passes the notes of this agent, and matching parts of its rows and transcripts.
    fn each_kept(
        &self,
        holds: &(dyn Fn(&[u8]) -> bool + Sync),
        show: &mut dyn FnMut(&[u8]),
    ) -> Result<(), EngineError> {
        let without = |bytes: &[u8]| holds(bytes).then(Vec::new);
        for name in self.core.workspace.private().list()?.entries.into_iter().map(|entry| entry.name) {
            if let Some(content) = self.forgettable(&name)? {
                show(&content.bytes);
            }
        }
        if let Some(memory) = self.core.memory_if_made()? {
            memory.standing(&without, &mut |_, value| show(value))?;
        }
        for (transcripts, id) in self.transcripts_of_all()? {
            for (_, line) in transcripts.holding(&id, &without)? {
                show(&line);
            }
        }
        Ok(())
    }

    /// Number of texts of `grave` in the history.
    pub fn forgotten_in_history(&self, grave: &TombstoneSet) -> Result<usize, EngineError> {
        let buried = TombstoneMatcher::under(grave);
        let mut stones = BTreeSet::new();
        if !buried.stones.is_empty()
            && let Some(history) = self.history.history_kept()?
        {
            history.each_object(&mut |_, bytes| {
                buried.each_in(&String::from_utf8_lossy(bytes), &mut |stone, _| {
                    stones.insert(stone);
                });
            })?;
        }
        Ok(stones.len())
    }
}
