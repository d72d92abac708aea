//! Rows about transcripts.

use super::{of, row};
use crate::routes::{Answer, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::param::params;
use crate::{SessionHitsV1, SessionListV1, SessionReadingV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            limit?: Whole { min: 1, max: 200, default: None }, "Maximum number of sessions.";
        },
        ..row(
            RouteVerb::Transcripts,
            (Method::Get, "/v1/agents/{agent}/transcripts"),
            RouteRight::Read,
            "Sessions with transcripts that the scope sees, last written first.",
            Answer::Json(of::<SessionListV1>),
        )
    },
    RouteSpec {
        query: params! {
            q: Text, "A phrase; without a match, entries with all its words.", "query";
            limit?: Whole { min: 1, max: 200, default: None }, "Maximum number of entries.";
        },
        ..row(
            RouteVerb::TranscriptSearch,
            (Method::Get, "/v1/agents/{agent}/transcripts/search"),
            RouteRight::Read,
            "Entries of transcripts with these words. Masked for every caller.",
            Answer::Json(of::<SessionHitsV1>),
        )
    },
    RouteSpec {
        query: params! {
            offset?: Whole { min: 0, max: 9_007_199_254_740_991, default: Some(0) }, "Entries to leave out.";
            limit?: Whole { min: 1, max: 200, default: None }, "Maximum number of entries.";
            max_chars?: Whole { min: 1, max: 100_000, default: None }, "Maximum number of characters of each entry.", "maxChars";
        },
        ..row(
            RouteVerb::Transcript,
            (Method::Get, "/v1/agents/{agent}/transcripts/{session}"),
            RouteRight::Read,
            "Entries of one transcript, in order. Masked for every caller.",
            Answer::Json(of::<SessionReadingV1>),
        )
    },
];
