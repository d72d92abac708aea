//! The tools of other systems, with exactly their names, parameters and fields (X42).
//!
//! Instructions that were written for them keep working. What a name means is ours: the same verbs, the
//! same gate, the same scopes.

use super::own::{KNOWLEDGE, LOG_PARAMS, LOGS, STATS, WHO};
use super::param::params;
use super::shape::fields;
use super::{Hints, Set, ToolSpec, Verb};

/// nexo's `memory`, `who_am_i`, `what_do_i_know`, `my_stats`, `session_logs` (N20–N27).
pub(super) const NEXO: &[ToolSpec] = &[
    ToolSpec {
        name: "memory",
        title: "Memory",
        about: "Long-term memory: remember something, recall what is known, forget an entry. Recall before you answer about the past; remember what will still matter in a month. Not for secrets. What you remember or forget may wait for the owner, and then has `status: \"pending\"`.",
        verb: Verb::NexoMemory,
        set: Set::Nexo,
        hints: Hints::CHANGES,
        params: params! {
            action: Choice { of: &["remember", "recall", "forget"], default: None }, "What to do.";
            content?: Text, "What to keep; for remember.";
            tags?: Texts, "Words to file it under; for remember.";
            query?: Text, "What to look for; for recall.";
            limit?: Whole { min: 1, max: 100, default: Some(5) }, "Most results; for recall.";
            mode?: Choice { of: &["keyword", "vector", "hybrid"], default: None }, "How to look; every mode goes by words so far.";
            id?: Text, "The entry, as recall named it; for forget.";
        },
        answer: fields! {
            ok: Flag, id?: Text, status?: Text,
            results?: [{ id: Text, content: Text, tags: [Text], taint?: Text }],
        },
    },
    ToolSpec {
        name: "who_am_i",
        title: "Who am I",
        about: "Who I am: id, model, folder, identity, and the beginning of my soul. Use it when asked who you are.",
        verb: Verb::WhoAmI,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: &[],
        answer: WHO,
    },
    ToolSpec {
        name: "what_do_i_know",
        title: "What do I know",
        about: "The sections of my long-term memory with their first bullets. Use it when asked what you know; for one question recall instead.",
        verb: Verb::WhatDoIKnow,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: params! {
            section?: Text, "Only sections whose heading has this.";
            limit?: Whole { min: 1, max: 50, default: None }, "Most sections; 20 when unsaid.";
        },
        answer: KNOWLEDGE,
    },
    ToolSpec {
        name: "my_stats",
        title: "My stats",
        about: "How many sessions, memories and recalls there are, and which files. Use it when asked for numbers.",
        verb: Verb::MyStats,
        set: Set::Nexo,
        hints: Hints::LOOKS,
        params: &[],
        answer: STATS,
    },
    ToolSpec {
        name: "session_logs",
        title: "Session logs",
        about: "What was said in earlier sessions, word for word: list_sessions, read_session, search, recent. For what was learned from it use memory.",
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
    about: "Write something down: into today's log, which is written at once, or into MEMORY.md, which usually waits for the owner. Use it when something should outlast this conversation; mental notes do not. Not for secrets.",
    verb: Verb::MindroomWrite,
    set: Set::Mindroom,
    hints: Hints::ADDS,
    params: params! {
        content: Text, "What to write down.", "text";
        target?: Choice { of: &["daily", "memory"], default: Some("daily") }, "daily: today's log; memory: MEMORY.md.";
    },
    answer: super::own::KEPT,
}];

/// OpenClaw's `memory_search` and `memory_get`.
pub(super) const OPENCLAW: &[ToolSpec] = &[
    ToolSpec {
        name: "memory_search",
        title: "Memory search",
        about: "Search MEMORY.md, USER.md and memory/*.md. Use it before you answer questions about prior work, decisions, dates, people, preferences or to-dos. Give the citation of what you use. Not for the web or source code.",
        verb: Verb::OpenclawSearch,
        set: Set::Openclaw,
        hints: Hints::LOOKS,
        params: params! {
            query: Text, "The question.";
            maxResults?: Whole { min: 1, max: 100, default: Some(6) }, "Most results.";
            minScore?: Number { min: 0.0, max: 100.0 }, "Least score, as results have it. Unsaid, what has less than 0.35 is left out where something has more.";
            corpus?: Choice { of: &["memory", "wiki", "all", "sessions"], default: None }, "What to search; memory and all are the notes, the others have nothing here.";
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
        about: "Read some lines of MEMORY.md, USER.md or memory/*.md after memory_search, so that only what is needed is in context. A file that is not there answers with empty text.",
        verb: Verb::OpenclawGet,
        set: Set::Openclaw,
        hints: Hints::LOOKS,
        params: params! {
            path: Text, "The file.";
            from?: Whole { min: 1, max: u32::MAX as u64, default: Some(1) }, "The first line, from 1.";
            lines?: Whole { min: 1, max: u32::MAX as u64, default: Some(120) }, "How many lines.";
            corpus?: Choice { of: &["memory", "wiki", "all"], default: None }, "Which notes; memory and all are the notes, wiki has nothing here.";
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
    about: "Save lasting notes: add an entry, replace one, or remove one, in `memory` (your own notes) or `user` (who the person is). Name an entry by a short piece of text that it alone has. Several operations are made all or none. What you change may wait for the owner, and then `status` is `pending`. Not for secrets and not for the task at hand.",
    verb: Verb::HermesMemory,
    set: Set::Hermes,
    hints: Hints::CHANGES,
    params: params! {
        action?: Choice { of: &["add", "replace", "remove"], default: None }, "What to do; or give operations.";
        target?: Choice { of: &["memory", "user"], default: Some("memory") }, "memory: your notes; user: who the person is.";
        content?: Text, "The entry; for add and replace.";
        old_text?: Text, "A piece of text that the entry alone has; for replace and remove.";
        operations?: Objects(params! {
            action: Choice { of: &["add", "replace", "remove"], default: None }, "What to do.";
            content?: Text, "The entry; for add and replace.";
            old_text?: Text, "A piece of text that the entry alone has; for replace and remove.";
        }), "Several changes of one target, made all or none.";
    },
    answer: fields! {
        success: Flag, done: Flag, target: Text, usage: Text, entry_count: Whole, message: Text,
        status?: Text, id?: Text, entries?: [Text],
    },
}];
