//! When a session's turns are written to its daily log.
//!
//! A pure rule over turn numbers, so that an interrupted hook can repeat it. Invariant: over a complete session every
//! turn is due exactly once, in order, unless the agent proposes entries itself.

use std::ops::RangeInclusive;

use inwit_model::Cadence;

/// The turns to write after `turn` (from 1) ended; `logged` is the last written turn, 0 for none; `ending` marks the
/// end of the session.
pub fn due(cadence: Cadence, turn: u32, logged: u32, ending: bool) -> Option<RangeInclusive<u32>> {
    let waiting = turn.saturating_sub(logged);
    let is_due = match cadence {
        Cadence::EveryTurns(turns) => ending || waiting >= turns,
        Cadence::EveryTurn => true,
        Cadence::SessionEnd => ending,
        Cadence::AgentProposed => false,
    };
    (waiting > 0 && is_due).then(|| logged + 1..=turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Proves W27.
    #[test]
    fn five_turns_are_one_entry_and_the_rest_comes_at_the_end() {
        let every = Cadence::EveryTurns(5);
        assert_eq!(due(every, 4, 0, false), None);
        assert_eq!(due(every, 5, 0, false), Some(1..=5));
        assert_eq!(due(every, 7, 5, false), None);
        assert_eq!(due(every, 7, 5, true), Some(6..=7));
        assert_eq!(due(every, 7, 7, true), None, "nothing is written twice");
        assert_eq!(due(every, 3, 9, true), None, "a counter that went back writes nothing");
        assert_eq!(due(Cadence::SessionEnd, 7, 0, false), None);
        assert_eq!(due(Cadence::AgentProposed, 7, 0, true), None);
    }

    proptest! {
        #[test]
        fn every_turn_is_written_once_whatever_fails_between(
            turns in 1u32..60, every in 1u32..9, lost in prop::collection::vec(any::<bool>(), 60), which in 0usize..3
        ) {
            let cadence = [Cadence::EveryTurns(every), Cadence::EveryTurn, Cadence::SessionEnd][which];
            let (mut logged, mut written) = (0, Vec::new());
            for turn in 1..=turns {
                let Some(range) = due(cadence, turn, logged, turn == turns) else { continue };
                if turn == turns || !lost[turn as usize] {
                    logged = *range.end();
                    written.extend(range);
                }
            }
            prop_assert_eq!(written, (1..=turns).collect::<Vec<_>>());
        }
    }
}
