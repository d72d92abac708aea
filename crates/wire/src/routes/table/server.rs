//! Rows about the server itself.

use super::{object, of, row};
use crate::ServerVersionV1;
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::Health,
        (Method::Get, "/healthz"),
        RouteRight::Nothing,
        "Whether the process runs.",
        Answer::Nothing,
    ),
    row(
        RouteVerb::Ready,
        (Method::Get, "/readyz"),
        RouteRight::Nothing,
        "Whether the server takes requests: not while it shuts down.",
        Answer::Nothing,
    ),
    row(
        RouteVerb::Version,
        (Method::Get, "/version"),
        RouteRight::Read,
        "The version of the server.",
        Answer::Json(of::<ServerVersionV1>),
    ),
    row(
        RouteVerb::OpenApi,
        (Method::Get, "/openapi.json"),
        RouteRight::Nothing,
        "This document: every route with its parameters and answers, as OpenAPI 3.1.",
        Answer::Object,
    ),
    row(RouteVerb::Docs, (Method::Get, "/docs"), RouteRight::Nothing, "The same as a page.", Answer::Html),
    row(
        RouteVerb::Metrics,
        (Method::Get, "/metrics"),
        RouteRight::Read,
        "Figures of the server for Prometheus. They are about all agents and scopes, so a token for one of them does not read them.",
        Answer::Metrics,
    ),
    RouteSpec {
        body: Body::Shape(object),
        ..row(
            RouteVerb::Mcp,
            (Method::Post, "/mcp"),
            RouteRight::Read,
            "MCP over streamable HTTP, in both protocol versions, without sessions: the tools of the agent and scope of the token. A token to read has the tools that read.",
            Answer::Object,
        )
    },
];
