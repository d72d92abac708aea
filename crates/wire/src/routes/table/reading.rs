//! Rows about search and prompts.

use super::{of, row};
use crate::routes::{Answer, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::param::params;
use crate::{AnswerV1, ExcerptV1, PromptV1, TextV1, WhyNotV1};

/// The rows.
pub const ROWS: &[RouteSpec] = &[
    RouteSpec {
        query: params! {
            from?: Whole { min: 1, max: 4_294_967_295, default: None }, "First line, from 1.";
            to?: Whole { min: 1, max: 4_294_967_295, default: None }, "Last line, included.";
            as_of?: Text, "As the file was at this time: `2026-11-21`, `last Friday`.", "asOf";
        },
        ..row(
            RouteVerb::Lines,
            (Method::Get, "/v1/agents/{agent}/lines/{path}"),
            RouteRight::Read,
            "Lines of a file as JSON, with the taint of their text. Masked for every caller.",
            Answer::Json(of::<ExcerptV1<TextV1>>),
        )
    },
    RouteSpec {
        query: params! {
            q: Text, "Words, or a question.", "query";
            limit?: Whole { min: 1, max: 1_000, default: Some(10) }, "Maximum number of results.", "n";
            budget_chars?: Whole { min: 1, max: 1_000_000, default: None }, "Maximum number of characters of all results together.";
            since?: Text, "Only passages of this day or later: `2026-11-21`, `last Friday`.";
            until?: Text, "Only passages of this day or earlier.";
            around?: Text, "Boost results near this day, without filtering.";
            as_of?: Text, "Answer from the files as they were at this time.";
            fts?: Flag { default: false }, "Read `q` as an expression: words, `\"a phrase\"`, `slip*`, `AND`, `OR`, `NOT`, brackets.";
            explain?: Flag { default: false }, "Also answer how the question was understood, and the parts of each score.";
        },
        ..row(
            RouteVerb::Search,
            (Method::Get, "/v1/agents/{agent}/search"),
            RouteRight::Read,
            "Passages of the notes that match, best first.",
            Answer::Json(of::<AnswerV1>),
        )
    },
    RouteSpec {
        query: params! {
            text: Text, "Words of the passage.";
            q?: Text, "The question; without it, whether the passage is searched at all.", "query";
        },
        ..row(
            RouteVerb::WhyNot,
            (Method::Get, "/v1/agents/{agent}/why-not"),
            RouteRight::Read,
            "Why a search did not return a passage.",
            Answer::Json(of::<WhyNotV1>),
        )
    },
    RouteSpec {
        query: params! {
            question?: Text, "Question of this turn; matching passages are added at the end.";
            tokens?: Flag { default: false }, "Also count the tokens of each block, which takes longer.";
            as_of?: Text, "As it was at this time, with the facts that were known then.", "asOf";
        },
        ..row(
            RouteVerb::Prompt,
            (Method::Get, "/v1/agents/{agent}/prompt"),
            RouteRight::Read,
            "The prompt of the agent: blocks with sources, sizes and hashes, and what was left out and why.",
            Answer::Json(of::<PromptV1>),
        )
    },
];
