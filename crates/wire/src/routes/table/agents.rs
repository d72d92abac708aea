//! Rows about agents as a whole.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::StatusForV1;
use crate::tools::param::params;
use crate::{AuditRowV1, DoctorV1, InitV1, ServedAgentsV1, SettingV1, SettingsV1};

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
    RouteSpec {
        body: Body::Json(params! {
            id: Text, "Its id: lower-case letters, digits, `_` and `-`.";
            profile?: Text, "Its profile [default: that of the settings].";
            timezone?: Text, "IANA time zone of its days, such as `Europe/Madrid` [default: that of the settings].";
        }),
        ..row(
            RouteVerb::AgentCreate,
            (Method::Post, "/v1/agents"),
            RouteRight::Admin,
            "Creates an agent in the home of the server, with its first files. An existing one is refused with 409.",
            Answer::Json(of::<InitV1>),
        )
    },
    row(
        RouteVerb::Settings,
        (Method::Get, "/v1/agents/{agent}/settings"),
        RouteRight::Approve,
        "The settings that apply to an agent, and where each is set.",
        Answer::Json(of::<SettingsV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            value: Text, "The new value, as text.";
        }),
        ..row(
            RouteVerb::SettingSet,
            (Method::Put, "/v1/agents/{agent}/settings/{key}"),
            RouteRight::Admin,
            "Sets a setting of the agent; it applies from the next request on. Only sizes, counts and times are changed over HTTP; the others are changed on the machine of the server.",
            Answer::Json(of::<SettingV1>),
        )
    },
    row(
        RouteVerb::SettingUnset,
        (Method::Delete, "/v1/agents/{agent}/settings/{key}"),
        RouteRight::Admin,
        "Removes a setting of the agent, so that the one of the home or the default applies.",
        Answer::Json(of::<SettingV1>),
    ),
];
