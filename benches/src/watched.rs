//! Searches of a warm process: every file looked at before each answer, and changes reported by the kernel in its place.
//!
//! Both are asked in turns over the same index, so that other work on the machine slows both.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use inwit_engine::{Agent, Bounds, Search};
use inwit_model::Scope;

use crate::measure::Times;
use crate::{Outcome, Row, notes};

/// Files in one folder.
const FOLDER_FILES: usize = 100;

/// Questions, and turns of all of them.
const QUESTIONS: usize = 40;
const TURNS: usize = 3;

/// Rows for logs of so many passages, 50 in each file.
pub fn passages(passages: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let workspace = folder.path().join("workspace");
    notes::lay_out(&workspace, passages)?;
    measure(folder.path(), &format!("{} passages", crate::grouped(passages)))
}

/// Rows for so many files of one passage.
pub fn files(files: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    lay_out(&folder.path().join("workspace"), files)?;
    measure(folder.path(), &format!("{} files", crate::grouped(files)))
}

#[expect(clippy::disallowed_methods, reason = "lays out notes to measure on; nothing is kept")]
fn lay_out(workspace: &Path, files: usize) -> io::Result<()> {
    let mut chance = notes::Chance::new(11);
    for number in 0..files {
        let folder = workspace.join(format!("notes/{:04}", number / FOLDER_FILES));
        if number % FOLDER_FILES == 0 {
            std::fs::create_dir_all(&folder)?;
        }
        let words: Vec<String> = (0..25).map(|_| notes::word(notes::drawn(&mut chance))).collect();
        std::fs::write(folder.join(format!("{number:06}.md")), format!("- {}\n", words.join(" ")))?;
    }
    Ok(())
}

fn measure(folder: &Path, size: &str) -> Outcome<Vec<Row>> {
    let (workspace, database) = (folder.join("workspace"), folder.join("index.db"));
    std::thread::sleep(Duration::from_millis(120));
    let walking = crate::agent(&workspace, &database)?;
    walking.notes.rebuild(&Scope::Main, &mut inwit_model::watch::unwatched)?;
    let watching = crate::agent_watching(&workspace, &database)?;
    let mut chance = crate::Chance::new(3);
    let questions: Vec<String> = (0..QUESTIONS).map(|_| notes::question(&mut chance)).collect();
    for agent in [&walking, &watching] {
        ask_all(agent, &questions[..4])?;
    }
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (agent, times) in [&walking, &watching].into_iter().zip(&mut times) {
            times.extend(ask_all(agent, &questions)?);
        }
    }
    let what = ["every file looked at", "watched"];
    let rows = what.into_iter().zip(times.map(Times::from)).map(|(what, times)| {
        let figure = format!("{:.2} / {:.2} ms", times.ms(50), times.ms(95));
        (format!("search of a warm process, {what}, p50 / p95, {size}"), figure)
    });
    Ok(rows.collect())
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
