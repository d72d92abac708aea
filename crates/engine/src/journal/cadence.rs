//! When a session's turns go into its journal.
//!
//! A pure rule over turn numbers, so that a turn-end hook that was killed can simply ask again.
//! Invariant: over a session that ends, every turn is due exactly once, in order, unless the agent
//! itself proposes what to keep.

use std::fmt;
use std::ops::RangeInclusive;

/// How often the journal grows (X20): the value of `journal.cadence`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cadence {
    /// `every_n_turns(5)`: several turns as one digest, the rest when the session ends (W27).
    EveryTurns(u32),
    /// `every_turn`: an entry after each turn (R25).
    EveryTurn,
    /// `on_session_end`: one digest of the whole session.
    SessionEnd,
    /// `agent_proposed`: nothing by itself; the agent writes.
    AgentProposed,
}

impl Cadence {
    /// Turns between two entries where a profile does not say (`WORKSPACE_DAILY_LOG_INTERVAL`).
    pub const TURNS_DEFAULT: u32 = 5;

    /// Parses a written value; `every_n_turns` alone means 5, and 0 is no number of turns.
    pub fn parse(word: &str) -> Option<Self> {
        let turns = |count: &str| count.parse().ok().filter(|turns| *turns > 0).map(Self::EveryTurns);
        match word {
            "every_n_turns" => Some(Self::EveryTurns(Self::TURNS_DEFAULT)),
            "every_turn" => Some(Self::EveryTurn),
            "on_session_end" => Some(Self::SessionEnd),
            "agent_proposed" => Some(Self::AgentProposed),
            _ => word.strip_prefix("every_n_turns(")?.strip_suffix(')').and_then(turns),
        }
    }
}

impl fmt::Display for Cadence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EveryTurns(turns) => write!(out, "every_n_turns({turns})"),
            Self::EveryTurn => out.write_str("every_turn"),
            Self::SessionEnd => out.write_str("on_session_end"),
            Self::AgentProposed => out.write_str("agent_proposed"),
        }
    }
}

/// The turns to write now, after `turn` (from 1) ended; `logged` is the last turn already written, 0
/// for none; `ending` says that the session ends with this turn.
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

    /// Proves X20.
    #[test]
    fn every_cadence_is_read_as_it_is_written() {
        for cadence in
            [Cadence::EveryTurns(5), Cadence::EveryTurn, Cadence::SessionEnd, Cadence::AgentProposed]
        {
            assert_eq!(Cadence::parse(&cadence.to_string()), Some(cadence));
        }
        assert_eq!(Cadence::parse("every_n_turns"), Some(Cadence::EveryTurns(5)));
        for bad in ["", "every_n_turns(0)", "every_n_turns(-1)", "every_n_turns(5", "every_n_turns(x)"] {
            assert_eq!(Cadence::parse(bad), None, "{bad}");
        }
    }

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
