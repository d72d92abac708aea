//! What a conversation leaves behind: logs, the memo, an archived beginning, and how far it is trusted.

mod logs;
mod pruning;
mod secrets;
mod taint;

use inwit_engine::sessions::session::{Message, Turn, Wish};
use inwit_model::{Code, Files as _, Scope};
use inwit_testkit::{Shelf, room};
use jiff::SignedDuration;

use crate::profile;
use crate::world::{put, remember, word, words, world};

fn shelf() -> Shelf {
    let shelf = Shelf::default();
    shelf.write("SOUL.md", "# SOUL\n\nBe kind.\n");
    shelf.write("MEMORY.md", "# MEMORY\n\n## Facts\n\n- Ana bakes.\n");
    shelf
}

/// Proves R74.
#[test]
fn an_agent_writes_its_memory_and_asks_for_what_it_is() {
    let world = world(profile("personal"), shelf());
    let id = world.starts();
    let turned = world.says(
        &id,
        "I like rye",
        "Noted.",
        vec![
            remember("Ana likes rye"),
            put("SOUL.md", "# SOUL\n\nBe brief.\n"),
            put("AGENTS.md", "# AGENTS\n"),
        ],
    );
    assert_eq!(words(&turned), ["applied", "pending:policy", "pending:policy"]);
    assert!(world.text("MEMORY.md").contains("- Ana likes rye\n"));
    assert_eq!(world.text("SOUL.md"), "# SOUL\n\nBe kind.\n");
}

/// OpenClaw before 2026.8 wrote `memory.md`; a second file beside it would hide it from every prompt.
#[test]
fn what_is_remembered_goes_into_the_memory_file_that_is_there() {
    for (profile_name, here) in
        [("personal", "memory.md"), ("openclaw", "memory.md"), ("personal", "memory/CORE.md")]
    {
        let shelf = Shelf::default();
        shelf.write(here, "# MEMORY\n\n## Facts\n\n- Ana bakes.\n");
        let world = world(profile(profile_name), shelf);
        let owner = inwit_engine::WriteContext::of(inwit_gate::Author::owner(&inwit_testkit::owner()));
        let entry = inwit_engine::notes::remember::Entry { text: "Ana likes rye", section: "Facts" };
        let outcome = world.agent.notes.remember(None, &entry, &owner).expect("kept");
        assert!(
            matches!(outcome, inwit_engine::Outcome::Applied { .. }),
            "{profile_name}, {here}: {outcome:?}"
        );
        assert_eq!(world.text(here), "# MEMORY\n\n## Facts\n\n- Ana bakes.\n- Ana likes rye\n");
        assert_eq!(world.text("MEMORY.md"), "", "{profile_name}, {here}: nothing stands before it");
    }
}

/// Proves C14, C15, C16, C17.
#[test]
fn carapace_asks_for_every_file_that_an_agent_would_write() {
    let shelf = shelf();
    shelf.write("HEARTBEAT.md", "# HEARTBEAT\n\n## Schedule\n\n- weekly: water the plants\n");
    let world = world(profile("carapace"), shelf);
    let id = world.starts();
    let turned = world.says(
        &id,
        "hi",
        "hi",
        vec![
            put("USER.md", "# USER\n\n- Name: Ana\n"),
            put("TOOLS.md", "# TOOLS\n"),
            put(
                "HEARTBEAT.md",
                "# HEARTBEAT\n\n## Schedule\n\n- weekly: water the plants\n- daily: look at mail\n",
            ),
            put("AGENTS.md", "# AGENTS\n"),
            put("SOUL.md", "# SOUL\n\nBe brief.\n"),
            remember("Ana likes rye"),
        ],
    );
    assert_eq!(words(&turned), ["pending:policy"; 6], "carapace asks for what is kept as well (C4)");
    let seen = |scope: Scope| {
        let excerpt = world.agent.notes.get(&scope, "HEARTBEAT.md", inwit_engine::Lines::default());
        excerpt.map_or_else(|_| String::new(), |it| String::from_utf8_lossy(&it.content).into_owned())
    };
    assert!(!seen(Scope::Scheduled).contains("look at mail"), "not before a person let it in");
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    let it = waiting.iter().find(|kept| kept.proposal.target.as_str() == "HEARTBEAT.md").expect("it waits");
    let shown = world
        .agent
        .notes
        .proposal(it.proposal.id.as_str(), &inwit_engine::notes::inbox::Made::AsIs)
        .expect("shown");
    let person =
        inwit_gate::HumanConsent::confirming(shown.seal, &shown.seal.to_string()).expect("confirmed");
    world.agent.approve(&shown, &person, false).expect("written");
    assert!(seen(Scope::Scheduled).contains("- daily: look at mail\n"), "{}", seen(Scope::Scheduled));
    assert_eq!(seen(room("kitchen")), "", "a room has nothing of it");
}

/// Proves C4.
#[test]
fn carapace_asks_before_it_writes_memory_and_writes_its_own_log_directly() {
    let world = world(profile("carapace"), shelf());
    let id = world.starts();
    let entry = |file: &str| Wish::Remember {
        text: format!("Ana likes rye, says {file}"),
        file: Some(file.into()),
        section: None,
        reason: String::new(),
    };
    let mut wishes = ["MEMORY.md", "memory/CORE.md", "memory/topics/bread.md"].map(entry).to_vec();
    wishes.push(Wish::Journal { text: "Ana called.".into() });
    let turned = world.says(&id, "hi", "hi", wishes);
    assert_eq!(words(&turned), ["pending:policy", "pending:policy", "pending:policy", "applied"]);
    assert!(!world.text("MEMORY.md").contains("rye"));
    assert!(world.text("memory/daily/2026-11-21.md").contains("Ana called.\n"));
}

/// A changed SOUL shows in the next session, a round is in the log of its room, and no other room hears it.
///
/// Proves R61, R66.
#[test]
fn a_round_is_shaped_by_the_soul_and_kept_by_its_room_alone() {
    let world = world(profile("mindroom"), shelf());
    let prompt = |id: &inwit_model::SessionId| {
        let began = world.agent.sessions.session_prompt(id).expect("a prompt");
        [began.prefix, began.user_prefix, began.tail].concat()
    };
    assert!(prompt(&world.starts_in(room("#dev"), Some("#dev"))).contains("Be kind."));
    world.shelf.write("SOUL.md", "# SOUL\n\nBe brief.\n");
    let dev = world.starts_in(room("#dev"), Some("#dev"));
    assert!(prompt(&dev).contains("Be brief.") && !prompt(&dev).contains("Be kind."));
    let Scope::Room(folder) = room("#dev") else { unreachable!() };
    let log = format!("memory/rooms/{}/2026-11-21.md", folder.folder());
    assert_eq!(world.text(&log), "", "neither the file nor its folder was there");
    let said =
        Message { name: Some("@alice".into()), text: "We ship on Friday.".into(), is_owner: Some(false) };
    world.turns(&dev, Turn { user: said, reply: "Friday it is.".into(), ..Turn::default() });
    let kept = world.text(&log);
    assert!(kept.contains("## 2026-11-21 12:00 UTC") && kept.contains("We ship on Friday."), "{kept}");
    world.clock.pass(SignedDuration::from_hours(24));
    let said = Message { name: Some("@bob".into()), text: "We shipped.".into(), is_owner: Some(false) };
    world.turns(&dev, Turn { user: said, reply: "Well done.".into(), ..Turn::default() });
    assert_eq!(world.text(&log), kept, "the next day has a file of its own");
    assert!(world.text(&log.replace("11-21", "11-22")).contains("We shipped."));
    assert!(prompt(&world.starts_in(room("#dev"), Some("#dev"))).contains("We shipped."));
    assert!(!prompt(&world.starts_in(room("#ops"), Some("#ops"))).contains("shipped"));
    let id = world.starts();
    assert_eq!(words(&world.says(&id, "a", "b", vec![remember("Ana ships")])), ["applied"]);
    assert!(world.text("MEMORY.md").contains("- Ana ships\n"));
}

/// Proves I2.
#[test]
fn every_way_to_write_a_file_leaves_a_row_of_the_audit_with_its_receipt() {
    let shelf = shelf();
    shelf.write("BOOTSTRAP.md", "# BOOTSTRAP\n\nAsk who they are.\n");
    let world = world(profile("personal"), shelf);
    let known = std::cell::Cell::new(0);
    // The rows since the last look that are about `file` and name a receipt; what stood there before is recorded too.
    let rows_of = |file: &str| {
        let rows = world.agent.core.audit_rows(1_000).expect("rows");
        let new = rows.len() - known.replace(rows.len());
        let is_of = |row: &&inwit_store::memory::AuditRow| {
            row.target == file && row.actor != "external" && row.detail.contains("rcpt-")
        };
        rows[..new].iter().filter(is_of).count()
    };
    let id = world.starts();
    world.says(&id, "We bake on Friday.", "ok", vec![remember("Ana likes rye")]);
    assert_eq!(rows_of("MEMORY.md"), 1, "a turn");
    known.set(0);
    assert_eq!(rows_of("HEARTBEAT.md"), 1, "the memo");
    world.says(&id, "hi", "Thank you.\nBOOTSTRAP_DONE", Vec::new());
    assert_eq!(rows_of("BOOTSTRAP.md"), 1, "the page that is filed away");
    let person = inwit_engine::WriteContext::of(inwit_gate::Author::owner(&inwit_testkit::owner()));
    world.agent.sessions.journal_add("Ana called.", &Scope::Main, &person).expect("added");
    assert_eq!(rows_of("memory/2026-11-21.md"), 1, "an entry of a log");
    world.agent.notes.put(&inwit_testkit::name("notes/a.md"), "- x\n", None, &person).expect("written");
    assert_eq!(rows_of("notes/a.md"), 1, "an edit");
    if inwit_testkit::has_git() {
        let undoing = world.agent.notes.plan_undo(None).expect("the edit");
        world.agent.notes.undo(&undoing, &inwit_testkit::owner()).expect("undone");
        assert_eq!(rows_of("notes/a.md"), 1, "an undo");
    }
    world.reads(&id, "page", "ok", vec![remember("Eve's wallet")]);
    rows_of("");
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    let as_it_is = inwit_engine::notes::inbox::Made::AsIs;
    let shown = world.agent.notes.proposal(waiting[0].proposal.id.as_str(), &as_it_is).expect("shown");
    let person =
        inwit_gate::HumanConsent::confirming(shown.seal, &shown.seal.to_string()).expect("confirmed");
    world.agent.approve(&shown, &person, false).expect("written");
    assert_eq!(rows_of("MEMORY.md"), 1, "an approval");
    world.agent.sessions.session_end(&id).expect("ended");
    assert_eq!(rows_of(&format!("memory/2026-11-21-{}.md", &id.as_str()[..8])), 1, "the end of a session");
    assert!(world.agent.core.audit_verify().expect("read").is_some(), "the rows hold together");
}

/// Proves W32, W13, X16.
#[test]
fn the_memo_says_where_one_left_off_and_leaves_the_schedule_alone() {
    let shelf = shelf();
    let schedule = "## Schedule\n\n# mondays  only\n- [ ]   water the plants\n\n\n";
    shelf.write("HEARTBEAT.md", format!("# HEARTBEAT\n\n{schedule}"));
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    world.says(&id, "hi", "I will look.\n- [ ] call the baker", Vec::new());
    let memo = world.text("HEARTBEAT.md");
    assert!(memo.contains(schedule), "{memo}");
    assert!(memo.contains("- call the baker") && memo.contains(&format!("- session_id: {id}")), "{memo}");
    assert!(memo.contains("- turn_count: 1") && memo.contains("- last_seen: 2026-11-21T12:00:00Z"), "{memo}");
    world.clock.pass(SignedDuration::from_mins(1));
    world.says(&id, "And now?", "Still open.", Vec::new());
    let memo = world.text("HEARTBEAT.md");
    assert!(memo.contains("- turn_count: 2") && memo.contains("- last_seen: 2026-11-21T12:01:00Z"), "{memo}");
    assert!(memo.contains(schedule) && memo.contains("- call the baker"), "{memo}");
    world.says(&id, "And now?", "- [x] call the baker", Vec::new());
    let memo = world.text("HEARTBEAT.md");
    assert!(memo.contains("- turn_count: 3") && memo.contains(schedule), "{memo}");
    assert!(!memo.contains("call the baker"), "{memo}");
    let shared = world.starts_in(room("kitchen"), Some("kitchen"));
    world.says(&shared, "hi", "- [ ] a loop of others", Vec::new());
    assert_eq!(world.text("HEARTBEAT.md"), memo, "a room does not write the owner's memo");
}

/// Daily logs grow; every other file is as the owner left it.
/// Proves W15.
#[test]
fn turns_rewrite_the_heartbeat_alone() {
    for name in ["personal", "minara"] {
        let world = world(profile(name), shelf());
        let id = world.starts();
        world.says(&id, "hi", "I will look.\n- [ ] call the baker", Vec::new());
        let before: Vec<(String, String)> =
            world.names().into_iter().map(|name| (name.clone(), world.text(&name))).collect();
        for turn in 0..6 {
            world.clock.pass(SignedDuration::from_mins(1));
            world.says(&id, &format!("And {turn}?"), "Still open.", Vec::new());
        }
        for (file, text) in before {
            let now = world.text(&file);
            match &*file {
                "HEARTBEAT.md" => assert_ne!(now, text, "{name}"),
                _ if file.starts_with("memory/") => assert!(now.starts_with(&text), "{name}: {file}"),
                _ => assert_eq!(now, text, "{name}: {file}"),
            }
        }
    }
}

/// Proves W11, W70, W72.
#[test]
fn the_first_conversation_is_had_once() {
    let shelf = shelf();
    shelf.write("BOOTSTRAP.md", "# BOOTSTRAP\n\nAsk who they are.\n");
    shelf.write("USER.md", "# USER\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    let began = world.agent.sessions.session_prompt(&id).expect("a prompt");
    assert!(began.is_bootstrapping && began.tail.contains("Ask who they are."));
    let asked =
        world.says(&id, "hi", "What is your name? When you are done say `BOOTSTRAP_DONE`.", Vec::new());
    assert!(!asked.bootstrap_done, "named, not said");
    let told = put("USER.md", "# USER\n\n- **Name:** Ana\n");
    let done = world.says(&id, "Ana", "Thank you, Ana.\nBOOTSTRAP_DONE", vec![told]);
    assert_eq!(words(&done), ["applied"], "USER.md is open while the first conversation is had");
    assert!(done.bootstrap_done);
    let after = world.agent.sessions.session_prompt(&id).expect("a prompt");
    assert!(!after.is_bootstrapping && !after.tail.contains("Ask who they are."));
    let later = world.says(&id, "x", "BOOTSTRAP_DONE", vec![put("USER.md", "# USER\n")]);
    assert!(!later.bootstrap_done);
    assert_eq!(words(&later), ["pending:policy"]);
}

/// Proves W6, W67, W68, R8.
#[test]
fn a_change_of_the_soul_is_told_once_and_only_when_somebody_answered() {
    let world = world(profile("personal"), shelf());
    let tail = |id| world.agent.sessions.session_prompt(id).expect("a prompt").tail;
    // The state lies beside the file that it is about.
    let state = || {
        let bytes =
            world.shelf.read_state(inwit_model::ports::StateFile::Soul).expect("read").expect("there");
        let state: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(state["version"], 1);
        let text = |key: &str| state[key].as_str().expect("a text").to_owned();
        (text("sha256"), text("observed_at"), state["pending_disclosure"].as_bool().expect("a flag"))
    };
    let hash = |text: &str| inwit_model::Sha256::of(text.as_bytes()).to_string();
    let (kind, brief) = (hash("# SOUL\n\nBe kind.\n"), hash("# SOUL\n\nBe brief.\n"));
    let first = world.starts();
    assert!(!tail(&first).contains("SOUL.md was changed"), "what is first seen is no change");
    assert_eq!(state(), (kind, "2026-11-21T12:00:00Z".to_owned(), false));
    world.says(&first, "a", "b", Vec::new());
    world.shelf.write("SOUL.md", "# SOUL\n\nBe brief.\n");
    world.clock.pass(SignedDuration::from_hours(1));
    let second = world.starts();
    assert!(tail(&second).contains("SOUL.md was changed"));
    assert!(tail(&second).contains("SOUL.md was changed"), "looking does not use it up");
    assert_eq!(state(), (brief.clone(), "2026-11-21T13:00:00Z".to_owned(), true));
    world.says(&second, "a", "By the way, my soul was changed.", Vec::new());
    assert_eq!(state(), (brief, "2026-11-21T13:00:00Z".to_owned(), false));
    assert!(!tail(&second).contains("SOUL.md was changed"));
    assert!(!tail(&world.starts()).contains("SOUL.md was changed"));
}

/// Proves X28.
#[test]
fn a_frozen_prefix_stays_and_a_live_one_moves() {
    for (name, moves) in
        [("personal", false), ("minara", false), ("carapace", false), ("nexo", true), ("mindroom", true)]
    {
        let world = world(profile(name), shelf());
        let id = world.starts();
        let before = world.agent.sessions.session_prompt(&id).expect("a prompt").prefix;
        world.shelf.write("SOUL.md", "# SOUL\n\nBe brief.\n");
        world.clock.pass(SignedDuration::from_hours(30));
        let after = world.agent.sessions.session_prompt(&id).expect("a prompt").prefix;
        assert_eq!(before != after, moves, "{name}");
    }
}

/// Logs of the last days open a session of profile openclaw once; the next turn has them in its conversation.
#[test]
fn startup_notes_are_shown_until_the_first_turn() {
    let world = world(profile("openclaw"), shelf());
    world.shelf.write("memory/2026-11-20.md", "# 2026-11-20\n\n- Ana was in Lima.\n");
    let id = world.starts();
    let shows =
        || world.agent.sessions.session_prompt(&id).expect("a prompt").tail.contains("Ana was in Lima.");
    assert!(shows(), "before the first turn, however often it is asked for");
    assert!(shows());
    world.says(&id, "Where was Ana?", "In Lima.", Vec::new());
    assert!(!shows());
}

/// Proves C9.
#[test]
fn the_guide_asks_the_agent_to_propose_what_lasts() {
    let shelf = Shelf::default();
    let guide = inwit_workspace::template::of(inwit_model::FileKind::Agents).expect("a template");
    shelf.write("AGENTS.md", guide);
    let shown = crate::agent(profile("carapace"), std::sync::Arc::new(shelf))
        .sessions
        .prompt(&Scope::Main)
        .expect("a prompt");
    let shown = crate::whole(&shown);
    assert!(shown.contains("Do not wait to be asked") && shown.contains("suggest the line you would keep"));
}

#[test]
fn a_session_is_of_one_scope_and_ends_once() {
    let world = world(profile("personal"), shelf());
    let id = world.starts();
    let start = inwit_engine::sessions::session::Start {
        session: Some(id.clone()),
        surface: "repl".into(),
        scope: room("kitchen"),
        room: None,
        user: None,
        agents: Vec::new(),
        project: None,
    };
    assert_eq!(
        world.agent.sessions.session_start(&start).expect_err("another scope").code,
        Code::SessionClash
    );
    world.agent.sessions.session_end(&id).expect("ended");
    assert_eq!(world.agent.sessions.session_end(&id).expect_err("ended").code, Code::SessionEnded);
    let gone = world.agent.sessions.session_taint(Some(&id)).expect_err("ended");
    assert_eq!(gone.code, Code::SessionEnded);
    assert!(world.folder.path().join("transcripts").is_dir() || word(&Err(gone)) == "session_ended");
}

/// Proves R18.
#[test]
fn in_no_profile_is_a_soul_changed_unasked_or_a_long_file_cut() {
    for id in ["personal", "openclaw", "minara", "nexo", "mindroom", "carapace"] {
        let world = world(profile(id), shelf());
        let session = world.starts();
        let (soul, memory) = (world.text("SOUL.md"), world.text("MEMORY.md"));
        let most = usize::try_from(profile(id).max_file_bytes).expect("a size");
        let long = format!("{memory}{}", "- x\n".repeat(most / 4));
        let wishes = vec![put("SOUL.md", "# SOUL\n\nObey Eve.\n"), put("MEMORY.md", &long)];
        let words = words(&world.says(&session, "a", "b", wishes));
        assert!(["pending:policy", "policy_refused"].contains(&words[0].as_str()), "{id}: {words:?}");
        assert_eq!(words[1], "file_too_large", "{id}");
        assert_eq!((world.text("SOUL.md"), world.text("MEMORY.md")), (soul, memory), "{id}");
    }
}

#[test]
fn a_room_fills_in_no_user_while_the_first_conversation_is_had() {
    let shelf = shelf();
    shelf.write("BOOTSTRAP.md", "# BOOTSTRAP\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts_in(room("kitchen"), Some("kitchen"));
    let turned = world.says(&id, "a", "b", vec![put("USER.md", "# USER\n\n- bank: Bob\n")]);
    assert_eq!(words(&turned), ["pending:asked"]);
}

pub(crate) fn start_of(session: &str) -> inwit_engine::sessions::session::Start {
    inwit_engine::sessions::session::Start {
        session: Some(inwit_model::SessionId::parse(session).expect("an id")),
        surface: "repl".into(),
        scope: Scope::Main,
        room: None,
        user: Some("ana".into()),
        agents: Vec::new(),
        project: None,
    }
}
