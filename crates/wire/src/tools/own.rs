//! Our own tools, with descriptions for small models.
//!
//! A client sends every description with every conversation, so they are short: what to do, when, one example.

use super::param::{Kind, Param, params};
use super::shape::{Field, fields};
use super::{Hints, Set, ToolSpec, Verb};

/// Most results of one call.
pub const RESULTS_MAX: u64 = 100;

/// Default number of results of one call.
pub const RESULTS_DEFAULT: u64 = 10;

/// Most tokens of one answer that can be asked for.
pub const ANSWER_TOKENS_MAX: u64 = 100_000;

/// Default number of tokens of one answer.
pub const ANSWER_TOKENS_DEFAULT: u64 = 8_000;

const LIMIT: Param = params! {
    limit?: Whole { min: 1, max: RESULTS_MAX, default: Some(RESULTS_DEFAULT) }, "Maximum number of results.",
        "max_results" "maxResults" "top_k" "k" "n" "count";
}[0];

const CURSOR: Param = params! {
    cursor?: Text, "`nextCursor` of the previous answer; repeat the other parameters.",
        "next_cursor" "nextCursor" "page";
}[0];

const MAX_TOKENS: Param = params! {
    max_tokens?: Whole { min: 100, max: ANSWER_TOKENS_MAX, default: Some(ANSWER_TOKENS_DEFAULT) }, "Maximum size of the answer.",
        "maxTokens" "token_budget" "tokens" "budget";
}[0];

const FILE_SYNONYMS: &[&str] = &["file", "file_path", "filepath", "filename", "name", "address"];

const AS_OF: Param = params! {
    as_of?: Text, "Answer from the notes as they were at this time.", "asOf" "as_of_date" "at";
}[0];

const REASON: Param = params! { reason?: Text, "Why, for the person who approves.", "why" "because"; }[0];

const SHA256_SYNONYMS: &[&str] = &["expectedSha256", "sha256", "base_sha256", "if_match", "etag"];

const NOTICES: Field = fields! { notices?: [{ code: Text, message: Text, hint: Text }] }[0];

const NEXT: Field = fields! { nextCursor?: Text }[0];

const OMITTED: Field = fields! { omitted?: { results?: Whole, chars?: Whole } }[0];

/// A passage. Its place in lines and bytes, its scores and the hash of its file come with `explain`.
const HIT: &[Field] = fields! {
    text: Text, citation: Text, heading?: Text, taint?: Text, seenFrom?: Text, seenUntil?: Text, path?: Text,
    startLine?: Whole, endLine?: Whole, date?: Text, score?: Number, parts?: Any, sha256?: Text,
    startByte?: Whole, endByte?: Whole, feedback?: Any, movedFrom?: Whole,
};

/// A fact. Its source, times and metadata come with `explain`.
const FACT: &[Field] = fields! {
    id: Whole, category: Text, content: Text, valid_from?: Text, valid_to?: Text, source?: Text,
    created_at?: Text, updated_at?: Text, metadata?: Text,
};

/// An entry of a daily log.
const LOG_ENTRY: &[Field] = fields! { citation: Text, heading?: Text, text: Text, taint?: Text };

/// From what an answer about the past was given.
const AS_OF_SAID: &[Field] = fields! { moment: Text, commit?: Text, recordedAt?: Text, isNow: Flag };

/// What became of a change.
pub(super) const KEPT: &[Field] = fields! {
    outcome: Text, path: Text, message: Text, proposal?: Text, why?: Text, receipt?: Text, sha256?: Text,
    entries?: [{ line: Whole, text: Text }], findings?: [Any],
};

/// `who_am_i` (N20).
pub(super) const WHO: &[Field] = fields! {
    agent_id: Text, model: Text or null, workspace_dir: Text or null, identity: { *: Text or null },
    soul_excerpt: Text, soul_truncated?: Flag, ..NOTICES,
};

/// `what_do_i_know` (N21).
pub(super) const KNOWLEDGE: &[Field] = fields! {
    sections: [{ heading: Text, bullets: [Text], extra_bullets: Whole }], truncated: Flag, ..NOTICES,
};

/// `my_stats` (N22).
pub(super) const STATS: &[Field] = fields! {
    agent_id: Text, sessions_total: Whole or null, memories_stored: Whole or null,
    memories_promoted: Whole or null, last_dream_ts: Text or null, recall_events_7d: Whole or null,
    top_concept_tags_7d: [[Any]] or null, workspace_files_present: [Text],
};

/// `session_logs` (N23): the fields of all its actions.
pub(super) const LOGS: &[Field] = fields! {
    ok: Flag, sessions?: [Any], session_id?: Text, header?: Any, total_entries?: Whole, returned?: Whole,
    entries?: [Any], query?: Text, backend?: Text, matched?: Text, hits?: [Any], truncated?: Flag,
    skipped_lines?: Whole, ..OMITTED, error?: Any, ..NOTICES,
};

/// What `session_logs` takes (N23, N26).
pub(super) const LOG_PARAMS: &[Param] = params! {
    action?: Choice { of: &["list_sessions", "read_session", "search", "recent"], default: Some("list_sessions") }, "What to do.";
    session_id?: Text, "Session, for read_session and recent.", "session" "id";
    query?: Text, "Words, for search.", "q" "text";
    limit?: Whole { min: 1, max: 500, default: None }, "Maximum number of entries.", "n" "count" "max_results";
    offset?: Whole { min: 0, max: u32::MAX as u64, default: None }, "Entries to skip, for read_session.",
        "skip";
    max_chars?: Whole { min: 20, max: 4_000, default: None }, "Maximum length of an entry. Default: 200.",
        "preview_chars" "maxChars";
};

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
        params: params! {
            query: Text, "Question or words, in any language.", "q" "question" "text" "search" "search_query";
            ..LIMIT;
            ..CURSOR;
            ..MAX_TOKENS;
            kinds?: Choices(&["passages", "facts"]), "Search only these. With facts and an empty query: the newest facts.",
                "kind" "types";
            since?: Text, "Only this time or later: 2026-11-21 or words such as last Friday.",
                "after" "from" "start" "start_date";
            until?: Text, "Only this time or earlier.", "before" "to" "end" "end_date";
            around?: Text, "Boost results near this time, without filtering.", "near" "date" "when";
            ..AS_OF;
            fts?: Flag { default: false }, "Read the query as an expression: AND, OR, NOT, \"a phrase\", slip*.",
                "expression";
            explain?: Flag { default: false }, "Add scores, byte offsets and file hashes.", "debug";
        },
        answer: fields! {
            results: [{ ..HIT }], facts?: [{ ..FACT }], nothingNear: Flag, asOf?: { ..AS_OF_SAID }, explain?: Any,
            ..OMITTED, ..NEXT, ..NOTICES,
        },
    },
    ToolSpec {
        name: "memory_get",
        title: "Read a note",
        about: "Read a file of the notes, or some of its lines. Example: {\"path\":\"MEMORY.md\"}. A missing file gives empty text.",
        verb: Verb::Get,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: params! {
            path: Text, "File, or a `citation` from memory_search.",
                "file" "file_path" "filepath" "filename" "name" "address" "citation" "uri";
            from?: Whole { min: 1, max: u32::MAX as u64, default: None }, "First line.",
                "start" "startLine" "start_line" "line" "offset";
            lines?: Whole { min: 1, max: u32::MAX as u64, default: None }, "Number of lines.",
                "limit" "count" "num_lines";
            ..AS_OF;
            ..MAX_TOKENS;
        },
        answer: fields! {
            path: Text, text: Text, from?: Whole, lines?: Whole, totalLines?: Whole, sha256?: Text,
            taint?: Text, truncated?: Flag, nextFrom?: Whole, asOf?: { ..AS_OF_SAID }, ..OMITTED, ..NOTICES,
        },
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
        answer: fields! { text: Text, ..NOTICES },
    },
    ToolSpec {
        name: "memory_remember",
        title: "Remember something",
        about: "Keep one statement for later conversations: a preference, a decision, a person, a promise. Example: {\"text\":\"Ana prefers rye bread.\"}. If `outcome` is `pending`, tell the user that it waits for approval. Never store secrets.",
        verb: Verb::Remember,
        set: Set::Default,
        hints: Hints::ADDS,
        params: params! {
            text: Text, "One sentence, with names and full dates.",
                "content" "fact" "memory" "note" "data";
            kind?: Choice { of: &["memory", "journal", "fact"], default: Some("memory") }, "memory: a lasting note. journal: today's log. fact: a statement outside the files.",
                "type" "target";
            path?: Text, "File, for memory. Default: MEMORY.md.", ..FILE_SYNONYMS;
            section?: Text, "Heading, for memory. Default: Facts.", "heading";
            category?: Text, "Category, for fact. Default: observation.";
            ..REASON;
        },
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_update",
        title: "Correct an entry",
        about: "Replace one entry that is wrong or out of date. Call memory_get first: it gives `sha256`. Example: {\"path\":\"MEMORY.md\",\"old_text\":\"rye bread\",\"text\":\"Ana prefers spelt bread.\",\"expected_sha256\":\"…\"}. If `outcome` is `pending`, tell the user that it waits for approval.",
        verb: Verb::Update,
        set: Set::Default,
        hints: Hints::CHANGES,
        params: params! {
            path: Text, "File.", ..FILE_SYNONYMS;
            old_text: Text, "Words that only this entry has.",
                "oldText" "old" "old_str" "find" "match" "entry";
            text: Text, "The new entry.",
                "new_text" "newText" "new" "new_str" "content" "replacement" "replace";
            expected_sha256: Text, "`sha256` of the file, from memory_get.", ..SHA256_SYNONYMS;
            ..REASON;
        },
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_forget",
        title: "Retract an entry",
        about: "Remove one entry. The first call is a dry run: it shows the entry and `sha256`. Call again with both to remove it. Example: {\"path\":\"MEMORY.md\",\"old_text\":\"rye bread\"}.",
        verb: Verb::Forget,
        set: Set::Default,
        hints: Hints::CHANGES,
        params: params! {
            path: Text, "File.", ..FILE_SYNONYMS;
            old_text: Text, "Words that only this entry has.",
                "text" "oldText" "old" "old_str" "find" "match" "entry";
            dry_run?: Flag { default: true }, "false removes the entry.", "dryRun" "preview";
            expected_sha256?: Text, "`sha256` from the dry run.", ..SHA256_SYNONYMS;
            ..REASON;
        },
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_timeline",
        title: "Read the daily logs",
        about: "List entries of the daily logs: the newest, or those around a day. Example: {\"around\":\"2026-11-21\"}. For a topic call memory_search.",
        verb: Verb::Timeline,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: params! {
            around?: Text, "A day, YYYY-MM-DD.", "date" "day" "on" "when";
            days?: Whole { min: 0, max: 366, default: Some(3) }, "Days before and after it.", "window";
            ..LIMIT;
            ..CURSOR;
            ..MAX_TOKENS;
        },
        answer: fields! { entries: [{ ..LOG_ENTRY }], ..OMITTED, ..NEXT, ..NOTICES },
    },
    ToolSpec {
        name: "memory_status",
        title: "Check the memory",
        about: "Show whether memory works: number of files and passages, and what waits for approval. Example: {}.",
        verb: Verb::Status,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: &[],
        answer: fields! {
            agent: Text, scope: Text, profile: Text, today: Text, recall: Text, files: { *: Whole },
            firstDay?: Text, lastDay?: Text, searchedFiles: Whole, passages: Whole, pending?: Whole,
            ..NOTICES,
        },
    },
    ToolSpec {
        name: "identity",
        title: "Show who I am",
        about: "Show who this agent is, what it knows, or its statistics. Example: {\"about\":\"what_do_i_know\"}.",
        verb: Verb::Identity,
        set: Set::Default,
        hints: Hints::LOOKS,
        params: params! {
            about?: Choice { of: &["who_am_i", "what_do_i_know", "my_stats"], default: Some("who_am_i") }, "What to show.",
                "action" "what" "kind";
            section?: Text, "Only headings with these words; for what_do_i_know.", "heading";
            limit?: Whole { min: 1, max: 50, default: None }, "Maximum number of sections. Default: 20.",
                "n" "count";
        },
        answer: fields! {
            about: Text, who_am_i?: { ..WHO }, what_do_i_know?: { ..KNOWLEDGE },
            my_stats?: { ..STATS },
        },
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
