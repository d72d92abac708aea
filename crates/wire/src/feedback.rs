//! Feedback about passages.

use crate::shape::shape;
use inwit_engine::learning::feedback::Rated;
use inwit_engine::notes::search::feedback_score;
use inwit_engine::{Counted, Tally, Votes};
use inwit_model::wilson::lower_bound;

shape! {
    /// How often something was useful.
    #[derive(Copy)]
    pub struct VotesV1 {
        /// Outcomes in which it was.
        pub useful: u64,
        /// All outcomes.
        pub all: u64,
        /// The lower Wilson bound of the share, z = 1.96.
        pub bound: f64,
    }

    /// Everything said of one passage.
    pub struct TallyV1 from tally: &Tally {
        /// By the owner; this moves its score.
        pub owner: VotesV1 = tally.owner.into(),
        /// By agents and other programs; this moves no score.
        pub tools: VotesV1 = tally.tool.into(),
        /// How far the owner's words go, −1 to 1; times the setting `weights.feedback` is what its score moves by.
        pub praise: f32 = feedback_score(tally.owner),
        /// Who made it a graduate: `owner` or `tool`.
        pub graduate?: Option<&'static str> = tally.graduate.map(inwit_engine::Rater::word),
    }

    /// One passage and what was said of it.
    pub struct RatedV1 {
        /// `path#L3-L5`; the path alone where the passage is gone.
        pub citation: String,
        /// The scope whose answers it moves.
        pub scope: String,
        /// What became of the word: `new`, `changed`, `again`.
        pub counted?: Option<&'static str>,
        /// Everything said of it.
        pub feedback: TallyV1,
    }

    /// What was said of passages.
    pub struct FeedbackV1 by
    /// From the ratings that the engine counted.
    pub fn new(rated: &[Rated]) {
        /// Each passage.
        pub passages: Vec<RatedV1> = rated.iter().map(RatedV1::from).collect(),
    }

    /// What was said of passages and is forgotten.
    pub struct FeedbackForgottenV1 {
        /// Of how many passages.
        pub forgotten: u64,
    }
}

impl From<Votes> for VotesV1 {
    fn from(votes: Votes) -> Self {
        Self { useful: votes.useful, all: votes.all, bound: lower_bound(votes.useful, votes.all) }
    }
}

impl From<&Rated> for RatedV1 {
    fn from(rated: &Rated) -> Self {
        let path = &rated.tally.rated.passage.path;
        let citation = match rated.lines {
            None => path.to_string(),
            Some((first, last)) if first == last => format!("{path}#L{first}"),
            Some((first, last)) => format!("{path}#L{first}-L{last}"),
        };
        let counted = rated.counted.map(|counted| match counted {
            Counted::New => "new",
            Counted::Changed => "changed",
            Counted::Again => "again",
        });
        Self {
            citation,
            scope: rated.tally.set.as_str().to_owned(),
            counted,
            feedback: TallyV1::from(&rated.tally),
        }
    }
}
