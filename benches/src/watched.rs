//! Searches of a warm process: every file looked at before each answer, and changes reported by the kernel in its place.
//!
//! Both are asked in turns over the same index, so that other work on the machine slows both.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use inwit_engine::{Agent, Bounds, Search};
use inwit_model::Scope;

use crate::measure::{Times, process};
use crate::{Outcome, Row, notes};

/// Files in one folder.
const FOLDER_FILES: usize = 100;

/// Questions, and turns of all of them.
const QUESTIONS: usize = 40;
const TURNS: usize = 3;

/// Runs of the command.
const COMMANDS: usize = 11;

/// Rows for logs of so many passages, 50 in each file.
pub fn passages(passages: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let workspace = folder.path().join("workspace");
    notes::lay_out(&workspace, passages)?;
    measure(folder.path(), &format!("{} passages", crate::grouped(passages)))
}

/// Rows for so many files of one passage, and for `program` as a command over them.
pub fn files(program: &Path, files: usize) -> Outcome<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    lay_out(&folder.path().join("workspace"), files)?;
    let size = format!("{} files", crate::grouped(files));
    let mut rows = measure(folder.path(), &size)?;
    rows.push(command(program, folder.path(), &size)?);
    Ok(rows)
}

fn command(program: &Path, folder: &Path, size: &str) -> Outcome<Row> {
    let [workspace, home] = ["workspace", "home"].map(|name| folder.join(name).display().to_string());
    std::fs::create_dir_all(&home)?;
    let environment = [("INWIT_HOME", home.as_str()), ("HOME", home.as_str()), ("TZ", "UTC")];
    let mut chance = crate::Chance::new(3);
    let questions: Vec<String> = (0..=COMMANDS).map(|_| notes::question(&mut chance)).collect();
    let arguments =
        |run: usize| ["search", "--workspace", &workspace, &questions[run]].map(str::to_owned).to_vec();
    // The first builds the index.
    process(program, &arguments, &environment, 1)?;
    let fresh = process(program, &arguments, &environment, COMMANDS)?;
    let figure = format!("{:.0} / {:.0} ms, {:.0} MiB", fresh.wall.ms(50), fresh.wall.ms(95), fresh.peak_mib);
    Ok((format!("`inwit search` as a command, index fresh, wall p50 / p95, peak memory, {size}"), figure))
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
