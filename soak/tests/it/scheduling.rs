//! Schedulers of several interfaces on one workspace: while one dreams, the others are told so.
//!
//! One engine is in the middle of its pass whenever its disk is about to change something. There and then
//! a second engine of this process and a third of another process are asked to dream as well. Nothing is
//! waited for: the hook of the disk makes the race happen at every such call.

use std::path::Path;
use std::sync::{Arc, Mutex};

use inwit_home::clock::SystemClock;
use inwit_model::Files;
use inwit_soak::child::Child;
use inwit_soak::{Home, Place, dreamers};
use inwit_store::Memory;
use inwit_testkit::Hooked;
use inwit_workspace::FsFiles;

const BUSY: &str = "lock_held_skip";

/// What the others were told during one pass: the call they came before, and their two answers.
type Told = Arc<Mutex<Vec<(String, [String; 2])>>>;

/// Proves W51.
#[test]
fn while_one_scheduler_dreams_the_others_answer_busy_and_nothing_is_promoted_twice() {
    let home = Home::new("personal", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n# MEMORY\n");
    let place = &home.place;
    let memory = place.memory();
    dreamers::lay_out(place, memory.as_ref(), 0);
    let mut elsewhere = Child::start(Path::new(env!("CARGO_BIN_EXE_inwit-soak")), "dreamer", place, &[]);
    let beside = place.open().agent;

    let told = Told::default();
    let others = {
        let (told, place) = (Arc::clone(&told), place.clone());
        let mut child = Child::start(Path::new(env!("CARGO_BIN_EXE_inwit-soak")), "dreamer", &place, &[]);
        let agent = place.open().agent;
        move |call: String| {
            child.tell("dream");
            let answers = [child.answer().unwrap_or_default(), dreamers::dream(&agent)];
            told.lock().expect("no panic").push((call, answers));
        }
    };
    let dreaming = dreaming_among(place, others);
    assert_eq!(dreamers::dream(&dreaming), "appended", "the pass goes on among the others");

    let told = std::mem::take(&mut *told.lock().expect("no panic"));
    let busy = [BUSY.to_owned(), BUSY.to_owned()];
    let not_busy: Vec<_> = told.iter().filter(|(_, answers)| *answers != busy).collect();
    assert!(not_busy.is_empty(), "the lock was not held for the whole pass: {not_busy:?}");
    let calls: Vec<&str> = told.iter().map(|(call, _)| call.as_str()).collect();
    assert!(calls.iter().any(|call| call.starts_with("exchange")), "MEMORY.md was replaced: {calls:?}");
    promoted_once(place, memory.as_ref());

    elsewhere.tell("dream");
    let later = [elsewhere.answer().unwrap_or_default(), dreamers::dream(&beside)];
    assert_eq!(later, ["nothing_to_promote", "nothing_to_promote"], "the lock is free again");
    promoted_once(place, memory.as_ref());
}

/// An engine that lets `others` come before each change that its pass makes.
fn dreaming_among(place: &Place, others: impl FnMut(String) + Send + 'static) -> inwit_engine::Agent {
    let others = Mutex::new(others);
    let disk = Hooked::before(move |call, name| {
        (others.lock().expect("no panic"))(format!("{call} {name}"));
    });
    let files = FsFiles::open_with(disk, &place.workspace()).expect("a workspace");
    place.agent_on(Arc::new(files) as Arc<dyn Files>, Arc::new(SystemClock))
}

/// Each passage stands once in the file and once in the ledger.
#[track_caller]
fn promoted_once(place: &Place, memory: &dyn Memory) {
    let text = std::fs::read_to_string(place.workspace().join("MEMORY.md")).expect("MEMORY.md is text");
    for number in 0..dreamers::PASSAGES {
        let passage = dreamers::passage(0, number);
        let passage = passage.trim_start_matches("- ");
        assert_eq!(text.matches(passage).count(), 1, "`{passage}` in:\n{text}");
    }
    assert_eq!(memory.promotion_count(), Ok(u64::from(dreamers::PASSAGES)));
}
