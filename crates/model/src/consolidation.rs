//! Consolidation of facts: states, decisions and invariants.
//!
//! `memory.db` and every answer use these words. Invariant: a fact is retired, never deleted. Code protects facts; no
//! model and no guidance can override it (M42, M44).

use crate::words::words;

/// Longest guidance for a judge from the owner, in characters (M42). A longer one is refused, not cut.
pub const GUIDANCE_CHARS_MAX: usize = 500;

words! {
    /// The state of a fact.
    FactStatus {
        /// Recorded and waiting for the next consolidation; already in use.
        Pending = "pending",
        /// Consolidated, or exempt.
        Settled = "settled",
        /// Replaced by another fact; kept, and shown on request.
        Retired = "retired",
    }
}

words! {
    /// The decision about a pending fact and an existing one.
    SettlementDecision {
        /// Both hold.
        Keep = "keep",
        /// Retires the pending fact: the older one repeats or contradicts it.
        RetireNew = "retire_new",
        /// Retires the older fact: it was never true.
        RetireOld = "retire_old",
        /// The older fact was true until the newer one became true.
        Supersede = "supersede",
        /// No change: the answer was invalid, or an invariant forbids it.
        Blocked = "blocked",
    }
}

words! {
    /// The mode of consolidation.
    Consolidation {
        /// Decisions are applied.
        On = "on",
        /// Decisions are logged and not applied (M10).
        Shadow = "shadow",
        /// Disabled: facts stay pending.
        Off = "off",
    }
}

words! {
    /// What no settlement may do, whatever a model answers.
    Invariant {
        /// Only a person retires a person's statement (I4).
        PersonsWord = "persons_word",
        /// A fact can be replaced only by a later statement.
        NewerOnly = "newer_only",
        /// A fact is superseded only by one that is already true, began later, and holds at least as long.
        HoldsLonger = "holds_longer",
        /// A model's answer must have the required form and refer only to the facts it was given.
        StrictAnswer = "strict_answer",
    }
}
