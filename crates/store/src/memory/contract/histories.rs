//! Random histories of facts, compared with plain lists of intervals.
//!
//! Facts are added, corrected, settled, forgotten and restored while the clock jumps; then every query on both time
//! axes is compared with plain lists. Answers about past beliefs do not change by later steps, except for forgotten
//! facts, which are in no answer. Invariant: equal seeds give equal histories, so a failure can be reproduced.

use inwit_gate::{
    Approved, Author, FactChange, FactDeed, FactText, FactVerdict, HeldFact, HumanConsent, Policy, Proposal,
    Settlement, Why, approve_fact, judge_settlement,
};
use inwit_model::fact::{Category, Span, When};
use inwit_model::{FactId, SettlementDecision};
use jiff::Timestamp;

use super::knowing::approved_as;
use super::{at, proposal_id};
use crate::memory::{Fact, FactFilter, Memory};

/// Facts of one history.
const FACTS_MAX: u64 = 5;

/// Steps of one history.
const STEPS_MAX: u64 = 24;

/// Moments that are asked about.
const QUESTIONS: u64 = 5;

/// Most questions about the past that are asked again after each step.
const PAST_MAX: usize = 3;

/// Where a fact stands: what it said, from when until when that was believed, the number of that change.
#[derive(Debug, Clone)]
struct Belief {
    text: FactText,
    since: i64,
    until: Option<i64>,
    changed: u64,
    /// It was superseded already: until when it held.
    held_to: Option<i64>,
}

/// A fact as a list of beliefs, and what was decided of it.
#[derive(Debug)]
struct Known {
    beliefs: Vec<Belief>,
    /// When it was first written.
    created: i64,
    is_forgotten: bool,
    is_pending: bool,
    is_the_persons: bool,
    retired: Option<Retired>,
    /// Since when it holds where it says nothing itself, and while what that was decided.
    held: Vec<Held>,
}

#[derive(Debug, Clone, Copy)]
struct Retired {
    at: i64,
    by: usize,
    /// Superseded: until when it held.
    held_to: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    from: i64,
    since: i64,
    until: Option<i64>,
}

/// Every fact.
#[derive(Debug, Default)]
struct Oracle {
    facts: Vec<Known>,
    changes: u64,
    proposals: u16,
}

/// Reproducible pseudo-random numbers.
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
    let mut past: Vec<Past> = Vec::new();
    for step in 0..=draw.below(STEPS_MAX) {
        now += draw.between(-3, 9);
        // Where the clock was set back, what was believed a moment ago is not past yet.
        past.retain(|asked| asked.then < now);
        if now > -12 {
            past.drain(..past.len().saturating_sub(PAST_MAX - 1));
            past.push(Past::ask(memory, draw.maybe(-12, 60), draw.between(-12, now))?);
        }
        oracle.step(memory, &mut draw, step, now);
        for asked in &past {
            asked.is_answered_the_same(memory).map_err(|told| format!("seed {seed}, step {step}: {told}"))?;
        }
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

/// A question about a moment that is past, with what was answered.
struct Past {
    as_of: Option<i64>,
    then: i64,
    answer: Vec<(FactId, String)>,
    forgotten: Vec<FactId>,
}

impl Past {
    fn ask(memory: &dyn Memory, as_of: Option<i64>, then: i64) -> Result<Self, String> {
        let all = |filter: &FactFilter| memory.facts(filter).map_err(|error| error.message);
        let when = When { as_of: as_of.map(at), believed_at: Some(at(then)) };
        let answer = all(&FactFilter { when, limit: 99, ..FactFilter::default() })?;
        let forgotten = all(&FactFilter { forgotten: true, limit: 99, ..FactFilter::default() })?;
        Ok(Self {
            as_of,
            then,
            answer: answer.into_iter().map(|fact| (fact.id, fact.text.content)).collect(),
            forgotten: forgotten.into_iter().map(|fact| fact.id).collect(),
        })
    }

    /// Asks again; what was forgotten at one of the two times is left aside.
    fn is_answered_the_same(&self, memory: &dyn Memory) -> Result<(), String> {
        let again = Self::ask(memory, self.as_of, self.then)?;
        let is_shown =
            |(id, _): &&(FactId, String)| !self.forgotten.contains(id) && !again.forgotten.contains(id);
        let [before, after] =
            [self, &again].map(|asked| asked.answer.iter().filter(is_shown).collect::<Vec<_>>());
        if before == after {
            return Ok(());
        }
        let (as_of, then) = (self.as_of, self.then);
        Err(format!("at {as_of:?} {then}, which is past, {after:?} is no more {before:?}"))
    }
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

impl Known {
    fn last(&self) -> &Belief {
        self.beliefs.last().expect("said once")
    }

    fn last_mut(&mut self) -> &mut Belief {
        self.beliefs.last_mut().expect("said once")
    }

    fn is_shown(&self) -> bool {
        !self.is_forgotten && self.retired.is_none()
    }

    /// What was believed at `then`, or is now.
    fn believed(&self, then: Option<i64>) -> Option<&Belief> {
        let Some(then) = then else { return Some(self.last()) };
        self.beliefs.iter().find(|belief| within(then, belief.since, belief.until))
    }

    /// Whether `belief` holds at `as_of`, by what was decided until `then`.
    fn holds(&self, belief: &Belief, as_of: Option<i64>, then: Option<i64>) -> bool {
        let is_last = belief.since == self.last().since && belief.changed == self.last().changed;
        let retired = self.retired.filter(|retired| is_last && then.is_none_or(|then| retired.at <= then));
        let is_over =
            |held_to: Option<i64>| held_to.zip(as_of).is_none_or(|(held_to, as_of)| held_to <= as_of);
        if retired.is_some_and(|it| is_over(it.held_to))
            || belief.held_to.is_some() && is_over(belief.held_to)
        {
            return false;
        }
        let Some(as_of) = as_of else { return true };
        let decided =
            |held: &&Held| then.map_or(held.until.is_none(), |then| within(then, held.since, held.until));
        let held = self.held.iter().find(decided).map(|held| at(held.from));
        let valid = belief.text.valid;
        Span { from: valid.from.or(held), ..valid }.holds(at(as_of))
    }
}

fn within(moment: i64, since: i64, until: Option<i64>) -> bool {
    since <= moment && until.is_none_or(|until| moment < until)
}

impl Oracle {
    fn step(&mut self, memory: &dyn Memory, draw: &mut Draw, step: u64, now: i64) {
        // Every statement is unique.
        let content = format!("word{step}x{} shared", draw.below(100));
        let valid = Span { from: draw.maybe(-9, 40).map(at), to: draw.maybe(-9, 40).map(at) };
        let valid = if valid.is_empty() { Span::default() } else { valid };
        let text = FactText { valid, ..FactText::new(Category::observation(), &content) };
        let which = usize::try_from(draw.below(FACTS_MAX)).unwrap_or_default();
        let (deed, is_the_persons) = (draw.below(6), draw.below(4) == 0);
        if which >= self.facts.len() {
            self.write(memory, None, now, FactDeed::Add(text.clone()), is_the_persons, false);
            self.changes += 1;
            self.facts.push(Known {
                beliefs: vec![Belief { text, since: now, until: None, changed: self.changes, held_to: None }],
                created: now,
                is_forgotten: false,
                is_pending: !is_the_persons,
                is_the_persons,
                retired: None,
                held: Vec::new(),
            });
            return;
        }
        let known = &self.facts[which];
        let base = known.last().text.sha256();
        match deed {
            0 | 1 if known.is_shown() && (is_the_persons || !known.is_the_persons) => {
                let is_always = valid.from.is_none() && draw.below(2) == 0;
                let is_from_said = is_always || valid.from != known.last().text.valid.from;
                let update = FactDeed::Update { id: id(which), base, text: text.clone() };
                self.write(memory, Some(which), now, update, is_the_persons, is_always);
                self.changes += 1;
                let changed = self.changes;
                let known = &mut self.facts[which];
                let last = known.last_mut();
                // The clock may have jumped back: a belief begins where the last one ended.
                let since = now.max(last.since);
                last.until = Some(since);
                known.beliefs.push(Belief { text, since, until: None, changed, held_to: None });
                // A decided beginning stays until another one is set.
                if let Some(held) = known.held.last_mut().filter(|_| is_from_said) {
                    held.until = held.until.or(Some(since));
                }
                (known.is_pending, known.is_the_persons) = (!is_the_persons, is_the_persons);
            }
            2 if !known.is_forgotten => {
                self.write(memory, Some(which), now, FactDeed::Forget { id: id(which), base }, true, false);
                let known = &mut self.facts[which];
                known.is_forgotten = true;
                let last = known.last_mut();
                last.until = last.until.or(Some(now.max(last.since)));
            }
            3 if !known.is_shown() => self.restore(memory, which, now),
            4.. if known.is_shown() && known.is_pending => {
                let others = self.facts.len() as u64;
                let other = usize::try_from(draw.below(others)).unwrap_or_default();
                self.settle(memory, which, other, draw.below(4), now);
            }
            _ => {}
        }
    }

    fn restore(&mut self, memory: &dyn Memory, which: usize, now: i64) {
        self.write(memory, Some(which), now, FactDeed::Restore { id: id(which) }, true, false);
        let known = &mut self.facts[which];
        let retired = known.retired.take();
        (known.is_forgotten, known.is_pending) = (false, false);
        let last = known.last_mut();
        // It was not believed while it was gone. A superseded fact was believed until then.
        let until = last.until.unwrap_or(now).max(last.since);
        last.until = Some(until);
        let belief = Belief { since: now.max(until), until: None, ..last.clone() };
        if let Some(Retired { at, held_to: Some(held_to), .. }) = retired {
            let cut = at.clamp(last.since, until);
            let superseded = Belief { since: cut, held_to: Some(held_to), ..last.clone() };
            last.until = Some(cut);
            known.beliefs.push(superseded);
        }
        known.beliefs.push(belief);
        // Where nothing else gave way to it, the one in its place holds no more since then.
        let Some(by) = retired.filter(|retired| retired.held_to.is_some()).map(|retired| retired.by) else {
            return;
        };
        let gives_way = |known: &Known| known.retired.is_some_and(|it| it.by == by && it.held_to.is_some());
        if !self.facts.iter().any(gives_way)
            && let Some(held) = self.facts[by].held.last_mut()
        {
            held.until = held.until.or(Some(now));
        }
    }

    fn settle(&mut self, memory: &dyn Memory, which: usize, other: usize, how: u64, now: i64) {
        use SettlementDecision::{Keep, RetireNew, RetireOld, Supersede};
        let (new, old) = (&self.facts[which], &self.facts[other]);
        let may_retire = other != which && old.is_shown();
        let is_older = !old.is_the_persons && old.last().changed < new.last().changed;
        let [new_valid, old_valid] = [new, old].map(|known| known.last().text.valid);
        let new_since = new_valid.from.unwrap_or_else(|| at(new.created));
        // What it takes the place of begins before it and ends no later, and by now it holds itself.
        let takes_over = new_valid.from.is_none_or(|from| from <= at(now))
            && old_valid.from.is_none_or(|from| from < new_since)
            && new_valid.to.is_none_or(|to| old_valid.to.is_some_and(|old_to| old_to <= to));
        let decision = match how {
            0 if may_retire => RetireNew,
            1 if may_retire && is_older => RetireOld,
            2.. if may_retire && is_older && takes_over => Supersede,
            _ => Keep,
        };
        let of = |known: &Known, which: usize| (id(which), known.last().text.sha256());
        let settlement = Settlement {
            id: id(which),
            base: new.last().text.sha256(),
            other: Some(of(old, other)).filter(|_| decision != Keep),
            decision,
            reason: "because".into(),
            model: None,
            invariant: None,
            is_shadow: false,
        };
        write(memory, &settled(memory, settlement, now), 99, now);
        let (retired, by) = if decision == RetireNew { (which, other) } else { (other, which) };
        self.facts[which].is_pending = false;
        if decision == Keep {
            return;
        }
        let seconds = |moment: Timestamp| moment.as_second() - at(0).as_second();
        let begins = self.facts[by].last().text.valid.from.map(seconds);
        let begins = begins.unwrap_or(self.facts[by].created);
        let known = &mut self.facts[retired];
        let last = known.last_mut();
        let decided = now.max(last.since);
        let held_to = Some(begins).filter(|_| decision == Supersede);
        if held_to.is_none() {
            last.until = Some(decided);
        }
        known.retired = Some(Retired { at: decided, by, held_to });
        let held = &mut self.facts[by].held;
        if let Some(from) = held_to
            && held.last().is_none_or(|held| held.until.is_some())
        {
            held.push(Held { from, since: now, until: None });
        }
    }

    /// What holds at `as_of` and was believed at `then`, the last changed first.
    fn answers(&self, as_of: Option<i64>, then: Option<i64>) -> Vec<String> {
        let shown = self.facts.iter().filter(|known| !known.is_forgotten);
        let believed = |known: &'_ Known| {
            known.believed(then).filter(|belief| known.holds(belief, as_of, then)).cloned()
        };
        let mut all: Vec<Belief> = shown.filter_map(believed).collect();
        all.sort_by_key(|belief| std::cmp::Reverse(belief.changed));
        all.into_iter().map(|belief| belief.text.content).collect()
    }

    /// The owner writes it, or lets through what an agent wanted; `is_always`: who corrects it says that it always held.
    fn write(
        &mut self,
        memory: &dyn Memory,
        of: Option<usize>,
        second: i64,
        deed: FactDeed,
        by_owner: bool,
        is_always: bool,
    ) {
        let fact = of.and_then(|of| memory.fact(&id(of)).expect("a memory that reads"));
        let new = of.map_or(self.facts.len(), |_| 99);
        let change = if by_owner {
            approved_as(fact.as_ref(), deed, is_always)
        } else {
            self.proposals += 1;
            let mut change = FactChange::new(deed, Author::AGENT, None);
            change.is_always = is_always;
            let held = HeldFact { change, findings: Vec::new(), why: Why::Policy };
            let proposal = Proposal::of_fact(proposal_id(self.proposals), at(second), held);
            let seal = proposal.seal();
            let person = HumanConsent::confirming(seal, &seal.short(8)).expect("the digits of the seal");
            let standing = fact.as_ref().map(Fact::standing);
            approve_fact(&proposal, &person, &Policy::closed(), standing.as_ref(), at(second), false)
                .expect("a person's word")
        };
        write(memory, &change, new, second);
    }
}

fn settled(memory: &dyn Memory, settlement: Settlement, now: i64) -> Approved<FactChange> {
    let standing = |id: &FactId| memory.fact(id).expect("a memory that reads").expect("kept").standing();
    let (new, other) = (standing(&settlement.id), settlement.other.as_ref().map(|(id, _)| standing(id)));
    let change = FactChange::new(FactDeed::Settle(Box::new(settlement)), Author::ENGINE, None);
    match judge_settlement(&Policy::closed(), &new, other.as_ref(), change, at(now)) {
        FactVerdict::Approved(approved) => approved,
        other => panic!("a settlement that is allowed: {other:?}"),
    }
}

fn write(memory: &dyn Memory, change: &Approved<FactChange>, new: usize, second: i64) {
    memory.write_fact(change, &id(new), at(second)).expect("a memory that writes");
}
