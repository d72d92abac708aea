//! Rows about access tokens.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::param::params;
use crate::{TokenCreatedV1, TokenRevokedV1, TokensV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::Tokens,
        (Method::Get, "/v1/tokens"),
        RouteRight::Admin,
        "The tokens of this server, without their text. With a token of one agent, those of that agent.",
        Answer::Json(of::<TokensV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            name: Text, "A name, by which it is listed.";
            right: Choice { of: &["read", "write", "approve", "admin"], default: None }, "What it allows, each including the ones before it.", "scope";
            agent?: Text, "The only agent it is for [default: all, or the agent of the calling token].";
            room?: Text, "The only room it is for.";
            shared?: Flag { default: false }, "Only for what every room may see.";
            expires_days?: Whole { min: 1, max: 3_650, default: None }, "Days until it expires [default: never].", "expiresDays";
        }),
        ..row(
            RouteVerb::TokenCreate,
            (Method::Post, "/v1/tokens"),
            RouteRight::Admin,
            "Creates a token. Its text is in this answer only.",
            Answer::Json(of::<TokenCreatedV1>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::TokenRotate,
            (Method::Post, "/v1/tokens/{id}/rotate"),
            RouteRight::Admin,
            "Replaces a token by a new one with the same rights; the old one stops working.",
            Answer::Json(of::<TokenCreatedV1>),
        )
    },
    row(
        RouteVerb::TokenRevoke,
        (Method::Delete, "/v1/tokens/{id}"),
        RouteRight::Admin,
        "Revokes a token; it stops working with the next request.",
        Answer::Json(of::<TokenRevokedV1>),
    ),
];
