//! What a pass decided is written down, told, and only done where it may be.

use inwit_engine::facts::consolidate::{Judge, Pass};
use inwit_engine::facts::{FactEdit, FactFilter, NewFact};
use inwit_engine::{CheckId, DayEdge, FactOutcome, Part, WriteContext};
use inwit_gate::Author;
use inwit_model::fact::{Span, When};
use inwit_model::{Clock as _, Code, Consolidation, FactStatus, Hint, Invariant, Scope, SettlementDecision};
use inwit_testkit::{ScriptedJudge, owner};

use super::{
    KEEP, RETIRE_NEW, RETIRE_OLD, SUPERSEDE, agent, keeps, keeps_since, listed, pass, person_world, status,
};
use crate::doctor::found as found_by_doctor;
use crate::world::World;

/// What was decided later is not told of what was believed before.
#[test]
fn nobody_is_told_of_a_settlement_who_asks_what_was_believed_before() {
    let world = person_world();
    keeps(&world, "Ana lives in Porto", &agent());
    world.clock.set("2026-12-01T12:00:00Z");
    keeps(&world, "Ana lives in Lisbon", &agent());
    let before = Some(world.clock.now());
    world.clock.set("2026-12-05T12:00:00Z");
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    let long_ago = Some("2020-01-01T00:00:00Z".parse().expect("a moment"));
    let when = When { as_of: long_ago, believed_at: before };
    assert_eq!(listed(&world, when), ["Ana lives in Lisbon", "Ana lives in Porto"]);
    let filter = FactFilter { when, limit: 9, ..FactFilter::default() };
    let facts = world.agent.facts.facts(&Scope::Main, &filter).expect("read");
    assert!(facts.iter().all(|fact| fact.status != FactStatus::Retired && fact.retirement.is_none()));
    assert_eq!(listed(&world, When { as_of: long_ago, believed_at: None }), ["Ana lives in Porto"]);
    // Who asks about the very moment of the decision is told of it.
    let when = When { as_of: long_ago, believed_at: Some(world.clock.now()) };
    let facts =
        world.agent.facts.facts(&Scope::Main, &FactFilter { when, limit: 9, ..FactFilter::default() });
    let told: Vec<_> =
        facts.expect("read").into_iter().map(|fact| (fact.text.content, fact.status)).collect();
    assert_eq!(told, [("Ana lives in Porto".to_owned(), FactStatus::Retired)]);
}

/// What was believed at a past moment is answered as it was, also when what was superseded is brought back: the answer
/// lost it then.
/// Proves M8.
#[test]
fn what_was_believed_is_answered_the_same_after_a_restore() {
    let world = person_world();
    let porto = keeps_since(&world, "Ana lives in Porto", Some("2020-01-01"), &agent());
    keeps_since(&world, "Ana lives in Lima", Some("2024-01-01"), &agent());
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    let judged = Some(world.clock.now());
    let day = |text: &str| Some(world.agent.core.moment(text, DayEdge::End).expect("a moment"));
    let ask = || {
        [None, day("2022-01-01"), day("2025-01-01")]
            .map(|as_of| listed(&world, When { as_of, believed_at: judged }))
    };
    let before = ask();
    assert_eq!(before, [["Ana lives in Lima"], ["Ana lives in Porto"], ["Ana lives in Lima"]]);
    world.clock.set("2026-12-05T12:00:00Z");
    world
        .agent
        .facts
        .fact_restore(&porto.to_string(), &WriteContext::of(Author::owner(&owner())))
        .expect("back");
    assert_eq!(ask(), before);
    assert_eq!(listed(&world, When::default()).len(), 2);
}

/// Proves M43.
#[test]
fn every_decision_is_a_row_that_says_who_decided_and_what_forbade_it() {
    let world = person_world();
    for text in ["Ana bakes on Monday", "Ana bakes on Tuesday", "Ana bakes on Sunday", "Ana bakes at noon"] {
        keeps(&world, text, &agent());
    }
    let judge = ScriptedJudge::saying(&[KEEP, "I retire both!", RETIRE_NEW]);
    pass(&world, Consolidation::On, Some(&judge));
    let rows = world.agent.facts.settlements(9).expect("rows");
    let said: Vec<_> = rows.iter().map(|row| (row.decision.word(), row.model.as_deref())).collect();
    let by = Some("scripted");
    assert_eq!(said, [("retire_new", by), ("blocked", by), ("keep", by), ("keep", None)]);
    assert_eq!(rows[1].invariant, Some(Invariant::StrictAnswer));
    assert!(rows.iter().all(|row| !row.reason.is_empty() && row.fact.is_some() && !row.is_shadow));
    assert!(rows[0].other.is_some());
    let settled = world.agent.core.audit_rows(9).expect("rows");
    assert_eq!(settled.iter().filter(|row| row.verb == "fact_settle" && row.actor == "engine").count(), 4);
    // What is gone for good leaves no word of it in a reason.
    world.agent.facts.fact_purge("4", &WriteContext::of(Author::owner(&owner()))).expect("gone");
    assert_eq!(world.agent.facts.settlements(1).expect("rows")[0].reason, "");
}

/// Decided and logged, and nothing else; each fact once, until it says something else.
/// Proves M10.
#[test]
fn in_the_shadow_nothing_is_retired_and_everything_is_logged() {
    let world = person_world();
    keeps(&world, "Ana lives in Porto", &agent());
    keeps(&world, "Ana lives in Lisbon", &agent());
    let judge = ScriptedJudge::saying(&[SUPERSEDE]);
    let report = pass(&world, Consolidation::Shadow, Some(&judge));
    assert_eq!((report.decided.len(), report.retired(), report.waiting), (2, 0, 2));
    assert_eq!(listed(&world, When::default()).len(), 2);
    let rows = world.agent.facts.settlements(9).expect("rows");
    assert!(rows.iter().all(|row| row.is_shadow) && rows[0].decision == SettlementDecision::Supersede);
    assert!(pass(&world, Consolidation::Shadow, Some(&judge)).decided.is_empty(), "nobody is asked twice");
    assert_eq!(judge.asked().len(), 1);
    assert!(pass(&world, Consolidation::Off, Some(&judge)).decided.is_empty());
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    assert_eq!(listed(&world, When::default()), ["Ana lives in Lisbon"]);
}

#[test]
fn a_dry_run_writes_nothing_and_a_long_steer_is_refused() {
    let world = person_world();
    keeps(&world, "likes rye", &agent());
    keeps(&world, "likes rye.", &agent());
    let rows = world.agent.core.audit_rows(99).expect("rows").len();
    let dry = Pass { mode: Consolidation::On, judge: None, dry_run: true };
    let report = world.agent.facts.consolidate(&dry).expect("a pass");
    assert_eq!((report.decided.len(), report.waiting), (2, 2));
    assert_eq!(
        (
            world.agent.core.audit_rows(99).expect("rows").len(),
            world.agent.facts.settlements(9).expect("rows").len()
        ),
        (rows, 0)
    );
    let judge = ScriptedJudge::default();
    let long = "x".repeat(501);
    let guided = Pass { judge: Some(Judge { completer: &judge, guidance: &long }), ..dry };
    assert_eq!(world.agent.facts.consolidate(&guided).expect_err("refused").code, Code::UsageBad);
}

/// A fact that took the place of another holds since then, until its owner says since when it does: also that it always
/// did. What was believed before stays known.
/// Proves M8.
#[test]
fn the_owner_says_that_what_superseded_another_held_always() {
    let world = person_world();
    keeps(&world, "Ana lives in Porto", &agent());
    world.clock.set("2026-12-01T12:00:00Z");
    let lisbon = keeps(&world, "Ana lives in Lisbon", &agent()).to_string();
    world.clock.set("2026-12-05T12:00:00Z");
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    let own = WriteContext::of(Author::owner(&owner()));
    // Who made it theirs in other words said nothing of its times.
    let edit = FactEdit { text: Some("Ana lives in Lisbon now"), ..FactEdit::default() };
    world.agent.facts.fact_update(&lisbon, &edit, &own).expect("corrected");
    let long_ago = Some("2020-01-01T00:00:00Z".parse().expect("a moment"));
    let when = |believed_at| When { as_of: long_ago, believed_at };
    assert_eq!(listed(&world, when(None)), ["Ana lives in Porto"]);
    let before = Some(world.clock.now());
    world.clock.set("2026-12-09T12:00:00Z");
    let old = world.agent.facts.fact(&lisbon).expect("there");
    let edit = FactEdit { from: Some(None), ..FactEdit::default() };
    let said = world.agent.facts.fact_update(&lisbon, &edit, &own).expect("corrected");
    assert!(matches!(said, FactOutcome::Written { .. }), "{said:?}");
    assert_eq!(listed(&world, when(None)), ["Ana lives in Lisbon now", "Ana lives in Porto"]);
    assert_eq!(listed(&world, when(before)), ["Ana lives in Porto"], "as it was believed");
    let told = world.agent.facts.fact_took_over(&old).expect("read");
    assert_eq!(told.iter().map(|it| it.code).collect::<Vec<_>>(), ["facts_ended_elsewhere"]);
    let again = world.agent.facts.fact_update(&lisbon, &edit, &own).expect("nothing to write");
    assert!(matches!(again, FactOutcome::Unchanged(_)), "{again:?}");
}

/// Where what took the place of another is corrected, who corrects it hears what gave way to what it said before.
#[test]
fn who_corrects_what_took_over_hears_what_gave_way_to_it() {
    let ended = "Superseded on another day than the new start of this fact: fact 1.";
    let shorter = "Superseded by this fact, which now ends sooner: fact 1.";
    let words = "Retired because of the earlier text of this fact, and still retired: fact 1.";
    for (from, to, text, told) in [
        (Some("2025-01-01"), None, None, vec![("facts_ended_elsewhere", ended)]),
        (None, Some("2025-01-01"), None, vec![("facts_ended_elsewhere", shorter)]),
        (None, None, Some("Ana likes tea"), vec![("facts_stay_retired", words)]),
        (None, None, Some("ana lives in  Rome."), vec![]),
        (None, Some("2040-01-01"), Some("Ana lives in Rome today"), vec![("facts_stay_retired", words)]),
    ] {
        let world = person_world();
        let at = |day: &str| world.agent.core.moment(day, DayEdge::Start).expect("a moment");
        let valid = Span { from: Some(at("2020-01-01")), to: Some(at("2030-01-01")) };
        let faro = NewFact { text: "Ana lives in Faro", valid, ..NewFact::default() };
        world.agent.facts.fact_add(&faro, &agent()).expect("kept");
        keeps_since(&world, "Ana lives in Rome", Some("2022-01-01"), &agent());
        pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
        assert_eq!(status(&world, 1), FactStatus::Retired);
        let before = world.agent.facts.fact("2").expect("there");
        assert_eq!(world.agent.facts.fact_took_over(&before).expect("read"), [], "nothing was corrected");
        let (from, to) = (from.map(|day| Some(at(day))), to.map(|day| Some(at(day))));
        let edit = FactEdit { from, to, text, ..FactEdit::default() };
        world
            .agent
            .facts
            .fact_update("2", &edit, &WriteContext::of(Author::owner(&owner())))
            .expect("corrected");
        let notices = world.agent.facts.fact_took_over(&before).expect("read");
        let got: Vec<_> = notices.iter().map(|it| (it.code, it.message.as_str())).collect();
        assert_eq!(got, told, "{from:?} {to:?} {text:?}");
        // The hint is two steps in the order in which they can be done.
        for notice in &notices {
            assert!(matches!(notice.hint, Hint::RestoreFact | Hint::RestoreAndEndFact), "{notice:?}");
        }
    }
}

/// Who forgets a fact is told what was retired for it; thirty days later nobody is there, so doctor tells it until
/// somebody decides.
#[test]
fn what_stays_retired_when_its_fact_is_gone_after_thirty_days_is_told() {
    let world = person_world();
    let old = keeps(&world, "Ana lives in Porto", &agent()).to_string();
    pass(&world, Consolidation::On, None);
    let new = keeps(&world, "Ana lives in Lisbon", &agent()).to_string();
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    let told = || found_by_doctor(&world.agent, CheckId::FactStaysRetired);
    assert_eq!(told(), [""; 0], "the other one stands");
    let behalf = WriteContext::of(Author::owner(&owner()));
    world.agent.facts.fact_forget(&new, &behalf).expect("forgotten");
    assert_eq!((told(), world.agent.facts.expire_forgotten()), (vec![], Ok(0)), "it can come back");
    world.clock.set("2027-01-15T12:00:00Z");
    assert_eq!(world.agent.facts.expire_forgotten(), Ok(1));
    assert_eq!(told(), [format!("Fact {old} was retired because of a fact that was erased.")]);
    world.agent.facts.fact_restore(&old, &behalf).expect("back");
    assert_eq!(told(), [""; 0], "somebody decided");
}

/// A history, and what a judge says of it.
type Told = (fn(&World), &'static [&'static str]);

/// What was shown and what is done are one thing: what a pass decided to retire is out for the rest of that pass, whether
/// it is carried out or not. In a dry run and in the shadow it was held against once more, retired twice, and shown to
/// the judge.
/// Proves M10, M41, M42.
#[test]
fn a_dry_run_and_the_shadow_decide_as_the_pass_that_does_it() {
    use SettlementDecision::{Keep, RetireNew, RetireOld, Supersede};
    let histories: [(Told, &[_]); 5] = [
        // What was retired for its words is held against nothing.
        (
            (
                |world| {
                    keeps(world, "Ana lives in Porto", &agent());
                    keeps(world, "ana lives in porto.", &agent());
                    keeps_since(world, "Ana lives in Berlin", Some("2026-03-01"), &agent());
                },
                &[SUPERSEDE],
            ),
            &[(Keep, 1, None), (RetireNew, 2, Some(1)), (Supersede, 3, Some(1))],
        ),
        // Nor is what gave way, by time or since it never was so.
        (
            (
                |world| {
                    for city in ["Porto", "Lima", "Faro", "Rome"] {
                        keeps(world, &format!("Ana lives in {city}"), &agent());
                    }
                },
                &[SUPERSEDE, RETIRE_OLD, SUPERSEDE],
            ),
            &[(Keep, 1, None), (Supersede, 2, Some(1)), (RetireOld, 3, Some(2)), (Supersede, 4, Some(3))],
        ),
        // Nor what a judge found wrong; where nothing else stands nobody is asked.
        (
            (
                |world| {
                    keeps(world, "Ana lives in Porto", &agent());
                    keeps(world, "Ana lives in Lima", &agent());
                    keeps(world, "ana lives in lima.", &agent());
                },
                &[RETIRE_NEW, KEEP],
            ),
            &[(Keep, 1, None), (RetireNew, 2, Some(1)), (Keep, 3, None)],
        ),
        // What gave way to words like its own is no first one for the next that has them.
        (
            (
                |world| {
                    keeps(world, "Ana lives in Porto", &agent());
                    keeps(world, "Ana lives in Lima", &agent());
                    keeps(world, "ana lives in porto.", &agent());
                },
                &[SUPERSEDE, KEEP],
            ),
            &[(Keep, 1, None), (Supersede, 2, Some(1)), (Keep, 3, None)],
        ),
        // Nor is it looked at itself, where what was corrected meanwhile comes before it.
        (
            (
                |world| {
                    keeps(world, "Ana lives in Porto", &agent());
                    keeps(world, "Ana lives in Lima", &agent());
                    let edit = FactEdit { text: Some("Ana lives in Faro"), ..FactEdit::default() };
                    let said = world.agent.facts.fact_update("1", &edit, &agent()).expect("corrected");
                    assert!(matches!(said, FactOutcome::Written { .. }), "{said:?}");
                },
                &[SUPERSEDE, KEEP],
            ),
            &[(Supersede, 1, Some(2))],
        ),
    ];
    use Consolidation::{On, Shadow};
    let mut differ = Vec::new();
    for (at, ((history, answers), decided)) in histories.into_iter().enumerate() {
        let [done, dry, dry_shadow, shadow] =
            [(On, false), (On, true), (Shadow, true), (Shadow, false)].map(|(mode, dry_run)| {
                let world = person_world();
                history(&world);
                let judge = ScriptedJudge::saying(answers);
                let asked = Some(Judge { completer: &judge, guidance: "" });
                let report =
                    world.agent.facts.consolidate(&Pass { mode, judge: asked, dry_run }).expect("a pass");
                let each = report.decided.iter().map(|decided| {
                    let other = decided.other.as_ref().map(|other| other.number);
                    (decided.settlement.decision, decided.fact.number, other)
                });
                (each.collect::<Vec<_>>(), judge.asked())
            });
        assert_eq!(done.0, decided, "history {at}, done");
        for (pass, other) in [("dry run", dry), ("dry run of the shadow", dry_shadow), ("shadow", shadow)] {
            differ
                .extend((other != done).then(|| format!("history {at}, {pass}: {other:?} is not {done:?}")));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// From when until when a fact holds is shown with what a decision tells of it, as soon as that was made: a superseded
/// fact stood there without its end.
/// Proves M8, M44.
#[test]
fn a_fact_is_shown_with_the_bounds_that_were_known_of_it() {
    let prompt = |world: &World, when: When| {
        let prompt = world.agent.sessions.prompt_of_facts(&Scope::Main, None, when).expect("a prompt");
        prompt.text(Part::Prefix)
    };
    let bounded = "(2020-01-01 to 2021-08-01)";
    for (to, stated, known) in [
        (None, "(since 2020-01-01)", "(2020-01-01 to 2022-01-01)"),
        (Some("2021-08-01"), bounded, bounded),
        (Some("2030-01-01"), "(2020-01-01 to 2030-01-01)", "(2020-01-01 to 2022-01-01)"),
    ] {
        let world = person_world();
        let at = |day: &str| world.agent.core.moment(day, DayEdge::Start).expect("a moment");
        let valid = Span { from: Some(at("2020-01-01")), to: to.map(at) };
        let porto = NewFact { text: "Ana lives in Porto", valid, ..NewFact::default() };
        world.agent.facts.fact_add(&porto, &agent()).expect("kept");
        keeps_since(&world, "Ana lives in Berlin", Some("2022-01-01"), &agent());
        let before = Some(world.clock.now());
        world.clock.set("2026-12-05T12:00:00Z");
        pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
        assert_eq!(status(&world, 1), FactStatus::Retired, "{to:?}");
        let decided = Some(world.clock.now());
        world.clock.set("2026-12-06T12:00:00Z");
        let as_of = Some(at("2021-06-01"));
        for (believed_at, shown) in [(before, stated), (decided, known), (None, known)] {
            let prompt = prompt(&world, When { as_of, believed_at });
            assert!(prompt.contains(&format!("Ana lives in Porto {shown}\n")), "{shown}: {prompt}");
        }
        // Once it is back nothing ended it, and what was believed meanwhile stays what it was.
        world.agent.facts.fact_restore("1", &WriteContext::of(Author::owner(&owner()))).expect("back");
        for (believed_at, shown) in [(before, stated), (decided, known), (None, stated)] {
            let prompt = prompt(&world, When { as_of, believed_at });
            assert!(prompt.contains(&format!("Ana lives in Porto {shown}\n")), "back, {shown}: {prompt}");
        }
    }
    // Where neither says anything of its time, the one holds since it took the place of the other.
    let world = person_world();
    keeps(&world, "Ana lives in Porto", &agent());
    world.clock.set("2026-12-01T12:00:00Z");
    keeps(&world, "Ana lives in Lisbon", &agent());
    let before = Some(world.clock.now());
    let undecided = prompt(&world, When::default());
    assert!(undecided.contains("Ana lives in Lisbon\n") && undecided.contains("Ana lives in Porto\n"));
    world.clock.set("2026-12-05T12:00:00Z");
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    let now = prompt(&world, When::default());
    assert!(now.contains("Ana lives in Lisbon (since 2026-12-01)\n"), "{now}");
    let then = prompt(&world, When { as_of: None, believed_at: before });
    assert_eq!(then, undecided);
    let day_before = Some("2026-11-30T00:00:00Z".parse().expect("a moment"));
    let past = prompt(&world, When { as_of: day_before, believed_at: None });
    assert!(past.contains("Ana lives in Porto (until 2026-12-01)\n"), "{past}");
}

/// A fact for which another one stands now is not in what a session begins with.
#[test]
fn a_superseded_fact_is_absent_from_the_context_of_a_new_session() {
    let world = person_world();
    keeps_since(&world, "Ana lives in Porto", Some("2020-01-01"), &agent());
    pass(&world, Consolidation::On, None);
    keeps_since(&world, "Ana lives in Lisbon", Some("2024-01-01"), &agent());
    let told =
        || world.agent.sessions.pack(inwit_engine::sessions::hook::Packed::default()).expect("a pack").text;
    assert!(told().contains("Ana lives in Porto"), "both hold before the pass");
    pass(&world, Consolidation::On, Some(&ScriptedJudge::saying(&[SUPERSEDE])));
    let told = told();
    assert!(told.contains("Ana lives in Lisbon") && !told.contains("Ana lives in Porto"), "{told}");
}
