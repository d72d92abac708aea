//! Minara's tools for facts, with its names and parameters (M35–M37, X42).
//!
//! For the owner's agent only: no other scope has facts.

use super::param::{Param, params};
use super::shape::{Field, fields};
use super::{Hints, Set, ToolSpec, Verb};

const METADATA: Param = params! {
    metadata?: AnyObject, "More about it, such as `confidence`. Accepted values of `source`: chat_extracted, inferred, learned_preference, user_explicit; any other becomes agent_recorded. Metadata counts as the agent's claim, not the user's.";
}[0];

/// One memory.
const MEMORY: &[Field] = fields! {
    id: Whole, category: Text, content: Text, source: Text, created_at: Text, updated_at: Text,
    metadata?: Text, valid_from?: Text, valid_to?: Text,
};

const KEPT: &[Field] = fields! {
    status: Text, message: Text, id?: Whole, proposal?: Text, why?: Text, notices?: Any,
};

const FOUND: &[Field] = fields! { memories: [{ ..MEMORY }], found_by?: Text, notices?: Any };

/// Minara's `memory_write`, `memory_search`, `memory_read`, `memory_learn`.
pub(super) const MINARA: &[ToolSpec] = &[
    ToolSpec {
        name: "memory_write",
        title: "Write memory",
        about: "Keep one statement that will still matter in a month: a preference, an observation, a lesson, a fact. It usually needs approval: if `status` is `pending`, do not say that it is remembered. Not for secrets, large data, conversation history or the current task.",
        verb: Verb::FactWrite,
        set: Set::Minara,
        hints: Hints::ADDS,
        params: params! {
            category: Text, "preference, observation, trade_outcome, lesson, personalization, alert, reference, fact, or your own word.";
            content: Text, "The statement, in one sentence.", "text";
            ..METADATA;
        },
        answer: KEPT,
    },
    ToolSpec {
        name: "memory_search",
        title: "Search memory",
        about: "Search the memories, best first. Takes words or FTS5 syntax: \"a phrase\", AND, OR, NOT, category:preference, slip*. Call it before you answer about the past: the prompt contains only the newest memories.",
        verb: Verb::FactSearch,
        set: Set::Minara,
        hints: Hints::LOOKS,
        params: params! {
            query: Text, "Question or words.", "q";
            as_of?: Text, "Only facts that were true at the end of this time, as known now: a day or words (last week, May).",
                "asOf" "as_of_date";
            believed_at?: Text, "Answer with what was believed at the end of this time, even if it was corrected later. With as_of: what was believed then about that time.",
                "believedAt" "known_at";
            limit?: Whole { min: 1, max: 100, default: Some(10) }, "Maximum number of memories.", "max_results" "n";
        },
        answer: FOUND,
    },
    ToolSpec {
        name: "memory_read",
        title: "Read memory",
        about: "Read the newest memories, of one category or of all. Call it to browse the memories. For one question, search instead.",
        verb: Verb::FactRead,
        set: Set::Minara,
        hints: Hints::LOOKS,
        params: params! {
            category?: Text, "Only this category.";
            limit?: Whole { min: 1, max: 100, default: Some(20) }, "Maximum number of memories.", "max_results" "n";
        },
        answer: FOUND,
    },
    ToolSpec {
        name: "memory_learn",
        title: "Keep a lesson",
        about: "Keep a lesson from a turn as a memory of category `lesson`: what to do differently next time, in one sentence. Like memory_write, it usually needs approval.",
        verb: Verb::FactLearn,
        set: Set::Minara,
        hints: Hints::ADDS,
        params: params! {
            content: Text, "The lesson.", "lesson" "text";
            ..METADATA;
        },
        answer: KEPT,
    },
];
