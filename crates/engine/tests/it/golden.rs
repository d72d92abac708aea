//! Golden questions over the sample agent: recall does not get worse unseen.
//!
//! `testdata/recall/golden.toml` says in its header what a question is and when a place answers it. A
//! question scores the share of its needed pieces that stand among the first ten hits: all or nothing
//! but for kind `multi`. Questions without an answer are counted, not judged: what matters there is
//! that nothing private shows, which holds without exception.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use inwit_engine::{Agent, Answer, Bounds, Hit, Search};
use inwit_model::Scope;
use inwit_testkit::{fixture, parts};
use inwit_workspace::FsFiles;
use toml::{Table, Value};

/// Least share of pieces among the first ten hits, in percent, by kind. Each is what was measured when
/// it was set, less about one question of that kind: a change that trades one question for another
/// passes, one that loses two does not.
const FLOORS_PERCENT: &[(&str, usize)] = &[
    ("chinese", 85),
    ("code", 91),
    ("label", 90),
    ("lookup", 94),
    ("multi", 55),
    ("paraphrase", 40),
    ("spanish", 90),
    ("superseded", 66),
    ("temporal", 36),
];

/// The same for the first three hits of all questions together: two questions less than measured.
const FLOOR_FIRST_THREE_PERCENT: usize = 69;

/// How many hits are looked at.
const HITS: usize = 10;

struct Golden {
    ask: String,
    scope: Scope,
    kind: String,
    expect: Vec<(String, String)>,
    never: Vec<String>,
}

fn golden() -> Vec<Golden> {
    let text = include_str!("../../testdata/recall/golden.toml");
    let table: Table = text.parse().expect("TOML");
    let words = |row: &Value, key: &str| -> Vec<String> {
        let list = row.get(key).and_then(Value::as_array).into_iter().flatten();
        list.map(|word| word.as_str().expect("text").to_owned()).collect()
    };
    let question = |row: &Value| Golden {
        ask: row["ask"].as_str().expect("ask").to_owned(),
        scope: Scope::parse(row["scope"].as_str(), None, Scope::Shared).expect("a scope"),
        kind: row["kind"].as_str().expect("kind").to_owned(),
        expect: words(row, "expect")
            .iter()
            .map(|piece| piece.split_once(" :: ").expect("path :: words"))
            .map(|(path, words)| (path.to_owned(), words.to_owned()))
            .collect(),
        never: words(row, "never"),
    };
    table["question"].as_array().expect("questions").iter().map(question).collect()
}

impl Golden {
    /// The share of the answer among the first `hits` hits, 0 to 1.
    fn score(&self, answer: &Answer, hits: usize) -> f64 {
        let holds = |(path, words): &&(String, String)| {
            answer.hits.iter().take(hits).any(|hit| hit.name.as_str() == path && hit.text.contains(words))
        };
        let found = self.expect.iter().filter(holds).count();
        if self.kind == "multi" {
            found as f64 / self.expect.len() as f64
        } else {
            f64::from(u8::from(found > 0))
        }
    }

    /// The first hit that shows what this listener may never hear.
    fn told<'a>(&self, answer: &'a Answer) -> Option<&'a Hit> {
        answer.hits.iter().find(|hit| {
            let seen = format!("{} {} {}", hit.name, hit.heading, hit.text).to_lowercase();
            self.never.iter().any(|never| seen.contains(&never.to_lowercase()))
        })
    }
}

/// What one kind of question reached.
#[derive(Default)]
struct Tally {
    questions: usize,
    first_three: f64,
    first_ten: f64,
    missed: Vec<String>,
}

impl Tally {
    fn percent(&self, sum: f64) -> f64 {
        100.0 * sum / self.questions as f64
    }
}

#[test]
fn the_golden_questions_are_answered_as_well_as_before() {
    let files = FsFiles::open(&fixture::example("wren")).expect("the sample agent");
    let agent = Agent::new(parts(Arc::new(files)));
    let (mut tallies, mut all) = (BTreeMap::<String, Tally>::new(), Tally::default());
    let (mut abstain, mut abstained) = (0, 0);
    for question in golden() {
        let search = Search {
            query: &question.ask,
            scope: &question.scope,
            limit: HITS,
            budget_chars: None,
            bounds: Bounds::default(),
        };
        let answer = agent.notes.search(&search).unwrap_or_else(|error| panic!("{}: {error}", question.ask));
        let told = question.told(&answer);
        assert!(told.is_none(), "`{}` in {}: {told:?}", question.ask, question.scope);
        if question.kind == "abstain" {
            abstain += 1;
            abstained += usize::from(answer.nothing_near || answer.hits.is_empty());
            continue;
        }
        let (three, ten) = (question.score(&answer, 3), question.score(&answer, HITS));
        for tally in [tallies.entry(question.kind.clone()).or_default(), &mut all] {
            tally.questions += 1;
            tally.first_three += three;
            tally.first_ten += ten;
            if ten < 1.0 {
                tally.missed.push(question.ask.clone());
            }
        }
    }
    let mut table = String::from("kind        questions   first 3   first 10   floor\n");
    let mut below = Vec::new();
    for (kind, floor) in FLOORS_PERCENT {
        let tally = &tallies[*kind];
        let (three, ten) = (tally.percent(tally.first_three), tally.percent(tally.first_ten));
        let _ = writeln!(table, "{kind:<12}{:>9}{three:>9.1}%{ten:>10.1}%{floor:>7}%", tally.questions);
        if ten < *floor as f64 {
            below.push(format!("{kind}: {}", tally.missed.join(" | ")));
        }
    }
    let (three, ten) = (all.percent(all.first_three), all.percent(all.first_ten));
    let _ = writeln!(
        table,
        "{:<12}{:>9}{three:>9.1}%{ten:>10.1}%   first 3: {FLOOR_FIRST_THREE_PERCENT}%",
        "all", all.questions
    );
    let _ = writeln!(
        table,
        "of {abstain} questions without an answer {abstained} are said to be far from everything"
    );
    if three < FLOOR_FIRST_THREE_PERCENT as f64 {
        below.push("first three".to_owned());
    }
    tell(&table);
    assert_eq!(tallies.len(), FLOORS_PERCENT.len(), "each kind has a floor");
    assert!(below.is_empty(), "\n{table}\nbelow its floor, with what was missed:\n{}", below.join("\n"));
    assert!(all.questions + abstain > 100, "the suite is there");
}

/// Shown by `cargo nextest run golden --no-capture`, and when the test fails.
#[expect(clippy::print_stderr, reason = "figures are looked at also when they are good enough")]
fn tell(table: &str) {
    eprint!("{table}");
}

/// A place that is no longer in the sample agent would silently count as missed.
#[test]
fn every_golden_place_is_one_line_of_the_sample_agent() {
    for question in golden() {
        for (path, words) in &question.expect {
            let text = std::fs::read_to_string(fixture::example("wren").join(path)).expect("readable");
            let lines = text.lines().filter(|line| line.contains(words.as_str())).count();
            assert_eq!(lines, 1, "`{}`: {path} :: {words}", question.ask);
        }
        assert_eq!(question.expect.is_empty(), question.kind == "abstain", "`{}`", question.ask);
        assert!(question.never.is_empty() || question.scope.is_shared(), "`{}`", question.ask);
    }
}
