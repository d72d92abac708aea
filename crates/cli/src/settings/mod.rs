//! Settings: a table, layers with origins, and what they make of a profile.
//!
//! Reading order: [`table`], [`provider`], [`weights`], [`unread`], [`layers`], [`resolve`].

pub mod edit;
pub mod layers;
pub mod provider;
pub mod resolve;
pub mod table;
pub mod unread;
pub mod weights;

pub use layers::{Layers, Origin, Problem, Value};
pub use provider::Provider;
pub use resolve::{HttpSaid, Settings};
