//! What facts name: edges, counts of things, and what stands around one.

use inwit_engine::Notice;
use inwit_engine::facts::{EntityCount, Neighborhood};
use inwit_model::{Edge, Entity};
use serde::Serialize;

use crate::NoticeV1;

/// A thing that facts name.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityV1 {
    /// What kind of thing: `name`, `wikilink`, `tag`, `url`, `date`, `ticker`, `pair`, `chain`, `address`, `scenario`.
    pub kind: &'static str,
    /// Its name, by which it is known again.
    pub key: String,
}

/// What one fact says of one thing.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EdgeV1 {
    /// What it says: `holds`, `exited`, `traded`, `watched`, `belongs_to_scenario`, `mentions`, `co_occurs_with`.
    #[serde(rename = "type")]
    pub says: &'static str,
    /// Of what.
    pub entity: EntityV1,
}

/// Edges of one fact.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EdgesV1 {
    /// The edges, strong verbs first.
    pub edges: Vec<EdgeV1>,
    /// Why none is shown, where the fact may have some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// A thing, and how many facts name it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityCountV1 {
    /// The thing.
    pub entity: EntityV1,
    /// Facts that name it.
    pub facts: u64,
}

/// The things that most facts name.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntitiesV1 {
    /// The things, most named first.
    pub entities: Vec<EntityCountV1>,
}

/// A thing, and what stands around it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeighborhoodV1 {
    /// The things that are meant.
    pub of: Vec<EntityCountV1>,
    /// What stands around them, nearest first.
    pub around: Vec<NeighborV1>,
}

/// A thing beside another one.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeighborV1 {
    /// Steps from what was asked about.
    pub distance: u8,
    /// The thing.
    pub entity: EntityV1,
    /// Facts that name it together with the one before.
    pub facts: u64,
    /// The one before.
    pub beside: EntityV1,
}

impl From<&Entity> for EntityV1 {
    fn from(entity: &Entity) -> Self {
        Self { kind: entity.kind.word(), key: entity.key.clone() }
    }
}

impl From<&EntityCount> for EntityCountV1 {
    fn from(count: &EntityCount) -> Self {
        Self { entity: EntityV1::from(&count.entity), facts: count.facts }
    }
}

impl EdgesV1 {
    /// The edges of a fact, with the notices about it.
    pub fn noting(edges: &[Edge], notices: &[Notice]) -> Self {
        let edge = |edge: &Edge| EdgeV1 { says: edge.says.word(), entity: EntityV1::from(&edge.of) };
        Self {
            edges: edges.iter().map(edge).collect(),
            notices: notices.iter().map(NoticeV1::from).collect(),
        }
    }
}

impl From<&[EntityCount]> for EntitiesV1 {
    fn from(counts: &[EntityCount]) -> Self {
        Self { entities: counts.iter().map(EntityCountV1::from).collect() }
    }
}

impl From<&Neighborhood> for NeighborhoodV1 {
    fn from(neighborhood: &Neighborhood) -> Self {
        let around = neighborhood.around.iter().map(|neighbor| NeighborV1 {
            distance: neighbor.distance,
            entity: EntityV1::from(&neighbor.count.entity),
            facts: neighbor.count.facts,
            beside: EntityV1::from(&neighbor.beside),
        });
        Self { of: neighborhood.of.iter().map(EntityCountV1::from).collect(), around: around.collect() }
    }
}
