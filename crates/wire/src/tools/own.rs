//! Our own tools, with descriptions that a small model understands.
//!
//! A client sends every description with every conversation, so they are short: what to do, when, one example.

use super::param::{Kind, Param};
use super::shape::{Field, Shape, always, maybe};
use super::{Hints, Set, ToolSpec, Verb};

/// Most results of one call.
pub const RESULTS_MAX: u64 = 100;

/// Results of one call when nothing is said.
pub const RESULTS_DEFAULT: u64 = 10;

/// Most tokens of one answer that can be asked for.
pub const ANSWER_TOKENS_MAX: u64 = 100_000;

/// Tokens of one answer when nothing is said.
pub const ANSWER_TOKENS_DEFAULT: u64 = 8_000;

const fn text(
    name: &'static str,
    required: bool,
    about: &'static str,
    synonyms: &'static [&'static str],
) -> Param {
    Param { name, kind: Kind::Text, required, about, synonyms }
}

const LIMIT: Param = Param {
    name: "limit",
    kind: Kind::Whole { min: 1, max: RESULTS_MAX, default: Some(RESULTS_DEFAULT) },
    required: false,
    about: "Maximum number of results.",
    synonyms: &["max_results", "maxResults", "top_k", "k", "n", "count"],
};

const CURSOR: Param = text(
    "cursor",
    false,
    "`nextCursor` of the previous answer; repeat the other parameters.",
    &["next_cursor", "nextCursor", "page"],
);

const MAX_TOKENS: Param = Param {
    name: "max_tokens",
    kind: Kind::Whole { min: 100, max: ANSWER_TOKENS_MAX, default: Some(ANSWER_TOKENS_DEFAULT) },
    required: false,
    about: "Maximum size of the answer.",
    synonyms: &["maxTokens", "token_budget", "tokens", "budget"],
};

const FILE_SYNONYMS: &[&str] = &["file", "file_path", "filepath", "filename", "name", "address"];

const AS_OF: Param =
    text("as_of", false, "Answer from the notes as they were at this time.", &["asOf", "as_of_date", "at"]);

const REASON: Param = text("reason", false, "Why, for the person who approves.", &["why", "because"]);

const SHA256_SYNONYMS: &[&str] = &["expectedSha256", "sha256", "base_sha256", "if_match", "etag"];

const OLD_TEXT_SYNONYMS: &[&str] = &["oldText", "old", "old_str", "find", "match", "entry"];

const TEXT_SYNONYMS: &[&str] = &["content", "fact", "memory", "note", "data"];

const NOTICES: Field = maybe(
    "notices",
    Shape::List(&Shape::Object(&[
        always("code", Shape::Text),
        always("message", Shape::Text),
        always("hint", Shape::Text),
    ])),
);

const NEXT: Field = maybe("nextCursor", Shape::Text);

const OMITTED: Field =
    maybe("omitted", Shape::Object(&[maybe("results", Shape::Whole), maybe("chars", Shape::Whole)]));

/// A passage. Its place in lines and bytes, its scores and the hash of its file come with `explain`.
const HIT: Shape = Shape::Object(&[
    always("text", Shape::Text),
    always("citation", Shape::Text),
    maybe("heading", Shape::Text),
    maybe("taint", Shape::Text),
    maybe("seenFrom", Shape::Text),
    maybe("seenUntil", Shape::Text),
    maybe("path", Shape::Text),
    maybe("startLine", Shape::Whole),
    maybe("endLine", Shape::Whole),
    maybe("date", Shape::Text),
    maybe("score", Shape::Number),
    maybe("parts", Shape::Any),
    maybe("sha256", Shape::Text),
    maybe("startByte", Shape::Whole),
    maybe("endByte", Shape::Whole),
    maybe("feedback", Shape::Any),
    maybe("movedFrom", Shape::Whole),
]);

/// A fact. Its source, times and metadata come with `explain`.
const FACT: Shape = Shape::Object(&[
    always("id", Shape::Whole),
    always("category", Shape::Text),
    always("content", Shape::Text),
    maybe("valid_from", Shape::Text),
    maybe("valid_to", Shape::Text),
    maybe("source", Shape::Text),
    maybe("created_at", Shape::Text),
    maybe("updated_at", Shape::Text),
    maybe("metadata", Shape::Text),
]);

/// An entry of a daily log.
const LOG_ENTRY: Shape = Shape::Object(&[
    always("citation", Shape::Text),
    maybe("heading", Shape::Text),
    always("text", Shape::Text),
    maybe("taint", Shape::Text),
]);

/// From what an answer about the past was given.
const AS_OF_SAID: Shape = Shape::Object(&[
    always("moment", Shape::Text),
    maybe("commit", Shape::Text),
    maybe("recordedAt", Shape::Text),
    always("isNow", Shape::Flag),
]);

/// What became of a change.
pub(super) const KEPT: &[Field] = &[
    always("outcome", Shape::Text),
    always("path", Shape::Text),
    always("message", Shape::Text),
    maybe("proposal", Shape::Text),
    maybe("why", Shape::Text),
    maybe("receipt", Shape::Text),
    maybe("sha256", Shape::Text),
    maybe(
        "entries",
        Shape::List(&Shape::Object(&[always("line", Shape::Whole), always("text", Shape::Text)])),
    ),
    maybe("findings", Shape::List(&Shape::Any)),
];

/// `who_am_i` (N20).
pub(super) const WHO: &[Field] = &[
    always("agent_id", Shape::Text),
    always("model", Shape::Maybe(&Shape::Text)),
    always("workspace_dir", Shape::Maybe(&Shape::Text)),
    always("identity", Shape::Keys(&Shape::Maybe(&Shape::Text))),
    always("soul_excerpt", Shape::Text),
    maybe("soul_truncated", Shape::Flag),
    NOTICES,
];

/// `what_do_i_know` (N21).
pub(super) const KNOWLEDGE: &[Field] = &[
    always(
        "sections",
        Shape::List(&Shape::Object(&[
            always("heading", Shape::Text),
            always("bullets", Shape::List(&Shape::Text)),
            always("extra_bullets", Shape::Whole),
        ])),
    ),
    always("truncated", Shape::Flag),
    NOTICES,
];

/// `my_stats` (N22).
pub(super) const STATS: &[Field] = &[
    always("agent_id", Shape::Text),
    always("sessions_total", Shape::Maybe(&Shape::Whole)),
    always("memories_stored", Shape::Maybe(&Shape::Whole)),
    always("memories_promoted", Shape::Maybe(&Shape::Whole)),
    always("last_dream_ts", Shape::Maybe(&Shape::Text)),
    always("recall_events_7d", Shape::Maybe(&Shape::Whole)),
    always("top_concept_tags_7d", Shape::Maybe(&Shape::List(&Shape::List(&Shape::Any)))),
    always("workspace_files_present", Shape::List(&Shape::Text)),
];

/// `session_logs` (N23): the fields of all its actions.
pub(super) const LOGS: &[Field] = &[
    always("ok", Shape::Flag),
    maybe("sessions", Shape::List(&Shape::Any)),
    maybe("session_id", Shape::Text),
    maybe("header", Shape::Any),
    maybe("total_entries", Shape::Whole),
    maybe("returned", Shape::Whole),
    maybe("entries", Shape::List(&Shape::Any)),
    maybe("query", Shape::Text),
    maybe("backend", Shape::Text),
    maybe("matched", Shape::Text),
    maybe("hits", Shape::List(&Shape::Any)),
    maybe("truncated", Shape::Flag),
    maybe("skipped_lines", Shape::Whole),
    OMITTED,
    maybe("error", Shape::Any),
    NOTICES,
];

/// What `session_logs` takes (N23, N26).
pub(super) const LOG_PARAMS: &[Param] = &[
    Param {
        name: "action",
        kind: Kind::Choice {
            of: &["list_sessions", "read_session", "search", "recent"],
            default: Some("list_sessions"),
        },
        required: false,
        about: "What to do.",
        synonyms: &[],
    },
    text("session_id", false, "Session, for read_session and recent.", &["session", "id"]),
    text("query", false, "Words, for search.", &["q", "text"]),
    Param {
        name: "limit",
        kind: Kind::Whole { min: 1, max: 500, default: None },
        required: false,
        about: "Maximum number of entries.",
        synonyms: &["n", "count", "max_results"],
    },
    Param {
        name: "offset",
        kind: Kind::Whole { min: 0, max: u32::MAX as u64, default: None },
        required: false,
        about: "Entries to skip, for read_session.",
        synonyms: &["skip"],
    },
    Param {
        name: "max_chars",
        kind: Kind::Whole { min: 20, max: 4_000, default: None },
        required: false,
        about: "Maximum length of an entry. Default: 200.",
        synonyms: &["preview_chars", "maxChars"],
    },
];

const LOG_PARAMS_OWN: &[Param] =
    &[LOG_PARAMS[0], LOG_PARAMS[1], LOG_PARAMS[2], LOG_PARAMS[3], LOG_PARAMS[4], LOG_PARAMS[5], MAX_TOKENS];

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "memory_search",
        title: "Search memory",
        about: "Search the notes. Call it before you answer about the past, people, preferences, decisions or plans. Example: {\"query\":\"which bread does Ana like\"}. If `nothingNear` is true, say that you do not know.",
        verb: Verb::Search,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            text(
                "query",
                true,
                "Question or words, in any language.",
                &["q", "question", "text", "search", "search_query"],
            ),
            LIMIT,
            CURSOR,
            MAX_TOKENS,
            Param {
                name: "kinds",
                kind: Kind::Choices(&["passages", "facts"]),
                required: false,
                about: "Search only these. With facts and an empty query: the newest facts.",
                synonyms: &["kind", "types"],
            },
            text(
                "since",
                false,
                "Only this time or later: 2026-11-21 or words such as last Friday.",
                &["after", "from", "start", "start_date"],
            ),
            text("until", false, "Only this time or earlier.", &["before", "to", "end", "end_date"]),
            text(
                "around",
                false,
                "Boost results near this time, without filtering.",
                &["near", "date", "when"],
            ),
            AS_OF,
            Param {
                name: "fts",
                kind: Kind::Flag { default: false },
                required: false,
                about: "Read the query as an expression: AND, OR, NOT, \"a phrase\", slip*.",
                synonyms: &["expression"],
            },
            Param {
                name: "explain",
                kind: Kind::Flag { default: false },
                required: false,
                about: "Add scores, byte offsets and file hashes.",
                synonyms: &["debug"],
            },
        ],
        answer: &[
            always("results", Shape::List(&HIT)),
            maybe("facts", Shape::List(&FACT)),
            always("nothingNear", Shape::Flag),
            maybe("asOf", AS_OF_SAID),
            maybe("explain", Shape::Any),
            OMITTED,
            NEXT,
            NOTICES,
        ],
    },
    ToolSpec {
        name: "memory_get",
        title: "Read a note",
        about: "Read a file of the notes, or some of its lines. Example: {\"path\":\"MEMORY.md\"}. A missing file answers with empty text.",
        verb: Verb::Get,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            text(
                "path",
                true,
                "File, or a `citation` from memory_search.",
                &["file", "file_path", "filepath", "filename", "name", "address", "citation", "uri"],
            ),
            Param {
                name: "from",
                kind: Kind::Whole { min: 1, max: u32::MAX as u64, default: None },
                required: false,
                about: "First line.",
                synonyms: &["start", "startLine", "start_line", "line", "offset"],
            },
            Param {
                name: "lines",
                kind: Kind::Whole { min: 1, max: u32::MAX as u64, default: None },
                required: false,
                about: "Number of lines.",
                synonyms: &["limit", "count", "num_lines"],
            },
            AS_OF,
            MAX_TOKENS,
        ],
        answer: &[
            always("path", Shape::Text),
            always("text", Shape::Text),
            maybe("from", Shape::Whole),
            maybe("lines", Shape::Whole),
            maybe("totalLines", Shape::Whole),
            maybe("sha256", Shape::Text),
            maybe("taint", Shape::Text),
            maybe("truncated", Shape::Flag),
            maybe("nextFrom", Shape::Whole),
            maybe("asOf", AS_OF_SAID),
            OMITTED,
            NOTICES,
        ],
    },
    ToolSpec {
        name: "memory_context",
        title: "Get your memory as one text",
        about: "Get who you are and what you remember, as one text of at most 9,000 characters. Call it once, when a conversation begins without such a text. Example: {}.",
        verb: Verb::Context,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[Param {
            kind: Kind::Whole { min: 100, max: ANSWER_TOKENS_MAX, default: None },
            ..MAX_TOKENS
        }],
        answer: &[always("text", Shape::Text), NOTICES],
    },
    ToolSpec {
        name: "memory_remember",
        title: "Remember something",
        about: "Keep one statement for later conversations: a preference, a decision, a person, a promise. Example: {\"text\":\"Ana prefers rye bread.\"}. If `outcome` is `pending`, tell the user that it waits for approval. Never store secrets.",
        verb: Verb::Remember,
        set: Set::Default,
        hints: Hints::ADDS,
        params: &[
            text("text", true, "One sentence, with names and full dates.", TEXT_SYNONYMS),
            Param {
                name: "kind",
                kind: Kind::Choice { of: &["memory", "journal", "fact"], default: Some("memory") },
                required: false,
                about: "memory: a lasting note. journal: today's log. fact: a statement outside the files.",
                synonyms: &["type", "target"],
            },
            text("path", false, "File, for memory. Default: MEMORY.md.", FILE_SYNONYMS),
            text("section", false, "Heading, for memory. Default: Facts.", &["heading"]),
            text("category", false, "Category, for fact. Default: observation.", &[]),
            REASON,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_update",
        title: "Correct an entry",
        about: "Replace one entry that is wrong or out of date. Call memory_get first: it gives `sha256`. Example: {\"path\":\"MEMORY.md\",\"old_text\":\"rye bread\",\"text\":\"Ana prefers spelt bread.\",\"expected_sha256\":\"…\"}. If `outcome` is `pending`, tell the user that it waits for approval.",
        verb: Verb::Update,
        set: Set::Default,
        hints: Hints::CHANGES,
        params: &[
            text("path", true, "File.", FILE_SYNONYMS),
            text("old_text", true, "Words that only this entry has.", OLD_TEXT_SYNONYMS),
            text(
                "text",
                true,
                "The new entry.",
                &["new_text", "newText", "new", "new_str", "content", "replacement", "replace"],
            ),
            text("expected_sha256", true, "`sha256` of the file, from memory_get.", SHA256_SYNONYMS),
            REASON,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_forget",
        title: "Retract an entry",
        about: "Remove one entry. The first call is a dry run: it shows the entry and `sha256`. Call again with both to remove it. Example: {\"path\":\"MEMORY.md\",\"old_text\":\"rye bread\"}.",
        verb: Verb::Forget,
        set: Set::Default,
        hints: Hints::CHANGES,
        params: &[
            text("path", true, "File.", FILE_SYNONYMS),
            text(
                "old_text",
                true,
                "Words that only this entry has.",
                &["text", "oldText", "old", "old_str", "find", "match", "entry"],
            ),
            Param {
                name: "dry_run",
                kind: Kind::Flag { default: true },
                required: false,
                about: "false removes the entry.",
                synonyms: &["dryRun", "preview"],
            },
            text("expected_sha256", false, "`sha256` from the dry run.", SHA256_SYNONYMS),
            REASON,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_timeline",
        title: "Look at days",
        about: "List entries of the daily logs: the newest, or those around a day. Example: {\"around\":\"2026-11-21\"}. For a topic call memory_search.",
        verb: Verb::Timeline,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            text("around", false, "A day, YYYY-MM-DD.", &["date", "day", "on", "when"]),
            Param {
                name: "days",
                kind: Kind::Whole { min: 0, max: 366, default: Some(3) },
                required: false,
                about: "Days before and after it.",
                synonyms: &["window"],
            },
            LIMIT,
            CURSOR,
            MAX_TOKENS,
        ],
        answer: &[always("entries", Shape::List(&LOG_ENTRY)), OMITTED, NEXT, NOTICES],
    },
    ToolSpec {
        name: "memory_status",
        title: "Check the memory",
        about: "Show whether memory works: number of files and passages, and what waits for approval. Example: {}.",
        verb: Verb::Status,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[],
        answer: &[
            always("agent", Shape::Text),
            always("scope", Shape::Text),
            always("profile", Shape::Text),
            always("today", Shape::Text),
            always("recall", Shape::Text),
            always("files", Shape::Keys(&Shape::Whole)),
            maybe("firstDay", Shape::Text),
            maybe("lastDay", Shape::Text),
            always("searchedFiles", Shape::Whole),
            always("passages", Shape::Whole),
            maybe("pending", Shape::Whole),
            NOTICES,
        ],
    },
    ToolSpec {
        name: "identity",
        title: "Show who I am",
        about: "Show who this agent is, what it knows, or its statistics. Example: {\"about\":\"what_do_i_know\"}.",
        verb: Verb::Identity,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            Param {
                name: "about",
                kind: Kind::Choice {
                    of: &["who_am_i", "what_do_i_know", "my_stats"],
                    default: Some("who_am_i"),
                },
                required: false,
                about: "What to show.",
                synonyms: &["action", "what", "kind"],
            },
            text("section", false, "Only headings with these words; for what_do_i_know.", &["heading"]),
            Param {
                name: "limit",
                kind: Kind::Whole { min: 1, max: 50, default: None },
                required: false,
                about: "Maximum number of sections. Default: 20.",
                synonyms: &["n", "count"],
            },
        ],
        answer: &[
            always("about", Shape::Text),
            maybe("who_am_i", Shape::Object(WHO)),
            maybe("what_do_i_know", Shape::Object(KNOWLEDGE)),
            maybe("my_stats", Shape::Object(STATS)),
        ],
    },
    ToolSpec {
        name: "session_logs",
        title: "Read earlier conversations",
        about: "Read earlier conversations word for word. Call memory_search first. Example: {\"action\":\"search\",\"query\":\"oven\"}.",
        verb: Verb::SessionLogs,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: LOG_PARAMS_OWN,
        answer: LOGS,
    },
];
