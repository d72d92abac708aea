//! Contract chapters on sessions and taint marks.

use inwit_model::{AgentId, Code, ModelName, ProjectName, RoomId, Scope, Taint, TurnKey};

use super::{Chapter, at, session, sha};
use crate::memory::{KeptRequest, KeptTurn, Keyed, KeyedRequest, Mark, Memory, Once, Session, SessionStart};

pub const CHAPTERS: &[Chapter] = &[
    ("a session is kept as it began", kept_as_begun),
    ("turns count and a taint only grows", turns),
    ("a turn of one key is taken once, and answered as it was", once),
    ("a request of one key is begun once, until it expires", asked_again),
    ("a session without a turn can be taken away", abandoned),
    ("an ended session does not go on", ended),
    ("sessions come latest first", listed),
    ("the first prefix stays, byte for byte", first_prefix_stays),
    ("equal prefixes are kept once, and as long as one session has them", prefixes_are_shared),
    ("the model of a session is that of its scope, the last one recorded", models),
    ("a mark keeps the lesser trust", marks),
];

fn agent(id: &str) -> AgentId {
    AgentId::parse(id).expect("an agent")
}

fn start(id: &str) -> SessionStart {
    SessionStart {
        id: session(id),
        agent: agent("main"),
        scope: Scope::Room(RoomId::parse("!kitchen:server").expect("a room")),
        surface: "hook".into(),
        room_name: Some("The kitchen".into()),
        user_name: None,
        project: None,
        started: at(0),
        team: vec![agent("main"), agent("bo-2")],
        taint: Taint::Owner,
    }
}

fn begun(memory: &dyn Memory, id: &str) -> Session {
    memory.begin_session(&start(id)).expect("begun")
}

fn kept_as_begun(memory: &dyn Memory) {
    assert_eq!(memory.session(&session("s1")).expect("read"), None);
    let expected =
        Session { start: start("s1"), turns: 0, last_turn: None, journaled: 0, prefix: None, ended: None };
    assert_eq!(begun(memory, "s1"), expected);
    assert_eq!(memory.session(&session("s1")).expect("read"), Some(expected.clone()));
    let other = SessionStart { scope: Scope::Main, started: at(9), ..start("s1") };
    assert_eq!(memory.begin_session(&other).expect("answered"), expected);
    for scope in [Scope::Main, Scope::Shared, Scope::Subagent, Scope::Scheduled] {
        let id = format!("of-{scope}");
        memory.begin_session(&SessionStart { scope: scope.clone(), ..start(&id) }).expect("begun");
        assert_eq!(memory.session(&session(&id)).expect("read").expect("there").start.scope, scope);
    }
}

fn models(memory: &dyn Memory) {
    let name = |text: &str| ModelName::parse(text).expect("a model");
    let main = |id: &str| SessionStart { scope: Scope::Main, ..start(id) };
    let of_main = |id: Option<&str>| {
        memory
            .session_model(&Scope::Main, id.map(session).as_ref())
            .expect("read")
            .map(|model| model.to_string())
    };
    assert_eq!(of_main(None), None);
    memory.begin_session(&main("s1")).expect("begun");
    memory.record_session_model(&session("s1"), &name("m-1")).expect("recorded");
    begun(memory, "in-the-kitchen");
    memory.record_session_model(&session("in-the-kitchen"), &name("m-9")).expect("recorded");
    memory.begin_session(&main("s2")).expect("begun");
    assert_eq!(of_main(None).as_deref(), Some("m-1"), "the newest one that has a model");
    assert_eq!(of_main(Some("s2")), None);
    assert_eq!(of_main(Some("in-the-kitchen")), None, "a session of another scope");
    memory.record_session_model(&session("s2"), &name("m-2")).expect("recorded");
    memory.record_session_model(&session("s2"), &name("m-3")).expect("recorded");
    assert_eq!((of_main(None).as_deref(), of_main(Some("s1")).as_deref()), (Some("m-3"), Some("m-1")));
    memory.end_session(&session("s2"), at(9)).expect("ended");
    assert_eq!(of_main(Some("s2")).as_deref(), Some("m-3"), "an ended session keeps it");
    let refused = |id: &str| memory.record_session_model(&session(id), &name("m")).expect_err("refused").code;
    assert_eq!((refused("s2"), refused("s3")), (Code::SessionEnded, Code::SessionUnknown));
}

fn turns(memory: &dyn Memory) {
    begun(memory, "s1");
    let id = session("s1");
    assert_eq!(memory.turn(&id, at(1), Taint::Tool).expect("a turn").start.taint, Taint::Tool);
    let second = memory.turn(&id, at(2), Taint::Owner).expect("a turn");
    assert_eq!((second.start.taint, second.turns, second.last_turn), (Taint::Tool, 2, Some(at(2))));
    let shown = memory.join_taint(&id, Taint::Web).expect("joined");
    assert_eq!((shown.start.taint, shown.turns), (Taint::Web, 2), "what is shown is no turn");
    assert_eq!(memory.join_taint(&id, Taint::Owner).expect("joined").start.taint, Taint::Web);
    memory.journaled(&id, 2).expect("noted");
    memory.journaled(&id, 1).expect("noted");
    assert_eq!(memory.session(&id).expect("read").expect("there").journaled, 2);
    let unknown = session("s2");
    assert_eq!(memory.turn(&unknown, at(1), Taint::Owner).expect_err("refused").code, Code::SessionUnknown);
    assert_eq!(memory.journaled(&unknown, 1).expect_err("refused").code, Code::SessionUnknown);
}

fn once(memory: &dyn Memory) {
    begun(memory, "s1");
    let id = session("s1");
    let keyed = |key: &str, input| Keyed { key: TurnKey::parse(key).expect("a key"), input: sha(input) };
    let first = keyed("msg:1", "a");
    assert_eq!(memory.keyed_turn(&id, &first.key).expect("read"), None);
    let Once::Taken(taken) = memory.turn_once(&id, at(1), Taint::Tool, &first).expect("taken") else {
        panic!("it is new")
    };
    assert_eq!((taken.turns, taken.start.taint, taken.last_turn), (1, Taint::Tool, Some(at(1))));
    let kept =
        |answer: Option<&[u8]>| KeptTurn { turn: 1, input: sha("a"), answer: answer.map(<[u8]>::to_vec) };
    let again = memory.turn_once(&id, at(2), Taint::Web, &keyed("msg:1", "b")).expect("known");
    assert_eq!(again, Once::Before(kept(None)), "whatever is handed in");
    assert_eq!(memory.session(&id).expect("read"), Some(*taken), "nothing changed");
    memory.answer_turn(&id, &first.key, b"first").expect("kept");
    memory.answer_turn(&id, &first.key, b"second").expect("answered");
    assert_eq!(memory.keyed_turn(&id, &first.key).expect("read"), Some(kept(Some(b"first"))));
    begun(memory, "s2");
    let other = memory.turn_once(&session("s2"), at(3), Taint::Owner, &first).expect("taken");
    assert!(matches!(other, Once::Taken(_)), "a key belongs to its session");
    memory.end_session(&id, at(4)).expect("ended");
    assert_eq!(memory.keyed_turn(&id, &first.key).expect("read"), None);
    let refused = memory.turn_once(&id, at(5), Taint::Owner, &first).expect_err("refused");
    assert_eq!(refused.code, Code::SessionEnded);
}

fn asked_again(memory: &dyn Memory) {
    let request = |caller: &str, key: &str, input| KeyedRequest {
        caller: caller.to_owned(),
        key: key.to_owned(),
        input: sha(input),
    };
    let begun =
        |request: &KeyedRequest, second| memory.request_begun(request, at(second), at(second - 100), 2);
    let first = request("ana", "k1", "a");
    assert_eq!(begun(&first, 1).expect("begun"), None);
    let kept = |answer: Option<&[u8]>| KeptRequest { input: sha("a"), answer: answer.map(<[u8]>::to_vec) };
    let again = begun(&request("ana", "k1", "b"), 2).expect("known");
    assert_eq!(again, Some(kept(None)), "whatever is sent");
    assert_eq!(begun(&request("ben", "k1", "a"), 2).expect("begun"), None, "a key belongs to its caller");
    assert_eq!(begun(&request("ana", "k2", "a"), 3).expect("begun"), None);
    assert_eq!(begun(&request("ana", "k3", "a"), 3).expect_err("too many").code, Code::CallsTooMany);
    assert_eq!(begun(&request("ben", "k2", "a"), 3).expect("begun"), None, "each caller has its own limit");
    memory.request_answered(&first, b"done").expect("kept");
    assert_eq!(begun(&first, 101).expect("known"), Some(kept(Some(b"done"))), "a hundred seconds later");
    memory.request_dropped(&request("ben", "k1", "a")).expect("dropped");
    assert_eq!(begun(&request("ben", "k1", "a"), 101).expect("begun"), None);
    assert_eq!(begun(&first, 102).expect("begun"), None, "it has expired");
}

fn abandoned(memory: &dyn Memory) {
    let id = session("s1");
    assert_eq!(memory.abandon(&id).expect_err("refused").code, Code::SessionUnknown);
    begun(memory, "s1");
    memory.freeze(&id, b"prefix").expect("frozen");
    memory.abandon(&id).expect("taken away");
    assert_eq!(memory.session(&id).expect("read"), None);
    begun(memory, "s1");
    assert_eq!(memory.frozen(&id).expect("read"), None);
    memory.turn(&id, at(1), Taint::Owner).expect("a turn");
    memory.abandon(&id).expect("it stays");
    assert_eq!(memory.session(&id).expect("read").expect("there").turns, 1);
}

fn ended(memory: &dyn Memory) {
    let id = session("s1");
    assert_eq!(memory.end_session(&id, at(1)).expect_err("refused").code, Code::SessionUnknown);
    begun(memory, "s1");
    assert_eq!(memory.end_session(&id, at(1)).expect("ended").ended, Some(at(1)));
    assert_eq!(memory.end_session(&id, at(2)).expect("ended").ended, Some(at(1)));
    let refusals = [
        memory.turn(&id, at(3), Taint::Owner).map(|_| ()),
        memory.freeze(&id, b"prefix").map(|_| ()),
        memory.begin_session(&start("s1")).map(|_| ()),
    ];
    for refusal in refusals {
        assert_eq!(refusal.expect_err("refused").code, Code::SessionEnded);
    }
}

fn listed(memory: &dyn Memory) {
    for id in ["a", "b", "c"] {
        begun(memory, id);
    }
    memory.end_session(&session("b"), at(1)).expect("ended");
    let ids = |open_only, limit| {
        let sessions = memory.sessions(open_only, limit).expect("read").into_iter();
        sessions.map(|session| session.start.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(false, 9), ["c", "b", "a"]);
    assert_eq!(ids(true, 9), ["c", "a"]);
    assert_eq!(ids(true, 1), ["c"]);
    assert_eq!(memory.session_count().expect("read"), 3);
}

fn first_prefix_stays(memory: &dyn Memory) {
    begun(memory, "s1");
    let id = session("s1");
    assert_eq!(memory.frozen(&id).expect("read"), None);
    assert_eq!(memory.freeze(&id, b"first\0").expect("frozen"), b"first\0");
    assert_eq!(memory.freeze(&id, b"second").expect("answered"), b"first\0");
    assert_eq!(memory.frozen(&id).expect("read").as_deref(), Some(b"first\0".as_slice()));
    assert_eq!(memory.session(&id).expect("read").expect("there").prefix, Some(sha("first\0")));
    memory.thaw(&id).expect("thawed");
    assert_eq!(memory.frozen(&id).expect("read"), None);
    assert_eq!(memory.freeze(&id, b"second").expect("frozen"), b"second");
    assert_eq!(memory.freeze(&session("s2"), b"x").expect_err("refused").code, Code::SessionUnknown);
    assert_eq!(memory.frozen(&session("s2")).expect("read"), None);
}

fn prefixes_are_shared(memory: &dyn Memory) {
    for id in ["a", "b"] {
        begun(memory, id);
        memory.freeze(&session(id), b"same").expect("frozen");
    }
    memory.end_session(&session("a"), at(1)).expect("ended");
    assert_eq!(memory.frozen(&session("a")).expect("read"), None);
    assert_eq!(memory.frozen(&session("b")).expect("read").as_deref(), Some(b"same".as_slice()));
    memory.thaw(&session("b")).expect("thawed");
    assert_eq!(memory.frozen(&session("b")).expect("read"), None);
    assert_eq!(memory.freeze(&session("b"), b"same").expect("frozen"), b"same");
}

fn marks(memory: &dyn Memory) {
    let mark = |text, taint| Mark {
        entry: sha(text),
        taint,
        session: Some(session("s1")),
        project: None,
        at: at(1),
    };
    memory.mark(&mark("a", Taint::Web)).expect("marked");
    memory.mark_ahead(&[mark("a", Taint::Member)]).expect("marked");
    memory.mark(&Mark { session: None, ..mark("b", Taint::Tool) }).expect("marked");
    let shop = ProjectName::parse("shop").ok();
    let line = Mark { project: shop.clone(), session: None, ..mark("d", Taint::Owner) };
    memory.mark(&line).expect("marked");
    assert_eq!(memory.project_of_entry(&sha("d")).expect("read"), shop);
    assert_eq!(memory.project_of_entry(&sha("b")).expect("read"), None);
    let of_projects: Vec<_> = memory.entries_of_projects().expect("read").into_iter().collect();
    assert_eq!(of_projects, [(sha("d"), shop.expect("a name"))]);
    assert_eq!(memory.taint_of(&sha("a")).expect("read"), Some(Taint::Web));
    assert_eq!(memory.taint_of(&sha("c")).expect("read"), None);
    let mut expected = [line, mark("a", Taint::Web), Mark { session: None, ..mark("b", Taint::Tool) }];
    expected.sort_by_key(|mark| mark.entry);
    assert_eq!(memory.marks().expect("read"), expected);
}
