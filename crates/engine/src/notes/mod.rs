//! The notes of an agent: how they are found and read; all writes go through it.
//!
//! Invariant: nothing is written that the gate did not approve.
//! Reading order: [`search`] with [`masked_snapshot`], [`diversity`] and [`why_not`]; [`meaning`] (vectors of passages), [`get`], [`timeline`], [`glance`]; then
//! [`mod@write`] (every write), [`inbox`] (what waits for a person), [`remember`], [`put`], [`revise`], [`blind_proposal`], [`mod@import`], [`undo`], [`restore`], [`accepted`]; and the forms of
//! what stands in them: [`journal`] (daily logs), [`heartbeat`] (the memo between sessions), [`trust`] (whose words they are), [`mod@line`], [`line_project`], [`bootstrap`].

mod accepted;
pub(crate) mod blind_proposal;
pub mod bootstrap;
pub mod diversity;
pub mod editor;
mod file_name;
pub mod get;
pub mod glance;
pub mod heartbeat;
pub mod import;
pub mod inbox;
pub mod journal;
pub mod line;
pub(crate) mod line_project;
mod masked_snapshot;
pub mod meaning;
mod put;
pub mod remember;
mod restore;
pub mod revise;
pub mod search;
pub mod timeline;
pub(crate) mod trust;
pub mod undo;
pub mod why_not;
pub mod write;

use std::sync::Arc;

use inwit_recall::Weights;

use crate::notes::meaning::{FillDoor, Meaning};
use crate::notes::search::ahead::ReadAhead;
use crate::{Core, History};

/// The notes of an agent.
pub struct Notes {
    pub(crate) core: Arc<Core>,
    pub(crate) history: Arc<History>,
    /// Searches by meaning, `None` where words alone answer.
    pub(crate) meaning: Option<Meaning>,
    /// What counts how much when passages are ranked.
    pub(crate) weights: Weights,
    /// Takes the turn to fill vectors, `None` where no other process can see them.
    pub(crate) fill_door: Option<FillDoor>,
    /// Whether searches are remembered, so that dreams can tell what matters.
    pub(crate) records_recall: bool,
    read_ahead: ReadAhead,
}

impl Notes {
    /// Those of `history`'s agent.
    pub(crate) fn new(
        history: &Arc<History>,
        meaning: Option<Meaning>,
        weights: Weights,
        fill_door: Option<FillDoor>,
        records_recall: bool,
    ) -> Self {
        let (core, history) = (Arc::clone(&history.core), Arc::clone(history));
        let read_ahead = ReadAhead::default();
        Self { core, history, meaning, weights, fill_door, records_recall, read_ahead }
    }
}
