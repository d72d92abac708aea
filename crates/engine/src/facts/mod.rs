//! Facts: one statement a row beside the files, with where it comes from and when it holds.
//!
//! Facts are the owner's own: no other scope has them, and what it is answered does not depend on them (D3).
//! Reading order: [`input`] (what a caller says), [`change`] (writing), [`proposed`] (what waits for a person), [`look`] (reading), [`seen`] (what a model sees of it), [`near`] (what stands
//! beside notes), [`rank`], [`unread`] (rows that cannot be read), [`undo`], [`edges`] (what facts name), [`meaning`] (vectors of facts), [`consolidate`] (what
//! becomes of them).

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
pub use seen::ShownFact;
pub use undo::FactUndo;

use crate::notes::meaning::Meaning;
use crate::{Core, Notes};

/// Facts that a notice names; the rest is counted.
const NAMED_MAX: usize = 5;

/// The facts of an agent.
pub struct Facts {
    pub(crate) core: Arc<Core>,
    pub(crate) notes: Arc<Notes>,
    /// The models of the notes, for facts: what is laid out for passages is not for them.
    meaning: Option<Meaning>,
    /// When it last looked for what was forgotten long ago, in minutes since 1970.
    expiry_looked: AtomicI64,
}

impl Facts {
    /// Those beside `notes`.
    pub(crate) fn new(notes: &Arc<Notes>, meaning: Option<Meaning>) -> Self {
        let (core, notes) = (Arc::clone(&notes.core), Arc::clone(notes));
        Self { core, notes, meaning, expiry_looked: AtomicI64::new(i64::MIN) }
    }
}
