//! Edges of facts, entity counts and neighbourhoods.

use inwit_engine::Notice;
use inwit_engine::facts::{EntityCount, Neighbor, Neighborhood};
use inwit_model::{Edge, Entity};

use crate::NoticeV1;
use crate::shape::shape;

shape! {
    /// A thing that facts name.
    pub struct EntityV1 from entity: &Entity {
        /// What kind of thing: `name`, `wikilink`, `tag`, `url`, `date`, `ticker`, `pair`, `chain`, `address`, `scenario`.
        pub kind: &'static str = entity.kind.word(),
        /// Its name, by which it is known again.
        pub key: String = entity.key.clone(),
    }

    /// What one fact says of one thing.
    pub struct EdgeV1 from edge: &Edge {
        /// What it says: `holds`, `exited`, `traded`, `watched`, `belongs_to_scenario`, `mentions`, `co_occurs_with`.
        #[serde(rename = "type")]
        pub says: &'static str = edge.says.word(),
        /// Of what.
        pub entity: EntityV1 = EntityV1::from(&edge.of),
    }

    /// Edges of one fact.
    pub struct EdgesV1 by
    /// The edges of a fact, with the notices about it.
    pub fn noting(edges: &[Edge], notices: &[Notice]) {
        /// The edges, strong verbs first.
        pub edges: Vec<EdgeV1> = edges.iter().map(EdgeV1::from).collect(),
        /// Why none is shown, where the fact may have some.
        pub notices?: Vec<NoticeV1> = notices.iter().map(NoticeV1::from).collect(),
    }

    /// A thing, and how many facts name it.
    pub struct EntityCountV1 from count: &EntityCount {
        /// The thing.
        pub entity: EntityV1 = EntityV1::from(&count.entity),
        /// Facts that name it.
        pub facts: u64 = count.facts,
    }

    /// The things that most facts name.
    pub struct EntitiesV1 from counts: &[EntityCount] {
        /// The things, most named first.
        pub entities: Vec<EntityCountV1> = counts.iter().map(EntityCountV1::from).collect(),
    }

    /// A thing, and what stands around it.
    pub struct NeighborhoodV1 from neighborhood: &Neighborhood {
        /// The things that are meant.
        pub of: Vec<EntityCountV1> = neighborhood.of.iter().map(EntityCountV1::from).collect(),
        /// What stands around them, nearest first.
        pub around: Vec<NeighborV1> = neighborhood.around.iter().map(NeighborV1::from).collect(),
    }

    /// A thing beside another one.
    pub struct NeighborV1 from neighbor: &Neighbor {
        /// Steps from what was asked about.
        pub distance: u8 = neighbor.distance,
        /// The thing.
        pub entity: EntityV1 = EntityV1::from(&neighbor.count.entity),
        /// Facts that name it together with the one before.
        pub facts: u64 = neighbor.count.facts,
        /// The one before.
        pub beside: EntityV1 = EntityV1::from(&neighbor.beside),
    }
}
