//! Searches of one agent in one process, by one thread and by two at once.
//!
//! Each thread asks every question; a second thread is free where nothing is waited for, so twice the answers come in
//! the same time. Runs alternate and the best of each counts, since other work on the machine only slows one down.

use std::path::Path;
use std::time::{Duration, Instant};

use inwit_engine::{Agent, Bounds, Search};
use inwit_model::Scope;

use crate::measure::Times;
use crate::{Outcome, Row};

/// Runs of each number of threads.
const RUNS: usize = 7;

/// Rows of the table, for notes that are laid out in `workspace` and indexed in `database`.
pub fn measure(workspace: &Path, database: &Path, questions: &[String]) -> Outcome<Vec<Row>> {
    let agent = crate::agent(workspace, database)?;
    ask_all(&agent, questions)?;
    let mut best = [Run::default(), Run::default()];
    for _ in 0..RUNS {
        for (threads, best) in (1..).zip(&mut best) {
            let run = run(&agent, questions, threads)?;
            if run.a_second > best.a_second {
                *best = run;
            }
        }
    }
    let [one, two] = best;
    let row = |what: &str, run: &Run, beside: String| {
        let p99 = format!("p50 / p99 {:.2} / {:.2} ms", run.p50_ms, run.p99_ms);
        (format!("searches of one agent a second, {what}"), format!("{:.0}, {p99}{beside}", run.a_second))
    };
    let gain = format!(" ({:.2} times as many)", two.a_second / one.a_second);
    Ok(vec![row("one thread", &one, String::new()), row("two threads", &two, gain)])
}

/// The same for notes that are made for it.
pub fn alone(passages: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let workspace = folder.path().join("workspace");
    crate::notes::lay_out(&workspace, passages)?;
    std::thread::sleep(Duration::from_millis(120));
    let mut chance = crate::Chance::new(3);
    let questions: Vec<String> = (0..300).map(|_| crate::notes::question(&mut chance)).collect();
    measure(&workspace, &folder.path().join("index.db"), &questions)
}

/// What one run came to.
#[derive(Default)]
struct Run {
    a_second: f64,
    p50_ms: f64,
    p99_ms: f64,
}

fn run(agent: &Agent, questions: &[String], threads: usize) -> Outcome<Run> {
    let begun = Instant::now();
    let times: Vec<Result<Vec<Duration>, String>> = std::thread::scope(|scope| {
        let ask = || ask_all(agent, questions).map_err(|error| error.to_string());
        let asking: Vec<_> = (0..threads).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|one| one.join().unwrap_or_else(|_| Err("it panicked".to_owned()))).collect()
    });
    let wall = begun.elapsed();
    let times: Vec<Vec<Duration>> = times.into_iter().collect::<Result<_, _>>()?;
    let times = Times::from(times.concat());
    let a_second = (questions.len() * threads) as f64 / wall.as_secs_f64();
    Ok(Run { a_second, p50_ms: times.ms(50), p99_ms: times.ms(99) })
}

fn ask_all(agent: &Agent, questions: &[String]) -> Outcome<Vec<Duration>> {
    let ask = |query: &String| {
        let begun = Instant::now();
        let bounds = Bounds::default();
        agent.notes.search(&Search { query, scope: &Scope::Main, limit: 10, budget_chars: None, bounds })?;
        Ok(begun.elapsed())
    };
    questions.iter().map(ask).collect()
}
