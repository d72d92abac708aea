//! Questions in six languages, and questions about time in five: recall does not get worse unseen.
//!
//! The headers of `testdata/recall/*/questions.toml` say what a question is and when it is found; README.md there says
//! what the halves are for. Misses of the held-out half are counted and not shown.
//! Notes and questions were written before the code that they judge; neither is edited to make one pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inwit_engine::{Agent, Bounds, Search};
use inwit_model::Scope;
use inwit_testkit::{FakeClock, parts};
use inwit_workspace::FsFiles;
use jiff::tz::TimeZone;
use toml::{Table, Value};

/// How many hits are looked at.
const HITS: usize = 5;

/// How many hits are looked at where the characters are limited.
const WITHIN_HITS: usize = 80;

/// Least shares of the suites that count development and held-out halves, both together.
const FLOORS: &[(&str, f64)] = &[
    ("calendar", 0.93),
    ("sixteen-languages", 0.55),
    ("forms/items", 0.84),
    ("forms/rows", 0.81),
    ("forms/nested", 0.81),
    ("forms/lines", 0.84),
    ("forms/articles", 0.60),
    ("turns/chats", 0.66),
    ("turns/independent-notes", 0.71),
    ("turns/long-questions", 0.86),
];

/// Least share of the questions in six languages that are found.
const LANGUAGES_FLOOR: f64 = 0.95;

/// Least share of the questions about time.
const TEMPORAL_FLOOR: f64 = 0.90;

fn folder(suite: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/recall").join(suite)
}

/// The agent of a suite's notes, with the clock that it goes by.
pub fn agent_of(suite: &str) -> (Agent, Arc<FakeClock>) {
    let files = FsFiles::open(&folder(suite)).expect("the notes");
    let clock = Arc::new(FakeClock::at("2026-11-21T10:00:00Z"));
    let agent = Agent::new(inwit_engine::AgentPorts {
        zone: TimeZone::UTC,
        clock: Arc::clone(&clock) as Arc<dyn inwit_model::Clock>,
        ..parts(Arc::new(files))
    });
    (agent, clock)
}

/// The questions of a suite.
pub fn questions_of(suite: &str) -> Table {
    let text = std::fs::read_to_string(folder(suite).join("questions.toml")).expect("the questions");
    text.parse().expect("TOML")
}

/// Asks all questions of a suite; returns the share that is found, and a table by language and kind with what was
/// missed.
fn ask(suite: &str) -> (f64, String) {
    let (agent, clock) = agent_of(suite);
    let table = questions_of(suite);
    let questions = table["question"].as_array().expect("questions");
    let within =
        table.get("within_chars").and_then(Value::as_integer).and_then(|chars| usize::try_from(chars).ok());
    let mut tallies: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut missed = String::new();
    let mut found = 0;
    for question in questions {
        let text = |key: &str| question.get(key).and_then(Value::as_str).unwrap_or_default();
        if let Some(local) = text("now").get(..19) {
            // The day of the asker's zone: her own clock, counted as if it were the world's.
            clock.set(&format!("{local}Z"));
        }
        let search = Search {
            query: text("ask"),
            scope: &Scope::Main,
            limit: if within.is_some() { WITHIN_HITS } else { HITS },
            budget_chars: None,
            bounds: Bounds::default(),
        };
        let answer = agent.notes.search(&search).unwrap_or_else(|error| panic!("{}: {error}", text("ask")));
        let expected = question["expect"].as_array().expect("expect").iter().filter_map(Value::as_str);
        let mut left = within.unwrap_or(usize::MAX);
        let mut shown: Vec<(&str, String)> = Vec::new();
        for hit in &answer.hits {
            let text: String = hit.text.chars().take(left).collect();
            left -= text.chars().count();
            shown.push((hit.name.as_str(), text));
        }
        let is_found = expected
            .filter_map(|place| place.split_once(" :: "))
            .any(|(path, words)| shown.iter().any(|(name, text)| *name == path && text.contains(words)));
        found += usize::from(is_found);
        for key in [text("lang"), text("kind"), text("half")] {
            if key.is_empty() {
                continue;
            }
            let tally = tallies.entry(key.to_owned()).or_default();
            tally.0 += 1;
            tally.1 += usize::from(is_found);
        }
        if !is_found && text("half") != "held-out" {
            let _ =
                writeln!(missed, "  {} [{}] {} {:?}", text("ask"), text("kind"), text("now"), answer.time);
        }
    }
    let mut shown = format!("{suite}: {found} of {}\n", questions.len());
    for (key, (asked, found)) in tallies {
        let _ = writeln!(shown, "{key:<16}{found:>4} of {asked}");
    }
    (found as f64 / questions.len() as f64, format!("{shown}missed:\n{missed}"))
}

/// Shown by `cargo nextest run suites --no-capture`, and when the test fails.
#[expect(clippy::print_stderr, reason = "figures are looked at also when they are good enough")]
pub fn tell(table: &str) {
    eprint!("{table}");
}

#[test]
fn words_are_found_in_six_languages() {
    let (share, table) = ask("languages");
    tell(&table);
    assert!(share >= LANGUAGES_FLOOR, "\n{table}");
}

#[test]
fn questions_about_time_are_understood_in_five_languages() {
    let (share, table) = ask("temporal");
    tell(&table);
    assert!(share >= TEMPORAL_FLOOR, "\n{table}");
}

#[test]
fn suites_with_halves_are_found_as_well_as_before() {
    let mut below = String::new();
    for (suite, floor) in FLOORS {
        let (share, table) = ask(suite);
        tell(&table);
        if share < *floor {
            below.push_str(&table);
        }
    }
    assert!(below.is_empty(), "\n{below}");
}
