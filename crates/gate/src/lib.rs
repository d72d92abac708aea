//! What may pass between an agent's folder and the world: for now, names and sizes.
//!
//! A name that a face was given is judged here before anything is opened, so that no answer can
//! depend on what lies outside the list (X8). Invariant: no IO, and a verdict is a function of its
//! arguments alone.
//!
//! ```
//! use inwit_gate::readable;
//! use inwit_model::{Code, SafeName};
//!
//! let passes = |name| readable(&SafeName::parse(name).expect("a safe name")).map_err(|refusal| refusal.code);
//! assert!(passes("memory/2026-11-21.md").is_ok());
//! assert_eq!(passes("Soul.md"), Err(Code::NameRefused));
//! ```

pub mod hidden;
pub mod injection;
mod name;
pub mod secrets;

pub use name::{Refusal, creatable, readable};
