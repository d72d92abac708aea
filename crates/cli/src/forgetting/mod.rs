//! Forgetting for good, as far as it is a matter of the home and not of the agent: copies of memory.db, what is
//! derived, files that lie beside notes; and the look that proves it.
//!
//! Reading order: [`deed`], [`register`] (what is known of it afterwards), [`home`] (what goes), [`scan`] (what is
//! left), [`needle`] (how it is looked for where machines wrote it). Invariant: the look reads a text by the same function
//! as the removal, so that whatever it finds in a text of ours can be taken; where the look finds it, and that nothing is
//! passed over, is its own matter.

pub mod deed;
pub mod home;
pub mod needle;
pub mod register;
pub mod scan;
