//! Contract chapters on methods, decisions and preferences.

use inwit_gate::{
    Approved, Author, HumanConsent, LearningChange, LearningDeed, MethodStep, Policy, PreferenceStep,
    judge_learning,
};
use inwit_model::learning::{
    DecisionText, Dimension, MethodClass, MethodKind, MethodState, MethodText, OutcomeClass, OutcomeText,
    PreferenceState, PreferenceText, ROLE_DEFAULT, Role, TrackRecord,
};
use inwit_model::{Code, DecisionId, FactId, MethodId, PreferenceId};

use super::{Chapter, at, session};
use crate::memory::{
    Decided, DecisionFilter, LearningCounts, LearningRules, LearningWritten, Memory, MemoryError, Method,
    MethodFilter, Preference,
};

/// The chapters.
pub const CHAPTERS: &[Chapter] = &[
    ("a method is written once, on trial, and steps as far as the rules let it", stepped),
    ("an outcome is counted once for each method of its decision", counted),
    ("an outcome that is refused counts nowhere", refused),
    ("a graduate whose record turns falls back with the outcome that turned it", fell),
    ("decisions wait for their outcome as long as their role says", waited),
    ("a preference is counted, and holds by a step alone", seen),
    ("facts and what is learnt leave each other as they are", apart),
];

/// Rules small enough to be counted on fingers: two of two graduate, less than half falls back.
const RULES: LearningRules = LearningRules {
    method: |state, record| match state {
        MethodState::Graduated if 2 * record.correct < record.uses => MethodState::Quarantined,
        stays => stays,
    },
    may_graduate: |record| record.uses >= 2 && record.correct == record.uses,
    parts: |methods, pnl| methods.iter().map(|(_, weight)| pnl.unwrap_or(0.0) * weight).collect(),
    preference: |state, seen, sessions| match state {
        PreferenceState::Observed if seen >= 3 && sessions >= 2 => PreferenceState::Proposed,
        stays => stays,
    },
};

/// What the owner wants of learning, let through.
#[expect(clippy::disallowed_methods, reason = "a chapter says who is there")]
fn wanted(deed: LearningDeed) -> Approved<LearningChange> {
    let author = Author::owner(&HumanConsent::at_own_terminal());
    judge_learning(&Policy::closed(), LearningChange { deed, author, allow_secret: false })
        .expect("the owner's own change is let through")
}

fn write(memory: &dyn Memory, deed: LearningDeed, second: i64) -> Result<LearningWritten, MemoryError> {
    memory.write_learning(&wanted(deed), &RULES, at(second))
}

fn bytes(number: u8) -> [u8; 10] {
    [0, 0, 0, 0, 0, 0, 0, 0, 0, number]
}

fn method_id(number: u8) -> MethodId {
    MethodId::new(at(0), bytes(number))
}

fn decision_id(number: u8) -> DecisionId {
    DecisionId::new(at(0), bytes(number))
}

fn preference_id(number: u8) -> PreferenceId {
    PreferenceId::new(at(0), bytes(number))
}

fn text(body: &str) -> MethodText {
    MethodText {
        class: MethodClass::parse("crypto").expect("a class"),
        kind: MethodKind::Rule,
        body: body.into(),
    }
}

fn add(memory: &dyn Memory, number: u8, body: &str) -> Method {
    match write(memory, LearningDeed::AddMethod(method_id(number), text(body)), 1).expect("written") {
        LearningWritten::Method(method, true) => *method,
        other => panic!("a new method: {other:?}"),
    }
}

fn step(memory: &dyn Memory, number: u8, step: MethodStep) -> Result<(MethodState, bool), Code> {
    match write(memory, LearningDeed::StepMethod(method_id(number), step), 2) {
        Ok(LearningWritten::Method(method, is_new)) => Ok((method.state, is_new)),
        Ok(other) => panic!("a method: {other:?}"),
        Err(error) => Err(error.code),
    }
}

fn decide(memory: &dyn Memory, number: u8, role: &str, methods: &[(u8, f64)], second: i64) -> Decided {
    let methods = methods.iter().map(|(method, weight)| (method_id(*method), *weight)).collect();
    let asset = Some("BTC".to_owned());
    let said = DecisionText { statement: "bought a little".into(), role: role.into(), asset, methods };
    match write(memory, LearningDeed::Decide(decision_id(number), said.clone()), second).expect("written") {
        LearningWritten::Decision(decided, true) => {
            assert_eq!((&decided.text, decided.made), (&said, at(second)));
            *decided
        }
        other => panic!("a decision: {other:?}"),
    }
}

fn outcome(key: &str, is_correct: bool, pnl: Option<f64>) -> OutcomeText {
    OutcomeText { key: key.into(), is_correct, pnl, class: None, lesson: Some("wait longer".into()) }
}

fn close(memory: &dyn Memory, number: u8, told: OutcomeText) -> Result<(Decided, bool), Code> {
    match write(memory, LearningDeed::Close(decision_id(number), told), 50) {
        Ok(LearningWritten::Decision(decided, is_new)) => Ok((*decided, is_new)),
        Ok(other) => panic!("a decision: {other:?}"),
        Err(error) => Err(error.code),
    }
}

fn method(memory: &dyn Memory, number: u8) -> Method {
    let all = memory.methods(MethodFilter::All).expect("methods").into_iter();
    all.into_iter().find(|method| method.id == method_id(number)).expect("there")
}

fn record(memory: &dyn Memory, number: u8) -> (u64, u64) {
    let TrackRecord { uses, correct } = method(memory, number).record;
    (correct, uses)
}

fn rows(memory: &dyn Memory) -> usize {
    memory.audit_rows(999).expect("rows").len()
}

fn stepped(memory: &dyn Memory) {
    let first = add(memory, 1, "wait for volume");
    assert_eq!(
        (first.state, first.record, first.is_as_written),
        (MethodState::Quarantined, TrackRecord::default(), true)
    );
    let again =
        write(memory, LearningDeed::AddMethod(method_id(2), text("Wait  for VOLUME")), 2).expect("known");
    assert_eq!(again, LearningWritten::Method(Box::new(first.clone()), false), "it is written once");
    let before = rows(memory);
    assert_eq!(step(memory, 1, MethodStep::Quarantine), Ok((MethodState::Quarantined, false)));
    assert_eq!(step(memory, 1, MethodStep::Restore), Ok((MethodState::Quarantined, false)));
    assert_eq!(step(memory, 1, MethodStep::Graduate), Err(Code::RecordTooShort));
    assert_eq!(step(memory, 9, MethodStep::Graduate), Err(Code::LearningUnknown));
    assert_eq!(rows(memory), before, "what changes nothing is not recorded");
    for number in [1, 2] {
        decide(memory, number, ROLE_DEFAULT, &[(1, 1.0)], 10);
        close(memory, number, outcome(&format!("o{number}"), true, None)).expect("closed");
    }
    assert_eq!(step(memory, 1, MethodStep::Graduate), Ok((MethodState::Graduated, true)));
    assert_eq!(memory.methods(MethodFilter::Graduated).expect("methods").len(), 1);
    assert_eq!(step(memory, 1, MethodStep::Archive), Ok((MethodState::Archived, true)));
    assert_eq!(memory.methods(MethodFilter::Kept).expect("methods"), []);
    assert_eq!(step(memory, 1, MethodStep::Graduate), Err(Code::StepRefused), "it is taken back first");
    assert_eq!(step(memory, 1, MethodStep::Quarantine), Err(Code::StepRefused));
    assert_eq!(step(memory, 1, MethodStep::Restore), Ok((MethodState::Quarantined, true)));
    assert_eq!(record(memory, 1), (2, 2), "its record stays");
    let verbs = memory.audit_rows(3).expect("rows").into_iter().map(|row| row.verb);
    assert_eq!(verbs.collect::<Vec<_>>(), ["method_restore", "method_archive", "method_graduate"]);
}

fn counted(memory: &dyn Memory) {
    for (number, body) in [(1, "wait for volume"), (2, "buy a dip"), (3, "never asked")] {
        add(memory, number, body);
    }
    decide(memory, 1, ROLE_DEFAULT, &[(1, 0.75), (2, 0.25)], 10);
    let told = OutcomeText { class: Some(OutcomeClass::Variance), ..outcome("fill-1", true, Some(100.0)) };
    let (closed, is_new) = close(memory, 1, told.clone()).expect("closed");
    assert!(is_new);
    assert_eq!(closed.outcome, Some((told.clone(), at(50))));
    let before = rows(memory);
    assert_eq!(close(memory, 1, told).expect("the same again"), (closed, false));
    assert_eq!(rows(memory), before);
    assert_eq!([1, 2, 3].map(|number| record(memory, number)), [(1, 1), (1, 1), (0, 0)]);
    assert_eq!([1, 2, 3].map(|number| method(memory, number).pnl), [75.0, 25.0, 0.0]);
    assert_eq!(
        [1, 2, 3].map(|number| method(memory, number).unforeseen),
        [1, 1, 0],
        "told apart, and counted"
    );
    decide(memory, 2, ROLE_DEFAULT, &[(2, 1.0)], 11);
    close(memory, 2, outcome("fill-2", false, Some(-40.0))).expect("closed");
    assert_eq!([1, 2].map(|number| record(memory, number)), [(1, 1), (1, 2)]);
    assert_eq!(method(memory, 2).pnl, -15.0);
    let order: Vec<MethodId> =
        memory.methods(MethodFilter::All).expect("methods").into_iter().map(|method| method.id).collect();
    assert_eq!(order, [1, 2, 3].map(method_id), "the surest first");
}

fn refused(memory: &dyn Memory) {
    add(memory, 1, "wait for volume");
    for number in [1, 2] {
        decide(memory, number, ROLE_DEFAULT, &[(1, 1.0)], 10);
    }
    close(memory, 1, outcome("fill-1", true, None)).expect("closed");
    let before = (rows(memory), record(memory, 1));
    assert_eq!(close(memory, 1, outcome("fill-2", true, None)), Err(Code::OutcomeKnown), "it has one");
    assert_eq!(
        close(memory, 1, outcome("fill-1", false, None)),
        Err(Code::OutcomeKnown),
        "another word of it"
    );
    assert_eq!(close(memory, 2, outcome("fill-1", true, None)), Err(Code::OutcomeKnown), "it is another's");
    assert_eq!(close(memory, 9, outcome("fill-9", true, None)), Err(Code::LearningUnknown));
    let said = |role: &str, method: u8| DecisionText {
        statement: "x".into(),
        role: role.into(),
        asset: None,
        methods: vec![(method_id(method), 1.0)],
    };
    for said in [said("nobody", 1), said(ROLE_DEFAULT, 9)] {
        let error = write(memory, LearningDeed::Decide(decision_id(9), said), 12).expect_err("refused");
        assert_eq!(error.code, Code::LearningUnknown);
    }
    assert_eq!(memory.decision(&decision_id(9)).expect("read"), None, "nothing is half written");
    assert_eq!((rows(memory), record(memory, 1)), before);
}

fn fell(memory: &dyn Memory) {
    add(memory, 1, "wait for volume");
    let tell = |number: u8, is_correct| {
        decide(memory, number, ROLE_DEFAULT, &[(1, 1.0)], 10);
        close(memory, number, outcome(&format!("o{number}"), is_correct, None)).expect("closed");
        method(memory, 1).state
    };
    tell(1, true);
    tell(2, true);
    assert_eq!(step(memory, 1, MethodStep::Graduate), Ok((MethodState::Graduated, true)));
    assert_eq!([tell(3, false), tell(4, false)], [MethodState::Graduated; 2]);
    assert_eq!(tell(5, false), MethodState::Quarantined, "two of five");
    assert_eq!([tell(6, true), tell(7, true)], [MethodState::Quarantined; 2], "nothing rises by itself");
}

fn waited(memory: &dyn Memory) {
    let role = Role { name: "swing".into(), horizon_hours: 24, overdue_hours: 72 };
    let set = || write(memory, LearningDeed::SetRole(role.clone()), 1).expect("written");
    assert_eq!([set(), set()], [true, false].map(|is_new| LearningWritten::Role(role.clone(), is_new)));
    let names = |roles: Vec<Role>| roles.into_iter().map(|role| role.name).collect::<Vec<_>>();
    assert_eq!(names(memory.roles().expect("roles")), [ROLE_DEFAULT, "swing"]);
    let due = decide(memory, 1, "swing", &[], 0).due;
    assert_eq!(due, Some(at(24 * 3_600)));
    assert_eq!(decide(memory, 2, ROLE_DEFAULT, &[], 0).due, None, "nobody says when");
    let counts = |seconds| memory.learning_counts(&RULES, at(seconds)).expect("counts");
    let hour = 3_600;
    assert_eq!((counts(96 * hour).open, counts(96 * hour).overdue), (2, 0));
    assert_eq!(counts(96 * hour + 1).overdue, 1);
    close(memory, 1, outcome("o1", true, None)).expect("closed");
    assert_eq!((counts(999 * hour).open, counts(999 * hour).overdue), (1, 0));
    let ids = |filter| {
        let found = memory.decisions(filter, 9).expect("decisions").into_iter();
        found.map(|decided| decided.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(DecisionFilter::All), [decision_id(2), decision_id(1)], "the last one first");
    assert_eq!(
        (ids(DecisionFilter::Open), ids(DecisionFilter::Closed)),
        (vec![decision_id(2)], vec![decision_id(1)])
    );
    assert_eq!(memory.decisions(DecisionFilter::All, 1).expect("one").len(), 1);
    let first = memory.decision(&decision_id(1)).expect("read").expect("there");
    assert_eq!(memory.decision_numbered(first.number).expect("read"), Some(first));
}

fn seen(memory: &dyn Memory) {
    let text = |statement: &str| PreferenceText { dimension: Dimension::Style, statement: statement.into() };
    let see = |number: u8, statement: &str, of: Option<&str>| -> Preference {
        let deed = LearningDeed::See(preference_id(number), text(statement), of.map(session));
        match write(memory, deed, i64::from(number)).expect("written") {
            LearningWritten::Preference(preference, true) => *preference,
            other => panic!("a preference: {other:?}"),
        }
    };
    see(1, "writes short", Some("s1"));
    see(2, "Writes  Short", Some("s1"));
    let thrice = see(3, "writes short", None);
    assert_eq!((thrice.seen, thrice.sessions, thrice.state), (3, 1, PreferenceState::Observed));
    let asked = see(4, "writes short", Some("s2"));
    assert_eq!(
        (asked.id.clone(), asked.state, asked.sessions),
        (preference_id(1), PreferenceState::Proposed, 2)
    );
    let step = |step| match write(memory, LearningDeed::StepPreference(preference_id(1), step), 9) {
        Ok(LearningWritten::Preference(preference, is_new)) => {
            Ok((preference.state, preference.fact.clone(), is_new))
        }
        Ok(other) => panic!("a preference: {other:?}"),
        Err(error) => Err(error.code),
    };
    let fact = FactId::new(at(0), bytes(7));
    assert_eq!(step(PreferenceStep::Archive), Err(Code::StepRefused), "it does not hold");
    let active = (PreferenceState::Active, Some(fact.clone()));
    let activate = || step(PreferenceStep::Activate(fact.clone()));
    assert_eq!(activate(), Ok((active.0, active.1.clone(), true)));
    assert_eq!(activate(), Ok((active.0, active.1, false)), "it holds already");
    assert_eq!(step(PreferenceStep::Reject), Err(Code::StepRefused), "it holds");
    assert_eq!(memory.preferences(Some(PreferenceState::Active)).expect("read").len(), 1);
    assert_eq!(step(PreferenceStep::Archive), Ok((PreferenceState::Archived, None, true)));
    assert_eq!(step(PreferenceStep::Reject), Ok((PreferenceState::Rejected, None, true)));
    assert_eq!(see(5, "writes short", Some("s3")).state, PreferenceState::Rejected, "it is not asked again");
    let proposed = memory.learning_counts(&RULES, at(0)).expect("counts").proposed;
    assert_eq!((proposed, memory.preferences(Some(PreferenceState::Proposed)).expect("read").len()), (0, 0));
}

fn apart(memory: &dyn Memory) {
    let fact = super::knowing::add(memory, 1, "prefers weekly charts", 1);
    add(memory, 1, "prefers weekly charts");
    decide(memory, 1, ROLE_DEFAULT, &[(1, 1.0)], 10);
    close(memory, 1, outcome("o1", false, None)).expect("closed");
    assert_eq!(memory.fact(&fact.id).expect("read"), Some(fact.clone()));
    let before = method(memory, 1);
    super::knowing::change(memory, &fact.id, 60, inwit_gate::FactDeed::Purge { id: fact.id.clone() });
    assert_eq!(method(memory, 1), before);
    let counts = memory.learning_counts(&RULES, at(0)).expect("counts");
    assert_eq!(counts, LearningCounts { quarantined: 1, ..LearningCounts::default() });
}
