//! What a user waits for: commands that write, a turn, and the first open after a death.
//!
//! The home holds some hundred changes, since an empty one flatters. A death is a real one: a child aborts
//! in the middle of a replacement, when the names are about to change places.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use inwit_engine::WriteContext;
use inwit_engine::sessions::session::{Message, Turn};
use inwit_gate::Author;
use inwit_home::clock::SystemClock;
use inwit_model::{Op, SafeName, Scope, SessionId};
use inwit_soak::{Home, Place, owners_session};
use inwit_testkit::Hooked;
use inwit_workspace::FsFiles;

use crate::measure::{Times, child, process};
use crate::{Outcome, Row};

/// Changes that the home holds before anything is measured.
const CHANGES: usize = 300;

/// Runs of a command.
const COMMANDS: usize = 60;

/// Turns in one process.
const TURNS: usize = 200;

/// Deaths.
const DEATHS: usize = 20;

const FIXTURE: &str = "//- SOUL.md\nI am Ada.\n//- USER.md\nAna lives in Vigo.\n//- MEMORY.md\n# MEMORY\n";

/// Rows of the table.
pub fn measure(bench: &Path, program: &Path) -> Outcome<Vec<Row>> {
    let home = Home::new("personal", FIXTURE);
    let agent = home.place.open().agent;
    for run in 0..CHANGES {
        agent.sessions.journal_add(&format!("note {run}: rye bread"), &Scope::Main, &owner())?;
    }
    let session = agent.sessions.session_start(&owners_session())?.session.start.id;
    let turns = Times::of(TURNS, |run| agent.sessions.session_turn(&session, &turn(run)));
    drop(agent);

    let environment = home.place.environment();
    let mut environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    environment.push(("PATH", inwit_soak::child::PATH));
    let remember = process(
        program,
        &|run| words(&["remember", &format!("fact {run} of rye bread")]),
        &environment,
        COMMANDS,
    )?;
    let turned = process(program, &|run| command(&session, run), &environment, COMMANDS)?;
    let opened = process(program, &|_| words(&["--version"]), &environment, COMMANDS)?;
    let row = |what: &str, times: &Times, beside: &str| {
        (format!("{what}, p50 / p95"), format!("{:.2} / {:.2} ms{beside}", times.ms(50), times.ms(95)))
    };
    let peak = |mib: f64| format!(", peak memory {mib:.0} MiB");
    Ok(vec![
        row("`inwit --version` as a command: what any process costs", &opened.wall, ""),
        row("`inwit remember` as a command, on the disk", &remember.wall, &peak(remember.peak_mib)),
        row(
            "`inwit session turn` as a command: transcript, daily log, record",
            &turned.wall,
            &peak(turned.peak_mib),
        ),
        row("the same turn in process", &turns, ""),
        recovery(bench)?,
    ])
}

fn turn(run: usize) -> Turn {
    Turn {
        reads_unseen: false,
        user: Message { name: None, text: format!("what of bread {run}?"), is_owner: Some(true) },
        reply: format!("Rye, the {run}th loaf, from the corner."),
        tools: Vec::new(),
        wishes: Vec::new(),
    }
}

fn command(session: &SessionId, run: usize) -> Vec<String> {
    let said = format!(r#"{{"text":"what of bread {run}?","owner":true}}"#);
    let input = format!(r#"{{"session":"{session}","user":{said},"assistant":"Rye, the {run}th loaf."}}"#);
    words(&["session", "turn", "--input", &input])
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Opens and recovers a home that a writer left in the middle of a replacement.
fn recovery(bench: &Path) -> Outcome<Row> {
    let home = Home::new("personal", FIXTURE);
    let root = home.place.root().display().to_string();
    let agent = home.place.open().agent;
    for run in 0..CHANGES {
        agent.sessions.journal_add(&format!("note {run}: rye bread"), &Scope::Main, &owner())?;
    }
    drop(agent);
    let mut times = Vec::new();
    for death in 0..DEATHS {
        if child(bench, &["child", "die", &root, &death.to_string()])?.success() {
            return Err("the child was to die".into());
        }
        let begun = Instant::now();
        let agent = home.place.open().agent;
        let recovered = home.place.writer_of_tomorrow(&home.place.memory()).recover()?;
        times.push(begun.elapsed());
        drop(agent);
        if recovered.is_nothing() {
            return Err("the death left nothing to mend".into());
        }
    }
    let times = Times::from(times);
    Ok((
        format!("opened and put right after a writer died in the middle, {DEATHS} deaths, p50 / longest"),
        format!("{:.1} / {:.1} ms", times.ms(50), times.ms(100)),
    ))
}

/// What a child does: dies when the names are about to change places.
pub fn die(place: &Place, number: usize) -> Outcome<()> {
    let disk = Hooked::before(|call, _| {
        if call == "exchange" {
            std::process::abort();
        }
    });
    let files = FsFiles::open_with(disk, &place.workspace())?;
    let agent = place.agent_on(Arc::new(files), Arc::new(SystemClock));
    let text = format!("# MEMORY\n\n- told before the death {number}\n");
    agent
        .notes
        .amend(&SafeName::parse("MEMORY.md")?, &owner(), &|_| Ok(Some(Op::Put(text.as_bytes().into()))))?;
    Ok(())
}

fn owner() -> WriteContext {
    WriteContext::of(Author::owner(&inwit_testkit::owner()))
}
