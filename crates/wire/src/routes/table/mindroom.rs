//! Rows about MindRoom's API.

use super::{of, row};
use crate::foreign_api::{MindroomDayV1, MindroomFileV1, MindroomFilesV1, MindroomPutV1, MindroomReportV1};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::MindroomFiles,
        (Method::Get, "/api/workspace/{agent}/files"),
        RouteRight::Read,
        "MindRoom: SOUL.md, AGENTS.md, MEMORY.md and the files in `memory/`.",
        Answer::Json(of::<MindroomFilesV1>),
    ),
    row(
        RouteVerb::MindroomRead,
        (Method::Get, "/api/workspace/{agent}/file/{path}"),
        RouteRight::Read,
        "MindRoom: one of these files, with its ETag.",
        Answer::Json(of::<MindroomFileV1>),
    ),
    RouteSpec {
        body: Body::Shape(of::<MindroomPutV1>),
        is_conditional: true,
        ..row(
            RouteVerb::MindroomWrite,
            (Method::Put, "/api/workspace/{agent}/file/{path}"),
            RouteRight::Propose,
            "MindRoom: saves an existing file that has the ETag in `If-Match`. Another version is answered with 409, and a larger file than the profile allows with 400.",
            Answer::Json(of::<MindroomFileV1>),
        )
    },
    RouteSpec {
        is_conditional: true,
        ..row(
            RouteVerb::MindroomRemove,
            (Method::Delete, "/api/workspace/{agent}/file/{path}"),
            RouteRight::Propose,
            "MindRoom: removes a file that has the ETag in `If-Match`, by which the caller confirms it. Its content stays in the history.",
            Answer::Json(of::<MindroomFileV1>),
        )
    },
    row(
        RouteVerb::MindroomDays,
        (Method::Get, "/api/workspace/{agent}/memory/daily"),
        RouteRight::Read,
        "MindRoom: daily logs.",
        Answer::Json(of::<MindroomFilesV1>),
    ),
    row(
        RouteVerb::MindroomDay,
        (Method::Get, "/api/workspace/{agent}/memory/daily/{date}"),
        RouteRight::Read,
        "MindRoom: the daily logs of a date, with their text.",
        Answer::Json(of::<MindroomDayV1>),
    ),
    row(
        RouteVerb::MindroomReport,
        (Method::Get, "/api/agents/{agent}/context-report"),
        RouteRight::Read,
        "MindRoom: the files in the prompt of the scope, and warnings about missing and large ones.",
        Answer::Json(of::<MindroomReportV1>),
    ),
];
