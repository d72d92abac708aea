//! Backups, and results or plans of a restore.

use crate::NoticeV1;
use crate::shape::shape;

shape! {
    /// A backup that was made.
    pub struct BackupV1 {
        /// Whose.
        pub agent: String,
        /// Where it is.
        pub folder: String,
        /// Files in it.
        pub files: usize,
        /// Their size.
        pub bytes: u64,
        /// Paths of the workspace that are not in it.
        pub left_out: Vec<String>,
        /// What earlier ones that did not end left.
        pub drafts?: Vec<String>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// A restore, or the plan of one.
    pub struct RestoreV1 {
        /// Whether it was done.
        pub applied: bool,
        /// The agent that is restored.
        pub agent: String,
        /// Its folder.
        pub home: String,
        /// Its workspace.
        pub workspace: String,
        /// When the backup was made, RFC 3339.
        pub made: String,
        /// Files in it.
        pub files: usize,
        /// Their size.
        pub bytes: u64,
        /// What moves aside, or where it is now.
        pub aside: Vec<String>,
        /// Whether a restore is refused without `--force`.
        pub needs_force: bool,
        /// Where the workspace was, if that is another place.
        pub former_workspace?: Option<String>,
        /// Settings of its agent.toml that are not restored.
        pub dropped_settings?: Vec<String>,
        /// Settings of its agent.toml whose text stands in every prompt of the agent.
        pub prompt_settings?: Vec<&'static str>,
        /// Whether the backup holds an older history as well, which is not restored.
        pub older_history_left_out?: bool,
        /// What it came to, once it is done.
        #[serde(flatten)]
        pub outcome: Option<RestoredV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// What a restore came to.
    pub struct RestoredV1 {
        /// Rows of the audit log, if it is intact.
        pub audit_rows?: Option<u64>,
        /// Texts that had been erased for good since the backup was made, and were erased again.
        pub forgotten_again: usize,
        /// Texts that stand in history, of which an earlier version did not keep whether it was to be rewritten for them.
        pub history_unsaid?: Option<usize>,
        /// What was accepted where the backup was made, and is shown to models here too.
        pub accepted?: Vec<AcceptedPlaceV1>,
    }

    /// A place that was accepted.
    pub struct AcceptedPlaceV1 {
        /// Its file.
        pub path: String,
        /// Its line, from 1.
        pub line: usize,
        /// What stands there, as a class.
        pub class: String,
    }
}
