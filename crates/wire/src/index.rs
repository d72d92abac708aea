//! What is searched: an index that was built anew, vectors that were added.

use crate::shape::shape;
use inwit_engine::EmbedReport;

shape! {
    /// Vectors that were added.
    pub struct EmbeddedV1 {
        /// The model.
        pub model: String,
        /// Passages that got a vector.
        pub embedded: usize,
        /// Those that the model refused.
        pub failed: usize,
        /// Those of whose words the model knows too few.
        pub skipped: usize,
        /// Those that still wait.
        pub waiting: usize,
        /// Facts that got a vector.
        pub facts: usize,
    }

    /// An index that was built anew.
    pub struct RebuiltV1 {
        /// Files in it.
        pub files: usize,
        /// Files that could not be read.
        pub unread: usize,
    }
}

impl EmbeddedV1 {
    /// Translates a report; `facts` got a vector too.
    pub fn new(report: &EmbedReport, facts: usize) -> Self {
        Self {
            model: report.model.clone(),
            embedded: report.embedded,
            failed: report.failed,
            skipped: report.skipped,
            waiting: report.waiting,
            facts,
        }
    }
}
