//! Facts: statements as rows beside the files, with source and period.
//!
//! Facts belong to the owner's scope: other scopes have none, and their answers do not depend on facts (D3). Reading
//! order: [`input`] (validation), [`change`] (writing), [`proposed`] (waiting changes), [`look`] (reading), [`seen`]
//! (masking for models), [`near`] (facts beside notes), [`rank`], [`unread`] (unreadable rows), [`undo`], [`edges`]
//! (entities), [`meaning`] (embeddings), [`consolidate`] (consolidation).

mod change;
pub mod consolidate;
mod edges;
mod input;
mod look;
mod meaning;
mod near;
mod proposed;
mod rank;
pub(crate) mod seen;
mod undo;
pub(crate) mod unread;

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

pub use change::{FactEdit, FactOutcome, NewFact};
pub(crate) use edges::finder;
pub use edges::{ENTITIES_LISTED_MAX, NEIGHBORHOOD_DEPTH_MAX, NEIGHBORHOOD_STEP_MAX, Neighbor, Neighborhood};
pub use inwit_store::memory::{EdgesReplay, EntityCount};
pub use inwit_store::memory::{EmbeddingState, EmbeddingStates};
pub use inwit_store::memory::{FactFilter, FoundBy, ProfileEntry, Retirement};
pub use look::{FACTS_MAX, FactAnswer, RETIRED_MAX};
pub use meaning::{FACT_COSINE_MIN, FactVectorsReport};
pub use near::FACTS_BESIDE_MAX;
pub use seen::{ShownFact, ShownProfileEntry};
pub use undo::FactUndo;

use crate::notes::meaning::Meaning;
use crate::{Core, Notes};

/// Most facts that a notice lists; the rest is counted.
const NAMED_MAX: usize = 5;

/// The facts area of an agent.
pub struct Facts {
    pub(crate) core: Arc<Core>,
    pub(crate) notes: Arc<Notes>,
    /// The models of the notes, with a separate vector cache for facts.
    meaning: Option<Meaning>,
    /// Time of the last expiry check, in minutes since 1970.
    expiry_looked: AtomicI64,
}

impl Facts {
    /// The facts beside `notes`.
    pub(crate) fn new(notes: &Arc<Notes>, meaning: Option<Meaning>) -> Self {
        let (core, notes) = (Arc::clone(&notes.core), Arc::clone(notes));
        Self { core, notes, meaning, expiry_looked: AtomicI64::new(i64::MIN) }
    }
}
