//! Minara's tools over facts, with its names and parameters (M35–M37, X42).
//!
//! They are offered to the owner's own agent alone: no other scope has facts.

use super::param::{Kind, Param};
use super::shape::{Field, Shape, always, maybe};
use super::{Hints, Set, ToolSpec, Verb};

const fn text(name: &'static str, required: bool, about: &'static str) -> Param {
    Param { name, kind: Kind::Text, required, about, synonyms: &[] }
}

const fn limit(default: u64) -> Param {
    Param {
        name: "limit",
        kind: Kind::Whole { min: 1, max: 100, default: Some(default) },
        required: false,
        about: "Most memories.",
        synonyms: &["max_results", "n"],
    }
}

const METADATA: Param = Param {
    name: "metadata",
    kind: Kind::AnyObject,
    required: false,
    about: "What else you know of it, such as `confidence`. A `source` in it is heard where it is one of chat_extracted, inferred, learned_preference, user_explicit; else it is agent_recorded. It is kept as your word and makes nothing the user's.",
    synonyms: &[],
};

/// One memory.
const MEMORY: Shape = Shape::Object(&[
    always("id", Shape::Whole),
    always("category", Shape::Text),
    always("content", Shape::Text),
    always("source", Shape::Text),
    always("created_at", Shape::Text),
    always("updated_at", Shape::Text),
    maybe("metadata", Shape::Text),
    maybe("valid_from", Shape::Text),
    maybe("valid_to", Shape::Text),
]);

const KEPT: &[Field] = &[
    always("status", Shape::Text),
    always("message", Shape::Text),
    maybe("id", Shape::Whole),
    maybe("proposal", Shape::Text),
    maybe("why", Shape::Text),
    maybe("notices", Shape::Any),
];

const FOUND: &[Field] =
    &[always("memories", Shape::List(&MEMORY)), maybe("found_by", Shape::Text), maybe("notices", Shape::Any)];

/// Minara's `memory_write`, `memory_search`, `memory_read`, `memory_learn`.
pub(super) const MINARA: &[ToolSpec] = &[
    ToolSpec {
        name: "memory_write",
        title: "Write memory",
        about: "Keep one statement that will still matter in a month: a preference, an observation, a lesson, a fact. It usually waits for the owner: `status` is then `pending`; do not say that it is remembered. Not for secrets, large data, conversation history or the state of the task at hand.",
        verb: Verb::FactWrite,
        set: Set::Minara,
        hints: Hints::ADDS,
        params: &[
            text(
                "category",
                true,
                "preference, observation, trade_outcome, lesson, personalization, alert, reference, fact, or a word of your own.",
            ),
            Param {
                name: "content",
                kind: Kind::Text,
                required: true,
                about: "The statement, one sentence.",
                synonyms: &["text"],
            },
            METADATA,
        ],
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_search",
        title: "Search memory",
        about: "Search what was kept, best first. Takes words or FTS5 syntax: \"a phrase\", AND, OR, NOT, category:preference, slip*. Use it before you answer about the past; what stands in the prompt are the newest memories alone.",
        verb: Verb::FactSearch,
        set: Set::Minara,
        hints: Hints::LOOKS,
        params: &[
            Param {
                name: "query",
                kind: Kind::Text,
                required: true,
                about: "The question.",
                synonyms: &["q"],
            },
            Param {
                name: "as_of",
                kind: Kind::Text,
                required: false,
                about: "Only facts that held at the end of this time, as known now: a day or words (last week, May).",
                synonyms: &["asOf", "as_of_date"],
            },
            Param {
                name: "believed_at",
                kind: Kind::Text,
                required: false,
                about: "Answer with what was believed at the end of this time, even if it was corrected later; with as_of, what was believed then about that time.",
                synonyms: &["believedAt", "known_at"],
            },
            limit(10),
        ],
        answer: FOUND,
    },
    ToolSpec {
        name: "memory_read",
        title: "Read memory",
        about: "Read the newest memories, of one category or of all. Use it to look through what is kept; for one question search instead.",
        verb: Verb::FactRead,
        set: Set::Minara,
        hints: Hints::LOOKS,
        params: &[text("category", false, "Only this category."), limit(20)],
        answer: FOUND,
    },
    ToolSpec {
        name: "memory_learn",
        title: "Keep a lesson",
        about: "Keep what a turn taught you, as a memory of category `lesson`: what to do otherwise next time, in one sentence. It usually waits for the owner, as memory_write does.",
        verb: Verb::FactLearn,
        set: Set::Minara,
        hints: Hints::ADDS,
        params: &[
            Param {
                name: "content",
                kind: Kind::Text,
                required: true,
                about: "The lesson.",
                synonyms: &["lesson", "text"],
            },
            METADATA,
        ],
        answer: KEPT,
    },
];
