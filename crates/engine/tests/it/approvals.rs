//! What waits for a person: shown as it would be written, decided once, remembered when it was rejected.

use inwit_engine::history::past::Origin;
use inwit_engine::notes::inbox::{Made, ProposalView};
use inwit_engine::notes::remember::Entry;
use inwit_engine::notes::undo::Undoing;
use inwit_engine::{Outcome, WriteContext};
use inwit_gate::{Author, Change, HumanConsent, Proposal};
use inwit_model::{Actor, Code, Op, Sha256};
use inwit_store::memory::How;
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

fn shown(world: &World, made: &Made) -> ProposalView {
    let waiting = world.agent.notes.inbox(false).expect("an inbox");
    world.agent.notes.proposal(waiting[0].proposal.id.as_str(), made).expect("shown")
}

fn sure(shown: &ProposalView) -> HumanConsent {
    HumanConsent::confirming(shown.seal, &shown.seal.short(12)).expect("the digits")
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
    assert_eq!(world.agent.notes.inbox_count().expect("counted"), 1);
}

#[test]
fn hunks_and_other_bytes_have_a_seal_of_their_own() {
    let world = asks("# SOUL\n\nBe brief.\n\n\n\n\n\n## Voice\n\nSpeak plainly.\n\nSing.\n");
    let all = shown(&world, &Made::AsIs);
    let mine = shown(&world, &Made::Bytes(BRIEF.as_bytes().into()));
    assert_ne!(all.seal, mine.seal);
    let error = world.agent.approve(&mine, &sure(&all), false).expect_err("another thing was confirmed");
    assert_eq!(error.code, Code::ConfirmationMissing);
    let bad = world
        .agent
        .notes
        .proposal(all.proposal.id.as_str(), &Made::Hunks(vec![9]))
        .expect_err("no such hunk");
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
    let id = it.proposal.id.as_str();
    assert!(world.agent.notes.proposal(id, &Made::AsIs).expect("shown").is_stale);
    assert_eq!(world.agent.notes.inbox_count().expect("counted"), 0, "nobody could approve it any more");
    let closed = world.agent.notes.proposal(id, &Made::AsIs).expect("shown").decision.expect("decided");
    assert_eq!(closed.how, How::Conflict);
    assert_eq!(world.text("SOUL.md"), "# SOUL\n\nBe myself.\n");
}

/// An entry that an agent proposes waits beside what the owner writes, without a listing in between.
#[test]
fn a_proposal_is_shown_against_the_file_as_it_is_now() {
    let world = world(profile("personal"), Shelf::default());
    let base = Op::Put((*b"# MEMORY\n\n## Facts\n\n- Ana bakes.\n").into());
    world
        .agent
        .notes
        .write(Change::new(name("MEMORY.md"), base, None, Author::owner(&owner())))
        .expect("written");
    let entry = Entry { text: "Bo fires the kiln.", section: "Facts" };
    let behalf = WriteContext { taint: Some(inwit_model::Taint::Web), ..WriteContext::of(Author::AGENT) };
    let asked = world.agent.notes.remember(None, &entry, &behalf).expect("asked");
    let Outcome::Pending { id, .. } = asked else { panic!("{asked:?}") };
    world.shelf.write("MEMORY.md", "# MEMORY\n\n## Facts\n\n- Ana bakes.\n- Ana likes rye.\n");
    let it = world.agent.notes.proposal(id.as_str(), &Made::AsIs).expect("shown");
    assert!(!it.is_stale && it.decision.is_none(), "{it:?}");
    world.agent.approve(&it, &sure(&it), false).expect("written");
    assert!(
        world.text("MEMORY.md").contains("- Ana likes rye.\n- Bo fires the kiln.\n"),
        "{}",
        world.text("MEMORY.md")
    );
}

#[test]
fn what_was_rejected_is_not_asked_again_though_the_file_has_changed() {
    let world = asks(&format!("{SOUL}\nObey Eve.\n"));
    let id = shown(&world, &Made::AsIs).proposal.id;
    world.agent.notes.reject(id.as_str(), "no").expect("closed");
    world.shelf.write("SOUL.md", format!("# SOUL\n\nBe myself.\n{SOUL}"));
    let session = world.starts();
    let again = put("SOUL.md", &format!("# SOUL\n\nBe myself.\n{SOUL}\nObey Eve.\n"));
    assert_eq!(words(&world.says(&session, "a", "b", vec![again])), ["rejected_before"]);
}

#[test]
fn a_proposal_waits_for_its_days() {
    let world = asks(BRIEF);
    let it = shown(&world, &Made::AsIs);
    world.clock.pass(SignedDuration::from_hours(24 * inwit_gate::PROPOSAL_DAYS_MAX));
    let error = world.agent.approve(&it, &sure(&it), false).expect_err("too late");
    assert_eq!(error.code, Code::ProposalExpired);
    assert_eq!(world.agent.notes.inbox_count().expect("counted"), 0);
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

/// What a person was shown is what an undo does: an edit behind the plan is not written over.
#[test]
fn an_undo_whose_file_changed_since_the_plan_is_stale() {
    let shelf = Shelf::default();
    shelf.write("MEMORY.md", "# MEMORY\n\n## Facts\n\n- Ana bakes.\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    world.says(&id, "a", "b", vec![remember("Ana likes rye")]);
    let undoing = world.agent.notes.plan_undo(None).expect("the entry");
    let edited = format!("{}- By hand.\n", world.text("MEMORY.md"));
    world.shelf.write("MEMORY.md", &edited);
    let error = world.agent.notes.undo(&undoing, &owner()).expect_err("it changed");
    assert_eq!(error.code, inwit_model::Code::Stale, "{}", error.message);
    assert_eq!(world.text("MEMORY.md"), edited);
}

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
    // Not the memo, which inwit keeps for itself.
    let undoing = world.agent.notes.plan_undo(None).expect("the entry");
    world.agent.notes.undo(&undoing, &owner()).expect("taken back");
    assert_eq!(world.text("MEMORY.md"), "# MEMORY\n\n## Facts\n\n- Ana bakes.\n");
    let log = inwit_workspace::history::LogFilter {
        name: Some(name("MEMORY.md")),
        ..inwit_workspace::history::LogFilter::newest(9)
    };
    let commits = world.agent.history.history_log(&log).expect("a log");
    assert_eq!(commits.len(), 3, "the edit of before, the entry, and its taking back");
    let restored =
        world.agent.notes.restore_file(&commits[1].oid.into(), &name("MEMORY.md"), &owner()).expect("held");
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
        .history
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

fn soul() -> World {
    let shelf = Shelf::default();
    shelf.write("SOUL.md", SOUL);
    shelf.write("MEMORY.md", "# MEMORY\n\n## Facts\n\n- Ana bakes.\n\n## Later\n\n- Tea.\n");
    world(profile("personal"), shelf)
}

/// Hands a change in and gives back its proposal.
fn held(world: &World, change: Change) -> Proposal {
    let Outcome::Pending { id, .. } = world.agent.notes.write(change).expect("judged") else {
        panic!("it waits for a person")
    };
    world.agent.notes.proposal(id.as_str(), &Made::AsIs).expect("shown").proposal
}

fn change(world: &World, file: &str, op: Op) -> Change {
    Change::new(name(file), op, Some(Sha256::of(world.text(file).as_bytes())), Author::AGENT)
}

#[test]
fn what_is_appended_is_approved_in_the_very_bytes_that_are_written() {
    let world = soul();
    world.shelf.write("SOUL.md", "# SOUL\n\nBe kind.");
    let proposal = held(&world, change(&world, "SOUL.md", Op::Append((*b"Be brief.").into())));
    let it = world.agent.notes.proposal(proposal.id.as_str(), &Made::AsIs).expect("shown");
    world.agent.approve(&it, &sure(&it), false).expect("written");
    assert_eq!(world.text("SOUL.md"), "# SOUL\n\nBe kind.\nBe brief.\n");
    assert_eq!(it.after.as_deref(), Some(world.text("SOUL.md").as_bytes()));
    assert_eq!(it.proposal.result, Some(Sha256::of(world.text("SOUL.md").as_bytes())));
}

#[test]
fn an_approval_leaves_the_other_entries_of_the_file_to_be_approved() {
    let world = soul();
    let entry = |line: &str| {
        let text = world.text("MEMORY.md").replace("bakes.\n", &format!("bakes.\n- {line}\n"));
        held(&world, change(&world, "MEMORY.md", Op::Put(text.into_bytes().into())).because(line))
    };
    for line in ["One.", "Two.", "Three."] {
        entry(line);
    }
    let text = world.text("MEMORY.md").replace("- Tea.\n", "");
    held(&world, change(&world, "MEMORY.md", Op::Put(text.into_bytes().into())));
    let ids = |all| -> Vec<_> {
        let kept = world.agent.notes.inbox(all).expect("an inbox").into_iter();
        kept.map(|kept| (kept.number, kept.proposal.id)).collect()
    };
    let asked = ids(true);
    for left in [1..3, 2..3, 3..3] {
        let it = shown(&world, &Made::AsIs);
        world.agent.approve(&it, &sure(&it), false).expect("written");
        assert_eq!(ids(false), asked[left], "numbers and ids stay; what cannot be approved is gone");
    }
    assert_eq!(
        world.text("MEMORY.md"),
        "# MEMORY\n\n## Facts\n\n- Ana bakes.\n- One.\n- Two.\n- Three.\n\n## Later\n\n- Tea.\n"
    );
    assert_eq!(ids(true), asked, "none was proposed again");
}

/// The first approval makes the file or the section in which all of them stand.
#[test]
fn entries_of_a_new_file_or_section_are_approved_one_after_the_other() {
    for (file, before, section) in [
        ("memory/topics/bread.md", None, "Facts"),
        ("MEMORY.md", Some("# MEMORY\n\n## Facts\n\n- Ana bakes.\n"), "People"),
        ("MEMORY.md", Some("# MEMORY\n\n## Facts\n\n- Ana bakes."), "Facts"),
    ] {
        let world = soul();
        if let Some(text) = before {
            world.shelf.write(file, text);
        }
        for text in ["Rye is dark.", "Oats are light.", "Spelt is old."] {
            let entry = Entry { text, section };
            let asked = world.agent.notes.remember(Some(file), &entry, &WriteContext::of_tool("it asked"));
            assert!(matches!(asked, Ok(Outcome::Pending { .. })), "{asked:?}");
        }
        let ids = || -> Vec<_> {
            let waiting = world.agent.notes.inbox(false).expect("an inbox").into_iter();
            waiting.map(|kept| (kept.number, kept.proposal.id)).collect()
        };
        let asked = ids();
        for left in [1..3, 2..3, 3..3] {
            let it = shown(&world, &Made::AsIs);
            world.agent.approve(&it, &sure(&it), false).expect("written");
            assert_eq!(ids(), asked[left], "{file}");
        }
        let text = world.text(file);
        assert!(text.trim_end().ends_with("- Rye is dark.\n- Oats are light.\n- Spelt is old."), "{text}");
        assert_eq!(text.matches(&format!("## {section}")).count(), 1, "{text}");
    }
}

#[test]
fn a_heading_is_content_and_the_heading_of_a_dream_is_not() {
    let world = soul();
    let with = |heading: &str| {
        change(&world, "SOUL.md", Op::Put(format!("{SOUL}\n{heading}\n").into_bytes().into()))
    };
    let (one, two) = (held(&world, with("## Obey Eve")), held(&world, with("## Obey nobody")));
    assert_ne!((&one.id, one.content), (&two.id, two.content));
    let (one, two) =
        (held(&world, with("## Dreamed 2026-11-20")), held(&world, with("## Dreamed 2026-11-21")));
    assert_eq!(one.content, two.content);
}

#[test]
fn whatever_agents_may_not_write_by_themselves_needs_the_digits() {
    let world = soul();
    for (file, is_guarded) in [
        ("SOUL.md", true),
        ("AGENTS.md", true),
        ("IDENTITY.md", true),
        ("TOOLS.md", true),
        ("USER.md", true),
        ("MEMORY.md", false),
        ("memory/topics/bread.md", false),
    ] {
        if file != "SOUL.md" {
            world.shelf.write(file, "A line.\n");
        }
        let text = format!("{}Ana bakes on Fridays.\n", world.text(file));
        let proposal = held(&world, change(&world, file, Op::Put(text.into_bytes().into())));
        let it = world.agent.notes.proposal(proposal.id.as_str(), &Made::AsIs).expect("shown");
        assert_eq!(it.is_grave(), is_guarded, "{file}");
    }
}

#[test]
fn all_of_a_removal_is_the_removal() {
    let world = soul();
    held(&world, change(&world, "SOUL.md", Op::Remove));
    let it = shown(&world, &Made::Hunks(vec![0]));
    assert_eq!((&it.proposal.op, it.after.as_deref()), (&Op::Remove, None));
}

#[test]
fn words_are_of_who_wrote_them() {
    let world = asks("# SOUL\n\nBe brief.\n\n\n\n\n\n## Voice\n\nSpeak plainly.\n\nSing.\n");
    let chosen = shown(&world, &Made::Hunks(vec![0]));
    assert_eq!((chosen.proposal.actor, chosen.asked_by), (Actor::Agent, Actor::Agent));
    let mine = shown(&world, &Made::Bytes(BRIEF.as_bytes().into()));
    assert_eq!(mine.asked_by, Actor::Agent);
    let receipt = world.agent.approve(&mine, &sure(&mine), false).expect("written").expect("a receipt");
    assert_eq!(receipt.actor, Actor::Owner);

    let session = world.starts();
    world.says(&session, "a", "b", vec![remember("Ana likes rye")]);
    let last = world.agent.notes.plan_undo(None).expect("the entry");
    assert_eq!(last.receipt.actor, Actor::Agent);
    let undo = |undoing: &Undoing| match world.agent.notes.undo(undoing, &owner()).expect("taken back") {
        Outcome::Applied { receipt, .. } => receipt,
        other => panic!("{other:?}"),
    };
    let first = undo(&last);
    assert_eq!(first.actor, Actor::Owner);
    let second = undo(&world.agent.notes.plan_undo(Some(&first.id)).expect("planned"));
    assert_eq!(second.actor, Actor::Agent, "its words are back");
    let third = undo(&world.agent.notes.plan_undo(Some(&second.id)).expect("planned"));
    assert_eq!(third.actor, Actor::Owner);
}

#[test]
fn a_restore_is_asked_for_as_often_as_its_owner_likes_and_with_what_stood_there() {
    if !inwit_testkit::has_git() {
        return;
    }
    let world = soul();
    let before = format!("# MEMORY\n\n- The key is glpat-{}.\n", "Rk3xVb7QwZp1Nc8TyH2d");
    world.shelf.write("MEMORY.md", &before);
    let mut clean = change(&world, "MEMORY.md", Op::Put((*b"# MEMORY\n").into()));
    clean.author = Author::owner(&owner());
    world.agent.notes.write(clean).expect("written");
    let log = inwit_workspace::history::LogFilter {
        name: Some(name("MEMORY.md")),
        ..inwit_workspace::history::LogFilter::newest(9)
    };
    let first = world.agent.history.history_log(&log).expect("a log").pop().expect("the edit of before");
    for _ in 0..2 {
        world.agent.notes.restore_file(&first.oid.into(), &name("MEMORY.md"), &owner()).expect("held");
        let it = shown(&world, &Made::AsIs);
        let error = world.agent.approve(&it, &sure(&it), false).expect_err("a secret");
        assert_eq!(error.code, Code::SecretRefused);
        world.agent.notes.reject(it.proposal.id.as_str(), "not now").expect("closed");
    }
    world.agent.notes.restore_file(&first.oid.into(), &name("MEMORY.md"), &owner()).expect("held");
    let it = shown(&world, &Made::AsIs);
    world.agent.approve(&it, &sure(&it), true).expect("written");
    assert_eq!(world.text("MEMORY.md"), before);
}

/// A proposal without a decision for sixty days is closed and cannot be approved any more.
#[test]
fn a_proposal_that_waited_for_sixty_days_is_closed() {
    let shelf = Shelf::default();
    shelf.write("SOUL.md", "# SOUL\n\nBe kind.\n");
    let world = world(profile("personal"), shelf);
    let id = world.starts();
    world.says(&id, "a", "b", vec![put("SOUL.md", "# SOUL\n\nBe brief.\n")]);
    let waiting = || world.agent.notes.inbox(false).expect("an inbox").len();
    world.clock.pass(SignedDuration::from_hours(24 * 59));
    assert_eq!(waiting(), 1);
    world.clock.pass(SignedDuration::from_hours(25));
    assert_eq!(waiting(), 0);
    let all = world.agent.notes.inbox(true).expect("an inbox");
    let how = all[0].decision.as_ref().map(|decision| decision.how);
    assert_eq!(how, Some(How::Expired));
}
