//! The effect of a method's record on its state.
//!
//! Invariant: a record only demotes; a person activates, and [`may_graduate`] says when that is allowed.

use inwit_model::learning::{MethodState, TrackRecord};

/// Where a method in `state` stands once `record` is its record: a graduate whose record became too poor is back on
/// trial, everything else stays.
pub fn after(state: MethodState, record: TrackRecord) -> MethodState {
    match state {
        MethodState::Graduated if record.falls_back() => MethodState::Quarantined,
        stays => stays,
    }
}

/// Whether a person may let a method of this record graduate.
pub fn may_graduate(record: TrackRecord) -> bool {
    record.is_enough()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn states() -> impl Strategy<Value = MethodState> {
        prop::sample::select(vec![MethodState::Quarantined, MethodState::Graduated, MethodState::Archived])
    }

    #[test]
    fn a_graduate_of_a_poor_record_goes_back_on_trial() {
        let record = |correct, uses| TrackRecord { uses, correct };
        assert_eq!(after(MethodState::Graduated, record(12, 20)), MethodState::Quarantined);
        assert_eq!(after(MethodState::Graduated, record(13, 20)), MethodState::Graduated);
        assert_eq!(after(MethodState::Graduated, record(0, 19)), MethodState::Graduated);
        assert_eq!(after(MethodState::Archived, record(0, 100)), MethodState::Archived);
    }

    proptest! {
        #[test]
        fn no_record_makes_a_graduate(state in states(), correct in 0u64..200, wrong in 0u64..200) {
            let after = after(state, TrackRecord { uses: correct + wrong, correct });
            prop_assert!(after == state || (state, after) == (MethodState::Graduated, MethodState::Quarantined));
        }
    }
}
