//! Rows about entries of the memory and the daily logs.

use super::{of, row};
use crate::routes::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::param::params;
use crate::tools::{KeptV1, TimelineV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        body: Body::Json(params! {
            text: Text, "What to remember, one sentence or a short paragraph.";
            path?: Text, "File of the entry, such as `memory/topics/bread.md` [default: the memory file of the scope].";
            section?: Text, "Title of its section; created if it does not exist.";
            reason?: Text, "Why, for the history and for the person who approves.";
        }),
        ..row(
            RouteVerb::Remember,
            (Method::Post, "/v1/agents/{agent}/memory"),
            RouteRight::Propose,
            "Adds an entry to the memory. The gate decides; the answer says whether it is written or waits for approval. Adding the same entry again changes nothing.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            text: Text, "The entry.";
            reason?: Text, "Why, for the history and for the person who approves.";
        }),
        ..row(
            RouteVerb::Journal,
            (Method::Post, "/v1/agents/{agent}/journal"),
            RouteRight::Write,
            "Adds an entry to today's log of the scope.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        query: params! {
            around?: Text, "A day, such as `2026-11-21`: its entries and those of the days beside it, in order of time [default: the newest entries].";
            days?: Whole { min: 0, max: 31, default: Some(1) }, "Days on each side of it.";
            limit?: Whole { min: 1, max: 200, default: Some(20) }, "Maximum number of entries.";
            skip?: Whole { min: 0, max: 100_000, default: Some(0) }, "Entries to skip.";
        },
        ..row(
            RouteVerb::Timeline,
            (Method::Get, "/v1/agents/{agent}/journal"),
            RouteRight::Read,
            "Entries of daily logs: the newest, or around a day.",
            Answer::Json(of::<TimelineV1>),
        )
    },
];
