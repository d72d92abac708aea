//! What a session keeps where something is too long, too full, or called like another one.

use inwit_engine::sessions::session::{Message, Read, Start, TURN_WISHES_MAX, Turn, Wish};
use inwit_model::{Code, Scope, SessionId};
use inwit_testkit::Shelf;

use crate::profile;
use crate::world::{World, world};

/// A session called `id`, with one turn in which `text` was said; ended.
fn held(world: &World, id: &str, text: &str) {
    let id = begun(world, id);
    world.says(&id, text, "Yes.", Vec::new());
    world.agent.sessions.session_end(&id).expect("ended");
}

fn begun(world: &World, id: &str) -> SessionId {
    let start = Start {
        session: Some(SessionId::parse(id).expect("an id")),
        surface: "repl".into(),
        scope: Scope::Main,
        room: None,
        user: Some("ana".into()),
        agents: Vec::new(),
        project: None,
    };
    world.agent.sessions.session_start(&start).expect("a session").session.start.id
}

/// A session's log is its own, also where its id begins like another one's.
///
/// Proves W28.
#[test]
fn sessions_that_begin_alike_have_a_log_each() {
    let world = world(profile("personal"), Shelf::default());
    held(&world, "telegram-1", "The first is bread.");
    held(&world, "telegram-2", "The second is salt.");
    let (first, second) = (begun(&world, "telegram-3"), begun(&world, "telegram-4"));
    world.says(&first, "The third is water.", "Yes.", Vec::new());
    world.says(&second, "The fourth is yeast.", "Yes.", Vec::new());
    world.agent.sessions.session_end(&second).expect("ended");
    world.agent.sessions.session_end(&first).expect("ended");
    let logs: Vec<String> =
        world.names().into_iter().filter(|name| name.starts_with("memory/2026-11-21-")).collect();
    assert_eq!(logs.len(), 4, "{logs:?}");
    assert!(logs.contains(&"memory/2026-11-21-telegram.md".to_owned()), "W28's form: {logs:?}");
    for (id, words) in [("1", "bread"), ("2", "salt"), ("3", "water"), ("4", "yeast")] {
        let own: Vec<&String> = logs.iter().filter(|log| world.text(log).contains(words)).collect();
        let [own] = own.as_slice() else { panic!("{words}: {own:?}") };
        assert!(world.text(own).starts_with(&format!("# 2026-11-21 · session telegram-{id} · ")), "{own}");
        assert_eq!(world.text(own).matches("## ").count(), 1, "{own}");
    }
}

#[test]
fn a_result_that_is_too_long_costs_its_own_middle_and_not_the_turn() {
    let world = world(profile("personal"), Shelf::default());
    let id = world.starts();
    let long = format!("begins {} ends", "\u{1}x".repeat(1 << 20));
    let read = |tool: &str, text: &str| Read { tool: tool.into(), text: text.into() };
    let tools = vec![read("web_fetch", &long), read("ls", "a.md")];
    let user = Message { text: "What does it say?".into(), ..Message::default() };
    world.turns(&id, Turn { user, reply: "It says x.".into(), tools, ..Turn::default() });
    let said = world.said(&id);
    assert_eq!(said.len(), 4);
    assert_eq!(
        (said[0].as_str(), said[2].as_str(), said[3].as_str()),
        ("What does it say?", "a.md", "It says x.")
    );
    assert!(said[1].starts_with("begins "), "{}", &said[1][..60]);
    let (kept, marker) = said[1].split_once("\n[").expect("a marker");
    let left = long.len() - kept.len();
    assert!(marker.starts_with(&format!("{left} of {} bytes left out", long.len())), "{marker}");
    world.agent.sessions.session_end(&id).expect("ended");
}

#[test]
fn words_that_no_transcript_can_hold_are_refused_before_anything_is_written() {
    let world = world(profile("personal"), Shelf::default());
    let id = world.starts();
    for (user, reply) in [(1 << 21, 1), (1, 1 << 21)] {
        let user = Message { text: "y".repeat(user), ..Message::default() };
        let turn = Turn { user, reply: "z".repeat(reply), ..Turn::default() };
        let error = world.agent.sessions.session_turn(&id, &turn).expect_err("too long");
        assert_eq!(error.code, Code::EntryTooLarge);
        assert!(error.message.contains("1048576"), "{}", error.message);
    }
    assert_eq!(world.says(&id, "a", "b", Vec::new()).session.turns, 1, "the refused ones are no turns");
    assert_eq!(world.said(&id), ["a", "b"]);
}

#[test]
fn more_wishes_than_a_turn_carries_out_are_refused_before_anything_is_written() {
    let world = world(profile("personal"), Shelf::default());
    let id = world.starts();
    let wish = |at: usize| Wish::Journal { text: format!("note {at}") };
    let wishes: Vec<Wish> = (0..=TURN_WISHES_MAX).map(wish).collect();
    let turn = |wishes| Turn { reply: "Yes.".into(), wishes, ..Turn::default() };
    let error = world.agent.sessions.session_turn(&id, &turn(wishes.clone())).expect_err("too many");
    assert_eq!(error.code, Code::UsageBad);
    assert!(
        error.message.contains("101 writes") && error.message.contains("at most 100"),
        "{}",
        error.message
    );
    let taken = world.agent.sessions.session_turn(&id, &turn(wishes[1..].to_vec())).expect("taken");
    assert_eq!((taken.session.turns, taken.wished.len()), (1, TURN_WISHES_MAX), "the refused one is no turn");
    assert!(taken.wished.iter().all(Result::is_ok));
}

#[test]
fn a_session_ends_though_its_log_is_full_and_says_what_is_not_in_it() {
    let world = world(profile("personal"), Shelf::default());
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "Yes.", Vec::new());
    let log = format!("memory/2026-11-21-{}.md", &id.as_str()[..8]);
    let full = "a".repeat(262_130);
    world.shelf.write(&log, full.as_str());
    let ended = world.agent.sessions.session_end(&id).expect("ended");
    let told = ended.notices.iter().find(|notice| notice.code == "journal_not_written").expect("it is said");
    assert!(told.message.contains("turn 1") && told.message.contains(&log), "{}", told.message);
    assert!(ended.session.ended.is_some());
    assert_eq!(world.text(&log), full);
}
