//! Rows about entities and the user profile.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::KeptV1;
use crate::tools::param::params;
use crate::{EdgesV1, EntitiesV1, NeighborhoodV1, UserProfileV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    row(
        RouteVerb::FactEdges,
        (Method::Get, "/v1/agents/{agent}/facts/{id}/edges"),
        RouteRight::Approve,
        "The entities that a fact names.",
        Answer::Json(of::<EdgesV1>),
    ),
    RouteSpec {
        query: params! {
            limit?: Whole { min: 1, max: 1_000, default: Some(20) }, "Maximum number of entities.";
        },
        ..row(
            RouteVerb::Entities,
            (Method::Get, "/v1/agents/{agent}/entities"),
            RouteRight::Approve,
            "The entities that most facts name.",
            Answer::Json(of::<EntitiesV1>),
        )
    },
    RouteSpec {
        query: params! {
            depth?: Whole { min: 1, max: 3, default: Some(1) }, "Maximum distance in steps from fact to fact.";
        },
        ..row(
            RouteVerb::Entity,
            (Method::Get, "/v1/agents/{agent}/entities/{name}"),
            RouteRight::Approve,
            "The entities that occur in the same facts as one, such as `Ana`, `#baking` or `ticker:BTC`.",
            Answer::Json(of::<NeighborhoodV1>),
        )
    },
    row(
        RouteVerb::Profile,
        (Method::Get, "/v1/agents/{agent}/profile"),
        RouteRight::Approve,
        "What is known of the user, by key.",
        Answer::Json(of::<UserProfileV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            value: Text, "What is known, on one line.";
            reason?: Text, "Why, for the person who approves.";
        }),
        ..row(
            RouteVerb::ProfileSet,
            (Method::Put, "/v1/agents/{agent}/profile/{key}"),
            RouteRight::Propose,
            "Sets a value of the user profile. The gate decides.",
            Answer::Json(of::<KeptV1>),
        )
    },
    row(
        RouteVerb::ProfileUnset,
        (Method::Delete, "/v1/agents/{agent}/profile/{key}"),
        RouteRight::Approve,
        "Removes a value of the user profile.",
        Answer::Json(of::<KeptV1>),
    ),
];
