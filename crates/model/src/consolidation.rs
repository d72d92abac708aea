//! How facts settle: in which state one is, what is decided of two, and what no decision may do.
//!
//! The words stand in `memory.db` and in every answer about it. Invariant: a fact is retired, never taken away, and
//! what protects it is a rule of the code, which no model and no steer can change (M42, M44).

use crate::words::words;

/// Longest steer that the owner gives a judge, in characters (M42). A longer one is refused, not cut.
pub const GUIDANCE_CHARS_MAX: usize = 500;

words! {
    /// In which state a fact is.
    FactStatus {
        /// It was recorded and waits for the next consolidation; it counts meanwhile.
        Pending = "pending",
        /// It was looked at, or nobody needs to.
        Settled = "settled",
        /// Another fact stands in its place; it is kept, and shown to who asks for retired ones.
        Retired = "retired",
    }
}

words! {
    /// What is decided of a fact that waits, against one that stands.
    SettlementDecision {
        /// Both hold.
        Keep = "keep",
        /// The one that waits is retired: the older one says it, or holds against it.
        RetireNew = "retire_new",
        /// The older one is retired: it never was right.
        RetireOld = "retire_old",
        /// The older one held until the newer one did.
        Supersede = "supersede",
        /// Nothing: an answer that cannot be read, or that an invariant forbids.
        Blocked = "blocked",
    }
}

words! {
    /// How far consolidation goes.
    Consolidation {
        /// What is decided is done.
        On = "on",
        /// It is decided and logged, and nothing is done (M10).
        Shadow = "shadow",
        /// Nothing is looked at: facts wait.
        Off = "off",
    }
}

words! {
    /// What no settlement may do, whatever a model says.
    Invariant {
        /// What a person said is retired by a person alone (I4).
        PersonsWord = "persons_word",
        /// A fact gives way only to one that was said later.
        NewerOnly = "newer_only",
        /// A fact is superseded only by one that holds by now, since later, and still where it holds still.
        HoldsLonger = "holds_longer",
        /// A model answers in the one form that it was told, about the facts that it was shown.
        StrictAnswer = "strict_answer",
    }
}
