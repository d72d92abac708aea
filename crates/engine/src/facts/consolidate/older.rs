//! Finds older facts about the same subject as a pending one.
//!
//! All current facts are read once per pass, and those that share a term with a pending one are kept: the full-text
//! index has no stems and no segmentation of scripts without blanks. Invariants: newer facts never hide older ones;
//! returned facts are read again, since the pass may have changed them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use inwit_model::FactId;
use inwit_store::Memory;
use inwit_store::memory::Fact;

use super::subject::Subjects;
use super::unwritten::Unwritten;
use super::{OTHERS_MAX, stands};
use crate::EngineError;

/// Current facts by the terms that they share with pending ones.
pub struct Older {
    subjects: Subjects,
    facts: Vec<(FactId, i64)>,
    /// Number of facts read.
    read: usize,
    holders: HashMap<String, Vec<usize>>,
}

impl Older {
    /// Reads the facts of `memory`, for those of `waiting`.
    pub fn of(memory: &dyn Memory, waiting: &[Fact], mut subjects: Subjects) -> Result<Self, EngineError> {
        let wanted = waiting.iter().flat_map(|fact| subjects.of(&fact.text.content));
        let mut holders: HashMap<String, Vec<usize>> = wanted.map(|term| (term, Vec::new())).collect();
        let (mut facts, mut read) = (Vec::new(), 0);
        memory.each_standing(&mut |id, changed, content| {
            read += 1;
            let mut is_held = false;
            for term in subjects.of(content) {
                if let Some(numbers) = holders.get_mut(&term) {
                    numbers.push(facts.len());
                    is_held = true;
                }
            }
            if is_held {
                facts.push((id.clone(), changed));
            }
        })?;
        Ok(Self { subjects, facts, read, holders })
    }

    /// At most [`OTHERS_MAX`] facts changed before `fact` with shared terms: most and rarest shared terms first, then
    /// the last changed. None that `unwritten` retires.
    pub fn about(
        &mut self,
        memory: &dyn Memory,
        fact: &Fact,
        unwritten: &Unwritten,
    ) -> Result<Vec<Fact>, EngineError> {
        let terms = self.subjects.of(&fact.text.content);
        let mut shared: BTreeMap<usize, f64> = BTreeMap::new();
        for numbers in terms.iter().filter_map(|term| self.holders.get(term)) {
            let says = (1.0 + self.read as f64 / numbers.len().max(1) as f64).ln();
            for number in numbers.iter().filter(|number| self.facts[**number].1 < fact.changed) {
                *shared.entry(*number).or_default() += says;
            }
        }
        let mut found: Vec<(usize, f64)> = shared.into_iter().collect();
        found.sort_by(|a, b| {
            b.1.total_cmp(&a.1).then_with(|| Reverse(self.facts[a.0].1).cmp(&Reverse(self.facts[b.0].1)))
        });
        let mut others = Vec::new();
        for (number, _) in found {
            if others.len() == OTHERS_MAX {
                break;
            }
            let other = memory.fact(&self.facts[number].0)?;
            let is_older = |other: &Fact| stands(other, fact, unwritten) && other.changed < fact.changed;
            others.extend(other.filter(|other| {
                is_older(other) && !self.subjects.of(&other.text.content).is_disjoint(&terms)
            }));
        }
        Ok(others)
    }
}
