//! How a person divides notes into files does not decide what is found.

use inwit_engine::{Agent, AgentDeps, AgentPorts, Bounds, Search, Weights};
use inwit_model::Scope;
use inwit_testkit::{Shelf, keeping, parts};
use std::sync::Arc;

/// A day with its entries.
type Day = (&'static str, &'static [&'static str]);

/// Days, each with its entries.
const DAYS: &[Day] = &[
    (
        "2026-11-16",
        &["- Ana: the rye starter is back to life", "- Ana: fed it twice", "- Tomás: the oven door sticks"],
    ),
    (
        "2026-11-17",
        &["- Tomás: who has the oven's manual?", "- Ana: it lies in the blue folder", "- Bought caraway."],
    ),
    ("2026-11-18", &["- Baked two rye loaves, one too dark.", "- The guild meets on Thursday at seven."]),
    (
        "2026-11-19",
        &["- Ana: Thursday was good", "- Rosa wants the rye recipe", "- Tomás: I mended the oven door"],
    ),
    (
        "2026-11-20",
        &["- 买了咖啡和面包", "- Paid Rosa 12,50 for flour", "- Ana: caraway in half of the dough next time"],
    ),
];

const QUESTIONS: &[&str] = &[
    "rye bread",
    "where is the manual of the oven",
    "what did Tomás say about the oven door",
    "caraway",
    "when does the guild meet",
    "Rosa flour paid",
    "面包",
    "what was on 18 November 2026",
];

/// Days of one conversation: each entry has words of those before it.
const CONVERSATION: &[Day] = &[
    (
        "2026-11-16",
        &[
            "- Ana: the kiln cracked its bottom plate again",
            "- Ben: is the plate of the kiln under warranty?",
            "- Ana: the warranty of the kiln covers the plate for two years",
        ],
    ),
    (
        "2026-11-17",
        &[
            "- Ben: the seller wants a picture of the plate and the warranty card",
            "- Ana: I sent the seller a picture of the warranty card",
        ],
    ),
    (
        "2026-11-18",
        &[
            "- Ben: what did the seller say about the picture?",
            "- Ana: the seller says a new plate comes on Friday with a new card",
            "- Ben: a new plate on Friday, good, the seller was quick",
        ],
    ),
];

const QUESTIONS_OF_CONVERSATION: &[&str] = &[
    "what cracked in the kiln", "how long is the warranty", "when does the new plate come", "picture",
    "quick",
];

/// One layout: a name and a text for each file.
fn a_file_a_day(days: &[Day]) -> Vec<(String, String)> {
    let day =
        |(day, entries): &Day| (format!("memory/{day}.md"), format!("# {day}\n\n{}\n", entries.join("\n")));
    days.iter().map(day).collect()
}

fn all_in_one_file(days: &[Day]) -> Vec<(String, String)> {
    let days: Vec<String> = a_file_a_day(days).into_iter().map(|(_, text)| text).collect();
    vec![("memory/log.md".into(), days.join("\n"))]
}

fn a_file_an_entry(days: &[Day]) -> Vec<(String, String)> {
    let entries = |(day, entries): &Day| -> Vec<(String, String)> {
        let page =
            |(at, entry): (usize, &&str)| (format!("memory/{day}-{at}.md"), format!("# {day}\n\n{entry}\n"));
        entries.iter().enumerate().map(page).collect()
    };
    days.iter().flat_map(entries).collect()
}

/// The entries that answer, best first.
fn ranking(layout: &[(String, String)], query: &str, weights: Weights) -> Vec<String> {
    let shelf = Shelf::default();
    layout.iter().for_each(|(name, text)| shelf.write(name, text));
    let keeping = AgentDeps { weights, ..keeping() };
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf)) });
    let search =
        Search { query, scope: &Scope::Main, limit: 5, budget_chars: None, bounds: Bounds::default() };
    let answer = agent.notes.search(&search).expect("an answer");
    answer.hits.into_iter().map(|hit| format!("{} {:.4}", hit.text, hit.parts.sum())).collect()
}

fn rank_alike(days: &[Day], questions: &[&str], weights: Weights) {
    let mut found = 0;
    for query in questions {
        let by_day = ranking(&a_file_a_day(days), query, weights);
        let in_one = ranking(&all_in_one_file(days), query, weights);
        assert_eq!(by_day, in_one, "`{query}`: a file a day, all in one");
        let by_entry = ranking(&a_file_an_entry(days), query, weights);
        assert_eq!(by_day, by_entry, "`{query}`: a file a day, a file an entry");
        found += by_day.len();
    }
    assert!(found > questions.len() * 2, "{found} hits");
}

#[test]
fn a_conversation_in_three_layouts_ranks_alike() {
    rank_alike(CONVERSATION, QUESTIONS_OF_CONVERSATION, Weights::default());
}

/// Unrelated notes propagate no score within one file, and are not known to be unrelated in a file each: how related two
/// are is worked out within one file. So this holds only of the weight that treats all alike.
#[test]
fn unrelated_notes_in_three_layouts_rank_alike_where_relatedness_does_not_count() {
    rank_alike(DAYS, QUESTIONS, Weights { lend_unrelated: 1.0, ..Weights::default() });
}

/// Each row of a long table is a passage, with the words of the header row. The table stays one entry.
#[test]
fn into_how_many_parts_an_entry_is_cut_changes_no_weight() {
    let weights = |place: &str| {
        let rows: String = (0..5).map(|at| format!("| saw {at} | {place} |\n")).collect();
        let text = format!("- Rye bread.\n- The oven is hot.\n\n| Tool | Shelf |\n|---|---|\n{rows}");
        let shelf = Shelf::default();
        shelf.write("MEMORY.md", &text);
        let agent = Agent::new(parts(Arc::new(shelf)));
        let bounds = Bounds::default();
        let search = Search { query: "tool oven", scope: &Scope::Main, limit: 9, budget_chars: None, bounds };
        let answer = agent.notes.search(&search).expect("an answer");
        let weights: Vec<f32> = answer.terms.iter().map(|term| term.weight).collect();
        (weights, answer.rarest, answer.terms[0].passages)
    };
    let (whole, cut) = (weights("2"), weights("behind the door of the cellar at the very top"));
    assert_eq!((whole.0, whole.1), (cut.0, cut.1));
    assert_eq!((whole.2, cut.2), (1, 5), "passages that hold a word of the header");
}
