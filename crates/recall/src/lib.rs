//! Ranking of passages: which of an agent's notes answer a question, and why.
//!
//! Invariant: nothing here writes, reads a clock or knows a path on disk; equal notes and equal
//! questions give equal answers on every machine.
//! Reading order: [`fold`] (text as it is compared), [`analyse`] (text to terms), [`identifier`] (parts of names of code),
//! [`language`], [`mod@time`] (what is said of time), [`carried`] (what an entry says of itself), [`compound`] (words written in one), [`mod@prepare`] (a passage for the index), [`question`] (what is asked), [`mod@expression`] (what is to hold of an answer), [`lexical`]
//! (scores and what neighbours lend), [`meaning`] (the same from vectors), [`mod@search`] (the verb),
//! [`weight`] (what counts how much), [`highlight`] (where a text has the words of a question), [`mod@diverse`] (the same again comes later);
//! [`mod@entities`] (what a text names), [`mod@edges`] (what it says of that).

pub mod analyse;
pub mod carried;
pub mod compound;
mod dated;
pub mod diverse;
pub mod edges;
pub mod entities;
mod evidence;
pub mod expression;
mod finance;
mod finance_words;
pub mod fold;
mod han;
pub mod highlight;
mod identifier;
pub mod language;
pub mod lexical;
pub mod meaning;
mod misspelt;
mod named;
mod near_form;
mod numeral;
pub mod prepare;
pub mod question;
mod related;
mod run;
pub mod search;
pub mod time;
pub mod weight;
pub mod words;

pub use analyse::{Analyser, Terms};
pub use expression::{Expression, ExpressionError};
pub use highlight::Highlighter;
pub use prepare::{FILE_TERMS_MAX, RawPassage, ReadAs, has_too_many_terms, prepare};
pub use question::{Bounds, Question, QuestionError};
pub use search::{FeedbackOf, Ranked, ScoreBreakdown, SearchOutcome, ShownAs, Tuning, search};
pub use weight::{WEIGHTS, WeightSpec, Weights};
