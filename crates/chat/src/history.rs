//! The earlier turns of a session, as they are sent with the next one.
//!
//! A turn is stored without what was added to its message: results of recall and the part of the prompt that is rebuilt
//! each turn. Invariants: steps that are stored do not change, so a provider can cache them, until the oldest turns
//! are dropped; then a note in the first message says so.

use inwit_model::Step;

/// Most bytes of earlier turns, about 100,000 tokens. Beyond it the oldest are dropped, down to half of it.
pub const HISTORY_BYTES_MAX: usize = 400 * 1024;

/// Stands before the first message if earlier turns were dropped.
const DROPPED: &str =
    "[Earlier turns of this conversation are no longer shown. They are in the daily log.]\n\n";

/// The steps of earlier turns.
#[derive(Debug, Default)]
pub struct History {
    steps: Vec<Step>,
}

impl History {
    /// The steps, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Adds the steps of a turn.
    pub fn add(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.steps.extend(steps);
    }

    /// Whether it is too large, so that turns are to be dropped.
    pub fn is_full(&self) -> bool {
        self.steps.iter().map(bytes_of).sum::<usize>() > HISTORY_BYTES_MAX
    }

    /// Drops the oldest turns. Returns how many.
    pub fn drop_oldest(&mut self) -> usize {
        let bytes = |steps: &[Step]| steps.iter().map(bytes_of).sum::<usize>();
        let (mut keep, mut dropped) = (0, 0);
        while bytes(&self.steps[keep..]) > HISTORY_BYTES_MAX / 2 {
            // A turn begins with a message.
            let next = self.steps[keep..].iter().skip(1).position(|step| matches!(step, Step::User(_)));
            let Some(next) = next else { break };
            (keep, dropped) = (keep + 1 + next, dropped + 1);
        }
        // One turn alone may be too large.
        if bytes(&self.steps[keep..]) > HISTORY_BYTES_MAX {
            (keep, dropped) = (self.steps.len(), dropped + 1);
        }
        self.steps.drain(..keep);
        if let (Some(Step::User(text)), true) = (self.steps.first_mut(), dropped > 0) {
            text.insert_str(0, DROPPED);
        }
        dropped
    }

    /// Forgets all turns.
    pub fn clear(&mut self) {
        self.steps.clear();
    }
}

fn bytes_of(step: &Step) -> usize {
    match step {
        Step::User(text) => text.len(),
        Step::Assistant { text, calls } => {
            text.len() + calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>()
        }
        Step::Results(results) => results.iter().map(|result| result.text.len()).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(number: usize, bytes: usize) -> [Step; 2] {
        let text = format!("{number} {}", "x".repeat(bytes));
        [Step::User(text), Step::Assistant { text: "ok".into(), calls: Vec::new() }]
    }

    #[test]
    fn the_oldest_turns_are_dropped_whole_and_a_note_says_so() {
        let mut history = History::default();
        for number in 0..10 {
            history.add(turn(number, HISTORY_BYTES_MAX / 8));
        }
        assert!(history.is_full());
        assert_eq!(history.drop_oldest(), 7);
        assert!(!history.is_full());
        assert_eq!(history.steps().len(), 6, "three turns of an eighth each");
        let Step::User(first) = &history.steps()[0] else { panic!("a message") };
        assert!(first.starts_with("[Earlier turns") && first.contains("\n\n7 x"), "{}", &first[..120]);
    }

    #[test]
    fn a_turn_that_is_too_large_by_itself_is_dropped() {
        let mut history = History::default();
        history.add(turn(0, HISTORY_BYTES_MAX * 2));
        assert_eq!((history.drop_oldest(), history.steps().len()), (1, 0));
        history.add(turn(1, 10));
        assert_eq!((history.is_full(), history.steps().len()), (false, 2));
    }
}
