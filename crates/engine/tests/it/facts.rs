//! Facts: written through the gate, changed and proposed, forgotten and brought back.

use std::collections::BTreeMap;
use std::sync::Arc;

use inwit_engine::DayEdge;
use inwit_engine::facts::{FactEdit, FactFilter, NewFact};
use inwit_engine::notes::inbox::Made;
use inwit_engine::{Agent, AgentDeps, AgentPorts, FactOutcome, WriteContext};
use inwit_gate::{Author, FactChange, FactDeed, FactText, FactVerdict, HumanConsent, Policy, judge_fact};
use inwit_model::fact::{Category, Span, When};
use inwit_model::profile::BlockKind;
use inwit_model::{Code, Profile, Scope, Taint};
use inwit_store::Memory;
use inwit_store_sqlite::SqliteMemory;
use inwit_testkit::Shelf;
use jiff::SignedDuration;

use crate::profile;
use crate::world::{World, world};

pub(crate) fn person_world() -> World {
    world(
        profile("personal"),
        Shelf::of("//- SOUL.md\nI am kind.\n//- MEMORY.md\n## Facts\n\n- The mill is old.\n"),
    )
}

#[expect(clippy::disallowed_methods, reason = "a test says who is there")]
pub(crate) fn owner() -> WriteContext {
    WriteContext::of(Author::owner(&HumanConsent::at_own_terminal()))
}

pub(crate) fn agent_untainted() -> WriteContext {
    WriteContext { taint: Some(Taint::Agent), ..WriteContext::of(Author::AGENT) }
}

pub(crate) fn keeps(world: &World, text: &str) -> i64 {
    match world.agent.facts.fact_add(&NewFact { text, ..NewFact::default() }, &owner()).expect("kept") {
        FactOutcome::Written { fact, .. } => fact.number,
        other => panic!("kept at once: {other:?}"),
    }
}

pub(crate) fn block(world: &World) -> String {
    let prompt = world.agent.sessions.prompt(&Scope::Main).expect("a prompt");
    prompt.block(BlockKind::Facts).map(|block| block.text.to_string()).unwrap_or_default()
}

fn listed(world: &World, when: When) -> Vec<String> {
    let filter = FactFilter { when, limit: 99, ..FactFilter::default() };
    let facts = world.agent.facts.facts(&Scope::Main, &filter).expect("read");
    facts.into_iter().map(|fact| fact.text.content).collect()
}

/// Times are kept in whole milliseconds, so they are judged as that.
#[test]
fn times_below_a_millisecond_are_cut_before_they_are_judged() {
    let world = person_world();
    let at = |text: &str| text.parse().ok();
    let span = |from, to| Span { from: at(from), to: at(to) };
    let fine = span("2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.125999Z");
    let fact = NewFact { text: "likes rye", valid: fine, ..NewFact::default() };
    world.agent.facts.fact_add(&fact, &owner()).expect("kept");
    assert!(world.agent.facts.fact("1").expect("kept").is_as_written());
    assert!(
        matches!(world.agent.facts.fact_add(&fact, &owner()), Ok(FactOutcome::Unchanged(_))),
        "it is known"
    );
    let empty = span("2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.1239Z");
    let fact = NewFact { text: "likes oats", valid: empty, ..NewFact::default() };
    assert_eq!(world.agent.facts.fact_add(&fact, &owner()).expect_err("empty").code, Code::UsageBad);
    let edit = FactEdit { from: Some(empty.from), to: Some(empty.to), ..FactEdit::default() };
    assert_eq!(world.agent.facts.fact_update("1", &edit, &owner()).expect_err("empty").code, Code::UsageBad);
}

/// No day before the first year is another one in words, and nothing begins where time ends.
#[test]
fn days_that_cannot_be_told_are_refused_and_the_last_one_is_an_end() {
    let world = person_world();
    for day in ["-0001-01-01", "+2026-01-01", "\u{2212}0001-01-01"] {
        let refused = world.agent.core.moment(day, DayEdge::Start).expect_err("no day");
        assert_eq!(refused.code, Code::TimeBad, "{day}");
    }
    let last = world.agent.core.moment("9999-12-31", DayEdge::Start).ok();
    let fact = |valid| NewFact { text: "holds for ever", valid, ..NewFact::default() };
    let begins = fact(Span { from: last, to: None });
    assert_eq!(world.agent.facts.fact_add(&begins, &owner()).expect_err("never").code, Code::TimeBad);
    world.agent.facts.fact_add(&fact(Span { from: None, to: last }), &owner()).expect("it ends then");
}

/// Other tools read the first of two values, so one that only the owner may claim hides behind no second one; what is
/// in a value is nobody's claim. None of it is also what metadata may be.
#[test]
fn metadata_name_their_source_once_and_go() {
    let world = person_world();
    let fact = |metadata: &str| NewFact {
        text: "likes rye",
        metadata: Some(metadata.to_owned()),
        ..NewFact::default()
    };
    let agent = agent_untainted();
    for twice in [r#"{"source":"user_manual","source":"x"}"#, r#"{"source":"user_manual","\u0073ource":"x"}"#]
    {
        let refused = world.agent.facts.fact_add(&fact(twice), &agent).expect_err("twice");
        assert_eq!(refused.code, Code::UsageBad, "{twice}");
    }
    let nested = r#"{"source":"x","of":{"source":"user_manual","source":"y"},"n":1.10}"#;
    world.agent.facts.fact_add(&fact(nested), &agent).expect("kept");
    assert_eq!(world.agent.facts.fact("1").expect("kept").text.metadata.as_deref(), Some(nested));
    let edit = FactEdit { metadata: Some(None), ..FactEdit::default() };
    world.agent.facts.fact_update("1", &edit, &owner()).expect("changed");
    assert_eq!(world.agent.facts.fact("1").expect("kept").text.metadata, None);
}

/// What cannot be kept as metadata says why, and where.
#[test]
fn metadata_that_cannot_be_read_say_why() {
    let world = person_world();
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    for (metadata, why) in [
        ("[1]", "not a JSON object"),
        (&*deep, "recursion limit"),
        (r#"{"n":1e999}"#, "number out of range at line 1"),
    ] {
        let fact = NewFact { metadata: Some(metadata.to_owned()), ..new("likes rye") };
        let refused = world.agent.facts.fact_add(&fact, &owner()).expect_err("refused");
        assert!(refused.code == Code::UsageBad && refused.message.contains(why), "{}", refused.message);
    }
}

/// What was looked up of a long question is said as it was.
#[test]
fn a_long_question_says_what_of_it_was_looked_up() {
    let world = person_world();
    world.agent.facts.fact_add(&NewFact { text: "likes rye", ..NewFact::default() }, &owner()).expect("kept");
    let words: String = (0..70).map(|number| format!("w{number} ")).collect();
    for (query, said) in [
        ("(".repeat(2_000), "its first 1000 characters were"),
        ("x".repeat(100_000), "its first 1000 characters were"),
        (format!("rye {words}"), "its first 64 words were"),
    ] {
        let answer =
            world.agent.facts.search_facts(&Scope::Main, &query, &When::default(), 9).expect("answered");
        let told = answer.notices().into_iter().find(|notice| notice.code == "query_cut").expect("told");
        assert!(told.message.contains(said), "{}", told.message);
    }
}

/// Proves X43.
#[test]
fn what_a_tool_wants_kept_waits_for_the_owner_and_every_step_is_recorded() {
    let world = person_world();
    let wants = |source| NewFact { text: "likes rye", source, ..NewFact::default() };
    let tool = WriteContext::of_tool("it was said");
    let pending = world.agent.facts.fact_add(&wants(Some("user_manual")), &tool).expect("proposed");
    let FactOutcome::Pending { id, why, .. } = pending else { panic!("it waits: {pending:?}") };
    assert_eq!(why.word(), "taint");
    assert!(listed(&world, When::default()).is_empty() && block(&world).is_empty());
    let again = world.agent.facts.fact_add(&wants(None), &tool).expect("proposed");
    assert!(matches!(again, FactOutcome::Pending { id: same, .. } if same == id), "asked once");
    let shown = world.agent.notes.proposal(id.as_str(), &Made::AsIs).expect("shown");
    assert!(!shown.is_stale && shown.hunks.len() == 1);
    let person = HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("a person");
    assert!(world.agent.approve(&shown, &person, false).expect("approved").is_none());
    let fact = world.agent.facts.fact("1").expect("kept");
    assert_eq!((fact.text.content.as_str(), fact.source.word()), ("likes rye", "agent_recorded"));
    let closed = world.agent.approve(&shown, &person, false).expect_err("decided");
    assert_eq!(closed.code, Code::ProposalClosed);
    let verbs: Vec<String> =
        world.agent.core.audit_rows(9).expect("rows").into_iter().map(|row| row.verb).collect();
    assert_eq!(verbs, ["approved", "fact_add", "propose"]);
}

/// A file that happens to lie where changes of facts wait is none of theirs.
#[test]
fn a_file_of_the_same_name_stands_in_no_ones_way() {
    let world = world(profile("personal"), Shelf::of("//- facts/new.md\nmy own list\n"));
    let fact = NewFact { text: "likes rye", ..NewFact::default() };
    world.agent.facts.fact_add(&fact, &WriteContext::of_tool("")).expect("proposed");
    let waiting = world.agent.notes.inbox(false).expect("read");
    let shown = world.agent.notes.proposal(waiting[0].proposal.id.as_str(), &Made::AsIs).expect("shown");
    assert!(!shown.is_stale && shown.before.is_none());
    let person = HumanConsent::confirming(shown.seal, &shown.seal.short(8)).expect("a person");
    world.agent.approve(&shown, &person, false).expect("approved");
    assert_eq!(listed(&world, When::default()), ["likes rye"]);
    assert_eq!(world.text("facts/new.md"), "my own list\n");
}

#[test]
fn what_was_rejected_is_not_asked_again() {
    let world = person_world();
    let fact = NewFact { text: "likes rye", ..NewFact::default() };
    let FactOutcome::Pending { id, .. } =
        world.agent.facts.fact_add(&fact, &WriteContext::of_tool("")).expect("proposed")
    else {
        panic!("it waits");
    };
    world.agent.notes.reject(id.as_str(), "no").expect("rejected");
    let again =
        world.agent.facts.fact_add(&fact, &WriteContext::of_tool("other words")).expect_err("refused");
    assert_eq!(again.code, Code::RejectedBefore);
    assert!(listed(&world, When::default()).is_empty());
}

/// When something held is part of what is said: a wish about another time is lost neither under one that waits nor
/// behind one that was rejected. What is known besides is no other wish.
#[test]
fn a_wish_about_another_time_is_another_wish() {
    let world = person_world();
    let wish = |year: &str, metadata: Option<&str>| {
        let from = world.agent.core.moment(&format!("{year}-01-01"), DayEdge::Start).expect("a moment");
        let valid = Span { from: Some(from), to: None };
        let metadata = metadata.map(str::to_owned);
        let fact = NewFact { text: "Ana lives in Porto", valid, metadata, ..NewFact::default() };
        world.agent.facts.fact_add(&fact, &WriteContext::of_tool(""))
    };
    let waits = |year| match wish(year, None) {
        Ok(FactOutcome::Pending { id, .. }) => id,
        other => panic!("it waits: {other:?}"),
    };
    let (first, second) = (waits("2020"), waits("2024"));
    assert_ne!(first, second);
    world.agent.notes.reject(first.as_str(), "no").expect("rejected");
    for metadata in [None, Some(r#"{"confidence":0.9}"#)] {
        let again = wish("2020", metadata).expect_err("refused");
        assert_eq!(again.code, Code::RejectedBefore, "{metadata:?}");
    }
    assert_eq!((waits("2024"), world.agent.notes.inbox(false).expect("read").len()), (second, 1));
}

/// Who asks again for words that wait hears what of it is not in the proposal, and nothing where it is all there.
#[test]
fn who_says_more_of_words_that_wait_hears_that_it_was_not_kept() {
    let world = person_world();
    let told = |text, metadata: Option<&str>, source| {
        let fact = NewFact { text, metadata: metadata.map(str::to_owned), source, ..NewFact::default() };
        match world.agent.facts.fact_add(&fact, &WriteContext::of_tool("")).expect("proposed") {
            FactOutcome::Pending { id, notices, .. } => {
                let told = notices.into_iter().map(|notice| notice.message).collect::<String>();
                (told.contains(id.as_str()), told.rsplit(": ").next().unwrap_or_default().to_owned())
            }
            other => panic!("it waits: {other:?}"),
        }
    };
    let sure = Some(r#"{"confidence":0.9}"#);
    let nothing = (false, String::new());
    assert_eq!(told("likes rye", sure, None), nothing);
    for (text, metadata) in [("likes rye", sure), ("likes rye", None)] {
        assert_eq!(told(text, metadata, None), nothing);
    }
    for (text, metadata, source, lacks) in [
        ("likes rye", Some("{}"), None, "its metadata."),
        ("Likes rye", sure, None, "the case of its letters."),
        (
            "likes RYE",
            Some("{}"),
            Some("user_explicit"),
            "its metadata, its source, the case of its letters.",
        ),
    ] {
        assert_eq!(told(text, metadata, source), (true, lacks.to_owned()));
    }
    assert_eq!(world.agent.notes.inbox(false).expect("read").len(), 1);
}

/// An agent that read nothing foreign writes at once, corrects what is its own, and never what a person said.
/// Proves I4.
#[test]
fn an_agent_corrects_its_own_facts_and_nobody_elses() {
    let world = person_world();
    let own = NewFact { text: "the oven is slow", ..NewFact::default() };
    let written = world.agent.facts.fact_add(&own, &agent_untainted()).expect("kept");
    assert!(matches!(written, FactOutcome::Written { fact, .. } if fact.source.word() == "agent_recorded"));
    let edit = FactEdit { text: Some("the oven is fast"), ..FactEdit::default() };
    world.agent.facts.fact_update("1", &edit, &agent_untainted()).expect("corrected");
    world.agent.facts.fact_update("1", &edit, &owner()).expect("made the owner's own");
    assert_eq!(world.agent.facts.fact("1").expect("kept").source.word(), "user_manual");
    for refused in [
        world.agent.facts.fact_update("1", &FactEdit { text: Some("x"), ..edit }, &agent_untainted()),
        world.agent.facts.fact_forget("1", &agent_untainted()),
        world.agent.facts.fact_purge("1", &agent_untainted()),
    ] {
        assert_eq!(refused.expect_err("refused").code, Code::PolicyRefused);
    }
}

/// The gate looked while the fact was the agent's own; what the owner made theirs before it was written stays.
/// Proves I4.
#[test]
fn what_an_agent_was_let_change_is_stale_once_the_owner_took_the_fact_over() {
    let memory: Arc<dyn Memory> = Arc::new(SqliteMemory::in_memory().expect("a memory"));
    let alone = AgentDeps::alone(Arc::clone(&memory), Arc::clone(&inwit_testkit::keeping().entropy));
    let shelf = Arc::new(Shelf::of("//- SOUL.md\nI am kind.\n"));
    let agent = Agent::new(AgentPorts { keeping: alone, ..inwit_testkit::parts(shelf) });
    let policy = Policy::of(&profile("personal"), &BTreeMap::new());
    let text = "the oven is slow";
    let fact = || NewFact { text, ..NewFact::default() };
    for number in ["1", "2"] {
        agent.facts.fact_add(&fact(), &agent_untainted()).expect("kept");
        let own = agent.facts.fact(number).expect("the agent's own");
        let (id, base) = (own.id.clone(), own.text.sha256());
        let deed = match number {
            "1" => FactDeed::Update { id, base, text: FactText::new(Category::observation(), "fast") },
            _ => FactDeed::Forget { id, base },
        };
        let mut change = FactChange::new(deed, Author::AGENT, None);
        change.taint = Taint::Agent;
        let FactVerdict::Approved(approved) = judge_fact(&policy, Some(&own.standing()), change) else {
            panic!("an agent corrects its own");
        };
        // The same words in the owner's mouth.
        agent.facts.fact_add(&fact(), &owner()).expect("the owner's by now");
        let refused = memory.write_fact(&approved, &own.id, own.updated).expect_err("too late");
        assert_eq!(refused.code, Code::Stale, "{number}");
        let kept = agent.facts.fact(number).expect("kept");
        assert_eq!((kept.text.content.as_str(), kept.forgotten), (text, None), "{number}");
        agent.facts.fact_purge(number, &owner()).expect("gone");
    }
}

/// Proves M25, M27.
#[test]
fn a_forgotten_fact_comes_back_within_thirty_days_and_then_is_gone() {
    let world = person_world();
    for text in ["likes rye", "likes spelt"] {
        keeps(&world, text);
    }
    let now: jiff::Timestamp = inwit_testkit::NOW.parse().expect("a moment");
    let days = |days: u32| now + SignedDuration::from_hours(24 * i64::from(days));
    for id in ["1", "2"] {
        world.agent.facts.fact_forget(id, &owner()).expect("forgotten");
    }
    assert!(listed(&world, When::default()).is_empty() && block(&world).is_empty());
    assert!(
        world
            .agent
            .facts
            .search_facts(&Scope::Main, "likes", &When::default(), 9)
            .expect("an answer")
            .facts
            .is_empty()
    );
    let gone = FactFilter { forgotten: true, limit: 9, ..FactFilter::default() };
    assert_eq!(world.agent.facts.facts(&Scope::Main, &gone).expect("read").len(), 2);
    let last = |id| world.agent.facts.restorable_until(&world.agent.facts.fact(id).expect("a row"));
    let until = Some(days(30));
    assert_eq!((last("1"), last("2")), (until, until));
    world.clock.set(&days(30).to_string());
    assert_eq!((last("1"), last("2")), (until, until), "that moment too");
    world.agent.facts.fact_restore("1", &owner()).expect("back on the last day");
    assert_eq!(listed(&world, When::default()), ["likes rye"]);
    world.clock.set(&(days(30) + SignedDuration::from_millis(1)).to_string());
    assert_eq!((last("1"), last("2")), (None, None), "one is back, the other overdue");
    assert_eq!(
        world.agent.facts.facts(&Scope::Main, &gone).expect("read").len(),
        0,
        "overdue, and still a row"
    );
    assert_eq!(world.agent.facts.fact_restore("2", &owner()).expect_err("too late").code, Code::FactUnknown);
    assert_eq!(world.agent.facts.facts(&Scope::Main, &gone).expect("read").len(), 0);
    let expired =
        world.agent.core.audit_rows(9).expect("rows").into_iter().any(|row| row.verb == "fact_expire");
    assert!(expired && world.agent.facts.expire_forgotten() == Ok(0), "a second tick finds nothing");
}

/// Proves M25.
#[test]
fn a_profile_says_for_how_many_days_a_forgotten_fact_comes_back() {
    let short = Profile { facts_retention_days: 3, ..profile("personal") };
    let world = world(short, Shelf::of("//- SOUL.md\nI am kind.\n"));
    keeps(&world, "likes rye");
    let three_days = SignedDuration::from_hours(24 * 3);
    world.agent.facts.fact_forget("1", &owner()).expect("forgotten");
    world.clock.pass(three_days);
    world.agent.facts.fact_restore("1", &owner()).expect("back at the last moment");
    world.agent.facts.fact_forget("1", &owner()).expect("forgotten");
    world.clock.pass(three_days + SignedDuration::from_millis(1));
    assert_eq!(world.agent.facts.fact_restore("1", &owner()).expect_err("too late").code, Code::FactUnknown);
}

/// Proves M34.
#[test]
fn the_reason_of_a_write_stands_beside_its_row_of_the_audit_and_goes_with_the_fact() {
    let world = person_world();
    let session = world.starts();
    let because = WriteContext { reason: "she said so".into(), session: Some(session.clone()), ..owner() };
    let said = NewFact { text: "likes rye", ..NewFact::default() };
    world.agent.facts.fact_add(&said, &because).expect("kept");
    let newest = world.agent.core.audit_rows(1).expect("rows").remove(0);
    assert_eq!((newest.verb.as_str(), newest.reason.as_deref()), ("fact_add", Some("she said so")));
    assert!(newest.detail.contains(session.as_str()) && !newest.detail.contains("she said"), "{newest:?}");
    world.agent.facts.fact_purge("1", &because).expect("gone");
    let rows = world.agent.core.audit_rows(9).expect("rows");
    assert!(rows.len() >= 2 && rows.iter().all(|row| row.reason.is_none()), "{rows:?}");
    assert!(world.agent.core.audit_verify().expect("whole").is_some());
}

/// What was said anew meanwhile is not there twice: whoever brings the forgotten one back is given the one that says it.
/// Proves M25.
#[test]
fn what_was_said_again_comes_back_as_the_one_that_says_it() {
    let world = person_world();
    keeps(&world, "likes rye");
    world.agent.facts.fact_forget("1", &owner()).expect("forgotten");
    assert_eq!(keeps(&world, "Likes rye"), 2);
    let back = world.agent.facts.fact_restore("1", &owner()).expect("an answer");
    assert!(matches!(&back, FactOutcome::Unchanged(fact) if fact.number == 2), "{back:?}");
    assert_eq!(listed(&world, When::default()), ["Likes rye"]);
}

/// Who writes anything tidies too: nobody has to ask for what was forgotten long ago to be gone.
#[test]
fn the_next_write_takes_away_what_is_overdue() {
    let world = person_world();
    keeps(&world, "likes rye");
    world.agent.facts.fact_forget("1", &owner()).expect("forgotten");
    let verbs = || -> Vec<String> {
        world.agent.core.audit_rows(99).expect("rows").into_iter().rev().map(|row| row.verb).collect()
    };
    let now: jiff::Timestamp = inwit_testkit::NOW.parse().expect("a moment");
    world.clock.set(&(now + SignedDuration::from_hours(24 * 30)).to_string());
    keeps(&world, "likes spelt");
    assert_eq!(verbs(), ["fact_add", "fact_forget", "fact_add"], "it is the last day");
    world.clock.set(&(now + SignedDuration::from_hours(24 * 31)).to_string());
    keeps(&world, "likes oats");
    assert_eq!(verbs()[3..], ["fact_add", "fact_expire"]);
    assert_eq!(world.agent.facts.fact("1").expect_err("gone for good").code, Code::FactUnknown);
}

/// Whatever is done to facts and to what is known of the user, it is one row in the record: who, what, of which. What
/// changed nothing is none.
/// Proves X43.
#[test]
fn every_change_of_facts_is_one_row_in_the_record() {
    let world = person_world();
    let edit = FactEdit { text: Some("likes spelt"), ..FactEdit::default() };
    keeps(&world, "likes rye");
    let id = world.agent.facts.fact("1").expect("kept").id.to_string();
    world.agent.facts.fact_update("1", &edit, &owner()).expect("updated");
    world.agent.facts.fact_update("1", &edit, &owner()).expect("as it is");
    world.agent.facts.fact_forget("1", &owner()).expect("forgotten");
    world.agent.facts.fact_restore("1", &owner()).expect("back");
    world.agent.facts.profile_set("home_language", "en", &owner()).expect("known");
    world.agent.facts.profile_set("home_language", "en", &owner()).expect("as it is");
    world.agent.facts.profile_unset("home_language", &owner()).expect("known no more");
    world.agent.facts.fact_purge("1", &owner()).expect("gone");
    let rows = world.agent.core.audit_rows(99).expect("rows");
    let told: Vec<(&str, &str)> =
        rows.iter().rev().map(|row| (row.verb.as_str(), row.target.as_str())).collect();
    let (fact, known) = (id.as_str(), "profile");
    assert_eq!(
        told,
        [
            ("fact_add", fact),
            ("fact_update", fact),
            ("fact_forget", fact),
            ("fact_restore", fact),
            ("profile_set", known),
            ("profile_unset", known),
            ("memory_removed", fact),
            ("fact_purge", fact),
        ]
    );
    assert!(rows.iter().all(|row| row.actor == "owner" && !row.detail.contains("spelt")), "{rows:?}");
}

/// A contradiction, seen as of two days: what was believed then, and what held then.
#[test]
fn what_was_believed_and_what_held_are_two_questions() {
    let world = person_world();
    let moment = |text: &str| world.agent.core.moment(text, DayEdge::Start).expect("a moment");
    let lives = NewFact {
        text: "lives in Porto",
        valid: Span { from: Some(moment("2020-01-01")), to: None },
        ..NewFact::default()
    };
    world.agent.facts.fact_add(&lives, &owner()).expect("kept");
    world.clock.set("2026-11-23T12:00:00Z");
    let moved = FactEdit { to: Some(Some(moment("2026-06-01"))), ..FactEdit::default() };
    world.agent.facts.fact_update("1", &moved, &owner()).expect("updated");
    let as_of = |day| When { as_of: Some(moment(day)), believed_at: None };
    assert_eq!(listed(&world, as_of("2019-12-31")), [""; 0]);
    assert_eq!(listed(&world, as_of("2026-05-31")), ["lives in Porto"]);
    assert_eq!(listed(&world, as_of("2026-06-01")), [""; 0]);
    let believed = |day| world.agent.core.moment(day, DayEdge::End).expect("a moment");
    let both = |day| When { as_of: Some(moment("2026-07-01")), believed_at: Some(believed(day)) };
    assert_eq!(listed(&world, both("2026-11-21")), ["lives in Porto"], "nobody knew better then");
    assert_eq!(listed(&world, both("2026-11-23")), [""; 0]);
}

/// Proves M37.
#[test]
fn categories_are_free_words_and_the_newest_comes_first() {
    let world = person_world();
    for (text, category) in [("one", "preference"), ("two", "Käse & Brot"), ("three", "preference")] {
        let fact = NewFact { text, category: Some(category), ..NewFact::default() };
        world.agent.facts.fact_add(&fact, &owner()).expect("kept");
    }
    let of = |category: &str, limit| {
        let filter = FactFilter { category: Some(category.into()), limit, ..FactFilter::default() };
        let facts = world.agent.facts.facts(&Scope::Main, &filter).expect("read");
        facts.into_iter().map(|fact| fact.text.content).collect::<Vec<_>>()
    };
    assert_eq!(of("preference", 9), ["three", "one"]);
    assert_eq!(of("preference", 1), ["three"]);
    let edit = FactEdit { text: Some("one again"), ..FactEdit::default() };
    world.agent.facts.fact_update("1", &edit, &owner()).expect("updated");
    assert_eq!(of("preference", 9), ["one again", "three"], "the last that changed comes first");
    assert_eq!(of("Käse & Brot", 9), ["two"]);
    for bad in ["", "a]b", "k: v"] {
        let fact = NewFact { text: "x", category: Some(bad), ..NewFact::default() };
        assert_eq!(
            world.agent.facts.fact_add(&fact, &owner()).expect_err("refused").code,
            Code::UsageBad,
            "{bad}"
        );
    }
}

/// A fact that names what the question names stands before one that only has more of its words.
#[test]
fn a_fact_that_names_the_thing_comes_first_without_any_embedder() {
    let world = person_world();
    keeps(&world, "bread bread bread recipe");
    keeps(&world, "Ana María bakes bread on Fridays, and sometimes on other days of the week, far from here");
    let found = world.agent.facts.search_facts(&Scope::Main, "bread ana maría", &When::default(), 9);
    let found = found.expect("an answer").facts;
    assert!(found[0].text.content.starts_with("Ana María"), "{found:?}");
    let again = world.agent.facts.search_facts(&Scope::Main, "bread ana maría", &When::default(), 9);
    assert_eq!(again.expect("an answer").facts, found, "the same question has the same answer");
}

/// An agent that says that the user asked for a fact corrects it like any other of its own.
#[test]
fn an_agent_corrects_what_it_says_the_user_asked_for() {
    let world = person_world();
    let fact = NewFact { text: "likes rye", source: Some("user_explicit"), ..NewFact::default() };
    world.agent.facts.fact_add(&fact, &agent_untainted()).expect("kept");
    let edit = FactEdit { text: Some("likes spelt"), ..FactEdit::default() };
    world.agent.facts.fact_update("1", &edit, &agent_untainted()).expect("its own word");
    world.agent.facts.fact_forget("1", &agent_untainted()).expect("its own word");
}

/// Other tools believe what metadata say of their fact, so there too nobody but the owner says that a person said it.
/// Proves M22.
#[test]
fn metadata_of_an_agent_claim_no_person() {
    let world = person_world();
    let kept = |text: &str, behalf: &WriteContext| {
        let metadata = Some("{\"n\": 1, \"source\":\"user_manual\"}".to_owned());
        let fact = NewFact { text, metadata, ..NewFact::default() };
        let FactOutcome::Written { fact, .. } = world.agent.facts.fact_add(&fact, behalf).expect("kept")
        else {
            panic!("kept at once");
        };
        fact.text.metadata.expect("metadata")
    };
    assert_eq!(kept("the oven is slow", &agent_untainted()), "{\"n\":1,\"source\":\"agent_recorded\"}");
    assert_eq!(kept("likes rye", &owner()), "{\"n\": 1, \"source\":\"user_manual\"}", "byte for byte");
}

/// Whoever says again what an agent said makes the statement theirs, and nothing that the agent wrote beside it; what
/// they write beside it themselves is kept, and said again it replaces what they wrote before.
/// Proves M22.
#[test]
fn what_an_agent_wrote_beside_a_fact_does_not_become_the_owners_word() {
    let world = person_world();
    let says = |metadata: Option<&str>, behalf: &WriteContext| {
        let metadata = metadata.map(str::to_owned);
        let fact = NewFact { text: "Ana lives in Porto", metadata, ..NewFact::default() };
        world.agent.facts.fact_add(&fact, behalf).expect("kept");
        let fact = world.agent.facts.fact("1").expect("a fact");
        (fact.source.word(), fact.text.metadata)
    };
    let owns = |metadata: Option<&str>| ("user_manual", metadata.map(str::to_owned));
    assert_eq!(says(Some(r#"{"pay":"X"}"#), &agent_untainted()).1.as_deref(), Some(r#"{"pay":"X"}"#));
    assert_eq!(says(Some(r#"{"heard":"by me"}"#), &owner()), owns(Some(r#"{"heard":"by me"}"#)));
    assert_eq!(says(None, &owner()), owns(Some(r#"{"heard":"by me"}"#)), "nothing new was said");
    assert_eq!(says(Some(r#"{"cm":190}"#), &owner()), owns(Some(r#"{"cm":190}"#)));
    assert_eq!(says(Some(r#"{"pay":"Y"}"#), &agent_untainted()), owns(Some(r#"{"cm":190}"#)));

    let other = person_world();
    other
        .agent
        .facts
        .fact_add(
            &NewFact { metadata: Some(r#"{"pay":"X"}"#.into()), ..new("likes rye") },
            &agent_untainted(),
        )
        .expect("kept");
    other.agent.facts.fact_add(&new("likes rye"), &owner()).expect("kept");
    assert_eq!(other.agent.facts.fact("1").expect("a fact").text.metadata, None);
}

pub(crate) fn new(text: &str) -> NewFact<'_> {
    NewFact { text, ..NewFact::default() }
}
