//! Rules about outcomes, methods and preferences.
//!
//! An outcome counts for every method of its decision ([`attribution`]); by its record a method is demoted or may
//! graduate ([`method`]); a frequently observed preference is proposed to the owner ([`preference`]). Invariants:
//! pure functions, so equal outcomes give equal states on every machine; only a person activates a method or
//! preference (M7, M68); facts are not used here, so neither side can change the other (M11). Reading order:
//! [`method`], [`attribution`], [`preference`].

pub mod attribution;
pub mod method;
pub mod preference;
