//! Learning: feedback about passages, methods and outcomes, and dreams.
//!
//! Invariant: every promotion follows a rule that is reported. Reading order: [`feedback`] (ratings), [`outcome`]
//! (methods, decisions and preferences); [`dream`] (pure rules), [`recalled`] (spooled recalls), [`dreaming`] (a
//! pass); [`review`] (pure rules about a model that reads sessions).

pub mod dream;
pub mod dreaming;
pub mod feedback;
pub mod outcome;
mod recalled;
pub mod review;

use std::sync::Arc;

use inwit_model::DreamEngine;

use crate::learning::dreaming::DreamDoor;
use crate::{Core, Facts, History, Notes};

/// The learning area of an agent.
pub struct Learning {
    pub(crate) core: Arc<Core>,
    history: Arc<History>,
    pub(crate) notes: Arc<Notes>,
    pub(crate) facts: Arc<Facts>,
    /// The lock of a dream, `None` if no other process can see the workspace.
    dream_door: Option<DreamDoor>,
    /// Engines that dream automatically: logs that they have not read are not pruned (X59).
    pub(crate) dream_engines: Vec<DreamEngine>,
}

impl Learning {
    /// Learning over `facts` and their notes.
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
