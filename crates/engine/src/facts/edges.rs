//! Edges of facts: those of one fact, the most mentioned entities, and the neighbourhood of one.
//!
//! Edges are derived from facts and belong to the owner's scope, like facts (D3). No model is used. Invariant: a
//! replay over complete edges writes nothing.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use inwit_gate::Check;
use inwit_model::{Code, Domain, Edge, Entity, EntityKind, Scope};
use inwit_recall::edges::edges;
use inwit_store::memory::{EdgesOf, EdgesReplay, EntityCount, Stated};

use crate::core::mask::{mask_of, masked_where};
use crate::{EngineError, Facts};

/// Most entities of one list.
pub const ENTITIES_LISTED_MAX: usize = 1_000;

/// Largest depth of a neighbourhood, in steps.
pub const NEIGHBORHOOD_DEPTH_MAX: u8 = 3;

/// Neighbours per entity and step: those that co-occur most often.
pub const NEIGHBORHOOD_STEP_MAX: usize = 20;

/// Facts per batch of a replay, so that other writers can proceed in between.
const REPLAY_BATCH_FACTS: usize = 2_000;

/// An entity and its neighbourhood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighborhood {
    /// The matching entities, with the number of facts that mention each.
    pub of: Vec<EntityCount>,
    /// Entities in the same facts, nearest first.
    pub around: Vec<Neighbor>,
}

/// A neighbour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbor {
    /// Distance in steps; 1: one fact mentions both.
    pub distance: u8,
    /// The entity, with the number of facts that mention it together with the previous one.
    pub count: EntityCount,
    /// The previous entity on the path.
    pub beside: Entity,
}

/// The extractor of edges for this domain. Secrets that the owner accepted are excluded: text that is masked in a
/// fact is in no edge.
pub(crate) fn finder(domain: Domain) -> EdgesOf {
    Arc::new(move |fact: &Stated<'_>| {
        let found = edges(domain, fact.content, fact.scenario);
        if found.is_empty() {
            return found;
        }
        let mut classes = BTreeSet::new();
        let masked = masked_where(fact.content, |finding| {
            let is_secret = finding.check == Check::Secret;
            if is_secret {
                classes.insert(finding.class.clone());
            }
            is_secret
        });
        match masked {
            Cow::Borrowed(_) => found,
            Cow::Owned(shown) => {
                let blank = |text: String, class: &String| text.replace(&mask_of(class), " ");
                edges(domain, &classes.iter().fold(shown, blank), fact.scenario)
            }
        }
    })
}

impl Facts {
    /// The edges of a fact, strongest type first; none for a forgotten fact or in other scopes. Errors:
    /// `fact_unknown`, `usage_bad` for an ambiguous part of an id.
    pub fn fact_edges(&self, scope: &Scope, part: &str) -> Result<Vec<Edge>, EngineError> {
        if *scope != Scope::Main {
            return Ok(Vec::new());
        }
        let fact = self.fact(part)?;
        Ok(self.core.memory()?.fact_edges(&fact.id)?)
    }

    /// The most mentioned entities, at most [`ENTITIES_LISTED_MAX`].
    pub fn top_entities(&self, scope: &Scope, limit: usize) -> Result<Vec<EntityCount>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.top_entities(limit.min(ENTITIES_LISTED_MAX))?),
            _ => Ok(Vec::new()),
        }
    }

    /// Number of edges.
    pub fn edge_count(&self, scope: &Scope) -> Result<u64, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.edge_count()?),
            _ => Ok(0),
        }
    }

    /// The neighbourhood of the entity that `text` names (`Ana`, `#baking`, `ticker:btc`), up to `depth` steps: at
    /// each step the [`NEIGHBORHOOD_STEP_MAX`] most frequent. Errors: `entity_unknown`.
    pub fn neighborhood(&self, scope: &Scope, text: &str, depth: u8) -> Result<Neighborhood, EngineError> {
        let unknown = || {
            let shown = inwit_model::name::shown(text);
            EngineError::new(Code::EntityUnknown, format!("No fact names `{shown}`."))
        };
        let memory = match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => memory,
            _ => return Err(unknown()),
        };
        let mut meant = Entity::meant(text);
        // A pair is not a step of a path: its parts are.
        meant.retain(|entity| entity.kind != EntityKind::Pair);
        let of = memory.known_entities(&meant)?;
        if of.is_empty() {
            return Err(unknown());
        }
        let mut seen: BTreeSet<Entity> = of.iter().map(|count| count.entity.clone()).collect();
        let mut waiting: VecDeque<(u8, Entity)> = of.iter().map(|count| (1, count.entity.clone())).collect();
        let mut around = Vec::new();
        while let Some((distance, beside)) = waiting.pop_front() {
            if distance > depth.min(NEIGHBORHOOD_DEPTH_MAX) {
                break;
            }
            for count in memory.entities_beside(&beside, NEIGHBORHOOD_STEP_MAX)? {
                if seen.insert(count.entity.clone()) {
                    waiting.push_back((distance + 1, count.entity.clone()));
                    around.push(Neighbor { distance, count, beside: beside.clone() });
                }
            }
        }
        Ok(Neighborhood { of, around })
    }

    /// Extracts the edges of all facts again and counts missing and obsolete ones; with `apply` adds and removes
    /// them. No model is used; other writers can proceed in between.
    pub fn replay_edges(&self, apply: bool) -> Result<EdgesReplay, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(EdgesReplay::default()) };
        let mut done = EdgesReplay::default();
        loop {
            let next = memory.replay_edges(done.last.unwrap_or(i64::MIN), REPLAY_BATCH_FACTS, apply)?;
            done = done.and(next);
            if next.last.is_none() {
                return Ok(done);
            }
        }
    }
}
