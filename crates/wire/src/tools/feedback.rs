//! The tool by which a host says what came of results.
//!
//! It is a set of its own, to be offered beside another one: the words that describe it cost tokens in every
//! conversation, and only a host that knows outcomes can use it.

use inwit_engine::learning::feedback::FEEDBACK_PASSAGES_MAX;

use super::param::{Kind, Param};
use super::shape::{Field, Shape, always, maybe};
use super::{Hints, Set, ToolSpec, Verb};

const VOTES: Shape = Shape::Object(&[
    always("useful", Shape::Whole),
    always("all", Shape::Whole),
    always("bound", Shape::Number),
]);

const PASSAGE: Shape = Shape::Object(&[
    always("citation", Shape::Text),
    always("scope", Shape::Text),
    maybe("counted", Shape::Text),
    always(
        "feedback",
        Shape::Object(&[
            always("owner", VOTES),
            always("tools", VOTES),
            always("praise", Shape::Number),
            maybe("graduate", Shape::Text),
        ]),
    ),
]);

const ANSWER: &[Field] = &[always("passages", Shape::List(&PASSAGE))];

pub(super) const FEEDBACK: &[ToolSpec] = &[ToolSpec {
    name: "memory_feedback",
    title: "Say what was useful",
    about: "Say which results of a search helped and which did not, once the turn that used them is over. Name each by its citation. An agent's word is kept apart from the owner's and moves no ranking; what helped often enough is proposed for lasting memory.",
    verb: Verb::Feedback,
    set: Set::Feedback,
    hints: Hints::ADDS,
    params: &[
        Param {
            name: "hits",
            kind: Kind::SomeTexts(FEEDBACK_PASSAGES_MAX),
            required: true,
            about: "Citations of the results, such as memory/2026-11-21.md#L3-L5.",
            synonyms: &["citations", "results", "paths"],
        },
        Param {
            name: "verdict",
            kind: Kind::Choice { of: &["useful", "useless"], default: None },
            required: true,
            about: "Whether they helped.",
            synonyms: &["rating"],
        },
        Param {
            name: "outcome",
            kind: Kind::Text,
            required: false,
            about: "What came of it, such as the session and its turn. Whatever it says, a passage counts once a day.",
            synonyms: &["turn", "session"],
        },
    ],
    answer: ANSWER,
}];
