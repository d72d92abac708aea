//! A session of several agents where one of them fails: nobody begins alone, and nobody misses a turn that
//! is handed in again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inwit_engine::sessions::session::{Message, Start, Team, TeamTurn, Turn, Wish};
use inwit_engine::{Agent, AgentDeps, AgentPorts, Lines, Notice, Store, TranscriptHome};
use inwit_model::{AgentId, Code, Files, ModelName, Scope, SessionId, TurnKey};
use inwit_store::{Memory, MemoryError};
use inwit_testkit::{Shelf, keeping, parts, room};

use crate::profile;

struct Member {
    agent: Agent,
    folder: tempfile::TempDir,
}

fn member(id: &str, keeping: AgentDeps) -> Member {
    let folder = tempfile::tempdir().expect("a folder");
    let keeping = AgentDeps {
        id: AgentId::parse(id).expect("an id"),
        transcripts: Some(TranscriptHome {
            folder: folder.path().to_owned(),
            redaction: None,
            wait_until: None,
        }),
        ..keeping
    };
    let shelf: Arc<dyn Files> = Arc::new(Shelf::default());
    Member { agent: Agent::new(AgentPorts { profile: profile("mindroom"), keeping, ..parts(shelf) }), folder }
}

impl Member {
    /// How often `text` stands in what this agent has of the session.
    fn heard(&self, id: &SessionId, text: &str) -> usize {
        let file = self.folder.path().join(format!("{id}.jsonl"));
        std::fs::read_to_string(file).unwrap_or_default().matches(text).count()
    }
}

/// What an agent keeps that cannot be opened.
struct Broken;

impl Store for Broken {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        Err(MemoryError::new(Code::MemoryUnavailable, "It is broken."))
    }

    fn is_made(&self) -> bool {
        false
    }
}

/// What an agent keeps, which cannot be opened for a while.
struct Flaky {
    memory: Arc<dyn Memory>,
    is_broken: Arc<AtomicBool>,
}

impl Store for Flaky {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        if self.is_broken.load(Ordering::Relaxed) { Broken.open() } else { Ok(Arc::clone(&self.memory)) }
    }

    fn is_made(&self) -> bool {
        true
    }
}

fn start(id: &str, scope: Scope, agents: &[&str]) -> Start {
    Start {
        session: Some(SessionId::parse(id).expect("an id")),
        surface: "repl".into(),
        scope,
        room: None,
        user: Some("ana".into()),
        agents: agents.iter().map(|agent| (*agent).to_owned()).collect(),
        project: None,
    }
}

fn turn(text: &str) -> Turn {
    Turn {
        user: Message { text: text.into(), ..Message::default() },
        reply: "Yes.".into(),
        ..Turn::default()
    }
}

#[test]
fn a_session_that_one_of_a_team_cannot_begin_is_begun_by_none() {
    let main = member("main", keeping());
    let broken = member("bo", AgentDeps { store: Arc::new(Broken), ..keeping() });
    let wanted = start("t", Scope::Main, &["main", "bo"]);
    let team = Team::new(&main.agent.sessions, [&*broken.agent.sessions]);
    assert_eq!(team.start(&wanted).expect_err("broken").code, Code::MemoryUnavailable);
    let id = wanted.session.clone().expect("an id");
    assert_eq!(main.agent.sessions.session_prompt(&id).expect_err("not begun").code, Code::SessionUnknown);
    let alone = Team::alone(&main.agent.sessions);
    assert_eq!(alone.start(&wanted).expect_err("who is bo?").code, Code::AgentUnknown);
    let other = member("bo", keeping());
    Team::new(&main.agent.sessions, [&*other.agent.sessions]).start(&wanted).expect("the id is free still");
}

#[test]
fn a_running_session_is_not_widened_and_goes_on_as_it_is() {
    let (main, bo) = (member("main", keeping()), member("bo", keeping()));
    main.agent.sessions.session_start(&start("alone", Scope::Main, &[])).expect("a session");
    let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
    let clash = team.start(&start("alone", Scope::Main, &["bo"])).expect_err("it is held alone");
    assert_eq!(clash.code, Code::SessionClash);
    let id = SessionId::parse("alone").expect("an id");
    assert_eq!(bo.agent.sessions.session_prompt(&id).expect_err("not begun").code, Code::SessionUnknown);
    team.start(&start("t", room("kitchen"), &["bo"])).expect("a session");
    main.agent
        .sessions
        .session_start(&start("t", room("kitchen"), &[]))
        .expect("who goes on need not name them");
    let began = team.start(&start("t", room("kitchen"), &["bo", "main"])).expect("it goes on");
    assert_eq!(
        main.agent.sessions.session_team(&began.session.start.id).expect("a team"),
        [bo.agent.core.id().clone()]
    );
}

#[test]
fn a_turn_that_was_cut_off_is_heard_by_all_when_it_comes_again() {
    let (main, bo) = (member("main", keeping()), member("bo", keeping()));
    let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
    let id = team.start(&start("t", Scope::Main, &["bo"])).expect("a session").session.start.id;
    let key = TurnKey::parse("msg:1").expect("a key");
    let turn = turn("We ship on Friday.");
    // The process dies before the other one hears of it.
    main.agent.sessions.session_turn_once(&id, &key, &turn).expect("taken in");
    let Ok(TeamTurn::Unanswered(again)) = team.turn(&id, Some(&key), &turn) else {
        panic!("no answer is known")
    };
    assert_eq!((again.session.turns, again.notices[0].code), (1, "turn_unanswered"));
    main.agent.sessions.session_answered(&id, &key, b"the answer").expect("kept");
    let Ok(TeamTurn::Answered { answer, missed }) = team.turn(&id, Some(&key), &turn) else {
        panic!("it is known")
    };
    assert_eq!((&*answer, missed), (&b"the answer"[..], Vec::new()));
    assert_eq!((main.heard(&id, "Friday"), bo.heard(&id, "Friday")), (1, 1));
}

#[test]
fn one_that_left_hears_no_more_and_is_named() {
    let (main, bo) = (member("main", keeping()), member("bo", keeping()));
    let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
    let id = team.start(&start("t", Scope::Main, &["bo"])).expect("a session").session.start.id;
    bo.agent.sessions.session_end(&id).expect("ended for itself");
    let Ok(TeamTurn::Now { missed, .. }) = team.turn(&id, None, &turn("Only for Main.")) else {
        panic!("a turn")
    };
    assert_eq!(missed.iter().map(|notice| notice.code).collect::<Vec<_>>(), ["team_turn_missed"]);
    assert!(
        !missed[0].hint.words().is_some_and(|words| words.contains("`key`")),
        "to hand it in again would change nothing"
    );
    assert_eq!((main.heard(&id, "Only"), bo.heard(&id, "Only")), (1, 0));
    team.end(&id).expect("it ends without the other one");
}

/// What a host is told to do about a turn that one of them missed must end somewhere.
#[test]
fn a_turn_that_was_missed_and_made_good_is_missed_no_more() {
    let main = member("main", keeping());
    let (plain, is_broken) = (keeping(), Arc::new(AtomicBool::new(false)));
    let memory = plain.store.open().expect("a memory");
    let flaky = Flaky { memory, is_broken: Arc::clone(&is_broken) };
    let bo = member("bo", AgentDeps { store: Arc::new(flaky), ..plain });
    let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
    let id = team.start(&start("t", Scope::Main, &["bo"])).expect("a session").session.start.id;
    let (key, turn) = (TurnKey::parse("msg:1").expect("a key"), turn("We ship on Friday."));
    let codes = |notices: &[Notice]| notices.iter().map(|notice| notice.code).collect::<Vec<_>>();
    is_broken.store(true, Ordering::Relaxed);
    let Ok(TeamTurn::Now { turned, missed }) = team.turn(&id, Some(&key), &turn) else { panic!("a turn") };
    assert_eq!((codes(&turned.notices), codes(&missed)), (vec![], vec!["team_turn_missed"]));
    assert!(missed[0].hint.words().is_some_and(|words| words.contains("`key`")), "{missed:?}");
    main.agent.sessions.session_answered(&id, &key, b"the answer").expect("kept");
    for (broken, expected) in [(true, vec!["team_turn_missed"]), (false, vec![]), (false, vec![])] {
        is_broken.store(broken, Ordering::Relaxed);
        let Ok(TeamTurn::Answered { missed, .. }) = team.turn(&id, Some(&key), &turn) else {
            panic!("it is known")
        };
        assert_eq!(codes(&missed), expected);
    }
    assert_eq!((main.heard(&id, "Friday"), bo.heard(&id, "Friday")), (1, 1));
}

/// One message of a room, which several of them answer: its id is the key of each answer.
#[test]
fn each_of_a_team_answers_a_message_under_its_key() {
    let (main, bo) = (member("main", keeping()), member("bo", keeping()));
    let id = {
        let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
        team.start(&start("t", Scope::Main, &["bo"])).expect("a session").session.start.id
    };
    let key = TurnKey::parse("msg:1").expect("a key");
    let says = |reply: &str| Turn { reply: reply.into(), ..turn("Who ships?") };
    for _ in 0..2 {
        for (host, other, reply) in [(&main, &bo, "Main ships."), (&bo, &main, "Bo ships.")] {
            let team = Team::new(&host.agent.sessions, [&*other.agent.sessions]);
            let (TeamTurn::Now { missed, .. } | TeamTurn::Answered { missed, .. }) =
                team.turn(&id, Some(&key), &says(reply)).expect("a turn")
            else {
                panic!("it is answered")
            };
            assert_eq!(missed, []);
            host.agent.sessions.session_answered(&id, &key, reply.as_bytes()).expect("kept");
        }
    }
    for agent in [&main, &bo] {
        assert_eq!((agent.heard(&id, "Main ships."), agent.heard(&id, "Bo ships.")), (1, 1));
    }
    let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
    let clash = team.turn(&id, Some(&key), &says("Another.")).expect_err("another turn");
    assert_eq!(clash.code, Code::TurnClash);
}

/// Hooks left private parts out; a host that hands its turns in itself had them kept.
#[test]
fn what_is_private_in_a_turn_is_kept_by_nobody() {
    let (main, bo) = (member("main", keeping()), member("bo", keeping()));
    let team = Team::new(&main.agent.sessions, [&*bo.agent.sessions]);
    let id = team.start(&start("t", Scope::Main, &["bo"])).expect("a session").session.start.id;
    let said = "We ship on Friday. <private>The safe opens with quokka.</private>";
    let private = || "Okapis <private>quokka</private>".to_owned();
    let section = Wish::Remember {
        text: "Ana is an okapi.".into(),
        file: None,
        section: Some(private()),
        reason: private(),
    };
    let wishes = vec![Wish::Journal { text: "Friday it is. <private>quokka</private>".into() }, section];
    let turn = Turn { reply: "Noted: quokka, and a TODO: call Bob".into(), wishes, ..turn(said) };
    let Ok(TeamTurn::Now { turned, .. }) = team.turn(&id, None, &turn) else { panic!("taken in") };
    assert!(turned.notices.iter().any(|notice| notice.code == "private_left_out"), "{:?}", turned.notices);
    team.end(&id).expect("ended");
    let mut kept = format!("{:?}", main.agent.notes.inbox(true).expect("an inbox"));
    for member in [&main, &bo] {
        let names = member.agent.notes.names(&Scope::Main).expect("names");
        for name in names {
            let read = member.agent.notes.get(&Scope::Main, name.as_str(), Lines::default()).expect("read");
            kept.push_str(&String::from_utf8_lossy(&read.content));
        }
    }
    assert!(kept.contains("We ship on Friday") && !kept.contains("quokka"), "{kept}");
}

/// All other names of a start were cleaned, and that of the model was kept as it came.
#[test]
fn what_is_private_in_the_name_of_a_model_is_kept_by_nobody() {
    let main = member("main", keeping());
    let team = Team::new(&main.agent.sessions, []);
    let id = team.start(&start("t", Scope::Main, &[])).expect("a session").session.start.id;
    let record = |name: &str| {
        let model = ModelName::parse(name).expect("a name");
        main.agent.sessions.record_session_model(&id, &model).expect("recorded").map(|notice| notice.code)
    };
    let kept = || {
        let model = main.agent.sessions.session_model(&Scope::Main, Some(&id)).expect("read");
        model.map(|model| model.to_string()).unwrap_or_default()
    };
    assert_eq!(record("<private>quokka</private>"), Some("private_left_out"));
    assert_eq!(kept(), "", "nothing is left of it");
    assert_eq!(record("opus<private>quokka</private>"), Some("private_left_out"));
    assert_eq!(kept(), "opus");
    assert_eq!((record("sonnet"), kept()), (None, "sonnet".into()));
}
