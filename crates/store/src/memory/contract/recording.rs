//! Contract chapters on intents, receipts and the audit log.

use inwit_model::change::Deed;
use inwit_model::{Actor, Code, Op, Settled, Taint, TraceId};

use super::{Chapter, append, at, intent, name, put, receipt, session, sha};
use crate::memory::{
    AuditDetail, AuditEntry, AuditHead, AuditState, Ended, KeptBytes, Memory, Receipt, ReceiptFilter,
};

pub const CHAPTERS: &[Chapter] = &[
    ("an intent is unsettled until its end is told", unsettled_until_told),
    ("an intent comes back as it was handed in", comes_back),
    ("the first end that is told counts", first_end_counts),
    ("an edit in between gets a receipt of its own", edits_in_between),
    ("a file that is what was left needs no other receipt", nothing_in_between),
    ("a removal in between gets a receipt too", removal_in_between),
    ("an open intent may have been carried out or not", open_intents_are_ours),
    ("receipts come newest first and can be chosen", receipts_are_chosen),
    ("history gets what waits, in order, up to the first open end", waiting_in_order),
    ("bytes are kept until history has them", bytes_until_history),
    ("bytes of two receipts go with the later one", bytes_of_two),
    ("nothing is left of an intent that came to nothing", void_leaves_nothing),
    ("an unknown receipt commits nothing at all", unknown_receipt),
    ("a receipt keeps its first commit", first_commit),
    ("a name is given to one receipt only", one_name_one_receipt),
    ("a journal costs what is added to it", appends_cost_what_they_add),
    ("every intent leaves a row of the audit, without its words", audited),
    ("the audit grows by rows that hold together", audit_holds),
];

fn all() -> ReceiptFilter {
    ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() }
}

fn done(memory: &dyn Memory, number: u16, file: &str, op: Op, before: Option<&str>) {
    let op = memory.intent(&intent(number, file, op, before)).expect("an intent");
    memory.settle(op, Settled::Done).expect("settled");
}

fn ids(receipts: &[Receipt]) -> Vec<String> {
    receipts.iter().map(|receipt| format!("{} {} {}", receipt.actor, receipt.deed, receipt.name)).collect()
}

fn unsettled_until_told(memory: &dyn Memory) {
    let first = memory.intent(&intent(1, "a.md", put("one"), None)).expect("an intent");
    let second = memory.intent(&intent(2, "b.md", put("two"), None)).expect("an intent");
    let open = || memory.unsettled().expect("read").into_iter().map(|(op, _)| op).collect::<Vec<_>>();
    assert_eq!(open(), [first, second]);
    memory.settle(first, Settled::Done).expect("settled");
    assert_eq!(open(), [second]);
    memory.flush().expect("flushed");
    assert_eq!(open(), [second]);
    memory.settle(second, Settled::Void).expect("settled");
    assert!(open().is_empty());
}

fn comes_back(memory: &dyn Memory) {
    let mut full = intent(1, "memory/2026-11-21.md", append("- bread\n"), Some("# Day\n"));
    full.session = Some(session("s1"));
    full.proposal = Some(super::proposal_id(3));
    full.undoes = Some(receipt(9));
    full.temp = ".~a.tmp".into();
    full.taint = Taint::Web;
    full.actor = Actor::Dream;
    let op = memory.intent(&full).expect("an intent");
    full.before = None;
    let expected = [(op, full)];
    assert_eq!(memory.unsettled().expect("read"), expected);
    let kept = memory.receipt(&receipt(1)).expect("read").expect("there");
    assert_eq!(kept.reason, "a reason");
    assert_eq!(kept.ended, Ended::Open);
    assert_eq!(memory.receipt(&receipt(2)).expect("read"), None);
}

fn first_end_counts(memory: &dyn Memory) {
    let op = memory.intent(&intent(1, "a.md", put("one"), None)).expect("an intent");
    memory.settle(op, Settled::Done).expect("settled");
    memory.settle(op, Settled::Void).expect("settled");
    memory.flush().expect("flushed");
    memory.settle(op, Settled::Void).expect("settled");
    memory.flush().expect("flushed");
    assert_eq!(memory.receipt(&receipt(1)).expect("read").expect("there").ended, Ended::Done);
}

fn edits_in_between(memory: &dyn Memory) {
    done(memory, 1, "MEMORY.md", put("ours"), Some("theirs before us"));
    done(memory, 2, "MEMORY.md", put("ours again"), Some("theirs"));
    let waiting = memory.waiting().expect("read");
    let expected =
        ["external put MEMORY.md", "agent put MEMORY.md", "external put MEMORY.md", "agent put MEMORY.md"];
    assert_eq!(ids(&waiting), expected);
    let bases: Vec<_> = waiting.iter().map(|receipt| receipt.base).collect();
    let chain = [None, Some("theirs before us"), Some("ours"), Some("theirs")].map(|text| text.map(sha));
    assert_eq!(bases, chain, "every base is the result before");
    let texts = ["theirs before us", "ours", "theirs", "ours again"];
    for (receipt, text) in waiting.iter().zip(texts) {
        assert_eq!(receipt.kept, KeptBytes::Whole(sha(text)));
        assert_eq!(receipt.result, Some(sha(text)));
        assert_eq!(memory.kept(&sha(text)).expect("read").as_deref(), Some(text.as_bytes()));
        assert_eq!(memory.receipt(&receipt.id).expect("read").as_ref(), Some(receipt));
    }
}

fn nothing_in_between(memory: &dyn Memory) {
    done(memory, 1, "MEMORY.md", put("one\n"), None);
    done(memory, 2, "MEMORY.md", append("two\n"), Some("one\n"));
    done(memory, 3, "MEMORY.md", Op::Remove, Some("one\ntwo\n"));
    done(memory, 4, "MEMORY.md", put("three"), None);
    let expected =
        ["agent put MEMORY.md", "agent remove MEMORY.md", "agent append MEMORY.md", "agent put MEMORY.md"];
    assert_eq!(ids(&memory.receipts(&all()).expect("read")), expected);
}

fn removal_in_between(memory: &dyn Memory) {
    done(memory, 1, "MEMORY.md", put("one"), None);
    done(memory, 2, "MEMORY.md", put("two"), None);
    let waiting = memory.waiting().expect("read");
    assert_eq!(ids(&waiting), ["agent put MEMORY.md", "external remove MEMORY.md", "agent put MEMORY.md"]);
    assert_eq!((waiting[1].base, waiting[1].result), (Some(sha("one")), None));
    assert_eq!(waiting[1].kept, KeptBytes::Nothing);
}

fn open_intents_are_ours(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("one"), None);
    // Another process may know how these ended; we do not.
    memory.intent(&intent(2, "a.md", put("two"), Some("one"))).expect("an intent");
    memory.intent(&intent(3, "a.md", put("three"), Some("two"))).expect("an intent");
    memory.intent(&intent(4, "a.md", put("four"), Some("two"))).expect("an intent");
    let actors: Vec<Actor> =
        memory.receipts(&all()).expect("read").iter().map(|receipt| receipt.actor).collect();
    assert_eq!(actors, [Actor::Agent; 4]);
    memory.intent(&intent(5, "a.md", put("five"), Some("theirs"))).expect("an intent");
    assert_eq!(memory.receipts(&all()).expect("read")[1].actor, Actor::External);
}

fn receipts_are_chosen(memory: &dyn Memory) {
    for (number, file, of) in [(1, "a.md", "s1"), (2, "b.md", "s1"), (3, "a.md", "s2"), (4, "a.md", "s1")] {
        let mut intent = intent(number, file, put("x"), (number > 2).then_some("x"));
        intent.session = Some(session(of));
        let op = memory.intent(&intent).expect("an intent");
        let how = if number == 4 { Settled::Void } else { Settled::Done };
        memory.settle(op, how).expect("settled");
    }
    let chosen = |file: Option<&str>, of: Option<&str>, limit| {
        let filter = ReceiptFilter { name: file.map(name), session: of.map(session), limit };
        let receipts = memory.receipts(&filter).expect("read");
        receipts.into_iter().map(|receipt| receipt.id).collect::<Vec<_>>()
    };
    let check = || {
        assert_eq!(chosen(None, None, 9), [receipt(3), receipt(2), receipt(1)]);
        assert_eq!(chosen(None, None, 2), [receipt(3), receipt(2)]);
        assert_eq!(chosen(Some("a.md"), None, 9), [receipt(3), receipt(1)]);
        assert_eq!(chosen(Some("a.md"), Some("s1"), 1), [receipt(1)]);
        assert_eq!(chosen(None, Some("s1"), 9), [receipt(2), receipt(1)]);
        assert_eq!(memory.receipt(&receipt(4)).expect("read").expect("there").ended, Ended::Void);
    };
    check();
    memory.flush().expect("flushed");
    check();
}

fn waiting_in_order(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("one\n"), None);
    let void = memory.intent(&intent(2, "b.md", put("two"), None)).expect("an intent");
    let open = memory.intent(&intent(3, "c.md", put("three"), None)).expect("an intent");
    done(memory, 4, "a.md", append("four\n"), Some("one\n"));
    memory.settle(void, Settled::Void).expect("settled");
    let waiting =
        || memory.waiting().expect("read").into_iter().map(|receipt| receipt.id).collect::<Vec<_>>();
    assert_eq!(waiting(), [receipt(1)]);
    memory.settle(open, Settled::Done).expect("settled");
    assert_eq!(waiting(), [receipt(1), receipt(3), receipt(4)]);
    assert!(!memory.has_committed().expect("read"));
    memory.committed(&[(receipt(1), "c1".into())]).expect("committed");
    assert!(memory.has_committed().expect("read"));
    assert_eq!(waiting(), [receipt(3), receipt(4)]);
    let append = memory.waiting().expect("read").pop().expect("the append");
    assert_eq!((append.deed, append.kept), (Deed::Append, KeptBytes::Added(sha("four\n"))));
    assert_eq!((append.base, append.result), (Some(sha("one\n")), Some(sha("one\nfour\n"))));
}

fn bytes_until_history(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("one"), None);
    assert!(memory.kept(&sha("one")).expect("read").is_some());
    memory.committed(&[(receipt(1), "c1".into())]).expect("committed");
    assert_eq!(memory.kept(&sha("one")).expect("read"), None);
    let kept = memory.receipt(&receipt(1)).expect("read").expect("there");
    assert_eq!((kept.commit.as_deref(), kept.result), (Some("c1"), Some(sha("one"))));
}

fn bytes_of_two(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("same"), None);
    done(memory, 2, "b.md", put("same"), None);
    memory.committed(&[(receipt(1), "c1".into())]).expect("committed");
    assert!(memory.kept(&sha("same")).expect("read").is_some());
    memory.committed(&[(receipt(2), "c2".into())]).expect("committed");
    assert_eq!(memory.kept(&sha("same")).expect("read"), None);
}

fn void_leaves_nothing(memory: &dyn Memory) {
    let op = memory.intent(&intent(1, "a.md", put("one"), Some("before"))).expect("an intent");
    memory.settle(op, Settled::Void).expect("settled");
    memory.flush().expect("flushed");
    assert_eq!(memory.kept(&sha("one")).expect("read"), None);
    // Existing data belonged to another program, and stays.
    assert!(memory.kept(&sha("before")).expect("read").is_some());
    assert_eq!(ids(&memory.waiting().expect("read")), ["external put a.md"]);
}

fn unknown_receipt(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("one"), None);
    let commits = [(receipt(1), "c1".into()), (receipt(2), "c2".into())];
    assert_eq!(memory.committed(&commits).expect_err("refused").code, Code::ReceiptUnknown);
    assert_eq!(memory.waiting().expect("read").len(), 1);
    assert!(memory.kept(&sha("one")).expect("read").is_some());
}

fn first_commit(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("one"), None);
    memory.committed(&[(receipt(1), "c1".into())]).expect("committed");
    memory.committed(&[(receipt(1), "c2".into())]).expect("committed again");
    let kept = memory.receipt(&receipt(1)).expect("read").expect("there");
    assert_eq!(kept.commit.as_deref(), Some("c1"));
}

fn one_name_one_receipt(memory: &dyn Memory) {
    done(memory, 1, "a.md", put("one"), None);
    let head = memory.audit_head().expect("read");
    assert!(memory.intent(&intent(1, "b.md", put("two"), None)).is_err());
    // A refused call changed nothing.
    assert_eq!(memory.audit_head().expect("read"), head);
    assert_eq!(memory.kept(&sha("two")).expect("read"), None);
    assert_eq!(memory.receipts(&all()).expect("read").len(), 1);
}

fn appends_cost_what_they_add(memory: &dyn Memory) {
    let mut text = String::new();
    for number in 1..50 {
        let line = format!("- line {number}\n");
        done(memory, number, "memory/2026-11-21.md", append(&line), (number > 1).then_some(text.as_str()));
        text.push_str(&line);
    }
    let waiting = memory.waiting().expect("read");
    let kept: usize = waiting
        .iter()
        .map(|receipt| match receipt.kept {
            KeptBytes::Added(bytes) => memory.kept(&bytes).expect("read").expect("kept").len(),
            _ => panic!("an append keeps what it added"),
        })
        .sum();
    assert_eq!((waiting.len(), kept), (49, text.len()));
}

/// Proves I2.
fn audited(memory: &dyn Memory) {
    let mut intent = intent(1, "a.md", put("the text"), Some("before"));
    intent.reason = "the words of a reason".into();
    memory.intent(&intent).expect("an intent");
    let rows = memory.audit_rows(10).expect("read");
    let said: Vec<_> = rows.iter().map(|row| (row.seq, row.actor.as_str(), row.verb.as_str())).collect();
    assert_eq!(said, [(2, "agent", "put"), (1, "external", "put")]);
    assert!(rows[0].detail.contains(receipt(1).as_str()));
    assert!(rows.iter().all(|row| !row.detail.contains("text") && !row.detail.contains("words")));
    assert_eq!(rows[0].reason.as_deref(), Some("the words of a reason"), "beside the row");
    assert_eq!(rows[0].hash, rows[0].hash_of(), "and in no hash");
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows: 2, .. }))));
}

fn audit_holds(memory: &dyn Memory) {
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows: 0, .. }))));
    for number in 0..5 {
        let entry = AuditEntry {
            at: at(number),
            actor: Actor::Owner,
            verb: "purge".into(),
            target: format!("artifact {number}"),
            detail: AuditDetail::default().with("count", number),
        };
        let head = memory.audit(&entry).expect("recorded");
        assert_eq!(memory.audit_verify().expect("read"), AuditState::Whole(head));
    }
    assert_eq!(memory.audit_row(6).expect("read"), None);
    let rows = memory.audit_rows(2).expect("read");
    assert_eq!(memory.audit_row(4).expect("read").as_ref(), Some(&rows[1]));
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(rows[0].prev, rows[1].hash);
    assert_eq!((rows[0].detail.as_str(), rows[0].at), (r#"{"count":"4"}"#, at(4)));
    let again = AuditEntry {
        at: at(9),
        actor: Actor::Owner,
        verb: "purge".into(),
        target: "artifact 1".into(),
        detail: AuditDetail::default(),
    };
    let trace = TraceId::of([7; 16]);
    trace.within(|| memory.audit(&again)).expect("recorded");
    let traced = memory.audit_row(6).expect("read").expect("a row");
    assert_eq!(traced.trace, Some(trace), "the row of a request names it");
    assert!(rows.iter().all(|row| row.trace.is_none()), "and no other row does");
    memory.audit(&AuditEntry { verb: "put".into(), target: "artifact 9".into(), ..again }).expect("recorded");
    let targets = memory.audit_targets(&["purge", "restore"]).expect("read");
    assert_eq!(targets, [1, 4, 3, 2, 0].map(|number| format!("artifact {number}")));
    assert_eq!(memory.audit_targets(&[]).expect("read"), Vec::<String>::new());
}
