//! Forgetting for good, as far as it is a matter of the home and not of the agent: copies of memory.db, what is
//! derived, files that lie beside notes; and the look that proves it.
//!
//! Reading order: [`deed`], [`register`] (what is known of it afterwards), [`home`] (what goes), [`scan`] (what is
//! left), [`needle`] and [`seen`] (how it is looked for). Invariant: the look shares no code with the removal, so that
//! neither hides a fault of the other.

pub mod deed;
pub mod home;
pub mod needle;
pub mod register;
pub mod scan;
mod seen;
