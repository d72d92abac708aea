//! What runs beside a conversation: a dream pass, history, and the look for what must not be seen.

use inwit_engine::WriteContext;
use inwit_gate::{Author, noticed, secrets};
use inwit_model::{Op, SafeName};
use inwit_soak::{Home, dreamers};

use crate::measure::Times;
use crate::notes::{self, Chance};
use crate::{Outcome, Row};

/// Dream passes that are timed, each with passages of its own.
const NIGHTS: u32 = 20;

/// Changes of one file that history takes in at once.
const FLUSHED: usize = 50;

/// How often history is brought up to date.
const FLUSHES: usize = 8;

/// Days of notes that are scanned: 0.5 MB.
const DAYS: usize = 50;

/// Rows of the table.
pub fn measure() -> Outcome<Vec<Row>> {
    let mut rows = vec![dreaming()?];
    rows.extend(history()?);
    rows.extend(scanning());
    Ok(rows)
}

fn dreaming() -> Outcome<Row> {
    let home = Home::new("personal", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n# MEMORY\n");
    notes::lay_out(&home.place.workspace(), 2_000)?;
    let memory = home.place.memory();
    let agent = home.place.open().agent;
    let mut times = Vec::new();
    for night in 0..NIGHTS {
        dreamers::lay_out(&home.place, memory.as_ref(), night);
        let begun = std::time::Instant::now();
        let said = dreamers::dream(&agent);
        times.push(begun.elapsed());
        if said != "appended" {
            return Err(format!("night {night}: {said}").into());
        }
    }
    let times = Times::from(times);
    Ok((
        format!(
            "a dream pass that promotes {} passages, among 2,000 passages, p50 / longest",
            dreamers::PASSAGES
        ),
        format!("{:.1} / {:.1} ms", times.ms(50), times.ms(100)),
    ))
}

fn history() -> Outcome<Vec<Row>> {
    let home = Home::new("personal", "//- SOUL.md\nI am Ada.\n");
    let agent = home.place.open().agent;
    let (name, owner) =
        (SafeName::parse("notes/plan.md")?, WriteContext::of(Author::owner(&inwit_testkit::owner())));
    let (mut flushes, mut commits, mut text) = (Vec::new(), 0, String::from("# Plan\n"));
    for flush in 0..FLUSHES {
        for change in 0..FLUSHED {
            text.push_str(&format!("- thing {change} of the {flush}th day\n"));
            agent.notes.amend(&name, &owner, &|_| Ok(Some(Op::Put(text.as_bytes().into()))))?;
        }
        let begun = std::time::Instant::now();
        commits += agent.history.flush_history()?.commits;
        flushes.push(begun.elapsed());
    }
    let flushes = Times::from(flushes);
    let blames = Times::of(10, |_| agent.history.blame(&name, None));
    let lines = agent.history.blame(&name, None)?.len();
    Ok(vec![
        (
            format!("history flush of {FLUSHED} changes, p50 / longest"),
            format!("{:.0} / {:.0} ms ({commits} commits in all)", flushes.ms(50), flushes.ms(100)),
        ),
        (
            format!(
                "`history blame` in process: {lines} lines, {} changes, p50 / longest",
                FLUSHED * FLUSHES
            ),
            format!("{:.0} / {:.0} ms", blames.ms(50), blames.ms(100)),
        ),
    ])
}

/// The speed of the scanners over prose, one day's log at a time.
fn scanning() -> Vec<Row> {
    let mut chance = Chance::new(11);
    let days: Vec<String> = (0..DAYS).map(|number| notes::day(&mut chance, number)).collect();
    let bytes: usize = days.iter().map(String::len).sum();
    let speed = |times: &Times| bytes as f64 / 1e3 / times.ms(50);
    let found = Times::of(7, |_| days.iter().map(|day| secrets::scan(day).len()).sum::<usize>());
    let all = Times::of(7, |_| days.iter().map(|day| noticed(day.as_bytes()).len()).sum::<usize>());
    vec![
        (
            "secrets looked for in prose".into(),
            format!("{:.0} MB/s ({:.1} MB)", speed(&found), bytes as f64 / 1e6),
        ),
        (
            "all that is masked looked for: secrets, unseen characters, phrases".into(),
            format!("{:.0} MB/s", speed(&all)),
        ),
    ]
}

/// How long the look for what is masked takes over `texts`, in milliseconds, p50 of some runs.
pub fn masking_ms(texts: &[&str]) -> f64 {
    Times::of(30, |_| texts.iter().map(|text| noticed(text.as_bytes()).len()).sum::<usize>()).ms(50)
}
