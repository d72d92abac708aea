//! The tools of other systems, with exactly their names, parameters and fields (X42).
//!
//! Instructions that were written for them keep working. What a name means is ours: the same verbs, the
//! same gate, the same scopes.

use super::own::{KNOWLEDGE, LOG_PARAMS, LOGS, STATS, WHO};
use super::param::{Kind, Param};
use super::shape::{Shape, always, maybe};
use super::{Hints, Set, ToolSpec, Verb};

const fn text(name: &'static str, required: bool, about: &'static str) -> Param {
    Param { name, kind: Kind::Text, required, about, synonyms: &[] }
}

const fn choice(
    name: &'static str,
    required: bool,
    of: &'static [&'static str],
    default: Option<&'static str>,
    about: &'static str,
) -> Param {
    Param { name, kind: Kind::Choice { of, default }, required, about, synonyms: &[] }
}

const fn whole(name: &'static str, max: u64, default: Option<u64>, about: &'static str) -> Param {
    Param { name, kind: Kind::Whole { min: 1, max, default }, required: false, about, synonyms: &[] }
}

/// nexo's `memory`, `who_am_i`, `what_do_i_know`, `my_stats`, `session_logs` (N20–N27).
pub(super) const NEXO: &[ToolSpec] = &[
    ToolSpec {
        name: "memory",
        title: "Memory",
        about: "Long-term memory: remember something, recall what is known, forget an entry. Recall before you answer about the past; remember what will still matter in a month. Not for secrets. What you remember or forget may wait for the owner, and then has `status: \"pending\"`.",
        verb: Verb::NexoMemory,
        set: Set::Nexo,
        hints: Hints::CHANGES,
        params: &[
            choice("action", true, &["remember", "recall", "forget"], None, "What to do."),
            text("content", false, "What to keep; for remember."),
            Param {
                name: "tags",
                kind: Kind::Texts,
                required: false,
                about: "Words to file it under; for remember.",
                synonyms: &[],
            },
            text("query", false, "What to look for; for recall."),
            whole("limit", 100, Some(5), "Most results; for recall."),
            choice(
                "mode",
                false,
                &["keyword", "vector", "hybrid"],
                None,
                "How to look; every mode goes by words so far.",
            ),
            text("id", false, "The entry, as recall named it; for forget."),
        ],
        answer: &[
            always("ok", Shape::Flag),
            maybe("id", Shape::Text),
            maybe("status", Shape::Text),
            maybe(
                "results",
                Shape::List(&Shape::Object(&[
                    always("id", Shape::Text),
                    always("content", Shape::Text),
                    always("tags", Shape::List(&Shape::Text)),
                    maybe("taint", Shape::Text),
                ])),
            ),
        ],
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
        params: &[
            text("section", false, "Only sections whose heading has this."),
            whole("limit", 50, None, "Most sections; 20 when unsaid."),
        ],
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
    params: &[
        Param {
            name: "content",
            kind: Kind::Text,
            required: true,
            about: "What to write down.",
            synonyms: &["text"],
        },
        choice(
            "target",
            false,
            &["daily", "memory"],
            Some("daily"),
            "daily: today's log; memory: MEMORY.md.",
        ),
    ],
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
        params: &[
            text("query", true, "The question."),
            whole("maxResults", 100, Some(6), "Most results."),
            Param {
                name: "minScore",
                kind: Kind::Number { min: 0.0, max: 100.0 },
                required: false,
                about: "Least score, as results have it. Unsaid, what has less than 0.35 is left out where something has more.",
                synonyms: &[],
            },
            choice(
                "corpus",
                false,
                &["memory", "wiki", "all", "sessions"],
                None,
                "What to search; memory and all are the notes, the others have nothing here.",
            ),
        ],
        answer: &[
            always(
                "results",
                Shape::List(&Shape::Object(&[
                    always("path", Shape::Text),
                    always("startLine", Shape::Whole),
                    always("endLine", Shape::Whole),
                    always("score", Shape::Number),
                    always("snippet", Shape::Text),
                    always("source", Shape::Text),
                    always("corpus", Shape::Text),
                    always("citation", Shape::Text),
                ])),
            ),
            always("provider", Shape::Text),
            always("model", Shape::Maybe(&Shape::Text)),
            always("fallback", Shape::Flag),
            always("citations", Shape::Text),
            always("mode", Shape::Text),
            maybe("warning", Shape::Text),
            maybe("omitted", Shape::Object(&[always("results", Shape::Whole)])),
        ],
    },
    ToolSpec {
        name: "memory_get",
        title: "Memory get",
        about: "Read some lines of MEMORY.md, USER.md or memory/*.md after memory_search, so that only what is needed is in context. A file that is not there answers with empty text.",
        verb: Verb::OpenclawGet,
        set: Set::Openclaw,
        hints: Hints::LOOKS,
        params: &[
            text("path", true, "The file."),
            whole("from", u32::MAX as u64, Some(1), "The first line, from 1."),
            whole("lines", u32::MAX as u64, Some(120), "How many lines."),
            choice(
                "corpus",
                false,
                &["memory", "wiki", "all"],
                None,
                "Which notes; memory and all are the notes, wiki has nothing here.",
            ),
        ],
        answer: &[
            always("status", Shape::Text),
            always("text", Shape::Text),
            always("path", Shape::Text),
            maybe("from", Shape::Whole),
            maybe("lines", Shape::Whole),
            maybe("truncated", Shape::Flag),
            maybe("nextFrom", Shape::Whole),
        ],
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
    params: &[
        choice("action", false, &["add", "replace", "remove"], None, "What to do; or give operations."),
        choice(
            "target",
            false,
            &["memory", "user"],
            Some("memory"),
            "memory: your notes; user: who the person is.",
        ),
        text("content", false, "The entry; for add and replace."),
        text("old_text", false, "A piece of text that the entry alone has; for replace and remove."),
        Param {
            name: "operations",
            kind: Kind::Objects(&[
                choice("action", true, &["add", "replace", "remove"], None, "What to do."),
                text("content", false, "The entry; for add and replace."),
                text("old_text", false, "A piece of text that the entry alone has; for replace and remove."),
            ]),
            required: false,
            about: "Several changes of one target, made all or none.",
            synonyms: &[],
        },
    ],
    answer: &[
        always("success", Shape::Flag),
        always("done", Shape::Flag),
        always("target", Shape::Text),
        always("usage", Shape::Text),
        always("entry_count", Shape::Whole),
        always("message", Shape::Text),
        maybe("status", Shape::Text),
        maybe("id", Shape::Text),
        maybe("entries", Shape::List(&Shape::Text)),
    ],
}];
