//! Rows about sessions of a host.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::{AskV1, BeganV1, EndV1, EndedV1, StartV1, TurnV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        body: Body::Shape(of::<StartV1>),
        ..row(
            RouteVerb::SessionStart,
            (Method::Post, "/v1/agents/{agent}/sessions"),
            RouteRight::Write,
            "Starts a session of a host, or continues the one with this id: the prompt of its next turn. Its scope is the one of the request.",
            Answer::Json(of::<BeganV1>),
        )
    },
    RouteSpec {
        body: Body::Shape(of::<AskV1>),
        ..row(
            RouteVerb::SessionPrompt,
            (Method::Post, "/v1/agents/{agent}/sessions/prompt"),
            RouteRight::Write,
            "The prompt of a running session: the same prefix, and a new tail with passages for the question.",
            Answer::Json(of::<BeganV1>),
        )
    },
    RouteSpec {
        body: Body::Shape(of::<TurnV1>),
        ..row(
            RouteVerb::SessionTurn,
            (Method::Post, "/v1/agents/{agent}/sessions/turn"),
            RouteRight::Write,
            "Records a turn: what was said and read, and what the agent wants to write. With a `key`, a repeated turn is written once.",
            Answer::Object,
        )
    },
    RouteSpec {
        body: Body::Shape(of::<EndV1>),
        ..row(
            RouteVerb::SessionEnd,
            (Method::Post, "/v1/agents/{agent}/sessions/end"),
            RouteRight::Write,
            "Ends a session: the rest of its log is written, and its changes are committed.",
            Answer::Json(of::<EndedV1>),
        )
    },
];
