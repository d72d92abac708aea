//! The contract of every memory: tests that each backend runs.
//!
//! A chapter takes a fresh, empty memory and panics on a violation. Backends call [`chapters`] to run all.

mod dreaming;
pub mod histories;
mod knowing;
mod learning;
mod naming;
mod proposing;
mod rating;
mod recording;
mod reviewing;
mod talking;

pub use knowing::{Wish, approved};
pub use learning::CHAPTERS as OF_LEARNING;
pub use naming::tags;

use std::sync::Arc;

use inwit_model::{Actor, Intent, Op, ProposalId, ReceiptId, SafeName, SessionId, Sha256, Taint};
use jiff::Timestamp;

use super::Memory;

/// A chapter: its claim, and the proof.
pub type Chapter = (&'static str, fn(&dyn Memory));

/// Every promise of [`Memory`] that one process can see.
pub fn chapters() -> Vec<Chapter> {
    [
        recording::CHAPTERS,
        proposing::CHAPTERS,
        talking::CHAPTERS,
        dreaming::CHAPTERS,
        reviewing::CHAPTERS,
        knowing::CHAPTERS,
        rating::CHAPTERS,
        learning::CHAPTERS,
        naming::CHAPTERS,
    ]
    .concat()
}

/// A moment: so many seconds behind a fixed one.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).expect("a moment")
}

/// The name of a file.
pub fn name(text: &str) -> SafeName {
    SafeName::parse(text).expect("a safe name")
}

/// The hash of a text.
pub fn sha(text: &str) -> Sha256 {
    Sha256::of(text.as_bytes())
}

/// The id of a session.
pub fn session(text: &str) -> SessionId {
    SessionId::parse(text).expect("a session id")
}

/// The receipt that belongs to `number`.
pub fn receipt(number: u16) -> ReceiptId {
    let [high, low] = number.to_be_bytes();
    ReceiptId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, high, low])
}

/// The proposal that belongs to `number`.
pub fn proposal_id(number: u16) -> ProposalId {
    let [high, low] = number.to_be_bytes();
    ProposalId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, high, low])
}

/// An intent of the agent: `op` on a file that holds `before`.
pub fn intent(number: u16, file: &str, op: Op, before: Option<&str>) -> Intent {
    let before: Option<Arc<[u8]>> = before.map(|text| Arc::from(text.as_bytes()));
    Intent {
        receipt: receipt(number),
        at: at(i64::from(number)),
        name: name(file),
        result: op.result(before.as_deref()).map(|bytes| Sha256::of(&bytes)),
        stood_since: None,
        base: before.as_deref().map(Sha256::of),
        before,
        temp: String::new(),
        actor: Actor::Agent,
        taint: Taint::Agent,
        session: None,
        proposal: None,
        undoes: None,
        reason: "a reason".into(),
        op,
    }
}

/// The file is to hold `text`.
pub fn put(text: &str) -> Op {
    Op::Put(Arc::from(text.as_bytes()))
}

/// `text` is to stand at the end of the file.
pub fn append(text: &str) -> Op {
    Op::Append(Arc::from(text.as_bytes()))
}
