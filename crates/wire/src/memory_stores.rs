//! Memory stores as Anthropic's API answers them, with its names: one store for each agent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shape::theirs;

theirs! {
    /// A store.
    pub struct MemoryStoreV1 {
        /// `memory_store`.
        pub r#type: &'static str,
        /// The id of the agent.
        pub id: String,
        /// The same.
        pub name: String,
        /// Empty.
        pub description: String,
        /// When the settings of the agent last changed, for its owner; else 1970, RFC 3339.
        pub created_at: String,
        /// The same.
        pub updated_at: String,
        /// Null.
        pub archived_at: Option<String>,
    }

    /// The stores that a caller may use.
    pub struct MemoryStoresV1 {
        /// Each store.
        pub data: Vec<MemoryStoreV1>,
        /// Null: these are all.
        pub next_page: Option<String>,
    }

    /// A memory: one file.
    pub struct StoredMemoryV1 {
        /// `memory`.
        pub r#type: &'static str,
        /// Its id, which follows from its path.
        pub id: String,
        /// Its store.
        pub memory_store_id: String,
        /// The version that this is.
        pub memory_version_id: String,
        /// From the root of the store, such as `/topics/bread.md`.
        pub path: String,
        /// The sha256 of the content as this caller sees it.
        pub content_sha256: String,
        /// Its size in bytes.
        pub content_size_bytes: usize,
        /// When it was created, as far as that is recorded, RFC 3339.
        pub created_at: String,
        /// When it changed.
        pub updated_at: String,
        /// The text, with `view=full`.
        pub content: Option<String>,
    }

    /// A folder in a list of depth 1.
    pub struct MemoryPrefixV1 {
        /// `memory_prefix`.
        pub r#type: &'static str,
        /// Such as `/topics/`.
        pub path: String,
    }

    /// Memories by path.
    pub struct StoredMemoriesV1 {
        /// Memories, and folders in a list of depth 1.
        pub data: Vec<MemoryRowV1>,
        /// The parameter `page` of the next ones; null at the end.
        pub next_page: Option<String>,
    }

    /// A memory that was removed.
    pub struct MemoryDeletedV1 {
        /// `memory_deleted`.
        pub r#type: &'static str,
        /// Its id.
        pub id: String,
    }

    /// A recorded version of a memory.
    pub struct MemoryVersionV1 {
        /// `memory_version`.
        pub r#type: &'static str,
        /// Its id.
        pub id: String,
        /// The memory.
        pub memory_id: String,
        /// Its store.
        pub memory_store_id: String,
        /// `created`, `modified` or `deleted`.
        pub operation: &'static str,
        /// When, RFC 3339.
        pub created_at: String,
        /// Who.
        pub created_by: MemoryActorV1,
        /// The path.
        pub path: String,
        /// The sha256 of its content; null for a removal.
        pub content_sha256: Option<String>,
        /// Its size in bytes.
        pub content_size_bytes: Option<usize>,
        /// The text, with `view=full`.
        pub content: Option<String>,
    }

    /// Who made a version.
    pub struct MemoryActorV1 {
        /// `user_actor`, `session_actor` or `api_actor`.
        pub r#type: &'static str,
        /// `owner`.
        pub user_id?: Option<String>,
        /// The session.
        pub session_id?: Option<String>,
        /// `agent`, or another program.
        pub api_key_id?: Option<String>,
    }

    /// Versions, newest first.
    pub struct MemoryVersionsV1 {
        /// Each version.
        pub data: Vec<MemoryVersionV1>,
        /// Null: older ones are in the history of the agent.
        pub next_page: Option<String>,
    }

    /// A failure of this API.
    pub struct MemoryFailureV1 {
        /// `error`.
        pub r#type: &'static str,
        /// What failed.
        pub error: MemoryFailureReasonV1,
        /// The id of the trace.
        pub request_id: Option<String>,
    }

    /// What failed.
    pub struct MemoryFailureReasonV1 {
        /// The type in Anthropic's API, such as `not_found_error`.
        pub r#type: &'static str,
        /// A sentence.
        pub message: String,
        /// Stable name of the kind of failure.
        pub code: &'static str,
        /// What can be done about it.
        pub hint: crate::HintV1,
        /// The proposal that waits, for a write that needs approval.
        pub proposal?: Option<String>,
        /// For a precondition that failed: the sha256 now, null when it is gone.
        pub current_sha256?: Option<Option<String>>,
    }
}

/// A memory or a folder.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MemoryRowV1 {
    /// A memory.
    Memory(StoredMemoryV1),
    /// A folder.
    Prefix(MemoryPrefixV1),
}

/// A new memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryCreateV1 {
    /// From the root of the store, such as `/topics/bread.md`.
    pub path: String,
    /// The text.
    pub content: String,
}

/// A changed memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryChangeV1 {
    /// The new text.
    pub content: String,
    /// The version that is replaced.
    pub precondition: Option<MemoryPreconditionV1>,
}

/// The version that a change replaces.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryPreconditionV1 {
    /// `content_sha256`.
    pub r#type: String,
    /// The sha256 that was read.
    pub content_sha256: String,
}
