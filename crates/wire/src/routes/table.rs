//! The rows of all routes.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::tools::StatusForV1;
use crate::tools::param::params;
use crate::{
    AnswerV1, ExcerptV1, FileListV1, InboxV1, KeptV1, PromptV1, RejectedV1, ServedAgentsV1, ServerVersionV1,
    ShownProposalV1, TextV1, WhyNotV1,
};

/// The schema of a shape.
fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<T>()
}

/// A row with the usual values: `verb method path right about, query, body, answer`.
const fn row(
    verb: RouteVerb,
    (method, path): (Method, &'static str),
    right: RouteRight,
    about: &'static str,
    answer: Answer,
) -> RouteSpec {
    RouteSpec {
        verb,
        method,
        path,
        about,
        right,
        query: &[],
        body: Body::Nothing,
        answer,
        is_conditional: false,
    }
}

/// Every route.
pub const ROUTES: &[RouteSpec] = &[
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
        RouteVerb::Files,
        (Method::Get, "/v1/agents/{agent}/files"),
        RouteRight::Read,
        "The files that the scope sees, in byte order.",
        Answer::Json(of::<FileListV1>),
    ),
    row(
        RouteVerb::FileRead,
        (Method::Get, "/v1/agents/{agent}/files/{path}"),
        RouteRight::Read,
        "A file, with its sha256 as ETag. With a token to approve, the stored bytes; otherwise masked text, whose ETag is the sha256 of that text if something is masked.",
        Answer::File,
    ),
    RouteSpec {
        query: params! {
            reason?: Text, "Why, for the history and for the person who approves.";
        },
        body: Body::Text,
        is_conditional: true,
        ..row(
            RouteVerb::FileWrite,
            (Method::Put, "/v1/agents/{agent}/files/{path}"),
            RouteRight::Write,
            "Replaces a file that has the ETag in `If-Match`, or creates one with `If-None-Match: *`. The gate decides; the answer says whether it is written or waits for approval.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        query: params! {
            reason?: Text, "Why, for the history and for the person who approves.";
        },
        is_conditional: true,
        ..row(
            RouteVerb::FileRemove,
            (Method::Delete, "/v1/agents/{agent}/files/{path}"),
            RouteRight::Write,
            "Removes a file that has the ETag in `If-Match`. Its content stays in the history.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        query: params! {
            from?: Whole { min: 1, max: 4_294_967_295, default: None }, "First line, from 1.";
            to?: Whole { min: 1, max: 4_294_967_295, default: None }, "Last line, included.";
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
        body: Body::Json(params! {
            text: Text, "What to remember, one sentence or a short paragraph.";
            path?: Text, "File of the entry, such as `memory/topics/bread.md` [default: the memory file of the scope].";
            section?: Text, "Title of its section; created if it does not exist.";
            reason?: Text, "Why, for the history and for the person who approves.";
        }),
        ..row(
            RouteVerb::Remember,
            (Method::Post, "/v1/agents/{agent}/memory"),
            RouteRight::Write,
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
            question?: Text, "Question of this turn; matching passages are added at the end.";
        },
        ..row(
            RouteVerb::Prompt,
            (Method::Get, "/v1/agents/{agent}/prompt"),
            RouteRight::Read,
            "The prompt of the agent: blocks with sources, sizes and hashes, and what was left out and why.",
            Answer::Json(of::<PromptV1>),
        )
    },
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
