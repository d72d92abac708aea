//! The tests that see the crate as its users do: golden trees and properties.

mod golden;
mod hostile;
mod properties;
mod tree;
