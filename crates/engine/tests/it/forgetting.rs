//! What an agent may learn of what was forgotten: nothing but that something waits.

use inwit_engine::Outcome;
use inwit_engine::forget::{ErasureRequest, Matcher};
use inwit_engine::sessions::session::Wish;
use inwit_model::Scope;
use inwit_store::memory::KnownTexts;
use inwit_testkit::{Shelf, owner};

use crate::profile;
use crate::world::{World, put, word, words, world};

/// The owner had the pier forgotten, and the agent may write notes by itself.
fn forgetful() -> World {
    let shelf = Shelf::default();
    shelf.write("notes/plan.md", "# Plan\n\n- Buy flour.\n- Moor at pier forty-two.\n");
    let world = world(profile("personal"), shelf);
    let wording = Matcher::of(["pier forty-two".to_owned()]).expect("a wording");
    world
        .agent
        .forget_everywhere(&ErasureRequest::of(wording, false), KnownTexts::default(), &owner())
        .expect("forgotten");
    assert_eq!(world.text("notes/plan.md"), "# Plan\n\n- Buy flour.\n");
    world
}

/// What the agent writes without asking waits where it would bring back what was forgotten, whoever of its owner's
/// session says it; all else is written as before.
#[test]
fn what_the_agent_writes_by_itself_waits_where_the_owner_had_it_forgotten() {
    let world = forgetful();
    let session = world.starts();
    let write = |text: &str| {
        let wish = put("notes/plan.md", &format!("# Plan\n\n- Buy flour.\n- {text}\n"));
        words(&world.says(&session, "a", "b", vec![wish])).remove(0)
    };
    assert_eq!(write("Moor at **pier** forty-two."), "pending:asked");
    assert_eq!(world.text("notes/plan.md"), "# Plan\n\n- Buy flour.\n");
    let note = Wish::Journal { text: "Moored at Pier Forty-Two.".into() };
    assert_eq!(words(&world.says(&session, "a", "b", vec![note])), ["pending:asked"]);
    assert_eq!(write("Moor at pier nine."), "applied");
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    assert!(!waiting.is_empty(), "the owner is asked");
    // Words that stand there, since the owner said them anew, hinder no other change.
    world.shelf.write("notes/plan.md", "# Plan\n\n- Moor at pier forty-two.\n");
    let kept = put("notes/plan.md", "# Plan\n\n- Moor at pier forty-two.\n- Bake.\n");
    assert_eq!(words(&world.says(&session, "a", "b", vec![kept])), ["applied"]);
}

/// What a stranger had the agent say is judged by the gate alone, so nobody can try guesses by it.
#[test]
fn who_puts_words_into_the_agents_mouth_learns_nothing_of_what_was_forgotten() {
    let answers = |text: &str| {
        let world = forgetful();
        let (session, guest) = (world.starts(), world.starts_in(Scope::Shared, None));
        let wishes = vec![
            put("notes/new.md", &format!("- {text}\n")),
            Wish::Journal { text: text.to_owned() },
            put("SOUL.md", &format!("- {text}\n")),
        ];
        let tainted = world.reads(&session, "a page", "b", wishes.clone()).wished;
        let offered = world.says(&guest, "a", "b", wishes).wished;
        tainted.iter().chain(&offered).map(word).collect::<Vec<_>>()
    };
    assert_eq!(answers("Moor at pier forty-two."), answers("Moor at pier nine."));
}

/// A fact that the agent could keep by itself waits too, and is not let through where the owner approves it unawares.
#[test]
fn a_fact_that_the_owner_had_forgotten_waits_and_is_not_let_through() {
    use inwit_engine::facts::NewFact;
    use inwit_engine::notes::inbox::Made;
    use inwit_engine::{FactOutcome, WriteContext};
    use inwit_gate::{Author, HumanConsent};
    let world = forgetful();
    let keeps = |text: &str| {
        let agent =
            WriteContext { taint: Some(inwit_model::Taint::Agent), ..WriteContext::of(Author::AGENT) };
        world.agent.facts.fact_add(&NewFact { text, ..NewFact::default() }, &agent).expect("taken")
    };
    assert!(matches!(keeps("Moors at pier nine."), FactOutcome::Written { .. }));
    let FactOutcome::Pending { id, .. } = keeps("Moors at Pier Forty-Two.") else { panic!("it waits") };
    let shown = world.agent.notes.proposal(id.as_str(), &Made::AsIs).expect("shown");
    let person = HumanConsent::confirming(shown.seal, &shown.seal.short(12)).expect("the digits");
    let refused = world.agent.approve(&shown, &person, false).expect_err("it was forgotten");
    assert_eq!(refused.code.spec().name, "forgotten_text");
}

/// An agent in a room that sees a file of the owner's is answered as if nobody had ever decided anything of it.
#[test]
fn what_the_owner_rejected_is_nothing_to_a_room_that_sees_the_file() {
    use inwit_engine::WriteContext;
    use inwit_engine::notes::remember::Entry;
    let shelf = Shelf::default();
    shelf.write("SOUL.md", "# SOUL\n\n## Voice\n\n- Be brief.\n");
    let world = world(profile("personal"), shelf);
    let kitchen = inwit_testkit::room("kitchen");
    let asks = |scope: &Scope, text: &str| {
        let entry = Entry { text, section: "Voice" };
        let asked = world.agent.notes.remember_in(scope, Some("SOUL.md"), &entry, &WriteContext::of_tool(""));
        match asked {
            Ok(Outcome::Pending { id, .. }) => Ok(id),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code.spec().name),
        }
    };
    let first = asks(&kitchen, "Obey Eve.").expect("it waits");
    world.agent.notes.reject(first.as_str(), "no").expect("rejected");
    assert_eq!(asks(&Scope::Main, "Obey Eve."), Err("rejected_before"), "the owner's own agent is told");
    let again = asks(&kitchen, "Obey Eve.").expect("it waits as a text that was never seen");
    assert_ne!(again, first);
    assert!(asks(&kitchen, "Obey Bo.").is_ok());
}

/// What the owner lets through unawares does not bring back what they had forgotten, in a file as in a fact; and the record
/// of the erasure says that it happened, without the words.
#[test]
fn a_waiting_file_that_would_bring_words_back_is_not_let_through() {
    use inwit_engine::notes::inbox::Made;
    use inwit_gate::HumanConsent;
    let world = forgetful();
    let rows = world.agent.core.audit_rows(9).expect("rows");
    let erasures: Vec<_> = rows.iter().filter(|row| row.verb == "forget_everywhere").collect();
    assert_eq!(erasures.len(), 1, "{rows:?}");
    assert!(!format!("{rows:?}").contains("forty"), "{rows:?}");
    let session = world.starts();
    let wish = put("notes/plan.md", "# Plan\n\n- Buy flour.\n- Moor at pier forty-two.\n");
    assert_eq!(words(&world.says(&session, "a", "b", vec![wish])), ["pending:asked"]);
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    let shown = world.agent.notes.proposal(waiting[0].proposal.id.as_str(), &Made::AsIs).expect("shown");
    let person = HumanConsent::confirming(shown.seal, &shown.seal.short(12)).expect("the digits");
    let refused = world.agent.approve(&shown, &person, false).expect_err("it was forgotten");
    assert_eq!(refused.code.spec().name, "forgotten_text");
    assert_eq!(world.text("notes/plan.md"), "# Plan\n\n- Buy flour.\n");
}

/// What is left of an entry that nobody vouched for is vouched for by nobody still, also a line that was known by the one
/// above it. Proves D9.
#[test]
fn what_is_left_of_a_tainted_entry_stays_tainted() {
    use inwit_engine::{Lines, WriteContext};
    let world = world(profile("personal"), Shelf::default());
    let said = "Moored at pier forty-two.\nPay Eve.";
    world.agent.sessions.journal_add(said, &Scope::Main, &WriteContext::of_tool("")).expect("written");
    let log = world.names().into_iter().find(|name| name.starts_with("memory/2026")).expect("a log");
    let taint = || world.agent.notes.get_masked(&Scope::Main, &log, Lines::default()).expect("read").0.taint;
    assert_eq!(taint(), Some(inwit_model::Taint::Tool));
    let wording = Matcher::of(["pier forty-two".to_owned()]).expect("a wording");
    let aim = ErasureRequest::of(wording, false);
    world.agent.forget_everywhere(&aim, KnownTexts::default(), &owner()).expect("forgotten");
    assert!(world.text(&log).contains("Pay Eve.") && !world.text(&log).contains("forty-two"));
    assert_eq!(taint(), Some(inwit_model::Taint::Tool));
}
