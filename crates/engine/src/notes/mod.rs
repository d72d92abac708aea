//! Notes: search, reading, and all writes.
//!
//! Invariant: nothing is written without the gate's approval. Reading order: [`search`] with [`masked_snapshot`],
//! [`diversity`] and [`why_not`]; [`meaning`] (embeddings), [`get`], [`timeline`], [`glance`]; then [`mod@write`]
//! (every write), [`inbox`], [`remember`], [`put`], [`revise`], [`blind_proposal`], [`mod@import`], [`undo`],
//! [`restore`], [`accepted`]; and formats: [`journal`], [`heartbeat`], [`trust`] (taint), [`mod@line`],
//! [`line_project`], [`bootstrap`].

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

use inwit_model::Reranker;
use inwit_recall::Weights;

use crate::notes::meaning::{FillDoor, Meaning};
use crate::notes::search::ahead::ReadAhead;
use crate::{Core, History};

/// The notes area of an agent.
pub struct Notes {
    pub(crate) core: Arc<Core>,
    pub(crate) history: Arc<History>,
    /// Search by embeddings, `None` for words only.
    pub(crate) meaning: Option<Meaning>,
    /// Orders the first results of a search, `None` for the order of the ranking.
    pub(crate) reranker: Option<Arc<dyn Reranker>>,
    /// Weights of the ranking.
    pub(crate) weights: Weights,
    /// The lock for filling vectors, `None` if no other process can see them.
    pub(crate) fill_door: Option<FillDoor>,
    /// Whether searches are recorded, as input for dreams.
    pub(crate) records_recall: bool,
    read_ahead: ReadAhead,
}

impl Notes {
    /// The notes of `history`'s agent.
    pub(crate) fn new(
        history: &Arc<History>,
        meaning: Option<Meaning>,
        reranker: Option<Arc<dyn Reranker>>,
        weights: Weights,
        fill_door: Option<FillDoor>,
        records_recall: bool,
    ) -> Self {
        let (core, history) = (Arc::clone(&history.core), Arc::clone(history));
        let read_ahead = ReadAhead::default();
        Self { core, history, meaning, reranker, weights, fill_door, records_recall, read_ahead }
    }
}
