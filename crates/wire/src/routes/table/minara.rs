//! Rows about Minara's API.

use super::{of, row};
use crate::foreign_api::{MinaraFileV1, MinaraFilesV1, MinaraPutV1, MinaraV1};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};

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
];
