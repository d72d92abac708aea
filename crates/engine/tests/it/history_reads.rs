//! Reading the history commits nothing, waits for nobody, and shows what waits all the same.

use std::fs::File;
use std::path::Path;

use inwit_engine::history::past::{LogFilter, Origin};
use inwit_engine::{Bounds, DayEdge, Search};
use inwit_model::Scope;
use inwit_store::Lifetimes as _;
use inwit_store_sqlite::SqliteLifetimes;
use inwit_testkit::{Shelf, has_git, name};

use crate::profile;
use crate::world::{World, remember, words, world};

/// The agent wrote one entry that is committed, and one that waits.
fn one_waits() -> World {
    let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
    world.clock.set("2026-05-01T10:00:00Z");
    said(&world, "Ana likes rye");
    world.agent.history.record_found().expect("recorded");
    world.clock.set("2026-05-03T10:00:00Z");
    said(&world, "Ana likes oats");
    world.clock.set("2026-05-04T10:00:00Z");
    world
}

fn said(world: &World, text: &str) {
    let id = world.starts();
    assert_eq!(words(&world.says(&id, "a", "b", vec![remember(text)])), ["applied"]);
}

/// What lies in the folder of the history, and what its branch is.
fn state(home: &Path) -> (Vec<String>, Option<String>) {
    let entries = std::fs::read_dir(home).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    (names, std::fs::read_to_string(home.join("history.git/refs/heads/main")).ok())
}

/// Asks everything that reads the history; each answer has the line that waits.
fn asks(world: &World) {
    let agent = &world.agent;
    let memory = name("MEMORY.md");
    let of_memory = LogFilter { name: Some(memory.clone()), ..LogFilter::newest(50) };
    let log = agent.history.history_log(&of_memory).expect("a log");
    assert_eq!(log[0].at.to_string(), "2026-05-03T10:00:00Z", "{log:?}");
    let show = agent.history.history_show(&log[0].oid.into(), &memory).expect("recorded");
    assert!(String::from_utf8_lossy(&show).contains("oats"));
    let (from, to) = agent.history.last_change(Some(&memory)).expect("a change").expect("recorded");
    assert!(agent.history.history_diff(&from, &to, None).expect("a diff").contains("oats"));
    let origins = agent.history.blame(&memory, None).expect("origins");
    let is_the_agents = |origin: &Origin| matches!(origin, Origin::Recorded(line) if line.text.contains("oats") && line.actor == "agent");
    assert!(origins.iter().any(is_the_agents), "{origins:?}");
    agent.notes.plan_undo(None).expect("what stood before is known");
    let moment = agent.core.moment("2026-05-03", DayEdge::End).expect("a moment");
    let past = agent.as_of(&Scope::Main, moment).expect("a past");
    let search = Search {
        query: "oats",
        scope: &Scope::Main,
        limit: 5,
        budget_chars: None,
        bounds: Bounds::default(),
    };
    let answer = past.search(&search).expect("an answer");
    assert_eq!(answer.hits[0].text, "- Ana likes oats");
    let seen = answer.hits[0].seen.expect("dated");
    assert_eq!((seen.from.to_string().as_str(), seen.until), ("2026-05-03T10:00:00Z", None));
}

#[test]
fn whoever_reads_sees_what_waits_and_commits_nothing() {
    if !has_git() {
        return;
    }
    let world = one_waits();
    let before = state(world.folder.path());
    asks(&world);
    assert_eq!(state(world.folder.path()), before, "nothing is committed, nothing is left");
    assert!(world.agent.history.flush_history().expect("flushed").commits > 0, "it waits all the same");
}

/// Also where the history was never made: reading makes none.
#[test]
fn a_history_that_is_not_made_yet_is_read_and_not_made() {
    if !has_git() {
        return;
    }
    let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
    world.clock.set("2026-05-03T10:00:00Z");
    said(&world, "Ana likes oats");
    world.clock.set("2026-05-04T10:00:00Z");
    asks(&world);
    assert!(!world.folder.path().join("history.git").exists());
}

/// A flush of another process, however long, holds up no reader.
#[test]
fn a_running_flush_holds_up_no_reader() {
    if !has_git() {
        return;
    }
    let world = one_waits();
    let busy = File::open(world.folder.path().join("history.git/inwit.lock")).expect("there");
    busy.lock().expect("free");
    asks(&world);
}

/// A revision that `history log` shows is the one that the next flush gives.
#[test]
fn what_waits_is_shown_under_the_name_that_it_will_have() {
    if !has_git() {
        return;
    }
    for is_made in [true, false] {
        let world = if is_made {
            one_waits()
        } else {
            let world = world(profile("personal"), Shelf::of("//- SOUL.md\nI am Ada.\n"));
            said(&world, "Ana likes oats");
            world
        };
        let names = || -> Vec<String> {
            let log = world.agent.history.history_log(&LogFilter::newest(50)).expect("a log");
            log.iter().map(|commit| commit.oid.to_string()).collect()
        };
        let shown = names();
        world.clock.pass(jiff::SignedDuration::from_hours(5));
        assert!(world.agent.history.flush_history().expect("flushed").commits > 0);
        assert_eq!(names(), shown);
    }
}

/// What is derived from the history holds commits alone: what one reader saw behind them is not kept.
#[test]
fn nothing_that_waits_is_kept_in_what_is_derived() {
    if !has_git() {
        return;
    }
    let world = one_waits();
    let steps = || {
        let (mut kept, _) = SqliteLifetimes::open(&world.folder.path().join("past.db")).expect("opened");
        kept.steps().expect("read").len()
    };
    asks(&world);
    let before = steps();
    world.shelf.write_at("notes/oven.md", "The oven is hot.\n", "2026-05-02T10:00:00Z");
    world.shelf.remove("SOUL.md");
    asks(&world);
    assert_eq!(steps(), before);
    world.agent.history.record_found().expect("recorded");
    asks(&world);
    assert!(steps() > before);
}
