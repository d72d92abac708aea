//! Random histories of facts against plain lists of intervals.
//!
//! Facts are added, corrected, forgotten and brought back while the clock jumps to and fro; then every question about
//! both axes of time is answered by the memory and by lists that are kept the plain way. Invariant: equal seeds make
//! equal histories, so one that fails can be walked again.

use inwit_gate::{FactDeed, FactText};
use inwit_model::FactId;
use inwit_model::fact::{Category, Span, When};

use super::at;
use super::knowing::approved;
use crate::memory::{Fact, FactFilter, Memory};

/// Facts of one history.
const FACTS_MAX: u64 = 5;

/// Steps of one history.
const STEPS_MAX: u64 = 14;

/// Moments that are asked about.
const QUESTIONS: u64 = 5;

/// Where a fact stands: what it said, from when until when that was believed, the number of that change.
#[derive(Debug, Clone)]
struct Belief {
    text: FactText,
    since: i64,
    until: Option<i64>,
    changed: u64,
}

/// Every fact as a list of beliefs.
#[derive(Debug, Default)]
struct Oracle {
    facts: Vec<Vec<Belief>>,
    changes: u64,
}

/// Numbers that nobody guesses and everybody can draw again.
struct Draw(u64);

impl Draw {
    /// One of `0..below`.
    fn below(&mut self, below: u64) -> u64 {
        // The steps of splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }

    /// One of `from..to`.
    fn between(&mut self, from: i64, to: i64) -> i64 {
        from + i64::try_from(self.below(u64::try_from(to - from).unwrap_or(1))).unwrap_or(0)
    }

    /// The same, or nothing.
    fn maybe(&mut self, from: i64, to: i64) -> Option<i64> {
        if self.below(2) == 0 { None } else { Some(self.between(from, to)) }
    }
}

/// Walks the history of `seed` in `memory`, which is new, and asks about it. Answers with how many questions were
/// answered, or with the first answer that was wrong.
pub fn walk(memory: &dyn Memory, seed: u64) -> Result<u64, String> {
    let mut draw = Draw(seed);
    let mut oracle = Oracle::default();
    let mut now = 0;
    for step in 0..=draw.below(STEPS_MAX) {
        now += draw.between(-3, 9);
        oracle.step(memory, &mut draw, step, now);
    }
    let mut asked = 0;
    for question in 0..QUESTIONS {
        let (as_of, then) =
            if question == 0 { (None, None) } else { (draw.maybe(-12, 60), draw.maybe(-12, 60)) };
        let when = When { as_of: as_of.map(at), believed_at: then.map(at) };
        let expected = oracle.answers(as_of, then);
        let filter = FactFilter { when, limit: 99, ..FactFilter::default() };
        let told = |what: &str, got: &[String]| {
            format!("seed {seed}: {what} at {as_of:?} {then:?}: {got:?} is not {expected:?}")
        };
        let listed = said(memory.facts(&filter).map_err(|error| error.message)?);
        // By its letters nothing is nearer than another, so the later changed comes first there, too.
        for (what, got) in [("list", listed), ("letters", found(memory, "hared", &when)?)] {
            if got != expected {
                return Err(told(what, &got));
            }
        }
        for query in ["shared", "shared zzz"] {
            let (mut got, mut expected) = (found(memory, query, &when)?, expected.clone());
            got.sort();
            expected.sort();
            if got != expected {
                return Err(told(query, &got));
            }
        }
        asked += 4;
    }
    Ok(asked)
}

fn found(memory: &dyn Memory, query: &str, when: &When) -> Result<Vec<String>, String> {
    Ok(said(memory.search_facts(query, when, 99).map_err(|error| error.message)?.facts))
}

fn said(facts: Vec<Fact>) -> Vec<String> {
    facts.into_iter().map(|fact| fact.text.content).collect()
}

fn id(number: usize) -> FactId {
    FactId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, 0xfa, u8::try_from(number).unwrap_or(u8::MAX)])
}

impl Oracle {
    fn step(&mut self, memory: &dyn Memory, draw: &mut Draw, step: u64, now: i64) {
        // Every statement is said once, so that none is the same as another.
        let content = format!("word{step}x{} shared", draw.below(100));
        let valid = Span { from: draw.maybe(-9, 40).map(at), to: draw.maybe(-9, 40).map(at) };
        let valid = if valid.is_empty() { Span::default() } else { valid };
        let text = FactText { valid, ..FactText::new(Category::observation(), &content) };
        let which = usize::try_from(draw.below(FACTS_MAX)).unwrap_or_default();
        let deed = draw.below(4);
        let Some(beliefs) = self.facts.get_mut(which) else {
            write(memory, None, self.facts.len(), now, FactDeed::Add(text.clone()));
            self.changes += 1;
            self.facts.push(vec![Belief { text, since: now, until: None, changed: self.changes }]);
            return;
        };
        let Some(last) = beliefs.last_mut() else { return };
        let base = last.text.sha256();
        match (deed, last.until) {
            (0 | 1, None) => {
                let update = FactDeed::Update { id: id(which), base, text: text.clone() };
                write(memory, Some(which), 99, now, update);
                self.changes += 1;
                // The clock may have jumped back: a belief begins where the last one ended.
                let since = now.max(last.since);
                last.until = Some(since);
                beliefs.push(Belief { text, since, until: None, changed: self.changes });
            }
            (2, None) => {
                write(memory, Some(which), 99, now, FactDeed::Forget { id: id(which), base });
                last.until = Some(now.max(last.since));
            }
            (_, Some(until)) => {
                write(memory, Some(which), 99, now, FactDeed::Restore { id: id(which) });
                let belief = Belief { since: now.max(until), until: None, ..last.clone() };
                beliefs.push(belief);
            }
            _ => {}
        }
    }

    /// What holds at `as_of` and was believed at `then`, the last changed first.
    fn answers(&self, as_of: Option<i64>, then: Option<i64>) -> Vec<String> {
        let mut all: Vec<&Belief> = self
            .facts
            .iter()
            // Forgotten: its last belief has ended.
            .filter(|beliefs| beliefs.last().is_some_and(|last| last.until.is_none()))
            .flat_map(|beliefs| match then {
                None => beliefs.last().into_iter().collect::<Vec<_>>(),
                Some(then) => {
                    let held = |belief: &&Belief| {
                        belief.since <= then && belief.until.is_none_or(|until| then < until)
                    };
                    beliefs.iter().filter(held).collect()
                }
            })
            .filter(|belief| as_of.is_none_or(|as_of| belief.text.valid.holds(at(as_of))))
            .collect();
        all.sort_by_key(|belief| std::cmp::Reverse(belief.changed));
        all.into_iter().map(|belief| belief.text.content.clone()).collect()
    }
}

fn write(memory: &dyn Memory, of: Option<usize>, new: usize, second: i64, deed: FactDeed) {
    let fact = of.and_then(|of| memory.fact(&id(of)).expect("a memory that reads"));
    memory.write_fact(&approved(fact.as_ref(), deed), &id(new), at(second)).expect("a memory that writes");
}
