//! Secrets that are said in a session.

use std::sync::Arc;

use inwit_engine::SessionLogs;
use inwit_engine::self_report::session_logs::Look;
use inwit_engine::sessions::session::Wish;
use inwit_model::{Clock, Scope};
use inwit_testkit::room;
use inwit_workspace::Transcripts;

use super::shelf;
use crate::profile;
use crate::world::{knowing_world, remember, words, world};

/// A digest leaves sentences out and joins lines: a value is known by what stands beside it in the message.
#[test]
fn a_secret_is_taken_out_of_a_message_before_it_is_digested() {
    let (body, hex, wrapped) =
        ("q8Zt".repeat(16), "5f1e8c0a9b7d43e2a6c19f0b47d2e8aa", "pLix6MEOL\neMa61EqJomw");
    let dashes = "-----";
    for (said, value) in [
        (
            format!(
                "Okapi has it.\n{dashes}BEGIN RSA PRIVATE KEY{dashes}\n{body}\n{body}\n{dashes}END RSA PRIVATE KEY{dashes}"
            ),
            body.as_str(),
        ),
        (format!("Okapi has it. The api key is\n{hex}"), hex),
        (format!("Okapi has glpat-{wrapped} in 2026."), "eMa61EqJomw"),
        (
            "Okapi has it.\naws_secret_access_key =\nCDrZqCs9HjKuiHcAF2o0D7LNrbuKMJhFirYTW6rg".to_owned(),
            "CDrZqCs9HjKu",
        ),
    ] {
        let world = world(profile("mindroom"), shelf());
        let id = world.starts();
        world.says(&id, &said, &said, Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        let names = world.agent.notes.names(&Scope::Main).expect("names");
        let logs: Vec<_> = names.iter().filter(|name| name.as_str().starts_with("memory/")).collect();
        let text: String = logs.iter().map(|name| world.text(name.as_str())).collect();
        assert!(text.contains("kapi has"), "{said}: {text}");
        assert!(!text.contains(value), "{said}: {text}");
    }
}

/// The reply names no label: what the question gives away is taken out of the reply, and the other way round.
#[test]
fn a_value_that_one_message_gives_away_is_taken_out_of_the_others() {
    let value = format!("Rk7#mQ2v{}", "Xp9t2");
    let named = format!("The router password is {value}.");
    let bare = format!("I logged in to the router with {value}.");
    for (asked, answered) in [(&named, &bare), (&bare, &named)] {
        let world = world(profile("mindroom"), shelf());
        let id = world.starts();
        world.says(&id, asked, answered, Vec::new());
        world.agent.sessions.session_end(&id).expect("ended");
        let log = world.text("memory/2026-11-21.md");
        assert!(log.contains("router") && !log.contains(&value), "{log}");
    }
}

/// A later session repeats the bare value, and the agent writes it into a note, a fact and its log.
#[test]
fn a_value_that_was_named_in_an_earlier_session_is_masked_in_private_and_in_no_room() {
    let value = ["lavendel", "8", "Quark"].join("-");
    let bare = format!("Okapi opens with {value} now.");
    let world = knowing_world(profile("personal"), shelf());
    let logs_of = |folder: &str| {
        let names = world.names().into_iter().filter(|name| name.starts_with(folder));
        names.map(|name| world.text(&name)).collect::<String>()
    };
    let room_first = world.starts_in(room("#dev"), Some("#dev"));
    world.says(&room_first, &format!("My db password is {value}."), "Noted.", Vec::new());
    let early = world.starts();
    world.says(&early, "Which one?", &bare, Vec::new());
    world.agent.sessions.session_end(&early).expect("ended");
    assert!(logs_of("memory/2026").contains(&value), "a room teaches nothing");

    let first = world.starts();
    world.says(&first, &format!("My db password is {value}."), "Noted.", Vec::new());
    let second = world.starts();
    let journal = Wish::Journal { text: bare.clone() };
    let turned = world.says(&second, "Log in.", &bare, vec![remember(&bare), remember(&bare), journal]);
    assert_eq!(words(&turned), ["applied", "unchanged", "applied"]);
    world.agent.sessions.session_end(&second).expect("ended");
    assert!(world.text("MEMORY.md").contains("- Okapi opens with [REDACTED:"), "{}", world.text("MEMORY.md"));
    assert!(!world.text("MEMORY.md").contains(&value));
    let log = logs_of("memory/2026");
    assert_eq!(log.matches(&value).count(), 1, "only the line of before: {log}");
    let transcripts = Transcripts::open(&world.folder.path().join("transcripts")).expect("transcripts");
    let logs = SessionLogs::new(transcripts, "main", None, Arc::clone(&world.clock) as Arc<dyn Clock>);
    let told = |scope: &Scope| {
        logs.mask_too(world.agent.core.named_values(scope));
        format!("{:?}", logs.read(&Scope::Main, &second, &Look::default()).expect("read"))
    };
    assert!(!told(&Scope::Main).contains(&value) && told(&Scope::Main).contains("Okapi opens"));
    let found = |query: &str| {
        logs.mask_too(world.agent.core.named_values(&Scope::Main));
        let hits = logs.search(&Scope::Main, query, None).expect("searched");
        (hits.hits.len(), hits.found)
    };
    assert_eq!(found("lavendel"), found("lavendex"), "the kind of match does not depend on what is masked");
    assert_eq!(found("Okapi opens").0, 2);
    assert!(told(&room("#dev")).contains(&value), "a room cannot test a guess");
    let second_room = world.starts_in(room("#dev"), Some("#dev"));
    world.says(&second_room, &bare, "Yes.", Vec::new());
    world.agent.sessions.session_end(&second_room).expect("ended");
    assert!(logs_of("memory/rooms").contains(&bare), "{}", logs_of("memory/rooms"));
}

/// A mask is for what an agent writes: the owner keeps what they want, and no agent that adds a line changes theirs.
#[test]
fn a_known_value_that_the_owner_wrote_stays_when_an_agent_adds_to_the_file() {
    use inwit_engine::WriteContext;
    use inwit_engine::notes::remember::Entry;
    let value = ["lavendel", "8", "Quark"].join("-");
    let bare = format!("Okapi opens with {value} now.");
    let world = knowing_world(profile("personal"), shelf());
    let id = world.starts();
    world.says(&id, &format!("My db password is {value}."), "Noted.", Vec::new());
    let owner = WriteContext::of(inwit_gate::Author::owner(&inwit_testkit::owner()));
    let entry = Entry { text: &bare, section: "Facts" };
    world.agent.notes.remember_in(&Scope::Main, None, &entry, &owner).expect("written");
    assert!(world.text("MEMORY.md").contains(&bare), "the owner's words: {}", world.text("MEMORY.md"));
    let turned = world.says(&id, "And?", "Yes.", vec![remember(&format!("Zebra opens with {value} too."))]);
    assert_eq!(words(&turned), ["applied"]);
    let memory = world.text("MEMORY.md");
    assert!(memory.contains(&bare) && memory.contains("Zebra opens with [REDACTED:"), "{memory}");
}

/// A log must not fail over what somebody said, and must not keep it either.
#[test]
fn a_secret_that_was_said_is_taken_out_of_the_log_and_the_memo() {
    let world = world(profile("mindroom"), shelf());
    let key = ["sk-ant-", "api03-", &"Fq7".repeat(31), "AA"].concat();
    let id = world.starts_in(room("#dev"), Some("#dev"));
    world.says(&id, &format!("The key is {key}."), "I keep no keys.", Vec::new());
    let Scope::Room(dev) = room("#dev") else { unreachable!() };
    let log = world.text(&format!("memory/rooms/{}/2026-11-21.md", dev.folder()));
    assert!(log.contains("[REDACTED:anthropic_key]") && !log.contains(&key), "{log}");
    let main = world.starts();
    let turned = world.says(&main, "a", "b", vec![remember(&format!("The key is {key}"))]);
    assert_eq!(words(&turned), ["secret_refused"]);
}
