//! Contract chapters on reviews of sessions.

use inwit_model::{Code, Scope, SessionId, Taint};

use super::{Chapter, at, session};
use crate::memory::{
    BAD_ANSWER, FAILED, Memory, REVIEWED, Review, ReviewEnd, ReviewNumber, ReviewProgress, ReviewReason,
    ReviewStart, SKIPPED, SessionStart,
};

pub const CHAPTERS: &[Chapter] = &[
    ("a review is listed with its reasons", told),
    ("turns are claimed once, in order", claimed),
    ("failed reviews are counted until one succeeds", counted),
    ("the taint of a session is known for each turn", taints),
];

fn start(of: &SessionId, first: u64, last: u64, seconds: i64) -> ReviewStart {
    ReviewStart { session: of.clone(), first, last, trigger: "manual".into(), at: at(seconds) }
}

fn end(outcome: &str, seconds: i64) -> ReviewEnd {
    ReviewEnd { at: at(seconds), outcome: outcome.into(), reasons: Vec::new() }
}

fn told(memory: &dyn Memory) {
    let begun = start(&session("s1"), 1, 4, 1);
    let number = memory.begin_review(&begun, &(at(0)..at(9))).expect("begun").expect("claimed");
    let running = Review { number, start: begun, end: None };
    assert_eq!(memory.reviews(9).expect("read"), std::slice::from_ref(&running));
    let reason = |kind: &str, turn, outcome: &str| ReviewReason {
        kind: kind.into(),
        turn,
        text: "Vera bakes.".into(),
        outcome: outcome.into(),
        detail: "quote=I bake".into(),
    };
    let reasons = vec![reason("fact", Some(2), "written"), reason("summary", None, "written")];
    let ended = ReviewEnd { reasons: reasons.clone(), ..end(REVIEWED, 2) };
    memory.end_review(number, &ended).expect("ended");
    assert_eq!(memory.review_reasons(number).expect("read"), reasons);
    assert_eq!(memory.reviews(9).expect("read"), [Review { end: Some(end(REVIEWED, 2)), ..running }]);
    for number in [number, ReviewNumber(99)] {
        assert_eq!(memory.end_review(number, &ended).expect_err("refused").code, Code::Stale);
    }
}

fn claimed(memory: &dyn Memory) {
    let (one, other) = (session("s1"), session("s2"));
    let claim = |of: &SessionId, first, last, seconds, since| {
        memory
            .begin_review(&start(of, first, last, seconds), &(at(since)..at(seconds + 1)))
            .expect("an answer")
    };
    let first = claim(&one, 1, 4, 100, 0).expect("claimed");
    assert_eq!(claim(&one, 1, 4, 101, 0), None, "it runs");
    assert!(claim(&other, 1, 2, 101, 0).is_some(), "of another session");
    assert!(memory.holds_review(first).expect("read"));
    let second = claim(&one, 1, 4, 1_000, 101).expect("the first one is given up");
    assert!(!memory.holds_review(first).expect("read") && memory.holds_review(second).expect("read"));
    memory.end_review(second, &end(REVIEWED, 1_001)).expect("ended");
    assert!(!memory.holds_review(second).expect("read"), "it has ended");
    assert_eq!(claim(&one, 1, 4, 1_002, 1_000), None, "reviewed");
    assert_eq!(claim(&one, 6, 7, 1_002, 1_000), None, "turn 5 is missing");
    assert!(claim(&one, 5, 7, 1_002, 1_000).is_some());
}

fn counted(memory: &dyn Memory) {
    let of = session("s1");
    let attempt = |first, last, seconds: i64, outcome: &str| {
        let claim = start(&of, first, last, seconds);
        let number = memory
            .begin_review(&claim, &(at(seconds - 60)..at(seconds + 1)))
            .expect("an answer")
            .expect("claimed");
        memory.end_review(number, &end(outcome, seconds + 1)).expect("ended");
        memory.review_progress(&of, &(at(seconds)..at(seconds + 60))).expect("read")
    };
    assert_eq!(memory.review_progress(&of, &(at(0)..at(9))).expect("read"), ReviewProgress::default());
    let failed = BAD_ANSWER;
    let once = ReviewProgress {
        failures: 1,
        bad_answers: 1,
        last_failed: Some(at(100)),
        ..ReviewProgress::default()
    };
    assert_eq!(attempt(1, 3, 100, failed), once);
    assert_eq!(attempt(1, 3, 200, "stopped: model_over_budget"), once, "such an end does not count");
    let twice = attempt(1, 3, 300, failed);
    assert_eq!((twice.failures, twice.bad_answers), (2, 2));
    let locked = attempt(1, 3, 350, &format!("{FAILED}: locked"));
    assert_eq!((locked.failures, locked.bad_answers), (3, 2), "no answer was bad");
    assert_eq!(attempt(1, 3, 400, SKIPPED), ReviewProgress { turns: 3, ..ReviewProgress::default() });
    memory.begin_review(&start(&of, 4, 5, 500), &(at(400)..at(501))).expect("begun").expect("claimed");
    let running = ReviewProgress { turns: 3, is_running: true, ..ReviewProgress::default() };
    assert_eq!(memory.review_progress(&of, &(at(500)..at(501))).expect("read"), running);
    let given_up =
        ReviewProgress { turns: 3, failures: 1, last_failed: Some(at(500)), ..ReviewProgress::default() };
    assert_eq!(memory.review_progress(&of, &(at(501)..at(999))).expect("read"), given_up);
    let set_back = memory.review_progress(&of, &(at(0)..at(400))).expect("read");
    assert_eq!(set_back, given_up, "the clock was set back");
}

fn taints(memory: &dyn Memory) {
    let of = session("s1");
    let begun = SessionStart {
        id: of.clone(),
        agent: inwit_model::AgentId::main(),
        scope: Scope::Main,
        surface: "cli".into(),
        room_name: None,
        user_name: None,
        project: None,
        started: at(0),
        team: Vec::new(),
        taint: Taint::Owner,
    };
    assert_eq!(memory.taint_at_turn(&of, 1).expect("read"), None);
    memory.begin_session(&begun).expect("begun");
    memory.turn(&of, at(1), Taint::Owner).expect("a turn");
    memory.turn(&of, at(2), Taint::Tool).expect("a turn");
    memory.turn(&of, at(3), Taint::Owner).expect("a turn");
    memory.join_taint(&of, Taint::Web).expect("joined");
    memory.turn(&of, at(4), Taint::Owner).expect("a turn");
    let taint = |turn| memory.taint_at_turn(&of, turn).expect("read").expect("known");
    let whole = memory.session(&of).expect("read").expect("a session").start.taint;
    assert_eq!([taint(0), taint(1)], [Taint::Owner; 2]);
    assert_eq!([taint(2), taint(3)], [Taint::Tool; 2]);
    assert_eq!([taint(4), taint(9)], [whole; 2]);
}
