//! Rows about Anthropic's memory stores. Its clients send `beta` with every request.

use super::{of, row};
use crate::memory_stores::{
    MemoryChangeV1, MemoryCreateV1, MemoryDeletedV1, MemoryStoreV1, MemoryStoresV1, MemoryVersionV1,
    MemoryVersionsV1, StoredMemoriesV1, StoredMemoryV1,
};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::Param;
use crate::tools::param::params;

/// What its clients send.
const BETA: Param = params! { beta?: Text, "Sent by clients of Anthropic; ignored."; }[0];

/// Whether the text is answered.
const VIEW: Param = params! {
    view?: Choice { of: &["basic", "full"], default: None }, "Whether `content` is answered [default: full for one that is read, else basic].";
}[0];

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! { ..BETA; },
        ..row(
            RouteVerb::Stores,
            (Method::Get, "/v1/memory_stores"),
            RouteRight::Read,
            "Anthropic: the stores of the caller, one for each agent.",
            Answer::Json(of::<MemoryStoresV1>),
        )
    },
    RouteSpec {
        query: params! { ..BETA; },
        ..row(
            RouteVerb::Store,
            (Method::Get, "/v1/memory_stores/{agent}"),
            RouteRight::Read,
            "Anthropic: one store.",
            Answer::Json(of::<MemoryStoreV1>),
        )
    },
    RouteSpec {
        query: params! {
            ..BETA;
            path_prefix?: Text, "Only memories below this folder, such as `/topics/`.";
            depth?: Whole { min: 0, max: 1, default: Some(0) }, "1: only memories of this folder itself, and the folders in it.";
            limit?: Whole { min: 1, max: 200, default: Some(50) }, "Maximum number of rows.";
            page?: Text, "`next_page` of the page before.";
        },
        ..row(
            RouteVerb::StoredMemories,
            (Method::Get, "/v1/memory_stores/{agent}/memories"),
            RouteRight::Read,
            "Anthropic: memories in order of their paths. A memory is a file below `memory/` of the agent.",
            Answer::Json(of::<StoredMemoriesV1>),
        )
    },
    RouteSpec {
        query: params! { ..BETA; ..VIEW; },
        body: Body::Shape(of::<MemoryCreateV1>),
        ..row(
            RouteVerb::StoredMemoryCreate,
            (Method::Post, "/v1/memory_stores/{agent}/memories"),
            RouteRight::Propose,
            "Anthropic: creates a memory. One that is there is refused with 409, and one that waits for approval is answered with 403 and its proposal.",
            Answer::Json(of::<StoredMemoryV1>),
        )
    },
    RouteSpec {
        query: params! { ..BETA; ..VIEW; },
        ..row(
            RouteVerb::StoredMemory,
            (Method::Get, "/v1/memory_stores/{agent}/memories/{memory}"),
            RouteRight::Read,
            "Anthropic: one memory.",
            Answer::Json(of::<StoredMemoryV1>),
        )
    },
    RouteSpec {
        query: params! { ..BETA; ..VIEW; },
        body: Body::Shape(of::<MemoryChangeV1>),
        ..row(
            RouteVerb::StoredMemoryChange,
            (Method::Post, "/v1/memory_stores/{agent}/memories/{memory}"),
            RouteRight::Propose,
            "Anthropic: replaces the text of a memory over the version with `content_sha256`.",
            Answer::Json(of::<StoredMemoryV1>),
        )
    },
    RouteSpec {
        query: params! {
            ..BETA;
            expected_content_sha256?: Text, "The sha256 that was read. It must be there.";
        },
        ..row(
            RouteVerb::StoredMemoryRemove,
            (Method::Delete, "/v1/memory_stores/{agent}/memories/{memory}"),
            RouteRight::Propose,
            "Anthropic: removes a memory over the version with this sha256. Its text stays in the history.",
            Answer::Json(of::<MemoryDeletedV1>),
        )
    },
    RouteSpec {
        query: params! {
            ..BETA;
            ..VIEW;
            memory_id?: Text, "Only versions of this memory.";
            limit?: Whole { min: 1, max: 20, default: Some(20) }, "Maximum number of versions.";
        },
        ..row(
            RouteVerb::StoredVersions,
            (Method::Get, "/v1/memory_stores/{agent}/memory_versions"),
            RouteRight::Approve,
            "Anthropic: recorded versions of memories, newest first.",
            Answer::Json(of::<MemoryVersionsV1>),
        )
    },
    RouteSpec {
        query: params! { ..BETA; ..VIEW; },
        ..row(
            RouteVerb::StoredVersion,
            (Method::Get, "/v1/memory_stores/{agent}/memory_versions/{version}"),
            RouteRight::Approve,
            "Anthropic: one version.",
            Answer::Json(of::<MemoryVersionV1>),
        )
    },
];
