//! Results of rebuilding the index and of filling vectors.

use crate::shape::shape;
use inwit_engine::EmbedReport;

shape! {
    /// Vectors that were added.
    pub struct EmbeddedV1 by
    /// Translates a report; `facts` got a vector too.
    pub fn new(report: &EmbedReport, facts: usize) {
        /// The model.
        pub model: String = report.model.clone(),
        /// Passages that got a vector.
        pub embedded: usize = report.embedded,
        /// Those that the model refused.
        pub failed: usize = report.failed,
        /// Those of whose words the model knows too few.
        pub skipped: usize = report.skipped,
        /// Those that still wait.
        pub waiting: usize = report.waiting,
        /// Facts that got a vector.
        pub facts: usize = facts,
    }

    /// A rebuilt index.
    pub struct RebuiltV1 {
        /// Files in it.
        pub files: usize,
        /// Files that could not be read.
        pub unread: usize,
    }
}
