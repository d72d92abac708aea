//! What the gate let through. Nothing else can be written.
//!
//! The fields are private, there is no way to copy or read one back, and only this crate makes one:
//! so whatever reaches `Workspace::apply` was judged, once (D2).
//!
//! ```compile_fail,E0451
//! fn forge(change: inwit_gate::Change) -> inwit_gate::Approved<inwit_gate::Change> {
//!     inwit_gate::Approved { change, findings: Vec::new() }
//! }
//! ```
//!
//! ```compile_fail,E0624
//! fn forge(change: inwit_gate::Change) -> inwit_gate::Approved<inwit_gate::Change> {
//!     inwit_gate::Approved::mint(change, Vec::new())
//! }
//! ```
//!
//! ```compile_fail,E0599
//! fn twice(approved: inwit_gate::Approved<inwit_gate::Change>) {
//!     let again = approved.clone();
//! }
//! ```

use crate::finding::Finding;

/// A change that may be carried out, once.
#[derive(Debug)]
#[must_use = "an approved change is not yet written"]
pub struct Approved<C> {
    change: C,
    findings: Vec<Finding>,
}

impl<C> Approved<C> {
    pub(crate) fn mint(change: C, findings: Vec<Finding>) -> Self {
        Self { change, findings }
    }

    /// What may be done.
    pub fn change(&self) -> &C {
        &self.change
    }

    /// What was noticed and let pass.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}
