//! Searches while another thread of the process writes entries and commits them to the history.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use inwit_engine::{Agent, Bounds, Search, WriteContext};
use inwit_gate::Author;
use inwit_model::{Op, SafeName, Scope};
use inwit_soak::Home;

use crate::measure::Times;
use crate::{Outcome, Row, notes};

/// Time between two entries, and entries between two commits of the history.
const ENTRY_EVERY: Duration = Duration::from_millis(20);
const FLUSHED: usize = 100;

/// Questions that are asked meanwhile.
const QUESTIONS: usize = 3_000;

/// Files that are written to in turn.
const FILES: usize = 20;

/// Rows for so many passages.
pub fn measure(passages: usize) -> Outcome<Vec<Row>> {
    let home = Home::new("personal", "//- SOUL.md\nI am Ada.\n");
    notes::lay_out(&home.place.workspace(), passages)?;
    std::thread::sleep(Duration::from_millis(120));
    let opened = home.place.open();
    opened.files.watch();
    let agent = &*opened.agent;
    agent.notes.rebuild(&Scope::Main, &mut inwit_model::watch::unwatched)?;
    let is_over = AtomicBool::new(false);
    let (times, wrote) = std::thread::scope(|scope| -> Outcome<_> {
        let writing = scope.spawn(|| write(agent, &is_over).map_err(|error| error.to_string()));
        let asked = ask(agent);
        is_over.store(true, Ordering::SeqCst);
        let wrote = writing.join().unwrap_or_else(|_| Err("it panicked".to_owned()))?;
        Ok((asked?, wrote))
    })?;
    let of = format!("search of {} passages", crate::grouped(passages));
    let Wrote { entries, commits, seconds } = wrote;
    let beside = format!("{:.0} entries a second, {commits} commits", entries as f64 / seconds);
    Ok(vec![(
        format!("{of} while another thread writes and history is committed, p50 / p99 / longest"),
        format!("{:.1} / {:.1} / {:.1} ms ({beside})", times.ms(50), times.ms(99), times.ms(100)),
    )])
}

fn ask(agent: &Agent) -> Outcome<Times> {
    let mut chance = notes::Chance::new(3);
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        let query = notes::question(&mut chance);
        let (begun, bounds) = (Instant::now(), Bounds::default());
        agent.notes.search(&Search {
            query: &query,
            scope: &Scope::Main,
            limit: 10,
            budget_chars: None,
            bounds,
        })?;
        times.push(begun.elapsed());
    }
    Ok(Times::from(times))
}

struct Wrote {
    entries: usize,
    commits: usize,
    seconds: f64,
}

fn write(agent: &Agent, is_over: &AtomicBool) -> Outcome<Wrote> {
    let owner = WriteContext::of(Author::owner(&inwit_testkit::owner()));
    let begun = Instant::now();
    let (mut entries, mut commits) = (0_usize, 0);
    while !is_over.load(Ordering::SeqCst) {
        let name = SafeName::parse(&format!("notes/plan-{}.md", entries % FILES))?;
        let line = format!("- thing {entries} of the plan\n");
        agent.notes.amend(&name, &owner, &|_| Ok(Some(Op::Append(line.as_bytes().into()))))?;
        entries += 1;
        if entries.is_multiple_of(FLUSHED) {
            commits += agent.history.flush_history()?.commits;
        }
        std::thread::sleep((ENTRY_EVERY * entries as u32).saturating_sub(begun.elapsed()));
    }
    Ok(Wrote { entries, commits, seconds: begun.elapsed().as_secs_f64() })
}
