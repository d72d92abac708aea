//! What a session writes into the daily logs.

use inwit_engine::sessions::session::{Message, Turn, Wish};
use inwit_model::{Cadence, Code, Files as _, Layout, Scope};
use inwit_testkit::room;

use super::{shelf, start_of};
use crate::profile;
use crate::world::{Meddling, words, world};

/// Proves R25, R75.
#[test]
fn each_turn_of_a_room_goes_into_its_own_log_with_its_names() {
    let world = world(profile("mindroom"), shelf());
    let id = world.starts_in(room("#dev"), Some("#dev"));
    let said =
        Message { name: Some("@alice".into()), text: "We ship on Friday.".into(), is_owner: Some(false) };
    world.turns(&id, Turn { user: said, reply: "Friday it is.".into(), ..Turn::default() });
    let Scope::Room(dev) = room("#dev") else { unreachable!() };
    let log = world.text(&format!("memory/rooms/{}/2026-11-21.md", dev.folder()));
    assert!(log.contains("## 2026-11-21 12:00 UTC"), "{log}");
    assert!(log.contains("**Room:** #dev\n**User:** @alice\n"), "{log}");
    assert!(log.contains("- @alice: We ship on Friday."), "{log}");
    assert_eq!(world.text("memory/2026-11-21.md"), "", "a room's words are in no private log");
    let main = world.starts();
    let private = world.agent.sessions.session_prompt(&main).expect("a prompt");
    assert!(!private.prefix.contains("Friday") && !private.user_prefix.contains("Friday"));
}

/// Proves R14.
#[test]
fn a_note_of_the_agents_own_goes_into_the_days_log() {
    let mut profile = profile("personal");
    profile.journal_layout = Layout::PerDay;
    let world = world(profile, shelf());
    let id = world.starts();
    let turned =
        world.says(&id, "a", "b", vec![Wish::Journal { text: "## not a heading\nAna called.".into() }]);
    assert_eq!(words(&turned), ["applied"]);
    let log = world.text("memory/2026-11-21.md");
    assert!(log.contains("\\## not a heading\nAna called.\n"), "{log}");
    let shared = world.starts_in(Scope::Shared, None);
    let refused = world.says(&shared, "a", "b", vec![Wish::Journal { text: "x".into() }]);
    assert_eq!(words(&refused), ["refused"], "strangers have no log");
}

/// Proves W27, X20, N29k, W14.
#[test]
fn the_log_grows_every_so_many_turns_and_at_the_end() {
    let mut profile = profile("personal");
    profile.journal_cadence = Cadence::EveryTurns(2);
    let world = world(profile, shelf());
    let id = world.starts();
    let log = format!("memory/2026-11-21-{}.md", &id.as_str()[..8]);
    world.says(&id, "The first thing is bread.", "Yes.", Vec::new());
    assert_eq!(world.text(&log), "");
    world.says(&id, "The second thing is salt.", "Yes.", Vec::new());
    assert!(world.text(&log).contains("bread") && world.text(&log).contains("salt"));
    world.says(&id, "The third thing is water.", "Yes.", Vec::new());
    assert!(!world.text(&log).contains("water"));
    let ended = world.agent.sessions.session_end(&id).expect("ended");
    assert_eq!(ended.notices, []);
    assert_eq!(world.text(&log).matches("water").count(), 1);
    assert_eq!(world.text(&log).matches("bread").count(), 1);
    let error = world.agent.sessions.session_turn(&id, &Turn::default()).expect_err("it has ended");
    assert_eq!(error.code, Code::SessionEnded);
}

/// Proves W14, W27.
#[test]
fn a_session_of_minara_appends_to_one_log_of_its_own_every_five_turns() {
    let mut profile = profile("minara");
    profile.journal = true;
    let world = world(profile, shelf());
    let id = world.starts();
    let part = &id.as_str()[..8];
    let log = format!("memory/2026-11-21-{part}.md");
    let says = |turn: usize| drop(world.says(&id, &format!("Thing {turn} is bread."), "Yes.", Vec::new()));
    (1..=4).for_each(says);
    assert_eq!(world.text(&log), "");
    says(5);
    let first = world.text(&log);
    assert!(first.starts_with(&format!("# 2026-11-21 · session {part}")), "{first}");
    assert!((1..=5).all(|turn| first.contains(&format!("Thing {turn} is bread."))), "{first}");
    (6..=7).for_each(says);
    assert_eq!(world.text(&log), first);
    world.agent.sessions.session_end(&id).expect("ended");
    let whole = world.text(&log);
    assert!(whole.starts_with(&first) && whole.contains("Thing 7 is bread."), "{whole}");
    assert!(whole.contains("**Turns:** 1-5 (") && whole.contains("**Turns:** 6-7 ("), "{whole}");
    let logs = world.names().into_iter().filter(|name| name.starts_with("memory/"));
    assert_eq!(logs.collect::<Vec<_>>(), [log]);
}

/// Proves X20.
#[test]
fn where_an_agent_proposes_its_log_itself_none_is_written_for_it() {
    for (name, is_written) in [("carapace", false), ("personal", true)] {
        let mut profile = profile(name);
        profile.journal = true;
        let world = world(profile, shelf());
        let id = world.starts();
        world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        assert_eq!(
            world
                .names()
                .iter()
                .any(|name| name.starts_with("memory/2026") || name.starts_with("memory/daily/")),
            is_written,
            "{name}"
        );
    }
}

/// Proves W29.
#[test]
fn the_log_of_a_day_and_that_of_a_session_are_both_in_the_next_prompt() {
    let shelf = shelf();
    shelf.write("memory/2026-11-21.md", "- The oven came by boat.\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
    world.agent.sessions.session_end(&id).expect("ended");
    let own = format!("memory/2026-11-21-{}.md", &id.as_str()[..8]);
    assert!(world.text(&own).contains("We bake on Friday."), "{}", world.text(&own));
    let began = world.agent.sessions.session_prompt(&world.starts()).expect("a prompt");
    let shown = [began.prefix, began.user_prefix, began.tail].concat();
    assert!(shown.contains("The oven came by boat.") && shown.contains("We bake on Friday."), "{shown}");
}

/// The day of a log is one of the agent's zone, its hours are those of UTC; in nexo and MindRoom the day is one of UTC
/// as well.
///
/// Proves X22.
#[test]
fn a_log_is_named_by_a_day_of_the_zone_and_its_entries_by_utc() {
    for (name, day) in [("personal", "2026-11-22"), ("nexo", "2026-11-21"), ("mindroom", "2026-11-21")] {
        let zone = jiff::tz::TimeZone::get("Pacific/Auckland").expect("a zone");
        let world = crate::world::world_in(zone, profile(name), shelf());
        world.clock.set("2026-11-21T11:30:00Z");
        let id = world.starts();
        world.says(&id, "a", "b", vec![Wish::Journal { text: "Ana called.".into() }]);
        let logs: Vec<String> =
            world.names().into_iter().filter(|name| name.ends_with(".md") && name.contains("2026")).collect();
        assert!(!logs.is_empty() && logs.iter().all(|log| log.contains(day)), "{name}: {logs:?}");
        let log = world.text(&logs[0]);
        assert!(log.contains("## 2026-11-21 11:30 UTC") && log.contains("Ana called."), "{name}: {log}");
    }
}

#[test]
fn a_session_whose_log_cannot_be_written_goes_on() {
    let world = world(profile("personal"), shelf());
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
    let log = format!("memory/2026-11-21-{}.md", &id.as_str()[..8]);
    world.shelf.write(&log, b"\xFF\xFEa\0".as_slice());
    let error = world.agent.sessions.session_end(&id).expect_err("not ended");
    assert!(error.message.contains("was not ended"), "{}", error.message);
    world.shelf.write(&log, "");
    world.agent.sessions.session_end(&id).expect("ended at last");
    assert!(world.text(&log).contains("Friday"), "{}", world.text(&log));
}

#[test]
fn a_name_that_holds_a_secret_or_a_hidden_sign_does_not_stop_the_log() {
    let world = world(profile("mindroom"), shelf());
    let key = ["sk-ant-", "api03-", &"Fq7".repeat(31), "AA"].concat();
    let id = world.agent.sessions.session_start(&start_of("named")).expect("a session").session.start.id;
    let name = format!("eve\u{200B}\u{202E} {key}");
    let user = Message { name: Some(name), text: "We ship on Friday.".into(), is_owner: None };
    world.turns(&id, Turn { user, reply: "Yes.".into(), ..Turn::default() });
    let log = world.text("memory/2026-11-21.md");
    assert!(log.contains("Friday") && !log.contains(&key) && !log.contains('\u{202E}'), "{log}");
}

#[test]
fn without_transcripts_each_turn_is_logged_as_it_ends() {
    let shelf = std::sync::Arc::new(shelf());
    let agent = crate::agent(
        profile("personal"),
        std::sync::Arc::clone(&shelf) as std::sync::Arc<dyn inwit_model::Files>,
    );
    let id = agent.sessions.session_start(&start_of("quiet")).expect("a session").session.start.id;
    for text in ["The first is bread.", "The second is salt."] {
        let user = Message { text: text.into(), ..Message::default() };
        agent
            .sessions
            .session_turn(&id, &Turn { user, reply: "Yes.".into(), ..Turn::default() })
            .expect("a turn");
    }
    let ended = agent.sessions.session_end(&id).expect("ended");
    assert_eq!(ended.notices, []);
    let log =
        inwit_model::Files::read(&*shelf, &inwit_testkit::name("memory/2026-11-21-quiet.md")).expect("a log");
    let log = String::from_utf8_lossy(&log.bytes).into_owned();
    assert_eq!((log.matches("bread").count(), log.matches("salt").count()), (1, 1), "{log}");
    assert!(log.contains("**Turns:** 1 (quiet)") && log.contains("**Turns:** 2 (quiet)"), "{log}");
}

#[test]
fn an_entry_names_all_who_spoke() {
    let world = world(profile("personal"), shelf());
    let id = world.starts();
    for name in ["@alice", "@bob", "@alice"] {
        let user = Message { name: Some(name.into()), text: "We ship on Friday.".into(), is_owner: None };
        world.turns(&id, Turn { user, reply: "Yes.".into(), ..Turn::default() });
    }
    world.agent.sessions.session_end(&id).expect("ended");
    let log = world.text(&format!("memory/2026-11-21-{}.md", &id.as_str()[..8]));
    assert!(log.contains("**User:** @alice, @bob\n") && log.contains("- @bob: We ship"), "{log}");
}

/// The turns 1 to 3 of session `s-1` as another process told of them.
fn told_elsewhere(profile: &inwit_model::Profile) -> (String, String) {
    let world = world(profile.clone(), shelf());
    let id = world.agent.sessions.session_start(&start_of("s-1")).expect("a session").session.start.id;
    (1..=3).for_each(|turn| drop(world.says(&id, &format!("Thing {turn} is bread."), "Yes.", Vec::new())));
    world.agent.sessions.session_flush(&id).expect("told");
    let log = "memory/2026-11-21-s-1.md".to_owned();
    let text = world.text(&log);
    assert!(text.contains("**Turns:** 1-3 "), "{text}");
    (log, text)
}

/// A process that died behind its entry, or another one that told of some turns first, makes nobody tell them
/// again: not at any moment in which that may happen.
#[test]
fn turns_that_are_told_in_part_are_told_on_and_not_again() {
    const MOMENTS: usize = 40;
    let mut profile = profile("personal");
    profile.journal_cadence = Cadence::EveryTurns(5);
    let (log, told) = told_elsewhere(&profile);
    let mut reached = 0;
    for moment in 0..MOMENTS {
        let world = world(profile.clone(), shelf());
        let shelf = std::sync::Arc::clone(&world.shelf);
        let (name, text) = (log.clone(), told.clone());
        // The other one as well tells only of what nobody told.
        let clock = std::sync::Arc::new(Meddling::new(move || {
            if shelf.read(&inwit_testkit::name(&name)).is_err() {
                shelf.write(&name, &text);
            }
        }));
        let agent = world.agent_with(profile.clone(), std::sync::Arc::clone(&clock) as _);
        let id = agent.sessions.session_start(&start_of("s-1")).expect("a session").session.start.id;
        let says = |turn: usize| {
            let user = Message { text: format!("Thing {turn} is bread."), ..Message::default() };
            let turn = Turn { user, reply: "Yes.".into(), ..Turn::default() };
            assert_eq!(agent.sessions.session_turn(&id, &turn).expect("a turn").notices, []);
        };
        (1..=4).for_each(says);
        clock.meddle_after(moment);
        says(5);
        if !clock.has_meddled() {
            break;
        }
        reached = moment;
        agent.sessions.session_end(&id).expect("ended");
        let text = world.text(&log);
        for turn in 1..=5 {
            let count = text.matches(&format!("Thing {turn} is bread.")).count();
            assert_eq!(count, 1, "moment {moment}, turn {turn}: {text}");
        }
    }
    assert!(reached > 2 && reached < MOMENTS - 1, "every moment was tried: {reached}");
}
