//! How a person divides notes into files does not decide what is found.

use inwit_engine::{Agent, AgentDeps, AgentPorts, Bounds, Search, Weights};
use inwit_model::Scope;
use inwit_testkit::{Shelf, keeping, parts};
use std::sync::Arc;

/// Days, each with its entries.
const DAYS: &[(&str, &[&str])] = &[
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

/// One layout: a name and a text for each file.
fn a_file_a_day() -> Vec<(String, String)> {
    let day = |(day, entries): &(&str, &[&str])| {
        (format!("memory/{day}.md"), format!("# {day}\n\n{}\n", entries.join("\n")))
    };
    DAYS.iter().map(day).collect()
}

fn all_in_one_file() -> Vec<(String, String)> {
    let days: Vec<String> = a_file_a_day().into_iter().map(|(_, text)| text).collect();
    vec![("memory/log.md".into(), days.join("\n"))]
}

fn a_file_an_entry() -> Vec<(String, String)> {
    let entries = |(day, entries): &(&str, &[&str])| -> Vec<(String, String)> {
        let page =
            |(at, entry): (usize, &&str)| (format!("memory/{day}-{at}.md"), format!("# {day}\n\n{entry}\n"));
        entries.iter().enumerate().map(page).collect()
    };
    DAYS.iter().flat_map(entries).collect()
}

/// The entries that answer, best first.
fn ranking(layout: &[(String, String)], query: &str) -> Vec<String> {
    let shelf = Shelf::default();
    layout.iter().for_each(|(name, text)| shelf.write(name, text));
    // How related two entries are is worked out within one file.
    let weights = Weights { lend_unrelated: 1.0, ..Weights::default() };
    let keeping = AgentDeps { weights, ..keeping() };
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf)) });
    let search =
        Search { query, scope: &Scope::Main, limit: 5, budget_chars: None, bounds: Bounds::default() };
    let answer = agent.notes.search(&search).expect("an answer");
    answer.hits.into_iter().map(|hit| format!("{} {:.4}", hit.text, hit.parts.sum())).collect()
}

#[test]
fn the_same_notes_in_three_layouts_rank_alike() {
    let mut found = 0;
    for query in QUESTIONS {
        let by_day = ranking(&a_file_a_day(), query);
        assert_eq!(by_day, ranking(&all_in_one_file(), query), "`{query}`: a file a day, all in one");
        assert_eq!(by_day, ranking(&a_file_an_entry(), query), "`{query}`: a file a day, a file an entry");
        found += by_day.len();
    }
    assert!(found > QUESTIONS.len() * 2, "{found} hits");
}
