//! Rows about the history.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::KeptV1;
use crate::tools::param::params;
use crate::{BlameV1, DiffV1, HistoryV1, RevisionV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            path?: Text, "Only changes of this file.";
            session?: Text, "Only changes of this session.";
            limit?: Whole { min: 1, max: 1_000, default: Some(20) }, "Maximum number of changes.";
        },
        ..row(
            RouteVerb::History,
            (Method::Get, "/v1/agents/{agent}/history"),
            RouteRight::Approve,
            "Recorded changes, newest first.",
            Answer::Json(of::<HistoryV1>),
        )
    },
    RouteSpec {
        query: params! {
            from?: Text, "The earlier revision [default: the one before the last change].";
            to?: Text, "The later revision [default: the newest].";
            path?: Text, "Only this file.";
        },
        ..row(
            RouteVerb::Diff,
            (Method::Get, "/v1/agents/{agent}/diff"),
            RouteRight::Approve,
            "The difference between two revisions, or the last change.",
            Answer::Json(of::<DiffV1>),
        )
    },
    RouteSpec {
        query: params! {
            from?: Whole { min: 1, max: 4_294_967_295, default: Some(1) }, "First line, from 1. At most 500 lines are answered.";
        },
        ..row(
            RouteVerb::Blame,
            (Method::Get, "/v1/agents/{agent}/blame/{path}"),
            RouteRight::Approve,
            "Who wrote each line of a file, when, and by which proposal or session.",
            Answer::Json(of::<BlameV1>),
        )
    },
    RouteSpec {
        query: params! {
            at: Text, "A revision, as the history lists it.";
        },
        ..row(
            RouteVerb::Revision,
            (Method::Get, "/v1/agents/{agent}/revisions/{path}"),
            RouteRight::Approve,
            "A file as it was at a revision.",
            Answer::Json(of::<RevisionV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            at: Text, "A revision, as the history lists it.";
        }),
        ..row(
            RouteVerb::RevisionRestore,
            (Method::Post, "/v1/agents/{agent}/revisions/{path}"),
            RouteRight::Approve,
            "Proposes a file as it was at a revision. Approve the proposal to write it; the current content stays in the history.",
            Answer::Json(of::<KeptV1>),
        )
    },
];
