//! What came from the inbox: the proposals that a fact was made of hold its words, too, and lose them with it.
//!
//! Whichever way a fact goes for good (by itself, with others, by its number, after its thirty days), the proposal that
//! brought it and those that changed it keep that they were decided, and none of their words.

use inwit_gate::{
    Author, FactChange, FactDeed, FactText, HeldFact, HumanConsent, Policy, Proposal, Why, approve_fact,
};
use inwit_model::{Actor, FactSource};
use inwit_store::memory::contract::{at, proposal_id};
use inwit_store::memory::{
    Decision, Fact, FactWritten, Facts as _, How, ProposalFilter, Proposals as _, Settling as _,
};

use super::SqliteMemory;
use super::erasing::stands;
use super::going::WAYS;
use super::knowing::{id, says, write, wrote};

/// Lets an agent propose `deed`, and the owner let it through.
fn through_the_inbox(memory: &SqliteMemory, number: u16, deed: FactDeed) {
    approve(memory, number, &waits(memory, number, deed));
}

fn approve(memory: &SqliteMemory, number: u16, proposal: &Proposal) {
    let seal = proposal.seal();
    let person = HumanConsent::confirming(seal, &seal.short(8)).unwrap();
    let standing = memory.fact(&id(1)).unwrap().as_ref().map(Fact::standing);
    let change = approve_fact(proposal, &person, &Policy::closed(), standing.as_ref(), at(1), false).unwrap();
    memory.write_fact(&change, &id(1), at(1)).unwrap();
    decide(memory, number, How::Approved);
}

fn waits(memory: &SqliteMemory, number: u16, deed: FactDeed) -> Proposal {
    let change = FactChange::new(deed, Author::AGENT, None).because("she told of the zorblax");
    let held = HeldFact { change, findings: Vec::new(), why: Why::Policy };
    let proposal = Proposal::of_fact(proposal_id(number), at(1), held);
    memory.propose(&proposal).unwrap();
    proposal
}

fn decide(memory: &SqliteMemory, number: u16, how: How) {
    let decision = Decision { how, by: Actor::Owner, at: at(1), reason: String::new(), receipt: None };
    memory.decide(&proposal_id(number), &decision).unwrap();
}

/// A fact that was proposed and corrected by a proposal, a correction of it that was rejected, and one that waits; and
/// a proposal of another fact, that was rejected.
fn memory() -> SqliteMemory {
    let memory = SqliteMemory::in_memory().unwrap();
    let update = |now: &str, next: &str| {
        let base = says(now).sha256();
        FactDeed::Update { id: id(1), base, text: says(next) }
    };
    through_the_inbox(&memory, 1, FactDeed::Add(says("keeps a zorblax")));
    through_the_inbox(&memory, 2, update("keeps a zorblax", "keeps two zorblaxes"));
    waits(&memory, 3, update("keeps two zorblaxes", "sold the zorblaxes"));
    decide(&memory, 3, How::Rejected);
    waits(&memory, 4, update("keeps two zorblaxes", "keeps a goat"));
    waits(&memory, 5, FactDeed::Add(says("bakes rye")));
    decide(&memory, 5, How::Rejected);
    memory
}

/// Of each proposal whether anything of it is left: its words, and why.
fn left(memory: &SqliteMemory) -> Vec<(bool, bool)> {
    let all = memory.proposals(ProposalFilter::All).unwrap();
    all.iter().map(|kept| (!kept.proposal.op.bytes().is_empty(), !kept.proposal.reason.is_empty())).collect()
}

fn forget(memory: &SqliteMemory) {
    let base = says("keeps two zorblaxes").sha256();
    write(memory, Some(&id(1)), 9, 2, FactDeed::Forget { id: id(1), base });
}

/// Proves M82.
#[test]
fn proposals_of_a_fact_lose_its_words_whichever_way_it_goes() {
    for (way, goes) in WAYS {
        let memory = memory();
        assert_eq!(left(&memory), [(true, true); 5]);
        goes(&memory);
        let [nothing, all] = [(false, false), (true, true)];
        assert_eq!(left(&memory), [nothing, nothing, nothing, all, all], "{way}");
        let decided = memory.proposals(ProposalFilter::All).unwrap();
        assert_eq!(decided.iter().filter(|kept| kept.decision.is_some()).count(), 4, "{way}");
    }
}

/// What waits for the owner waits on; once it is decided nothing of it is left, since its fact is gone. What was rejected
/// is known by its hash, so that it is not asked again.
/// Proves M82.
#[test]
fn a_proposal_about_a_fact_that_is_gone_loses_its_words_when_it_is_decided() {
    for (way, goes) in WAYS {
        for how in [How::Rejected, How::Expired, How::Withdrawn, How::Conflict] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("memory.db");
            let memory = SqliteMemory::open(&path).unwrap();
            through_the_inbox(&memory, 1, FactDeed::Add(says("keeps a goat")));
            let base = says("keeps a goat").sha256();
            let update = FactDeed::Update { id: id(1), base, text: says("keeps a zorblax") };
            let waiting = waits(&memory, 2, update);
            goes(&memory);
            assert_eq!(left(&memory), [(false, false), (true, true)], "{way}: it waits");
            decide(&memory, 2, how);
            assert_eq!(left(&memory), [(false, false); 2], "{way}, {how:?}");
            assert_eq!(memory.is_rejected(&waiting.content), Ok(how == How::Rejected), "{way}");
            assert!(!stands(&path), "{way}, {how:?}");
        }
    }
}

/// An approval of what a fact says already writes nothing, and no fact would take the words of the proposal with it.
/// Proves M82.
#[test]
fn a_proposal_that_was_answered_by_a_fact_that_stands_keeps_no_words() {
    for (way, goes) in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let memory = SqliteMemory::open(&path).unwrap();
        let waiting = waits(&memory, 1, FactDeed::Add(says("keeps a zorblax")));
        write(&memory, None, 1, 0, FactDeed::Add(says("keeps a zorblax")));
        approve(&memory, 1, &waiting);
        assert_eq!(memory.fact_count(9), Ok(1), "it says that already");
        goes(&memory);
        assert_eq!(left(&memory), [(false, false)], "{way}");
        assert!(!stands(&path), "{way}");
    }
}

/// What was forgotten can be brought back for thirty days, and its proposals say until then what was let through.
#[test]
fn proposals_of_a_forgotten_fact_keep_its_words_while_it_can_be_brought_back() {
    let memory = memory();
    forget(&memory);
    let expire = FactDeed::Expire { before: at(2) };
    assert_eq!(write(&memory, None, 9, 9, expire), FactWritten::Expired(0));
    assert_eq!(left(&memory), [(true, true); 5]);
}

/// What a machine said first and the owner says too is the owner's from then on, and whose it was before stays known.
#[test]
fn a_fact_that_the_owner_says_too_was_the_agents_before() {
    let memory = SqliteMemory::in_memory().unwrap();
    through_the_inbox(&memory, 1, FactDeed::Add(says("keeps a zorblax")));
    assert_eq!(memory.fact(&id(1)).unwrap().unwrap().source, FactSource::AgentRecorded);
    let said = write(&memory, None, 2, 9, FactDeed::Add(says("keeps a zorblax")));
    assert_eq!(wrote(&said), Some(id(1)));
    assert_eq!(memory.fact(&id(1)).unwrap().unwrap().source, FactSource::UserManual);
    let before = memory.fact_versions(&id(1)).unwrap();
    let before: Vec<_> =
        before.iter().map(|fact| (fact.source, fact.believed_from, fact.believed_to)).collect();
    assert_eq!(before, [(FactSource::AgentRecorded, at(1), Some(at(9)))]);
}

/// A scenario is what the owner or inwit says: an agent that puts one into the metadata says it of no fact.
/// Proves M55.
#[test]
fn a_fact_that_an_agent_proposed_belongs_to_no_scenario() {
    let of_a_plan = || {
        let metadata = Some("{\"scenario_id\":\"plan-1\"}".to_owned());
        FactDeed::Add(FactText { metadata, ..says("keeps a zorblax") })
    };
    let scenario = |memory: &SqliteMemory| -> Option<String> {
        memory.hold().db.query_row("SELECT scenario_id FROM memories", [], |row| row.get(0)).unwrap()
    };
    let memory = SqliteMemory::in_memory().unwrap();
    through_the_inbox(&memory, 1, of_a_plan());
    assert_eq!(scenario(&memory), None);
    let memory = SqliteMemory::in_memory().unwrap();
    write(&memory, None, 1, 0, of_a_plan());
    assert_eq!(scenario(&memory).as_deref(), Some("plan-1"), "the owner's own word");
}
