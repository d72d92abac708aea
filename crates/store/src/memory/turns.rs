//! Turn keys, which recognise a turn submitted twice.
//!
//! A host without an answer does not know whether its turn was written, so it may give it a key and submit it again.
//! Invariants: a session has one turn per key; a key is synced before anything of its turn is written, and removed
//! when the session ends.

use inwit_model::{SessionId, Sha256, Taint, TurnKey};
use jiff::Timestamp;

use super::MemoryError;
use super::sessions::Session;

/// The keyed turns of one agent's sessions.
pub trait Turns {
    /// Counts a turn and joins `taint` as [`Sessions::turn`](super::Sessions::turn) does, unless the session
    /// took one of this key before: then nothing changes. On the disk when it returns. Errors:
    /// `session_unknown`, `session_ended`.
    fn turn_once(
        &self,
        id: &SessionId,
        at: Timestamp,
        taint: Taint,
        keyed: &Keyed,
    ) -> Result<Once, MemoryError>;

    /// The turn that the session took under `key`. `None`: none.
    fn keyed_turn(&self, id: &SessionId, key: &TurnKey) -> Result<Option<KeptTurn>, MemoryError>;

    /// Stores the host's answer to the turn of `key`; the first answer stays. A missing key (its session has ended)
    /// is not an error.
    fn answer_turn(&self, id: &SessionId, key: &TurnKey, answer: &[u8]) -> Result<(), MemoryError>;
}

/// A turn and the name its host gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    /// The name.
    pub key: TurnKey,
    /// The hash of everything that was handed in.
    pub input: Sha256,
}

/// What became of a turn that has a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Once {
    /// It is taken.
    Taken(Box<Session>),
    /// It, or another one of that key, was taken before.
    Before(KeptTurn),
}

/// A turn that was taken under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTurn {
    /// Which turn of the session it is, from 1.
    pub turn: u64,
    /// The hash of what was handed in.
    pub input: Sha256,
    /// What the host was answered. `None`: nothing yet, or the process ended before.
    pub answer: Option<Vec<u8>>,
}
