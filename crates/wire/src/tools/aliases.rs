//! Tools of other systems, with their exact names, parameters and fields (X42).
//!
//! Instructions written for them keep working. The behaviour is ours: the same operations, gate and scopes.

use super::own::{KNOWLEDGE, LOG_PARAMS, LOGS, STATS, WHO};
use super::param::params;
use super::shape::fields;
use super::{Hints, Set, ToolSpec, Verb};

/// nexo's `memory`, `who_am_i`, `what_do_i_know`, `my_stats`, `session_logs` (N20–N27).
pub(super) const NEXO: &[ToolSpec] = &[
    ToolSpec {
        name: "memory",
        title: "Memory",
        about: "Long-term memory: remember a statement, recall entries, forget an entry. Recall before you answer about the past. Remember what will still matter in a month. Never store secrets. If `status` is `pending`, the change waits for approval.",
        verb: Verb::NexoMemory,
        set: Set::Nexo,
        hints: Hints::CHANGES,
        params: params! {
            action: Choice { of: &["remember", "recall", "forget"], default: None }, "Action to run.";
            content?: Text, "Text to keep; for remember.";
            tags?: Texts, "Tags of the entry; for remember.";
            query?: Text, "Words to search for; for recall.";
            limit?: Whole { min: 1, max: 100, default: Some(5) }, "Maximum number of results; for recall.";
            mode?: Choice { of: &["keyword", "vector", "hybrid"], default: None }, "Ignored; every mode runs the same search.";
            id?: Text, "Id of the entry, from recall; for forget.";
        },
        answer: fields! {
            ok: Flag, id?: Text, status?: Text,
            results?: [{ id: Text, content: Text, tags: [Text], taint?: Text }],
        },
    },
    ToolSpec {
        name: "who_am_i",
        title: "Who am I",
        about: "Show who I am: id, model, folder, identity, and the start of my soul. Call it when asked who you are.",
        verb: Verb::WhoAmI,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: &[],
        answer: WHO,
    },
    ToolSpec {
        name: "what_do_i_know",
        title: "What do I know",
        about: "Show the sections of my long-term memory with their first bullets. Call it when asked what you know. For one question, call recall.",
        verb: Verb::WhatDoIKnow,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: params! {
            section?: Text, "Only headings with these words.";
            limit?: Whole { min: 1, max: 50, default: None }, "Maximum number of sections. Default: 20.";
        },
        answer: KNOWLEDGE,
    },
    ToolSpec {
        name: "my_stats",
        title: "My stats",
        about: "Show the number of sessions, memories and recalls, and the list of files. Call it when asked for numbers.",
        verb: Verb::MyStats,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: &[],
        answer: STATS,
    },
    ToolSpec {
        name: "session_logs",
        title: "Session logs",
        about: "Read earlier sessions word for word: list_sessions, read_session, search, recent. For what was learned from them, use memory.",
        verb: Verb::SessionLogs,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: LOG_PARAMS,
        answer: LOGS,
    },
];

/// MindRoom's `write_memory` (R14, R56).
pub(super) const MINDROOM: &[ToolSpec] = &[ToolSpec {
    name: "write_memory",
    title: "Write memory",
    about: "Write a note into today's log, which takes effect immediately, or into MEMORY.md, which usually needs approval. Call it when something should outlast this conversation. Never store secrets.",
    verb: Verb::MindroomWrite,
    set: Set::Mindroom,
    hints: Hints::ADDS,
    params: params! {
        content: Text, "Text to write.", "text";
        target?: Choice { of: &["daily", "memory"], default: Some("daily") }, "daily: today's log; memory: MEMORY.md.";
    },
    answer: super::own::KEPT,
}];

/// OpenClaw's `memory_search` and `memory_get`.
pub(super) const OPENCLAW: &[ToolSpec] = &[
    ToolSpec {
        name: "memory_search",
        title: "Memory search",
        about: "Search MEMORY.md, USER.md and memory/*.md. Call it before you answer about prior work, decisions, dates, people, preferences or to-dos. Cite what you use. Not for the web or source code.",
        verb: Verb::OpenclawSearch,
        set: Set::Openclaw,
        hints: Hints::LOOKS,
        params: params! {
            query: Text, "Question or words.";
            maxResults?: Whole { min: 1, max: 100, default: Some(6) }, "Maximum number of results.";
            minScore?: Number { min: 0.0, max: 100.0 }, "Minimum score. Default: 0.35, if any result reaches it.";
            corpus?: Choice { of: &["memory", "wiki", "all", "sessions"], default: None }, "Corpus to search. memory and all search the notes; the others are empty.";
        },
        answer: fields! {
            results: [{ path: Text, startLine: Whole, endLine: Whole, score: Number, snippet: Text, source: Text, corpus: Text, citation: Text }],
            provider: Text, model: Text or null, fallback: Flag, citations: Text, mode: Text, warning?: Text,
            omitted?: { results: Whole },
        },
    },
    ToolSpec {
        name: "memory_get",
        title: "Memory get",
        about: "Read lines of MEMORY.md, USER.md or memory/*.md. Call it after memory_search, to load only the lines you need. A missing file gives empty text.",
        verb: Verb::OpenclawGet,
        set: Set::Openclaw,
        hints: Hints::LOOKS,
        params: params! {
            path: Text, "File to read.";
            from?: Whole { min: 1, max: u32::MAX as u64, default: Some(1) }, "First line, from 1.";
            lines?: Whole { min: 1, max: u32::MAX as u64, default: Some(120) }, "Number of lines.";
            corpus?: Choice { of: &["memory", "wiki", "all"], default: None }, "Corpus to read. memory and all are the notes; wiki is empty.";
        },
        answer: fields! {
            status: Text, text: Text, path: Text, from?: Whole, lines?: Whole, truncated?: Flag,
            nextFrom?: Whole,
        },
    },
];

/// Hermes' `memory`.
pub(super) const HERMES: &[ToolSpec] = &[ToolSpec {
    name: "memory",
    title: "Memory",
    about: "Save lasting notes: add, replace or remove an entry in `memory` (your notes) or `user` (the person). Identify an entry by text that only it contains. Several operations succeed or fail together. If `status` is `pending`, the change waits for approval. Not for secrets or the current task.",
    verb: Verb::HermesMemory,
    set: Set::Hermes,
    hints: Hints::CHANGES,
    params: params! {
        action?: Choice { of: &["add", "replace", "remove"], default: None }, "Action to run; or pass operations.";
        target?: Choice { of: &["memory", "user"], default: Some("memory") }, "memory: your notes; user: who the person is.";
        content?: Text, "The entry; for add and replace.";
        old_text?: Text, "Text that only this entry contains; for replace and remove.";
        operations?: Objects(params! {
            action: Choice { of: &["add", "replace", "remove"], default: None }, "Action to run.";
            content?: Text, "The entry; for add and replace.";
            old_text?: Text, "Text that only this entry contains; for replace and remove.";
        }), "Changes of one target. All succeed or none.";
    },
    answer: fields! {
        success: Flag, done: Flag, target: Text, usage: Text, entry_count: Whole, message: Text,
        status?: Text, id?: Text, entries?: [Text],
    },
}];
