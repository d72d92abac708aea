//! Rows about Minara's API.

use super::{of, row};
use crate::foreign_api::{
    MinaraChangedV1, MinaraFileV1, MinaraFilesV1, MinaraMemoryPatchV1, MinaraMemoryPostV1, MinaraMemoryV1,
    MinaraProfilePutV1, MinaraProfileV1, MinaraPromptPutV1, MinaraPromptV1, MinaraPutV1, MinaraTagPutV1,
    MinaraTagV1, MinaraV1,
};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::minara_facts::MemoriesV1;
use crate::tools::param::params;

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::MinaraFiles,
        (Method::Get, "/v1/workspace/files"),
        RouteRight::Read,
        "Minara: its eight files, with sizes, times and hashes.",
        Answer::Json(of::<MinaraV1<MinaraFilesV1>>),
    ),
    row(
        RouteVerb::MinaraRead,
        (Method::Get, "/v1/workspace/files/{name}"),
        RouteRight::Read,
        "Minara: one of its files.",
        Answer::Json(of::<MinaraV1<MinaraFileV1>>),
    ),
    RouteSpec {
        body: Body::Shape(of::<MinaraPutV1>),
        ..row(
            RouteVerb::MinaraWrite,
            (Method::Put, "/v1/workspace/files/{name}"),
            RouteRight::Propose,
            "Minara: saves a file over the version with `expected_sha256`; null creates it. Another version is answered with 409, and more than 256 KB with 413.",
            Answer::Json(of::<MinaraV1<MinaraFileV1>>),
        )
    },
    RouteSpec {
        query: params! {
            limit?: Whole { min: 1, max: 500, default: Some(50) }, "Maximum number of memories.";
        },
        ..row(
            RouteVerb::MinaraMemories,
            (Method::Get, "/v1/memory"),
            RouteRight::Read,
            "Minara: memories of category `personalization`, last changed first. Masked for every caller.",
            Answer::Json(of::<MinaraV1<MemoriesV1>>),
        )
    },
    RouteSpec {
        body: Body::Shape(of::<MinaraMemoryPostV1>),
        ..row(
            RouteVerb::MinaraMemoryAdd,
            (Method::Post, "/v1/memory"),
            RouteRight::Propose,
            "Minara: adds a memory. Its `id` is null while it waits for approval.",
            Answer::Json(of::<MinaraMemoryV1>),
        )
    },
    RouteSpec {
        body: Body::Shape(of::<MinaraMemoryPatchV1>),
        ..row(
            RouteVerb::MinaraMemoryChange,
            (Method::Patch, "/v1/memory/{id}"),
            RouteRight::Approve,
            "Minara: changes a memory that its user added; another one is refused with 403.",
            Answer::Json(of::<MinaraChangedV1>),
        )
    },
    row(
        RouteVerb::MinaraMemoryRemove,
        (Method::Delete, "/v1/memory/{id}"),
        RouteRight::Approve,
        "Minara: removes a memory that its user added. It can be restored for 30 days.",
        Answer::Json(of::<MinaraChangedV1>),
    ),
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::MinaraMemoryRestore,
            (Method::Post, "/v1/memory/{id}/restore"),
            RouteRight::Approve,
            "Minara: restores a removed memory.",
            Answer::Json(of::<MinaraChangedV1>),
        )
    },
    row(
        RouteVerb::MinaraProfile,
        (Method::Get, "/v1/profile"),
        RouteRight::Read,
        "Minara: memories, tags and instructions of the user. Masked for every caller.",
        Answer::Json(of::<MinaraV1<MinaraProfileV1>>),
    ),
    RouteSpec {
        body: Body::Shape(of::<MinaraProfilePutV1>),
        ..row(
            RouteVerb::MinaraProfileWrite,
            (Method::Put, "/v1/profile"),
            RouteRight::Propose,
            "Minara: sets values of the profile by key; null removes one.",
            Answer::Json(of::<MinaraV1<MinaraProfileV1>>),
        )
    },
    RouteSpec {
        query: params! {
            key?: Text, "Only this key.";
        },
        ..row(
            RouteVerb::MinaraProfileRemove,
            (Method::Delete, "/v1/profile"),
            RouteRight::Approve,
            "Minara: removes a value of the profile, or all of them.",
            Answer::Json(of::<MinaraChangedV1>),
        )
    },
    RouteSpec {
        body: Body::Shape(of::<MinaraTagPutV1>),
        ..row(
            RouteVerb::MinaraTag,
            (Method::Put, "/v1/profile/tags/{name}"),
            RouteRight::Propose,
            "Minara: sets a tag; null removes it.",
            Answer::Json(of::<MinaraV1<MinaraTagV1>>),
        )
    },
    RouteSpec {
        body: Body::Shape(of::<MinaraPromptPutV1>),
        ..row(
            RouteVerb::MinaraPrompt,
            (Method::Put, "/v1/profile/prompt"),
            RouteRight::Propose,
            "Minara: sets the user's own instructions; an empty text removes them. Line ends become blanks.",
            Answer::Json(of::<MinaraV1<MinaraPromptV1>>),
        )
    },
];
