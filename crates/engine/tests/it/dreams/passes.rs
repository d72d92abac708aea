//! When a pass runs, under which lock, and what is recorded of it.

use super::*;

/// Who is turned away at the lock draws no fence, so the pass that runs is not overtaken.
///
/// Proves W65.
#[test]
fn a_pass_that_finds_the_lock_held_leaves_the_running_one_alone() {
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let held: DreamDoor =
        Box::new(|_| Ok(Taken::Busy(DreamBusy { holder: None, reason: BusyReason::GuardHeld })));
    let keeping = AgentDeps {
        dream_door: Some(held),
        ..AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7)))
    };
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf("- nothing\n"))) });
    let running = memory.next_fence().expect("given");
    let number =
        memory.begin_dream(running, DreamEngine::Recall, "timer", FakeClock::at(NOW).now()).expect("begun");
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    assert_eq!(agent.learning.dream(&ask).expect("an answer").outcome, "lock_held_skip");
    assert_eq!(memory.next_fence().expect("given"), running + 1, "none was drawn between");
    assert_eq!(memory.dreams(9).expect("passes").len(), 1, "{number:?} is the only one");
}

/// Proves N29l.
#[test]
fn a_pass_begins_by_itself_once_an_interval_and_only_where_an_engine_is_named() {
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    recalled(&world);
    let outcome = |engines: &[DreamEngine]| {
        let schedule = DreamSchedule { engines: engines.to_vec(), ..DreamSchedule::default() };
        let scheduled =
            world.agent.learning.dream_when_due(&schedule, None, "session_end", "main").expect("an answer");
        let notices: Vec<_> = scheduled.notices.iter().map(|notice| notice.code).collect();
        (scheduled.reports.first().map(|report| report.outcome), notices)
    };
    let both = [DreamEngine::Recall, DreamEngine::Logs];
    assert_eq!(outcome(&[]), (None, vec![]), "nobody is named");
    assert_eq!(outcome(&[DreamEngine::Logs]), (None, vec!["dream_engine_needs_model"]));
    assert_eq!(outcome(&both), (Some("appended"), vec!["dream_engine_needs_model"]));
    world.clock.pass(SignedDuration::from_hours(23));
    assert_eq!(outcome(&[DreamEngine::Recall]), (None, vec![]), "it is too early");
    assert_eq!(dream(&world).outcome, "nothing_to_promote", "a person may ask at any time");
    world.clock.pass(SignedDuration::from_hours(23));
    assert_eq!(outcome(&[DreamEngine::Recall]), (None, vec![]), "that pass counted");
    world.clock.pass(SignedDuration::from_hours(1));
    assert_eq!(outcome(&[DreamEngine::Recall]), (Some("nothing_to_promote"), vec![]));
    // A clock that was set back does not stop passes until it has caught up.
    world.clock.set("2026-11-01T12:00:00Z");
    assert_eq!(outcome(&[DreamEngine::Recall]), (Some("nothing_to_promote"), vec![]));
}

/// Proves X58.
#[test]
fn nothing_dreams_by_itself() {
    for heartbeat in [true, false] {
        let mut profile = profile("personal");
        profile.heartbeat = heartbeat;
        let world = world(profile, shelf("- The sourdough starter is fed on Sundays.\n"));
        recalled(&world);
        let id = world.starts();
        world.says(&id, "hi", "hello", Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        assert_eq!(world.text("MEMORY.md"), MEMORY);
        assert_eq!(world.agent.learning.dreams(9).expect("passes"), []);
        assert_eq!(dream(&world).outcome, "appended", "whether or not there is a heartbeat");
    }
}

/// Proves N22.
#[test]
fn the_last_dream_and_what_it_promoted_are_counted() {
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    recalled(&world);
    assert_eq!(world.agent.counts().expect("counts").last_dream, None);
    let at = world.clock.now();
    dream(&world);
    let counts = world.agent.counts().expect("counts");
    assert_eq!((counts.memories_promoted, counts.last_dream), (1, Some(at)));
}

/// Proves N29j, X55, I2.
#[test]
fn a_dream_and_the_end_of_a_session_have_commits_and_audit_rows_of_their_own() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = world(profile("nexo"), shelf("- The sourdough starter is fed on Sundays.\n"));
    let subjects = || {
        let log = world.agent.history.history_log(&LogFilter::newest(50)).expect("a log");
        log.into_iter().map(|commit| commit.subject).collect::<Vec<_>>()
    };
    recalled(&world);
    let receipt = dream(&world).receipt.expect("a receipt");
    assert!(subjects().contains(&"dream: 1 promotion".to_owned()), "{:?}", subjects());
    let rows = world.agent.core.audit_rows(100).expect("rows");
    let of = |file: &str| rows.iter().find(|row| row.target == file).expect("a row");
    assert!(of("MEMORY.md").detail.contains(receipt.id.as_str()), "{:?}", of("MEMORY.md"));
    assert!(of("DREAMS.md").detail.contains("rcpt-"), "{:?}", of("DREAMS.md"));
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
    world.agent.sessions.session_end(&id).expect("ended");
    assert!(subjects().contains(&format!("session-close: {id}")), "{:?}", subjects());
}

/// Proves X58.
#[test]
fn a_pass_that_is_due_runs_with_and_without_a_heartbeat() {
    for heartbeat in [true, false] {
        let mut profile = profile("nexo");
        profile.heartbeat = heartbeat;
        let world = world(profile, shelf("- The sourdough starter is fed on Sundays.\n"));
        recalled(&world);
        let schedule = DreamSchedule { engines: vec![DreamEngine::Recall], ..DreamSchedule::default() };
        let scheduled =
            world.agent.learning.dream_when_due(&schedule, None, "session_end", "main").expect("an answer");
        let outcome = scheduled.reports.first().map(|report| report.outcome);
        assert_eq!(outcome, Some("appended"), "{heartbeat}");
    }
}

/// A pass that died before it wrote its section promoted nothing: the next one takes its sweep back.
#[test]
fn a_sweep_whose_section_never_arrived_is_taken_back() {
    use inwit_store::memory::{Promotion, Promotions as _, Sweep};
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let keeping = AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7)));
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf("- The starter is fed.\n"))) });
    let text = Sha256::of(b"- The starter is fed.");
    let bullet = |words: &str| Sha256::of(words.as_bytes());
    let promotion = Promotion {
        passage: PassageKey { path: inwit_testkit::name(LOG), text },
        bullet: bullet("the starter is fed"),
        score: 0.9,
        hits: 3,
        days: 3,
        phase: "deep".into(),
    };
    let sweep = Sweep {
        fence: memory.next_fence().expect("given"),
        at: FakeClock::at(NOW).now(),
        target: inwit_testkit::name("MEMORY.md"),
        section: Some(bullet("a section")),
        promotions: vec![promotion],
        spans: Vec::new(),
    };
    memory.intend_sweep(&sweep).expect("intended");
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    agent.learning.dream(&ask).expect("a dream");
    assert_eq!(memory.unconfirmed_sweeps().expect("sweeps").len(), 0);
    assert!(!memory.is_promoted(&text).expect("looked up"), "it can be promoted still");
}

/// A pass that lost its lock on the way writes nothing: another one may be at work.
#[test]
fn a_pass_that_lost_its_lock_writes_nothing() {
    use inwit_testkit::{FakeProcesses, FakeStopwatch};
    use inwit_workspace::dream_lock::{Claim, Ports, RECORD_NAME};
    use inwit_workspace::{DreamLock, LockFolder};
    let place = tempfile::tempdir().expect("a folder");
    let [workspace, state] = ["workspace", "state"].map(|name| place.path().join(name));
    std::fs::create_dir(&workspace).expect("a workspace");
    let is_lost = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let loses = Arc::clone(&is_lost);
    let door: DreamDoor = Box::new(move |draw| {
        let locks = LockFolder::for_workspace(&state, &workspace);
        let ttl = std::time::Duration::from_secs(60);
        let claim = Claim { surface: "cli", ttl, fence: 0, entropy: [7; 16] };
        let (processes, clock) = (FakeProcesses::on("bakery", 41), FakeClock::at(NOW));
        let ports = Ports { processes: &processes, clock: &clock, stopwatch: &FakeStopwatch::default() };
        let taken = DreamLock::acquire_drawing(&workspace, &locks, &claim, draw, ports);
        if loses.load(std::sync::atomic::Ordering::SeqCst) {
            std::fs::remove_file(workspace.join(RECORD_NAME)).expect("taken away");
        }
        taken
    });
    let memory = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let line = "- The sourdough starter is fed on Sundays.";
    let files = Arc::new(shelf(&format!("# 2026-11-20\n\n{line}\n")));
    let keeping = AgentDeps {
        dream_door: Some(door),
        ..AgentDeps::alone(Arc::clone(&memory) as _, Arc::new(Drawn::of(7)))
    };
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::clone(&files) as _) });
    let passage = PassageKey { path: inwit_testkit::name(LOG), text: Sha256::of(line.as_bytes()) };
    let recall = |day: i64| RecallEvent {
        passage: passage.clone(),
        query: Sha256::of(&day.to_le_bytes()),
        score: 1.0,
        at: FakeClock::at(NOW).now() - SignedDuration::from_hours(24 * day),
        session: None,
    };
    memory.record(&(1..5).map(recall).collect::<Vec<_>>()).expect("noted");
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    assert_eq!(agent.learning.dream(&ask).expect_err("it lost its lock").code, inwit_model::Code::Locked);
    let text = |file: &str| files.read(&inwit_testkit::name(file)).map(|content| content.bytes.to_vec());
    assert_eq!(text("MEMORY.md").expect("there"), MEMORY.as_bytes());
    is_lost.store(false, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(agent.learning.dream(&ask).expect("a dream").outcome, "appended");
}
