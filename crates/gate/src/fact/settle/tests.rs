//! What the gate lets a settlement do.

use inwit_model::fact::{Category, Span};
use proptest::prelude::*;

use super::*;
use crate::change::Author;
use crate::fact::FactText;
use crate::testing::person;

/// When everything is judged.
const NOW: Timestamp = Timestamp::constant(100, 0);

fn id(number: u8) -> FactId {
    FactId::new(Timestamp::UNIX_EPOCH, [number; 10])
}

fn fact(content: &str, source: FactSource, changed: i64) -> StandingFact {
    let text = FactText::new(Category::observation(), content);
    StandingFact {
        text,
        source,
        is_forgotten: false,
        is_retired: false,
        changed,
        since: Timestamp::UNIX_EPOCH,
    }
}

fn settlement(new: &StandingFact, other: Option<&StandingFact>, decision: SettlementDecision) -> Settlement {
    Settlement {
        id: id(1),
        base: new.text.sha256(),
        other: other.map(|other| (id(2), other.text.sha256())),
        decision,
        reason: "because".into(),
        model: None,
        invariant: None,
        is_shadow: false,
    }
}

fn verdict(
    new: &StandingFact,
    other: Option<&StandingFact>,
    settlement: Settlement,
    author: Author,
) -> Result<(), Code> {
    let change = FactChange::new(FactDeed::Settle(Box::new(settlement)), author, None);
    match judge_settlement(&Policy::closed(), new, other, change, NOW) {
        FactVerdict::Approved(_) => Ok(()),
        FactVerdict::Pending(_) => Err(Code::ConfirmationMissing),
        FactVerdict::Refused(refusal) => Err(refusal.code),
    }
}

const RETIRING: [SettlementDecision; 3] =
    [SettlementDecision::RetireNew, SettlementDecision::RetireOld, SettlementDecision::Supersede];

/// Proves I4, M40.
#[test]
fn nobody_but_a_person_retires_what_a_person_said() {
    let machines = fact("likes rye", FactSource::AgentRecorded, 9);
    for source in FactSource::WORDS.iter().filter_map(|word| FactSource::parse(word)) {
        // Every other word may be claimed, so it gives no right.
        let is_refused = source == FactSource::UserManual;
        let expected = if is_refused { Err(Code::PolicyRefused) } else { Ok(()) };
        let own = fact("likes spelt", source, 5);
        for decision in [SettlementDecision::RetireOld, SettlementDecision::Supersede] {
            let of_two = settlement(&machines, Some(&own), decision);
            assert_eq!(
                verdict(&machines, Some(&own), of_two, Author::ENGINE),
                expected,
                "{source}, {decision}"
            );
        }
        let newer = fact("likes oats", source, 10);
        let new = settlement(&newer, Some(&machines), SettlementDecision::RetireNew);
        assert_eq!(verdict(&newer, Some(&machines), new, Author::ENGINE), expected, "{source}");
        let right = settlement(&machines, Some(&own), SettlementDecision::RetireNew);
        assert_eq!(verdict(&machines, Some(&own), right, Author::ENGINE), Ok(()));
    }
}

/// Proves M42.
#[test]
fn a_fact_gives_way_only_to_one_that_was_said_later() {
    let (older, newer) = (fact("a", FactSource::Inferred, 1), fact("b", FactSource::Inferred, 2));
    for decision in [SettlementDecision::RetireOld, SettlementDecision::Supersede] {
        let forward = settlement(&newer, Some(&older), decision);
        assert_eq!(verdict(&newer, Some(&older), forward, Author::ENGINE), Ok(()));
        let backward = settlement(&older, Some(&newer), decision);
        assert_eq!(backward.forbidden_by(&older, Some(&newer), NOW), Some(Invariant::NewerOnly));
        assert_eq!(verdict(&older, Some(&newer), backward, Author::ENGINE), Err(Code::PolicyRefused));
    }
}

/// Where both begin together nobody knows which held first; where both end together the newer one holds long enough.
/// Proves M42.
#[test]
fn a_fact_is_superseded_only_by_one_that_holds_since_later_and_at_least_as_long() {
    let second = |second: i64| Timestamp::from_second(second).expect("a moment");
    for ([from, to], until, is_let_through) in [
        ([None, None], None, true),
        ([Some(4), None], None, true),
        ([Some(5), None], None, false),
        ([Some(6), None], None, false),
        ([None, Some(9)], None, true),
        ([None, Some(9)], Some(8), false),
        ([None, Some(9)], Some(9), true),
        ([None, Some(9)], Some(10), true),
        ([None, None], Some(9), false),
    ] {
        let mut older = fact("a", FactSource::Inferred, 1);
        older.text.valid = Span { from: from.map(second), to: to.map(second) };
        let mut newer = StandingFact { since: second(5), ..fact("b", FactSource::Inferred, 2) };
        newer.text.valid.to = until.map(second);
        let wish = settlement(&newer, Some(&older), SettlementDecision::Supersede);
        let (rule, expected) = match is_let_through {
            true => (None, Ok(())),
            false => (Some(Invariant::HoldsLonger), Err(Code::PolicyRefused)),
        };
        assert_eq!(wish.forbidden_by(&newer, Some(&older), NOW), rule, "{from:?} {to:?} {until:?}");
        assert_eq!(
            verdict(&newer, Some(&older), wish, Author::ENGINE),
            expected,
            "{from:?} {to:?} {until:?}"
        );
        // What never was right held at no time.
        let wrong = settlement(&newer, Some(&older), SettlementDecision::RetireOld);
        assert_eq!(verdict(&newer, Some(&older), wrong, Author::ENGINE), Ok(()));
    }
}

/// What begins to hold later leaves what holds until then in its place; it may still say that it never was so.
/// Proves M42.
#[test]
fn a_fact_that_does_not_hold_yet_supersedes_none() {
    let older = fact("a", FactSource::Inferred, 1);
    for (from, rule) in [(99, None), (100, None), (101, Some(Invariant::HoldsLonger))] {
        let since = Timestamp::constant(from, 0);
        let mut newer = StandingFact { since, ..fact("b", FactSource::Inferred, 2) };
        newer.text.valid.from = Some(since);
        let wish = settlement(&newer, Some(&older), SettlementDecision::Supersede);
        assert_eq!(wish.forbidden_by(&newer, Some(&older), NOW), rule, "{from}");
        let expected = rule.map_or(Ok(()), |_| Err(Code::PolicyRefused));
        assert_eq!(verdict(&newer, Some(&older), wish, Author::ENGINE), expected, "{from}");
        let wrong = settlement(&newer, Some(&older), SettlementDecision::RetireOld);
        assert_eq!(verdict(&newer, Some(&older), wrong, Author::ENGINE), Ok(()), "{from}");
    }
}

/// Proves M42.
#[test]
fn only_inwit_settles_and_only_facts_as_they_stand() {
    let (older, newer) = (fact("a", FactSource::Inferred, 1), fact("b", FactSource::Inferred, 2));
    let good = || settlement(&newer, Some(&older), SettlementDecision::Supersede);
    for author in [Author::AGENT, Author::IMPORT, Author::owner(&person())] {
        assert_eq!(verdict(&newer, Some(&older), good(), author), Err(Code::PolicyRefused));
    }
    let change = FactChange::new(FactDeed::Settle(Box::new(good())), Author::ENGINE, None);
    let alone = crate::judge_fact(&Policy::closed(), Some(&newer), change);
    assert!(matches!(alone, FactVerdict::Refused(_)), "it is judged with both");
    let moved = fact("c", FactSource::Inferred, 1);
    assert_eq!(verdict(&newer, Some(&moved), good(), Author::ENGINE), Err(Code::Stale));
    let retired = StandingFact { is_retired: true, ..older.clone() };
    assert_eq!(verdict(&newer, Some(&retired), good(), Author::ENGINE), Err(Code::Stale));
    let forgotten = StandingFact { is_forgotten: true, ..newer.clone() };
    assert_eq!(verdict(&forgotten, Some(&older), good(), Author::ENGINE), Err(Code::Stale));
    assert_eq!(verdict(&newer, None, good(), Author::ENGINE), Err(Code::FactUnknown));
    for decision in RETIRING {
        assert_eq!(
            verdict(&newer, None, settlement(&newer, None, decision), Author::ENGINE),
            Err(Code::UsageBad)
        );
    }
    let mut itself = good();
    itself.other = Some((id(1), newer.text.sha256()));
    assert_eq!(verdict(&newer, Some(&newer), itself, Author::ENGINE), Err(Code::UsageBad));
    let mut wordy = good();
    wordy.reason = "x".repeat(SETTLEMENT_REASON_CHARS_MAX + 1);
    assert_eq!(verdict(&newer, Some(&older), wordy, Author::ENGINE), Err(Code::UsageBad));
}

proptest! {
    /// Whatever is decided of whatever two facts: what is let through retires no word of a person, and one fact or none.
    #[test]
    fn nothing_that_is_let_through_breaks_a_rule(
        sources in prop::array::uniform2(0_usize..6), order in prop::array::uniform2(1_i64..4),
        decision in 0_usize..5, alone in any::<bool>(),
    ) {
        let source = |at: usize| FactSource::parse(FactSource::WORDS[at]).expect("a word");
        let (new, other) = (fact("a", source(sources[0]), order[0]), fact("b", source(sources[1]), order[1]));
        let other = (!alone).then_some(&other);
        let decision = SettlementDecision::parse(SettlementDecision::WORDS[decision]).expect("a word");
        let wish = settlement(&new, other, decision);
        let retired: Vec<&StandingFact> = [
            Some(&new).filter(|_| wish.retires_new()), other.filter(|_| wish.retires_other().is_some()),
        ].into_iter().flatten().collect();
        prop_assert!(retired.len() <= 1);
        let is_persons = retired.iter().any(|fact| fact.is_the_persons());
        let gives_way_to_older = wish.retires_other().is_some() && order[0] <= order[1];
        if verdict(&new, other, wish, Author::ENGINE).is_ok() {
            prop_assert!(!is_persons && !gives_way_to_older);
        }
    }
}
