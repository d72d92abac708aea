//! Rows about jobs and backups.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::{BackupsV1, JobV1, JobsV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::Jobs,
        (Method::Get, "/v1/agents/{agent}/jobs"),
        RouteRight::Approve,
        "Jobs of the agent that run, and those that ended since the server started.",
        Answer::Json(of::<JobsV1>),
    ),
    row(
        RouteVerb::Job,
        (Method::Get, "/v1/agents/{agent}/jobs/{id}"),
        RouteRight::Approve,
        "One job, with its result when it has ended.",
        Answer::Json(of::<JobV1>),
    ),
    row(
        RouteVerb::Backups,
        (Method::Get, "/v1/agents/{agent}/backups"),
        RouteRight::Admin,
        "Backups that the server made of the agent, newest first. A backup is restored on the machine of the server.",
        Answer::Json(of::<BackupsV1>),
    ),
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::BackupStart,
            (Method::Post, "/v1/agents/{agent}/backups"),
            RouteRight::Admin,
            "Starts a backup as a job. The server chooses its place, below `backups` in its home.",
            Answer::Json(of::<JobV1>),
        )
    },
];
