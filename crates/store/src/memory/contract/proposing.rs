//! Contract chapters on proposals.

use inwit_gate::{Check, Finding, Proposal, Weight};
use inwit_model::{Actor, Code, Intent, Op, Scope, Settled, Taint};

use super::{Chapter, at, intent, name, proposal_id, put, receipt, session, sha};
use crate::memory::{
    Decision, How, KeptProposal, Memory, OPEN_PROPOSALS_PER_SESSION_MAX, ProposalFilter, Proposed,
};

pub const CHAPTERS: &[Chapter] = &[
    ("a proposal is kept whole", kept_whole),
    ("a proposal is decided once", decided_once),
    ("a change is written or rejected, never both", written_or_rejected),
    ("the same content waits once", same_content),
    ("a proposal on other bytes keeps its number", rebased),
    ("a session cannot fill the inbox", cap),
    ("a rejected content is remembered", rejected),
    ("a person names a proposal by a part of its id", found_by_part),
    ("every step of a proposal is recorded", recorded),
];

fn proposal(number: u16, text: &str, of: Option<&str>) -> Proposal {
    Proposal {
        id: proposal_id(number),
        created: at(i64::from(number)),
        target: name("SOUL.md"),
        op: put(text),
        base: Some(sha("base")),
        result: Some(sha(text)),
        content: sha(&format!("content {text}")),
        actor: Actor::Agent,
        taint: Taint::Tool,
        session: of.map(session),
        scope: Scope::Main,
        project: None,
        reason: "it asked to".into(),
        findings: Vec::new(),
    }
}

fn decision(how: How) -> Decision {
    Decision { how, by: Actor::Owner, at: at(100), reason: "a reason".into(), receipt: None }
}

fn kept_whole(memory: &dyn Memory) {
    let mut full = proposal(1, "text\0with a nul", Some("s1"));
    for (check, weight) in
        [(Check::Hidden, Weight::Stop), (Check::Foreign, Weight::Note), (Check::Behaviour, Weight::Ask)]
    {
        full.findings.push(Finding { check, weight, class: "zero_width".into(), span: 3..7, line: 2 });
    }
    assert_eq!(memory.propose(&full).expect("kept"), Proposed::Kept);
    let bare = Proposal { op: Op::Remove, base: None, result: None, ..proposal(2, "", None) };
    memory.propose(&bare).expect("kept");
    let all = memory.proposals(ProposalFilter::All).expect("read");
    let expected = [(1, full.clone()), (2, bare)].map(|(number, proposal)| KeptProposal {
        number,
        proposal,
        decision: None,
    });
    assert_eq!(all, expected);
    assert_eq!(memory.proposal(&full.id).expect("read").map(|kept| kept.proposal), Some(full));
    assert_eq!(memory.proposal(&proposal_id(9)).expect("read"), None);
}

fn decided_once(memory: &dyn Memory) {
    memory.propose(&proposal(1, "one", None)).expect("kept");
    let approved = Decision { receipt: Some(receipt(1)), ..decision(How::Approved) };
    memory.decide(&proposal_id(1), &approved).expect("decided");
    let again = memory.decide(&proposal_id(1), &decision(How::Rejected)).expect_err("refused");
    assert_eq!(again.code, Code::ProposalClosed);
    let unknown = memory.decide(&proposal_id(2), &decision(How::Rejected)).expect_err("refused");
    assert_eq!(unknown.code, Code::ProposalUnknown);
    assert_eq!(memory.proposal(&proposal_id(1)).expect("read").expect("kept").decision, Some(approved));
    assert!(memory.proposals(ProposalFilter::Open).expect("read").is_empty());
}

fn written_or_rejected(memory: &dyn Memory) {
    let change = |number: u16| Intent {
        proposal: Some(proposal_id(number)),
        ..intent(number, "SOUL.md", put("one"), None)
    };
    memory.propose(&proposal(1, "one", None)).expect("kept");
    let begun = memory.intent(&change(1)).expect("begun");
    let rejected = || memory.decide(&proposal_id(1), &decision(How::Rejected));
    assert_eq!(rejected().expect_err("begun").code, Code::ProposalClosed);
    memory.settle(begun, Settled::Done).expect("settled");
    assert_eq!(rejected().expect_err("written").code, Code::ProposalClosed);
    memory.decide(&proposal_id(1), &decision(How::Approved)).expect("decided");

    memory.propose(&proposal(2, "two", None)).expect("kept");
    let begun = memory.intent(&change(2)).expect("begun");
    memory.settle(begun, Settled::Void).expect("settled");
    memory.decide(&proposal_id(2), &decision(How::Rejected)).expect("nothing was written");
    assert_eq!(memory.intent(&change(2)).expect_err("rejected").code, Code::ProposalClosed);
}

fn same_content(memory: &dyn Memory) {
    memory.propose(&proposal(1, "one", Some("s1"))).expect("kept");
    let again = proposal(2, "one", Some("s2"));
    assert_eq!(memory.propose(&again).expect("answered"), Proposed::Waiting(proposal_id(1)));
    assert_eq!(memory.proposal(&proposal_id(2)).expect("read"), None);
    memory.decide(&proposal_id(1), &decision(How::Conflict)).expect("decided");
    assert_eq!(memory.propose(&again).expect("kept"), Proposed::Kept);
    memory.propose(&proposal(3, "other", None)).expect("kept");
    let same = memory.proposals(ProposalFilter::Of(again.content)).expect("read");
    let ids: Vec<_> = same.into_iter().map(|kept| kept.proposal.id).collect();
    assert_eq!(ids, [proposal_id(1), proposal_id(2)], "decided or not, oldest first");
}

fn rebased(memory: &dyn Memory) {
    let (mut first, other) = (proposal(1, "one", Some("s1")), proposal(2, "two", Some("s1")));
    memory.propose(&first).expect("kept");
    memory.propose(&other).expect("kept");
    let base = first.base;
    first.op = Op::Put((*b"# SOUL\n\nNew.\none\n").into());
    (first.base, first.result) = (Some(sha("new")), Some(sha("new one")));
    first.findings.clear();
    let at = first.created;
    assert!(!memory.rebase(&first, first.base, at).expect("answered"), "it does not stand on that base");
    assert!(memory.rebase(&first, base, at).expect("rebased"));
    let kept = memory.proposals(ProposalFilter::Open).expect("read");
    let kept: Vec<_> = kept.into_iter().map(|kept| (kept.number, kept.proposal)).collect();
    assert_eq!(kept, [(1, first.clone()), (2, other)], "the number and the id stay");
    memory.decide(&first.id, &decision(How::Rejected)).expect("decided");
    assert!(!memory.rebase(&first, first.base, at).expect("answered"), "it was decided");
}

fn cap(memory: &dyn Memory) {
    let most = u16::try_from(OPEN_PROPOSALS_PER_SESSION_MAX).expect("a small cap");
    for number in 0..most {
        memory.propose(&proposal(number, &format!("text {number}"), Some("s1"))).expect("kept");
    }
    let more = proposal(most, "one more", Some("s1"));
    assert_eq!(memory.propose(&more).expect_err("refused").code, Code::ProposalsTooMany);
    // What the owner imports has no cap, and takes no room of others.
    for number in 0..=most {
        let mut imported = proposal(200 + number, &format!("imported {number}"), Some("s3"));
        imported.actor = Actor::Import;
        memory.propose(&imported).expect("kept");
    }
    memory.propose(&proposal(300, "of the agent", Some("s3"))).expect("kept");
    // Others have a cap of their own, those without a session too.
    memory.propose(&proposal(100, "of another", Some("s2"))).expect("kept");
    memory.propose(&proposal(101, "of none", None)).expect("kept");
    // A room that used its room costs the owner nothing, and the other way round.
    let kitchen = Scope::parse(Some("room:kitchen"), None, Scope::Shared).expect("a room");
    let of_a_room = proposal(103, "text 1", Some("s1")).asked_in(&kitchen);
    assert_eq!(
        memory.propose(&of_a_room).expect("kept"),
        Proposed::Kept,
        "nor is it answered with another's"
    );
    assert_eq!(memory.proposal(&proposal_id(103)).expect("read").expect("kept").proposal, of_a_room);
    // The same content is answered, also when no more may wait.
    let same = memory.propose(&proposal(102, "text 0", Some("s1"))).expect("answered");
    assert_eq!(same, Proposed::Waiting(proposal_id(0)));
    memory.decide(&proposal_id(0), &decision(How::Withdrawn)).expect("decided");
    assert_eq!(memory.propose(&more).expect("kept"), Proposed::Kept);
}

fn rejected(memory: &dyn Memory) {
    let content = |text| proposal(1, text, None).content;
    for (number, text, how) in
        [(1, "no", How::Rejected), (2, "late", How::Expired), (3, "yes", How::Approved)]
    {
        memory.propose(&proposal(number, text, None)).expect("kept");
        assert!(!memory.is_rejected(&content(text)).expect("read"));
        memory.decide(&proposal_id(number), &decision(how)).expect("decided");
    }
    assert!(memory.is_rejected(&content("no")).expect("read"));
    assert!(!memory.is_rejected(&content("late")).expect("read"));
    assert!(!memory.is_rejected(&content("yes")).expect("read"));
}

fn found_by_part(memory: &dyn Memory) {
    for number in [0x1234, 0x5634] {
        memory.propose(&proposal(number, &format!("text {number}"), None)).expect("kept");
    }
    let found = |part: &str| memory.find_proposals(part).expect("read");
    assert_eq!(found(proposal_id(0x1234).as_str()), [proposal_id(0x1234)]);
    assert_eq!(found("1234"), [proposal_id(0x1234)]);
    assert_eq!(found("34"), [], "a short number is no part of an id");
    assert_eq!(found("1"), found("1234"), "the number of the first");
    assert_eq!(found(&proposal_id(0x1234).as_str()[..12]).len(), 2);
    for nothing in ["", "%", "_", "99ff"] {
        assert!(found(nothing).is_empty(), "{nothing}");
    }
}

fn recorded(memory: &dyn Memory) {
    memory.propose(&proposal(1, "one", None)).expect("kept");
    memory.decide(&proposal_id(1), &decision(How::Rejected)).expect("decided");
    let rows = memory.audit_rows(9).expect("read");
    let said: Vec<_> = rows.iter().map(|row| (row.actor.as_str(), row.verb.as_str())).collect();
    assert_eq!(said, [("owner", "rejected"), ("agent", "propose")]);
    assert!(rows.iter().all(|row| row.target == proposal_id(1).as_str() && !row.detail.contains("reason")));
    // What is refused is not recorded as done.
    memory.decide(&proposal_id(1), &decision(How::Approved)).expect_err("refused");
    assert_eq!(memory.audit_rows(9).expect("read").len(), 2);
}
