//! A change that the gate approved. Nothing else can be written.
//!
//! The fields are private, the type cannot be copied, and only this crate constructs it. So everything that reaches
//! `Workspace::apply` was judged, and is applied once (D2).
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

/// A change that may be applied once.
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

    /// The change.
    pub fn change(&self) -> &C {
        &self.change
    }

    /// Findings that did not prevent it.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}
