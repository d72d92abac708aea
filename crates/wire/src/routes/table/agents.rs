//! Rows about agents as a whole.

use super::{of, row};
use crate::routes::{Answer, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::StatusForV1;
use crate::tools::param::params;
use crate::{AuditRowV1, DoctorV1, ServedAgentsV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::Agents,
        (Method::Get, "/v1/agents"),
        RouteRight::Read,
        "The agents that the caller may use.",
        Answer::Json(of::<ServedAgentsV1>),
    ),
    row(
        RouteVerb::Status,
        (Method::Get, "/v1/agents/{agent}"),
        RouteRight::Read,
        "An overview of an agent: its files by kind, its days, its index.",
        Answer::Json(of::<StatusForV1>),
    ),
    row(
        RouteVerb::Doctor,
        (Method::Get, "/v1/agents/{agent}/doctor"),
        RouteRight::Approve,
        "Checks of the agent: findings with hints, and counts.",
        Answer::Json(of::<DoctorV1>),
    ),
    RouteSpec {
        query: params! {
            after?: Whole { min: 0, max: 9_007_199_254_740_991, default: None }, "Number of the last event that the caller has [default: the header `Last-Event-ID`, else only what happens from now on].";
        },
        ..row(
            RouteVerb::Events,
            (Method::Get, "/v1/agents/{agent}/events"),
            RouteRight::Approve,
            "Changes, proposals and decisions as they are recorded by any process: a stream of server-sent events whose ids are the rows of the audit log.",
            Answer::Events(of::<AuditRowV1>),
        )
    },
];
