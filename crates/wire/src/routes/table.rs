//! The rows of all routes.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{Answer, Body, Method, RouteRight, RouteSpec, RouteVerb};
use crate::foreign_api::{
    MinaraFileV1, MinaraFilesV1, MinaraPutV1, MinaraV1, MindroomDayV1, MindroomFileV1, MindroomFilesV1,
    MindroomPutV1, MindroomReportV1,
};
use crate::tools::minara_facts::MemoriesV1;
use crate::tools::param::params;
use crate::tools::{KeptV1, StatusForV1, TimelineV1};
use crate::{
    AnswerV1, AskV1, AuditRowV1, BeganV1, BlameV1, DoctorV1, EndV1, EndedV1, ExcerptV1, FactHistoryV1,
    FileListV1, HistoryV1, InboxV1, PromptV1, RejectedV1, RevisionV1, ServedAgentsV1, ServerVersionV1,
    ShownProposalV1, StartV1, TextV1, TurnV1, WhyNotV1,
};

/// The schema of a shape.
fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<T>()
}

/// The schema of any object.
fn object(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
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
        RouteVerb::Metrics,
        (Method::Get, "/metrics"),
        RouteRight::Read,
        "Figures of the server for Prometheus. They are about all agents and scopes, so a token for one of them does not read them.",
        Answer::Metrics,
    ),
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
            RouteRight::Propose,
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
            RouteRight::Propose,
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
        body: Body::Json(&[]),
        ..row(
            RouteVerb::FactRestore,
            (Method::Post, "/v1/agents/{agent}/facts/{id}/restore"),
            RouteRight::Approve,
            "Restores a forgotten fact.",
            Answer::Json(of::<KeptV1>),
        )
    },
    RouteSpec {
        query: params! {
            path?: Text, "Only changes of this file.";
            session?: Text, "Only changes of this session.";
            limit?: Whole { min: 1, max: 1_000, default: Some(20) }, "Maximum number of changes.";
        },
        ..row(
            RouteVerb::History,
            (Method::Get, "/v1/agents/{agent}/history"),
            RouteRight::Approve,
            "Recorded changes, newest first.",
            Answer::Json(of::<HistoryV1>),
        )
    },
    RouteSpec {
        query: params! {
            from?: Whole { min: 1, max: 4_294_967_295, default: Some(1) }, "First line, from 1. At most 500 lines are answered.";
        },
        ..row(
            RouteVerb::Blame,
            (Method::Get, "/v1/agents/{agent}/blame/{path}"),
            RouteRight::Approve,
            "Who wrote each line of a file, when, and by which proposal or session.",
            Answer::Json(of::<BlameV1>),
        )
    },
    RouteSpec {
        query: params! {
            at: Text, "A revision, as the history lists it.";
        },
        ..row(
            RouteVerb::Revision,
            (Method::Get, "/v1/agents/{agent}/revisions/{path}"),
            RouteRight::Approve,
            "A file as it was at a revision.",
            Answer::Json(of::<RevisionV1>),
        )
    },
    RouteSpec {
        body: Body::Json(params! {
            at: Text, "A revision, as the history lists it.";
        }),
        ..row(
            RouteVerb::RevisionRestore,
            (Method::Post, "/v1/agents/{agent}/revisions/{path}"),
            RouteRight::Approve,
            "Proposes a file as it was at a revision. Approve the proposal to write it; the current content stays in the history.",
            Answer::Json(of::<KeptV1>),
        )
    },
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
    row(
        RouteVerb::Doctor,
        (Method::Get, "/v1/agents/{agent}/doctor"),
        RouteRight::Approve,
        "Checks of the agent: findings with hints, and counts.",
        Answer::Json(of::<DoctorV1>),
    ),
    RouteSpec {
        query: params! {
            question?: Text, "Question of this turn; matching passages are added at the end.";
            tokens?: Flag { default: false }, "Also count the tokens of each block, which takes longer.";
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
        body: Body::Shape(object),
        ..row(
            RouteVerb::Mcp,
            (Method::Post, "/mcp"),
            RouteRight::Read,
            "MCP over streamable HTTP, in both protocol versions, without sessions: the tools of the agent and scope of the token. A token to read has the tools that read.",
            Answer::Object,
        )
    },
    row(
        RouteVerb::MinaraFiles,
        (Method::Get, "/v1/workspace/files"),
        RouteRight::Read,
        "Minara: its eight files, with sizes, times and hashes.",
        Answer::Json(of::<MinaraV1<MinaraFilesV1>>),
    ),
    row(
        RouteVerb::MinaraRead,
        (Method::Get, "/v1/workspace/files/{name}"),
        RouteRight::Read,
        "Minara: one of its files.",
        Answer::Json(of::<MinaraV1<MinaraFileV1>>),
    ),
    RouteSpec {
        body: Body::Shape(of::<MinaraPutV1>),
        ..row(
            RouteVerb::MinaraWrite,
            (Method::Put, "/v1/workspace/files/{name}"),
            RouteRight::Propose,
            "Minara: saves a file over the version with `expected_sha256`; null creates it. Another version is answered with 409, and more than 256 KB with 413.",
            Answer::Json(of::<MinaraV1<MinaraFileV1>>),
        )
    },
    row(
        RouteVerb::MindroomFiles,
        (Method::Get, "/api/workspace/{agent}/files"),
        RouteRight::Read,
        "MindRoom: SOUL.md, AGENTS.md, MEMORY.md and the files in `memory/`.",
        Answer::Json(of::<MindroomFilesV1>),
    ),
    row(
        RouteVerb::MindroomRead,
        (Method::Get, "/api/workspace/{agent}/file/{path}"),
        RouteRight::Read,
        "MindRoom: one of these files, with its ETag.",
        Answer::Json(of::<MindroomFileV1>),
    ),
    RouteSpec {
        body: Body::Shape(of::<MindroomPutV1>),
        is_conditional: true,
        ..row(
            RouteVerb::MindroomWrite,
            (Method::Put, "/api/workspace/{agent}/file/{path}"),
            RouteRight::Propose,
            "MindRoom: saves an existing file that has the ETag in `If-Match`. Another version is answered with 409, and a larger file than the profile allows with 400.",
            Answer::Json(of::<MindroomFileV1>),
        )
    },
    RouteSpec {
        is_conditional: true,
        ..row(
            RouteVerb::MindroomRemove,
            (Method::Delete, "/api/workspace/{agent}/file/{path}"),
            RouteRight::Propose,
            "MindRoom: removes a file that has the ETag in `If-Match`, by which the caller confirms it. Its content stays in the history.",
            Answer::Json(of::<MindroomFileV1>),
        )
    },
    row(
        RouteVerb::MindroomDays,
        (Method::Get, "/api/workspace/{agent}/memory/daily"),
        RouteRight::Read,
        "MindRoom: daily logs.",
        Answer::Json(of::<MindroomFilesV1>),
    ),
    row(
        RouteVerb::MindroomDay,
        (Method::Get, "/api/workspace/{agent}/memory/daily/{date}"),
        RouteRight::Read,
        "MindRoom: the daily logs of a date, with their text.",
        Answer::Json(of::<MindroomDayV1>),
    ),
    row(
        RouteVerb::MindroomReport,
        (Method::Get, "/api/agents/{agent}/context-report"),
        RouteRight::Read,
        "MindRoom: the files in the prompt of the scope, and warnings about missing and large ones.",
        Answer::Json(of::<MindroomReportV1>),
    ),
];
