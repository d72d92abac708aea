//! Files as the HTTP APIs of Minara and MindRoom answer them, with their names.

use serde::{Deserialize, Deserializer};

use crate::shape::theirs;

theirs! {
    /// Minara's envelope.
    pub struct MinaraV1<T> {
        /// True.
        pub ok: bool,
        /// The answer.
        pub data: T,
    }

    /// The eight files of a Minara workspace.
    pub struct MinaraFilesV1 {
        /// The workspace; empty for who is not its owner.
        pub workspace_dir: String,
        /// Each file, also an absent one.
        pub files: Vec<MinaraFileV1>,
    }

    /// One of them.
    pub struct MinaraFileV1 {
        /// Its name.
        pub name: &'static str,
        /// Whether it is there.
        pub exists: bool,
        /// Its size in bytes.
        pub size: u64,
        /// When it changed, milliseconds since 1970.
        pub mtime: Option<i64>,
        /// Its sha256.
        pub sha256: Option<String>,
        /// Its text; only of one file that is read.
        pub content?: Option<String>,
        /// The proposal that waits, where a change was not written.
        pub proposal?: Option<String>,
    }

    /// The files of a MindRoom workspace.
    pub struct MindroomFilesV1 {
        /// The agent.
        pub agent_name: String,
        /// Each file.
        pub files: Vec<MindroomFileV1>,
        /// How many.
        pub count: usize,
    }

    /// One of them.
    pub struct MindroomFileV1 {
        /// Its name.
        pub filename: String,
        /// Its text; only of one file that is read.
        pub content?: Option<String>,
        /// Its size in bytes.
        pub size_bytes: u64,
        /// When it changed, RFC 3339.
        pub last_modified: String,
        /// The agent.
        pub agent_name: String,
        /// The proposal that waits, where a change was not written.
        pub proposal?: Option<String>,
    }

    /// The daily logs of a date.
    pub struct MindroomDayV1 {
        /// The agent.
        pub agent_name: String,
        /// `YYYY-MM-DD`.
        pub date: String,
        /// Each log of that date.
        pub entries: Vec<MindroomFileV1>,
    }

    /// What the next prompt is made of.
    pub struct MindroomReportV1 {
        /// The agent.
        pub agent_name: String,
        /// The room, if any.
        pub room_id: Option<String>,
        /// Whether it is a private conversation.
        pub is_dm: bool,
        /// Files in the prompt.
        pub loaded_files: Vec<MindroomLoadedV1>,
        /// Missing and large files.
        pub warnings: Vec<String>,
    }

    /// One file in a prompt.
    pub struct MindroomLoadedV1 {
        /// Its name.
        pub filename: String,
        /// Bytes of it in the prompt.
        pub size_bytes: usize,
        /// What it is.
        pub category: &'static str,
    }
}

/// A file that Minara saves.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinaraPutV1 {
    /// The whole text.
    pub content: String,
    /// The sha256 of the version that was read; null to create the file. It must be there.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "Option<String>", required)]
    pub expected_sha256: Option<Option<String>>,
}

/// A file that MindRoom saves.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MindroomPutV1 {
    /// The whole text.
    pub content: String,
}

/// A value that is there, if only as null.
fn said<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(from).map(Some)
}
