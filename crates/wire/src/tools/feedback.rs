//! The tool by which a host reports outcomes of results.
//!
//! It is a separate set, for use with another one: its description costs tokens in every conversation, and only a
//! host with outcomes needs it.

use inwit_engine::learning::feedback::FEEDBACK_PASSAGES_MAX;

use super::param::params;
use super::shape::{Field, fields};
use super::{Hints, Set, ToolSpec, Verb};

const VOTES: &[Field] = fields! { useful: Whole, all: Whole, bound: Number };

const ANSWER: &[Field] = fields! {
    passages: [{
        citation: Text, scope: Text, counted?: Text,
        feedback: { owner: { ..VOTES }, tools: { ..VOTES }, praise: Number, graduate?: Text },
    }],
};

pub(super) const FEEDBACK: &[ToolSpec] = &[ToolSpec {
    name: "memory_feedback",
    title: "Rate search results",
    about: "Rate the results of a search as useful or useless, after the turn that used them. Identify each by its citation. Agent ratings are stored apart from the owner's and do not change the ranking. Passages with enough useful ratings are proposed for long-term memory.",
    verb: Verb::Feedback,
    set: Set::Feedback,
    hints: Hints::ADDS,
    params: params! {
        hits: SomeTexts(FEEDBACK_PASSAGES_MAX), "Citations of the results, such as memory/2026-11-21.md#L3-L5.",
            "citations" "results" "paths";
        verdict: Choice { of: &["useful", "useless"], default: None }, "Whether the results helped.", "rating";
        outcome?: Text, "Name of what the results were used for, such as session and turn. Each passage counts at most once a day.",
            "turn" "session";
    },
    answer: ANSWER,
}];
