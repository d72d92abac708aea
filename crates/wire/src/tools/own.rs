//! Our own tools. Each description says when to reach for it, in the words people use, and when not.

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

/// Tokens of an assembled prompt when nothing is said.
pub const CONTEXT_TOKENS_DEFAULT: u64 = 24_000;

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
    about: "Most results.",
    synonyms: &["max_results", "maxResults", "top_k", "k", "n", "count"],
};

const CURSOR: Param = text(
    "cursor",
    false,
    "`nextCursor` of the answer before, to go on from there; repeat the other parameters as they were.",
    &["next_cursor", "nextCursor", "page"],
);

const fn max_tokens(default: u64) -> Param {
    Param {
        name: "max_tokens",
        kind: Kind::Whole { min: 100, max: ANSWER_TOKENS_MAX, default: Some(default) },
        required: false,
        about: "Most tokens of the answer, by an estimate on the high side; what does not fit is counted in `omitted`.",
        synonyms: &["maxTokens", "token_budget", "tokens", "budget"],
    }
}

const FILE_SYNONYMS: &[&str] = &["file", "file_path", "filepath", "filename", "name", "address"];

const AS_OF: Param = text(
    "as_of",
    false,
    "Answer from the notes as they stood at the end of this time: a day or words (last week, May), of several the latest that has begun. Only for what was written then and may be gone.",
    &["asOf", "as_of_date", "at"],
);

/// What `as_of` asks of facts; of notes it asks how they stood.
pub(super) const HELD_AT: &str =
    "Of facts, those that held at the end of this time as is known now: a day or words (last week, May).";

pub(super) const BELIEVED_AT: Param = text(
    "believed_at",
    false,
    "Of facts, what was believed at the end of this time, as it was said then, though it may be known better now; with as_of, what was believed then of that time. Passages are no matter of it.",
    &["believedAt", "known_at"],
);

const REASON: Param =
    text("reason", false, "Why, in one sentence; shown to the person who approves.", &["why", "because"]);

const SHA256: &str = "The sha256 of the file as you read it (`memory_get` and `memory_search` tell it); a file that changed since is refused with its current one.";

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

const OMITTED: Field = maybe(
    "omitted",
    Shape::Object(&[
        maybe("results", Shape::Whole),
        maybe("chars", Shape::Whole),
        maybe("blocks", Shape::Whole),
    ]),
);

const HIT: Shape = Shape::Object(&[
    always("path", Shape::Text),
    always("startLine", Shape::Whole),
    always("endLine", Shape::Whole),
    maybe("score", Shape::Number),
    always("text", Shape::Text),
    always("citation", Shape::Text),
    always("heading", Shape::Text),
    maybe("date", Shape::Text),
    always("sha256", Shape::Text),
    maybe("taint", Shape::Text),
    always("startByte", Shape::Whole),
    always("endByte", Shape::Whole),
    maybe("parts", Shape::Any),
    maybe("seenFrom", Shape::Text),
    maybe("seenUntil", Shape::Text),
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
        about: "list_sessions: which there are; read_session: one from its beginning; search: entries with words; recent: the last entries of a session.",
        synonyms: &[],
    },
    text(
        "session_id",
        false,
        "The session; for recent this one when unsaid, or the one written last where the server was not told.",
        &["session", "id"],
    ),
    text("query", false, "What to look for; for search.", &["q", "text"]),
    Param {
        name: "limit",
        kind: Kind::Whole { min: 1, max: 500, default: None },
        required: false,
        about: "Most entries; 50 when unsaid, 10 for recent.",
        synonyms: &["n", "count", "max_results"],
    },
    Param {
        name: "offset",
        kind: Kind::Whole { min: 0, max: u32::MAX as u64, default: None },
        required: false,
        about: "Entries to pass over first; for read_session.",
        synonyms: &["skip"],
    },
    Param {
        name: "max_chars",
        kind: Kind::Whole { min: 20, max: 4_000, default: None },
        required: false,
        about: "Most characters of one entry; 200 when unsaid.",
        synonyms: &["preview_chars", "maxChars"],
    },
];

const LOG_PARAMS_OWN: &[Param] = &[
    LOG_PARAMS[0],
    LOG_PARAMS[1],
    LOG_PARAMS[2],
    LOG_PARAMS[3],
    LOG_PARAMS[4],
    LOG_PARAMS[5],
    max_tokens(ANSWER_TOKENS_DEFAULT),
];

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "memory_search",
        title: "Search memory",
        about: "Find what is remembered about a question: people, preferences, decisions, plans, what happened on a day. Use it before you answer anything about the past or about the person: \"what did we decide\", \"didn't we fix this before\", \"what does she like\", \"when did I\". Any words and any language; no query syntax is needed. It searches this agent's notes, and for its owner the facts kept beside them: not the web, not source code, not what was said word for word (that is session_logs). `nothingNear: true` means neither knows: say so instead of guessing.",
        verb: Verb::Search,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            text(
                "query",
                true,
                "The question, in any words.",
                &["q", "question", "text", "search", "search_query"],
            ),
            LIMIT,
            CURSOR,
            max_tokens(ANSWER_TOKENS_DEFAULT),
            Param {
                name: "kinds",
                kind: Kind::Choices(&["passages", "facts"]),
                required: false,
                about: "What to look for; when unsaid, passages and the few facts that hold half of the question's words. facts: single statements beside the notes, which only the owner's own agent has; with an empty query the newest of them.",
                synonyms: &["kind", "types"],
            },
            text(
                "since",
                false,
                "Only what is of this time or later: a day (2026-11-21), a timestamp, which counts as its day, or words (last Friday, hace dos semanas); of several times the latest that has begun is meant, else the nearest. Words of time in the query itself favour and leave nothing out.",
                &["after", "from", "start", "start_date"],
            ),
            text(
                "until",
                false,
                "Only what is of this time or earlier.",
                &["before", "to", "end", "end_date"],
            ),
            text(
                "around",
                false,
                "Rather what is near this time; leaves nothing out.",
                &["near", "date", "when"],
            ),
            Param {
                about: "Answer from the notes as they stood at the end of this time: a day or words (last week, May), of several the latest that has begun. Only for what was written then and may be gone. Of facts, those that held then as is known now.",
                ..AS_OF
            },
            BELIEVED_AT,
            Param {
                name: "fts",
                kind: Kind::Flag { default: false },
                required: false,
                about: "Whether the query is an expression: words, \"a phrase\", slip*, AND, OR, NOT, (brackets). Only passages of which it holds are given, by their letters; what is no expression is searched by its words, with a notice. Use it when a word must or must not stand there.",
                synonyms: &["expression"],
            },
            Param {
                name: "explain",
                kind: Kind::Flag { default: false },
                required: false,
                about: "Whether to return how the question was understood, and the score of each result with its parts.",
                synonyms: &["debug"],
            },
        ],
        answer: &[
            always("results", Shape::List(&HIT)),
            maybe("facts", Shape::List(&super::minara::MEMORY)),
            always("nothingNear", Shape::Flag),
            maybe("overBudget", Shape::Whole),
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
        about: "Read a file of memory, or some of its lines, as it stands now: what stands around a search result, the whole of MEMORY.md, a day's log. Takes a path or a citation such as memory/2026-11-21.md#L3-L9. A file that is not there answers with empty text. Use memory_search when you do not know where something stands; it does not read files outside the agent's workspace.",
        verb: Verb::Get,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            text(
                "path",
                true,
                "The file from the workspace's root, or a citation.",
                &["file", "file_path", "filepath", "filename", "name", "address", "citation", "uri"],
            ),
            Param {
                name: "from",
                kind: Kind::Whole { min: 1, max: u32::MAX as u64, default: None },
                required: false,
                about: "The first line, from 1.",
                synonyms: &["start", "startLine", "start_line", "line", "offset"],
            },
            Param {
                name: "lines",
                kind: Kind::Whole { min: 1, max: u32::MAX as u64, default: None },
                required: false,
                about: "How many lines; all when unsaid.",
                synonyms: &["limit", "count", "num_lines"],
            },
            AS_OF,
            max_tokens(ANSWER_TOKENS_DEFAULT),
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
        ],
    },
    ToolSpec {
        name: "memory_context",
        title: "Assemble the agent's own prompt",
        about: "Get who this agent is and what it keeps in mind, assembled in its order and within its budgets, with a report of what went in and what was left out. Use it once at the beginning of a conversation when nothing has told you who you are, or when asked what is in your prompt. Do not call it every turn: use memory_search for single questions.",
        verb: Verb::Context,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            max_tokens(CONTEXT_TOKENS_DEFAULT),
            Param {
                name: "report_only",
                kind: Kind::Flag { default: false },
                required: false,
                about: "Whether to leave the text away and only report.",
                synonyms: &["report", "reportOnly"],
            },
        ],
        answer: &[
            always("text", Shape::Text),
            always("scope", Shape::Text),
            always("profile", Shape::Text),
            always("snapshot", Shape::Text),
            always("prefixSha256", Shape::Text),
            always("blocks", Shape::List(&Shape::Any)),
            always("leftOut", Shape::List(&Shape::Any)),
            always("total", Shape::Any),
            OMITTED,
            NOTICES,
        ],
    },
    ToolSpec {
        name: "memory_remember",
        title: "Remember something",
        about: "Keep one thing for later conversations: a preference, a decision, a person, a promise. Use it when the person says \"remember\", \"from now on\", \"note that\", or when you learn something that will still matter in a month. One sentence, in the third person, with absolute dates. What an agent wants to keep usually waits for the owner: `outcome` is then `pending` with the id of the proposal; say that it waits, and do not say that it is remembered. Not for secrets, not for what you can look up again, not for the state of the task at hand (that is kind `journal`, which is written at once).",
        verb: Verb::Remember,
        set: Set::Default,
        hints: Hints::ADDS,
        params: &[
            text("text", true, "What to keep, in one sentence.", TEXT_SYNONYMS),
            Param {
                name: "kind",
                kind: Kind::Choice { of: &["memory", "journal", "fact"], default: Some("memory") },
                required: false,
                about: "memory: lasting, in a note; journal: today's log, written at once; fact: a single statement beside the notes, for the owner's own agent.",
                synonyms: &["type", "target"],
            },
            text(
                "path",
                false,
                "The file, for memory; MEMORY.md when unsaid, in a room the room's own page.",
                FILE_SYNONYMS,
            ),
            text("section", false, "The section it goes to, for memory; Facts when unsaid.", &["heading"]),
            text("category", false, "Of which kind a fact is; observation when unsaid.", &[]),
            REASON,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_update",
        title: "Correct an entry",
        about: "Put other words in the place of one entry of memory that is wrong or out of date: \"she moved\", \"that is not true any more\", \"correct that\". Name the entry by words that it alone has, and the file by the sha256 that you read. It usually waits for the owner (`pending`). Not for adding something new (memory_remember) and not for daily logs: what happened is not rewritten.",
        verb: Verb::Update,
        set: Set::Default,
        hints: Hints::CHANGES,
        params: &[
            text("path", true, "The file.", FILE_SYNONYMS),
            text(
                "old_text",
                true,
                "Words that this entry alone has, as they stand there.",
                OLD_TEXT_SYNONYMS,
            ),
            text(
                "text",
                true,
                "The entry as it should read.",
                &["new_text", "newText", "new", "new_str", "content", "replacement", "replace"],
            ),
            text("expected_sha256", true, SHA256, SHA256_SYNONYMS),
            REASON,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_forget",
        title: "Retract an entry",
        about: "Take one entry out of memory: \"forget that\", \"delete what you know about\", \"that never happened\". Without `dry_run: false` it only shows which entry is meant and the file's sha256; repeat both to do it. It usually waits for the owner (`pending`), and history keeps what was there. Not for correcting an entry (memory_update) and not for daily logs.",
        verb: Verb::Forget,
        set: Set::Default,
        hints: Hints::CHANGES,
        params: &[
            text("path", true, "The file.", FILE_SYNONYMS),
            text(
                "old_text",
                true,
                "Words that this entry alone has, as they stand there.",
                &["text", "oldText", "old", "old_str", "find", "match", "entry"],
            ),
            Param {
                name: "dry_run",
                kind: Kind::Flag { default: true },
                required: false,
                about: "Whether only to show what would go.",
                synonyms: &["dryRun", "preview"],
            },
            text(
                "expected_sha256",
                false,
                "The sha256 that the dry run showed; needed with `dry_run: false`.",
                SHA256_SYNONYMS,
            ),
            REASON,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_timeline",
        title: "Look at days",
        about: "See what happened lately, or around a date, from the daily logs: \"what did we do yesterday\", \"last week\", \"what was going on in May\". Without a date it gives the newest entries first; with one, those around it in order. For a question about a topic use memory_search.",
        verb: Verb::Timeline,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[
            text("around", false, "A day, YYYY-MM-DD.", &["date", "day", "on", "when"]),
            Param {
                name: "days",
                kind: Kind::Whole { min: 0, max: 366, default: Some(3) },
                required: false,
                about: "Days on either side of it.",
                synonyms: &["window"],
            },
            LIMIT,
            CURSOR,
            max_tokens(ANSWER_TOKENS_DEFAULT),
        ],
        answer: &[
            always(
                "entries",
                Shape::List(&Shape::Object(&[
                    always("date", Shape::Text),
                    always("path", Shape::Text),
                    always("startLine", Shape::Whole),
                    always("endLine", Shape::Whole),
                    always("citation", Shape::Text),
                    always("heading", Shape::Text),
                    always("text", Shape::Text),
                    maybe("taint", Shape::Text),
                ])),
            ),
            OMITTED,
            NEXT,
            NOTICES,
        ],
    },
    ToolSpec {
        name: "memory_status",
        title: "See how memory is",
        about: "See how much there is and whether something waits: files, days, passages, proposals that wait for the owner, what could not be read. Use it when asked \"is your memory working\", \"what is waiting for me\", or when an answer seems to miss something. It does not tell what is remembered.",
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
        title: "Tell about myself",
        about: "Tell who this agent is, what it knows for long, or its numbers: \"who are you\", \"what do you know about me\", \"how many memories do you have\". For one question about what is remembered use memory_search.",
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
                about: "What to tell.",
                synonyms: &["action", "what", "kind"],
            },
            text("section", false, "Only sections whose heading has this; for what_do_i_know.", &["heading"]),
            Param {
                name: "limit",
                kind: Kind::Whole { min: 1, max: 50, default: None },
                required: false,
                about: "Most sections; 20 when unsaid.",
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
        title: "Look back at what was said",
        about: "Look back at earlier conversations word for word: \"what exactly did I say\", \"find where we talked about\", \"what did we say last\". List sessions, read one, search all, or take the last entries. Use memory_search first: what matters was noted; this is for the words themselves.",
        verb: Verb::SessionLogs,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: LOG_PARAMS_OWN,
        answer: LOGS,
    },
];
