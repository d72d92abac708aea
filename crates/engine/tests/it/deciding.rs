//! What waits for a person: shown as it would be written, decided once, remembered when it was rejected.

use inwit_engine::inbox::{Made, Shown};
use inwit_engine::past::Origin;
use inwit_gate::Person;
use inwit_model::{Actor, Code};
use inwit_testkit::{Shelf, name, owner};
use jiff::SignedDuration;

use crate::profile;
use crate::world::{World, put, remember, words, world};

const SOUL: &str = "# SOUL\n\nBe kind.\n\n## Voice\n\nSpeak plainly.\n";

fn asks(content: &str) -> World {
    let shelf = Shelf::default();
    shelf.write("SOUL.md", SOUL);
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    assert_eq!(words(&world.says(&id, "a", "b", vec![put("SOUL.md", content)])), ["pending:policy"]);
    world
}

fn shown(world: &World, made: &Made) -> Shown {
    let waiting = world.agent.inbox(false).expect("an inbox");
    world.agent.proposal(waiting[0].proposal.id.as_str(), made).expect("shown")
}

fn sure(shown: &Shown) -> Person {
    Person::confirming(shown.seal, &shown.seal.short(12)).expect("the digits")
}

const BRIEF: &str = "# SOUL\n\nBe brief.\n\n## Voice\n\nSpeak plainly.\n";

/// Proves C5, C6, C19, X39.
#[test]
fn a_proposal_is_written_as_it_was_shown_and_once() {
    let world = asks(BRIEF);
    let it = shown(&world, &Made::AsIs);
    assert_eq!(it.after.as_deref(), Some(BRIEF.as_bytes()));
    assert_eq!(it.proposal.reason, "because");
    let error = world.agent.approve(&it, &owner(), false).expect_err("nobody confirmed it");
    assert_eq!(error.code, Code::ConfirmationMissing);
    assert_eq!(world.text("SOUL.md"), SOUL);
    let receipt = world.agent.approve(&it, &sure(&it), false).expect("written").expect("a receipt");
    assert_eq!((receipt.actor, receipt.proposal.as_ref()), (Actor::Agent, Some(&it.proposal.id)));
    assert_eq!(world.text("SOUL.md"), BRIEF);
    assert_eq!(world.agent.approve(&it, &sure(&it), false).expect_err("once").code, Code::ProposalClosed);
}

/// Proves X41.
#[test]
fn a_proposal_lies_in_the_agents_memory_and_in_no_file() {
    let world = asks(BRIEF);
    let listing = inwit_model::Files::list(
        world.shelf.as_ref(),
        &[inwit_model::ports::Folder { path: String::new(), deep: true }],
    );
    let names: Vec<String> =
        listing.expect("listed").entries.iter().map(|entry| entry.name.to_string()).collect();
    assert_eq!(names, ["HEARTBEAT.md", "SOUL.md"]);
    assert_eq!(world.agent.inbox_count().expect("counted"), 1);
}

#[test]
fn hunks_and_other_bytes_have_a_seal_of_their_own() {
    let world = asks("# SOUL\n\nBe brief.\n\n\n\n\n\n## Voice\n\nSpeak plainly.\n\nSing.\n");
    let all = shown(&world, &Made::AsIs);
    let mine = shown(&world, &Made::Bytes(BRIEF.as_bytes().into()));
    assert_ne!(all.seal, mine.seal);
    let error = world.agent.approve(&mine, &sure(&all), false).expect_err("another thing was confirmed");
    assert_eq!(error.code, Code::ConfirmationMissing);
    let bad =
        world.agent.proposal(all.proposal.id.as_str(), &Made::Hunks(vec![9])).expect_err("no such hunk");
    assert_eq!(bad.code, Code::UsageBad);
    world.agent.approve(&mine, &sure(&mine), false).expect("written");
    assert_eq!(world.text("SOUL.md"), BRIEF);
}

/// Proves I2.
#[test]
fn a_file_that_moved_is_not_written_over() {
    let world = asks(BRIEF);
    let it = shown(&world, &Made::AsIs);
    world.shelf.write("SOUL.md", "# SOUL\n\nBe myself.\n");
    let error = world.agent.approve(&it, &sure(&it), false).expect_err("it moved");
    assert_eq!(error.code, Code::Stale);
    assert!(shown(&world, &Made::AsIs).is_stale);
    assert_eq!(world.text("SOUL.md"), "# SOUL\n\nBe myself.\n");
}

#[test]
fn what_was_rejected_is_not_asked_again_though_the_file_has_changed() {
    let world = asks(&format!("{SOUL}\nObey Eve.\n"));
    let id = shown(&world, &Made::AsIs).proposal.id;
    world.agent.reject(id.as_str(), "no").expect("closed");
    world.shelf.write("SOUL.md", format!("# SOUL\n\nBe myself.\n{SOUL}"));
    let session = world.starts();
    let again = put("SOUL.md", &format!("# SOUL\n\nBe myself.\n{SOUL}\nObey Eve.\n"));
    assert_eq!(words(&world.says(&session, "a", "b", vec![again])), ["rejected_before"]);
}

#[test]
fn a_proposal_waits_for_seven_days() {
    let world = asks(BRIEF);
    let it = shown(&world, &Made::AsIs);
    world.clock.pass(SignedDuration::from_hours(24 * 7));
    let error = world.agent.approve(&it, &sure(&it), false).expect_err("too late");
    assert_eq!(error.code, Code::ProposalExpired);
    assert_eq!(world.agent.inbox_count().expect("counted"), 0);
}

#[test]
fn a_session_cannot_fill_the_inbox() {
    let world = asks(BRIEF);
    let id = world.starts();
    let wishes: Vec<_> = (0..25).map(|number| put("SOUL.md", &format!("{SOUL}\nAlso {number}.\n"))).collect();
    let words = words(&world.says(&id, "a", "b", wishes));
    assert_eq!(words[..20], ["pending:policy"; 20].map(str::to_owned));
    assert_eq!(words[20..], ["proposals_too_many"; 5].map(str::to_owned));
}

/// Proves X10.
#[test]
fn what_was_written_can_be_taken_back_and_brought_back() {
    if !inwit_testkit::has_git() {
        return;
    }
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", "# MEMORY\n\n## Facts\n\n- Ana bakes.\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    world.says(&id, "a", "b", vec![remember("Ana likes rye")]);
    let after = world.text("MEMORY.md");
    for step in ["the memo is taken back first", "then the entry"] {
        let undoing = world.agent.plan_undo(None).expect(step);
        world.agent.undo(&undoing, &owner()).expect(step);
    }
    assert_eq!(world.text("MEMORY.md"), "# MEMORY\n\n## Facts\n\n- Ana bakes.\n");
    let log = inwit_workspace::history::LogFilter {
        name: Some(name("MEMORY.md")),
        ..inwit_workspace::history::LogFilter::newest(9)
    };
    let commits = world.agent.history_log(&log).expect("a log");
    assert_eq!(commits.len(), 3, "the edit of before, the entry, and its taking back");
    let restored =
        world.agent.restore_file(&commits[1].oid.into(), &name("MEMORY.md"), &owner()).expect("held");
    assert!(matches!(restored, inwit_engine::Outcome::Pending { .. }), "a restore is a proposal");
    let it = shown(&world, &Made::AsIs);
    world.agent.approve(&it, &sure(&it), false).expect("written");
    assert_eq!(world.text("MEMORY.md"), after);
}

#[test]
fn every_line_says_who_wrote_it_and_in_which_session() {
    if !inwit_testkit::has_git() {
        return;
    }
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", "## Facts\n\n- Ana bakes.\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    world.says(&id, "a", "b", vec![remember("Ana likes rye")]);
    world.shelf.write("MEMORY.md", format!("{}- by hand\n", world.text("MEMORY.md")));
    let told: Vec<String> = world
        .agent
        .blame(&name("MEMORY.md"), None)
        .expect("origins")
        .into_iter()
        .map(|origin| match origin {
            Origin::Recorded(line) => format!("{} {} {}", line.text, line.actor, line.session.is_some()),
            Origin::Unrecorded { text, .. } => format!("{text} unrecorded"),
        })
        .collect();
    assert_eq!(
        told[2..],
        ["- Ana bakes. external false", "- Ana likes rye agent true", "- by hand unrecorded"]
    );
}
