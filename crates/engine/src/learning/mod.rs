//! What an agent learns by itself: which passages were useful, what works, and what dreams carry into lasting memory.
//!
//! Invariant: every promotion follows a rule that is reported.
//! Reading order: [`feedback`] (what was useful), [`outcome`] (methods, decisions and preferences); [`dream`] (pure rules), [`recalled`] (what hooks
//! laid aside), [`dreaming`] (a pass).

pub mod dream;
pub mod dreaming;
pub mod feedback;
pub mod outcome;
mod recalled;

use std::sync::Arc;

use inwit_model::DreamEngine;

use crate::learning::dreaming::DreamDoor;
use crate::{Core, Facts, History, Notes};

/// What an agent learns.
pub struct Learning {
    pub(crate) core: Arc<Core>,
    history: Arc<History>,
    pub(crate) notes: Arc<Notes>,
    pub(crate) facts: Arc<Facts>,
    /// Takes the lock of a dream, `None` where no other process can see the workspace.
    dream_door: Option<DreamDoor>,
    /// Which engines dream by themselves: what they have not dreamed of is not pruned (X59).
    pub(crate) dream_engines: Vec<DreamEngine>,
}

impl Learning {
    /// What is learned from `facts` and the notes beside them.
    pub(crate) fn new(
        facts: &Arc<Facts>,
        dream_door: Option<DreamDoor>,
        dream_engines: Vec<DreamEngine>,
    ) -> Self {
        let (core, notes) = (Arc::clone(&facts.core), Arc::clone(&facts.notes));
        let history = Arc::clone(&notes.history);
        Self { core, history, notes, facts: Arc::clone(facts), dream_door, dream_engines }
    }
}
