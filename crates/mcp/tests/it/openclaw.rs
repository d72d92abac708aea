//! The tools of OpenClaw over workspaces of realistic size: where they look, and what a result is.

use std::collections::BTreeSet;
use std::sync::Arc;

use inwit_model::{Files, Scope};
use inwit_testkit::openclaw::{ANSWERS, DUPLICATE, Generation, QUESTIONS, Workspace, on};
use inwit_wire::tools::Set;
use inwit_workspace::MemFiles;
use serde_json::{Value, json};

use crate::world::{World, connection, world};

fn today() -> jiff::civil::Date {
    jiff::civil::date(2026, 11, 21)
}

fn claw(workspace: Workspace) -> World {
    let files = Arc::new(MemFiles::new());
    let named = workspace.files();
    let visible = named.iter().filter(|(path, _)| !path.starts_with('.') && !path.contains("/."));
    visible.for_each(|(path, text)| files.put(&inwit_testkit::name(path), text.as_bytes()));
    World {
        connection: connection(Arc::clone(&files) as Arc<dyn Files>, Scope::Main, &[Set::Openclaw]),
        files,
    }
}

fn search(claw: &World, query: &str, most: usize) -> Vec<Value> {
    let answer = claw.answer("memory_search", json!({ "query": query, "maxResults": most, "minScore": 0 }));
    answer["results"].as_array().expect("results").clone()
}

fn field<'v>(hit: &'v Value, name: &str) -> &'v str {
    hit[name].as_str().expect(name)
}

#[test]
fn questions_in_both_languages_are_answered_from_the_file_that_holds_the_answer() {
    for generation in [Generation::Older, Generation::Current] {
        let claw = claw(Workspace::new(generation).core().logs(today()));
        let mut found = 0;
        for ((question, path), answer) in QUESTIONS.iter().zip(ANSWERS) {
            let hits = search(&claw, question, 6);
            let path = on(path, today());
            found += usize::from(
                hits.iter().any(|hit| field(hit, "path") == path && field(hit, "snippet").contains(answer)),
            );
        }
        assert!(found >= QUESTIONS.len() - 1, "{generation:?}: {found} of {}", QUESTIONS.len());
    }
}

/// OpenClaw's `memory_search` looks into MEMORY.md, USER.md and `memory/`, and its results are entries.
#[test]
fn results_are_whole_entries_of_memory_shown_once_with_their_heading() {
    let notes = "//- AGENTS.md\n- The caraway oven is a rule.\n//- notes/plan.md\n- The caraway oven is a plan.\n\
                 //- standing-orders.md\n- The caraway oven is an order.\n\
                 //- MEMORY.md\n# MEMORY\n\n## Kitchen\n\n- The caraway oven came from Lyon.\n- The caraway oven burns beech.\n\n\
                 ## Garden\n\n- Unrelated.\n//- memory/a.md\n- The caraway oven came from Lyon.\n//- USER.md\n- Bo likes the caraway oven.\n";
    let world = world(notes, Scope::Main, &[Set::Openclaw]);
    let answer =
        world.answer("memory_search", json!({ "query": "caraway oven", "maxResults": 6, "minScore": 0 }));
    let hits = answer["results"].as_array().expect("results");
    let paths: BTreeSet<&str> = hits.iter().map(|hit| field(hit, "path")).collect();
    assert_eq!(
        paths,
        BTreeSet::from(["MEMORY.md", "USER.md"]),
        "no rules, no notes, no repetition: {answer}"
    );
    let kitchen = hits.iter().find(|hit| hit["path"] == "MEMORY.md").expect("MEMORY.md");
    let snippet = field(kitchen, "snippet");
    assert!(snippet.starts_with("[MEMORY › Kitchen]\n"), "{snippet}");
    assert!(
        snippet.contains("from Lyon") && snippet.contains("burns beech"),
        "one result for both lines: {snippet}"
    );
    assert_eq!(kitchen["citation"], "MEMORY.md#L5-L6");
    let ovens = hits.iter().filter(|hit| field(hit, "snippet").contains("oven"));
    assert_eq!(ovens.filter(|hit| hit["path"] == "MEMORY.md").count(), 1, "{answer}");
}

#[test]
fn a_snippet_uses_its_room_and_never_more() {
    let claw = claw(Workspace::new(Generation::Current).core().logs(today()).long_memory(20_000));
    let hits = search(&claw, "loft ladder", 6);
    assert_eq!(hits.iter().filter(|hit| field(hit, "snippet").contains(DUPLICATE)).count(), 1);
    let sizes: Vec<usize> = hits
        .iter()
        .map(|hit| field(hit, "snippet").rsplit_once("\n\nSource: ").expect("a source").0)
        .map(|text| text.split_once("]\n").map_or(text, |(_, text)| text).chars().count())
        .collect();
    assert!(sizes.iter().all(|size| *size <= 700), "{sizes:?}");
    // The last entries of a section, and sections of one line, have nothing around them.
    assert!(sizes.iter().filter(|size| **size >= 500).count() >= 3, "room is used: {sizes:?}");
}
