//! What outcomes teach.
//!
//! A decision rests on methods; how it ended speaks of each of them ([`attribution`]); by its record a method falls
//! back on trial or may graduate ([`method`]); what was seen often enough becomes a question to the owner
//! ([`preference`]). Invariants: pure, so the same outcomes give the same standing on every machine; nothing rises by
//! itself, a method or a preference holds by a person's word alone (M7, M68); facts are not known here, so neither
//! side can change the other (M11).
//! Reading order: [`method`], [`attribution`], [`preference`].

pub mod attribution;
pub mod method;
pub mod preference;
