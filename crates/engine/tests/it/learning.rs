//! Methods, decisions and preferences: what outcomes teach, and what an agent sees of it.

use inwit_engine::facts::consolidate::Pass;
use inwit_engine::facts::{FactEdit, FactFilter, NewFact};
use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dreaming::DreamAsk;
use inwit_engine::learning::outcome::{Decided, DecisionFilter, Method, MethodFilter, NewDecision};
use inwit_engine::sessions::hook::pack::{PACK_METHODS_UNITS_MAX, units};
use inwit_engine::{FactOutcome, Notice, Part, WriteContext};
use inwit_gate::{Author, MethodStep};
use inwit_model::fact::When;
use inwit_model::learning::{
    AssetClass, Dimension, MethodKind, MethodState, MethodText, OutcomeText, PreferenceState, PreferenceText,
    Role,
};
use inwit_model::profile::BlockKind;
use inwit_model::{Clock as _, Code, Consolidation, FactSource, RoomId, Scope, SessionId};
use inwit_testkit::{Shelf, owner};
use jiff::SignedDuration;

use crate::profile;
use crate::world::{World, world};

fn trader() -> World {
    world(profile("personal"), Shelf::of("//- SOUL.md\nI am kind.\n//- MEMORY.md\n- The mill is old.\n"))
}

fn behalf() -> WriteContext {
    WriteContext::of(Author::owner(&owner()))
}

fn method(world: &World, body: &str) -> Method {
    let text = MethodText { class: AssetClass::Crypto, kind: MethodKind::Rule, body: body.into() };
    world.agent.learning.method_add(&text, &behalf()).expect("kept").what
}

fn decide(world: &World, methods: &[(&Method, f64)]) -> Decided {
    let named: Vec<(String, f64)> =
        methods.iter().map(|(method, weight)| (method.number.to_string(), *weight)).collect();
    let decision = NewDecision { statement: "bought a little", methods: Some(&named), ..Default::default() };
    world.agent.sessions.decide(&decision, &behalf()).expect("kept").what
}

fn close(world: &World, decided: &Decided, is_correct: bool) -> Vec<Notice> {
    let key = decided.id.to_string();
    let outcome = OutcomeText { key, is_correct, pnl: None, class: None, lesson: None };
    world
        .agent
        .learning
        .decision_close(&decided.number.to_string(), &outcome, &behalf())
        .expect("closed")
        .notices
}

/// Lets a method be right `right` times and wrong `wrong` times, and gives the last notices.
fn uses(world: &World, method: &Method, right: u32, wrong: u32) -> Vec<Notice> {
    let mut told = Vec::new();
    for is_correct in (0..right).map(|_| true).chain((0..wrong).map(|_| false)) {
        told = close(world, &decide(world, &[(method, 1.0)]), is_correct);
    }
    told
}

fn step(world: &World, method: &Method, step: MethodStep) -> Result<MethodState, Code> {
    let stepped = world.agent.learning.method_step(&method.number.to_string(), step, &behalf());
    stepped.map(|learnt| learnt.what.state).map_err(|error| error.code)
}

fn block(world: &World) -> String {
    let prompt = world.agent.sessions.prompt(&Scope::Main).expect("a prompt");
    prompt.block(BlockKind::Facts).map(|block| block.text.to_string()).unwrap_or_default()
}

/// On trial until its record is enough and a person says so; then in private prompts; back on trial with the outcome
/// that makes its record too poor.
#[test]
fn a_method_is_shown_when_its_record_is_enough_and_a_person_says_so() {
    let world = trader();
    let waits = method(&world, "wait for volume before a breakout");
    assert_eq!(block(&world), "");
    uses(&world, &waits, 8, 1);
    assert_eq!(step(&world, &waits, MethodStep::Graduate), Err(Code::RecordTooShort));
    uses(&world, &waits, 1, 0);
    assert_eq!(block(&world), "", "nothing graduates by itself");
    assert_eq!(step(&world, &waits, MethodStep::Graduate), Ok(MethodState::Graduated));
    assert!(
        block(&world).contains("\n## Methods\n\n[crypto/rule] wait for volume before a breakout (right 9 of 10 times)\n</memory-context>"),
        "{}",
        block(&world)
    );
    // 9 of 22 says at least 0.23.
    assert!(uses(&world, &waits, 0, 9).is_empty(), "nineteen outcomes are too few to fall");
    let told = uses(&world, &waits, 0, 1);
    assert_eq!(told.iter().map(|notice| notice.code).collect::<Vec<_>>(), ["method_on_trial"]);
    assert_eq!(block(&world), "");
    assert_eq!(world.agent.learning.method("1").expect("there").state, MethodState::Quarantined);
}

/// Files of the workspace, facts and methods stand in one prompt, and all but the files come out of one database.
/// Proves M1, M3.
#[test]
fn one_prompt_has_files_facts_and_methods() {
    let world = trader();
    let said = NewFact { text: "prefers weekly charts", ..NewFact::default() };
    world.agent.facts.fact_add(&said, &behalf()).expect("kept");
    let waits = method(&world, "wait for volume");
    uses(&world, &waits, 10, 0);
    step(&world, &waits, MethodStep::Graduate).expect("graduated");
    let text = world.agent.sessions.prompt(&Scope::Main).expect("a prompt").text(Part::Prefix);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("`{words}` is in {text}"));
    let order =
        ["I am kind.", "The mill is old.", "<memory-context>", "prefers weekly charts", "wait for volume"];
    assert!(order.map(at).is_sorted(), "{text}");
}

/// A session of a host begins with the methods too, behind the facts, within a share of their own; what has no room is
/// counted.
#[test]
fn a_session_of_a_host_begins_with_methods() {
    let world = trader();
    let said = NewFact { text: "prefers weekly charts", ..NewFact::default() };
    world.agent.facts.fact_add(&said, &behalf()).expect("kept");
    let pack = || world.agent.sessions.pack(inwit_engine::sessions::hook::Packed::default()).expect("a pack");
    let all: Vec<Method> = (0..9)
        .map(|number| {
            method(&world, &format!("rule {number}: wait for volume before a breakout of any kind"))
        })
        .collect();
    all.iter().for_each(|one| drop(uses(&world, one, 10, 0)));
    assert!(!pack().text.contains("# METHODS"), "nothing graduates by itself");
    all.iter()
        .for_each(|one| assert_eq!(step(&world, one, MethodStep::Graduate), Ok(MethodState::Graduated)));
    let pack = pack();
    let places = ["# MEMORY", "# FACTS", "# METHODS\n\n[crypto/rule] rule 0: wait for volume"];
    let places =
        places.map(|words| pack.text.find(words).unwrap_or_else(|| panic!("{words} in {}", pack.text)));
    assert!(places.is_sorted(), "{}", pack.text);
    let shown = pack.text.matches("[crypto/rule] ").count();
    assert!((3..9).contains(&shown), "{shown}");
    let left = format!("{} more: `inwit learn methods list`", 9 - shown);
    assert!(pack.left_out.contains(&left) && pack.text.contains(&left), "{:?}", pack.left_out);
    let methods =
        pack.text.split("# METHODS").nth(1).and_then(|rest| rest.split(&left).next()).expect("methods");
    assert!(units(methods) <= PACK_METHODS_UNITS_MAX, "their share");
}

/// What a decision rests on when nothing is named is what a prompt shows, and weights split what was won.
#[test]
fn a_decision_rests_on_what_is_named_or_else_on_what_is_shown() {
    let world = trader();
    let [shown, trial] = ["wait for volume", "buy a dip"].map(|body| method(&world, body));
    uses(&world, &shown, 10, 0);
    step(&world, &shown, MethodStep::Graduate).expect("graduated");
    let unnamed =
        world.agent.sessions.decide(&NewDecision { statement: "held", ..Default::default() }, &behalf());
    assert_eq!(unnamed.expect("kept").what.text.methods, [(shown.id.clone(), 1.0)]);
    let none = NewDecision { statement: "guessed", methods: Some(&[]), ..Default::default() };
    assert_eq!(world.agent.sessions.decide(&none, &behalf()).expect("kept").what.text.methods, []);
    let both = decide(&world, &[(&shown, 3.0), (&trial, 1.0)]);
    let key = "fill-7".to_owned();
    let outcome = OutcomeText { key, is_correct: false, pnl: Some(-80.0), class: None, lesson: None };
    for is_new in [true, false] {
        let told =
            world.agent.learning.decision_close(both.id.as_str(), &outcome, &behalf()).expect("closed");
        assert_eq!(told.is_new, is_new);
    }
    let parts: Vec<f64> = [&shown, &trial]
        .map(|method| world.agent.learning.method(method.id.as_str()).expect("there"))
        .iter()
        .map(|method| method.pnl)
        .collect();
    assert_eq!(parts, [-60.0, -20.0]);
    let unknown = world.agent.sessions.decide(
        &NewDecision { statement: "x", methods: Some(&[("99".into(), 1.0)]), ..Default::default() },
        &behalf(),
    );
    assert_eq!(unknown.expect_err("there is none").code, Code::LearningUnknown);
}

/// Neither rooms nor any other listener sees a method, a decision or a preference, and their prompts are the same bytes
/// with them and without.
/// Proves I1.
#[test]
fn nobody_but_the_owner_sees_what_is_learnt() {
    let room = Scope::Room(RoomId::parse("kitchen").expect("a room"));
    let world = trader();
    let scopes = [room, Scope::Shared, Scope::Subagent, Scope::Scheduled];
    let prompts = || {
        scopes.clone().map(|scope| world.agent.sessions.prompt(&scope).expect("a prompt").text(Part::Prefix))
    };
    let before = prompts();
    let waits = method(&world, "wait for volume");
    uses(&world, &waits, 10, 0);
    step(&world, &waits, MethodStep::Graduate).expect("graduated");
    let text = PreferenceText { dimension: Dimension::Style, statement: "writes short".into() };
    world.agent.learning.preference_see(&text, None, &behalf()).expect("seen");
    assert_eq!(prompts(), before);
    assert!(block(&world).contains("wait for volume"));
    for scope in &scopes {
        assert_eq!(
            world.agent.learning.methods(scope, MethodFilter::All).expect("none").len(),
            0,
            "{scope:?}"
        );
        assert_eq!(
            world.agent.learning.decisions(scope, DecisionFilter::All, 9).expect("none").len(),
            0,
            "{scope:?}"
        );
        assert_eq!(world.agent.learning.preferences(scope, None).expect("none").len(), 0, "{scope:?}");
        assert_eq!(world.agent.learning.roles(scope).expect("none").len(), 0, "{scope:?}");
    }
}

/// Proves M8.
#[test]
fn a_preference_holds_by_a_persons_word_and_never_over_what_somebody_stated() {
    let world = trader();
    let see = |statement: &str, session: &str| {
        let text = PreferenceText { dimension: Dimension::Style, statement: statement.into() };
        let session = SessionId::parse(session).ok();
        world.agent.learning.preference_see(&text, session, &behalf()).expect("seen").what
    };
    see("writes short sentences", "s1");
    see("Writes short  sentences", "s1");
    let asked = see("writes short sentences", "s2");
    assert_eq!(
        (asked.number, asked.state, asked.seen),
        (1, PreferenceState::Proposed, 3),
        "one row of three"
    );
    let facts = || {
        let all = world.agent.facts.facts(&Scope::Main, &FactFilter { limit: 9, ..FactFilter::default() });
        all.expect("facts").into_iter().map(|fact| (fact.text.content, fact.source)).collect::<Vec<_>>()
    };
    assert_eq!(facts(), []);
    let active = world.agent.learning.preference_activate("1", &owner()).expect("it holds").what;
    assert_eq!(active.state, PreferenceState::Active);
    assert_eq!(facts(), [("writes short sentences".to_owned(), FactSource::LearnedPreference)]);
    assert!(block(&world).contains("[preference] writes short sentences"));
    let refused = world
        .agent
        .learning
        .preference_archive("1", &WriteContext::of(Author::AGENT))
        .expect_err("the owner's");
    assert_eq!((refused.code, facts().len()), (Code::PolicyRefused, 1), "nothing was forgotten");
    world.agent.learning.preference_archive("1", &behalf()).expect("archived");
    assert_eq!(facts(), []);
    // What the owner stated is the fact of a preference that says the same, and stays when that goes.
    let said = NewFact { text: "asks for tables", category: Some("preference"), ..NewFact::default() };
    let FactOutcome::Written { fact, .. } = world.agent.facts.fact_add(&said, &behalf()).expect("kept")
    else {
        panic!("kept")
    };
    for session in ["s1", "s2", "s3"] {
        see("asks for tables", session);
    }
    let held = world.agent.learning.preference_activate("2", &owner()).expect("it holds").what;
    assert_eq!(held.fact, Some(fact.id.clone()));
    let before = world.agent.facts.fact(fact.id.as_str()).expect("there");
    assert_eq!(before.source, FactSource::UserManual);
    world.agent.learning.preference_archive("2", &behalf()).expect("archived");
    assert_eq!(world.agent.facts.fact(fact.id.as_str()).expect("there"), before);
}

/// However often it was seen, and whatever inwit does by itself: nothing but a person's word lets it hold.
/// Proves I4, X61.
#[test]
fn a_hard_constraint_holds_only_by_the_word_of_a_person() {
    let world = trader();
    let text =
        PreferenceText { dimension: Dimension::HardConstraint, statement: "never trades on Fridays".into() };
    for session in ["s-1", "s-1", "s-2", "s-2", "s-3"] {
        let session = SessionId::parse(session).expect("an id");
        world.agent.learning.preference_see(&text, Some(session), &behalf()).expect("seen");
    }
    let is_open = |after: &str| {
        let preference = world.agent.learning.preference("1").expect("there");
        assert_eq!((preference.state, preference.fact), (PreferenceState::Proposed, None), "{after}");
        assert!(!block(&world).contains("Fridays"), "{after}: {}", block(&world));
    };
    is_open("seen five times in three sessions");
    let id = world.starts();
    world.says(&id, "We never trade on Fridays.", "Noted.", Vec::new());
    world.agent.sessions.session_end(&id).expect("ended");
    is_open("a session ended");
    let pass = Pass { mode: Consolidation::On, judge: None, dry_run: false };
    world.agent.facts.consolidate(&pass).expect("a pass");
    is_open("facts were consolidated");
    let ask = DreamAsk { gates: Gates::default(), dry_run: false, trigger: "manual".into() };
    world.agent.learning.dream(&ask).expect("a dream");
    is_open("a dream ran");
    let agent = WriteContext::of(Author::AGENT);
    assert_eq!(
        world.agent.learning.preference_reject("1", &agent).expect_err("the owner's").code,
        Code::PolicyRefused
    );
    is_open("the agent asked");
    world.agent.learning.preference_activate("1", &owner()).expect("it holds");
    assert_eq!(world.agent.learning.preference("1").expect("there").state, PreferenceState::Active);
    assert!(block(&world).contains("never trades on Fridays"), "{}", block(&world));
}

/// Who forgot the fact of a preference and says again that it holds gets the fact again.
#[test]
fn a_preference_whose_fact_was_forgotten_holds_again_by_a_persons_word() {
    let world = trader();
    let text = PreferenceText { dimension: Dimension::Style, statement: "writes short sentences".into() };
    world.agent.learning.preference_see(&text, None, &behalf()).expect("seen");
    let held = || world.agent.learning.preference_activate("1", &owner()).expect("it holds");
    let fact = held().what.fact.expect("a fact");
    world.agent.facts.fact_forget(fact.as_str(), &behalf()).expect("hidden");
    assert!(!block(&world).contains("writes short sentences"));
    assert!(held().is_new);
    assert!(block(&world).contains("[preference] writes short sentences"), "{}", block(&world));
}

/// Two preferences that say the same are one fact: it goes with the last of them. Who says again that one holds
/// undoes no correction.
#[test]
fn a_fact_of_two_preferences_goes_with_the_last_one() {
    let world = trader();
    for dimension in [Dimension::Schedule, Dimension::HardConstraint] {
        let text = PreferenceText { dimension, statement: "never on Fridays".into() };
        world.agent.learning.preference_see(&text, None, &behalf()).expect("seen");
    }
    let facts = || {
        let all = world.agent.facts.facts(&Scope::Main, &FactFilter { limit: 9, ..FactFilter::default() });
        all.expect("facts").into_iter().map(|fact| fact.text.content).collect::<Vec<_>>()
    };
    for number in ["1", "2"] {
        world.agent.learning.preference_activate(number, &owner()).expect("it holds");
    }
    world.agent.learning.preference_archive("1", &behalf()).expect("archived");
    assert_eq!(facts(), ["never on Fridays"], "the other one holds");
    world.agent.learning.preference_archive("2", &behalf()).expect("archived");
    assert_eq!(facts(), Vec::<String>::new());

    let fact =
        world.agent.learning.preference_activate("1", &owner()).expect("it holds").what.fact.expect("a fact");
    let edit = FactEdit { text: Some("never on Fridays before noon"), ..FactEdit::default() };
    world.agent.facts.fact_update(fact.as_str(), &edit, &behalf()).expect("corrected");
    assert!(!world.agent.learning.preference_activate("1", &owner()).expect("it does").is_new);
    assert_eq!(facts(), ["never on Fridays before noon"]);
}

/// A prompt has room for some methods: a decision that names none rests on those and no others. At another moment none
/// is shown, and that is told.
#[test]
fn a_decision_rests_on_no_method_that_had_no_room() {
    let world = trader();
    let all: Vec<Method> =
        (0..12).map(|number| method(&world, &format!("{number} {}", "wait ".repeat(390).trim()))).collect();
    all.iter().for_each(|one| drop(uses(&world, one, 10, 0)));
    all.iter()
        .for_each(|one| assert_eq!(step(&world, one, MethodStep::Graduate), Ok(MethodState::Graduated)));
    let shown = block(&world).matches("[crypto/rule] ").count();
    assert!((1..12).contains(&shown), "{shown}");
    let decision = NewDecision { statement: "bought", ..Default::default() };
    let decided = world.agent.sessions.decide(&decision, &behalf()).expect("kept").what;
    assert_eq!(decided.text.methods.len(), shown);
    let when = When { as_of: Some(world.clock.now()), ..When::default() };
    let prompt = world.agent.sessions.prompt_of_facts(&Scope::Main, None, when).expect("a prompt");
    let told = prompt.omitted.iter().map(|omission| omission.reason.sentence()).collect::<Vec<_>>();
    assert!(told.iter().any(|sentence| sentence.contains("12 have graduated by now")), "{told:?}");
}

/// A fact that the owner changed since is not the preference's any more.
#[test]
fn what_the_owner_corrected_stays_when_its_preference_is_archived() {
    let world = trader();
    let text = PreferenceText { dimension: Dimension::Format, statement: "likes lists".into() };
    world.agent.learning.preference_see(&text, None, &behalf()).expect("seen");
    let fact =
        world.agent.learning.preference_activate("1", &owner()).expect("it holds").what.fact.expect("a fact");
    let edit = FactEdit { text: Some("likes short lists"), ..FactEdit::default() };
    world.agent.facts.fact_update(fact.as_str(), &edit, &behalf()).expect("corrected");
    world.agent.learning.preference_archive("1", &behalf()).expect("archived");
    let corrected = world.agent.facts.fact(fact.as_str()).expect("there");
    assert_eq!((corrected.text.content.as_str(), corrected.forgotten), ("likes short lists", None));
}

#[test]
fn decisions_are_counted_as_overdue_by_their_role() {
    let world = trader();
    let role = Role { name: "swing".into(), horizon_hours: 24, overdue_hours: 48 };
    world.agent.learning.role_set(&role, &behalf()).expect("kept");
    let decision = NewDecision { statement: "bought", role: Some("swing"), ..Default::default() };
    world.agent.sessions.decide(&decision, &behalf()).expect("kept");
    let counts = || {
        let learning = world.agent.health().expect("counts").learning;
        (learning.open, learning.overdue)
    };
    world.clock.pass(SignedDuration::from_hours(72));
    assert_eq!(counts(), (1, 0));
    world.clock.pass(SignedDuration::from_secs(1));
    assert_eq!(counts(), (1, 1));
}
