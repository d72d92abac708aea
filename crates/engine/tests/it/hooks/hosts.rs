//! What of a session of a host is kept: turns, their trust, what is private, and what could not be written at once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use inwit_engine::core::spool::{HeardPrompt, Spool};
use inwit_engine::sessions::hook::{Prompted, hosted};
use inwit_engine::sessions::session::{Message, Read, Start, Turn};
use inwit_engine::{Agent, AgentDeps, AgentPorts};
use inwit_model::{Code, Files, Taint};
use inwit_testkit::{FakeClock, NOW, Shelf, keeping, parts, room};

use super::spool::{Laid, NoStore, laying};
use super::{TWO, folder, heard, home, host, pack, recalled, typed, whole};
use crate::profile;

/// What a page says is done, and the list it shows, ends nothing that the owner noted.
#[test]
fn a_turn_that_strangers_reached_closes_no_loop_of_the_owner() {
    let world = home();
    world
        .shelf
        .write("HEARTBEAT.md", "# HEARTBEAT\n\n## Open Loops\n\n- Call the clinic\n- Renew the passport\n");
    let id = world.starts();
    let tasks: String = (1..=12).map(|at| format!("- [ ] Page task {at}\n")).collect();
    let reply = format!("Here is the page:\n\n{tasks}\nDone: call the clinic");
    let turn = |tools| Turn {
        user: Message { text: "Read it".into(), ..Message::default() },
        reply: reply.clone(),
        tools,
        ..Turn::default()
    };
    world.turns(&id, turn(vec![Read { tool: "web_fetch".into(), text: "page".into() }]));
    let memo = world.text("HEARTBEAT.md");
    assert!(memo.contains("Call the clinic") && memo.contains("Renew the passport"), "{memo}");
    assert!(memo.contains("Page task 12") && !memo.contains("Page task 1\n"), "ten in all: {memo}");
    // What the owner's own session closes is closed.
    let own = home();
    own.shelf.write("HEARTBEAT.md", "# HEARTBEAT\n\n## Open Loops\n\n- Call the clinic\n");
    let id = own.starts();
    own.turns(&id, Turn { reply: "Done: call the clinic".into(), ..turn(Vec::new()) });
    assert!(!own.text("HEARTBEAT.md").contains("Call the clinic"));
}

#[test]
fn a_hosts_session_is_kept_once_and_goes_on_under_the_same_name() {
    let world = home();
    let id = host("3f2a-1");
    let agent = &world.agent;
    agent.sessions.hosted_start(Some(&id), None, false).expect("a pack");
    agent
        .sessions
        .hosted_turn(&id, None, &heard("We sail on Friday.", "Noted: Friday."))
        .expect("kept")
        .expect("a turn");
    agent.sessions.hosted_flush(&id).expect("flushed");
    let log = whole(&world);
    assert!(log.contains("We sail on Friday."), "before the host forgets it: {log}");
    agent.sessions.hosted_end(&id).expect("ended").expect("it ran");
    assert_eq!(whole(&world).matches("We sail on Friday.").count(), 1, "not twice");
    assert!(agent.sessions.hosted_end(&id).expect("nothing to end").is_none());
    assert!(agent.sessions.hosted_flush(&id).expect("nothing to flush").is_none());
    // The host takes it up again.
    agent
        .sessions
        .hosted_turn(&id, None, &heard("And back on Sunday.", "Yes."))
        .expect("kept")
        .expect("a turn");
    agent.sessions.hosted_end(&id).expect("ended").expect("the one that followed ran");
    assert!(whole(&world).contains("And back on Sunday."));
    // What the agent read meanwhile is unknown.
    assert!(pack(&world).contains("from=\"tool\""));
}

/// A host may name a session that was begun with us: what its agent read meanwhile nobody saw.
#[test]
fn a_turn_of_a_host_lowers_the_trust_in_a_session_that_was_begun_otherwise() {
    let world = home();
    let id = world.starts();
    let taint = || world.agent.sessions.session_prompt(&id).expect("it runs").session.start.taint;
    assert_eq!(taint(), Taint::Owner);
    world
        .agent
        .sessions
        .hosted_turn(&id, None, &heard("We sail on Friday.", "Noted."))
        .expect("kept")
        .expect("a turn");
    assert_eq!(taint(), Taint::Tool);
    world.agent.sessions.hosted_start(Some(&host("s-1")), None, false).expect("a pack");
    let hosted = world.agent.sessions.session_prompt(&host("s-1")).expect("it runs").session;
    assert_eq!(hosted.start.taint, Taint::Tool, "from its first turn on");
}

/// A room could count what the owner's hosts do by when its log is written.
#[test]
fn a_host_of_the_owner_writes_nothing_of_a_session_of_a_room() {
    let world = home();
    let start = Start {
        session: None,
        surface: hosted::SURFACE.into(),
        scope: room("kitchen"),
        room: Some("kitchen".into()),
        user: Some("ana".into()),
        agents: Vec::new(),
        project: None,
    };
    let id = world.agent.sessions.session_start(&start).expect("begun").session.start.id;
    world.turns(
        &id,
        Turn { user: Message { text: "We bake on Friday.".into(), ..Message::default() }, ..Turn::default() },
    );
    let before = whole(&world);
    world.agent.sessions.hosted_start(Some(&host("s-2")), None, false).expect("a pack");
    assert_eq!(whole(&world), before);
}

#[test]
fn a_session_that_nobody_ended_is_told_by_the_next_one() {
    let world = home();
    let (killed, next) = (host("s-1"), host("s-2"));
    world.agent.sessions.hosted_start(Some(&killed), None, false).expect("a pack");
    world.agent.sessions.hosted_turn(&killed, None, &heard("We sail on Friday.", "Noted.")).expect("kept");
    assert!(!whole(&world).contains("We sail on Friday."));
    let pack = world.agent.sessions.hosted_start(Some(&next), None, false).expect("a pack");
    assert!(pack.text.contains("We sail on Friday."), "{}", pack.text);
    world.agent.sessions.hosted_start(Some(&next), None, false).expect("a pack");
    assert_eq!(whole(&world).matches("We sail on Friday.").count(), 1, "once");
}

#[test]
fn what_is_private_is_kept_nowhere_not_even_where_the_agent_repeats_it() {
    let world = home();
    let id = host("s-1");
    let said = heard("Blue door. <private>The code is 4711</private>", "I will use 4711.");
    world.agent.sessions.hosted_turn(&id, None, &said).expect("kept").expect("a turn");
    world.agent.sessions.hosted_end(&id).expect("ended");
    let all = whole(&world);
    assert!(all.contains("Blue door.") && !all.contains("4711"), "{all}");
    let transcripts = world.folder.path().join("transcripts");
    for file in std::fs::read_dir(transcripts).expect("transcripts") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        assert!(!text.contains("4711"), "{text}");
    }
    let nothing = world.agent.sessions.hosted_turn(&id, None, &heard("<private>4711</private>", "4711"));
    assert!(nothing.expect("no error").is_none());
}

/// An agent that says again all it was shown, a hundred times over, adds nothing to what is kept.
#[test]
fn a_hundred_sessions_of_echo_leave_the_store_as_it_was() {
    let world = home();
    let agent = &world.agent;
    let before = whole(&world);
    for at in 0..100 {
        let id = host(&format!("s-{at}"));
        let pack = agent.sessions.hosted_start(Some(&id), None, false).expect("a pack").text;
        let brought = recalled(&world, "which bread does Ana like?");
        assert!(brought.contains("caraway"), "session {at}");
        agent
            .sessions
            .hosted_turn(&id, None, &heard(&format!("{pack}\n{brought}"), &format!("{brought}{pack}")))
            .expect("kept");
        agent.sessions.hosted_end(&id).expect("ended");
    }
    assert_eq!(whole(&world), before);
    // With words of their own as well, only those are kept.
    for at in 0..10 {
        let id = host(&format!("t-{at}"));
        let pack = agent.sessions.hosted_start(Some(&id), None, false).expect("a pack").text;
        agent
            .sessions
            .hosted_turn(&id, None, &heard(&format!("Good morning {at}. {pack}"), &format!("Hello. {pack}")))
            .expect("kept");
        agent.sessions.hosted_end(&id).expect("ended");
    }
    let after = whole(&world);
    assert!(after.contains("Good morning 9."));
    assert_eq!(after.matches("caraway").count(), before.matches("caraway").count(), "no echo");
}

#[test]
fn what_a_prompt_brought_is_laid_aside_and_noted_when_there_is_time() {
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", "# MEMORY\n\n- Ana likes rye bread with caraway.\n");
    let laid = Laid::default();
    let spool: Box<dyn Spool> = Box::new(laid.clone());
    let keeping = AgentDeps { records_recall: true, spool: Some(spool), ..keeping() };
    let agent = Agent::new(AgentPorts { keeping, ..parts(Arc::new(shelf) as Arc<dyn Files>) });
    let session = host("s-1");
    let asked = Prompted { session: Some(&session), ..typed("which bread does Ana like?") };
    agent.sessions.recall_in_passing(asked, TWO).expect("an answer");
    let events = laid.0.lock().expect("no panic").clone();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].session.as_ref(), Some(&session));
    agent.learning.keep_recalled().expect("kept");
    assert!(laid.0.lock().expect("no panic").is_empty());
}

#[test]
fn a_pack_of_a_session_that_cannot_be_recorded_still_comes() {
    let world = home();
    let id = world.starts_in(inwit_testkit::room("#dev"), Some("#dev"));
    let pack = world.agent.sessions.hosted_start(Some(&id), None, false).expect("a pack");
    assert!(pack.text.contains("caraway"));
    assert!(pack.notices.iter().any(|notice| notice.code == "session_not_recorded"), "{:?}", pack.notices);
    let error = world
        .agent
        .sessions
        .hosted_turn(&id, None, &heard("a", "b"))
        .expect_err("a room's session is not the owner's");
    assert_eq!(error.code, Code::SessionClash);
}

/// The turn could not be held, and what was held before could not be recorded: both were no reason to lose it.
#[test]
fn a_turn_that_a_full_disk_cannot_hold_is_recorded_or_reported_with_its_prompt_kept() {
    let shelf = Arc::new(Shelf::of("//- SOUL.md\nI am Ada.\n"));
    let laid = Laid::default();
    laid.5.store(true, Ordering::SeqCst);
    let spool = || Some(Box::new(laid.clone()) as Box<dyn Spool>);
    let files = || Arc::clone(&shelf) as Arc<dyn Files>;
    let agent = |keeping: AgentDeps| {
        Agent::new(AgentPorts { profile: profile("personal"), keeping, ..parts(files()) })
    };
    let writes = agent(AgentDeps { spool: spool(), ..keeping() });
    let turned = writes
        .sessions
        .hosted_turn(&host("one"), None, &heard("Where is the peel?", "Behind the oven."))
        .expect("kept");
    let turned = turned.expect("a turn");
    assert_eq!(turned.session.turns, 1);
    let told: Vec<&str> = turned.notices.iter().map(|notice| notice.code).collect();
    assert!(told.contains(&"turn_not_held"), "{told:?}");

    let broken = agent(AgentDeps { spool: spool(), store: Arc::new(NoStore), ..keeping() });
    let prompt = HeardPrompt { text: "Where is the trough?".to_owned(), had_private: false };
    laid.prompt(&host("two"), &prompt);
    let error = broken
        .sessions
        .hosted_turn(&host("two"), None, &heard("", "Under the bench."))
        .expect_err("nothing can be kept");
    assert!(
        error.message.contains("was not kept") && error.message.contains("disk is full"),
        "{}",
        error.message
    );
    let kept = laid.take_prompt(&host("two"), "").and_then(|ended| ended.heard);
    assert_eq!(kept, Some(prompt), "the next end of the turn finds its prompt");
}

/// A turn that no second try would record is reported, and holds back none that came after it.
#[test]
fn a_held_turn_that_can_never_be_recorded_is_let_go() {
    let laid = Laid::default();
    let agent = laying(&laid, &Arc::new(FakeClock::at(NOW)));
    let start = Start {
        session: Some(host("of-a-room")),
        surface: "chat".into(),
        scope: room("#dev"),
        room: Some("#dev".into()),
        user: None,
        agents: Vec::new(),
        project: None,
    };
    agent.sessions.session_start(&start).expect("a session");
    let told = agent.sessions.hosted_turn(&host("of-a-room"), None, &heard("a", "b"));
    assert!(told.expect("let go").is_none());
    let turned =
        agent.sessions.hosted_turn(&host("one"), None, &heard("Where is the peel?", "Behind the oven."));
    assert_eq!(turned.expect("kept").expect("a turn").session.turns, 1);
    assert_eq!(laid.4.lock().expect("no panic").1, [], "nothing is held any more");
    assert!(agent.sessions.hosted_end(&host("of-a-room")).expect("not the owner's").is_none());
    agent.sessions.session_end(&host("of-a-room")).expect("no hook has ended it");
}

/// What a person typed in a folder counts as theirs there, whole prompts alone, and for an hour.
#[test]
fn what_was_typed_counts_for_an_hour_and_not_beside_a_private_part() {
    let (laid, clock) = (Laid::default(), Arc::new(FakeClock::at(NOW)));
    let agent = laying(&laid, &clock);
    let (shop, session) = (folder("shop"), host("s-1"));
    let types = |text: &str| {
        let asked = Prompted { text, session: Some(&session), folder: Some(&shop) };
        agent.sessions.recall_in_passing(asked, TWO).expect("an answer");
    };
    let rule = "Never deploy the shop on Fridays.";
    types(&format!("{rule} <private>pin 4711</private>"));
    assert!(
        !agent.sessions.was_typed(&shop, rule),
        "what stands around a private part may say something else"
    );
    types(rule);
    assert!(agent.sessions.was_typed(&shop, rule));
    assert!(!agent.sessions.was_typed(&folder("fleet"), rule));
    clock.pass(jiff::SignedDuration::from_mins(59));
    assert!(agent.sessions.was_typed(&shop, rule));
    clock.pass(jiff::SignedDuration::from_mins(2));
    assert!(!agent.sessions.was_typed(&shop, rule));
}
