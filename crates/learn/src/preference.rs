//! When an observed preference is proposed.
//!
//! Invariant: observations only lead to a proposal; a person activates it.

use inwit_model::learning::{PREFERENCE_SEEN_MIN, PREFERENCE_SESSIONS_MIN, PreferenceState};

/// Where a preference in `state` stands once it was seen `seen` times, in `sessions` sessions.
pub fn after(state: PreferenceState, seen: u64, sessions: u64) -> PreferenceState {
    match state {
        PreferenceState::Observed if seen >= PREFERENCE_SEEN_MIN && sessions >= PREFERENCE_SESSIONS_MIN => {
            PreferenceState::Proposed
        }
        stays => stays,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_about_after_three_times_in_two_sessions() {
        use PreferenceState::{Active, Archived, Observed, Proposed, Rejected};
        assert_eq!(after(Observed, 3, 2), Proposed);
        for (seen, sessions) in [(2, 2), (3, 1), (100, 1), (0, 0)] {
            assert_eq!(after(Observed, seen, sessions), Observed, "{seen} in {sessions}");
        }
        for decided in [Proposed, Active, Archived, Rejected] {
            assert_eq!(after(decided, 100, 100), decided, "a person's word, or the lack of one, stays");
        }
    }
}
