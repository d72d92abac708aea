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
    /// Whether turns were dropped and no message says so yet.
    is_note_due: bool,
}

impl History {
    /// The steps, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Adds the steps of a turn.
    pub fn add(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.steps.extend(steps);
        self.note();
    }

    fn note(&mut self) {
        if let (Some(Step::User(text)), true) = (self.steps.first_mut(), self.is_note_due) {
            text.insert_str(0, DROPPED);
            self.is_note_due = false;
        }
    }

    /// Whether it is too large, so that turns are to be dropped.
    pub fn is_full(&self) -> bool {
        bytes(&self.steps) > HISTORY_BYTES_MAX
    }

    /// Replaces each text for which `change` returns another one.
    pub fn replace(&mut self, change: &dyn Fn(&str) -> Option<String>) {
        let replace = |text: &mut String| {
            if let Some(changed) = change(text) {
                *text = changed;
            }
        };
        for step in &mut self.steps {
            match step {
                Step::User(text) => replace(text),
                Step::Assistant { text, calls } => {
                    replace(text);
                    calls.iter_mut().for_each(|call| replace(&mut call.arguments));
                }
                Step::Results(results) => results.iter_mut().for_each(|result| replace(&mut result.text)),
            }
        }
    }

    /// Drops the oldest turns: at least one, and until the rest is at most half of [`HISTORY_BYTES_MAX`] or half as large
    /// as before. Returns how many.
    pub fn drop_oldest(&mut self) -> usize {
        self.drop_to((HISTORY_BYTES_MAX / 2).min(bytes(&self.steps) / 2))
    }

    /// If the turns have more than `room` bytes, drops the oldest, down to half of it. Returns how many.
    pub fn fit(&mut self, room: usize) -> usize {
        if bytes(&self.steps) > room { self.drop_to(room / 2) } else { 0 }
    }

    fn drop_to(&mut self, most: usize) -> usize {
        let (mut keep, mut dropped) = (0, 0);
        while bytes(&self.steps[keep..]) > most {
            // A turn begins with a message.
            let next = self.steps[keep..].iter().skip(1).position(|step| matches!(step, Step::User(_)));
            keep = next.map_or(self.steps.len(), |next| keep + 1 + next);
            dropped += 1;
        }
        self.steps.drain(..keep);
        self.is_note_due |= dropped > 0;
        self.note();
        dropped
    }
}

fn bytes(steps: &[Step]) -> usize {
    steps.iter().map(Step::bytes).sum()
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
    fn turns_are_dropped_to_half_of_the_room_if_they_do_not_fit() {
        let mut history = History::default();
        for number in 0..4 {
            history.add(turn(number, 96));
        }
        // Each has 100 bytes.
        assert_eq!((history.fit(400), history.steps().len()), (0, 8));
        assert_eq!((history.fit(399), history.steps().len()), (3, 2));
        assert_eq!((history.fit(0), history.steps().len()), (1, 0));
    }

    #[test]
    fn a_turn_that_is_too_large_by_itself_is_dropped() {
        let mut history = History::default();
        history.add(turn(0, HISTORY_BYTES_MAX * 2));
        assert_eq!((history.drop_oldest(), history.steps().len()), (1, 0));
        history.add(turn(1, 10));
        assert_eq!((history.is_full(), history.steps().len()), (false, 2));
        assert!(matches!(&history.steps()[0], Step::User(text) if text.starts_with("[Earlier turns")));
    }
}
