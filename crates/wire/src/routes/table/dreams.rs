//! Rows about dreams.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::param::params;
use crate::{DreamReasonsV1, DreamStatusV1, DreamsV1, JobV1, QuarantineClearedV1, QuarantineV1, UndoV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            limit?: Whole { min: 1, max: 1_000, default: Some(20) }, "Maximum number of passes.";
        },
        ..row(
            RouteVerb::Dreams,
            (Method::Get, "/v1/agents/{agent}/dreams"),
            RouteRight::Approve,
            "Past passes, newest first.",
            Answer::Json(of::<DreamsV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            engine?: Choice { of: &["recall", "logs"], default: None }, "The engine [default: the configured ones, else recall].";
            dry_run?: Flag { default: false }, "Only report what would be promoted.", "dryRun";
        }),
        ..row(
            RouteVerb::DreamStart,
            (Method::Post, "/v1/agents/{agent}/dreams"),
            RouteRight::Approve,
            "Starts a pass as a job. `logs` needs a configured language model.",
            Answer::Json(of::<JobV1>),
        )
    },
    row(
        RouteVerb::DreamStatus,
        (Method::Get, "/v1/agents/{agent}/dreams/status"),
        RouteRight::Approve,
        "When each engine ran and is due, what is unread, and what is quarantined.",
        Answer::Json(of::<DreamStatusV1>),
    ),
    RouteSpec {
        query: params! {
            text?: Text, "Words of the passage.";
            path?: Text, "Only passages of this file.";
            limit?: Whole { min: 1, max: 1_000, default: Some(20) }, "Maximum number of reasons.";
        },
        ..row(
            RouteVerb::DreamWhy,
            (Method::Get, "/v1/agents/{agent}/dreams/reasons"),
            RouteRight::Approve,
            "Why passages were promoted or not, newest first.",
            Answer::Json(of::<DreamReasonsV1>),
        )
    },
    row(
        RouteVerb::DreamQuarantine,
        (Method::Get, "/v1/agents/{agent}/dreams/quarantine"),
        RouteRight::Approve,
        "Logs that no pass reads, since something in them looks like a secret.",
        Answer::Json(of::<QuarantineV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            files?: Texts, "Names of the logs.";
        }),
        ..row(
            RouteVerb::DreamClear,
            (Method::Post, "/v1/agents/{agent}/dreams/quarantine/clear"),
            RouteRight::Approve,
            "Releases quarantined logs, by name; without names all of them.",
            Answer::Json(of::<QuarantineClearedV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            dry_run?: Flag { default: false }, "Only show the difference.", "dryRun";
        }),
        ..row(
            RouteVerb::DreamRevert,
            (Method::Post, "/v1/agents/{agent}/dreams/{run}/revert"),
            RouteRight::Approve,
            "Undoes what a pass wrote.",
            Answer::Json(of::<UndoV1>),
        )
    },
];
