//! The pure rules of a review: what a language model reads of a session, and which parts of its answer are kept.
//!
//! No clock, no files and no model. Invariant: neither the model nor the session is trusted: a fact is kept only if
//! the user's own words say it. Reading order: [`question`], [`answer`], [`own_words`] (what the user wrote
//! themselves), [`content`] (names, figures and negations of a text), [`guard`] (the decision about each fact).

pub mod answer;
pub mod content;
pub mod guard;
pub mod own_words;
pub mod question;

pub use answer::{ReviewAnswer, StatedFact};
pub use guard::{Guard, SpokenTurn};
pub use question::{HeardTurn, Wanted};
