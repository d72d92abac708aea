//! What facts name: the edges of one, the things that many name, and what stands around one of them.
//!
//! Edges are derived from facts and belong to whoever facts belong to: to no scope but the owner's own (D3). No
//! model is asked. Invariant: a replay over what is complete writes nothing.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use inwit_gate::Check;
use inwit_model::{Code, Domain, Edge, Entity, EntityKind, Scope};
use inwit_recall::edges::edges;
use inwit_store::memory::{EdgesOf, EdgesReplay, EntityCount, Stated};

use crate::core::mask::{mask_of, masked_where};
use crate::{EngineError, Facts};

/// Most things of one list.
pub const ENTITIES_LISTED_MAX: usize = 1_000;

/// Farthest from a thing that its surroundings are looked at, in steps.
pub const NEIGHBORHOOD_DEPTH_MAX: u8 = 3;

/// Things that each step leads to from one thing: those that stand beside it most often.
pub const NEIGHBORHOOD_STEP_MAX: usize = 20;

/// Facts whose edges are replayed in one piece, so that other writers get their turn in between.
const REPLAY_BATCH_FACTS: usize = 2_000;

/// A thing, and what stands around it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighborhood {
    /// The things that are meant, with how many facts name each.
    pub of: Vec<EntityCount>,
    /// What the same facts name, nearest first.
    pub around: Vec<Neighbor>,
}

/// A thing beside another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbor {
    /// Steps from what was asked about; 1: one fact names both.
    pub distance: u8,
    /// The thing, with how many facts name it together with the one before.
    pub count: EntityCount,
    /// The thing before it on the way.
    pub beside: Entity,
}

/// How edges are found in facts of this domain. Secrets that the owner let stay are no names: what is masked where a
/// fact is shown stands in no edge.
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
    /// What a fact says of which things, strong verbs first; nothing of a forgotten one, and nothing for a scope
    /// that is not the owner's own. Errors: `fact_unknown`, `usage_bad` for a part of several ids.
    pub fn fact_edges(&self, scope: &Scope, part: &str) -> Result<Vec<Edge>, EngineError> {
        if *scope != Scope::Main {
            return Ok(Vec::new());
        }
        let fact = self.fact(part)?;
        Ok(self.core.memory()?.fact_edges(&fact.id)?)
    }

    /// The things that most facts name, at most [`ENTITIES_LISTED_MAX`].
    pub fn top_entities(&self, scope: &Scope, limit: usize) -> Result<Vec<EntityCount>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.top_entities(limit.min(ENTITIES_LISTED_MAX))?),
            _ => Ok(Vec::new()),
        }
    }

    /// How many edges there are.
    pub fn edge_count(&self, scope: &Scope) -> Result<u64, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) if *scope == Scope::Main => Ok(memory.edge_count()?),
            _ => Ok(0),
        }
    }

    /// What stands around the thing that `text` names (`Ana`, `#baking`, `ticker:btc`), up to `depth` steps away:
    /// from each thing the [`NEIGHBORHOOD_STEP_MAX`] that most facts name with it. Errors: `entity_unknown`.
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
        // A pair is no step of a way: its parts are.
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

    /// Finds the edges of all facts again and tells what is missing and what is found no more; where `apply` is said,
    /// writes the one and takes away the other. Waits for no model; other writers get their turn in between.
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
