//! How daily logs are kept: values in a profile.
//!
//! Readers accept every layout ([`Place`](crate::Place)); a profile selects the one that is written.

use std::fmt;

use crate::words::words;

words! {
    /// Naming scheme of daily logs (X19). Those of a room are below `memory/rooms/<room>/` in every layout (D3).
    Layout {
        /// `memory/YYYY-MM-DD-<session>.md`: one file per session (W28).
        PerSession = "per_session",
        /// `memory/YYYY-MM-DD.md`, as OpenClaw has it.
        PerDay = "per_day",
        /// `memory/YYYY-MM-DD.md` in private, one folder per room (R14).
        PerRoom = "per_room",
        /// `memory/daily/YYYY-MM-DD.md` (Carapace).
        Daily = "daily",
        /// `notes/YYYY-MM-DD.md` (N2).
        Notes = "notes",
    }
}

/// How often entries are written to the daily log (X20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cadence {
    /// `every_n_turns(5)`: several turns as one digest, the rest when the session ends (W27).
    EveryTurns(u32),
    /// `every_turn`: one entry after each turn (R25).
    EveryTurn,
    /// `on_session_end`: one digest of the whole session.
    SessionEnd,
    /// `agent_proposed`: nothing automatically; the agent writes.
    AgentProposed,
}

impl Cadence {
    /// Default number of turns between two entries (`WORKSPACE_DAILY_LOG_INTERVAL`).
    pub const TURNS_DEFAULT: u32 = 5;

    /// Parses a written value. `every_n_turns` without a number means 5; 0 is invalid.
    pub fn parse(word: &str) -> Option<Self> {
        let turns = |count: &str| count.parse().ok().filter(|turns| *turns > 0).map(Self::EveryTurns);
        match word {
            "every_n_turns" => Some(Self::EveryTurns(Self::TURNS_DEFAULT)),
            "every_turn" => Some(Self::EveryTurn),
            "on_session_end" => Some(Self::SessionEnd),
            "agent_proposed" => Some(Self::AgentProposed),
            // A plain number, as in `WORKSPACE_DAILY_LOG_INTERVAL`.
            _ => {
                turns(word).or_else(|| word.strip_prefix("every_n_turns(")?.strip_suffix(')').and_then(turns))
            }
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

words! {
    /// Where the history of a workspace is stored (D8).
    HistoryPlace {
        /// `history.git` in the agent's home.
        Beside = "beside",
        /// `.git` in the workspace, for homes that inwit created (N2).
        Workspace = "workspace",
        /// Nowhere: receipts are stored, but no commits are made.
        Off = "off",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cadence_is_read_as_it_is_written() {
        for cadence in
            [Cadence::EveryTurns(7), Cadence::EveryTurn, Cadence::SessionEnd, Cadence::AgentProposed]
        {
            assert_eq!(Cadence::parse(&cadence.to_string()), Some(cadence));
        }
        assert_eq!(Cadence::parse("every_n_turns"), Some(Cadence::EveryTurns(5)));
        assert_eq!(Cadence::parse("8"), Some(Cadence::EveryTurns(8)));
        for bad in ["", "0", "every_n_turns(0)", "every_n_turns(-1)", "every_n_turns(5", "every_n_turns(x)"] {
            assert_eq!(Cadence::parse(bad), None, "{bad}");
        }
    }
}
