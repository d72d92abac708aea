//! The tool by which a host says what came of results.
//!
//! It is a set of its own, to be offered beside another one: the words that describe it cost tokens in every
//! conversation, and only a host that knows outcomes can use it.

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
    title: "Say what was useful",
    about: "Say which results of a search helped and which did not, once the turn that used them is over. Name each by its citation. An agent's word is kept apart from the owner's and moves no ranking; what helped often enough is proposed for lasting memory.",
    verb: Verb::Feedback,
    set: Set::Feedback,
    hints: Hints::ADDS,
    params: params! {
        hits: SomeTexts(FEEDBACK_PASSAGES_MAX), "Citations of the results, such as memory/2026-11-21.md#L3-L5.",
            "citations" "results" "paths";
        verdict: Choice { of: &["useful", "useless"], default: None }, "Whether they helped.", "rating";
        outcome?: Text, "What came of it, such as the session and its turn. Whatever it says, a passage counts once a day.",
            "turn" "session";
    },
    answer: ANSWER,
}];
