//! Ranking of passages: which of an agent's notes answer a question, and why.
//!
//! Invariant: nothing here writes, reads a clock or knows a path on disk; equal notes and equal
//! questions give equal answers on every machine.
//! Reading order: [`analyse`] (text to terms), [`mod@prepare`] (a passage for the index), [`question`]
//! (what is asked), [`lexical`] (scores and what neighbours lend), [`meaning`] (the same from vectors), [`mod@search`] (the verb).

pub mod analyse;
pub mod lexical;
pub mod meaning;
pub mod prepare;
pub mod question;
pub mod search;
pub mod time;
pub mod weight;
pub mod words;

pub use analyse::{Analyser, Terms};
pub use prepare::{RawPassage, prepare};
pub use question::{Question, QuestionError};
pub use search::{Found, Parts, Ranked, search};
