//! Rows about facts.

use super::{of, row};
use crate::FactHistoryV1;
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::KeptV1;
use crate::tools::minara_facts::MemoriesV1;
use crate::tools::param::params;

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            q?: Text, "Words of the facts [default: the newest facts].", "query";
            category?: Text, "Only this category.";
            limit?: Whole { min: 1, max: 500, default: Some(50) }, "Maximum number of facts.";
        },
        ..row(
            RouteVerb::Facts,
            (Method::Get, "/v1/agents/{agent}/facts"),
            RouteRight::Read,
            "Facts that match, or the newest. Only scope `main` has facts.",
            Answer::Json(of::<MemoriesV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            text: Text, "The statement, one sentence.", "content";
            category?: Text, "Such as `preference`, `fact`, `lesson`.";
            reason?: Text, "Why, for the person who approves.";
        }),
        ..row(
            RouteVerb::FactAdd,
            (Method::Post, "/v1/agents/{agent}/facts"),
            RouteRight::Propose,
            "Adds a fact. The gate decides; the answer says whether it is stored or waits for approval.",
            Answer::Json(of::<KeptV1>),
        )
    },
    row(
        RouteVerb::FactRead,
        (Method::Get, "/v1/agents/{agent}/facts/{id}"),
        RouteRight::Approve,
        "A fact as stored, with everything that it said before.",
        Answer::Json(of::<FactHistoryV1>),
    ),
    row(
        RouteVerb::FactForget,
        (Method::Delete, "/v1/agents/{agent}/facts/{id}"),
        RouteRight::Approve,
        "Forgets a fact. It can be restored for thirty days.",
        Answer::Json(of::<KeptV1>),
    ),
    RouteSpec {
        body: Body::Json(params! {
            text?: Text, "The fact, in one sentence.";
            category?: Text, "Its kind, such as `preference`.";
            reason?: Text, "Why, for the history.";
        }),
        ..row(
            RouteVerb::FactChange,
            (Method::Patch, "/v1/agents/{agent}/facts/{id}"),
            RouteRight::Approve,
            "Changes a fact; its earlier words stay in its history.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        body: Body::Json(&[]),
        ..row(
            RouteVerb::FactRestore,
            (Method::Post, "/v1/agents/{agent}/facts/{id}/restore"),
            RouteRight::Approve,
            "Restores a forgotten fact.",
            Answer::Json(of::<KeptV1>),
        )
    },
];
