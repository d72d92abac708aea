//! Ranking of passages for a query.
//!
//! Invariant: no writes, no clock, no paths; equal notes and equal queries give equal answers on every machine.
//! Reading order: [`fold`] (folding), [`analyse`] (terms), [`identifier`] (identifiers), [`language`], [`mod@time`]
//! (time expressions), [`carried`] (importance and triggers), [`compound`] (German compounds), [`mod@prepare`] (a
//! passage for the index), [`question`] (a query), [`mod@expression`] (Boolean expressions), [`lexical`] (word scores
//! and propagation), [`meaning`] (vector scores), [`mod@search`] (ranking), [`weight`] (weights), [`highlight`]
//! (query words in a text), [`mod@diverse`] (near-duplicates); [`mod@entities`] (entities of a text), [`mod@edges`]
//! (their relations).

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
