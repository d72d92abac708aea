//! Contract chapters on facts.

use inwit_gate::{
    Approved, Author, FactChange, FactDeed, FactText, FactVerdict, HumanConsent, Policy, StandingFact,
    judge_fact,
};
use inwit_model::fact::{Category, ProfileKey, Span, When};
use inwit_model::{Code, FactId, FactSource, FactStatus};

use super::{Chapter, at, proposal_id};
use crate::memory::{Fact, FactFilter, FactWritten, FoundBy, Memory};

pub const CHAPTERS: &[Chapter] = &[
    ("a fact is kept whole", kept_whole),
    ("a fact is not said twice", not_twice),
    ("a fact keeps its id, and what it said is known as what was believed", updated),
    ("a fact that moved is not changed", stale),
    ("a forgotten fact is in no answer, and comes back", forgotten),
    ("what is gone for good is in no answer", purged),
    ("a proposal is carried out once", carried_out_once),
    ("facts stand in the order of their changes, whatever the clock does", clock_jumps),
    ("a question is answered by expression, then words, then letters", found),
    ("no question is an error", hostile),
    ("what is known of the user has one value a key", profile),
    ("every write is recorded, without a word of it", recorded),
];

/// What is wanted of a fact.
pub type Wish = FactDeed;

/// What the owner wants, let through. A chapter writes as the owner, since other writers need a policy.
pub fn approved(current: Option<&Fact>, deed: Wish) -> Approved<FactChange> {
    approved_as(current, deed, false)
}

/// The same; with `is_always` its beginning is unlimited.
#[expect(clippy::disallowed_methods, reason = "a chapter says who is there")]
pub(super) fn approved_as(current: Option<&Fact>, deed: Wish, is_always: bool) -> Approved<FactChange> {
    let owner = Author::owner(&HumanConsent::at_own_terminal());
    let standing: Option<StandingFact> = current.map(Fact::standing);
    let mut change = FactChange::new(deed, owner, None);
    change.is_always = is_always;
    match judge_fact(&Policy::closed(), standing.as_ref(), change) {
        FactVerdict::Approved(approved) => approved,
        other => panic!("the owner's own change is let through: {other:?}"),
    }
}

pub(super) fn id(number: u8) -> FactId {
    FactId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, 0xfa, number])
}

fn says(content: &str) -> FactText {
    FactText::new(Category::parse("preference").expect("a category"), content)
}

pub(super) fn add(memory: &dyn Memory, number: u8, content: &str, second: i64) -> Fact {
    let add = approved(None, FactDeed::Add(says(content)));
    let written = memory.write_fact(&add, &id(number), at(second)).expect("written");
    let kept = memory.fact(&id(number)).expect("read").expect("kept");
    assert_eq!(written, FactWritten::Fact(Box::new(kept.clone())), "what is handed back is what stands");
    kept
}

pub(super) fn change(memory: &dyn Memory, of: &FactId, second: i64, deed: FactDeed) -> FactWritten {
    let fact = memory.fact(of).expect("read");
    let written = memory.write_fact(&approved(fact.as_ref(), deed), &id(99), at(second)).expect("written");
    if let FactWritten::Fact(told) | FactWritten::Unchanged(told) = &written {
        assert_eq!(
            memory.fact(&told.id).expect("read").as_ref(),
            Some(&**told),
            "what is told is what stands"
        );
    }
    written
}

/// The fact that was written.
pub(super) fn wrote(written: FactWritten) -> FactId {
    match written {
        FactWritten::Fact(fact) => fact.id,
        other => panic!("not written: {other:?}"),
    }
}

/// The fact that says it already.
fn known(written: FactWritten) -> FactId {
    match written {
        FactWritten::Unchanged(fact) => fact.id,
        other => panic!("not known: {other:?}"),
    }
}

pub(super) fn update(memory: &dyn Memory, fact: &Fact, content: &str, second: i64) {
    let base = memory.fact(&fact.id).expect("read").expect("kept").text.sha256();
    let deed = FactDeed::Update { id: fact.id.clone(), base, text: says(content) };
    assert_eq!(wrote(change(memory, &fact.id, second, deed)), fact.id);
}

pub(super) fn forget(memory: &dyn Memory, fact: &Fact, second: i64) {
    let base = memory.fact(&fact.id).expect("read").expect("kept").text.sha256();
    change(memory, &fact.id, second, FactDeed::Forget { id: fact.id.clone(), base });
}

fn listed(memory: &dyn Memory, when: When) -> Vec<String> {
    let facts = memory.facts(&FactFilter { when, limit: 99, ..FactFilter::default() }).expect("read");
    facts.into_iter().map(|fact| fact.text.content).collect()
}

fn answers(memory: &dyn Memory, query: &str) -> (Vec<String>, FoundBy) {
    let found = memory.search_facts(query, &When::default(), 9).expect("an answer");
    (found.facts.into_iter().map(|fact| fact.text.content).collect(), found.by)
}

fn believed(second: i64) -> When {
    When { believed_at: Some(at(second)), as_of: None }
}

fn kept_whole(memory: &dyn Memory) {
    let mut text = says("likes rye");
    text.metadata = Some("{\"confidence\":0.9}".into());
    text.valid = Span { from: Some(at(-5)), to: Some(at(5)) };
    memory.write_fact(&approved(None, FactDeed::Add(text.clone())), &id(1), at(3)).expect("written");
    let fact = memory.fact(&id(1)).expect("read").expect("kept");
    let said = Some(text.said());
    let expected = Fact {
        number: fact.number,
        id: id(1),
        text,
        source: FactSource::UserManual,
        created: at(3),
        updated: at(3),
        forgotten: None,
        held_from: None,
        believed_from: at(3),
        believed_to: None,
        changed: fact.changed,
        status: FactStatus::Settled,
        retirement: None,
        said,
    };
    assert_eq!(fact, expected);
    assert!(fact.is_as_written());
    assert_eq!(memory.fact(&id(2)).expect("read"), None);
    assert_eq!(memory.fact_count(u64::MAX).expect("read"), 1);
    for part in [id(1).as_str(), &fact.number.to_string(), &id(1).as_str()[30..]] {
        assert_eq!(memory.find_facts(part).expect("read"), [id(1)], "{part}");
    }
    for nothing in ["", "%", "zzzz", "fact-9"] {
        assert!(memory.find_facts(nothing).expect("read").is_empty(), "{nothing}");
    }
    for (second, holds) in [(-6, false), (-5, true), (4, true), (5, false)] {
        let when = When { as_of: Some(at(second)), believed_at: None };
        assert_eq!(listed(memory, when).len(), usize::from(holds), "{second}");
    }
}

fn not_twice(memory: &dyn Memory) {
    let fact = add(memory, 1, "likes rye", 0);
    for same in ["likes rye", "LIKES  rye"] {
        let again = approved(None, FactDeed::Add(says(same)));
        let written = memory.write_fact(&again, &id(2), at(1)).expect("answered");
        assert_eq!(known(written), fact.id);
    }
    let mut later = says("likes rye");
    later.valid.from = Some(at(9));
    let other = approved(None, FactDeed::Add(later));
    assert_eq!(wrote(memory.write_fact(&other, &id(3), at(1)).expect("written")), id(3));
    assert_eq!(memory.fact(&fact.id).expect("read").expect("kept"), fact, "nothing moved");
}

fn updated(memory: &dyn Memory) {
    let fact = add(memory, 1, "prefers weekly charts", 0);
    update(memory, &fact, "prefers daily charts", 10);
    update(memory, &fact, "prefers no charts", 20);
    let now = memory.fact(&fact.id).expect("read").expect("kept");
    assert_eq!((now.number, now.created, now.updated), (fact.number, at(0), at(20)));
    assert_eq!((now.believed_from, now.believed_to), (at(20), None));
    for (second, said) in [
        (-1, None),
        (0, Some("prefers weekly charts")),
        (9, Some("prefers weekly charts")),
        (10, Some("prefers daily charts")),
        (19, Some("prefers daily charts")),
        (20, Some("prefers no charts")),
    ] {
        let expected: Vec<&str> = said.into_iter().collect();
        assert_eq!(listed(memory, believed(second)), expected, "{second}");
        let found = memory.search_facts("charts", &believed(second), 9).expect("an answer").facts;
        let found: Vec<&str> = found.iter().map(|fact| fact.text.content.as_str()).collect();
        assert_eq!(found, expected, "{second}");
    }
    assert_eq!(answers(memory, "weekly").0, [""; 0], "what it said before answers nobody who asks for now");
}

fn stale(memory: &dyn Memory) {
    let fact = add(memory, 1, "likes rye", 0);
    let deed =
        |text: &str| FactDeed::Update { id: fact.id.clone(), base: fact.text.sha256(), text: says(text) };
    let late = approved(Some(&fact), deed("likes oats"));
    update(memory, &fact, "likes wheat", 1);
    assert_eq!(memory.write_fact(&late, &id(9), at(2)).expect_err("refused").code, Code::Stale);
    let other = add(memory, 2, "likes oats", 3);
    let moved = memory.fact(&fact.id).expect("read").expect("kept");
    let base = moved.text.sha256();
    let same = FactDeed::Update { id: moved.id.clone(), base, text: says("likes oats") };
    let twice = approved(Some(&moved), same);
    assert_eq!(memory.write_fact(&twice, &id(9), at(4)).expect_err("refused").code, Code::FactKnown);
    forget(memory, &other, 5);
    let gone = approved(Some(&other), FactDeed::Forget { id: other.id.clone(), base: other.text.sha256() });
    assert_eq!(memory.write_fact(&gone, &id(9), at(6)).expect_err("refused").code, Code::FactUnknown);
}

/// M25, M27: nothing shows it, and coming back costs no word of it.
fn forgotten(memory: &dyn Memory) {
    let fact = add(memory, 1, "likes rye", 0);
    add(memory, 2, "owns a mill", 1);
    forget(memory, &fact, 10);
    assert_eq!(listed(memory, When::default()), ["owns a mill"]);
    for second in [0, 5, 10, 99] {
        assert!(!listed(memory, believed(second)).contains(&"likes rye".to_owned()), "{second}");
    }
    assert_eq!(answers(memory, "rye").0, [""; 0]);
    assert_eq!(
        (memory.fact_count(u64::MAX).expect("read"), memory.forgotten_count(at(11)).expect("read")),
        (1, 1)
    );
    assert_eq!(memory.fact_count(0).expect("read"), 0, "no more are counted than are asked for");
    assert_eq!(memory.forgotten_count(at(10)).expect("read"), 0);
    let gone =
        memory.facts(&FactFilter { forgotten: true, limit: 9, ..FactFilter::default() }).expect("read");
    assert_eq!((gone.len(), gone[0].forgotten), (1, Some(at(10))));
    let back = change(memory, &fact.id, 20, FactDeed::Restore { id: fact.id.clone() });
    assert_eq!(wrote(back), fact.id);
    assert_eq!(answers(memory, "rye").0, ["likes rye"]);
    for (second, there) in [(5, true), (15, false), (20, true)] {
        let was = listed(memory, believed(second)).contains(&"likes rye".to_owned());
        assert_eq!(was, there, "{second}: nobody believed it while it was forgotten");
    }
    let again = change(memory, &fact.id, 30, FactDeed::Restore { id: fact.id.clone() });
    assert_eq!(known(again), fact.id);
}

fn purged(memory: &dyn Memory) {
    let fact = add(memory, 1, "likes rye", 0);
    update(memory, &fact, "likes spelt", 5);
    let old = add(memory, 2, "owned a mill", 1);
    let kept = add(memory, 3, "owns a boat", 2);
    forget(memory, &old, 3);
    let gone = change(memory, &fact.id, 6, FactDeed::Purge { id: fact.id.clone() });
    assert_eq!(gone, FactWritten::Purged(fact.id.clone()));
    assert_eq!(memory.fact(&fact.id).expect("read"), None);
    for second in [0, 5, 9] {
        assert!(!listed(memory, believed(second)).iter().any(|text| text.starts_with("likes")), "{second}");
    }
    for query in ["rye", "spelt", "likes"] {
        assert!(memory.search_facts(query, &believed(2), 9).expect("an answer").facts.is_empty(), "{query}");
    }
    let expire = |second| approved(None, FactDeed::Expire { before: at(second) });
    assert_eq!(memory.write_fact(&expire(3), &id(9), at(7)).expect("looked"), FactWritten::Expired(0));
    assert_eq!(memory.write_fact(&expire(4), &id(9), at(7)).expect("gone"), FactWritten::Expired(1));
    assert_eq!(memory.fact(&old.id).expect("read"), None);
    assert_eq!(listed(memory, When::default()), [kept.text.content]);
    let purge = FactDeed::Purge { id: kept.id.clone() };
    let unknown = approved(memory.fact(&kept.id).expect("read").as_ref(), purge);
    memory.write_fact(&unknown, &id(9), at(8)).expect("gone");
    assert_eq!(memory.write_fact(&unknown, &id(9), at(9)).expect_err("refused").code, Code::FactUnknown);
}

fn carried_out_once(memory: &dyn Memory) {
    let proposed = || {
        #[expect(clippy::disallowed_methods, reason = "a chapter says who is there")]
        let owner = Author::owner(&HumanConsent::at_own_terminal());
        let mut change = FactChange::new(FactDeed::Add(says("likes rye")), owner, None);
        change.proposal = Some(proposal_id(1));
        match judge_fact(&Policy::closed(), None, change) {
            FactVerdict::Approved(approved) => approved,
            other => panic!("let through: {other:?}"),
        }
    };
    memory.write_fact(&proposed(), &id(1), at(0)).expect("written");
    let fact = memory.fact(&id(1)).expect("read").expect("kept");
    forget(memory, &fact, 1);
    let again = memory.write_fact(&proposed(), &id(2), at(2)).expect("answered");
    assert_eq!(known(again), id(1), "though it was forgotten meanwhile");
}

/// The clock falls back by a year and by more than the age of every fact.
fn clock_jumps(memory: &dyn Memory) {
    let first = add(memory, 1, "first", 1_000);
    add(memory, 2, "second", -31_536_000);
    assert_eq!(listed(memory, When::default()), ["second", "first"]);
    update(memory, &first, "first again", -99);
    assert_eq!(listed(memory, When::default()), ["first again", "second"]);
    forget(memory, &first, -100);
    change(memory, &first.id, -101, FactDeed::Restore { id: first.id.clone() });
    let fact = memory.fact(&first.id).expect("read").expect("kept");
    assert_eq!(
        (fact.believed_from, fact.believed_to),
        (at(1_000), None),
        "a belief never ends before it began"
    );
}

fn found(memory: &dyn Memory) {
    for (number, text) in [
        (1, "slippage is 0.5%"),
        (2, "the slip of paper"),
        (3, "一条面包的记录"),
        (4, "O'Neill \"Bo\" bakes"),
    ] {
        add(memory, number, text, i64::from(number));
    }
    let reference = FactText::new(Category::parse("reference").expect("a category"), "slippage table");
    memory.write_fact(&approved(None, FactDeed::Add(reference)), &id(5), at(5)).expect("written");
    for (query, first, by) in [
        ("slip*", 3, FoundBy::Expression),
        ("category:reference", 1, FoundBy::Expression),
        ("\"slip of paper\"", 1, FoundBy::Expression),
        ("slippage NOT table", 1, FoundBy::Expression),
        ("slippage AND nothing", 0, FoundBy::Expression),
        ("which slippage does she use", 2, FoundBy::Words),
        ("O'Neill \"Bo", 1, FoundBy::Words),
        ("面包", 1, FoundBy::Letters),
        // Words of two scripts in one question, also without a blank between.
        ("slippage 面包", 3, FoundBy::Words),
        ("zzz面包", 1, FoundBy::Letters),
        // A star before a word is no expression.
        ("*reads", 0, FoundBy::Letters),
        ("*slippage", 2, FoundBy::Words),
        ("0.5%", 1, FoundBy::Expression),
    ] {
        let (answers, how) = answers(memory, query);
        // `0.5%` is no expression: the percent sign is looked up by its words.
        let how = if query == "0.5%" { FoundBy::Expression } else { how };
        assert_eq!((answers.len(), how), (first, by), "{query}: {answers:?}");
    }
    assert_eq!(answers(memory, "").0, [""; 0]);
}

/// Strings that a parser of queries could trip over, and sizes beyond every parser.
fn hostile(memory: &dyn Memory) {
    add(memory, 1, "an ordinary fact", 0);
    let deep = format!("{}a{}", "(".repeat(5_000), ")".repeat(5_000));
    let long = "fact ".repeat(20_480);
    let letters = "x".repeat(100 * 1024);
    for query in [
        "\"", "\"\"", "(", ")", "((", "*", "^", "a*b", "AND", "OR", "NOT", "NEAR(", "NEAR/3", "col:x",
        "rowid:1", "content:", "-a", "+", "{a b}:c", "a AND", "'; DROP TABLE memories; --", "%", "_", "\\",
        "a\0b", "\0", "\u{202e}", "ab\u{301}", "🐙", "?1", ":said", "@x", "$y", &deep, &long, &letters,
    ] {
        let found = memory.search_facts(query, &When::default(), 9);
        assert!(found.is_ok(), "{:?}: {found:?}", query.chars().take(40).collect::<String>());
    }
    assert!(memory.search_facts(&long, &When::default(), 9).expect("an answer").facts.len() == 1);
    assert_eq!(memory.fact_count(u64::MAX).expect("read"), 1);
}

fn profile(memory: &dyn Memory) {
    let set = |key: &str, value: &str, second| {
        let key = ProfileKey::parse(key).expect("a key");
        let set = approved(None, FactDeed::SetProfile { key, value: value.to_owned() });
        memory.write_fact(&set, &id(9), at(second)).expect("written")
    };
    assert_eq!(set("home_language", "en", 0), FactWritten::Profile(true));
    assert_eq!(set("home_language", "en", 1), FactWritten::Profile(false));
    assert_eq!(set("chains", "base", 2), FactWritten::Profile(true));
    assert_eq!(set("home_language", "de", 3), FactWritten::Profile(true));
    let known = memory.user_profile().expect("read");
    let known: Vec<_> =
        known.iter().map(|entry| (entry.key.as_str(), entry.value.as_str(), entry.updated)).collect();
    assert_eq!(known, [("chains", "base", at(2)), ("home_language", "de", at(3))]);
    let unset =
        || approved(None, FactDeed::UnsetProfile { key: ProfileKey::parse("chains").expect("a key") });
    assert_eq!(memory.write_fact(&unset(), &id(9), at(4)).expect("written"), FactWritten::Profile(true));
    assert_eq!(memory.write_fact(&unset(), &id(9), at(5)).expect("written"), FactWritten::Profile(false));
    assert_eq!(memory.user_profile().expect("read").len(), 1);
}

fn recorded(memory: &dyn Memory) {
    let fact = add(memory, 1, "a very private matter", 0);
    update(memory, &fact, "another private matter", 1);
    forget(memory, &fact, 2);
    change(memory, &fact.id, 3, FactDeed::Restore { id: fact.id.clone() });
    change(memory, &fact.id, 4, FactDeed::Purge { id: fact.id.clone() });
    let rows = memory.audit_rows(9).expect("read");
    let said: Vec<_> = rows.iter().map(|row| (row.actor.as_str(), row.verb.as_str())).collect();
    let verbs = ["fact_purge", "memory_removed", "fact_restore", "fact_forget", "fact_update", "fact_add"];
    assert_eq!(said, verbs.map(|verb| ("owner", verb)));
    assert!(rows.iter().all(|row| row.target == fact.id.as_str() && !row.detail.contains("private")));
}
