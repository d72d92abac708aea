//! Long work of the server, which a caller starts and asks about.

use crate::shape::shape;
use crate::{BackupV1, DreamRunV1, ErrorV1};

shape! {
    /// One job.
    pub struct JobV1 {
        /// Its id.
        pub id: String,
        /// What it does: `dream` or `backup`.
        pub kind: &'static str,
        /// `running`, `done` or `failed`.
        pub state: &'static str,
        /// When it started, UTC.
        pub started_at: String,
        /// When it ended, UTC.
        pub ended_at?: Option<String>,
        /// The result of a dream.
        pub dream?: Option<DreamRunV1>,
        /// The result of a backup.
        pub backup?: Option<BackupV1>,
        /// Why it failed.
        pub error?: Option<ErrorV1>,
    }

    /// The jobs of an agent, newest first.
    pub struct JobsV1 {
        /// Those that run, and the last ones that ended since the server started.
        pub jobs: Vec<JobV1>,
    }

    /// The backups that the server made of an agent, newest first.
    pub struct BackupsV1 {
        /// Each of them.
        pub backups: Vec<MadeBackupV1>,
    }

    /// One backup in a list.
    pub struct MadeBackupV1 {
        /// Its name: when it was made, UTC.
        pub name: String,
        /// Where it is.
        pub folder: String,
    }
}
