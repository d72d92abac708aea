//! Contract chapters on the edges of facts.

use std::sync::Arc;

use inwit_gate::FactDeed;
use inwit_model::{Edge, EdgeType, Entity, EntityKind, FactId};

use super::Chapter;
use super::knowing::{add, change, forget, id, update};
use crate::memory::{EdgesOf, EdgesReplay, EntityCount, Memory, Stated};

pub const CHAPTERS: &[Chapter] = &[
    ("a fact is written with its edges", written_with),
    ("an update leaves no edge of what was said before", replaced),
    ("edges of a forgotten fact are in no answer and come back with it", hidden),
    ("edges of what is gone for good are gone", gone),
    ("a replay adds what is missing, once, and takes nothing away", replayed),
    ("what stands beside a thing is what the same facts name", beside),
];

/// Finds tags, and holds what stands behind `has`.
pub fn tags() -> EdgesOf {
    Arc::new(|fact: &Stated<'_>| {
        let mut has = false;
        let mut edges = Vec::new();
        for word in fact.content.split(' ') {
            if let Some(tag) = word.strip_prefix('#') {
                let says = if has { EdgeType::Holds } else { EdgeType::Mentions };
                edges.push(Edge { says, of: tag_of(tag) });
            }
            has = word == "has";
        }
        edges
    })
}

fn tag_of(name: &str) -> Entity {
    Entity::new(EntityKind::Tag, name)
}

fn edges_of(memory: &dyn Memory, fact: &FactId) -> Vec<String> {
    let edges = memory.fact_edges(fact).expect("read");
    edges.iter().map(|edge| format!("{} {}", edge.says, edge.of.key)).collect()
}

fn tops(memory: &dyn Memory) -> Vec<(String, u64)> {
    let counts = memory.top_entities(9).expect("read");
    counts.into_iter().map(|EntityCount { entity, facts }| (entity.key, facts)).collect()
}

fn counted(pairs: &[(&str, u64)]) -> Vec<(String, u64)> {
    pairs.iter().map(|(key, facts)| ((*key).to_owned(), *facts)).collect()
}

fn written_with(memory: &dyn Memory) {
    add(memory, 9, "nobody said how, so #nothing is found", 0);
    assert_eq!(memory.edge_count(), Ok(0));
    memory.find_edges_by(&tags());
    let fact = add(memory, 1, "#a and #b has #c", 1);
    assert_eq!(edges_of(memory, &fact.id), ["holds c", "mentions a", "mentions b"], "strong verbs first");
    add(memory, 2, "#a again", 2);
    assert_eq!(tops(memory), counted(&[("a", 2), ("b", 1), ("c", 1)]));
    assert_eq!(memory.edge_count(), Ok(4));
}

fn replaced(memory: &dyn Memory) {
    memory.find_edges_by(&tags());
    let fact = add(memory, 1, "#a and #b", 0);
    update(memory, &fact, "#b has #c", 1);
    assert_eq!(edges_of(memory, &fact.id), ["holds c", "mentions b"]);
    assert_eq!(tops(memory), counted(&[("b", 1), ("c", 1)]));
}

fn hidden(memory: &dyn Memory) {
    memory.find_edges_by(&tags());
    let fact = add(memory, 1, "#a and #b", 0);
    add(memory, 2, "#b alone", 1);
    forget(memory, &fact, 2);
    assert_eq!((edges_of(memory, &fact.id), tops(memory)), (vec![], counted(&[("b", 1)])));
    assert_eq!(memory.edge_count(), Ok(1));
    assert_eq!(memory.known_entities(&[tag_of("a"), tag_of("b")]).expect("read").len(), 1);
    assert_eq!(memory.entities_beside(&tag_of("b"), 9), Ok(vec![]));
    change(memory, &fact.id, 3, FactDeed::Restore { id: fact.id.clone() });
    assert_eq!(edges_of(memory, &fact.id), ["mentions a", "mentions b"]);
    assert_eq!(tops(memory), counted(&[("b", 2), ("a", 1)]));
}

fn gone(memory: &dyn Memory) {
    memory.find_edges_by(&tags());
    let fact = add(memory, 1, "#a and #b", 0);
    let kept = add(memory, 2, "#b alone", 1);
    change(memory, &fact.id, 2, FactDeed::Purge { id: fact.id.clone() });
    assert_eq!((tops(memory), edges_of(memory, &kept.id)), (counted(&[("b", 1)]), vec!["mentions b".into()]));
    forget(memory, &kept, 3);
    change(memory, &id(9), 9, FactDeed::Expire { before: super::at(8) });
    let again = memory.replay_edges(i64::MIN, 99, false).expect("looked");
    assert_eq!(again, EdgesReplay::default());
}

fn replayed(memory: &dyn Memory) {
    for number in 1..=5 {
        add(memory, number, &format!("#a and #n{number}"), 0);
    }
    memory.find_edges_by(&tags());
    let looked = memory.replay_edges(i64::MIN, 99, false).expect("looked");
    assert_eq!((looked.facts, looked.edges, looked.missing, memory.edge_count()), (5, 10, 10, Ok(0)));
    let first = memory.replay_edges(i64::MIN, 3, true).expect("written");
    let rest = memory.replay_edges(first.last.expect("a fact"), 3, true).expect("written");
    let end = memory.replay_edges(rest.last.expect("a fact"), 3, true).expect("nothing left");
    assert_eq!((first.missing, rest.missing, end.last), (6, 4, None));
    assert_eq!(memory.edge_count(), Ok(10));
    let again = memory.replay_edges(i64::MIN, 99, true).expect("looked");
    assert_eq!((again.facts, again.missing, again.stale), (5, 0, 0));
    assert_eq!(memory.edge_count(), Ok(10));
}

fn beside(memory: &dyn Memory) {
    memory.find_edges_by(&tags());
    for (number, text) in [(1, "#a #b"), (2, "#a #b #c"), (3, "#c #d")] {
        add(memory, number, text, 0);
    }
    let beside = memory.entities_beside(&tag_of("a"), 9).expect("read");
    let beside: Vec<(String, u64)> = beside.into_iter().map(|one| (one.entity.key, one.facts)).collect();
    assert_eq!(beside, counted(&[("b", 2), ("c", 1)]));
    assert_eq!(memory.entities_beside(&tag_of("a"), 1).expect("read").len(), 1);
    assert_eq!(memory.entities_beside(&tag_of("zzz"), 9), Ok(vec![]));
}
