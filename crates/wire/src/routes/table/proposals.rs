//! Rows about proposals.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::KeptV1;
use crate::tools::param::params;
use crate::{InboxV1, RejectedV1, ShownProposalV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            all?: Flag { default: false }, "Decided proposals too.";
        },
        ..row(
            RouteVerb::Proposals,
            (Method::Get, "/v1/agents/{agent}/proposals"),
            RouteRight::Approve,
            "Changes that wait for approval.",
            Answer::Json(of::<InboxV1>),
        )
    },
    row(
        RouteVerb::Proposal,
        (Method::Get, "/v1/agents/{agent}/proposals/{id}"),
        RouteRight::Approve,
        "One proposal: its difference to the current file, its source, its findings, and the confirmation code.",
        Answer::Json(of::<ShownProposalV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            confirm: Text, "`confirm` of the proposal as it was read, so that only what was read is written.";
            allow_secret?: Flag { default: false }, "Write it even if it contains what looks like a secret.", "allowSecret";
        }),
        ..row(
            RouteVerb::Approve,
            (Method::Post, "/v1/agents/{agent}/proposals/{id}/approve"),
            RouteRight::Approve,
            "Approves a proposal: it is written.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            reason?: Text, "Why, shown to the agent.";
        }),
        ..row(
            RouteVerb::Reject,
            (Method::Post, "/v1/agents/{agent}/proposals/{id}/reject"),
            RouteRight::Approve,
            "Rejects a proposal; the same text is not proposed again.",
            Answer::Json(of::<RejectedV1>),
        )
    },
];
