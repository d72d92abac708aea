//! Finding texts to erase in any bytes, and recognising erased texts by salted hashes.
//!
//! Reading order: [`Matcher`] (with [`pattern`], [`mod@automaton`], [`runs`], [`edges`], [`words`], [`mod@usual`], [`marks`], [`view`], [`cut`]), [`stone`], [`buried`], [`passages`].

mod automaton;
mod buried;
mod cut;
mod edges;
mod marks;
mod passages;
mod pattern;
mod runs;
mod stone;
mod usual;
mod view;
mod wording;
mod words;

pub use automaton::automaton;
pub(crate) use buried::FORGOTTEN;
pub use buried::TombstoneMatcher;
pub use cut::CUT_LETTERS_MIN;
pub use edges::Edges;
pub use inwit_store::memory::TombstoneSet;
pub(crate) use passages::passage_hashes;
pub use usual::{usual, usual_bytes};
pub use wording::{FORGET_CHARS_MAX, FORGET_CHARS_MIN, How, MARK, MARK_LINE, Matcher};
