//! Rows about files of a workspace.

use super::{of, row};
use crate::FileListV1;
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::KeptV1;
use crate::tools::param::params;

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::Files,
        (Method::Get, "/v1/agents/{agent}/files"),
        RouteRight::Read,
        "The files that the scope sees, in byte order.",
        Answer::Json(of::<FileListV1>),
    ),
    row(
        RouteVerb::FileRead,
        (Method::Get, "/v1/agents/{agent}/files/{path}"),
        RouteRight::Read,
        "A file, with its sha256 as ETag. With a token to approve, the stored bytes; otherwise masked text, whose ETag is the sha256 of that text if something is masked.",
        Answer::File,
    ),
    RouteSpec {
        query: params! {
            reason?: Text, "Why, for the history and for the person who approves.";
        },
        body: Body::Text,
        is_conditional: true,
        ..row(
            RouteVerb::FileWrite,
            (Method::Put, "/v1/agents/{agent}/files/{path}"),
            RouteRight::Propose,
            "Replaces a file that has the ETag in `If-Match`, or creates one with `If-None-Match: *`. The gate decides; the answer says whether it is written or waits for approval.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        query: params! {
            reason?: Text, "Why, for the history and for the person who approves.";
        },
        is_conditional: true,
        ..row(
            RouteVerb::FileRemove,
            (Method::Delete, "/v1/agents/{agent}/files/{path}"),
            RouteRight::Propose,
            "Removes a file that has the ETag in `If-Match`. Its content stays in the history.",
            Answer::Json(of::<KeptV1>),
        )
    },
];
