//! Reranking: a model orders the first results; without one, or if it fails, their order is that of the search.

use std::sync::Arc;

use inwit_engine::{
    Agent, AgentDeps, AgentPorts, Answer, Bounds, CheckId, RERANK_MAX, RERANKER_UNUSED, Search,
};
use inwit_model::{Reranker, Scope};
use inwit_testkit::reranker::FakeReranker;
use inwit_testkit::{Shelf, keeping, parts, room};

use crate::doctor::Plain;

const NOTES: &str = "# Notes\n\n## Harbour\n\n- Boat boat boat, painted.\n\n## Shed\n\n- The boat has a red sail.\n\n## Cellar\n\n- A sail for the boat, and a spare sail.\n";

/// An agent with [`NOTES`] and `reranker`.
fn agent(shelf: &Arc<Shelf>, reranker: Option<&Arc<FakeReranker>>) -> Agent {
    let reranker = reranker.map(|model| Arc::clone(model) as Arc<dyn Reranker>);
    let keeping = AgentDeps { reranker, ..keeping() };
    Agent::new(AgentPorts { keeping, ..parts(Arc::clone(shelf) as _) })
}

fn shelf() -> Arc<Shelf> {
    let shelf = Arc::new(Shelf::default());
    shelf.write("MEMORY.md", NOTES);
    shelf
}

fn search_as(agent: &Agent, scope: &Scope, query: &str, limit: usize, bounds: Bounds<'_>) -> Answer {
    agent.notes.search(&Search { query, scope, limit, budget_chars: None, bounds }).expect("an answer")
}

fn search(agent: &Agent, query: &str) -> Answer {
    search_as(agent, &Scope::Main, query, 10, Bounds::default())
}

fn texts(answer: &Answer) -> Vec<&str> {
    answer.hits.iter().map(|hit| hit.text.as_str()).collect()
}

#[test]
fn the_first_results_are_ordered_by_the_reranker_and_the_parts_add_up() {
    let (shelf, model) = (shelf(), Arc::new(FakeReranker::of("sail")));
    let plain = search(&agent(&shelf, None), "boat");
    assert_eq!(texts(&plain)[0], "- Boat boat boat, painted.");
    assert!(plain.hits.iter().all(|hit| hit.parts.rerank == 0.0));
    let answer = search(&agent(&shelf, Some(&model)), "boat");
    let wanted = [
        "- A sail for the boat, and a spare sail.",
        "- The boat has a red sail.",
        "- Boat boat boat, painted.",
    ];
    assert_eq!(texts(&answer), wanted);
    assert!(answer.notices.is_empty(), "{:?}", answer.notices);
    // The sum is the logistic function of the score: 2, 1 and 0 occurrences.
    for (hit, sum) in answer.hits.iter().zip([0.880_8, 0.731_1, 0.5]) {
        assert!((hit.parts.sum() - sum).abs() < 1e-3, "{:?}", hit.parts);
        assert!(hit.parts.rerank != 0.0, "{:?}", hit.parts);
    }
    assert_eq!(model.calls().len(), 1);
    assert!(model.calls()[0].contains(&"Shed: The boat has a red sail.".to_owned()), "{:?}", model.calls());
}

/// More results than a reranker reads: the rest follow in their order, below every one that was read.
#[test]
fn a_reranker_reads_the_first_thirty_even_if_fewer_are_asked_for() {
    let (shelf, model) = (Arc::new(Shelf::default()), Arc::new(FakeReranker::of("sail")));
    let many: String = (0..50).map(|at| format!("## N{at}\n\n- boat {}\n\n", "word ".repeat(at))).collect();
    shelf.write("MEMORY.md", format!("{many}## Last\n\n- boat sail {}\n", "word ".repeat(20)));
    let (plain, reranked) = (agent(&shelf, None), agent(&shelf, Some(&model)));
    let one = search_as(&reranked, &Scope::Main, "boat", 1, Bounds::default());
    assert_eq!(one.hits.len(), 1);
    assert!(one.hits[0].text.as_str().contains("sail"), "{:?}", texts(&one));
    assert_eq!(model.calls()[0].len(), RERANK_MAX);
    let all = |agent| search_as(agent, &Scope::Main, "boat", 50, Bounds::default());
    let (plain, all) = (all(&plain), all(&reranked));
    assert_eq!(plain.hits.len(), all.hits.len());
    assert_eq!(texts(&plain)[RERANK_MAX..], texts(&all)[RERANK_MAX..]);
    let sums: Vec<f32> = all.hits.iter().map(|hit| hit.parts.sum()).collect();
    assert!(sums.is_sorted_by(|one, other| *one >= other - 1e-5), "{sums:?}");
}

#[test]
fn a_reranker_that_fails_leaves_the_results_and_a_notice() {
    let (shelf, model) = (shelf(), Arc::new(FakeReranker::of("sail")));
    shelf.write("room-memory/kitchen/MEMORY.md", "- Boat one.\n\n# More\n\n- Boat two.\n");
    let plain = search(&agent(&shelf, None), "boat");
    model.fail();
    let failing = agent(&shelf, Some(&model));
    let answer = search(&failing, "boat");
    assert_eq!(texts(&answer), texts(&plain));
    let notices: Vec<_> =
        answer.notices.iter().map(|notice| (notice.code, notice.message.as_str())).collect();
    let why = "The results are not reranked: The model in /home/ana/reranker is gone.";
    assert_eq!(notices, [(RERANKER_UNUSED, why)]);
    let findings = failing.doctor(&Plain, &mut inwit_model::watch::unwatched).expect("findings");
    assert!(findings.iter().any(|finding| finding.check == CheckId::RerankerUnusable));
    // Others do not learn the path.
    for notice in &search_as(&failing, &room("kitchen"), "boat", 10, Bounds::default()).notices {
        assert!(!notice.message.contains("ana"), "{notice:?}");
    }
}

/// The model sees no dates, and an expression names its matches.
#[test]
fn a_query_for_a_time_or_an_expression_is_not_reranked() {
    let (shelf, model) = (shelf(), Arc::new(FakeReranker::of("sail")));
    let agent = agent(&shelf, Some(&model));
    search(&agent, "boat last week");
    search(&agent, "yesterday");
    let expression = Bounds { is_expression: true, ..Bounds::default() };
    search_as(&agent, &Scope::Main, "boat OR sail", 10, expression);
    search(&agent, "cellar spare");
    assert!(model.calls().len() <= 1, "{:?}", model.calls());
    assert!(model.calls().iter().all(|call| call.len() > 1), "one result needs no model");
}

/// A reranker reads what is shown: no order may depend on masked words.
#[test]
fn masked_words_are_not_read() {
    let (shelf, model) = (Arc::new(Shelf::default()), Arc::new(FakeReranker::of("sail")));
    let secret = "sk-proj-Zq8vN3xK7mT2wB9rY4cL6pF1hJ5dG0aS8eU3iO7kQ2nX";
    shelf.write("MEMORY.md", format!("# A\n\n- The boat key is {secret}\n\n# B\n\n- The boat is blue.\n"));
    search(&agent(&shelf, Some(&model)), "boat");
    let read = model.calls().concat().join("\n");
    assert!(read.contains("boat") && !read.contains("Zq8vN3xK7mT2"), "{read}");
}
